//! What a frame looks like: strands as lines and as tubes.

use crate::error::Result;
use crate::formats::obj;
use crate::geometry::{CornerLayer, Mesh, tube};
use crate::math::{Real, Vec3};
use crate::scene::strand::Built;
use crate::strand::model::Strand;
use crate::strand::state::State;
use std::path::Path;

/// Corners of a tube: round enough at a few pixels of width.
const AROUND: usize = 12;

/// Writes the lines and the tubes of a frame.
pub(super) fn frame(out: &Path, built: &Built, state: &State, frame: i64) -> Result<()> {
    let strands = &built.model.parts().strands;
    let unit = built.space.metres_per_unit();
    let path = |strand: &Strand| -> Vec<Vec3> {
        strand.nodes.iter().map(|node| built.point(state.places[node.point])).collect()
    };
    let lines: Vec<_> = strands.iter().map(|strand| (strand.name.as_str(), path(strand))).collect();
    obj::save_lines(&out.join(format!("strands.{frame:04}.obj")), &lines)?;
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut first = 0;
    for strand in strands {
        let material = &state.material[first..first + strand.nodes.len()];
        let material: Vec<Real> = material.iter().map(|s| s / unit).collect();
        first += strand.nodes.len();
        add(&mut mesh, &tube(&path(strand), &material, strand.radius / unit, AROUND), &strand.name);
    }
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
    all.groups.of_face.resize(all.face_count(), all.groups.names.len() as u32);
    all.groups.names.push(name.into());
}
