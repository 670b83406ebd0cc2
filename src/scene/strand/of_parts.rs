//! The scene that describes the parts of a model, so that generated models can be edited.

use super::muscles::{HillElement, MuscleElement, ReelElement};
use super::names::{FREE, WORLD};
use super::turn::Turn;
use super::values::{AxialWord, AxisName, BodyMode, May, NodeKind, Relation, Triple};
use super::{
    AxisElement, BodyElement, CircleElement, ContactElement, FrameElement, InPlaneElement, JointElement,
    LigamentsElement, Line, LineElement, LinkElement, OffBoneElement, OnCurveElement, PlaneElement,
    PointElement, SettingsElement, ShapeElement, StrandElement, StrandNodeElement, StrandScene, Version,
};
use sinew_geometry::Mesh;
use sinew_math::motion::rotation_vector;
use sinew_math::{Placement, Real, Vec3};
use sinew_strand::parts::{
    Axial, Axis, Belly, Body, Carrier, CurveShape, Joint, Lie, Mode, Motion, Node, Parts, Plane, Point, Pull,
    Rule, Strand,
};
use std::collections::HashMap;
use std::f64::consts::PI;

const NO_LINE: Line = Line(0);

/// Numbers are rounded to a whole number of this fraction of a unit (in m and degrees; in meshes), which removes
/// round-off: a zero is written as one. These are the reciprocals.
const TIDY: Real = 1e14;
const TIDY_MESH: Real = 1e16;

fn tidy(x: Real, by: Real) -> Real {
    // Not -0.
    (x * by).round() / by + 0.0
}

fn at(place: &Vec3) -> Triple {
    Triple([place.x, place.y, place.z].map(|x| tidy(x, TIDY)))
}

fn turn(place: &Placement) -> Turn {
    let turn = rotation_vector(&place.rotation);
    Turn::Vector([turn.x, turn.y, turn.z].map(|x| tidy(x.to_degrees(), 0.01 * TIDY)))
}

impl StrandScene {
    /// The scene of parts that are at their start, and the meshes that it names. `axes` are those of each body that the
    /// scene places; the mass of a body with a shape is assumed to be evenly distributed.
    pub fn of_parts(parts: &Parts, axes: &[Placement], step: Real) -> (Self, HashMap<String, Mesh>) {
        let mut scene = empty();
        scene.settings = Some(settings(parts, step));
        let mut meshes = HashMap::new();
        for (body, axes) in parts.bodies.iter().zip(axes) {
            let (element, mesh) = self::body(body, axes);
            meshes.extend(element.shape.iter().map(|shape| shape.file.clone()).zip(mesh));
            scene.bodies.push(element);
        }
        let reported = Reported(parts);
        scene.points = parts.points.iter().map(|p| reported.point(p)).collect();
        reported.curves(&mut scene);
        scene.planes = parts.planes.iter().map(|plane| reported.plane(plane)).collect();
        scene.joints = parts.joints.iter().map(|joint| reported.joint(joint)).collect();
        scene.strands = parts.strands.iter().map(|strand| reported.strand(strand)).collect();
        parts.rules.iter().for_each(|rule| reported.rule(rule, &mut scene));
        reported.muscles(&mut scene);
        scene.contacts = (parts.contacts.iter())
            .map(|contact| ContactElement {
                name: contact.name.clone(),
                first: reported.body(contact.bodies[0]),
                second: reported.body(contact.bodies[1]),
                friction: contact.friction,
                line: NO_LINE,
            })
            .collect();
        (scene, meshes)
    }
}

fn empty() -> StrandScene {
    StrandScene {
        version: Version,
        space: None,
        settings: None,
        armatures: Vec::new(),
        bodies: Vec::new(),
        points: Vec::new(),
        lines: Vec::new(),
        circles: Vec::new(),
        planes: Vec::new(),
        joints: Vec::new(),
        strands: Vec::new(),
        frames: Vec::new(),
        links: Vec::new(),
        on_curves: Vec::new(),
        in_planes: Vec::new(),
        off_bones: Vec::new(),
        muscles: Vec::new(),
        reels: Vec::new(),
        hills: Vec::new(),
        goal_motions: Vec::new(),
        goal_places: Vec::new(),
        contacts: Vec::new(),
        cuts: Vec::new(),
        lengthenings: Vec::new(),
        releases: Vec::new(),
        line: NO_LINE,
    }
}

fn settings(parts: &Parts, step: Real) -> SettingsElement {
    let settings = &parts.settings;
    SettingsElement {
        gravity: Some(at(&settings.gravity)),
        axial: match settings.axial {
            Axial::Still => AxialWord::Still,
            Axial::Dynamic => AxialWord::Dynamic,
        },
        step,
        effort: settings.effort.effort,
        smooth: settings.effort.smooth,
        hold: settings.effort.hold,
        tone: settings.effort.tone,
        line: NO_LINE,
    }
}

