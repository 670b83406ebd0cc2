//! A plan on a rig and its skin: places become points, sizes are reduced until the bellies stay under the skin.

use super::Rig;
use super::belly::{Belly, DEEPER, Shape, UNDER, from_to, through};
use super::bones::{Axes, Frame};
use super::flesh::{Flesh, Spot};
use super::naming::{Naming, on_side, sides};
use super::strips::{Attachment, Strip, strips};
use super::tissue::{fat_mass, flesh_mass, spring};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Real, Vec3};
use sinew_muscle::Spring;
use sinew_scene::Version;
use sinew_scene::muscles::plan::{MusclePlan, Pair, PlanBone, PlanPad, SizeOf};
use sinew_scene::muscles::{BoneElement, MuscleElement, MuscleSet, PadElement, check_count, line_of};
use sinew_scene::schema::Line;
use sinew_scene::strand::values::Triple;

/// A fitted set.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The set, in the rig's unit.
    pub set: MuscleSet,
    /// What was left out or changed, one sentence each.
    pub warnings: Vec<String>,
}

/// A belly that becomes thinner than this fraction of the plan's is reported.
const THIN: Real = 0.4;

struct Fit<'a> {
    axes: Axes,
    naming: Naming,
    rig: &'a Rig<'a>,
    flesh: Flesh,
    /// The length of a unit.
    metres: Real,
    warnings: Vec<String>,
}

/// The muscles of a plan on a rig and its skin, one unit of which has so many metres. What cannot be placed is left out
/// with a warning.
pub fn fit(plan: &MusclePlan, rig: &Rig, skin: &Mesh, metres: Real, control: &Control) -> Result<Fitted> {
    let naming = Naming::new(plan, rig);
    let axes = Axes::new(plan, &naming, rig)?;
    let warnings = naming.doubts.clone();
    let mut fit = Fit { axes, naming, rig, flesh: Flesh::new(skin)?, metres, warnings };
    let mut set = MuscleSet {
        version: Version,
        space: None,
        muscles: Vec::new(),
        pads: Vec::new(),
        bones: Vec::new(),
        line: Line(0),
    };
    for (done, muscle) in plan.muscles.iter().enumerate() {
        control.progress(done as Real / plan.muscles.len() as Real, "placing the muscles")?;
        if let Err(error) = check_count(muscle.count) {
            let place = line_of(muscle.line).map_or(String::new(), |line| format!(" (line {line})"));
            fit.warnings.push(format!("muscle {}{place} is left out: {}", muscle.name, error.message()));
            continue;
        }
        for &mirrored in sides(muscle.side) {
            for strip in strips(muscle, mirrored) {
                let made = fit.muscle(&strip);
                set.muscles.extend(fit.kept("muscle", &strip.name, made));
            }
        }
    }
    for pad in &plan.pads {
        for &mirrored in sides(pad.side) {
            let made = fit.pad(pad, mirrored);
            set.pads.extend(fit.kept("pad", &on_side(&pad.name, mirrored), made));
        }
    }
    for bone in &plan.bones {
        for &mirrored in sides(bone.side) {
            let made = fit.bone(bone, mirrored);
            set.bones.extend(fit.kept("bone", &on_side(&bone.name, mirrored), made));
        }
    }
    Ok(Fitted { set, warnings: fit.warnings })
}

