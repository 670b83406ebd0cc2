// Characters for the tests of authoring, made from nothing but matrices and points: a finger and a small human.
#pragma once

#include "host/authoring/muscles.h"
#include "host/authoring/tendon.h"

#include <array>
#include <string>
#include <vector>

namespace sinew::tests {

using host::Matrix;
using host::Vector;
using host::operator+;
using host::operator-;
using host::operator*;

/// Where a character stands: turned about an axis through the origin by degrees, then moved; and in which unit it is.
struct Stand {
    Vector axis{0, 1, 0};
    double degrees = 0;
    /// In centimetres.
    Vector by{0, 0, 0};
    double metres_per_unit = 0.01;
    bool row_vectors = true;

    host::Space space() const { return {metres_per_unit, SINEW_UP_Y, row_vectors}; }
    /// A place that is given in centimetres at the origin, in the unit and the place of this one.
    Vector place(const Vector& point) const;
    /// A matrix, as the host stores it: axes turned by degrees about z, at a point.
    Matrix matrix(const Vector& at, double about_z = 0) const;
};

inline const Stand at_origin{};
inline const Stand far_and_turned{{0.6, 0.0, 0.8}, 130, {1000, -250, 400}, 0.01, true};
inline const Stand in_metres{{0, 1, 0}, 0, {0, 0, 0}, 1, true};
inline const Stand as_columns{{0, 1, 0}, 0, {0, 0, 0}, 0.01, false};

/// A finger along x, palm down: metacarpal, which its joint leads, and three bones; a flexor below and an extensor
/// above, with a muscle each.
host::Stored finger(const Stand& stand);
/// The joints of the finger, in their order; as they stand when the scene is drawn.
std::vector<host::Bone> finger_bones(const Stand& stand);

/// A human of boxes, of nine points each, with 21 joints, whose arms are straight and apart; `tall` scales it.
host::Character human(const Stand& stand, double tall = 1);

} // namespace sinew::tests
