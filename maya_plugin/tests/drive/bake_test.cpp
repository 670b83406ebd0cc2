// Baked to keys, UVs are those of the node in a scene without it; baked to Alembic, Maya's exporter gets every frame.
#include "abc_export.h"

#include <maya/MFnAnimCurve.h>

#include <cmath>
#include <filesystem>

using namespace sinew::tests;

namespace {

namespace fs = std::filesystem;

std::size_t differing(const std::vector<Uvs>& found, const std::vector<Uvs>& expected) {
    std::size_t wrong = found.size() == expected.size() ? 0 : 1;
    for (std::size_t i = 0; i < found.size() && i < expected.size(); ++i) wrong += found[i] != expected[i];
    return wrong;
}

/// UVs that lie near 0 for how far they have slid may miss their last bits (host/uv_tracks.h); all others have them.
void check_keyed(const std::vector<Uvs>& found, const std::vector<Uvs>& live, const Uvs& rest) {
    CHECK_EQUAL(found.size(), live.size());
    std::size_t wrong = 0, near = 0, slid = 0;
    for (std::size_t frame = 0; frame < live.size(); ++frame)
        for (std::size_t i = 0; i < rest.size(); ++i) {
            const float now = found[frame].at(i), to = live[frame][i], slide = to - rest[i];
            slid += slide != 0;
            if (now == to) continue;
            ++(std::abs(to) < 2 * std::abs(slide) && std::abs(now - to) <= std::abs(slide) * 2.4e-7F ? near : wrong);
        }
    CHECK_EQUAL(wrong, std::size_t{0});
    CHECK(slid > 1000);
    CHECK(near * 50 < slid);
}

/// The curves of the scene that move UVs, and whether their keys are in the range.
std::size_t uv_curves(Stage& stage, double first, double last) {
    const std::vector<std::string> curves = stage.scene.nodes("animCurveTU");
    for (const std::string& name : curves) {
        const MFnAnimCurve curve(stage.scene.node(name));
        const auto frame = [&](unsigned key) { return curve.time(key).as(MTime::uiUnit()); };
        CHECK(curve.numKeys() > 0);
        CHECK(frame(0) >= first && frame(curve.numKeys() - 1) <= last);
    }
    return curves.size();
}

void keys_play_without_the_node() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> live = stage.play();
    stage.scene.set_time(7);
    const std::size_t nodes = stage.scene.nodes().size();
    const std::vector<std::string> made = stage.run("sinewBake -uvKeys " + node);
    CHECK_EQUAL(made.size(), std::size_t{1});
    CHECK_EQUAL(stage.scene.time(), 7.0);
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), made[0] + ".output");
    check_keyed(stage.play(), live, unslid(tube(8, 8)));
    const std::size_t curves = uv_curves(stage, first_frame, last_frame);
    CHECK(curves > 20 && curves <= 2 * 81);

    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.nodes().size(), nodes);
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), node + ".out_mesh");
    CHECK_EQUAL(stage.scene.number(node + ".frozen"), 0.0);
    CHECK_EQUAL(differing(stage.play(), live), std::size_t{0});
    CHECK(stage.scene.redo());

    // It is not computed while something else stands for it, and not needed any longer.
    const auto before = stage.scene.computes(node);
    for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Parallel}) {
        stage.scene.set_evaluation(mode);
        check_keyed(stage.play(), live, unslid(tube(8, 8)));
    }
    CHECK_EQUAL(stage.scene.computes(node), before);
    stage.scene.remove(node);
    check_keyed(stage.play(), live, unslid(tube(8, 8)));
    stage.check_faults();
}

void keys_are_in_the_range() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> live = stage.play();
    stage.run("sinewBake -uvKeys -startFrame 5 -endFrame 12 " + node);
    CHECK(uv_curves(stage, 5, 12) > 0);
    const std::vector<Uvs> keyed = stage.play();
    const auto part = [](const std::vector<Uvs>& all) { return std::vector<Uvs>(all.begin() + 4, all.begin() + 12); };
    check_keyed(part(keyed), part(live), unslid(tube(8, 8)));
    CHECK(keyed[0] == keyed[4] && keyed[23] == keyed[11]);
    stage.check_faults();
}

void says_what_keys_cannot_do() {
    Stage stage;
    stage.add_skinned_body();
    const std::string skin = stage.create("sinewSkinning"), node = stage.create("sinewSkinSlider");
    const std::string shown = stage.source("bodyShape.inMesh");
    stage.refuses("sinewBake -uvKeys " + skin, "slides no UVs");
    stage.refuses("sinewBake " + node, "Give -file the Alembic file to write, or -uvKeys");
    stage.refuses("sinewBake -uvKeys -file /tmp/a.abc " + node, "Give -file the Alembic file to write, or -uvKeys");
    stage.refuses("sinewBake -uvKeys -mostKeys 0 " + node, "-mostKeys is a number from 1");
    stage.refuses("sinewBake -uvKeys -mostKeys 100 " + node, "in 24 frames is over 100 keys");
    stage.refuses("sinewBake -uvKeys -mostKeys 100 " + node, "Bake to Alembic");
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), shown);
    stage.scene.press_escape_after(30);
    stage.refuses("sinewBake -uvKeys " + node, "Stopped by Esc");
    stage.check_faults();
}

