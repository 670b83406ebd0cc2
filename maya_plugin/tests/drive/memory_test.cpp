// 500 frames take no more memory than the node may use.
#include "stage.h"

#include <fstream>

using namespace sinew::tests;

namespace {

/// Resident memory of this process in MB.
double resident() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == "VmRSS:") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes / 1024;
        }
    return 0;
}

} // namespace

int main() {
    Stage stage;
    constexpr double last = 500;
    stage.scene.set_range(1, last);
    stage.add_skinned_body(20, 20);
    stage.scene.key("knee.rotateZ", {{120, 0.9}, {260, -0.5}, {380, 1.0}, {500, 0}});
    const std::string node = stage.create("sinewSkinSlider");
    constexpr double most = 4;
    stage.scene.set(node + ".frame_memory", most);
    double at_100 = 0;
    for (double frame = 1; frame <= last; ++frame) {
        stage.scene.set_time(frame);
        if (frame == 100) at_100 = resident();
        if (!stage.scene.text(node + ".status").empty()) fail(__FILE__, __LINE__, stage.scene.text(node + ".status"));
    }
    const double grown = resident() - at_100;
    std::cout << "memory from frame 100 to 500: " << grown << " MB more, with " << most << " MB for frames\n";
    // Without a bound, 400 frames of 420 vertices would be several times as much.
    CHECK(grown < 2 * most);
    return finish();
}
