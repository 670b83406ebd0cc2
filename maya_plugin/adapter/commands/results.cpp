#include "adapter/commands/results.h"

#include "adapter/guard.h"
#include "host/job.h"

#include <algorithm>

namespace sinew::maya {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
        if (entry.path().extension() == extension) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

fs::path alembic_file(const fs::path& path) {
    std::error_code failed;
    const std::string name = path.u8string();
    if (!fs::exists(path, failed)) throw Problem("There is no file or folder " + name + ".");
    if (!fs::is_directory(path, failed)) {
        if (path.extension() == ".abc") return path;
        throw Problem(name + " is no Alembic file: choose one that ends in .abc, or the folder of the job.");
    }
    // A job writes there, see host::Job.
    const fs::path inner = path / "results";
    const fs::path folder = fs::is_directory(inner, failed) ? inner : path;
    const std::vector<fs::path> found = files_in(folder, ".abc");
    if (found.size() > 1)
        throw Problem(folder.u8string() + " has several Alembic files: choose one of them, not the folder.");
    if (found.size() == 1) return found.front();
    if (files_in(folder, ".pc2").empty() && files_in(folder, ".csv").empty())
        throw Problem(folder.u8string() + " has no results: compute the job with `sinew run` first.");
    throw Problem(folder.u8string() + " has point caches or tables, which no command of Maya reads, and no Alembic " +
                  "file: export the job again with this version of the plug-in.");
}

Found node_of_results(const std::vector<Found>& nodes, const fs::path& alembic) {
    if (nodes.size() == 1) return nodes.front();
    std::string list;
    for (const Found& node : nodes) {
        if (host::job_name(node.name) == alembic.stem().u8string()) return node;
        list += (list.empty() ? "" : ", ") + node.name;
    }
    if (nodes.empty())
        throw Problem("The mesh has no node of Sinew whose place the results could take: leave -onto out.");
    throw Problem(alembic.u8string() + " is named after none of " + list + ": give the node in place of the mesh.");
}

} // namespace sinew::maya
