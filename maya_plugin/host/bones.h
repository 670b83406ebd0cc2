// Bones that a job has moved, and the rotations of joints that follow them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sinew::host {

/// A matrix for row vectors, row after row.
using RowMatrix = std::array<double, 16>;

/// Of each bone, by its name, its matrix in each frame.
struct BoneFrames {
    std::vector<std::int64_t> frames;
    std::map<std::string, std::vector<RowMatrix>> matrices;
};

/// Reads a table `frame,NAME,m00,...,m23` as jobs write it: the upper three rows for column vectors. Throws
/// std::runtime_error with a sentence that names file and line.
BoneFrames read_bones(const std::filesystem::path& table);

/// Angles about x, y and z in radians.
using Angles = std::array<double, 3>;

/// The orders in which a host turns about its axes, by the numbers that Maya has for them.
constexpr std::array<std::array<unsigned, 3>, 6> rotate_orders{
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}};

/// The rotation of angles, and the angles of a rotation that are nearest to others: curves through them do not jump by
/// turns.
RowMatrix rotation_of(const Angles& angles, const std::array<unsigned, 3>& order);
Angles angles_of(const RowMatrix& rotation, const std::array<unsigned, 3>& order, const Angles& near);

} // namespace sinew::host
