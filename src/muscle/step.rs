//! A frame of the muscles.

use super::contact::{Placed, Touching};
use super::curve::Curve;
use super::frames::{Frames, flips, ring_axes, station};
use super::model::{Model, Motion};
use super::parts::Spring;
use super::settings::{Drag, Follow, Settings, Start};
use super::shape::{LEAST_LENGTH, LEAST_WIDTH, effort, widening};
use super::slide;
use super::spring::{Particle, Way, shortened};
use super::state::State;
use super::twist::{half, twist};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Mat3, Real, Rotation, Vec3, affine, transform_point};
use std::ops::Range;

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
    /// The tangent at a ring is close to the up-vector, or passes it between the ring before and this one: a ring is
    /// about to flip.
    NearUp {
        /// The muscle.
        muscle: usize,
        /// The ring.
        ring: usize,
    },
    /// The tangent at a ring has passed the up-vector since the frame before: the ring has flipped.
    Flipped {
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
    pub(super) motions: Vec<Motion>,
    curves: Vec<Curve>,
    /// How far each muscle's middle control point is from its anchor.
    swings: Vec<Vec3>,
    /// How much wider each muscle is than at rest.
    pub(super) widths: Vec<Real>,
    /// How far muscles have slid under the skin over each ring, in rings.
    slides: Vec<Real>,
    pub(super) touching: Touching,
    /// The centres of all rings.
    pub centres: Vec<Vec3>,
    /// The axes of all rings as columns: along the curve, and two across.
    pub axes: Vec<Mat3>,
    /// The vertices of all muscles.
    pub points: Vec<Vec3>,
    /// For [`Follow::Motion`], the motion of each muscle vertex since rest.
    pub carriers: Vec<Affine>,
    /// For [`Follow::Shape`], how far each muscle vertex is from where a muscle of the same width would have it that
    /// goes with the joints.
    pub beyond: Vec<Vec3>,
    /// The displacement of each pad.
    pub displacements: Vec<Vec3>,
    /// The length of each muscle.
    pub lengths: Vec<Real>,
    /// The force of each muscle's spring, in N.
    pub tensions: Vec<Real>,
}

impl Scratch {
    /// How far contact moved each ring.
    pub fn pushes(&self) -> impl Iterator<Item = Vec3> {
        self.centres.iter().zip(&self.touching.start).map(|(centre, start)| centre - start)
    }
}

/// A particle comes no farther from where it would rest than this fraction of its muscle's length (or pad's radius);
/// the body jumped, as at a cut or a reset of the rig, or is hard on a soft spring. Drag of air takes it no farther
/// away either.
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
    place_rings(model, state, scratch, &mut report);
    let Scratch { touching, motions, widths, axes, centres, .. } = scratch;
    touching.separate(&Placed { model, settings, motions, widths, axes }, centres);
    if settings.follow == Follow::Shape {
        slide_under_skin(model, scratch);
    }
    place_vertices(model, scratch, settings);
    Ok(report)
}