fn body(body: &Body, axes: &Placement) -> (BodyElement, Option<Mesh>) {
    let inner = axes.inverse() * body.place;
    let shape = body.solid.as_ref().map(|solid| ShapeElement {
        file: format!("{}.obj", body.name.replace(' ', "_")),
        density: body.mass / solid.volume(),
        line: NO_LINE,
    });
    let mesh = body.solid.as_ref().map(|solid| Mesh {
        positions: solid.positions().iter().map(|p| inner.point(p).map(|x| tidy(x, TIDY_MESH))).collect(),
        face_offsets: (0..=solid.triangles().len() as u32).map(|k| 3 * k).collect(),
        corner_vertices: solid.triangles().as_flattened().to_vec(),
        ..Mesh::default()
    });
    let mode = if body.mode == Mode::Free { BodyMode::Free } else { BodyMode::Led };
    let mut element = BodyElement::new(&body.name, mode);
    (element.at, element.turn, element.shape) = (at(&axes.origin), turn(axes), shape);
    (element, mesh)
}

fn axis(k: usize, axis: &Axis) -> Option<AxisElement> {
    let name = AxisName::ALL[k];
    let shown = |x: Real| tidy(x / name.unit(), 0.01 * TIDY);
    let (stiffness, damping, rest) =
        axis.spring.map_or((0.0, 0.0, 0.0), |s| (s.stiffness, s.damping, s.rest));
    let may = match axis.motion {
        Motion::Free => May::Free,
        Motion::Held => May::Held,
        Motion::Limited(from, to) => May::Limits([shown(from), shown(to)]),
    };
    let ligaments = axis.ligaments.map(|ligaments| LigamentsElement {
        from: shown(ligaments.range[0]),
        to: shown(ligaments.range[1]),
        moment: ligaments.moment,
        width: shown(ligaments.width),
        line: NO_LINE,
    });
    let resists = axis.friction > 0.0 || axis.spring.is_some() || ligaments.is_some();
    let element = AxisElement {
        name,
        may,
        friction: axis.friction,
        stiffness,
        damping,
        rest: shown(rest),
        start: None,
        ligaments,
        line: NO_LINE,
    };
    (may != May::Held || resists).then_some(element)
}

/// Parts, with the names that elements use.
struct Reported<'a>(&'a Parts);

