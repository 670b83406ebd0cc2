// Skinned characters that nobody here made, bound through joints: they are skinned as by their skin clusters, slide, have
// muscles, in whatever order frames are looked at, and a farm computes the same bits.
//
//     characters_test SINEW FOLDER: the program, and what tests/characters/write.py wrote
#include "character.h"
#include "farm.h"

#include <maya/MMatrix.h>
#include <maya/MPoint.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <random>

using namespace sinew::tests;

namespace {

std::string program;
std::filesystem::path folder;

using Points = std::vector<float>;

double apart(const Points& a, const Points& b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
    return most;
}

bool finite(const std::vector<float>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](float number) { return std::isfinite(number); });
}

/// A character of the folder in a scene of so many frames.
struct Cast : Stage {
    Cast(const std::string& name_, double last_) : name(name_), last(last_), character(read(name_)) {
        scene.set_range(first_frame, last);
        add_character(*this, character, last);
    }

    static const Character& read(const std::string& name) {
        static std::map<std::string, Character> all;
        const auto found = all.find(name);
        if (found != all.end()) return found->second;
        return all.emplace(name, read_character(folder / (name + ".txt"))).first->second;
    }

    std::string create_on(const std::string& type, const Part& part) {
        const std::vector<std::string> made = run("sinewCreate -type " + type + " " + part.name + "Shape");
        if (made.empty()) return {};
        // As jobs are, with which it is compared.
        if (type == "sinewSkinSlider") scene.set(made.front() + ".quality", 0);
        return made.front();
    }

    /// What a function finds in each frame.
    template <class Look> auto played(Look look) {
        std::vector<decltype(look())> frames;
        for (double frame = first_frame; frame <= last; ++frame) {
            scene.set_time(frame);
            frames.push_back(look());
        }
        return frames;
    }

    std::vector<Points> points(const std::string& shape) {
        return played([&] { return scene.points(shape); });
    }

    /// A failure of a frame.
    void wrong(double frame, const std::string& what) {
        fail(__FILE__, __LINE__, name + ", frame " + std::to_string(static_cast<int>(frame)) + ": " + what);
    }

    const std::string name;
    const double last;
    const Character& character;
};

/// What a farm computed in the world, in the space of the mesh.
Points in_mesh(const std::vector<double>& world, const MMatrix& back) {
    Points found;
    for (std::size_t i = 0; i + 2 < world.size(); i += 3) {
        const MPoint place = MPoint(world[i], world[i + 1], world[i + 2]) * back;
        for (unsigned k = 0; k < 3; ++k) found.push_back(static_cast<float>(place[k]));
    }
    return found;
}

void farm_agrees(Cast& cast, const std::string& node, const Part& part, const std::vector<Points>& shown) {
    const MMatrix back = cast.scene.matrix(part.name + ".worldInverseMatrix[0]");
    const auto farm = on_the_farm(cast, node, {program, "points", 3});
    CHECK_EQUAL(farm.size(), shown.size());
    for (std::size_t i = 0; i < std::min(farm.size(), shown.size()); ++i)
        if (in_mesh(farm[i], back) != shown[i]) cast.wrong(first_frame + double(i), "the farm has other points");
}

/// Twice the area of each triangle of the UVs, by the first three corners of each face.
std::vector<double> uv_areas(const standin::MeshPlan& mesh, const Uvs& corners) {
    std::vector<double> areas;
    std::size_t corner = 0;
    for (const int size : mesh.face_sizes) {
        const auto at = [&](std::size_t k, std::size_t axis) { return double{corners[2 * (corner + k) + axis]}; };
        areas.push_back((at(1, 0) - at(0, 0)) * (at(2, 1) - at(0, 1)) - (at(2, 0) - at(0, 0)) * (at(1, 1) - at(0, 1)));
        corner += static_cast<std::size_t>(size);
    }
    return areas;
}

/// How many faces turned over in the UVs; those that have hardly an area there are left out.
std::size_t flipped(const standin::MeshPlan& mesh, const Uvs& before, const Uvs& after) {
    const std::vector<double> from = uv_areas(mesh, before), to = uv_areas(mesh, after);
    std::size_t found = 0;
    for (std::size_t i = 0; i < from.size(); ++i) found += std::abs(from[i]) > 1e-9 && from[i] * to[i] < 0;
    return found;
}

/// Frames as they are played from the first one: finite, without a face that turns over, and at a cost that is sane. Where
/// vertices are split all over the body, at most one face in 500 does.
std::vector<Uvs> play_slider(Cast& cast, const std::string& node) {
    const Part& part = cast.character.parts.front();
    // Of the processor, on all threads, since others may be at work on the machine.
    const std::clock_t start = std::clock();
    std::vector<Uvs> frames = cast.played([&] { return cast.scene.corner_uvs(part.name + "Shape"); });
    const double took = 1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC / cast.last;
    CHECK_EQUAL(cast.scene.text(node + ".status"), std::string());
    std::size_t moved = 0;
    for (std::size_t i = 0; i < frames.back().size(); ++i) moved += frames.front()[i] != frames.back()[i];
    const std::size_t flips = flipped(part.mesh, frames.front(), frames.back()), vertices = part.mesh.points.size() / 3;
    std::cout << cast.name << ": " << vertices << " vertices, " << took << " ms of the processor a frame, "
              << 100 * moved / frames.back().size() << " % of the UVs slide, " << flips << " faces flip\n";
    CHECK(moved > frames.back().size() / 10);
    CHECK(flips <= (cast.name == "dog" ? part.mesh.face_sizes.size() / 500 : 0));
    CHECK(took < double(vertices));
    for (const Uvs& frame : frames) CHECK(finite(frame));
    return frames;
}

