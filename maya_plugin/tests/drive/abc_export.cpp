#include "abc_export.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sinew::tests {
namespace {

/// The words of a text; those in quotes are one. A backslash keeps the letter after it.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false, any = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (letter == '\\' && i + 1 < text.size()) {
            word += text[++i];
            any = true;
        } else if (letter == '"') {
            quoted = !quoted;
            any = true;
        } else if (letter == ' ' && !quoted) {
            if (any) words.push_back(word);
            word.clear();
            any = false;
        } else {
            word += letter;
            any = true;
        }
    }
    if (any) words.push_back(word);
    return words;
}

[[noreturn]] void refuse(const std::string& text) { throw std::runtime_error(text); }

std::string leaf(const std::string& path) { return path.substr(path.rfind('|') + 1); }

struct Exporter {
    Stage& stage;
    AbcFile& written;
    double first = 0, last = 0;

    void read(const std::vector<std::string>& words) {
        first = last = stage.scene.time();
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string& word = words[i];
            const auto value = [&]() -> const std::string& {
                if (i + 1 >= words.size()) refuse(word + " incorrectly specified.");
                return words[++i];
            };
            if (word == "-frameRange" || word == "-fr") {
                first = number(value());
                last = number(value());
            } else if (word == "-root" || word == "-rt") add_root(value());
            else if (word == "-file" || word == "-f") written.file = value();
            else if (word == "-uvWrite" || word == "-uv") written.uvs = true;
            else if (word == "-writeUVSets" || word == "-wuvs") written.all_uv_sets = true;
            else if (word == "-worldSpace" || word == "-ws") written.world_space = true;
            else if (word == "-dataFormat" || word == "-df") written.format = value();
            else if (word != "-stripNamespaces" && word != "-sn") written.ignored.push_back(word);
        }
    }

    static double number(const std::string& text) {
        std::size_t read = 0;
        const double found = std::stod(text, &read);
        if (read != text.size()) refuse("Frame Range incorrectly specified.");
        return found;
    }

    /// One that is not there is left out with a warning.
    void add_root(const std::string& path) {
        if (stage.scene.exists(leaf(path))) written.roots.push_back(path);
    }

    void check() const {
        if (written.file.empty()) refuse("-file not specified.");
        if (written.roots.empty()) refuse("No valid roots were found.");
        for (const std::string& one : written.roots)
            for (const std::string& other : written.roots)
                if (&one != &other && one.compare(0, other.size() + 1, other + "|") == 0)
                    refuse(one + " and " + other + " have an ancestor relationship.");
    }

    void write() {
        std::ofstream out(written.file);
        if (!out) refuse("Can't write to file: " + written.file);
        const double before = stage.scene.time();
        for (double frame = first; frame <= last; ++frame) {
            stage.scene.set_time(frame);
            written.frames.push_back(frame);
            for (const std::string& root : written.roots) {
                written.points_of[root].push_back(stage.scene.points(leaf(root)));
                if (written.uvs) written.uvs_of[root].push_back(stage.scene.corner_uvs(leaf(root)));
            }
        }
        stage.scene.set_time(before);
        out << "Alembic";
    }
};

} // namespace

void answer_abc_export(Stage& stage, AbcFile& written) {
    stage.scene.on_command("AbcExport", [&stage, &written](const std::string& line) {
        const std::vector<std::string> words = words_of(line);
        if (words.size() != 3 || words[1] != "-j") refuse("AbcExport takes -j and a job.");
        written = AbcFile();
        Exporter exporter{stage, written};
        exporter.read(words_of(words[2]));
        exporter.check();
        exporter.write();
        return std::string();
    });
}

} // namespace sinew::tests
