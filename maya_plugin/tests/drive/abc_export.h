// Maya's exporter, as far as its help describes it (`AbcExport -help`): a job is a text of flags with their values,
// words apart by spaces unless they stand in quotes; what it does not know it ignores with a warning.
#pragma once

#include "stage.h"

#include <map>
#include <string>
#include <vector>

namespace sinew::tests {

/// What was written: of each frame the points and the UVs of each mesh below a root.
struct AbcFile {
    std::string file;
    std::vector<std::string> roots, ignored;
    bool uvs = false, all_uv_sets = false, world_space = false;
    std::string format;
    std::vector<double> frames;
    std::map<std::string, std::vector<Uvs>> uvs_of;
    std::map<std::string, std::vector<std::vector<float>>> points_of;
};

/// From now on the command is there; `written` has what it did last. Its frames are evaluated one after the other.
void answer_abc_export(Stage& stage, AbcFile& written);

} // namespace sinew::tests
