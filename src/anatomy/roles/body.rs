//! A human among the joints: two legs on one trunk and two arms on its other end, as like a human as can be found.

use super::limb::{Limb, unlike};
use super::tree::Tree;
use super::words::{Hint, Kind};
use sinew_math::{Real, Vec3};
use sinew_scene::spoken::Side;

/// Two limbs that hang on one joint.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The joint of the trunk.
    pub hub: usize,
    pub limbs: [Limb; 2],
    /// What speaks against it, by shape.
    pub cost: Real,
    /// What speaks for it, by names.
    named: Real,
}

/// A body, as far as its trunk and its limbs.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub legs: Pair,
    pub arms: Pair,
    /// The joints from the one with the legs to the one with the arms, with both.
    pub trunk: Vec<usize>,
    /// How many of these are on the way up in the hierarchy.
    pub ups: usize,
    /// Between the hips and between the shoulders.
    pub hips: Vec3,
    pub shoulders: Vec3,
    /// From the hips to the shoulders, a unit vector, and how far that is.
    pub up: Vec3,
    pub length: Real,
    /// From the second limbs to the first ones, perpendicular to `up`.
    pub across: Vec3,
    /// What speaks against it: by its shape, and with what names say.
    pub shape: Real,
    pub cost: Real,
    /// Whether its limbs stand like those of an animal on four legs.
    pub on_fours: bool,
}

/// What a name that fits is worth, half of it, and one that does not.
const NAMED: Real = 0.4;

/// The most pairs of each kind that are put together.
const PAIRS: usize = 40;

/// Two limbs begin at least this share of the trunk apart.
const LEAST_WIDE: Real = 0.1;

/// The most branches of a joint that may be limbs.
const BRANCHES: usize = 32;

/// Limbs shorter than this share of the body are none.
const SHORTEST: Real = 0.15;

impl Pair {
    /// All pairs of limbs of about the same lengths, the likeliest first.
    fn all(tree: &Tree, hints: &[Hint], arm: bool) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for hub in 0..tree.count() {
            let long = |&&child: &&usize| {
                tree.reach(child) + (tree.places[child] - tree.places[hub]).norm() > SHORTEST * tree.size
            };
            let mut branches: Vec<usize> = tree.children[hub].iter().filter(long).copied().collect();
            branches.sort_by(|&a, &b| tree.reach(b).total_cmp(&tree.reach(a)));
            branches.truncate(BRANCHES);
            let read: Vec<Vec<Limb>> =
                branches.iter().map(|&branch| Limb::all(tree, hub, branch, arm)).collect();
            for a in 0..branches.len() {
                for b in a + 1..branches.len() {
                    pairs.extend(Pair::of(tree, hints, hub, [&read[a], &read[b]], arm));
                }
            }
        }
        pairs.sort_by(|a, b| (a.cost - a.named).total_cmp(&(b.cost - b.named)));
        pairs.truncate(PAIRS);
        pairs
    }

    fn of(tree: &Tree, hints: &[Hint], hub: usize, read: [&[Limb]; 2], arm: bool) -> Vec<Pair> {
        let kinds = match arm {
            true => [Kind::UpperArm, Kind::Forearm, Kind::Hand],
            false => [Kind::Thigh, Kind::Shin, Kind::Foot],
        };
        let named = |limb: &Limb| {
            let says =
                limb.joints().into_iter().zip(kinds).map(|(joint, kind)| hints[joint].agrees(kind, None));
            NAMED * Real::from(says.sum::<i32>())
        };
        let mut pairs = Vec::new();
        for one in read[0] {
            for other in read[1] {
                let [a, b] = [one.lengths(tree), other.lengths(tree)];
                let same = unlike(a[0] / b[0], 1.0, 0.1, 9.0) + unlike(a[1] / b[1], 1.0, 0.1, 9.0);
                let cost = 0.5 * (one.cost + other.cost) + same;
                pairs.push(Pair {
                    hub,
                    limbs: [one.clone(), other.clone()],
                    cost,
                    named: named(one) + named(other),
                });
            }
        }
        pairs.sort_by(|a, b| (a.cost - a.named).total_cmp(&(b.cost - b.named)));
        pairs.truncate(4);
        pairs
    }

    /// The middle of where its limbs begin.
    fn middle(&self, tree: &Tree) -> Vec3 {
        let [a, b] = self.begins(tree);
        (a + b) * 0.5
    }

    fn begins(&self, tree: &Tree) -> [Vec3; 2] {
        self.limbs.each_ref().map(|limb| limb.places(tree)[0])
    }

    /// The direction from where its limbs begin to where their second bones end.
    fn direction(&self, tree: &Tree) -> Vec3 {
        let way = |limb: &Limb| {
            let [begin, _, end] = limb.places(tree);
            (end - begin).try_normalize(0.0).unwrap_or_default()
        };
        let [a, b] = self.limbs.each_ref().map(way);
        (a + b).try_normalize(1e-6).unwrap_or_default()
    }

    /// The length of the first two bones.
    fn length(&self, tree: &Tree) -> Real {
        self.limbs.iter().map(|limb| 0.5 * limb.lengths(tree).iter().sum::<Real>()).sum()
    }

    fn holds(&self, tree: &Tree, joint: usize) -> bool {
        self.limbs.iter().any(|limb| tree.hangs_on(joint, limb.way[1]))
    }

    fn swap(mut self) -> Self {
        self.limbs.swap(0, 1);
        self
    }
}