/// How far muscles have slid under the skin, jiggle apart.
fn slide_under_skin(model: &Model, scratch: &mut Scratch) {
    let Scratch { motions, curves, swings, slides, .. } = scratch;
    let still = curves.iter().zip(&*swings).map(|(curve, swing)| {
        let [origin, middle, insertion] = curve.points;
        Curve { points: [origin, middle - swing, insertion] }
    });
    slide::slides(model, motions, still, slides);
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
    let carries = |(joint, (_, _, scales)): &(usize, &Motion)| *scales && model.used[*joint];
    let scaling = scratch.motions.iter().enumerate().filter(carries);
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
    scratch.swings.clear();
    scratch.tensions.clear();
    scratch.displacements.clear();
    let begins = inputs.seconds.is_none() || !state.fits(model);
    if begins {
        *state = State::new();
        state.particles.resize(model.particle_count(), Particle::default());
        state.anchors.resize(model.particle_count(), Vec3::zeros());
        state.speeds.resize(model.particle_count(), Vec3::zeros());
        state.accelerations.resize(model.particle_count(), Vec3::zeros());
        state.twists.resize(model.parts.muscles.len(), Rotation::identity());
    }
    let elapsed = inputs.seconds.filter(|_| !begins);
    let mut advance =
        |state: &mut State, k: usize, anchor: Vec3, spring: &Spring, extent: Real| -> Particle {
            if advance(state, k, anchor, spring, settings, elapsed, FARTHEST * extent) {
                report.warnings.push(Warning::Far { particle: k });
            }
            state.particles[k]
        };
    for (k, (muscle, rest)) in model.parts.muscles.iter().zip(&model.muscles).enumerate() {
        let [origin, middle, insertion] = rest.curve.points;
        let (first, first_turn, _) = &scratch.motions[muscle.origin.joint];
        let (second, second_turn, _) = &scratch.motions[muscle.insertion.joint];
        let ends = [transform_point(first, &origin), transform_point(second, &insertion)];
        // The offset turns by the rotation half-way between those of the joints.
        let twist = twist(first_turn, second_turn, (!begins).then_some(&state.twists[k]));
        state.twists[k] = twist;
        let anchor = match muscle.middle_joint {
            Some(joint) => transform_point(&scratch.motions[joint].0, &middle),
            None => (ends[0] + ends[1]) * 0.5 + *first_turn * half(&twist) * muscle.middle,
        };
        let particle = advance(state, k, anchor, &muscle.spring, rest.curve.chord());
        let stretched = particle.position - anchor;
        scratch.tensions.push(muscle.spring.stiffness * settings.stiffness * stretched.norm());
        let swing = stretched * settings.jiggle;
        scratch.swings.push(swing);
        scratch.curves.push(Curve { points: [ends[0], anchor + swing, ends[1]] });
    }
    for (k, pad) in model.parts.pads.iter().enumerate() {
        let anchor = transform_point(&scratch.motions[pad.centre.joint].0, &pad.centre.point);
        let particle = advance(state, model.parts.muscles.len() + k, anchor, &pad.spring, pad.radius);
        scratch.displacements.push((particle.position - anchor) * settings.jiggle);
    }
    if let Some(seconds) = elapsed.filter(|seconds| *seconds > 0.0) {
        (state.moving, state.seconds) = (true, seconds);
    }
}

/// Moves a particle for the time elapsed while its anchor moves to a place; without a time the motion begins there.
/// Whether it was held back.
fn advance(
    state: &mut State,
    k: usize,
    anchor: Vec3,
    spring: &Spring,
    settings: &Settings,
    elapsed: Option<Real>,
    farthest: Real,
) -> bool {
    let particle = &mut state.particles[k];
    let anchors = [std::mem::replace(&mut state.anchors[k], anchor), anchor];
    match elapsed {
        None => {
            *particle = Particle { position: anchor, velocity: Vec3::zeros() };
            false
        }
        Some(seconds) if seconds > 0.0 => {
            let speed = (anchors[1] - anchors[0]) / seconds;
            let before = std::mem::replace(&mut state.speeds[k], speed);
            let now = match state.moving {
                true => (speed - before) * (2.0 / (seconds + state.seconds)),
                false => Vec3::zeros(),
            };
            let lasting = lasting(&std::mem::replace(&mut state.accelerations[k], now), &now);
            let is_round_off = lasting.norm() * seconds <= ROUND_OFF * speed.norm();
            let acceleration = if is_round_off { Vec3::zeros() } else { lasting };
            if !state.moving && settings.start == Start::Moving {
                particle.velocity = speed;
            }
            let spring = Spring {
                stiffness: spring.stiffness * settings.stiffness,
                damping: spring.damping * settings.damping,
                ..*spring
            };
            let way = Way { anchors, acceleration, seconds, in_air: settings.drag == Drag::Air };
            particle.advance(&spring, &way, farthest)
        }
        Some(_) => {
            let (away, far) = shortened(particle.position - anchor, farthest);
            if far {
                particle.position = anchor + away;
            }
            far
        }
    }
}

/// A change of an anchor's speed in a step by less than this fraction is round-off.
const ROUND_OFF: Real = 1e-9;

