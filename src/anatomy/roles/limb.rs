//! A leg or an arm among the joints of a branch: where its three bones begin, by their lengths.

use super::tree::Tree;
use sinew_math::{Real, Vec3};

/// An arm or a leg that a branch may be.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    /// The joints of the branch from the trunk to its end, the first one of the trunk.
    pub way: Vec<usize>,
    /// The places on it of hip, knee and ankle, or shoulder, elbow and wrist.
    pub at: [usize; 3],
    /// What speaks against it.
    pub cost: Real,
}

/// How much a number differs from what is usual: 0 if it is that, 1 if it is off by the share `spread`, at most `most`.
pub(super) fn unlike(x: Real, usual: Real, spread: Real, most: Real) -> Real {
    let ratio = (x / usual).max(usual / x.max(Real::MIN_POSITIVE));
    (((ratio - 1.0) / spread).powi(2)).min(most)
}

/// The most joints between the trunk and a limb, such as a collarbone and a shoulder blade.
const BEFORE: usize = 4;

/// The most joints along a limb that are looked at: those of fingers come after.
const ALONG: usize = 14;

/// How many of the best are kept for each branch.
const KEPT: usize = 6;

impl Limb {
    /// The ways to read a branch as a limb, the likeliest first: two straight bones of about the same length. An arm's
    /// are 1.15 to 1.
    pub fn all(tree: &Tree, trunk: usize, branch: usize, arm: bool) -> Vec<Limb> {
        let mut way = vec![trunk];
        way.extend(tree.longest(branch));
        let place = |k: usize| tree.places[way[k]];
        let along = |a: usize, b: usize| tree.length(&way[a..=b]);
        let last = way.len().min(ALONG);
        let mut found = Vec::new();
        for hip in 1..last.min(BEFORE + 1) {
            // Of several at one place the first moves all.
            if hip > 1 && (place(hip) - place(hip - 1)).norm() < 1e-4 * tree.size {
                continue;
            }
            for knee in hip + 1..last {
                for ankle in knee + 1..last {
                    let [a, b] = [(place(knee) - place(hip)).norm(), (place(ankle) - place(knee)).norm()];
                    if a.min(b) < 0.02 * tree.size {
                        continue;
                    }
                    let mut cost = unlike(a / b, if arm { 1.12 } else { 1.0 }, 0.25, 9.0);
                    // Joints between are on the way.
                    cost += unlike(along(hip, knee) / a, 1.0, 0.05, 6.0)
                        + unlike(along(knee, ankle) / b, 1.0, 0.05, 6.0);
                    cost += 0.15 * (ankle - hip - 2) as Real + 0.2 * (hip - 1) as Real;
                    // What comes after is shorter.
                    let rest = tree.reach(way[ankle]);
                    cost += unlike((rest / (a + b)).max(0.3), 0.3, 0.6, 6.0);
                    let trunk = if arm { 0.65 } else { 0.4 };
                    cost += unlike((along(0, hip) / (a + b)).max(trunk), trunk, 0.5, 6.0);
                    found.push(Limb {
                        way: way.clone(),
                        at: [hip, knee, ankle],
                        cost: cost + ending(tree, &way, ankle, arm),
                    });
                }
            }
        }
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        found.truncate(KEPT);
        found
    }

    /// The joints of its three bones.
    pub fn joints(&self) -> [usize; 3] {
        self.at.map(|k| self.way[k])
    }

    pub fn places(&self, tree: &Tree) -> [Vec3; 3] {
        self.joints().map(|joint| tree.places[joint])
    }

    /// The lengths of its first two bones.
    pub fn lengths(&self, tree: &Tree) -> [Real; 2] {
        let [hip, knee, ankle] = self.places(tree);
        [(knee - hip).norm(), (ankle - knee).norm()]
    }

    /// The joint after the ankle that bears the toes, if there is one: the first that is a foot's length away and not
    /// the heel.
    pub fn toes(&self, tree: &Tree) -> Option<usize> {
        let [_, _, ankle] = self.joints();
        let [_, _, place] = self.places(tree);
        let length = self.lengths(tree).iter().sum::<Real>();
        let rest = &self.way[self.at[2] + 1..];
        let far = |&&joint: &&usize| (tree.places[joint] - place).norm() > SHORTEST_FOOT * length;
        let found = rest.iter().find(far).copied()?;
        // A foot may have five of them: its axis passes through the second.
        let row: Vec<usize> = match tree.parents[found] {
            Some(parent) if parent == ankle => tree.children[ankle].clone(),
            _ => return Some(found),
        };
        let way = tree.places[found] - place;
        let beside = |&joint: &usize| {
            let other = tree.places[joint] - place;
            other.norm() > 0.6 * way.norm() && other.dot(&way) > 0.8 * other.norm() * way.norm()
        };
        let row: Vec<usize> = row.into_iter().filter(beside).collect();
        (row.len() < 4).then_some(found).or_else(|| second(tree, &row))
    }
}

/// Feet are longer than this share of thigh and shin.
const SHORTEST_FOOT: Real = 0.06;

/// The second of several toes, counted from the big one, which is the outermost one that the longest ways lead through:
/// here, that on the side of the longer outer gap.
fn second(tree: &Tree, row: &[usize]) -> Option<usize> {
    let ends = row.iter().flat_map(|&a| row.iter().map(move |&b| [a, b]));
    let wide = |[a, b]: &[usize; 2]| (tree.places[*a] - tree.places[*b]).norm_squared();
    let [one, other] = ends.max_by(|a, b| wide(a).total_cmp(&wide(b)))?;
    // The big toe has fewer bones than the others, or is the longest.
    let bones = |joint: usize| tree.longest(joint).len();
    let big = match bones(one).cmp(&bones(other)) {
        std::cmp::Ordering::Less => one,
        std::cmp::Ordering::Greater => other,
        std::cmp::Ordering::Equal if tree.reach(one) > tree.reach(other) => one,
        std::cmp::Ordering::Equal => other,
    };
    let away = |joint: usize| (tree.places[joint] - tree.places[big]).norm_squared();
    let mut order = row.to_vec();
    order.sort_by(|&a, &b| away(a).total_cmp(&away(b)));
    order.get(1).copied()
}

/// What the end of a limb says: fingers spread from a wrist, and a foot turns forwards from its shin.
fn ending(tree: &Tree, way: &[usize], ankle: usize, arm: bool) -> Real {
    let joint = way[ankle];
    if arm {
        let leads = |&&child: &&usize| !tree.children[child].is_empty();
        let fingers = tree.children[joint].iter().filter(leads).count();
        return match fingers {
            0 | 1 => 2.5,
            2 => 1.0,
            _ => 0.0,
        };
    }
    let Some(&next) = way.get(ankle + 1) else { return 1.5 };
    let [a, b] = [tree.places[joint] - tree.places[way[ankle - 1]], tree.places[next] - tree.places[joint]];
    let cosine = a.dot(&b) / (a.norm() * b.norm()).max(Real::MIN_POSITIVE);
    // A foot that continues its shin is that of a dancer, or none.
    if cosine > 0.85 { 1.5 } else { 0.0 }
}
