#pragma once

#include <maya/MObjectArray.h>

/// The attributes of a schema, to go through.
struct MCacheSchemaAttributesRange {
    MObjectArray::ConstIterator begin() const { return standin_attributes.begin(); }
    MObjectArray::ConstIterator end() const { return standin_attributes.end(); }

    /// The stand-in's own.
    MObjectArray standin_attributes;
};

/// The attributes of a node that Cached Playback stores.
class MCacheSchema {
public:
    const MCacheSchemaAttributesRange& attributes() const { return attributes_; }
    MStatus add(const MObject& attribute);
    MCacheSchema(const MCacheSchema&) = delete;
    MCacheSchema& operator=(const MCacheSchema&) = delete;

protected:
    MCacheSchema() = default;
    ~MCacheSchema() = default;
    MCacheSchemaAttributesRange attributes_;
};
