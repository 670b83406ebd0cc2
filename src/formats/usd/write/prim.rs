//! Prims and their properties, whichever form they are written in: the sources of their numbers.

use super::{FrameData, Map};
use crate::names::identifier;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::measure::bounds;
use sinew_geometry::{CornerLayer, Mesh, NO_VALUE};
use sinew_math::{Real, Vec2, Vec3};
/// Takes the numbers of a property from a frame.
type Pick<'a> = Box<dyn Fn(&FrameData) -> Vec<Real> + 'a>;
/// The expected number of values in a frame.
type Count<'a> = Box<dyn Fn(&FrameData) -> usize + 'a>;

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
    /// Blocks values of that type that another file has.
    Blocked(&'static str),
    /// A relationship that loses the targets that another file gives it.
    Unbound,
}

impl Fixed {
    pub fn type_name(&self) -> &'static str {
        match self {
            Fixed::Text(_) => "token",
            Fixed::Texts(_) => "token[]",
            Fixed::Integers(_) => "int[]",
            Fixed::Blocked(name) => name,
            Fixed::Unbound => "rel",
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
    pub fn new(
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

    /// The same, of what a part of the shot has of a frame.
    pub fn of_frame(self, part: impl Fn(&FrameData) -> FrameData + 'a) -> Self {
        let pick = self.pick;
        Attribute { pick: Box::new(move |data| pick(&part(data))), ..self }
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

pub(super) fn extent(points: &[Vec3]) -> Vec<Real> {
    flat3(&bounds(points))
}

/// One corner for each UV.
fn corners_of(layer: &CornerLayer<Vec2>) -> Vec<Option<usize>> {
    let mut corner_of = vec![None; layer.values.len()];
    for (corner, &index) in layer.indices.iter().enumerate().filter(|(_, index)| **index != NO_VALUE) {
        corner_of[index as usize].get_or_insert(corner);
    }
    corner_of
}
