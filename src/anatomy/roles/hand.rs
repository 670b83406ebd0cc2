//! The fingers of a hand.

use super::role::Digit;
use super::tree::Tree;
use super::words::{Hint, Kind, Purpose};
use sinew_math::{Real, Vec3};

/// The bones of a digit with their numbers; the metacarpal is 0.
pub(super) struct Finger {
    pub digit: Digit,
    pub bones: Vec<(usize, u8)>,
    /// Whether the digit is clear: from names or by where it is.
    pub clear: bool,
}

/// A chain of joints that leads away from the wrist.
struct Chain {
    joints: Vec<usize>,
    /// What its names say.
    named: Option<Digit>,
}

/// Fingers longer than this share of the forearm are none.
const LONGEST: Real = 1.3;

/// The fingers of a hand, from the thumb on. `palm` says how long a forearm is.
pub(super) fn fingers(tree: &Tree, hints: &[Hint], wrist: usize, forearm: Real) -> Vec<Finger> {
    let mut chains: Vec<Chain> = Vec::new();
    for &child in &tree.children[wrist] {
        collect(tree, hints, vec![child], &mut chains);
    }
    let from = tree.places[wrist];
    let fits = |chain: &Chain| {
        let end = tree.places[*chain.joints.last().unwrap_or(&wrist)];
        (end - from).norm() < LONGEST * forearm && (chain.joints.len() > 1 || chain.named.is_some())
    };
    chains.retain(fits);
    let digits = digits(tree, from, &chains);
    let mut found: Vec<Finger> = Vec::new();
    for (chain, (digit, clear)) in chains.iter().zip(digits) {
        let Some(digit) = digit else { continue };
        if found.iter().any(|finger| finger.digit == digit) {
            continue;
        }
        found.push(Finger { digit, bones: bones(tree, hints, from, chain, digit), clear });
    }
    found.sort_by_key(|finger| finger.digit);
    found
}

/// The chains below a joint: where several lead on, the one with the shortest step continues and the others begin anew.
fn collect(tree: &Tree, hints: &[Hint], mut joints: Vec<usize>, chains: &mut Vec<Chain>) {
    let named = |joint: usize| match hints[joint].kinds[..] {
        [Kind::Finger(digit)] => Some(digit),
        _ => None,
    };
    while let Some(&last) = joints.last() {
        let bone =
            |&&child: &&usize| hints[child].purpose == Purpose::Bone || hints[child].purpose == Purpose::Tip;
        let mut next: Vec<usize> = tree.children[last].iter().filter(bone).copied().collect();
        let own = joints.iter().find_map(|&joint| named(joint));
        let step = |joint: usize| (tree.places[joint] - tree.places[last]).norm();
        let strange = |joint: usize| own.is_some() && named(joint).is_some_and(|digit| Some(digit) != own);
        // Where a thumb hangs on the palm's bone of another finger, that has all of its bones besides. What has fewer
        // needs this joint, and so does the one that is a palm's length away.
        let whole = |joint: usize| tree.longest(joint).len() > 2;
        let all_whole = next.iter().all(|&joint| whole(joint));
        let far = |joint: usize| if all_whole { -step(joint) } else { step(joint) };
        let key = |joint: usize| (strange(joint), whole(joint));
        next.sort_by(|&a, &b| key(a).cmp(&key(b)).then(far(a).total_cmp(&far(b))));
        // A joint that leads nowhere is a helper where another one leads on.
        let leads = next.iter().any(|&joint| !tree.children[joint].is_empty());
        next.retain(|&joint| !leads || !tree.children[joint].is_empty() || named(joint).is_some());
        if all_whole && parallel(tree, &next) {
            // A part of the palm that carries fingers.
            next.iter().for_each(|&joint| collect(tree, hints, vec![joint], chains));
            return;
        }
        let Some((&first, others)) = next.split_first() else { break };
        for &other in others {
            collect(tree, hints, vec![other], chains);
        }
        if strange(first) {
            // It is another finger's, and this joint was the palm's.
            joints.clear();
        }
        joints.push(first);
    }
    let named = joints.iter().find_map(|&joint| named(joint));
    chains.push(Chain { joints, named });
}

/// Whether several fingers begin at these joints, side by side: a thumb leads elsewhere.
fn parallel(tree: &Tree, begins: &[usize]) -> bool {
    let way = |joint: usize| {
        let end = tree.longest(joint).last().copied().unwrap_or(joint);
        (tree.places[end] - tree.places[joint]).try_normalize(0.0).unwrap_or_default()
    };
    let side_by_side = |pair: &[usize]| way(pair[0]).dot(&way(pair[1])) > 0.93;
    begins.len() > 1 && begins.windows(2).all(side_by_side)
}

