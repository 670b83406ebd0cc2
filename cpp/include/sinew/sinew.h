// Generated from src/ffi; do not edit. Licence: Apache-2.0.
//
// The C ABI of Sinew: opaque handles, nodes described as data, the caller's arrays.
//
// Rules for callers
//
// Ownership. The caller destroys each handle returned by a sinew_*_create exactly once, with the matching
// sinew_*_destroy; destroying NULL does nothing. A node or a job keeps what it needs of its context, so the two may
// be destroyed in either order. Arrays and strings that the caller passes are read during the call and never kept.
// Strings in descriptions live as long as the library is loaded; the text of sinew_last_error_message until the next
// failing call on the same thread; strings passed to callbacks until the callback returns. Callbacks and their user
// pointers must outlive the nodes and jobs that call them, even if the context was destroyed before them.
//
// Threads. Every function carries a tag. [thread-safe]: may be called from any thread at any time. [one call per
// handle at a time]: the caller serialises calls on a handle; a concurrent second call does not wait but fails with
// SINEW_BUSY. The exception is destroying, which cannot be refused: it must not overlap any other call on the handle.
// Different handles never interfere. Only steps, runs of jobs, calls that make, change, weigh or test muscle sets, and
// those that mirror, copy, expand or check documents use threads other than the caller's; each running step or job has
// threads of its own, fewer when others run at the same time, and so has each such call until it returns, or those of
// the context of its set or document (sinew_muscles_set_context, sinew_document_set_context). Callbacks are called
// during steps, runs and these calls, from any thread (with SINEW_ON_CALLING_THREAD only from the calling one), must
// not call back into the same handle, and must not throw or longjmp out. Results do not depend on the number of
// threads, to the last bit, nor on the floating-point mode of the calling thread (rounding, flushing, traps), which
// every call saves, sets to the default, and restores; callbacks run in the default mode. After fork() a child must
// create its own contexts, nodes and jobs: steps and runs on those of its parent fail with SINEW_UNSUPPORTED, because
// threads do not survive a fork; with SINEW_ON_CALLING_THREAD they still work.
//
// Time. Only nodes with SinewNodeInfo.stateful carry state from frame to frame. Seconds decide the order; frame
// numbers are labels. Later seconds, on whole frames or between them, continue from the last good step, however much
// time has passed; the same seconds (to a nanosecond), whatever the frame number, are recomputed from the state before
// them, as after a change of an input; earlier seconds have no state to continue from and restart. sinew_node_history
// returns which of these it was, and so does the report. sinew_node_set_start says where a fresh start is right, and
// sinew_node_set_restart forbids restarts elsewhere. A host that evaluates frames in any order sets
// sinew_node_set_lean, keeps a lean state of every frame (sinew_node_save_lean_state), loads that of the frame before,
// and steps: the result is that of playing from the start, to the last bit. Where frames were skipped or a step
// restarted, it is not. When the mesh of a skin changes (its rest, or parameters that triangulate it differently), the
// next later step transfers the skin to the nearest points of the new mesh and returns SINEW_HISTORY_CARRIED; so it
// does with a loaded state of one of the last meshes of the node. A mesh farther away than two edge lengths of the
// coarser mesh counts as a different skin. In that case, after a change to a strand scene, and after loading a state
// of another mesh or scene, there is no state to continue from, as with earlier seconds: the step restarts, or fails.
// Whether a loaded state fits is checked by the next step.
//
// Errors. Every function that can fail returns a status: 0 is success, and no other number ever changes its meaning.
// After a failure sinew_last_error_message says what went wrong and where (vertex, frame, port, ...), and
// sinew_last_error_place gives the place as numbers; both are per thread. Outputs are written only
// on success, and a failed step changes nothing: the node continues from the last good one. A bug inside Sinew is
// caught and returned as SINEW_INTERNAL; the handle involved refuses all further calls except destroying it.
//
// Versions. Functions and fields are only ever added. The first field of every struct is its size as the caller
// knows it (struct_size = sizeof(the struct)), so that a program compiled against an older header keeps working
// with a newer library: fields that it does not know are neither read nor written.
// sinew_check_version fails if the library is older than the header.
//
// Units. sinew_node_set_space declares the host's unit of length and up axis. Arrays and meshes are in that
// space, parameters always in the unit that their description states.
//
// Muscle sets. A host creates, fits, mirrors, copies and sculpts muscles with a SinewMuscles, and passes its XML text
// to the parameter "muscles" of the node "muscle_skin"; it can store the text in its own scene file.
//
// Documents. A SinewDocument is an authored file (a strand scene, a muscle set, a plan) that a host reads, edits,
// checks and writes: elements with numbers of their own, whose attributes are texts, or numbers in the host's unit and
// axes. SinewParamInfo.document says which parameters take which. A SinewMuscles is a document of the type muscle_set
// with its older functions.
//
// Jobs. A SinewJob takes a scene file from its inputs to all its outputs, frame by frame, as sinew run does. Runs
// resume one another, whichever program they belong to; one at a time writes into a folder.
//
// Matrices (quantity "transform") are 16 numbers in row-major order, for column vectors: the translation is the last
// column, elements 3, 7 and 11, and the last row is 0 0 0 1. A host with row vectors (Maya) declares that with
// sinew_node_set_row_vectors; then the translation is elements 12, 13 and 14.


#ifndef SINEW_H
#define SINEW_H

#include <stddef.h>
#include <stdint.h>

// Success.
#define SINEW_OK 0

// An argument is invalid by itself: NULL, text that is not UTF-8, a stride that is too small.
#define SINEW_INVALID_ARGUMENT 1

// No node, port or parameter of that name or index.
#define SINEW_NOT_FOUND 2

// A value whose type or number of components is not that of the port or parameter.
#define SINEW_WRONG_TYPE 3

// A number outside its range.
#define SINEW_OUT_OF_RANGE 4

// Two counts that must agree do not.
#define SINEW_COUNT_MISMATCH 5

// NaN or infinity where a finite number is required.
#define SINEW_NOT_FINITE 6

// Degenerate geometry, without size or direction.
#define SINEW_DEGENERATE 7

// A mesh whose connectivity cannot be used.
#define SINEW_TOPOLOGY 8

// Data that violates its format.
#define SINEW_PARSE 9

// A feature that is not supported.
#define SINEW_UNSUPPORTED 10

// The operating system reported an error.
#define SINEW_IO 11

// A file or frame is missing.
#define SINEW_MISSING_FILE 12

// Stopped on request.
#define SINEW_CANCELLED 13

// More data than a documented limit allows or the caller's buffer holds.
#define SINEW_TOO_LARGE 14

// A solver did not converge.
#define SINEW_NO_CONVERGENCE 15

// Written by, or compiled for, an incompatible version.
#define SINEW_WRONG_VERSION 16

// A required input was never set, or no step has succeeded yet.
#define SINEW_MISSING_INPUT 17

// The handle is in use by another call; nothing was done.
#define SINEW_BUSY 18

// The node has no state from which to compute this frame, and restarts are not allowed (sinew_node_set_restart);
// nothing was done.
#define SINEW_OUT_OF_ORDER 19

// A bug in Sinew; the handle refuses further calls.
#define SINEW_INTERNAL 99

// The major version of the ABI: programs of one major version run with any library of the same.
#define SINEW_ABI_MAJOR 1

// The minor version, increased when something is added.
#define SINEW_ABI_MINOR 11

// SinewContextConfig.flags: steps run on the thread that calls them and start no other; threads is ignored.
// Callbacks are then called from that thread. For hosts that evaluate many nodes on threads of their own. Each thread
// that has run a step keeps about 10 KB until the process ends.
#define SINEW_ON_CALLING_THREAD 1

// SinewPortInfo.direction: set by the host.
#define SINEW_INPUT 0

// SinewPortInfo.direction: read by the host.
#define SINEW_OUTPUT 1

// SinewPortInfo.kind: an array of floating-point numbers.
#define SINEW_PORT_REALS 0

// SinewPortInfo.kind: an array of whole numbers from 0.
#define SINEW_PORT_INTS 1

// SinewPortInfo.kind: a mesh.
#define SINEW_PORT_MESH 2

// SinewParamInfo.kind: on or off, 0 or 1.
#define SINEW_PARAM_BOOL 0

// SinewParamInfo.kind: a whole number.
#define SINEW_PARAM_INT 1

// SinewParamInfo.kind: a number.
#define SINEW_PARAM_REAL 2

