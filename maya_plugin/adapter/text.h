// Maya's texts as the library takes them. Documents are UTF-8, while MString's own characters are those of the system's
// code page, which on Windows is another one (MString in Maya's API reference).
#pragma once

#include <maya/MString.h>

#include <string>

namespace sinew::maya {

inline std::string utf8(const MString& text) { return text.asUTF8(); }

inline MString maya_text(const std::string& text) {
    MString made;
    made.setUTF8(text.c_str());
    return made;
}

} // namespace sinew::maya