impl Body {
    /// The likeliest body.
    pub fn find(tree: &Tree, hints: &[Hint]) -> Option<Body> {
        let (legs, arms) = (Pair::all(tree, hints, false), Pair::all(tree, hints, true));
        let mut best: Option<Body> = None;
        for legs in &legs {
            for arms in &arms {
                // The sum of costs that are positive is no less than these.
                let least = legs.cost + arms.cost - legs.named - arms.named - MOST_NAMED;
                if best.as_ref().is_some_and(|best| least > best.cost) {
                    continue;
                }
                let body = Body::of(tree, hints, legs, arms);
                if let Some(body) = body.filter(|body| best.as_ref().is_none_or(|best| body.cost < best.cost))
                {
                    best = Some(body);
                }
            }
        }
        best
    }

    fn of(tree: &Tree, hints: &[Hint], legs: &Pair, arms: &Pair) -> Option<Body> {
        let apart = |a: &Pair, b: &Pair| {
            !a.holds(tree, b.hub) && !b.limbs.iter().any(|limb| limb.way[1..].contains(&a.limbs[0].way[1]))
        };
        if legs.hub == arms.hub || !apart(legs, arms) || !apart(arms, legs) {
            return None;
        }
        let (trunk, ups) = tree.path(legs.hub, arms.hub);
        let (hips, shoulders) = (legs.middle(tree), arms.middle(tree));
        let length = (shoulders - hips).norm();
        let up = (shoulders - hips).try_normalize(1e-3 * tree.size)?;
        let flat = |[a, b]: [Vec3; 2]| (a - b) - up * up.dot(&(a - b));
        let wide = flat(legs.begins(tree));
        let broad = flat(arms.begins(tree));
        // The limbs of one side come first in both.
        let arms = if wide.dot(&broad) < 0.0 { arms.clone().swap() } else { arms.clone() };
        let broad = flat(arms.begins(tree));
        let across = (wide.normalize() + broad.normalize()).try_normalize(1e-6)?;
        if wide.norm() < LEAST_WIDE * length || broad.norm() < LEAST_WIDE * length {
            return None;
        }
        let mut shape = legs.cost + arms.cost;
        shape += unlike(legs.length(tree) / length, 1.7, 0.45, 9.0);
        shape += unlike(arms.length(tree) / length, 1.1, 0.4, 9.0);
        shape += unlike(wide.norm() / length, 0.38, 0.8, 4.0) + unlike(broad.norm() / length, 0.65, 0.8, 4.0);
        let turned = 1.0 - wide.dot(&broad) / (wide.norm() * broad.norm()).max(Real::MIN_POSITIVE);
        shape += (turned / 0.3).powi(2).min(6.0);
        // Both sides begin at the same height.
        let level = |[a, b]: [Vec3; 2]| ((a - b).dot(&up) / (0.15 * length)).powi(2).min(4.0);
        shape += level(legs.begins(tree)) + level(arms.begins(tree));
        let (down, reach) = (legs.direction(tree), arms.direction(tree));
        let hanging = -down.dot(&up);
        shape += ((1.0 - hanging) / 0.4).powi(2).min(5.0);
        // The trunk is what leads from one to the other, and has no long way round.
        shape += unlike((tree.length(&trunk) / length).max(1.3), 1.3, 0.4, 6.0);
        shape += if has_head(tree, &arms, &trunk, &up, length) { 0.0 } else { 2.0 };
        let on_fours = on_fours(&up, &down, &reach);
        let says = |joint: usize, kind: Kind| NAMED * Real::from(hints[joint].agrees(kind, None));
        let named = legs.named
            + arms.named
            + says(trunk[0], Kind::Pelvis)
            + says(trunk[trunk.len() - 1], Kind::Spine);
        let cost = shape - named;
        let legs = legs.clone();
        Some(Body { legs, arms, trunk, ups, hips, shoulders, up, length, across, shape, cost, on_fours })
    }

