//! A set that was made for another body under the skin of this one: which muscles reach out of it, and what brings
//! them inside.

use super::Rig;
use super::belly::{Course, DEEPER, Shape, UNDER, from_to};
use super::flesh::{Flesh, Spot};
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::{Affine, Real, Vec3};
use sinew_muscle::{Frames, Model};
use sinew_scene::muscles::{MuscleElement, MuscleSet};
use sinew_scene::strand::values::Triple;
use std::collections::{HashMap, HashSet};

/// A muscle that reaches out of the skin at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Outside {
    /// Its name.
    pub muscle: String,
    /// How far its farthest vertex is from the skin, in metres.
    pub distance: Real,
}

/// A muscle that passes through the skin by no more than this fraction of its radius only touches it.
const TOUCHES: Real = 0.01;

/// The muscles of a set that reach out of the skin at rest. Rig and skin are in the space of the set.
pub fn outside(set: &MuscleSet, rig: &Rig, skin: &Mesh) -> Result<Vec<Outside>> {
    let space = set.units()?;
    let positions = skin.positions.iter().map(|p| space.point_in(*p)).collect();
    let flesh = Flesh::new(&Mesh { positions, ..skin.clone() })?;
    let rest: Vec<Affine> = rig.rest.iter().map(|joint| space.affine_in(joint)).collect();
    let model = Model::new(set.parts(rig.names)?.parts, &rest, Frames::Stable)?;
    let mut found = Vec::new();
    for (k, muscle) in model.parts().muscles.iter().enumerate() {
        let out = model.vertices_of(k).map(|vertex| -flesh.clearance(&model.points()[vertex]));
        let distance = out.fold(0.0, Real::max);
        if distance > TOUCHES * muscle.size {
            found.push(Outside { muscle: muscle.name.clone(), distance });
        }
    }
    Ok(found)
}

/// Brings the muscles that reach out of the skin inside: their ends are pulled towards their joints, their middles
/// towards the line between these or the middle of the flesh, and their sizes reduced. The others stay as they are;
/// sheets and heads of which some are changed become single muscles. Rig and skin are in the space of the set. Returns
/// what was changed and what still reaches out, one sentence each.
pub fn refit(set: &mut MuscleSet, rig: &Rig, skin: &Mesh) -> Result<Vec<String>> {
    let found = outside(set, rig, skin)?;
    let known: HashMap<&str, Real> = found.iter().map(|o| (o.muscle.as_str(), o.distance)).collect();
    let flesh = Flesh::new(skin)?;
    let (mut reported, mut hopeless) = (Vec::new(), HashSet::new());
    let mut muscles = Vec::new();
    for e in std::mem::take(&mut set.muscles) {
        if !e.names().iter().any(|name| known.contains_key(name.as_str())) {
            muscles.push(e);
            continue;
        }
        for single in e.singles() {
            let Some(distance) = known.get(single.name.as_str()) else {
                muscles.push(single);
                continue;
            };
            let fitted = under_skin(&single, rig, &flesh);
            reported.push(sentence(&single, *distance, fitted.as_ref()));
            if fitted.is_none() {
                hopeless.insert(single.name.0.clone());
            }
            muscles.push(fitted.unwrap_or(single));
        }
    }
    set.muscles = muscles;
    // Sculpted vertices are moved along with their rings, not inwards.
    let still = outside(set, rig, skin)?;
    reported.extend(still.iter().filter(|o| !hopeless.contains(&o.muscle)).map(Outside::sentence));
    Ok(reported)
}

fn sentence(before: &MuscleElement, distance: Real, after: Option<&MuscleElement>) -> String {
    let name = &before.name;
    let out = format!("muscle {name}: it reached {} out of the skin", millimetres(distance));
    match after {
        None => format!("{out} and still does: there is no room for it, even close to its joints"),
        Some(after) if after.size < before.size => {
            format!("{out}; its radius was reduced {}", from_to(before.size, after.size))
        }
        Some(_) => format!("{out} and was pulled in"),
    }
}

impl Outside {
    /// As a warning.
    pub fn sentence(&self) -> String {
        format!("muscle {}: it reaches {} out of the skin", self.muscle, millimetres(self.distance))
    }
}

fn millimetres(distance: Real) -> String {
    format!("{:.1} mm", 1000.0 * distance)
}

/// A muscle moved and thinned until it lies under the skin; `None` if that cannot be done.
fn under_skin(e: &MuscleElement, rig: &Rig, flesh: &Flesh) -> Option<MuscleElement> {
    let joints = [rig.find(&e.origin_joint)?, rig.find(&e.insertion_joint)?];
    let feet = joints.map(|joint| rig.position(joint));
    let pulled = |end: Vec3, foot: &Vec3| flesh.pull_in(&end, foot, UNDER * (end - foot).norm());
    let (origin, _) = pulled(e.origin.vec(), &feet[0])?;
    let (insertion, _) = pulled(e.insertion.vec(), &feet[1])?;
    let shape = Shape { rings: e.rings, taper: e.taper };
    let fitted = DEEPER.iter().find_map(|&deeper| {
        let ends = [origin.lerp(&feet[0], deeper), insertion.lerp(&feet[1], deeper)];
        // The curve passes half way between the middle of its chord and its control point.
        let point = (ends[0] + ends[1]) * 0.5 + e.middle.vec() * 0.5;
        // The line between two joints leaves the body where other joints lie between them, as from the hips to a knee.
        [Some(closest(&feet, &point)), flesh.core(&point)].into_iter().flatten().find_map(|foot| {
            let belly = Spot { joint: joints[0], point, foot, depth: (point - foot).norm() };
            shape.fit(flesh, &[Course { ends, belly, wanted: e.size }])?.pop()
        })
    })?;
    let [origin, control, insertion] = fitted.curve.points;
    let triple = |v: Vec3| Triple(v.into());
    Some(MuscleElement {
        origin: triple(origin),
        insertion: triple(insertion),
        middle: triple(control - (origin + insertion) * 0.5),
        size: fitted.size,
        taper: fitted.taper,
        ..e.clone()
    })
}

/// The point of the line between two joints that is closest to another.
fn closest([from, to]: &[Vec3; 2], point: &Vec3) -> Vec3 {
    let along = to - from;
    let fraction = (point - from).dot(&along) / along.norm_squared().max(Real::MIN_POSITIVE);
    from + along * fraction.clamp(0.0, 1.0)
}