/// The acceleration of an anchor that had these two from frame to frame, by the limiter of \[Albada\] for vectors:
/// their mean where they agree, none where only one is there. So a smooth way is a parabola between two frames, which
/// is exact for a constant acceleration, and stops and corners of a straight way are none of it.
///
/// - \[Albada\] van Albada, van Leer and Roberts, "A comparative study of computational methods in cosmic gas
///   dynamics", 1982.
fn lasting(before: &Vec3, now: &Vec3) -> Vec3 {
    let squares = before.norm_squared() + now.norm_squared();
    if squares > 0.0 { (before + now) * (before.dot(now).max(0.0) / squares) } else { Vec3::zeros() }
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
        let given = inputs.activations.get(k).copied().unwrap_or(0.0);
        let own = (settings.flex * muscle.flex * effort(rest, length)).min(1.0);
        let tensed = muscle.limb.map_or(0.0, |limb| settings.tense[limb as usize]);
        let activation = given.max(own).max(tensed);
        let bulge = muscle.bulge * settings.bulge_factor;
        let width = widening(bulge, muscle.stretch_ratio, rest, length) * (1.0 + muscle.swell * activation);
        let wider = settings.bulge * (width - 1.0);
        scratch.lengths.push(length);
        scratch.widths.push(settings.girth(muscle) * (1.0 + wider).max(LEAST_WIDTH));
    }
}

/// Centres and axes of the rings.
fn place_rings(model: &Model, state: &mut State, scratch: &mut Scratch, report: &mut Step) {
    if model.frames != Frames::UpVector || state.axes.len() != model.ring_count() {
        state.axes.clear();
    }
    scratch.centres.clear();
    scratch.axes.clear();
    scratch.axes.resize(model.ring_count(), Mat3::identity());
    let muscles = model.parts.muscles.iter().zip(&model.muscles).zip(&scratch.curves).enumerate();
    for (k, ((muscle, rest), curve)) in muscles {
        let axes = &mut scratch.axes[rest.rings..rest.rings + muscle.rings];
        let turns = [muscle.leader(), muscle.insertion.joint].map(|joint| scratch.motions[joint].1);
        let carried = turns.map(|turn| turn.to_rotation_matrix().into_inner() * rest.axes);
        let near = |ring| report.warnings.push(Warning::NearUp { muscle: k, ring });
        ring_axes(muscle, curve, &(turns[0] * rest.up), &carried, model.frames, axes, near);
        if model.frames == Frames::UpVector {
            let back = turns[0].inverse().to_rotation_matrix().into_inner();
            let now = axes.iter().map(|axes| back * axes);
            report_flips(k, rest.rings, now, &mut state.axes, report);
        }
        scratch.centres.extend((0..muscle.rings).map(|ring| curve.at(station(muscle, ring))));
    }
}

/// Reports rings that have flipped since the frame before, which may have passed the up-vector without coming close to
/// it in any frame. `now` are a muscle's axes as the joint of its origin carries them, `before` those of all muscles.
fn report_flips(
    muscle: usize,
    first: usize,
    now: impl Iterator<Item = Mat3>,
    before: &mut Vec<Mat3>,
    report: &mut Step,
) {
    for (ring, axes) in now.enumerate() {
        match before.get_mut(first + ring) {
            None => before.push(axes),
            Some(before) => {
                if flips(before, &axes) {
                    report.warnings.push(Warning::Flipped { muscle, ring });
                }
                *before = axes;
            }
        }
    }
}

/// The vertices x = C + F o', and what the skin follows of them.
fn place_vertices(model: &Model, scratch: &mut Scratch, settings: &Settings) {
    let follow = settings.follow;
    let Scratch { points, carriers, beyond, .. } = scratch;
    points.resize(model.points.len(), Vec3::zeros());
    let [carried, moved] = match follow {
        Follow::Motion => [model.points.len(), 0],
        Follow::Shape => [0, model.points.len()],
    };
    carriers.resize(carried, Affine::identity());
    beyond.resize(moved, Vec3::zeros());
    let rings = Rings {
        model,
        widths: &scratch.widths,
        slides: &scratch.slides,
        settings,
        swings: &scratch.swings,
        centres: &scratch.centres,
        unpushed: &scratch.touching.start,
        axes: &scratch.axes,
    };
    let all = 0..model.muscles.len();
    match follow {
        Follow::Motion => rings.place(all, points, carriers, &Rings::carry),
        Follow::Shape => rings.place(all, points, beyond, &Rings::exceed),
    }
}

/// The rings of a frame.
#[derive(Clone, Copy)]
struct Rings<'a> {
    model: &'a Model,
    widths: &'a [Real],
    slides: &'a [Real],
    settings: &'a Settings,
    swings: &'a [Vec3],
    centres: &'a [Vec3],
    /// The centres without contact.
    unpushed: &'a [Vec3],
    axes: &'a [Mat3],
}

