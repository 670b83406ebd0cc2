#pragma once

#include <maya/MAngle.h>
#include <maya/MDistance.h>
#include <maya/MStringArray.h>
#include <maya/MTime.h>

/// What a command was called with.
class MArgList {
public:
    static const unsigned int kInvalidArgIndex;
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    bool asBool(unsigned int index, MStatus* ret = nullptr) const;
    int asInt(unsigned int index, MStatus* ret = nullptr) const;
    double asDouble(unsigned int index, MStatus* ret = nullptr) const;
    MString asString(unsigned int index, MStatus* ret = nullptr) const;
    unsigned int flagIndex(const char* shortFlag, const char* longFlag = nullptr) const;
    MStatus addArg(bool arg);
    MStatus addArg(int arg);
    MStatus addArg(double arg);
    MStatus addArg(const MString& arg);
    MStatus get(unsigned int index, bool& ret) const;
    MStatus get(unsigned int index, int& ret) const;
    MStatus get(unsigned int index, double& ret) const;
    MStatus get(unsigned int index, MString& ret) const;
    static const char* className() { return "MArgList"; }

private:
    MStringArray items_;
};
