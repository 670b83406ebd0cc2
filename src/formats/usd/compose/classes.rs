//! Classes whose order is not supported.
//!
//! What a class says in one file, files further out may say otherwise: a class that a referenced prim inherits is
//! implied in the layers that refer to it. One such chain of places is composed as USD does. Where several chains
//! meet, their order follows from how USD's own library visits them; such prims are refused rather than composed in
//! an order that may be another.

use super::{Composer, Index, Kin};
use crate::usd::arcs::{TimeMap, below, without_variants};
use crate::usd::prim::Specifier;
use std::sync::Arc;

/// More classes in one prim are refused.
const MAX_CHAINS: usize = 64;

/// A place that says something about a class.
struct Say {
    /// The node to which the class belongs there.
    node: usize,
    stack: usize,
    path: String,
    time: TimeMap,
    /// Whether it is implied by a place further in.
    implied: bool,
}

/// A class as a node names it, with all places that say something about it, from the inside out.
struct Chain {
    class: usize,
    kin: Kin,
    /// The node that names it, and the depth of the prim there.
    start: (usize, usize),
    /// Whether the node that names it has its say by a specialized prim.
    below_special: bool,
    /// Whether a place that is implied is so at several nodes, as where layers refer to their own prims.
    repeated: bool,
    says: Vec<Say>,
}

impl Composer<'_> {
    /// Why the order of a prim's classes is not supported; none if it is.
    pub(super) fn unclear(&self, index: &Index) -> Option<Arc<str>> {
        let named = |k: &usize| {
            let node = &index.nodes[*k];
            matches!(node.kin, Kin::Inherit | Kin::Specialize) && node.origin.is_none()
        };
        let all: Vec<usize> = (0..index.nodes.len()).filter(named).collect();
        if all.is_empty() {
            return None;
        }
        if all.len() > MAX_CHAINS {
            return Some(self.refused(index, all[0], "more classes than are supported"));
        }
        let chains: Vec<Chain> = all.iter().filter_map(|&k| self.chain(index, k)).collect();
        let missing = chains.iter().find(|chain| chain.says.iter().any(|say| !is_there(index, say)));
        let found = missing.or_else(|| unclear_inherits(&chains)).or_else(|| unclear_specials(&chains))?;
        let what = match found.kin {
            Kin::Specialize => "specializes a prim about which several places have a say",
            _ => "inherits a class about which several places have a say",
        };
        Some(self.refused(index, found.class, what))
    }

    fn refused(&self, index: &Index, class: usize, what: &str) -> Arc<str> {
        let node = &index.nodes[class];
        let file = self.files.name(self.files.stacks[node.stack].layers[0].0).display();
        let instance = node.parent.map_or("", |parent| index.nodes[parent].path.as_str());
        let instance = without_variants(instance);
        format!(
            "{file}: {instance} {what} ({}), in an order that is not supported: flatten the file, for example with \
             usdcat --flatten",
            node.path
        )
        .into()
    }

    /// The places that say something about a class; none if there are none.
    fn chain(&self, index: &Index, class: usize) -> Option<Chain> {
        let node = &index.nodes[class];
        let start = node.parent?;
        let (mut at, mut path, mut says) = (start, node.path.clone(), Vec::<Say>::new());
        let (mut below_special, mut repeated) = (false, false);
        loop {
            let here = &index.nodes[at];
            below_special |= here.kin == Kin::Specialize;
            let say = Say {
                node: at,
                stack: here.stack,
                path: path.clone(),
                time: here.time,
                implied: at != start,
            };
            // An inherited class has its say once, as far in as it is found.
            let known = |other: &Say| {
                let same = (other.stack, &other.path) == (say.stack, &say.path);
                same && (node.kin == Kin::Inherit || other.time == say.time)
            };
            if self.says(say.stack, &say.path) {
                match says.iter().find(|other| known(other)) {
                    None => says.push(say),
                    Some(other) => repeated |= other.implied && here.kin != Kin::Variant,
                }
            }
            let Some(outer) = here.parent else { break };
            path = match below(&path, &here.from) {
                Some(rest) if !here.from.is_empty() => format!("{}{rest}", here.to),
                _ => path,
            };
            at = outer;
        }
        let kin = node.kin;
        let start = (start, node.depth);
        (!says.is_empty()).then_some(Chain { class, kin, start, below_special, repeated, says })
    }

    /// Whether layers say something about a prim, beyond that it is a class.
    fn says(&self, stack: usize, path: &str) -> bool {
        self.files.specs(stack, path).any(|(_, _, spec)| {
            let silent = spec.properties.is_empty() && spec.arcs.is_none() && spec.type_name.is_empty();
            !silent || spec.specifier == Specifier::Def
        })
    }
}

/// Whether a place has its say in the index.
fn is_there(index: &Index, say: &Say) -> bool {
    index.nodes.iter().any(|node| node.stack == say.stack && node.path == say.path)
}

/// An inherited class that meets another.
fn unclear_inherits(chains: &[Chain]) -> Option<&Chain> {
    let inherits = |chain: &&Chain| chain.kin == Kin::Inherit;
    let meets = |a: &Chain, b: &Chain| {
        a.says.iter().any(|a_say| {
            b.says.iter().any(|b_say| {
                let same = (a_say.stack, &a_say.path) == (b_say.stack, &b_say.path);
                let beside = a_say.node == b_say.node && (a_say.implied || b_say.implied);
                same || beside && a.start != b.start
            })
        })
    };
    let special = |chain: &Chain| {
        let implied = chain.says.iter().any(|say| say.implied);
        chain.repeated || chain.below_special && implied || specialized(chain, chains)
    };
    let mut all = chains.iter().enumerate().filter(|(_, chain)| inherits(chain));
    let found = all.find(|(k, a)| special(a) || chains[..*k].iter().filter(inherits).any(|b| meets(a, b)));
    found.map(|(_, chain)| chain)
}

/// A specialized prim beside others.
fn unclear_specials(chains: &[Chain]) -> Option<&Chain> {
    let specials = || chains.iter().filter(|chain| chain.kin == Kin::Specialize);
    let listed = specials().all(|chain| chain.start.0 == 0 && chain.says.iter().all(|say| !say.implied));
    let count: usize = specials().map(|chain| chain.says.len()).sum();
    if count > 1 && !listed { specials().next() } else { None }
}

/// Whether a place of an inherited class is specialized as well.
fn specialized(inherited: &Chain, chains: &[Chain]) -> bool {
    let specials =
        || chains.iter().filter(|chain| chain.kin == Kin::Specialize).flat_map(|chain| &chain.says);
    let same = |a: &Say| specials().any(|b| (a.stack, &a.path) == (b.stack, &b.path));
    inherited.says.iter().any(same)
}