    /// How far above the shoulders a place is, as a share of the trunk.
    pub fn height(&self, place: &Vec3) -> Real {
        self.up.dot(&(place - self.shoulders)) / self.length
    }

    /// How far from the plane of symmetry it is, as a share of the trunk.
    pub fn aside(&self, place: &Vec3) -> Real {
        (self.across.dot(&(place - self.shoulders)) / self.length).abs()
    }

    /// The direction to the front, from feet, and where there are none from knees, elbows and thumbs; with how sure
    /// that is, from 0 to 1.
    pub fn front(&self, tree: &Tree) -> Option<(Vec3, Real)> {
        let flat = |v: Vec3| {
            let v = v - self.up * self.up.dot(&v);
            v - self.across * self.across.dot(&v)
        };
        let size = self.legs.length(tree);
        let mut sum = Vec3::zeros();
        for leg in &self.legs.limbs {
            let [hip, knee, ankle] = leg.places(tree);
            if let Some(toes) = leg.toes(tree) {
                sum += flat(tree.places[toes] - ankle) / size * 5.0;
            }
            sum += flat(knee - (hip + ankle) * 0.5) / size * 2.0;
        }
        for arm in &self.arms.limbs {
            let [shoulder, elbow, wrist] = arm.places(tree);
            sum += flat((shoulder + wrist) * 0.5 - elbow) / size * 2.0;
        }
        let clear = (sum.norm() / CLEAR).min(1.0);
        (clear > 0.02).then(|| (sum.normalize(), clear))
    }

    /// The limbs' sides by the front: that of the first.
    pub fn side_of_first(&self, front: &Vec3) -> Side {
        // With y up and z to the front, x is to the left.
        if self.up.cross(front).dot(&self.across) > 0.0 { Side::Left } else { Side::Right }
    }
}

/// Whether legs and arms stand like those of an animal on four legs: side by side, across the trunk.
pub(super) fn on_fours(up: &Vec3, legs: &Vec3, arms: &Vec3) -> bool {
    -legs.dot(up) < 0.6 && arms.dot(legs) > 0.5 && arms.dot(up).abs() < 0.75
}

/// Both feet of a human point to the front by about this much, in the unit in which they vote.
const CLEAR: Real = 0.6;

/// The most that the names of a trunk are worth.
const MOST_NAMED: Real = 4.0 * NAMED;

/// Whether something leads on from the arms, away from the legs.
fn has_head(tree: &Tree, arms: &Pair, trunk: &[usize], up: &Vec3, length: Real) -> bool {
    let near = tree.children[arms.hub].iter().copied().chain(tree.parents[arms.hub]);
    let free = near
        .filter(|joint| !trunk.contains(joint) && !arms.limbs.iter().any(|limb| limb.way.contains(joint)));
    let from = tree.places[arms.hub];
    let mut ways = free.flat_map(|joint| tree.longest(joint));
    ways.any(|joint| (tree.places[joint] - from).dot(up) > 0.15 * length)
}
