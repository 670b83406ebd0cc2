//! A skinned mesh with blend shapes, and a skeleton that moves both: `.usda`, as UsdSkel has it.

use super::text::{integers, put_number};
use crate::Format;
use crate::atomic;
use crate::names::{identifier, identifiers};
use crate::provenance::PROGRAM;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{
    Affine, Mat3, Real, Rotation, Space, UpAxis, Vec3, compose, invert, linear, polar3, translation,
};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// A skinned mesh, in a host's space.
pub struct Rig<'a> {
    /// The name of the whole.
    pub name: &'a str,
    /// The mesh at rest.
    pub mesh: &'a Mesh,
    /// The unit and the up axis of all numbers.
    pub space: Space,
    /// The joints.
    pub joints: &'a [String],
    /// The parent of each joint.
    pub parents: &'a [Option<usize>],
    /// Where each joint is at rest.
    pub rest: &'a [Affine],
    /// The joints of each vertex and their weights.
    pub weights: &'a [Vec<(u32, Real)>],
    /// The shapes, under distinct names.
    pub shapes: &'a [Shape],
    /// The poses, under rising numbers.
    pub frames: &'a [Frame],
    /// Frames per second.
    pub fps: Real,
}

/// A blend shape.
pub struct Shape {
    /// Its name; characters that USD does not allow become `_`.
    pub name: String,
    /// The vertices that it moves, and how far.
    pub offsets: Vec<(u32, Vec3)>,
}

/// A pose.
pub struct Frame {
    /// Its number.
    pub number: i64,
    /// Where each joint is.
    pub joints: Vec<Affine>,
    /// The weight of each shape.
    pub weights: Vec<Real>,
}

/// Writes the file, which must end in `.usda`.
pub fn write(path: &Path, rig: &Rig) -> Result<()> {
    if Format::of(path)? != Format::Usda {
        let message = "rigs are written as .usda: use this extension";
        return Err(Error::new(Kind::Unsupported, message).file(path));
    }
    let text = Text::new(rig).and_then(|text| text.whole()).map_err(|e| e.file(path))?;
    atomic::write(path, |file| file.write_all(text.as_bytes()))
}

/// Joints in the order of the file, parents first.
struct Text<'a> {
    rig: &'a Rig<'a>,
    order: Vec<usize>,
    /// The path of each joint, in our order.
    paths: Vec<String>,
    shapes: Vec<String>,
}

/// A list of values of so many numbers each.
fn list(numbers: impl IntoIterator<Item = Real>, width: usize) -> String {
    let mut text = String::from("[");
    for (k, number) in numbers.into_iter().enumerate() {
        text.push_str(if k > 0 { ", " } else { "" });
        text.push_str(if width > 1 && k % width == 0 { "(" } else { "" });
        put_number(&mut text, number, false);
        text.push_str(if width > 1 && k % width == width - 1 { ")" } else { "" });
    }
    text + "]"
}

/// In double precision, for row vectors.
fn matrices(all: impl Iterator<Item = Affine>) -> String {
    let row =
        |m: &Affine, k: usize| format!("({}, {}, {}, {})", m[(0, k)], m[(1, k)], m[(2, k)], u8::from(k == 3));
    let matrix = |m: Affine| format!("( {} )", (0..4).map(|k| row(&m, k)).collect::<Vec<_>>().join(", "));
    format!("[{}]", all.map(matrix).collect::<Vec<_>>().join(", "))
}

fn quoted(texts: impl Iterator<Item = String>) -> String {
    format!("[{}]", texts.map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", "))
}

fn vectors<'v>(all: impl Iterator<Item = &'v Vec3>) -> impl Iterator<Item = Real> {
    all.flat_map(|v| [v.x, v.y, v.z])
}

