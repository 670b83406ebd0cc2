#pragma once

#include <maya/MString.h>
#include <maya/standin_array.h>

class MStringArray : public standin::Array<MString> {
public:
    using Array::Array;
    int indexOf(const MString& element) const;
    friend std::ostream& operator<<(std::ostream& out, const MStringArray& array);
};
