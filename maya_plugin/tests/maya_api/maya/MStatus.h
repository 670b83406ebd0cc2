#pragma once

#include <maya/MTypes.h>

class MString;

/// Whether a call succeeded, and if not, what kind of failure it was.
class MStatus {
public:
    enum MStatusCode {
        kSuccess = 0,
        kFailure,
        kInsufficientMemory,
        kInvalidParameter,
        kLicenseFailure,
        kUnknownParameter,
        kNotImplemented,
        kNotFound,
        kEndOfFile
    };
    MStatus() = default;
    MStatus(MStatusCode code) : code_(code) {}
    bool operator==(const MStatus& other) const { return code_ == other.code_; }
    bool operator==(const MStatusCode code) const { return code_ == code; }
    bool operator!=(const MStatus& other) const { return code_ != other.code_; }
    bool operator!=(const MStatusCode code) const { return code_ != code; }
    bool error() const { return code_ != kSuccess; }
    void clear() { code_ = kSuccess; }
    MStatusCode statusCode() const { return code_; }
    MString errorString() const;
    void perror(const char* message) const;
    void perror(const MString& message) const;
    /// True for success.
    operator bool() const { return code_ == kSuccess; }
    friend bool operator==(const MStatusCode code, const MStatus& status) { return status.code_ == code; }
    friend bool operator!=(const MStatusCode code, const MStatus& status) { return status.code_ != code; }
    friend std::ostream& operator<<(std::ostream& out, MStatus& status);

private:
    MStatusCode code_ = kSuccess;
};
typedef MStatus MS;

#define CHECK_MSTATUS_AND_RETURN(_status, _retVal)                                                                     \
    {                                                                                                                  \
        MStatus standin_status = (_status);                                                                            \
        if (standin_status != MStatus::kSuccess) {                                                                     \
            standin_status.perror(__FILE__);                                                                           \
            return (_retVal);                                                                                          \
        }                                                                                                              \
    }
#define CHECK_MSTATUS_AND_RETURN_IT(_status) CHECK_MSTATUS_AND_RETURN((_status), (_status))
#define CHECK_MSTATUS(_status)                                                                                         \
    {                                                                                                                  \
        MStatus standin_status = (_status);                                                                            \
        if (standin_status != MStatus::kSuccess) standin_status.perror(__FILE__);                                      \
    }
