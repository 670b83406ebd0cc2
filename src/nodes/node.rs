//! What a node must do, and what it says of each step.

use super::descriptor::NodeDescriptor;
use super::time::{History, Moment, Order, Past};
use super::value::{Inputs, Outputs};
use crate::control::{Control, Level};
use crate::error::Result;
use crate::math::Real;
use serde::Serialize;
use serde_json::Value;

/// What a step has to say about itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// How the step followed on the one before.
    pub history: History,
    /// Iterations of the solver, 0 where there is none.
    pub iterations: u32,
    /// What is left of the solver's equations, 0 where there is no solver.
    pub residual: Real,
    /// What the user should know, one sentence each.
    pub warnings: Vec<String>,
    /// The named stages and their milliseconds.
    pub stages: Vec<(&'static str, f64)>,
    /// Named numbers of the frame.
    pub figures: Vec<(&'static str, f64)>,
    /// What the items of ports are called, for each kind of item in their order; empty where they have no names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(&'static str, Vec<String>)>,
    /// What else the frame tells, by name, in the host's unit and axes; null unless a parameter of the node asks for it.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub details: Value,
}

/// What the user should know of a frame: logged as soon as it is known, and kept for the report.
pub struct Warnings<'a> {
    control: &'a Control,
    list: Vec<String>,
}

impl<'a> Warnings<'a> {
    /// None yet.
    pub fn new(control: &'a Control) -> Self {
        Warnings { control, list: Vec::new() }
    }

    /// One more.
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

/// A node at work: what evolves and what is reused, behind one interface.
///
/// `step` must depend on the inputs, the parameters and the saved state only, and give the same bits at any
/// number of threads. Inputs arrive checked against the descriptor: finite, in range, required ones present,
/// the counts of one domain equal.
pub trait Node: Send {
    /// The descriptor under which the node is registered.
    fn descriptor(&self) -> &'static NodeDescriptor;
    /// Makes what no frame is needed for, so that what is wrong with it is told before the first; and whether it can go on from
    /// what was loaded, where `order` says that it must not begin anew.
    fn ready(&mut self, _inputs: &Inputs, _order: &Order) -> Result<()> {
        Ok(())
    }
    /// What is to be told of all frames so far, besides what each of them told.
    fn so_far(&self) -> Vec<String> {
        Vec::new()
    }
    /// Computes the outputs of one frame and says how it followed on the one before. Warnings are logged as they arise, and
    /// progress is reported. On an error the outputs written so far are thrown away. The node goes on from this frame only when
    /// it is told to keep it.
    fn step(
        &mut self,
        moment: &Moment,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report>;
    /// The frame of the last step is good: the next ones go on from it.
    fn keep(&mut self) {}
    /// What it remembers of time.
    fn past(&self) -> Past;
    /// Forgets what evolved; what was derived from inputs may stay.
    fn reset(&mut self);
    /// What evolves from frame to frame, as bytes; empty for a node without memory.
    fn save(&self) -> Vec<u8>;
    /// The least that the next frame needs, as bytes.
    fn save_lean(&self) -> Vec<u8> {
        self.save()
    }
    /// Goes on from what [`Node::save_lean`] said, to the bit.
    fn make_lean(&mut self) {}
    /// Goes back to what [`Node::save`] gave at `version` (at most the descriptor's); on an error nothing changes. Where it
    /// does not fit what the node is given, the next step begins anew.
    fn load(&mut self, version: u32, payload: &[u8]) -> Result<()>;
}

/// A row of [`super::registry()`].
#[derive(Debug)]
pub struct Registration {
    /// What hosts see.
    pub descriptor: &'static NodeDescriptor,
    /// Makes a fresh node.
    pub create: fn() -> Box<dyn Node>,
}
