// The exported job, computed by the command line, gives what the scene shows. Usage: job_test SINEW, the program.
#include "stage.h"

#include <maya/MDoubleArray.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MMatrix.h>
#include <maya/MPoint.h>
#include <maya/MPointArray.h>
#include <maya/MVectorArray.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinew::tests;

namespace {

std::string program;

/// Lets the job write tables, too, whose numbers have all their bits.
void write_tables(const std::filesystem::path& job, const std::string& write) {
    std::string text = text_of(job);
    const std::string outputs = "<outputs folder=\"results\">\n";
    text.insert(text.find(outputs) + outputs.size(), write);
    std::ofstream(job) << text;
}

/// Computes a job, or whatever else the command line is asked for.
void compute(const std::filesystem::path& folder, const std::string& arguments) {
    const std::filesystem::path log = folder / "log.txt";
    if (std::system((program + " " + arguments + " > " + log.string() + " 2>&1").c_str()) != 0)
        fail(__FILE__, __LINE__, "sinew " + arguments + ": " + text_of(log));
}

/// The numbers of a table without its first row.
std::vector<double> numbers_of(const std::filesystem::path& path) {
    std::istringstream lines(text_of(path));
    std::string line;
    std::vector<double> numbers;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream cells(line);
        std::string cell;
        while (std::getline(cells, cell, ',')) numbers.push_back(std::strtod(cell.c_str(), nullptr));
    }
    return numbers;
}

std::filesystem::path frame_file(const std::filesystem::path& folder, const char* name, double frame) {
    char file[64];
    std::snprintf(file, sizeof file, "%s.%04d.csv", name, static_cast<int>(frame));
    return folder / "results" / file;
}

/// `skip`: columns before the numbers.
Uvs floats_of(const std::vector<double>& rows, std::size_t columns, std::size_t skip) {
    Uvs found;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (i % columns >= skip) found.push_back(static_cast<float>(rows[i]));
    return found;
}

/// `inertia`: whether the skin has any, so that each frame depends on the times of those before. At another rate than a
/// film's the motion, which began at the film's frame 1, begins at the next whole frame. `acts`: whether shapes move the
/// body, too.
void slides_as_in_the_scene(bool inertia, double rate = 24, bool acts = false) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_drive_job";
    std::filesystem::remove_all(folder);
    Stage stage;
    stage.scene.set_z_up(inertia);
    stage.add_joints_and_mesh();
    if (acts) stage.add_shape(wide_tube());
    stage.bind();
    const std::string node = stage.create("sinewSkinSlider");
    if (rate != 24) stage.scene.set_frames_per_second(rate);
    const double start = std::ceil(rate / 24 - 1e-6);
    stage.scene.set(node + ".gravity", 9.81);
    // A parameter that changes is a table.
    stage.scene.key(node + ".young", {{1, 12345}, {24, 54321}});
    stage.scene.set(node + ".mode", inertia ? 1 : 0);
    for (int vertex = 16; vertex < 30; ++vertex)
        stage.scene.set(node + ".painted_maps[0].hold[" + std::to_string(vertex) + "]", 0.5);
    const std::vector<Uvs> live = stage.play();
    // Jobs are exact, whatever is shown.
    stage.scene.set(node + ".quality", 2);
    stage.scene.set_time(13);
    const std::string job = stage.run("sinewExportJob -folder " + folder.string() + " " + node).at(0);
    CHECK_EQUAL(stage.scene.time(), 13.0);
    CHECK_EQUAL(text_of(job).find(inertia ? "up=\"z\"" : "up=\"y\"") != std::string::npos, true);
    CHECK(text_of(job).find("<param id=\"young\" file=\"param_young.csv\"/>") != std::string::npos);
    write_tables(job, "    <write file=\"uvs.%04d.csv\" from=\"" + node + ".uvs\"/>\n");
    compute(folder, "run " + job);
    std::size_t wrong = 0;
    for (double frame = start; frame <= last_frame; ++frame) {
        const std::vector<double> rows = numbers_of(frame_file(folder, "uvs", frame));
        const Uvs& shown = live[static_cast<std::size_t>(frame - first_frame)];
        const std::size_t corners = shown.size() / 2;
        if (rows.size() % corners != 0) {
            fail(__FILE__, __LINE__,
                 "frame " + std::to_string(frame) + " has " + std::to_string(rows.size()) + " numbers");
            continue;
        }
        const std::size_t columns = rows.size() / corners;
        wrong += floats_of(rows, columns, columns - 2) != shown;
    }
    CHECK_EQUAL(wrong, std::size_t{0});
    stage.check_faults();
    std::filesystem::remove_all(folder);
}

