//! The outputs of the node.

use super::super::descriptor::Port;
use super::super::value::{Outputs, fill_matrices};
use super::layers::Layers;
use sinew_base::error::Result;
use sinew_math::{Largest, Real, UpAxis, affine, copied, nan_or_larger, widest};
use sinew_muscle::{Model, Scratch};

/// The number of items of an output, of muscles or on them.
pub(super) fn count(output: &Port, model: &Model) -> Option<usize> {
    Some(match output.items {
        "muscle" => model.parts().muscles.len(),
        "muscle vertex" => model.points().len(),
        "muscle face" => model.quads().count(),
        "muscle corner" => 4 * model.quads().count(),
        "ring" => model.ring_count(),
        _ => return None,
    })
}

/// Writes everything but the points. `number` is that of the model; `up` is the host's up axis.
pub(super) fn write(
    model: &Model,
    number: u64,
    scratch: &Scratch,
    layers: &Layers,
    up: UpAxis,
    outputs: &mut Outputs,
) -> Result<()> {
    let (carried, revision) = layers.carried();
    outputs.fill_once("carried", revision, carried)?;
    outputs.fill_once("muscle_faces", number, model.quads().flatten().map(|vertex| vertex as Real))?;
    outputs.fill_once("muscle_face_sizes", number, model.quads().map(|quad| quad.len() as Real))?;
    outputs.fill_once(
        "muscle_face_vertices",
        number,
        model.quads().flatten().map(|vertex| vertex as Real),
    )?;
    let numbers = model.parts().muscles.iter().enumerate();
    let numbers = numbers.flat_map(|(k, muscle)| std::iter::repeat_n(k as Real, muscle.vertex_count()));
    outputs.fill_once("muscle_numbers", number, numbers)?;
    let rings = model.parts().muscles.iter().map(|muscle| muscle.rings as Real);
    outputs.fill_once("muscle_ring_counts", number, rings)?;
    let points = outputs.reals("muscle_points", scratch.points.len())?;
    let largest = copied(bytemuck::cast_slice(&scratch.points), points);
    outputs.bound("muscle_points", largest)?;
    let muscles = model.parts().muscles.len();
    let matrices = outputs.reals("ring_matrices", scratch.centres.len())?;
    let rings = scratch.axes.iter().zip(&scratch.centres);
    // Offsets are counted along the rings' own axes, whatever the host's are.
    let back = up.turn().transpose();
    fill_matrices(matrices, rings.map(|(axes, centre)| affine(&(axes * back), centre)));
    // The instance would search all matrices for what is not finite; these are their numbers, side by side.
    let axes = widest(Largest(bytemuck::cast_slice(&scratch.axes)));
    let centres = widest(Largest(bytemuck::cast_slice(&scratch.centres)));
    outputs.bound("ring_matrices", nan_or_larger(nan_or_larger(axes, centres), 1.0))?;
    outputs.reals("muscle_lengths", muscles)?.copy_from_slice(&scratch.lengths);
    outputs.reals("muscle_tensions", muscles)?.copy_from_slice(&scratch.tensions);
    Ok(())
}
