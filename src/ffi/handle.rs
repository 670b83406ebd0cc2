//! What stands behind the handles of documents: one call at a time, and long ones with the context of the host.

use super::arrays::{SINEW_F64, SinewArray, SinewMesh};
use super::context::{Shared, SinewContext};
use super::status::take_turn;
use super::threads::Threads;
use crate::control::{Control, Level};
use crate::document::Document;
use crate::error::Result;
use crate::geometry::Mesh;
use crate::math::{Real, Space};
use serde_json::Value;
use std::ffi::c_void;
use std::ptr::null;
use std::sync::{Arc, Mutex};

/// A document, and what the calls on it share.
pub(super) struct Handle {
    held: Mutex<Held>,
    /// For cancelling only; the listener of a call is that of its context.
    control: Control,
}

/// What one call at a time may touch.
pub(super) struct Held {
    pub document: Document,
    /// The host's.
    pub space: Space,
    /// The faults that were found when somebody asked for the size of their text, and the text of the document then.
    pub faults: Option<(String, Value)>,
    /// Those of the last call that may warn.
    pub warnings: Vec<String>,
    /// The mesh that the host was given last.
    pub mesh: Option<Flat>,
    /// Whose threads and callbacks long calls use; without one, they have threads of their own.
    context: Option<Arc<Shared>>,
}

/// Work with pointers of the caller that is done on threads of its own, while the caller waits.
struct Awaited<F>(F);

// SAFETY: the caller waits until the work has finished; nothing else touches the memory.
unsafe impl<F> Send for Awaited<F> {}

impl<R: Send, F: FnOnce() -> Result<R>> Awaited<F> {
    fn run(self, context: Option<&Shared>) -> Result<R> {
        // A method, because a closure that named the field would capture it alone, without this type.
        let work = move || self.call();
        match context {
            Some(context) => context.threads.run(work),
            None => Threads::new(0)?.run(work),
        }
    }

    fn call(self) -> Result<R> {
        (self.0)()
    }
}

/// Does what may take long while its caller waits, on threads of its own.
pub(super) fn awaited<R: Send>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    Awaited(work).run(None)
}

impl Handle {
    pub fn new(document: Document, warnings: Vec<String>) -> Self {
        let space = document.space().unwrap_or_default();
        let held = Held { document, space, faults: None, warnings, mesh: None, context: None };
        Handle { held: Mutex::new(held), control: Control::default() }
    }

    /// Does what takes no time.
    pub fn at_once<R>(&self, what: &str, body: impl FnOnce(&mut Held) -> Result<R>) -> Result<R> {
        body(&mut *take_turn(&self.held, what)?)
    }

    /// Does what may take long; `task` is the first that the host hears of it. If it gives warnings, they replace those
    /// of earlier calls.
    pub fn work(
        &self,
        what: &str,
        task: &str,
        body: impl FnOnce(&mut Held, &Control) -> Result<Option<Vec<String>>>,
    ) -> Result<()> {
        let mut held = take_turn(&self.held, what)?;
        let context = held.context.clone();
        self.control.reset();
        let mut control = self.control.clone();
        if let Some(context) = &context {
            control = control.heard_by(context.callbacks.clone());
        }
        let work = || {
            control.progress(0.0, task)?;
            body(&mut held, &control)
        };
        if let Some(warnings) = Awaited(work).run(context.as_deref())? {
            warnings.iter().for_each(|warning| control.log(Level::Warning, warning));
            held.warnings = warnings;
        }
        Ok(())
    }

    pub fn set_context(&self, what: &str, context: Option<&SinewContext>) -> Result<()> {
        take_turn(&self.held, what)?.context = context.map(|context| context.0.clone());
        Ok(())
    }

    /// Asks the running call to stop; any thread may.
    pub fn cancel(&self) {
        self.control.cancel();
    }
}

/// A mesh as a host reads it.
pub(super) struct Flat {
    positions: Vec<Real>,
    sizes: Vec<u32>,
    corners: Vec<u32>,
}

impl Flat {
    pub fn new(mesh: &Mesh) -> Self {
        Flat {
            positions: mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect(),
            sizes: mesh.face_offsets.windows(2).map(|pair| pair[1] - pair[0]).collect(),
            corners: mesh.corner_vertices.clone(),
        }
    }

    pub fn mesh(&self) -> SinewMesh {
        SinewMesh {
            struct_size: 0,
            reserved: 0,
            positions: array(self.positions.as_ptr().cast(), 3, self.positions.len() / 3),
            face_sizes: self.sizes.as_ptr(),
            face_count: self.sizes.len() as u64,
            corner_vertices: self.corners.as_ptr(),
            corner_count: self.corners.len() as u64,
            uvs: array(null(), 2, 0),
            corner_uvs: null(),
        }
    }
}

fn array(data: *const c_void, components: u32, count: usize) -> SinewArray {
    let struct_size = size_of::<SinewArray>() as u32;
    SinewArray {
        struct_size,
        element: SINEW_F64,
        components,
        reserved: 0,
        data,
        count: count as u64,
        stride: 0,
    }
}
