//! What stands in a file, whichever form it is written in: prims, their properties, where their numbers come from.

use super::curves::{check, curves};
use super::{FrameData, Frames, Info, Map};
use crate::error::{Error, Kind, Result};
use crate::geometry::measure::bounds;
use crate::geometry::{CornerLayer, Mesh, NO_VALUE};
use crate::math::{Affine, Real, UpAxis, Vec2, Vec3};
use std::collections::HashSet;

/// A value about the whole file.
pub(super) enum Meta {
    Text(String),
    Number(Real),
}

/// A value that is the same in all frames. Texts are `uniform`: they can never change.
pub(super) enum Fixed {
    Text(&'static str),
    Texts(Vec<&'static str>),
    Integers(Vec<u32>),
}

impl Fixed {
    pub fn type_name(&self) -> &'static str {
        match self {
            Fixed::Text(_) => "token",
            Fixed::Texts(_) => "token[]",
            Fixed::Integers(_) => "int[]",
        }
    }

    pub fn uniform(&self) -> bool {
        matches!(self, Fixed::Text(_) | Fixed::Texts(_))
    }
}

/// A property that never changes.
pub(super) struct Constant {
    pub name: &'static str,
    pub value: Fixed,
}

/// A mesh or a group of curves.
pub(super) struct Prim<'a> {
    pub type_name: &'static str,
    pub name: String,
    pub constants: Vec<Constant>,
    pub attributes: Vec<Attribute<'a>>,
}

/// Takes the numbers of a property from a frame.
type Pick<'a> = Box<dyn Fn(&FrameData) -> Vec<Real> + 'a>;
/// How many values there must be in a frame.
type Count<'a> = Box<dyn Fn(&FrameData) -> usize + 'a>;

/// A property that may change over time.
pub(super) struct Attribute<'a> {
    pub type_name: &'static str,
    pub name: String,
    pub interpolation: &'a str,
    /// Numbers in a value.
    pub width: usize,
    count: Count<'a>,
    pick: Pick<'a>,
}

