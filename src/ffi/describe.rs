//! The available nodes, their ports and their parameters.

use super::pointers::{put, text};
use super::status::{SinewStatus, guard};
use super::structs::{Sized10, write_struct};
use crate::error::{Error, Kind, Result};
use crate::nodes::{Direction, MadeMesh, NodeDescriptor, Param, ParamKind, Port, PortKind, find, registry};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{CString, c_char};
use std::sync::Mutex;

/// SinewPortInfo.direction: set by the host.
pub const SINEW_INPUT: i32 = 0;
/// SinewPortInfo.direction: read by the host.
pub const SINEW_OUTPUT: i32 = 1;

/// SinewPortInfo.kind: an array of floating-point numbers.
pub const SINEW_PORT_REALS: i32 = 0;
/// SinewPortInfo.kind: an array of whole numbers from 0.
pub const SINEW_PORT_INTS: i32 = 1;
/// SinewPortInfo.kind: a mesh.
pub const SINEW_PORT_MESH: i32 = 2;

/// SinewParamInfo.kind: on or off, 0 or 1.
pub const SINEW_PARAM_BOOL: i32 = 0;
/// SinewParamInfo.kind: a whole number.
pub const SINEW_PARAM_INT: i32 = 1;
/// SinewParamInfo.kind: a number.
pub const SINEW_PARAM_REAL: i32 = 2;
/// SinewParamInfo.kind: one of a list of choices.
pub const SINEW_PARAM_CHOICE: i32 = 3;
/// SinewParamInfo.kind: any text, such as the path of a file; set with sinew_node_set_text. default_text holds
/// its default; the numeric fields are 0.
pub const SINEW_PARAM_TEXT: i32 = 4;

/// A node. Ids never change; titles and docs may.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewNodeInfo {
    /// sizeof(SinewNodeInfo)
    pub struct_size: u32,
    /// The number of ports.
    pub port_count: u32,
    /// The number of parameters.
    pub param_count: u32,
    /// Zero.
    pub reserved: u32,
    /// The permanent id.
    pub id: *const c_char,
    /// The display name.
    pub title: *const c_char,
    /// What it does, in a few sentences.
    pub doc: *const c_char,
    /// 1 if a frame depends on the frames before it: see Time at the top of this header.
    pub stateful: u32,
    /// The number of meshes, each of which a SinewMeshInfo describes.
    pub mesh_count: u32,
    /// A permanent number from 1 to 63, which no other node has or had, for hosts whose files name types by numbers,
    /// such as Maya; 0 for a node that is not the library's own. Since ABI 1.10.
    pub number: u32,
    /// Zero.
    pub reserved_2: u32,
}

/// A mesh of a node: what its ports have items per vertex, face or corner of. The mesh "body" is that which the host
/// animates; a node may have others beside it, and some it makes itself.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewMeshInfo {
    /// sizeof(SinewMeshInfo)
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The permanent id, which SinewPortInfo.mesh names.
    pub id: *const c_char,
    /// The display name.
    pub title: *const c_char,
    /// What it is, in one line.
    pub doc: *const c_char,
    /// If the node makes it, the output with the points of its vertices; otherwise empty, as are the next two.
    pub points: *const c_char,
    /// The output with the number of corners of each face.
    pub face_sizes: *const c_char,
    /// The output with the vertex of each corner, face by face.
    pub face_vertices: *const c_char,
}

