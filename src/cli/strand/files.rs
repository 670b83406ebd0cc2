//! What a frame looks like: strands as lines and as tubes.

use crate::error::Result;
use crate::formats::obj;
use crate::geometry::{CornerLayer, Mesh, tube};
use crate::math::{Real, Vec3};
use crate::scene::strand::Built;
use crate::strand::measures::runs;
use crate::strand::state::State;
use std::path::Path;

/// Corners of a tube: round enough at a few pixels of width.
const AROUND: usize = 12;

/// Writes the lines and the tubes of a frame.
pub(super) fn frame(out: &Path, built: &Built, state: &State, frame: i64) -> Result<()> {
    let strands = &built.model.parts().strands;
    let unit = built.space.metres_per_unit();
    let mut lines: Vec<(&str, Vec<Vec3>)> = Vec::new();
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut first = 0;
    for (s, strand) in strands.iter().enumerate() {
        // A strand that is cut is drawn without what is cut.
        for run in runs(&built.model, state, s) {
            let nodes = strand.nodes[run.clone()].iter();
            let path: Vec<Vec3> = nodes.map(|node| built.point(state.places[node.point])).collect();
            let material = state.material[first..][run].iter().map(|s| s / unit);
            let material: Vec<Real> = material.collect();
            add(&mut mesh, &tube(&path, &material, strand.radius / unit, AROUND), &strand.name);
            lines.push((&strand.name, path));
        }
        first += strand.nodes.len();
    }
    obj::save_lines(&out.join(format!("strands.{frame:04}.obj")), &lines)?;
    obj::save(&out.join(format!("tubes.{frame:04}.obj")), &mesh)
}

/// Puts a mesh with UVs beside others, as a group.
fn add(all: &mut Mesh, piece: &Mesh, name: &str) {
    let first = all.positions.len() as u32;
    let corners = all.corner_vertices.len() as u32;
    all.positions.extend(&piece.positions);
    all.corner_vertices.extend(piece.corner_vertices.iter().map(|v| v + first));
    all.face_offsets.extend(piece.face_offsets.iter().skip(1).map(|c| c + corners));
    if let Some(layer) = &piece.uvs {
        let uvs = all.uvs.get_or_insert_with(CornerLayer::default);
        let first = uvs.values.len() as u32;
        uvs.values.extend(&layer.values);
        uvs.indices.extend(layer.indices.iter().map(|k| k + first));
    }
    // Pieces of one strand are one group.
    if all.groups.names.last().is_none_or(|last| last != name) {
        all.groups.names.push(name.into());
    }
    all.groups.of_face.resize(all.face_count(), all.groups.names.len() as u32 - 1);
}
