#include "scale.h"

#include "host/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::host {

namespace {

/// Nine colours of viridis, an eighth of the scale apart. It is by Stéfan van der Walt, Nathaniel Smith and Eric Firing
/// and in the public domain (CC0, bids.github.io/colormap); a line between two of these stays within 0.02 of it.
constexpr std::array<std::array<int, 3>, 9> viridis{{{68, 1, 84},
                                                     {71, 44, 122},
                                                     {59, 81, 139},
                                                     {44, 113, 142},
                                                     {33, 144, 141},
                                                     {39, 173, 129},
                                                     {92, 200, 99},
                                                     {170, 220, 50},
                                                     {253, 231, 37}}};

/// Of the numbers beside a scale.
constexpr int digits = 3;

} // namespace

Colour colour_at(double place) {
    constexpr double last = viridis.size() - 1;
    const double at = std::clamp(place, 0.0, 1.0) * last;
    const auto before = std::min(static_cast<std::size_t>(at), viridis.size() - 2);
    const double share = at - static_cast<double>(before);
    const auto channel = [&](std::size_t k) {
        const double value = (1 - share) * viridis[before][k] + share * viridis[before + 1][k];
        return static_cast<float>(value / 255);
    };
    return {channel(0), channel(1), channel(2), 1};
}

Colour colour_of(double value, const Range& range) {
    const double extent = range.high - range.low;
    return colour_at(extent > 0 ? (value - range.low) / extent : 0);
}

Colour colour_of_part(std::uint32_t part) {
    if (part == SINEW_NO_ELEMENT) return {0.5F, 0.5F, 0.5F, 1};
    // Turned on by the golden section, hues never come close to the ones just before.
    constexpr double golden = 0.6180339887498949, saturation = 0.55, value = 0.9;
    const double hue = 6 * std::fmod(golden * part, 1.0);
    const auto channel = [&](double shift) {
        const double ramp = std::clamp(std::abs(std::fmod(hue + shift, 6.0) - 3) - 1, 0.0, 1.0);
        return static_cast<float>(value * (1 - saturation * (1 - ramp)));
    };
    return {channel(0), channel(4), channel(2), 1};
}

std::optional<Range> range_of(Span<const double> values) {
    if (values.size() == 0) return std::nullopt;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return Range{*low, *high};
}

Legend legend_of(const std::string& title, const std::string& unit, const Range& range) {
    constexpr int steps = 4;
    Legend legend;
    legend.title = unit.empty() ? title : title + " (" + unit + ")";
    legend.range = range;
    for (int i = 0; i <= steps; ++i) {
        const double place = double(i) / steps;
        legend.marks.push_back({place, number_text((1 - place) * range.low + place * range.high, digits)});
    }
    return legend;
}

} // namespace sinew::host
