//! Writing .usda.

use crate::error::{Error, Kind, Result};
use crate::formats::atomic::AtomicFile;
use crate::geometry::{Mesh, NO_VALUE};
use crate::math::{Affine, Real, Space, UpAxis, Vec2, Vec3};
use crate::scene::frames::check_rising;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// What stays the same in all frames.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The mesh's name; what no USD name may have becomes `_`.
    pub name: &'a str,
    /// Its faces. UVs that agree wherever its own share an index are written with these indices.
    pub mesh: &'a Mesh,
    /// The unit of length and the up axis that the numbers are in.
    pub space: Space,
    /// What lives on the mesh besides.
    pub maps: &'a [Map<'a>],
    /// Curves beside the mesh, such as tendons.
    pub curves: &'a [Curves<'a>],
}

/// Numbers that live on a mesh: `primvars:NAME`.
#[derive(Clone, Debug)]
pub struct Map<'a> {
    /// Its name.
    pub name: &'a str,
    /// `constant`, `uniform` (per face), `vertex` or `faceVarying` (per corner).
    pub interpolation: &'a str,
    /// Numbers per value, 1 to 4.
    pub components: usize,
}

/// Linear curves.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    /// Their name.
    pub name: &'a str,
    /// The vertices of each.
    pub counts: &'a [u32],
    /// One width for all, or one per vertex.
    pub widths: &'a [Real],
}

/// What a frame says. What is empty or none is not written, and must be so in all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameData {
    /// The mesh's points in its own space.
    pub points: Vec<Vec3>,
    /// A UV per corner.
    pub uvs: Vec<Vec2>,
    /// A normal per vertex.
    pub normals: Vec<Vec3>,
    /// Where the mesh's own space is in the world.
    pub transform: Option<Affine>,
    /// The numbers of each map.
    pub maps: Vec<Vec<Real>>,
    /// The vertices of each group of curves.
    pub curves: Vec<Vec<Vec3>>,
}

/// Takes the numbers of a property from a frame.
type Pick<'a> = Box<dyn Fn(&FrameData) -> Vec<Real> + 'a>;

/// A property that may change over time.
struct Attribute<'a> {
    declaration: String,
    interpolation: &'a str,
    width: usize,
    /// Numbers that there must be.
    count: usize,
    pick: Pick<'a>,
    /// The first frame's numbers, and whether a later frame has others.
    first: Vec<Real>,
    changes: bool,
}

impl<'a> Attribute<'a> {
    fn new(
        declaration: impl Into<String>,
        interpolation: &'a str,
        [count, width]: [usize; 2],
        pick: impl Fn(&FrameData) -> Vec<Real> + 'a,
    ) -> Self {
        let (declaration, pick) = (declaration.into(), Box::new(pick));
        Attribute {
            declaration,
            interpolation,
            width,
            count: count * width,
            pick,
            first: vec![],
            changes: false,
        }
    }

    fn matrix(&self) -> bool {
        self.width == 16
    }

    /// The numbers of a frame as they are stored.
    fn numbers(&self, data: &FrameData) -> Result<Vec<Real>> {
        let mut numbers = (self.pick)(data);
        if numbers.len() != self.count {
            let message = format!("{} numbers, {} are expected", numbers.len(), self.count);
            return Err(Error::new(Kind::CountMismatch, message).element(&self.declaration));
        }
        if !self.matrix() {
            numbers.iter_mut().for_each(|n| *n = Real::from(*n as f32));
        }
        match numbers.iter().position(|n| !n.is_finite()) {
            None => Ok(numbers),
            Some(k) => {
                let error = Error::new(Kind::NotFinite, "a number that single precision cannot hold");
                Err(error.element(&self.declaration).vertex(k / self.width))
            }
        }
    }
}

/// Writes frames as time samples; the time code is the frame. Only `.usda` is written.
///
/// A text groups its samples by properties, so `source` is asked for the frame of an index several times: once to see
/// what changes at all (the rest is written once), then once for each property that does. Memory holds two frames.
/// Numbers have the shortest form that reads back as the same single-precision number; transforms are double.
pub fn write(
    path: &Path,
    info: &Info,
    frames: &[i64],
    fps: Real,
    source: &mut dyn FnMut(usize) -> Result<FrameData>,
) -> Result<()> {
    write_file(path, info, frames, fps, source).map_err(|e| e.file(path))
}

