//! Limit surfaces of Catmull-Clark cages by OpenSubdiv: the surface that film renderers show.
//!
//! OpenSubdiv is called once per topology, in double precision, for the weights of the limit; every frame after that is
//! one sparse product in Rust, with the same bits at any thread count.

use super::smoothing::{Boundary, UvSmoothing};
use super::{CornerLayer, FaceLabels, Mesh, NO_VALUE};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2, Vec3};

#[cxx::bridge(namespace = "sinew::osd")]
mod bridge {
    /// Sparse rows: row i is the sum over offsets[i]..offsets[i+1] of weights * values of columns.
    struct Weights {
        offsets: Vec<u32>,
        columns: Vec<u32>,
        weights: Vec<f64>,
    }

    struct Limit {
        points: Weights,
        uvs: Weights,
        face_sizes: Vec<u32>,
        corner_vertices: Vec<u32>,
        corner_uvs: Vec<u32>,
        base_faces: Vec<u32>,
    }

    unsafe extern "C++" {
        include!("cpp/osd/bridge.h");

        #[allow(clippy::too_many_arguments)]
        fn refine_to_limit(
            vertex_count: u32,
            face_sizes: &[u32],
            corner_vertices: &[u32],
            uv_count: u32,
            corner_uvs: &[u32],
            level: u32,
            boundary: u8,
            face_varying: u8,
        ) -> Result<Limit>;
    }
}

/// The deepest refinement accepted: each level has four times the faces of the previous one.
pub const MAX_LEVEL: u32 = 8;

/// How to subdivide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubdivisionOptions {
    /// The number of refinements, 1 to [`MAX_LEVEL`]; each level turns a face into four.
    pub level: u32,
    /// Open borders of the cage.
    pub boundary: Boundary,
    /// Texture coordinates.
    pub uvs: UvSmoothing,
}

impl Default for SubdivisionOptions {
    /// Level 2, which riggers use for preview: 16 faces for one.
    fn default() -> Self {
        SubdivisionOptions { level: 2, boundary: Boundary::default(), uvs: UvSmoothing::default() }
    }
}

/// The limit surface of one cage topology, ready for any number of frames.
pub struct Subdivision {
    limit: bridge::Limit,
    cage_points: usize,
    cage_uvs: usize,
}

impl Subdivision {
    /// Analyses the topology of `cage`; its points do not matter here. A mesh with only some UVs is rejected, because
    /// the limit of a missing value is undefined.
    pub fn new(cage: &Mesh, options: SubdivisionOptions) -> Result<Self> {
        if options.level == 0 || options.level > MAX_LEVEL {
            let message = format!("the level is {}; 1 to {MAX_LEVEL} are allowed", options.level);
            return Err(Error::new(Kind::OutOfRange, message));
        }
        check_cage(cage)?;
        let face_sizes: Vec<u32> = cage.face_offsets.windows(2).map(|w| w[1] - w[0]).collect();
        let (cage_uvs, corner_uvs) = match &cage.uvs {
            Some(uvs) => (uvs.values.len(), uvs.indices.as_slice()),
            None => (0, [].as_slice()),
        };
        let limit = bridge::refine_to_limit(
            cage.positions.len() as u32,
            &face_sizes,
            &cage.corner_vertices,
            cage_uvs as u32,
            corner_uvs,
            options.level,
            options.boundary as u8,
            options.uvs as u8,
        )
        .map_err(|e| Error::new(Kind::Topology, e.what()))?;
        Ok(Subdivision { limit, cage_points: cage.positions.len(), cage_uvs })
    }

    /// The number of points on the limit surface.
    pub fn point_count(&self) -> usize {
        self.limit.points.offsets.len() - 1
    }

    /// For every refined face the face of the cage that it came from.
    pub fn base_faces(&self) -> &[u32] {
        &self.limit.base_faces
    }

    /// The limit positions for this frame's cage points.
    pub fn limit_positions(&self, cage: &[Vec3], out: &mut [Vec3]) -> Result<()> {
        check_count("cage points", self.cage_points, cage.len())?;
        check_count("limit points", self.point_count(), out.len())?;
        product(&self.limit.points, cage, out, Vec3::zeros());
        Ok(())
    }

    /// The face-varying limit UVs, one per distinct value: [`Subdivision::mesh`] says which corner uses which.
    pub fn limit_uvs(&self, cage: &[Vec2], out: &mut [Vec2]) -> Result<()> {
        check_count("cage UVs", self.cage_uvs, cage.len())?;
        check_count("limit UVs", self.limit.uvs.offsets.len().saturating_sub(1), out.len())?;
        product(&self.limit.uvs, cage, out, Vec2::zeros());
        Ok(())
    }