// SinewParamInfo.kind: one of a list of choices.
#define SINEW_PARAM_CHOICE 3

// SinewParamInfo.kind: any text, such as the path of a file; set with sinew_node_set_text. default_text holds
// its default; the numeric fields are 0.
#define SINEW_PARAM_TEXT 4

// SinewArray.element: 32-bit floating point.
#define SINEW_F32 1

// SinewArray.element: 64-bit floating point.
#define SINEW_F64 2

// SinewArray.element: 32-bit signed integer.
#define SINEW_I32 3

// SinewArray.element: 32-bit unsigned integer.
#define SINEW_U32 4

// sinew_node_set_space: y points up, as in Maya.
#define SINEW_UP_Y 0

// sinew_node_set_space: z points up, as in Blender.
#define SINEW_UP_Z 1

// How a step continued the one before: not applicable, because the node has no state.
#define SINEW_HISTORY_NONE 0

// It was the first frame, where the motion starts.
#define SINEW_HISTORY_STARTED 1

// It continued from the frame before.
#define SINEW_HISTORY_CONTINUED 2

// It continued from an earlier frame than the one before: those between were never computed, so anything that moves
// with inertia, or snaps, may be elsewhere.
#define SINEW_HISTORY_SKIPPED 3

// The same time was recomputed, from the state before it.
#define SINEW_HISTORY_REPEATED 4

// There was no state to continue from, so it restarted. The result is not that of playing from the start: do not cache
// or render it.
#define SINEW_HISTORY_RESTARTED 5

// It continued from the frame before, which was on another mesh: the skin was transferred to the nearest points of
// this one.
#define SINEW_HISTORY_CARRIED 6

// In place of an element: none.
#define SINEW_NO_ELEMENT UINT32_MAX

// SinewJobConfig.flags: start over from the first frame, even if an earlier run could be resumed.
#define SINEW_JOB_RESTART 1

// SinewJobConfig.flags: keep the results of the nodes in the output folder, so that a job with other images need not
// compute them again.
#define SINEW_JOB_KEEP 2

// SinewJobConfig.flags: check everything that can be checked before the first frame, and write nothing.
#define SINEW_JOB_DRY_RUN 4

// The threads and callbacks shared by nodes. Opaque.
typedef struct SinewContext SinewContext;

// An authored document: a strand scene, a muscle set or a plan. Opaque. Since ABI 1.6.
typedef struct SinewDocument SinewDocument;

// A job. Opaque. Since ABI 1.10.
typedef struct SinewJob SinewJob;

// A muscle set. Opaque. Since ABI 1.4.
typedef struct SinewMuscles SinewMuscles;

// A node with its inputs, parameters and outputs. Opaque.
typedef struct SinewNode SinewNode;

// What a function returns: SINEW_OK or what went wrong.
typedef int32_t SinewStatus;

// Where an error happened; a field is -1 if it is unknown. Vertices, faces and joints count from 0.
typedef struct SinewPlace {
  // sizeof(SinewPlace)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // The frame.
  int64_t frame;
  // The vertex.
  int64_t vertex;
  // The face.
  int64_t face;
  // The joint.
  int64_t joint;
  // The line of a file, from 1.
  int64_t line;
  // The ids of the port and the parameter, empty if unknown. They live until this thread's next failing call.
  const char *port;
  // See port.
  const char *param;
} SinewPlace;

// Receives a log line during a step; level is 1 for a warning, 2 for information, 3 for details.
typedef void (*SinewLogCallback)(void *user, int32_t level, const char *message);

// Receives the progress of a long step, done from 0 to 1: an estimate, which may stall or go back a little. A
// nonzero return value stops the step.
typedef int32_t (*SinewProgressCallback)(void *user, double done, const char *task);

// How to create a context. All zero except struct_size is a good default.
typedef struct SinewContextConfig {
  // sizeof(SinewContextConfig)
  uint32_t struct_size;
  // The number of threads to compute with; 0 for one per core. Results do not depend on it.
  uint32_t threads;
  // Receives log lines of steps, or NULL.
  SinewLogCallback log;
  // Passed to log.
  void *log_user;
  // Receives progress, or NULL.
  SinewProgressCallback progress;
  // Passed to progress.
  void *progress_user;
  // 0, or SINEW_ON_CALLING_THREAD.
  uint32_t flags;
  // Zero.
  uint32_t reserved;
} SinewContextConfig;

// A node. Ids never change; titles and docs may.
typedef struct SinewNodeInfo {
  // sizeof(SinewNodeInfo)
  uint32_t struct_size;
  // The number of ports.
  uint32_t port_count;
  // The number of parameters.
  uint32_t param_count;
  // Zero.
  uint32_t reserved;
  // The permanent id.
  const char *id;
  // The display name.
  const char *title;
  // What it does, in a few sentences.
  const char *doc;
  // 1 if a frame depends on the frames before it: see Time at the top of this header.
  uint32_t stateful;
  // The number of meshes, each of which a SinewMeshInfo describes.
  uint32_t mesh_count;
  // A permanent number from 1 to 63, which no other node has or had, for hosts whose files name types by numbers,
  // such as Maya; 0 for a node that is not the library's own. Since ABI 1.10.
  uint32_t number;
  // Zero.
  uint32_t reserved_2;
} SinewNodeInfo;

// A mesh of a node: what its ports have items per vertex, face or corner of. The mesh "body" is that which the host
// animates; a node may have others beside it, and some it makes itself.
typedef struct SinewMeshInfo {
  // sizeof(SinewMeshInfo)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // The permanent id, which SinewPortInfo.mesh names.
  const char *id;
  // The display name.
  const char *title;
  // What it is, in one line.
  const char *doc;
  // If the node makes it, the output with the points of its vertices; otherwise empty, as are the next two.
  const char *points;
  // The output with the number of corners of each face.
  const char *face_sizes;
  // The output with the vertex of each corner, face by face.
  const char *face_vertices;
} SinewMeshInfo;

// A port of a node.
typedef struct SinewPortInfo {
  // sizeof(SinewPortInfo)
  uint32_t struct_size;
  // SINEW_INPUT or SINEW_OUTPUT.
  int32_t direction;
  // SINEW_PORT_REALS, SINEW_PORT_INTS or SINEW_PORT_MESH.
  int32_t kind;
  // Numbers per item; 0 for a mesh.
  uint32_t components;
  // 1 if a step needs it.
  uint32_t required;
  // 1 for a map that users can paint: numbers, or vectors if there are three components.
  uint32_t paintable;
  // 1 if an unset map has default_value everywhere.
  uint32_t has_default;
  // 1 if minimum and maximum apply.
  uint32_t has_range;
  // The value of an unset map.
  double default_value;
  // The smallest value.
  double minimum;
  // The largest value.
  double maximum;
  // The permanent id; an input and an output may share one.
  const char *id;
  // The name for people.
  const char *title;
  // What it holds, in one line.
  const char *doc;
  // What each item belongs to: a "vertex", "face", "corner" or "influence" (a vertex with one of its joints) of the
  // body, a "joint", or "free": any number of items, or those of another mesh, which mesh and element name.
  // Inputs of one domain have the same count, except for "free".
  const char *domain;
  // What the numbers are, which determines how they are converted from the host's space: "scalar", "position",
  // "displacement", "direction", "transform", "uv", "index", "length".
  const char *quantity;
  // What the items are if the domain is "free": "muscle", "muscle vertex", "rider", ...; otherwise empty. Outputs
  // with the same word have the same items, in the same order.
  const char *items;
  // The unit of the numbers, such as "N", or "deg or m" if it depends on the item; empty if they have none or the
  // quantity implies it: lengths and positions are in the host's unit.
  const char *unit;
  // 1 if the numbers are whole: such an output can also be read as integers.
  uint32_t whole;
  // 1 if places and directions are those of the body at rest; otherwise they are those of the frame.
  uint32_t at_rest;
  // A name for a host's attribute: unlike ids, names of inputs, outputs and parameters all differ, and none is one
  // that Maya's own nodes have. Permanent.
  const char *host_name;
  // The mesh to which each item belongs, the id of a SinewMeshInfo; empty if it belongs to none. Inputs with the
  // same mesh and element have the same count.
  const char *mesh;
  // What each item is of that mesh: a "vertex", "face", "corner" or "influence"; otherwise empty.
  const char *element;
  // The heading under which a panel shows it; the inputs of a group are consecutive, and so are the outputs.
  const char *group;
  // If its items come in lists, one after another: the port of the same direction with the number of items of each
  // list; otherwise empty. Positions in lists are the nodes of curves. Since ABI 1.11.
  const char *counted_by;
  // For the nodes of curves: the output with the radius of each curve; empty if they have none. Since ABI 1.11.
  const char *radii;
  // For numbers between the neighbours of a list, such as the segments of curves: the port with the items of the
  // lists; otherwise empty. Each list has one number fewer than items. Since ABI 1.11.
  const char *between;
  // For whole numbers that are each the number of something, from 0: the word for that, as in items, such as
  // "muscle", "joint", "chart", or a "vertex", "face" or "corner" of a mesh; otherwise empty. Since ABI 1.11.
  const char *index_of;
} SinewPortInfo;

