//! A human found by place, and the roles of its joints.

use super::body::Body;
use super::by_name;
use super::column::{self, Column};
use super::hand::fingers;
use super::limb::Limb;
use super::rig::Rig;
use super::role::Role;
use super::tree::{self, Tree};
use super::words::{Hint, Kind, Purpose};
use super::{Certainty, Found};
use sinew_math::Vec3;
use sinew_scene::spoken::{Side, apart};

/// The likeliest human among some of a rig's joints.
pub(super) struct Shape {
    pub body: Body,
    tree: Tree,
    /// The joint of the rig for each joint of the tree.
    joints: Vec<usize>,
    /// What is said about the tree's joints.
    hints: Vec<Hint>,
    /// Whether the rig has this hierarchy.
    given: bool,
}

/// Fewer joints make no human.
const FEWEST: usize = 12;

/// How many joints in the middle of all are tried as roots.
const ROOTS: usize = 5;

/// A reading of a limb this much less likely than the best is a rival.
const CLOSE: f64 = 0.5;

/// A body this like a human is clear without names.
const CLEAR: f64 = 6.0;

impl Shape {
    /// Tries all joints, those that are no controls, and those that deform, where a rig marks them; in the given
    /// hierarchy, and where that shows no human or is in pieces, in one found from places.
    pub fn find(rig: &Rig, hints: &[Hint]) -> Option<Shape> {
        let deforms = |name: &String| apart(name).0.iter().any(|word| word == "def");
        let deform: Vec<bool> = rig.names.iter().map(deforms).collect();
        let bones: Vec<bool> = hints.iter().map(|hint| hint.purpose != Purpose::Control).collect();
        let all = vec![true; hints.len()];
        let mut best: Option<Shape> = None;
        let mut tried: Vec<Vec<usize>> = Vec::new();
        for wanted in [deform, bones, all] {
            let joints: Vec<usize> = (0..wanted.len()).filter(|&joint| wanted[joint]).collect();
            if joints.len() < FEWEST || tried.contains(&joints) {
                continue;
            }
            let shape = Shape::among(rig, hints, &joints);
            // More joints must make a better body.
            if let Some(shape) =
                shape.filter(|s| best.as_ref().is_none_or(|best| s.body.cost < best.body.cost - 1.0))
            {
                best = Some(shape);
            }
            tried.push(joints);
        }
        best
    }

    fn among(rig: &Rig, hints: &[Hint], joints: &[usize]) -> Option<Shape> {
        let places: Vec<Vec3> = joints.iter().map(|&joint| rig.position(joint)).collect();
        let hints: Vec<Hint> = joints.iter().map(|&joint| hints[joint].clone()).collect();
        let parents = match rig.parents.len() == rig.names.len() {
            true => tree::among(rig.parents, joints),
            false => vec![None; joints.len()],
        };
        let given =
            Tree::of_parents(&places, &parents).and_then(|tree| Some((Body::find(&tree, &hints)?, tree)));
        let mut best = given;
        let mut is_given = best.is_some();
        // One from places begins anywhere in the middle of the body, perhaps in a leg.
        for rank in 0..ROOTS {
            if best.as_ref().is_some_and(|(body, _)| body.shape < super::STRANGE || body.on_fours) {
                break;
            }
            let tree = Tree::of_places(&places, &parents, rank);
            let Some(body) = Body::find(&tree, &hints) else { continue };
            let tree = straightened(tree, &body);
            let Some(body) = Body::find(&tree, &hints) else { continue };
            if best.as_ref().is_none_or(|(best, _)| body.cost < best.cost - 1.0) {
                best = Some((body, tree));
                is_given = false;
            }
        }
        let (body, tree) = best?;
        Some(Shape { body, tree, joints: joints.to_vec(), hints, given: is_given })
    }

    /// The roles that names give to its joints.
    pub fn named(&self) -> Vec<(Role, usize)> {
        let depths: Vec<usize> = (0..self.tree.count()).map(|joint| self.tree.up(joint).count()).collect();
        let named = by_name::assign(&self.hints, &depths);
        named.into_iter().map(|(role, joint)| (role, self.joints[joint])).collect()
    }