/// A port of a node.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewPortInfo {
    /// sizeof(SinewPortInfo)
    pub struct_size: u32,
    /// SINEW_INPUT or SINEW_OUTPUT.
    pub direction: i32,
    /// SINEW_PORT_REALS, SINEW_PORT_INTS or SINEW_PORT_MESH.
    pub kind: i32,
    /// Numbers per item; 0 for a mesh.
    pub components: u32,
    /// 1 if a step needs it.
    pub required: u32,
    /// 1 for a map that users can paint: numbers, or vectors if there are three components.
    pub paintable: u32,
    /// 1 if an unset map has default_value everywhere.
    pub has_default: u32,
    /// 1 if minimum and maximum apply.
    pub has_range: u32,
    /// The value of an unset map.
    pub default_value: f64,
    /// The smallest value.
    pub minimum: f64,
    /// The largest value.
    pub maximum: f64,
    /// The permanent id; an input and an output may share one.
    pub id: *const c_char,
    /// The name for people.
    pub title: *const c_char,
    /// What it holds, in one line.
    pub doc: *const c_char,
    /// What each item belongs to: a "vertex", "face", "corner" or "influence" (a vertex with one of its joints) of the
    /// body, a "joint", or "free": any number of items, or those of another mesh, which `mesh` and `element` name.
    /// Inputs of one domain have the same count, except for "free".
    pub domain: *const c_char,
    /// What the numbers are, which determines how they are converted from the host's space: "scalar", "position",
    /// "displacement", "direction", "transform", "uv", "index", "length".
    pub quantity: *const c_char,
    /// What the items are if the domain is "free": "muscle", "muscle vertex", "rider", ...; otherwise empty. Outputs
    /// with the same word have the same items, in the same order.
    pub items: *const c_char,
    /// The unit of the numbers, such as "N", or "deg or m" if it depends on the item; empty if they have none or the
    /// quantity implies it: lengths and positions are in the host's unit.
    pub unit: *const c_char,
    /// 1 if the numbers are whole: such an output can also be read as integers.
    pub whole: u32,
    /// 1 if places and directions are those of the body at rest; otherwise they are those of the frame.
    pub at_rest: u32,
    /// A name for a host's attribute: unlike ids, names of inputs, outputs and parameters all differ, and none is one
    /// that Maya's own nodes have. Permanent.
    pub host_name: *const c_char,
    /// The mesh to which each item belongs, the id of a SinewMeshInfo; empty if it belongs to none. Inputs with the
    /// same mesh and element have the same count.
    pub mesh: *const c_char,
    /// What each item is of that mesh: a "vertex", "face", "corner" or "influence"; otherwise empty.
    pub element: *const c_char,
    /// The heading under which a panel shows it; the inputs of a group are consecutive, and so are the outputs.
    pub group: *const c_char,
    /// If its items come in lists, one after another: the port of the same direction with the number of items of each
    /// list; otherwise empty. Positions in lists are the nodes of curves. Since ABI 1.11.
    pub counted_by: *const c_char,
    /// For the nodes of curves: the output with the radius of each curve; empty if they have none. Since ABI 1.11.
    pub radii: *const c_char,
    /// For numbers between the neighbours of a list, such as the segments of curves: the port with the items of the
    /// lists; otherwise empty. Each list has one number fewer than items. Since ABI 1.11.
    pub between: *const c_char,
    /// For whole numbers that are each the number of something, from 0: the word for that, as in `items`, such as
    /// "muscle", "joint", "chart", or a "vertex", "face" or "corner" of a mesh; otherwise empty. Since ABI 1.11.
    pub index_of: *const c_char,
}

