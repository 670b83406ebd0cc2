//! Hands without a body, as captured ones are: fingers by name, in a hierarchy or a mere list of points, or, where
//! names say nothing, five chains of joints that spread from one.

use super::hand::{Finger, fingers};
use super::rig::Rig;
use super::role::{Digit, Role};
use super::tree::{self, Tree};
use super::words::{Hint, Kind, Purpose};
use super::{Certainty, Found};
use sinew_math::{Real, Vec3};
use sinew_scene::spoken::{Side, apart};

/// Fewer fingers with names make no hand.
const FEWEST: usize = 3;

/// A skeleton of more joints is more than a hand.
const MOST: usize = 40;

/// Fingers that are bent less than this at their middle joints, in radians on average, do not tell the palm from the
/// back of the hand. In captured hands the side was right in all 184 frames above, and wrong in 13 of 229 with 0.1.
const BENT: Real = 0.15;

/// Words for the joints of a finger, by the bone that begins there. A tip begins none.
const JOINTS: [(&str, u8); 4] = [("cmc", 0), ("mcp", 1), ("pip", 2), ("dip", 3)];

/// A hand: its joint, if it has one, and its fingers.
struct Hand {
    wrist: Option<usize>,
    fingers: Vec<Finger>,
    side: Option<Side>,
    /// How its joints were found.
    why: &'static str,
    certainty: Certainty,
}

/// The roles of hands in a rig that is no body, and what is doubtful about them.
pub(super) fn hands(rig: &Rig, hints: &[Hint], warnings: &mut Vec<String>) -> Vec<Found> {
    let mut all = named(rig, hints, warnings);
    if all.is_empty() && hints.iter().all(|hint| hint.kinds.is_empty()) {
        all.extend(by_place(rig, hints));
    }
    all.iter().flat_map(|hand| hand.roles(rig, warnings)).collect()
}

/// Whether names speak of fingers, and of no part of a body beyond the arm.
pub(super) fn are_spoken_of(hints: &[Hint]) -> bool {
    let bones = || hints.iter().filter(|hint| hint.purpose <= Purpose::Tip).map(|hint| &hint.kinds[..]);
    let is_spoken = |digit: &&Digit| bones().any(|kinds| kinds == [Kind::Finger(**digit)]);
    let on_arm = |kind: &Kind| {
        matches!(
            kind,
            Kind::Finger(_) | Kind::Hand | Kind::Forearm | Kind::UpperArm | Kind::Clavicle | Kind::Scapula
        )
    };
    Digit::ALL.iter().filter(is_spoken).count() >= FEWEST && bones().flatten().all(on_arm)
}

/// The hands whose fingers have names: one of each side, or one of which no name tells the side.
fn named(rig: &Rig, hints: &[Hint], warnings: &mut Vec<String>) -> Vec<Hand> {
    let mut found = Vec::new();
    let is_there = |side: Side| hints.iter().any(|hint| hint.side == Some(side));
    // Where one side alone is named, or chosen for a joint, the others are on it.
    let only = [Side::Left, Side::Right].into_iter().find(|side| is_there(*side) && !is_there(side.other()));
    for side in [Some(Side::Left), Some(Side::Right), None] {
        let of = |joint: &usize| hints[*joint].side.or(only) == side;
        let own: Vec<usize> = (0..hints.len()).filter(of).collect();
        let mut chains: Vec<(Digit, Vec<usize>)> = Vec::new();
        for digit in Digit::ALL {
            let is = |joint: &&usize| {
                hints[**joint].kinds == [Kind::Finger(digit)] && hints[**joint].purpose <= Purpose::Tip
            };
            let mut joints: Vec<usize> = own.iter().filter(is).copied().collect();
            joints.sort_by_key(|&joint| {
                (depth(rig, joint), rank(&rig.names[joint]), hints[joint].number, joint)
            });
            if joints.len() > 1 {
                chains.push((digit, joints));
            }
        }
        if chains.len() < FEWEST {
            continue;
        }
        if let Some(twice) = twice(rig, hints, &chains) {
            warnings.push(twice);
            continue;
        }
        let is_hand =
            |joint: &usize| hints[*joint].kinds == [Kind::Hand] && hints[*joint].purpose == Purpose::Bone;
        let wrist = own.iter().copied().find(is_hand);
        let bones = |(digit, joints): (Digit, Vec<usize>)| {
            let bones: Vec<usize> =
                joints.into_iter().filter(|&joint| hints[joint].purpose == Purpose::Bone).collect();
            Finger { digit, bones: numbered(rig, digit, &bones, wrist), clear: true }
        };
        let fingers = chains.into_iter().map(bones).collect();
        let (why, certainty) = match rig.parents.len() == rig.names.len() {
            true => ("by its name", Certainty::Sure),
            false => ("by its name alone: the joints have no hierarchy", Certainty::Likely),
        };
        found.push(Hand { wrist, fingers, side, why, certainty });
    }
    found
}