/// The points of a table or of an OBJ file in the space of the mesh.
std::size_t differing_points(const std::vector<double>& places, const std::vector<float>& shown, const MMatrix& back) {
    const std::size_t vertices = shown.size() / 3, columns = vertices == 0 ? 0 : places.size() / vertices;
    if (columns < 3 || places.size() != columns * vertices) return vertices + 1;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < vertices; ++i) {
        const double* at = &places[columns * (i + 1) - 3];
        const MPoint place = MPoint(at[0], at[1], at[2]) * back;
        for (unsigned k = 0; k < 3; ++k) wrong += static_cast<float>(place[k]) != shown[3 * i + k];
    }
    return wrong;
}

/// What follows a word at the beginning of lines of an OBJ file.
std::vector<double> numbers_after(const std::filesystem::path& obj, const std::string& word) {
    std::istringstream lines(text_of(obj));
    std::vector<double> numbers;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (first != word) continue;
        for (double number; words >> number;) numbers.push_back(number);
    }
    return numbers;
}

/// Where a scene differs from the plainest one.
struct Setting {
    double rate = 24;
    bool z_up = false;
    /// Whether body and rig are moved, turned and scaled.
    bool moved = false;
};

void set_up(Stage& stage, const Setting& setting) {
    stage.scene.set_frames_per_second(setting.rate);
    stage.scene.set_range(first_frame, last_frame);
    stage.scene.set_z_up(setting.z_up);
    stage.add_joints_and_mesh();
    for (const std::string transform : {"body", "rig"}) {
        if (!setting.moved) continue;
        stage.scene.set(transform + ".translateX", 300);
        stage.scene.set(transform + ".rotateY", 0.9);
        for (const char* axis : {"X", "Y", "Z"}) stage.scene.set(transform + ".scale" + axis, 2);
    }
    stage.bind();
}

/// A job of a node that skins the body has everything in the world: brought back to the mesh, its results are what the
/// shape shows. Its Alembic file, which hosts read, has the same places as floats, and the faces and UVs of the body.
void deforms_as_in_the_scene(const char* type, const Setting& setting) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_drive_skin_job";
    std::filesystem::remove_all(folder);
    Stage stage;
    set_up(stage, setting);
    const MMatrix back = stage.scene.matrix("body.worldInverseMatrix[0]");
    const std::string node = stage.create(type);
    const bool muscles = node.find("Muscle") != std::string::npos;
    if (muscles) {
        stage.run("sinewMuscles -node " + node + " -addMuscle -name brace -size 1.5 foot knee");
        stage.scene.set(node + ".jiggle", 1);
        // One value in each frame, of a parameter and of a muscle's own number.
        stage.scene.key(node + ".bulge", {{1, 0.5}, {24, 2}});
        stage.scene.key(node + ".muscle_sizes[0]", {{1, 1}, {24, 1.5}});
    }
    std::vector<std::vector<float>> live;
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        live.push_back(stage.scene.points("bodyShape"));
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    }
    CHECK(live[20] != live[2]);
    const std::string job = stage.run("sinewExportJob -folder " + folder.string() + " " + node).at(0);
    CHECK_EQUAL(text_of(job).find("<param id=\"bulge\" file=\"param_bulge.csv\"/>") != std::string::npos, muscles);
    write_tables(job, "    <write file=\"points.%04d.csv\" from=\"" + node + ".points\"/>\n");
    compute(folder, "run " + job);
    compute(folder, "convert " + (folder / "results" / (node + ".abc")).string() + " " +
                        (folder / "results" / "abc.%04d.obj").string());
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        const std::vector<float>& shown = live[static_cast<std::size_t>(frame - first_frame)];
        const std::vector<double> rows = numbers_of(frame_file(folder, "points", frame));
        CHECK_EQUAL(differing_points(rows, shown, back), std::size_t{0});
        char name[32];
        std::snprintf(name, sizeof name, "abc.%04d.obj", static_cast<int>(frame));
        const std::filesystem::path obj = folder / "results" / name;
        const std::vector<double> places = numbers_after(obj, "v");
        const std::size_t columns = rows.size() / (shown.size() / 3);
        std::size_t wrong = places.size() == shown.size() ? 0 : 1;
        for (std::size_t i = 0; i + 2 < places.size() && wrong == 0; i += 3) {
            const double* place = &rows[columns * (i / 3 + 1) - 3];
            // Alembic has y up: x, z and -y of a scene with z up.
            const double y_up[] = {place[0], setting.z_up ? place[2] : place[1], setting.z_up ? -place[1] : place[2]};
            for (std::size_t k = 0; k < 3; ++k)
                wrong += static_cast<float>(places[i + k]) != static_cast<float>(y_up[k]);
        }
        CHECK_EQUAL(wrong, std::size_t{0});
        CHECK_EQUAL(numbers_after(obj, "vt").size() > 2 * 80, true);
    }
    stage.check_faults();
    std::filesystem::remove_all(folder);
}