impl<'a> Attribute<'a> {
    fn new(
        names: [&'static str; 2],
        interpolation: &'a str,
        [count, width]: [usize; 2],
        pick: impl Fn(&FrameData) -> Vec<Real> + 'a,
    ) -> Self {
        Self::varying(names, interpolation, width, move |_| count, pick)
    }

    /// One of which there are not as many values in each frame.
    pub fn varying(
        [type_name, name]: [&'static str; 2],
        interpolation: &'a str,
        width: usize,
        count: impl Fn(&FrameData) -> usize + 'a,
        pick: impl Fn(&FrameData) -> Vec<Real> + 'a,
    ) -> Self {
        let (name, count, pick) = (name.to_string(), Box::new(count), Box::new(pick));
        Attribute { type_name, name, interpolation, width, count, pick }
    }

    /// One of a map.
    pub fn of_map(
        map: &Map<'a>,
        count: impl Fn(&FrameData) -> usize + 'a,
        pick: impl Fn(&FrameData) -> Vec<Real> + 'a,
    ) -> Result<Self> {
        let Some(kind) =
            ["float[]", "float2[]", "vector3f[]", "float4[]"].get(map.components.wrapping_sub(1))
        else {
            let message = format!("{} numbers per value of {}", map.components, map.name);
            return Err(Error::new(Kind::Unsupported, message));
        };
        let attribute = Self::varying([kind, ""], map.interpolation, map.components, count, pick);
        Ok(Attribute { name: format!("primvars:{}", identifier(map.name)), ..attribute })
    }

    /// Whether its numbers are whole, and stored so.
    pub fn whole(&self) -> bool {
        self.type_name == "int[]"
    }

    /// Whether it is one matrix instead of a list.
    pub fn matrix(&self) -> bool {
        self.width == 16
    }

    /// The numbers of a frame as they are stored.
    pub fn numbers(&self, data: &FrameData) -> Result<Vec<Real>> {
        let mut numbers = (self.pick)(data);
        let expected = (self.count)(data) * self.width;
        if numbers.len() != expected {
            let message = format!("{} numbers, {expected} are expected", numbers.len());
            return Err(Error::new(Kind::CountMismatch, message).element(&self.name));
        }
        if !self.matrix() && !self.whole() {
            numbers.iter_mut().for_each(|n| *n = Real::from(*n as f32));
        }
        match numbers.iter().position(|n| !n.is_finite()) {
            None => Ok(numbers),
            Some(k) => {
                let error = Error::new(Kind::NotFinite, "a number that single precision cannot hold");
                Err(error.element(&self.name).vertex(k / self.width))
            }
        }
    }
}

/// All that is in a file: an `Xform`, and in it the mesh and the curves.
pub(super) struct Content<'a> {
    pub metadata: Vec<(&'static str, Meta)>,
    pub root: String,
    pub prims: Vec<Prim<'a>>,
    /// The number of groups of curves.
    groups: usize,
    /// The mesh's own UVs, where the frames' are written with their indices.
    shared: Option<&'a CornerLayer<Vec2>>,
}

impl<'a> Content<'a> {
    /// With the UVs' indices of the mesh, or with a UV for each corner.
    pub fn new(info: &Info<'a>, frames: &Frames, fps: Real, share_uvs: bool) -> Result<Self> {
        let root = identifier(info.name);
        let up = if info.space.up() == UpAxis::Z { "Z" } else { "Y" };
        let [first, last] = [frames.numbers.first(), frames.numbers.last()];
        let time = |frame: Option<&i64>| Meta::Number(frame.map_or(0.0, |&f| f as Real));
        let metadata = vec![
            ("defaultPrim", Meta::Text(root.clone())),
            ("endTimeCode", time(last)),
            ("framesPerSecond", Meta::Number(fps)),
            ("metersPerUnit", Meta::Number(info.space.metres_per_unit())),
            ("startTimeCode", time(first)),
            ("timeCodesPerSecond", Meta::Number(fps)),
            ("upAxis", Meta::Text(up.to_string())),
        ];
        let shared = info.mesh.and_then(|mesh| mesh.uvs.as_ref()).filter(|_| share_uvs);
        let body = info.mesh.map(|faces| mesh(faces, info.maps, &frames.first, shared));
        let mut prims: Vec<Prim> = body.transpose()?.into_iter().collect();
        for (index, group) in info.curves.iter().enumerate() {
            prims.push(curves(group, index)?);
        }
        distinct(prims.iter().map(|prim| prim.name.as_str()))?;
        for prim in &prims {
            let constants = prim.constants.iter().map(|constant| constant.name);
            distinct(constants.chain(prim.attributes.iter().map(|attribute| attribute.name.as_str())))?;
        }
        Ok(Content { metadata, root, prims, groups: info.curves.len(), shared })
    }

    /// Whether a frame's UVs agree wherever corners share an index that is written. Curves that are not whole are an error.
    pub fn fits(&self, data: &FrameData) -> Result<bool> {
        check(&data.curves, self.groups)?;
        Ok(self.shared.is_none_or(|layer| uvs_are_shared(layer, &data.uvs)))
    }
}

/// What stands beside each other needs names that differ.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut known = HashSet::new();
    match names.into_iter().find(|name| !known.insert(*name)) {
        None => Ok(()),
        Some(name) => Err(Error::new(Kind::InvalidArgument, format!("two of the name {name}"))),
    }
}

fn mesh<'a>(
    mesh: &'a Mesh,
    maps: &'a [Map<'a>],
    first: &FrameData,
    shared: Option<&'a CornerLayer<Vec2>>,
) -> Result<Prim<'a>> {
    let counts = mesh.face_offsets.windows(2).map(|w| w[1] - w[0]).collect();
    let constant = |name, value| Constant { name, value };
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
    for (index, map) in maps.iter().enumerate() {
        let count = match map.interpolation {
            "constant" => 1,
            "uniform" => mesh.face_count(),
            "vertex" => mesh.positions.len(),
            "faceVarying" => mesh.corner_vertices.len(),
            other => return Err(no_interpolation(other)),
        };
        let pick = move |data: &FrameData| data.maps.get(index).cloned().unwrap_or_default();
        attributes.push(Attribute::of_map(map, move |_| count, pick)?);
    }
    Ok(Prim { type_name: "Mesh", name: "mesh".to_string(), constants, attributes })
}

