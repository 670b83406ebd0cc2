//! Node instances: creating, feeding, stepping and reading them.

use super::arrays::{
    SinewArray, SinewArrayMut, SinewMesh, SinewPortArray, SinewPortArrayMut, copy_mesh, list, view, view_mut,
};
use super::context::{NodeCallbacks, Shared, SinewContext, SinewNodeCallbacks};
use super::pointers::{flag, null, put, put_bytes, text};
use super::status::{SinewStatus, guard, take_turn};
use super::structs::read_struct;
use crate::control::{Control, Listener};
use crate::error::{Error, Kind, Result};
use crate::math::{Space, UpAxis};
use crate::nodes::{Direction, Instance, Report};
use std::ffi::c_char;
use std::sync::{Arc, Mutex};

/// sinew_node_set_space: y points up, as in Maya.
pub const SINEW_UP_Y: i32 = 0;
/// sinew_node_set_space: z points up, as in Blender.
pub const SINEW_UP_Z: i32 = 1;

/// A node with its inputs, parameters and outputs. Opaque.
pub struct SinewNode {
    pub(super) context: Arc<Shared>,
    /// For cancelling only; the listener of a step is part of `work`.
    control: Control,
    /// The lock is never waited for: contention is a mistake of the caller and becomes an error. A panic inside poisons
    /// it.
    work: Mutex<Work>,
}

pub(super) struct Work {
    pub(super) instance: Instance,
    pub(super) listener: Arc<dyn Listener>,
    pub(super) report: String,
    /// A lean state, and whether it is that of now: its size was queried, and it was not fetched yet.
    pub(super) lean: Vec<u8>,
    pub(super) lean_waits: bool,
}

/// The report before any step.
const NO_REPORT: &str = "{}";

impl Work {
    /// Drops the report and the pending lean state of the last step.
    pub(super) fn forget(&mut self) {
        (self.lean_waits, self.report) = (false, NO_REPORT.into());
    }
}

/// Runs `body` on a node's work, on the calling thread: only steps run on other threads.
///
/// # Safety
/// `node` is NULL or alive.
pub(super) unsafe fn with(node: *mut SinewNode, body: impl FnOnce(&mut Work) -> Result<()>) -> SinewStatus {
    // SAFETY: the caller's promise.
    unsafe { with_node(node, |work, _| body(work)) }
}

/// # Safety
/// As [`with`].
pub(super) unsafe fn with_node(
    node: *mut SinewNode,
    body: impl FnOnce(&mut Work, &SinewNode) -> Result<()>,
) -> SinewStatus {
    guard(|| {
        if node.is_null() {
            return Err(null("node"));
        }
        // SAFETY: not NULL, so alive; shared, because another thread may cancel at the same time.
        let node = unsafe { &*node };
        body(&mut *take_turn(&node.work, "the node")?, node)
    })
}

/// Runs a step of a node on the threads of its context.
///
/// # Safety
/// As [`with`].
unsafe fn step(
    node: *mut SinewNode,
    body: impl FnOnce(&mut Instance, &Control) -> Result<Report> + Send,
) -> SinewStatus {
    let step = |work: &mut Work, node: &SinewNode| {
        work.lean_waits = false;
        let Work { instance, listener, report, .. } = work;
        node.control.reset();
        let control = node.control.heard_by(listener.clone());
        let made = node.context.threads.run(|| body(instance, &control))?;
        let json = serde_json::to_string(&made);
        *report = json.map_err(|e| Error::new(Kind::Internal, format!("the report: {e}")))?;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with_node(node, step) }
}

/// Pointers of the caller, passed to the threads of a step; the caller waits until the step has finished.
struct Carried<T>(T);

// SAFETY: the step runs for the calling thread, which waits; nothing else touches the memory.
unsafe impl<T> Send for Carried<T> {}

impl<T: Copy> Carried<T> {
    fn get(&self) -> T {
        self.0
    }
}

/// `[thread-safe]` Creates a node of the type `node_id`, with every parameter at its default.
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
        let listener = shared.callbacks.clone();
        let (instance, report) = (Instance::new(id)?, NO_REPORT.into());
        let work = Work { instance, listener, report, lean: Vec::new(), lean_waits: false };
        let node_made = SinewNode { context: shared, control: Control::default(), work: Mutex::new(work) };
        let made = Box::into_raw(Box::new(node_made));
        // SAFETY: as above.
        unsafe { put(node, "node", made) }
    })
}

