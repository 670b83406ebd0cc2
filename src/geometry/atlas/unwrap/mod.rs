//! UVs from chart borders on edges, marked by an artist or detected automatically.
//!
//! 1. `cut`: the mesh is cut open along the borders; faces connected through other edges are a chart. A mark that ends
//!    inside a chart cuts a slit into it. A chart may have holes, but it may not be closed or have a handle.
//! 2. `flatten`: each chart is laid flat so that angles are kept as well as possible \[LSCM\], which keeps all lengths
//!    of a developable surface. If triangles flip or the chart overlaps itself, its outer border is put on a circle
//!    instead, where nothing can flip \[Tutte\].
//! 3. `pack`: charts get sizes in proportion to their areas on the surface and are put into the unit square.
//!
//! Without marks, `found` grows charts from seeds, with borders preferably at creases; charts that cannot be flattened,
//! or only with more stretch than allowed, are divided.
//!
//! - \[LSCM\] Lévy, Petitjean, Ray and Maillot, "Least squares conformal maps for automatic texture atlas generation",
//!   2002.
//! - \[Tutte\] Tutte, "How to draw a graph", 1963.

mod cut;
mod flatten;
mod found;
mod pack;

use super::parameterize::edge_weights;
use crate::measure::triangle_areas;
use crate::{HalfEdges, Mesh, TriMesh};
use cut::Cut;
use flatten::{Flat, Progress, flatten};
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2, Vec3};

/// Coordinates beyond this are refused: their squares, and sums of those, stay numbers.
const FARTHEST: Real = 1e100;

/// Triangles with less than this fraction of the mean area count as having none: their stretch would be noise.
const NO_AREA: Real = 1e-9;

/// How charts are found without marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoCharts {
    /// About how many; more where `max_stretch` or the shape demands it, at least one for each connected piece.
    pub count: usize,
    /// A chart with more stretch than this is divided, down to single faces.
    pub max_stretch: Real,
}

/// Charts and their UVs.
#[derive(Clone, Debug, PartialEq)]
pub struct Unwrapped {
    /// The chart of each face, counted in the order of their first faces.
    pub chart_of_face: Vec<u32>,
    /// By corner, whether the edge from it to the next corner of its face is a border; both sides of a border are
    /// marked, the open borders of the mesh are not.
    pub borders: Vec<bool>,
    /// By corner, within the unit square; empty if the charts were not laid flat.
    pub uvs: Vec<Vec2>,
    /// The largest stretch in each chart: by how much the UVs lengthen or shorten a direction on the surface, relative
    /// to the scale of all charts; 1 if all lengths are kept.
    pub stretches: Vec<Real>,
    /// The charts whose outer border is a circle because they overlapped or flipped otherwise.
    pub on_circle: Vec<u32>,
    /// The faces with a triangle that is flipped or has no area in the plane although it has one on the surface,
    /// ascending; none on good input.
    pub flipped: Vec<u32>,
}

impl Unwrapped {
    /// The charts between marked borders: `marks` by corner, one side of an edge is enough. `margin` is the distance of
    /// charts from each other and from the border of the unit square.
    pub fn along(mesh: &Mesh, marks: &[bool], margin: Real, control: &Control) -> Result<Self> {
        let (ground, cut) = marked(mesh, marks)?;
        for chart in 0..cut.charts.len() {
            if let Some(flaw) = cut.flaw(chart) {
                let text = format!("chart {chart}, which begins at this face, {flaw}");
                return Err(Error::new(Kind::Topology, text).face(cut.charts[chart].faces[0] as usize));
            }
        }
        let progress = Progress::new(control, cut.chart_of_face.len());
        let flats =
            (0..cut.charts.len()).into_par_iter().map(|chart| flatten(&ground, &cut, chart, &progress));
        let flats = flats.collect::<Result<_>>()?;
        Self::packed(cut, flats, margin)
    }

