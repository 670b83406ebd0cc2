//! The start posture, where it differs from the modelled one: led bodies at their keys at time 0, children of joints at
//! the start values of their axes, and whatever they carry. The material of strands stays as modelled.

use crate::strand::names::wrong;
use crate::strand::values::AxisName;
use crate::strand::{JointElement, StrandScene};
use sinew_base::error::{Kind, Result};
use sinew_math::motion::rotation_by;
use sinew_math::{Placement, Real, Vec3};
use sinew_strand::parts::{Carrier, Joint, Mode, Motion, Node, Parts, Rule};

/// The largest gap in joints that close a loop, in rad and m.
const CLOSED: Real = 1e-6;

/// Strands that are longer by this fraction in the start posture than as modelled are stretched by it: a tendon that
/// bears 100 kN per unit of strain by a hundred newtons.
const STRETCHED: Real = 1e-3;

/// A start at zero degrees or metres from the modelled one.
const MODELLED: [Real; 6] = [0.0; 6];

impl StrandScene {
    /// The values of each joint's motions at the start, in rad and m.
    pub(super) fn joint_starts(&self) -> Vec<[Real; 6]> {
        let start = |joint: &JointElement| {
            let mut start = MODELLED;
            for (axis, value) in joint.axes.iter().filter_map(|axis| Some((axis, axis.start?))) {
                start[axis.name.index()] = value * axis.name.unit();
            }
            start
        };
        self.joints.iter().map(start).collect()
    }

    /// Places bodies and what belongs to them where they start; returns the strands that this stretches.
    pub(super) fn take_posture(
        &self,
        parts: &mut Parts,
        inner: &[Placement],
        starts: &[[Real; 6]],
    ) -> Result<Vec<usize>> {
        self.check_starts(parts, starts)?;
        let turned = |(joint, start): (&Joint, &[Real; 6])| joint.only_turn().map_or(0.0, |axis| start[axis]);
        parts.turned = parts.joints.iter().zip(starts).map(turned).collect();
        let modelled: Vec<Placement> = parts.bodies.iter().map(|body| body.place).collect();
        let mut places = modelled.clone();
        for ((body, inner), place) in self.bodies.iter().zip(inner).zip(&mut places) {
            if let Some(key) = body.keys.first().filter(|key| key.time == 0.0) {
                *place = key.at.turned(key.turn) * *inner;
            }
        }
        hang(parts, starts, &modelled, &mut places);
        if places == modelled {
            return Ok(Vec::new());
        }
        let before = lengths(parts);
        move_points(parts, &modelled, &places);
        let grown = before.into_iter().zip(lengths(parts)).enumerate();
        let stretched = grown.filter(|(_, (before, now))| *now > (1.0 + STRETCHED) * before);
        let stretched = stretched.map(|(strand, _)| strand).collect();
        parts.bodies.iter_mut().zip(&places).for_each(|(body, place)| body.place = *place);
        self.check_closed(parts).map(|()| stretched)
    }

    /// Refuses start values that cannot be applied.
    fn check_starts(&self, parts: &Parts, starts: &[[Real; 6]]) -> Result<()> {
        for (j, (element, joint)) in self.joints.iter().zip(&parts.joints).enumerate() {
            let refuse =
                |message: String, line| Err(wrong(Kind::InvalidArgument, message, "joint/axis", line));
            for axis in element.axes.iter().filter(|axis| axis.start.is_some_and(|start| start != 0.0)) {
                let (name, child) = (&element.name, &element.child);
                if joint.axes[axis.name.index()].motion == Motion::Held {
                    let message =
                        format!("joint {name:?} has no free {}: it cannot start elsewhere", axis.name.word());
                    return refuse(message, axis.line);
                }
                if parts.bodies[joint.child].mode != Mode::Free {
                    let message =
                        format!("body {child:?} is not free: joint {name:?} cannot say where it starts");
                    return refuse(message, axis.line);
                }
                if let Some(first) = parts.joints[..j].iter().find(|other| other.child == joint.child) {
                    let message = format!(
                        "the start of body {child:?} is set by joint {:?}, the first joint that has it as its child: \
                         give the start there",
                        first.name
                    );
                    return refuse(message, axis.line);
                }
                let turn = Vec3::from_column_slice(&starts[j][..3]).norm();
                if joint.only_turn().is_none() && turn >= std::f64::consts::PI {
                    let message = format!(
                        "joint {name:?} would start turned by 180 degrees or more: it has several rotation axes, so \
                         its angles must be less"
                    );
                    return refuse(message, axis.line);
                }
            }
        }
        Ok(())
    }