/// A parameter of a node.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewParamInfo {
    /// sizeof(SinewParamInfo)
    pub struct_size: u32,
    /// SINEW_PARAM_BOOL, SINEW_PARAM_INT, SINEW_PARAM_REAL, SINEW_PARAM_CHOICE or SINEW_PARAM_TEXT.
    pub kind: i32,
    /// The number of choices.
    pub choice_count: u32,
    /// Zero.
    pub reserved: u32,
    /// The default value; for a choice its index.
    pub default_value: f64,
    /// The smallest value.
    pub minimum: f64,
    /// The largest value.
    pub maximum: f64,
    /// The permanent id.
    pub id: *const c_char,
    /// The name for people.
    pub title: *const c_char,
    /// What it does, in one line.
    pub doc: *const c_char,
    /// The unit of the value, such as "m"; empty when it has none.
    pub unit: *const c_char,
    /// The heading under which a panel shows it; the parameters of a group are consecutive.
    pub group: *const c_char,
    /// Where a slider begins; values down to the minimum can be typed.
    pub soft_minimum: f64,
    /// Where a slider ends; values up to the maximum can be typed.
    pub soft_maximum: f64,
    /// The increment of a spin button; 0 leaves it to the host.
    pub step: f64,
    /// The choice parameter that decides whether this one has an effect; empty if it always has.
    pub shown_with: *const c_char,
    /// The choices of that parameter for which it has an effect: bit k for choice k.
    pub shown_choices: u64,
    /// 1 if only experts need it.
    pub advanced: u32,
    /// 1 if a change restarts the node.
    pub restarts: u32,
    /// For the path of a file: a filter such as "*.xml"; otherwise empty.
    pub files: *const c_char,
    /// The default value of a choice (its id) or a text; otherwise empty.
    pub default_text: *const c_char,
    /// What is measured, so that a host can show it in units of its own: "length", "time", "mass", "angle", "pressure",
    /// "force", "density", "acceleration", "stiffness", "rate", "angle per length", or "angle or length" if that
    /// depends on what else is chosen; empty for a pure number. The value itself is in `unit`, whatever the host's
    /// units are.
    pub quantity: *const c_char,
    /// A name for a host's attribute, see SinewPortInfo. Permanent.
    pub host_name: *const c_char,
    /// 1 if it may have another value in each frame.
    pub animatable: u32,
    /// 1 if it is the path of a file, which the node reads; it may also hold the text of such a file. Nodes write no
    /// files.
    pub is_file: u32,
    /// The type of the document that it holds, as its text or as the path of its file, as sinew_document_create takes
    /// it; otherwise empty. Since ABI 1.11.
    pub document: *const c_char,
}

/// A choice of a parameter.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewChoiceInfo {
    /// sizeof(SinewChoiceInfo)
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The permanent id.
    pub id: *const c_char,
    /// What it means, in one line.
    pub doc: *const c_char,
    /// The name for people.
    pub title: *const c_char,
}

// SAFETY: repr(C), begins with its struct_size, plain numbers and pointers.
unsafe impl Sized10 for SinewNodeInfo {
    const NAME: &'static str = "SinewNodeInfo";
    const SIZE_1_0: usize = 40;
}
// SAFETY: as above.
unsafe impl Sized10 for SinewMeshInfo {
    const NAME: &'static str = "SinewMeshInfo";
    // As it was in version 1.9, which has brought it.
    const SIZE_1_0: usize = 56;
}
// SAFETY: as above.
unsafe impl Sized10 for SinewPortInfo {
    const NAME: &'static str = "SinewPortInfo";
    const SIZE_1_0: usize = 96;
}
// SAFETY: as above.
unsafe impl Sized10 for SinewParamInfo {
    const NAME: &'static str = "SinewParamInfo";
    const SIZE_1_0: usize = 72;
}
// SAFETY: as above.
unsafe impl Sized10 for SinewChoiceInfo {
    const NAME: &'static str = "SinewChoiceInfo";
    const SIZE_1_0: usize = 24;
}

/// A C string that lives as long as the library. Descriptors are static, so the table stops growing once each of their
/// strings has been requested.
pub(super) fn forever(text: impl Into<Cow<'static, str>>) -> *const c_char {
    static TABLE: Mutex<Option<HashMap<Cow<'static, str>, CString>>> = Mutex::new(None);
    let text = text.into();
    let mut table = TABLE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let known = table.get_or_insert_default().entry(text.clone());
    // The heap text of a CString does not move when the table grows.
    known.or_insert_with(|| CString::new(text.as_bytes()).unwrap_or_default()).as_ptr()
}

fn descriptor(id: &str) -> Result<&'static NodeDescriptor> {
    let found = find(id).map(|r| r.descriptor);
    found.ok_or_else(|| Error::new(Kind::NotFound, format!("no node \"{id}\"")))
}