impl<'a> Text<'a> {
    fn new(rig: &'a Rig<'a>) -> Result<Self> {
        let count = rig.joints.len();
        let counts =
            [rig.parents.len(), rig.rest.len()].into_iter().chain(rig.frames.iter().map(|f| f.joints.len()));
        if counts.into_iter().any(|other| other != count) || rig.weights.len() != rig.mesh.positions.len() {
            return Err(Error::new(Kind::CountMismatch, "joints, poses or weights of different numbers"));
        }
        rig.mesh.check_counts()?;
        let (mut order, mut placed) = (Vec::new(), vec![false; count]);
        while order.len() < count {
            let before = order.len();
            for joint in 0..count {
                if !placed[joint] && rig.parents[joint].is_none_or(|parent| placed[parent]) {
                    placed[joint] = true;
                    order.push(joint);
                }
            }
            if order.len() == before {
                return Err(Error::new(Kind::Topology, "a joint is its own ancestor"));
            }
        }
        let names = identifiers(rig.joints.iter().map(String::as_str));
        let mut paths = vec![String::new(); count];
        for &joint in &order {
            let parent = rig.parents[joint].map_or_else(String::new, |parent| format!("{}/", paths[parent]));
            paths[joint] = parent + &names[joint];
        }
        let shapes = identifiers(rig.shapes.iter().map(|shape| shape.name.as_str()));
        Ok(Text { rig, order, paths, shapes })
    }

    /// The joints of a pose in their parents.
    fn locals(&self, joints: &[Affine]) -> Result<Vec<Affine>> {
        let local = |&joint: &usize| match self.rig.parents[joint] {
            None => Ok(joints[joint]),
            Some(parent) => {
                let flat = || Error::new(Kind::Degenerate, "its matrix cannot be inverted").joint(parent);
                Ok(compose(&invert(&joints[parent]).ok_or_else(flat)?, &joints[joint]))
            }
        };
        self.order.iter().map(local).collect()
    }

    fn whole(&self) -> Result<String> {
        let Rig { space, fps, frames, .. } = *self.rig;
        let name = identifier(self.rig.name);
        let up = if space.up() == UpAxis::Z { "Z" } else { "Y" };
        let [first, last] =
            [frames.first(), frames.last()].map(|frame| frame.map_or(0, |frame| frame.number));
        let mut out = format!(
            "#usda 1.0\n(\n    \"Written by {PROGRAM}\"\n    defaultPrim = {name:?}\n    endTimeCode = {last}\n    \
             framesPerSecond = {fps}\n    metersPerUnit = {}\n    startTimeCode = {first}\n    timeCodesPerSecond = \
             {fps}\n    upAxis = {up:?}\n)\n\ndef SkelRoot {name:?}\n{{\n",
            space.metres_per_unit()
        );
        out += &self.skeleton(&name)?;
        out += &self.animation()?;
        out += &self.mesh(&name);
        Ok(out + "}\n")
    }

    fn skeleton(&self, name: &str) -> Result<String> {
        let joints = quoted(self.order.iter().map(|&joint| self.paths[joint].clone()));
        let bind = matrices(self.order.iter().map(|&joint| self.rig.rest[joint]));
        let rest = matrices(self.locals(self.rig.rest)?.into_iter());
        Ok(format!(
            "    def Skeleton \"skeleton\" (\n        prepend apiSchemas = [\"SkelBindingAPI\"]\n    )\n    {{\n        \
             uniform token[] joints = {joints}\n        uniform matrix4d[] bindTransforms = {bind}\n        uniform \
             matrix4d[] restTransforms = {rest}\n        rel skel:animationSource = </{name}/animation>\n    }}\n\n"
        ))
    }

