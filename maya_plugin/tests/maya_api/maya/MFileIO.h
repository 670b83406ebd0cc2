#pragma once

#include <maya/MTypes.h>

/// What the host does with files.
class MFileIO {
public:
    static bool isReadingFile();
    static bool isOpeningFile();
};
