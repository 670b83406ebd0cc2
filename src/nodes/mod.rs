//! What hosts see: nodes described as data, the registry that lists them, and instances that run them.
//!
//! A node is a descriptor (ports and parameters with permanent ids, units, ranges and docs) and a `step`. Hosts
//! generate their attributes, panels and reference pages from the descriptors, so adding a node is one file and its
//! lines in this one: its `mod` line, its `Registration` and its entry in `ALL`. Its ids go into
//! `tests/data/frozen_ids.txt`.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod array;
mod border;
mod charts;
mod descriptor;
mod instance;
mod muscle_skin;
mod node;
mod skin_slider;
mod skinning;
mod state;
mod store;
mod strand;
pub mod strand_report;
mod time;
mod timeline;
mod transfer;
mod value;

pub use array::{ArrayView, ArrayViewMut, Element, ElementType};
pub use descriptor::{
    BODY, Choice, Direction, Domain, MadeMesh, NodeDescriptor, NodeMesh, Panel, Param, ParamKind, Port,
    PortKind, Quantity, Unit,
};
pub use instance::Instance;
pub use node::{Node, Registration, Report, Warnings};
pub use store::{InputStore, PortValue};
pub use time::{Frame, History, Order, Past, Timing};
pub use transfer::make_room;
pub use value::{Inputs, Map, Outputs, ParamValue};

use sinew_base::error::{Error, Kind, Result};
use std::sync::{PoisonError, RwLock};

static CHARTS: Registration = Registration { descriptor: &charts::DESCRIPTOR, create: charts::create };

static MUSCLE_SKIN: Registration =
    Registration { descriptor: &muscle_skin::DESCRIPTOR, create: muscle_skin::create };

static SKINNING: Registration = Registration { descriptor: &skinning::DESCRIPTOR, create: skinning::create };

static SKIN_SLIDER: Registration =
    Registration { descriptor: &skin_slider::DESCRIPTOR, create: skin_slider::create };

static STRAND: Registration = Registration { descriptor: &strand::DESCRIPTOR, create: strand::create };

static ALL: RwLock<&[&Registration]> =
    RwLock::new(&[&CHARTS, &MUSCLE_SKIN, &SKIN_SLIDER, &SKINNING, &STRAND]);

/// Every node, in the order in which hosts list them.
pub fn registry() -> &'static [&'static Registration] {
    // The lock's holder cannot panic half-way.
    *ALL.read().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a node of a program that uses the library, for the program's lifetime; hosts and scenes then see it like
/// the others.
pub fn register(registration: &'static Registration) -> Result<()> {
    let mut all = ALL.write().unwrap_or_else(PoisonError::into_inner);
    let (id, number) = (registration.descriptor.id, registration.descriptor.number);
    let refused = |message| Err(Error::new(Kind::InvalidArgument, message));
    if all.iter().any(|known| known.descriptor.id == id) {
        return refused(format!("a node \"{id}\" is already registered"));
    }
    if number != 0 {
        return refused(format!("node \"{id}\": only the library's own nodes have numbers; others have 0"));
    }
    // The previous list may be in use; nodes are added a few times in a program's life, so it is leaked.
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
    }

    #[test]
    fn a_second_node_of_an_id_and_a_number_that_is_not_ours_to_give_are_refused() {
        static NUMBERED: NodeDescriptor = NodeDescriptor { id: "other", number: 63, ..skinning::DESCRIPTOR };
        static OTHER: Registration = Registration { descriptor: &NUMBERED, create: skinning::create };
        let refused = |registration| register(registration).unwrap_err().to_string();
        assert_eq!(refused(&SKINNING), "a node \"skinning\" is already registered");
        assert!(refused(&OTHER).contains("only the library's own nodes have numbers"));
        assert!(find("other").is_none());
    }
}
