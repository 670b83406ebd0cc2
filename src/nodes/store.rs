//! What the input ports of an instance hold.

use super::array::ElementType;
use sinew_geometry::Mesh;
use sinew_math::Real;

/// What an input port holds, in Sinew's own space.
#[derive(Clone, Debug, PartialEq)]
pub enum PortValue {
    /// Numbers, item after item.
    Reals(Vec<Real>),
    /// Whole numbers, item after item.
    Ints(Vec<u32>),
    /// A mesh.
    Mesh(Box<Mesh>),
}

/// The inputs of an instance.
///
/// Each port has a revision that increases only when its value really changes, so that a node rebuilds what it derived
/// from an input only then, even if the host sends everything every frame.
#[derive(Debug)]
pub struct InputStore {
    slots: Vec<Slot>,
}

#[derive(Debug, Default)]
struct Slot {
    value: Option<PortValue>,
    /// The buffer of the last value, for the next gather.
    spare: Option<PortValue>,
    revision: u64,
    /// The host's array from which the value was made, once it came twice.
    source: Option<HostBytes>,
}

/// The bytes of a host's array, and their type.
#[derive(Debug, PartialEq)]
struct HostBytes {
    element: ElementType,
    bytes: Vec<u8>,
}

impl InputStore {
    /// Empty inputs for `ports` ports (outputs keep an unused slot, so that indices agree).
    pub fn new(ports: usize) -> Self {
        InputStore { slots: std::iter::repeat_with(Slot::default).take(ports).collect() }
    }

    /// The value of a port.
    pub fn value(&self, port: usize) -> Option<&PortValue> {
        self.slots[port].value.as_ref()
    }

    /// A number that changes whenever the value does.
    pub fn revision(&self, port: usize) -> u64 {
        self.slots[port].revision
    }

    /// Sets or, with `None`, clears a port.
    pub fn set(&mut self, port: usize, value: Option<PortValue>) {
        let changed = self.slots[port].value != value;
        self.replace(port, value, changed);
    }

    /// Sets or clears a port whose value was already compared with the held one.
    pub(super) fn replace(&mut self, port: usize, value: Option<PortValue>, changed: bool) {
        let slot = &mut self.slots[port];
        slot.revision += u64::from(changed);
        slot.spare = std::mem::replace(&mut slot.value, value);
        slot.source = None;
    }

    /// Whether the value of the port was made from an array of these bytes.
    pub(super) fn comes_from(&self, port: usize, element: ElementType, bytes: &[u8]) -> bool {
        self.slots[port].source.as_ref().is_some_and(|kept| kept.element == element && kept.bytes == bytes)
    }

    /// Keeps the bytes from which the value of the port was made.
    pub(super) fn keep_source(&mut self, port: usize, element: ElementType, bytes: &[u8]) {
        self.slots[port].source = Some(HostBytes { element, bytes: bytes.to_vec() });
    }

    /// Forgets the bytes of all ports: from now on other values come from them.
    pub(super) fn forget_sources(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.source = None);
    }

    /// Undoes the last [`InputStore::set`] of a port.
    pub(super) fn undo(&mut self, port: usize) {
        let slot = &mut self.slots[port];
        std::mem::swap(&mut slot.value, &mut slot.spare);
        slot.source = None;
        slot.revision += u64::from(slot.value != slot.spare);
    }

    /// The buffer of an earlier value of the port, to be filled and given to [`InputStore::set`].
    pub fn take_spare(&mut self, port: usize) -> Option<PortValue> {
        self.slots[port].spare.take()
    }

    /// Gives such a buffer back that was not needed.
    pub(super) fn give_spare(&mut self, port: usize, spare: Option<PortValue>) {
        self.slots[port].spare = spare;
    }
}
