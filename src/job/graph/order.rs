//! The order in which nodes step: each after its sources, otherwise as in the scene.

use super::super::scene_file::SceneFile;
use sinew_base::error::{Error, Kind, Result};
use sinew_scene::NodeElement;
use std::collections::HashMap;

/// The nodes of a scene in the order in which they step; an error for duplicate names and for cycles.
pub(super) fn sorted(file: &SceneFile) -> Result<Vec<usize>> {
    let nodes = &file.scene.nodes;
    let at = |node: &NodeElement, message: String| {
        file.place(Error::new(Kind::InvalidArgument, message), "node", node.line)
    };
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (k, node) in nodes.iter().enumerate() {
        if places.insert(node.called(), k).is_some() {
            let name = node.called();
            return Err(at(node, format!("two nodes are called {name:?}: rename one with name=\"...\"")));
        }
    }
    let feeders = |node: &NodeElement| -> Vec<usize> {
        let names = node.inputs.iter().filter_map(|input| Some(input.from.as_ref()?.rsplit_once('.')?.0));
        names.filter_map(|name| places.get(name).copied()).collect()
    };
    let (mut sorted, mut taken) = (Vec::new(), vec![false; nodes.len()]);
    while sorted.len() < nodes.len() {
        let ready = |k: &usize| !taken[*k] && feeders(&nodes[*k]).iter().all(|&feeder| taken[feeder]);
        let Some(next) = (0..nodes.len()).find(ready) else {
            let circle = circle(&taken, &|k| feeders(&nodes[k]));
            let names: Vec<&str> = circle.iter().map(|&k| nodes[k].called()).collect();
            let message = format!("these nodes feed each other in a cycle: {}", names.join(", "));
            return Err(at(&nodes[circle[0]], message));
        };
        taken[next] = true;
        sorted.push(next);
    }
    Ok(sorted)
}

/// A cycle among the remaining nodes: each is fed by the next, the last by the first.
fn circle(taken: &[bool], feeders: &dyn Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut way: Vec<usize> = taken.iter().position(|taken| !taken).into_iter().collect();
    loop {
        let last = way[way.len() - 1];
        // Every remaining one waits for another remaining one.
        let Some(next) = feeders(last).into_iter().find(|&k| !taken[k]) else { return way };
        if let Some(first) = way.iter().position(|&k| k == next) {
            return way.split_off(first);
        }
        way.push(next);
    }
}
