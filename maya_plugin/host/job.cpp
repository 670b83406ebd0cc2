#include "job.h"

#include "drawing/drawable.h"
#include "numbers.h"

#include <algorithm>
#include <cstring>
#include <locale>
#include <stdexcept>

namespace sinew::host {
namespace {

/// The faces and UVs of a body whose node takes its points only.
constexpr const char* body_file = "body.obj";

std::string xml_text(const std::string& text) {
    std::string made;
    for (const char letter : text) {
        switch (letter) {
        case '&': made += "&amp;"; break;
        case '<': made += "&lt;"; break;
        case '>': made += "&gt;"; break;
        case '"': made += "&quot;"; break;
        case '\n': made += "&#10;"; break;
        case '\t': made += "&#9;"; break;
        default: made += letter;
        }
    }
    return made;
}

double number_at(const SinewArray& array, std::uint64_t item, std::uint32_t component) {
    const std::size_t size = array.element == SINEW_F64 ? 8 : 4;
    const std::uint64_t stride = array.stride != 0 ? array.stride : size * array.components;
    const char* from = static_cast<const char*>(array.data) + item * stride + component * size;
    const auto read = [from](auto value) {
        std::memcpy(&value, from, sizeof value);
        return static_cast<double>(value);
    };
    switch (array.element) {
    case SINEW_F32: return read(float{});
    case SINEW_F64: return read(double{});
    case SINEW_I32: return read(std::int32_t{});
    default: return read(std::uint32_t{});
    }
}

/// A little-endian word of four bytes, whatever the machine's order is.
template <class T> void put_word(std::ostream& out, T value) {
    static_assert(sizeof(T) == 4);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; ++i) out.put(static_cast<char>(bits >> (8 * i) & 0xFFU));
}

/// PC2: points in floats, frame after frame.
void put_pc2_header(std::ostream& out, std::uint32_t points, std::int64_t first, std::size_t frames) {
    out.seekp(0);
    out.write("POINTCACHE2", 12);
    put_word(out, std::int32_t{1});
    put_word(out, points);
    put_word(out, static_cast<float>(first));
    put_word(out, 1.0F);
    put_word(out, static_cast<std::uint32_t>(frames));
}

} // namespace

std::string job_name(const std::string& node_name) {
    std::string name = node_name;
    for (char& letter : name) {
        const bool usual = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
        if (!usual) letter = '_';
    }
    return name;
}

Job::Job(const std::filesystem::path& folder, const Plan& plan, const std::string& name, const JobSpace& space)
    : folder_(folder), plan_(plan), name_(job_name(name)), space_(space) {
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    if (failed)
        throw std::runtime_error("The folder " + folder_.u8string() + " cannot be made: " + failed.message() + ".");
}

const Attribute* Job::attribute(const std::string& port) const {
    for (const Attribute& attribute : plan_.attributes)
        if (attribute.of == Of::Input && attribute.id == port) return &attribute;
    return nullptr;
}

std::ofstream& Job::open(const std::string& file) {
    const auto found = streams_.find(file);
    if (found != streams_.end()) return found->second;
    std::ofstream stream(folder_ / file, std::ios::binary | std::ios::trunc);
    if (!stream) throw std::runtime_error("The file " + (folder_ / file).u8string() + " cannot be written.");
    // The host's would group the digits of whole numbers.
    stream.imbue(std::locale::classic());
    return streams_.emplace(file, std::move(stream)).first->second;
}

void Job::link(const std::string& port, const std::string& file) { inputs_.emplace(port, file); }

void Job::set_body(const MeshView& mesh) {
    write_mesh(body_file, mesh);
    has_body_ = true;
}

void Job::add_mesh(const std::string& port, const MeshView& mesh) {
    const std::string file = port + ".obj";
    write_mesh(file, mesh);
    link(port, file);
}

void Job::write_mesh(const std::string& file, const MeshView& mesh) {
    std::ofstream& out = open(file);
    for (std::size_t i = 0; i + 2 < mesh.points.size(); i += 3)
        out << "v " << number_text(double{mesh.points[i]}) << ' ' << number_text(double{mesh.points[i + 1]}) << ' '
            << number_text(double{mesh.points[i + 2]}) << '\n';
    for (std::size_t i = 0; i + 1 < mesh.uvs.size(); i += 2)
        out << "vt " << number_text(double{mesh.uvs[i]}) << ' ' << number_text(double{mesh.uvs[i + 1]}) << '\n';
    std::size_t corner = 0;
    for (const std::uint32_t size : mesh.face_sizes) {
        out << 'f';
        for (std::uint32_t k = 0; k < size; ++k, ++corner) {
            out << ' ' << mesh.face_vertices[corner] + 1;
            if (mesh.corner_uvs.size() != 0) out << '/' << mesh.corner_uvs[corner] + 1;
        }
        out << '\n';
    }
}

