// What the tests of the host part check with: a failure is printed, and the program goes on and fails at its end.
#pragma once

#include <atomic>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>

namespace sinew::tests {

inline std::atomic<int> failures{0};

inline void fail(const char* file, int line, const std::string& text) {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    ++failures;
    std::cerr << file << ":" << line << ": " << text << "\n";
}

template <class A, class B>
void check_equal(const A& found, const B& expected, const char* text, const char* file, int line) {
    if (found == expected) return;
    std::ostringstream said;
    said << text << " is \"" << found << "\", not \"" << expected << "\"";
    fail(file, line, said.str());
}

inline int finish() {
    if (failures > 0) std::cerr << failures << " checks failed\n";
    return failures == 0 ? 0 : 1;
}

} // namespace sinew::tests

#define CHECK(condition) \
    ((condition) ? void() : sinew::tests::fail(__FILE__, __LINE__, "this is not so: " #condition))
#define CHECK_EQUAL(found, expected) sinew::tests::check_equal((found), (expected), #found, __FILE__, __LINE__)
/// That something throws an exception of a type.
#define CHECK_THROWS(Type, expression) \
    do { \
        try { \
            (void)(expression); \
            sinew::tests::fail(__FILE__, __LINE__, #expression " throws nothing"); \
        } catch (const Type&) { \
        } \
    } while (false)
