//! The folder of a run of the skin slider, read and checked.

use super::contents::{Frame, Report, SHOWN, UV_STEP, check_size, folder_name, frame_file, keep, require};
use super::reported::Run;
use super::split::{GridUv, Splitter};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::{first_row, map, obj, read_text};
use sinew_geometry::measure::vertex_stretches;
use sinew_geometry::{Mesh, NO_VALUE, TriMesh};
use sinew_math::{Real, Space};
use sinew_scene::frames::format_frames;
use std::collections::HashSet;
use std::path::Path;

/// UVs farther from 0 are outside the grid.
const MAX_UV: Real = 65535.0;

/// The header of the tables `maps.0001.csv`.
const MAP_COLUMNS: [&str; 5] = ["vertex", "slide", "stretch_max", "stretch_min", "wrinkle"];

/// Reads the folder that `sinew slide` wrote.
pub(super) fn gather(folder: &Path, mut run: Run, frames: Option<&[i64]>) -> Result<Report> {
    note_other_files(folder, &mut run)?;
    keep(&mut run, frames, folder)?;
    let numbers: Vec<i64> = run.rows.iter().map(|row| row.frame).collect();
    require(folder, "uv", "obj", &numbers)?;
    let has_maps = numbers.iter().any(|&f| frame_file(folder, "maps", "csv", f).is_file());
    if has_maps {
        require(folder, "maps", "csv", &numbers)?;
    } else {
        run.notes.push("No maps.0001.csv and so on in the folder: there are no overlays.".into());
    }
    let rest_path = folder.join("rest.obj");
    let rest = rest_path.is_file().then(|| read_mesh(&rest_path)).transpose()?;
    if rest.is_none() {
        run.notes.push("No rest.obj in the folder: there is no standard skinning to compare with.".into());
    }
    let first = match &rest {
        Some((mesh, _)) => mesh.clone(),
        None => read_mesh(&frame_file(folder, "uv", "obj", numbers[0])).map_err(|e| e.frame(numbers[0]))?.0,
    };
    check_size(&first, &numbers)?;
    let surface = TriMesh::from_mesh(&first).map_err(|e| e.file(folder))?;
    let knows_rest = rest.is_some();
    let mut splitter = Splitter::new(first.positions.len(), &first.corner_vertices);
    let mut rest_uvs = rest.map(|(_, uvs)| splitter.add(&uvs));
    let reader =
        Reader { folder, first: &first, rest: knows_rest.then_some(&surface), has_maps, space: run.space()? };
    let mut read = reader.frames(&numbers, &mut splitter)?;
    let all = read.iter_mut().map(|frame| &mut frame.uvs).chain(&mut rest_uvs);
    all.for_each(|uvs| splitter.complete(uvs));
    let (of_corner, split) = splitter.finish();
    Ok(Report {
        name: folder_name(folder),
        run,
        faces: first.face_count(),
        triangles: surface.corners.iter().map(|t| t.map(|corner| of_corner[corner as usize])).collect(),
        split,
        rest_uvs,
        frames: read,
        parts: None,
    })
}

/// Files of frames missing from the run's report are from another run; they are not shown, and the page says so.
fn note_other_files(folder: &Path, run: &mut Run) -> Result<()> {
    let reported: HashSet<i64> = run.rows.iter().map(|row| row.frame).collect();
    let mut others = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| Error::io(folder, &e))? {
        let name = entry.map_err(|e| Error::io(folder, &e))?.file_name();
        let number = name.to_str().and_then(|n| n.strip_prefix("uv.")?.strip_suffix(".obj"));
        others.extend(number.and_then(|n| n.parse::<i64>().ok()).filter(|f| !reported.contains(f)));
    }
    if !others.is_empty() {
        others.sort_unstable();
        let list = format_frames(&others);
        run.notes.push(format!("Not in report.json and not shown: the files of frames {list}."));
    }
    Ok(())
}

/// A mesh and the UVs of its corners on the grid.
fn read_mesh(path: &Path) -> Result<(Mesh, Vec<GridUv>)> {
    let mesh = obj::read(path)?.mesh;
    mesh.check_counts().map_err(|e| e.file(path))?;
    let uvs = grid_uvs(&mesh).map_err(|e| e.file(path))?;
    Ok((mesh, uvs))
}

/// Checks that a page can show a mesh, before anything is computed for it.
pub fn check_rest(mesh: &Mesh) -> Result<()> {
    mesh.check_counts()?;
    grid_uvs(mesh).map(drop)
}

