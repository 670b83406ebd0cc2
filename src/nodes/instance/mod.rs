//! A running node: inputs in the host's space, parameters, a step, outputs, saved states.
//!
//! The host's unit and up axis are converted here and nowhere else. Whatever fails, the outputs of the last good
//! step stay readable.

use super::array::{ArrayView, ArrayViewMut};
use super::border::Border;
use super::descriptor::{BODY, Direction, Domain, NodeDescriptor, Port, PortKind};
use super::node::{Names, Node, Registration, Report};
use super::store::{InputStore, PortValue};
use super::time::{Frame, History, Order, Timing};
use super::transfer::ItemError;
use super::value::{Inputs, Outputs, ParamValue};
use super::{find, registry};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Real, Space, largest_magnitude};
use sinew_scene::muscles::split_names;

/// The largest integer of a port.
const MOST_WHOLE: Real = u32::MAX as Real;

/// A node with its inputs, parameters and outputs. One call at a time.
pub struct Instance {
    registration: &'static Registration,
    node: Box<dyn Node>,
    params: Vec<ParamValue>,
    inputs: InputStore,
    /// Whether each port, if it is an output, will be read.
    wanted: Vec<bool>,
    space: Space,
    row_vectors: bool,
    /// The outputs of the last good step.
    good: Outputs,
    /// Where the next step writes.
    pending: Outputs,
    last: Option<Frame>,
    /// How the last good step continued the one before.
    history: Option<History>,
    /// Whether the outputs are those of the last good step.
    readable: bool,
    order: Order,
    /// Whether each step continues from the lean state of the one before.
    lean: bool,
}

impl Instance {
    /// A fresh instance of the node with that id, with every parameter at its default.
    pub fn new(id: &str) -> Result<Self> {
        let registration = find(id).ok_or_else(|| {
            let ids: Vec<_> = registry().iter().map(|r| r.descriptor.id).collect();
            Error::new(Kind::NotFound, format!("no node \"{id}\"; there are {}", ids.join(", ")))
        })?;
        let descriptor = registration.descriptor;
        Ok(Instance {
            registration,
            node: (registration.create)(),
            params: descriptor.params.iter().map(ParamValue::default_of).collect(),
            inputs: InputStore::new(descriptor.ports.len()),
            space: Space::default(),
            wanted: vec![true; descriptor.ports.len()],
            row_vectors: false,
            good: Outputs::new(descriptor),
            pending: Outputs::new(descriptor),
            last: None,
            history: None,
            readable: false,
            order: Order::default(),
            lean: false,
        })
    }

