//! The contents of a file, whichever form it is written in: prims, their properties, the sources of their numbers.

use super::curves::{check, curves};
use super::{FrameData, Frames, Info, Map, layer};
use crate::error::{Error, Kind, Result};
use crate::formats::provenance::PROGRAM;
use crate::geometry::measure::bounds;
use crate::geometry::{CornerLayer, Mesh, NO_VALUE};
use crate::math::{Affine, Real, UpAxis, Vec2, Vec3};
use std::collections::HashSet;
use std::path::Path;

/// A metadata value of the whole file.
pub(super) enum Meta {
    /// A name.
    Token(String),
    /// A string.
    Text(String),
    /// A dictionary of strings.
    Texts(Vec<(String, String)>),
    /// Sublayers.
    Files(Vec<String>),
    Number(Real),
}

/// A value that is the same in all frames. Texts are `uniform`: they can never change.
pub(super) enum Fixed {
    Text(&'static str),
    Texts(Vec<&'static str>),
    Integers(Vec<u32>),
    /// Blocks integers that another file has.
    NoIntegers,
}

impl Fixed {
    pub fn type_name(&self) -> &'static str {
        match self {
            Fixed::Text(_) => "token",
            Fixed::Texts(_) => "token[]",
            Fixed::Integers(_) | Fixed::NoIntegers => "int[]",
        }
    }

    pub fn uniform(&self) -> bool {
        matches!(self, Fixed::Text(_) | Fixed::Texts(_))
    }
}

/// A property that never changes.
pub(super) struct Constant {
    pub name: String,
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
/// The expected number of values in a frame.
type Count<'a> = Box<dyn Fn(&FrameData) -> usize + 'a>;

/// A property that may be animated.
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

    /// One whose number of values may vary between frames.
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

    /// The same under another type and name and with changed numbers.
    pub fn mapped(
        self,
        type_name: &'static str,
        name: String,
        change: impl Fn(Vec<Real>) -> Vec<Real> + 'a,
    ) -> Self {
        let pick = self.pick;
        Attribute { type_name, name, pick: Box::new(move |data| change(pick(data))), ..self }
    }

    /// Whether its numbers are integers, and stored so.
    pub fn whole(&self) -> bool {
        self.type_name == "int[]"
    }

    /// Whether its numbers are stored in double precision.
    pub fn double(&self) -> bool {
        self.matrix() || matches!(self.type_name, "texCoord2d[]" | "double2[]")
    }

    /// Whether it is a single matrix rather than a list.
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
        if !self.double() && !self.whole() {
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

/// The contents of a file: an `Xform`, and in it the mesh and the curves; for a layer the mesh, in its ancestors.
pub(super) struct Content<'a> {
    pub metadata: Vec<(&'static str, Meta)>,
    /// The prims that contain all others, outermost first.
    pub outer: Vec<String>,
    pub prims: Vec<Prim<'a>>,
    /// Whether the prims are another file's, which this one overrides.
    pub over: bool,
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
        let shared = info.mesh.and_then(|mesh| mesh.uvs.as_ref()).filter(|_| share_uvs);
        let mut outer = vec![identifier(info.name)];
        let body = match (info.over, info.mesh) {
            (Some(over), Some(faces)) => {
                outer = over.names().into_iter().map(String::from).collect();
                let name = outer.pop().unwrap_or_default();
                Some(layer::mesh(name, faces, over, info.maps, &frames.first, shared))
            }
            (_, faces) => faces.map(|faces| mesh(faces, info.maps, &frames.first, shared)),
        };
        let step = info.over.and_then(|over| over.usd.as_ref());
        let step = step.map_or(1.0 / info.samples(), |usd| usd.time_codes_per_second / fps);
        let metadata = metadata(info, path, frames, fps, step, &outer);
        let mut prims: Vec<Prim> = body.transpose()?.into_iter().collect();
        for (index, group) in info.curves.iter().enumerate() {
            prims.push(curves(group, index, &frames.first)?);
        }
        distinct(prims.iter().map(|prim| prim.name.as_str()))?;
        for prim in &prims {
            let constants = prim.constants.iter().map(|constant| constant.name.as_str());
            distinct(constants.chain(prim.attributes.iter().map(|attribute| attribute.name.as_str())))?;
        }
        let (groups, over) = (info.curves.len(), info.over.is_some());
        Ok(Content { metadata, outer, prims, over, step, groups, shared })
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
        let told = usd.and_then(|usd| usd.range[end]);
        Meta::Number(told.unwrap_or_else(|| frame.map_or(0.0, |&f| f as Real * step)))
    });
    let told = usd.and_then(|usd| usd.default_prim.clone());
    let root = told.or_else(|| info.over.and_then(|over| over.names().first().map(|name| name.to_string())));
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

fn mesh<'a>(
    mesh: &'a Mesh,
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
    Ok(Prim { type_name: "Mesh", name: "mesh".to_string(), constants, attributes })
}

/// The primvars of a mesh. `order` gives, for each of the file's corners, the corner of ours that holds its value, if
/// they differ.
pub(super) fn map_attributes<'a>(
    mesh: &Mesh,
    maps: &[Map<'a>],
    order: Option<&[u32]>,
) -> Result<Vec<Attribute<'a>>> {
    let mut attributes = Vec::new();
    for (index, map) in maps.iter().enumerate() {
        let count = match map.interpolation {
            "constant" => 1,
            "uniform" => mesh.face_count(),
            "vertex" => mesh.positions.len(),
            "faceVarying" => mesh.corner_vertices.len(),
            other => return Err(no_interpolation(other)),
        };
        let order = order.filter(|_| map.interpolation == "faceVarying").map(<[u32]>::to_vec);
        let components = map.components;
        let pick = move |data: &FrameData| {
            let values = data.maps.get(index).cloned().unwrap_or_default();
            match &order {
                Some(order) => ordered(order, &values, components),
                None => values,
            }
        };
        attributes.push(Attribute::of_map(map, move |_| count, pick)?);
    }
    Ok(attributes)
}

