//! MyoHand, MyoSuite's hand of 39 muscles, as a model of ours: the same bodies, hinges and places on tendons.
//!
//! What MuJoCo has and this lacks: tendons that wrap around geometry, which here touch and leave it at fixed points,
//! those of the rest pose; the muscles' force-length curves, delay and passive force; the inertia of joint motors;
//! contacts. What only this has: tendons with mass that stretch.

use serde::Deserialize;
use sinew::math::{Mat3, Placement, Real, Rotation, Vec3};
use sinew::strand::parts::{
    Axis, Belly, Body, Carrier, End, Fibre, Joint, Mode, Motion, Muscle, Node, Parts, Point, Pull, Spring,
    Strand,
};

/// Points on a tendon closer together than this, in m, are merged.
const SAME: Real = 1e-4;
/// Muscles that do not pull resist lengthening as if they had this activation.
const IDLE: Real = 0.01;

/// What the peer says of the hand.
#[derive(Deserialize)]
pub struct Hand {
    gravity: [Real; 3],
    bodies: Vec<Bone>,
    muscles: Vec<Tendon>,
}

#[derive(Deserialize)]
struct Bone {
    name: String,
    /// `None` for the world.
    parent: Option<usize>,
    mass: Real,
    centre: [Real; 3],
    /// As w, x, y, z.
    axes: [Real; 4],
    moments: [Real; 3],
    joint: Hinges,
}

/// One hinge, or two at one place.
#[derive(Deserialize)]
struct Hinges {
    names: Vec<String>,
    at: [Real; 3],
    axes: Vec<[Real; 3]>,
    ranges: Vec<[Real; 2]>,
    damping: Vec<Real>,
}

/// A muscle with its tendon.
#[derive(Deserialize)]
struct Tendon {
    name: String,
    length: Real,
    /// The force at rest at an activation of 1, in N, and the speed at which there is none, in m/s.
    strength: Real,
    speed: Real,
    nodes: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    body: Option<usize>,
    at: [Real; 3],
}

impl Hand {
    /// As a model of ours, with tendons of one fibre.
    pub fn parts(&self, fibre: Fibre) -> Parts {
        let mut parts = Parts { bodies: self.bodies.iter().map(body).collect(), ..Parts::default() };
        parts.settings.gravity = self.gravity.into();
        let joint = |child: usize| joint(&self.bodies[child], child, &parts.bodies);
        parts.joints = (0..self.bodies.len()).map(joint).collect();
        self.muscles.iter().for_each(|tendon| add(&mut parts, tendon, fibre));
        parts
    }

    /// The names of its muscles.
    pub fn muscles(&self) -> impl Iterator<Item = &str> {
        self.muscles.iter().map(|muscle| muscle.name.as_str())
    }

    /// The largest difference in tendon length between the two models, in m, and the tendon's name.
    pub fn off(&self, parts: &Parts) -> (Real, &str) {
        let length = |strand: &Strand| strand.nodes[strand.nodes.len() - 1].material;
        let pairs = parts.strands.iter().zip(&self.muscles);
        let off =
            pairs.map(|(strand, tendon)| ((length(strand) - tendon.length).abs(), tendon.name.as_str()));
        off.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    }

    /// The names of the hinges, in order.
    pub fn angles(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().flat_map(|bone| &bone.joint.names).map(String::as_str)
    }
}

fn body(bone: &Bone) -> Body {
    let [w, x, y, z] = bone.axes;
    let rotation = Rotation::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
    Body {
        name: bone.name.clone(),
        place: Placement { rotation, origin: bone.centre.into() },
        mass: bone.mass,
        moments: bone.moments.into(),
        mode: Mode::Free,
        solid: None,
    }
}

/// A joint whose x axis is the first hinge, and its y axis the second one if there is one.
fn joint(bone: &Bone, child: usize, bodies: &[Body]) -> Joint {
    let hinges = &bone.joint;
    let x = Vec3::from(hinges.axes[0]).normalize();
    let second = hinges.axes.get(1).map_or_else(|| Vec3::ith(x.iamin(), 1.0), |axis| Vec3::from(*axis));
    let z = x.cross(&second).normalize();
    let axes = Mat3::from_columns(&[x, z.cross(&x), z]);
    let rotation = Rotation::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(axes));
    let frame = Placement { rotation, origin: hinges.at.into() };
    let inside = |body: usize| bodies[body].place.inverse() * frame;
    let in_parent = bone.parent.map_or(frame, inside);
    let mut joint = Joint::holding(&bone.name, bone.parent, child, [in_parent, inside(child)], [false; 6]);
    for (k, (&[from, to], &damping)) in hinges.ranges.iter().zip(&hinges.damping).enumerate() {
        let spring = Some(Spring { stiffness: 0.0, rest: 0.0, damping });
        joint.axes[k] = Axis { motion: Motion::Limited(from, to), spring, ..Axis::default() };
    }
    joint
}

/// Adds a tendon, and its muscle, which draws it in where it begins.
fn add(parts: &mut Parts, tendon: &Tendon, fibre: Fibre) {
    let mut nodes: Vec<Node> = Vec::new();
    for (k, place) in tendon.nodes.iter().enumerate() {
        let at = Vec3::from(place.at);
        let before = nodes.last().map(|node| (node.material, (at - parts.points[node.point].place).norm()));
        if before.is_some_and(|(_, way)| way < SAME) {
            continue;
        }
        let carrier = match place.body {
            Some(body) => Carrier::Body(body),
            None => Carrier::World,
        };
        let material = before.map_or(0.0, |(material, way)| material + way);
        nodes.push(Node { point: parts.points.len(), material, mode: Mode::Free });
        parts.points.push(Point { name: format!("{} {k}", tendon.name), place: at, carrier });
    }
    // The tendon is fixed to the last place.
    nodes.last_mut().expect("MuJoCo's tendons have two sites").mode = Mode::Removed;
    let fading = 1.0 / tendon.speed;
    let belly = Belly { fading, damping: IDLE * tendon.strength * fading, ..Belly::default() };
    let pull = Pull::Reel { strand: parts.strands.len(), end: End::First, belly };
    parts.muscles.push(Muscle { name: tendon.name.clone(), strength: tendon.strength, pull });
    parts.strands.push(Strand { name: tendon.name.clone(), nodes, fibre, radius: 1e-3 });
}
