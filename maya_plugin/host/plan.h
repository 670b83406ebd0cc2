// What a host shows of a node of the library: made from its descriptor, with nothing that is true of one node only.
#pragma once

#include <sinew/sinew.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sinew::host {

/// What kind of node the host makes of a node of the library.
enum class Shape {
    /// It moves the vertices of the body: a deformer.
    Deformer,
    /// It takes the body and gives it back with other UVs.
    Mesh,
    /// It gives numbers, matrices, curves.
    Values,
};

/// How the host holds an attribute.
enum class Holds {
    Switch,   ///< on or off
    Whole,    ///< a whole number
    Number,   ///< a number
    Choice,   ///< one of a list
    Text,     ///< a text, or the path of a file
    Mesh,     ///< a mesh; as an output, one that the node makes
    Points,   ///< a mesh with the body's vertices, of which the node takes only where they are
    Curves,   ///< an output: a curve for each item, each with a connection of its own
    Map,      ///< a number for each vertex of the body, which users paint
    Each,     ///< a number for each item, each with keys of its own
    Matrices, ///< a matrix for each item, each with a connection of its own
    Numbers,  ///< an array of items of `components` numbers
    Integers, ///< an array of items of `components` whole numbers
};

/// What an attribute belongs to in the library.
enum class Of { Input, Output, Param, MadeMesh, MadeCurves };

struct Choice {
    std::string id, title, doc;
};

/// An attribute of the host's node. `name` is permanent and unique in its node, and serves as long and as short name.
struct Attribute {
    std::string name;
    /// The permanent id of the port, the parameter or the mesh; of curves, that of the port with their nodes.
    std::string id;
    Of of = Of::Param;
    Holds holds = Holds::Number;
    std::uint32_t components = 1;
    std::string title, doc, group;
    /// For parameters the unit of the value, whatever the host's is; and what is measured.
    std::string unit, quantity;
    double default_value = 0, minimum = 0, maximum = 0, soft_minimum = 0, soft_maximum = 0;
    std::string default_text;
    bool has_range = false, required = false, keyable = false, advanced = false, whole = false;
    /// Whether an input belongs to the body at rest, or is painted: what does not move from frame to frame.
    bool still = false;
    /// For a path: a filter such as "*.xml".
    bool is_file = false;
    std::string files;
    std::vector<Choice> choices;
    /// The mesh and the element that items belong to; both empty if they are free, and then `items` says what they are.
    std::string mesh, element, items;
    /// Ids of ports of the same direction, or empty: that which counts the items of each list, such as the nodes of each
    /// curve; that with the radius of each curve; that between whose neighbours the items lie.
    std::string counted_by, radii, between;
    /// For whole numbers that are each the number of something: the word for that.
    std::string index_of;
    /// For a text: the type of the document that it holds.
    std::string document;

    /// Whether the node computes it.
    bool is_output() const { return of == Of::Output || of == Of::MadeMesh || of == Of::MadeCurves; }
    /// The choice parameter (its attribute's name) with which it is shown, and for which of its choices.
    std::string shown_with;
    std::uint64_t shown_choices = 0;
    /// The names of the outputs that it may change, and whether it may change what the host's geometry takes.
    std::vector<std::string> affects;
    bool affects_geometry = false;
};

/// A node of the library as the host shows it.
struct Plan {
    std::string id, title, doc;
    /// The name of the host's type: "sinewSkinSlider" for skin_slider.
    std::string type_name;
    /// Within the block of type ids: the node's permanent number.
    std::uint32_t number = 0;
    bool stateful = false;
    Shape shape = Shape::Values;
    std::vector<Attribute> attributes;
    /// Ids of the ports that the host's geometry feeds and takes; empty where there is none. Neither they nor the
    /// parameter that is the host's frame rate have an attribute.
    std::string points_in, points_out, uvs_out, body_mesh;
    std::vector<SinewMeshInfo> made_meshes;

    const Attribute* find(const std::string& name) const;
};

/// What the library says of a node.
struct Described {
    SinewNodeInfo node{};
    std::vector<SinewPortInfo> ports;
    std::vector<SinewParamInfo> params;
    /// Those of each parameter.
    std::vector<std::vector<SinewChoiceInfo>> choices;
    std::vector<SinewMeshInfo> meshes;
    /// Whether an input or a parameter may change an output.
    std::function<bool(const char* from, const char* output)> affects;
};

/// The plan of a node; throws std::invalid_argument if two of its attributes would have one name, or one that is taken.
Plan plan_of(const Described& described);

/// A plan for each node of the library, in its order.
std::vector<Plan> plans();

/// The id of the parameter that holds the host's frame rate, in frames per second.
inline constexpr const char* frame_rate_param = "fps";

/// What attributes a host's node has beside those of the plan. No port or parameter may have such a name.
struct OwnNames {
    static constexpr const char* time = "current_time";
    static constexpr const char* start = "start_time";
    static constexpr const char* in_mesh = "in_mesh";
    static constexpr const char* out_mesh = "out_mesh";
    static constexpr const char* uv_set = "uv_set";
    static constexpr const char* maps = "painted_maps";
    static constexpr const char* memory = "frame_memory";
    static constexpr const char* status = "status";
    static constexpr const char* missing = "missing_frames";
    static constexpr const char* kept = "kept_frames";
    static constexpr const char* all[] = {time, start, in_mesh, out_mesh, uv_set, maps, memory, status, missing, kept};
};

} // namespace sinew::host
