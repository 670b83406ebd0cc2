//! Skin that joints share, relaxed.

use super::super::skinning::{JointLayer, per_vertex};
use super::super::value::Inputs;
use sinew_base::error::Result;
use sinew_math::Real;
use sinew_skinning::{RelaxScratch, Relaxation};

/// What the relaxation is made from: the revisions of ports, and parameters.
const PORTS: [&str; 4] = ["mesh", "influence_counts", "influence_joints", "influence_weights"];

/// The relaxation of the skin at hand.
#[derive(Default)]
pub(super) struct Folds {
    made: Option<(Key, Relaxation)>,
    /// The revision of the points whose detail it has, where these move.
    points: Option<u64>,
    scratch: RelaxScratch,
}

#[derive(PartialEq)]
struct Key {
    revisions: [u64; PORTS.len()],
    normalize: bool,
    rounds: i64,
}

impl Folds {
    /// Relaxes points that the joints have moved.
    pub fn relax(&mut self, inputs: &Inputs, joints: &JointLayer, out: &mut [Real]) -> Result<()> {
        let strength = inputs.real("relax")?;
        let (true, Ok(mesh)) = (strength > 0.0, inputs.mesh("mesh")) else { return Ok(()) };
        let skinner = joints.skinner()?;
        let mut revisions = [0; PORTS.len()];
        for (revision, port) in revisions.iter_mut().zip(PORTS) {
            *revision = inputs.revision(port)?;
        }
        let (normalize, rounds) = (inputs.flag("normalize")?, inputs.int("relax_rounds")?);
        let key = Key { revisions, normalize, rounds };
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
