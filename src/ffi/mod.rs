//! The C ABI of Sinew: opaque handles, nodes described as data, the caller's arrays.
//!
//! Rules for callers
//!
//! Ownership. The caller destroys each handle returned by a `sinew_*_create` exactly once, with the matching
//! `sinew_*_destroy`; destroying NULL does nothing. A node or a job keeps what it needs of its context, so the two may
//! be destroyed in either order. Arrays and strings that the caller passes are read during the call and never kept.
//! Strings in descriptions live as long as the library is loaded; the text of `sinew_last_error_message` until the next
//! failing call on the same thread; strings passed to callbacks until the callback returns. Callbacks and their user
//! pointers must outlive the nodes and jobs that call them, even if the context was destroyed before them.
//!
//! Threads. Every function carries a tag. `[thread-safe]`: may be called from any thread at any time. `[one call per
//! handle at a time]`: the caller serialises calls on a handle; a concurrent second call does not wait but fails with
//! SINEW_BUSY. The exception is destroying, which cannot be refused: it must not overlap any other call on the handle.
//! Different handles never interfere. Only steps, runs of jobs, calls that make, change, weigh or test muscle sets, and
//! those that mirror, copy, expand or check documents use threads other than the caller's; each running step or job has
//! threads of its own, fewer when others run at the same time, and so has each such call until it returns, or those of
//! the context of its set or document (sinew_muscles_set_context, sinew_document_set_context). Callbacks are called
//! during steps, runs and these calls, from any thread (with SINEW_ON_CALLING_THREAD only from the calling one), must
//! not call back into the same handle, and must not throw or longjmp out. Results do not depend on the number of
//! threads, to the last bit, nor on the floating-point mode of the calling thread (rounding, flushing, traps), which
//! every call saves, sets to the default, and restores; callbacks run in the default mode. After fork() a child must
//! create its own contexts, nodes and jobs: steps and runs on those of its parent fail with SINEW_UNSUPPORTED, because
//! threads do not survive a fork; with SINEW_ON_CALLING_THREAD they still work.
//!
//! Time. Only nodes with SinewNodeInfo.stateful carry state from frame to frame. Seconds decide the order; frame
//! numbers are labels. Later seconds, on whole frames or between them, continue from the last good step, however much
//! time has passed; the same seconds (to a nanosecond), whatever the frame number, are recomputed from the state before
//! them, as after a change of an input; earlier seconds have no state to continue from and restart. sinew_node_history
//! returns which of these it was, and so does the report. sinew_node_set_start says where a fresh start is right, and
//! sinew_node_set_restart forbids restarts elsewhere. A host that evaluates frames in any order sets
//! sinew_node_set_lean, keeps a lean state of every frame (sinew_node_save_lean_state), loads that of the frame before,
//! and steps: the result is that of playing from the start, to the last bit. Where frames were skipped or a step
//! restarted, it is not. When the mesh of a skin changes (its rest, or parameters that triangulate it differently), the
//! next later step transfers the skin to the nearest points of the new mesh and returns SINEW_HISTORY_CARRIED; so it
//! does with a loaded state of one of the last meshes of the node. A mesh farther away than two edge lengths of the
//! coarser mesh counts as a different skin. In that case, after a change to a strand scene, and after loading a state
//! of another mesh or scene, there is no state to continue from, as with earlier seconds: the step restarts, or fails.
//! Whether a loaded state fits is checked by the next step.
//!
//! Errors. Every function that can fail returns a status: 0 is success, and no other number ever changes its meaning.
//! After a failure `sinew_last_error_message` says what went wrong and where (vertex, frame, port, ...), and
//! `sinew_last_error_place` gives the place as numbers; both are per thread. Outputs are written only
//! on success, and a failed step changes nothing: the node continues from the last good one. A bug inside Sinew is
//! caught and returned as SINEW_INTERNAL; the handle involved refuses all further calls except destroying it.
//!
//! Versions. Functions and fields are only ever added. The first field of every struct is its size as the caller
//! knows it (`struct_size = sizeof(the struct)`), so that a program compiled against an older header keeps working
//! with a newer library: fields that it does not know are neither read nor written.
//! `sinew_check_version` fails if the library is older than the header.
//!
//! Units. `sinew_node_set_space` declares the host's unit of length and up axis. Arrays and meshes are in that
//! space, parameters always in the unit that their description states.
//!
//! Muscle sets. A host creates, fits, mirrors, copies and sculpts muscles with a SinewMuscles, and passes its XML text
//! to the parameter "muscles" of the node "muscle_skin"; it can store the text in its own scene file.
//!
//! Documents. A SinewDocument is an authored file (a strand scene, a muscle set, a plan) that a host reads, edits,
//! checks and writes: elements with numbers of their own, whose attributes are texts, or numbers in the host's unit and
//! axes. SinewParamInfo.document says which parameters take which. A SinewMuscles is a document of the type muscle_set
//! with its older functions.
//!
//! Jobs. A SinewJob takes a scene file from its inputs to all its outputs, frame by frame, as `sinew run` does. Runs
//! resume one another, whichever program they belong to; one at a time writes into a folder.
//!
//! Matrices (quantity "transform") are 16 numbers in row-major order, for column vectors: the translation is the last
//! column, elements 3, 7 and 11, and the last row is 0 0 0 1. A host with row vectors (Maya) declares that with
//! sinew_node_set_row_vectors; then the translation is elements 12, 13 and 14.

mod arrays;
mod context;
mod describe;
mod document;
mod handle;
mod job;
mod muscle_tools;
mod muscles;
mod node;
mod param;
mod pointers;
mod rig;
mod rounding;
mod status;
mod structs;
mod threads;
mod time;

pub use arrays::*;
pub use context::*;
pub use describe::*;
pub use document::*;
pub use job::*;
pub use muscle_tools::*;
pub use muscles::*;
pub use node::*;
pub use param::*;
pub use rig::*;
pub use status::*;
pub use time::*;
