//! Prims with properties: as one file states them (specs), the common result of reading all three forms, and as
//! composition makes them of the specs of all files. Values stay in the files until they are needed.

use super::arcs::{Arcs, Edits, TimeMap};
use sinew_math::Real;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// The location of a value in its file.
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

/// A property as one file states it.
#[derive(Clone, Debug, Default)]
pub(super) struct PropertySpec {
    pub type_name: String,
    pub default: Option<Slot>,
    pub samples: Option<Samples>,
    pub interpolation: Option<Slot>,
    pub element_size: Option<Slot>,
    /// The targets of a relationship.
    pub targets: Edits<String>,
    /// Whether its values are a spline, which is not supported.
    pub spline: bool,
}

/// How a file speaks of a prim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Specifier {
    /// It states more about a prim that something else defines.
    #[default]
    Over,
    /// It defines a prim.
    Def,
    /// It is a pattern for others.
    Class,
}

/// A prim as one file states it.
#[derive(Clone, Debug, Default)]
pub(super) struct PrimSpec {
    pub type_name: String,
    pub specifier: Specifier,
    pub properties: BTreeMap<String, PropertySpec>,
    pub arcs: Option<Box<Arcs>>,
}

/// All that one file states.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub metadata: BTreeMap<String, Slot>,
    /// The layers below, as the file names them.
    pub sublayers: Vec<(String, TimeMap)>,
    /// By path. What a variant states has paths such as `/a{set=choice}/b`.
    pub prims: BTreeMap<String, PrimSpec>,
    /// The names of the prims directly below a path; those of roots are below "".
    pub children: HashMap<String, Vec<String>>,
}

impl Contents {
    /// Lists the children, once all prims are known.
    pub fn list_children(&mut self) {
        for path in self.prims.keys().filter(|path| !path.ends_with('}')) {
            if let Some((parent, name)) = path.rsplit_once('/') {
                self.children.entry(parent.to_string()).or_default().push(name.to_string());
            }
        }
    }
}

/// Something in the file of that number.
#[derive(Clone, Debug)]
pub(super) struct Of<T> {
    pub layer: usize,
    pub it: T,
}

/// A property, composed.
#[derive(Clone, Debug, Default)]
pub(super) struct Property {
    pub type_name: String,
    pub default: Option<Of<Slot>>,
    /// With the map from the file's time to that of the stage.
    pub samples: Option<(Of<Samples>, TimeMap)>,
    pub interpolation: Option<Of<Slot>>,
    pub element_size: Option<Of<Slot>>,
    /// The paths of prims that a relationship names.
    pub targets: Vec<String>,
    pub spline: bool,
}

/// A prim, composed.
#[derive(Clone, Debug, Default)]
pub(super) struct Prim {
    pub type_name: String,
    pub properties: BTreeMap<String, Property>,
    /// Whether it is part of the scene: defined, and neither a pattern for others nor below one.
    pub in_scene: bool,
    /// The instances in which it lies, outermost first.
    pub instances: Vec<Arc<str>>,
    /// What could not be followed at this prim or above it, so that it may be incomplete.
    pub problems: Vec<Arc<str>>,
}

/// Deeper trees of prims are refused, and so are longer paths.
pub(super) const MAX_DEPTH: usize = 128;
pub(super) const MAX_PATH: usize = 4096;