    /// Refuses a posture that pulls apart a joint which is not the first of its child.
    fn check_closed(&self, parts: &Parts) -> Result<()> {
        for (element, joint) in self.joints.iter().zip(&parts.joints) {
            let motions = joint.motions(|b| parts.bodies[b].place);
            let torn = |k: &usize| joint.axes[*k].motion == Motion::Held && motions[*k].abs() > CLOSED;
            if let Some(k) = (0..6).find(torn) {
                let off = motions[k] / AxisName::ALL[k].unit();
                let message = format!(
                    "joint {:?} would be pulled apart at the start, by {off:.3} {} in {}: other joints or keys at 0 \
                     separate its bodies",
                    element.name,
                    if k < 3 { "degrees" } else { "m" },
                    AxisName::ALL[k].word()
                );
                return Err(wrong(Kind::InvalidArgument, message, "joint", element.line));
            }
        }
        Ok(())
    }
}

/// The length of each strand's path.
fn lengths(parts: &Parts) -> Vec<Real> {
    let place = |node: &Node| parts.points[node.point].place;
    let piece = |pair: &[Node]| (place(&pair[1]) - place(&pair[0])).norm();
    parts.strands.iter().map(|strand| strand.nodes.windows(2).map(piece).sum()).collect()
}

/// Places the children of joints, parents first. A body is placed by the first joint of which it is the child; one on
/// a ring of joints stays.
fn hang(parts: &Parts, starts: &[[Real; 6]], modelled: &[Placement], places: &mut [Placement]) {
    let first = |b: usize| {
        let free = parts.bodies[b].mode == Mode::Free;
        parts.joints.iter().position(|joint| free && joint.child == b)
    };
    let by: Vec<Option<usize>> = (0..places.len()).map(first).collect();
    let mut placed: Vec<bool> = by.iter().map(Option::is_none).collect();
    loop {
        let ready = (0..places.len()).find_map(|b| {
            let joint = by[b].filter(|_| !placed[b])?;
            parts.joints[joint].parent.is_none_or(|parent| placed[parent]).then_some((b, joint))
        });
        let Some((b, j)) = ready else { return };
        placed[b] = true;
        let joint = &parts.joints[j];
        let rests = joint.parent.is_none_or(|parent| places[parent] == modelled[parent]);
        if !rests || starts[j] != MODELLED {
            let [frame, _] = joint.frames(|body| places[body]);
            let [turn, way] = [0, 3].map(|k| Vec3::from_column_slice(&starts[j][k..k + 3]));
            let start = Placement::new(rotation_by(&turn), way);
            places[b] = frame * start * joint.in_child.inverse();
        }
    }
}

/// Moves points along: those on bodies, and free ones with the first thing that binds them.
fn move_points(parts: &mut Parts, modelled: &[Placement], places: &[Placement]) {
    let moved = |body: usize, point: &Vec3| match places[body] == modelled[body] {
        true => *point,
        false => places[body].point(&modelled[body].point_inside(point)),
    };
    let free = |p: usize| parts.points[p].carrier == Carrier::Nothing;
    let mut now: Vec<Vec3> = parts.points.iter().map(|point| point.place).collect();
    let mut bound = vec![false; now.len()];
    for (p, point) in parts.points.iter().enumerate() {
        if let Carrier::Body(body) = point.carrier {
            now[p] = moved(body, &point.place);
        }
    }
    for rule in &parts.rules {
        let (p, place) = match rule {
            Rule::Frame { point, body, .. } => (*point, moved(*body, &now[*point])),
            Rule::Curve { point, curve } => {
                let body = parts.curves[*curve].body;
                (*point, body.map_or(now[*point], |body| moved(body, &now[*point])))
            }
            Rule::Plane { point, plane, .. } | Rule::Bone { point, plane } => {
                let [old, new] = [modelled, places].map(|at| parts.planes[*plane].place(|b| at[b]));
                (*point, if old == new { now[*point] } else { new.point(&old.point_inside(&now[*point])) })
            }
            Rule::Link { .. } => continue,
        };
        if free(p) && !std::mem::replace(&mut bound[p], true) {
            now[p] = place;
        }
    }
    // Linked points were at one place and stay there.
    for rule in &parts.rules {
        let Rule::Link { points: [a, b] } = *rule else { continue };
        for (p, other) in [(a, b), (b, a)] {
            if free(p) && !std::mem::replace(&mut bound[p], true) {
                let way = now[other] - parts.points[other].place;
                now[p] += way;
            }
        }
    }
    parts.points.iter_mut().zip(now).for_each(|(point, place)| point.place = place);
}
