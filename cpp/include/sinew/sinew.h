// Generated from src/ffi; do not edit. Licence: Apache-2.0.
//
// The C ABI of Sinew: opaque handles, nodes described as data, the caller's arrays.
//
// The law
//
// Ownership. What sinew_*_create gives, the caller destroys once with sinew_*_destroy; NULL may be destroyed.
// A node keeps what it needs of its context, so the two may be destroyed in any order. Arrays and strings that
// the caller passes are read during the call and never kept. Strings that Sinew returns through descriptions live
// as long as the library is loaded; the text of sinew_last_error_message until the same thread's next failing
// call; those that callbacks get, until the callback returns. Callbacks and their user pointers must live as long as the nodes
// that call them, also those of a context that was destroyed before its nodes.
//
// Threads. Every function carries a tag. [thread-safe]: from any thread at any time.
// [one call per handle at a time]: the caller takes turns; a second call at the same time is refused with
// SINEW_BUSY, it does not wait; only destroying cannot be refused. Different handles never disturb each other: only steps compute on other threads than
// the caller's, and each step that runs has threads to itself, fewer when others run at the same time. Callbacks come
// during steps, from any thread (with SINEW_ON_CALLING_THREAD from the one that called), must not call back into the
// same handle, and must not throw or jump out. Results do not depend on the number of threads, to the last bit.
// After fork() a child makes contexts and nodes of its own: steps on those of its parent are refused with
// SINEW_UNSUPPORTED, because threads do not come along; with SINEW_ON_CALLING_THREAD they go on.
//
// Time. Only nodes that SinewNodeInfo.stateful marks go from frame to frame. Their seconds decide, frame numbers are
// labels. Later seconds go on from the last good step, over whatever time lies between, also between whole frames; the
// same seconds (to a nanosecond) are computed again, from before them, whatever the number, as after a change of an input;
// earlier seconds cannot go on from anything and begin anew. sinew_node_history tells which it was, the report too.
// sinew_node_set_start says where beginning is right, and sinew_node_set_restart refuses it elsewhere. A host that
// evaluates in any order sets sinew_node_set_lean, keeps a lean state of every frame (sinew_node_save_lean_state), loads that
// of the frame before, and steps: that gives what playing gives, to the last bit. Where frames were skipped, or a step was
// restarted, the result is not what playing gives.
// When the mesh of a skin changes (its rest, or parameters that make other triangles of it), a later step carries the skin
// over to the nearest places of the new one, as SINEW_HISTORY_CARRIED; what would go farther than two edges of the coarser
// mesh is another skin. That, a scene of strands that changes, and a loaded state of another mesh or scene have nothing to
// go on from, as earlier seconds: the step begins anew, or is refused. Whether a loaded state fits is seen by the next step.
//
// Errors. Every function that can fail returns a status: 0 is success, every other number keeps its meaning for
// ever. After a failure sinew_last_error_message says what and where (vertex, frame, port, ...), and
// sinew_last_error_place gives the place as numbers; both belong to the calling thread. Outputs are written only
// on success, and a step that failed is none: the node goes on from the last good one. A bug inside Sinew is caught, comes
// back as SINEW_INTERNAL, and the handle involved refuses further work; it can still be destroyed.
//
// Versions. Functions and fields are only ever added. The first field of every struct is its size as the caller
// knows it (struct_size = sizeof(the struct)), so that a program compiled against an older header keeps working
// with a newer library: fields that it does not know are not read and not written.
// sinew_check_version refuses a library that is older than the header.
//
// Units. sinew_node_set_space declares the host's unit of length and up axis. Arrays and meshes are in that
// space, parameters always in the unit that their description states.
//
// Matrices (quantity "transform") are 16 numbers, row after row, for column vectors: the translation is the last column,
// numbers 3, 7 and 11, and the last row is 0 0 0 1. A host that writes its vectors as rows (Maya) says so with
// sinew_node_set_row_vectors; then the translation is numbers 12, 13 and 14.


