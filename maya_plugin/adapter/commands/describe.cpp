#include "adapter/commands/describe.h"

#include "host/description.h"

namespace sinew::maya {

MSyntax DescribeCommand::make_syntax() { return {}; }

void DescribeCommand::run(const MArgDatabase&) {
    std::vector<const host::Plan*> plans;
    for (const Kind& kind : state().kinds) plans.push_back(&kind.plan);
    setResult(MString(host::description(plans).c_str()));
}

} // namespace sinew::maya
