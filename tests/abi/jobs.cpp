// A job through the C++ wrapper: stopped by its callbacks and from another thread, resumed, looked at: jobs SCENE FOLDER
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sinew/sinew.hpp>
#include <thread>

#define EXPECT(condition)                                                                         \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                          \
            std::exit(1);                                                                         \
        }                                                                                         \
    } while (0)

template <class Call> static SinewStatus refused(Call call) {
    try {
        call();
    } catch (const sinew::Error& error) {
        return error.status();
    }
    return SINEW_OK;
}

static bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

int main(int count, char** given) {
    EXPECT(count == 3);
    const std::string folder = given[2];
    std::atomic<int> stop{0};
    std::atomic<bool> reached{false};
    std::vector<std::string> lines;
    sinew::ContextOptions how;
    how.threads = 2;
    how.log = [&](int level, const char* text) { lines.push_back((level == 1 ? "warning: " : "note: ") + std::string(text)); };
    how.progress = [&](double, const char* task) {
        const bool third = contains(task, "frame 3");
        if (stop == 1 && third) throw 1;
        if (stop == 2 && third) reached = true;
        // Another thread is about to cancel.
        while (stop == 2 && reached) std::this_thread::yield();
        return true;
    };
    sinew::JobOptions options;
    options.scene = given[1];
    options.folder = folder;

    options.dry_run = true;
    {
        sinew::Job job{sinew::Context(how), options};
        EXPECT(job.report() == "{}");
        job.run();
        EXPECT(contains(job.report(), "\"writes\"") && !std::ifstream(folder));
    }

    options.dry_run = false;
    sinew::Job made{sinew::Context(how), options};
    sinew::Job job = std::move(made);
    stop = 1;
    EXPECT(refused([&] { job.run(); }) == SINEW_CANCELLED && job.report() == "{}");
    stop = 2;
    std::thread other([&] {
        while (!reached) std::this_thread::yield();
        job.cancel();
        stop = 3;
    });
    EXPECT(refused([&] { job.run(); }) == SINEW_CANCELLED && job.report() == "{}");
    other.join();
    job.run();
    EXPECT(contains(lines.back(), "frames are done already"));
    EXPECT(contains(job.report(), "\"milliseconds\""));
    job.run();
    EXPECT(contains(lines.back(), "the job is finished, and nothing has changed since"));

    options.settings = {"zeta=0.5", "nonsense"};
    options.frames = "1-2";
    options.restart = options.keep = true;
    EXPECT(refused([&] { sinew::Job(sinew::Context(how), options).run(); }) == SINEW_INVALID_ARGUMENT);
    options.settings = {"zeta=0.5"};
    sinew::Job(sinew::Context(how), options).run();
    EXPECT(contains(lines.back(), "files of these frames are left for other runs: 3-"));
    options.restart = false;
    options.frames = "7-8";
    options.only = "images";
    EXPECT(refused([&] { sinew::Job(sinew::Context(how), options).run(); }) == SINEW_MISSING_FILE);
    options.scene += ".none";
    EXPECT(refused([&] { sinew::Job(sinew::Context(how), options).run(); }) == SINEW_MISSING_FILE);
    std::printf("jobs: ok\n");
}