/// Muscles per parallel task.
const TOGETHER: usize = 8;

/// A ring of a muscle: its number among all, and within the muscle.
#[derive(Clone, Copy)]
struct Ring {
    muscle: usize,
    ring: usize,
    k: usize,
}

impl Rings<'_> {
    /// Places the vertices of some muscles. `points` are theirs, and so is what a vertex leads to, ring by ring.
    fn place<T: Send>(
        self,
        muscles: Range<usize>,
        points: &mut [Vec3],
        led: &mut [T],
        lead: &(impl Fn(Self, Ring, &[Vec3], &mut [T]) + Sync),
    ) {
        let vertices = |muscle: usize| self.model.muscles[muscle].vertices;
        if muscles.len() > TOGETHER {
            let middle = muscles.start + muscles.len() / 2;
            let (points, other_points) = points.split_at_mut(vertices(middle) - vertices(muscles.start));
            let (led, other_led) = led.split_at_mut(points.len());
            rayon::join(
                || self.place(muscles.start..middle, points, led, lead),
                || self.place(middle..muscles.end, other_points, other_led, lead),
            );
            return;
        }
        let mut begin = 0;
        for muscle in muscles {
            let divisions = self.model.parts.muscles[muscle].divisions;
            for (k, ring) in self.model.rings_of(muscle).enumerate() {
                let of_ring = begin..begin + divisions;
                begin = of_ring.end;
                let ring = Ring { muscle, ring, k };
                let (centre, axes) = (&self.centres[ring.ring], &self.axes[ring.ring]);
                let points = &mut points[of_ring.clone()];
                for (point, offset) in points.iter_mut().zip(self.offsets(ring)) {
                    *point = centre + axes * (offset * self.widths[muscle]);
                }
                lead(self, ring, points, &mut led[of_ring]);
            }
        }
    }

    fn range(&self, Ring { muscle, k, .. }: Ring) -> Range<usize> {
        let divisions = self.model.parts.muscles[muscle].divisions;
        let begin = self.model.muscles[muscle].vertices + k * divisions;
        begin..begin + divisions
    }

    fn offsets(&self, ring: Ring) -> &[Vec3] {
        &self.model.offsets[self.range(ring)]
    }

    /// The motions since rest, x + F F0^T (p - x0).
    fn carry(self, ring: Ring, points: &[Vec3], carriers: &mut [Affine]) {
        let turn = self.axes[ring.ring] * self.model.axes[ring.ring].transpose();
        let at_rest = &self.model.points[self.range(ring)];
        for ((carrier, point), at_rest) in carriers.iter_mut().zip(points).zip(at_rest) {
            *carrier = affine(&turn, &(point - turn * at_rest));
        }
    }

    /// How far vertices are beyond those of a muscle of the width at rest that goes with the joints.
    fn exceed(self, ring: Ring, _: &[Vec3], beyond: &mut [Vec3]) {
        let Ring { muscle, ring: number, .. } = ring;
        let u = station(&self.model.parts.muscles[muscle], ring.k);
        // Of the Bezier curve, what its middle control point moves.
        let swing = self.swings[muscle] * (2.0 * u * (1.0 - u));
        let aside = swing + (self.centres[number] - self.unpushed[number]);
        let part = &self.model.parts.muscles[muscle];
        let (axes, girth) = (&self.axes[number], self.settings.girth(part));
        // Which is to show as much of the slide as of the bulge.
        let slid = self.slides[number] * self.settings.bulge.min(1.0);
        let last = part.rings - 1;
        let place = (ring.k as Real + slid).clamp(0.0, last as Real);
        let below = (place as usize).min(last - 1);
        let [before, after] = [below, below + 1].map(|k| self.offsets(Ring { k, ..ring }));
        for (k, (beyond, offset)) in beyond.iter_mut().zip(self.offsets(ring)).enumerate() {
            let under = before[k].lerp(&after[k], place - below as Real);
            let more = under * self.widths[muscle] - offset * girth;
            let outwards = more.dot(offset) / offset.norm_squared().max(Real::MIN_POSITIVE);
            let hidden = offset * ((1.0 - self.settings.thinning) * outwards.min(0.0));
            *beyond = aside + axes * (offset * (girth - 1.0) + more - hidden);
        }
    }
}
