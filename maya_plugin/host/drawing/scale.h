// The colour scale of results: from numbers to colours, and the legend that says which are which.
#pragma once

#include <sinew/sinew.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew::host {

/// Red, green, blue and opacity from 0 to 1, as screens take them (sRGB).
struct Colour {
    float red = 0, green = 0, blue = 0, opacity = 1;

    bool operator==(const Colour& other) const {
        return red == other.red && green == other.green && blue == other.blue && opacity == other.opacity;
    }
};

/// The values at the two ends of the scale.
struct Range {
    double low = 0, high = 1;
};

/// The colour at a place from 0 to 1: what is beyond has the colour of the end. Lightness grows evenly, so that equal
/// steps look equal, also in grey and to people who are colour-blind.
Colour colour_at(double place);
/// The colour of a value. A range without any extent has one colour, that of its lower end.
Colour colour_of(double value, const Range& range);

/// A colour for each of several parts: neighbours in number are far apart in hue, and a number always has the same one.
/// SINEW_NO_ELEMENT, which belongs to none, is grey.
Colour colour_of_part(std::uint32_t part);

/// From the smallest to the largest value; nothing if there are no values.
std::optional<Range> range_of(Span<const double> values);

struct Legend {
    struct Mark {
        /// From 0, the lower end of the scale, to 1.
        double place = 0;
        std::string text;
    };
    /// What is shown, with its unit: "Tensions (N)".
    std::string title;
    Range range;
    /// The values at the ends of the scale and between them.
    std::vector<Mark> marks;
};

Legend legend_of(const std::string& title, const std::string& unit, const Range& range);

} // namespace sinew::host
