#pragma once

#include <maya/MTypes.h>

/// What a draw override keeps between preparing and drawing.
class MUserData {
public:
    MUserData() = default;
    virtual ~MUserData();
    MUserData(const MUserData&) = delete;
    MUserData& operator=(const MUserData&) = delete;
};
