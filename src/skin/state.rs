//! The evolving state: which skin is where.

use super::model::Model;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::SurfacePoint;
use sinew_math::{Real, Vec3};
use std::sync::Arc;

/// The skin at one moment.
#[derive(Debug, Default, PartialEq)]
pub struct State {
    /// The material point at each body vertex.
    pub skin: Vec<SurfacePoint>,
    /// The velocity in space of the skin at each body vertex, in m/s; its normal component is the body's.
    pub velocity: Vec<Vec3>,
    /// The body's previous positions.
    pub body: Vec<Vec3>,
    /// The body's velocity, in m/s.
    pub body_velocity: Vec<Vec3>,
    /// How fast the material point at each body vertex moved over the surface at rest to settle there, in m/s: what
    /// goes on like that does not snap. In dynamic mode, the mean velocity in space of the skin in the last step.
    pub pace: Vec<Vec3>,
    /// The pace before that. In dynamic mode, the skin's velocity in space before the last step.
    pub earlier_pace: Vec<Vec3>,
    /// The fraction of the pace's last change by which it is likely to change again, 0..=1.
    pub trend: Real,
    /// The forces that kept the skin at each vertex from snapping to another resting position at once, in N over the
    /// surface at rest; empty if there were none.
    pub brakes: Vec<Vec3>,
    /// The values of the last factor, shared with later states that settle without a new one: the next frame starts
    /// with it.
    pub stiffness: Option<Arc<Stiffness>>,
}

/// The second derivatives of the potential at some skin on some body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stiffness {
    /// The values of the matrix, in the order of its pattern.
    pub values: Vec<Real>,
    /// The directions of the unknowns at each vertex, on the surface at rest.
    pub directions: Vec<[Vec3; 2]>,
}

impl Stiffness {
    /// Whether it may belong to `n` vertices.
    fn is_sound(&self, n: usize) -> bool {
        let directions = self.directions.iter().flatten().flat_map(|direction| direction.iter());
        self.directions.len() == n && self.values.iter().chain(directions).all(|value| value.is_finite())
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = State::default();
        copy.clone_from(self);
        copy
    }

    /// Reuses memory if there is enough; a derived implementation would discard the old.
    fn clone_from(&mut self, from: &Self) {
        self.skin.clone_from(&from.skin);
        self.velocity.clone_from(&from.velocity);
        self.body.clone_from(&from.body);
        self.body_velocity.clone_from(&from.body_velocity);
        self.pace.clone_from(&from.pace);
        self.earlier_pace.clone_from(&from.earlier_pace);
        self.trend = from.trend;
        self.brakes.clone_from(&from.brakes);
        self.stiffness.clone_from(&from.stiffness);
    }
}

/// A value in single precision; one that is too large becomes the largest.
pub fn single(value: Real) -> f32 {
    value.clamp(Real::from(f32::MIN), Real::from(f32::MAX)) as f32
}

impl State {
    /// The skin that matches the body at rest.
    pub fn at_rest(model: &Model) -> Self {
        let n = model.len();
        State {
            skin: model.rest.home(),
            velocity: vec![Vec3::zeros(); n],
            body: model.rest.mesh().positions.clone(),
            body_velocity: vec![Vec3::zeros(); n],
            pace: vec![Vec3::zeros(); n],
            earlier_pace: vec![Vec3::zeros(); n],
            trend: 0.0,
            brakes: Vec::new(),
            stiffness: None,
        }
    }

    /// Forgets the history of body and skin.
    pub fn forget_motion(&mut self) {
        let motions = [&mut self.velocity, &mut self.body_velocity, &mut self.pace, &mut self.earlier_pace];
        motions.into_iter().for_each(|motion| motion.fill(Vec3::zeros()));
        self.trend = 0.0;
        self.brakes.clear();
    }

    /// Reduces it to what a lean copy can hold: velocities and hints in single precision, the largest weight of each
    /// point implied by the others, no stiffness. The next step is as accurate, but starts a little farther from the
    /// answer.
    pub fn make_lean(&mut self) {
        for point in &mut self.skin {
            let (largest, others) = point.without_largest();
            *point = SurfacePoint::with_largest(point.triangle, largest, others);
        }
        let lists = [
            &mut self.velocity,
            &mut self.body_velocity,
            &mut self.pace,
            &mut self.earlier_pace,
            &mut self.brakes,
        ];
        lists.into_iter().flatten().flat_map(|vector| vector.iter_mut()).for_each(|c| *c = single(*c).into());
        self.stiffness = None;
    }

    /// An error if the state cannot belong to the model.
    pub fn check(&self, model: &Model) -> Result<()> {
        let n = model.len();
        let vectors = [&self.velocity, &self.body, &self.body_velocity, &self.pace, &self.earlier_pace];
        if self.skin.len() != n || vectors.iter().any(|all| all.len() != n) {
            let message = format!("the state has {} vertices, the mesh {n}", self.skin.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let triangles = model.rest.mesh().triangles.len();
        let sound = |p: &SurfacePoint| {
            let sum: Real = p.weights.iter().sum();
            (p.triangle as usize) < triangles
                && p.weights.iter().all(|w| *w >= 0.0)
                && (sum - 1.0).abs() < 1e-9
        };
        let damaged = || Error::new(Kind::OutOfRange, "the state is damaged");
        let finite = |v: usize| vectors.iter().all(|all| all[v].iter().all(|c| c.is_finite()));
        if let Some(vertex) = (0..n).find(|&v| !sound(&self.skin[v]) || !finite(v)) {
            return Err(damaged().vertex(vertex));
        }
        let stiffness = self.stiffness.as_ref();
        let finite = self.brakes.iter().all(|brake| brake.iter().all(|c| c.is_finite()));
        let hints = finite
            && [0, n].contains(&self.brakes.len())
            && (0.0..=1.0).contains(&self.trend)
            && stiffness.is_none_or(|stiffness| stiffness.is_sound(n));
        if hints { Ok(()) } else { Err(damaged()) }
    }
}
