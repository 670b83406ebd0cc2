//! The outputs of the node, and its warnings in words.

use super::super::value::{Outputs, fill_matrices};
use super::layers::Layers;
use crate::error::Result;
use crate::math::{Largest, Real, affine, copied, nan_or_larger, widest};
use crate::muscle::{Model, Scratch, Step, Warning};

/// Writes everything but the points. `number` is that of the model.
pub(super) fn write(
    model: &Model,
    number: u64,
    scratch: &Scratch,
    layers: &Layers,
    outputs: &mut Outputs,
) -> Result<()> {
    let (carried, revision) = layers.carried();
    outputs.fill_once("carried", revision, carried)?;
    outputs.fill_once("muscle_faces", number, model.quads().flatten().map(|vertex| vertex as Real))?;
    let rings = model.parts().muscles.iter().map(|muscle| muscle.rings as Real);
    outputs.fill_once("muscle_ring_counts", number, rings)?;
    let points = outputs.reals("muscle_points", scratch.points.len())?;
    let largest = copied(bytemuck::cast_slice(&scratch.points), points);
    outputs.bound("muscle_points", largest)?;
    let muscles = model.parts().muscles.len();
    let matrices = outputs.reals("ring_matrices", scratch.centres.len())?;
    let rings = scratch.axes.iter().zip(&scratch.centres);
    fill_matrices(matrices, rings.map(|(axes, centre)| affine(axes, centre)));
    // The instance would search all matrices for what is not finite; these are their numbers, side by side.
    let axes = widest(Largest(bytemuck::cast_slice(&scratch.axes)));
    let centres = widest(Largest(bytemuck::cast_slice(&scratch.centres)));
    outputs.bound("ring_matrices", nan_or_larger(nan_or_larger(axes, centres), 1.0))?;
    outputs.reals("muscle_lengths", muscles)?.copy_from_slice(&scratch.lengths);
    outputs.reals("muscle_tensions", muscles)?.copy_from_slice(&scratch.tensions);
    Ok(())
}

/// One sentence for each kind of warning, however many muscles, pads or joints it concerns. What jiggles too much is left out
/// where no jiggle is shown.
pub(super) fn warnings(model: &Model, report: &Step, joint_names: &[String], jiggle: Real) -> Vec<String> {
    let parts = model.parts();
    let muscle = |muscle: usize| format!("muscle {}", parts.muscles[muscle].name);
    let [mut scaling, mut far, mut short, mut near] = [(); 4].map(|()| Concerned::default());
    let mut last_near = None;
    for warning in &report.warnings {
        match *warning {
            Warning::Scales { joint } => scaling.push(|| {
                let name = joint_names.get(joint).map_or(joint.to_string(), |name| format!("{name:?}"));
                format!("joint {name}")
            }),
            Warning::Far { .. } if jiggle == 0.0 => {}
            Warning::Far { particle } => far.push(|| match particle.checked_sub(parts.muscles.len()) {
                None => muscle(particle),
                Some(pad) => format!("pad {}", parts.pads[pad].name),
            }),
            Warning::Short { muscle: short_one } => short.push(|| muscle(short_one)),
            Warning::NearUp { muscle: turned, ring } => {
                if last_near.replace(turned) != Some(turned) {
                    near.push(|| format!("{} at ring {ring}", muscle(turned)));
                }
            }
        }
    }
    let told = [
        scaling.told("scaling, shearing and mirroring do not act on muscles, only rotation does"),
        far.told("the body moved too fast for the spring, whose deflection is limited"),
        short.told("the ends nearly coincide; the width is limited"),
        near.told(
            "it points along its up-vector, or has passed it: rings flip there; choose another up-vector, or stable axes",
        ),
    ];
    told.into_iter().flatten().collect()
}

/// Whom a warning concerns.
#[derive(Default)]
struct Concerned {
    count: usize,
    /// The names of the first.
    first: Vec<String>,
}

/// More names than this do not help.
const FEW: usize = 3;

impl Concerned {
    fn push(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < FEW {
            self.first.push(name());
        }
    }

    /// The warning, if it concerns any.
    fn told(&self, what: &str) -> Option<String> {
        let first = self.first.join(", ");
        match self.count - self.first.len() {
            0 if self.count == 0 => None,
            0 => Some(format!("{first}: {what}")),
            more => Some(format!("{first} and {more} more: {what}")),
        }
    }
}
