//! The tree of nodes: who is below whom.

use super::document::{Document, missing};
use sinew_base::error::{Error, Kind, Result};
use std::collections::BTreeSet;

/// The tree of nodes.
#[derive(Debug)]
pub(super) struct Tree {
    parents: Vec<Option<usize>>,
    /// All nodes, each after its parent.
    order: Vec<usize>,
    /// Whether a node is in the scene that is shown.
    pub in_scene: Vec<bool>,
}

impl Tree {
    pub fn new(document: &Document) -> Result<Self> {
        let count = document.nodes.len();
        let mut parents = vec![None; count];
        for (parent, node) in document.nodes.iter().enumerate() {
            for &child in &node.children {
                let own = parents.get_mut(child).ok_or_else(|| missing("node", child, count))?;
                if own.replace(parent).is_some() {
                    let message = format!("the node {child} is below two nodes");
                    return Err(Error::new(Kind::Topology, message));
                }
            }
        }
        let below = |roots: Vec<usize>| {
            let mut order = roots;
            let mut next = 0;
            while next < order.len() {
                order.extend(&document.nodes[order[next]].children);
                next += 1;
            }
            order
        };
        let order = below((0..count).filter(|&node| parents[node].is_none()).collect());
        if order.len() < count {
            return Err(Error::new(Kind::Topology, "a node is below itself"));
        }
        let scene = match (document.scene, document.scenes.len()) {
            (_, 0) => None,
            (None, _) => document.scenes.first(),
            (Some(index), scenes) => {
                Some(document.scenes.get(index).ok_or_else(|| missing("scene", index, scenes))?)
            }
        };
        let mut in_scene = vec![scene.is_none(); count];
        if let Some(scene) = scene {
            let roots: BTreeSet<usize> = scene.nodes.iter().copied().collect();
            if let Some(&node) = roots.iter().find(|&&node| node >= count || parents[node].is_some()) {
                let message = format!("the node {node} is not at the top, but the scene names it");
                return Err(Error::new(Kind::Topology, message));
            }
            below(roots.into_iter().collect()).into_iter().for_each(|node| in_scene[node] = true);
        }
        Ok(Tree { parents, order, in_scene })
    }

    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    /// These nodes and all above them, each after its parent.
    pub fn with_outer(&self, nodes: &[usize]) -> Vec<usize> {
        let mut wanted = vec![false; self.parents.len()];
        for &node in nodes {
            let mut next = Some(node);
            while let Some(node) = next.filter(|&node| !wanted[node]) {
                wanted[node] = true;
                next = self.parents[node];
            }
        }
        self.order.iter().copied().filter(|&node| wanted[node]).collect()
    }
}
