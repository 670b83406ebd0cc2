#pragma once

#include <maya/MTime.h>
#include <vector>

class MClosedTimeInterval {
public:
    MTime min, max;
};

/// A set of times: closed intervals.
class MTimeRange {
public:
    MTimeRange() = default;
    MTimeRange(MTime first, MTime last) noexcept;
    bool contains(MTime) const noexcept;
    bool contains(MTime, MTime) const noexcept;
    bool intersects(MTime, MTime) const noexcept;
    bool empty() const noexcept { return intervals_.empty(); }
    MClosedTimeInterval bounds() const noexcept;
    explicit operator bool() const { return !empty(); }
    MTimeRange operator|(const MTimeRange&) const;
    bool operator==(const MTimeRange&) const noexcept;
    bool operator!=(const MTimeRange& rhs) const { return !(*this == rhs); }

private:
    std::vector<MClosedTimeInterval> intervals_;
};
