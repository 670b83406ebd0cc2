//! Writes one binary file (`.glb`), for viewing a result.
//!
//! The points of every frame after the first are a morph target, and an animation of their weights interpolates
//! linearly from frame to frame: Blender and browser viewers play it. The file size grows with vertices times frames,
//! so it suits shots of a few hundred frames.
//!
//! glTF cannot animate UVs: the file has those of one frame, which the caller chooses. It has triangles (faces are cut
//! into fans), metres with y up, v downwards, and no normals: viewers shade it flat.

use super::document::{BINARY, FLOAT, JSON, UNSIGNED_INT};
use crate::atomic::AtomicFile;
use crate::provenance::{PROGRAM, Provenance};
use serde_json::{Value, json};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{Mesh, NO_VALUE};
use sinew_math::{Real, Space, Vec2, Vec3};
use sinew_scene::frames::check_rising;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

/// What stays the same in all frames.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The mesh's name.
    pub name: &'a str,
    /// Its faces.
    pub mesh: &'a Mesh,
    /// The UVs to show, one per corner, such as the slid ones of a frame; the mesh's own if none.
    pub uvs: Option<&'a [Vec2]>,
    /// The unit of length and the up axis of the points.
    pub space: Space,
    /// What made the file.
    pub provenance: Provenance,
}

/// The vertices of a file: a mesh's, duplicated for each of their UVs.
struct Vertices {
    /// The mesh's vertex of each.
    of: Vec<u32>,
    uvs: Vec<[f32; 2]>,
    triangles: Vec<u32>,
}

/// Writes frames as an animation that starts at 0 seconds. `source` gives the points of the frame of an index; it is
/// called twice for each, because the file's header holds the bounds of all. Memory holds two frames.
pub fn write(
    path: &Path,
    info: &Info,
    frames: &[i64],
    fps: Real,
    source: &mut dyn FnMut(usize) -> Result<Vec<Vec3>>,
) -> Result<()> {
    write_file(path, info, frames, fps, source).map_err(|e| e.file(path))
}

fn write_file(
    path: &Path,
    info: &Info,
    frames: &[i64],
    fps: Real,
    source: &mut dyn FnMut(usize) -> Result<Vec<Vec3>>,
) -> Result<()> {
    check_rising(frames, fps)?;
    info.mesh.check_counts()?;
    let vertices = Vertices::new(info)?;
    let mut read = |index: usize| -> Result<Vec<[f32; 3]>> {
        source(index).and_then(|p| vertices.points(info, &p)).map_err(|e| e.frame(frames[index]))
    };
    let first = read(0)?;
    let mut bounds = vec![limits(&first)];
    for index in 1..frames.len() {
        bounds.push(limits(&moved(&first, &read(index)?)));
    }
    let times: Vec<f32> = frames.iter().map(|&f| ((f as Real - frames[0] as Real) / fps) as f32).collect();
    let (head, size) = head(info, &vertices, &bounds, &times)?;
    let mut file = AtomicFile::create(path)?;
    let mut put = |bytes: &[u8]| file.write_all(bytes).map_err(|e| Error::io(path, &e));
    put(b"glTF")?;
    put(&words(&[2, 28 + head.len() as u32 + size, head.len() as u32, JSON]))?;
    put(&head)?;
    put(&words(&[size, BINARY]))?;
    put(&words(&vertices.triangles))?;
    put(&singles(&vertices.uvs))?;
    put(&singles(&first))?;
    for index in 1..frames.len() {
        put(&singles(&moved(&first, &read(index)?)))?;
    }
    if frames.len() > 1 {
        put(&singles(&[&times[..]]))?;
        for frame in 0..frames.len() {
            let weights: Vec<f32> = (1..frames.len()).map(|k| f32::from(u8::from(k == frame))).collect();
            put(&singles(&[weights]))?;
        }
    }
    file.commit()
}

