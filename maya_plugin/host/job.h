// A node's inputs as a folder that `sinew run` computes without the host: a job in XML with the files that it names
// (`sinew scene` describes it). Numbers are written so that they come back with all their bits.
#pragma once

#include "session.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace sinew::host {

/// How the host measures, as the job states it.
struct JobSpace {
    double metres_per_unit = 1;
    bool z_up = false;
    /// Whether matrices are for row vectors.
    bool row_vectors = false;
    double frames_per_second = 24;
};

/// What the job of a node is called, and its Alembic file: the host's name without what paths cannot hold.
std::string job_name(const std::string& node_name);

/// A job that is being written. Every function throws std::runtime_error with a sentence for the user: for what a file
/// cannot be written, or what a job cannot say.
class Job {
public:
    /// Makes the folder. `name` is the host's name of the node, without what paths cannot hold.
    Job(const std::filesystem::path& folder, const Plan& plan, const std::string& name, const JobSpace& space);

    /// The body of a node that moves its points: Alembic has its faces and UVs, which such a node is not given.
    void set_body(const MeshView& mesh);
    /// The inputs of a frame, in order; `number` is the host's. What does not move is written with the first one.
    void add_frame(std::int64_t number, const Given& given);
    /// Writes the job; gives its path.
    std::filesystem::path finish();

private:
    void add_still(const Given& given);
    void add_param(const ParamValue& param);
    void add_port(const PortValue& value, bool still);
    void add_mesh(const std::string& port, const MeshView& mesh);
    void write_mesh(const std::string& file, const MeshView& mesh);
    void add_points(const std::string& port, const SinewArray& array);
    void add_still_points(const std::string& port, const SinewArray& array);
    void add_transforms(const Attribute& attribute, const SinewArray& array);
    void put_transforms(std::ostream& out, const std::string& frame, const SinewArray& array) const;
    void add_table(const std::string& port, const SinewArray& array, bool still);
    void add_weights(const Given& given);
    const Attribute* attribute(const std::string& port) const;
    std::ofstream& open(const std::string& file);
    void link(const std::string& port, const std::string& file);
    std::string outputs() const;
    std::string curves() const;
    std::string text_of(const Attribute& param, const std::variant<double, std::string>& value) const;
    std::string param_line(const Attribute& param, const std::vector<std::variant<double, std::string>>& values);

    std::filesystem::path folder_;
    const Plan& plan_;
    std::string name_;
    JobSpace space_;
    std::vector<std::int64_t> frames_;
    /// By port, its file's name; by file, its stream, which stays open while frames are added.
    std::map<std::string, std::string> inputs_;
    std::map<std::string, std::ofstream> streams_;
    std::map<std::string, std::uint32_t> point_counts_;
    /// By parameter, its value, or those of all frames.
    std::map<std::string, std::vector<std::variant<double, std::string>>> params_;
    bool has_body_ = false;
};

} // namespace sinew::host
