// Tendons: what users draw and place in the host becomes elements of a strand scene.
#pragma once

#include "host/authoring/edit.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew::host {

/// What an element is given beside its place: attributes and their values, as Editing::set takes them.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// A motion that a joint has, such as "turn_z", and its range, such as "-10 90"; an empty range: free.
struct Motion {
    std::string name, range;
};

/// A joint of the host's skeleton.
struct Bone {
    /// As modelled: where tendons are drawn along it.
    Placed placed;
    /// Its parent's index among the bones that are given, -1 for none.
    int parent = -1;
    /// Where it ends, if that is known: where its child is. Otherwise where its first child among the given is; without
    /// one it is as long as its parent.
    std::optional<Vector> end;
};

enum class Lead {
    Roots,    ///< joints lead the bodies of bones without a parent; tendons move the others
    All,      ///< joints lead all bodies; tendons slide along
    Nothing,  ///< all bodies stay where they are
};

/// A body for each bone and, for those that tendons move, a joint to its parent's with these motions (none: three free
/// rotations). A bone that tendons move gets the mass of a rod.
Done add_bodies(Editing& edit, const std::vector<Bone>& bones, Lead lead, const std::vector<Motion>& motions = {});

/// The course of a tendon.
struct Route {
    std::string name, object;
    /// In the world.
    std::vector<Vector> points;
    /// What the host finds each point by, or none.
    std::vector<std::string> point_objects;
    /// What carries the points: a body, "world" or "free" for each, one for all, or none: the nearest bodies.
    std::vector<std::string> carriers;
    /// In the host's unit; 0: a part of the size of the scene.
    double radius = 0;
};

/// A strand with a node at each point: its ends carry their material, which slides through the points between.
Done draw_strand(Editing& edit, const Route& route);

/// The body that is nearest to a point; empty if the scene has none.
std::string nearest_body(Editing& edit, const Vector& point);

/// A part of any kind, such as a plane, a joint or a reel, at an object's place where it has one.
Done add_part(Editing& edit, const std::string& kind, const std::string& name, const Placed* placed,
              const Settings& settings);

/// Keeps a point of a strand in a plane instead of on a body and, where the plane names a bone, out of that.
Done tie_to_plane(Editing& edit, const std::string& strand, std::size_t point, const std::string& plane);

/// A muscle that reels in a strand at its end "first" or "last", at most with a force in N; 0: the library's.
Done add_reel(Editing& edit, const std::string& name, const std::string& strand, const std::string& end,
              double strength);

Done set_values(Editing& edit, const std::string& kind, const std::string& name, const Settings& settings);
Done rename_part(Editing& edit, const std::string& kind, const std::string& name, const std::string& to);
/// Also removes what cannot be without it; with a strand, its points that no other one shares.
Done remove_part(Editing& edit, const std::string& kind, const std::string& name);

/// The scene of the other side, at the plane through the origin perpendicular to an axis. `other` gives the object on
/// the other side of one, or "".
Done mirror_scene(Editing& edit, std::uint32_t axis, const std::function<std::string(const std::string&)>& other);

/// A strand with the numbers of another one and points of its own, moved by an offset, which are tied as the other's.
Done copy_strand(Editing& edit, const std::string& name, const std::string& to, const Vector& offset);

/// A body that matrices of the host lead, the joint that does, and where the body is as modelled. The same of a body
/// that tendons move, and the joint of which it was made.
struct Led {
    std::string body, object;
    Axes place;
};
/// In the order of the port `led_matrices`.
std::vector<Led> led_bodies(Editing& edit);
/// All others that a joint made.
std::vector<Led> moved_bodies(Editing& edit);

} // namespace sinew::host