/// A finger of joints with a tendon that a muscle reels in.
std::string add_finger(Stage& stage) {
    std::string above, bodies = "sinewTendon -addBodies roots -motion turn_z \"-95 10\"";
    for (const auto& [name, along] : {std::pair("hand", -6.0), std::pair("near", 6.0), std::pair("far", 4.5)}) {
        stage.scene.create("joint", name, above);
        stage.scene.set(std::string(name) + ".translateX", along);
        // Axes of its own, and another order of turns.
        stage.scene.set(std::string(name) + ".jointOrientY", 0.1);
        stage.scene.set(std::string(name) + ".rotateOrder", above.empty() ? 0 : 3);
        above = name;
        bodies += std::string(" ") + name;
    }
    stage.scene.create("transform", "flexor");
    MObject parent = stage.scene.node("flexor");
    MPointArray points;
    MDoubleArray knots;
    for (const double x : {-5.0, -0.8, 0.8, 3.8, 5.2}) {
        knots.append(points.length());
        points.append(MPoint(x, -0.6, 0));
    }
    MFnNurbsCurve().create(points, knots, 1, MFnNurbsCurve::kOpen, false, false, parent);
    const std::string node = stage.run(bodies).at(0);
    stage.run("sinewTendon -node " + node + " -draw -radius 0.1 flexor");
    stage.run("sinewTendon -node " + node + " -reel flexor first -strength 20");
    stage.scene.key("hand.rotateZ", {{1, 0}, {24, 0.7}});
    stage.scene.key(node + ".activations[0]", {{1, 0}, {12, 0.4}, {24, 0.1}});
    return node;
}

/// The joints that the tendon moves get keys, with which they are where the bones are; the others keep theirs.
void joints_take_the_results(Stage& stage, const std::string& node, const std::filesystem::path& folder,
                             const std::vector<std::vector<MMatrix>>& live) {
    stage.scene.on_command("AbcImport", [](const std::string&) { return std::string(); });
    const std::string import = "sinewImportResults -onto -folder " + folder.string() + " " + node;
    const auto fails = [&](const std::string& words) {
        const std::vector<std::string> before = stage.scene.nodes();
        stage.scene.forget();
        CHECK(stage.scene.command(import) != MS::kSuccess);
        std::string text;
        for (const standin::Said& said : stage.scene.said()) text += said.level == 0 ? said.text : "";
        if (text.find(words) == std::string::npos) fail(__FILE__, __LINE__, text);
        CHECK(stage.scene.nodes() == before);
    };
    stage.scene.set_time(9);
    fails("near is not where its bone was drawn");
    stage.scene.set_time(1);
    stage.scene.set("near.scaleY", 2);
    fails("far cannot take the results: it, or a joint above it, is scaled");
    stage.scene.set("near.scaleY", 1);
    stage.scene.connect("hand.rotateX", "far.rotateX");
    fails("far.rotateX is animated, connected or locked");
    stage.scene.disconnect("hand.rotateX", "far.rotateX");
    const std::size_t before = stage.scene.nodes().size();
    const std::vector<std::string> made = stage.run(import);
    CHECK_EQUAL(made.size(), std::size_t{3});
    CHECK(made.size() == 3 && made[1] == "near" && made[2] == "far");
    const auto apart = [&] {
        double most = 0;
        for (std::size_t frame = 0; frame < live.size(); ++frame) {
            stage.scene.set_time(first_frame + static_cast<double>(frame));
            const char* const joints[] = {"hand", "near", "far"};
            for (std::size_t k = 0; k < 3; ++k) {
                const MMatrix found = stage.scene.matrix(std::string(joints[k]) + ".worldMatrix[0]");
                for (unsigned i = 0; i < 16; ++i)
                    most = std::max(most, std::abs(found(i / 4, i % 4) - live[frame][k](i / 4, i % 4)));
            }
        }
        return most;
    };
    CHECK(apart() < 1e-9);
    stage.scene.set_time(1);
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.nodes().size(), before);
    CHECK(apart() > 0.01);
    stage.scene.set_time(1);
    CHECK(stage.scene.redo());
    CHECK(apart() < 1e-9);
}

