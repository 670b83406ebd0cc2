#pragma once

// What every header of the stand-in needs: versions, small array types, and names that come from the declared scene.

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

#define MAYA_API_VERSION 20240200
#define MAYA_APP_VERSION 2024

#ifndef PLUGIN_EXPORT
#define PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

typedef std::int64_t MInt64;
typedef std::uint64_t MUint64;
typedef short short2[2];
typedef short short3[3];
typedef int int2[2];
typedef int int3[3];
typedef float float2[2];
typedef float float3[3];
typedef double double2[2];
typedef double double3[3];
typedef double double4[4];

/// The spaces in which points are given: of the object, or of the world.
class MSpace {
public:
    enum Space {
        kInvalid = 0,
        kTransform = 1,
        kPreTransform = 2,
        kPostTransform = 3,
        kWorld = 4,
        kObject = 2,
        kLast = 5
    };
};

namespace standin {
struct Thing;
struct Attribute;
struct Node;
struct Data;
struct Value;
struct Block;
struct Context;
struct Component;
struct MeshData;
} // namespace standin