#ifndef SINEW_H
#define SINEW_H

#include <stddef.h>
#include <stdint.h>

// Success.
#define SINEW_OK 0

// An argument makes no sense by itself: NULL, text that is no UTF-8, a stride that is too small.
#define SINEW_INVALID_ARGUMENT 1

// No node, port or parameter of that name or index.
#define SINEW_NOT_FOUND 2

// A value of another type, or with another number of components, than the port or parameter has.
#define SINEW_WRONG_TYPE 3

// A number outside its range.
#define SINEW_OUT_OF_RANGE 4

// Two counts that must agree do not.
#define SINEW_COUNT_MISMATCH 5

// NaN or infinity where a number is needed.
#define SINEW_NOT_FINITE 6

// Geometry without size or direction.
#define SINEW_DEGENERATE 7

// The connectivity is not what is needed.
#define SINEW_TOPOLOGY 8

// Bytes that do not follow their format.
#define SINEW_PARSE 9

// A feature that is not supported.
#define SINEW_UNSUPPORTED 10

// The operating system refused.
#define SINEW_IO 11

// A file or frame is not there.
#define SINEW_MISSING_FILE 12

// Stopped on request.
#define SINEW_CANCELLED 13

// More data than a documented limit, or than the caller's buffer, can hold.
#define SINEW_TOO_LARGE 14

// A solver could not reach an answer.
#define SINEW_NO_CONVERGENCE 15

// Made by, or for, another version.
#define SINEW_WRONG_VERSION 16

// A required input was never set, or no step has succeeded yet.
#define SINEW_MISSING_INPUT 17

// The handle is in use by another call; nothing was done.
#define SINEW_BUSY 18

// The frame cannot go on from the one before, and the node may not start again (sinew_node_set_restart); nothing was done.
#define SINEW_OUT_OF_ORDER 19

// A bug in Sinew; the handle refuses further work.
#define SINEW_INTERNAL 99

// The major version of the ABI: programs of one major version run with any library of the same.
#define SINEW_ABI_MAJOR 1

// The minor version: goes up when something is added.
#define SINEW_ABI_MINOR 3

// SinewContextConfig.flags: steps compute on the thread that calls them and start no other; threads is not looked at.
// Callbacks then come from that thread. For hosts that evaluate many nodes on threads of their own. Each thread that ever
// steps keeps about 10 KB until the process ends.
#define SINEW_ON_CALLING_THREAD 1

// SinewPortInfo.direction: the host gives it.
#define SINEW_INPUT 0

// SinewPortInfo.direction: the host reads it.
#define SINEW_OUTPUT 1

// SinewPortInfo.kind: an array of floating-point numbers.
#define SINEW_PORT_REALS 0

// SinewPortInfo.kind: an array of whole numbers, not negative.
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

// SinewParamInfo.kind: any text, such as the path of a file; set with sinew_node_set_text. Its default is empty, its numbers are 0.
#define SINEW_PARAM_TEXT 4

// SinewArray.element: 32-bit floating point.
#define SINEW_F32 1

// SinewArray.element: 64-bit floating point.
#define SINEW_F64 2

// SinewArray.element: 32-bit signed.
#define SINEW_I32 3

// SinewArray.element: 32-bit unsigned.
#define SINEW_U32 4

// sinew_node_set_space: y points up, as in Maya.
#define SINEW_UP_Y 0

// sinew_node_set_space: z points up, as in Blender.
#define SINEW_UP_Z 1

// How a step followed on the one before: the node has no state, so nothing depends on it.
#define SINEW_HISTORY_NONE 0

// It was the first frame, where the motion begins.
#define SINEW_HISTORY_STARTED 1

// It went on from the frame before.
#define SINEW_HISTORY_CONTINUED 2

// It went on from an earlier frame than the one before: those between were never computed, so what moves with inertia, or
// snaps, may be elsewhere.
#define SINEW_HISTORY_SKIPPED 3

