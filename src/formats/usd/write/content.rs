//! The contents of a file, whichever form it is written in: its prims and its metadata.

use super::curves::{check, curves};
use super::prim::{Attribute, Constant, Fixed, Meta, Prim, extent, flat3, map_attributes, uv_attribute};
use super::{FrameData, Frames, Info, Map, layer};
use crate::names::identifier;
use crate::provenance::PROGRAM;
use crate::shot::Part;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{CornerLayer, Mesh, NO_VALUE};
use sinew_math::{Affine, Real, UpAxis, Vec2};
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

/// The contents of a file: an `Xform`, and in it the mesh and the curves; for a layer the mesh, in its ancestors.
pub(super) struct Content<'a> {
    pub metadata: Vec<(&'static str, Meta)>,
    /// The prims that contain all others, outermost first.
    pub outer: Vec<String>,
    pub prims: Vec<Prim<'a>>,
    /// Whether the prims are another file's, which this one overrides.
    pub over: bool,
    /// Which of the outer prims are instances there, and none any more.
    pub parted: Vec<usize>,
    /// Time codes from one written frame to the next.
    step: Real,
    /// The number of groups of curves.
    groups: usize,
    /// The mesh's own UVs, if the frames' are written with their indices.
    shared: Option<&'a CornerLayer<Vec2>>,
}

impl<'a> Content<'a> {
    /// With the mesh's UV indices, or with a UV for each corner.
    pub fn new(path: &Path, info: &Info<'a>, frames: &Frames, fps: Real, share_uvs: bool) -> Result<Self> {
        let shared = info.mesh.and_then(|mesh| mesh.uvs.as_ref()).filter(|_| share_uvs && !info.apart);
        let mut outer = vec![identifier(info.name)];
        let body = match (info.over, info.mesh) {
            (Some(over), Some(faces)) => {
                outer = over.names().into_iter().map(String::from).collect();
                let name = outer.pop().unwrap_or_default();
                Some(layer::mesh(name, faces, over, info.maps, &frames.first, shared))
            }
            (_, faces) => faces
                .filter(|_| !info.apart)
                .map(|faces| mesh("mesh".into(), faces, info.maps, &frames.first, shared)),
        };
        let step = time_step(info, fps);
        let metadata = metadata(info, path, frames, fps, step, &outer);
        let mut prims: Vec<Prim> = body.transpose()?.into_iter().collect();
        if let Some(whole) = info.mesh.filter(|_| info.apart) {
            for part in Part::all(whole, info.name) {
                prims.push(part_mesh(part, info.maps, &frames.first)?);
            }
        }
        for (index, group) in info.curves.iter().enumerate() {
            prims.push(curves(group, index, &frames.first)?);
        }
        distinct(prims.iter().map(|prim| prim.name.as_str()))?;
        for prim in &prims {
            let constants = prim.constants.iter().map(|constant| constant.name.as_str());
            distinct(constants.chain(prim.attributes.iter().map(|attribute| attribute.name.as_str())))?;
        }
        let (groups, over) = (info.curves.len(), info.over.is_some());
        let parted = info.over.map_or_else(Vec::new, |over| layer::parted(over, &outer));
        Ok(Content { metadata, outer, prims, over, parted, step, groups, shared })
    }

    /// The time code of a frame.
    pub fn time(&self, frame: i64) -> Real {
        frame as Real * self.step
    }

    /// Whether a frame's UVs agree wherever corners share a written index. Incomplete curves are an error.
    pub fn fits(&self, data: &FrameData) -> Result<bool> {
        check(&data.curves, self.groups)?;
        Ok(self.shared.is_none_or(|layer| uvs_are_shared(layer, &data.uvs)))
    }
}

/// Time codes from one written frame to the next.
pub(super) fn time_step(info: &Info, fps: Real) -> Real {
    let usd = info.over.and_then(|over| over.usd.as_ref());
    usd.map_or(1.0 / info.samples(), |usd| usd.time_codes_per_second / fps)
}