    /// Only the division into charts by marked borders, even if they cannot be laid flat.
    pub fn divided(mesh: &Mesh, marks: &[bool]) -> Result<Self> {
        let (_, Cut { chart_of_face, borders, .. }) = marked(mesh, marks)?;
        let (stretches, on_circle, flipped) = Default::default();
        Ok(Unwrapped { chart_of_face, borders, uvs: Vec::new(), stretches, on_circle, flipped })
    }

    /// Charts that are found; see [`Unwrapped::along`] for `margin`.
    pub fn automatic(mesh: &Mesh, auto: &AutoCharts, margin: Real, control: &Control) -> Result<Self> {
        let ground = Ground::new(mesh)?;
        let (cut, flats) = found::find(&ground, auto, control)?;
        Self::packed(cut, flats, margin)
    }

    fn packed(cut: Cut, flats: Vec<Flat>, margin: Real) -> Result<Self> {
        let placed = pack::pack(&flats, margin)?;
        let uv = |(h, copy): (usize, &u32)| {
            let chart = cut.chart_of_face[cut.face_of_corner[h] as usize] as usize;
            placed[chart][cut.local[*copy as usize] as usize]
        };
        let mut flipped: Vec<u32> = flats.iter().flat_map(|flat| flat.flipped.iter().copied()).collect();
        flipped.sort_unstable();
        flipped.dedup();
        let round = (0..flats.len() as u32).filter(|&chart| flats[chart as usize].on_circle);
        Ok(Unwrapped {
            uvs: cut.copies.iter().enumerate().map(uv).collect(),
            stretches: flats.iter().map(|flat| flat.stretch).collect(),
            on_circle: round.collect(),
            flipped,
            chart_of_face: cut.chart_of_face,
            borders: cut.borders,
        })
    }
}

/// A mesh cut along marked borders.
fn marked(mesh: &Mesh, marks: &[bool]) -> Result<(Ground, Cut)> {
    let ground = Ground::new(mesh)?;
    if marks.len() != ground.edges.len() {
        let text = format!("{} marks for {} corners", marks.len(), ground.edges.len());
        return Err(Error::new(Kind::CountMismatch, text));
    }
    let cut = Cut::new(&ground, |h| marks[h as usize]);
    Ok((ground, cut))
}

/// A mesh, prepared for cutting.
struct Ground {
    tri: TriMesh,
    /// Of the polygons.
    edges: HalfEdges,
    /// First triangle of each polygon, and the end.
    triangle_starts: Vec<usize>,
    areas: Vec<Real>,
    /// The area below which a triangle counts as without area.
    no_area: Real,
    /// Positive weights of the sides of the triangles.
    springs: Vec<Real>,
}

impl Ground {
    fn new(mesh: &Mesh) -> Result<Self> {
        let tri = TriMesh::from_mesh(mesh)?;
        if tri.triangles.is_empty() {
            return Err(Error::new(Kind::Degenerate, "the mesh has no face to make a chart from"));
        }
        let bad = |p: &Vec3| !p.iter().all(|x| x.abs() <= FARTHEST);
        if let Some(vertex) = tri.positions.iter().position(bad) {
            let text = format!("a coordinate is not a number, or is beyond {FARTHEST:e}");
            return Err(Error::new(Kind::NotFinite, text).vertex(vertex));
        }
        let start = |face| tri.faces.partition_point(|&f| (f as usize) < face);
        let triangle_starts = (0..=mesh.face_count()).map(start).collect();
        let areas = triangle_areas(&tri);
        let no_area = NO_AREA * areas.iter().sum::<Real>() / areas.len() as Real;
        let sides = HalfEdges::of_triangles(tri.positions.len(), &tri.triangles);
        let springs = edge_weights(&tri, &sides, true).into_iter().map(|(_, weight)| weight).collect();
        Ok(Ground { edges: HalfEdges::of_mesh(mesh), triangle_starts, areas, no_area, springs, tri })
    }

    fn triangles(&self, face: u32) -> std::ops::Range<usize> {
        self.triangle_starts[face as usize]..self.triangle_starts[face as usize + 1]
    }
}

#[cfg(test)]
mod tests;