// The same moment was computed again, from before it.
#define SINEW_HISTORY_REPEATED 4

// There was nothing to go on from, so it began anew. Not what playing from the start gives: do not cache or render it.
#define SINEW_HISTORY_RESTARTED 5

// It went on from the frame before, which was on another mesh: the skin was carried over to the nearest places of this one.
#define SINEW_HISTORY_CARRIED 6

// Threads and callbacks that nodes share. Opaque.
typedef struct SinewContext SinewContext;

// A node with its inputs, parameters and outputs. Opaque.
typedef struct SinewNode SinewNode;

// What a function returns: SINEW_OK or what went wrong.
typedef int32_t SinewStatus;

// Where an error happened; a field is -1 when it is not known. Vertices, faces and joints count from 0.
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
} SinewPlace;

// Log lines, during the step that has something to say; level is 1 for a warning, 2 for information, 3 for details.
typedef void (*SinewLogCallback)(void *user, int32_t level, const char *message);

// Progress of a long step, done from 0 to 1: an estimate, which may stand still or go back a little; a return value other
// than 0 stops the step.
typedef int32_t (*SinewProgressCallback)(void *user, double done, const char *task);

// How to make a context. Zero, but for struct_size, is a good default.
typedef struct SinewContextConfig {
  // sizeof(SinewContextConfig)
  uint32_t struct_size;
  // Threads to compute with; 0 for one per core. Results do not depend on it.
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

// A node. Ids are permanent; titles and docs are for people.
typedef struct SinewNodeInfo {
  // sizeof(SinewNodeInfo)
  uint32_t struct_size;
  // How many ports it has.
  uint32_t port_count;
  // How many parameters it has.
  uint32_t param_count;
  // Zero.
  uint32_t reserved;
  // The permanent id.
  const char *id;
  // The name for people.
  const char *title;
  // What it does, in a few sentences.
  const char *doc;
  // 1 when a frame depends on the frames before it: see Time at the head.
  uint32_t stateful;
  // Zero.
  uint32_t reserved_2;
} SinewNodeInfo;

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
  // 1 when a step needs it.
  uint32_t required;
  // 1 for a map that hosts let people paint.
  uint32_t paintable;
  // 1 when default_value holds what an unset map has everywhere.
  uint32_t has_default;
  // 1 when minimum and maximum hold.
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
  // What there is one item of: "vertex", "face", "corner", "joint", "influence" (a vertex with one of its joints), or "free",
  // as many as the host has. Inputs of one domain have the same count, but for "free".
  const char *domain;
  // What the numbers are, which says how the host's space converts them: "scalar", "position", "displacement", "direction",
  // "transform", "uv", "index", "length".
  const char *quantity;
  // What the items are where the domain is "free": "muscle", "rider", ...; empty for others.
  const char *items;
  // The unit of the numbers, such as "N", or "deg or m" where it depends on the item; empty where they have none or the quantity says all: lengths and places are in
  // the host's unit.
  const char *unit;
  // 1 when the numbers are whole: such an output can be read as whole numbers, too.
  uint32_t whole;
  // Zero.
  uint32_t reserved;
} SinewPortInfo;

