// Painted maps from one side of a body to the other.
#pragma once

#include <sinew/sinew.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew::host {

/// For each vertex the one at the place mirrored across x = 0, or `none` where there is none; in the plane it is
/// itself.
struct Partners {
    static constexpr std::size_t none = SIZE_MAX;
    std::vector<std::size_t> of;
    std::size_t without = 0;
};

/// `points`: three numbers per vertex. Places agree within a thousandth of the body's size.
Partners mirror_partners(Span<const float> points);

/// The side of negative x takes the values of the other; vertices without a partner keep theirs. Returns how many
/// values differ from before.
std::size_t mirror_map(Span<float> map, Span<const float> points, const Partners& partners);

} // namespace sinew::host
