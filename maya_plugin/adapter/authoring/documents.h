// A document in the text attribute of a node: read, and written by a modifier, which an undo takes back.
#pragma once

#include "adapter/commands/command.h"
#include "host/authoring/edit.h"

#include <maya/MDGModifier.h>
#include <maya/MStringArray.h>

#include <string>

namespace sinew::maya {

/// The attribute, added to a node with its first document, that says which objects made its elements.
constexpr const char* origins_attribute = "sinewMadeFrom";

/// The holder of a node's document. Throws a Problem if its type has none.
const host::Holder& holder_of(const Found& node);
/// The plug of an attribute of the plan by the id of its parameter or port.
MPlug param_plug(const Found& node, const std::string& id);
MPlug port_plug(const Found& node, const std::string& id);

host::Stored stored_of(const Found& node);
/// Adds to a modifier what makes a node hold this.
void store(MDGModifier& modifier, const Found& node, const host::Stored& stored);

/// The node of a type that has a name; or that is among the objects of a command; nothing if there is none there.
Found node_named(const std::string& name, const std::string& id);
std::optional<Found> given_node(const MArgDatabase& arguments, const std::string& id);

/// The words of a flag that is given once.
std::vector<std::string> words_of(const MArgDatabase& arguments, const char* flag, unsigned words);
/// Those of each use of a flag that may be given several times, of which Maya gives only the first otherwise.
std::vector<std::vector<std::string>> uses_of(const MArgDatabase& arguments, const char* flag, unsigned words);

/// What a command returns: the node, what was done, what is to be known of it. Warnings are displayed, too.
MStringArray result_of(const Found& node, const host::Done& done);

} // namespace sinew::maya
