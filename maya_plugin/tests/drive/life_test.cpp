// What happens to nodes in a scene: deleted, renamed, copied, saved, read, referenced; undone and redone.
#include "stage.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

using namespace sinew::tests;

namespace {

std::string temporary(const char* name) { return (std::filesystem::temp_directory_path() / name).string(); }

void created_undone_redone() {
    Stage stage;
    stage.add_skinned_body();
    const std::size_t nodes = stage.scene.nodes().size();
    stage.scene.set_time(5);
    const std::vector<float> skinned = stage.scene.points("bodyShape");
    const std::string node = stage.run("sinewCreate -type sinewSkinSlider bodyShape").at(0);
    CHECK_EQUAL(stage.scene.nodes().size(), nodes + 1);
    CHECK(stage.scene.points("bodyShape") == skinned);
    const std::vector<Uvs> before = stage.play();
    CHECK(before.back() != unslid(tube(8, 8)));
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.nodes().size(), nodes);
    stage.scene.set_time(6);
    CHECK(stage.uvs() == unslid(tube(8, 8)));
    CHECK(stage.scene.redo());
    CHECK(stage.scene.exists(node));
    CHECK(stage.play() == before);
    CHECK(stage.scene.undo());
    CHECK(stage.scene.redo());
    CHECK(stage.play() == before);
    stage.check_faults();
}

void refused_with_one_sentence() {
    Stage stage;
    stage.add_skinned_body();
    std::size_t nodes = 0, undos = 0;
    // Nothing deforms it, so that the node has no place there: the command stops after it has made one.
    stage.scene.create_mesh("plain", tube(2, 4));
    nodes = stage.scene.nodes().size(), undos = stage.scene.undo_length();
    for (const char* line :
         {"sinewCreate -type sinewNothing bodyShape", "sinewCreate -type sinewSkinSlider foot",
          "sinewCreate -type sinewSkinSlider plainShape", "sinewCreate -type sinewSkinning plainShape",
          "sinewSolve foot", "sinewExportJob foot", "sinewMirrorMap -map hold foot"}) {
        stage.scene.forget();
        CHECK(stage.scene.command(line) != MS::kSuccess);
        const std::vector<standin::Said> said = stage.scene.said();
        CHECK_EQUAL(std::count_if(said.begin(), said.end(), [](const auto& one) { return one.level == 0; }), 1);
    }
    CHECK_EQUAL(stage.scene.nodes().size(), nodes);
    CHECK_EQUAL(stage.scene.undo_length(), undos);
}

void deleted_and_renamed() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    const std::string renamed = stage.scene.rename(node, "sliding");
    CHECK(stage.play() == before);
    stage.scene.set(renamed + ".uv_set", "nothing");
    stage.scene.forget();
    stage.scene.set_time(3);
    stage.scene.idle();
    const std::vector<standin::Said> said = stage.scene.said();
    CHECK(std::any_of(said.begin(), said.end(), [](const auto& one) { return one.text.find("sliding") == 0; }));
    stage.scene.remove(renamed);
    stage.scene.set_time(4);
    stage.scene.idle();
    stage.check_faults();
}

/// A copy has values of its own and frames of its own.
void duplicated() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set(node + ".young", 12345);
    const std::vector<Uvs> before = stage.play();
    const std::string copy = stage.scene.duplicate(node, true);
    CHECK_EQUAL(stage.scene.number(copy + ".young"), 12345.0);
    CHECK_EQUAL(stage.scene.text(copy + ".kept_frames"), std::string());
    stage.scene.set(copy + ".young", 54321);
    stage.scene.set_time(1);
    stage.scene.points(copy + ".out_mesh");
    CHECK(stage.play() == before);
    stage.scene.remove(copy);
    CHECK(stage.play() == before);
    stage.check_faults();
}

void saved_and_read() {
    const std::string path = temporary("sinew_drive_saved.ma");
    std::vector<Uvs> before;
    {
        Stage stage;
        stage.add_skinned_body();
        const std::string node = stage.create("sinewSkinSlider");
        stage.scene.set(node + ".young", 12345);
        stage.scene.set(node + ".painted_maps[0].hold[30]", 1);
        before = stage.play();
        stage.scene.save(path);
        stage.scene.forget();
        stage.scene.open(path);
        // The connection to the time is one of the file's.
        for (const standin::Said& said : stage.scene.said()) CHECK_EQUAL(said.text, std::string());
        CHECK_EQUAL(stage.scene.number(node + ".young"), 12345.0);
        CHECK(stage.play() == before);
        stage.check_faults();
    }
    Stage stage;
    stage.scene.open(path);
    CHECK(stage.play() == before);
    stage.scene.clear();
    stage.scene.reference(path, "hero");
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        CHECK(stage.scene.corner_uvs("hero:bodyShape") == before[static_cast<std::size_t>(frame - first_frame)]);
    }
    stage.check_faults();
    std::filesystem::remove(path);
}

void maps_are_mirrored() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    // Vertex 8 + 1 is at x > 0; its partner is 8 + 3.
    stage.scene.set(node + ".painted_maps[0].hold[9]", 0.75);
    const std::vector<std::string> results = stage.run("sinewMirrorMap -map hold " + node);
    CHECK_EQUAL(results.at(0), std::string("1"));
    CHECK_EQUAL(stage.scene.number(node + ".painted_maps[0].hold[11]"), 0.75);
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.number(node + ".painted_maps[0].hold[11]"), 0.0);
    CHECK(stage.scene.redo());
    CHECK_EQUAL(stage.scene.number(node + ".painted_maps[0].hold[11]"), 0.75);
    stage.check_faults();
}

/// A node made by hand follows the time, as one made by the command does.
void time_is_connected() {
    Stage stage;
    stage.scene.create("sinewSkinSlider", "slider");
    stage.scene.set_time(7);
    CHECK(!stage.scene.plug("slider.current_time").source().isNull());
    CHECK(stage.scene.number("slider.current_time") > 0);
    stage.check_faults();
}

void solving_stops_with_escape() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set_time(9);
    stage.scene.press_escape_after(6);
    CHECK(stage.scene.command("sinewSolve " + node) != MS::kSuccess);
    CHECK_EQUAL(stage.scene.time(), 9.0);
    stage.scene.set_time(3);
    CHECK(stage.scene.text(node + ".status").empty());
    stage.scene.press_escape_after(100000);
    stage.run("sinewSolve " + node);
    CHECK_EQUAL(stage.scene.time(), 3.0);
    CHECK(stage.scene.text(node + ".status").empty());
    CHECK(!stage.scene.progress().empty());
}

} // namespace

int main() {
    created_undone_redone();
    refused_with_one_sentence();
    deleted_and_renamed();
    duplicated();
    saved_and_read();
    maps_are_mirrored();
    time_is_connected();
    solving_stops_with_escape();
    return finish();
}
