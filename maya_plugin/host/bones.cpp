#include "bones.h"

#include <cmath>
#include <fstream>
#include <locale>
#include <sstream>
#include <stdexcept>

namespace sinew::host {
namespace {

constexpr double half_turn = 3.14159265358979323846;

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    return cells;
}

/// Whatever locale the host has set.
double number_of(const std::string& text) {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double number = 0;
    if (!(in >> number) || !in.eof()) throw std::runtime_error("\"" + text + "\" is no number");
    return number;
}

/// The numbers of a row as a matrix for row vectors.
RowMatrix matrix_of(const std::vector<std::string>& cells) {
    if (cells.size() != 14) throw std::runtime_error(std::to_string(cells.size()) + " cells, 14 are expected");
    RowMatrix made{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 4; ++column)
            made[4 * column + row] = number_of(cells[2 + 4 * row + column]);
    made[15] = 1;
    return made;
}

void add_row(BoneFrames& found, const std::string& line) {
    const std::vector<std::string> cells = cells_of(line);
    const RowMatrix matrix = matrix_of(cells);
    const auto frame = static_cast<std::int64_t>(std::llround(number_of(cells[0])));
    if (found.frames.empty() || found.frames.back() != frame) found.frames.push_back(frame);
    std::vector<RowMatrix>& of_bone = found.matrices[cells[1]];
    of_bone.push_back(matrix);
    if (of_bone.size() != found.frames.size())
        throw std::runtime_error(cells[1] + " has " + std::to_string(of_bone.size()) + " rows in " +
                                 std::to_string(found.frames.size()) + " frames");
}

RowMatrix product(const RowMatrix& a, const RowMatrix& b) {
    RowMatrix made{};
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 4; ++column)
            for (std::size_t k = 0; k < 4; ++k) made[4 * row + column] += a[4 * row + k] * b[4 * k + column];
    return made;
}

RowMatrix about(unsigned axis, double angle) {
    RowMatrix made{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const unsigned j = (axis + 1) % 3, k = (axis + 2) % 3;
    made[4 * j + j] = made[4 * k + k] = std::cos(angle);
    made[4 * j + k] = std::sin(angle);
    made[4 * k + j] = -std::sin(angle);
    return made;
}

/// Whole turns are added until each angle is nearest to the other one; how far they are apart then.
double bring_near(Angles& angles, const Angles& near) {
    double apart = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        angles[k] -= 2 * half_turn * std::round((angles[k] - near[k]) / (2 * half_turn));
        apart += std::abs(angles[k] - near[k]);
    }
    return apart;
}

} // namespace

BoneFrames read_bones(const std::filesystem::path& table) {
    std::ifstream in(table);
    if (!in) throw std::runtime_error("The file " + table.u8string() + " cannot be read.");
    BoneFrames found;
    std::string line;
    std::getline(in, line);
    for (int number = 2; std::getline(in, line); ++number) {
        try {
            add_row(found, line);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(table.u8string() + ", line " + std::to_string(number) + ": " + error.what() + ".");
        }
    }
    for (const auto& [name, matrices] : found.matrices)
        if (matrices.size() != found.frames.size())
            throw std::runtime_error(table.u8string() + ": " + name + " is missing in some frames.");
    return found;
}

RowMatrix rotation_of(const Angles& angles, const std::array<unsigned, 3>& order) {
    const auto turn = [&](unsigned k) { return about(order[k], angles[order[k]]); };
    return product(product(turn(0), turn(1)), turn(2));
}

/// With the axes i, j, k in their order the rotation is Ri Rj Rk; `sign` is -1 where they are left-handed. Two triples
/// of angles give the same rotation.
Angles angles_of(const RowMatrix& rotation, const std::array<unsigned, 3>& order, const Angles& near) {
    const unsigned i = order[0], j = order[1], k = order[2];
    const auto at = [&](unsigned row, unsigned column) { return rotation[4 * row + column]; };
    const double sign = (i + 1) % 3 == j ? 1 : -1;
    Angles one{}, other{};
    const double flat = std::hypot(at(i, i), at(i, j));
    one[j] = std::atan2(-sign * at(i, k), flat);
    if (flat > 1e-9) {
        one[i] = std::atan2(sign * at(j, k), at(k, k));
        one[k] = std::atan2(sign * at(i, j), at(i, i));
    } else {
        // The first axis has turned onto the last: one of both angles is free, and stays.
        one[k] = near[k];
        Angles rest{};
        rest[k] = -near[k];
        rest[j] = -one[j];
        const RowMatrix first = product(product(rotation, about(k, rest[k])), about(j, rest[j]));
        one[i] = std::atan2(sign * first[4 * j + k], first[4 * k + k]);
    }
    other[i] = one[i] + half_turn;
    other[j] = half_turn - one[j];
    other[k] = one[k] + half_turn;
    return bring_near(one, near) <= bring_near(other, near) ? one : other;
}

} // namespace sinew::host
