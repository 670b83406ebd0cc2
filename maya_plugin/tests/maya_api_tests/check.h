// Tests as functions: each registers itself, and fails with the line of what is not so.
#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

struct Test {
    const char* name;
    void (*run)();
};
std::vector<Test>& tests();

#define TEST(name)                                                                                                     \
    static void name();                                                                                                \
    static const bool name##_is_listed = (tests().push_back(Test{#name, name}), true);                                 \
    static void name()

[[noreturn]] inline void fail(const char* file, int line, const std::string& what) {
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

#define CHECK(truth)                                                                                                   \
    do {                                                                                                               \
        if (!(truth)) fail(__FILE__, __LINE__, #truth);                                                                \
    } while (false)

#define CHECK_NEAR(one, other, by)                                                                                     \
    do {                                                                                                               \
        const double left = (one), right = (other);                                                                    \
        if (!(std::abs(left - right) <= (by)))                                                                         \
            fail(__FILE__, __LINE__, #one " is " + std::to_string(left) + ", not " + std::to_string(right));           \
    } while (false)

#define CHECK_THROWS(what)                                                                                             \
    do {                                                                                                               \
        bool thrown = false;                                                                                           \
        try {                                                                                                          \
            what;                                                                                                      \
        } catch (const std::runtime_error&) {                                                                          \
            thrown = true;                                                                                             \
        }                                                                                                              \
        if (!thrown) fail(__FILE__, __LINE__, #what " does not throw");                                                \
    } while (false)

/// Everything that a scene has done must be free of faults, as long as the test does not look for one.
#define CHECK_NO_FAULTS(scene)                                                                                         \
    do {                                                                                                               \
        const std::vector<std::string> wrong = (scene).faults();                                                       \
        if (!wrong.empty()) fail(__FILE__, __LINE__, wrong.front());                                                   \
    } while (false)