// A parameter of a node.
typedef struct SinewParamInfo {
  // sizeof(SinewParamInfo)
  uint32_t struct_size;
  // SINEW_PARAM_BOOL, SINEW_PARAM_INT, SINEW_PARAM_REAL, SINEW_PARAM_CHOICE or SINEW_PARAM_TEXT.
  int32_t kind;
  // The number of choices.
  uint32_t choice_count;
  // Zero.
  uint32_t reserved;
  // The default value; for a choice its index.
  double default_value;
  // The smallest value.
  double minimum;
  // The largest value.
  double maximum;
  // The permanent id.
  const char *id;
  // The name for people.
  const char *title;
  // What it does, in one line.
  const char *doc;
  // The unit of the value, such as "m"; empty when it has none.
  const char *unit;
  // The heading under which a panel shows it; the parameters of a group are consecutive.
  const char *group;
  // Where a slider begins; values down to the minimum can be typed.
  double soft_minimum;
  // Where a slider ends; values up to the maximum can be typed.
  double soft_maximum;
  // The increment of a spin button; 0 leaves it to the host.
  double step;
  // The choice parameter that decides whether this one has an effect; empty if it always has.
  const char *shown_with;
  // The choices of that parameter for which it has an effect: bit k for choice k.
  uint64_t shown_choices;
  // 1 if only experts need it.
  uint32_t advanced;
  // 1 if a change restarts the node.
  uint32_t restarts;
  // For the path of a file: a filter such as "*.xml"; otherwise empty.
  const char *files;
  // The default value of a choice (its id) or a text; otherwise empty.
  const char *default_text;
  // What is measured, so that a host can show it in units of its own: "length", "time", "mass", "angle", "pressure",
  // "force", "density", "acceleration", "stiffness", "rate", "angle per length", or "angle or length" if that
  // depends on what else is chosen; empty for a pure number. The value itself is in unit, whatever the host's
  // units are.
  const char *quantity;
  // A name for a host's attribute, see SinewPortInfo. Permanent.
  const char *host_name;
  // 1 if it may have another value in each frame.
  uint32_t animatable;
  // 1 if it is the path of a file, which the node reads; it may also hold the text of such a file. Nodes write no
  // files.
  uint32_t is_file;
  // The type of the document that it holds, as its text or as the path of its file, as sinew_document_create takes
  // it; otherwise empty. Since ABI 1.11.
  const char *document;
} SinewParamInfo;

// A choice of a parameter.
typedef struct SinewChoiceInfo {
  // sizeof(SinewChoiceInfo)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // The permanent id.
  const char *id;
  // What it means, in one line.
  const char *doc;
  // The name for people.
  const char *title;
} SinewChoiceInfo;

// An array to read: count items of components numbers, the items stride bytes apart.
typedef struct SinewArray {
  // sizeof(SinewArray)
  uint32_t struct_size;
  // SINEW_F32, SINEW_F64, SINEW_I32 or SINEW_U32.
  int32_t element;
  // Numbers per item.
  uint32_t components;
  // Zero.
  uint32_t reserved;
  // The first item; any alignment. NULL when count is 0.
  const void *data;
  // How many items.
  uint64_t count;
  // Bytes from item to item; 0 when they are packed.
  uint64_t stride;
} SinewArray;

// A polygon mesh to read.
typedef struct SinewMesh {
  // sizeof(SinewMesh)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // Points: 3 components, f32 or f64.
  struct SinewArray positions;
  // The number of corners of each face.
  const uint32_t *face_sizes;
  // The number of faces.
  uint64_t face_count;
  // The vertex of each corner, face by face.
  const uint32_t *corner_vertices;
  // The number of corners: the sum of face_sizes.
  uint64_t corner_count;
  // Texture coordinates: 2 components; data NULL and count 0 if there are none.
  struct SinewArray uvs;
  // The index into uvs for each corner; NULL if uvs holds one item per corner, in order.
  const uint32_t *corner_uvs;
} SinewMesh;

// An array to write; otherwise like SinewArray.
typedef struct SinewArrayMut {
  // sizeof(SinewArrayMut)
  uint32_t struct_size;
  // SINEW_I32 or SINEW_U32 for outputs of whole numbers (SinewPortInfo.whole), which SINEW_F32 and SINEW_F64 take,
  // too; one of the latter for all others.
  int32_t element;
  // Numbers per item.
  uint32_t components;
  // Zero.
  uint32_t reserved;
  // The first item; any alignment. NULL when count is 0.
  void *data;
  // How many items.
  uint64_t count;
  // Bytes from item to item; 0 when they are packed.
  uint64_t stride;
} SinewArrayMut;

// An array for an input port.
typedef struct SinewPortArray {
  // sizeof(SinewPortArray)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // The id of the port.
  const char *port;
  // The array.
  const struct SinewArray *array;
} SinewPortArray;

// An array for an output port.
typedef struct SinewPortArrayMut {
  // sizeof(SinewPortArrayMut)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // The id of the port.
  const char *port;
  // The array.
  const struct SinewArrayMut *array;
} SinewPortArrayMut;

// Like SinewLogCallback, with the node's id.
typedef void (*SinewNodeLogCallback)(void *user, uint64_t id, int32_t level, const char *message);

// Like SinewProgressCallback, with the node's id.
typedef int32_t (*SinewNodeProgressCallback)(void *user, uint64_t id, double done, const char *task);

// The callbacks of one node.
typedef struct SinewNodeCallbacks {
  // sizeof(SinewNodeCallbacks)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // The host's own id of the node; passed to both callbacks.
  uint64_t id;
  // Passed to both callbacks.
  void *user;
  // Receives log lines, or NULL.
  SinewNodeLogCallback log;
  // Receives progress, or NULL.
  SinewNodeProgressCallback progress;
} SinewNodeCallbacks;

// A character at rest: its joints, and its skin. Since ABI 1.4.
typedef struct SinewRig {
  // sizeof(SinewRig)
  uint32_t struct_size;
  // SINEW_UP_Y or SINEW_UP_Z.
  int32_t up_axis;
  // Metres per unit of the host.
  double metres_per_unit;
  // 1 if the matrices are for row vectors, otherwise 0.
  int32_t row_vectors;
  // The number of joints.
  uint32_t joint_count;
  // The name of each joint.
  const char *const *joint_names;
  // The matrix of each joint in the world: 16 components, f32 or f64.
  struct SinewArray rest_joints;
  // The skin in the world, or NULL.
  const struct SinewMesh *skin;
  // The index of each joint's parent, -1 for a root; NULL if the hierarchy is not known. Since ABI 1.9.
  const int32_t *joint_parents;
  // For each joint the role that the user gives to it, such as "forearm.L", or NULL; NULL if there are none. Roles
  // that are not given are found by hierarchy, place and name. Since ABI 1.9.
  const char *const *joint_roles;
} SinewRig;

// Factors that change all muscles: of the node's parameters size_factor, bulge_factor, stiffness_factor,
// damping_factor and weight_factor, or of a set. Since ABI 1.4.
typedef struct SinewPhysique {
  // sizeof(SinewPhysique)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // The permanent id of a known one; not read.
  const char *id;
  // Of the bulge multipliers.
  double bulge;
  // Of the springs' stiffnesses.
  double stiffness;
  // Of the springs' dampings.
  double damping;
  // Of the radii.
  double size;
  // Of the weights with which muscles carry skin; 0 stands for 1, for callers that do not know it.
  double weight;
} SinewPhysique;