/// What to say if these are the fingers of two hands.
fn twice(rig: &Rig, hints: &[Hint], chains: &[(Digit, Vec<usize>)]) -> Option<String> {
    let hierarchy = rig.parents.len() == rig.names.len();
    let again = |joints: &[usize]| {
        if hierarchy {
            let begins = |joint: &&usize| !joints.iter().any(|&above| is_above(rig, above, **joint));
            let mut begins = joints.iter().filter(begins);
            return Some([*begins.next()?, *begins.next()?]);
        }
        // In a mere list the same joint is there again under another namespace.
        let said = |joint: usize| (rank(&rig.names[joint]), hints[joint].number);
        let same = |pair: &&[usize]| said(pair[0]) == said(pair[1]) && said(pair[0]) != (None, None);
        joints.windows(2).find(same).map(|pair| [pair[0], pair[1]])
    };
    let found: Vec<[usize; 2]> = chains.iter().filter_map(|(_, joints)| again(joints)).collect();
    let [first, other] = found.first()?.map(|joint| &rig.names[joint]);
    (found.len() >= FEWEST).then(|| {
        format!(
            "two hands of one side, or of sides that names do not tell, such as those of {first:?} and {other:?}: sides \
             in the names of their joints, such as index_1.L, tell them apart"
        )
    })
}

fn is_above(rig: &Rig, above: usize, joint: usize) -> bool {
    rig.parents.len() == rig.names.len()
        && above != joint
        && super::up(rig, joint).any(|other| other == above)
}

fn depth(rig: &Rig, joint: usize) -> usize {
    if rig.parents.len() == rig.names.len() { super::up(rig, joint).count() } else { 0 }
}

/// Which of the joints of a finger a name says that it is.
fn rank(name: &str) -> Option<u8> {
    let (words, _) = apart(name);
    let rank = |word: &String| JOINTS.iter().find(|(joint, _)| word == joint).map(|(_, rank)| *rank);
    words.iter().rev().find_map(rank).or_else(|| words.iter().any(|word| word == "tip").then_some(4))
}

/// The bones of a digit with their numbers: as their joints are called, or in their order, with a metacarpal if the
/// first is closer to the wrist than to the next.
fn numbered(rig: &Rig, digit: Digit, joints: &[usize], wrist: Option<usize>) -> Vec<(usize, u8)> {
    let ranks: Option<Vec<u8>> = joints.iter().map(|&joint| rank(&rig.names[joint])).collect();
    if let Some(ranks) = ranks.filter(|_| digit != Digit::Thumb) {
        return joints.iter().copied().zip(ranks).filter(|(_, rank)| *rank < 4).collect();
    }
    let parent = joints.first().and_then(|&joint| *rig.parents.get(joint)?);
    let is_metacarpal = || {
        let ([first, second, _, _, ..], Some(from)) = (joints, wrist.or(parent)) else { return false };
        let [from, first, second] = [from, *first, *second].map(|joint| rig.position(joint));
        (first - from).norm() < 0.9 * (second - first).norm()
    };
    let first = u8::from(digit == Digit::Thumb || !is_metacarpal());
    joints.iter().copied().zip(first..4).collect()
}

