//! Whether a rig holds more than one human.

use super::rig::Rig;
use super::role::Role;
use super::shape::Shape;
use super::tree;
use super::words::Hint;
use super::{Found, STRANGE, by_name, up};
use sinew_math::{Affine, Vec3};
use sinew_scene::spoken::Side;
use std::collections::{BTreeMap, BTreeSet};

/// Humans whose pelves are closer than this share of a thigh are one, with joints for several purposes.
const APART: f64 = 0.5;

/// The joints below the one that carries those of some roles, and those above it.
fn carried(rig: &Rig, found: &[usize]) -> Vec<bool> {
    let mut own = vec![false; rig.names.len()];
    found.iter().for_each(|joint| own[*joint] = true);
    let [first, others @ ..] = found else { return own };
    let carries = |above: usize, joint: usize| up(rig, joint).any(|other| other == above);
    let carrier = up(rig, *first).find(|&above| others.iter().all(|other| carries(above, *other)));
    let Some(carrier) = carrier else { return own };
    (0..own.len()).for_each(|joint| own[joint] |= carries(carrier, joint) || carries(joint, carrier));
    own
}

/// The joints closest to some, or with their namespace where those of the others have another.
fn close(rig: &Rig, found: &[usize], others: &[usize]) -> Vec<bool> {
    let spaces = [found, others].map(|joints| joints.first().and_then(|&joint| space(&rig.names[joint])));
    let away = |joint: usize, joints: &[usize]| {
        let distances = joints.iter().map(|&other| (rig.position(other) - rig.position(joint)).norm());
        distances.fold(f64::INFINITY, f64::min)
    };
    let is_own = |joint: usize| match spaces[0] != spaces[1] {
        true => space(&rig.names[joint]) == spaces[0],
        false => away(joint, found) < away(joint, others),
    };
    (0..rig.names.len()).map(is_own).collect()
}

/// What is before the last colon of a name.
fn space(name: &str) -> Option<&str> {
    name.rsplit_once(':').map(|(space, _)| space)
}

/// Some joints of a rig, as a rig.
pub(super) struct Part {
    names: Vec<String>,
    rest: Vec<Affine>,
    parents: Vec<Option<usize>>,
    chosen: Vec<(Role, usize)>,
}

impl Part {
    pub fn new(rig: &Rig, joints: &[usize]) -> Self {
        let chosen = rig.chosen.iter();
        let chosen =
            chosen.filter_map(|(role, joint)| Some((*role, joints.iter().position(|own| own == joint)?)));
        Part {
            names: joints.iter().map(|&joint| rig.names[joint].clone()).collect(),
            rest: joints.iter().map(|&joint| rig.rest[joint]).collect(),
            parents: match rig.parents.len() == rig.names.len() {
                true => tree::among(rig.parents, joints),
                false => Vec::new(),
            },
            chosen: chosen.collect(),
        }
    }

    pub fn rig(&self) -> Rig<'_> {
        Rig { names: &self.names, rest: &self.rest, parents: &self.parents, chosen: &self.chosen }
    }
}

/// Which human of a rig is meant.
pub(super) enum Choice {
    /// There is no other.
    Only,
    /// The user chose the one that has these joints.
    These(Vec<usize>),
    /// There are two: what to say of them.
    Open(String),
}

/// A human among some joints of a rig.
struct Human {
    found: Vec<Found>,
    pelvis: usize,
}

impl Human {
    /// By place, among these joints.
    fn among(rig: &Rig, hints: &[Hint], joints: &[usize]) -> Option<Self> {
        let part = Part::new(rig, joints);
        let hints: Vec<Hint> = joints.iter().map(|&joint| hints[joint].clone()).collect();
        let shape =
            Shape::find(&part.rig(), &hints).filter(|s| s.body.shape < STRANGE && !s.body.on_fours)?;
        let mut found = shape.roles(&hints, &mut Vec::new());
        found.iter_mut().for_each(|found| found.joint = joints[found.joint]);
        Human::of(found)
    }

    fn of(found: Vec<Found>) -> Option<Self> {
        let pelvis = found.iter().find(|found| found.role == Role::Pelvis)?.joint;
        Some(Human { found, pelvis })
    }

    fn joints(&self) -> Vec<usize> {
        self.found.iter().map(|found| found.joint).collect()
    }

    fn place(&self, rig: &Rig, role: Role) -> Option<Vec3> {
        self.found.iter().find(|found| found.role == role).map(|found| rig.position(found.joint))
    }

