//! Skin that joints share, relaxed.

use super::super::skinning::{self, JointLayer, per_vertex};
use super::super::value::Inputs;
use sinew_base::error::Result;
use sinew_math::Real;
use sinew_skinning::{RelaxScratch, Relaxation};

/// The relaxation of the skin at hand.
#[derive(Default)]
pub(super) struct Folds {
    made: Option<(Key, Relaxation)>,
    /// The revision of the points whose detail it has, where these move.
    points: Option<u64>,
    scratch: RelaxScratch,
}

/// What the relaxation is made from.
#[derive(PartialEq)]
struct Key {
    joints: skinning::Key,
    mesh: u64,
    rounds: i64,
}

impl Folds {
    /// Relaxes points that the joints have moved.
    pub fn relax(&mut self, inputs: &Inputs, joints: &JointLayer, out: &mut [Real]) -> Result<()> {
        let strength = inputs.real("relax")?;
        let (true, Ok(mesh)) = (strength > 0.0, inputs.mesh("mesh")) else { return Ok(()) };
        let (joints_key, skinner) = joints.model()?;
        let rounds = inputs.int("relax_rounds")?;
        let key = Key { joints: *joints_key, mesh: inputs.revision("mesh")?, rounds };
        let relaxation = match &mut self.made {
            Some((known, relaxation)) if *known == key => relaxation,
            made => {
                let rounds = (rounds > 0).then_some(rounds as usize);
                let relaxation = Relaxation::new(skinner, mesh, rounds).map_err(|e| e.port("mesh"))?;
                self.points = None;
                &mut made.insert((key, relaxation)).1
            }
        };
        let points = inputs.revision("points")?;
        if self.points.replace(points) != Some(points) {
            relaxation.rest(&mut self.scratch, inputs.reals("points")?)?;
        }
        let map = per_vertex(inputs.map("relax_map")?);
        relaxation.relax(&mut self.scratch, (strength, map), joints.mirror(), out)
    }
}