/// `[one call per handle at a time]` Destroys a node. No other call on it may be running: this one cannot be
/// refused. NULL is allowed.
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

/// `[thread-safe]` Asks the running step to stop; it soon returns SINEW_CANCELLED and leaves the node as it was before.
/// If no step is running, nothing happens, so a cancel just before a step begins is lost. A host that must not lose one
/// keeps a flag of its own that its progress callback returns: every step calls it before anything else.
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

/// A host's space.
pub(super) fn space(metres_per_unit: f64, up_axis: i32) -> Result<Space> {
    let up = match up_axis {
        SINEW_UP_Y => UpAxis::Y,
        SINEW_UP_Z => UpAxis::Z,
        _ => return Err(Error::new(Kind::InvalidArgument, format!("{up_axis} is not an up axis"))),
    };
    Space::new(metres_per_unit, up)
}

/// `[one call per handle at a time]` Declares the host's space: metres per unit (0.01 for centimetres) and
/// SINEW_UP_Y or SINEW_UP_Z. It applies to everything set and read from now on. The default is metres, y up.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_space(
    node: *mut SinewNode,
    metres_per_unit: f64,
    up_axis: i32,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        work.instance.set_space(space(metres_per_unit, up_axis)?);
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Whether the host's matrices are for row vectors (1, as in Maya), with the
/// translation in elements 12 to 14, or for column vectors (0, the default). It applies to everything set and read from
/// now on.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_row_vectors(node: *mut SinewNode, rows: i32) -> SinewStatus {
    let body = |work: &mut Work| {
        work.instance.set_row_vectors(flag(rows, "rows")?);
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Copies an array into an input port. On an error the port keeps its previous
/// contents.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `array` is NULL or readable, and so is its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_array(
    node: *mut SinewNode,
    port: *const c_char,
    array: *const SinewArray,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let (port, array) = unsafe { (text(port, "port")?, view(array)?) };
        work.instance.set_array(port, &array)
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Copies a mesh into an input port. On an error the port keeps its previous
/// contents.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `mesh` is NULL or readable, and so are its arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_mesh(
    node: *mut SinewNode,
    port: *const c_char,
    mesh: *const SinewMesh,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let port = unsafe { text(port, "port")? };
        // SAFETY: as above.
        let mesh = unsafe { copy_mesh(mesh) };
        let mesh = mesh.map_err(|e| e.port(port).node(work.instance.descriptor().id))?;
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
    // SAFETY: the caller's promise above.
    unsafe { with(node, |work| work.instance.clear_input(text(port, "port")?)) }
}

/// `[one call per handle at a time]` Computes the outputs of a frame. On an error the outputs of the last good
/// step are kept.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_step(node: *mut SinewNode, frame: i64, seconds: f64) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { step(node, move |instance, control| instance.step(frame, seconds, control)) }
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
    let arrays = Carried((points_in, points_out));
    let body = move |instance: &mut Instance, control: &Control| {
        let (points_in, points_out) = arrays.get();
        // SAFETY: the caller's promise above.
        let (points_in, points_out) = unsafe { (view(points_in)?, view_mut(points_out)?) };
        instance.deform(frame, seconds, &points_in, points_out, control)
    };
    // SAFETY: as above.
    unsafe { step(node, body) }
}

