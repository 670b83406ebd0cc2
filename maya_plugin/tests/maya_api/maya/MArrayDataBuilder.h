#pragma once

#include <maya/MArrayDataHandle.h>

/// Makes the elements of an array that a node fills itself.
class MArrayDataBuilder {
public:
    MArrayDataBuilder(MDataBlock*, const MObject& attribute, unsigned int numElements, MStatus* ReturnStatus = nullptr);
    MDataHandle addLast(MStatus* ReturnStatus = nullptr);
    MDataHandle addElement(unsigned int index, MStatus* ReturnStatus = nullptr);
    MArrayDataHandle addLastArray(MStatus* ReturnStatus = nullptr);
    MArrayDataHandle addElementArray(unsigned int index, MStatus* ReturnStatus = nullptr);
    MStatus removeElement(unsigned int index);
    unsigned int elementCount(MStatus* ReturnStatus = nullptr) const;
    MStatus growArray(unsigned int amount);
    MStatus setGrowSize(unsigned int size);
    static const char* className() { return "MArrayDataBuilder"; }

    /// The stand-in's own: elements that are being built, with the block that they are for.
    MArrayDataBuilder(std::shared_ptr<standin::Value> array, standin::Block* block)
        : array_(std::move(array)), block_(block) {}
    const std::shared_ptr<standin::Value>& standin_array() const { return array_; }

private:
    std::shared_ptr<standin::Value> array_;
    standin::Block* block_ = nullptr;
};
