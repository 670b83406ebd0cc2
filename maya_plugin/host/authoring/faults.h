// What is wrong with a document, and which object of the host made it.
#pragma once

#include "host/authoring/edit.h"

#include <string>
#include <vector>

namespace sinew::host {

struct Fault {
    /// "unreadable", "error", "unknown", "warning".
    std::string weight;
    /// The number of the element, -1 where the whole document is meant. Its kind and name or, for a part of something
    /// that has a name, those of that, and the part: "node 3" of a strand, with its number from 1; otherwise 0.
    std::int64_t element = -1;
    std::string kind, name, part;
    std::size_t index = 0;
    /// The kinds of the elements around it; the attribute, if it is one.
    std::string path, attribute;
    /// In the text that the node holds, 0 if unknown.
    std::int64_t line = 0;
    std::string message;
    /// What the host finds the object by that made the element, or what it belongs to; empty where none did.
    std::string object;

    bool is_error() const { return weight == "unreadable" || weight == "error"; }
    /// For users: 'strand "flexor", node 2: there is no point "x".'
    std::string sentence() const;
};

/// All that the library says of what a node holds: errors first. A document that is no XML has one fault.
std::vector<Fault> faults(const Holder& holder, const Stored& stored, const Space& space);

} // namespace sinew::host
