//! Nodes at work.

use super::arrays::{SinewArray, SinewArrayMut, SinewMesh, copy_mesh, view, view_mut};
use super::context::{Shared, SinewContext};
use super::status::{SinewStatus, guard, null, put, put_bytes, text};
use crate::control::{Control, Level};
use crate::error::{Error, Kind, Result};
use crate::math::{Space, UpAxis};
use crate::nodes::{Instance, Report};
use std::ffi::c_char;
use std::sync::{Arc, Mutex, TryLockError};

/// sinew_node_set_space: y points up, as in Maya.
pub const SINEW_UP_Y: i32 = 0;
/// sinew_node_set_space: z points up, as in Blender.
pub const SINEW_UP_Z: i32 = 1;

/// A node with its inputs, parameters and outputs. Opaque.
pub struct SinewNode {
    context: Arc<Shared>,
    control: Control,
    /// The lock is never waited for: it turns a caller's mistake into an error. A panic inside poisons it.
    work: Mutex<Work>,
}

pub(super) struct Work {
    pub(super) instance: Instance,
    report: String,
}

/// Runs `body` on a node's work, on the threads of its context.
///
/// # Safety
/// `node` is NULL or alive.
pub(super) unsafe fn with(
    node: *mut SinewNode,
    body: impl FnOnce(&mut Work, &Control) -> Result<()> + Send,
) -> SinewStatus {
    guard(|| {
        if node.is_null() {
            return Err(null("node"));
        }
        // SAFETY: not NULL, so alive; shared, because another thread may cancel at the same time.
        let node = unsafe { &*node };
        let mut work = node.work.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                Error::new(Kind::InvalidArgument, "the node is in use by another call; take turns")
            }
            TryLockError::Poisoned(_) => {
                Error::new(Kind::Internal, "the node failed in an earlier call and can only be destroyed")
            }
        })?;
        let work = &mut *work;
        node.context.pool.install(|| body(work, &node.control))
    })
}

/// A pointer of the caller on its way into the thread pool; the caller waits until the pool is done with it.
pub(super) struct Carried<T>(pub(super) T);

// SAFETY: the pool runs one closure for the calling thread, which waits; nothing else touches the memory.
unsafe impl<T> Send for Carried<T> {}

impl<T: Copy> Carried<T> {
    pub(super) fn get(&self) -> T {
        self.0
    }
}

impl Work {
    fn finish(&mut self, report: Report, control: &Control) -> Result<()> {
        for warning in &report.warnings {
            control.log(Level::Warning, warning);
        }
        let json = serde_json::to_string(&report);
        self.report = json.map_err(|e| Error::new(Kind::Internal, format!("the report: {e}")))?;
        Ok(())
    }
}

/// `[thread-safe]` Makes a node of the kind `node_id`, with every parameter at its default.
///
/// # Safety
/// `context` is NULL or alive; `node_id` is NULL or terminated text; `node` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_create(
    context: *const SinewContext,
    node_id: *const c_char,
    node: *mut *mut SinewNode,
) -> SinewStatus {
    guard(|| {
        if context.is_null() || node.is_null() {
            return Err(null(if context.is_null() { "context" } else { "node" }));
        }
        // SAFETY: the caller's promise above.
        let (shared, id) = unsafe { ((*context).0.clone(), text(node_id, "node_id")?) };
        let work = Mutex::new(Work { instance: Instance::new(id)?, report: String::from("{}") });
        let control = Control::new(shared.callbacks.clone());
        let made = Box::into_raw(Box::new(SinewNode { context: shared, control, work }));
        // SAFETY: as above.
        unsafe { put(node, "node", made) }
    })
}

/// `[one call per handle at a time]` Destroys a node. NULL is allowed.
///
/// # Safety
/// `node` is NULL or came from `sinew_node_create` and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_destroy(node: *mut SinewNode) {
    guard(|| {
        if !node.is_null() {
            // SAFETY: the caller gives back what Box::into_raw gave.
            drop(unsafe { Box::from_raw(node) });
        }
        Ok(())
    });
}

/// `[thread-safe]` Asks the step that runs now to stop; it returns SINEW_CANCELLED soon. Without one, nothing
/// happens.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_cancel(node: *mut SinewNode) -> SinewStatus {
    guard(|| {
        if node.is_null() {
            return Err(null("node"));
        }
        // SAFETY: alive, and only the control is touched, which any thread may.
        unsafe { (*node).control.cancel() };
        Ok(())
    })
}

