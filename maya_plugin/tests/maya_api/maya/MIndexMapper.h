#pragma once

#include <maya/MUintArray.h>

/// From the vertices of a geometry to those that a deformer moves, and back.
class MIndexMapper {
public:
    using Index = unsigned int;
    static Index InvalidIndex;
    MIndexMapper() = default;
    Index fullCount() const { return full_; }
    Index affectCount() const { return static_cast<Index>(map_.length()); }
    Index affectToFull(Index aid) const;
    Index fullToAffect(Index vid) const;
    bool isIdentityMap() const { return map_.length() == full_; }
    MUintArray affectMap() const { return map_; }

    /// The stand-in's own.
    MIndexMapper(unsigned int full, const MUintArray& map) : full_(full), map_(map) {}

private:
    unsigned int full_ = 0;
    MUintArray map_;
};
