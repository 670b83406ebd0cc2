#include "adapter/commands/describe.h"

#include "adapter/text.h"
#include "host/description.h"

namespace sinew::maya {

MSyntax DescribeCommand::make_syntax() { return {}; }

void DescribeCommand::run(const MArgDatabase&) {
    std::vector<const host::Plan*> plans;
    for (const Kind& kind : state().kinds) plans.push_back(&kind.plan);
    setResult(maya_text(host::description(plans)));
}

} // namespace sinew::maya
