// Frame rates: a start that lies between frames, as after a change of the rate, counts as the next whole frame wherever
// frames are computed, solved, counted or exported.
#include "stage.h"

#include <cmath>
#include <filesystem>

using namespace sinew::tests;

namespace {

std::string number(double frame) { return std::to_string(std::lround(frame)); }

/// A motion that began at frame 1 of a film, at another rate.
void a_film_at_another_rate(double rate) {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set_frames_per_second(rate);
    const double first = std::ceil(rate / 24 - 1e-6), last = last_frame;
    // Playing needs no other frame.
    for (double frame = first; frame <= last; ++frame) {
        stage.scene.set_time(frame);
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    }
    CHECK_EQUAL(stage.scene.text(node + ".kept_frames"), number(first) + "-" + number(last));
    const std::vector<Uvs> played = stage.play();
    // After an edit a jump says whole frames, and solving computes them.
    stage.scene.set(node + ".young", 15000);
    stage.scene.set_time(last);
    const std::string says = "Frames " + number(first) + " to " + number(last - 1) + " have to be computed first.";
    CHECK(stage.scene.text(node + ".status").find(says) != std::string::npos);
    CHECK_EQUAL(stage.run("sinewSolve " + node).at(0), number(last - first + 1));
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    CHECK_EQUAL(stage.scene.text(node + ".kept_frames"), number(first) + "-" + number(last));
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_drive_rates";
    std::filesystem::remove_all(folder);
    const std::string job = text_of(stage.run("sinewExportJob -folder " + folder.string() + " " + node).at(0));
    CHECK(job.find("range=\"" + number(first) + "-" + number(last) + "\"") != std::string::npos);
    std::filesystem::remove_all(folder);
    stage.check_faults();
}

} // namespace

int main() {
    for (const double rate : {24000.0 / 1001, 25.0, 30000.0 / 1001, 30.0, 60000.0 / 1001, 60.0})
        a_film_at_another_rate(rate);
    return finish();
}
