//! Status codes, the last error of a thread, and the boundary at which panics are caught and the floating-point mode is
//! set.

use super::rounding::DefaultMode;
use super::structs::{Sized10, write_struct};
use crate::error::{Error, Kind, Place, Result};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// What a function returns: SINEW_OK or what went wrong.
pub type SinewStatus = i32;

/// Success.
pub const SINEW_OK: i32 = 0;
/// An argument is invalid by itself: NULL, text that is not UTF-8, a stride that is too small.
pub const SINEW_INVALID_ARGUMENT: i32 = 1;
/// No node, port or parameter of that name or index.
pub const SINEW_NOT_FOUND: i32 = 2;
/// A value whose type or number of components is not that of the port or parameter.
pub const SINEW_WRONG_TYPE: i32 = 3;
/// A number outside its range.
pub const SINEW_OUT_OF_RANGE: i32 = 4;
/// Two counts that must agree do not.
pub const SINEW_COUNT_MISMATCH: i32 = 5;
/// NaN or infinity where a finite number is required.
pub const SINEW_NOT_FINITE: i32 = 6;
/// Degenerate geometry, without size or direction.
pub const SINEW_DEGENERATE: i32 = 7;
/// A mesh whose connectivity cannot be used.
pub const SINEW_TOPOLOGY: i32 = 8;
/// Data that violates its format.
pub const SINEW_PARSE: i32 = 9;
/// A feature that is not supported.
pub const SINEW_UNSUPPORTED: i32 = 10;
/// The operating system reported an error.
pub const SINEW_IO: i32 = 11;
/// A file or frame is missing.
pub const SINEW_MISSING_FILE: i32 = 12;
/// Stopped on request.
pub const SINEW_CANCELLED: i32 = 13;
/// More data than a documented limit allows or the caller's buffer holds.
pub const SINEW_TOO_LARGE: i32 = 14;
/// A solver did not converge.
pub const SINEW_NO_CONVERGENCE: i32 = 15;
/// Written by, or compiled for, an incompatible version.
pub const SINEW_WRONG_VERSION: i32 = 16;
/// A required input was never set, or no step has succeeded yet.
pub const SINEW_MISSING_INPUT: i32 = 17;
/// The handle is in use by another call; nothing was done.
pub const SINEW_BUSY: i32 = 18;
/// The node has no state from which to compute this frame, and restarts are not allowed (sinew_node_set_restart);
/// nothing was done.
pub const SINEW_OUT_OF_ORDER: i32 = 19;
/// A bug in Sinew; the handle refuses further calls.
pub const SINEW_INTERNAL: i32 = 99;

/// The major version of the ABI: programs of one major version run with any library of the same.
pub const SINEW_ABI_MAJOR: u32 = 1;
/// The minor version, increased when something is added.
pub const SINEW_ABI_MINOR: u32 = 11;

/// Where an error happened; a field is -1 if it is unknown. Vertices, faces and joints count from 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewPlace {
    /// sizeof(SinewPlace)
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The frame.
    pub frame: i64,
    /// The vertex.
    pub vertex: i64,
    /// The face.
    pub face: i64,
    /// The joint.
    pub joint: i64,
    /// The line of a file, from 1.
    pub line: i64,
    /// The ids of the port and the parameter, empty if unknown. They live until this thread's next failing call.
    pub port: *const c_char,
    /// See port.
    pub param: *const c_char,
}

// SAFETY: repr(C), begins with its struct_size, and is valid for any bytes.
unsafe impl Sized10 for SinewPlace {
    const NAME: &'static str = "SinewPlace";
    const SIZE_1_0: usize = 48;
}

/// An error and its texts as C has them.
#[derive(Default)]
struct Last {
    message: CString,
    port: CString,
    param: CString,
    error: Option<Error>,
}

thread_local! {
    static LAST: RefCell<Last> = RefCell::default();
}

const EMPTY: &CStr = c"";

fn remember(error: Error) -> SinewStatus {
    let code = error.kind() as i32;
    // Names from files may hold NUL bytes; C text cannot.
    let text = |text: &str| CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default();
    let id = |id: &Option<String>| text(id.as_deref().unwrap_or_default());
    let (message, port, param) =
        (text(&error.to_string()), id(&error.place().port), id(&error.place().param));
    // While a thread exits, its thread-locals may be gone; then only the status code is reported.
    let _ = LAST.try_with(|last| *last.borrow_mut() = Last { message, port, param, error: Some(error) });
    code
}

