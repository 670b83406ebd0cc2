//! The C ABI of Sinew: opaque handles, nodes described as data, the caller's arrays.
//!
//! The law
//!
//! Ownership. What `sinew_*_create` gives, the caller destroys once with `sinew_*_destroy`; NULL may be destroyed.
//! A node keeps what it needs of its context, so the two may be destroyed in any order. Arrays and strings that
//! the caller passes are read during the call and never kept. Strings that Sinew returns through descriptions live
//! as long as the library is loaded; the text of `sinew_last_error_message` until the same thread's next failing
//! call; those that callbacks get, until the callback returns. Callbacks and their user pointers must live as long as the nodes
//! that call them, also those of a context that was destroyed before its nodes.
//!
//! Threads. Every function carries a tag. `[thread-safe]`: from any thread at any time.
//! `[one call per handle at a time]`: the caller takes turns; a second call at the same time is refused with
//! SINEW_BUSY, it does not wait; only destroying cannot be refused. Different handles never disturb each other: only steps compute on other threads than
//! the caller's, and each step that runs has threads to itself, fewer when others run at the same time. Callbacks come
//! during steps, from any thread (with SINEW_ON_CALLING_THREAD from the one that called), must not call back into the
//! same handle, and must not throw or jump out. Results do not depend on the number of threads, to the last bit.
//! After fork() a child makes contexts and nodes of its own: steps on those of its parent are refused with
//! SINEW_UNSUPPORTED, because threads do not come along; with SINEW_ON_CALLING_THREAD they go on.
//!
//! Time. Only nodes that SinewNodeInfo.stateful marks go from frame to frame. Their seconds decide, frame numbers are
//! labels. Later seconds go on from the last good step, over whatever time lies between, also between whole frames; the
//! same seconds (to a nanosecond) are computed again, from before them, whatever the number, as after a change of an input;
//! earlier seconds cannot go on from anything and begin anew. sinew_node_history tells which it was, the report too.
//! sinew_node_set_start says where beginning is right, and sinew_node_set_restart refuses it elsewhere. A host that
//! evaluates in any order sets sinew_node_set_lean, keeps a lean state of every frame (sinew_node_save_lean_state), loads that
//! of the frame before, and steps: that gives what playing gives, to the last bit. Where frames were skipped, or a step was
//! restarted, the result is not what playing gives.
//! When the mesh of a skin changes (its rest, or parameters that make other triangles of it), a later step carries the skin
//! over to the nearest places of the new one, as SINEW_HISTORY_CARRIED; what would go farther than two edges of the coarser
//! mesh is another skin. That, a scene of strands that changes, and a loaded state of another mesh or scene have nothing to
//! go on from, as earlier seconds: the step begins anew, or is refused. Whether a loaded state fits is seen by the next step.
//!
//! Errors. Every function that can fail returns a status: 0 is success, every other number keeps its meaning for
//! ever. After a failure `sinew_last_error_message` says what and where (vertex, frame, port, ...), and
//! `sinew_last_error_place` gives the place as numbers; both belong to the calling thread. Outputs are written only
//! on success, and a step that failed is none: the node goes on from the last good one. A bug inside Sinew is caught, comes
//! back as SINEW_INTERNAL, and the handle involved refuses further work; it can still be destroyed.
//!
//! Versions. Functions and fields are only ever added. The first field of every struct is its size as the caller
//! knows it (`struct_size = sizeof(the struct)`), so that a program compiled against an older header keeps working
//! with a newer library: fields that it does not know are not read and not written.
//! `sinew_check_version` refuses a library that is older than the header.
//!
//! Units. `sinew_node_set_space` declares the host's unit of length and up axis. Arrays and meshes are in that
//! space, parameters always in the unit that their description states.
//!
//! Matrices (quantity "transform") are 16 numbers, row after row, for column vectors: the translation is the last column,
//! numbers 3, 7 and 11, and the last row is 0 0 0 1. A host that writes its vectors as rows (Maya) says so with
//! sinew_node_set_row_vectors; then the translation is numbers 12, 13 and 14.

mod arrays;
mod context;
mod describe;
mod node;
mod param;
mod status;
mod structs;
mod threads;
mod time;

pub use arrays::*;
pub use context::*;
pub use describe::*;
pub use node::*;
pub use param::*;
pub use status::*;
pub use time::*;
