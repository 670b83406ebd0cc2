#pragma once

#include <maya/MString.h>

/// With what a node says that Cached Playback must be off.
class MNodeCacheDisablingInfo {
public:
    void setCacheDisabled(bool disabled);
    bool getCacheDisabled() const;
    void setReason(const MString& reason);
    void setMitigation(const MString& mitigation);
    void reset();
    MNodeCacheDisablingInfo(const MNodeCacheDisablingInfo&) = delete;
    MNodeCacheDisablingInfo& operator=(const MNodeCacheDisablingInfo&) = delete;

protected:
    MNodeCacheDisablingInfo() = default;
    ~MNodeCacheDisablingInfo() = default;
    bool disabled_ = false;
    MString reason_, mitigation_;
};