fn grid_uvs(mesh: &Mesh) -> Result<Vec<GridUv>> {
    let Some(layer) = &mesh.uvs else {
        return Err(Error::new(Kind::MissingInput, "the mesh has no UVs, so there is no texture to show"));
    };
    let mut uvs = Vec::with_capacity(layer.indices.len());
    for face in 0..mesh.face_count() {
        for corner in mesh.corners(face) {
            if layer.indices[corner] == NO_VALUE {
                return Err(Error::new(Kind::MissingInput, "a corner without UVs").face(face));
            }
            let uv = layer.values[layer.indices[corner] as usize];
            if uv.amax() > MAX_UV {
                let message = format!("the UVs are {}, {}; up to {MAX_UV} are shown", uv.x, uv.y);
                return Err(Error::new(Kind::OutOfRange, message).face(face));
            }
            uvs.push([uv.x, uv.y].map(|x| (x / UV_STEP).round() as i32));
        }
    }
    Ok(uvs)
}

/// What the frames of a folder have in common.
struct Reader<'a> {
    folder: &'a Path,
    /// Faces that all frames must have.
    first: &'a Mesh,
    /// The body at rest, if known.
    rest: Option<&'a TriMesh>,
    has_maps: bool,
    space: Space,
}

impl Reader<'_> {
    fn frames(&self, numbers: &[i64], splitter: &mut Splitter) -> Result<Vec<Frame>> {
        let mut read = Vec::with_capacity(numbers.len());
        // Whole meshes take much more memory than what is kept of them, so only a few are loaded at a time.
        for some in numbers.chunks(rayon::current_num_threads()) {
            let frames: Vec<Result<_>> = some.par_iter().map(|&number| self.frame(number)).collect();
            for frame in frames {
                let (mut frame, uvs) = frame?;
                frame.uvs = splitter.add(&uvs);
                read.push(frame);
            }
        }
        Ok(read)
    }

    /// A frame, and the UVs of its corners, from which its own are derived.
    fn frame(&self, number: i64) -> Result<(Frame, Vec<GridUv>)> {
        let (folder, first) = (self.folder, self.first);
        let path = frame_file(folder, "uv", "obj", number);
        let (mesh, uvs) = read_mesh(&path).map_err(|e| e.frame(number))?;
        let counts = |mesh: &Mesh| (mesh.positions.len(), mesh.face_count());
        if counts(&mesh) != counts(first) {
            let ((v, f), (vertices, faces)) = (counts(&mesh), counts(first));
            let message = format!("{v} vertices and {f} faces; the mesh has {vertices} and {faces}");
            return Err(Error::new(Kind::Topology, message).file(&path).frame(number));
        }
        if let Some(face) = (0..mesh.face_count()).find(|&f| mesh.face(f) != first.face(f)) {
            let message =
                format!("the face has the vertices {:?}, not {:?}", mesh.face(face), first.face(face));
            return Err(Error::new(Kind::Topology, message).file(&path).frame(number).face(face));
        }
        let path = frame_file(folder, "maps", "csv", number);
        let maps = self.has_maps.then(|| read_maps(&path, first.positions.len())).transpose();
        let maps = maps.map_err(|e| e.file(&path).frame(number))?;
        let skinning = self.rest.map(|rest| vertex_stretches(rest, &mesh.positions));
        let mut positions = mesh.positions;
        positions.iter_mut().for_each(|p| *p = self.space.direction_in(*p));
        Ok((Frame { positions, uvs: Vec::new(), maps, skinning, muscles: Vec::new() }, uvs))
    }
}

fn read_maps(path: &Path, vertices: usize) -> Result<Vec<[Real; 3]>> {
    let text = read_text(path)?;
    if first_row(&text) != MAP_COLUMNS {
        let message = format!("the first line must be {}", MAP_COLUMNS.join(","));
        return Err(Error::new(Kind::Parse, message).line(1));
    }
    // The first column is the vertex.
    let columns = MAP_COLUMNS.len() - 1;
    let map = map::parse_csv(&text)?;
    let rows: Vec<&[Real]> = map.values.chunks_exact(columns).collect();
    if map.components != columns || rows.len() != vertices {
        return Err(Error::new(Kind::CountMismatch, format!("{} rows for {vertices} vertices", rows.len())));
    }
    Ok(rows.into_iter().map(|row| SHOWN.map(|column| row[column - 1])).collect())
}
