//! A set on another character: by the names of joints that both have, or by what their joints do.

use super::Rig;
use super::upright::with_ups;
use crate::roles::{Certainty, Role, Roles};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Mat3, Real, Vec3, polar3};
use sinew_scene::muscles::{MuscleElement, MuscleSet};
use sinew_scene::strand::values::Triple;

/// A set on its new character.
#[derive(Clone, Debug)]
pub struct Copied {
    /// The set.
    pub set: MuscleSet,
    /// What was left out, one sentence each.
    pub warnings: Vec<String>,
}

/// The joints that two rigs share.
struct Shared {
    /// Where they are on the first and on the second.
    pairs: Vec<[Vec3; 2]>,
    /// How all of them together are turned.
    turn: Mat3,
}

/// How things near a point are carried from one character to the other: turned, scaled, and moved.
struct Near {
    turn: Mat3,
    scale: Real,
    middles: [Vec3; 2],
}

/// Softens the distances of joints to a point, as a fraction of the body: joints much closer than this weigh about the
/// same.
const CLOSEST: Real = 0.02;

/// Turns about the axis of joints in one line are not determined by them: this fraction of the joints' spread favours
/// the rotation of the whole body.
const STEADY: Real = 1e-3;

/// Transfers a set from one rig to another. Around each point, the joints that both rigs have say how it is turned and
/// scaled: by the similarity that fits them best, nearby ones weighted more \[Schaefer et al., "Image Deformation Using
/// Moving Least Squares", 2006\]. So lengths of bones and rest poses may differ, and the axes of joints do not matter.
/// Sculpted muscles without an up-vector get the one that they have from the first rig. Parts on joints that the second
/// rig lacks are left out with a warning. If the second rig has all joints of the set by name, names tell which joint
/// is which; otherwise roles do, and names for joints without one. Both rigs are in the space of the set.
pub fn copy(set: &MuscleSet, from: &Rig, to: &Rig, control: &Control) -> Result<Copied> {
    let counterparts = Counterparts::new(set, from, to);
    let mut shared = Shared { pairs: counterparts.places(from, to), turn: Mat3::identity() };
    if shared.pairs.len() < 3 {
        let count = shared.pairs.len();
        let message = format!(
            "the rigs have {count} joint names in common, and no joints with the same roles were found; at least 3 are \
             needed"
        );
        return Err(Error::new(Kind::NotFound, message));
    }
    shared.turn = shared.fitted(|_| 1.0, 0.0).turn;
    let mut copied = Copied { set: with_ups(set, from)?, warnings: counterparts.warnings.clone() };
    let Copied { set, warnings } = &mut copied;
    counterparts.rename(set, from, to);
    let mut there =
        |what: &str, name: &str, joints: &[&str]| match joints.iter().find(|j| to.find(j).is_none()) {
            Some(missing) => {
                warnings.push(format!("{what} {name} is left out: the rig has no joint {missing:?}"));
                false
            }
            None => true,
        };
    for mut e in std::mem::take(&mut set.muscles) {
        e.heads.retain(|head| there("head", &head.name, &[&head.origin_joint]));
        let middle: Vec<&str> = e.middle_joint.as_deref().into_iter().collect();
        if there("muscle", &e.name, &[&[&*e.origin_joint, &e.insertion_joint], &middle[..]].concat()) {
            set.muscles.push(e);
        } else {
            // Its further heads become muscles of their own, where there is something for them to insert on.
            let heads = e.singles().split_off(e.singles().len() - e.heads.len());
            let is_there = |head: &MuscleElement| {
                there("head", &head.name, &[&[&*head.insertion_joint], &middle[..]].concat())
            };
            set.muscles.extend(heads.into_iter().filter(is_there));
        }
    }
    set.pads.retain(|e| there("pad", &e.name, &[&e.joint]));
    set.bones.retain(|e| there("bone", &e.name, &[&e.joint]));
    move_parts(set, &shared, control)?;
    Ok(copied)
}

/// Which joint of one rig stands for which of another.
struct Counterparts {
    /// For each joint of the first, that of the second.
    joints: Vec<Option<usize>>,
    /// For each joint of the first, whether the two are at the same place of their bodies.
    same_place: Vec<bool>,
    /// Where the spine of each begins, if that is known.
    hips: Option<(usize, usize)>,
    /// What is not clear, one sentence each.
    warnings: Vec<String>,
}

impl Counterparts {
    fn new(set: &MuscleSet, from: &Rig, to: &Rig) -> Self {
        let by_name: Vec<Option<usize>> = from.names.iter().map(|name| to.find(name)).collect();
        let same_naming = set.joints().all(|joint| to.find(joint).is_some());
        let chosen = !(from.chosen.is_empty() && to.chosen.is_empty());
        if same_naming && !chosen {
            let same_place = vec![true; by_name.len()];
            return Counterparts { joints: by_name, same_place, hips: None, warnings: Vec::new() };
        }
        let [own, other] = [from, to].map(Roles::find);
        let mut warnings: Vec<String> =
            [&own, &other].into_iter().filter_map(Roles::undecided).map(String::from).collect();
        let mut found =
            Counterparts { joints: Vec::new(), same_place: Vec::new(), hips: None, warnings: Vec::new() };
        for (joint, &named) in by_name.iter().enumerate() {
            let by_role = own.followed(joint).and_then(|role| other.alike(role, &own));
            let doubt =
                by_role.filter(|&counterpart| other.certainty(counterpart) >= Some(Certainty::Doubtful));
            let used = set.joints().any(|name| name == from.names[joint]);
            if let (Some(counterpart), true) = (doubt, used) {
                let names = [&from.names[joint], &to.names[counterpart]];
                warnings
                    .push(format!("whether joint {:?} does what {:?} does is doubtful", names[1], names[0]));
            }
            // A pelvis is where a rig has it; the spine begins at the hips.
            found.same_place.push(match own.of(joint) {
                Some(Role::Pelvis) => own.named("hips") == Some(joint) && other.named("hips") == by_role,
                // Where spines differ, their joints are anywhere along the back.
                Some(role) if role.is_counted() => own.spines() == other.spines(),
                Some(role) => other.joint(role) == by_role,
                None => by_role.is_none(),
            });
            found.joints.push(by_role.or(named));
        }
        found.warnings = warnings;
        found.hips = own.named("hips").zip(other.named("hips"));
        found
    }

