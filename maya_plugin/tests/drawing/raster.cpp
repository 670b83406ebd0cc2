#include "raster.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sinew::tests {

using host::Colour;
using host::Point3;

namespace {

double to_light(double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); }

std::uint8_t to_byte(double light) {
    const double value = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

std::array<float, 3> light_of(const Colour& colour) {
    return {static_cast<float>(to_light(double{colour.red})), static_cast<float>(to_light(double{colour.green})),
            static_cast<float>(to_light(double{colour.blue}))};
}

} // namespace

Letters::Letters(const std::string& font_source) {
    std::ifstream file(font_source);
    if (!file) throw std::runtime_error("there is no file " + font_source);
    for (std::string row; std::getline(file, row);) {
        // Rows such as ('A', [0x7C, 0x12, 0x11, 0x12, 0x7C]), of the table of glyphs.
        const std::size_t open = row.find("', [0x");
        if (open == std::string::npos || open == 0) continue;
        std::istringstream numbers(row.substr(open + 4));
        std::array<unsigned, 5> columns{};
        for (unsigned& column : columns) {
            std::string word;
            std::getline(numbers, word, ',');
            column = static_cast<unsigned>(std::stoul(word, nullptr, 16));
        }
        all_[row[open - 1]] = columns;
    }
    if (all_.size() < 60) throw std::runtime_error(font_source + " holds no table of letters");
}

const std::array<unsigned, 5>* Letters::find(char letter) const {
    const auto found = all_.find(letter);
    return found == all_.end() ? nullptr : &found->second;
}

Canvas::Canvas(std::size_t width, std::size_t height, const Camera& camera)
    : width_(width), height_(height), eye_(camera.eye), all_(width * height * samples * samples) {
    back_ = host::unit(camera.eye - camera.target);
    right_ = host::unit(host::cross({0, 1, 0}, back_));
    up_ = host::cross(back_, right_);
    scale_ = host::length(camera.eye - camera.target) / camera.width * static_cast<double>(width * samples);
    // The grey of viewports, lighter below.
    for (std::size_t y = 0; y < height * samples; ++y) {
        const double down = static_cast<double>(y / samples) / static_cast<double>(height);
        const Colour grey{static_cast<float>(0.27 + 0.12 * down), static_cast<float>(0.29 + 0.12 * down),
                          static_cast<float>(0.32 + 0.12 * down), 1};
        for (std::size_t x = 0; x < width * samples; ++x) all_[y * width * samples + x].light = light_of(grey);
    }
}

Canvas::Seen Canvas::see(const Point3& point) const {
    const Point3 way = point - eye_;
    const double distance = std::max(-host::dot(way, back_), 1e-9);
    const double x = static_cast<double>(width_ * samples) / 2 + scale_ * host::dot(way, right_) / distance;
    const double y = static_cast<double>(height_ * samples) / 2 - scale_ * host::dot(way, up_) / distance;
    return {x, y, 1 / distance};
}

void Canvas::put(std::size_t x, std::size_t y, float nearness, const std::array<float, 3>& light) {
    if (x >= width_ * samples || y >= height_ * samples) return;
    Sample& sample = all_[y * width_ * samples + x];
    if (nearness <= sample.nearness) return;
    sample.nearness = nearness;
    sample.light = light;
}

void Canvas::triangle(const host::Triangles& shape, std::size_t first) {
    std::array<Seen, 3> at{};
    std::array<std::array<float, 3>, 3> lights{};
    // A key light from above on the left, one from the right, and that of the sky.
    const Point3 key = host::unit(-0.5 * right_ + 0.7 * up_ + 0.8 * back_);
    const Point3 side = host::unit(0.9 * right_ + 0.1 * up_ + 0.3 * back_);
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t vertex = shape.vertices[first + k];
        at[k] = see(shape.points[vertex]);
        const Point3& normal = shape.normals[vertex];
        const double shade = 0.28 + 0.12 * host::dot(normal, up_) + 0.62 * std::max(0.0, host::dot(normal, key)) +
                             0.18 * std::max(0.0, host::dot(normal, side));
        lights[k] = light_of(shape.colours[vertex]);
        for (float& channel : lights[k]) channel = static_cast<float>(double{channel} * shade);
    }
    const double area = (at[1].x - at[0].x) * (at[2].y - at[0].y) - (at[2].x - at[0].x) * (at[1].y - at[0].y);
    if (area == 0) return;
    const auto range = [](double a, double b, double c, std::size_t end) {
        const double low = std::floor(std::min({a, b, c})), high = std::ceil(std::max({a, b, c}));
        return std::pair(static_cast<std::size_t>(std::clamp(low, 0.0, double(end))),
                         static_cast<std::size_t>(std::clamp(high, 0.0, double(end))));
    };
    const auto [left, right] = range(at[0].x, at[1].x, at[2].x, width_ * samples);
    const auto [top, bottom] = range(at[0].y, at[1].y, at[2].y, height_ * samples);
    for (std::size_t y = top; y < bottom; ++y) {
        for (std::size_t x = left; x < right; ++x) {
            const double px = double(x) + 0.5, py = double(y) + 0.5;
            const auto share = [&](const Seen& a, const Seen& b) {
                return ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
            };
            const double c = share(at[0], at[1]), a = share(at[1], at[2]), b = 1 - a - c;
            if (a < 0 || b < 0 || c < 0) continue;
            std::array<float, 3> light{};
            for (std::size_t k = 0; k < 3; ++k) {
                light[k] = static_cast<float>(a * double{lights[0][k]} + b * double{lights[1][k]} +
                                              c * double{lights[2][k]});
            }
            const double nearness = a * at[0].nearness + b * at[1].nearness + c * at[2].nearness;
            put(x, y, static_cast<float>(nearness), light);
        }
    }
}

