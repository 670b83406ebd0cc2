#pragma once

#include <maya/MString.h>

class MUuid {
public:
    MUuid() = default;
    MUuid(const MString& value, MStatus* ReturnStatus = nullptr) : text_(value) {
        if (ReturnStatus) *ReturnStatus = MStatus();
    }
    bool operator==(const MUuid& rhs) const { return text_ == rhs.text_; }
    bool operator!=(const MUuid& rhs) const { return text_ != rhs.text_; }
    MString asString() const { return text_; }
    operator MString() const { return text_; }
    bool valid() const { return !text_.isEmpty(); }
    MStatus generate();

private:
    MString text_;
};
