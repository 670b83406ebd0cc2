//! The hierarchy of a rig, given or found from places.

use sinew_math::{Real, Vec3};

/// Joints as a tree.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Where each joint is.
    pub places: Vec<Vec3>,
    /// The parent of each; the root has none.
    pub parents: Vec<Option<usize>>,
    pub children: Vec<Vec<usize>>,
    /// The largest distance of a joint from their middle.
    pub size: Real,
    /// The longest way down from each joint, and the child to which it leads.
    down: Vec<(Real, Option<usize>)>,
}

impl Tree {
    /// The hierarchy of the joints that are wanted; those in between are skipped. None if it is in pieces.
    pub fn of_parents(places: &[Vec3], parents: &[Option<usize>]) -> Option<Self> {
        let roots = parents.iter().filter(|parent| parent.is_none()).count();
        (roots == 1).then(|| Tree::new(places.to_vec(), parents.to_vec()))
    }

    /// A tree found from places, and from the pieces of a hierarchy: the shortest ways from a joint in their middle,
    /// the one of this `rank` there, where a step costs the cube of its length, so that they lead from joint to joint,
    /// and not from a thigh to the hand beside it. Within a piece they cost nothing.
    pub fn of_places(places: &[Vec3], given: &[Option<usize>], rank: usize) -> Self {
        let count = places.len();
        let mut parents = vec![None; count];
        let linked = |a: usize, b: usize| given[a] == Some(b) || given[b] == Some(a);
        if let Some(&root) = from_middle(places).get(rank) {
            let mut costs = vec![Real::INFINITY; count];
            let mut done = vec![false; count];
            costs[root] = 0.0;
            while let Some(next) =
                (0..count).filter(|&k| !done[k]).min_by(|&a, &b| costs[a].total_cmp(&costs[b]))
            {
                done[next] = true;
                for other in (0..count).filter(|&k| !done[k]) {
                    let step = (places[other] - places[next]).norm();
                    let cost = costs[next] + if linked(next, other) { 0.0 } else { step.powi(3) };
                    if cost < costs[other] {
                        (costs[other], parents[other]) = (cost, Some(next));
                    }
                }
            }
        }
        Tree::new(places.to_vec(), parents).aligned(&linked)
    }

    /// The same where a bone begins at the joint before it rather than at that joint's carrier: a knee hangs on the hip
    /// beside the pelvis, although the pelvis may be closer, where the leg is straighter so. What is linked stays so.
    fn aligned(self, linked: &impl Fn(usize, usize) -> bool) -> Self {
        let mut parents = self.parents.clone();
        let way = |a: usize, b: usize| self.places[b] - self.places[a];
        let straight = |a: &Vec3, b: &Vec3| a.dot(b) / (a.norm() * b.norm()).max(Real::MIN_POSITIVE);
        for (joint, parent) in parents.iter_mut().enumerate() {
            let (Some(hub), Some(next)) = (self.parents[joint], self.down[joint].1) else { continue };
            if linked(hub, joint) {
                continue;
            }
            let (bone, direct) = (way(joint, next), way(hub, joint));
            let near = |&other: &usize| {
                let (begin, rest) = (way(hub, other).norm(), way(other, joint).norm());
                other != joint && begin < 0.4 * direct.norm() && rest < 1.2 * direct.norm()
            };
            let turn = |other: usize| straight(&way(other, joint), &bone);
            let better =
                self.children[hub].iter().copied().filter(near).max_by(|&a, &b| turn(a).total_cmp(&turn(b)));
            if let Some(better) = better.filter(|&other| turn(other) > straight(&direct, &bone)) {
                *parent = Some(better);
            }
        }
        Tree::new(self.places, parents)
    }

    fn new(places: Vec<Vec3>, parents: Vec<Option<usize>>) -> Self {
        let count = places.len();
        let mut children = vec![Vec::new(); count];
        for (joint, parent) in parents.iter().enumerate() {
            parent.iter().for_each(|&parent| children[parent].push(joint));
        }
        let middle = middle(&places);
        let size = places.iter().map(|p| (p - middle).norm()).fold(0.0, Real::max);
        let mut tree = Tree { places, parents, children, size, down: vec![(0.0, None); count] };
        let mut order: Vec<usize> = (0..count).filter(|&k| tree.parents[k].is_none()).collect();
        let mut next = 0;
        while next < order.len() {
            order.extend_from_slice(&tree.children[order[next]]);
            next += 1;
        }
        for &joint in order.iter().rev() {
            let longest = tree.children[joint]
                .iter()
                .map(|&child| (tree.step(joint, child) + tree.down[child].0, child));
            let longest = longest.max_by(|a, b| a.0.total_cmp(&b.0));
            tree.down[joint] = longest.map_or((0.0, None), |(length, child)| (length, Some(child)));
        }
        tree
    }

