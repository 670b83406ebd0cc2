//! Data derived from the parts and the rest pose.

use super::cover::Cover;
use super::curve::Curve;
use super::frames::{Frames, beside_up, ring_axes, station, up_at_rest};
use super::parts::{Muscle, Parts};
use super::settings::Length;
use super::shape::radius;
use sinew_base::error::Result;
use sinew_math::elementary::sin_cos;
use sinew_math::{Affine, Mat3, Real, Rotation, Vec3, compose, invert_rest, linear, polar3};
use std::f64::consts::TAU;

/// A muscle at rest.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// Where its rings and vertices begin among those of all muscles.
    pub rings: usize,
    pub vertices: usize,
    /// The unit up-vector.
    pub up: Vec3,
    pub curve: Curve,
    /// The axes in its middle.
    pub axes: Mat3,
    /// The lengths of the curve: chord and arc.
    lengths: [Real; 2],
}

/// Muscles, pads and bones in the rest pose.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) parts: Parts,
    pub(super) frames: Frames,
    rest_inverses: Vec<Affine>,
    /// The joints that carry something.
    pub(super) used: Vec<bool>,
    pub(super) muscles: Vec<Rest>,
    /// Per ring.
    pub(super) centres: Vec<Vec3>,
    pub(super) axes: Vec<Mat3>,
    pub(super) radii: Vec<Real>,
    /// Per vertex: in the ring's axes, and in the world.
    pub(super) offsets: Vec<Vec3>,
    pub(super) points: Vec<Vec3>,
    /// The muscles along their up-vectors at rest, where that decides how their rings, or what is sculpted on them, are
    /// turned.
    near_up: Vec<usize>,
    /// What lies over the rings.
    pub(super) cover: Cover,
    /// The joints whose motion matters: those that carry something, and those that carry what lies over the rings.
    moved: Vec<bool>,
}

/// The motion of a joint since rest, and its rotation; whether the joint scales, shears or mirrors.
pub type Motion = (Affine, Rotation, bool);

/// What a joint does besides turning and moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distortion {
    /// It scales or shears.
    Scaled,
    /// It mirrors: of its scales one or three are negative.
    Mirrored,
    /// It flattens everything: a scale is zero, or so small that there is no telling which way it turns.
    Flat,
}

/// How a joint moved. A mirrored one has the rotation that is left when all three axes are reversed: it turns along
/// with the joint, whereas none of the nearest rotations would, because many are equally near.
pub fn joint_motion(joint: &Affine, rest_inverse: &Affine) -> Motion {
    let motion = compose(joint, rest_inverse);
    let matrix = linear(&motion);
    let distortion = distortion(&matrix);
    let rotation = match distortion {
        None => matrix,
        Some(Distortion::Mirrored) => polar3(&-matrix).rotation,
        Some(_) => polar3(&matrix).rotation,
    };
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(rotation);
    (motion, Rotation::from_rotation_matrix(&rotation), distortion.is_some())
}

fn distortion(matrix: &Mat3) -> Option<Distortion> {
    let volume = matrix.determinant();
    let off = (matrix.transpose() * matrix - Mat3::identity()).amax();
    if off <= RIGID && volume > 0.0 {
        return None;
    }
    // No less than the smallest scale, and not much more unless two of them are small.
    let smallest = volume.abs() / matrix.norm_squared().max(Real::MIN_POSITIVE);
    Some(match volume < 0.0 {
        _ if smallest < FLAT => Distortion::Flat,
        true => Distortion::Mirrored,
        false => Distortion::Scaled,
    })
}

/// Further from a rotation than this, a joint scales. Hosts store matrices in single precision, whose products are
/// accurate to about 1e-6.
const RIGID: Real = 1e-5;

/// A joint scaled by less than this is flat: in single precision, nothing is left of its directions.
const FLAT: Real = 1e-6;

