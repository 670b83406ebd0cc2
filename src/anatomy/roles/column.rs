//! The middle of the body: pelvis, spine, neck and head.

use super::body::Body;
use super::tree::Tree;
use super::words::{Hint, Kind, Purpose};
use sinew_math::{Real, Vec3};

/// The joints of the middle, from below.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    pub pelvis: usize,
    pub spine: Vec<usize>,
    pub neck: Vec<usize>,
    pub head: Option<usize>,
    /// What else may be the head.
    pub rival: Option<usize>,
}

/// A head's joint is no further above the shoulders than this share of the trunk: what is further is the top of the
/// head.
const HIGHEST: Real = 0.56;

/// Joints further from the plane of symmetry than this share of the trunk are not in the middle.
pub(super) const MIDDLE: Real = 0.12;

/// A joint that carries the arms and is at most this far below the shoulders may be the neck: collarbones hang on it.
const NECK: Real = -0.08;

impl Column {
    pub fn of(tree: &Tree, hints: &[Hint], body: &Body) -> Column {
        let hub = *body.trunk.last().unwrap_or(&body.arms.hub);
        let says = |joint: usize, kind: Kind| hints[joint].agrees(kind, None);
        let above = ascent(tree, hints, body, hub);
        let (head, rival) = head(tree, hints, body, &above);
        let between: Vec<usize> = match head {
            Some(head) => above.iter().copied().take_while(|&joint| joint != head).collect(),
            None => Vec::new(),
        };
        // Joints on the way up in the hierarchy stand above the pelvis, and are no spine.
        let mut trunk: Vec<usize> = body.trunk[body.ups.min(body.trunk.len())..].to_vec();
        let pelvis = pelvis(tree, hints, body);
        if pelvis != body.legs.hub {
            trunk.insert(0, body.legs.hub);
        }
        let named = hints[hub].kinds.first() == Some(&Kind::Neck);
        let is_neck = named || between.is_empty() && head.is_some() && body.height(&tree.places[hub]) > NECK;
        let mut neck = between;
        if trunk.len() > 1 && is_neck && says(hub, Kind::Spine) <= 0 {
            trunk.pop();
            neck.insert(0, hub);
        }
        // The spine may go on above the joint with the arms, and helpers have no number.
        let bone = |&joint: &usize| hints[joint].purpose == Purpose::Bone;
        let spines =
            neck.iter().take_while(|&&joint| matches!(hints[joint].kinds[..], [Kind::Spine])).count();
        trunk.extend(neck.drain(..spines));
        Column {
            pelvis,
            spine: trunk.into_iter().filter(bone).collect(),
            neck: neck.into_iter().filter(bone).collect(),
            head,
            rival,
        }
    }
}

/// The pelvis: the joint that carries legs and spine. Where legs hang on the spine, it is the one right above it in the
/// hierarchy, by name or because it is much closer to the hips.
fn pelvis(tree: &Tree, hints: &[Hint], body: &Body) -> usize {
    let hub = body.legs.hub;
    let is = |joint: usize| hints[joint].agrees(Kind::Pelvis, None) > 0 && hints[joint].kinds.len() == 1;
    if is(hub) {
        return hub;
    }
    let away = |joint: usize, from: &Vec3| (tree.places[joint] - from).norm();
    let near = |joint: usize| away(joint, &tree.places[hub]) < 0.35 * body.length;
    let closer = |joint: usize| away(joint, &body.hips) < 0.5 * away(hub, &body.hips);
    let spoken = hints[hub].agrees(Kind::Spine, None) > 0;
    let above = tree.up(hub).skip(1).take(2);
    let mut above = above.filter(|&joint| near(joint) && hints[joint].agrees(Kind::Pelvis, None) >= 0);
    above.find(|&joint| spoken && is(joint) || closer(joint)).unwrap_or(hub)
}

/// The joints in the middle of the body that lead up from the one with the arms.
fn ascent(tree: &Tree, hints: &[Hint], body: &Body, hub: usize) -> Vec<usize> {
    let mut way = Vec::new();
    let (mut at, mut from) = (hub, body.trunk.iter().rev().nth(1).copied());
    loop {
        let near = tree.children[at].iter().copied().chain(tree.parents[at]);
        let on = |joint: &usize| {
            let place = &tree.places[*joint];
            let limb = body.arms.limbs.iter().any(|limb| limb.way[1..].contains(joint));
            let hint = &hints[*joint];
            let stranger = !hint
                .kinds
                .iter()
                .all(|kind| [Kind::Spine, Kind::Neck, Kind::Head, Kind::Pelvis].contains(kind));
            Some(*joint) != from
                && !limb
                && !stranger
                && body.aside(place) < MIDDLE
                && hint.purpose <= Purpose::Tip
                && !hint.other
        };
        let rises = |joint: usize| {
            let named = [Kind::Neck, Kind::Head].into_iter().any(|kind| hints[joint].agrees(kind, None) > 0);
            let far =
                tree.longest(joint).into_iter().map(|j| body.height(&tree.places[j])).fold(-1.0, Real::max);
            far + if named { 1.0 } else { 0.0 }
        };
        let next = near.filter(on).max_by(|&a, &b| rises(a).total_cmp(&rises(b)));
        let lower = |joint: usize| body.height(&tree.places[joint]) < body.height(&tree.places[at]) - 0.02;
        match next {
            Some(joint) if !lower(joint) => {
                way.push(joint);
                (from, at) = (Some(at), joint);
            }
            _ => return way,
        }
    }
}

/// The head among these, and what else may be it: by name, by the face that branches from it, or as the last one before
/// the top.
fn head(tree: &Tree, hints: &[Hint], body: &Body, above: &[usize]) -> (Option<usize>, Option<usize>) {
    let low = |&&joint: &&usize| body.height(&tree.places[joint]) < HIGHEST;
    let possible: Vec<usize> = above.iter().take_while(low).copied().collect();
    let Some(&last) = possible.last().or(above.first()) else { return (None, None) };
    let called =
        |&&joint: &&usize| hints[joint].agrees(Kind::Head, None) > 0 && hints[joint].kinds.len() == 1;
    let face = |&&joint: &&usize| tree.children[joint].len() > 2 && body.height(&tree.places[joint]) > 0.1;
    let tip = hints[last].purpose == Purpose::Tip && possible.len() > 1;
    // Of several at one place, it is the first.
    let same = |a: usize, b: usize| (tree.places[a] - tree.places[b]).norm() < 1e-6 * tree.size;
    let by_place = match possible.iter().find(face) {
        Some(&joint) => possible.iter().copied().find(|&other| same(other, joint)).unwrap_or(joint),
        None if tip => possible[possible.len() - 2],
        None => last,
    };
    match above.iter().find(called).copied() {
        Some(named) if named != by_place => (Some(named), Some(by_place)),
        Some(named) => (Some(named), None),
        None => (Some(by_place), None),
    }
}