fn write_file(
    path: &Path,
    info: &Info,
    frames: &[i64],
    fps: Real,
    source: &mut dyn FnMut(usize) -> Result<FrameData>,
) -> Result<()> {
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("usda")) {
        return Err(Error::new(Kind::Unsupported, "of USD only .usda is written: name the file so"));
    }
    check_rising(frames, fps)?;
    info.mesh.check_counts()?;
    let first = source(0).map_err(|e| e.frame(frames[0]))?;
    let mut shared = info.mesh.uvs.is_some();
    let mut attributes = attributes(info, &first)?;
    for (index, &frame) in frames.iter().enumerate() {
        let data = if index == 0 { first.clone() } else { source(index).map_err(|e| e.frame(frame))? };
        shared &= uvs_are_shared(info.mesh, &data.uvs);
        for attribute in attributes.iter_mut().flatten() {
            let numbers = attribute.numbers(&data).map_err(|e| e.frame(frame))?;
            match index {
                0 => attribute.first = numbers,
                _ => attribute.changes |= numbers != attribute.first,
            }
        }
    }
    if let (true, Some(layer)) = (shared && !first.uvs.is_empty(), &info.mesh.uvs) {
        share_uvs(&mut attributes[0], layer.values.len(), &layer.indices);
    }
    let mut file = AtomicFile::create(path)?;
    let mut out = Out { file: &mut file, path, frames, source };
    out.head(info, fps)?;
    out.mesh(info, shared && !first.uvs.is_empty(), &attributes[0])?;
    for (curves, own) in info.curves.iter().zip(&attributes[1..]) {
        out.curves(curves, own)?;
    }
    out.text("}\n")?;
    file.commit()
}

fn flat3(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

fn extent(points: &[Vec3]) -> Vec<Real> {
    let start = points.first().copied().unwrap_or_default();
    flat3(&points.iter().fold([start; 2], |[low, high], p| [low.inf(p), high.sup(p)]))
}

/// The properties of the mesh, then those of each group of curves.
fn attributes<'a>(info: &'a Info, first: &FrameData) -> Result<Vec<Vec<Attribute<'a>>>> {
    let (points, corners) = (info.mesh.positions.len(), info.mesh.corner_vertices.len());
    let mut mesh = vec![
        Attribute::new("float3[] extent", "", [2, 3], |data| extent(&data.points)),
        Attribute::new("point3f[] points", "", [points, 3], |data| flat3(&data.points)),
    ];
    if !first.normals.is_empty() {
        mesh.push(Attribute::new("normal3f[] normals", "vertex", [points, 3], |data| flat3(&data.normals)));
    }
    if !first.uvs.is_empty() {
        let flat = |data: &FrameData| data.uvs.iter().flat_map(|uv| [uv.x, uv.y]).collect();
        mesh.push(Attribute::new("texCoord2f[] primvars:st", "faceVarying", [corners, 2], flat));
    }
    if first.transform.is_some() {
        let flat = |data: &FrameData| data.transform.iter().flat_map(rows).collect();
        mesh.push(Attribute::new("matrix4d xformOp:transform", "", [1, 16], flat));
    }
    for (index, map) in info.maps.iter().enumerate() {
        let count = match map.interpolation {
            "constant" => 1,
            "uniform" => info.mesh.face_count(),
            "vertex" => points,
            "faceVarying" => corners,
            other => return Err(Error::new(Kind::InvalidArgument, format!("interpolation {other:?}"))),
        };
        let Some(kind) = ["float", "float2", "vector3f", "float4"].get(map.components.wrapping_sub(1)) else {
            let message = format!("{} numbers per value of {}", map.components, map.name);
            return Err(Error::new(Kind::Unsupported, message));
        };
        let declaration = format!("{kind}[] primvars:{}", identifier(map.name));
        let pick = move |data: &FrameData| data.maps.get(index).cloned().unwrap_or_default();
        mesh.push(Attribute::new(declaration, map.interpolation, [count, map.components], pick));
    }
    let mut all = vec![mesh];
    for (index, curves) in info.curves.iter().enumerate() {
        let count = curves.counts.iter().map(|&c| c as usize).sum();
        let of = move |data: &FrameData| data.curves.get(index).cloned().unwrap_or_default();
        all.push(vec![
            Attribute::new("float3[] extent", "", [2, 3], move |data| extent(&of(data))),
            Attribute::new("point3f[] points", "", [count, 3], move |data| flat3(&of(data))),
        ]);
    }
    Ok(all)
}