    /// Where the joints that stand for each other are.
    fn places(&self, from: &Rig, to: &Rig) -> Vec<[Vec3; 2]> {
        let pairs = self.joints.iter().zip(&self.same_place).enumerate();
        let pairs = pairs.filter_map(|(joint, (other, same))| Some((joint, (*other).filter(|_| *same)?)));
        let hips = self.hips.filter(|(own, _)| !self.same_place[*own]);
        pairs.chain(hips).map(|(joint, other)| [from.position(joint), to.position(other)]).collect()
    }

    /// Gives the parts of a set to the joints of the second rig.
    fn rename(&self, set: &mut MuscleSet, from: &Rig, to: &Rig) {
        let other = |name: &mut String| {
            if let Some(joint) = from.find(name).and_then(|joint| self.joints[joint]) {
                name.clone_from(&to.names[joint]);
            }
        };
        for e in &mut set.muscles {
            let ends = [&mut e.origin_joint, &mut e.insertion_joint];
            ends.into_iter().chain(&mut e.middle_joint).for_each(other);
            e.heads.iter_mut().for_each(|head| other(&mut head.origin_joint));
        }
        set.pads.iter_mut().for_each(|e| other(&mut e.joint));
        set.bones.iter_mut().for_each(|e| other(&mut e.joint));
    }
}

fn move_parts(set: &mut MuscleSet, shared: &Shared, control: &Control) -> Result<()> {
    let point = |p: &mut Triple| *p = Triple(shared.near(&p.vec()).point(&p.vec()).into());
    let count = set.muscles.len() as Real;
    for (k, e) in set.muscles.iter_mut().enumerate() {
        control.progress(k as Real / count, "moving the muscles")?;
        let belly = shared.near(&((e.origin.vec() + e.insertion.vec()) * 0.5 + e.middle.vec() * 0.5));
        let vector = |v: &mut Triple| *v = Triple((belly.turn * v.vec() * belly.scale).into());
        vector(&mut e.middle);
        e.up.iter_mut().for_each(|up| *up = Triple((belly.turn * up.vec()).into()));
        e.size *= belly.scale;
        for head in &mut e.heads {
            head.middle.iter_mut().for_each(vector);
            head.size.iter_mut().for_each(|size| *size *= belly.scale);
            point(&mut head.origin);
        }
        e.offsets.iter_mut().for_each(|offset| offset.by = Triple((offset.by.vec() * belly.scale).into()));
        [&mut e.origin, &mut e.insertion].into_iter().for_each(point);
        [&mut e.origin_to, &mut e.insertion_to].into_iter().flatten().for_each(point);
    }
    for e in &mut set.pads {
        e.radius *= shared.near(&e.centre.vec()).scale;
        point(&mut e.centre);
    }
    for e in &mut set.bones {
        e.radius *= shared.near(&((e.from.vec() + e.to.vec()) * 0.5)).scale;
        [&mut e.from, &mut e.to].into_iter().for_each(point);
    }
    Ok(())
}

impl Shared {
    /// The transform of things around a point.
    fn near(&self, p: &Vec3) -> Near {
        let first = self.pairs[0][0];
        let extent = self.pairs.iter().map(|[a, _]| (a - first).norm()).fold(0.0, Real::max);
        let close = (CLOSEST * extent).powi(2);
        self.fitted(|a| ((a - p).norm_squared() + close).powi(-2), STEADY)
    }

    /// The similarity that fits the joints best, with a weight for each by where it is.
    fn fitted(&self, weight: impl Fn(&Vec3) -> Real, steady: Real) -> Near {
        let total: Real = self.pairs.iter().map(|[a, _]| weight(a)).sum();
        let middles =
            [0, 1].map(|k| self.pairs.iter().map(|pair| pair[k] * weight(&pair[0])).sum::<Vec3>() / total);
        let (mut relation, mut spreads) = (Mat3::zeros(), [0.0; 2]);
        for pair in &self.pairs {
            let share = weight(&pair[0]) / total;
            let [a, b] = [0, 1].map(|k| pair[k] - middles[k]);
            relation += b * a.transpose() * share;
            spreads[0] += share * a.norm_squared();
            spreads[1] += share * b.norm_squared();
        }
        let steady = (spreads[0] * spreads[1]).sqrt() * steady;
        let turn = polar3(&(relation + self.turn * steady)).rotation;
        let scale = if spreads[0] > 0.0 { (spreads[1] / spreads[0]).sqrt() } else { 1.0 };
        Near { turn, scale, middles }
    }
}

impl Near {
    fn point(&self, p: &Vec3) -> Vec3 {
        self.middles[1] + self.turn * (p - self.middles[0]) * self.scale
    }
}
