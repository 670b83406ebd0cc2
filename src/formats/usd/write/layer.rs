//! The mesh of a layer: an `over` with UVs and maps alone.

use super::prim::{Constant, Fixed, Prim, map_attributes, ordered, uv_attribute};
use super::{FrameData, Map};
use crate::over::Over;
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
    if let Some(uvs) = uv_attribute(mesh.corner_vertices.len(), first, shared) {
        let st = format!("primvars:{}", usd.uvs);
        let value = match (shared, &order) {
            (None, _) => Fixed::NoIntegers,
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

/// For each corner of a left-handed file that of the mesh: the first of a face stays, the others are in reverse.
fn corners_turned(mesh: &Mesh) -> Vec<u32> {
    let face = |face: usize| {
        let corners = mesh.corners(face);
        std::iter::once(corners.start).chain((corners.start + 1..corners.end).rev())
    };
    (0..mesh.face_count()).flat_map(face).map(|corner| corner as u32).collect()
}
