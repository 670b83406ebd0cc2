//! Contexts: the threads and callbacks shared by nodes.

use super::pointers::{null, put};
use super::status::{SinewStatus, guard};
use super::structs::{Sized10, read_struct};
use super::threads::Threads;
use crate::control::{Level, Listener};
use crate::error::{Error, Kind, Result};
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// Receives a log line during a step; `level` is 1 for a warning, 2 for information, 3 for details.
pub type SinewLogCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, level: i32, message: *const c_char)>;

/// Receives the progress of a long step, `done` from 0 to 1: an estimate, which may stall or go back a little. A
/// nonzero return value stops the step.
pub type SinewProgressCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, done: f64, task: *const c_char) -> i32>;

/// How to create a context. All zero except struct_size is a good default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewContextConfig {
    /// sizeof(SinewContextConfig)
    pub struct_size: u32,
    /// The number of threads to compute with; 0 for one per core. Results do not depend on it.
    pub threads: u32,
    /// Receives log lines of steps, or NULL.
    pub log: SinewLogCallback,
    /// Passed to `log`.
    pub log_user: *mut c_void,
    /// Receives progress, or NULL.
    pub progress: SinewProgressCallback,
    /// Passed to `progress`.
    pub progress_user: *mut c_void,
    /// 0, or SINEW_ON_CALLING_THREAD.
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
}

// SAFETY: repr(C), begins with its struct_size; zero bytes are NULL callbacks, others the caller's own.
unsafe impl Sized10 for SinewContextConfig {
    const NAME: &'static str = "SinewContextConfig";
    const SIZE_1_0: usize = 40;
}

/// SinewContextConfig.flags: steps run on the thread that calls them and start no other; `threads` is ignored.
/// Callbacks are then called from that thread. For hosts that evaluate many nodes on threads of their own. Each thread
/// that has run a step keeps about 10 KB until the process ends.
pub const SINEW_ON_CALLING_THREAD: u32 = 1;

/// The threads and callbacks shared by nodes. Opaque.
pub struct SinewContext(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) threads: Threads,
    pub(super) callbacks: Arc<Callbacks>,
}

pub(super) struct Callbacks(SinewContextConfig);

// SAFETY: the rules of the ABI: callbacks and their user pointers may be used from any thread.
unsafe impl Send for Callbacks {}
// SAFETY: as above.
unsafe impl Sync for Callbacks {}

/// The callbacks of one node.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewNodeCallbacks {
    /// sizeof(SinewNodeCallbacks)
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The host's own id of the node; passed to both callbacks.
    pub id: u64,
    /// Passed to both callbacks.
    pub user: *mut c_void,
    /// Receives log lines, or NULL.
    pub log: SinewNodeLogCallback,
    /// Receives progress, or NULL.
    pub progress: SinewNodeProgressCallback,
}

/// Like SinewLogCallback, with the node's id.
pub type SinewNodeLogCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, id: u64, level: i32, message: *const c_char)>;

/// Like SinewProgressCallback, with the node's id.
pub type SinewNodeProgressCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, id: u64, done: f64, task: *const c_char) -> i32>;

// SAFETY: repr(C), begins with its struct_size; zero bytes are NULL callbacks, others the caller's own.
unsafe impl Sized10 for SinewNodeCallbacks {
    const NAME: &'static str = "SinewNodeCallbacks";
    const SIZE_1_0: usize = 40;
}

pub(super) struct NodeCallbacks(pub(super) SinewNodeCallbacks);

// SAFETY: the rules of the ABI: callbacks and their user pointers may be used from any thread.
unsafe impl Send for NodeCallbacks {}
// SAFETY: as above.
unsafe impl Sync for NodeCallbacks {}

impl Listener for NodeCallbacks {
    fn progress(&self, done: f64, task: &str) -> bool {
        let Some(callback) = self.0.progress else { return true };
        let task = c_text(task);
        // SAFETY: the callback was given for this use; the text is terminated and outlives the call.
        unsafe { callback(self.0.user, self.0.id, done, task.as_ptr()) == 0 }
    }

    fn log(&self, level: Level, message: &str) {
        let Some(callback) = self.0.log else { return };
        let message = c_text(message);
        // SAFETY: as above.
        unsafe { callback(self.0.user, self.0.id, level as i32, message.as_ptr()) }
    }
}

fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

impl Listener for Callbacks {
    fn progress(&self, done: f64, task: &str) -> bool {
        let Some(callback) = self.0.progress else { return true };
        let task = c_text(task);
        // SAFETY: the callback was given for this use; the text is terminated and outlives the call.
        unsafe { callback(self.0.progress_user, done, task.as_ptr()) == 0 }
    }

    fn log(&self, level: Level, message: &str) {
        let Some(callback) = self.0.log else { return };
        let message = c_text(message);
        // SAFETY: as above.
        unsafe { callback(self.0.log_user, level as i32, message.as_ptr()) }
    }
}

fn create(config: SinewContextConfig) -> Result<SinewContext> {
    if config.flags & !SINEW_ON_CALLING_THREAD != 0 {
        let message = format!("{} is not a combination of context flags", config.flags);
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    let threads = match config.flags & SINEW_ON_CALLING_THREAD {
        0 => Threads::new(config.threads as usize)?,
        _ => Threads::of_callers(),
    };
    Ok(SinewContext(Arc::new(Shared { threads, callbacks: Arc::new(Callbacks(config)) })))
}

/// `[thread-safe]` Creates a context. `config` may be NULL for the defaults.
///
/// # Safety
/// `config` is NULL or readable for its `struct_size` bytes; `context` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_context_create(
    config: *const SinewContextConfig,
    context: *mut *mut SinewContext,
) -> SinewStatus {
    guard(|| {
        if context.is_null() {
            return Err(null("context"));
        }
        let defaults = SinewContextConfig {
            struct_size: 0,
            threads: 0,
            log: None,
            log_user: std::ptr::null_mut(),
            progress: None,
            progress_user: std::ptr::null_mut(),
            flags: 0,
            reserved: 0,
        };
        // SAFETY: the caller's promise above.
        let config = if config.is_null() { defaults } else { unsafe { read_struct(config)? } };
        let made = Box::new(create(config)?);
        // SAFETY: as above.
        unsafe { put(context, "context", Box::into_raw(made)) }
    })
}

/// `[one call per handle at a time]` Destroys a context; its nodes keep working. Its threads are joined when the
/// context and the last of its nodes have been destroyed, before that call returns. NULL is allowed.
///
/// # Safety
/// `context` is NULL or came from `sinew_context_create` and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_context_destroy(context: *mut SinewContext) {
    guard(|| {
        if !context.is_null() {
            // SAFETY: the caller gives back what Box::into_raw gave.
            drop(unsafe { Box::from_raw(context) });
        }
        Ok(())
    });
}