    /// Values at the cage's points, smoothed in the same way.
    pub fn limit_values(&self, cage: &[Real], components: usize, out: &mut [Real]) -> Result<()> {
        check_count("cage values", self.cage_points * components, cage.len())?;
        check_count("limit values", self.point_count() * components, out.len())?;
        let rows = &self.limit.points;
        out.par_chunks_exact_mut(components.max(1)).with_min_len(1024).enumerate().for_each(|(i, out)| {
            let range = rows.offsets[i] as usize..rows.offsets[i + 1] as usize;
            out.fill(0.0);
            for (&column, &weight) in rows.columns[range.clone()].iter().zip(&rows.weights[range]) {
                let values = &cage[column as usize * components..];
                out.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * weight);
            }
        });
        Ok(())
    }

    /// The refined mesh on the limit surface of `cage`, with its UVs and the cage's groups and materials.
    pub fn mesh(&self, cage: &Mesh) -> Result<Mesh> {
        let mut positions = vec![Vec3::zeros(); self.point_count()];
        self.limit_positions(&cage.positions, &mut positions)?;
        let uvs = match &cage.uvs {
            None => None,
            Some(layer) => {
                let mut values = vec![Vec2::zeros(); self.limit.uvs.offsets.len() - 1];
                self.limit_uvs(&layer.values, &mut values)?;
                Some(CornerLayer { values, indices: self.limit.corner_uvs.clone() })
            }
        };
        let mut face_offsets = vec![0];
        for &size in &self.limit.face_sizes {
            face_offsets.push(face_offsets[face_offsets.len() - 1] + size);
        }
        Ok(Mesh {
            positions,
            face_offsets,
            corner_vertices: self.limit.corner_vertices.clone(),
            uvs,
            normals: None,
            groups: self.inherit(&cage.groups),
            objects: self.inherit(&cage.objects),
            materials: self.inherit(&cage.materials),
        })
    }

    fn inherit(&self, labels: &FaceLabels) -> FaceLabels {
        if labels.of_face.is_empty() {
            return labels.clone();
        }
        let label = |&face: &u32| labels.of_face.get(face as usize).copied().unwrap_or(NO_VALUE);
        FaceLabels { names: labels.names.clone(), of_face: self.limit.base_faces.iter().map(label).collect() }
    }
}

/// Each row is summed in its stored order, so threads do not change the result.
fn product<T>(rows: &bridge::Weights, values: &[T], out: &mut [T], zero: T)
where
    T: Copy + Send + Sync + std::ops::AddAssign + std::ops::Mul<Real, Output = T>,
{
    out.par_iter_mut().with_min_len(1024).enumerate().for_each(|(i, out)| {
        let range = rows.offsets[i] as usize..rows.offsets[i + 1] as usize;
        let mut sum = zero;
        for (&column, &weight) in rows.columns[range.clone()].iter().zip(&rows.weights[range]) {
            sum += values[column as usize] * weight;
        }
        *out = sum;
    });
}

fn check_count(what: &str, expected: usize, got: usize) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(Error::new(Kind::CountMismatch, format!("{got} {what}, the topology has {expected}")))
}

