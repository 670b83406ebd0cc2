// Prints what gathering and scattering cost at 40,000 vertices, and what a preview costs beside a frame; judges nothing.
// In the first, the node's own computing is left out: frames are asked for that are kept.
#include "stage.h"

#include <chrono>

using namespace sinew::tests;

namespace {

double milliseconds(const std::function<void()>& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void gather_and_scatter() {
    Stage stage;
    stage.scene.set_range(1, 3);
    stage.add_cached_body(199, 200);
    stage.scene.create("sinewSkinSlider", "slider");
    stage.scene.set("slider.start_time", 1);
    stage.scene.set("slider.max_iterations", 1);
    stage.scene.connect("restShape.outMesh", "slider.rest");
    stage.scene.connect("motion.outMesh", "slider.in_mesh");
    for (double frame = 1; frame <= 3; ++frame) {
        stage.scene.set_time(frame);
        stage.scene.points("slider.out_mesh");
    }
    std::cout << "status: " << stage.scene.text("slider.status") << "\n";
    const std::uint64_t computes = stage.scene.computes("slider");
    double best_motion = 1e9, best_all = 1e9;
    constexpr int rounds = 10;
    for (int round = 0; round < rounds; ++round)
        for (double frame = 1; frame <= 3; ++frame) {
            stage.scene.set_time(frame);
            const MPlug motion = stage.scene.plug("motion.outMesh"), shown = stage.scene.plug("slider.out_mesh");
            best_motion = std::min(best_motion, milliseconds([&] { motion.asMObject(); }));
            best_all = std::min(best_all, milliseconds([&] { shown.asMObject(); }));
        }
    std::cout << "40,000 vertices: the motion alone " << best_motion << " ms, a kept frame through the node "
              << best_all << " ms, computed " << stage.scene.computes("slider") - computes << " times in " << 3 * rounds
              << " frames\n";
}

/// A slider is turned once, and all frames are looked at twice.
void previews() {
    Stage stage;
    stage.add_skinned_body(49, 50);
    const std::string node = stage.create("sinewSkinSlider");
    const auto look = [&] {
        return milliseconds([&] { stage.play(); }) / (last_frame - first_frame + 1);
    };
    const double frame = look(), kept = look();
    stage.scene.set_time(first_frame);
    stage.scene.set(node + ".zeta", 0.25);
    // The first frame follows from no other, so that it and the second are frames.
    const auto range = [&] {
        return milliseconds([&] {
            for (double at = last_frame; at > first_frame + 1; --at) {
                stage.scene.set_time(at);
                stage.uvs();
            }
        }) / (last_frame - first_frame - 1);
    };
    const double once = range(), again = range();
    std::cout << "2,500 vertices: a frame " << frame << " ms, kept " << kept << " ms; a preview " << once
              << " ms, shown again " << again << " ms\n";
}

} // namespace

int main() {
    gather_and_scatter();
    previews();
    return 0;
}
