// Runs all tests, or those whose names contain the first argument.
#include "check.h"

#include <cstring>

std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

int main(int count, char** arguments) {
    int failed = 0, run = 0;
    for (const Test& test : tests()) {
        if (count > 1 && !std::strstr(test.name, arguments[1])) continue;
        ++run;
        try {
            test.run();
        } catch (const std::exception& error) {
            ++failed;
            std::printf("FAILED %s\n    %s\n", test.name, error.what());
        }
    }
    std::printf("%d tests, %d failed\n", run, failed);
    return failed > 0 || run == 0 ? 1 : 0;
}