// What a job runs, and how; the options of sinew run. All zero except struct_size and scene is a good default. Since
// ABI 1.10.
typedef struct SinewJobConfig {
  // sizeof(SinewJobConfig)
  uint32_t struct_size;
  // 0, or SINEW_JOB_RESTART, SINEW_JOB_KEEP and SINEW_JOB_DRY_RUN, added up.
  uint32_t flags;
  // The path of the scene file, which has outputs. The names in it are relative to its folder.
  const char *scene;
  // The folder to write into, or NULL for that of the scene.
  const char *folder;
  // The part of the job that is done: "solve", "images", "caches" or "page"; NULL for everything.
  const char *only;
  // Only these of the job's frames, such as "1-48" or "1,5,9", or NULL.
  const char *frames;
  // Parameters that override those of the scene: each is NAME=VALUE, or NODE.NAME=VALUE if there are several nodes.
  const char *const *settings;
  // The number of settings, at most 4096.
  uint32_t setting_count;
  // Zero.
  uint32_t reserved;
} SinewJobConfig;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// [thread-safe] The version of the library's ABI: major * 65536 + minor.
uint32_t sinew_abi_version(void);

// [thread-safe] The version of the library as text, with the commit in release builds.
const char *sinew_version_string(void);

// [thread-safe] Whether this library can serve a program compiled with the given version: call it first with
// SINEW_ABI_MAJOR and SINEW_ABI_MINOR.
SinewStatus sinew_check_version(uint32_t major,
                                uint32_t minor);

// [thread-safe] The message of this thread's last failing call; empty if none has failed. The text lives until
// this thread's next failing call.
const char *sinew_last_error_message(void);

// [thread-safe] The place of this thread's last error.
//
// Pointers:
// place is NULL or writable for its struct_size bytes.
SinewStatus sinew_last_error_place(struct SinewPlace *place);

// [thread-safe] Creates a context. config may be NULL for the defaults.
//
// Pointers:
// config is NULL or readable for its struct_size bytes; context is NULL or writable.
SinewStatus sinew_context_create(const struct SinewContextConfig *config, struct SinewContext **context);

// [one call per handle at a time] Destroys a context; its nodes keep working. Its threads are joined when the
// context and the last of its nodes have been destroyed, before that call returns. NULL is allowed.
//
// Pointers:
// context is NULL or came from sinew_context_create and was not destroyed.
void sinew_context_destroy(struct SinewContext *context);

// [thread-safe] The number of available nodes.
uint32_t sinew_node_count(void);

// [thread-safe] Describes a node; index counts from 0. The order of nodes may change, ids do not.
//
// Pointers:
// info is NULL or writable for its struct_size bytes.
SinewStatus sinew_node_info(uint32_t index, struct SinewNodeInfo *info);

// [thread-safe] Describes a mesh of a node. Since ABI 1.9.
//
// Pointers:
// node_id is NULL or terminated text; info is NULL or writable for its struct_size bytes.
SinewStatus sinew_mesh_info(const char *node_id, uint32_t index, struct SinewMeshInfo *info);

// [thread-safe] Whether an input or a parameter from may change an output of a node: 0 or 1. With 0 it never does,
// so that a host that computes on demand need not compute the output anew. Since ABI 1.9.
//
// Pointers:
// node_id, from and output are NULL or terminated text; affects is NULL or writable.
SinewStatus sinew_affects(const char *node_id,
                          const char *from,
                          const char *output,
                          int32_t *affects);

// [thread-safe] Describes a port of a node.
//
// Pointers:
// node_id is NULL or terminated text; info is NULL or writable for its struct_size bytes.
SinewStatus sinew_port_info(const char *node_id, uint32_t index, struct SinewPortInfo *info);

// [thread-safe] Describes a parameter of a node.
//
// Pointers:
// node_id is NULL or terminated text; info is NULL or writable for its struct_size bytes.
SinewStatus sinew_param_info(const char *node_id, uint32_t index, struct SinewParamInfo *info);

// [thread-safe] Describes a choice of a parameter.
//
// Pointers:
// node_id is NULL or terminated text; info is NULL or writable for its struct_size bytes.
SinewStatus sinew_choice_info(const char *node_id,
                              uint32_t param_index,
                              uint32_t choice_index,
                              struct SinewChoiceInfo *info);

// [thread-safe] Creates a node of the type node_id, with every parameter at its default.
//
// Pointers:
// context is NULL or alive; node_id is NULL or terminated text; node is NULL or writable.
SinewStatus sinew_node_create(const struct SinewContext *context,
                              const char *node_id,
                              struct SinewNode **node);

// [one call per handle at a time] Destroys a node. No other call on it may be running: this one cannot be
// refused. NULL is allowed.
//
// Pointers:
// node is NULL or came from sinew_node_create and was not destroyed.
void sinew_node_destroy(struct SinewNode *node);

// [thread-safe] Asks the running step to stop; it soon returns SINEW_CANCELLED and leaves the node as it was before.
// If no step is running, nothing happens, so a cancel just before a step begins is lost. A host that must not lose one
// keeps a flag of its own that its progress callback returns: every step calls it before anything else.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_cancel(struct SinewNode *node);

// [one call per handle at a time] Declares the host's space: metres per unit (0.01 for centimetres) and
// SINEW_UP_Y or SINEW_UP_Z. It applies to everything set and read from now on. The default is metres, y up.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_space(struct SinewNode *node, double metres_per_unit, int32_t up_axis);

// [one call per handle at a time] Whether the host's matrices are for row vectors (1, as in Maya), with the
// translation in elements 12 to 14, or for column vectors (0, the default). It applies to everything set and read from
// now on.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_row_vectors(struct SinewNode *node,
                                       int32_t rows);

// [one call per handle at a time] Copies an array into an input port. On an error the port keeps its previous
// contents.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; array is NULL or readable, and so is its memory.
SinewStatus sinew_node_set_array(struct SinewNode *node,
                                 const char *port,
                                 const struct SinewArray *array);

// [one call per handle at a time] Copies a mesh into an input port. On an error the port keeps its previous
// contents.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; mesh is NULL or readable, and so are its arrays.
SinewStatus sinew_node_set_mesh(struct SinewNode *node,
                                const char *port,
                                const struct SinewMesh *mesh);

// [one call per handle at a time] Empties an input port; a map then has its default everywhere.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text.
SinewStatus sinew_node_clear_input(struct SinewNode *node, const char *port);

// [one call per handle at a time] Computes the outputs of a frame. On an error the outputs of the last good
// step are kept.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_step(struct SinewNode *node, int64_t frame, double seconds);

// [one call per handle at a time] One call for nodes that move points: sets the input "points", steps, reads the
// output "points". Both arrays may be the same memory. On an error nothing is written.
//
// Pointers:
// node is NULL or alive; the arrays are NULL or readable, and so is their memory; that of points_out is
// writable.
SinewStatus sinew_node_deform(struct SinewNode *node,
                              int64_t frame,
                              double seconds,
                              const struct SinewArray *points_in,
                              const struct SinewArrayMut *points_out);

// [one call per handle at a time] A whole frame in one call: sets arrays of input ports, steps, reads arrays of
// output ports: for the skin slider points in, UVs out. A port may be named once among the inputs and once among the
// outputs, so that counts above the numbers of such ports are refused; both may use the same memory. history, which
// may be NULL, receives a SINEW_HISTORY value. On an error the inputs are restored, nothing is written, and the node
// is as before the frame; the same holds for sinew_node_deform.
//
// Pointers:
// node is NULL or alive; inputs and outputs are NULL or hold as many structs as their counts say, with ports
// that are NULL or terminated text and arrays as in sinew_node_set_array and sinew_node_read_output; history is NULL
// or writable.
SinewStatus sinew_node_run(struct SinewNode *node,
                           int64_t frame,
                           double seconds,
                           const struct SinewPortArray *inputs,
                           uint32_t input_count,
                           const struct SinewPortArrayMut *outputs,
                           uint32_t output_count,
                           int32_t *history);

// [one call per handle at a time] Whether an input port is set: 0 or 1.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; set is NULL or writable.
SinewStatus sinew_node_input_is_set(struct SinewNode *node, const char *port, int32_t *set);

// [one call per handle at a time] Sets callbacks for this node's steps, in place of those of its context; NULL
// restores those. The struct is copied.
//
// Pointers:
// node is NULL or alive; callbacks is NULL or readable for its struct_size bytes; what it refers to lives as
// long as the node, or until other callbacks are set.
SinewStatus sinew_node_set_callbacks(struct SinewNode *node,
                                     const struct SinewNodeCallbacks *callbacks);