/// The matrix as the file has it, which multiplies rows from the left.
fn rows(m: &Affine) -> [Real; 16] {
    std::array::from_fn(|k| if k % 4 < 3 { m[(k % 4, k / 4)] } else { Real::from(k == 15) })
}

/// Whether corners that share a UV of the mesh have the same in this frame.
fn uvs_are_shared(mesh: &Mesh, uvs: &[Vec2]) -> bool {
    let Some(layer) = &mesh.uvs else { return false };
    let mut first: Vec<Option<Vec2>> = vec![None; layer.values.len()];
    layer.indices.len() == uvs.len()
        && layer
            .indices
            .iter()
            .zip(uvs)
            .all(|(&index, uv)| index != NO_VALUE && *first[index as usize].get_or_insert(*uv) == *uv)
}

/// Makes the UVs' property one value per index instead of one per corner.
fn share_uvs(attributes: &mut [Attribute], count: usize, indices: &[u32]) {
    let places = move |indices: &[u32]| {
        let mut corner_of = vec![None; count];
        indices.iter().enumerate().for_each(|(c, &k)| _ = corner_of[k as usize].get_or_insert(c));
        corner_of
    };
    let corner_of: Vec<Option<usize>> = places(indices);
    if let Some(st) = attributes.iter_mut().find(|a| a.declaration.ends_with("primvars:st")) {
        let flat = move |data: &FrameData| {
            let uv = |c: &Option<usize>| c.map_or(Vec2::zeros(), |c| data.uvs[c]);
            corner_of.iter().map(uv).flat_map(|uv| [uv.x, uv.y]).collect()
        };
        let mut numbers = vec![0.0; 2 * count];
        for (corner, &k) in indices.iter().enumerate() {
            numbers[2 * k as usize..][..2].copy_from_slice(&st.first[2 * corner..][..2]);
        }
        (st.pick, st.first, st.count) = (Box::new(flat), numbers, 2 * count);
    }
}

/// A name that USD allows.
fn identifier(name: &str) -> String {
    let mut id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        id.insert(0, '_');
    }
    id
}

struct Out<'a> {
    file: &'a mut AtomicFile,
    path: &'a Path,
    frames: &'a [i64],
    source: &'a mut dyn FnMut(usize) -> Result<FrameData>,
}

