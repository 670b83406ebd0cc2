//! What rides on the skin: points and meshes, whose vertices ride individually, and lines (hairs, curves), whose first
//! point rides and carries the others along.

use super::super::graph::Graph;
use super::super::scene_file::SceneFile;
use super::super::store::record::{FrameRecord, Part};
use super::Writer;
use super::groom::{self, Piece};
use super::names::inside;
use super::skin::Skin;
use super::stored::{Stored, check_whole};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::alembic::{self, CurvesSample, MeshSample, TimeSampling};
use sinew_formats::sequence::Pattern;
use sinew_formats::{Format, atomic, csv::Cell, obj};
use sinew_geometry::{ClosestPoint, Mesh, TriMesh};
use sinew_math::{Affine, Real, Vec3, linear, transform_point};
use sinew_scene::OutputsElement;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// All that rides on a skin.
pub(super) struct Rides {
    node: String,
    rides: Vec<Ride>,
}

/// The ports from which it is made.
const PORTS: [&str; 2] = ["rider_matrices", "rider_inside"];

impl Rides {
    /// Reads what rides on a skin and feeds its node the riders; `None` if nothing does.
    pub fn new(
        file: &SceneFile,
        outputs: &OutputsElement,
        skin: &Skin,
        graph: &mut Graph,
    ) -> Result<Option<Self>> {
        let elements: Vec<_> = outputs.rides.iter().filter(|ride| skin.is(&ride.node)).collect();
        if elements.is_empty() {
            return Ok(None);
        }
        for port in PORTS {
            graph.record(&format!("{}.{port}", skin.node))?;
        }
        let (folder, body) =
            (Path::new(&outputs.folder), ClosestPoint::new(&TriMesh::from_mesh(&skin.rest)?)?);
        let (mut rides, mut riders) = (Vec::new(), Vec::new());
        for ride in elements {
            let made = inside(folder, &ride.file)
                .and_then(|path| Ride::new(ride.geometry.as_ref(), &path, &body, &mut riders))
                .and_then(|made| made.check(graph.frames(), graph.fps()).map(|()| made));
            rides.push(made.map_err(|e| file.place(e, "ride", ride.line))?);
        }
        let set = graph.set_points(skin.points, "riders", riders);
        set.map_err(|e| file.place(e, "ride", outputs.rides[0].line))?;
        Ok(Some(Rides { node: skin.node.clone(), rides }))
    }
}

impl Writer for Rides {
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        let of_ride = |ride: &Ride| -> Vec<PathBuf> {
            let written = if ride.needs_stored() { &frames[..frames.len().min(1)] } else { frames };
            written.iter().map(|&frame| ride.name(frame)).collect()
        };
        Ok(self.rides.iter().flat_map(of_ride).collect())
    }

    fn warnings(&self) -> Vec<String> {
        self.rides.iter().filter_map(|ride| ride.warning.clone()).collect()
    }

    fn write(&self, record: &FrameRecord, _: &Control) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for ride in &self.rides {
            files.extend(ride.write(record.part(&self.node))?);
        }
        Ok(files)
    }

    fn holds_all(&self) -> bool {
        self.rides.iter().any(Ride::needs_stored)
    }

    fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for ride in &self.rides {
            files.extend(ride.finish(&self.node, stored)?);
        }
        Ok(files)
    }
}

/// Geometry that rides, and where it goes.
struct Ride {
    pieces: Vec<Riding>,
    /// Its riders among those of the job.
    riders: Range<usize>,
    to: To,
    /// Its warning.
    warning: Option<String>,
}

/// A piece, and the job's rider that carries each of its vertices along.
struct Riding {
    piece: Piece,
    rider_of: Vec<u32>,
}

/// The output of geometry that rides.
enum To {
    /// An OBJ file per frame.
    Objs(Pattern),
    /// Per frame a table with a matrix for each rider.
    Tables(Pattern),
    /// An Alembic file with all frames.
    Archive(PathBuf),
}

