// A skin slider in C++: the smallest host. Slides the skin of a strip whose right half is stretched, one call per frame.
//
// c++ -std=c++17 examples/cpp/slide.cpp -I cpp/include -L target/release -lsinew -Wl,-rpath,target/release
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

struct Vertex {
    double place[3];
    float shade; // other data of the host, interleaved and never touched
};

int main() try {
    sinew::check_version();
    sinew::ContextOptions options;
    options.log = [](int level, const char* text) {
        if (level == 1) std::printf("warning: %s\n", text);
    };
    sinew::Node node(sinew::Context(options), "skin_slider");

    // A strip of 20 by 4 squares; the UVs are the positions at rest.
    constexpr std::uint32_t wide = 20, high = 4;
    std::vector<Vertex> rest;
    std::vector<double> fixed;
    for (std::uint32_t y = 0; y <= high; ++y) {
        for (std::uint32_t x = 0; x <= wide; ++x) {
            rest.push_back({{double(x) / wide, double(y) / wide, 0.0}, 0.5F});
            fixed.push_back(x == 0 || x == wide ? 1.0 : 0.0);
        }
    }
    std::vector<std::uint32_t> sizes(wide * high, 4), corners;
    std::vector<double> uvs;
    for (std::uint32_t y = 0; y < high; ++y) {
        for (std::uint32_t x = 0; x < wide; ++x) {
            const std::uint32_t v = y * (wide + 1) + x;
            for (const std::uint32_t corner : {v, v + 1, v + wide + 2, v + wide + 1}) {
                corners.push_back(corner);
                uvs.insert(uvs.end(), {rest[corner].place[0], rest[corner].place[1]});
            }
        }
    }
    SinewMesh mesh{};
    mesh.struct_size = sizeof mesh;
    mesh.positions = sinew::strided(rest[0].place, rest.size(), 3, sizeof(Vertex));
    mesh.face_sizes = sizes.data();
    mesh.face_count = sizes.size();
    mesh.corner_vertices = corners.data();
    mesh.corner_count = corners.size();
    mesh.uvs = sinew::array<double>(uvs, 2);
    node.set_mesh("rest", mesh);
    node.set_array("fixed", fixed, 1);
    node.set("tie_reach", 0.0);
    node.set_start(1.0 / 24.0);
    node.set_restart(false);

    std::vector<double> slid(uvs.size());
    for (int frame = 1; frame <= 10; ++frame) {
        std::vector<Vertex> body = rest;
        for (Vertex& vertex : body) vertex.place[0] += 0.03 * frame * std::max(vertex.place[0] - 0.5, 0.0);
        node.run(frame, frame / 24.0, {{"points", sinew::strided(body[0].place, body.size(), 3, sizeof(Vertex))}},
                 {{"uvs", sinew::array_mut<double>(slid, 2)}});
        double moved = 0;
        for (std::size_t k = 0; k < uvs.size(); k += 2) {
            moved = std::max(moved, std::hypot(slid[k] - uvs[k], slid[k + 1] - uvs[k + 1]));
        }
        std::printf("frame %d: the texture slides by up to %.4f\n", frame, moved);
    }
    // Going back needs the saved state of the frame before, or a restart.
    try {
        node.step(4, 4 / 24.0);
    } catch (const sinew::Error& error) {
        std::printf("refused: %s\n", error.status() == SINEW_OUT_OF_ORDER ? "out of order" : error.what());
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
