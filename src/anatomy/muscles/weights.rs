//! The default weights of muscles, computed from distances: a starting point for painting.

use super::Rig;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_geometry::measure::vertex_normals;
use sinew_geometry::{Mesh, TriMesh};
use sinew_math::Real;
use sinew_muscle::{Binding, Frames, Model, bind, smooth_carriers};
use sinew_scene::muscles::Built;

/// More rounds of averaging than this must be a typing error.
pub const MOST_ROUNDS: u32 = 1000;

/// How far the muscles of a set, built on a rig, carry each vertex of a skin, as the node computes it from distances: a
/// row for each vertex, a column for each muscle of the set. Muscles that the rig leaves out carry nothing. They are
/// averaged over the skin in `smooth` rounds; skin and rig are in metres with y up.
pub fn weights(
    built: Built,
    rig: &Rig,
    skin: &Mesh,
    binding: &Binding,
    smooth: usize,
    control: &Control,
) -> Result<Vec<Real>> {
    let count = built.count();
    let model = Model::new(built.parts, rig.rest, Frames::Stable)?;
    let triangles = TriMesh::from_mesh(skin)?;
    let normals = vertex_normals(&triangles);
    let binding = Binding { normals: Some(&normals), ..*binding };
    control.progress(0.1, "binding the skin")?;
    // Once cancelled, the rest has nothing to compute.
    let share = |_| if control.check().is_ok() { 1.0 } else { 0.0 };
    let mut carriers = bind(&model, &triangles.positions, &binding, share)?;
    control.progress(0.5, "averaging the weights")?;
    smooth_carriers(&mut carriers, skin, smooth, binding.nearest, control)?;
    let mut rows = vec![0.0; carriers.len() * count];
    for (row, carriers) in rows.chunks_exact_mut(count.max(1)).zip(carriers) {
        for (vertex, weight) in carriers {
            row[built.kept[model.muscle_of(vertex)]] += weight;
        }
    }
    Ok(rows)
}