    /// Whether it is not this one: two humans stand apart, or their names have different namespaces. A rig has joints
    /// for controls at the places of others.
    fn differs(&self, rig: &Rig, other: &Human) -> bool {
        let thigh = |role: fn(Side) -> Role| self.place(rig, role(Side::Left));
        let leg = thigh(Role::Thigh).zip(thigh(Role::Shin)).map_or(0.0, |(a, b)| (a - b).norm());
        let spaces = [self, other].map(|human| space(&rig.names[human.pelvis]));
        let named = spaces[0] != spaces[1] && spaces.iter().all(Option::is_some);
        (rig.position(self.pelvis) - rig.position(other.pelvis)).norm() > APART * leg || named
    }
}

/// Whether there are several humans in the pieces of a hierarchy, or in the namespaces of a rig that has none.
pub(super) fn in_pieces(rig: &Rig, hints: &[Hint]) -> Choice {
    let hierarchy = rig.parents.len() == rig.names.len();
    let mut pieces: BTreeMap<(Option<usize>, Option<&str>), Vec<usize>> = BTreeMap::new();
    for joint in 0..rig.names.len() {
        let key = match hierarchy {
            true => (up(rig, joint).last(), None),
            false => (None, space(&rig.names[joint])),
        };
        pieces.entry(key).or_default().push(joint);
    }
    if pieces.len() < 2 {
        return Choice::Only;
    }
    let humans = pieces.into_values().filter_map(|joints| Some((Human::among(rig, hints, &joints)?, joints)));
    let humans: Vec<(Human, Vec<usize>)> = humans.collect();
    let Some(((first, own), rest)) = humans.split_first() else { return Choice::Only };
    let Some((other, others)) = rest.iter().find(|(human, _)| first.differs(rig, human)) else {
        return Choice::Only;
    };
    decided(rig, [first, other], [own, others])
}

/// Whether another human is in a rig beside the one of these roles.
pub(super) fn choose(rig: &Rig, hints: &[Hint], found: Vec<Found>) -> Choice {
    let Some(human) = Human::of(found) else { return Choice::Only };
    let own = human.joints();
    let hierarchy = rig.parents.len() == rig.names.len();
    let taken = match hierarchy {
        true => carried(rig, &own),
        false => (0..rig.names.len()).map(|joint| own.contains(&joint)).collect(),
    };
    let rest: Vec<usize> = (0..taken.len()).filter(|&joint| !taken[joint]).collect();
    let other = Human::among(rig, hints, &rest).filter(|other| human.differs(rig, other));
    let Some(other) = other else { return Choice::Only };
    let others = other.joints();
    let members = |own: &[usize], others: &[usize]| -> Vec<usize> {
        let members = if hierarchy { carried(rig, own) } else { close(rig, own, others) };
        (0..members.len()).filter(|&joint| members[joint]).collect()
    };
    let sides = [members(&own, &others), members(&others, &own)];
    decided(rig, [&human, &other], sides.each_ref())
}

/// The one of two humans of which the user chose a joint.
fn decided(rig: &Rig, humans: [&Human; 2], joints: [&Vec<usize>; 2]) -> Choice {
    let chosen = joints.map(|own| rig.chosen.iter().any(|(_, joint)| own.contains(joint)));
    match chosen {
        [true, false] => Choice::These(joints[0].clone()),
        [false, true] => Choice::These(joints[1].clone()),
        _ => Choice::Open(two(humans.map(|human| rig.names[human.pelvis].as_str()))),
    }
}

/// What to say of the humans of several namespaces, where places do not show them.
pub(super) fn namespaces(rig: &Rig, hints: &[Hint]) -> Option<String> {
    let spaces: BTreeSet<&str> = rig.names.iter().filter_map(|name| space(name)).collect();
    let pelvis = |wanted: &str| {
        let joints: Vec<usize> =
            (0..hints.len()).filter(|&joint| space(&rig.names[joint]) == Some(wanted)).collect();
        let hints: Vec<Hint> = joints.iter().map(|&joint| hints[joint].clone()).collect();
        let named = by_name::assign(&hints, &vec![0; hints.len()]);
        let first = named.first().map(|(_, joint)| joints[*joint]);
        first.filter(|_| by_name::is_body(&named)).map(|joint| rig.names[joint].as_str())
    };
    let found: Vec<&str> = spaces.into_iter().filter_map(pelvis).collect();
    let [first, second, ..] = found[..] else { return None };
    Some(two([first, second]))
}

fn two([first, second]: [&str; 2]) -> String {
    format!(
        "two humans, one with the joint {first:?}, the other with {second:?}: choose the one that is meant by the role of \
         one of its joints, such as pelvis"
    )
}
