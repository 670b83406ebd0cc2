// Keys for UVs that slide.
#include "check.h"

#include "host/uv_tracks.h"

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

using namespace sinew::host;

namespace {

/// Two triangles that share UVs 1 and 2; UV 4 belongs to no corner.
UvFrame frame(std::vector<float> slid_u) {
    UvFrame made{{0.1F, 0.2F, 0.3F, 0.4F, 0.9F}, {0, 0, 0, 0, 0}, {0, 1, 2, 2, 1, 3}, {}};
    for (const int uv : made.corner_uvs) {
        made.slid.push_back(slid_u[static_cast<std::size_t>(uv)]);
        made.slid.push_back(0);
    }
    return made;
}

std::string refused(UvTracks& tracks, double number, const UvFrame& uvs) {
    try {
        tracks.add(number, uvs);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

void offsets_give_the_same_bits() {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uv(-2, 3), slide(-0.2F, 0.2F);
    std::size_t others = 0;
    for (int i = 0; i < 100000; ++i) {
        const float from = uv(random), to = from + slide(random), offset = offset_between(from, to);
        if (from + offset == to) continue;
        // It is nearer to 0 than it has slid: floats between the two are too far apart.
        ++others;
        CHECK(std::abs(to) < std::abs(to - from));
        CHECK(std::abs(from + offset - to) <= std::abs(to - from) * 6e-8F);
    }
    CHECK(others < 3000);
    CHECK_EQUAL(offset_between(0.25F, 0.25F), 0.0F);
}

void only_what_moves_has_keys() {
    UvTracks tracks(5, 100);
    const float there = 0.25F;
    tracks.add(10, frame({0.1F, 0.2F, 0.3F, 0.4F, 0}));
    tracks.add(11, frame({0.1F, there, 0.3F, 0.4F, 0}));
    for (double number : {12, 13}) tracks.add(number, frame({0.1F, there, 0.3F, 0.4F, 0}));
    tracks.add(14, frame({0.1F, 0.2F, 0.3F, 0.4F, 0}));
    const std::vector<UvTrack> found = tracks.tracks();
    CHECK_EQUAL(found.size(), std::size_t{1});
    const UvTrack& track = found.at(0);
    CHECK(track.uv == 1 && track.axis == 0);
    // The one in the middle of three that are the same is not needed.
    std::vector<double> frames;
    for (const UvKey& key : track.keys) {
        frames.push_back(key.frame);
        const bool slid = key.frame > 10 && key.frame < 14;
        CHECK(0.2F + key.offset == (slid ? there : 0.2F));
    }
    CHECK((frames == std::vector<double>{10, 11, 13, 14}));
}

void says_what_keys_cannot_do() {
    const std::vector<float> slid{0.2F, 0.3F, 0.4F, 0.5F, 0};
    UvTracks few(10, 39);
    CHECK(says(refused(few, 1, frame(slid)), "4 or more numbers of UVs slide, which in 10 frames is over 39 keys"));
    UvTracks enough(10, 40);
    CHECK_EQUAL(refused(enough, 1, frame(slid)), std::string());

    UvFrame apart = frame(slid);
    apart.slid[2 * 3] = 0.45F;
    UvTracks tracks(10, 1000);
    CHECK(says(refused(tracks, 7, apart), "The faces at map[2] share a UV and slide apart in frame 7"));
    UvFrame lacking = frame(slid);
    lacking.corner_uvs.pop_back();
    CHECK(says(refused(tracks, 7, lacking), "Some faces have no UVs in frame 7"));
    tracks.add(7, frame(slid));
    UvFrame more = frame(slid);
    more.u.push_back(0);
    more.v.push_back(0);
    CHECK(says(refused(tracks, 8, more), "another number of UVs in frame 8"));
}

} // namespace

int main() {
    offsets_give_the_same_bits();
    only_what_moves_has_keys();
    says_what_keys_cannot_do();
    return sinew::tests::finish();
}
