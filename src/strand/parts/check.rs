//! Validation of a scene.

use super::all::Parts;
use super::body::{Body, Mode};
use super::goal::{Aim, Goal};
use super::joint::{Joint, Motion};
use super::muscle::{Belly, Hill, Muscle, Pull};
use super::plane::Lie;
use super::rule::{CurveShape, Rule};
use super::strand::{Carrier, Strand};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

impl Parts {
    /// Rejects parts that cannot be simulated, by name.
    pub(crate) fn check(&self) -> Result<()> {
        let parts = self;
        parts.bodies.iter().try_for_each(body)?;
        if !parts.velocities.is_empty() && parts.velocities.len() != parts.bodies.len() {
            let message = format!("{} velocities of {} bodies", parts.velocities.len(), parts.bodies.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        if !parts.turned.is_empty() && parts.turned.len() != parts.joints.len() {
            let message = format!("{} turns of {} joints", parts.turned.len(), parts.joints.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        for (body, velocity) in parts.bodies.iter().zip(&parts.velocities) {
            let numbers = velocity.angular.iter().chain(velocity.linear.iter()).copied().collect::<Vec<_>>();
            finite(&numbers, "body", &body.name)?;
        }
        for point in &parts.points {
            if let Carrier::Body(b) = point.carrier {
                index("body", b, parts.bodies.len(), "point", &point.name)?;
            }
            finite(point.place.as_slice(), "point", &point.name)?;
        }
        parts.strands.iter().try_for_each(|s| strand(parts, s))?;
        (0..parts.joints.len()).try_for_each(|j| joint(parts, j))?;
        curves_and_planes(parts)?;
        parts.rules.iter().try_for_each(|r| rule(parts, r))?;
        (0..parts.muscles.len()).try_for_each(|m| muscle(parts, m))?;
        for contact in &parts.contacts {
            let (what, name) = ("contact", contact.name.as_str());
            contact.bodies.iter().try_for_each(|&b| index("body", b, parts.bodies.len(), what, name))?;
            if contact.bodies[0] == contact.bodies[1] {
                return refuse(Kind::Topology, what, name, "is between a body and itself");
            }
            if contact.bodies.iter().any(|&b| parts.bodies[b].solid.is_none()) {
                return refuse(Kind::MissingInput, what, name, "involves a body that has no shape");
            }
            if !(contact.friction >= 0.0 && contact.friction.is_finite()) {
                return refuse(Kind::OutOfRange, what, name, "has a friction that is negative or not finite");
            }
        }
        held(parts)
    }
}

fn muscle(parts: &Parts, m: usize) -> Result<()> {
    let muscle = &parts.muscles[m];
    let (what, name, strength) = ("muscle", muscle.name.as_str(), muscle.strength);
    match &muscle.pull {
        Pull::Curve { point, curve, belly } => {
            index("point", *point, parts.points.len(), what, name)?;
            index("curve", *curve, parts.curves.len(), what, name)?;
            spring_muscle(muscle, belly)?;
        }
        Pull::Reel { strand, end, belly } => {
            index("strand", *strand, parts.strands.len(), what, name)?;
            let strand = &parts.strands[*strand];
            if strand.nodes[end.node(strand)].mode != Mode::Free {
                return refuse(Kind::Degenerate, what, name, "is at an end through which no material slides");
            }
            spring_muscle(muscle, belly)?;
            if belly.damping <= 0.0 {
                // A slack strand would run through it forever.
                let text = "has no damping: its strand would run off while it does not pull";
                return refuse(Kind::OutOfRange, what, name, text);
            }
        }
        Pull::Segment(hill) => {
            index("strand", hill.strand, parts.strands.len(), what, name)?;
            index("segment", hill.segment, parts.strands[hill.strand].nodes.len() - 1, what, name)?;
            if !has_ends(hill, parts) {
                return refuse(Kind::Degenerate, what, name, "has an end through which material slides");
            }
            let taken = |other: &Muscle| match &other.pull {
                Pull::Segment(other) => (other.strand, other.segment) == (hill.strand, hill.segment),
                Pull::Curve { .. } | Pull::Reel { .. } => false,
            };
            if parts.muscles[..m].iter().any(taken) {
                return refuse(Kind::Topology, what, name, "is on a segment that is already a muscle");
            }
            finite(&[strength, hill.optimal, hill.speed], what, name)?;
            if strength < 0.0 || hill.optimal <= 0.0 || hill.speed <= 0.0 {
                return refuse(
                    Kind::OutOfRange,
                    what,
                    name,
                    "has a negative strength, or a length or speed that is not positive",
                );
            }
        }
    }
    Ok(())
}

/// Whether the segment of a muscle exists, and its ends carry their material.
fn has_ends(hill: &Hill, parts: &Parts) -> bool {
    let nodes = parts.strands.get(hill.strand).map_or(&[][..], |strand| &strand.nodes);
    let ends = nodes.get(hill.segment..).and_then(|nodes| nodes.get(..2));
    ends.is_some_and(|ends| ends.iter().all(|node| node.mode != Mode::Free))
}

fn spring_muscle(muscle: &Muscle, belly: &Belly) -> Result<()> {
    let Belly { stiffness, rest, damping, fading } = *belly;
    let (what, name, strength) = ("muscle", muscle.name.as_str(), muscle.strength);
    finite(&[strength, stiffness, rest, damping, fading], what, name)?;
    if [strength, stiffness, damping, fading].iter().any(|n| *n < 0.0) {
        let text = "has a negative strength, stiffness, damping or fading";
        return refuse(Kind::OutOfRange, what, name, text);
    }
    Ok(())
}

fn refuse(kind: Kind, what: &str, name: &str, text: &str) -> Result<()> {
    Err(Error::new(kind, format!("{what} \"{name}\" {text}")))
}

fn index(of: &str, k: usize, count: usize, what: &str, name: &str) -> Result<()> {
    if k < count {
        return Ok(());
    }
    refuse(Kind::NotFound, what, name, &format!("names {of} {k}, but there are only {count}, counted from 0"))
}

fn finite(numbers: &[Real], what: &str, name: &str) -> Result<()> {
    if numbers.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    refuse(Kind::NotFinite, what, name, "has a number that is not finite")
}

/// The radius in m of the ball that is proposed in place of a point mass.
const POINT_MASS: Real = 0.01;

fn body(body: &Body) -> Result<()> {
    let (what, name) = ("body", body.name.as_str());
    let place = &body.place;
    finite(place.origin.as_slice(), what, name)?;
    finite(place.rotation.coords.as_slice(), what, name)?;
    if body.mode == Mode::Removed {
        return Ok(());
    }
    let m = body.moments;
    if !(body.mass > 0.0 && body.mass.is_finite()) {
        return refuse(Kind::OutOfRange, what, name, "has no mass");
    }
    if !m.iter().all(|m| *m > 0.0 && m.is_finite()) {
        let ball = 0.4 * body.mass * POINT_MASS * POINT_MASS;
        let text = format!(
            "has no moment of inertia: for a point mass, which strands hold at its centre, any will do, such as \
             {ball:.1e} kg m^2, those of a ball of a radius of 1 cm"
        );
        return refuse(Kind::OutOfRange, what, name, &text);
    }
    // In a real shape, no moment of inertia exceeds the sum of the two others.
    let most = 1.0 + 1e-9;
    if m.x > (m.y + m.z) * most || m.y > (m.x + m.z) * most || m.z > (m.x + m.y) * most {
        return refuse(Kind::OutOfRange, what, name, "has moments of inertia that no shape can have");
    }
    Ok(())
}

fn strand(parts: &Parts, strand: &Strand) -> Result<()> {
    let (what, name) = ("strand", strand.name.as_str());
    let fibre = &strand.fibre;
    if strand.nodes.len() < 2 {
        return refuse(Kind::Degenerate, what, name, "has fewer than two nodes");
    }
    finite(&[fibre.stiffness, fibre.line_density, fibre.axial_damping, fibre.lateral_damping], what, name)?;
    if !(fibre.stiffness > 0.0 && fibre.line_density > 0.0) {
        return refuse(Kind::OutOfRange, what, name, "has no stiffness or no density");
    }
    if fibre.axial_damping < 0.0 || fibre.lateral_damping < 0.0 {
        return refuse(Kind::OutOfRange, what, name, "has a negative damping");
    }
    for (k, node) in strand.nodes.iter().enumerate() {
        index("point", node.point, parts.points.len(), what, name)?;
        finite(&[node.material], what, name)?;
        if k == 0 {
            continue;
        }
        let before = &strand.nodes[k - 1];
        if node.material <= before.material {
            let text = format!("has no material between its nodes {} and {k}", k - 1);
            return refuse(Kind::Degenerate, what, name, &text);
        }
        let apart = (parts.points[node.point].place - parts.points[before.point].place).norm();
        if apart <= 1e-9 * (node.material - before.material) {
            let text = format!("has its nodes {} and {k} at the same place", k - 1);
            return refuse(Kind::Degenerate, what, name, &text);
        }
    }
    Ok(())
}

fn joint(parts: &Parts, j: usize) -> Result<()> {
    let joint = &parts.joints[j];
    let (what, name, count) = ("joint", joint.name.as_str(), parts.bodies.len());
    index("body", joint.child, count, what, name)?;
    if let Some(parent) = joint.parent {
        index("body", parent, count, what, name)?;
        if parent == joint.child {
            return refuse(Kind::Topology, what, name, "joins a body to itself");
        }
    }
    let start = parts.start(j);
    finite(&start, what, name)?;
    for (k, axis) in joint.axes.iter().enumerate() {
        limits(joint, k, start[k])?;
        if !(axis.friction >= 0.0 && axis.friction.is_finite()) {
            return refuse(Kind::OutOfRange, what, name, "has a friction that is negative or not finite");
        }
        if let Some(spring) = &axis.spring {
            finite(&[spring.stiffness, spring.rest, spring.damping], what, name)?;
            let resisting = spring.stiffness + spring.damping;
            if spring.stiffness < 0.0 || spring.damping < 0.0 || resisting == 0.0 {
                return refuse(Kind::OutOfRange, what, name, "has a spring without stiffness and damping");
            }
        }
        if let Some(fault) = axis.ligaments.and_then(|ligaments| ligaments.fault(is_within(joint, k))) {
            return refuse(Kind::OutOfRange, what, name, &format!("has {fault}"));
        }
    }
    Ok(())
}

/// How far beyond a limit a joint may start, in rad or m: a run resumed from a state has the drift of its steps.
const BEYOND: Real = 1e-3;

/// Whether a motion is known only from -180 to 180 degrees.
fn is_within(joint: &Joint, k: usize) -> bool {
    k < 3 && joint.only_turn() != Some(k)
}

/// Impossible requirements on a joint's motion: limits that its start or a rotation cannot satisfy.
fn limits(joint: &Joint, k: usize, start: Real) -> Result<()> {
    let (what, name, axis) = ("joint", joint.name.as_str(), &joint.axes[k]);
    // In the units of scenes.
    let (motion, unit, scale) = (
        [
            "turn about x",
            "turn about y",
            "turn about z",
            "translation along x",
            "translation along y",
            "translation along z",
        ][k],
        if k < 3 { "degrees" } else { "m" },
        if k < 3 { (1.0 as Real).to_degrees() } else { 1.0 },
    );
    let shown = |value: Real| (value * scale * 1e6).round() / 1e6;
    let wraps = |value: Real| is_within(joint, k) && value.abs() > std::f64::consts::PI;
    const WITHIN: &str = "the angles of a joint with several rotation axes reach from -180 to 180";
    if let Motion::Limited(from, to) = axis.motion {
        let range = format!("limits its {motion} from {} to {} {unit}", shown(from), shown(to));
        if !(from <= to && from.is_finite() && to.is_finite()) {
            return refuse(Kind::OutOfRange, what, name, &range);
        }
        if wraps(from) || wraps(to) {
            return refuse(Kind::OutOfRange, what, name, &format!("{range}: {WITHIN} degrees"));
        }
        if start < from - BEYOND || start > to + BEYOND {
            let text = format!("{range}, but it is {} at the start", shown(start));
            return refuse(Kind::OutOfRange, what, name, &text);
        }
    }
    match &axis.spring {
        Some(spring) if wraps(spring.rest) => {
            let rest = shown(spring.rest);
            let text = format!("has a spring at rest at {rest} degrees: {WITHIN}");
            refuse(Kind::OutOfRange, what, name, &text)
        }
        _ => Ok(()),
    }
}

fn curves_and_planes(parts: &Parts) -> Result<()> {
    let count = parts.bodies.len();
    for curve in &parts.curves {
        let (what, name) = ("curve", curve.name.as_str());
        curve.body.map_or(Ok(()), |b| index("body", b, count, what, name))?;
        let size = match &curve.shape {
            CurveShape::Line(from, to) => (to - from).norm(),
            CurveShape::Circle(_, radius) => *radius,
        };
        if !(size > 0.0 && size.is_finite()) {
            return refuse(Kind::Degenerate, what, name, "has no length");
        }
    }
    for plane in &parts.planes {
        let (what, name) = ("plane", plane.name.as_str());
        match &plane.lie {
            Lie::Fixed(body, _) => index("body", *body, count, what, name)?,
            Lie::Blending(bodies, _, weight) => {
                bodies.iter().try_for_each(|&b| index("body", b, count, what, name))?;
                if bodies[0] == bodies[1] {
                    return refuse(Kind::Topology, what, name, "blends a body with itself");
                }
                if !(0.0..=1.0).contains(weight) {
                    return refuse(Kind::OutOfRange, what, name, "has a weight outside 0..1");
                }
            }
        }
        if let Some(bone) = plane.bone {
            index("body", bone, count, what, name)?;
            if parts.bodies[bone].solid.is_none() {
                return refuse(Kind::MissingInput, what, name, "cuts a body that has no shape");
            }
        }
    }
    Ok(())
}

fn rule(parts: &Parts, rule: &Rule) -> Result<()> {
    let (what, point) = match rule {
        Rule::Frame { point, .. } => ("frame of point", *point),
        Rule::Link { points } => ("link of point", points[0]),
        Rule::Curve { point, .. } => ("curve of point", *point),
        Rule::Plane { point, .. } => ("plane of point", *point),
        Rule::Bone { point, .. } => ("bone of point", *point),
    };
    let name = parts.points.get(point).map_or("", |p| p.name.as_str());
    index("point", point, parts.points.len(), what, name)?;
    match rule {
        Rule::Frame { body, local, .. } => {
            finite(local.as_slice(), what, name)?;
            index("body", *body, parts.bodies.len(), what, name)
        }
        Rule::Link { points } => {
            index("point", points[1], parts.points.len(), what, name)?;
            if points[0] == points[1] {
                return refuse(Kind::Topology, what, name, "leads to itself");
            }
            Ok(())
        }
        Rule::Curve { curve, .. } => index("curve", *curve, parts.curves.len(), what, name),
        Rule::Plane { plane, .. } => index("plane", *plane, parts.planes.len(), what, name),
        Rule::Bone { plane, .. } => {
            index("plane", *plane, parts.planes.len(), what, name)?;
            match parts.planes[*plane].bone {
                Some(_) => Ok(()),
                None => refuse(Kind::MissingInput, what, name, "lies in a plane that cuts no bone"),
            }
        }
    }
}

const POINT_WITHOUT_MASS: &str = "is free, and no strand gives it mass: let a strand run through it, or let a body \
        carry it; for a point mass, one with an inertia";

/// Material that nothing holds runs through without end. A free point whose material is free as well, with no rule that
/// binds the point, can move along a straight strand together with its coordinate: the same motion twice, and a
/// singular inertia matrix. A point without a strand cannot move at all.
fn held(parts: &Parts) -> Result<()> {
    let bound = |p: usize| parts.rules.iter().any(|rule| rule.binds(p));
    let mut used = vec![false; parts.points.len()];
    let reeled =
        |s: usize| parts.muscles.iter().any(|m| matches!(m.pull, Pull::Reel { strand, .. } if strand == s));
    for (s, strand) in parts.strands.iter().enumerate() {
        if strand.nodes.iter().all(|node| node.mode == Mode::Free) && !reeled(s) {
            let text = "has neither a node that carries its material nor a reel: all of it would run through";
            return refuse(Kind::Degenerate, "strand", &strand.name, text);
        }
        for (k, node) in strand.nodes.iter().enumerate() {
            used[node.point] = true;
            let free = parts.points[node.point].carrier == Carrier::Nothing;
            if free && node.mode == Mode::Free && !bound(node.point) {
                let text = format!(
                    "has a node {k} at which neither the place (point \"{}\") nor the material is held",
                    parts.points[node.point].name
                );
                return refuse(Kind::Degenerate, "strand", &strand.name, &text);
            }
        }
    }
    match (0..used.len()).find(|&p| !used[p] && parts.points[p].carrier == Carrier::Nothing) {
        Some(p) => refuse(Kind::Degenerate, "point", &parts.points[p].name, POINT_WITHOUT_MASS),
        None => Ok(()),
    }
}

impl Goal {
    /// Rejects goals that refer to nothing or cannot be pursued.
    pub(crate) fn check(&self, parts: &Parts) -> Result<()> {
        if !(self.weight > 0.0 && self.weight.is_finite() && self.time > 0.0 && self.time.is_finite()) {
            let text = format!(
                "the weight and time of a goal must be positive numbers, not {} and {}",
                self.weight, self.time
            );
            return Err(Error::new(Kind::OutOfRange, text));
        }
        self.aim.check(parts)
    }
}

impl Aim {
    fn check(&self, parts: &Parts) -> Result<()> {
        let (what, k, count) = match self {
            Aim::Place { body, .. } => ("body", *body, parts.bodies.len()),
            Aim::Motion { joint, .. } => ("joint", *joint, parts.joints.len()),
        };
        let finite = match self {
            Aim::Place { local, goal, .. } => local.iter().chain(goal.iter()).all(|x| x.is_finite()),
            Aim::Motion { axis, goal, .. } => *axis < 6 && goal.is_finite(),
        };
        if k >= count {
            return Err(Error::new(Kind::NotFound, format!("a goal refers to {what} {k} of {count}")));
        }
        match finite {
            true => Ok(()),
            false => Err(Error::new(
                Kind::OutOfRange,
                format!("the goal of {what} {k} is not finite or has no such motion"),
            )),
        }
    }
}