impl Vertices {
    fn new(info: &Info) -> Result<Self> {
        let mesh = info.mesh;
        let corners = mesh.corner_vertices.len();
        if let Some(uvs) = info.uvs.filter(|uvs| uvs.len() != corners) {
            let message = format!("{} UVs for {corners} corners", uvs.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let own = |corner: usize| {
            let layer = mesh.uvs.as_ref().filter(|layer| layer.indices[corner] != NO_VALUE);
            layer.map_or(Vec2::zeros(), |layer| layer.values[layer.indices[corner] as usize])
        };
        let mut known = HashMap::new();
        let mut all = Vertices { of: Vec::new(), uvs: Vec::new(), triangles: Vec::new() };
        let mut places = Vec::with_capacity(corners);
        for (corner, &vertex) in mesh.corner_vertices.iter().enumerate() {
            let uv = info.uvs.map_or_else(|| own(corner), |uvs| uvs[corner]);
            let uv = [uv.x as f32, (1.0 - uv.y) as f32];
            if !uv.iter().all(|x| x.is_finite()) {
                return Err(Error::new(Kind::NotFinite, format!("the UV of corner {corner} is {uv:?}")));
            }
            let place = *known.entry((vertex, uv.map(f32::to_bits))).or_insert_with(|| {
                all.of.push(vertex);
                all.uvs.push(uv);
                all.of.len() as u32 - 1
            });
            places.push(place);
        }
        for face in 0..mesh.face_count() {
            let corners = &places[mesh.corners(face)];
            all.triangles.extend(corners[1..].windows(2).flat_map(|w| [corners[0], w[0], w[1]]));
        }
        match all.triangles.is_empty() {
            true => Err(Error::new(Kind::MissingInput, "the mesh has no faces")),
            false => Ok(all),
        }
    }

    /// The points of a frame in the file's space.
    fn points(&self, info: &Info, points: &[Vec3]) -> Result<Vec<[f32; 3]>> {
        let count = info.mesh.positions.len();
        if points.len() != count {
            let message = format!("{} points for {count} vertices", points.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let point = |&vertex: &u32| {
            let p = info.space.point_in(points[vertex as usize]);
            let single = [p.x as f32, p.y as f32, p.z as f32];
            let error = || {
                Error::new(Kind::NotFinite, format!("{p:?} exceeds single precision")).vertex(vertex as usize)
            };
            single.iter().all(|x| x.is_finite()).then_some(single).ok_or_else(error)
        };
        self.of.iter().map(point).collect()
    }
}

/// The displacement of points from the first frame.
fn moved(first: &[[f32; 3]], now: &[[f32; 3]]) -> Vec<[f32; 3]> {
    first.iter().zip(now).map(|(a, b)| [b[0] - a[0], b[1] - a[1], b[2] - a[2]]).collect()
}

fn limits(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    points.iter().fold([[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]], |[low, high], p| {
        [std::array::from_fn(|k| low[k].min(p[k])), std::array::from_fn(|k| high[k].max(p[k]))]
    })
}

fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn singles(rows: &[impl AsRef<[f32]>]) -> Vec<u8> {
    rows.iter().flat_map(|row| row.as_ref().iter().flat_map(|x| x.to_le_bytes())).collect()
}

/// What made the file, in the field that the format has for it.
fn asset(provenance: &Provenance) -> Value {
    let mut asset = json!({ "version": "2.0", "generator": PROGRAM });
    for (name, text) in provenance.besides() {
        asset["extras"][name] = text.into();
    }
    asset
}

/// The JSON chunk, and the size of the binary one.
fn head(info: &Info, vertices: &Vertices, bounds: &[[[f32; 3]; 2]], times: &[f32]) -> Result<(Vec<u8>, u32)> {
    let count = vertices.of.len();
    let (mut views, mut accessors, mut size) = (Vec::new(), Vec::new(), 0usize);
    // Every view has its own accessor; all sizes are multiples of 4, as alignment requires.
    let mut add = |bytes: usize, target: Option<u32>, accessor: Value| {
        let mut view = json!({ "buffer": 0, "byteOffset": size, "byteLength": bytes });
        target.into_iter().for_each(|target| view["target"] = target.into());
        views.push(view);
        accessors.push(accessor);
        size += bytes;
    };
    let points = |[low, high]: &[[f32; 3]; 2], view: usize| json!({ "bufferView": view, "componentType": FLOAT, "count": count, "type": "VEC3", "min": low, "max": high });
    let scalars = |view: usize, kind: u32, count: usize| json!({ "bufferView": view, "componentType": kind, "count": count, "type": "SCALAR" });
    let triangles = vertices.triangles.len();
    add(4 * triangles, Some(34963), scalars(0, UNSIGNED_INT, triangles));
    let uvs = json!({ "bufferView": 1, "componentType": FLOAT, "count": count, "type": "VEC2" });
    add(8 * count, Some(34962), uvs);
    for (k, bounds) in bounds.iter().enumerate() {
        add(12 * count, Some(34962), points(bounds, 2 + k));
    }
    let (frames, next) = (times.len(), 2 + times.len());
    let targets: Vec<Value> = (3..next).map(|k| json!({ "POSITION": k })).collect();
    let mut primitive = json!({ "attributes": { "POSITION": 2, "TEXCOORD_0": 1 }, "indices": 0, "mode": 4 });
    let mut mesh = json!({ "name": info.name });
    let mut animations = json!(null);
    if frames > 1 {
        let mut stamps = scalars(next, FLOAT, frames);
        (stamps["min"], stamps["max"]) = (json!([times[0]]), json!([times[frames - 1]]));
        add(4 * frames, None, stamps);
        add(4 * frames * (frames - 1), None, scalars(next + 1, FLOAT, frames * (frames - 1)));
        primitive["targets"] = targets.into();
        mesh["weights"] = vec![0; frames - 1].into();
        animations = json!([{
            "name": "frames",
            "samplers": [{ "input": next, "output": next + 1, "interpolation": "LINEAR" }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
        }]);
    }
    mesh["primitives"] = json!([primitive]);
    let mut all = json!({
        "asset": asset(&info.provenance),
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": info.name, "mesh": 0 }],
        "meshes": [mesh],
        "buffers": [{ "byteLength": size }],
        "bufferViews": views,
        "accessors": accessors,
    });
    if !animations.is_null() {
        all["animations"] = animations;
    }
    finish(&all, size)
}

/// The header, padded, and the size of what follows, which must fit.
fn finish(head: &Value, size: usize) -> Result<(Vec<u8>, u32)> {
    let mut text = head.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    match u32::try_from(size).ok().filter(|size| size.checked_add(28 + text.len() as u32).is_some()) {
        Some(size) => Ok((text, size)),
        None => {
            Err(Error::new(Kind::TooLarge, format!("{size} bytes do not fit into a .glb: 4 GiB at most")))
        }
    }
}
