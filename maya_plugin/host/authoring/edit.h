// Edits of a document that belongs to a node of the host. The document lives in a text attribute of the node, as a path
// or as XML; an edit takes what the node holds and gives back what it is to hold, so that the host undoes it by putting
// back what was there. What is in a document, and what may be, is the library's: nothing here knows more of it than the
// names that an operation sets.
#pragma once

#include "host/authoring/geometry.h"
#include "host/authoring/json.h"
#include "host/player.h"

#include <sinew/sinew.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sinew::host {

/// A type of documents, and the node of the library that takes one in a parameter: what its descriptions say.
struct Holder {
    std::string type, node, param;
    /// The parameter that chooses where the node gets it from, and the choice that is that parameter; empty if there is
    /// none to be made.
    std::string chosen_by;
    std::uint32_t choice = 0;
};
/// The holder of a node, or null.
const Holder* holder_of(const std::string& node);
/// The holders of scenes of strands, and of sets of muscles. Throw std::invalid_argument where no node takes them.
const Holder& scene_holder();
const Holder& muscles_holder();

/// The index of a choice of a parameter.
std::uint32_t choice_of(const std::string& node, const std::string& param, const std::string& choice);

/// The objects of the host from which elements were made, by the kind and the name of the element.
class Origins {
public:
    /// From what text() gave, or an empty text. Throws JsonError.
    static Origins parse(const std::string& text);
    std::string text() const;

    void set(const std::string& kind, const std::string& name, const std::string& object);
    /// Empty where nothing made it.
    std::string find(const std::string& kind, const std::string& name) const;
    void rename(const std::string& kind, const std::string& name, const std::string& to);
    void remove(const std::string& kind, const std::string& name);
    /// Those of a document that was mirrored: names change sides, and so do objects where `other` knows one (else "").
    Origins mirrored(const std::function<std::string(const std::string&)>& other) const;

private:
    std::map<std::pair<std::string, std::string>, std::string> objects_;
};

/// What a node holds: its text attribute, and the objects that made its document.
struct Stored {
    std::string text, origins;
};

/// Whether a text attribute holds the path of a file, rather than a document or nothing.
bool is_path(const std::string& text);

/// The document that a text attribute holds, in the space of the host; a new one from an empty text.
Document open_document(const Holder& holder, const std::string& text, const Space& space);
/// Its text, as the calls for muscle sets take it; empty from an empty text.
std::string document_text(const Holder& holder, const std::string& text);

/// A name with left and right swapped.
std::string mirrored_name(const std::string& name);

/// A document that is being edited. Its files get their whole paths, since the node holds the text itself afterwards.
class Editing {
public:
    using Element = Document::Element;

    Editing(const Holder& holder, const Stored& before, const Space& space);
    /// What the node is to hold. Throws std::invalid_argument where meshes were made that only a file can hold.
    Stored after();
    /// The same, in a file, with the meshes beside it.
    Stored save(const std::string& path);

    Document& document() { return document_; }
    Origins& origins() { return origins_; }
    const Space& space() const { return space_; }

    /// An element with all that it contains, as the library says.
    Json read(Element element) const { return Json::parse(document_.read(element)); }
    Json read() const { return read(document_.root()); }
    /// The names of the elements of a kind, in their order.
    std::vector<std::string> names(const std::string& kind) const;
    bool has(const std::string& kind, const std::string& name) const;
    /// Throws std::invalid_argument if there is none.
    Element find(const std::string& kind, const std::string& name) const;
    /// A name like one that no element of the kinds has.
    std::string free_name(const std::string& like, const std::vector<std::string>& kinds) const;
    /// A new element with a name, which an object of the host made, or none.
    Element add(const std::string& kind, const std::string& name, const std::string& object);
    /// What the library knows of a kind of elements.
    const Json& schema(const std::string& kind) const;
    /// Sets an attribute from a text, as a user enters it: numbers are in the host's unit and axes; an empty one leaves
    /// it out.
    void set(Element element, const std::string& kind, const std::string& attribute, const std::string& value);
    void set_number(Element element, const char* attribute, double value);
    void set_point(Element element, const char* attribute, const Vector& point);

    /// Renames an element everywhere; how many attributes followed.
    std::uint32_t rename(const std::string& kind, const std::string& name, const std::string& to);
    /// Removes an element, and what cannot be without it: elements that must name it. Where it may be left out, it is.
    /// Returns what went and what was changed, as "in_plane of flexor 2".
    std::vector<std::string> remove(const std::string& kind, const std::string& name);
    /// Meshes of a mirrored document are only in memory until it is saved.
    void made_meshes() { unsaved_ = true; }
    bool has_meshes() const;

private:
    void name_whole_paths(const std::string& folder);

    const Holder& holder_;
    Space space_;
    Document document_;
    Origins origins_;
    Json schema_;
    bool unsaved_ = false;
};

/// What an edit did, as a sentence for users, with what it warns of.
struct Done {
    std::string sentence;
    std::vector<std::string> warnings;
};

/// "1 body", "2 bodies".
std::string counted(std::size_t count, const std::string& one, const std::string& several);
/// Names in a row: a, b, c.
std::string listed(const std::vector<std::string>& names);

} // namespace sinew::host
