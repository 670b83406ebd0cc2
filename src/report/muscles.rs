//! The folder of a run with muscles, as one mesh: the skin that they carry, the skin that joints alone carry, the
//! muscles.

use super::contents::{Frame, Parts, Report, check_size, folder_name, frame_file, keep, require};
use super::reported::Run;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::{obj, read_text};
use sinew_geometry::{Mesh, TriMesh};
use sinew_math::{Real, Space, Vec3};
use std::path::Path;

/// The skin with muscles, without them, the muscles, and their tensions: the files of a frame.
const SKIN: &str = "skin";
const SKINNED: &str = "skinned";
const MUSCLES: &str = "muscles";
const TENSIONS: &str = "muscle_tensions";

/// Whether a folder shows muscles: one mesh alone may belong to anything.
pub(super) fn are_shown(folder: &Path, frame: i64) -> bool {
    [SKIN, MUSCLES].iter().all(|name| frame_file(folder, name, "obj", frame).is_file())
}

/// Reads the folder of a graph that wrote these files for each frame.
pub(super) fn gather(folder: &Path, mut run: Run, frames: Option<&[i64]>) -> Result<Report> {
    keep(&mut run, frames, folder)?;
    let numbers: Vec<i64> = run.rows.iter().map(|row| row.frame).collect();
    for name in [SKIN, MUSCLES] {
        require(folder, name, "obj", &numbers)?;
    }
    let there = |name: &str, ending: &str| frame_file(folder, name, ending, numbers[0]).is_file();
    let (beside, tense) = (there(SKINNED, "obj"), there(TENSIONS, "csv"));
    for (there, name, ending) in [(beside, SKINNED, "obj"), (tense, TENSIONS, "csv")] {
        if there {
            require(folder, name, ending, &numbers)?;
        } else {
            run.notes.push(format!("No {name}.0001.{ending} and so on in the folder."));
        }
    }
    let first = |name: &str| {
        let path = frame_file(folder, name, "obj", numbers[0]);
        let mesh = obj::read(&path)?.mesh;
        let surface = TriMesh::from_mesh(&mesh).map_err(|e| e.file(&path))?;
        Ok((mesh, surface))
    };
    let ((skin, surface), (mesh, inside)) = (first(SKIN)?, first(MUSCLES)?);
    let muscles = Muscles::new(&mesh);
    let reader =
        Reader { folder, skin: &skin, mesh: &mesh, beside, tense, muscles: &muscles, space: run.space()? };
    let shown: Vec<Frame> = numbers.par_iter().map(|&frame| reader.frame(frame)).collect::<Result<_>>()?;
    let all = Mesh { positions: shown[0].positions.clone(), ..Mesh::default() };
    check_size(&all, &numbers)?;
    let points = all.positions.len();
    let copies = if beside { 2 } else { 1 };
    let at = |offset: usize| surface.triangles.iter().map(move |t| t.map(|v| v + offset as u32));
    let mut triangles: Vec<[u32; 3]> = (0..copies).flat_map(|k| at(k * skin.positions.len())).collect();
    let begin = (copies * skin.positions.len()) as u32;
    triangles.extend(inside.triangles.iter().map(|t| t.map(|v| v + begin)));
    let skin_triangles = surface.triangles.len();
    Ok(Report {
        name: folder_name(folder),
        run,
        faces: copies * skin.face_count() + mesh.face_count(),
        triangles,
        split: Vec::new(),
        rest_uvs: beside.then(|| vec![[0; 2]; points]),
        frames: shown,
        parts: Some(Parts {
            skin: skin_triangles,
            skinned: if beside { skin_triangles } else { 0 },
            muscles: inside.triangles.len(),
        }),
    })
}

/// Which muscle each vertex belongs to: muscles share no vertex, and come one after the other.
struct Muscles {
    of_vertex: Vec<usize>,
    count: usize,
}

impl Muscles {
    fn new(mesh: &Mesh) -> Self {
        let vertices = mesh.positions.len();
        let mut group: Vec<usize> = (0..vertices).collect();
        fn first(group: &mut [usize], mut vertex: usize) -> usize {
            while group[vertex] != vertex {
                group[vertex] = group[group[vertex]];
                vertex = group[vertex];
            }
            vertex
        }
        for face in (0..mesh.face_count()).map(|face| mesh.face(face)) {
            for &vertex in &face[1..] {
                let [a, b] = [face[0], vertex].map(|v| first(&mut group, v as usize));
                group[a.max(b)] = a.min(b);
            }
        }
        let (mut of_vertex, mut count) = (vec![0; vertices], 0);
        for vertex in 0..vertices {
            let own = first(&mut group, vertex);
            of_vertex[vertex] = if own == vertex { count } else { of_vertex[own] };
            count += usize::from(own == vertex);
        }
        Muscles { of_vertex, count }
    }
}

