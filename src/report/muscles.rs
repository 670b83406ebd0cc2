//! The folder of a run with muscles, as one mesh: the skin that they carry, the skin that joints alone carry, the
//! muscles.

use super::contents::{Frame, Parts, Report, check_size, folder_name, frame_file, keep, require};
use super::told::Run;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::{obj, read_text};
use sinew_geometry::{Mesh, TriMesh};
use sinew_math::{Real, Space, Vec3};
use std::path::Path;

/// The skin with muscles, without them, and what is known of the muscles: the files of a frame.
const SKIN: &str = "skin";
const SKINNED: &str = "skinned";
const POINTS: &str = "muscle_points";
const FACES: &str = "muscle_faces";
const TENSIONS: &str = "muscle_tensions";

/// Whether a folder shows muscles: one table alone may belong to anything.
pub(super) fn are_shown(folder: &Path, frame: i64) -> bool {
    [(SKIN, "obj"), (POINTS, "csv"), (FACES, "csv")]
        .iter()
        .all(|(name, ending)| frame_file(folder, name, ending, frame).is_file())
}

/// Reads the folder of a graph that wrote these files for each frame.
pub(super) fn gather(folder: &Path, mut run: Run, frames: Option<&[i64]>) -> Result<Report> {
    keep(&mut run, frames, folder)?;
    let numbers: Vec<i64> = run.rows.iter().map(|row| row.frame).collect();
    for (name, ending) in [(SKIN, "obj"), (POINTS, "csv"), (FACES, "csv")] {
        require(folder, name, ending, &numbers)?;
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
    let path = frame_file(folder, SKIN, "obj", numbers[0]);
    let skin = obj::read(&path)?.mesh;
    let surface = TriMesh::from_mesh(&skin).map_err(|e| e.file(&path))?;
    let faces = faces(&frame_file(folder, FACES, "csv", numbers[0]))?;
    let muscles = Muscles::new(&faces);
    let reader = Reader { folder, skin: &skin, beside, tense, muscles: &muscles, space: run.space()? };
    let shown: Vec<Frame> = numbers.par_iter().map(|&frame| reader.frame(frame)).collect::<Result<_>>()?;
    let all = Mesh { positions: shown[0].positions.clone(), ..Mesh::default() };
    check_size(&all, &numbers)?;
    let points = all.positions.len();
    let copies = if beside { 2 } else { 1 };
    let at = |offset: usize| surface.triangles.iter().map(move |t| t.map(|v| v + offset as u32));
    let mut triangles: Vec<[u32; 3]> = (0..copies).flat_map(|k| at(k * skin.positions.len())).collect();
    let begin = (copies * skin.positions.len()) as u32;
    triangles
        .extend(faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|t| t.map(|v| v + begin)));
    let skin_triangles = surface.triangles.len();
    Ok(Report {
        name: folder_name(folder),
        run,
        faces: copies * skin.face_count() + faces.len(),
        triangles,
        split: Vec::new(),
        rest_uvs: beside.then(|| vec![[0; 2]; points]),
        frames: shown,
        parts: Some(Parts {
            skin: skin_triangles,
            skinned: if beside { skin_triangles } else { 0 },
            muscles: 2 * faces.len(),
        }),
    })
}

/// Which muscle each vertex belongs to: muscles share no vertex, and come one after the other.
struct Muscles {
    of_vertex: Vec<usize>,
    count: usize,
}

