//! Roles from names alone: each word stands for what it may mean in any convention, and what others mean decides. A
//! shoulder is the upper arm where nothing else is, and the collarbone beside an upper arm.

use super::body::on_fours;
use super::role::{Digit, Role};
use super::words::{Hint, Kind, Purpose};
use sinew_math::Vec3;
use sinew_scene::spoken::Side;

/// The kinds of a side, in the order in which they are chosen where nothing decides.
const SIDED: [Kind; 9] = [
    Kind::UpperArm,
    Kind::Forearm,
    Kind::Thigh,
    Kind::Shin,
    Kind::Hand,
    Kind::Foot,
    Kind::Clavicle,
    Kind::Toes,
    Kind::Scapula,
];

/// The roles that names give to joints; of several joints with one name, the one that is highest in the hierarchy, or
/// has the smallest number. `depths` is how far below the root each joint is.
pub(super) fn assign(hints: &[Hint], depths: &[usize]) -> Vec<(Role, usize)> {
    let order = |&joint: &usize| (depths[joint], hints[joint].number, joint);
    let mut bones: Vec<usize> = (0..hints.len())
        .filter(|&joint| hints[joint].purpose == Purpose::Bone && !hints[joint].kinds.is_empty())
        .collect();
    bones.sort_by_key(order);
    let mut found = middle(hints, &bones);
    for side in [Side::Left, Side::Right] {
        let own: Vec<usize> =
            bones.iter().copied().filter(|&joint| hints[joint].side == Some(side)).collect();
        found.extend(sided(hints, &own, side));
        for digit in Digit::ALL {
            let of = |&joint: &usize| hints[joint].kinds == [Kind::Finger(digit)];
            found.extend(
                own.iter()
                    .copied()
                    .filter(of)
                    .zip(1..4)
                    .map(|(joint, k)| (Role::Finger(side, digit, k), joint)),
            );
        }
    }
    found.sort_unstable();
    found
}

fn middle(hints: &[Hint], bones: &[usize]) -> Vec<(Role, usize)> {
    let of = |kind: Kind| {
        bones
            .iter()
            .copied()
            .filter(move |&joint| hints[joint].side.is_none() && hints[joint].kinds[0] == kind)
    };
    let mut spine: Vec<usize> = of(Kind::Spine).collect();
    // Rigs have a root besides their hips.
    let pelvis = of(Kind::Pelvis).next_back().or_else(|| (!spine.is_empty()).then(|| spine.remove(0)));
    let mut found: Vec<(Role, usize)> = pelvis.into_iter().map(|joint| (Role::Pelvis, joint)).collect();
    found.extend((1..).map(Role::Spine).zip(spine));
    found.extend((1..).map(Role::Neck).zip(of(Kind::Neck)));
    found.extend(of(Kind::Head).next().map(|joint| (Role::Head, joint)));
    found
}

fn sided(hints: &[Hint], own: &[usize], side: Side) -> Vec<(Role, usize)> {
    let mut open: Vec<Kind> = SIDED.to_vec();
    let mut free: Vec<usize> = own.to_vec();
    let mut found = Vec::new();
    loop {
        let may = |joint: usize| hints[joint].kinds.iter().filter(|kind| open.contains(kind));
        let clear = open.iter().find_map(|&kind| {
            let only = |&&joint: &&usize| may(joint).eq([&kind]);
            free.iter().find(only).map(|&joint| (kind, joint))
        });
        let any = || {
            open.iter().find_map(|&kind| {
                free.iter().find(|&&joint| hints[joint].kinds.contains(&kind)).map(|&joint| (kind, joint))
            })
        };
        let Some((kind, joint)) = clear.or_else(any) else { return found };
        open.retain(|&other| other != kind);
        free.retain(|&other| other != joint && hints[other].kinds != hints[joint].kinds);
        found.push((role(kind, side), joint));
    }
}

fn role(kind: Kind, side: Side) -> Role {
    match kind {
        Kind::Clavicle => Role::Clavicle(side),
        Kind::Scapula => Role::Scapula(side),
        Kind::UpperArm => Role::UpperArm(side),
        Kind::Forearm => Role::Forearm(side),
        Kind::Hand => Role::Hand(side),
        Kind::Thigh => Role::Thigh(side),
        Kind::Shin => Role::Shin(side),
        Kind::Foot => Role::Foot(side),
        Kind::Toes => Role::Toes(side),
        Kind::Finger(digit) => Role::Finger(side, digit, 1),
        Kind::Pelvis => Role::Pelvis,
        Kind::Spine => Role::Spine(1),
        Kind::Neck => Role::Neck(1),
        Kind::Head => Role::Head,
    }
}

/// Whether names alone give a body: nearly all bones of legs and arms.
pub(super) fn is_body(found: &[(Role, usize)]) -> bool {
    limbs(found).iter().flatten().filter(|joint| joint.is_none()).count() <= 2
}

/// Whether the limbs that names tell stand on the ground like four legs.
pub(super) fn stands_on_fours(found: &[(Role, usize)], place: impl Fn(usize) -> Vec3) -> bool {
    let limbs = limbs(found);
    let middle = |[a, b]: [Option<usize>; 2]| Some((place(a?) + place(b?)) * 0.5);
    let way = |from, to| -> Option<Vec3> { (middle(to)? - middle(from)?).try_normalize(1e-6) };
    match (way(limbs[0], limbs[3]), way(limbs[0], limbs[1]), way(limbs[3], limbs[4])) {
        (Some(up), Some(legs), Some(arms)) => on_fours(&up, &legs, &arms),
        _ => false,
    }
}

/// The bones of the limbs on both sides.
fn limbs(found: &[(Role, usize)]) -> [[Option<usize>; 2]; 6] {
    let joint = |role: Role| found.iter().find(|(other, _)| *other == role).map(|(_, joint)| *joint);
    let both = |role: fn(Side) -> Role| [Side::Left, Side::Right].map(|side| joint(role(side)));
    [Role::Thigh, Role::Shin, Role::Foot, Role::UpperArm, Role::Forearm, Role::Hand].map(both)
}