/// Values in another order; missing ones are dropped, which the count check finds.
pub(super) fn ordered(order: &[u32], values: &[Real], width: usize) -> Vec<Real> {
    let value = |&corner: &u32| values.get(corner as usize * width..(corner as usize + 1) * width);
    order.iter().filter_map(value).flatten().copied().collect()
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

/// The UVs: those of the mesh's indices, or one for each corner; none if a frame has none.
pub(super) fn uv_attribute<'a>(
    corners: usize,
    first: &FrameData,
    shared: Option<&'a CornerLayer<Vec2>>,
) -> Option<Attribute<'a>> {
    let st = ["texCoord2f[]", "primvars:st"];
    if let Some(layer) = shared {
        let corner_of = corners_of(layer);
        let flat = move |data: &FrameData| {
            let uv = |c: &Option<usize>| c.and_then(|c| data.uvs.get(c)).copied().unwrap_or_default();
            corner_of.iter().map(uv).flat_map(|uv| [uv.x, uv.y]).collect()
        };
        return Some(Attribute::new(st, "faceVarying", [layer.values.len(), 2], flat));
    }
    let flat = |data: &FrameData| data.uvs.iter().flat_map(|uv| [uv.x, uv.y]).collect();
    (!first.uvs.is_empty()).then(|| Attribute::new(st, "faceVarying", [corners, 2], flat))
}

/// The numbers of an attribute that is [`whole`](Attribute::whole).
pub(super) fn whole_numbers(numbers: &[Real]) -> Vec<u32> {
    numbers.iter().map(|&n| n as u32).collect()
}

/// The replacement for a word that is not a valid interpolation.
pub(super) fn no_interpolation(word: &str) -> Error {
    Error::new(Kind::InvalidArgument, format!("interpolation {word:?}"))
}

pub(super) fn flat3(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

fn extent(points: &[Vec3]) -> Vec<Real> {
    flat3(&bounds(points))
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

/// One corner for each UV.
fn corners_of(layer: &CornerLayer<Vec2>) -> Vec<Option<usize>> {
    let mut corner_of = vec![None; layer.values.len()];
    for (corner, &index) in layer.indices.iter().enumerate().filter(|(_, index)| **index != NO_VALUE) {
        corner_of[index as usize].get_or_insert(corner);
    }
    corner_of
}

/// A valid USD name: characters that are not allowed become `_`.
pub fn identifier(name: &str) -> String {
    let mut id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        id.insert(0, '_');
    }
    id
}

/// Distinct valid identifiers for names.
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
