// Work of the library that takes long: on its own thread, while Maya's main thread shows how far it is and hears Esc.
#pragma once

#include "adapter/guard.h"

#include <maya/MComputation.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <thread>

namespace sinew::maya {

/// Runs `work`, which gets what it is to call with how far it is, from 0 to 1, and which stops where that returns
/// false. It must not call Maya. What it throws is thrown; after Esc, a Problem.
inline void run_interruptible(const char* title, const std::function<void(std::function<bool(double)>)>& work) {
    MComputation bar;
    bar.beginComputation(true, true);
    bar.setProgressRange(0, 100);
    bar.setProgressStatus(title);
    std::atomic<double> done{0};
    std::atomic<bool> ended{false}, stopped{false};
    std::exception_ptr problem;
    std::thread thread([&] {
        try {
            work([&](double part) {
                done = part;
                return !stopped;
            });
        } catch (...) {
            problem = std::current_exception();
        }
        ended = true;
    });
    while (!ended) {
        bar.setProgress(static_cast<int>(100 * done));
        if (bar.isInterruptRequested()) stopped = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    thread.join();
    bar.endComputation();
    if (problem && stopped) throw Problem("Stopped by Esc; nothing was changed.");
    if (problem) std::rethrow_exception(problem);
}

} // namespace sinew::maya
