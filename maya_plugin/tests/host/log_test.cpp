// Lines from many threads: none is lost, none twice in a row.
#include "check.h"

#include "host/log.h"

#include <map>
#include <thread>

using sinew::host::LogLine;
using sinew::host::LogQueue;

namespace {

std::string joined(const std::vector<LogLine>& lines) {
    std::string text;
    for (const LogLine& line : lines) text += line.node + std::to_string(line.level) + line.text + " ";
    return text;
}

void each_text_of_a_node_comes_once_in_a_row() {
    LogQueue queue;
    for (const char* text : {"a", "a", "b", "a"}) {
        queue.push({1, "x", text});
        queue.push({1, "y", "a"});
    }
    queue.push({0, "y", "a"});
    CHECK_EQUAL(joined(queue.take()), "x1a y1a x1b x1a y0a ");
    CHECK(queue.take().empty());
    queue.push({1, "x", "a"});
    CHECK_EQUAL(joined(queue.take()), "x1a ");
}

void lines_are_bounded() {
    LogQueue queue;
    for (int i = 0; i < 10005; ++i) queue.push({3, "x", std::to_string(i)});
    const auto lines = queue.take();
    CHECK_EQUAL(lines.size(), 10001U);
    CHECK_EQUAL(lines.back().text, "5 more lines were left out.");
    CHECK(queue.take().empty());
}

void no_line_of_any_thread_is_lost() {
    LogQueue queue;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&queue, thread] {
            for (int i = 0; i < 500; ++i) queue.push({2, std::to_string(thread), std::to_string(i)});
        });
    }
    std::map<std::string, int> next;
    int count = 0;
    const auto take = [&] {
        for (const LogLine& line : queue.take()) {
            CHECK_EQUAL(line.text, std::to_string(next[line.node]++));
            ++count;
        }
    };
    while (count < 1000) take();
    for (std::thread& thread : threads) thread.join();
    take();
    CHECK_EQUAL(count, 2000);
}

} // namespace

int main() {
    each_text_of_a_node_comes_once_in_a_row();
    lines_are_bounded();
    no_line_of_any_thread_is_lost();
    return sinew::tests::finish();
}
