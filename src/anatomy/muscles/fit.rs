//! A plan on a rig and its skin: places become points, sizes are reduced until the bellies stay under the skin.

use super::Rig;
use super::belly::from_to;
use super::bones::{Axes, Frame};
use super::flesh::Flesh;
use super::naming::{Naming, on_side, sides};
use super::placed::Placed;
use super::strips::{Strip, strips};
use super::tissue::{fat_mass, flesh_mass, spring};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Real, Vec3};
use sinew_muscle::Spring;
use sinew_scene::Version;
use sinew_scene::muscles::plan::{MusclePlan, Pair, PlanBone, PlanPad};
use sinew_scene::muscles::{
    BoneElement, LeftOut, MuscleElement, MuscleSet, PadElement, check_count, line_of, sentences,
};
use sinew_scene::schema::Line;
use sinew_scene::strand::values::Triple;
use std::collections::HashMap;

/// A fitted set.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The set, in the rig's unit.
    pub set: MuscleSet,
    /// What was left out or changed, one sentence each.
    pub warnings: Vec<String>,
}

/// Where more than this fraction of the muscles are refused, the rest of them are chance hits in armour.
const NO_BODY: Real = 0.5;

/// A belly that becomes thinner than this fraction of the plan's is reported.
const THIN: Real = 0.4;

pub(super) struct Fit<'a> {
    axes: Axes,
    pub naming: Naming,
    pub rig: &'a Rig<'a>,
    pub flesh: Flesh,
    /// The length of a unit.
    metres: Real,
    warnings: Vec<String>,
    /// What the skin does not allow.
    refused: Vec<LeftOut>,
    /// Why there is no flesh around a bone of a side, for the bones that were asked for.
    lacks: HashMap<([String; 2], bool), Option<String>>,
}

