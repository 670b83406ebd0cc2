// Log lines on their way to the host. Nodes log from any thread, also while the host holds locks of its own, so that
// lines wait until the host's main thread asks for them.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace sinew::host {

struct LogLine {
    /// 0 is an error, 1 a warning, 2 information, 3 details.
    int level = 1;
    /// The host's name of the node.
    std::string node;
    std::string text;
};

class LogQueue {
public:
    void push(LogLine line);
    /// The lines since the last call, each text of a node once in a row. Beyond ten thousand they are only counted.
    std::vector<LogLine> take();

private:
    std::mutex mutex_;
    std::vector<LogLine> lines_;
    std::size_t left_out_ = 0;
};

} // namespace sinew::host
