// Lists the nodes, then bends a strip of vertices at its middle joint by 90 degrees through the C++ API.
//
// c++ -std=c++17 examples/cpp/skinning.cpp -I cpp/include -L target/release -lsinew -Wl,-rpath,target/release
#include <sinew/sinew.hpp>

#include <cstdio>
#include <utility>

int main() {
    for (const SinewNodeInfo& info : sinew::nodes()) {
        std::printf("%s: %s\n", info.id, info.doc);
        for (const SinewPortInfo& port : sinew::ports(info)) {
            std::printf("  %s %s\n", port.direction == SINEW_INPUT ? "in " : "out", port.id);
        }
        for (const SinewParamInfo& param : sinew::params(info)) std::printf("  param %s\n", param.id);
    }

    sinew::ContextOptions options;
    options.log = [](int, const char* message) { std::printf("log: %s\n", message); };
    sinew::Node node(sinew::Context(options), "skinning");
    node.set("method", "dual_quaternion");

    // Three vertices on the x axis; the joints sit at x = 0 and x = 1, and each vertex follows one of them.
    std::vector<float> points{0, 0, 0, 1, 0, 0, 2, 0, 0};
    const std::vector<double> rest{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                   1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const std::vector<double> bent{1, 0,  0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                   0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    node.set_array("influence_counts", std::vector<std::uint32_t>{1, 1, 1}, 1);
    node.set_array("influence_joints", std::vector<std::uint32_t>{0, 1, 1}, 1);
    node.set_array("influence_weights", std::vector<double>{1, 1, 1}, 1);
    node.set_array("rest_joints", rest, 16);
    node.set_array("joints", bent, 16);
    node.deform(1, 1.0 / 24.0, sinew::Span<float>(points));
    std::printf("tip: %.3f %.3f %.3f\n", points[6], points[7], points[8] + 0.0F);

    sinew::Node moved = std::move(node);
    const std::vector<std::uint8_t> state = moved.save_state();
    moved.load_state(state);
    try {
        moved.set("envelope", 2.0);
    } catch (const sinew::Error& error) {
        std::printf("refused: %s\n", error.what());
    }
}
