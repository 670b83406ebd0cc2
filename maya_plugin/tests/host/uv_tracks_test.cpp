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
    std::uniform_real_distribution<double> place(-2, 3), slide(-0.2, 0.2);
    UvFrame many;
    for (int uv = 0; uv < 100000; ++uv) {
        const double u = place(random);
        many.u.push_back(static_cast<float>(u));
        many.v.push_back(0.5F);
        many.corner_uvs.push_back(uv);
        many.slid.push_back(static_cast<float>(u + slide(random)));
        many.slid.push_back(0.5F);
    }
    UvTracks tracks(1, 1000000);
    tracks.add(1, many);
    std::size_t others = 0;
    for (const UvTrack& track : tracks.tracks()) {
        CHECK_EQUAL(track.axis, 0U);
        const float from = many.u[track.uv], to = many.slid[2 * std::size_t{track.uv}];
        const float found = from + track.keys.at(0).offset;
        if (found == to) continue;
        ++others;
        CHECK(std::abs(to) < 2 * std::abs(to - from));
        CHECK(std::abs(found - to) <= std::abs(to - from) * 2.4e-7F);
    }
    CHECK(others > 0 && others < 5000);
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
