//! A mesh with its UVs, prepared once for textures of all sizes and frames.

use super::frames::{Metric, metrics};
use super::tile::Tile;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::atlas::IslandUvs;
use sinew_geometry::twice_area;
use sinew_geometry::{HalfEdges, Mesh, SurfacePoint, TriMesh};
use sinew_math::{Real, Vec2};
use std::ops::Range;

/// UVs farther from the first tile than this come from a corrupt file.
const FARTHEST: Real = 1e5;
/// UVs this little outside the tiles are round-off: less than a thousandth of a texel of the largest picture.
const SLACK: Real = 1e-8;

/// An edge at which an island ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub triangle: u32,
    /// From this vertex of the triangle to the next.
    pub side: u32,
    pub uvs: [Vec2; 2],
    /// Whether the mesh continues behind it.
    pub seam: bool,
}

impl Border {
    /// The place on the edge, at the fraction `s`.
    pub fn place(&self, s: Real) -> SurfacePoint {
        let mut weights = [0.0; 3];
        (weights[self.side as usize], weights[(self.side as usize + 1) % 3]) = (1.0 - s, s);
        SurfacePoint { triangle: self.triangle, weights }
    }
}

/// The body at rest in its UVs.
pub struct Layout {
    pub(super) tri: TriMesh,
    pub(super) islands: IslandUvs,
    /// Where each polygon's corners begin, and the end.
    pub(super) offsets: Vec<u32>,
    pub(super) corner_vertices: Vec<u32>,
    /// By triangle.
    pub(super) uvs: Vec<[Vec2; 3]>,
    pub(super) metrics: Vec<[Metric; 3]>,
    pub(super) borders: Vec<Border>,
    /// A triangle and one of its corners for each vertex; none for a vertex without a face.
    pub(super) homes: Vec<Option<SurfacePoint>>,
    tiles: Vec<Tile>,
    flat: Vec<u32>,
    /// Faces that lie partly outside all tiles.
    outside: Vec<u32>,
    /// The user's number of each polygon; empty if that is its own number.
    reported_faces: Vec<u32>,
}

impl Layout {
    /// For a mesh at rest. Every corner needs a UV; u from 0 to 10 and v from 0 to 899 are valid UDIM tiles. Nothing
    /// outside is rendered, such as slid UVs beyond a seam; a mesh that lies entirely outside is refused.
    pub fn new(mesh: &Mesh) -> Result<Self> {
        let tri = TriMesh::from_mesh(mesh)?;
        let edges = HalfEdges::of_triangles(tri.positions.len(), &tri.triangles);
        let islands = IslandUvs::new(mesh, &tri, &edges)?;
        let Some(layer) = &mesh.uvs else {
            return Err(Error::new(Kind::MissingInput, "the mesh has no UVs"));
        };
        let outside = outside(mesh, |corner| layer.values[layer.indices[corner] as usize])?;
        let uv = |corner: &u32| layer.values[layer.indices[*corner as usize] as usize];
        let uvs: Vec<[Vec2; 3]> = tri.corners.iter().map(|c| c.each_ref().map(uv)).collect();
        let has_area = |t: usize| twice_area(&uvs[t]) != 0.0;
        let mut flat: Vec<u32> = (0..uvs.len()).filter(|&t| !has_area(t)).map(|t| tri.faces[t]).collect();
        flat.dedup();
        let mut homes = vec![None; tri.positions.len()];
        for (t, triangle) in tri.triangles.iter().enumerate() {
            for (k, &vertex) in triangle.iter().enumerate() {
                let mut weights = [0.0; 3];
                weights[k] = 1.0;
                homes[vertex as usize].get_or_insert(SurfacePoint { triangle: t as u32, weights });
            }
        }
        let tiles = tiles(&uvs);
        if let Some(&face) = outside.first().filter(|_| tiles.is_empty()) {
            let message = format!(
                "no UVs are in a UDIM tile: u must be from 0 to {}, v from 0 to {}",
                Tile::COLUMNS,
                Tile::ROWS
            );
            return Err(Error::new(Kind::OutOfRange, message).face(face as usize));
        }
        Ok(Layout {
            metrics: metrics(&tri, &uvs),
            borders: borders(&edges, &uvs),
            tiles,
            offsets: if mesh.face_offsets.is_empty() { vec![0] } else { mesh.face_offsets.clone() },
            corner_vertices: mesh.corner_vertices.clone(),
            tri,
            islands,
            uvs,
            homes,
            flat,
            outside,
            reported_faces: Vec::new(),
        })
    }

    /// The same, with other polygon numbers for messages: those in the file from which the mesh was made.
    #[must_use]
    pub fn with_reported_faces(mut self, faces: Vec<u32>) -> Self {
        self.reported_faces = faces;
        self
    }

    pub(super) fn reported_face(&self, face: u32) -> u32 {
        self.reported_faces.get(face as usize).copied().unwrap_or(face)
    }

