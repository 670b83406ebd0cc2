//! Prims with properties: the common result of reading all three forms of a file. Values stay in the file until they
//! are needed.

use crate::math::Real;
use std::collections::BTreeMap;
use std::ops::Range;

/// The location of a value.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// In a text, as a byte range.
    Text(Range<usize>),
    /// In a .usdc file, in packed form.
    Binary(u64),
}

/// A value: numbers of any kind and grouping, flattened, or texts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Explicitly none.
    Blocked,
    Numbers(Vec<Real>),
    Texts(Vec<String>),
}

/// The values over time.
#[derive(Clone, Debug)]
pub(super) enum Samples {
    Listed(Vec<(Real, Slot)>),
    Binary(u64),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Property {
    pub type_name: String,
    pub default: Option<Slot>,
    pub samples: Option<Samples>,
    pub interpolation: Option<Slot>,
    pub element_size: Option<Slot>,
    /// The targets of a relationship.
    pub targets: Option<Slot>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Prim {
    pub type_name: String,
    pub properties: BTreeMap<String, Property>,
    /// Whether it is a class: only a pattern for others.
    pub class: bool,
    /// References and the like, which are not followed.
    pub composed: Option<&'static str>,
}

/// Composition arcs; none of them is followed.
pub(super) const ARCS: [&str; 7] =
    ["references", "payload", "inheritPaths", "inherits", "specializes", "variantSetNames", "variantSets"];

#[derive(Debug, Default)]
pub(super) struct Contents {
    pub metadata: BTreeMap<String, Slot>,
    /// By path.
    pub prims: BTreeMap<String, Prim>,
}

/// Deeper trees of prims are refused, and so are longer paths.
pub(super) const MAX_DEPTH: usize = 128;
pub(super) const MAX_PATH: usize = 4096;