struct Reader<'a> {
    folder: &'a Path,
    skin: &'a Mesh,
    mesh: &'a Mesh,
    beside: bool,
    tense: bool,
    muscles: &'a Muscles,
    space: Space,
}

impl Reader<'_> {
    fn frame(&self, number: i64) -> Result<Frame> {
        let mut positions = self.surface(SKIN, number, self.skin)?;
        if self.beside {
            positions.extend(self.surface(SKINNED, number, self.skin)?);
        }
        let skins = positions.len();
        positions.extend(self.surface(MUSCLES, number, self.mesh)?);
        positions.iter_mut().for_each(|p| *p = self.space.direction_in(*p));
        let mut tension = vec![0.0; skins];
        if self.tense {
            let path = frame_file(self.folder, TENSIONS, "csv", number);
            let tensions = numbers(&path, self.muscles.count).map_err(|e| e.frame(number))?;
            tension.extend(self.muscles.of_vertex.iter().map(|&muscle| tensions[muscle]));
        } else {
            tension.resize(positions.len(), 0.0);
        }
        let hue = |muscle: &usize| (*muscle as Real * GOLDEN).fract();
        let hues = std::iter::repeat_n(0.0, skins).chain(self.muscles.of_vertex.iter().map(hue)).collect();
        let uvs = vec![[0; 2]; positions.len()];
        Ok(Frame { positions, uvs, maps: None, skinning: None, muscles: vec![tension, hues] })
    }

    /// The points of a mesh, whose faces must be those of the first.
    fn surface(&self, name: &str, number: i64, first: &Mesh) -> Result<Vec<Vec3>> {
        let path = frame_file(self.folder, name, "obj", number);
        let mesh = obj::read(&path).map_err(|e| e.frame(number))?.mesh;
        if mesh.positions.len() != first.positions.len()
            || mesh.corner_vertices != first.corner_vertices
            || mesh.face_offsets != first.face_offsets
        {
            let message = "its faces are not those of the first frame";
            return Err(Error::new(Kind::Topology, message).file(&path).frame(number));
        }
        Ok(mesh.positions)
    }
}

/// Multiples of it modulo 1 stay apart: neighbouring muscles get different colours.
const GOLDEN: Real = 0.618_033_988_749_895;

/// The number of each of `count` items in a frame's table, whose first two columns are the frame and the item.
fn numbers(path: &Path, count: usize) -> Result<Vec<Real>> {
    let text = read_text(path)?;
    let row = |(line, row): (usize, &str)| {
        let number = row.split(',').nth(2).and_then(|cell| cell.trim().parse().ok());
        number.filter(|number: &Real| number.is_finite()).ok_or_else(|| {
            let error = Error::new(Kind::Parse, "a frame, a name and a number are expected");
            error.file(path).line(line as u64 + 1)
        })
    };
    let rows = text.lines().enumerate().skip(1).filter(|(_, row)| !row.is_empty());
    let rows: Vec<Real> = rows.map(row).collect::<Result<_>>()?;
    if rows.len() != count {
        let message = format!("{} rows, not {count}", rows.len());
        return Err(Error::new(Kind::CountMismatch, message).file(path));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tubes, the second's faces out of order.
    #[test]
    fn muscles_are_what_faces_connect() {
        let mesh = Mesh {
            positions: vec![Vec3::zeros(); 10],
            face_offsets: vec![0, 4, 8, 12, 16],
            corner_vertices: vec![4, 5, 7, 6, 0, 1, 3, 2, 2, 3, 1, 0, 8, 9, 6, 7],
            ..Mesh::default()
        };
        let muscles = Muscles::new(&mesh);
        assert_eq!((muscles.count, muscles.of_vertex), (2, vec![0, 0, 0, 0, 1, 1, 1, 1, 1, 1]));
        assert_eq!(Muscles::new(&Mesh::default()).count, 0);
    }
}
