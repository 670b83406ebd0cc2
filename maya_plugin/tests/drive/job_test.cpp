// The exported job, computed by the command line, gives what the scene shows. Usage: job_test SINEW, the program.
#include "stage.h"

#include <maya/MMatrix.h>
#include <maya/MPoint.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinew::tests;

namespace {

std::string program;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// Lets the job write tables, whose numbers have all their bits, in place of what a studio reads.
void write_tables(const std::filesystem::path& job, const std::string& write) {
    std::string text = text_of(job);
    const std::size_t from = text.find("<outputs folder=\"results\">\n"), to = text.find("  </outputs>");
    const std::size_t begin = text.find('\n', from) + 1;
    text.replace(begin, to - begin, write);
    std::ofstream(job) << text;
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

/// `inertia`: whether the skin has any, so that each frame depends on the times of those before.
void slides_as_in_the_scene(bool inertia) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_drive_job";
    std::filesystem::remove_all(folder);
    Stage stage;
    stage.scene.set_z_up(inertia);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set(node + ".gravity", 9.81);
    stage.scene.set(node + ".young", 12345);
    stage.scene.set(node + ".mode", inertia ? 1 : 0);
    for (int vertex = 16; vertex < 30; ++vertex)
        stage.scene.set(node + ".painted_maps[0].hold[" + std::to_string(vertex) + "]", 0.5);
    const std::vector<Uvs> live = stage.play();
    stage.scene.set_time(13);
    const std::string job = stage.run("sinewExportJob -folder " + folder.string() + " " + node).at(0);
    CHECK_EQUAL(stage.scene.time(), 13.0);
    CHECK_EQUAL(text_of(job).find(inertia ? "up=\"z\"" : "up=\"y\"") != std::string::npos, true);
    write_tables(job, "    <write file=\"uvs.%04d.csv\" from=\"" + node + ".uvs\"/>\n");
    CHECK_EQUAL(std::system((program + " run " + job + " > " + (folder / "log.txt").string() + " 2>&1").c_str()), 0);
    std::size_t wrong = 0;
    for (double frame = first_frame; frame <= last_frame; ++frame) {
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

/// A job of a node that skins the body has everything in the world: brought back to the mesh, its results are what the
/// shape shows.
void skins_as_in_the_scene() {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_drive_skin_job";
    std::filesystem::remove_all(folder);
    Stage stage;
    stage.add_joints_and_mesh();
    for (const std::string transform : {"body", "rig"}) {
        stage.scene.set(transform + ".translateX", 300);
        stage.scene.set(transform + ".rotateY", 0.9);
        for (const char* axis : {"X", "Y", "Z"}) stage.scene.set(transform + ".scale" + axis, 2);
    }
    stage.bind();
    const MMatrix back = stage.scene.matrix("body.worldInverseMatrix[0]");
    const std::string node = stage.create("sinewSkinning");
    const std::string job = stage.run("sinewExportJob -folder " + folder.string() + " " + node).at(0);
    write_tables(job, "    <write file=\"points.%04d.csv\" from=\"" + node + ".points\"/>\n");
    CHECK_EQUAL(std::system((program + " run " + job + " > " + (folder / "log.txt").string() + " 2>&1").c_str()), 0);
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        const std::vector<float> shown = stage.scene.points("bodyShape");
        const std::vector<double> rows = numbers_of(frame_file(folder, "points", frame));
        const std::size_t vertices = shown.size() / 3, columns = rows.size() / vertices;
        CHECK_EQUAL(rows.size(), columns * vertices);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < vertices && columns >= 3; ++i) {
            const double* at = &rows[columns * (i + 1) - 3];
            const MPoint place = MPoint(at[0], at[1], at[2]) * back;
            for (unsigned k = 0; k < 3; ++k) wrong += static_cast<float>(place[k]) != shown[3 * i + k];
        }
        CHECK_EQUAL(wrong, std::size_t{0});
    }
    stage.check_faults();
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
    skins_as_in_the_scene();
    return finish();
}
