// Calls while a thread exits and its thread-locals are being destroyed, before and after those of the library.
#include <sinew/sinew.hpp>

#include <cstdio>
#include <thread>

static int failures = 0;

struct Leaving {
    SinewContext* context;
    ~Leaving() {
        SinewNode* node = nullptr;
        if (sinew_node_create(context, "no such node", &node) != SINEW_NOT_FOUND) ++failures;
        SinewPlace place{};
        place.struct_size = sizeof place;
        if (sinew_last_error_place(&place) != SINEW_OK || sinew_last_error_message() == nullptr) ++failures;
        if (sinew_node_create(context, "skinning", &node) != SINEW_OK) ++failures;
        if (sinew_node_step(node, 1, 0.0) != SINEW_MISSING_INPUT) ++failures;
        sinew_node_destroy(node);
    }
};

int main() {
    for (const bool calling : {false, true}) {
        SinewContextConfig config{};
        config.struct_size = sizeof config;
        config.threads = 2;
        config.flags = calling ? SINEW_ON_CALLING_THREAD : 0;
        SinewContext* context = nullptr;
        if (sinew_context_create(&config, &context) != SINEW_OK) return 2;
        for (const bool early : {false, true}) {
            std::thread([&] {
                // Thread-locals are destroyed in the reverse order of their construction.
                if (early) sinew_node_step(nullptr, 0, 0.0);
                static thread_local Leaving leaving{context};
                (void)leaving;
                if (!early) sinew_node_step(nullptr, 0, 0.0);
            }).join();
        }
        sinew_context_destroy(context);
    }
    std::printf("thread exit: %d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
