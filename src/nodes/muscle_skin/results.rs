//! The outputs of the node, and its warnings in words.

use super::super::value::{Outputs, fill_matrices};
use super::layers::Layers;
use crate::error::Result;
use crate::math::{Real, affine, copied};
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
    outputs.reals("muscle_lengths", muscles)?.copy_from_slice(&scratch.lengths);
    outputs.reals("muscle_tensions", muscles)?.copy_from_slice(&scratch.tensions);
    Ok(())
}

/// One sentence for each muscle, pad or joint and kind of warning.
pub(super) fn warnings(model: &Model, report: &Step, joint_names: &[String]) -> Vec<String> {
    let parts = model.parts();
    let mut told = Vec::new();
    let mut last_near = None;
    for warning in &report.warnings {
        told.push(match *warning {
            Warning::NearUp { muscle, .. } if last_near == Some(muscle) => continue,
            Warning::NearUp { muscle, ring } => {
                last_near = Some(muscle);
                format!(
                    "muscle {}: at ring {ring} it points along its up-vector, or has passed it: rings flip there; choose \
                     another up-vector, or stable axes",
                    parts.muscles[muscle].name
                )
            }
            Warning::Scales { joint } => {
                let name = joint_names.get(joint).map_or(joint.to_string(), |name| format!("{name:?}"));
                format!("joint {name} scales, shears or mirrors: muscles take only its rotation")
            }
            Warning::Short { muscle } => {
                format!("muscle {}: its ends nearly coincide; its width is limited", parts.muscles[muscle].name)
            }
            Warning::Far { particle } => {
                let name = match particle.checked_sub(parts.muscles.len()) {
                    None => format!("muscle {}", parts.muscles[particle].name),
                    Some(pad) => format!("pad {}", parts.pads[pad].name),
                };
                format!("{name}: the body moved too fast for its spring, whose deflection is limited")
            }
        });
    }
    told
}
