//! A frame of the muscles.

use super::contact::{self, Touching};
use super::curve::Curve;
use super::frames::{beside_up, carried_along, next};
use super::model::Model;
use super::parts::{Muscle, Spring};
use super::shape::{LEAST_LENGTH, widening};
use super::spring::{Particle, Propagator};
use super::state::State;
use crate::error::{Error, Kind, Result};
use crate::math::{Affine, Mat3, Real, Rotation, Vec3, affine, transform_point};
use std::ops::Range;

/// How a ring's axes follow the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// With the least rotation from ring to ring, and from the joints of both ends to the middle.
    Stable,
    /// Across the tangent and an up-vector that the joint of the origin carries \[eq. 1 to 3\].
    UpVector,
}

/// What counts as a muscle's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The distance between its ends, as in the print.
    Chord,
    /// The length along its curve.
    Arc,
}

/// What damping acts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drag {
    /// The motion relative to the joints.
    Body,
    /// The motion in the world, as in the print.
    Air,
}

/// What holds for all muscles; factors are 1 for muscles as authored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What counts as length.
    pub length: Length,
    /// What damping acts against.
    pub drag: Drag,
    /// How much of the bulge, stretching and activation is shown.
    pub bulge: Real,
    /// How much of the motion of springs is shown.
    pub jiggle: Real,
    /// A factor of all widths.
    pub size: Real,
    /// A factor of the bulge multiplier B.
    pub bulge_factor: Real,
    /// A factor of all stiffnesses.
    pub stiffness: Real,
    /// A factor of all dampings.
    pub damping: Real,
    /// How far muscles push each other away, from 0 to 1.
    pub push_muscles: Real,
    /// How far bones push muscles away, from 0 to 1.
    pub push_bones: Real,
}

impl Default for Settings {
    /// Muscles as authored, without contact.
    fn default() -> Self {
        Settings {
            length: Length::Chord,
            drag: Drag::Body,
            bulge: 1.0,
            jiggle: 1.0,
            size: 1.0,
            bulge_factor: 1.0,
            stiffness: 1.0,
            damping: 1.0,
            push_muscles: 0.0,
            push_bones: 0.0,
        }
    }
}

impl Settings {
    /// How much wider than in its model a muscle is at rest.
    pub(super) fn girth(&self, muscle: &Muscle) -> Real {
        self.size * muscle.girth
    }
}

/// The inputs of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// Where the joints are.
    pub joints: &'a [Affine],
    /// The activation of each muscle from 0 to 1; empty if none is active.
    pub activations: &'a [Real],
    /// The seconds since the frame before; `None` if the motion begins.
    pub seconds: Option<Real>,
}

/// Something an artist should know about a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warning {
    /// The tangent at a ring is close to the up-vector: the ring flips.
    NearUp {
        /// The muscle.
        muscle: usize,
        /// The ring.
        ring: usize,
    },
    /// The joint scales, shears or mirrors; its rotation alone turns the muscles.
    Scales {
        /// The joint.
        joint: usize,
    },
    /// The ends of the muscle nearly coincide; its width is limited.
    Short {
        /// The muscle.
        muscle: usize,
    },
    /// The particle moved too far from its anchor and was held back.
    Far {
        /// The muscle, or after all muscles the pad.
        particle: usize,
    },
}

/// What a frame reports.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Step {
    /// The warnings.
    pub warnings: Vec<Warning>,
}

/// Reused memory, which holds the results of the last frame.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The motion of each joint since rest.
    pub(super) motions: Vec<(Affine, Rotation, bool)>,
    curves: Vec<Curve>,
    /// How much wider each muscle is than at rest.
    pub(super) widths: Vec<Real>,
    pub(super) touching: Touching,
    /// The centres of all rings.
    pub centres: Vec<Vec3>,
    /// The axes of all rings as columns: along the curve, and two across.
    pub axes: Vec<Mat3>,
    /// The vertices of all muscles.
    pub points: Vec<Vec3>,
    /// The motion of each muscle vertex since rest.
    pub carriers: Vec<Affine>,
    /// The displacement of each pad.
    pub displacements: Vec<Vec3>,
    /// The length of each muscle.
    pub lengths: Vec<Real>,
    /// The force of each muscle's spring, in N.
    pub tensions: Vec<Real>,
}

