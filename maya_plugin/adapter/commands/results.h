// Where the results of a job are.
#pragma once

#include "adapter/commands/command.h"

#include <filesystem>

namespace sinew::maya {

/// The Alembic file that a path means: itself, or the only one in the folder of a job or of its results. Throws a
/// Problem with what is there instead.
std::filesystem::path alembic_file(const std::filesystem::path& path);

/// Whose results an Alembic file has: of some nodes the only one, or the one after which the job was named.
Found node_of_results(const std::vector<Found>& nodes, const std::filesystem::path& alembic);

} // namespace sinew::maya
