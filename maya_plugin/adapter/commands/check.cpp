#include "adapter/commands/check.h"

#include "adapter/authoring/document_faults.h"
#include "adapter/commands/inputs.h"
#include "adapter/commands/shown.h"
#include "adapter/text.h"
#include "host/description.h"

#include <maya/MGlobal.h>
#include <maya/MPlug.h>

#include <cctype>

namespace sinew::maya {
namespace {

struct Fault {
    std::string text;
    std::vector<std::string> components;
};

/// The number after a word in the library's messages, which name places as "vertex 12".
std::string number_after(const std::string& text, const std::string& word) {
    const std::size_t at = text.find(word + " ");
    std::string number;
    if (at != std::string::npos)
        for (std::size_t i = at + word.size() + 1; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
             ++i)
            number += text[i];
    return number;
}

Fault fault_of(const Found& node, const std::string& text) {
    Fault fault{text, {}};
    const MDagPath path = shown_shape(node);
    const std::string shape = path.isValid() ? utf8(path.partialPathName()) : "";
    for (const auto& [word, component] : {std::pair<const char*, const char*>{"vertex", ".vtx["}, {"face", ".f["}}) {
        const std::string number = number_after(text, word);
        if (!shape.empty() && !number.empty()) fault.components.push_back(shape + component + number + "]");
    }
    return fault;
}

std::vector<Fault> faults_of(const Found& node) {
    std::vector<Fault> faults;
    for (const std::string& text : unconnected_inputs(node)) faults.push_back({text, {}});
    bool broken = false;
    for (const DocumentFault& fault : document_faults(node)) {
        faults.push_back({fault.text, fault.components});
        broken = broken || fault.error;
    }
    // What the node itself says of its document is there already.
    if (broken) return faults;
    MStatus status;
    const MString said = MPlug(node.node, node.kind->status).asString(&status);
    if (!status) faults.push_back({"The node cannot be evaluated: the Script Editor says why.", {}});
    else if (said.length() > 0) faults.push_back(fault_of(node, utf8(said)));
    return faults;
}

std::string json_of(const Found& node, const Fault& fault) {
    std::string json = "{\"node\": " + host::quoted(node.name) + ", \"text\": " + host::quoted(fault.text) +
                       ", \"components\": [";
    for (const std::string& component : fault.components)
        json += (json.back() == '[' ? "" : ", ") + host::quoted(component);
    return json + "]}";
}

/// Selects them as a user would, so that undo brings the selection back.
void select(const std::vector<std::string>& components) {
    std::string line = "select -replace";
    for (const std::string& component : components) {
        MSelectionList exists;
        if (exists.add(maya_text(component)) == MS::kSuccess) line += " \"" + component + "\"";
    }
    if (line.back() == '"') MGlobal::executeCommand(maya_text(line), false, true);
}

} // namespace

MSyntax CheckCommand::make_syntax() { return object_syntax(false); }

void CheckCommand::run(const MArgDatabase& arguments) {
    std::string json;
    std::vector<std::string> components;
    for (const Found& node : our_nodes(arguments, true)) {
        for (const Fault& fault : faults_of(node)) {
            displayWarning(maya_text(node.name + ": " + fault.text));
            json += (json.empty() ? "" : ", ") + json_of(node, fault);
            components.insert(components.end(), fault.components.begin(), fault.components.end());
        }
    }
    if (json.empty()) displayInfo("Sinew found nothing wrong.");
    select(components);
    setResult(maya_text("[" + json + "]"));
}

} // namespace sinew::maya