/// A body without UVs has no texture that could slide: the command says so, and the body passes through.
void slides_without_uvs(Cast& cast, const Part& part, const std::vector<Points>& shown) {
    cast.create_on("sinewSkinSlider", part);
    const std::vector<standin::Said> said = cast.scene.said();
    CHECK(std::any_of(said.begin(), said.end(), [](const standin::Said& line) {
        return line.level == 1 && line.text.find("skinShape has no UVs") != std::string::npos;
    }));
    CHECK(cast.points(part.name + "Shape") == shown);
}

/// All meshes of a character, each with a node of its own on the same joints; then the first one slides, too. Its job is
/// that of the muscles, and of the slider on hands, for large ones.
void skins(const std::string& name, double last) {
    Cast cast(name, last);
    for (const Part& part : cast.character.parts) {
        const std::string shape = part.name + "Shape";
        const std::vector<Points> by_cluster = cast.points(shape);
        CHECK(cast.character.scale * apart(by_cluster.front(), by_cluster.back()) > 0.01 * cast.character.size());
        const std::string node = cast.create_on("sinewSkinning", part);
        cast.scene.set(node + ".method", 0);
        const std::vector<Points> shown = cast.points(shape);
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const double off = cast.character.scale * apart(shown[i], by_cluster[i]) / cast.character.size();
            if (!(off < 1e-6)) cast.wrong(first_frame + double(i), "off by " + std::to_string(off) + " of its size");
        }
        CHECK_EQUAL(cast.scene.text(node + ".status"), std::string());
        if (&part != &cast.character.parts.front()) continue;
        if (part.mesh.points.size() < 30000) farm_agrees(cast, node, part, shown);
        if (part.mesh.u.empty()) slides_without_uvs(cast, part, shown);
        else play_slider(cast, cast.create_on("sinewSkinSlider", part));
    }
    cast.check_faults();
}

/// A slider that is played, and on the farm.
std::vector<Uvs> slides(const std::string& name, double last) {
    Cast cast(name, last);
    const std::string node = cast.create_on("sinewSkinSlider", cast.character.parts.front());
    std::vector<Uvs> played = play_slider(cast, node);
    const auto farm = on_the_farm(cast, node, {program, "uvs", 2});
    CHECK_EQUAL(farm.size(), played.size());
    for (std::size_t i = 0; i < std::min(farm.size(), played.size()); ++i)
        if (Uvs(farm[i].begin(), farm[i].end()) != played[i])
            cast.wrong(first_frame + double(i), "the farm has other UVs");
    cast.check_faults();
    return played;
}

/// The same, solved and scrubbed in random order on several threads.
void slides_in_any_order(const std::string& name, double last, const std::vector<Uvs>& played) {
    Cast cast(name, last);
    cast.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    const Part& part = cast.character.parts.front();
    const std::string node = cast.create_on("sinewSkinSlider", part);
    cast.run("sinewSolve " + node);
    std::mt19937 random(3);
    for (int i = 0; i < 12; ++i) {
        const double frame = first_frame + double(random() % static_cast<unsigned>(last));
        cast.scene.set_time(frame);
        if (cast.scene.corner_uvs(part.name + "Shape") != played[static_cast<std::size_t>(frame - first_frame)])
            cast.wrong(frame, "other UVs than when it is played");
    }
    cast.check_faults();
}

/// Muscles of a human on the human: as the elbow bends, they bulge, and nothing happens to the legs.
void muscles_bulge() {
    Cast cast("human", 3);
    const Part& body = cast.character.parts.front();
    const std::vector<Points> by_cluster = cast.points("bodyShape");
    const std::string node = cast.create_on("sinewMuscleSkin", body);
    const std::vector<std::string> said = cast.run("sinewMuscles -node " + node + " -fitHuman");
    for (const std::string& line : said) std::cout << "human: " << line << "\n";
    const auto muscles = [&] { return cast.scene.points(node + ".muscles_mesh"); };
    std::vector<Points> meshes;
    const std::vector<Points> shown = cast.played([&] {
        meshes.push_back(muscles());
        return cast.scene.points("bodyShape");
    });
    CHECK_EQUAL(cast.scene.text(node + ".status"), std::string());
    CHECK(apart(shown.front(), body.mesh.points) < 1e-3);
    CHECK(apart(meshes.front(), meshes.back()) > 5);
    double arm = 0, legs = 0;
    for (std::size_t i = 0; i < body.mesh.points.size(); i += 3) {
        double off = 0;
        for (std::size_t k = 0; k < 3; ++k)
            off = std::max(off, std::abs(double{shown.back()[i + k]} - double{by_cluster.back()[i + k]}));
        const bool low = body.mesh.points[i + 1] < 60;
        (low ? legs : arm) = std::max(low ? legs : arm, off);
    }
    std::cout << "human: muscles move the arm's skin by up to " << arm << " cm, that of the legs by " << legs << " cm\n";
    CHECK(arm > 0.5 && arm < 10);
    CHECK(legs < 0.05);
    farm_agrees(cast, node, body, shown);
    cast.check_faults();
}

/// With the time of the processor.
void timed(const char* what, const std::function<void()>& test) {
    const std::clock_t start = std::clock();
    test();
    std::cout << what << ": " << double(std::clock() - start) / CLOCKS_PER_SEC << " s\n" << std::flush;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::cerr << "usage: characters_test SINEW FOLDER\n";
        return 2;
    }
    program = arguments[1];
    folder = arguments[2];
    for (const char* name : {"hand_left", "hand_right", "rat", "dog", "human"}) timed(name, [=] { skins(name, 3); });
    timed("hands in any order", [] {
        for (const char* name : {"hand_left", "hand_right"}) slides_in_any_order(name, 6, slides(name, 6));
    });
    timed("muscles", muscles_bulge);
    return finish();
}