    /// The tiles in which the UVs have area, ascending.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The first face without area in the UVs, and their number: no texel shows them. None if all have area.
    pub fn warning(&self) -> Option<String> {
        let first = self.reported_face(*self.flat.first()?);
        Some(format!(
            "{} faces have no area in the UVs, the first is {first}: no texel shows them",
            self.flat.len()
        ))
    }

    /// The first face partly outside all tiles, and their number. None if all UVs are in tiles.
    pub fn outside_warning(&self) -> Option<String> {
        let first = self.reported_face(*self.outside.first()?);
        Some(format!(
            "{} faces have UVs in no UDIM tile, the first is {first}: no texel shows what lies there",
            self.outside.len()
        ))
    }

    /// The triangles to which slides refer.
    pub fn triangles(&self) -> &TriMesh {
        &self.tri
    }

    /// Those of a face.
    pub fn triangles_of(&self, face: usize) -> Range<usize> {
        let start = |face: usize| self.tri.faces.partition_point(|&f| (f as usize) < face);
        start(face)..start(face + 1)
    }

    /// The skin at a vertex at rest; arbitrary if it has no face.
    pub fn home(&self, vertex: usize) -> SurfacePoint {
        self.homes[vertex].unwrap_or(SurfacePoint { triangle: 0, weights: [1.0, 0.0, 0.0] })
    }

    /// The number of corners, for which a frame has slid UVs.
    pub fn corner_count(&self) -> usize {
        self.corner_vertices.len()
    }

    pub(super) fn face_count(&self) -> usize {
        self.offsets.len() - 1
    }
}

/// The faces with corners outside all tiles.
fn outside(mesh: &Mesh, uv: impl Fn(usize) -> Vec2) -> Result<Vec<u32>> {
    let inside = |x: Real, end: u32| (-SLACK..=Real::from(end) + SLACK).contains(&x);
    let mut outside = Vec::new();
    for face in 0..mesh.face_count() {
        let mut out = false;
        for uv in mesh.corners(face).map(&uv) {
            if uv.amax() > FARTHEST {
                let message = format!("the UV {}, {} is far from all UDIM tiles", uv.x, uv.y);
                return Err(Error::new(Kind::OutOfRange, message).face(face));
            }
            out |= !(inside(uv.x, Tile::COLUMNS) && inside(uv.y, Tile::ROWS));
        }
        if out {
            outside.push(face as u32);
        }
    }
    Ok(outside)
}

/// The tiles that the bounds of a triangle with area touch by more than [`SLACK`]: counted by the corners of the
/// rectangles of tiles, so that large triangles take no longer.
fn tiles(uvs: &[[Vec2; 3]]) -> Vec<Tile> {
    let (across, up) = (11, Tile::ROWS as usize + 1);
    let mut counts = vec![0i64; across * up];
    let last = |x: Real, size: usize| ((x - SLACK).floor().max(0.0) as usize).min(size - 2);
    let first = |x: Real, size: usize| ((x + SLACK).floor().max(0.0) as usize).min(size - 2);
    for uvs in uvs.iter().filter(|t| twice_area(t) != 0.0) {
        let (low, high) = (uvs[0].inf(&uvs[1]).inf(&uvs[2]), uvs[0].sup(&uvs[1]).sup(&uvs[2]));
        let beyond = |low: Real, high: Real, end: usize| high <= SLACK || low >= (end - 1) as Real - SLACK;
        if beyond(low.x, high.x, across) || beyond(low.y, high.y, up) {
            continue;
        }
        let (u0, v0) = (first(low.x, across), first(low.y, up));
        let (u1, v1) = (last(high.x, across).max(u0) + 1, last(high.y, up).max(v0) + 1);
        counts[v0 * across + u0] += 1;
        counts[v1 * across + u1] += 1;
        counts[v0 * across + u1] -= 1;
        counts[v1 * across + u0] -= 1;
    }
    let mut found = Vec::new();
    for v in 0..up {
        for u in 0..across {
            let at = |du: usize, dv: usize, counts: &[i64]| {
                if u < du || v < dv { 0 } else { counts[(v - dv) * across + u - du] }
            };
            counts[v * across + u] += at(1, 0, &counts) + at(0, 1, &counts) - at(1, 1, &counts);
            if counts[v * across + u] > 0 {
                found.push(Tile { u: u as u32, v: v as u32 });
            }
        }
    }
    found
}

fn borders(edges: &HalfEdges, uvs: &[[Vec2; 3]]) -> Vec<Border> {
    let uv = |h: u32| uvs[h as usize / 3][h as usize % 3];
    let joined = |h: u32| {
        edges.twin(h).is_some_and(|twin| uv(h) == uv(edges.next(twin)) && uv(edges.next(h)) == uv(twin))
    };
    (0..edges.len() as u32)
        .filter(|&h| !joined(h) && twice_area(&uvs[h as usize / 3]) != 0.0)
        .map(|h| Border {
            triangle: h / 3,
            side: h % 3,
            uvs: [uv(h), uv(edges.next(h))],
            seam: edges.twin(h).is_some(),
        })
        .collect()
}
