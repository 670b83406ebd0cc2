//! The mesh of a layer: an `over` with UVs, maps and moved points.

use super::prim::{Attribute, Constant, Fixed, Prim, extent, flat3, map_attributes, ordered, uv_attribute};
use super::{FrameData, Map};
use crate::over::{Over, UsdNormals, UsdOver};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{CornerLayer, Mesh};
use sinew_math::Vec2;

/// The mesh of that name. Its UVs have the original's name, to which its materials refer; the original's indices
/// would pick wrong values, so they are replaced, or blocked if each corner has its own UV.
pub(super) fn mesh<'a>(
    name: String,
    mesh: &'a Mesh,
    over: &Over,
    maps: &[Map<'a>],
    first: &FrameData,
    shared: Option<&'a CornerLayer<Vec2>>,
) -> Result<Prim<'a>> {
    let Some(usd) = &over.usd else {
        return Err(Error::new(Kind::InvalidArgument, "the file below a USD layer is not USD"));
    };
    let order = usd.left_handed.then(|| corners_turned(mesh));
    let (mut constants, mut attributes) = (Vec::new(), Vec::new());
    if !first.points.is_empty() {
        constants = unbound(usd);
        attributes = moved(mesh.positions.len());
        attributes.extend(usd.normals.as_ref().map(|normals| carried(mesh, normals, order.clone())));
    }
    if let Some(uvs) = uv_attribute(mesh.corner_vertices.len(), first, shared) {
        let st = format!("primvars:{}", usd.uvs);
        let value = match (shared, &order) {
            (None, _) => Fixed::Blocked("int[]"),
            (Some(layer), None) => Fixed::Integers(layer.indices.clone()),
            (Some(layer), Some(order)) => {
                Fixed::Integers(order.iter().map(|&corner| layer.indices[corner as usize]).collect())
            }
        };
        constants.push(Constant { name: format!("{st}:indices"), value });
        let turned = order.clone().filter(|_| shared.is_none());
        attributes.push(uvs.mapped(usd.uv_type, st, move |numbers| match &turned {
            Some(order) => ordered(order, &numbers, 2),
            None => numbers,
        }));
    }
    attributes.extend(map_attributes(mesh, maps, order.as_deref())?);
    Ok(Prim { type_name: "", name, constants, attributes })
}

/// What holds the points of the other file, and would move them or contradict them.
fn unbound(usd: &UsdOver) -> Vec<Constant> {
    let mut all = Vec::new();
    let mut add = |name: &str, value| all.push(Constant { name: name.to_string(), value });
    for (name, _) in ["velocities", "accelerations"].into_iter().zip(usd.rates).filter(|(_, has)| *has) {
        add(name, Fixed::Blocked("vector3f[]"));
    }
    if usd.posed {
        add("skel:skeleton", Fixed::Unbound);
    }
    if let Some(normals) = usd.normals.as_ref().filter(|normals| normals.indexed) {
        add(&format!("{}:indices", normals.name), Fixed::Blocked("int[]"));
    }
    all
}

fn moved<'a>(points: usize) -> Vec<Attribute<'a>> {
    vec![
        Attribute::new(["float3[]", "extent"], "", [2, 3], |data| extent(&data.points)),
        Attribute::new(["point3f[]", "points"], "", [points, 3], |data| flat3(&data.points)),
    ]
}

/// The normals of a frame's corners.
fn carried<'a>(mesh: &Mesh, normals: &UsdNormals, order: Option<Vec<u32>>) -> Attribute<'a> {
    let corners = mesh.corner_vertices.len();
    if !normals.by_vertex {
        let pick = move |data: &FrameData| match &order {
            Some(order) => ordered(order, &flat3(&data.normals), 3),
            None => flat3(&data.normals),
        };
        return Attribute::new(["normal3f[]", normals.name], "faceVarying", [corners, 3], pick);
    }
    // All corners of a vertex have the same.
    let mut corner_of = vec![None; mesh.positions.len()];
    for (corner, &vertex) in mesh.corner_vertices.iter().enumerate() {
        corner_of[vertex as usize].get_or_insert(corner);
    }
    let pick = move |data: &FrameData| {
        let normal =
            |corner: &Option<usize>| corner.and_then(|c| data.normals.get(c)).copied().unwrap_or_default();
        flat3(&corner_of.iter().map(normal).collect::<Vec<_>>())
    };
    Attribute::new(["normal3f[]", normals.name], "vertex", [mesh.positions.len(), 3], pick)
}

/// Which of the prims around a mesh are instances, as indices.
pub(super) fn parted(over: &Over, outer: &[String]) -> Vec<usize> {
    let instances = over.usd.as_ref().map_or(&[][..], |usd| &usd.instances);
    let path = |depth: usize| format!("/{}", outer[..=depth].join("/"));
    (0..outer.len()).filter(|&depth| instances.contains(&path(depth))).collect()
}

/// For each corner of a left-handed file that of the mesh: the first of a face stays, the others are in reverse.
fn corners_turned(mesh: &Mesh) -> Vec<u32> {
    let face = |face: usize| {
        let corners = mesh.corners(face);
        std::iter::once(corners.start).chain((corners.start + 1..corners.end).rev())
    };
    (0..mesh.face_count()).flat_map(face).map(|corner| corner as u32).collect()
}
