// The node types that the stand-in brings itself.
#pragma once

#include "world.h"

namespace standin {

/// Makes a node of a class, as its type asks.
template <class T> void* make() { return static_cast<MPxNode*>(new T()); }

// types.cpp: attributes of the type that is being made.
std::shared_ptr<NodeType> begin_type(const std::string& name, MFn::Type fn, MCreatorFunction creator);
MObject number(const char* name, const char* brief, MFnNumericData::Type type, double value, bool keyable);
MObject triple(const char* name, const char* brief, bool angles, double value);
MObject matrix(const char* name, const char* brief, bool array, bool output);
MObject geometry(const char* name, const char* brief, MFnData::Type type, bool array, bool output);

/// A value of a node that is computing, up to date.
Value& pull(MDataBlock& data, const char* name);

// poly_nodes.cpp
void register_poly_nodes();

// deformers.cpp
void register_deformers();

MStatus dag_compute(MPxNode& node, const MPlug& plug, MDataBlock& block);

} // namespace standin
