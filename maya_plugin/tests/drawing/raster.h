// A small rasteriser for pictures of primitives, as a viewport would show them.
#pragma once

#include "host/drawing/primitives.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sinew::tests {

/// In perspective. Lengths are those of the scene.
struct Camera {
    host::Point3 eye, target;
    /// How much of the target's surroundings fits from left to right.
    double width = 1;
};

/// Letters, five columns of eight dots each, the lowest bit on top: the library's own, read from its source.
class Letters {
public:
    explicit Letters(const std::string& font_source);
    /// Null where a character has no shape.
    const std::array<unsigned, 5>* find(char letter) const;

private:
    std::map<char, std::array<unsigned, 5>> all_;
};

/// A picture in samples, which are nine to a pixel. Colours in here are linear light.
class Canvas {
public:
    Canvas(std::size_t width, std::size_t height, const Camera& camera);

    void draw(const host::Picture& picture);
    /// Draws over everything with an opacity: what is hidden behind its own front stays hidden.
    void veil(const host::Picture& picture, double opacity);
    /// Another picture in a place of this one, from the upper left corner on; both without letters so far.
    void paste(const Canvas& other, std::size_t x, std::size_t y);

    /// After this come letters and legends, in pixels from the upper left corner.
    void develop();
    void write(const Letters& letters, const std::string& text, double x, double y, double size);
    void legend(const Letters& letters, const host::Legend& legend, double x, double y, double height);
    /// As a PPM file.
    void save(const std::string& path) const;

private:
    struct Sample {
        std::array<float, 3> light{};
        float nearness = 0;
    };
    struct Seen {
        double x, y, nearness;
    };

    Seen see(const host::Point3& point) const;
    void put(std::size_t x, std::size_t y, float nearness, const std::array<float, 3>& light);
    void triangle(const host::Triangles& shape, std::size_t first);
    void line(const host::Point3& from, const host::Point3& to, const host::Colour& colour, double width);
    void dot(const host::Point3& at, const host::Colour& colour, double size);
    void fill(double x, double y, double wide, double high, const host::Colour& colour);

    static constexpr std::size_t samples = 3;
    std::size_t width_, height_;
    host::Point3 eye_, right_, up_, back_;
    double scale_ = 1;
    std::vector<Sample> all_;
    std::vector<std::uint8_t> pixels_;
};

} // namespace sinew::tests