    /// The same with another joint as its root.
    pub fn rooted(self, root: usize) -> Self {
        let Tree { places, mut parents, .. } = self;
        let (mut at, mut below) = (Some(root), None);
        while let Some(joint) = at {
            at = std::mem::replace(&mut parents[joint], below);
            below = Some(joint);
        }
        Tree::new(places, parents)
    }

    /// The same where what hangs on a joint spreads from it, as fingers and toes do: each joint hangs on the closest
    /// one that lies on its way from there.
    pub fn spread(self, hub: usize) -> Self {
        let from = self.places[hub];
        let away = |joint: usize| (self.places[joint] - from).norm();
        let all: Vec<usize> =
            (0..self.count()).filter(|&joint| joint != hub && self.hangs_on(joint, hub)).collect();
        let mut parents = self.parents.clone();
        for &joint in &all {
            let detour = |other: usize| {
                let (step, way) = (self.places[joint] - self.places[other], self.places[joint] - from);
                let cosine = step.dot(&way) / (step.norm() * way.norm()).max(Real::MIN_POSITIVE);
                (cosine > 0.6).then(|| step.norm() * (3.0 - 2.0 * cosine))
            };
            let nearer = all.iter().copied().filter(|&other| away(other) < away(joint));
            let ways = nearer.filter_map(|other| Some((detour(other)?, other)));
            let best = ways.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(cost, _)| *cost < away(joint));
            parents[joint] = Some(best.map_or(hub, |(_, other)| other));
        }
        Tree::new(self.places, parents)
    }

    /// The same where some joints hang on another one.
    pub fn hung(self, joints: &[usize], on: usize) -> Self {
        let Tree { places, mut parents, .. } = self;
        joints.iter().for_each(|&joint| parents[joint] = Some(on));
        Tree::new(places, parents)
    }

    pub fn count(&self) -> usize {
        self.places.len()
    }

    fn step(&self, a: usize, b: usize) -> Real {
        (self.places[b] - self.places[a]).norm()
    }

    /// The length of the longest way down from a joint.
    pub fn reach(&self, joint: usize) -> Real {
        self.down[joint].0
    }

    /// The longest way down from a joint, with it.
    pub fn longest(&self, joint: usize) -> Vec<usize> {
        std::iter::successors(Some(joint), |&joint| self.down[joint].1).collect()
    }

    /// The joint and all above it.
    pub fn up(&self, joint: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(joint), |&joint| self.parents[joint])
    }

    /// The way from one joint to another, with both; and how many of its joints are on the way up.
    pub fn path(&self, from: usize, to: usize) -> (Vec<usize>, usize) {
        let above: Vec<usize> = self.up(to).collect();
        let mut way: Vec<usize> = Vec::new();
        for joint in self.up(from) {
            way.push(joint);
            if let Some(at) = above.iter().position(|&other| other == joint) {
                let ups = way.len();
                way.extend(above[..at].iter().rev());
                return (way, ups);
            }
        }
        (Vec::new(), 0)
    }

    /// Whether a joint is another or below it.
    pub fn hangs_on(&self, joint: usize, other: usize) -> bool {
        self.up(joint).any(|above| above == other)
    }

    /// How long a way along joints is.
    pub fn length(&self, way: &[usize]) -> Real {
        way.windows(2).map(|pair| self.step(pair[0], pair[1])).sum()
    }
}

fn middle(places: &[Vec3]) -> Vec3 {
    places.iter().sum::<Vec3>() / places.len().max(1) as Real
}

/// The joints, those closest to their middle first.
fn from_middle(places: &[Vec3]) -> Vec<usize> {
    let middle = middle(places);
    let away = |k: usize| (places[k] - middle).norm_squared();
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| away(a).total_cmp(&away(b)));
    order
}

/// The parents of the joints that are wanted, by their numbers among these. What would lead back to its joint is left
/// out.
pub(super) fn among(parents: &[Option<usize>], joints: &[usize]) -> Vec<Option<usize>> {
    let mut index = vec![None; parents.len()];
    joints.iter().enumerate().for_each(|(k, &joint)| index[joint] = Some(k));
    // A cycle, which no file should have, ends after as many steps as there are joints.
    let above = |joint: usize| {
        let mut outer = std::iter::successors(parents[joint], |&parent| parents[parent]).take(parents.len());
        outer.find_map(|parent| index[parent])
    };
    let mut found: Vec<Option<usize>> = joints.iter().map(|&joint| above(joint)).collect();
    for joint in 0..found.len() {
        let mut above = std::iter::successors(found[joint], |&parent| found[parent]).take(found.len());
        if above.any(|other| other == joint) {
            found[joint] = None;
        }
    }
    found
}