// [one call per handle at a time] The number of items of an output port after the last good step; 0 before the
// first.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; count is NULL or writable.
SinewStatus sinew_node_output_count(struct SinewNode *node,
                                    const char *port,
                                    uint64_t *count);

// [one call per handle at a time] Says whether an output will be read after the next steps, 1 or 0: one that will
// not may stay empty, which saves its time. At first all will be. What is read does not depend on it. Since ABI 1.11.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text.
SinewStatus sinew_node_want_output(struct SinewNode *node,
                                   const char *port,
                                   int32_t wanted);

// [one call per handle at a time] The number of items that an output port will have after a step with the inputs and
// parameters as they are now, so that a host can allocate before its first step: sinew_node_output_count then says the
// same. Inputs that do not decide about it need not be set. It may read the files that parameters name. Since ABI 1.9.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; count is NULL or writable.
SinewStatus sinew_node_expected_count(struct SinewNode *node,
                                      const char *port,
                                      uint64_t *count);

// [one call per handle at a time] Copies an output of the last good step into the caller's array. On an error
// nothing is written.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; array is NULL or readable, its memory writable.
SinewStatus sinew_node_read_output(struct SinewNode *node,
                                   const char *port,
                                   const struct SinewArrayMut *array);

// [one call per handle at a time] The report of the last good step as JSON, without a terminating NUL; {} if there
// is none, because the node is new, was reset, or has loaded a state. report.schema.json next to this header describes
// it. With buffer NULL only needed is written; needed may be NULL if buffer is not.
//
// Pointers:
// node is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_node_report(struct SinewNode *node,
                              uint8_t *buffer,
                              uint64_t size,
                              uint64_t *needed);

// [one call per handle at a time] Sets a bool parameter: 0 is off, everything else on.
//
// Pointers:
// node is NULL or alive; param is NULL or terminated text.
SinewStatus sinew_node_set_bool(struct SinewNode *node, const char *param, int32_t value);

// [one call per handle at a time] Sets an int or real parameter from a whole number.
//
// Pointers:
// node is NULL or alive; param is NULL or terminated text.
SinewStatus sinew_node_set_int(struct SinewNode *node, const char *param, int64_t value);

// [one call per handle at a time] Sets a real parameter, in the unit of its description.
//
// Pointers:
// node is NULL or alive; param is NULL or terminated text.
SinewStatus sinew_node_set_real(struct SinewNode *node, const char *param, double value);

// [one call per handle at a time] Sets any parameter from text: "on", "0.5", the id of a choice, or the text of a
// text parameter.
//
// Pointers:
// node is NULL or alive; param and value are NULL or terminated text.
SinewStatus sinew_node_set_text(struct SinewNode *node,
                                const char *param,
                                const char *value);

// [one call per handle at a time] Sets a choice parameter by the index of the choice.
//
// Pointers:
// node is NULL or alive; param is NULL or terminated text.
SinewStatus sinew_node_set_choice(struct SinewNode *node, const char *param, uint32_t index);

// [one call per handle at a time] Reads a bool, int, or real parameter as a number; of a choice its index.
//
// Pointers:
// node is NULL or alive; param is NULL or terminated text; value is NULL or writable.
SinewStatus sinew_node_get_number(struct SinewNode *node, const char *param, double *value);

// [one call per handle at a time] Reads a choice parameter: the id of the choice, which lives as long as the library
// is loaded.
//
// Pointers:
// node is NULL or alive; param is NULL or terminated text; choice is NULL or writable.
SinewStatus sinew_node_get_choice(struct SinewNode *node,
                                  const char *param,
                                  const char **choice);

// [one call per handle at a time] Reads any parameter as the text that sinew_node_set_text takes, without a
// terminating NUL. With buffer NULL only needed is written; needed may be NULL if buffer is not. Since
// ABI 1.1.
//
// Pointers:
// node is NULL or alive; param is NULL or terminated text; buffer is NULL or writable for size bytes; needed
// is NULL or writable.
SinewStatus sinew_node_get_text(struct SinewNode *node,
                                const char *param,
                                uint8_t *buffer,
                                uint64_t size,
                                uint64_t *needed);

// [one call per handle at a time] Discards the state: the next frame is the first. Inputs, parameters and what was
// built from them are kept; outputs are cleared.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_reset(struct SinewNode *node);

// [one call per handle at a time] Sets when the motion starts: a step at or before seconds starts afresh as
// SINEW_HISTORY_STARTED, and one after it without a state to continue from is SINEW_HISTORY_RESTARTED. With known 0,
// the default, the first step is the start, whenever it is.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_start(struct SinewNode *node,
                                 int32_t known,
                                 double seconds);

// [one call per handle at a time] Whether a step without a state to continue from restarts (1, the default) or fails
// with SINEW_OUT_OF_ORDER and leaves the node as it is (0): then the host loads the state of the frame before, or
// plays from the start.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_restart(struct SinewNode *node,
                                   int32_t allowed);

// [one call per handle at a time] Whether every step from now on continues from the contents of a lean state of the
// step before (1), or from the full state (0, the default). With 1, playing, with or without saving, and continuing
// from loaded lean states in any order give the same results to the last bit. With 0, saving a lean state changes the
// last digits of the frames after it, and steps take as little as a third of the time where the body moves little.
// Since ABI 1.3.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_lean(struct SinewNode *node,
                                int32_t lean);

// [one call per handle at a time] How the last good step continued the one before: a SINEW_HISTORY value. Fails with
// SINEW_MISSING_INPUT if there was none.
//
// Pointers:
// node is NULL or alive; history is NULL or writable.
SinewStatus sinew_node_history(struct SinewNode *node,
                               int32_t *history);

// [one call per handle at a time] Saves the full state of the node: parameters, last frame, outputs, its internal
// state; not the inputs. With buffer NULL only needed is written.
//
// Pointers:
// node is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_node_save_state(struct SinewNode *node,
                                  uint8_t *buffer,
                                  uint64_t size,
                                  uint64_t *needed);

// [one call per handle at a time] Restores a saved state, full or lean; on an error the node is unchanged. A lean
// one leaves the parameters as they are, and there are no outputs until the next step. What was built from the inputs
// is kept, so loading the state of every frame is cheap; the next step ignores a state of another mesh or scene.
//
// Pointers:
// node is NULL or alive; bytes is NULL or readable for size bytes.
SinewStatus sinew_node_load_state(struct SinewNode *node,
                                  const uint8_t *bytes,
                                  uint64_t size);

// [one call per handle at a time] Saves the minimum that the next frame needs, for hosts that keep a state of every
// frame: neither parameters nor outputs, and only the essential part of the internal state. The node itself continues
// from what was saved, so that a node that loads it continues identically, to the last bit; see sinew_node_set_lean.
// The frame itself cannot be recomputed from it. With buffer NULL only needed is written, and the node is
// unchanged.
//
// Pointers:
// node is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_node_save_lean_state(struct SinewNode *node,
                                       uint8_t *buffer,
                                       uint64_t size,
                                       uint64_t *needed);

// [thread-safe] What the joints of a rig do, as JSON by the rules of sinew_node_get_text: "roles", an object for
// each that was found: "role" (such as "forearm.L"), "joint" (its name), "certainty" ("chosen", "sure", "likely",
// "doubtful" or "disputed"), "why", and "rivals" (names of joints that it may be instead); "helpers", objects with the
// "joint" and the "role" that it follows, such as for twist; "parts", what hosts list: objects with the "title" of a
// part of the body and its "roles", objects with the "role" and its "title", those that no joint has among them; and
// "warnings". No roles for what is no human; those of fingers for a hand; none for two humans, unless a joint's role
// chooses one. Neither the skin nor the unit of length matters. Since ABI 1.9.
//
// Pointers:
// rig is NULL or readable, with its arrays; buffer is NULL or writable for size bytes; needed is NULL or
// writable.
SinewStatus sinew_rig_roles(const struct SinewRig *rig,
                            uint8_t *buffer,
                            uint64_t size,
                            uint64_t *needed);

// [thread-safe] Creates a muscle set from its XML; an empty one from "" or NULL. An element that cannot be read is
// left out where the set is used; then the calls that change the set, and sinew_muscles_text, return its error. What
// will be left out on every rig is among the warnings of sinew_muscles_report at once. Since ABI 1.4.
//
// Pointers:
// xml is NULL or terminated text; muscles is NULL or writable.
SinewStatus sinew_muscles_create(const char *xml,
                                 struct SinewMuscles **muscles);