/// Matrices of all bones, the points of tendons, and curves that hosts read.
void strands_move_as_in_the_scene(const Setting& setting) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_drive_strand_job";
    std::filesystem::remove_all(folder);
    Stage stage;
    stage.scene.set_frames_per_second(setting.rate);
    stage.scene.set_range(first_frame, last_frame);
    stage.scene.set_z_up(setting.z_up);
    const std::string node = add_finger(stage);
    std::vector<std::vector<double>> live_points;
    std::vector<std::vector<MMatrix>> live_bones;
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        const MObject data = stage.scene.plug(node + ".out_strand_points").asMObject();
        const MVectorArray points = MFnVectorArrayData(data).array();
        std::vector<double>& numbers = live_points.emplace_back();
        for (const MVector& point : points) numbers.insert(numbers.end(), {point.x, point.y, point.z});
        std::vector<MMatrix>& bones = live_bones.emplace_back();
        for (int bone = 0; bone < 3; ++bone)
            bones.push_back(stage.scene.matrix(node + ".out_body_matrices[" + std::to_string(bone) + "]"));
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    }
    CHECK(live_points[20] != live_points[0]);
    const std::string job = stage.run("sinewExportJob -folder " + folder.string() + " " + node).at(0);
    compute(folder, "run " + job);
    CHECK(std::filesystem::exists(folder / "results" / (node + ".abc")));
    const std::vector<double> bones = numbers_of(folder / "results" / "out_body_matrices.csv");
    // The frame, the bone, and twelve numbers of the matrix for column vectors.
    constexpr std::size_t width = 14;
    CHECK_EQUAL(bones.size(), width * 3 * 24);
    std::size_t wrong_points = 0, wrong_bones = 0;
    for (std::size_t frame = 0; frame < live_points.size(); ++frame) {
        const double number = first_frame + static_cast<double>(frame);
        const std::vector<double> rows = numbers_of(frame_file(folder, "out_strand_points", number));
        const std::size_t count = live_points[frame].size() / 3, columns = rows.size() / count;
        CHECK_EQUAL(rows.size(), columns * count);
        for (std::size_t i = 0; i < live_points[frame].size() && columns >= 3; ++i)
            wrong_points += rows[columns * (i / 3 + 1) - 3 + i % 3] != live_points[frame][i];
        for (std::size_t bone = 0; bone < 3; ++bone)
            for (unsigned k = 0; k < 12; ++k)
                wrong_bones += bones.at(width * (3 * frame + bone) + 2 + k) != live_bones[frame][bone](k % 4, k / 4);
    }
    CHECK_EQUAL(wrong_points, std::size_t{0});
    CHECK_EQUAL(wrong_bones, std::size_t{0});
    joints_take_the_results(stage, node, folder, live_bones);
    stage.check_faults();
    std::filesystem::remove_all(folder);
}

void says_what_a_job_cannot_hold() {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_drive_no_job";
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinning");
    stage.scene.disconnect("bodyShapeOrig.worldMesh[0]", node + ".input[0].inputGeometry");
    stage.scene.forget();
    CHECK(stage.scene.command("sinewExportJob -folder " + folder.string() + " " + node) != MS::kSuccess);
    CHECK_EQUAL(stage.scene.said().size(), std::size_t{1});
    std::filesystem::remove_all(folder);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: job_test SINEW\n";
        return 2;
    }
    program = arguments[1];
    for (const bool inertia : {false, true}) slides_as_in_the_scene(inertia);
    slides_as_in_the_scene(false, 24, true);
    for (const double rate : {24000.0 / 1001, 30000.0 / 1001, 60000.0 / 1001}) slides_as_in_the_scene(true, rate);
    const Setting other{23.976, true, true};
    for (const char* type : {"sinewSkinning", "sinewMuscleSkin"})
        for (const Setting& setting : {Setting{}, other}) deforms_as_in_the_scene(type, setting);
    for (const Setting& setting : {Setting{}, Setting{30, true, false}}) strands_move_as_in_the_scene(setting);
    says_what_a_job_cannot_hold();
    return finish();
}