    /// The side of the first limbs, and whether that is sure: by names where they say it, otherwise by where the body
    /// looks.
    fn side(&self, warnings: &mut Vec<String>) -> Side {
        let looks =
            self.body.front(&self.tree).map(|(front, clear)| (self.body.side_of_first(&front), clear));
        let mut says = 0;
        for pair in [&self.body.legs, &self.body.arms] {
            for (limb, sign) in pair.limbs.iter().zip([1, -1]) {
                for joint in limb.joints() {
                    says += sign
                        * match self.hints[joint].side {
                            Some(Side::Left) => 1,
                            Some(Side::Right) => -1,
                            None => 0,
                        };
                }
            }
        }
        // Names of both sides, which do not contradict each other.
        let spoken = match says {
            6.. => Some(Side::Left),
            ..=-6 => Some(Side::Right),
            _ => None,
        };
        match (spoken, looks) {
            (Some(named), Some((seen, clear))) if named != seen && clear > 0.5 => {
                let what = "left and right in the names are not those of the body as its feet point: the names count";
                warnings.push(what.to_string());
                named
            }
            (Some(named), _) => named,
            (None, Some((seen, clear))) => {
                if clear < 0.2 {
                    warnings.push(
                        "which side is left is doubtful: neither names nor feet say it clearly".to_string(),
                    );
                }
                seen
            }
            (None, None) => {
                warnings.push("which side is left is not known: neither names nor feet say it".to_string());
                Side::Left
            }
        }
    }

