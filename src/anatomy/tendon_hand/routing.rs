//! The nodes of strands, and the planes of a finger that hold them, in the terms of \[HandThesis tables A.1 to A.10\].

use super::bones::Bone;
use super::bones::Bone::{Distal, Metacarpal, Middle, Proximal};

/// The planes of a finger \[HandThesis table A.1\]: `plane0` lies at the proximal, `plane1` at the distal end of its
/// bone, between that bone and the next; `hplane` separates dorsal from palmar, `vplane` the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// On the head at MCP.
    MetacarpalPlane1,
    /// In the notch of the head at MCP.
    MetacarpalVplane,
    /// Through the base at MCP.
    ProximalPlane0,
    /// Below the axis of PIP.
    ProximalHplane,
    /// In the notch of the head at PIP.
    ProximalVplane,
    /// On the head at PIP.
    ProximalPlane1,
    /// Through the base at PIP.
    MiddlePlane0,
    /// Below the axis of DIP.
    MiddleHplane,
    /// In the notch of the head at DIP.
    MiddleVplane,
    /// On the head at DIP.
    MiddlePlane1,
    /// Through the base at DIP.
    DistalPlane0,
    /// Across the middle of the proximal bone; added by us, not in the table.
    ProximalTplane,
}

impl Cut {
    /// All.
    pub const ALL: [Cut; 12] = [
        Cut::MetacarpalPlane1,
        Cut::MetacarpalVplane,
        Cut::ProximalPlane0,
        Cut::ProximalHplane,
        Cut::ProximalVplane,
        Cut::ProximalPlane1,
        Cut::MiddlePlane0,
        Cut::MiddleHplane,
        Cut::MiddleVplane,
        Cut::MiddlePlane1,
        Cut::DistalPlane0,
        Cut::ProximalTplane,
    ];

    /// The bone in its name, and the rest of the name.
    pub fn name(self) -> (Bone, &'static str) {
        match self {
            Cut::MetacarpalPlane1 => (Metacarpal, "plane1"),
            Cut::MetacarpalVplane => (Metacarpal, "vplane"),
            Cut::ProximalPlane0 => (Proximal, "plane0"),
            Cut::ProximalHplane => (Proximal, "hplane"),
            Cut::ProximalVplane => (Proximal, "vplane"),
            Cut::ProximalPlane1 => (Proximal, "plane1"),
            Cut::ProximalTplane => (Proximal, "tplane"),
            Cut::MiddlePlane0 => (Middle, "plane0"),
            Cut::MiddleHplane => (Middle, "hplane"),
            Cut::MiddleVplane => (Middle, "vplane"),
            Cut::MiddlePlane1 => (Middle, "plane1"),
            Cut::DistalPlane0 => (Distal, "plane0"),
        }
    }

    /// The bones that move it: one, or the two between which it is blended.
    pub fn parents(self) -> (Bone, Option<Bone>) {
        match self {
            Cut::MetacarpalPlane1 | Cut::ProximalPlane0 => (Metacarpal, Some(Proximal)),
            Cut::ProximalPlane1 | Cut::MiddlePlane0 => (Proximal, Some(Middle)),
            Cut::MiddlePlane1 | Cut::DistalPlane0 => (Middle, Some(Distal)),
            fixed => (fixed.name().0, None),
        }
    }
}

/// Whether material slides through a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It carries its material.
    Lagrangian,
    /// Material slides through.
    Eulerian,
}

/// What holds a node, according to the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// A line, by the name of its muscle.
    Line(&'static str),
    /// A place on a bone.
    Frame(Bone),
    /// Planes in which it lies, and planes below which it must not go.
    Planes(&'static [Cut], &'static [Cut]),
}

/// A node of a strand, in the order of the strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whether material slides through.
    pub kind: Kind,
    /// What holds it.
    pub hold: Hold,
    /// Its point. Nodes of several strands that share a point name the same one.
    pub site: &'static str,
}

pub(super) const fn line(muscle: &'static str, site: &'static str) -> Row {
    Row { kind: Kind::Lagrangian, hold: Hold::Line(muscle), site }
}

pub(super) const fn through(bone: Bone, site: &'static str) -> Row {
    Row { kind: Kind::Eulerian, hold: Hold::Frame(bone), site }
}

pub(super) const fn inserts(bone: Bone, site: &'static str) -> Row {
    Row { kind: Kind::Lagrangian, hold: Hold::Frame(bone), site }
}

pub(super) const fn slides(inside: &'static [Cut], above: &'static [Cut], site: &'static str) -> Row {
    Row { kind: Kind::Eulerian, hold: Hold::Planes(inside, above), site }
}

pub(super) const AT_MCP: &[Cut] = &[Cut::MetacarpalPlane1, Cut::ProximalPlane0, Cut::MetacarpalVplane];
pub(super) const AT_PIP: &[Cut] = &[Cut::ProximalPlane1, Cut::MiddlePlane0, Cut::ProximalVplane];
pub(super) const AT_DIP: &[Cut] = &[Cut::MiddlePlane1, Cut::DistalPlane0, Cut::MiddleVplane];
pub(super) const BESIDE_PIP: &[Cut] = &[Cut::ProximalPlane1, Cut::MiddlePlane0];