fn shape_attributes<'a>(
    mesh: &'a Mesh,
    first: &FrameData,
    shared: Option<&'a CornerLayer<Vec2>>,
) -> Vec<Attribute<'a>> {
    let (points, corners) = (mesh.positions.len(), mesh.corner_vertices.len());
    let mut all = vec![
        Attribute::new(["float3[]", "extent"], "", [2, 3], |data| extent(&data.points)),
        Attribute::new(["point3f[]", "points"], "", [points, 3], |data| flat3(&data.points)),
    ];
    if !first.normals.is_empty() {
        let flat = |data: &FrameData| flat3(&data.normals);
        all.push(Attribute::new(["normal3f[]", "normals"], "vertex", [points, 3], flat));
    }
    let st = ["texCoord2f[]", "primvars:st"];
    if let Some(layer) = shared {
        let corner_of = corners_of(layer);
        let flat = move |data: &FrameData| {
            let uv = |c: &Option<usize>| c.and_then(|c| data.uvs.get(c)).copied().unwrap_or_default();
            corner_of.iter().map(uv).flat_map(|uv| [uv.x, uv.y]).collect()
        };
        all.push(Attribute::new(st, "faceVarying", [layer.values.len(), 2], flat));
    } else if !first.uvs.is_empty() {
        let flat = |data: &FrameData| data.uvs.iter().flat_map(|uv| [uv.x, uv.y]).collect();
        all.push(Attribute::new(st, "faceVarying", [corners, 2], flat));
    }
    if first.transform.is_some() {
        let flat = |data: &FrameData| data.transform.iter().flat_map(rows).collect();
        all.push(Attribute::new(["matrix4d", "xformOp:transform"], "", [1, 16], flat));
    }
    all
}

/// The numbers of an attribute that is [`whole`](Attribute::whole).
pub(super) fn whole_numbers(numbers: &[Real]) -> Vec<u32> {
    numbers.iter().map(|&n| n as u32).collect()
}

/// What a word is that says no interpolation.
pub(super) fn no_interpolation(word: &str) -> Error {
    Error::new(Kind::InvalidArgument, format!("interpolation {word:?}"))
}

pub(super) fn flat3(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

fn extent(points: &[Vec3]) -> Vec<Real> {
    flat3(&bounds(points))
}

/// The matrix as the file has it, which multiplies rows from the left.
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

/// A corner that has each UV.
fn corners_of(layer: &CornerLayer<Vec2>) -> Vec<Option<usize>> {
    let mut corner_of = vec![None; layer.values.len()];
    for (corner, &index) in layer.indices.iter().enumerate().filter(|(_, index)| **index != NO_VALUE) {
        corner_of[index as usize].get_or_insert(corner);
    }
    corner_of
}

/// A name that USD allows: what it may not have becomes `_`.
pub fn identifier(name: &str) -> String {
    let mut id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        id.insert(0, '_');
    }
    id
}

/// Names of which each is an identifier that differs from the others.
pub fn identifiers<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names.map(identifier) {
        let others = (2..).map(|k| format!("{name}_{k}"));
        let free = std::iter::once(name.clone()).chain(others).find(|name| !all.contains(name));
        all.extend(free);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::identifiers;

    #[test]
    fn names_that_no_file_can_have_are_told_apart() {
        let found = identifiers(["FDP left", "FDP_left", "FDP/left", "3", "FDP_left_2"].into_iter());
        assert_eq!(found, ["FDP_left", "FDP_left_2", "FDP_left_3", "_3", "FDP_left_2_2"]);
    }
}
