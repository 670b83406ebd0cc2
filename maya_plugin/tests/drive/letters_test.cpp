// Names, paths and sentences keep letters that the encoding of the host's locale lacks.
#include "stage.h"

#include <algorithm>
#include <fstream>

using namespace sinew::tests;

namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// A skinned body with the muscle skin "Müller", on the joints "Fuß" and "ひざ".
void add_body(Stage& stage) {
    stage.add_skinned_body();
    stage.scene.rename("foot", "Fuß");
    stage.scene.rename("knee", "ひざ");
    stage.scene.rename("bodyShape", "体Shape");
    const std::string node = stage.run("sinewCreate -type sinewMuscleSkin 体Shape").at(0);
    CHECK_EQUAL(stage.scene.rename(node, "Müller"), std::string("Müller"));
    stage.run("sinewMuscles -node Müller -addMuscle -name ひと -size 2 Fuß ひざ");
}

void names_come_through() {
    Stage stage;
    add_body(stage);
    CHECK_EQUAL(stage.run("sinewMuscles -q -node Müller").at(0), std::string("ひと"));
    CHECK_EQUAL(stage.scene.text("Müller.joint_names"), std::string("Fuß,ひざ"));
    stage.refuses("sinewCreate -type sinewMuscleSkin 体Shape", "体Shape");
    // The joints are found again by their names.
    stage.scene.points("体Shape");
    CHECK_EQUAL(stage.scene.text("Müller.status"), std::string());
    CHECK_EQUAL(stage.run("sinewRemove Müller").at(0), std::string("Müller"));
    stage.check_faults();
}

void paths_come_through() {
    const fs::path folder = fs::temp_directory_path() / fs::u8path("sinew_Müller") / fs::u8path("ひと");
    fs::remove_all(folder.parent_path());
    Stage stage;
    add_body(stage);
    const std::string job = stage.run("sinewExportJob -folder " + folder.u8string() + " Müller").at(0);
    CHECK(has(job, folder.u8string()) && fs::exists(fs::u8path(job)));
    const fs::path file = folder / fs::u8path("筋肉.xml");
    std::ofstream(file) << stage.scene.text("Müller.muscles");
    stage.scene.set("Müller.muscles", file.u8string());
    stage.scene.points("体Shape");
    CHECK_EQUAL(stage.scene.text("Müller.status"), std::string());
    // A sentence about a node and a file, in the log and on the node.
    stage.scene.forget();
    stage.scene.set("Müller.muscles", (folder / fs::u8path("ない.xml")).u8string());
    stage.scene.points("体Shape");
    stage.scene.idle();
    CHECK(has(stage.scene.text("Müller.status"), "ない.xml"));
    const std::vector<standin::Said> said = stage.scene.said();
    CHECK(std::any_of(said.begin(), said.end(), [](const standin::Said& one) {
        return has(one.text, "Müller: ") && has(one.text, "ない.xml");
    }));
    stage.check_faults();
    fs::remove_all(folder.parent_path());
}

} // namespace

int main() {
    names_come_through();
    paths_come_through();
    return finish();
}
