#pragma once

#include <maya/MFnComponent.h>
#include <maya/MIntArray.h>

class MFnSingleIndexedComponent : public MFnComponent {
    STANDIN_FUNCTION_SET(MFnSingleIndexedComponent, MFn::kSingleIndexedComponent)
    MObject create(MFn::Type compType, MStatus* ReturnStatus = nullptr);
    MStatus addElement(int element);
    MStatus addElements(MIntArray& elements);
    int element(int index, MStatus* ReturnStatus = nullptr) const;
    MStatus getElements(MIntArray& elements) const;
    MStatus setCompleteData(int numElements);
    MStatus getCompleteData(int& numElements) const;
};
