#include "adapter/commands/commands.h"

#include "adapter/authoring/muscles_command.h"
#include "adapter/authoring/tendon_command.h"
#include "adapter/commands/bake.h"
#include "adapter/commands/check.h"
#include "adapter/commands/copy.h"
#include "adapter/commands/create.h"
#include "adapter/commands/describe.h"
#include "adapter/commands/export_job.h"
#include "adapter/commands/import_results.h"
#include "adapter/commands/mirror_map.h"
#include "adapter/commands/remove.h"
#include "adapter/commands/solve.h"
#include "adapter/commands/switch.h"

namespace sinew::maya {

const std::vector<CommandEntry>& commands() {
    static const std::vector<CommandEntry> all{
        {"sinewDescribe", &create_command<DescribeCommand>, &DescribeCommand::make_syntax},
        {"sinewCreate", &create_command<CreateCommand>, &CreateCommand::make_syntax},
        {"sinewSolve", &create_command<SolveCommand>, &SolveCommand::make_syntax},
        {"sinewBake", &create_command<BakeCommand>, &BakeCommand::make_syntax},
        {"sinewExportJob", &create_command<ExportJobCommand>, &ExportJobCommand::make_syntax},
        {"sinewImportResults", &create_command<ImportResultsCommand>, &ImportResultsCommand::make_syntax},
        {"sinewSwitch", &create_command<SwitchCommand>, &SwitchCommand::make_syntax},
        {"sinewMirrorMap", &create_command<MirrorMapCommand>, &MirrorMapCommand::make_syntax},
        {"sinewCopy", &create_command<CopyCommand>, &CopyCommand::make_syntax},
        {"sinewRemove", &create_command<RemoveCommand>, &RemoveCommand::make_syntax},
        {"sinewCheck", &create_command<CheckCommand>, &CheckCommand::make_syntax},
        {"sinewTendon", &create_command<TendonCommand>, &TendonCommand::make_syntax},
        {"sinewMuscles", &create_command<MusclesCommand>, &MusclesCommand::make_syntax},
    };
    return all;
}

} // namespace sinew::maya