    /// The roles of the rig's joints.
    pub fn roles(&self, all: &[Hint], warnings: &mut Vec<String>) -> Vec<Found> {
        let (tree, body) = (&self.tree, &self.body);
        let first = self.side(warnings);
        let column = Column::of(tree, &self.hints, body);
        let mut found = Vec::new();
        let clear = if body.shape < CLEAR && self.given { Certainty::Sure } else { Certainty::Likely };
        let mut add = |role: Role, joint: usize, certainty: Certainty, rivals: &[usize]| {
            let certainty = if rivals.is_empty() { certainty } else { Certainty::Doubtful };
            let rivals: Vec<usize> = rivals.iter().map(|&joint| self.joints[joint]).collect();
            let joint = self.preferred(all, role, joint, &found);
            if found.iter().any(|other: &Found| other.joint == joint) {
                return;
            }
            found.push(Found { role, joint, certainty, why: "by its place".to_string(), rivals });
        };
        add(Role::Pelvis, column.pelvis, clear, &[]);
        column.spine.iter().zip(1..).for_each(|(&joint, k)| add(Role::Spine(k), joint, clear, &[]));
        column.neck.iter().zip(1..).for_each(|(&joint, k)| add(Role::Neck(k), joint, clear, &[]));
        if let Some(head) = column.head {
            add(Role::Head, head, clear, column.rival.as_slice());
        }
        for (k, side) in [first, first.other()].into_iter().enumerate() {
            let (leg, arm) = (&body.legs.limbs[k], &body.arms.limbs[k]);
            let rivals = self.rivals(body.legs.hub, leg, false);
            for (place, role) in
                [Role::Thigh(side), Role::Shin(side), Role::Foot(side)].into_iter().enumerate()
            {
                add(role, leg.joints()[place], clear, &rivals[place]);
            }
            if let Some(toes) = leg.toes(tree) {
                add(Role::Toes(side), toes, clear, &[]);
            }
            let rivals = self.rivals(body.arms.hub, arm, true);
            for (place, role) in
                [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)].into_iter().enumerate()
            {
                add(role, arm.joints()[place], clear, &rivals[place]);
            }
            let bone =
                |&&joint: &&usize| self.hints[joint].purpose == Purpose::Bone && !self.hints[joint].other;
            let before: Vec<usize> = arm.way[1..arm.at[0]].iter().filter(bone).copied().collect();
            if let [first, others @ ..] = &before[..] {
                add(Role::Clavicle(side), *first, clear, &[]);
                others.last().into_iter().for_each(|&joint| add(Role::Scapula(side), joint, clear, &[]));
            }
            let [_, forearm] = arm.lengths(tree);
            for finger in fingers(tree, &self.hints, arm.joints()[2], forearm) {
                let certainty = if finger.clear { clear } else { Certainty::Doubtful };
                for (joint, bone) in finger.bones {
                    add(Role::Finger(side, finger.digit, bone), joint, certainty, &[]);
                }
            }
        }
        found
    }

    /// For each of the joints of a limb, what else it may be.
    fn rivals(&self, hub: usize, limb: &Limb, arm: bool) -> [Vec<usize>; 3] {
        let kinds = match arm {
            true => [Kind::UpperArm, Kind::Forearm, Kind::Hand],
            false => [Kind::Thigh, Kind::Shin, Kind::Foot],
        };
        let named = |limb: &Limb| -> f64 {
            let says = limb
                .joints()
                .into_iter()
                .zip(kinds)
                .map(|(joint, kind)| self.hints[joint].agrees(kind, None));
            f64::from(says.sum::<i32>())
        };
        let own = limb.cost - named(limb);
        let mut rivals = [const { Vec::new() }; 3];
        for other in Limb::all(&self.tree, hub, limb.way[1], arm) {
            if other.cost - named(&other) > own + CLOSE {
                continue;
            }
            for (k, joint) in other.joints().into_iter().enumerate() {
                if joint != limb.joints()[k] && !rivals[k].contains(&joint) {
                    rivals[k].push(joint);
                }
            }
        }
        rivals
    }

    /// The joint of the rig for a joint of the tree, or another one at the same place whose name fits better.
    fn preferred(&self, all: &[Hint], role: Role, joint: usize, found: &[Found]) -> usize {
        let (at, own) = (self.tree.places[joint], self.joints[joint]);
        let says = |joint: usize| all[joint].agrees(Kind::from(role), role.side());
        let same = |&other: &usize| (self.tree.places[other] - at).norm() < 1e-6 * self.tree.size;
        let free = |joint: &usize| !found.iter().any(|found| found.joint == *joint);
        let mut others = (0..self.joints.len()).filter(same).map(|other| self.joints[other]).filter(free);
        others.find(|&other| says(other) > 0 && says(own) <= 0).unwrap_or(own)
    }
}

/// A tree found from places, now that it is known what they are: its root is the pelvis, the neck hangs on the spine
/// with the collarbones, wherever these are closest, and fingers do not hang on each other.
fn straightened(tree: Tree, body: &Body) -> Tree {
    let ends = [&body.legs, &body.arms].map(|pair| pair.limbs.each_ref().map(|limb| limb.joints()[2]));
    let mut tree = tree.rooted(body.legs.hub);
    let hub = body.arms.hub;
    let aside = |joint: usize| body.aside(&tree.places[joint]);
    // Of collarbones there are two.
    let twin = |joint: usize, other: usize| {
        let (a, b) = (tree.places[joint], tree.places[other]);
        joint != other
            && (a - b).norm() < (2.0 * aside(joint) + 0.02) * body.length
            && (aside(joint) - aside(other)).abs() < 0.02
    };
    let single =
        |joint: usize| aside(joint) < column::MIDDLE && !(0..tree.count()).any(|other| twin(joint, other));
    let mut onto_hub: Vec<usize> = Vec::new();
    for limb in &body.arms.limbs {
        for k in 1..=limb.at[0] {
            let joint = limb.way[k];
            match single(joint) {
                true if k < limb.at[0] => onto_hub.extend([joint, limb.way[k + 1]]),
                true => {}
                false => onto_hub.extend(tree.children[joint].iter().filter(|&&child| single(child))),
            }
        }
    }
    tree = tree.hung(&onto_hub, hub);
    ends.iter().flatten().fold(tree, |tree, &end| tree.spread(end))
}
