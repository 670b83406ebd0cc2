// A library that the plug-in cannot use is refused with one sentence, and nothing stays of the plug-in. Usage:
// library_test MODULE WORDS [VERSIONS_LATER]: WORDS are in the sentence; the plug-in asks for an ABI so much later.
#include "../host/check.h"
#include "../maya_api/scene.h"

#include <sinew/sinew.h>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>

namespace {

unsigned versions_later = 0;

bool has(const std::vector<std::string>& names, const char* part) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

void is_refused(const std::string& module, const std::string& words) {
    standin::Scene scene;
    std::string sentence = scene.load_plugin(module);
    CHECK(!sentence.empty());
    // The host says itself what the loader of modules said.
    const std::vector<standin::Said> said = scene.said();
    CHECK(said.size() < 2);
    if (!said.empty()) sentence = said.front().text;
    if (sentence.find(words) == std::string::npos || sentence.find('\n') != std::string::npos)
        sinew::tests::fail(__FILE__, __LINE__, "no sentence with \"" + words + "\": " + sentence);
    CHECK(!has(scene.node_types(), "sinew") && !has(scene.commands(), "sinew"));
    scene.set_time(2);
    scene.idle();
    for (const std::string& fault : scene.faults())
        sinew::tests::fail(__FILE__, __LINE__, "the host does not allow it: " + fault);
    CHECK(dlopen(module.c_str(), RTLD_LAZY | RTLD_NOLOAD) == nullptr);
}

} // namespace

/// Found before the library's own, as a program's symbols are.
extern "C" SinewStatus sinew_check_version(std::uint32_t major, std::uint32_t minor) {
    void* const library = dlopen("libsinew.so", RTLD_NOW | RTLD_NOLOAD);
    const auto own = reinterpret_cast<decltype(&sinew_check_version)>(dlsym(library, "sinew_check_version"));
    const SinewStatus status = own(major + versions_later, minor);
    dlclose(library);
    return status;
}

int main(int count, char** arguments) {
    if (count != 3 && count != 4) {
        std::cerr << "usage: library_test MODULE WORDS [VERSIONS_LATER]\n";
        return 2;
    }
    if (count == 4) versions_later = static_cast<unsigned>(std::atoi(arguments[3]));
    is_refused(arguments[1], arguments[2]);
    return sinew::tests::finish();
}
