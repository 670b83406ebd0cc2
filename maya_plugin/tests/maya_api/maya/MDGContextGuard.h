#pragma once

#include <maya/MDGContext.h>

/// Makes a context the current one of this thread as long as the guard lives.
class MDGContextGuard {
public:
    MDGContextGuard(const MDGContext& tempContext);
    ~MDGContextGuard();
    MDGContextGuard(const MDGContextGuard&) = delete;
    MDGContextGuard& operator=(const MDGContextGuard&) = delete;

private:
    MDGContext before_;
};
