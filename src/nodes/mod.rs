//! What hosts see: nodes described as data, the registry that lists them, and instances that run them.
//!
//! A node is a descriptor (ports and parameters with permanent ids, units, ranges and docs) and a `step`. Hosts
//! generate their attributes, panels and reference pages from the descriptors, so adding a node is one file here
//! and one row of [`registry()`].

mod array;
mod border;
mod descriptor;
mod instance;
mod registry;
mod skin_slider;
mod skinning;
mod state;
mod strand;
mod time;
mod transfer;
mod value;

pub use array::{ArrayView, ArrayViewMut, Element, ElementType};
pub use descriptor::{
    Choice, Direction, Domain, NodeDescriptor, Panel, Param, ParamKind, Port, PortKind, Quantity, Unit,
};
pub use instance::Instance;
pub use registry::{Node, Registration, Report, Warnings, find, register, registry};
pub use time::{Frame, History, Moment, Order, Past};
pub use value::{InputStore, Inputs, Map, Outputs, ParamValue, PortValue};
