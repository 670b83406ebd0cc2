#include "description.h"

#include <cstdio>

namespace sinew::host {
namespace {

const char* name_of(Shape shape) {
    switch (shape) {
    case Shape::Deformer: return "deformer";
    case Shape::Mesh: return "mesh";
    case Shape::Values: break;
    }
    return "values";
}

/// Members of an object, with a comma before all but the first.
class Object {
public:
    explicit Object(std::string& out) : out_(out) { out_ += '{'; }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    ~Object() { out_ += '}'; }

    std::string& member(const char* name) {
        if (!first_) out_ += ", ";
        first_ = false;
        out_ += quoted(name);
        out_ += ": ";
        return out_;
    }
    void text(const char* name, const std::string& value) { member(name) += quoted(value); }
    void flag(const char* name, bool value) { member(name) += value ? "true" : "false"; }

private:
    std::string& out_;
    bool first_ = true;
};

template <class Items, class Write> void list(std::string& out, const Items& items, Write write) {
    out += '[';
    bool first = true;
    for (const auto& item : items) {
        if (!first) out += ", ";
        first = false;
        write(item);
    }
    out += ']';
}

std::vector<int> shown_choices(std::uint64_t bits) {
    std::vector<int> found;
    for (int i = 0; i < 64; ++i)
        if (bits >> i & 1U) found.push_back(i);
    return found;
}

void write(std::string& out, const Attribute& attribute) {
    Object object(out);
    object.text("name", attribute.name);
    object.text("title", attribute.title);
    object.text("doc", attribute.doc);
    object.text("group", attribute.group);
    object.text("of", name_of(attribute.of));
    object.text("holds", name_of(attribute.holds));
    object.text("unit", attribute.unit);
    object.text("shown_with", attribute.shown_with);
    list(object.member("shown_choices"), shown_choices(attribute.shown_choices),
         [&](int i) { out += std::to_string(i); });
    object.flag("advanced", attribute.advanced);
    list(object.member("choices"), attribute.choices, [&](const Choice& choice) {
        Object made(out);
        made.text("title", choice.title);
        made.text("doc", choice.doc);
    });
    object.flag("paintable", attribute.holds == Holds::Map);
    object.flag("is_file", attribute.is_file);
    object.text("files", attribute.files);
}

} // namespace

const char* name_of(Of of) {
    switch (of) {
    case Of::Input: return "input";
    case Of::Output: return "output";
    case Of::MadeMesh: return "made_mesh";
    case Of::MadeCurves: return "made_curves";
    case Of::Param: break;
    }
    return "param";
}

const char* name_of(Holds holds) {
    switch (holds) {
    case Holds::Switch: return "switch";
    case Holds::Whole: return "whole";
    case Holds::Number: return "number";
    case Holds::Choice: return "choice";
    case Holds::Text: return "text";
    case Holds::Mesh: return "mesh";
    case Holds::Points: return "points";
    case Holds::Curves: return "curves";
    case Holds::Map: return "map";
    case Holds::Each: return "each";
    case Holds::Matrices: return "matrices";
    case Holds::Numbers: return "numbers";
    case Holds::Integers: break;
    }
    return "integers";
}

std::string quoted(const std::string& text) {
    std::string made = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') {
            made += '\\';
            made += letter;
        } else if (static_cast<unsigned char>(letter) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(letter));
            made += code;
        } else {
            made += letter;
        }
    }
    return made + '"';
}

std::string description(const std::vector<const Plan*>& plans) {
    std::string out;
    {
        Object object(out);
        list(object.member("nodes"), plans, [&](const Plan* plan) {
            Object node(out);
            node.text("type_name", plan->type_name);
            node.text("title", plan->title);
            node.text("doc", plan->doc);
            node.text("shape", name_of(plan->shape));
            list(node.member("attributes"), plan->attributes,
                 [&](const Attribute& attribute) { write(out, attribute); });
        });
    }
    return out;
}

} // namespace sinew::host