/// The metadata of the file.
fn metadata(
    info: &Info,
    path: &Path,
    frames: &Frames,
    fps: Real,
    step: Real,
    outer: &[String],
) -> Vec<(&'static str, Meta)> {
    let usd = info.over.and_then(|over| over.usd.as_ref());
    let space = usd.and_then(|usd| usd.space).unwrap_or(info.space);
    let up = if space.up() == UpAxis::Z { "Z" } else { "Y" };
    let [first, last] = [(frames.numbers.first(), 0), (frames.numbers.last(), 1)].map(|(frame, end)| {
        // Opening a layer shows the whole shot, not only its own frames.
        let stated = usd.and_then(|usd| usd.range[end]);
        Meta::Number(stated.unwrap_or_else(|| frame.map_or(0.0, |&f| f as Real * step)))
    });
    let stated = usd.and_then(|usd| usd.default_prim.clone());
    let root =
        stated.or_else(|| info.over.and_then(|over| over.names().first().map(|name| name.to_string())));
    let root = root.unwrap_or_else(|| outer[0].clone());
    // Other programs have their own entries there.
    let made_by = info.provenance.entries().into_iter();
    let made_by = made_by.map(|(name, text)| (format!("sinew_{name}"), text)).collect();
    let mut all = vec![
        ("comment", Meta::Text(format!("Written by {PROGRAM}"))),
        ("customLayerData", Meta::Texts(made_by)),
        ("defaultPrim", Meta::Token(root)),
        ("endTimeCode", last),
        ("framesPerSecond", Meta::Number(fps / info.samples())),
        ("metersPerUnit", Meta::Number(space.metres_per_unit())),
        ("startTimeCode", first),
    ];
    if let Some(over) = info.over {
        all.push(("subLayers", Meta::Files(vec![over.found_from(path)])));
    }
    all.push(("timeCodesPerSecond", Meta::Number(fps * step)));
    all.push(("upAxis", Meta::Token(up.to_string())));
    all
}

/// Siblings need distinct names.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut known = HashSet::new();
    match names.into_iter().find(|name| !known.insert(*name)) {
        None => Ok(()),
        Some(name) => Err(Error::new(Kind::InvalidArgument, format!("the name {name} is used twice"))),
    }
}

/// An object of the mesh.
fn part_mesh<'a>(part: Part, maps: &'a [Map<'a>], first: &FrameData) -> Result<Prim<'a>> {
    let part = Rc::new(part);
    let mut prim = mesh(part.name.clone(), &part.mesh, maps, &part.of(first, maps), None)?;
    let of = |attribute: Attribute<'a>| {
        let part = part.clone();
        attribute.of_frame(move |data| part.of(data, maps))
    };
    prim.attributes = prim.attributes.into_iter().map(of).collect();
    Ok(prim)
}

fn mesh<'a>(
    name: String,
    mesh: &Mesh,
    maps: &'a [Map<'a>],
    first: &FrameData,
    shared: Option<&'a CornerLayer<Vec2>>,
) -> Result<Prim<'a>> {
    let counts = mesh.face_offsets.windows(2).map(|w| w[1] - w[0]).collect();
    let constant = |name: &str, value| Constant { name: name.to_string(), value };
    let mut constants = vec![
        constant("subdivisionScheme", Fixed::Text("none")),
        constant("faceVertexCounts", Fixed::Integers(counts)),
        constant("faceVertexIndices", Fixed::Integers(mesh.corner_vertices.clone())),
    ];
    if let Some(layer) = shared {
        constants.push(constant("primvars:st:indices", Fixed::Integers(layer.indices.clone())));
    }
    if first.transform.is_some() {
        constants.push(constant("xformOpOrder", Fixed::Texts(vec!["xformOp:transform"])));
    }
    let mut attributes = shape_attributes(mesh, first, shared);
    attributes.extend(map_attributes(mesh, maps, None)?);
    Ok(Prim { type_name: "Mesh", name, constants, attributes })
}

fn shape_attributes<'a>(
    mesh: &Mesh,
    first: &FrameData,
    shared: Option<&'a CornerLayer<Vec2>>,
) -> Vec<Attribute<'a>> {
    let (points, corners) = (mesh.positions.len(), mesh.corner_vertices.len());
    let mut all = vec![
        Attribute::new(["float3[]", "extent"], "", [2, 3], |data| extent(&data.points)),
        Attribute::new(["point3f[]", "points"], "", [points, 3], |data| flat3(&data.points)),
    ];
    if !first.velocities.is_empty() {
        let flat = |data: &FrameData| flat3(&data.velocities);
        all.push(Attribute::new(["vector3f[]", "velocities"], "", [points, 3], flat));
    }
    if !first.normals.is_empty() {
        let flat = |data: &FrameData| flat3(&data.normals);
        all.push(Attribute::new(["normal3f[]", "normals"], "vertex", [points, 3], flat));
    }
    all.extend(uv_attribute(corners, first, shared));
    if first.transform.is_some() {
        let flat = |data: &FrameData| data.transform.iter().flat_map(rows).collect();
        all.push(Attribute::new(["matrix4d", "xformOp:transform"], "", [1, 16], flat));
    }
    all
}

/// The matrix in the file's convention, for row vectors.
fn rows(m: &Affine) -> [Real; 16] {
    std::array::from_fn(|k| if k % 4 < 3 { m[(k % 4, k / 4)] } else { Real::from(k == 15) })
}

/// Whether corners that share a UV of the mesh have the same in this frame.
fn uvs_are_shared(layer: &CornerLayer<Vec2>, uvs: &[Vec2]) -> bool {
    let mut first: Vec<Option<Vec2>> = vec![None; layer.values.len()];
    let mut places = layer.indices.iter().zip(uvs);
    layer.indices.len() == uvs.len()
        && places.all(|(&index, uv)| index != NO_VALUE && *first[index as usize].get_or_insert(*uv) == *uv)
}