// [thread-safe] Creates a muscle set by placing the muscles of a plan on a rig, under its skin. plan is the XML
// of a muscle_plan, or NULL for that of a human, whose joints are found by what they do (sinew_rig_roles). What cannot
// be placed is left out with a warning; SINEW_NOT_FOUND means that the rig lacks the joints that define its sideways
// and upward directions. It can neither be stopped nor followed: sinew_muscles_place can. Since ABI 1.4.
//
// Pointers:
// plan is NULL or terminated text; rig is NULL or readable, with its arrays; muscles is NULL or writable.
SinewStatus sinew_muscles_fit(const char *plan,
                              const struct SinewRig *rig,
                              struct SinewMuscles **muscles);

// [one call per handle at a time] Lets the calls on a set that make, change, weigh or test it use the threads and
// callbacks of a context; with SINEW_ON_CALLING_THREAD they run on their caller's. NULL, the default: threads of their
// own, and no callbacks. The set keeps what it needs of the context. Since ABI 1.5.
//
// Pointers:
// muscles is NULL or alive; context is NULL or alive.
SinewStatus sinew_muscles_set_context(struct SinewMuscles *muscles,
                                      const struct SinewContext *context);

// [thread-safe] Asks the running call on a set to stop; it soon returns SINEW_CANCELLED and leaves the set as it was
// before. If none is running, nothing happens; sinew_node_cancel says how a host loses no cancel. Since ABI 1.5.
//
// Pointers:
// muscles is NULL or alive.
SinewStatus sinew_muscles_cancel(struct SinewMuscles *muscles);

// [one call per handle at a time] What sinew_muscles_fit creates, in a set that exists and whose parts it replaces:
// with the threads and callbacks of the set's context, and to be cancelled. Since ABI 1.5.
//
// Pointers:
// muscles is NULL or alive; plan is NULL or terminated text; rig is NULL or readable, with its arrays.
SinewStatus sinew_muscles_place(struct SinewMuscles *muscles,
                                const char *plan,
                                const struct SinewRig *rig);

// [one call per handle at a time] Destroys a muscle set. No other call on it may be running: this one cannot be
// refused. NULL is allowed. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or came from this library and was not destroyed.
void sinew_muscles_destroy(struct SinewMuscles *muscles);

// [one call per handle at a time] Adds a straight muscle from a joint to another. origin and insertion are
// points of 3 numbers in the world, or NULL for the places of the joints. size is its largest radius in the unit
// of the rig; with 0 it is as large as the skin leaves room for, or without a skin a tenth of its length. An empty
// set takes the space of the rig. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; the texts are NULL or terminated; rig is NULL or readable, with its arrays; origin
// and insertion are NULL or readable for 3 numbers.
SinewStatus sinew_muscles_add(struct SinewMuscles *muscles,
                              const struct SinewRig *rig,
                              const char *name,
                              const char *origin_joint,
                              const char *insertion_joint,
                              const double *origin,
                              const double *insertion,
                              double size);

// [one call per handle at a time] Takes a muscle out; the others of its sheet and its other heads become single
// muscles. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; name is NULL or terminated text.
SinewStatus sinew_muscles_remove(struct SinewMuscles *muscles,
                                 const char *name);

// [one call per handle at a time] Adds the mirror images of everything whose name on the other side is not in the
// set, at the plane through the origin perpendicular to an axis of the set's space (0, 1, 2 for x, y, z). Left and
// right are swapped in names; parts without a side are not mirrored. Parts with a side on joints without one are
// mirrored with a warning, and so are sculpted muscles without an up-vector, such as sinew_muscles_sculpt gives them.
// added may be NULL; it gets the number of muscles, pads and bones that were added. For a character that stands
// elsewhere, is turned, or differs from side to side, there is sinew_muscles_mirror_on. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; added is NULL or writable.
SinewStatus sinew_muscles_mirror(struct SinewMuscles *muscles,
                                 uint32_t axis,
                                 uint32_t *added);

// [one call per handle at a time] Adds the mirror images of everything whose name on the other side is not in the
// set on a rig, wherever it stands and however it is turned: they lie on the joints of the other side as the originals
// on theirs, and sculpted muscles keep their shapes. Images on joints that the rig lacks are left out with a warning.
// The skin is not read. added may be NULL; it gets the number of muscles, pads and bones that were added. Since
// ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; rig is NULL or readable, with its arrays; added is NULL or writable.
SinewStatus sinew_muscles_mirror_on(struct SinewMuscles *muscles,
                                    const struct SinewRig *rig,
                                    uint32_t *added);

// [one call per handle at a time] Transfers a set from one character to another: to joints of the same names, or, if
// some have other names there, to those that do the same; rest poses and bone lengths may differ. Parts on joints that
// the other lacks are left out with a warning. Skins are not read. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; from and to are NULL or readable, with their arrays.
SinewStatus sinew_muscles_copy(struct SinewMuscles *muscles,
                               const struct SinewRig *from,
                               const struct SinewRig *to);

// [one call per handle at a time] Sculpts all muscles so that their vertices at rest lie at points, which has the
// layout of the output "muscle_points" of a step in the rest pose. frames is the choice of the node's parameter of
// that name, or NULL for its default. Sculpted muscles without an up-vector get the one that they have from their
// joints. moved may be NULL; it receives the number of vertices that differ from the unsculpted shape. Since ABI
// 1.4.
//
// Pointers:
// muscles is NULL or alive; rig, frames and points are NULL or readable, with their arrays; moved is NULL
// or writable.
SinewStatus sinew_muscles_sculpt(struct SinewMuscles *muscles,
                                 const struct SinewRig *rig,
                                 const char *frames,
                                 const struct SinewArray *points,
                                 uint32_t *moved);

// [one call per handle at a time] The default weights of muscles, as a starting point for painting: one item per
// vertex of the rig's skin, one component per muscle of the set, in the order of sinew_muscles_report. nearest,
// reach and smooth are the node's parameters of these names. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; rig is NULL or readable, with its arrays; weights is NULL or readable, and its
// memory writable.
SinewStatus sinew_muscles_weights(struct SinewMuscles *muscles,
                                  const struct SinewRig *rig,
                                  uint32_t nearest,
                                  double reach,
                                  uint32_t smooth,
                                  const struct SinewArrayMut *weights);

// [one call per handle at a time] The XML of a set, without a terminating NUL, by the rules of
// sinew_node_get_text. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_muscles_text(struct SinewMuscles *muscles,
                               uint8_t *buffer,
                               uint64_t size,
                               uint64_t *needed);

// [one call per handle at a time] What a set holds, as JSON by the rules of sinew_node_get_text: "muscles", an
// object for each in the order of the node's arrays ("name", "origin_joint", "insertion_joint", "rings", "divisions");
// "pads" and "bones", by their names; and "warnings" of the last call that made, changed, weighed or tested it. Since
// ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_muscles_report(struct SinewMuscles *muscles,
                                 uint8_t *buffer,
                                 uint64_t size,
                                 uint64_t *needed);

// [one call per handle at a time] Multiplies the numbers of all muscles, heads and pads. The parameters of the
// node do the same without changing the set. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; factors is NULL or readable for its struct_size bytes.
SinewStatus sinew_muscles_physique(struct SinewMuscles *muscles,
                                   const struct SinewPhysique *factors);

// [thread-safe] A physique by its index: "heavy", "gaunt", "jelly", "athletic", "old", "average".
// SINEW_NOT_FOUND after the last. Since ABI 1.4.
//
// Pointers:
// physique is NULL or writable for its struct_size bytes.
SinewStatus sinew_physique_info(uint32_t index, struct SinewPhysique *physique);

// [one call per handle at a time] Turns every joint of a rig through its range of motion, and reports what flips,
// collides, jumps or shortens to nothing, a sentence for each as a warning of sinew_muscles_report; the set stays as
// it is. plan is the XML of a muscle_plan, whose joints give the hierarchy and the ranges, or NULL for that of a
// human. push, from 0 to 1, is how far muscles and bones push muscles away, and degrees how far a joint turns from
// rest at most; 0 for no limit. For the same contact set push_muscles and push_bones of the node to push; they are 0
// by default. problems may be NULL; it gets the number of problems; parts that are left out, and joints that the
// plan does not know, are further warnings. Since ABI 1.4.
//
// Pointers:
// muscles is NULL or alive; rig is NULL or readable, with its arrays; plan is NULL or terminated text;
// problems is NULL or writable.
SinewStatus sinew_muscles_range(struct SinewMuscles *muscles,
                                const struct SinewRig *rig,
                                const char *plan,
                                double push,
                                double degrees,
                                uint32_t *problems);