fn item<'a, T>(items: &'a [T], index: u32, what: &str) -> Result<&'a T> {
    items.get(index as usize).ok_or_else(|| {
        Error::new(Kind::NotFound, format!("there is no {what} {index}; there are {}", items.len()))
    })
}

fn port_info(port: &Port) -> SinewPortInfo {
    let (minimum, maximum) = port.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    SinewPortInfo {
        struct_size: 0,
        direction: if port.direction == Direction::Input { SINEW_INPUT } else { SINEW_OUTPUT },
        kind: match port.kind {
            PortKind::Reals { .. } => SINEW_PORT_REALS,
            PortKind::Ints { .. } => SINEW_PORT_INTS,
            PortKind::Mesh => SINEW_PORT_MESH,
        },
        components: port.kind.components(),
        required: port.required.into(),
        paintable: port.paintable.into(),
        has_default: port.default.is_some().into(),
        has_range: port.range.is_some().into(),
        default_value: port.default.unwrap_or(0.0),
        minimum,
        maximum,
        id: forever(port.id),
        title: forever(port.title),
        doc: forever(port.doc),
        domain: forever(port.domain.on_body()),
        quantity: forever(port.quantity.name()),
        items: forever(port.items),
        unit: forever(port.unit.symbol()),
        whole: port.is_whole().into(),
        at_rest: port.at_rest.into(),
        host_name: forever(port.host_name()),
        mesh: forever(port.domain.mesh().unwrap_or_default()),
        element: forever(port.domain.element()),
        group: forever(port.group),
        counted_by: forever(port.counted_by),
        radii: forever(port.radii),
        between: forever(port.between),
        index_of: forever(port.index_of),
    }
}

fn param_info(node: &NodeDescriptor, param: &Param) -> SinewParamInfo {
    let (kind, choice_count, default_value, minimum, maximum) = match param.kind {
        ParamKind::Bool { default } => (SINEW_PARAM_BOOL, 0, f64::from(u8::from(default)), 0.0, 1.0),
        ParamKind::Int { default, min, max } => (SINEW_PARAM_INT, 0, default as f64, min as f64, max as f64),
        ParamKind::Real { default, min, max } => (SINEW_PARAM_REAL, 0, default, min, max),
        ParamKind::Choice { default, choices } => {
            (SINEW_PARAM_CHOICE, choices.len() as u32, default as f64, 0.0, (choices.len() - 1) as f64)
        }
        ParamKind::Text { .. } => (SINEW_PARAM_TEXT, 0, 0.0, 0.0, 0.0),
    };
    SinewParamInfo {
        struct_size: 0,
        kind,
        choice_count,
        reserved: 0,
        default_value,
        minimum,
        maximum,
        id: forever(param.id),
        title: forever(param.title),
        doc: forever(param.doc),
        unit: forever(param.unit.symbol()),
        group: forever(param.panel.group),
        soft_minimum: param.panel.soft.map_or(minimum, |(low, _)| low),
        soft_maximum: param.panel.soft.map_or(maximum, |(_, high)| high),
        step: param.panel.step,
        shown_with: forever(param.panel.shown_when.map_or("", |(other, _)| other)),
        shown_choices: node.shown_choices(param),
        advanced: param.panel.advanced.into(),
        restarts: param.panel.restarts.into(),
        files: forever(param.panel.files),
        default_text: forever(param.default_text()),
        quantity: forever(param.unit.quantity()),
        host_name: forever(param.host_name()),
        animatable: param.is_animatable().into(),
        is_file: param.is_file().into(),
        document: forever(param.panel.document),
    }
}

/// `[thread-safe]` The number of available nodes.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_node_count() -> u32 {
    registry().len() as u32
}