void Job::add_points(const std::string& port, const SinewArray& array) {
    const std::string file = port + ".pc2";
    std::ofstream& out = open(file);
    const auto count = static_cast<std::uint32_t>(array.count);
    const auto [known, is_first] = point_counts_.emplace(file, count);
    if (is_first) put_pc2_header(out, count, 0, 0);
    if (known->second != count)
        throw std::runtime_error("The body has another number of vertices in frame " + std::to_string(frames_.back()) +
                                 ": a job needs the same in all frames.");
    for (std::uint64_t i = 0; i < array.count; ++i)
        for (std::uint32_t k = 0; k < 3; ++k) put_word(out, static_cast<float>(number_at(array, i, k)));
    link(port, file);
}

/// The body at rest, of a node that needs its points alone.
void Job::add_still_points(const std::string& port, const SinewArray& array) {
    const std::string file = port + ".obj";
    std::ofstream& out = open(file);
    for (std::uint64_t i = 0; i < array.count; ++i)
        out << "v " << number_text(number_at(array, i, 0)) << ' ' << number_text(number_at(array, i, 1)) << ' '
            << number_text(number_at(array, i, 2)) << '\n';
    link(port, file);
}

/// Joints at rest are frame `rest` of a table, which every table has: where a node takes none, it is the first frame.
void Job::add_transforms(const Attribute& attribute, const SinewArray& array) {
    const std::string rest = "rest_";
    const bool at_rest = attribute.still && attribute.id.compare(0, rest.size(), rest) == 0;
    const std::string moving = at_rest ? attribute.id.substr(rest.size()) : attribute.id;
    const std::string file = moving + ".csv";
    const bool is_new = streams_.count(file) == 0;
    std::ofstream& out = open(file);
    if (is_new) out << "frame,joint,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n";
    if (is_new && !at_rest && !this->attribute(rest + attribute.id)) put_transforms(out, "rest", array);
    put_transforms(out, at_rest ? "rest" : std::to_string(frames_.back()), array);
    link(moving, file);
}

/// The upper three rows for column vectors, which the host's may have as columns.
void Job::put_transforms(std::ostream& out, const std::string& frame, const SinewArray& array) const {
    for (std::uint64_t joint = 0; joint < array.count; ++joint) {
        out << frame << ",joint" << joint;
        for (std::uint32_t row = 0; row < 3; ++row)
            for (std::uint32_t column = 0; column < 4; ++column)
                out << ','
                    << number_text(number_at(array, joint, space_.row_vectors ? 4 * column + row : 4 * row + column));
        out << '\n';
    }
}

void Job::add_table(const std::string& port, const SinewArray& array, bool still) {
    const std::string file = port + ".csv";
    const bool is_new = streams_.count(file) == 0;
    std::ofstream& out = open(file);
    if (is_new && !still) {
        out << "frame";
        for (std::uint32_t k = 0; k < array.components; ++k) out << ",n" << k;
        out << '\n';
    }
    for (std::uint64_t i = 0; i < array.count; ++i) {
        if (!still) out << frames_.back() << ',';
        for (std::uint32_t k = 0; k < array.components; ++k)
            out << (k > 0 ? "," : "") << number_text(number_at(array, i, k));
        out << '\n';
    }
    link(port, file);
}

/// Which joints hold each vertex how much: three inputs that one table gives.
void Job::add_weights(const Given& given) {
    const SinewArray *counts = nullptr, *joints = nullptr, *weights = nullptr;
    std::string port;
    for (const std::vector<PortValue>* values : {&given.still, &given.moving}) {
        for (const PortValue& value : *values) {
            const Attribute* plan = attribute(value.port);
            const auto* array = std::get_if<SinewArray>(&value.value);
            if (!plan || !array) continue;
            if (plan->element == "influence" && plan->whole) joints = array;
            if (plan->element == "influence" && !plan->whole) {
                weights = array;
                port = value.port;
            }
            if (plan->element == "vertex" && plan->holds == Holds::Integers) counts = array;
        }
    }
    if (!counts || !joints || !weights) return;
    std::ofstream& out = open("weights.csv");
    out << "vertex,joint,weight\n";
    std::uint64_t at = 0;
    for (std::uint64_t vertex = 0; vertex < counts->count; ++vertex) {
        const auto count = static_cast<std::uint64_t>(number_at(*counts, vertex, 0));
        for (std::uint64_t k = 0; k < count; ++k, ++at)
            out << vertex << ",joint" << static_cast<std::uint64_t>(number_at(*joints, at, 0)) << ','
                << number_text(number_at(*weights, at, 0)) << '\n';
    }
    link(port, "weights.csv");
}

void Job::add_port(const PortValue& value, bool still) {
    if (const auto* mesh = std::get_if<MeshView>(&value.value)) {
        // A mesh that moves gives its first frame: its topology and UVs are what nodes take from it.
        if (inputs_.count(value.port) == 0) add_mesh(value.port, *mesh);
        return;
    }
    const auto& array = std::get<SinewArray>(value.value);
    const Attribute* plan = attribute(value.port);
    if (!plan && still) return add_still_points(value.port, array);
    if (!plan || plan->holds == Holds::Points) return add_points(value.port, array);
    if (plan->element == "influence" || (plan->element == "vertex" && plan->holds == Holds::Integers)) return;
    if (plan->quantity == "transform") return add_transforms(*plan, array);
    add_table(value.port, array, still);
}