impl Muscles {
    fn new(faces: &[[u32; 4]]) -> Self {
        let vertices = faces.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let mut group: Vec<usize> = (0..vertices).collect();
        fn first(group: &mut [usize], mut vertex: usize) -> usize {
            while group[vertex] != vertex {
                group[vertex] = group[group[vertex]];
                vertex = group[vertex];
            }
            vertex
        }
        for face in faces {
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
    beside: bool,
    tense: bool,
    muscles: &'a Muscles,
    space: Space,
}

impl Reader<'_> {
    fn frame(&self, number: i64) -> Result<Frame> {
        let file = |name, ending| frame_file(self.folder, name, ending, number);
        let mut positions = self.surface(SKIN, number)?;
        if self.beside {
            positions.extend(self.surface(SKINNED, number)?);
        }
        let skins = positions.len();
        let path = file(POINTS, "csv");
        let vertices = self.muscles.of_vertex.len();
        let points = numbers::<3>(&path, vertices).map_err(|e| e.frame(number))?;
        positions.extend(points.into_iter().map(Vec3::from));
        positions.iter_mut().for_each(|p| *p = self.space.direction_in(*p));
        let mut tension = vec![0.0; skins];
        if self.tense {
            let path = file(TENSIONS, "csv");
            let tensions = numbers::<1>(&path, self.muscles.count).map_err(|e| e.frame(number))?;
            tension.extend(self.muscles.of_vertex.iter().map(|&muscle| tensions[muscle][0]));
        } else {
            tension.resize(positions.len(), 0.0);
        }
        let hue = |muscle: &usize| (*muscle as Real * GOLDEN).fract();
        let hues = std::iter::repeat_n(0.0, skins).chain(self.muscles.of_vertex.iter().map(hue)).collect();
        let uvs = vec![[0; 2]; positions.len()];
        Ok(Frame { positions, uvs, maps: None, skinning: None, muscles: vec![tension, hues] })
    }

    /// The points of a skin, whose faces must be those of the first.
    fn surface(&self, name: &str, number: i64) -> Result<Vec<Vec3>> {
        let path = frame_file(self.folder, name, "obj", number);
        let mesh = obj::read(&path).map_err(|e| e.frame(number))?.mesh;
        if mesh.positions.len() != self.skin.positions.len()
            || mesh.corner_vertices != self.skin.corner_vertices
            || mesh.face_offsets != self.skin.face_offsets
        {
            let message = "its faces are not those of the first frame's skin";
            return Err(Error::new(Kind::Topology, message).file(&path).frame(number));
        }
        Ok(mesh.positions)
    }
}

/// Multiples of it modulo 1 stay apart: neighbouring muscles get different colours.
const GOLDEN: Real = 0.618_033_988_749_895;

/// The faces of all muscles.
fn faces(path: &Path) -> Result<Vec<[u32; 4]>> {
    let number = |x: Real| {
        let whole = x >= 0.0 && x.fract() == 0.0 && x < Real::from(u32::MAX);
        let message = format!("{x} is not a vertex of any muscle");
        whole.then_some(x as u32).ok_or(Error::new(Kind::Parse, message).file(path))
    };
    let face = |[a, b, c, d]: [Real; 4]| Ok([number(a)?, number(b)?, number(c)?, number(d)?]);
    rows::<4>(path)?.into_iter().map(face).collect()
}

/// The numbers of `count` items.
fn numbers<const N: usize>(path: &Path, count: usize) -> Result<Vec<[Real; N]>> {
    let rows = rows::<N>(path)?;
    if rows.len() != count {
        let message = format!("{} rows, not {count}", rows.len());
        return Err(Error::new(Kind::CountMismatch, message).file(path));
    }
    Ok(rows)
}

/// The numbers of a frame's table, whose first two columns are the frame and the item.
fn rows<const N: usize>(path: &Path) -> Result<Vec<[Real; N]>> {
    let text = read_text(path)?;
    let row = |(line, row): (usize, &str)| {
        let cells: Vec<Real> = row.split(',').skip(2).filter_map(|cell| cell.trim().parse().ok()).collect();
        let finite = cells.iter().all(|x| x.is_finite());
        <[Real; N]>::try_from(cells).ok().filter(|_| finite).ok_or_else(|| {
            let message = format!("a frame, a name and {N} numbers are expected");
            Error::new(Kind::Parse, message).file(path).line(line as u64 + 1)
        })
    };
    text.lines().enumerate().skip(1).filter(|(_, row)| !row.is_empty()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tubes, the second's faces out of order.
    #[test]
    fn muscles_are_what_faces_connect() {
        let muscles = Muscles::new(&[[4, 5, 7, 6], [0, 1, 3, 2], [2, 3, 1, 0], [8, 9, 6, 7]]);
        assert_eq!((muscles.count, muscles.of_vertex), (2, vec![0, 0, 0, 0, 1, 1, 1, 1, 1, 1]));
        assert_eq!(Muscles::new(&[]).count, 0);
    }
}