/// `[thread-safe]` Describes a node; `index` counts from 0. The order of nodes may change, ids do not.
///
/// # Safety
/// `info` is NULL or writable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_info(index: u32, info: *mut SinewNodeInfo) -> SinewStatus {
    guard(|| {
        let node = item(registry(), index, "node")?.descriptor;
        let value = SinewNodeInfo {
            struct_size: 0,
            port_count: node.ports.len() as u32,
            param_count: node.params.len() as u32,
            reserved: 0,
            id: forever(node.id),
            title: forever(node.title),
            doc: forever(node.doc),
            stateful: node.stateful.into(),
            mesh_count: node.meshes.len() as u32,
            number: node.number,
            reserved_2: 0,
        };
        // SAFETY: the caller's promise above.
        unsafe { write_struct(info, value) }
    })
}

/// `[thread-safe]` Describes a mesh of a node. Since ABI 1.9.
///
/// # Safety
/// `node_id` is NULL or terminated text; `info` is NULL or writable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_info(
    node_id: *const c_char,
    index: u32,
    info: *mut SinewMeshInfo,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let node = descriptor(unsafe { text(node_id, "node_id")? })?;
        let mesh = item(node.meshes, index, "mesh")?;
        let of = |port: fn(&MadeMesh) -> &'static str| forever(mesh.made.as_ref().map_or("", port));
        let value = SinewMeshInfo {
            struct_size: 0,
            reserved: 0,
            id: forever(mesh.id),
            title: forever(mesh.title),
            doc: forever(mesh.doc),
            points: of(|made| made.points),
            face_sizes: of(|made| made.face_sizes),
            face_vertices: of(|made| made.face_vertices),
        };
        // SAFETY: as above.
        unsafe { write_struct(info, value) }
    })
}

/// `[thread-safe]` Whether an input or a parameter `from` may change an output of a node: 0 or 1. With 0 it never does,
/// so that a host that computes on demand need not compute the output anew. Since ABI 1.9.
///
/// # Safety
/// `node_id`, `from` and `output` are NULL or terminated text; `affects` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_affects(
    node_id: *const c_char,
    from: *const c_char,
    output: *const c_char,
    affects: *mut i32,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let node = descriptor(unsafe { text(node_id, "node_id")? })?;
        // SAFETY: as above.
        let found = node.affects(unsafe { text(from, "from")? }, unsafe { text(output, "output")? })?;
        // SAFETY: as above.
        unsafe { put(affects, "affects", found.into()) }
    })
}

/// `[thread-safe]` Describes a port of a node.
///
/// # Safety
/// `node_id` is NULL or terminated text; `info` is NULL or writable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_port_info(
    node_id: *const c_char,
    index: u32,
    info: *mut SinewPortInfo,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let node = descriptor(unsafe { text(node_id, "node_id")? })?;
        // SAFETY: as above.
        unsafe { write_struct(info, port_info(item(node.ports, index, "port")?)) }
    })
}

/// `[thread-safe]` Describes a parameter of a node.
///
/// # Safety
/// `node_id` is NULL or terminated text; `info` is NULL or writable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_param_info(
    node_id: *const c_char,
    index: u32,
    info: *mut SinewParamInfo,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let node = descriptor(unsafe { text(node_id, "node_id")? })?;
        // SAFETY: as above.
        unsafe { write_struct(info, param_info(node, item(node.params, index, "parameter")?)) }
    })
}

/// `[thread-safe]` Describes a choice of a parameter.
///
/// # Safety
/// `node_id` is NULL or terminated text; `info` is NULL or writable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_choice_info(
    node_id: *const c_char,
    param_index: u32,
    choice_index: u32,
    info: *mut SinewChoiceInfo,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let node = descriptor(unsafe { text(node_id, "node_id")? })?;
        let choices = item(node.params, param_index, "parameter")?.choices();
        let choice = item(choices, choice_index, "choice")?;
        let value = SinewChoiceInfo {
            struct_size: 0,
            reserved: 0,
            id: forever(choice.id),
            doc: forever(choice.doc),
            title: forever(choice.title),
        };
        // SAFETY: as above.
        unsafe { write_struct(info, value) }
    })
}
