//! Composition: one tree of prims of what many files state. By USD's rules ("LIVRPS", openusd.org, glossary): what
//! the layers themselves state is strongest, then inherited prims, variants, references, payloads, and last of all
//! specialized prims; what is nearer in this order wins, property by property.
//!
//! A prim has an [`Index`]: a tree of the places that have a say in it, from its own place down the arcs. That of a
//! child is its parent's with the child's name added, and the arcs of these places.
//!
//! What cannot be followed, such as a missing file, is recorded as a problem of the prim and of those below it, not
//! as an error: other prims of the file are sound. So are classes whose order is not supported, see [`classes`].
//! Files are found from the folder of the file that names them, and wherever they are; there are no search paths and
//! no resolver plug-ins.

mod arcs;
mod classes;
mod files;
mod prims;

pub(super) use files::Files;

use super::arcs::{TimeMap, below, without_variants};
use super::prim::Prim;
use sinew_base::error::{Error, Kind, Result};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// How a place came to have a say, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kin {
    Root,
    Inherit,
    Variant,
    Reference,
    Payload,
    Specialize,
}

/// A place that has a say in a prim: a path in a stack of layers.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<usize>,
    kin: Kin,
    /// The depth of the prim whose arc leads here, in the parent's tree: deeper ones are stronger.
    depth: usize,
    /// Its place among the arcs of its kind.
    order: usize,
    /// The class further in that implies this one.
    origin: Option<usize>,
    stack: usize,
    path: String,
    /// Paths below the first are those below the second in the parent's layers; others are the same, or have none.
    from: String,
    to: String,
    open: bool,
    /// The stack's times as the stage counts them.
    time: TimeMap,
    /// Whether the arc is one of this prim's own, not of an ancestor.
    direct: bool,
    /// Whether it has no say, because the prim lies in an instance.
    muted: bool,
}

impl Node {
    fn root(stack: usize, path: &str) -> Self {
        Node {
            parent: None,
            kin: Kin::Root,
            depth: 0,
            order: 0,
            origin: None,
            stack,
            path: path.to_string(),
            from: String::new(),
            to: String::new(),
            open: true,
            time: TimeMap::IDENTITY,
            direct: false,
            muted: false,
        }
    }

    /// A path of this place in the layers of its parent.
    fn outwards(&self, path: &str) -> Option<String> {
        match below(path, &self.from) {
            Some(rest) => Some(format!("{}{rest}", self.to)),
            None => self.open.then(|| path.to_string()),
        }
    }
}

/// The places that have a say in a prim.
#[derive(Clone, Debug, Default)]
struct Index {
    nodes: Vec<Node>,
    problems: Vec<Arc<str>>,
    /// Whether the prim is an instance.
    instance: bool,
}

impl Index {
    /// Notes a class that has its say elsewhere in the prim.
    fn hide(&mut self, parent: usize, class: Node) {
        let to = without_variants(&self.nodes[parent].path);
        let (depth, time) = (to.matches('/').count(), self.nodes[parent].time);
        if self.nodes.len() < MAX_NODES {
            let (from, open, parent) = (class.path.clone(), true, Some(parent));
            self.nodes.push(Node { parent, depth, from, to, open, time, muted: true, ..class });
        }
    }

    fn add_problem(&mut self, problem: Arc<str>) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// The nodes, strongest first.
    fn by_strength(&self) -> Vec<usize> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (k, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(k);
            }
        }
        for list in &mut children {
            list.sort_by_key(|&k| {
                let node = &self.nodes[k];
                (node.kin, std::cmp::Reverse(node.depth), node.order)
            });
        }
        // Specialized prims are weaker than everything else, implied ones just before those that imply them.
        let (mut all, mut last, mut stack) = (Vec::new(), Vec::new(), vec![(0, false)]);
        let mut implied = Vec::new();
        while let Some((k, special)) = stack.pop() {
            let node = &self.nodes[k];
            let special = special || node.kin == Kin::Specialize;
            match special {
                true if node.kin == Kin::Specialize && node.origin.is_some() => implied.push(k),
                true => last.push(k),
                false => all.push(k),
            }
            stack.extend(children[k].iter().rev().map(|&k| (k, special)));
        }
        // Those further in stand before those that they imply.
        implied.sort_unstable();
        for k in implied {
            let origin = self.nodes[k].origin;
            let at = last.iter().position(|&k| Some(k) == origin).unwrap_or(last.len());
            last.insert(at, k);
        }
        all.extend(last);
        all
    }

    /// A path of a node as the stage has it; none if it has none.
    fn on_stage(&self, node: usize, path: &str) -> Option<String> {
        let mut path = path.to_string();
        let mut at = node;
        while let Some(parent) = self.nodes[at].parent {
            path = self.nodes[at].outwards(&path)?;
            at = parent;
        }
        Some(path)
    }
}

