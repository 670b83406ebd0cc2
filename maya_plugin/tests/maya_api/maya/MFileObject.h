#pragma once

#include <maya/MString.h>

class MFileObject {
public:
    MStatus setRawName(const MString& fileName);
    MStatus setRawPath(const MString& filePath);
    MStatus setRawFullName(const MString& fullFileName);
    MString rawName() const;
    MString rawPath() const;
    MString rawFullName() const;
    MString expandedFullName() const;
    MString resolvedName() const;
    MString resolvedPath() const;
    MString resolvedFullName() const;
    bool exists();
    bool isSet() const;

private:
    std::string path_, name_;
};
