#include "farm.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sinew::tests {
namespace {

/// Lets the job write a table for each frame in place of what a studio reads.
void write_table(const std::filesystem::path& job, const std::string& from) {
    std::string text = text_of(job);
    const std::size_t outputs = text.find("<outputs "), end = text.find("  </outputs>");
    const std::size_t begin = text.find('\n', outputs) + 1;
    text.replace(begin, end - begin, "    <write file=\"frame.%04d.csv\" from=\"" + from + "\"/>\n");
    std::ofstream(job) << text;
}

/// The last numbers of each row below the first one.
std::vector<double> numbers_of(const std::filesystem::path& path, std::size_t columns) {
    const std::string text = text_of(path);
    std::vector<double> numbers, row;
    for (std::size_t line = text.find('\n') + 1; line != 0 && line < text.size(); line = text.find('\n', line) + 1) {
        row.clear();
        const char* at = text.c_str() + line;
        for (char* end = nullptr;; at = end + 1) {
            row.push_back(std::strtod(at, &end));
            if (*end != ',') break;
        }
        if (row.size() < columns) break;
        numbers.insert(numbers.end(), row.end() - static_cast<std::ptrdiff_t>(columns), row.end());
    }
    return numbers;
}

} // namespace

std::vector<std::vector<double>> on_the_farm(Stage& stage, const std::string& node, const FarmTable& table) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("sinew_drive_farm_" + node);
    std::filesystem::remove_all(folder);
    const std::vector<std::string> jobs = stage.run("sinewExportJob -folder " + folder.string() + " " + node);
    std::vector<std::vector<double>> frames;
    if (jobs.empty()) return frames;
    write_table(jobs.front(), node + "." + table.port);
    const std::filesystem::path log = folder / "log.txt";
    if (std::system((table.program + " run " + jobs.front() + " > " + log.string() + " 2>&1").c_str()) != 0)
        fail(__FILE__, __LINE__, "the job of " + node + " failed: " + text_of(log));
    for (int frame = 1;; ++frame) {
        char name[32];
        std::snprintf(name, sizeof name, "frame.%04d.csv", frame);
        const std::filesystem::path file = folder / "results" / name;
        if (!std::filesystem::exists(file)) break;
        frames.push_back(numbers_of(file, table.columns));
    }
    std::filesystem::remove_all(folder);
    return frames;
}

} // namespace sinew::tests
