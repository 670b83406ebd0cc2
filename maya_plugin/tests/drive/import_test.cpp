// Results of jobs come back by Maya's own importer, of which a recorder stands here: it makes a mesh below the given
// transform and a node that reads the file, and nothing that it does can be undone.
#include "stage.h"

#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace sinew::tests;

namespace {

namespace fs = std::filesystem;

/// A folder of a test's own, empty.
fs::path folder(const char* name) {
    const fs::path path = fs::temp_directory_path() / name;
    fs::remove_all(path);
    fs::create_directories(path / "results");
    return path;
}

void touch(const fs::path& path) { std::ofstream(path) << "x"; }

/// Lets AbcImport make the mesh of a shape.
void import_as(Stage& stage, const std::string& shape) {
    stage.scene.on_command("AbcImport", [&stage, shape](const std::string& line) {
        const std::size_t begin = line.find("-reparent \"") + 11;
        const std::string group = line.substr(begin, line.find('"', begin) - begin);
        stage.scene.create("transform", "root", group);
        stage.scene.create("mesh", "importedShape", "root");
        const MObject data = MFnMeshData().create();
        MFnMesh().copy(stage.scene.plug(shape + ".outMesh").asMObject(), data);
        stage.scene.set("importedShape.inMesh", data);
        stage.scene.create("meshSequence", "results_AlembicNode");
        return std::string("results_AlembicNode");
    });
}

bool executed(Stage& stage, const std::string& line) {
    const std::vector<std::string> all = stage.scene.executed();
    return std::find(all.begin(), all.end(), line) != all.end();
}

/// Both the folder of the job and the file bring the results; undo and redo take and bring them.
void comes_back(bool by_file) {
    const fs::path job = folder("sinew_import_job");
    const fs::path file = job / "results" / "slider.abc";
    touch(file);
    Stage stage;
    stage.add_skinned_body();
    import_as(stage, "bodyShape");
    const std::size_t before = stage.scene.nodes().size();
    const auto made = stage.run("sinewImportResults -folder " + (by_file ? file : job).generic_string() + " bodyShape");
    CHECK_EQUAL(made.size(), std::size_t{2});
    CHECK(executed(stage, "loadPlugin -quiet \"AbcImport\""));
    CHECK(executed(stage, "createNode \"transform\" -skipSelect -name \"slider_results\" -parent \"|body\""));
    const std::string import = "AbcImport -mode \"import\" -reparent \"" + made[0] + "\" \"";
    CHECK(executed(stage, import + file.generic_string() + "\""));
    CHECK(stage.scene.exists("slider_results") && stage.scene.exists("importedShape"));
    const std::size_t after = stage.scene.nodes().size();
    for (int i = 0; i < 2; ++i) {
        CHECK(stage.scene.undo());
        CHECK_EQUAL(stage.scene.nodes().size(), before);
        CHECK(stage.scene.redo());
        CHECK_EQUAL(stage.scene.nodes().size(), after);
    }
    stage.check_faults();
    fs::remove_all(job);
}

/// One sentence, and the scene as it was.
void refuses(Stage& stage, const fs::path& path, const std::string& words) {
    const std::size_t before = stage.scene.nodes().size(), undos = stage.scene.undo_length();
    stage.scene.forget();
    CHECK(stage.scene.command("sinewImportResults -folder " + path.generic_string() + " bodyShape") != MS::kSuccess);
    const std::vector<standin::Said> said = stage.scene.said();
    CHECK_EQUAL(said.size(), std::size_t{1});
    if (said.size() == 1 && said[0].text.find(words) == std::string::npos) fail(__FILE__, __LINE__, said[0].text);
    CHECK_EQUAL(stage.scene.nodes().size(), before);
    CHECK_EQUAL(stage.scene.undo_length(), undos);
}

void says_what_is_wrong() {
    const fs::path job = folder("sinew_import_wrong");
    Stage stage;
    stage.add_skinned_body();
    stage.scene.create_mesh("other", tube(3, 5));
    import_as(stage, "otherShape");
    refuses(stage, job / "nowhere", "There is no file or folder");
    refuses(stage, job, "has no results: compute the job");
    touch(job / "results" / "points.pc2");
    refuses(stage, job, "which no command of Maya reads");
    refuses(stage, job / "results" / "points.pc2", "is no Alembic file");
    touch(job / "results" / "a.abc");
    refuses(stage, job, "has a mesh of 20 vertices, and the selected one has 72");
    touch(job / "results" / "b.abc");
    refuses(stage, job, "has several Alembic files");
    stage.scene.on_command("AbcImport", [](const std::string&) { return std::string(); });
    refuses(stage, job / "results" / "a.abc", "has no mesh");
    stage.scene.fail_command("AbcImport");
    refuses(stage, job / "results" / "a.abc", "AbcImport failed");
    stage.scene.fail_command("loadPlugin");
    refuses(stage, job / "results" / "a.abc", "AbcImport could not be loaded");
    stage.check_faults();
    fs::remove_all(job);
}

} // namespace

int main() {
    for (const bool by_file : {false, true}) comes_back(by_file);
    says_what_is_wrong();
    return finish();
}