/// `[one call per handle at a time]` Declares the host's space: metres per unit (0.01 for centimetres) and
/// SINEW_UP_Y or SINEW_UP_Z. It holds for what is set and read from now on. The default is metres, y up.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_space(
    node: *mut SinewNode,
    metres_per_unit: f64,
    up_axis: i32,
) -> SinewStatus {
    let body = move |work: &mut Work, _: &Control| {
        let up = match up_axis {
            SINEW_UP_Y => UpAxis::Y,
            SINEW_UP_Z => UpAxis::Z,
            _ => return Err(Error::new(Kind::InvalidArgument, format!("{up_axis} is no up axis"))),
        };
        work.instance.set_space(Space::new(metres_per_unit, up)?);
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Copies an array into an input port. On an error the port keeps what it held.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `array` is NULL or readable, and so is its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_array(
    node: *mut SinewNode,
    port: *const c_char,
    array: *const SinewArray,
) -> SinewStatus {
    let carried = Carried((port, array));
    let body = move |work: &mut Work, _: &Control| {
        let (port, array) = carried.get();
        // SAFETY: the caller's promise above.
        let (port, array) = unsafe { (text(port, "port")?, view(array)?) };
        work.instance.set_array(port, &array)
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Copies a mesh into an input port. On an error the port keeps what it held.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `mesh` is NULL or readable, and so are its arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_mesh(
    node: *mut SinewNode,
    port: *const c_char,
    mesh: *const SinewMesh,
) -> SinewStatus {
    let carried = Carried((port, mesh));
    let body = move |work: &mut Work, _: &Control| {
        let (port, mesh) = carried.get();
        // SAFETY: the caller's promise above.
        let (port, mesh) = unsafe { (text(port, "port")?, copy_mesh(mesh)?) };
        work.instance.set_mesh(port, mesh)
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Empties an input port; a map then has its default everywhere.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_clear_input(node: *mut SinewNode, port: *const c_char) -> SinewStatus {
    let port = Carried(port);
    // SAFETY: the caller's promise above.
    unsafe { with(node, move |work, _| work.instance.clear_input(text(port.get(), "port")?)) }
}

/// `[one call per handle at a time]` Computes the outputs of a frame. On an error the outputs of the last good
/// step stay.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_step(node: *mut SinewNode, frame: i64, seconds: f64) -> SinewStatus {
    let body = move |work: &mut Work, control: &Control| {
        control.reset();
        let report = work.instance.step(frame, seconds, control)?;
        work.finish(report, control)
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` One call for nodes that move points: sets the input "points", steps, reads the
/// output "points". Both arrays may be the same memory. On an error nothing is written.
///
/// # Safety
/// `node` is NULL or alive; the arrays are NULL or readable, and so is their memory; that of `points_out` is
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_deform(
    node: *mut SinewNode,
    frame: i64,
    seconds: f64,
    points_in: *const SinewArray,
    points_out: *const SinewArrayMut,
) -> SinewStatus {
    let carried = Carried((points_in, points_out));
    let body = move |work: &mut Work, control: &Control| {
        let (points_in, points_out) = carried.get();
        // SAFETY: the caller's promise above.
        let (points_in, mut points_out) = unsafe { (view(points_in)?, view_mut(points_out)?) };
        control.reset();
        let report = work.instance.deform(frame, seconds, &points_in, &mut points_out, control)?;
        work.finish(report, control)
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Items of an output port after the last good step; 0 before.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `count` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_output_count(
    node: *mut SinewNode,
    port: *const c_char,
    count: *mut u64,
) -> SinewStatus {
    let carried = Carried((port, count));
    let body = move |work: &mut Work, _: &Control| {
        let (port, count) = carried.get();
        // SAFETY: the caller's promise above.
        let items = work.instance.output_count(unsafe { text(port, "port")? })?;
        // SAFETY: as above.
        unsafe { put(count, "count", items as u64) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Copies an output of the last good step into the caller's array. On an error
/// nothing is written.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `array` is NULL or readable, its memory writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_read_output(
    node: *mut SinewNode,
    port: *const c_char,
    array: *const SinewArrayMut,
) -> SinewStatus {
    let carried = Carried((port, array));
    let body = move |work: &mut Work, _: &Control| {
        let (port, array) = carried.get();
        // SAFETY: the caller's promise above.
        let (port, mut array) = unsafe { (text(port, "port")?, view_mut(array)?) };
        work.instance.read(port, &mut array)
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` The report of the last good step as JSON, without a terminating NUL. With
/// `buffer` NULL only `needed` is written; `needed` may be NULL when there is a buffer.
///
/// # Safety
/// `node` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_report(
    node: *mut SinewNode,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let carried = Carried((buffer, needed));
    let body = move |work: &mut Work, _: &Control| {
        let (buffer, needed) = carried.get();
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(work.report.as_bytes(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Everything that the node remembers: parameters, last frame, outputs, its own
/// memory; not the inputs. With `buffer` NULL only `needed` is written.
///
/// # Safety
/// `node` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_save_state(
    node: *mut SinewNode,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let carried = Carried((buffer, needed));
    let body = move |work: &mut Work, _: &Control| {
        let (buffer, needed) = carried.get();
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(&work.instance.save_state(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Goes back to a saved state; on an error the node is as it was.
///
/// # Safety
/// `node` is NULL or alive; `bytes` is NULL or readable for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_load_state(
    node: *mut SinewNode,
    bytes: *const u8,
    size: u64,
) -> SinewStatus {
    let bytes = Carried(bytes);
    let body = move |work: &mut Work, _: &Control| {
        let Some(size) = usize::try_from(size).ok().filter(|&s| s <= isize::MAX as usize) else {
            return Err(Error::new(Kind::TooLarge, format!("{size} bytes are more than the address space")));
        };
        if bytes.get().is_null() {
            return Err(null("bytes"));
        }
        // SAFETY: the caller promises that many readable bytes.
        work.instance.load_state(unsafe { std::slice::from_raw_parts(bytes.get(), size) })
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}
