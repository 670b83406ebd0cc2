//! Which Sinew this is. A crate of its own: what changes with each commit rebuilds only what names it.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

/// The version, with the commit in release builds.
pub const VERSION: &str = env!("SINEW_VERSION");

/// The same for C.
pub const FOR_C: &std::ffi::CStr =
    match std::ffi::CStr::from_bytes_with_nul(concat!(env!("SINEW_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("the version holds a zero"),
    };

/// The program and its version, as files name what wrote them.
pub const PROGRAM: &str = concat!("Sinew ", env!("SINEW_VERSION"));
