#include "log.h"

#include <unordered_map>
#include <utility>

namespace sinew::host {

namespace {
/// Where nobody asks for lines, as in a host without its main loop, more of them would only take memory.
constexpr std::size_t most_lines = 10000;
} // namespace

void LogQueue::push(LogLine line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (lines_.size() < most_lines) {
        lines_.push_back(std::move(line));
    } else {
        ++left_out_;
    }
}

std::vector<LogLine> LogQueue::take() {
    std::vector<LogLine> lines;
    std::size_t left_out = 0;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        lines.swap(lines_);
        std::swap(left_out, left_out_);
    }
    std::vector<LogLine> taken;
    std::unordered_map<std::string, std::size_t> last_of;
    for (LogLine& line : lines) {
        const auto [last, is_first] = last_of.try_emplace(line.node, taken.size());
        if (!is_first && taken[last->second].text == line.text && taken[last->second].level == line.level) continue;
        last->second = taken.size();
        taken.push_back(std::move(line));
    }
    if (left_out > 0) taken.push_back({1, {}, std::to_string(left_out) + " more lines were left out."});
    return taken;
}

} // namespace sinew::host
