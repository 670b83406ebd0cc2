// Muscle sets of characters: made, fitted, mirrored, copied and tested by the library, on the host's joints and skin.
#pragma once

#include "host/authoring/edit.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew::host {

/// A character at rest, as the host has it.
struct Character {
    std::vector<std::string> joints;
    /// Each joint's parent by its index, -1 for a root; and what it does, such as "forearm.L", where the user says it
    /// (none, or one for each).
    std::vector<std::int32_t> parents;
    std::vector<std::string> roles;
    /// 16 numbers for each joint, in the host's order.
    std::vector<double> rest;
    /// The skin: three numbers for each vertex; without faces there is none.
    std::vector<float> points;
    std::vector<std::uint32_t> face_sizes, face_vertices;
};

/// Hears how far a call is, from any thread; false stops it, and then it throws sinew::Error.
using Progress = std::function<bool(double done, const char* task)>;

/// Edits of a node's muscle set: each gives back the text that the node is to hold.
class MuscleEdit {
public:
    /// `text` is that of the parameter `muscles`.
    MuscleEdit(const std::string& text, const Space& space, Progress progress = {});

    std::string text() const { return set_.text(); }
    std::vector<std::string> names() const;

    /// The muscles of a human, or those of a plan (its XML), in place of all that there are.
    Done fit(const Character& character, const std::string& plan = {});
    /// From a joint to another; ends are points in the world or, without them, the joints' places. With size 0 it is as
    /// large as the skin leaves room for. An empty name: after its joints.
    Done add(const Character& character, const std::string& name, const std::string& origin,
             const std::string& insertion, double size = 0, const std::optional<Vector>& from = {},
             const std::optional<Vector>& to = {});
    Done remove(const std::string& name);
    /// Adds what is missing on the other side of a character, wherever it stands.
    Done mirror(const Character& character);
    Done copy(const Character& from, const Character& to);
    /// A physique of the library, such as "heavy".
    Done physique(const std::string& id);
    Done rename(const std::string& name, const std::string& to);
    /// A number, or a joint, of some muscles; those that share it with others get their own. An empty value leaves it
    /// out.
    Done set(const std::vector<std::string>& names, const std::string& attribute, const std::string& value);

    struct Range {
        /// A sentence for each thing that flips, collides, jumps or shortens to nothing; and what was not tested.
        std::vector<std::string> problems, others;
    };
    /// Turns each joint through its range; `degrees` is how far at most, 0 for no limit. Nothing is changed.
    Range test(const Character& character, double push = 1, double degrees = 0, const std::string& plan = {});

private:
    Done done(std::string sentence) const;
    std::vector<std::string> warnings() const;

    Space space_;
    Context context_;
    MuscleSet set_;
};

/// The ids of the library's physiques.
std::vector<std::string> physiques();

/// A number of a muscle as a panel shows it.
struct MuscleNumber {
    std::string attribute, heading, doc, unit, type;
    /// In the host's unit and axes; for a joint the text.
    std::vector<double> values;
    std::string text;
    /// Where the library says how far a slider goes.
    std::optional<double> least, most;
    /// The input of the node that overrides it, or "".
    std::string port;
};
std::vector<MuscleNumber> muscle_numbers(const std::string& text, const std::string& muscle, const Space& space);

/// The names of joints in the form of the parameter `joint_names`.
std::string joined(const std::vector<std::string>& names);

} // namespace sinew::host
