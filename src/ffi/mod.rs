//! The C ABI of Sinew: opaque handles, nodes described as data, the caller's arrays.
//!
//! The law
//!
//! Ownership. What `sinew_*_create` gives, the caller destroys once with `sinew_*_destroy`; NULL may be destroyed.
//! A node keeps what it needs of its context, so the two may be destroyed in any order. Arrays and strings that
//! the caller passes are read during the call and never kept. Strings that Sinew returns through descriptions live
//! as long as the library is loaded; the text of `sinew_last_error_message` until the same thread's next failing
//! call.
//!
//! Threads. Every function carries a tag. `[thread-safe]`: from any thread at any time.
//! `[one call per handle at a time]`: the caller takes turns; a second call at the same time is refused with
//! SINEW_INVALID_ARGUMENT, it does not wait. Different handles never disturb each other. Callbacks may come from
//! any thread, must not call back into the same handle, and must not throw or jump out. Results do not depend on
//! the number of threads, to the last bit.
//!
//! Errors. Every function that can fail returns a status: 0 is success, every other number keeps its meaning for
//! ever. After a failure `sinew_last_error_message` says what and where (vertex, frame, port, ...), and
//! `sinew_last_error_place` gives the place as numbers; both belong to the calling thread. Outputs are written only
//! on success. A bug inside Sinew is caught, comes back as SINEW_INTERNAL, and the handle involved refuses further
//! work; it can still be destroyed.
//!
//! Versions. Functions and fields are only ever added. The first field of every struct is its size as the caller
//! knows it (`struct_size = sizeof(the struct)`), so that a program compiled against an older header keeps working
//! with a newer library: fields that it does not know are not read and not written.
//! `sinew_check_version` refuses a library that is older than the header.
//!
//! Units. `sinew_node_set_space` declares the host's unit of length and up axis. Arrays and meshes are in that
//! space, parameters always in the unit that their description states.

mod arrays;
mod context;
mod describe;
mod node;
mod param;
mod status;
mod structs;

pub use arrays::*;
pub use context::*;
pub use describe::*;
pub use node::*;
pub use param::*;
pub use status::*;