// [thread-safe] Creates an empty document of a type: "strand_scene", "muscle_set" or "muscle_plan". Its numbers have
// the unit of length and the up axis of the host, which are also those of the calls on it (sinew_document_set_space).
// Since ABI 1.6.
//
// Pointers:
// kind is NULL or terminated text; document is NULL or writable.
SinewStatus sinew_document_create(const char *kind,
                                  double metres_per_unit,
                                  int32_t up_axis,
                                  struct SinewDocument **document);

// [thread-safe] Reads a document from its text. What nobody changes keeps its bytes; unknown elements and attributes
// stay, and sinew_document_check reports them. Since ABI 1.6.
//
// Pointers:
// xml is NULL or terminated text; document is NULL or writable.
SinewStatus sinew_document_parse(const char *xml,
                                 struct SinewDocument **document);

// [thread-safe] The same from a file. The names of other files in it are relative to its folder. Since ABI 1.6.
//
// Pointers:
// path is NULL or terminated text; document is NULL or writable.
SinewStatus sinew_document_load(const char *path,
                                struct SinewDocument **document);

// [one call per handle at a time] Writes a file, whole or not at all, and beside it the meshes that mirroring made.
// Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; path is NULL or terminated text.
SinewStatus sinew_document_save(struct SinewDocument *document,
                                const char *path);

// [one call per handle at a time] The text of a document, without a terminating NUL, by the rules of
// sinew_node_get_text. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_document_text(struct SinewDocument *document,
                                uint8_t *buffer,
                                uint64_t size,
                                uint64_t *needed);

// [one call per handle at a time] Destroys a document. No other call on it may be running. NULL is allowed. Since
// ABI 1.6.
//
// Pointers:
// document is NULL or came from this library and was not destroyed.
void sinew_document_destroy(struct SinewDocument *document);

// [one call per handle at a time] The unit of length and the up axis in which the host gives and gets numbers; those
// of the document itself, before it is called. The document's own stay. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive.
SinewStatus sinew_document_set_space(struct SinewDocument *document,
                                     double metres_per_unit,
                                     int32_t up_axis);

// [one call per handle at a time] Lets the calls on a document that mirror, copy, expand or check it use the threads
// and callbacks of a context; with SINEW_ON_CALLING_THREAD they run on their caller's. NULL, the default: threads of
// their own, and no callbacks. The document keeps what it needs of the context. Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; context is NULL or alive.
SinewStatus sinew_document_set_context(struct SinewDocument *document,
                                       const struct SinewContext *context);

// [thread-safe] Asks the running call on a document to stop; it soon returns SINEW_CANCELLED and leaves the document
// as it was before. If none is running, nothing happens; sinew_node_cancel says how a host loses no cancel. Since ABI
// 1.7.
//
// Pointers:
// document is NULL or alive.
SinewStatus sinew_document_cancel(struct SinewDocument *document);

// [one call per handle at a time] All that is wrong with a document, as JSON by the rules of sinew_node_get_text:
// "faults", an object for each in the order of the elements ("weight": "unreadable", "error" if it cannot be built,
// "unknown" where no table knows an element or attribute, "warning"; "element", its number, or null; "path", the names
// of the elements around it; "attribute", or null; "line"; "message"); and "warnings" of the last call that mirrored,
// copied or expanded it. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_document_check(struct SinewDocument *document,
                                 uint8_t *buffer,
                                 uint64_t size,
                                 uint64_t *needed);

// [thread-safe] The elements and attributes that a type of document may have, as JSON by the rules of
// sinew_node_get_text: an element has "name", "doc", "attributes" and "children" ("count", "element"). An attribute
// has "name", "doc", "expected", "need", "quantity", "unit" with L for the unit of length, "refers_to"; and since ABI
// 1.7 "type" (text, number, whole, vector, turn, range, choice, flag), "choices", "required", "default", "panel"
// ("heading", "least", "most") where hosts show a field, and "port", the input of the node that overrides it. Since
// ABI 1.6.
//
// Pointers:
// kind is NULL or terminated text; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_document_describe(const char *kind,
                                    uint8_t *buffer,
                                    uint64_t size,
                                    uint64_t *needed);

// [thread-safe] A name with left and right swapped, in whatever notation it has them (hand_L, LeftHand, LThumb); the
// same where it has no side. By the rules of sinew_node_get_text. Since ABI 1.6.
//
// Pointers:
// name is NULL or terminated text; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_mirrored_name(const char *name,
                                uint8_t *buffer,
                                uint64_t size,
                                uint64_t *needed);

// [one call per handle at a time] Sets the text of an attribute; NULL leaves it out. A text that cannot be read is
// refused, but for an empty one in place of the name of an element. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; the texts are NULL or terminated.
SinewStatus sinew_document_set_text(struct SinewDocument *document,
                                    uint32_t element,
                                    const char *attribute,
                                    const char *value);

// [one call per handle at a time] Sets the numbers of an attribute, given in the host's unit and axes. Since ABI
// 1.6.
//
// Pointers:
// document is NULL or alive; attribute is NULL or terminated text; numbers is NULL or readable for count
// numbers.
SinewStatus sinew_document_set_numbers(struct SinewDocument *document,
                                       uint32_t element,
                                       const char *attribute,
                                       const double *numbers,
                                       uint64_t count);

// [one call per handle at a time] Adds an element to another one: behind its child after, or with SINEW_NO_ELEMENT
// where elements of its kind belong. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; name is NULL or terminated text; added is NULL or writable.
SinewStatus sinew_document_add(struct SinewDocument *document,
                               uint32_t element,
                               const char *name,
                               uint32_t after,
                               uint32_t *added);

// [one call per handle at a time] Removes an element and all that it contains. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive.
SinewStatus sinew_document_remove(struct SinewDocument *document, uint32_t element);

// [one call per handle at a time] Gives an element another name, also where other elements name it; a name that is
// taken is refused. followed may be NULL; it gets how many attributes followed. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; name is NULL or terminated text; followed is NULL or writable.
SinewStatus sinew_document_rename(struct SinewDocument *document,
                                  uint32_t element,
                                  const char *name,
                                  uint32_t *followed);

// [one call per handle at a time] Puts an element somewhere: as one of "places" of sinew_document_read, with axes
// of 16 numbers in row-major order, which must be rigid, in the host's world. What the element was relative to is left
// out, and other places of it stay where they are. Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; attribute is NULL or terminated text; axes is NULL or readable for 16 numbers.
SinewStatus sinew_document_set_place(struct SinewDocument *document,
                                     uint32_t element,
                                     const char *attribute,
                                     const double *axes);

// [one call per handle at a time] The elements in an element, in their order: all, or those of one name. element
// is that around them; SINEW_NO_ELEMENT lists the root element alone. Without elements, only count is written. An
// element keeps its number until it is removed, and no other one gets it. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; name is NULL or terminated text; elements is NULL or writable for capacity
// numbers; count is NULL or writable.
SinewStatus sinew_document_list(struct SinewDocument *document,
                                uint32_t element,
                                const char *name,
                                uint32_t *elements,
                                uint64_t capacity,
                                uint64_t *count);

// [one call per handle at a time] What an element is, as JSON by the rules of sinew_node_get_text: "element", its
// kind; "line" in the file that was read, 0 if it was added; and "attributes", an object of their texts. Since ABI
// 1.6.
//
// Pointers:
// document is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_document_element(struct SinewDocument *document,
                                   uint32_t element,
                                   uint8_t *buffer,
                                   uint64_t size,
                                   uint64_t *needed);

// [one call per handle at a time] The text of an attribute, by the rules of sinew_node_get_text; is_there gets 0
// if it is left out. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; attribute is NULL or terminated text; buffer is NULL or writable for size bytes;
// needed and is_there are NULL or writable.
SinewStatus sinew_document_get_text(struct SinewDocument *document,
                                    uint32_t element,
                                    const char *attribute,
                                    uint8_t *buffer,
                                    uint64_t size,
                                    uint64_t *needed,
                                    int32_t *is_there);