// A parameter of a node.
typedef struct SinewParamInfo {
  // sizeof(SinewParamInfo)
  uint32_t struct_size;
  // SINEW_PARAM_BOOL, SINEW_PARAM_INT, SINEW_PARAM_REAL, SINEW_PARAM_CHOICE or SINEW_PARAM_TEXT.
  int32_t kind;
  // How many choices there are.
  uint32_t choice_count;
  // Zero.
  uint32_t reserved;
  // The value of a new node; for a choice its index.
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
  // The heading under which a panel shows it; parameters of a group follow on each other.
  const char *group;
  // Where a slider begins; numbers down to the minimum can be typed.
  double soft_minimum;
  // Where a slider ends.
  double soft_maximum;
  // By how much a click changes it; 0 leaves it to the host.
  double step;
  // The choice parameter on which it depends whether it means something; empty when it always does.
  const char *shown_with;
  // Of that parameter the choices with which it does: bit k for choice k.
  uint64_t shown_choices;
  // 1 when only experts need it.
  uint32_t advanced;
  // 1 when a change makes the node begin anew.
  uint32_t restarts;
  // For the path of a file: which files, such as "*.xml"; empty for everything else.
  const char *files;
  // The value of a new node where it is a choice or text; empty for others.
  const char *default_text;
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

// An array to read: count items of components numbers, stride bytes from item to item.
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
  // How many corners each face has.
  const uint32_t *face_sizes;
  // How many faces.
  uint64_t face_count;
  // The vertex of each corner, face after face.
  const uint32_t *corner_vertices;
  // How many corners: the sum of face_sizes.
  uint64_t corner_count;
  // Texture coordinates: 2 components; data NULL and count 0 when there are none.
  struct SinewArray uvs;
  // The texture coordinate of each corner; NULL when there is one per corner, in order.
  const uint32_t *corner_uvs;
} SinewMesh;

// An array to write; otherwise as SinewArray.
typedef struct SinewArrayMut {
  // sizeof(SinewArrayMut)
  uint32_t struct_size;
  // SINEW_F32 or SINEW_F64; SINEW_I32 or SINEW_U32 only for outputs that are whole (SinewPortInfo.whole).
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

// As SinewLogCallback, with the node's id.
typedef void (*SinewNodeLogCallback)(void *user, uint64_t id, int32_t level, const char *message);

// As SinewProgressCallback, with the node's id.
typedef int32_t (*SinewNodeProgressCallback)(void *user, uint64_t id, double done, const char *task);

// Who hears of the steps of one node.
typedef struct SinewNodeCallbacks {
  // sizeof(SinewNodeCallbacks)
  uint32_t struct_size;
  // Zero.
  uint32_t reserved;
  // Whatever the host knows the node by; passed to both.
  uint64_t id;
  // Passed to both.
  void *user;
  // Receives log lines, or NULL.
  SinewNodeLogCallback log;
  // Receives progress, or NULL.
  SinewNodeProgressCallback progress;
} SinewNodeCallbacks;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// [thread-safe] The version of the library's ABI: major * 65536 + minor.
uint32_t sinew_abi_version(void);

// [thread-safe] The version of the library as text.
const char *sinew_version_string(void);

// [thread-safe] Whether this library can serve a program compiled with the given version: call it first with
// SINEW_ABI_MAJOR and SINEW_ABI_MINOR.
SinewStatus sinew_check_version(uint32_t major,
                                uint32_t minor);

// [thread-safe] What went wrong in this thread's last failing call; empty when none failed. The text lives until
// this thread's next failing call.
const char *sinew_last_error_message(void);

// [thread-safe] Where this thread's last failing call failed.
//
// Pointers:
// place is NULL or writable for its struct_size bytes.
SinewStatus sinew_last_error_place(struct SinewPlace *place);

// [thread-safe] Makes a context. config may be NULL for the defaults.
//
// Pointers:
// config is NULL or readable for its struct_size bytes; context is NULL or writable.
SinewStatus sinew_context_create(const struct SinewContextConfig *config, struct SinewContext **context);

// [one call per handle at a time] Destroys a context; its nodes go on working. Its threads end, before this returns, with
// the context or the last of its nodes. NULL is allowed.
//
// Pointers:
// context is NULL or came from sinew_context_create and was not destroyed.
void sinew_context_destroy(struct SinewContext *context);

// [thread-safe] How many nodes there are.
uint32_t sinew_node_count(void);

// [thread-safe] Describes a node; index counts from 0. The order of nodes may change, ids do not.
//
// Pointers:
// info is NULL or writable for its struct_size bytes.
SinewStatus sinew_node_info(uint32_t index, struct SinewNodeInfo *info);

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

// [thread-safe] Makes a node of the kind node_id, with every parameter at its default.
//
// Pointers:
// context is NULL or alive; node_id is NULL or terminated text; node is NULL or writable.
SinewStatus sinew_node_create(const struct SinewContext *context,
                              const char *node_id,
                              struct SinewNode **node);

// [one call per handle at a time] Destroys a node, in no other call on it: this one cannot be refused. NULL is allowed.
//
// Pointers:
// node is NULL or came from sinew_node_create and was not destroyed.
void sinew_node_destroy(struct SinewNode *node);

// [thread-safe] Asks the step that runs now to stop; it returns SINEW_CANCELLED soon, and the node is as before it. Without
// one, nothing happens, so that a cancel which comes just before a step begins is lost. A host that must not lose any keeps a
// flag of its own that its progress callback returns: every step calls that before it does anything else.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_cancel(struct SinewNode *node);

// [one call per handle at a time] Declares the host's space: metres per unit (0.01 for centimetres) and
// SINEW_UP_Y or SINEW_UP_Z. It holds for what is set and read from now on. The default is metres, y up.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_space(struct SinewNode *node, double metres_per_unit, int32_t up_axis);

// [one call per handle at a time] Whether the host's matrices multiply vectors that are rows (1, as Maya's), so that the
// translation is numbers 12 to 14, or columns (0, as for a new node). It holds for what is set and read from now on.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_row_vectors(struct SinewNode *node,
                                       int32_t rows);