/// More places in one prim, or prims in one stage, are refused.
const MAX_NODES: usize = 4096;
const MAX_PRIMS: usize = 4_000_000;

/// Composes prims of files.
pub(super) struct Composer<'a> {
    files: &'a mut Files,
    known: HashMap<(usize, String), Rc<Index>>,
    /// What is being composed.
    busy: Vec<(usize, String)>,
    /// The nodes that may still be made.
    left: usize,
}

impl<'a> Composer<'a> {
    pub fn new(files: &'a mut Files) -> Self {
        Composer { files, known: HashMap::new(), busy: Vec::new(), left: MAX_PRIMS }
    }

    /// All prims of the stage of the first file.
    pub fn all(mut self) -> Result<BTreeMap<String, Prim>> {
        let mut prims = BTreeMap::new();
        let root = self.files.stack(0);
        let mut open: Vec<(String, prims::Outer)> = Vec::new();
        let names = self.child_names(&Index { nodes: vec![Node::root(root, "")], ..Index::default() });
        open.extend(names.into_iter().rev().map(|name| (format!("/{name}"), prims::Outer::default())));
        while let Some((path, outer)) = open.pop() {
            let index = self.index(root, &path).map_err(|e| e.element(&path))?;
            let Some((prim, inner)) = self.compose(&path, &index, &outer) else { continue };
            let names = self.child_names(&index);
            open.extend(names.into_iter().rev().map(|name| (format!("{path}/{name}"), inner.clone())));
            prims.insert(path, prim);
            // Only what is above the next prim is needed again.
            let next = open.last().map_or("", |(path, _)| path.as_str());
            self.known.retain(|(stack, path), _| *stack != root || below(next, path).is_some());
        }
        Ok(prims)
    }

    fn index(&mut self, stack: usize, path: &str) -> Result<Rc<Index>> {
        let key = (stack, path.to_string());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        if self.busy.contains(&key) {
            return Err(cycle(path));
        }
        if self.busy.len() > 2 * super::prim::MAX_DEPTH {
            return Err(Error::new(Kind::TooLarge, "arcs nested too deeply"));
        }
        self.busy.push(key.clone());
        let made = self.make_index(stack, path);
        self.busy.pop();
        let made = Rc::new(made?);
        self.known.insert(key, made.clone());
        Ok(made)
    }

    fn make_index(&mut self, stack: usize, path: &str) -> Result<Index> {
        let mut index = self.inherited(stack, path)?;
        let own = index.nodes.len();
        self.follow(&mut index)?;
        if let Some(problem) = self.unclear(&index) {
            index.add_problem(problem);
        }
        self.spend(index.nodes.len())?;
        index.instance = self.is_instance(&index) && index.nodes[own..].iter().any(|node| !node.muted);
        Ok(index)
    }

    /// The places of a prim by its parent's, without its own arcs.
    fn inherited(&mut self, stack: usize, path: &str) -> Result<Index> {
        let (outer, name) = path.rsplit_once('/').unwrap_or(("", path));
        if outer.is_empty() {
            let problems = self.files.stacks[stack].problems.clone();
            return Ok(Index { nodes: vec![Node::root(stack, path)], problems, instance: false });
        }
        let outer = self.index(stack, outer)?;
        let mut nodes: Vec<Node> = Vec::with_capacity(outer.nodes.len());
        for node in &outer.nodes {
            // In an instance only what its own arcs bring has a say.
            let brought =
                node.direct || node.parent.is_some_and(|p| !nodes[p].muted && outer.nodes[p].direct);
            let muted = node.muted || outer.instance && !brought;
            nodes.push(Node { path: format!("{}/{name}", node.path), direct: false, muted, ..node.clone() });
        }
        Ok(Index { nodes, problems: outer.problems.clone(), instance: false })
    }

    fn spend(&mut self, nodes: usize) -> Result<()> {
        let left = self.left.checked_sub(nodes);
        self.left = left.ok_or_else(|| Error::new(Kind::TooLarge, "the arcs make too many prims"))?;
        Ok(())
    }

    /// The names of the prims below.
    fn child_names(&self, index: &Index) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for node in index.nodes.iter().filter(|node| !node.muted) {
            for &(layer, _) in &self.files.stacks[node.stack].layers {
                let there = self.files.layers[layer].contents.children.get(&node.path);
                names.extend(there.into_iter().flatten().cloned());
            }
        }
        // Below an instance the places of the instance itself have none.
        if index.instance {
            names.retain(|name| self.is_brought(index, name));
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether the arcs of an instance bring a child of that name.
    fn is_brought(&self, index: &Index, name: &str) -> bool {
        index.nodes.iter().filter(|node| node.direct).any(|node| {
            let path = format!("{}/{name}", node.path);
            self.files.specs(node.stack, &path).next().is_some()
        })
    }
}

fn cycle(path: &str) -> Error {
    Error::new(Kind::InvalidArgument, format!("it leads back to {} : a cycle", without_variants(path)))
}
