// No exception leaves an entry point: Maya's own code is not built to see one.
#pragma once

#include "adapter/state.h"
#include "adapter/text.h"

#include <maya/MStatus.h>
#include <maya/MString.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace sinew::maya {

/// Something that Maya could not give or take, or a user has to know: a whole sentence.
struct Problem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Puts a line in the queue; without memory for it, it is lost.
inline void note(int level, const std::string& node, const std::string& text) noexcept {
    try {
        state().log.push({level, node, text});
    } catch (...) {
    }
}

/// Runs the body of an entry point; what it throws becomes a line in the log and `otherwise`. `where` names the place.
template <class T, class Name, class Body> T guarded(T otherwise, const char* where, Name name, Body body) noexcept {
    try {
        return body();
    } catch (const std::exception& error) {
        try {
            note(0, name(), std::string(where) + ": " + error.what());
        } catch (...) {
        }
    } catch (...) {
    }
    return otherwise;
}

/// Throws a sentence if Maya refused something.
inline void ensure(const MStatus& status, const std::string& what) {
    if (status != MS::kSuccess) throw Problem("Maya could not " + what + ": " + utf8(status.errorString()));
}

} // namespace sinew::maya