/// A particle further from its anchor than this part of its muscle's length (or pad's radius) is held back there: the
/// body jumped, as at a cut or a reset of the rig.
const FARTHEST: Real = 0.5;

/// Computes a frame; `state` becomes that after it.
pub fn step(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    settings: &Settings,
    inputs: &Inputs,
) -> Result<Step> {
    check(model, inputs)?;
    let mut report = Step::default();
    joint_motions(model, scratch, inputs, &mut report);
    move_particles(model, state, scratch, settings, inputs, &mut report);
    shape_curves(model, state, scratch, settings, inputs, &mut report);
    place_rings(model, scratch, &mut report);
    contact::separate(model, scratch, settings);
    place_vertices(model, scratch);
    Ok(report)
}

fn check(model: &Model, inputs: &Inputs) -> Result<()> {
    if inputs.joints.len() != model.joint_count() {
        let message = format!("{} joints, but {} in the rest pose", inputs.joints.len(), model.joint_count());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    let muscles = model.parts.muscles.len();
    if !inputs.activations.is_empty() && inputs.activations.len() != muscles {
        let message = format!("{} activations for {muscles} muscles", inputs.activations.len());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    Ok(())
}

fn joint_motions(model: &Model, scratch: &mut Scratch, inputs: &Inputs, report: &mut Step) {
    model.motions(inputs.joints, &mut scratch.motions);
    let scaling = scratch.motions.iter().enumerate().filter(|(_, (_, _, scales))| *scales);
    report.warnings.extend(scaling.map(|(joint, _)| Warning::Scales { joint }));
}

/// Where the anchors P_const and the pads' centres are, and the particles on their springs \[eq. 9 to 12\].
fn move_particles(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    settings: &Settings,
    inputs: &Inputs,
    report: &mut Step,
) {
    scratch.curves.clear();
    scratch.tensions.clear();
    scratch.displacements.clear();
    let begins = inputs.seconds.is_none() || !state.fits(model);
    if begins {
        *state = State::new();
        state.particles.resize(model.particle_count(), Particle::default());
        state.anchors.resize(model.particle_count(), Vec3::zeros());
    }
    let elapsed = inputs.seconds.filter(|_| !begins);
    let mut advance = |k: usize, anchor: Vec3, spring: &Spring, extent: Real| -> Particle {
        let particle = &mut state.particles[k];
        let anchors = [std::mem::replace(&mut state.anchors[k], anchor), anchor];
        match elapsed {
            None => *particle = Particle { position: anchor, velocity: Vec3::zeros() },
            Some(seconds) if seconds > 0.0 => {
                if !state.moving {
                    particle.velocity = (anchors[1] - anchors[0]) / seconds;
                }
                let spring = Spring {
                    stiffness: spring.stiffness * settings.stiffness,
                    damping: spring.damping * settings.damping,
                    ..*spring
                };
                let in_air = settings.drag == Drag::Air;
                Propagator::new(&spring, seconds).advance(particle, anchors, seconds, in_air);
            }
            Some(_) => {}
        }
        if hold_back(particle, &anchor, FARTHEST * extent) {
            report.warnings.push(Warning::Far { particle: k });
        }
        *particle
    };
    for (k, (muscle, rest)) in model.parts.muscles.iter().zip(&model.muscles).enumerate() {
        let [origin, _, insertion] = rest.curve.points;
        let (first, first_turn, _) = &scratch.motions[muscle.origin.joint];
        let (second, second_turn, _) = &scratch.motions[muscle.insertion.joint];
        let ends = [transform_point(first, &origin), transform_point(second, &insertion)];
        // The offset turns by the rotation half-way between those of the joints.
        let anchor = (ends[0] + ends[1]) * 0.5 + between(first_turn, second_turn) * muscle.middle;
        let particle = advance(k, anchor, &muscle.spring, rest.curve.chord());
        let stretched = particle.position - anchor;
        scratch.tensions.push(muscle.spring.stiffness * settings.stiffness * stretched.norm());
        let middle = anchor + stretched * settings.jiggle;
        scratch.curves.push(Curve { points: [ends[0], middle, ends[1]] });
    }
    for (k, pad) in model.parts.pads.iter().enumerate() {
        let anchor = transform_point(&scratch.motions[pad.centre.joint].0, &pad.centre.point);
        let particle = advance(model.parts.muscles.len() + k, anchor, &pad.spring, pad.radius);
        scratch.displacements.push((particle.position - anchor) * settings.jiggle);
    }
    state.moving |= elapsed.is_some_and(|seconds| seconds > 0.0);
}

/// Whether the particle was further from its anchor, and is now at that distance.
fn hold_back(particle: &mut Particle, anchor: &Vec3, farthest: Real) -> bool {
    let away = particle.position - anchor;
    let far = away.norm() > farthest;
    if far {
        particle.position = anchor + away * (farthest / away.norm());
    }
    far
}

/// The rotation half-way between two.
fn between(a: &Rotation, b: &Rotation) -> Rotation {
    let (a, b) = (a.quaternion(), b.quaternion());
    let sum = if a.dot(b) < 0.0 { a - b } else { a + b };
    Rotation::from_quaternion(sum)
}

/// Lengths and widths \[eq. 6 to 8\].
fn shape_curves(
    model: &Model,
    state: &State,
    scratch: &mut Scratch,
    settings: &Settings,
    inputs: &Inputs,
    report: &mut Step,
) {
    debug_assert!(state.fits(model));
    scratch.lengths.clear();
    scratch.widths.clear();
    for (k, (muscle, curve)) in model.parts.muscles.iter().zip(&scratch.curves).enumerate() {
        let rest = model.rest_length(k, settings.length);
        let length = settings.length.of(curve);
        if length < LEAST_LENGTH * rest {
            report.warnings.push(Warning::Short { muscle: k });
        }
        let activation = inputs.activations.get(k).copied().unwrap_or(0.0);
        let bulge = muscle.bulge * settings.bulge_factor;
        let width = widening(bulge, muscle.stretch_ratio, rest, length) * (1.0 + muscle.swell * activation);
        scratch.lengths.push(length);
        scratch.widths.push(settings.girth(muscle) * (1.0 + settings.bulge * (width - 1.0)));
    }
}

/// Centres and axes of the rings.
fn place_rings(model: &Model, scratch: &mut Scratch, report: &mut Step) {
    scratch.centres.clear();
    scratch.axes.clear();
    scratch.axes.resize(model.ring_count(), Mat3::identity());
    let muscles = model.parts.muscles.iter().zip(&model.muscles).zip(&scratch.curves).enumerate();
    for (k, ((muscle, rest), curve)) in muscles {
        let axes = &mut scratch.axes[rest.rings..rest.rings + muscle.rings];
        let turns = [muscle.origin, muscle.insertion].map(|end| scratch.motions[end.joint].1);
        let carried = turns.map(|turn| turn.to_rotation_matrix().into_inner() * rest.axes);
        let near = |ring| report.warnings.push(Warning::NearUp { muscle: k, ring });
        ring_axes(muscle, curve, &(turns[0] * rest.up), Some(&carried), model.frames, axes, near);
        scratch.centres.extend((0..muscle.rings).map(|ring| curve.at(station(muscle, ring))));
    }
}

/// The parameter of a ring.
pub(super) fn station(muscle: &Muscle, ring: usize) -> Real {
    ring as Real / (muscle.rings - 1) as Real
}

/// The axes of a muscle's rings. `carried` are those of the middle as the joints of its two ends carry them; at rest the
/// up-vector gives them. `near` hears of rings that are close to flipping.
pub(super) fn ring_axes(
    muscle: &Muscle,
    curve: &Curve,
    up: &Vec3,
    carried: Option<&[Mat3; 2]>,
    frames: Frames,
    axes: &mut [Mat3],
    mut near: impl FnMut(usize),
) {
    let chord = curve.points[2] - curve.points[0];
    let scale = curve.points[1].metric_distance(&curve.points[0]) + chord.norm();
    // Where the curve stands still, it goes on as before; if its ends coincide, as the origin's joint carries it.
    let along = |u: Real, before: Vec3| curve.derivative(u).try_normalize(STANDING * scale).unwrap_or(before);
    let resting = carried.map_or(chord, |[origin, _]| origin.column(0).into_owned());
    let tangent = chord.try_normalize(STANDING * scale).unwrap_or(resting);
    if frames == Frames::UpVector {
        let mut tangent = along(0.0, tangent);
        for ring in 0..muscle.rings {
            tangent = along(station(muscle, ring), tangent);
            let (beside, close) = beside_up(&tangent, up);
            axes[ring] = beside;
            if close {
                near(ring);
            }
        }
        return;
    }
    // The tangent in the middle is the chord.
    let middle =
        carried.map_or_else(|| beside_up(&tangent, up).0, |carried| carried_along(carried, &tangent));
    let mut follow = |rings: &mut dyn Iterator<Item = usize>| {
        let (mut last, mut at) = (middle, curve.at(0.5));
        for ring in rings {
            let (u, before) = (station(muscle, ring), at);
            at = curve.at(u);
            last = next(&last, &(at - before), &along(u, last.column(0).into_owned()));
            axes[ring] = last;
        }
    };
    let half = muscle.rings / 2;
    follow(&mut (0..half).rev());
    follow(&mut (half..muscle.rings));
}

/// A derivative shorter than this part of the curve has no direction but round-off.
const STANDING: Real = 1e-9;

/// The vertices x = C + F o' and their motions since rest, x + F F0^T (p - x0).
fn place_vertices(model: &Model, scratch: &mut Scratch) {
    scratch.points.resize(model.points.len(), Vec3::zeros());
    scratch.carriers.resize(model.points.len(), Affine::identity());
    let rings = Rings { model, widths: &scratch.widths, centres: &scratch.centres, axes: &scratch.axes };
    rings.place(0..model.muscles.len(), &mut scratch.points, &mut scratch.carriers);
}

/// The rings of a frame.
#[derive(Clone, Copy)]
struct Rings<'a> {
    model: &'a Model,
    widths: &'a [Real],
    centres: &'a [Vec3],
    axes: &'a [Mat3],
}

/// Muscles per parallel task.
const TOGETHER: usize = 8;

impl Rings<'_> {
    /// Places the vertices of some muscles: points and motions are theirs.
    fn place(self, muscles: Range<usize>, points: &mut [Vec3], carriers: &mut [Affine]) {
        if muscles.len() <= TOGETHER {
            return self.place_here(muscles, points, carriers);
        }
        let middle = muscles.start + muscles.len() / 2;
        let vertices = |muscle: usize| self.model.muscles[muscle].vertices;
        let (points, other_points) = points.split_at_mut(vertices(middle) - vertices(muscles.start));
        let (carriers, other_carriers) = carriers.split_at_mut(points.len());
        rayon::join(
            || self.place(muscles.start..middle, points, carriers),
            || self.place(middle..muscles.end, other_points, other_carriers),
        );
    }

    fn place_here(self, muscles: Range<usize>, points: &mut [Vec3], carriers: &mut [Affine]) {
        let (model, mut placed) = (self.model, points.iter_mut().zip(carriers));
        for muscle in muscles {
            let width = self.widths[muscle];
            for (k, ring) in model.rings_of(muscle).enumerate() {
                let (centre, axes) = (&self.centres[ring], &self.axes[ring]);
                let turn = axes * model.axes[ring].transpose();
                let divisions = model.parts.muscles[muscle].divisions;
                let begin = model.muscles[muscle].vertices + k * divisions;
                let of_ring = begin..begin + divisions;
                let at_rest = model.offsets[of_ring.clone()].iter().zip(&model.points[of_ring]);
                for ((offset, at_rest), (point, carrier)) in at_rest.zip(&mut placed) {
                    *point = centre + axes * (offset * width);
                    *carrier = affine(&turn, &(*point - turn * at_rest));
                }
            }
        }
    }
}

impl Length {
    /// The length of a curve.
    pub fn of(self, curve: &Curve) -> Real {
        match self {
            Length::Chord => curve.chord(),
            Length::Arc => curve.arc_length(),
        }
    }
}
