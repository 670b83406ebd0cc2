// The faults of a document, one line each: faults FILE
#include <sinew/sinew.hpp>

#include <cstdio>

int main(int, char** arguments) {
    const auto document = sinew::Document::load(arguments[1]);
    std::fputs(document.faults().c_str(), stdout);
}
