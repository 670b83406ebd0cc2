#pragma once

#include <maya/MDoubleArray.h>
#include <maya/MIntArray.h>
#include <maya/MStringArray.h>

/// What a command gave back.
class MCommandResult {
public:
    enum Type {
        kInvalid = 0, kInt, kInt64, kIntArray, kInt64Array, kDouble, kDoubleArray, kString, kStringArray, kVector,
        kVectorArray, kMatrix, kMatrixArray
    };
    MCommandResult(MStatus* ReturnStatus = nullptr) {
        if (ReturnStatus) *ReturnStatus = MStatus();
    }
    Type resultType(MStatus* ReturnStatus = nullptr) const;
    MStatus getResult(int& result) const;
    MStatus getResult(double& result) const;
    MStatus getResult(MString& result) const;
    MStatus getResult(MIntArray& result) const;
    MStatus getResult(MDoubleArray& result) const;
    MStatus getResult(MStringArray& result) const;
    MString stringResult(MStatus* ReturnResult = nullptr) const;

    /// The stand-in's own: results as texts, with their type.
    Type standin_type = kInvalid;
    MStringArray standin_items;
};
