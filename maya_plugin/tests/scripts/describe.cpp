// Prints what sinewDescribe returns for a library, without Maya: for run.py --library.
#include "host/description.h"

#include <cstdio>

int main() {
    const std::vector<sinew::host::Plan> plans = sinew::host::plans();
    std::vector<const sinew::host::Plan*> all;
    for (const sinew::host::Plan& plan : plans) all.push_back(&plan);
    std::puts(sinew::host::description(all).c_str());
}
