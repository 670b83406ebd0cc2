//! Writing moving geometry: one description of a shot, written in the format of the file's extension.

use super::alembic::{self, CurvesSample, MeshSample, ObjectId, Scope, TimeSampling, Transform, Writer};
use super::cache::{CacheKind, CacheWriter};
use super::points::no_placeholder;
use super::sequence::Pattern;
use super::shot::{CurvesData, FrameData, FrameSource, Info, Map, Part, Take};
use super::{FORMATS, Format, Holds, gltf, obj, usd};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{CornerLayer, Mesh};
use sinew_math::{Real, UpAxis, Vec2, Vec3};
use sinew_scene::frames::check_rising;
use std::path::{Path, PathBuf};

/// Checks, before anything is computed, that a file can hold its intended contents.
pub fn check(file: &Path, wanted: Holds, frames: &[i64], fps: Real) -> Result<()> {
    let format = Format::of(file)?;
    let fits = |holds: Holds| {
        let held = [holds.uvs, holds.maps, holds.curves, holds.velocities];
        let asked = [wanted.uvs, wanted.maps, wanted.curves, wanted.velocities];
        held.into_iter().zip(asked).all(|(held, asked)| held || !asked)
    };
    let Some(holds) = format.row().shot.map(|shot| shot.holds).filter(|holds| fits(*holds)) else {
        let able = FORMATS.iter().filter(|row| row.shot.is_some_and(|shot| fits(shot.holds)));
        let endings: Vec<String> = able.map(|row| format!(".{}", row.ending)).collect();
        let message =
            format!("{} cannot hold what is to be written; {} can", format.row().title, endings.join(", "));
        return Err(Error::new(Kind::Unsupported, message).file(file));
    };
    match (holds.one_file, Pattern::parse(file)?) {
        (true, Some(_)) => {
            let message = "one file holds all frames: its name must not have a placeholder for the frame";
            Err(Error::new(Kind::InvalidArgument, message).file(file))
        }
        (false, None) => Err(no_placeholder(file)),
        (true, None) => check_rising(frames, fps).map_err(|e| e.file(file)),
        (false, Some(_)) => Ok(()),
    }
}

/// The names of all files of a shot.
pub fn names(file: &Path, frames: &[i64]) -> Result<Vec<PathBuf>> {
    Ok(match Pattern::parse(file)? {
        Some(pattern) => frames.iter().map(|frame| pattern.path(*frame)).collect(),
        None => vec![file.to_path_buf()],
    })
}

/// Writes a shot, each file whole or not at all. `source` gives the frame of an index and may be called more than once
/// for it.
pub fn write(
    file: &Path,
    info: &Info,
    frames: &[i64],
    fps: Real,
    source: &mut FrameSource,
) -> Result<Vec<PathBuf>> {
    let format = Format::of(file)?;
    let Some(shot) = format.row().shot else {
        let message = format!("{} holds no moving geometry", format.row().title);
        return Err(Error::new(Kind::Unsupported, message).file(file));
    };
    (shot.write)(&Take { file, info, frames, fps }, source)?;
    names(file, frames)
}

fn need_mesh<'a>(file: &Path, info: &Info<'a>) -> Result<&'a Mesh> {
    let missing = || Error::new(Kind::MissingInput, "this format needs faces, and there are none").file(file);
    info.mesh.ok_or_else(missing)
}

/// glTF cannot animate UVs: those of the middle frame are shown.
pub(super) fn glb(take: &Take, source: &mut FrameSource) -> Result<()> {
    let Take { file, info, frames, fps } = *take;
    let moved = source(frames.len() / 2)?.uvs;
    let shown = if moved.is_empty() { own_uvs(info) } else { moved };
    let uvs = (!shown.is_empty()).then_some(shown.as_slice());
    let mesh = need_mesh(file, info)?;
    let provenance = info.provenance.clone();
    let info = gltf::Info { name: info.name, mesh, uvs, space: info.space, provenance };
    gltf::write(file, &info, frames, fps, &mut |index| Ok(source(index)?.points))
}

pub(super) fn pc2(take: &Take, source: &mut FrameSource) -> Result<()> {
    points(CacheKind::Pc2, take, source)
}

pub(super) fn mdd(take: &Take, source: &mut FrameSource) -> Result<()> {
    points(CacheKind::Mdd, take, source)
}

pub(super) fn usd(take: &Take, source: &mut FrameSource) -> Result<()> {
    let own = own_uvs(take.info);
    usd::write(take.file, take.info, take.frames, take.fps, &mut |index| {
        let mut data = source(index)?;
        if data.uvs.is_empty() {
            data.uvs.clone_from(&own);
        }
        Ok(data)
    })
}

