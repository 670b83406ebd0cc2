//! Models of strands as MuJoCo's XML, to judge ours by it: hinges between bodies, and a spatial tendon for each strand,
//! through sites where its nodes are now.
//!
//! Features that MuJoCo lacks are simplified. Nodes that slide in planes stay where they are, on the bone around which
//! they slide; strands have no mass and, where a muscle pulls them, do not stretch; strands that share a muscle share
//! its force evenly.

use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::model::Model;
use sinew::strand::parts::{Belly, Carrier, CurveShape, Joint, Lie, Mode, Motion, Muscle, Parts, Pull, Rule};
use sinew::strand::state::State;
use std::fmt::Write;

/// How soon a joint beyond its limit returns, in s, and the damping ratio. MuJoCo's own 0.02 s lets light bones give
/// way by 15 degrees; two steps of 2 ms are the least it takes.
const LIMIT: &str = "0.004 1";

/// A state as a model of MuJoCo, whose first keyframe pulls with the activations.
pub fn mjcf(model: &Model, state: &State, activations: &[Real]) -> String {
    let writer = Writer { parts: model.parts(), state };
    let mut out = format!(
        "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n\
         <option gravity=\"{}\" integrator=\"implicitfast\" solver=\"Newton\"/>\n<worldbody>\n",
        numbers(&model.settings().gravity)
    );
    writer.sites(None, &mut out);
    let standing = |b: &usize| writer.parts.bodies[*b].mode == Mode::Removed;
    (0..writer.parts.bodies.len()).filter(standing).for_each(|b| writer.body(b, None, &mut out));
    writer.hanging(None, &mut out);
    out += "</worldbody>\n";
    writer.tendons(activations, &mut out);
    out += "</mujoco>\n";
    out
}

/// The body on which a point is, or around which it slides: that of the first rule that names one.
pub fn body_of(parts: &Parts, p: usize) -> Option<usize> {
    let of_plane = |plane: usize| match (parts.planes[plane].bone, &parts.planes[plane].lie) {
        (Some(bone), _) => bone,
        (None, Lie::Fixed(body, _) | Lie::Blending([body, _], ..)) => *body,
    };
    match parts.points[p].carrier {
        Carrier::Body(body) => Some(body),
        Carrier::World => None,
        Carrier::Nothing => parts.rules.iter().find_map(|rule| match rule {
            Rule::Frame { point, body, .. } if *point == p => Some(*body),
            Rule::Curve { point, curve } if *point == p => parts.curves[*curve].body,
            Rule::Plane { point, plane, .. } | Rule::Bone { point, plane } if *point == p => {
                Some(of_plane(*plane))
            }
            _ => None,
        }),
    }
}

struct Writer<'a> {
    parts: &'a Parts,
    state: &'a State,
}