/// The muscles of a plan on a rig and its skin, one unit of which has so many metres. What cannot be placed is left out
/// with a warning.
pub fn fit(plan: &MusclePlan, rig: &Rig, skin: &Mesh, metres: Real, control: &Control) -> Result<Fitted> {
    let naming = Naming::new(plan, rig);
    let axes = Axes::new(plan, &naming, rig)?;
    let warnings = naming.doubts.clone();
    let mut fit = Fit {
        axes,
        naming,
        rig,
        flesh: Flesh::new(skin)?,
        metres,
        warnings,
        refused: Vec::new(),
        lacks: HashMap::new(),
    };
    let mut set = MuscleSet {
        version: Version,
        space: None,
        muscles: Vec::new(),
        pads: Vec::new(),
        bones: Vec::new(),
        line: Line(0),
    };
    let mut count = 0;
    for (done, muscle) in plan.muscles.iter().enumerate() {
        control.progress(done as Real / plan.muscles.len() as Real, "placing the muscles")?;
        if let Err(error) = check_count(muscle.count) {
            let place = line_of(muscle.line).map_or(String::new(), |line| format!(" (line {line})"));
            fit.warnings.push(format!("muscle {}{place} is left out: {}", muscle.name, error.message()));
            continue;
        }
        let on_sides: Vec<Vec<Strip>> = sides(muscle.side).iter().map(|&side| strips(muscle, side)).collect();
        let mut kept: Vec<Vec<MuscleElement>> = vec![Vec::new(); on_sides.len()];
        for k in 0..on_sides[0].len() {
            let pair: Vec<&Strip> = on_sides.iter().map(|strips| &strips[k]).collect();
            count += pair.len();
            for (side, made) in fit.muscle(&pair).into_iter().enumerate() {
                kept[side].extend(fit.kept("muscle", &pair[side].name, made));
            }
        }
        set.muscles.extend(kept.into_iter().flatten());
    }
    if fit.is_no_body(count) {
        return Ok(Fitted { set: MuscleSet { muscles: Vec::new(), ..set }, warnings: fit.warnings });
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
    fit.warnings.extend(sentences(&fit.refused, None));
    Ok(Fitted { set, warnings: fit.warnings })
}

impl Fit<'_> {
    fn kept<T>(&mut self, what: &str, name: &str, made: Result<T>) -> Option<T> {
        made.map_err(|error| match error.kind() {
            // What the skin does not allow concerns whole limbs: one sentence for all of its parts.
            Kind::Degenerate => self.refused.push(LeftOut::new(what, name, Line(0), error.message())),
            _ => self.warnings.push(format!("{what} {name} is left out: {}", error.message())),
        })
        .ok()
    }

    /// Whether most of so many muscles were refused; that is then said once for all.
    fn is_no_body(&mut self, count: usize) -> bool {
        let is_none = self.refused.len() as Real > NO_BODY * count as Real;
        if is_none {
            let refused = self.refused.len();
            let alike = |why: &str| self.refused.iter().filter(|other| other.why() == why).count();
            let why = self.refused.iter().map(LeftOut::why).max_by_key(|why| alike(why)).unwrap_or_default();
            self.warnings.push(format!(
                "no muscles were placed: this skin is not that of a body, for {refused} of {count} muscles find no \
                 flesh in it; most often, {why}"
            ));
        }
        is_none
    }

    pub fn frame(&self, pair: &Pair, mirrored: bool) -> Result<Frame> {
        self.axes.frame(pair, mirrored, &self.naming, self.rig)
    }

    /// Why there is no flesh around a bone, if so.
    fn lack(&mut self, bone: &Pair, mirrored: bool) -> Option<String> {
        let frame = self.frame(bone, mirrored).ok()?;
        let known = self.lacks.entry((bone.0.clone(), mirrored));
        let why = known.or_insert_with(|| self.flesh.lack(&frame)).as_ref()?;
        let ends = bone.0.each_ref().map(|name| on_side(name, mirrored));
        Some(format!("there is no flesh around the bone from {} to {}: {why}", ends[0], ends[1]))
    }

    /// Refuses a muscle on bones without flesh.
    fn check_flesh(&mut self, strip: &Strip) -> Result<()> {
        let middle = strip.middle.as_ref().map(|at| at.bone);
        let mut bones = [strip.origin.bone, strip.insertion.bone].into_iter().chain(middle);
        let why = bones.find_map(|bone| self.lack(bone, strip.mirrored));
        why.map_or(Ok(()), |why| Err(Error::new(Kind::Degenerate, why)))
    }

    /// A muscle on one side of the body or on both.
    fn muscle(&mut self, strips: &[&Strip]) -> Vec<Result<MuscleElement>> {
        let checked: Vec<Result<()>> = strips.iter().map(|strip| self.check_flesh(strip)).collect();
        let sound: Vec<&Strip> =
            strips.iter().zip(&checked).filter(|(_, ok)| ok.is_ok()).map(|(s, _)| *s).collect();
        let mut placed = self.place(&sound).into_iter();
        let mut made = |(strip, checked): (&&Strip, Result<()>)| {
            checked?;
            let internal = || Err(Error::new(Kind::Internal, "a muscle without a place"));
            let placed = placed.next().unwrap_or_else(internal)?;
            self.report(strip, &placed);
            self.element(strip, &placed)
        };
        strips.iter().zip(checked).map(&mut made).collect()
    }

    /// What was changed about a muscle.
    fn report(&mut self, strip: &Strip, placed: &Placed) {
        let ends = ["origin", "insertion"].into_iter().zip(placed.was_outside);
        for (what, _) in ends.filter(|(_, was_outside)| *was_outside) {
            let reported =
                format!("muscle {}: its {what} lay outside the skin and was pulled in", strip.name);
            self.warnings.push(reported);
        }
        let Placed { fitted, wanted, deeper, .. } = placed;
        if fitted.moved || *deeper {
            self.warnings
                .push(format!("muscle {}: it passed outside the skin and was pulled in", strip.name));
        } else if fitted.size < THIN * wanted {
            self.warnings.push(format!(
                "muscle {}: its radius was reduced {} to stay under the skin",
                strip.name,
                from_to(*wanted, fitted.size)
            ));
        }
    }

    fn element(&self, strip: &Strip, placed: &Placed) -> Result<MuscleElement> {
        let plan = strip.plan;
        let Placed { fitted, ends, belly, middle_joint, .. } = placed;
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
            middle_joint: middle_joint.map(|joint| self.rig.names[joint].clone()),
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
