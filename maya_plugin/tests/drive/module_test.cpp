// The built plug-in, loaded as the host loads it. Usage: module_test MODULE.
#include "stage.h"

#include <algorithm>
#include <dlfcn.h>

using namespace sinew::tests;

namespace {

bool has(const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void loaded_and_unloaded(const std::string& module) {
    standin::Scene scene;
    scene.set_range(1, 4);
    for (int round = 0; round < 3; ++round) {
        CHECK_EQUAL(scene.load_plugin(module), std::string());
        CHECK(has(scene.node_types(), "sinewSkinSlider"));
        CHECK(has(scene.commands(), "sinewCreate") && has(scene.commands(), "sinewSolve"));
        scene.create("sinewSkinSlider", "slider");
        scene.set_time(2);
        CHECK(!scene.plug("slider.current_time").source().isNull());
        scene.idle();
        scene.clear();
        CHECK_EQUAL(scene.unload_plugin(module), std::string());
        CHECK(!has(scene.node_types(), "sinewSkinSlider"));
        CHECK(!has(scene.commands(), "sinewCreate"));
        // Maya loads a newer file only when the older one is out of memory.
        CHECK(dlopen(module.c_str(), RTLD_LAZY | RTLD_NOLOAD) == nullptr);
        // Nothing of the plug-in's is called any more.
        scene.set_time(3);
        scene.idle();
    }
    for (const std::string& fault : scene.faults()) fail(__FILE__, __LINE__, "the host does not allow it: " + fault);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: module_test MODULE\n";
        return 2;
    }
    loaded_and_unloaded(arguments[1]);
    return finish();
}