// [one call per handle at a time] Copies an array into an input port. On an error the port keeps what it held.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; array is NULL or readable, and so is its memory.
SinewStatus sinew_node_set_array(struct SinewNode *node,
                                 const char *port,
                                 const struct SinewArray *array);

// [one call per handle at a time] Copies a mesh into an input port. On an error the port keeps what it held.
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
// step stay.
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

// [one call per handle at a time] A whole frame in one call: sets arrays of input ports, steps, reads arrays of output
// ports: for the skin slider points in, UVs out. A port may be named once on each side, and an array may be the memory of
// an input and an output. history, which may be NULL, is then a SINEW_HISTORY number. On an error the inputs are as they
// were, nothing is written, and the node is as before the frame; sinew_node_deform, too.
//
// Pointers:
// node is NULL or alive; inputs and outputs are NULL or hold as many structs as their counts say, with ports that
// are NULL or terminated text and arrays as in sinew_node_set_array and sinew_node_read_output; history is NULL or
// writable.
SinewStatus sinew_node_run(struct SinewNode *node,
                           int64_t frame,
                           double seconds,
                           const struct SinewPortArray *inputs,
                           uint32_t input_count,
                           const struct SinewPortArrayMut *outputs,
                           uint32_t output_count,
                           int32_t *history);

// [one call per handle at a time] Whether an input port holds something: 0 or 1.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; set is NULL or writable.
SinewStatus sinew_node_input_is_set(struct SinewNode *node, const char *port, int32_t *set);

// [one call per handle at a time] Who hears of this node's steps, instead of the callbacks of its context; NULL for those
// again. What callbacks points to is copied.
//
// Pointers:
// node is NULL or alive; callbacks is NULL or readable for its struct_size bytes; what it names lives as long as
// the node, or until it is set anew.
SinewStatus sinew_node_set_callbacks(struct SinewNode *node,
                                     const struct SinewNodeCallbacks *callbacks);

// [one call per handle at a time] Items of an output port after the last good step; 0 before.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; count is NULL or writable.
SinewStatus sinew_node_output_count(struct SinewNode *node, const char *port, uint64_t *count);

// [one call per handle at a time] Copies an output of the last good step into the caller's array. On an error
// nothing is written.
//
// Pointers:
// node is NULL or alive; port is NULL or terminated text; array is NULL or readable, its memory writable.
SinewStatus sinew_node_read_output(struct SinewNode *node,
                                   const char *port,
                                   const struct SinewArrayMut *array);

