//! Contexts: threads and callbacks that nodes share.

use super::status::{SinewStatus, guard, null, put};
use super::structs::{Sized10, read_struct};
use crate::control::{Level, Listener};
use crate::error::{Error, Kind, Result};
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// Log lines; `level` is 1 for a warning, 2 for information, 3 for details.
pub type SinewLogCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, level: i32, message: *const c_char)>;

/// Progress of a long step, `done` from 0 to 1; a return value other than 0 stops the step.
pub type SinewProgressCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, done: f64, task: *const c_char) -> i32>;

/// How to make a context. Zero, but for struct_size, is a good default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewContextConfig {
    /// sizeof(SinewContextConfig)
    pub struct_size: u32,
    /// Threads to compute with; 0 for one per core. Results do not depend on it.
    pub threads: u32,
    /// Receives log lines, or NULL.
    pub log: SinewLogCallback,
    /// Passed to `log`.
    pub log_user: *mut c_void,
    /// Receives progress, or NULL.
    pub progress: SinewProgressCallback,
    /// Passed to `progress`.
    pub progress_user: *mut c_void,
}

// SAFETY: repr(C), begins with its struct_size; zero bytes are NULL callbacks, others the caller's own.
unsafe impl Sized10 for SinewContextConfig {
    const NAME: &'static str = "SinewContextConfig";
    const SIZE_1_0: usize = 40;
}

/// More threads than this are a mistake in the config.
const MAX_THREADS: u32 = 1024;

/// Threads and callbacks that nodes share. Opaque.
pub struct SinewContext(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) pool: rayon::ThreadPool,
    pub(super) callbacks: Arc<Callbacks>,
}

pub(super) struct Callbacks(SinewContextConfig);

// SAFETY: the law of the ABI: callbacks and their user pointers may be used from any thread.
unsafe impl Send for Callbacks {}
// SAFETY: as above.
unsafe impl Sync for Callbacks {}

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
    if config.threads > MAX_THREADS {
        let message = format!("{} threads; at most {MAX_THREADS} are possible", config.threads);
        return Err(Error::new(Kind::OutOfRange, message));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads as usize)
        .thread_name(|i| format!("sinew-{i}"))
        .build()
        .map_err(|e| Error::new(Kind::Io, format!("the threads could not be started: {e}")))?;
    Ok(SinewContext(Arc::new(Shared { pool, callbacks: Arc::new(Callbacks(config)) })))
}

/// `[thread-safe]` Makes a context. `config` may be NULL for the defaults.
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
        };
        // SAFETY: the caller's promise above.
        let config = if config.is_null() { defaults } else { unsafe { read_struct(config)? } };
        let made = Box::new(create(config)?);
        // SAFETY: as above.
        unsafe { put(context, "context", Box::into_raw(made)) }
    })
}

/// `[one call per handle at a time]` Destroys a context; its nodes go on working. NULL is allowed.
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
