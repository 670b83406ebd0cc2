//! The evolving state.

use super::model::Model;
use super::spring::Particle;
use nalgebra::Quaternion;
use sinew_base::bytes::{Reader, put_count, put_reals};
use sinew_base::error::Result;
use sinew_math::{Mat3, Real, Rotation, Vec3};

/// The particles of all muscles, then of all pads.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct State {
    /// The particles.
    pub particles: Vec<Particle>,
    /// Where their anchors were.
    pub anchors: Vec<Vec3>,
    /// How fast these moved during the last step.
    pub speeds: Vec<Vec3>,
    /// How their speeds changed from the step before to the last.
    pub accelerations: Vec<Vec3>,
    /// How long that took.
    pub seconds: Real,
    /// Whether the velocities are known: at the first frame nothing says how fast the body already moves, and with
    /// [`Start::Moving`](super::Start::Moving) the particles take the velocities of their anchors towards the second.
    pub moving: bool,
    /// How the joint of each muscle's insertion was turned against that of its origin; of the two quaternions that are
    /// this rotation, the one that came continuously from the frame before.
    pub twists: Vec<Rotation>,
    /// With [`Frames::UpVector`](super::Frames::UpVector): the axes of all rings, as the joints of the origins carry
    /// them.
    pub axes: Vec<Mat3>,
}

impl State {
    /// Before the first frame.
    pub fn new() -> Self {
        State::default()
    }

    /// Whether it belongs to a model.
    pub fn fits(&self, model: &Model) -> bool {
        self.particles.len() == model.particle_count() && self.twists.len() == model.parts().muscles.len()
    }

    /// Whether no particle is lost.
    pub fn is_finite(&self) -> bool {
        let finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        self.particles.iter().all(|particle| finite(&particle.position) && finite(&particle.velocity))
    }

    /// Appends it to bytes.
    pub fn put(&self, out: &mut Vec<u8>) {
        put_count(out, self.particles.len());
        out.push(u8::from(self.moving));
        put_reals(out, &[self.seconds]);
        for (k, particle) in self.particles.iter().enumerate() {
            let anchor = [&self.anchors[k], &self.speeds[k], &self.accelerations[k]];
            for vector in [&particle.position, &particle.velocity].into_iter().chain(anchor) {
                put_reals(out, vector.as_slice());
            }
        }
        put_count(out, self.twists.len());
        self.twists.iter().for_each(|twist| put_reals(out, twist.coords.as_slice()));
        put_count(out, self.axes.len());
        self.axes.iter().for_each(|axes| put_reals(out, axes.as_slice()));
    }

    /// What [`State::put`] appended.
    pub fn read(reader: &mut Reader) -> Result<Self> {
        let count = reader.count(15 * size_of::<Real>())?;
        let mut state = State { moving: reader.bit()?, seconds: reader.real()?, ..State::default() };
        let mut vector = || -> Result<Vec3> { Ok(Vec3::new(reader.real()?, reader.real()?, reader.real()?)) };
        for _ in 0..count {
            let (position, velocity) = (vector()?, vector()?);
            state.particles.push(Particle { position, velocity });
            state.anchors.push(vector()?);
            state.speeds.push(vector()?);
            state.accelerations.push(vector()?);
        }
        for _ in 0..reader.count(4 * size_of::<Real>())? {
            let mut part = || reader.real();
            let (i, j, k, w) = (part()?, part()?, part()?, part()?);
            state.twists.push(Rotation::new_unchecked(Quaternion::new(w, i, j, k)));
        }
        for _ in 0..reader.count(9 * size_of::<Real>())? {
            let mut axes = Mat3::zeros();
            for part in axes.iter_mut() {
                *part = reader.real()?;
            }
            state.axes.push(axes);
        }
        Ok(state)
    }
}
