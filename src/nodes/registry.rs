//! The nodes that exist, and what a node must do.

use super::descriptor::NodeDescriptor;
use super::skin_slider;
use super::skinning;
use super::strand;
use super::time::{History, Moment, Order, Past};
use super::value::{Inputs, Outputs};
use crate::control::{Control, Level};
use crate::error::{Error, Kind, Result};
use crate::math::Real;
use serde::Serialize;
use serde_json::Value;
use std::sync::{PoisonError, RwLock};

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

/// A row of the registry.
#[derive(Debug)]
pub struct Registration {
    /// What hosts see.
    pub descriptor: &'static NodeDescriptor,
    /// Makes a fresh node.
    pub create: fn() -> Box<dyn Node>,
}

static SKINNING: Registration = Registration { descriptor: &skinning::DESCRIPTOR, create: skinning::create };

static SKIN_SLIDER: Registration =
    Registration { descriptor: &skin_slider::DESCRIPTOR, create: skin_slider::create };

static STRAND: Registration = Registration { descriptor: &strand::DESCRIPTOR, create: strand::create };

static ALL: RwLock<&[&Registration]> = RwLock::new(&[&SKIN_SLIDER, &SKINNING, &STRAND]);

/// Every node, in the order in which hosts list them.
pub fn registry() -> &'static [&'static Registration] {
    // Whoever holds the lock cannot fail half-way.
    *ALL.read().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a node of a program that uses the library, for as long as it runs; hosts and scenes then know it as the others.
pub fn register(registration: &'static Registration) -> Result<()> {
    let mut all = ALL.write().unwrap_or_else(PoisonError::into_inner);
    let id = registration.descriptor.id;
    if all.iter().any(|known| known.descriptor.id == id) {
        return Err(Error::new(Kind::InvalidArgument, format!("there is a node \"{id}\" already")));
    }
    // The list before may be in use; nodes are added a few times in a program's life.
    *all = all.iter().copied().chain([registration]).collect::<Vec<_>>().leak();
    Ok(())
}

/// The node of that id.
pub fn find(id: &str) -> Option<&'static Registration> {
    registry().iter().copied().find(|r| r.descriptor.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_found_under_its_own_descriptor() {
        for registration in registry() {
            let node = (registration.create)();
            assert_eq!(node.descriptor().id, registration.descriptor.id);
            assert!(std::ptr::eq(find(node.descriptor().id).unwrap().descriptor, registration.descriptor));
        }
        assert!(find("no_such_node").is_none());
        assert_eq!(register(&SKINNING).unwrap_err().kind(), Kind::InvalidArgument);
    }
}