impl Writer<'_> {
    /// A body with what hangs on it; one without a joint does not move.
    fn body(&self, b: usize, joint: Option<&Joint>, out: &mut String) {
        let (body, place) = (&self.parts.bodies[b], self.state.bodies[b].place);
        let parent = joint.and_then(|joint| joint.parent);
        let inside = parent.map_or(Placement::default(), |p| self.state.bodies[p].place).inverse() * place;
        let (at, turn) = (numbers(&inside.origin), quaternion(&inside.rotation));
        writeln!(out, "<body name=\"{}\" pos=\"{at}\" quat=\"{turn}\">", body.name).unwrap();
        if let Some(joint) = joint {
            let (mass, moments) = (body.mass, numbers(&body.moments));
            writeln!(out, "<inertial pos=\"0 0 0\" mass=\"{mass}\" diaginertia=\"{moments}\"/>").unwrap();
            self.hinge(joint, out);
        }
        self.sites(Some(b), out);
        self.hanging(Some(b), out);
        out.push_str("</body>\n");
    }

    fn hanging(&self, parent: Option<usize>, out: &mut String) {
        let joints = self.parts.joints.iter().filter(|joint| joint.parent == parent);
        joints.for_each(|joint| self.body(joint.child, Some(joint), out));
    }

    /// The one rotation that is free in a joint. Its angle now is what MuJoCo calls `ref`.
    fn hinge(&self, joint: &Joint, out: &mut String) {
        let turns: Vec<usize> = (0..6).filter(|&k| joint.axes[k].motion != Motion::Held).collect();
        let &[k] = turns.as_slice() else { panic!("joint {:?} is no hinge", joint.name) };
        assert!(k < 3, "joint {:?} is no hinge", joint.name);
        let (axis, angle) = (&joint.axes[k], joint.motions(|b| self.state.bodies[b].place)[k]);
        let (at, along) = (joint.in_child.origin, joint.in_child.direction(&Vec3::ith(k, 1.0)));
        write!(
            out,
            "<joint name=\"{}\" pos=\"{}\" axis=\"{}\" ref=\"{angle}\" frictionloss=\"{}\"",
            joint.name,
            numbers(&at),
            numbers(&along),
            axis.friction
        )
        .unwrap();
        if let Some(spring) = &axis.spring {
            let (stiffness, rest, damping) = (spring.stiffness, spring.rest, spring.damping);
            write!(out, " stiffness=\"{stiffness}\" springref=\"{rest}\" damping=\"{damping}\"").unwrap();
        }
        if let Motion::Limited(from, to) = axis.motion {
            write!(out, " limited=\"true\" solreflimit=\"{LIMIT}\" range=\"{from} {to}\"").unwrap();
        }
        out.push_str("/>\n");
    }

    fn sites(&self, body: Option<usize>, out: &mut String) {
        let place = body.map_or(Placement::default(), |b| self.state.bodies[b].place);
        for (p, at) in self.state.places.iter().enumerate().filter(|(p, _)| body_of(self.parts, *p) == body) {
            writeln!(out, "<site name=\"p{p}\" pos=\"{}\"/>", numbers(&place.point_inside(at))).unwrap();
        }
    }

    fn tendons(&self, activations: &[Real], out: &mut String) {
        let (mut actuators, mut controls, mut first) = (String::new(), String::new(), 0);
        out.push_str("<tendon>\n");
        for strand in &self.parts.strands {
            let places: Vec<Vec3> = strand.nodes.iter().map(|n| self.state.places[n.point]).collect();
            let length: Real = places.windows(2).map(|p| (p[1] - p[0]).norm()).sum();
            let muscle = self.muscle(strand.nodes[0].point);
            write!(out, "<spatial name=\"{}\" ", strand.name).unwrap();
            if let Some((m, muscle, resting, share)) = muscle {
                let Pull::Curve { belly: Belly { stiffness, damping, fading, .. }, .. } = muscle.pull else {
                    unreachable!()
                };
                let activation = activations.get(m).copied().unwrap_or(0.0);
                let damping = share * (damping + activation * muscle.strength * fading);
                let ease = length - resting;
                write!(
                    out,
                    "stiffness=\"{}\" springlength=\"{ease}\" damping=\"{damping}\"",
                    share * stiffness
                )
                .unwrap();
                let (name, force) = (&strand.name, -share * muscle.strength);
                writeln!(actuators, "<motor name=\"{name}\" tendon=\"{name}\" gear=\"{force}\"/>").unwrap();
                write!(controls, "{activation} ").unwrap();
            } else {
                let last = first + strand.nodes.len() - 1;
                let rest = self.state.material[last] - self.state.material[first];
                let stiffness = strand.fibre.stiffness / rest;
                write!(out, "stiffness=\"{stiffness}\" springlength=\"0 {rest}\"").unwrap();
            }
            out.push_str(">\n");
            strand.nodes.iter().for_each(|n| writeln!(out, "<site site=\"p{}\"/>", n.point).unwrap());
            out.push_str("</spatial>\n");
            first += strand.nodes.len();
        }
        write!(out, "</tendon>\n<actuator>\n{actuators}</actuator>\n").unwrap();
        writeln!(out, "<keyframe><key ctrl=\"{}\"/></keyframe>", controls.trim_end()).unwrap();
    }

    /// The muscle on a line that pulls a point: its number, itself, by how much its spring is stretched, and the share
    /// of each strand that begins there.
    fn muscle(&self, p: usize) -> Option<(usize, &Muscle, Real, Real)> {
        self.parts.muscles.iter().enumerate().find_map(|(m, muscle)| {
            let Pull::Curve { point, curve, belly: Belly { rest, .. } } = muscle.pull else { return None };
            let curve = &self.parts.curves[curve];
            let CurveShape::Line(from, to) = curve.shape else { return None };
            let body = curve.body.map_or(Placement::default(), |b| self.state.bodies[b].place);
            let way = (body.point_inside(&self.state.places[p]) - from).dot(&(to - from).normalize());
            let strands = self.parts.strands.iter().filter(|s| s.nodes[0].point == p).count();
            (point == p).then(|| (m, muscle, rest - way, 1.0 / strands as Real))
        })
    }
}

fn numbers(v: &Vec3) -> String {
    format!("{} {} {}", v.x, v.y, v.z)
}

fn quaternion(rotation: &Rotation) -> String {
    format!("{} {} {} {}", rotation.w, rotation.i, rotation.j, rotation.k)
}
