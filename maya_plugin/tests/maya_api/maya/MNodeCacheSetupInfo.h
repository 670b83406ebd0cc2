#pragma once

#include <maya/MStatus.h>

/// What a node asks of Cached Playback. Plug-ins get one to fill, and cannot make one.
class MNodeCacheSetupInfo {
public:
    enum PreferenceFlag { kWantToCacheByDefault, kLastPreference };
    void setPreference(PreferenceFlag, bool);
    bool getPreference(PreferenceFlag) const;
    enum RequirementFlag { kSimulationSupport, kLastRequirement };
    void setRequirement(RequirementFlag, bool);
    bool getRequirement(RequirementFlag) const;
    MNodeCacheSetupInfo(const MNodeCacheSetupInfo&) = delete;
    MNodeCacheSetupInfo& operator=(const MNodeCacheSetupInfo&) = delete;

protected:
    MNodeCacheSetupInfo() = default;
    ~MNodeCacheSetupInfo() = default;

private:
    bool wants_ = false, simulation_ = false;
};
