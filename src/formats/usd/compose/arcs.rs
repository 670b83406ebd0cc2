//! Following the arcs of a prim.

use super::files::{BAD_TIMES, failed_file};
use super::{Composer, Index, Kin, MAX_NODES, Node, cycle};
use crate::usd::arcs::{Arcs, Edits, Target, TimeMap, below, without_variants};
use sinew_base::error::{Error, Kind, Result};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// An arc to be followed.
struct Lead {
    kin: Kin,
    order: usize,
    stack: usize,
    path: String,
    time: TimeMap,
    /// Whether paths outside the target are the same on both sides.
    open: bool,
}

/// A class as a node names it, or one further in.
struct Implied {
    at: usize,
    kin: Kin,
    order: usize,
    path: String,
    /// The node of the class further in that implies it.
    origin: Option<usize>,
}

/// Classes of one kind in a prim.
#[derive(Default)]
struct Classes {
    /// What layers further out may state about them is still to be found.
    open: Vec<Implied>,
    /// All places, empty ones as well.
    places: HashSet<(usize, String)>,
}

impl Composer<'_> {
    /// Adds the places to which the arcs lead, until there are no more: references first, then classes, since a class
    /// has its say once in a prim, where it is found first.
    pub(super) fn follow(&mut self, index: &mut Index) -> Result<()> {
        let (mut referred, mut loaded, mut inherited, mut specialized) = (0, 0, 0, 0);
        let (mut implied, mut special) = (Classes::default(), Classes::default());
        loop {
            let count = index.nodes.len();
            if referred < count {
                self.follow_from(index, referred, Kin::Reference)?;
                referred += 1;
            } else if loaded < count {
                self.follow_from(index, loaded, Kin::Payload)?;
                loaded += 1;
            } else if inherited < count {
                self.classes(index, inherited, Kin::Inherit, &mut implied)?;
                inherited += 1;
            } else if self.imply(index, &mut implied)? {
            } else if specialized < count {
                self.classes(index, specialized, Kin::Specialize, &mut special)?;
                specialized += 1;
            } else if !self.imply(index, &mut special)? && !self.add_variant(index) {
                return Ok(());
            }
        }
    }

    /// Adds the classes of one kind that a node names.
    fn classes(&mut self, index: &mut Index, k: usize, kin: Kin, implied: &mut Classes) -> Result<()> {
        let (stack, path) = (index.nodes[k].stack, index.nodes[k].path.clone());
        if index.nodes[k].muted {
            return Ok(());
        }
        let list = match kin {
            Kin::Inherit => self.list(stack, &path, |arcs| &arcs.inherits),
            _ => self.list(stack, &path, |arcs| &arcs.specializes),
        };
        let own = path;
        for (order, (path, _)) in list.into_iter().enumerate() {
            let named = path.clone();
            let class = Implied { at: k, kin, order, path, origin: None };
            match self.add_class(index, class, implied) {
                Err(error) if error.kind() != Kind::TooLarge => {
                    let file = self.files.name(self.files.stacks[stack].layers[0].0).display();
                    let why = error.message();
                    let problem = format!("{file}: the class {named} of {own} is not followed: {why}");
                    index.add_problem(problem.into());
                }
                added => added?,
            }
        }
        Ok(())
    }

    /// Follows the references or payloads of a node.
    fn follow_from(&mut self, index: &mut Index, k: usize, kin: Kin) -> Result<()> {
        let (stack, path) = (index.nodes[k].stack, index.nodes[k].path.clone());
        if index.nodes[k].muted {
            return Ok(());
        }
        for (layer, _, spec) in self.files.specs(stack, &path) {
            if let Some(what) = spec.arcs.as_ref().and_then(|arcs| arcs.unsupported) {
                let name = self.files.name(layer).display();
                index.add_problem(format!("{name}: {path} has {what}, which is not supported").into());
            }
        }
        let (what, list) = match kin {
            Kin::Reference => ("reference", self.targets(stack, &path, |arcs| &arcs.references)),
            _ => ("payload", self.targets(stack, &path, |arcs| &arcs.payloads)),
        };
        for (order, (target, (layer, time))) in list.into_iter().enumerate() {
            let named = |why: &str, files: &super::Files| -> Arc<str> {
                let Target { asset, prim, .. } = &target;
                let prim = if prim.is_empty() { String::new() } else { format!("<{prim}>") };
                let asset = if asset.is_empty() { String::new() } else { format!("@{asset}@") };
                let name = files.name(layer).display();
                format!("{name}: the {what} {asset}{prim} of {path} {why}").into()
            };
            let lead = match self.lead(kin, order, stack, &target, layer, time) {
                Ok(lead) => lead,
                Err(Ok(why)) => {
                    index.problems.push(named(why, self.files));
                    continue;
                }
                Err(Err(error)) => {
                    let what = format!("{what} of {path}");
                    let problem = failed_file(&target.asset, &what, self.files.name(layer), &error);
                    index.problems.push(problem);
                    continue;
                }
            };
            let before = index.nodes.len();
            match self.add(index, k, lead) {
                Ok(()) if self.is_empty(index, before) => {
                    index.nodes.truncate(before);
                    index.problems.push(named("leads to no prim", self.files));
                }
                Ok(()) => {}
                Err(error) if error.kind() == Kind::TooLarge => return Err(error),
                Err(error) => {
                    index.nodes.truncate(before);
                    index.problems.push(named(&format!("is not followed: {}", error.message()), self.files));
                }
            }
        }
        Ok(())
    }

    /// A list of targets; a file that layers in several folders name is the same.
    fn targets(
        &self,
        stack: usize,
        path: &str,
        which: impl Fn(&Arcs) -> &Edits<Target>,
    ) -> Vec<(Target, (usize, TimeMap))> {
        self.edited(stack, path, |arcs, layer| {
            let found = |target: &Target| {
                let file = self.files.named(&target.asset, layer);
                Some(Target { file, ..target.clone() })
            };
            Cow::Owned(which(arcs).map(found))
        })
    }

    /// A list of arcs.
    fn list<T: Clone + PartialEq>(
        &self,
        stack: usize,
        path: &str,
        which: impl Fn(&Arcs) -> &Edits<T>,
    ) -> Vec<(T, (usize, TimeMap))> {
        self.edited(stack, path, |arcs, _| Cow::Borrowed(which(arcs)))
    }

    /// A list as the layers of a stack edit it, each item with its layer and that layer's times.
    fn edited<T: Clone + PartialEq>(
        &self,
        stack: usize,
        path: &str,
        edits: impl for<'e> Fn(&'e Arcs, usize) -> Cow<'e, Edits<T>>,
    ) -> Vec<(T, (usize, TimeMap))> {
        let mut list = Vec::new();
        for (layer, time, spec) in self.files.specs(stack, path).rev() {
            if let Some(arcs) = &spec.arcs {
                edits(arcs, layer).apply(&mut list, &(layer, time));
            }
        }
        list
    }

    /// Finds the target of a reference; an error says why not in words, or as the file gave it.
    fn lead(
        &mut self,
        kin: Kin,
        order: usize,
        stack: usize,
        target: &Target,
        layer: usize,
        time: TimeMap,
    ) -> std::result::Result<Lead, std::result::Result<&'static str, Error>> {
        if !target.time.is_sound() {
            return Err(Ok(BAD_TIMES));
        }
        let inside = target.asset.is_empty();
        let (stack, time) = match inside {
            // The offset of the layer is part of the target's times, too.
            true => (stack, target.time),
            false => {
                let found = self.files.find(&target.asset, layer).map_err(Err)?;
                let rates = [layer, found].map(|layer| self.files.rate(layer));
                (self.files.stack(found), time.after(target.time.between_rates(rates[0], rates[1])))
            }
        };
        let root = self.files.stacks[stack].layers[0].0;
        let path = match target.prim.is_empty() {
            false => target.prim.clone(),
            true => {
                let name = self.files.layers[root].text("defaultPrim");
                let name = name.ok_or(Ok("names no prim, and the file has no default prim"))?;
                if name.starts_with('/') { name } else { format!("/{name}") }
            }
        };
        Ok(Lead { kin, order, stack, path, time, open: inside })
    }

    /// Adds a class, unless it has a say already.
    fn add_class(&mut self, index: &mut Index, class: Implied, implied: &mut Classes) -> Result<()> {
        let Implied { at, kin, order, path, origin } = class;
        let stack = index.nodes[at].stack;
        let before = index.nodes.len();
        let known = index.nodes.iter().any(|node| !node.muted && node.stack == stack && node.path == path);
        let known = !implied.places.insert((stack, path.clone())) || known;
        if known && origin.is_none() {
            index.hide(at, Node { kin, order, ..Node::root(stack, &path) });
            return Ok(());
        }
        if !known {
            let order = if origin.is_some() { order + MAX_NODES } else { order };
            let lead = Lead { kin, order, stack, path: path.clone(), time: TimeMap::IDENTITY, open: true };
            match self.add(index, at, lead) {
                Err(error) if error.kind() == Kind::TooLarge || origin.is_none() => return Err(error),
                Err(_) => index.nodes.truncate(before),
                // A class may be missing.
                Ok(()) if self.is_empty(index, before) => {
                    index.nodes.truncate(before);
                    if origin.is_none() {
                        index.hide(at, Node { kin, order, ..Node::root(stack, &path) });
                        implied.open.push(Implied { at, kin, order, path, origin });
                        return Ok(());
                    }
                }
                Ok(()) => index.nodes[before].origin = origin,
            }
        }
        let origin = if index.nodes.len() > before { Some(before) } else { origin };
        implied.open.push(Implied { at, kin, order, path, origin });
        Ok(())
    }

    /// What the layers one step further out state about the first of some classes; false if there are none.
    fn imply(&mut self, index: &mut Index, implied: &mut Classes) -> Result<bool> {
        let Some(first) = (0..implied.open.len()).min_by_key(|&k| implied.open[k].at) else {
            return Ok(false);
        };
        let class = implied.open.remove(first);
        let node = &index.nodes[class.at];
        if let Some(at) = node.parent {
            let path = match below(&class.path, &node.from) {
                Some(rest) if !node.from.is_empty() => format!("{}{rest}", node.to),
                _ => class.path,
            };
            let origin = class.origin.or(Some(class.at));
            self.add_class(index, Implied { at, path, origin, ..class }, implied)?;
        }
        Ok(true)
    }

    /// Adds the places of an arc's target below a node.
    fn add(&mut self, index: &mut Index, k: usize, lead: Lead) -> Result<()> {
        let Lead { kin, order, stack, path, time, open } = lead;
        let mut at = Some(k);
        while let Some(here) = at {
            let node = &index.nodes[here];
            let own = without_variants(&node.path);
            if node.stack == stack && (below(&own, &path).is_some() || below(&path, &own).is_some()) {
                return Err(cycle(&path));
            }
            at = node.parent;
        }
        let target = self.inherited(stack, &path)?;
        if target.nodes.len() > 1 {
            let file = self.files.name(self.files.stacks[stack].layers[0].0).display();
            let problem = format!(
                "{file}: {path} is referred to, but lies below a prim with arcs of its own, which is not supported: \
                 refer to a prim without prims above it"
            );
            index.add_problem(problem.into());
        }
        let first = index.nodes.len();
        if first + target.nodes.len() > MAX_NODES {
            return Err(Error::new(
                Kind::TooLarge,
                format!("more than {MAX_NODES} places have a say in a prim"),
            ));
        }
        let to = without_variants(&index.nodes[k].path);
        let time = index.nodes[k].time.after(time);
        let depth = to.matches('/').count();
        for node in target.nodes {
            let inner = Node { time: time.after(node.time), direct: true, ..node };
            index.nodes.push(match inner.parent {
                Some(parent) => {
                    let origin = inner.origin.map(|k| first + k);
                    Node { parent: Some(first + parent), origin, ..inner }
                }
                None => Node {
                    parent: Some(k),
                    kin,
                    depth,
                    order,
                    from: path.clone(),
                    to: to.clone(),
                    open,
                    ..inner
                },
            });
        }
        for problem in target.problems {
            index.add_problem(problem);
        }
        Ok(())
    }

    /// Whether no layer says anything in the nodes from one on.
    fn is_empty(&self, index: &Index, first: usize) -> bool {
        let says = |node: &Node| self.files.specs(node.stack, &node.path).next().is_some();
        !index.nodes[first..].iter().any(says)
    }

    /// Adds the strongest choice of a variant that has not been followed; false if there is none.
    fn add_variant(&mut self, index: &mut Index) -> bool {
        let order = index.by_strength();
        for &k in &order {
            let node = &index.nodes[k];
            if node.muted || index.nodes.len() >= MAX_NODES {
                continue;
            }
            let (stack, path) = (node.stack, node.path.clone());
            let sets = self.list(stack, &path, |arcs| &arcs.variant_sets);
            for (number, (set, _)) in sets.into_iter().enumerate() {
                let Some(choice) = self.choice(index, &order, &set) else { continue };
                let chosen = format!("{path}{{{set}={choice}}}");
                let there = |node: &Node| node.parent == Some(k) && node.path == chosen;
                if index.nodes.iter().any(there) || self.files.specs(stack, &chosen).next().is_none() {
                    continue;
                }
                let depth = without_variants(&path).matches('/').count();
                let node = &index.nodes[k];
                index.nodes.push(Node {
                    parent: Some(k),
                    kin: Kin::Variant,
                    depth,
                    order: number,
                    path: chosen,
                    direct: true,
                    from: String::new(),
                    to: String::new(),
                    open: true,
                    ..node.clone()
                });
                return true;
            }
        }
        false
    }

    /// The strongest choice in a variant set.
    fn choice(&self, index: &Index, order: &[usize], set: &str) -> Option<String> {
        let mut nodes = order.iter().map(|&k| &index.nodes[k]).filter(|node| !node.muted);
        nodes.find_map(|node| {
            let mut specs = self.files.specs(node.stack, &node.path);
            specs.find_map(|(_, _, spec)| spec.arcs.as_ref()?.selections.get(set).cloned())
        })
    }
}
