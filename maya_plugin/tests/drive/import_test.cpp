// Results of jobs come back by Maya's own importer, of which a recorder stands here: it makes a mesh below the given
// transform and a node that reads the file, and nothing that it does can be undone.
#include "stage.h"

#include <maya/MFloatArray.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MPoint.h>

#include <algorithm>
#include <cmath>
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

/// The shape that AbcImport makes, below the transform that it is given.
void make_shape(Stage& stage, const std::string& line) {
    const std::size_t begin = line.find("-reparent \"") + 11;
    const std::string group = line.substr(begin, line.find('"', begin) - begin);
    stage.scene.create("transform", "root", group);
    stage.scene.create("mesh", "importedShape", "root");
}

/// Lets AbcImport make the mesh of a shape.
void import_as(Stage& stage, const std::string& shape) {
    stage.scene.on_command("AbcImport", [&stage, shape](const std::string& line) {
        make_shape(stage, line);
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

/// The mesh of a shape with other UVs.
MObject with_uvs(Stage& stage, const std::string& shape, float shift) {
    const MObject data = MFnMeshData().create();
    MFnMesh().copy(stage.scene.plug(shape + ".outMesh").asMObject(), data);
    MFnMesh mesh(data);
    MFloatArray u, v;
    const MString set = "map1";
    CHECK(mesh.getUVs(u, v, &set) == MS::kSuccess);
    for (float& each : u) each += shift;
    CHECK(mesh.setUVs(u, v, &set) == MS::kSuccess);
    return data;
}

/// The body shows the farm's UVs on the points that it has, and its node's again.
void uvs_take_the_place_of_the_node() {
    const fs::path job = folder("sinew_import_onto");
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    touch(job / "results" / (node + ".abc"));
    const MObject computed = with_uvs(stage, "bodyShape", 0.125F);
    stage.scene.on_command("AbcImport", [&](const std::string& line) {
        make_shape(stage, line);
        stage.scene.set("importedShape.inMesh", computed);
        stage.scene.create("meshSequence", "results_AlembicNode");
        return std::string("results_AlembicNode");
    });
    const std::vector<Uvs> live = stage.play();
    stage.scene.set_time(12);
    const std::vector<float> points = stage.scene.points("bodyShape");
    CHECK(stage.uvs() == live[11]);
    const std::size_t before = stage.scene.nodes().size();
    const auto made = stage.run("sinewImportResults -onto -folder " + job.generic_string() + " body");
    CHECK_EQUAL(made.size(), std::size_t{3});
    CHECK_EQUAL(made[2], node + "_results1");
    const auto shows_results = [&] {
        CHECK_EQUAL(stage.source("bodyShape.inMesh"), made[2] + ".output");
        CHECK(stage.uvs() == stage.scene.corner_uvs("importedShape"));
        CHECK(stage.uvs() != live[11]);
        CHECK(stage.scene.points("bodyShape") == points);
        CHECK_EQUAL(stage.scene.number(made[0] + ".visibility"), 0.0);
        CHECK_EQUAL(stage.scene.number(node + ".frozen"), 1.0);
    };
    shows_results();
    CHECK_EQUAL(stage.run("sinewSwitch body").at(0), node);
    // What was computed still holds.
    CHECK_EQUAL(stage.run("sinewSolve " + node).at(0), std::string("0"));
    CHECK(stage.uvs() == live[11]);
    CHECK(stage.scene.undo());
    shows_results();
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.nodes().size(), before);
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), node + ".out_mesh");
    CHECK_EQUAL(stage.scene.number(node + ".frozen"), 0.0);
    CHECK(stage.scene.redo());
    shows_results();
    stage.check_faults();
    fs::remove_all(job);
}