// [one call per handle at a time] The numbers of an attribute in the host's unit and axes: its own, or those of its
// default. count gets how many there are, 0 if it has neither; rotations are rotation vectors in degrees. Since ABI
// 1.6.
//
// Pointers:
// document is NULL or alive; attribute is NULL or terminated text; numbers is NULL or writable for capacity
// numbers; count is NULL or writable.
SinewStatus sinew_document_get_numbers(struct SinewDocument *document,
                                       uint32_t element,
                                       const char *attribute,
                                       double *numbers,
                                       uint64_t capacity,
                                       uint64_t *count);

// [one call per handle at a time] An element and all that it contains, as JSON by the rules of sinew_node_get_text:
// "id", its number; "element", its kind; "line" in the file that was read, 0 if it was added; "attributes", an object
// of their texts; "numbers", an object of the numbers of attributes and defaults in the host's unit and axes;
// "places", for attributes that state a place, 16 numbers in row-major order: the axes there with the turn that goes
// with it, in the host's world as modelled, whatever body they are relative to; "called", for what ties a point, the
// name by which reports and events know it; and "children", a list of the same. What cannot be read has only its text.
// Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_document_read(struct SinewDocument *document,
                                uint32_t element,
                                uint8_t *buffer,
                                uint64_t size,
                                uint64_t *needed);

// [one call per handle at a time] Where an attribute such as "at" places an element, as one of "places" of
// sinew_document_read; is_there gets 0 if it is left out. Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; attribute is NULL or terminated text; axes is NULL or writable for 16 numbers;
// is_there is NULL or writable.
SinewStatus sinew_document_get_place(struct SinewDocument *document,
                                     uint32_t element,
                                     const char *attribute,
                                     double *axes,
                                     int32_t *is_there);

// [thread-safe] The numbers with which hosts begin an element of a strand scene that users draw, as JSON by the
// rules of sinew_node_get_text: lists by attribute, as "numbers" of sinew_document_read. measure is for a "strand"
// the size of the scene, in whose unit its radius is then; for a "reel", a "muscle" or a "hill" its strength in N,
// where 0 stands for 100. Since ABI 1.11.
//
// Pointers:
// element is NULL or terminated text; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_starting_numbers(const char *element,
                                   double measure,
                                   uint8_t *buffer,
                                   uint64_t size,
                                   uint64_t *needed);

// [thread-safe] The numbers of the "inertia" of a bone without a shape, as sinew_starting_numbers gives them: a rod
// from the body's origin to end, 3 numbers in its own axes and the host's unit, a quarter as thick as it is long.
// density is in kg/m^3; 0 stands for that of bone. Since ABI 1.11.
//
// Pointers:
// end is NULL or readable for 3 numbers; buffer is NULL or writable for size bytes; needed is NULL or
// writable.
SinewStatus sinew_rod_inertia(const double *end,
                              double metres_per_unit,
                              double density,
                              uint8_t *buffer,
                              uint64_t size,
                              uint64_t *needed);

// [one call per handle at a time] Makes an element of each muscle that stands for several: those of sheets, and
// further heads. added may be NULL; it gets how many elements were added. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; added is NULL or writable.
SinewStatus sinew_document_expand(struct SinewDocument *document,
                                  uint32_t *added);

// [one call per handle at a time] Mirrors at the plane through the origin perpendicular to an axis (0, 1, 2 for x,
// y, z) of the host's space, which is the document's own until sinew_document_set_space, or, for muscle sets, between
// the sides of a rig, if one is given. A scene becomes that of the other side, with left and right swapped in names; a
// set gets what it lacks there. added may be NULL; it gets how many parts were added. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; rig is NULL or readable, with its arrays; added is NULL or writable.
SinewStatus sinew_document_mirror(struct SinewDocument *document,
                                  uint32_t axis,
                                  const struct SinewRig *rig,
                                  uint32_t *added);

// [one call per handle at a time] Copies a muscle set from the rig on which it lies to another one. Since ABI 1.6.
//
// Pointers:
// document is NULL or alive; the rigs are NULL or readable, with their arrays.
SinewStatus sinew_document_copy(struct SinewDocument *document,
                                const struct SinewRig *from,
                                const struct SinewRig *to);

// [one call per handle at a time] The element of a muscle in a set, by its name. If that stands for several, sheets
// and further heads, these become elements of their own. Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; name is NULL or terminated text; element is NULL or writable.
SinewStatus sinew_document_single(struct SinewDocument *document,
                                  const char *name,
                                  uint32_t *element);

// [one call per handle at a time] The mesh that a "shape" names, in the axes of its body and the host's unit. Its
// arrays, f64, belong to the document, until the next call of this function on it or its end. Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; mesh is NULL or writable for its struct_size bytes.
SinewStatus sinew_document_mesh(struct SinewDocument *document,
                                uint32_t element,
                                struct SinewMesh *mesh);

// [one call per handle at a time] Gives a "shape" a mesh of the host, which sinew_document_save writes to its file.
// Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; mesh is NULL or readable, with its arrays.
SinewStatus sinew_document_set_mesh(struct SinewDocument *document,
                                    uint32_t element,
                                    const struct SinewMesh *mesh);

// [one call per handle at a time] What sinew_document_save writes to the file of a mesh that was set, as bytes by
// the rules of sinew_node_get_text, for hosts that keep files in their own. Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_document_mesh_file(struct SinewDocument *document,
                                     uint32_t element,
                                     uint8_t *buffer,
                                     uint64_t size,
                                     uint64_t *needed);

// [one call per handle at a time] Where the joints of the animations that lead bodies of a scene are at rest, as
// JSON by the rules of sinew_node_get_text: an object of their axes by name, as in "places" of sinew_document_read. It
// reads their files, and the document remembers them. Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_document_joints(struct SinewDocument *document,
                                  uint8_t *buffer,
                                  uint64_t size,
                                  uint64_t *needed);

// [one call per handle at a time] Where a joint of an animation is at rest, for a document whose files lie
// elsewhere: what is given in its axes then has a place. axes as for sinew_document_set_place. Since ABI 1.7.
//
// Pointers:
// document is NULL or alive; name is NULL or terminated text; axes is NULL or readable for 16 numbers.
SinewStatus sinew_document_set_joint(struct SinewDocument *document,
                                     const char *name,
                                     const double *axes);

// [thread-safe] Creates a job, with the threads and callbacks of a context. The scene is read by each run. Since ABI
// 1.10.
//
// Pointers:
// context is NULL or alive; config is NULL or readable for its struct_size bytes, and so are its texts; job is
// NULL or writable.
SinewStatus sinew_job_create(const struct SinewContext *context,
                             const struct SinewJobConfig *config,
                             struct SinewJob **job);

// [one call per handle at a time] Runs a job as sinew run does: computes and writes what earlier runs, of this
// handle or any program, have left to do, and writes the same bytes. Every file appears whole or not at all. A run
// that was cancelled, failed or killed is resumed by the next. The task that the progress callback gets begins with
// the frame that is computed; the log callback gets notes (2) and warnings (1). If frames failed, and the scene lets
// the last good result stand in for them, or if results are wrong, everything is written and there is a report, but
// the status is not SINEW_OK. Since ABI 1.10.
//
// Pointers:
// job is NULL or alive.
SinewStatus sinew_job_run(struct SinewJob *job);

// [one call per handle at a time] The outcome of the last run, as JSON by the rules of sinew_node_get_text: the
// object that sinew --json run prints, which is also in report.json; after a dry run that of sinew --json run
// --dry-run ("frames", "reads", "writes", "warnings"); "{}" where there is none. Since ABI 1.10.
//
// Pointers:
// job is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_job_report(struct SinewJob *job,
                             uint8_t *buffer,
                             uint64_t size,
                             uint64_t *needed);

// [thread-safe] Asks the running call on a job to stop; it soon returns SINEW_CANCELLED, and another run resumes. If
// none is running, nothing happens; sinew_node_cancel says how a host loses no cancel. Since ABI 1.10.
//
// Pointers:
// job is NULL or alive.
SinewStatus sinew_job_cancel(struct SinewJob *job);

// [one call per handle at a time] Destroys a job; its files stay. No other call on it may be running. NULL is
// allowed. Since ABI 1.10.
//
// Pointers:
// job is NULL or came from sinew_job_create and was not destroyed.
void sinew_job_destroy(struct SinewJob *job);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SINEW_H */
