//! A prim of the opinions of all places.

use super::{Composer, Index, Kin};
use crate::usd::arcs::TimeMap;
use crate::usd::prim::{Of, Prim, PrimSpec, Property, PropertySpec, Specifier};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the prims above say about one.
#[derive(Clone, Debug)]
pub(super) struct Outer {
    in_scene: bool,
    instances: Vec<Arc<str>>,
}

impl Default for Outer {
    fn default() -> Self {
        Outer { in_scene: true, instances: Vec::new() }
    }
}

/// A spec with its node, its file, and that file's times.
struct Opinion<'a> {
    node: usize,
    layer: usize,
    time: TimeMap,
    spec: &'a PrimSpec,
}

impl Composer<'_> {
    /// The prim, and what it says about those below; none if it is inactive.
    pub(super) fn compose(&self, path: &str, index: &Index, outer: &Outer) -> Option<(Prim, Outer)> {
        let opinions = self.opinions(index);
        let active = opinions.iter().find_map(|o| o.spec.arcs.as_ref()?.active).unwrap_or(true);
        if !active {
            return None;
        }
        let type_name = opinions.iter().map(|o| &o.spec.type_name).find(|name| !name.is_empty());
        let defined = specifier(index, &opinions) == Specifier::Def;
        let prim = Prim {
            type_name: type_name.cloned().unwrap_or_default(),
            properties: properties(index, &opinions),
            in_scene: outer.in_scene && defined,
            instances: outer.instances.clone(),
            problems: index.problems.clone(),
        };
        let mut inner = Outer { in_scene: prim.in_scene, instances: outer.instances.clone() };
        inner.instances.extend(index.instance.then(|| Arc::from(path)));
        Some((prim, inner))
    }

    /// Strongest first.
    fn opinions(&self, index: &Index) -> Vec<Opinion<'_>> {
        let mut all = Vec::new();
        for node in index.by_strength() {
            let place = &index.nodes[node];
            if place.muted {
                continue;
            }
            for &(layer, time) in &self.files.stacks[place.stack].layers {
                if let Some(spec) = self.files.layers[layer].contents.prims.get(&place.path) {
                    all.push(Opinion { node, layer, time: place.time.after(time), spec });
                }
            }
        }
        all
    }

    /// Whether a prim shares what is below it with others of the same arcs.
    pub(super) fn is_instance(&self, index: &Index) -> bool {
        let all = self.opinions(index);
        all.iter().find_map(|o| o.spec.arcs.as_ref()?.instanceable).unwrap_or(false)
    }
}

/// The strongest opinion that is not `over`; that of a class which the prim itself inherits counts least.
fn specifier(index: &Index, opinions: &[Opinion]) -> Specifier {
    let mut inherited = Specifier::Over;
    for opinion in opinions {
        let node = &index.nodes[opinion.node];
        match opinion.spec.specifier {
            Specifier::Over => {}
            Specifier::Class if matches!(node.kin, Kin::Inherit | Kin::Specialize) => {
                inherited = Specifier::Class;
            }
            found => return found,
        }
    }
    inherited
}

fn properties(index: &Index, opinions: &[Opinion]) -> BTreeMap<String, Property> {
    let mut all: BTreeMap<String, Property> = BTreeMap::new();
    // Which have found their value.
    for opinion in opinions {
        for (name, spec) in &opinion.spec.properties {
            weaker(all.entry(name.clone()).or_default(), spec, opinion);
        }
    }
    for (name, property) in &mut all {
        let mut targets = Vec::new();
        for opinion in opinions.iter().rev() {
            if let Some(spec) = opinion.spec.properties.get(name).filter(|spec| !spec.targets.is_empty()) {
                let edits = spec.targets.map(|path| index.on_stage(opinion.node, path));
                edits.apply(&mut targets, &());
            }
        }
        property.targets = targets.into_iter().map(|(path, ())| path).collect();
    }
    all
}

/// Adds a weaker opinion to a property.
fn weaker(whole: &mut Property, spec: &PropertySpec, opinion: &Opinion) {
    let of = |it: &_| Of { layer: opinion.layer, it: Clone::clone(it) };
    if whole.type_name.is_empty() {
        whole.type_name.clone_from(&spec.type_name);
    }
    if whole.default.is_none() && whole.samples.is_none() && !whole.spline {
        whole.samples =
            spec.samples.as_ref().map(|it| (Of { layer: opinion.layer, it: it.clone() }, opinion.time));
        whole.spline = spec.spline && whole.samples.is_none();
        if whole.samples.is_none() {
            whole.default = spec.default.as_ref().map(of);
        }
    }
    whole.interpolation = whole.interpolation.take().or_else(|| spec.interpolation.as_ref().map(of));
    whole.element_size = whole.element_size.take().or_else(|| spec.element_size.as_ref().map(of));
}
