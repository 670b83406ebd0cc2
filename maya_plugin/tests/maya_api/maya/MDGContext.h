#pragma once

#include <maya/MTime.h>

/// Where evaluation happens: the normal context, which follows the current time, or one with a time of its own.
class MDGContext {
public:
    MDGContext();
    MDGContext(const MTime& when);
    static MDGContext fsNormal;
    bool isNormal(MStatus* ReturnStatus = nullptr) const;
    MStatus getTime(MTime&) const;
    static const MDGContext current();
    bool isCurrent(MStatus* ReturnStatus = nullptr) const;
    const MDGContext makeCurrent(MStatus* ReturnStatus = nullptr) const;
    static const char* className() { return "MDGContext"; }

    /// The stand-in's own: null for the normal context.
    explicit MDGContext(std::shared_ptr<standin::Context> context) : context_(std::move(context)) {}
    const std::shared_ptr<standin::Context>& standin_context() const { return context_; }

private:
    std::shared_ptr<standin::Context> context_;
};
