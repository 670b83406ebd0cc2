// What a farm computes: a node's job, exported from the scene and run by the command line.
#pragma once

#include "stage.h"

namespace sinew::tests {

struct FarmTable {
    std::string program; ///< the command line
    std::string port;    ///< what is read of the results
    std::size_t columns; ///< numbers of an item, the last ones of each row
};

/// The numbers of each frame of the scene's range, with all their bits.
std::vector<std::vector<double>> on_the_farm(Stage& stage, const std::string& node, const FarmTable& table);

} // namespace sinew::tests