/// Which digit each chain is, and whether that is clear: what names say, the thumb as the one that leads away from the
/// others, and the others from there across the palm.
fn digits(tree: &Tree, wrist: Vec3, chains: &[Chain]) -> Vec<(Option<Digit>, bool)> {
    let twice = |k: usize| chains.iter().filter(|chain| chain.named == chains[k].named).count() > 1;
    let named: Vec<Option<Digit>> =
        (0..chains.len()).map(|k| chains[k].named.filter(|_| !twice(k))).collect();
    if named.iter().all(Option::is_some) {
        return named.into_iter().map(|digit| (digit, true)).collect();
    }
    let fan = Fan { tree, wrist, chains };
    let thumb = named.iter().position(|digit| *digit == Some(Digit::Thumb)).or_else(|| fan.thumb());
    let order = fan.across(thumb);
    let clear = thumb.is_some() && order.len() == 4;
    let fingers: &[Digit] = match order.len() {
        // With three fingers the last is the little one, as in drawn hands.
        3 => &[Digit::Index, Digit::Middle, Digit::Little],
        _ => &Digit::ALL[1..],
    };
    let mut found: Vec<(Option<Digit>, bool)> = vec![(None, false); chains.len()];
    thumb.into_iter().for_each(|k| found[k] = (Some(Digit::Thumb), clear || named[k].is_some()));
    order.iter().zip(fingers).for_each(|(&k, digit)| found[k] = (Some(*digit), clear));
    for (found, named) in found.iter_mut().zip(&named) {
        if named.is_some() {
            *found = (*named, true);
        }
    }
    found
}

/// The chains of a hand as they spread from the wrist.
struct Fan<'a> {
    tree: &'a Tree,
    wrist: Vec3,
    chains: &'a [Chain],
}

impl Fan<'_> {
    /// Where a finger begins to be free: its knuckle.
    fn begin(&self, k: usize) -> Vec3 {
        let joints = &self.chains[k].joints;
        self.tree.places[joints[usize::from(has_metacarpal(self.tree, self.wrist, joints))]]
    }

    fn way(&self, k: usize) -> Vec3 {
        let end = self.tree.places[*self.chains[k].joints.last().unwrap_or(&0)];
        let own = (end - self.begin(k)).try_normalize(0.0);
        own.or_else(|| (end - self.wrist).try_normalize(0.0)).unwrap_or_default()
    }

    /// The chain that leads away from the others in direction, and begins close to the wrist.
    fn thumb(&self) -> Option<usize> {
        let away = |k: usize| {
            let others = (0..self.chains.len()).filter(|&other| other != k);
            let sum: Vec3 = others.clone().map(|other| self.way(other)).sum();
            let far: Real = others.map(|other| (self.begin(other) - self.wrist).norm()).sum();
            let near = (self.begin(k) - self.wrist).norm() * (self.chains.len() - 1) as Real
                / far.max(Real::MIN_POSITIVE);
            -self.way(k).dot(&sum.try_normalize(0.0).unwrap_or_default()) - near
        };
        let several = self.chains.len() > 1;
        (0..self.chains.len()).filter(|_| several).max_by(|&a, &b| away(a).total_cmp(&away(b)))
    }

    /// The other chains in order across the palm, that next to the thumb first.
    fn across(&self, thumb: Option<usize>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.chains.len()).filter(|&k| Some(k) != thumb).collect();
        let Some(thumb) = thumb else { return order };
        let middle = order.iter().map(|&k| self.begin(k)).sum::<Vec3>() / order.len().max(1) as Real;
        let along = (middle - self.wrist).try_normalize(0.0).unwrap_or_default();
        let across = middle - self.begin(thumb);
        let across = across - along * along.dot(&across);
        let rank = |k: usize| across.dot(&self.begin(k));
        order.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)));
        order
    }
}

/// Whether a chain begins with the bone of the palm: at the wrist, and longer than its way from there.
fn has_metacarpal(tree: &Tree, wrist: Vec3, joints: &[usize]) -> bool {
    let [first, second, ..] = joints[..] else { return false };
    let [first, second] = [tree.places[first], tree.places[second]];
    joints.len() > 2 && (first - wrist).norm() < 0.9 * (second - first).norm()
}

/// The bones of a digit: the first three joints after the metacarpal; what follows is a tip.
fn bones(tree: &Tree, hints: &[Hint], wrist: Vec3, chain: &Chain, digit: Digit) -> Vec<(usize, u8)> {
    let metacarpal = digit != Digit::Thumb && has_metacarpal(tree, wrist, &chain.joints);
    let first = if metacarpal { 0 } else { 1 };
    let bone = |joint: &usize| hints[*joint].purpose == Purpose::Bone;
    chain.joints.iter().copied().filter(bone).zip(first..4).collect()
}