impl Ride {
    /// Reads geometry that lies on a body and adds its riders to those of the job.
    fn new(geometry: &Path, file: &Path, body: &ClosestPoint, riders: &mut Vec<Vec3>) -> Result<Self> {
        let to = To::new(file)?;
        let mut pieces = groom::read(geometry)?;
        match &to {
            // A file without names takes all pieces as one.
            To::Objs(_) | To::Tables(_) if pieces.len() > 1 => pieces = vec![groom::joined(&pieces)],
            To::Archive(_) if pieces.iter().all(|p| p.lines.is_empty() && p.mesh.face_count() == 0) => {
                let message = "points alone cannot be written as Alembic; use OBJ or CSV";
                return Err(Error::new(Kind::Unsupported, message).file(file));
            }
            _ => {}
        }
        let first = riders.len();
        let riding = |piece: Piece| {
            let rider_of = riders_of(&piece.mesh.positions, &piece.lines, riders);
            Riding { piece, rider_of }
        };
        let pieces = pieces.into_iter().map(riding).collect();
        let warning = far_from(body, &riders[first..]).map(|far| format!("{}: {far}", geometry.display()));
        Ok(Ride { pieces, riders: first..riders.len(), to, warning })
    }

    /// Checks that one file can hold all frames if requested.
    fn check(&self, frames: &[i64], fps: Real) -> Result<()> {
        match &self.to {
            To::Archive(path) => check_whole(path, frames, fps),
            To::Objs(_) | To::Tables(_) => Ok(()),
        }
    }

    /// Writes a frame and returns the file's name; none if one file holds all frames.
    fn write(&self, skin: Part) -> Result<Option<PathBuf>> {
        let (frame, matrices) = (skin.record.frame, skin.rider_matrices());
        match &self.to {
            To::Archive(_) => Ok(None),
            To::Tables(names) => {
                let path = names.path(frame);
                self.table(&path, &matrices, skin.output("rider_inside")).map(|()| Some(path))
            }
            To::Objs(names) => {
                let path = names.path(frame);
                // There is one by construction.
                for riding in &self.pieces {
                    obj::save_with_lines(&path, &riding.moved(&matrices), &riding.piece.lines)?;
                }
                Ok(Some(path))
            }
        }
    }

    /// The name of a frame's file, or of the one that holds all frames.
    fn name(&self, frame: i64) -> PathBuf {
        match &self.to {
            To::Archive(path) => path.clone(),
            To::Tables(names) | To::Objs(names) => names.path(frame),
        }
    }

    /// Whether one file holds all frames.
    fn needs_stored(&self) -> bool {
        matches!(self.to, To::Archive(_))
    }

    /// Writes the file that holds all frames, and returns its name.
    fn finish(&self, node: &str, stored: &Stored) -> Result<Option<PathBuf>> {
        let To::Archive(path) = &self.to else { return Ok(None) };
        let mut writer = alembic::Writer::create(path, TimeSampling::of_frames(&stored.written, stored.fps))?;
        writer.set_frame_rate(stored.fps / Real::from(stored.samples.count()));
        writer.set_provenance(stored.provenance.clone());
        let mut objects = Vec::new();
        for Riding { piece, .. } in &self.pieces {
            let mesh = (piece.mesh.face_count() > 0).then(|| writer.add_mesh(None, &piece.name, &piece.mesh));
            // Only OBJ has both in one piece.
            let name = if mesh.is_some() { "curves" } else { &piece.name };
            let curves = (!piece.lines.is_empty()).then(|| writer.add_curves(None, name));
            objects.push((mesh.transpose()?, curves.transpose()?));
        }
        stored.each_written(|record| {
            let matrices = record.part(node).rider_matrices();
            for (riding, (mesh, curves)) in self.pieces.iter().zip(&objects) {
                let moved = riding.moved(&matrices);
                if let Some(object) = mesh {
                    let (uvs, normals) = (moved.uvs.as_ref(), moved.normals.as_ref());
                    let sample =
                        MeshSample { positions: &moved.positions, uvs, normals, ..MeshSample::default() };
                    writer.write_mesh(*object, &sample)?;
                }
                if let Some(object) = curves {
                    let points = riding.piece.lines.iter().flatten().map(|&v| moved.positions[v as usize]);
                    let points: Vec<Vec3> = points.collect();
                    let counts: Vec<u32> = riding.piece.lines.iter().map(|line| line.len() as u32).collect();
                    let widths = riding.piece.widths.as_deref();
                    let sample =
                        CurvesSample { counts: &counts, positions: &points, widths, ..Default::default() };
                    writer.write_curves(*object, &sample)?;
                }
            }
            Ok(())
        })?;
        writer.commit()?;
        Ok(Some(path.clone()))
    }