impl Model {
    /// The parts on joints at rest.
    pub fn new(parts: Parts, rest_joints: &[Affine], frames: Frames) -> Result<Self> {
        parts.check(rest_joints.len())?;
        let rest_inverses = invert_rest(rest_joints)?;
        let used = used(&parts, rest_joints.len());
        let mut model = Model {
            moved: used.clone(),
            used,
            frames,
            rest_inverses,
            muscles: Vec::new(),
            centres: Vec::new(),
            axes: Vec::new(),
            radii: Vec::new(),
            offsets: Vec::new(),
            points: Vec::new(),
            near_up: Vec::new(),
            cover: Cover::default(),
            parts: Parts::default(),
        };
        for muscle in &parts.muscles {
            model.add(muscle, &rest_joints[muscle.origin.joint]);
        }
        model.parts = parts;
        Ok(model)
    }

    fn add(&mut self, muscle: &Muscle, joint: &Affine) {
        let ends = [muscle.origin.point, muscle.insertion.point];
        let middle = (ends[0] + ends[1]) * 0.5 + muscle.middle;
        let curve = Curve { points: [ends[0], middle, ends[1]] };
        let along = (ends[1] - ends[0]).normalize();
        let up = up_at_rest(muscle, &linear(joint), &along);
        let (middle_axes, near_middle) = beside_up(&along, &up);
        let rest = Rest {
            rings: self.centres.len(),
            vertices: self.points.len(),
            up,
            curve,
            axes: middle_axes,
            lengths: [Length::Chord, Length::Arc].map(|length| length.of(&curve)),
        };
        for ring in 0..muscle.rings {
            self.centres.push(rest.curve.at(station(muscle, ring)));
            self.axes.push(Mat3::identity());
        }
        let axes = &mut self.axes[rest.rings..];
        let mut near = near_middle && !muscle.offsets.is_empty();
        ring_axes(muscle, &rest.curve, &rest.up, &[rest.axes; 2], self.frames, axes, |_| near = true);
        if near {
            self.near_up.push(self.muscles.len());
        }
        for ring in 0..muscle.rings {
            let (centre, axes) = (self.centres[rest.rings + ring], self.axes[rest.rings + ring]);
            let mut across = 0.0;
            for k in 0..muscle.divisions {
                let (sin, cos) = sin_cos(TAU * k as Real / muscle.divisions as Real);
                let sculpted =
                    muscle.offsets.get(ring * muscle.divisions + k).copied().unwrap_or_else(Vec3::zeros);
                let offset = Vec3::new(0.0, cos, sin) * radius(muscle, ring) + sculpted;
                across += offset.yz().norm();
                self.offsets.push(offset);
                self.points.push(centre + axes * offset);
            }
            self.radii.push(across / muscle.divisions as Real);
        }
        self.muscles.push(rest);
    }

    /// Takes what lies over the rings: skin that follows the shape of muscles then sees them slide under it.
    pub fn take_cover(&mut self, cover: Cover) {
        self.moved.clone_from(&self.used);
        cover.joints().for_each(|joint| self.moved[joint] = true);
        self.cover = cover;
    }

    /// Whether the parts have the shapes of the model's to which skin is bound, and differ at most in girths and
    /// dynamics.
    pub fn rests_as(&self, parts: &Parts) -> bool {
        self.parts.rest_as(parts)
    }

    /// Takes over the girths and dynamics of parts that [rest as](Model::rests_as) the model's.
    pub fn tune(&mut self, parts: Parts) -> Result<()> {
        parts.check(self.rest_inverses.len())?;
        self.parts = parts;
        Ok(())
    }

    /// The muscles of which a nudge at rest would turn the rings, or what is sculpted on them, around.
    pub fn near_up(&self) -> impl Iterator<Item = &Muscle> {
        self.near_up.iter().map(|muscle| &self.parts.muscles[*muscle])
    }

    /// What a joint does besides turning and moving since rest.
    pub fn distortion(&self, joint: usize, now: &Affine) -> Option<Distortion> {
        distortion(&linear(&compose(now, &self.rest_inverses[joint])))
    }