void switches_between_both() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.refuses("sinewSwitch bodyShape", "has no node of Sinew with a baked result");
    const std::vector<Uvs> live = stage.play();
    const std::string keys = stage.run("sinewBake -uvKeys " + node).at(0);
    const auto shows = [&](const std::string& name, const std::string& plug) {
        CHECK_EQUAL(stage.run("sinewSwitch -query body").at(0), name);
        CHECK_EQUAL(stage.source("bodyShape.inMesh"), name + plug);
        CHECK_EQUAL(stage.scene.number(node + ".frozen"), name == node ? 0.0 : 1.0);
        CHECK_EQUAL(stage.scene.number(keys + ".frozen"), name == node ? 1.0 : 0.0);
    };
    shows(keys, ".output");
    CHECK_EQUAL(stage.run("sinewSwitch body").at(0), node);
    shows(node, ".out_mesh");
    // An edit counts from here on, and not for the keys.
    stage.scene.set(node + ".young", 12345);
    stage.run("sinewSwitch -toNode " + keys + " " + node);
    shows(keys, ".output");
    check_keyed(stage.play(), live, unslid(tube(8, 8)));
    CHECK(stage.scene.undo());
    shows(node, ".out_mesh");
    CHECK(stage.scene.redo());
    shows(keys, ".output");
    stage.refuses("sinewSwitch -toNode nothing body", "Give -to one of: " + node + ", " + keys);

    // Two that stand for it: the user says which.
    stage.run("sinewSwitch body");
    const std::string other = stage.run("sinewBake -uvKeys -startFrame 3 -endFrame 9 " + node).at(0);
    stage.refuses("sinewSwitch body", "Give -to one of");
    stage.run("sinewSwitch -toNode " + keys + " body");
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), keys + ".output");
    stage.check_faults();
}

void alembic_has_every_frame() {
    const fs::path folder = fs::temp_directory_path() / "sinew bake";
    fs::create_directories(folder);
    Stage stage;
    AbcFile written;
    answer_abc_export(stage, written);
    stage.add_skinned_body();
    const std::string skin = stage.create("sinewSkinning"), node = stage.create("sinewSkinSlider");
    const std::string file = (folder / "a.abc").generic_string();
    // Nothing was played: what is missing is solved first, exactly. Two nodes of one body are one root.
    stage.scene.set(node + ".quality", 2);
    const std::vector<std::string> made = stage.run("sinewBake -file \"" + file + "\" " + node + " " + skin);
    CHECK(made == std::vector<std::string>{file});
    CHECK(fs::exists(file));
    CHECK_EQUAL(written.file, file);
    CHECK(written.roots == std::vector<std::string>{"|body"});
    CHECK(written.uvs && written.all_uv_sets && written.world_space && written.format == "ogawa");
    CHECK(written.ignored.empty());
    CHECK_EQUAL(written.frames.size(), std::size_t{24});
    CHECK(written.frames.front() == first_frame && written.frames.back() == last_frame);
    CHECK_EQUAL(stage.scene.number(node + ".quality"), 2.0);
    CHECK(differing(written.uvs_of["|body"], stage.play()) > 20);
    stage.scene.set(node + ".quality", 0);
    const std::vector<Uvs> live = stage.play();
    CHECK_EQUAL(differing(written.uvs_of["|body"], live), std::size_t{0});
    CHECK(live.back() != unslid(tube(8, 8)));
    stage.run("sinewBake -startFrame 2.5 -endFrame 6.5 -file \"" + file + "\" " + node);
    CHECK((written.frames == std::vector<double>{2.5, 3.5, 4.5, 5.5, 6.5}));
    stage.check_faults();
    fs::remove_all(folder);
}

void says_why_alembic_failed() {
    Stage stage;
    AbcFile written;
    answer_abc_export(stage, written);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.refuses("sinewBake -file /nowhere/at/all/a.abc " + node, "There is no folder /nowhere/at/all");
    stage.refuses("sinewBake -file \"/tmp\" " + node, "AbcExport failed: see above", 2);
    stage.scene.fail_command("loadPlugin");
    stage.refuses("sinewBake -file /tmp/a.abc " + node, "AbcExport could not be loaded");
    stage.check_faults();
}

} // namespace

int main() {
    keys_play_without_the_node();
    keys_are_in_the_range();
    says_what_keys_cannot_do();
    switches_between_both();
    alembic_has_every_frame();
    says_why_alembic_failed();
    return finish();
}
