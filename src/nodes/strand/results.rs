//! The outputs of the node.

use super::super::descriptor::Port;
use super::super::strand_report::motions;
use super::super::value::{Outputs, fill, fill_matrices};
use super::rig::Rig;
use sinew_base::error::Result;
use sinew_math::Real;
use sinew_strand::measures::{cuts, lengths, whole_tensions};
use sinew_strand::state::State;
use sinew_strand::step::Scratch;

/// Writes what a state looks like, and the tensions after the steps that led to it.
pub(super) fn write(
    rig: &Rig,
    state: &State,
    scratch: Option<&Scratch>,
    outputs: &mut Outputs,
) -> Result<()> {
    bodies(rig, state, outputs)?;
    strands(rig, state, scratch, outputs)?;
    let activations = outputs.reals("activations", state.activations.len())?;
    activations.copy_from_slice(&state.activations);
    Ok(())
}

/// The number of items of an output: of bodies, joints, strands and muscles that the scene has.
pub(super) fn count(output: &Port, rig: &Rig, state: &State) -> Option<usize> {
    let parts = rig.model.parts();
    Some(match output.items {
        "body" => state.bodies.len(),
        "led body" => rig.led.len(),
        "joint" => parts.joints.len(),
        "strand" => parts.strands.len(),
        "strand node" => state.material.len(),
        "strand segment" => state.material.len() - parts.strands.len(),
        "muscle" => state.activations.len(),
        _ => return None,
    })
}

fn bodies(rig: &Rig, state: &State, outputs: &mut Outputs) -> Result<()> {
    let matrices = outputs.reals("body_matrices", state.bodies.len())?;
    let places = state.bodies.iter().zip(&rig.inner).map(|(body, inner)| body.place * inner.inverse());
    fill_matrices(matrices, places.map(|place| place.to_affine()));
    fill(outputs.reals("led_bodies", rig.led.len())?, rig.led.iter().map(|&b| b as Real));
    let joints = rig.model.parts().joints.len();
    for (port, first) in [("joint_turns", 0), ("joint_moves", 3)] {
        let out = outputs.reals(port, joints)?;
        for (j, out) in out.chunks_exact_mut(3).enumerate() {
            out.copy_from_slice(&motions(&rig.model, j, state)[first..first + 3]);
        }
    }
    Ok(())
}

fn strands(rig: &Rig, state: &State, scratch: Option<&Scratch>, outputs: &mut Outputs) -> Result<()> {
    let strands = &rig.model.parts().strands;
    let nodes = || strands.iter().flat_map(|strand| &strand.nodes);
    let points = outputs.reals("strand_points", state.material.len())?;
    for (out, node) in points.chunks_exact_mut(3).zip(nodes()) {
        out.copy_from_slice(state.places[node.point].as_slice());
    }
    outputs.reals("strand_materials", state.material.len())?.copy_from_slice(&state.material);
    fill(outputs.reals("strand_counts", strands.len())?, strands.iter().map(|s| s.nodes.len() as Real));
    fill(outputs.reals("strand_radii", strands.len())?, strands.iter().map(|s| s.radius));
    fill(outputs.reals("strand_lengths", strands.len())?, lengths(&rig.model, state).map(|l| l.stretched));
    let tensions = whole_tensions(&rig.model, state, scratch)?;
    let out = outputs.reals("tensions", tensions.iter().map(Vec::len).sum())?;
    fill(out, tensions.into_iter().flatten());
    let cuts = || (0..strands.len()).flat_map(|s| cuts(&rig.model, state, s));
    fill(outputs.reals("strand_cuts", cuts().count())?, cuts().map(|cut| Real::from(u8::from(*cut))));
    Ok(())
}