/// A hand that is all of a rig: five chains that spread from one joint.
fn by_place(rig: &Rig, hints: &[Hint]) -> Option<Hand> {
    let count = rig.names.len();
    if !(12..=MOST).contains(&count) {
        return None;
    }
    let places: Vec<Vec3> = (0..count).map(|joint| rig.position(joint)).collect();
    let all: Vec<usize> = (0..count).collect();
    let whole = |tree: &Tree, wrist: usize| {
        let found = fingers(tree, hints, wrist, Real::INFINITY);
        let long = found.iter().all(|finger| finger.bones.len() > 1);
        let covered: usize = tree.children[wrist].iter().map(|&child| below(tree, child)).sum();
        (found.len() == 5 && long && tree.children[wrist].len() <= 6 && 10 * covered >= 8 * (count - 1))
            .then_some(found)
    };
    if rig.parents.len() == count {
        let tree = Tree::of_parents(&places, &tree::among(rig.parents, &all))?;
        let (wrist, fingers) = all.iter().find_map(|&wrist| Some((wrist, whole(&tree, wrist)?)))?;
        let certainty =
            if fingers.iter().all(|finger| finger.clear) { Certainty::Likely } else { Certainty::Doubtful };
        let why = "by its place in a hand";
        return Some(Hand { wrist: Some(wrist), fingers, side: None, why, certainty });
    }
    // The knuckles are about as far from the wrist as each other.
    let none = vec![None; count];
    let uneven = |rank: usize| {
        let tree = Tree::of_places(&places, &none, rank);
        let root = tree.parents.iter().position(Option::is_none)?;
        let found = whole(&tree.spread(root), root)?;
        let knuckles = found.iter().filter(|finger| finger.digit != Digit::Thumb);
        let away: Vec<Real> = knuckles
            .filter_map(|finger| Some((places[finger.bones.first()?.0] - places[root]).norm()))
            .collect();
        let mean = away.iter().sum::<Real>() / (away.len() as Real).max(1.0);
        let far = away.iter().map(|d| (d / mean - 1.0).powi(2)).sum::<Real>();
        Some((far, root, found))
    };
    let best = (0..count).filter_map(uneven).min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, wrist, fingers) = best?;
    let why = "by its place alone: the joints have neither names nor a hierarchy";
    Some(Hand { wrist: Some(wrist), fingers, side: None, why, certainty: Certainty::Doubtful })
}

fn below(tree: &Tree, joint: usize) -> usize {
    1 + tree.children[joint].iter().map(|&child| below(tree, child)).sum::<usize>()
}

impl Hand {
    fn roles(&self, rig: &Rig, warnings: &mut Vec<String>) -> Vec<Found> {
        let (side, certainty) = match (self.side, self.seen_side(rig)) {
            (Some(named), _) => (named, self.certainty),
            (None, Some(seen)) => {
                let word = if seen == Side::Left { "left" } else { "right" };
                warnings.push(format!(
                    "no name says which hand it is: by the bend of its fingers, the {word} one"
                ));
                (seen, self.certainty.max(Certainty::Likely))
            }
            (None, None) => {
                let what =
                    "no name says which hand it is, and its fingers are straight: it may be the other one";
                warnings.push(what.to_string());
                (Side::Left, Certainty::Doubtful)
            }
        };
        let found = |role: Role, joint: usize| Found {
            role,
            joint,
            certainty,
            why: self.why.to_string(),
            rivals: Vec::new(),
        };
        let wrist = self.wrist.map(|joint| found(Role::Hand(side), joint));
        let bones = self.fingers.iter().flat_map(|finger| {
            let digit = finger.digit;
            finger.bones.iter().map(move |&(joint, bone)| (Role::Finger(side, digit, bone), joint))
        });
        wrist.into_iter().chain(bones.map(|(role, joint)| found(role, joint))).collect()
    }

    /// Which hand it is: fingers bend to the palm, and seen from there the thumb of a right hand, with its fingers up,
    /// is on the right.
    fn seen_side(&self, rig: &Rig) -> Option<Side> {
        let place = |joint: usize| rig.position(joint);
        let (mut axis, mut along, mut begins, mut bent) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), 0.0);
        let long = |finger: &&Finger| finger.digit != Digit::Thumb && finger.bones.len() > 2;
        let others: Vec<&Finger> = self.fingers.iter().filter(long).collect();
        for finger in &others {
            let points: Vec<Vec3> = finger.bones.iter().map(|(joint, _)| place(*joint)).collect();
            let ways: Vec<Vec3> =
                points.windows(2).filter_map(|p| (p[1] - p[0]).try_normalize(0.0)).collect();
            for pair in ways.windows(2) {
                axis += pair[0].cross(&pair[1]);
                bent += 1.0;
            }
            along += ways.first()?;
            begins += points.first()?;
        }
        let thumb = self.fingers.iter().find(|finger| finger.digit == Digit::Thumb)?;
        let across = place(thumb.bones.first()?.0) - begins / (others.len() as Real).max(1.0);
        let palm = axis.cross(&along);
        let right = along.cross(&palm).dot(&across);
        let clear = axis.norm() > BENT * bent && right != 0.0;
        clear.then_some(if right > 0.0 { Side::Right } else { Side::Left })
    }
}