    /// The unit up-vector of a muscle at rest: its own, or the one that it has from the joint of its origin.
    pub fn up(&self, muscle: usize) -> Vec3 {
        self.muscles[muscle].up
    }

    /// The curve along which a muscle lies at rest.
    pub fn rest_curve(&self, muscle: usize) -> &Curve {
        &self.muscles[muscle].curve
    }

    /// What the author wrote.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The number of joints.
    pub fn joint_count(&self) -> usize {
        self.rest_inverses.len()
    }

    /// The particles: one per muscle, then one per pad.
    pub fn particle_count(&self) -> usize {
        self.parts.muscles.len() + self.parts.pads.len()
    }

    /// The vertices of all muscles at rest.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The axes of all rings at rest as columns: along the curve, and two across.
    pub fn ring_axes(&self) -> &[Mat3] {
        &self.axes
    }

    /// The number of rings of all muscles.
    pub fn ring_count(&self) -> usize {
        self.centres.len()
    }

    /// The vertices of a muscle among those of all.
    pub fn vertices_of(&self, muscle: usize) -> std::ops::Range<usize> {
        let begin = self.muscles[muscle].vertices;
        begin..begin + self.parts.muscles[muscle].vertex_count()
    }

    /// The muscle of a vertex.
    pub fn muscle_of(&self, vertex: u32) -> usize {
        self.muscles.partition_point(|rest| rest.vertices <= vertex as usize) - 1
    }

    /// The ring of a vertex, among those of all muscles.
    pub fn ring_of(&self, vertex: u32) -> usize {
        let muscle = self.muscle_of(vertex);
        let rest = &self.muscles[muscle];
        rest.rings + (vertex as usize - rest.vertices) / self.parts.muscles[muscle].divisions
    }

    /// The radius of a ring at rest: the mean distance of its vertices from its axis.
    pub fn radius(&self, ring: usize) -> Real {
        self.radii[ring]
    }

    /// The rings of a muscle among those of all.
    pub fn rings_of(&self, muscle: usize) -> std::ops::Range<usize> {
        let begin = self.muscles[muscle].rings;
        begin..begin + self.parts.muscles[muscle].rings
    }

    /// The length of a muscle at rest.
    pub fn rest_length(&self, muscle: usize, length: Length) -> Real {
        self.muscles[muscle].lengths[length as usize]
    }

    /// The quads between neighbouring rings, four vertices each, facing outwards.
    pub fn quads(&self) -> impl Iterator<Item = [usize; 4]> {
        self.parts.muscles.iter().zip(&self.muscles).flat_map(|(muscle, rest)| {
            let (divisions, first) = (muscle.divisions, rest.vertices);
            (0..muscle.rings - 1).flat_map(move |ring| {
                let begin = first + ring * divisions;
                (0..divisions).map(move |k| {
                    let next = (k + 1) % divisions;
                    [begin + k, begin + next, begin + divisions + next, begin + divisions + k]
                })
            })
        })
    }

    /// The motions since rest of all joints that matter.
    pub(super) fn motions(&self, joints: &[Affine], out: &mut Vec<Motion>) {
        out.clear();
        let still = (Affine::identity(), Rotation::identity(), false);
        let pairs = joints.iter().zip(&self.rest_inverses).zip(&self.moved);
        out.extend(pairs.map(
            |((joint, inverse), moved)| {
                if *moved { joint_motion(joint, inverse) } else { still }
            },
        ));
    }
}

/// Which joints carry something.
fn used(parts: &Parts, joints: usize) -> Vec<bool> {
    let mut used = vec![false; joints];
    let ends = parts.muscles.iter().flat_map(|muscle| [muscle.origin.joint, muscle.insertion.joint]);
    let middles = parts.muscles.iter().filter_map(|muscle| muscle.middle_joint);
    let pads = parts.pads.iter().map(|pad| pad.centre.joint);
    let bones = parts.bones.iter().map(|bone| bone.joint);
    ends.chain(middles).chain(pads).chain(bones).for_each(|joint| used[joint] = true);
    used
}