    fn table(&self, path: &Path, matrices: &[Affine], inside: &[f64]) -> Result<()> {
        atomic::write(path, |file| {
            write!(file, "point,inside")?;
            (0..12).try_for_each(|k| write!(file, ",m{}{}", k / 4, k % 4))?;
            writeln!(file)?;
            for (point, rider) in self.riders.clone().enumerate() {
                write!(file, "{point},{}", Cell(inside[rider]))?;
                let m = &matrices[rider];
                (0..12).try_for_each(|k| write!(file, ",{}", Cell(m[(k / 4, k % 4)])))?;
                writeln!(file)?;
            }
            Ok(())
        })
    }
}

impl Riding {
    fn moved(&self, matrices: &[Affine]) -> Mesh {
        let matrix = |v: usize| &matrices[self.rider_of[v] as usize];
        let mut mesh = self.piece.mesh.clone();
        mesh.positions.iter_mut().enumerate().for_each(|(v, p)| *p = transform_point(matrix(v), p));
        if let Some(normals) = &mut mesh.normals {
            // A normal shared by corners of several vertices rotates with each of them.
            let corners = mesh.corner_vertices.iter().zip(&mut normals.indices);
            let mut turned = Vec::with_capacity(mesh.corner_vertices.len());
            for (vertex, index) in corners {
                if let Some(normal) = normals.values.get(*index as usize) {
                    turned.push(linear(matrix(*vertex as usize)) * normal);
                    *index = turned.len() as u32 - 1;
                }
            }
            normals.values = turned;
        }
        mesh
    }
}

impl To {
    fn new(file: &Path) -> Result<Self> {
        let names = || {
            Pattern::parse(file)?.ok_or_else(|| {
                let message = "a placeholder for the frame is expected in the name, as in hair.%04d.obj";
                Error::new(Kind::InvalidArgument, message).file(file)
            })
        };
        match Format::of(file)? {
            Format::Obj => Ok(To::Objs(names()?)),
            Format::Csv => Ok(To::Tables(names()?)),
            Format::Abc => Ok(To::Archive(file.to_path_buf())),
            _ => {
                let message = "riding geometry is written as OBJ, Alembic or, with a matrix for each point that rides, as CSV";
                Err(Error::new(Kind::Unsupported, message).file(file))
            }
        }
    }
}

/// Riders farther from the body than this fraction of its size are in another place, or in another unit.
const FAR: Real = 0.1;

/// Warns if riders lie far from the body.
fn far_from(body: &ClosestPoint, riders: &[Vec3]) -> Option<String> {
    let limit = FAR * body.extent();
    let away: Vec<Real> =
        riders.iter().map(|p| body.find(p, Real::INFINITY).map_or(0.0, |found| found.distance)).collect();
    let furthest = (0..away.len()).max_by(|&a, &b| away[a].total_cmp(&away[b]))?;
    let count = away.iter().filter(|&&distance| distance > limit).count();
    (count > 0).then(|| {
        let (p, distance) = (riders[furthest], away[furthest]);
        format!(
            "{count} of {} riding points are far from the body, the one at {} {} {} by {distance}: are both in the same place and unit?",
            riders.len(),
            p.x, p.y, p.z
        )
    })
}

/// The rider that carries each point along; new ones are added. A point of several lines belongs to the first.
fn riders_of(points: &[Vec3], lines: &[Vec<u32>], riders: &mut Vec<Vec3>) -> Vec<u32> {
    let mut rider_of = vec![u32::MAX; points.len()];
    for line in lines.iter().filter(|line| !line.is_empty()) {
        let root = line[0] as usize;
        if rider_of[root] == u32::MAX {
            rider_of[root] = riders.len() as u32;
            riders.push(points[root]);
        }
        for &v in &line[1..] {
            if rider_of[v as usize] == u32::MAX {
                rider_of[v as usize] = rider_of[root];
            }
        }
    }
    for (rider, point) in rider_of.iter_mut().zip(points).filter(|(rider, _)| **rider == u32::MAX) {
        *rider = riders.len() as u32;
        riders.push(*point);
    }
    rider_of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_ride_by_their_roots_and_other_points_by_themselves() {
        let points: Vec<Vec3> = (0..6).map(|k| Vec3::x() * f64::from(k)).collect();
        let mut riders = vec![Vec3::z()];
        let of = riders_of(&points, &[vec![1, 2, 3], vec![4, 3], vec![2, 5]], &mut riders);
        assert_eq!(of, [3, 1, 1, 1, 2, 1]);
        assert_eq!(riders, [Vec3::z(), points[1], points[4], points[0]]);
    }
}