void Job::add_param(const ParamValue& param) { params_[param.param].push_back(param.value); }

void Job::add_still(const Given& given) {
    for (const PortValue& value : given.still) add_port(value, true);
    for (const ParamValue& param : given.still_params) add_param(param);
    add_weights(given);
}

void Job::add_frame(std::int64_t number, const Given& given) {
    if (!frames_.empty() && number != frames_.back() + 1)
        throw std::runtime_error("Frames of a job follow each other without gaps.");
    const bool is_first = frames_.empty();
    frames_.push_back(number);
    if (is_first) add_still(given);
    for (const PortValue& value : given.moving) add_port(value, false);
    for (const ParamValue& param : given.params) add_param(param);
}

/// What comes out, as hosts read it: the body as Alembic, with its UVs or with its points, curves as Alembic, and
/// everything else as tables; transforms in one for all frames.
std::string Job::outputs() const {
    if (!plan_.uvs_out.empty()) return "    <cache file=\"" + name_ + ".abc\"/>\n";
    if (!plan_.points_out.empty())
        return "    <write file=\"" + name_ + ".abc\" from=\"" + name_ + "." + plan_.points_out + "\" faces=\"" +
               body_file + "\"/>\n";
    std::string made = curves();
    for (const Attribute& attribute : plan_.attributes) {
        if (attribute.of != Of::Output) continue;
        const std::string frames = attribute.quantity == "transform" ? "" : ".%04d";
        made += "    <write file=\"" + attribute.name + frames + ".csv\" from=\"" + name_ + "." + attribute.id +
                "\"/>\n";
    }
    return made;
}

std::string Job::curves() const {
    for (const Drawable& one : drawables(plan_)) {
        if (one.form != Form::Curves) continue;
        const auto port = [this](const std::string& id) { return name_ + "." + id; };
        std::string made = "    <write file=\"" + name_ + ".abc\" from=\"" + port(one.points) + " " + port(one.counts);
        if (!one.radii.empty()) made += "\" radii=\"" + port(one.radii);
        return made + "\"/>\n";
    }
    return {};
}

std::string Job::text_of(const Attribute& param, const std::variant<double, std::string>& value) const {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    const double number = std::get<double>(value);
    if (param.holds == Holds::Choice) return param.choices.at(static_cast<std::size_t>(number)).id;
    if (param.holds == Holds::Switch) return number != 0 ? "true" : "false";
    return number_text(number);
}

/// One value, or a table of those of all frames.
std::string Job::param_line(const Attribute& param, const std::vector<std::variant<double, std::string>>& values) {
    const std::string begin = "    <param id=\"" + param.id + "\" ";
    if (std::all_of(values.begin(), values.end(), [&](const auto& one) { return one == values.front(); })) {
        const std::string value = text_of(param, values.front());
        return value.empty() ? "" : begin + "value=\"" + xml_text(value) + "\"/>\n";
    }
    if (param.holds == Holds::Text)
        throw std::runtime_error(param.name + " is a text that changes from frame to frame: a job holds one text. " +
                                 "Give it one.");
    const std::string file = "param_" + param.id + ".csv";
    std::ofstream& out = open(file);
    out << "frame,value\n";
    for (std::size_t i = 0; i < values.size(); ++i) out << frames_.at(i) << ',' << text_of(param, values[i]) << '\n';
    return begin + "file=\"" + file + "\"/>\n";
}

std::filesystem::path Job::finish() {
    if (frames_.empty()) throw std::runtime_error("A job needs at least one frame.");
    if (!plan_.points_out.empty() && !has_body_)
        throw std::runtime_error("A job that moves points needs the faces of the body.");
    for (const auto& [file, count] : point_counts_) put_pc2_header(open(file), count, frames_.front(), frames_.size());
    const std::string path = name_ + ".xml";
    std::ofstream& out = open(path);
    out << "<sinew version=\"1\">\n  <space metres_per_unit=\"" << number_text(space_.metres_per_unit) << "\" up=\""
        << (space_.z_up ? 'z' : 'y') << "\"/>\n  <frames range=\"" << frames_.front() << '-' << frames_.back()
        << "\" fps=\"" << number_text(space_.frames_per_second) << "\"/>\n  <node type=\"" << plan_.id << "\" name=\""
        << name_ << "\" lean=\"yes\">\n";
    for (const Attribute& param : plan_.attributes) {
        const auto found = params_.find(param.id);
        if (param.of != Of::Param || found == params_.end()) continue;
        out << param_line(param, found->second);
    }
    for (const auto& [port, file] : inputs_)
        out << "    <input port=\"" << port << "\" file=\"" << file << "\"/>\n";
    out << "  </node>\n  <outputs folder=\"results\">\n" << outputs() << "  </outputs>\n</sinew>\n";
    for (auto& [file, stream] : streams_) {
        stream.close();
        if (!stream)
            throw std::runtime_error("The file " + (folder_ / file).u8string() +
                                     " cannot be written: is the disk full?");
    }
    return folder_ / path;
}

} // namespace sinew::host