/// Results in the world come back to the space of a mesh that was moved; beside the body they stay in the world.
void points_take_the_place_of_the_node(bool z_up) {
    const fs::path job = folder("sinew_import_points");
    Stage stage;
    stage.scene.set_z_up(z_up);
    stage.add_joints_and_mesh();
    for (const std::string transform : {"body", "rig"}) {
        stage.scene.set(transform + ".translateX", 300);
        stage.scene.set(transform + ".rotateY", 0.9);
    }
    stage.bind();
    const std::string node = stage.create("sinewSkinning");
    touch(job / "results" / (node + ".abc"));
    const standin::MeshPlan mesh = tube(8, 8);
    std::vector<std::vector<float>> frames;
    for (double frame = first_frame; frame <= last_frame; ++frame) frames.push_back(bent(mesh, frame));
    stage.scene.on_command("AbcImport", [&](const std::string& line) {
        make_shape(stage, line);
        const std::string reader = stage.scene.mesh_sequence("results_AlembicNode", mesh, frames, first_frame);
        stage.scene.connect(reader + ".outMesh", "importedShape.inMesh");
        return reader;
    });
    const std::string from = " -folder " + job.generic_string() + " body";
    stage.run("sinewImportResults" + from);
    CHECK(executed(stage, "createNode \"transform\" -skipSelect -name \"" + node + "_results\""));
    CHECK_EQUAL(std::lround(stage.scene.number(node + "_results.rotateX") * 1000), z_up ? 1571L : 0L);
    CHECK(stage.scene.undo());
    const std::string made = stage.run("sinewImportResults -onto" + from).at(2);
    const MMatrix back = stage.scene.matrix("body.worldInverseMatrix[0]");
    for (const double frame : {3.0, 20.0, 9.0}) {
        stage.scene.set_time(frame);
        const std::vector<float> shown = stage.scene.points("bodyShape");
        const std::vector<float>& world = frames[static_cast<std::size_t>(frame - first_frame)];
        std::size_t wrong = 0;
        for (std::size_t i = 0; i + 2 < world.size(); i += 3) {
            // Alembic has y up.
            const double x = double{world[i]}, y = double{world[i + 1]}, z = double{world[i + 2]};
            const MPoint place = MPoint(x, z_up ? -z : y, z_up ? y : z) * back;
            for (unsigned k = 0; k < 3; ++k) wrong += static_cast<float>(place[k]) != shown.at(i + k);
        }
        CHECK_EQUAL(wrong, std::size_t{0});
        // Its UVs are its own.
        CHECK(stage.uvs() == unslid(mesh));
    }
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), made + ".output");
    CHECK_EQUAL(stage.run("sinewSwitch -query " + node).at(0), made);
    stage.check_faults();
    fs::remove_all(job);
}

/// One sentence, without a warning beside it.
void refuses(Stage& stage, const fs::path& path, const std::string& words) {
    stage.refuses("sinewImportResults -folder " + path.generic_string() + " bodyShape", words);
    CHECK_EQUAL(stage.scene.said().size(), std::size_t{1});
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

void says_what_cannot_go_onto() {
    const fs::path job = folder("sinew_import_not_onto");
    touch(job / "results" / "else.abc");
    Stage stage;
    stage.add_skinned_body();
    import_as(stage, "bodyShape");
    const auto refuses_onto = [&](const std::string& words) {
        const std::vector<std::string> before = stage.scene.nodes();
        stage.scene.forget();
        CHECK(stage.scene.command("sinewImportResults -onto -folder " + job.generic_string() + " body") !=
              MS::kSuccess);
        const std::vector<standin::Said> said = stage.scene.said();
        std::string text;
        for (const standin::Said& one : said) text += one.level == 0 ? one.text : "";
        if (text.find(words) == std::string::npos) fail(__FILE__, __LINE__, text);
        CHECK(stage.scene.nodes() == before);
    };
    refuses_onto("has no node of Sinew whose place the results could take");
    const std::string skin = stage.create("sinewSkinning"), slider = stage.create("sinewSkinSlider");
    refuses_onto("is named after none of " + slider + ", " + skin);
    fs::rename(job / "results" / "else.abc", job / "results" / (slider + ".abc"));
    // The same vertices, and other faces.
    standin::MeshPlan other = tube(8, 8);
    std::swap(other.face_vertices[0], other.face_vertices[1]);
    stage.scene.create_mesh("other", other);
    import_as(stage, "otherShape");
    refuses_onto("The results have other faces than the body");
    stage.check_faults();
    fs::remove_all(job);
}

} // namespace

int main() {
    for (const bool by_file : {false, true}) comes_back(by_file);
    says_what_is_wrong();
    uvs_take_the_place_of_the_node();
    for (const bool z_up : {false, true}) points_take_the_place_of_the_node(z_up);
    says_what_cannot_go_onto();
    return finish();
}
