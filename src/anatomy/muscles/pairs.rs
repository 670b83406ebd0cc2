//! Muscles of both sides, decided together: where a body is alike on both sides, they both fit or are both left out.
//!
//! Skins that look symmetric hardly ever are: quads are split along other diagonals, an arm was sculpted by hand. What
//! is decided in steps (where a ray from the bone meets skin, how far a belly goes inwards) must not tip over on one
//! side alone.

use super::belly::{Belly, Course, DEEPER, Shape, UNDER, through};
use super::bones::Frame;
use super::fit::Fit;
use super::flesh::Spot;
use super::naming::on_side;
use super::placed::Placed;
use super::strips::{Attachment, Strip};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use sinew_scene::muscles::plan::{Pair, SizeOf};

/// Measures of both sides that differ by less than this fraction are alike.
const ALIKE: Real = 0.1;

/// A place of one side is another place than that of the other side if they differ by more than this fraction of the
/// flesh's depth.
const ELSEWHERE: Real = 0.1;

/// Thinner than this fraction of what is wanted, a muscle would be a wire.
const WIRE: Real = 0.08;

/// What a mirrored end must be under the skin, as a fraction of what the others are.
const MIRRORED_UNDER: Real = 0.5;

/// Where a muscle shall be, before it is known how much room it has.
struct Planned<'a> {
    ends: [Spot; 2],
    belly: Spot,
    middle_joint: Option<usize>,
    /// The bones of its ends and of its belly.
    bones: [&'a Pair; 3],
    /// Which ends lay outside the skin.
    was_outside: [bool; 2],
}

impl Planned<'_> {
    fn wanted(&self, strip: &Strip) -> Real {
        let ends = self.ends.map(|end| end.point);
        let measure = match strip.plan.size_of {
            SizeOf::Flesh => self.belly.depth,
            SizeOf::Length => through(ends, &self.belly.point).arc_length(),
        };
        strip.size * measure
    }

    fn length(&self) -> Real {
        (self.ends[0].point - self.ends[1].point).norm()
    }

    fn spots(&self) -> [Spot; 3] {
        [self.ends[0], self.ends[1], self.belly]
    }
}

/// Whether two measures are alike.
fn alike(a: Real, b: Real) -> bool {
    (a - b).abs() <= ALIKE * a.abs().max(b.abs())
}

/// The same place on the other side's bone.
fn across(spot: &Spot, [own, other]: [&Frame; 2], joint: usize) -> Spot {
    Spot {
        joint,
        point: own.carry(&spot.point, other),
        foot: own.carry(&spot.foot, other),
        depth: spot.depth,
    }
}