/// The mesh's own UVs by corner, for frames that bring none; none in a layer, or if a corner lacks one.
fn own_uvs(info: &Info) -> Vec<Vec2> {
    let layer = info.mesh.filter(|_| info.over.is_none()).and_then(|mesh| mesh.uvs.as_ref());
    let by_corner = |layer: &CornerLayer<Vec2>| {
        layer.indices.iter().map(|&index| layer.values.get(index as usize).copied()).collect()
    };
    layer.and_then(by_corner).unwrap_or_default()
}

fn points(kind: CacheKind, take: &Take, source: &mut FrameSource) -> Result<()> {
    let Take { file, info, frames, fps } = *take;
    let first = source(0)?.points.len();
    let mut writer = CacheWriter::of_shot(file, kind, first, frames, [fps, info.samples()])?;
    for (index, &frame) in frames.iter().enumerate() {
        source(index).and_then(|data| writer.write(&data.points)).map_err(|e| e.frame(frame))?;
    }
    writer.commit()
}

pub(super) fn objs(take: &Take, source: &mut FrameSource) -> Result<()> {
    let Take { file, info, frames, .. } = *take;
    let pattern = Pattern::parse(file)?.ok_or_else(|| no_placeholder(file))?;
    for (index, &frame) in frames.iter().enumerate() {
        source(index)
            .and_then(|data| match info.mesh {
                Some(_) => {
                    let (mesh, lines) = piece(info, data);
                    obj::save_with_lines(&pattern.path(frame), &mesh, &lines)
                }
                None => obj::save_lines(&pattern.path(frame), &lines(info, &data)),
            })
            .map_err(|e| e.frame(frame))?;
    }
    Ok(())
}

/// A frame as one mesh with lines.
fn piece(info: &Info, data: FrameData) -> (Mesh, Vec<Vec<u32>>) {
    let empty = || Mesh { face_offsets: vec![0], ..Mesh::default() };
    let rest = info.mesh.map_or_else(empty, |mesh| Mesh { normals: None, ..mesh.clone() });
    let uvs = corner_layer(data.uvs).or_else(|| rest.uvs.clone());
    let mut mesh = Mesh { positions: data.points, uvs, ..rest };
    let mut lines = Vec::new();
    for group in data.curves {
        let mut next = mesh.positions.len() as u32;
        mesh.positions.extend(group.points);
        for count in group.counts {
            lines.push((next..next + count).collect());
            next += count;
        }
    }
    (mesh, lines)
}

/// The lines of a frame without a mesh, each with the name of its group.
fn lines<'a>(info: &'a Info, data: &'a FrameData) -> Vec<(&'a str, &'a [Vec3])> {
    let mut lines = Vec::new();
    for (group, data) in info.curves.iter().zip(&data.curves) {
        let mut rest = data.points.as_slice();
        for &count in &data.counts {
            let (line, after) = rest.split_at(rest.len().min(count as usize));
            rest = after;
            lines.push((group.name, line));
        }
    }
    // The format has no line without points.
    lines.retain(|(_, line)| !line.is_empty());
    lines
}

/// A UV for each corner.
pub fn corner_layer(values: Vec<Vec2>) -> Option<CornerLayer<Vec2>> {
    let indices = (0..values.len() as u32).collect();
    (!values.is_empty()).then_some(CornerLayer { values, indices })
}

/// The objects of an Alembic file.
struct Objects {
    /// The transform for the mesh if z is up.
    turned: Option<ObjectId>,
    mesh: Option<ObjectId>,
    /// The objects of the mesh in its place, if each is a mesh of its own.
    parts: Vec<(ObjectId, Part)>,
    curves: Vec<ObjectId>,
}