impl Out<'_> {
    fn text(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).map_err(|e| Error::io(self.path, &e))
    }

    fn head(&mut self, info: &Info, fps: Real) -> Result<()> {
        let up = if info.space.up() == UpAxis::Z { "Z" } else { "Y" };
        let (first, last) = (self.frames[0], self.frames[self.frames.len() - 1]);
        let name = identifier(info.name);
        self.text(&format!(
            "#usda 1.0\n(\n    defaultPrim = \"{name}\"\n    endTimeCode = {last}\n    framesPerSecond = {fps}\n    \
             metersPerUnit = {}\n    startTimeCode = {first}\n    timeCodesPerSecond = {fps}\n    \
             upAxis = \"{up}\"\n)\n\ndef Xform \"{name}\"\n{{\n",
            info.space.metres_per_unit()
        ))
    }

    fn mesh(&mut self, info: &Info, shared_uvs: bool, attributes: &[Attribute]) -> Result<()> {
        let mesh = info.mesh;
        let counts: Vec<u32> = mesh.face_offsets.windows(2).map(|w| w[1] - w[0]).collect();
        self.text("    def Mesh \"mesh\"\n    {\n        uniform token subdivisionScheme = \"none\"\n")?;
        self.text(&format!("        int[] faceVertexCounts = {}\n", integers(&counts)))?;
        self.text(&format!("        int[] faceVertexIndices = {}\n", integers(&mesh.corner_vertices)))?;
        if let (true, Some(layer)) = (shared_uvs, &mesh.uvs) {
            self.text(&format!("        int[] primvars:st:indices = {}\n", integers(&layer.indices)))?;
        }
        if attributes.iter().any(Attribute::matrix) {
            self.text("        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n")?;
        }
        attributes.iter().try_for_each(|attribute| self.attribute(attribute))?;
        self.text("    }\n")
    }

    fn curves(&mut self, curves: &Curves, attributes: &[Attribute]) -> Result<()> {
        let vertices: usize = curves.counts.iter().map(|&c| c as usize).sum();
        let place = match curves.widths.len() {
            1 => "constant",
            n if n == vertices => "vertex",
            n => {
                let message = format!("{n} widths for {vertices} vertices of {}", curves.name);
                return Err(Error::new(Kind::CountMismatch, message));
            }
        };
        self.text(&format!(
            "    def BasisCurves \"{}\"\n    {{\n        uniform token type = \"linear\"\n        \
             int[] curveVertexCounts = {}\n        float[] widths = {} (\n            \
             interpolation = \"{place}\"\n        )\n",
            identifier(curves.name),
            integers(curves.counts),
            value(curves.widths, 1, true)
        ))?;
        attributes.iter().try_for_each(|attribute| self.attribute(attribute))?;
        self.text("    }\n")
    }

    /// A property: once when it never changes, else frame after frame.
    fn attribute(&mut self, attribute: &Attribute) -> Result<()> {
        let about = match attribute.interpolation {
            "" => String::new(),
            place => format!(" (\n            interpolation = \"{place}\"\n        )"),
        };
        let name = &attribute.declaration;
        let array = !attribute.matrix();
        if !attribute.changes {
            let value = value(&attribute.first, attribute.width, array);
            return self.text(&format!("        {name} = {value}{about}\n"));
        }
        if !about.is_empty() {
            self.text(&format!("        {name}{about}\n"))?;
        }
        self.text(&format!("        {name}.timeSamples = {{\n"))?;
        for (index, &frame) in self.frames.iter().enumerate() {
            let data = (self.source)(index).map_err(|e| e.frame(frame))?;
            let numbers = attribute.numbers(&data).map_err(|e| e.frame(frame))?;
            self.text(&format!("            {frame}: {},\n", value(&numbers, attribute.width, array)))?;
        }
        self.text("        }\n")
    }
}

fn integers(list: &[u32]) -> String {
    let list: Vec<String> = list.iter().map(u32::to_string).collect();
    format!("[{}]", list.join(", "))
}

/// A list of values, or one matrix.
fn value(numbers: &[Real], width: usize, array: bool) -> String {
    if !array {
        let row = |r: &[Real]| format!("({}, {}, {}, {})", r[0], r[1], r[2], r[3]);
        let rows: Vec<String> = numbers.chunks(4).map(row).collect();
        return format!("( {} )", rows.join(", "));
    }
    const PIECE: usize = 4096;
    let piece = |piece: &[Real]| {
        let mut text = String::with_capacity(piece.len() * 12);
        for value in piece.chunks(width) {
            text.push_str(if width > 1 { ", (" } else { ", " });
            for (k, &number) in value.iter().enumerate() {
                text.push_str(if k > 0 { ", " } else { "" });
                put_number(&mut text, number as f32);
            }
            text.push_str(if width > 1 { ")" } else { "" });
        }
        text
    };
    let pieces: Vec<String> = numbers.par_chunks(PIECE * width).map(piece).collect();
    let text = pieces.concat();
    format!("[{}]", text.strip_prefix(", ").unwrap_or(""))
}

/// Very large and very small numbers would be rows of zeros without an exponent.
fn put_number(text: &mut String, number: f32) {
    let plain = number == 0.0 || (1e-4..1e9).contains(&number.abs());
    // Writing into a String cannot fail.
    let _ = if plain { write!(text, "{number}") } else { write!(text, "{number:e}") };
}