impl Fit<'_> {
    fn kept<T>(&mut self, what: &str, name: &str, made: Result<T>) -> Option<T> {
        made.map_err(|error| self.warnings.push(format!("{what} {name} is left out: {}", error.message())))
            .ok()
    }

    fn frame(&self, pair: &Pair, mirrored: bool) -> Result<Frame> {
        self.axes.frame(pair, mirrored, &self.naming, self.rig)
    }

    /// A place, moved under the skin, with the joint that carries it.
    fn attach(&mut self, strip: &Strip, at: &Attachment, what: &str) -> Result<Spot> {
        let mut spot = self.flesh.spot(&self.frame(at.bone, strip.mirrored)?, at.place)?;
        if let Some(joint) = at.joint {
            spot.joint = self.naming.joint(&on_side(joint, strip.mirrored))?;
        }
        let Some((point, was_outside)) = self.flesh.pull_in(&spot.point, &spot.foot, UNDER * spot.depth)
        else {
            return Err(Error::new(Kind::Degenerate, format!("its {what} lies outside the skin")));
        };
        if was_outside {
            let reported =
                format!("muscle {}: its {what} lay outside the skin and was pulled in", strip.name);
            self.warnings.push(reported);
        }
        Ok(Spot { point, ..spot })
    }

    fn muscle(&mut self, strip: &Strip) -> Result<MuscleElement> {
        let origin = self.attach(strip, &strip.origin, "origin")?;
        let insertion = self.attach(strip, &strip.insertion, "insertion")?;
        let middle_joint = match &strip.plan.middle_joint {
            Some(joint) => Some(self.naming.joint(&on_side(joint, strip.mirrored))?),
            None => None,
        };
        let belly = match &strip.middle {
            Some(at) => self.flesh.spot(&self.frame(at.bone, strip.mirrored)?, at.place)?,
            None => self.beside_bone(strip, &((origin.point + insertion.point) * 0.5))?,
        };
        let ends = [origin.point, insertion.point];
        let wanted = strip.size
            * match strip.plan.size_of {
                SizeOf::Flesh => belly.depth,
                SizeOf::Length => through(ends, &belly.point).arc_length(),
            };
        let shape = Shape { rings: strip.plan.rings, taper: strip.plan.taper, wanted };
        let placed = DEEPER.iter().find_map(|&deeper| {
            let origin = origin.towards(&origin.foot, deeper);
            let insertion = insertion.towards(&self.rig.position(insertion.joint), deeper);
            let fitted = shape.fit(&self.flesh, [origin.point, insertion.point], &belly)?;
            Some((fitted, [origin, insertion], deeper > 0.0))
        });
        let Some((fitted, ends, deeper)) = placed else {
            return Err(Error::new(Kind::Degenerate, "it lies outside the skin, even close to its bone"));
        };
        if fitted.moved || deeper {
            self.warnings
                .push(format!("muscle {}: it passed outside the skin and was pulled in", strip.name));
        } else if fitted.size < THIN * wanted {
            self.warnings.push(format!(
                "muscle {}: its radius was reduced {} to stay under the skin",
                strip.name,
                from_to(wanted, fitted.size)
            ));
        }
        let middle_joint = middle_joint.map(|joint| self.rig.names[joint].clone());
        Ok(MuscleElement { middle_joint, ..self.element(strip, &ends, &fitted, &belly)? })
    }

    /// The belly of a straight muscle: beside the closer one of its bones.
    fn beside_bone(&self, strip: &Strip, point: &Vec3) -> Result<Spot> {
        let mut closest: Option<Spot> = None;
        for at in [&strip.origin, &strip.insertion] {
            let frame = self.frame(at.bone, strip.mirrored)?;
            let foot = frame.axis(frame.fraction(point).clamp(0.0, 1.0));
            let away = point - foot;
            if closest.is_none_or(|spot| away.norm() < (point - spot.foot).norm()) {
                let depth = match away.try_normalize(0.0) {
                    Some(direction) => self.flesh.depth(&frame, &foot, &direction)?,
                    None => self.flesh.around(&frame, &foot)?,
                };
                closest = Some(Spot { joint: frame.joint, point: *point, foot, depth });
            }
        }
        closest.ok_or_else(|| Error::new(Kind::Internal, "a muscle without bones"))
    }

    fn element(
        &self,
        strip: &Strip,
        ends: &[Spot; 2],
        fitted: &Belly,
        belly: &Spot,
    ) -> Result<MuscleElement> {
        let plan = strip.plan;
        let mass = plan.mass.unwrap_or_else(|| flesh_mass(fitted, self.metres));
        let Spring { mass, stiffness, damping } = spring(mass, plan.stiffness, plan.frequency, plan.damping)?;
        let [origin, insertion] = ends;
        let middle = fitted.curve.points[1] - (origin.point + insertion.point) * 0.5;
        let chord = (insertion.point - origin.point).normalize();
        let outwards = belly.point - belly.foot;
        let up = (outwards - chord * chord.dot(&outwards)).try_normalize(1e-3 * belly.depth);
        Ok(MuscleElement {
            name: strip.name.clone().into(),
            origin_joint: self.rig.names[origin.joint].clone(),
            origin: rounded(&origin.point),
            origin_to: None,
            insertion_joint: self.rig.names[insertion.joint].clone(),
            insertion: rounded(&insertion.point),
            insertion_to: None,
            count: 1,
            middle: rounded(&middle),
            middle_joint: None,
            up: up.map(|up| rounded(&up)),
            rings: plan.rings,
            divisions: plan.divisions,
            size: round(fitted.size),
            taper: round(fitted.taper),
            girth: 1.0,
            weight: 1.0,
            bulge: plan.bulge,
            stretch_ratio: plan.stretch_ratio,
            swell: plan.swell,
            flex: plan.flex,
            limb: plan.limb.map(|limb| if strip.mirrored { limb.mirrored() } else { limb }),
            mass,
            stiffness,
            damping,
            heads: Vec::new(),
            offsets: Vec::new(),
            line: Line(0),
        })
    }

    fn pad(&self, pad: &PlanPad, mirrored: bool) -> Result<PadElement> {
        let spot = self.flesh.spot(&self.frame(&pad.bone, mirrored)?, pad.centre.into())?;
        let joint = match &pad.joint {
            Some(joint) => self.naming.joint(&on_side(joint, mirrored))?,
            None => spot.joint,
        };
        let radius = pad.radius * spot.depth;
        let mass = pad.mass.unwrap_or_else(|| fat_mass(radius, self.metres));
        let Spring { mass, stiffness, damping } = spring(mass, pad.stiffness, pad.frequency, pad.damping)?;
        Ok(PadElement {
            name: on_side(&pad.name, mirrored).into(),
            joint: self.rig.names[joint].clone(),
            centre: rounded(&spot.point),
            radius: round(radius),
            mass,
            stiffness,
            damping,
            line: Line(0),
        })
    }

    fn bone(&self, bone: &PlanBone, mirrored: bool) -> Result<BoneElement> {
        let frame = self.frame(&bone.bone, mirrored)?;
        let [from, to] =
            [self.flesh.spot(&frame, bone.from.into())?, self.flesh.spot(&frame, bone.to.into())?];
        let usual = self.flesh.around(&frame, &((from.foot + to.foot) * 0.5))?;
        Ok(BoneElement {
            name: on_side(&bone.name, mirrored).into(),
            joint: self.rig.names[from.joint].clone(),
            from: rounded(&from.point),
            to: rounded(&to.point),
            radius: round(bone.radius * usual),
            line: Line(0),
        })
    }
}

/// Rounds to six decimals: a micrometre if the unit is a metre.
fn round(x: Real) -> Real {
    (x * 1e6).round() / 1e6
}

fn rounded(v: &Vec3) -> Triple {
    Triple((*v).map(round).into())
}