impl Fit<'_> {
    /// A muscle on one side of the body or on both.
    pub fn place(&self, strips: &[&Strip]) -> Vec<Result<Placed>> {
        let mut planned: Vec<Result<Planned>> = strips.iter().map(|strip| self.plan(strip)).collect();
        if let [left, right] = strips[..]
            && self.are_bones_alike([left, right])
        {
            self.agree(&mut planned, [left, right]);
            if let [Ok(a), Ok(b)] = &planned[..]
                && alike(a.length(), b.length())
            {
                return self.together(&[a, b], strips);
            }
        }
        planned.into_iter().zip(strips).map(|(planned, strip)| self.alone(strip, planned)).collect()
    }

    fn alone(&self, strip: &Strip, planned: Result<Planned>) -> Result<Placed> {
        let placed = self.room(&[&planned?], &[strip]);
        placed.and_then(|placed| placed.into_iter().next()).ok_or_else(no_room)
    }

    /// Muscles that are alike: both, or none.
    fn together(&self, planned: &[&Planned; 2], strips: &[&Strip]) -> Vec<Result<Placed>> {
        if let Some(placed) = self.room(planned, strips) {
            return placed.into_iter().map(Ok).collect();
        }
        let fits = |k: usize| self.room(&planned[k..=k], &strips[k..=k]).is_some();
        let why = |k: usize| match fits(k) {
            true => Error::new(
                Kind::Degenerate,
                format!("so is {}, for which there is no room, and both sides are alike", strips[1 - k].name),
            ),
            false => no_room(),
        };
        vec![Err(why(0)), Err(why(1))]
    }

    /// The closest courses with room for the bellies, by the same decisions for all.
    fn room(&self, planned: &[&Planned], strips: &[&Strip]) -> Option<Vec<Placed>> {
        let plan = strips.first()?.plan;
        let shape = Shape { rings: plan.rings, taper: plan.taper };
        DEEPER.iter().find_map(|&deeper| {
            let ends: Vec<[Spot; 2]> = planned
                .iter()
                .map(|planned| {
                    let [origin, insertion] = planned.ends;
                    let carried = self.rig.position(insertion.joint);
                    [origin.towards(&origin.foot, deeper), insertion.towards(&carried, deeper)]
                })
                .collect();
            let course = |k: usize| Course {
                ends: ends[k].map(|end| end.point),
                belly: planned[k].belly,
                wanted: planned[k].wanted(strips[k]),
            };
            let courses: Vec<Course> = (0..planned.len()).map(course).collect();
            let fitted = shape.fit(&self.flesh, &courses)?;
            let is_wire = |(belly, course): (&Belly, &Course)| belly.size < WIRE * course.wanted;
            if fitted.iter().zip(&courses).any(is_wire) {
                return None;
            }
            let placed = |(k, fitted): (usize, Belly)| Placed {
                fitted,
                ends: ends[k],
                belly: planned[k].belly,
                middle_joint: planned[k].middle_joint,
                wanted: courses[k].wanted,
                was_outside: planned[k].was_outside,
                deeper: deeper > 0.0,
            };
            Some(fitted.into_iter().enumerate().map(placed).collect())
        })
    }

    /// Whether the bones of a muscle are as long, and have as much flesh around them, on both sides.
    fn are_bones_alike(&self, strips: [&Strip; 2]) -> bool {
        let bones = |strip: &Strip| -> Result<Vec<[Real; 2]>> {
            let middle = strip.middle.as_ref().map(|at| at.bone);
            [strip.origin.bone, strip.insertion.bone]
                .into_iter()
                .chain(middle)
                .map(|bone| {
                    let frame = self.frame(bone, strip.mirrored)?;
                    Ok([frame.bone.norm(), self.flesh.around(&frame, &frame.axis(0.5))?])
                })
                .collect()
        };
        let (Ok(left), Ok(right)) = (bones(strips[0]), bones(strips[1])) else { return false };
        left.iter().flatten().zip(right.iter().flatten()).all(|(a, b)| alike(*a, *b))
    }

    /// Where only one side can be planned, or a place tipped over to somewhere else, both sides get the one that is
    /// less deep, if it lies inside the other as well.
    fn agree(&self, planned: &mut [Result<Planned>], strips: [&Strip; 2]) {
        let mirrored =
            [0, 1].map(|own| planned[own].as_ref().ok().and_then(|p| self.mirrored(p, strips[1 - own])));
        let [of_left, of_right] = mirrored;
        match (&planned[0], &planned[1]) {
            (Ok(left), Ok(right)) => {
                let Some(across) = &of_left else { return };
                let is_elsewhere = |(a, b): (Spot, Spot)| {
                    (a.point - b.point).norm() > ELSEWHERE * a.depth.min(b.depth) || !alike(a.depth, b.depth)
                };
                if !across.spots().into_iter().zip(right.spots()).any(is_elsewhere) {
                    return;
                }
                let depth = |p: &Planned| p.spots().iter().map(|spot| spot.depth).sum::<Real>();
                let from_left = depth(left) <= depth(right);
                match (from_left, of_left, of_right) {
                    (true, Some(mirrored), _) => planned[1] = Ok(mirrored),
                    (false, _, Some(mirrored)) => planned[0] = Ok(mirrored),
                    _ => {}
                }
            }
            (Ok(_), Err(error)) => planned[1] = of_left.ok_or_else(|| error.clone()),
            (Err(error), Ok(_)) => planned[0] = of_right.ok_or_else(|| error.clone()),
            (Err(_), Err(_)) => {}
        }
        // Neither side has what the skin denies the other. Joints that a side lacks are its own matter.
        if let [Ok(_), Err(error)] | [Err(error), Ok(_)] = &planned[..]
            && error.kind() == Kind::Degenerate
        {
            let lacks = if planned[0].is_err() { 0 } else { 1 };
            let why = format!("so is that of the other side ({}), and both sides are alike", error.message());
            planned[1 - lacks] = Err(Error::new(Kind::Degenerate, why));
        }
    }

    /// A muscle of the other side, mirrored; `None` where that is outside the skin.
    fn mirrored<'a>(&self, of: &Planned<'a>, strip: &Strip) -> Option<Planned<'a>> {
        let pairs = |mirrored: bool| -> Result<[Frame; 3]> {
            let [a, b, c] = of.bones.map(|bone| self.frame(bone, mirrored));
            Ok([a?, b?, c?])
        };
        let (own, other) = (pairs(!strip.mirrored).ok()?, pairs(strip.mirrored).ok()?);
        let [origin, insertion, belly] = of.spots();
        let joint = |at: &Attachment, frame: &Frame| self.carrier(at, frame, strip.mirrored).ok();
        let ends = [
            across(&origin, [&own[0], &other[0]], joint(&strip.origin, &other[0])?),
            across(&insertion, [&own[1], &other[1]], joint(&strip.insertion, &other[1])?),
        ];
        let is_under = |end: &Spot| self.flesh.clearance(&end.point) >= MIRRORED_UNDER * UNDER * end.depth;
        let mirrored = Planned {
            ends,
            belly: across(&belly, [&own[2], &other[2]], other[2].joint),
            middle_joint: self.middle_joint(strip).ok()?,
            bones: of.bones,
            was_outside: of.was_outside,
        };
        ends.iter().all(is_under).then_some(mirrored)
    }

    /// Where a muscle shall be.
    fn plan<'a>(&self, strip: &Strip<'a>) -> Result<Planned<'a>> {
        let (origin, origin_was) = self.attach(strip, &strip.origin, "origin")?;
        let (insertion, insertion_was) = self.attach(strip, &strip.insertion, "insertion")?;
        let (belly, bone) = match &strip.middle {
            Some(at) => (self.flesh.spot(&self.frame(at.bone, strip.mirrored)?, at.place)?, at.bone),
            None => self.beside_bone(strip, &((origin.point + insertion.point) * 0.5))?,
        };
        if self.flesh.are_apart([origin.point, insertion.point]) {
            let apart =
                "its ends are in separate closed pieces of the skin, as those of a robot or of armour are";
            return Err(Error::new(Kind::Degenerate, apart));
        }
        Ok(Planned {
            ends: [origin, insertion],
            belly,
            middle_joint: self.middle_joint(strip)?,
            bones: [strip.origin.bone, strip.insertion.bone, bone],
            was_outside: [origin_was, insertion_was],
        })
    }

    fn middle_joint(&self, strip: &Strip) -> Result<Option<usize>> {
        let joint = strip.plan.middle_joint.as_deref();
        joint.map(|joint| self.naming.joint(&on_side(joint, strip.mirrored))).transpose()
    }

    fn carrier(&self, at: &Attachment, frame: &Frame, mirrored: bool) -> Result<usize> {
        at.joint.map_or(Ok(frame.joint), |joint| self.naming.joint(&on_side(joint, mirrored)))
    }

    /// A place, moved under the skin, with the joint that carries it; and whether it lay outside.
    fn attach(&self, strip: &Strip, at: &Attachment, what: &str) -> Result<(Spot, bool)> {
        let frame = self.frame(at.bone, strip.mirrored)?;
        let spot = self.flesh.spot(&frame, at.place)?;
        let joint = self.carrier(at, &frame, strip.mirrored)?;
        let Some((point, was_outside)) = self.flesh.pull_in(&spot.point, &spot.foot, UNDER * spot.depth)
        else {
            return Err(Error::new(Kind::Degenerate, format!("its {what} lies outside the skin")));
        };
        Ok((Spot { point, joint, ..spot }, was_outside))
    }

    /// The belly of a straight muscle, beside the closer one of its bones, and that bone.
    fn beside_bone<'a>(&self, strip: &Strip<'a>, point: &Vec3) -> Result<(Spot, &'a Pair)> {
        let mut closest: Option<(Spot, &Pair)> = None;
        for at in [&strip.origin, &strip.insertion] {
            let frame = self.frame(at.bone, strip.mirrored)?;
            let foot = frame.axis(frame.fraction(point).clamp(0.0, 1.0));
            let away = point - foot;
            if closest.is_none_or(|(spot, _)| away.norm() < (point - spot.foot).norm()) {
                let depth = match away.try_normalize(0.0) {
                    Some(direction) => self.flesh.depth(&frame, &foot, &direction)?,
                    None => self.flesh.around(&frame, &foot)?,
                };
                closest = Some((Spot { joint: frame.joint, point: *point, foot, depth }, at.bone));
            }
        }
        closest.ok_or_else(|| Error::new(Kind::Internal, "a muscle without bones"))
    }
}

fn no_room() -> Error {
    Error::new(Kind::Degenerate, "the skin leaves it no room, even close to its bone")
}