/// OpenSubdiv trusts its indices: all must be checked before they reach it.
fn check_cage(cage: &Mesh) -> Result<()> {
    cage.check_counts()?;
    let Some(uvs) = &cage.uvs else { return Ok(()) };
    let Some(corner) = uvs.indices.iter().position(|&i| i == NO_VALUE) else { return Ok(()) };
    let face = cage.face_offsets.partition_point(|&o| o as usize <= corner) - 1;
    Err(Error::new(Kind::Unsupported, "the face has no UVs; subdivision needs all or none").face(face))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube with corners at +-1 and one UV square per face: every edge is a seam.
    fn cube() -> Mesh {
        let positions =
            (0..8).map(|i| Vec3::from_fn(|axis, _| if i >> axis & 1 == 1 { 1.0 } else { -1.0 })).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let square = [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(1.0, 1.0), Vec2::new(0.0, 1.0)];
        let values = (0..6).flat_map(|f| square.map(|uv| uv + Vec2::new(2.0 * f as Real, 0.0))).collect();
        Mesh {
            positions,
            face_offsets: (0..=6).map(|f| 4 * f).collect(),
            corner_vertices: faces.concat(),
            uvs: Some(CornerLayer { values, indices: (0..24).collect() }),
            ..Mesh::default()
        }
    }

    /// A flat grid of n x n unit squares with z = 0.
    fn plane(n: u32) -> Mesh {
        let positions = (0..(n + 1) * (n + 1))
            .map(|i| Vec3::new((i % (n + 1)) as Real, (i / (n + 1)) as Real, 0.0))
            .collect();
        let corner = |i: u32| {
            let first = i / n * (n + 1) + i % n;
            [first, first + 1, first + n + 2, first + n + 1]
        };
        Mesh {
            positions,
            face_offsets: (0..=n * n).map(|f| 4 * f).collect(),
            corner_vertices: (0..n * n).flat_map(corner).collect(),
            ..Mesh::default()
        }
    }

    fn options(level: u32, boundary: Boundary, uvs: UvSmoothing) -> SubdivisionOptions {
        SubdivisionOptions { level, boundary, uvs }
    }

    /// Catmull-Clark's limit mask for a vertex of valence n: (n^2 v + 4 sum of edge neighbours + sum of face
    /// diagonals) / (n (n + 5)) (Halstead, Kass, DeRose, "Efficient, Fair Interpolation", 1993). It holds for
    /// quads; a cube's corner has n = 3, so the limit is v times (9 + 4 - 1) / 24 = 1/2.
    #[test]
    fn the_corners_of_a_cube_go_to_half_of_it_at_any_level() {
        let cube = cube();
        for level in 1..=3 {
            let subdivision =
                Subdivision::new(&cube, options(level, Boundary::EdgeAndCorner, UvSmoothing::Smooth));
            let subdivision = subdivision.unwrap();
            let mesh = subdivision.mesh(&cube).unwrap();
            assert_eq!(mesh.face_offsets.len() - 1, 6 * 4usize.pow(level));
            for corner in &cube.positions {
                let nearest = mesh.positions.iter().map(|p| (p - corner * 0.5).norm()).fold(1.0, Real::min);
                assert!(nearest < 1e-14, "level {level}, corner {corner:?}: {nearest:e}");
            }
        }
    }

    #[test]
    fn a_plane_stays_a_plane_and_its_border_follows_the_rule() {
        let plane = plane(4);
        for boundary in [Boundary::EdgeOnly, Boundary::EdgeAndCorner] {
            let subdivision = Subdivision::new(&plane, options(2, boundary, UvSmoothing::Smooth)).unwrap();
            let mesh = subdivision.mesh(&plane).unwrap();
            assert!(mesh.positions.iter().all(|p| p.z == 0.0));
            // Cubic B-splines reproduce linear functions: inner points of a uniform grid stay where they are.
            let middle =
                mesh.positions.iter().map(|p| (p - Vec3::new(2.0, 2.0, 0.0)).norm()).fold(9.0, Real::min);
            assert!(middle < 1e-14);
            // The corner: kept if sharp; otherwise the border curve's mask (1 + 4 + 1) / 6 with neighbours (1, 0), (0,
            // 1).
            let corner = match boundary {
                Boundary::EdgeAndCorner => Vec3::zeros(),
                Boundary::EdgeOnly => Vec3::new(1.0, 1.0, 0.0) / 6.0,
            };
            let off = mesh.positions.iter().map(|p| (p - corner).norm()).fold(9.0, Real::min);
            assert!(off < 1e-14, "{boundary:?}: {off:e}");
        }
    }

    #[test]
    fn uvs_stay_on_their_side_of_a_seam() {
        let cube = cube();
        let subdivision =
            Subdivision::new(&cube, options(2, Boundary::EdgeAndCorner, UvSmoothing::Linear)).unwrap();
        let mesh = subdivision.mesh(&cube).unwrap();
        let uvs = mesh.uvs.unwrap();
        for (face, &base) in subdivision.base_faces().iter().enumerate() {
            for &i in &uvs.indices[4 * face..4 * face + 4] {
                let u = uvs.values[i as usize].x - 2.0 * base as Real;
                // Linear UVs of a unit square on a 4 x 4 grid are multiples of a quarter, inside the own square.
                assert!((0.0..=1.0).contains(&u) && (u * 4.0 - (u * 4.0).round()).abs() < 1e-14);
            }
        }
        assert_eq!(uvs.values.len(), 6 * 25, "no value is shared over a seam");
    }

    #[test]
    fn reusing_the_topology_gives_the_bits_of_a_fresh_build() {
        let mut cube = cube();
        let reused = Subdivision::new(&cube, SubdivisionOptions::default()).unwrap();
        for frame in 0..3 {
            cube.positions.iter_mut().for_each(|p| p.y += 0.1 * frame as Real * p.x);
            let fresh = Subdivision::new(&cube, SubdivisionOptions::default()).unwrap();
            assert_eq!(reused.mesh(&cube).unwrap(), fresh.mesh(&cube).unwrap());
        }
    }

    #[test]
    fn bad_input_is_an_error_with_a_place() {
        let kind = |mesh: &Mesh| Subdivision::new(mesh, SubdivisionOptions::default()).err().unwrap().kind();
        let mut mesh = cube();
        mesh.corner_vertices[3] = 99;
        assert_eq!(kind(&mesh), Kind::OutOfRange);
        let mut mesh = cube();
        mesh.uvs.as_mut().unwrap().indices[5] = NO_VALUE;
        let error = Subdivision::new(&mesh, SubdivisionOptions::default()).err().unwrap();
        assert_eq!((error.kind(), error.place().face), (Kind::Unsupported, Some(1)));
        assert!(Subdivision::new(&cube(), options(0, Boundary::EdgeOnly, UvSmoothing::Smooth)).is_err());
        let subdivision = Subdivision::new(&cube(), SubdivisionOptions::default()).unwrap();
        let error = subdivision.limit_positions(&[Vec3::zeros()], &mut []).unwrap_err();
        assert_eq!(error.kind(), Kind::CountMismatch);
    }
}
