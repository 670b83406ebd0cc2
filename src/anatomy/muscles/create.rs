//! A muscle from one joint to another.

use super::Rig;
use super::flesh::Flesh;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::elementary::{powf, sin};
use sinew_math::{Real, Vec3};
use sinew_muscle::curve::Curve;
use sinew_scene::muscles::{MuscleElement, MuscleSet};
use sinew_scene::schema::{Element, Tree};

/// What is wanted. By default it is straight, from joint to joint.
#[derive(Clone, Debug, Default)]
pub struct NewMuscle<'a> {
    /// Its name.
    pub name: &'a str,
    /// The joints of its origin and its insertion; case, separators, namespaces and the way a side is written do not
    /// matter.
    pub joints: [&'a str; 2],
    /// Where it begins and ends, if not at these joints.
    pub ends: [Option<Vec3>; 2],
    /// Its largest radius; by default as much as the skin leaves room for, or without a skin a tenth of the
    /// length.
    pub size: Option<Real>,
    /// The offset from the midpoint between its ends to the control point that bends it.
    pub middle: Vec3,
    /// Its shape, if not the default of the format.
    pub taper: Option<Real>,
}

/// The usual radius of a limb's muscle over its length.
const SLENDER: Real = 0.1;

/// The fraction of the distance to the skin that the muscle may fill.
const FILLED: Real = 0.9;

/// Adds a muscle to a set.
pub fn create(set: &mut MuscleSet, new: &NewMuscle, rig: &Rig, skin: Option<&Mesh>) -> Result<()> {
    if set.muscle_names().iter().any(|name| name == new.name) {
        return Err(Error::new(
            Kind::InvalidArgument,
            format!("the set already has a muscle {:?}", new.name),
        ));
    }
    for (what, number) in [("size", new.size), ("taper", new.taper)] {
        if let Some(number) = number.filter(|number| !(number.is_finite() && *number > 0.0)) {
            let message = format!("the {what} of {} is {number}; it must be positive", new.name);
            return Err(Error::new(Kind::OutOfRange, message));
        }
    }
    let joints = [rig.find_spoken(new.joints[0])?, rig.find_spoken(new.joints[1])?];
    let names = joints.map(|joint| rig.names[joint].as_str());
    let [origin, insertion] = [0, 1].map(|end| new.ends[end].unwrap_or_else(|| rig.position(joints[end])));
    let length = (insertion - origin).norm();
    if length == 0.0 {
        let message = format!("the ends on {} and {} coincide", names[0], names[1]);
        return Err(Error::new(Kind::Degenerate, message));
    }
    let size = match (new.size, skin) {
        (Some(size), _) => size,
        (None, Some(skin)) => {
            let control = (origin + insertion) * 0.5 + new.middle;
            let curve = Curve { points: [origin, control, insertion] };
            room(&Flesh::new(skin)?, &curve, new.taper.unwrap_or(1.0))?
        }
        (None, None) => SLENDER * length,
    };
    set.muscles.push(element(new, names, [origin, insertion], size)?);
    Ok(())
}

/// The radius for which the skin leaves room along the whole muscle.
fn room(flesh: &Flesh, curve: &Curve, taper: Real) -> Result<Real> {
    let room = (1..8).map(|k| {
        let u = Real::from(k) / 8.0;
        FILLED * flesh.clearance(&curve.at(u)) / powf(sin(std::f64::consts::PI * u), taper)
    });
    let size = room.fold(Real::INFINITY, Real::min);
    if size > 0.0 {
        return Ok(size);
    }
    Err(Error::new(Kind::Degenerate, "the curve between its ends leaves the skin; give a size"))
}

/// An element with the defaults of the format.
fn element(new: &NewMuscle, joints: [&str; 2], ends: [Vec3; 2], size: Real) -> Result<MuscleElement> {
    let words = |v: Vec3| format!("{} {} {}", v.x, v.y, v.z);
    let attributes = [
        ("name", new.name.to_string()),
        ("origin_joint", joints[0].to_string()),
        ("origin", words(ends[0])),
        ("insertion_joint", joints[1].to_string()),
        ("insertion", words(ends[1])),
        ("middle", words(new.middle)),
        ("size", size.to_string()),
    ];
    let taper = new.taper.map(|taper| ("taper", taper.to_string()));
    let attributes = attributes.into_iter().chain(taper);
    let attributes = attributes.map(|(name, value)| (name.to_string(), value)).collect();
    MuscleElement::from_tree(&Tree {
        name: MuscleElement::schema().name.into(),
        attributes,
        ..Tree::default()
    })
}