    fn animation(&self) -> Result<String> {
        let joints = quoted(self.order.iter().map(|&joint| self.paths[joint].clone()));
        let mut out = format!(
            "    def SkelAnimation \"animation\"\n    {{\n        uniform token[] joints = {joints}\n        uniform \
             token[] blendShapes = {}\n",
            quoted(self.shapes.iter().cloned())
        );
        let mut values: [String; 4] = Default::default();
        let rest =
            [Frame { number: 0, joints: self.rig.rest.to_vec(), weights: vec![0.0; self.shapes.len()] }];
        let frames = if self.rig.frames.is_empty() { &rest[..] } else { self.rig.frames };
        for frame in frames {
            let locals = self.locals(&frame.joints).map_err(|e| e.frame(frame.number))?;
            let parts: Vec<(Vec3, Rotation, Vec3)> = locals.iter().map(decomposed).collect();
            let turn = |q: &Rotation| [q.w, q.i, q.j, q.k];
            let each = [
                list(vectors(parts.iter().map(|part| &part.0)), 3),
                list(parts.iter().flat_map(|part| turn(&part.1)), 4),
                list(vectors(parts.iter().map(|part| &part.2)), 3),
                list(frame.weights.iter().copied(), 1),
            ];
            for (values, value) in values.iter_mut().zip(each) {
                // Writing to a text cannot fail.
                let _ = writeln!(values, "            {}: {value},", frame.number);
            }
        }
        let names =
            ["float3[] translations", "quatf[] rotations", "half3[] scales", "float[] blendShapeWeights"];
        for (name, values) in names.iter().zip(&values) {
            out += &format!("        {name}.timeSamples = {{\n{values}        }}\n");
        }
        Ok(out + "    }\n\n")
    }

    fn mesh(&self, name: &str) -> String {
        let mesh = self.rig.mesh;
        let counts: Vec<u32> = mesh.face_offsets.windows(2).map(|w| w[1] - w[0]).collect();
        let mut places = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(place, &joint)| places[joint] = place as u32);
        let most = self.rig.weights.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let padded =
            |of: &'a [(u32, Real)]| of.iter().copied().map(Some).chain(std::iter::repeat(None)).take(most);
        let all = || self.rig.weights.iter().flat_map(|of| padded(of));
        let joints: Vec<u32> = all().map(|one| one.map_or(0, |(joint, _)| places[joint as usize])).collect();
        let weights = list(all().map(|one| one.map_or(0.0, |(_, weight)| weight)), 1);
        let about = format!(
            " (\n            elementSize = {most}\n            interpolation = \"vertex\"\n        )"
        );
        let targets: Vec<String> =
            self.shapes.iter().map(|shape| format!("</{name}/mesh/{shape}>")).collect();
        let mut out = format!(
            "    def Mesh \"mesh\" (\n        prepend apiSchemas = [\"SkelBindingAPI\"]\n    )\n    {{\n        uniform token \
             subdivisionScheme = \"none\"\n        int[] faceVertexCounts = {}\n        int[] faceVertexIndices = {}\n        \
             point3f[] points = {}\n        int[] primvars:skel:jointIndices = {}{about}\n        float[] \
             primvars:skel:jointWeights = {weights}{about}\n        rel skel:skeleton = </{name}/skeleton>\n        uniform \
             token[] skel:blendShapes = {}\n        rel skel:blendShapeTargets = [{}]\n",
            integers(&counts),
            integers(&mesh.corner_vertices),
            list(vectors(mesh.positions.iter()), 3),
            integers(&joints),
            quoted(self.shapes.iter().cloned()),
            targets.join(", "),
        );
        for (name, shape) in self.shapes.iter().zip(self.rig.shapes) {
            let points: Vec<u32> = shape.offsets.iter().map(|(vertex, _)| *vertex).collect();
            out += &format!(
                "\n        def BlendShape {name:?}\n        {{\n            uniform vector3f[] offsets = {}\n            \
                 uniform int[] pointIndices = {}\n        }}\n",
                list(vectors(shape.offsets.iter().map(|(_, offset)| offset)), 3),
                integers(&points),
            );
        }
        out + "    }\n"
    }
}

/// Translation, rotation and scale; shear is lost, which the format cannot hold.
fn decomposed(m: &Affine) -> (Vec3, Rotation, Vec3) {
    let polar = polar3(&linear(m));
    let matrix: Mat3 = polar.rotation;
    let turn = Rotation::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(matrix));
    (translation(m), turn, polar.stretch.diagonal())
}