impl Reported<'_> {
    fn body(&self, body: usize) -> String {
        self.0.bodies[body].name.clone()
    }

    fn body_or_world(&self, body: Option<usize>) -> String {
        body.map_or(WORLD.into(), |b| self.body(b))
    }

    fn named(&self, point: usize) -> String {
        self.0.points[point].name.clone()
    }

    /// Where the axes of a body are in the world.
    fn place(&self, body: Option<usize>) -> Placement {
        body.map_or(Placement::default(), |b| self.0.bodies[b].place)
    }

    fn point(&self, point: &Point) -> PointElement {
        let on = match point.carrier {
            Carrier::Nothing => FREE.into(),
            Carrier::World => WORLD.into(),
            Carrier::Body(b) => self.body(b),
        };
        PointElement { name: point.name.clone(), at: at(&point.place), on, inside: None, line: NO_LINE }
    }

    fn curves(&self, scene: &mut StrandScene) {
        for curve in &self.0.curves {
            let (name, on, place) =
                (curve.name.clone(), self.body_or_world(curve.body), self.place(curve.body));
            match &curve.shape {
                CurveShape::Line(from, to) => scene.lines.push(LineElement {
                    name,
                    on,
                    from: at(&place.point(from)),
                    to: at(&place.point(to)),
                    inside: None,
                    line: NO_LINE,
                }),
                CurveShape::Circle(frame, radius) => {
                    let frame = place * *frame;
                    scene.circles.push(CircleElement {
                        name,
                        on,
                        at: at(&frame.origin),
                        turn: turn(&frame),
                        radius: *radius,
                        inside: None,
                        line: NO_LINE,
                    });
                }
            }
        }
    }

    fn plane(&self, plane: &Plane) -> PlaneElement {
        let (first, second, weight) = match &plane.lie {
            Lie::Fixed(body, place) => ((*body, *place), None, 0.5),
            Lie::Blending([a, b], [at_a, at_b], weight) => ((*a, *at_a), Some((*b, *at_b)), *weight),
        };
        let there = |(body, place): (usize, Placement)| self.place(Some(body)) * place;
        let (here, other) = (there(first), second.map(there));
        PlaneElement {
            name: plane.name.clone(),
            on: self.body(first.0),
            at: at(&here.origin),
            turn: turn(&here),
            and_on: second.map(|(body, _)| self.body(body)),
            and_at: other.map(|place| at(&place.origin)),
            and_turn: other.map(|place| turn(&place)),
            weight,
            bone: plane.bone.map(|bone| self.body(bone)),
            inside: None,
            line: NO_LINE,
        }
    }

    fn joint(&self, joint: &Joint) -> JointElement {
        let [place, _] = joint.frames(|b| self.0.bodies[b].place);
        JointElement {
            name: joint.name.clone(),
            parent: self.body_or_world(joint.parent),
            child: self.body(joint.child),
            at: at(&place.origin),
            turn: turn(&place),
            inside: None,
            axes: joint.axes.iter().enumerate().filter_map(|(k, motion)| axis(k, motion)).collect(),
            line: NO_LINE,
        }
    }

    fn strand(&self, strand: &Strand) -> StrandElement {
        let node = |node: &Node| StrandNodeElement {
            point: self.named(node.point),
            kind: Some(match node.mode {
                Mode::Free => NodeKind::Eulerian,
                Mode::Removed => NodeKind::Lagrangian,
                Mode::Constrained => NodeKind::Constrained,
            }),
            material: Some(tidy(node.material, TIDY)),
            line: NO_LINE,
        };
        let fibre = &strand.fibre;
        StrandElement {
            name: strand.name.clone(),
            radius: strand.radius,
            density: fibre.line_density / (PI * strand.radius * strand.radius),
            young: None,
            stiffness: Some(fibre.stiffness),
            axial_damping: fibre.axial_damping,
            lateral_damping: fibre.lateral_damping,
            prestrain: 0.0,
            nodes: strand.nodes.iter().map(node).collect(),
            line: NO_LINE,
        }
    }

    fn rule(&self, rule: &Rule, scene: &mut StrandScene) {
        let (name, line) = (None, NO_LINE);
        let plane = |k: usize| self.0.planes[k].name.clone();
        match *rule {
            Rule::Frame { point, body, local } => scene.frames.push(FrameElement {
                name,
                point: self.named(point),
                body: self.body(body),
                at: Some(at(&self.place(Some(body)).point(&local))),
                inside: None,
                line,
            }),
            Rule::Link { points: [first, second] } => {
                let (first, second) = (self.named(first), self.named(second));
                scene.links.push(LinkElement { name, first, second, line });
            }
            Rule::Curve { point, curve } => {
                let (point, curve) = (self.named(point), self.0.curves[curve].name.clone());
                scene.on_curves.push(OnCurveElement { name, point, curve, line });
            }
            Rule::Plane { point, plane: k, or_above } => {
                let relation = if or_above { Relation::Above } else { Relation::Equal };
                let (point, plane) = (self.named(point), plane(k));
                scene.in_planes.push(InPlaneElement { name, point, plane, relation, line });
            }
            Rule::Bone { point, plane: k } => {
                let (point, plane) = (self.named(point), plane(k));
                scene.off_bones.push(OffBoneElement { name, point, plane, line });
            }
        }
    }

    fn muscles(&self, scene: &mut StrandScene) {
        for muscle in &self.0.muscles {
            let (name, strength, line) = (muscle.name.clone(), muscle.strength, NO_LINE);
            let (activation, keys) = (0.0, Vec::new());
            match muscle.pull {
                Pull::Curve { point, curve, belly: Belly { stiffness, rest, damping, fading } } => {
                    let (point, curve) = (self.named(point), self.0.curves[curve].name.clone());
                    let rest = tidy(rest, TIDY);
                    #[rustfmt::skip]
                    scene.muscles.push(MuscleElement {
                        name, point, curve, strength, stiffness, rest, damping, fading, activation, keys, line,
                    });
                }
                Pull::Reel { strand, end, belly: Belly { stiffness, rest, damping, fading } } => {
                    let (strand, end) = (self.0.strands[strand].name.clone(), end.into());
                    let rest = tidy(rest, TIDY);
                    #[rustfmt::skip]
                    scene.reels.push(ReelElement {
                        name, strand, end, strength, stiffness, rest, damping, fading, activation, keys, line,
                    });
                }
                Pull::Segment(hill) => {
                    let strand = self.0.strands[hill.strand].name.clone();
                    let (segment, optimal, speed) =
                        (hill.segment as u32, hill.optimal, hill.speed / hill.optimal);
                    #[rustfmt::skip]
                    scene.hills.push(HillElement {
                        name, strand, segment, strength, optimal, speed, activation, keys, line,
                    });
                }
            }
        }
    }
}