/// `[one call per handle at a time]` A whole frame in one call: sets arrays of input ports, steps, reads arrays of
/// output ports: for the skin slider points in, UVs out. A port may be named once among the inputs and once among the
/// outputs, so that counts above the numbers of such ports are refused; both may use the same memory. `history`, which
/// may be NULL, receives a SINEW_HISTORY value. On an error the inputs are restored, nothing is written, and the node
/// is as before the frame; the same holds for sinew_node_deform.
///
/// # Safety
/// `node` is NULL or alive; `inputs` and `outputs` are NULL or hold as many structs as their counts say, with ports
/// that are NULL or terminated text and arrays as in sinew_node_set_array and sinew_node_read_output; `history` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_run(
    node: *mut SinewNode,
    frame: i64,
    seconds: f64,
    inputs: *const SinewPortArray,
    input_count: u32,
    outputs: *const SinewPortArrayMut,
    output_count: u32,
    history: *mut i32,
) -> SinewStatus {
    let lists = Carried((inputs, outputs));
    let made = Carried(history);
    let body = move |instance: &mut Instance, control: &Control| {
        let (inputs, outputs) = lists.get();
        let node = instance.descriptor();
        let most = |direction| node.ports.iter().filter(|port| port.direction == direction).count();
        let (most_inputs, most_outputs) = (most(Direction::Input), most(Direction::Output));
        let at_node = |e: Error| e.node(node.id);
        // SAFETY: the caller's promise above, here and below.
        let inputs = unsafe { list(inputs, input_count, "input_count", most_inputs) }.map_err(at_node)?;
        // SAFETY: as above.
        let outputs =
            unsafe { list(outputs, output_count, "output_count", most_outputs) }.map_err(at_node)?;
        // SAFETY: as above.
        let given = inputs.iter().map(|given| unsafe { Ok((text(given.port, "port")?, view(given.array)?)) });
        let given = given.collect::<Result<Vec<_>>>()?;
        let wanted =
            // SAFETY: as above.
            outputs.iter().map(|given| unsafe { Ok((text(given.port, "port")?, view_mut(given.array)?)) });
        let mut wanted = wanted.collect::<Result<Vec<_>>>()?;
        let report = instance.run(frame, seconds, &given, &mut wanted, control)?;
        if !made.get().is_null() {
            // SAFETY: as above.
            unsafe { made.get().write_unaligned(report.history as i32) };
        }
        Ok(report)
    };
    // SAFETY: as above.
    unsafe { step(node, body) }
}

/// `[one call per handle at a time]` Whether an input port is set: 0 or 1.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `set` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_input_is_set(
    node: *mut SinewNode,
    port: *const c_char,
    set: *mut i32,
) -> SinewStatus {
    let body = |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let is_set = work.instance.is_set(unsafe { text(port, "port")? })?;
        // SAFETY: as above.
        unsafe { put(set, "set", i32::from(is_set)) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Sets callbacks for this node's steps, in place of those of its context; NULL
/// restores those. The struct is copied.
///
/// # Safety
/// `node` is NULL or alive; `callbacks` is NULL or readable for its `struct_size` bytes; what it refers to lives as
/// long as the node, or until other callbacks are set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_callbacks(
    node: *mut SinewNode,
    callbacks: *const SinewNodeCallbacks,
) -> SinewStatus {
    let body = |work: &mut Work, node: &SinewNode| {
        work.listener = match callbacks.is_null() {
            true => node.context.callbacks.clone(),
            // SAFETY: the caller's promise above.
            false => Arc::new(NodeCallbacks(unsafe { read_struct(callbacks)? })),
        };
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with_node(node, body) }
}

/// `[one call per handle at a time]` The number of items of an output port after the last good step; 0 before the
/// first.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `count` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_output_count(
    node: *mut SinewNode,
    port: *const c_char,
    count: *mut u64,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let items = work.instance.output_count(unsafe { text(port, "port")? })?;
        // SAFETY: as above.
        unsafe { put(count, "count", items as u64) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Says whether an output will be read after the next steps, 1 or 0: one that will
/// not may stay empty, which saves its time. At first all will be. What is read does not depend on it. Since ABI 1.11.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_want_output(
    node: *mut SinewNode,
    port: *const c_char,
    wanted: i32,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        work.instance.want_output(unsafe { text(port, "port")? }, flag(wanted, "wanted")?)
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` The number of items that an output port will have after a step with the inputs and
/// parameters as they are now, so that a host can allocate before its first step: sinew_node_output_count then says the
/// same. Inputs that do not decide about it need not be set. It may read the files that parameters name. Since ABI 1.9.
///
/// # Safety
/// `node` is NULL or alive; `port` is NULL or terminated text; `count` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_expected_count(
    node: *mut SinewNode,
    port: *const c_char,
    count: *mut u64,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let items = work.instance.expected_count(unsafe { text(port, "port")? })?;
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
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        let (port, mut array) = unsafe { (text(port, "port")?, view_mut(array)?) };
        work.instance.read(port, &mut array)
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` The report of the last good step as JSON, without a terminating NUL; {} if there
/// is none, because the node is new, was reset, or has loaded a state. report.schema.json next to this header describes
/// it. With `buffer` NULL only `needed` is written; `needed` may be NULL if `buffer` is not.
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
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(work.report.as_bytes(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}
