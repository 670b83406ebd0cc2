#pragma once

#include <maya/MStatus.h>

class MString;

/// A long computation: a progress bar, and the Esc key.
class MComputation {
public:
    MComputation();
    virtual ~MComputation();
    void beginComputation(bool showProgressBar = false, bool isInterruptable = true, bool useWaitCursor = true);
    bool isInterruptRequested();
    void endComputation();
    MStatus setProgressRange(const int minValue, const int maxValue);
    int progressMin(MStatus* ReturnStatus = nullptr) const;
    int progressMax(MStatus* ReturnStatus = nullptr) const;
    MStatus setProgress(const int amount);
    int progress(MStatus* ReturnStatus = nullptr) const;
    MStatus setProgressStatus(const MString&);

private:
    int min_ = 0, max_ = 100, progress_ = 0;
};