    /// The node's descriptor.
    pub fn descriptor(&self) -> &'static NodeDescriptor {
        self.registration.descriptor
    }

    /// The frame of the last good step.
    pub fn last_frame(&self) -> Option<i64> {
        self.last.map(|f| f.number)
    }

    fn port(&self, direction: Direction, id: &str) -> Result<(usize, &'static Port)> {
        let node = self.descriptor();
        if let Some(index) = node.port_index(direction, id) {
            return Ok((index, &node.ports[index]));
        }
        let ids: Vec<_> = node.ports.iter().filter(|p| p.direction == direction).map(|p| p.id).collect();
        let message = format!("no {} port \"{id}\"; there are {}", direction.name(), ids.join(", "));
        Err(Error::new(Kind::NotFound, message).node(node.id))
    }

    fn param_index(&self, id: &str) -> Result<usize> {
        let node = self.descriptor();
        node.param_index(id).ok_or_else(|| {
            let ids: Vec<_> = node.params.iter().map(|p| p.id).collect();
            let message = format!("no parameter \"{id}\"; there are {}", ids.join(", "));
            Error::new(Kind::NotFound, message).node(node.id)
        })
    }

    /// Sets a parameter, in the unit of its descriptor.
    pub fn set_param(&mut self, id: &str, value: ParamValue) -> Result<()> {
        let index = self.param_index(id)?;
        let node = self.descriptor();
        self.params[index] = value.check(&node.params[index]).map_err(|e| e.node(node.id))?;
        Ok(())
    }

    /// Sets a parameter from text, as the command line and scene files write it.
    pub fn set_param_text(&mut self, id: &str, text: &str) -> Result<()> {
        let index = self.param_index(id)?;
        let node = self.descriptor();
        self.params[index] = ParamValue::parse(&node.params[index], text).map_err(|e| e.node(node.id))?;
        Ok(())
    }

    /// The value of a parameter.
    pub fn param(&self, id: &str) -> Result<ParamValue> {
        Ok(self.params[self.param_index(id)?].clone())
    }

    /// The value of a parameter as [`Instance::set_param_text`] takes it.
    pub fn param_text(&self, id: &str) -> Result<String> {
        let index = self.param_index(id)?;
        Ok(self.params[index].to_text(&self.descriptor().params[index]))
    }

    /// The space of arrays set and read from now on; inputs set earlier keep their place in metres.
    pub fn set_space(&mut self, space: Space) {
        if space != self.space {
            self.space = space;
            self.inputs.forget_sources();
        }
    }

    /// The host's space.
    pub fn space(&self) -> Space {
        self.space
    }

    /// What to do when frames come out of order.
    pub fn set_order(&mut self, order: Order) {
        self.order = order;
    }

    /// How the last good step continued the one before.
    pub fn history(&self) -> Option<History> {
        self.history
    }

    /// What to do when frames come out of order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Forgets every frame: the next is the first. Inputs and parameters stay; outputs are cleared.
    pub fn reset(&mut self) {
        self.node.reset();
        self.good = Outputs::new(self.descriptor());
        (self.last, self.history, self.readable) = (None, None, false);
    }

    /// Whether matrices set and read from now on multiply row vectors.
    pub fn set_row_vectors(&mut self, row_vectors: bool) {
        if row_vectors != self.row_vectors {
            self.row_vectors = row_vectors;
            self.inputs.forget_sources();
        }
    }

    /// Copies an array into an input port. On an error the port keeps what it held.
    pub fn set_array(&mut self, port: &str, array: &ArrayView) -> Result<()> {
        self.replace_array(port, array).map(drop)
    }

    /// The same; the index of the port if its value was replaced, which [`InputStore::undo`] takes back, and `None` if
    /// it holds these numbers already.
    fn replace_array(&mut self, port: &str, array: &ArrayView) -> Result<Option<usize>> {
        let (index, port) = self.port(Direction::Input, port)?;
        let fits = array.components() == port.kind.components();
        let source = array.packed_bytes().filter(|_| fits).map(|bytes| (array.element(), bytes));
        if source.is_some_and(|(element, bytes)| self.inputs.comes_from(index, element, bytes)) {
            return Ok(None);
        }
        let spare = self.inputs.take_spare(index);
        match port.kind {
            PortKind::Reals { .. } => {
                let mut values = if let Some(PortValue::Reals(values)) = spare { values } else { Vec::new() };
                let border = self.border(port);
                let held = self.inputs.value(index);
                let held = if let Some(PortValue::Reals(held)) = held { held.as_slice() } else { &[] };
                let changed =
                    array.gather_reals(&border, held, &mut values).map_err(|e| self.at_item(port, e))?;
                let values = Some(PortValue::Reals(values));
                if !changed && self.is_set(port.id)? {
                    self.inputs.give_spare(index, values);
                    if let Some((element, bytes)) = source {
                        self.inputs.keep_source(index, element, bytes);
                    }
                    return Ok(None);
                }
                self.inputs.replace(index, values, true);
            }
            PortKind::Ints { components } => {
                let mut values = if let Some(PortValue::Ints(values)) = spare { values } else { Vec::new() };
                array.gather_ints(components, &mut values).map_err(|e| self.at_item(port, e))?;
                self.inputs.set(index, Some(PortValue::Ints(values)));
            }
            PortKind::Mesh => return Err(self.wrong_kind(port, "an array")),
        }
        Ok(Some(index))
    }

    /// The conversions and checks of a port's numbers.
    fn border(&self, port: &Port) -> Border {
        let (components, row_vectors) = (port.kind.components(), self.row_vectors);
        let (quantity, range, whole) = (port.quantity, port.range, port.is_whole());
        Border { components, quantity, space: self.space, range, whole, row_vectors }
    }

    /// Sets the mesh of an input port, in the host's space.
    pub fn set_mesh(&mut self, port: &str, mut mesh: Mesh) -> Result<()> {
        let (index, port) = self.port(Direction::Input, port)?;
        if port.kind != PortKind::Mesh {
            return Err(self.wrong_kind(port, "a mesh"));
        }
        for (vertex, p) in mesh.positions.iter_mut().enumerate() {
            *p = self.space.point_in(*p);
            if let Some(c) = p.iter().position(|v| !v.is_finite()) {
                let error = Error::new(Kind::NotFinite, format!("component {c} is not a number"));
                return Err(error.vertex(vertex).port(port.id).node(self.descriptor().id));
            }
        }
        for normal in mesh.normals.iter_mut().flat_map(|layer| &mut layer.values) {
            *normal = self.space.direction_in(*normal);
        }
        self.inputs.set(index, Some(PortValue::Mesh(Box::new(mesh))));
        Ok(())
    }

    /// Empties an input port; a map then has its default everywhere.
    pub fn clear_input(&mut self, port: &str) -> Result<()> {
        let (index, _) = self.port(Direction::Input, port)?;
        self.inputs.set(index, None);
        Ok(())
    }

    /// Whether an output will be read after the next steps: one that will not may stay empty, which saves its time. At
    /// first all will be.
    pub fn want_output(&mut self, port: &str, wanted: bool) -> Result<()> {
        let (index, _) = self.port(Direction::Output, port)?;
        self.wanted[index] = wanted;
        Ok(())
    }

    /// Whether an input port is set.
    pub fn is_set(&self, port: &str) -> Result<bool> {
        Ok(self.inputs.value(self.port(Direction::Input, port)?.0).is_some())
    }

    /// Does the work that needs no frame, so that errors in it surface early, and so does a loaded state that the next
    /// frame cannot continue although it must not restart.
    pub fn ready(&mut self) -> Result<()> {
        let descriptor = self.descriptor();
        let inputs = Inputs::new(descriptor, &self.inputs, &self.params, self.space, &self.wanted);
        self.node.ready(&inputs, &self.order).map_err(|e| e.node(descriptor.id))
    }

    /// The warnings that the first frame will have whatever its pose. Inputs that are not known yet need not be set.
    pub fn foresee(&mut self) -> Result<Vec<String>> {
        let descriptor = self.descriptor();
        let placed = |e: Error| e.node(descriptor.id);
        self.check_counts().map_err(placed)?;
        let inputs = Inputs::new(descriptor, &self.inputs, &self.params, self.space, &self.wanted);
        self.node.foresee(&inputs).map_err(|e| placed(self.name_joint(e)))
    }

    /// The names of the items of ports, by kind, once the node is ready; empty if they depend on its inputs.
    pub fn item_names(&self) -> Names {
        self.node.item_names()
    }

    /// The warnings about all frames so far, apart from those of each frame.
    pub fn so_far(&self) -> Vec<String> {
        self.node.so_far()
    }

    /// Computes the outputs of a frame.
    pub fn step(&mut self, frame: i64, time_seconds: Real, control: &Control) -> Result<Report> {
        self.step_checked(frame, time_seconds, control, |_| Ok(()))
    }

    /// A step that counts only if its outputs, which are still pending then, pass a check.
    fn step_checked(
        &mut self,
        frame: i64,
        time_seconds: Real,
        control: &Control,
        check: impl FnOnce(&Self) -> Result<()>,
    ) -> Result<Report> {
        let descriptor = self.descriptor();
        let placed = |e: Error| e.node(descriptor.id).frame(frame);
        if !time_seconds.is_finite() {
            let message = format!("the time is {time_seconds} s; it must be finite");
            return Err(placed(Error::new(Kind::NotFinite, message)));
        }
        // First of all, so that a host that cancels is always heard.
        control.progress(0.0, "beginning").map_err(placed)?;
        self.check_inputs().map_err(placed)?;
        let now = Frame { number: frame, seconds: time_seconds };
        let timing = Timing::new(now, self.node.past(), &self.order).map_err(placed)?;
        let inputs = Inputs::new(descriptor, &self.inputs, &self.params, self.space, &self.wanted);
        self.pending.begin();
        let report = self.node.step(&timing, &inputs, &mut self.pending, control);
        let report = report.map_err(|e| placed(self.name_joint(e)))?;
        self.pending.finish();
        self.check_outputs().map_err(placed)?;
        check(self)?;
        self.node.keep();
        if self.lean {
            self.node.make_lean();
        }
        std::mem::swap(&mut self.good, &mut self.pending);
        (self.last, self.history, self.readable) = (Some(now), Some(report.history), true);
        Ok(report)
    }

    /// The number of items of an output port after the last good step.
    pub fn output_count(&self, port: &str) -> Result<usize> {
        let (index, port) = self.port(Direction::Output, port)?;
        Ok(self.good.array(index).len() / port.kind.components().max(1) as usize)
    }

    /// Copies an output port, in the host's space, into an array; writes nothing when it returns an error.
    pub fn read(&self, port: &str, array: &mut ArrayViewMut) -> Result<()> {
        let (index, port) = self.port(Direction::Output, port)?;
        if !self.readable {
            let error = Error::new(Kind::MissingInput, "no step has succeeded yet, so there is no output");
            return Err(error.port(port.id).node(self.descriptor().id));
        }
        self.check_read(&self.good, port.id, array)?;
        array.scatter_reals(&self.border(port), self.good.array(index)).map_err(|e| self.at_item(port, e))
    }

    /// Whether an output can be read into an array.
    fn check_read(&self, outputs: &Outputs, port: &str, array: &ArrayViewMut) -> Result<()> {
        let (index, port) = self.port(Direction::Output, port)?;
        array
            .check_reals(
                &self.border(port),
                outputs.array(index),
                outputs.largest(index).unwrap_or(Real::INFINITY),
            )
            .map_err(|e| self.at_item(port, e))
    }

    /// Required inputs are there, and the counts of one domain agree.
    fn check_inputs(&self) -> Result<()> {
        for (index, port) in self.descriptor().ports.iter().enumerate() {
            if port.direction == Direction::Input && port.required && self.inputs.value(index).is_none() {
                return Err(Error::new(Kind::MissingInput, "the input was never set").port(port.id));
            }
        }
        self.check_counts()
    }

    /// No NaN or infinity leaves, and no fraction where there are integers.
    fn check_outputs(&mut self) -> Result<()> {
        for (index, port) in self.descriptor().ports.iter().enumerate() {
            if self.pending.largest(index).is_some() {
                continue;
            }
            let values = self.pending.array(index);
            let largest = largest_magnitude(values);
            if largest.is_nan() {
                let k = values.iter().position(|v| !v.is_finite()).unwrap_or(0);
                let item = k / port.kind.components().max(1) as usize;
                let error = Error::new(Kind::NotFinite, format!("the result is {}", values[k]));
                return Err(self.at_item(port, ItemError { item: Some(item), error }));
            }
            if let PortKind::Ints { components } = port.kind
                && let Some(k) = values.iter().position(|v| *v < 0.0 || v.fract() != 0.0 || *v > MOST_WHOLE)
            {
                let item = Some(k / components.max(1) as usize);
                let message = format!("the result is {}, but the port holds integers from 0", values[k]);
                return Err(
                    self.at_item(port, ItemError { item, error: Error::new(Kind::Internal, message) })
                );
            }
            self.pending.set_largest(index, largest);
        }
        Ok(())
    }

    fn at_item(&self, port: &Port, e: ItemError) -> Error {
        let error = match (e.item, port.domain) {
            (None, _) => e.error,
            (Some(item), Domain::Vertex(BODY)) => e.error.vertex(item),
            (Some(item), Domain::Face(BODY)) => e.error.face(item),
            (Some(item), Domain::Joint) => self.name_joint(e.error.joint(item)),
            (Some(item), domain) => {
                let what = match (domain, port.items) {
                    (Domain::Free, "") => "item".into(),
                    (_, "") => domain.one(),
                    (_, items) => items.to_string(),
                };
                let message = format!("{what} {item}: {}", e.error.message());
                Error::new(e.error.kind(), message)
            }
        };
        error.port(port.id).node(self.descriptor().id)
    }

    /// Adds the name of the joint to an error, if the node knows the names.
    fn name_joint(&self, error: Error) -> Error {
        let Ok(text) = self.param_text("joint_names") else { return error };
        error.name_joint(&split_names(&text).unwrap_or_default())
    }

    fn wrong_kind(&self, port: &Port, given: &str) -> Error {
        let message = format!("the port holds {}, not {given}", port.kind.name());
        Error::new(Kind::WrongType, message).port(port.id).node(self.descriptor().id)
    }
}

mod counts;
mod states;
mod whole_frame;

#[cfg(test)]
mod tests;
