//! What a node must do, and what it reports about each step.

use super::descriptor::{NodeDescriptor, Port};
use super::time::{History, Order, Past, Timing};
use super::value::{Inputs, Outputs};
use serde::{Serialize, Serializer};
use serde_json::Value;
use sinew_base::control::{Control, Level};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::sync::Arc;

/// The report of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// How the step continued the one before.
    pub history: History,
    /// Iterations of the solver, 0 if there is none.
    pub iterations: u32,
    /// The solver's residual, 0 if there is no solver.
    pub residual: Real,
    /// The warnings, one sentence each.
    pub warnings: Vec<String>,
    /// What makes the result of the step wrong, one sentence each; these are among the warnings. A run ends with an
    /// error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<String>,
    /// The named stages and their milliseconds.
    pub stages: Vec<(&'static str, f64)>,
    /// Named numbers of the frame.
    pub figures: Vec<(&'static str, f64)>,
    /// The names of the items of ports, for each kind of item in order; empty if they have no names.
    #[serde(skip_serializing_if = "no_names", serialize_with = "written")]
    pub names: Names,
    /// Further details of the frame, by name, in the host's unit and axes; null unless a parameter of the node requests
    /// them.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub details: Value,
}

/// The names of items by their kind, which a node makes once for many frames.
pub type Names = Arc<Vec<(&'static str, Vec<String>)>>;

fn no_names(names: &Names) -> bool {
    names.is_empty()
}

fn written<S: Serializer>(names: &Names, to: S) -> std::result::Result<S::Ok, S::Error> {
    names.as_ref().serialize(to)
}

/// The warnings of a frame: logged as soon as they arise, and kept for the report.
pub struct Warnings<'a> {
    control: &'a Control,
    list: Vec<String>,
}

impl<'a> Warnings<'a> {
    /// No warnings yet.
    pub fn new(control: &'a Control) -> Self {
        Warnings { control, list: Vec::new() }
    }

    /// Adds a warning.
    pub fn push(&mut self, text: String) {
        self.control.log(Level::Warning, &text);
        self.list.push(text);
    }

    /// All of them, for the report.
    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

impl Extend<String> for Warnings<'_> {
    fn extend<T: IntoIterator<Item = String>>(&mut self, texts: T) {
        texts.into_iter().for_each(|text| self.push(text));
    }
}

/// A running node: what evolves and what is reused, behind one interface.
///
/// `step` must depend on the inputs, the parameters and the saved state only, and give the same bits at any
/// number of threads. Inputs arrive checked against the descriptor: finite, in range, required ones present,
/// the counts of one domain equal.
pub trait Node: Send {
    /// The descriptor under which the node is registered.
    fn descriptor(&self) -> &'static NodeDescriptor;
    /// Does the work that needs no frame, so that errors in it surface before the first; also checks whether the node
    /// can continue from what was loaded, if `order` forbids a restart.
    fn ready(&mut self, _inputs: &Inputs, _order: &Order) -> Result<()> {
        Ok(())
    }
    /// The warnings that the first frame would have whatever its pose: about what is set before it. Inputs that come
    /// from other nodes, or move, need not be set; those with an item per joint now, per frame or computed elsewhere
    /// are not.
    fn foresee(&mut self, _inputs: &Inputs) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
    /// The number of items that an output will have in a step with these inputs; `None` if it is that of the inputs
    /// with the same kind of items, in which case it need not be said.
    fn count(&mut self, _output: &Port, _inputs: &Inputs) -> Result<Option<usize>> {
        Ok(None)
    }
    /// The names of the items of ports, by kind, once the node is ready; empty if they depend on its inputs.
    fn item_names(&self) -> Names {
        Names::default()
    }
    /// The warnings about all frames so far, apart from those of each frame.
    fn so_far(&self) -> Vec<String> {
        Vec::new()
    }
    /// Computes the outputs of one frame and says how it continued the one before. Warnings are logged as they arise,
    /// and progress is reported. On an error the outputs written so far are discarded. The node continues from this
    /// frame only after [`Node::keep`].
    fn step(
        &mut self,
        timing: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report>;
    /// The frame of the last step is good: the next ones continue from it.
    fn keep(&mut self) {}
    /// What it remembers about time. This method and those after it default to a node without memory; a node with
    /// memory is declared stateful in its descriptor and implements all of them.
    fn past(&self) -> Past {
        Past::None
    }
    /// Forgets what evolved; what was derived from inputs may stay.
    fn reset(&mut self) {}
    /// What evolves from frame to frame, as bytes.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
    /// Appends the minimum that the next frame needs.
    fn save_lean(&self, out: &mut Vec<u8>) {
        out.extend(self.save());
    }
    /// Continues from what [`Node::save_lean`] appended, to the bit.
    fn make_lean(&mut self) {}
    /// Restores what [`Node::save`] returned; on an error nothing changes. If it does not fit the node's inputs, the
    /// next step restarts.
    fn load(&mut self, payload: &[u8]) -> Result<()> {
        if payload.is_empty() {
            return Ok(());
        }
        Err(Error::new(Kind::Parse, "the node has no memory, but its saved state contains some"))
    }
}

/// A row of [`super::registry()`].
#[derive(Debug)]
pub struct Registration {
    /// The descriptor.
    pub descriptor: &'static NodeDescriptor,
    /// Makes a fresh node.
    pub create: fn() -> Box<dyn Node>,
}