/// Runs the body of an exported function: errors become codes, panics stop here, and the host's floating-point mode
/// does not enter.
pub(super) fn guard(body: impl FnOnce() -> Result<()>) -> SinewStatus {
    let _mode = DefaultMode::enter();
    // Not inlined: nothing is computed before the mode is set, or after it is the host's again.
    #[inline(never)]
    fn caught(body: impl FnOnce() -> Result<()>) -> std::thread::Result<Result<()>> {
        catch_unwind(AssertUnwindSafe(body))
    }
    match caught(body) {
        Ok(Ok(())) => SINEW_OK,
        Ok(Err(error)) => remember(error),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            remember(Error::new(Kind::Internal, format!("a bug in Sinew, please report it: {text}")))
        }
    }
}

/// What a handle holds. The lock is never waited for: contention is a mistake of the caller and becomes an error. A
/// panic inside poisons it.
pub(super) fn take_turn<'a, T>(held: &'a Mutex<T>, what: &str) -> Result<MutexGuard<'a, T>> {
    held.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            let message = format!("{what} is in use by another call; calls on one handle must not overlap");
            Error::new(Kind::Busy, message)
        }
        TryLockError::Poisoned(_) => {
            Error::new(Kind::Internal, format!("{what} failed in an earlier call and can only be destroyed"))
        }
    })
}

/// `[thread-safe]` The version of the library's ABI: major * 65536 + minor.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_abi_version() -> u32 {
    SINEW_ABI_MAJOR << 16 | SINEW_ABI_MINOR
}

/// `[thread-safe]` The version of the library as text, with the commit in release builds.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_version_string() -> *const c_char {
    sinew_version::FOR_C.as_ptr()
}

/// `[thread-safe]` Whether this library can serve a program compiled with the given version: call it first with
/// SINEW_ABI_MAJOR and SINEW_ABI_MINOR.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_check_version(major: u32, minor: u32) -> SinewStatus {
    guard(|| {
        if major == SINEW_ABI_MAJOR && SINEW_ABI_MINOR.checked_sub(minor).is_some() {
            return Ok(());
        }
        let message = format!(
            "the program needs ABI {major}.{minor}, the library has {SINEW_ABI_MAJOR}.{SINEW_ABI_MINOR}"
        );
        Err(Error::new(Kind::WrongVersion, message))
    })
}

/// `[thread-safe]` The message of this thread's last failing call; empty if none has failed. The text lives until
/// this thread's next failing call.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_last_error_message() -> *const c_char {
    // While a thread exits, its thread-locals may be gone; then there is no message.
    LAST.try_with(|last| last.borrow().message.as_ptr()).unwrap_or(EMPTY.as_ptr())
}

/// `[thread-safe]` The place of this thread's last error.
///
/// # Safety
/// `place` is NULL or writable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_last_error_place(place: *mut SinewPlace) -> SinewStatus {
    guard(|| {
        let last = LAST.try_with(|last| {
            let last = last.borrow();
            let known = last.error.as_ref().map(|error| error.place().clone()).unwrap_or_default();
            (known, [last.port.as_ptr(), last.param.as_ptr()])
        });
        let (known, [port, param]) = last.unwrap_or_else(|_| (Place::default(), [EMPTY.as_ptr(); 2]));
        let number = |n: Option<u64>| n.map_or(-1, |n| n as i64);
        let value = SinewPlace {
            struct_size: 0,
            reserved: 0,
            frame: known.frame.unwrap_or(-1),
            vertex: number(known.vertex),
            face: number(known.face),
            joint: number(known.joint),
            line: number(known.line),
            port,
            param,
        };
        // SAFETY: the caller's promise above.
        unsafe { write_struct(place, value) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_the_numbers_of_the_error_kinds() {
        let codes = [
            SINEW_INVALID_ARGUMENT,
            SINEW_NOT_FOUND,
            SINEW_WRONG_TYPE,
            SINEW_OUT_OF_RANGE,
            SINEW_COUNT_MISMATCH,
            SINEW_NOT_FINITE,
            SINEW_DEGENERATE,
            SINEW_TOPOLOGY,
            SINEW_PARSE,
            SINEW_UNSUPPORTED,
            SINEW_IO,
            SINEW_MISSING_FILE,
            SINEW_CANCELLED,
            SINEW_TOO_LARGE,
            SINEW_NO_CONVERGENCE,
            SINEW_WRONG_VERSION,
            SINEW_MISSING_INPUT,
            SINEW_BUSY,
            SINEW_OUT_OF_ORDER,
            SINEW_INTERNAL,
        ];
        assert_eq!(codes, Kind::ALL.map(|k| k as i32));
    }

    #[test]
    fn a_panic_becomes_a_code_and_a_message() {
        assert_eq!(guard(|| panic!("oh {}", "no")), SINEW_INTERNAL);
        // SAFETY: the message is a live, terminated string.
        let message = unsafe { CStr::from_ptr(sinew_last_error_message()) };
        assert!(message.to_str().unwrap().contains("oh no"));
    }
}