void Canvas::dot(const Point3& at, const Colour& colour, double size) {
    const Seen seen = see(at);
    const double radius = size * samples / 2;
    for (double y = std::floor(seen.y - radius); y <= seen.y + radius; ++y)
        for (double x = std::floor(seen.x - radius); x <= seen.x + radius; ++x)
            if (x >= 0 && y >= 0 && std::hypot(x + 0.5 - seen.x, y + 0.5 - seen.y) <= radius)
                put(static_cast<std::size_t>(x), static_cast<std::size_t>(y), static_cast<float>(seen.nearness),
                    light_of(colour));
}

void Canvas::line(const Point3& from, const Point3& to, const Colour& colour, double width) {
    const Seen a = see(from), b = see(to);
    const auto steps = static_cast<int>(std::ceil(std::hypot(b.x - a.x, b.y - a.y))) + 1;
    for (int i = 0; i <= steps; ++i) dot(from + (double(i) / steps) * (to - from), colour, width);
}

void Canvas::draw(const host::Picture& picture) {
    for (const host::Triangles& shape : picture.triangles)
        for (std::size_t first = 0; first < shape.vertices.size(); first += 3) triangle(shape, first);
    for (const host::Lines& shape : picture.lines)
        for (std::size_t i = 0; i < shape.points.size(); i += 2)
            line(shape.points[i], shape.points[i + 1], shape.colours[i], shape.width);
    for (const host::Dots& shape : picture.dots)
        for (std::size_t i = 0; i < shape.points.size(); ++i) dot(shape.points[i], shape.colours[i], shape.size);
}

void Canvas::veil(const host::Picture& picture, double opacity) {
    Canvas front = *this;
    for (Sample& sample : front.all_) sample.nearness = 0;
    front.draw(picture);
    for (std::size_t i = 0; i < all_.size(); ++i) {
        if (front.all_[i].nearness <= all_[i].nearness) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const double under = double{all_[i].light[k]}, over = double{front.all_[i].light[k]};
            all_[i].light[k] = static_cast<float>((1 - opacity) * under + opacity * over);
        }
    }
}

void Canvas::paste(const Canvas& other, std::size_t x, std::size_t y) {
    for (std::size_t row = 0; row < other.height_ * samples; ++row) {
        const auto from = other.all_.begin() + static_cast<std::ptrdiff_t>(row * other.width_ * samples);
        const std::size_t to = (y * samples + row) * width_ * samples + x * samples;
        std::copy(from, from + static_cast<std::ptrdiff_t>(other.width_ * samples),
                  all_.begin() + static_cast<std::ptrdiff_t>(to));
    }
}

void Canvas::develop() {
    pixels_.resize(3 * width_ * height_);
    for (std::size_t y = 0; y < height_; ++y) {
        for (std::size_t x = 0; x < width_; ++x) {
            for (std::size_t k = 0; k < 3; ++k) {
                double sum = 0;
                for (std::size_t i = 0; i < samples * samples; ++i) {
                    const std::size_t row = y * samples + i / samples, column = x * samples + i % samples;
                    sum += double{all_[row * width_ * samples + column].light[k]};
                }
                pixels_[3 * (y * width_ + x) + k] = to_byte(sum / (samples * samples));
            }
        }
    }
}

void Canvas::fill(double x, double y, double wide, double high, const Colour& colour) {
    const auto from = [](double a) { return static_cast<std::size_t>(std::max(0.0, std::round(a))); };
    for (std::size_t row = from(y); row < std::min(from(y + high), height_); ++row)
        for (std::size_t column = from(x); column < std::min(from(x + wide), width_); ++column)
            for (std::size_t k = 0; k < 3; ++k) {
                const float channel = k == 0 ? colour.red : k == 1 ? colour.green : colour.blue;
                pixels_[3 * (row * width_ + column) + k] = static_cast<std::uint8_t>(std::lround(255 * channel));
            }
}

void Canvas::write(const Letters& letters, const std::string& text, double x, double y, double size) {
    const Colour ink{0.93F, 0.93F, 0.93F, 1};
    for (const char letter : text) {
        if (const std::array<unsigned, 5>* columns = letters.find(letter)) {
            for (unsigned column = 0; column < 5; ++column)
                for (unsigned row = 0; row < 8; ++row)
                    if (((*columns)[column] >> row) & 1U) fill(x + size * column, y + size * row, size, size, ink);
        }
        x += 6 * size;
    }
}

void Canvas::legend(const Letters& letters, const host::Legend& legend, double x, double y, double height) {
    constexpr double bar = 16, size = 2;
    for (double row = 0; row < height; ++row)
        fill(x, y + row, bar, 1, host::colour_at(1 - (row + 0.5) / height));
    write(letters, legend.title, x, y - 28, size);
    for (const host::Legend::Mark& mark : legend.marks) {
        const double at = y + (1 - mark.place) * height;
        fill(x + bar, at - (mark.place > 0 ? 0 : 1), 5, 1, {0.93F, 0.93F, 0.93F, 1});
        write(letters, mark.text, x + bar + 10, at - 7, size);
    }
}

void Canvas::save(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    file << "P6\n" << width_ << " " << height_ << "\n255\n";
    file.write(reinterpret_cast<const char*>(pixels_.data()), static_cast<std::streamsize>(pixels_.size()));
    if (!file) throw std::runtime_error(path + " cannot be written");
}

} // namespace sinew::tests