// [one call per handle at a time] The report of the last good step as JSON, without a terminating NUL; {} where there is
// none, as of a node that is new, was reset, or has loaded a state. report.schema.json beside this header says what it holds.
// With buffer NULL only needed is written; needed may be NULL when there is a buffer.
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

// [one call per handle at a time] Reads a choice parameter: the id of the choice, which lives for ever.
//
// Pointers:
// node is NULL or alive; param is NULL or terminated text; choice is NULL or writable.
SinewStatus sinew_node_get_choice(struct SinewNode *node, const char *param, const char **choice);

// [one call per handle at a time] Reads any parameter as the text that sinew_node_set_text takes, without a
// terminating NUL. With buffer NULL only needed is written; needed may be NULL when there is a buffer. Since
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

// [one call per handle at a time] Forgets every frame: the next one is the first. Inputs and parameters stay, and what was
// built from them; outputs are gone.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_reset(struct SinewNode *node);

// [one call per handle at a time] Says when the motion begins: a step at or before seconds begins anew as
// SINEW_HISTORY_STARTED, and one after it with nothing to go on from is SINEW_HISTORY_RESTARTED. With known 0, as for a
// new node, the first step is the start, whenever it is.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_start(struct SinewNode *node,
                                 int32_t known,
                                 double seconds);

// [one call per handle at a time] Whether a step that has nothing to go on from may begin anew (1, as for a new node), or is
// refused with SINEW_OUT_OF_ORDER, which leaves the node as it is (0): then the host loads the state of the frame before,
// or plays from the start.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_restart(struct SinewNode *node,
                                   int32_t allowed);

// [one call per handle at a time] Whether every step from now on goes on from what a lean state of the step before holds (1),
// or from all that the node remembers (0, as for a new node). With 1, playing with or without saving and going on from loaded
// lean states, in any order, give the same to the last bit. With 0, whether a lean state was saved changes the last digits of
// the frames after it, and where the body moves little steps take down to a third of the time. Since ABI 1.3.
//
// Pointers:
// node is NULL or alive.
SinewStatus sinew_node_set_lean(struct SinewNode *node,
                                int32_t lean);

// [one call per handle at a time] How the last good step followed on the one before: a SINEW_HISTORY number;
// SINEW_MISSING_INPUT when there was none, as with the report.
//
// Pointers:
// node is NULL or alive; history is NULL or writable.
SinewStatus sinew_node_history(struct SinewNode *node,
                               int32_t *history);

// [one call per handle at a time] Everything that the node remembers: parameters, last frame, outputs, its own
// memory; not the inputs. With buffer NULL only needed is written.
//
// Pointers:
// node is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_node_save_state(struct SinewNode *node,
                                  uint8_t *buffer,
                                  uint64_t size,
                                  uint64_t *needed);

// [one call per handle at a time] Goes back to a saved state, whole or lean; on an error the node is as it was. From a lean
// one its parameters stay, and there are no outputs until the next step. What was built from the inputs stays, so loading
// the state of every frame costs little; a state of another mesh or scene counts as none in the next step.
//
// Pointers:
// node is NULL or alive; bytes is NULL or readable for size bytes.
SinewStatus sinew_node_load_state(struct SinewNode *node,
                                  const uint8_t *bytes,
                                  uint64_t size);

// [one call per handle at a time] The least that the next frame needs, for hosts that keep it of every frame: neither
// parameters nor outputs, and of the node's memory what matters. The node itself goes on from what was saved, so that
// whoever loads it goes on alike, to the last bit; see sinew_node_set_lean. The frame itself cannot be computed again from
// it. With buffer NULL only needed is written, and the node stays as it is.
//
// Pointers:
// node is NULL or alive; buffer is NULL or writable for size bytes; needed is NULL or writable.
SinewStatus sinew_node_save_lean_state(struct SinewNode *node,
                                       uint8_t *buffer,
                                       uint64_t size,
                                       uint64_t *needed);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SINEW_H */