pub(super) fn alembic(take: &Take, source: &mut FrameSource) -> Result<()> {
    let Take { file, info, frames, fps } = *take;
    let mut writer = Writer::create(file, TimeSampling::of_frames(frames, fps))?;
    writer.set_frame_rate(fps / info.samples());
    writer.set_provenance(info.provenance.clone());
    info.over.into_iter().for_each(|over| writer.set_original(&over.found_from(file)));
    let objects = Objects::add(&mut writer, info)?;
    let upright = Transform::upright(info.space.up());
    for (index, &frame) in frames.iter().enumerate() {
        let written = source(index).and_then(|data| {
            if let Some(turned) = objects.turned {
                writer.write_transform(turned, &upright)?;
            }
            objects.mesh.map_or(Ok(()), |mesh| write_mesh(&mut writer, mesh, info, &data, index == 0))?;
            for (object, part) in &objects.parts {
                write_mesh(&mut writer, *object, info, &part.of(&data, info.maps), false)?;
            }
            let groups = objects.curves.iter().zip(info.curves).zip(&data.curves);
            groups.into_iter().try_for_each(|((object, group), data)| {
                let values = maps(group.maps, &data.maps)?;
                let widths = widths(group.widths, data);
                let sample = CurvesSample {
                    counts: &data.counts,
                    positions: &data.points,
                    velocities: stated(&data.velocities),
                    widths: stated(&widths),
                    maps: &values,
                };
                writer.write_curves(*object, &sample)
            })
        });
        written.map_err(|e| e.frame(frame))?;
    }
    writer.commit()
}

impl Objects {
    fn add(writer: &mut Writer, info: &Info) -> Result<Self> {
        let (mut turned, mut mesh, mut parts) = (None, None, Vec::new());
        if let (Some(faces), Some(over)) = (info.mesh, info.over) {
            mesh = Some(writer.add_layer(&over.names(), faces)?);
        } else if let Some(faces) = info.mesh.filter(|_| info.apart) {
            let root = writer.add_transform(None, info.name)?;
            writer.write_transform(root, &Transform::upright(info.space.up()))?;
            for part in Part::all(faces, info.name) {
                // Programs name meshes after the transform above them.
                let above = writer.add_transform(Some(root), &part.name)?;
                let object = writer.add_mesh(Some(above), &format!("{}Shape", part.name), &part.mesh)?;
                parts.push((object, part));
            }
        } else if let Some(faces) = info.mesh {
            turned = match info.space.up() {
                UpAxis::Z => Some(writer.add_transform(None, "z_up")?),
                UpAxis::Y => None,
            };
            mesh = Some(writer.add_mesh(turned, info.name, faces)?);
        }
        let mut curves = Vec::new();
        if !info.curves.is_empty() {
            let name =
                if info.mesh.is_some() { format!("{}_curves", info.name) } else { info.name.to_string() };
            let root = writer.add_transform(None, &name)?;
            writer.write_transform(root, &Transform::upright(info.space.up()))?;
            for group in info.curves {
                // Programs name curves after the transform above them.
                let above = writer.add_transform(Some(root), group.name)?;
                curves.push(writer.add_curves(Some(above), &format!("{}Shape", group.name))?);
            }
        }
        Ok(Objects { turned, mesh, parts, curves })
    }
}

fn write_mesh(
    writer: &mut Writer,
    object: ObjectId,
    info: &Info,
    data: &FrameData,
    first: bool,
) -> Result<()> {
    let values = maps(info.maps, &data.maps)?;
    let moving = corner_layer(data.uvs.clone());
    // Static UVs are written once, in the first sample; a layer has none, for the original has them.
    let still = info.mesh.and_then(|mesh| mesh.uvs.as_ref()).filter(|_| first && info.over.is_none());
    let uvs = moving.as_ref().or(still);
    let velocities = stated(&data.velocities);
    let sample = MeshSample { positions: &data.points, uvs, velocities, maps: &values, ..Default::default() };
    writer.write_mesh(object, &sample)
}

/// Nothing if there are none.
fn stated<T>(values: &[T]) -> Option<&[T]> {
    Some(values).filter(|values| !values.is_empty())
}

fn maps<'a>(maps: &'a [Map], values: &'a [Vec<Real>]) -> Result<Vec<alembic::Map<'a>>> {
    let each = maps.iter().zip(values);
    each.map(|(map, values)| {
        let scope = match map.interpolation {
            "constant" => Scope::Constant,
            "uniform" => Scope::Uniform,
            "vertex" => Scope::Vertex,
            "faceVarying" => Scope::Corner,
            other => {
                return Err(Error::new(Kind::InvalidArgument, format!("interpolation {other:?}")));
            }
        };
        Ok(alembic::Map { name: map.name, scope, components: map.components, values, indices: None })
    })
    .collect()
}

/// A width for each point of curves.
fn widths(interpolation: &str, data: &CurvesData) -> Vec<Real> {
    match interpolation {
        "constant" => data.points.iter().flat_map(|_| data.widths.first()).copied().collect(),
        "uniform" => {
            let each = data.counts.iter().zip(&data.widths);
            each.flat_map(|(count, width)| std::iter::repeat_n(*width, *count as usize)).collect()
        }
        _ => data.widths.clone(),
    }
}
