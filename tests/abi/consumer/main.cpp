// Skins a vertex with an installed Sinew through the C++ API, and compares with the closed form.
#include <sinew/sinew.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Not assert, which release builds compile out.
static void expect(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
}
#define EXPECT(condition) expect(condition, #condition)

int main() {
    EXPECT(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR) == SINEW_OK);
    sinew::Node node(sinew::Context(), "skinning");
    node.set("method", "dual_quaternion");

    // Joint 0 stays at the origin; joint 1 sits at x = 1 and turns by 90 degrees about z. Equal weights of two rotations about
    // one line give half the rotation: the vertex stays on the circle around joint 1.
    const std::vector<double> rest{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                   1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const std::vector<double> bent{1, 0,  0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                   0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    node.set_array("influence_counts", std::vector<std::uint32_t>{2}, 1);
    node.set_array("influence_joints", std::vector<std::uint32_t>{0, 1}, 1);
    node.set_array("influence_weights", std::vector<double>{0.5, 0.5}, 1);
    node.set_array("rest_joints", rest, 16);
    node.set_array("joints", bent, 16);
    std::vector<double> point{2, 0, 0};
    node.deform(1, 1.0 / 24.0, sinew::Span<double>(point));
    const double half = std::sqrt(0.5);
    EXPECT(std::abs(point[0] - (1 + half)) < 1e-12);
    EXPECT(std::abs(point[1] - half) < 1e-12);
    EXPECT(std::abs(point[2]) < 1e-12);

    bool refused = false;
    try {
        node.set("envelope", 2.0);
    } catch (const sinew::Error& error) {
        refused = error.status() == SINEW_OUT_OF_RANGE;
    }
    EXPECT(refused);
    std::printf("C++ with Sinew %s: ok\n", sinew_version_string());
}
