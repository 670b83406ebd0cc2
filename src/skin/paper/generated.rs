//! Quad charts generated for the triangles at rest \[HandThesis §4.7.2, §5.4.2\].
//!
//! The borders of the charts pass through given triangles: they follow the edges of a finer mesh, which is discarded
//! here. A triangle takes the coordinates of its corners in the chart of its middle, whichever charts they lie in, as
//! in \[ThinSkin, A.2\]: all three corners end up in one chart, which is extended past its border for them.
//!
//! Next to an irregular corner, where other than four charts meet, coordinates do not close up, and grow much faster on
//! one side of an edge than on the other. Going straight through them would bend the path. There the change across the
//! edge is not the charts' quarter turn but lays the triangles into one plane, as across UV seams, and a triangle whose
//! coordinates are unusable becomes a flat chart of its own.

use super::super::rest::Rest;
use super::change::Change;
use super::charts::Charts;
use super::flat::{quarter_turn, unfolded};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::atlas::{Atlas, Segmentation, parameterize};
use sinew_geometry::{Frame, SurfacePoint};
use sinew_math::{Mat2, Real, Vec2};

/// As few as the surface allows: more charts bring more irregular corners, near which coordinates are unusable.
const CELLS: usize = 1;
/// A triangle whose coordinates are thinner than its shape by this factor is unusable: a harmonic map becomes this thin
/// only next to an irregular corner.
const THINNEST: Real = 0.05;
/// The allowed relative change of the coordinates' growth across an edge: beyond it, a path of one edge is off by that
/// many edges.
const SHARPEST: Real = 0.2;

impl Charts {
    /// Quad charts of any surface, closed or with borders.
    pub fn generated(rest: &Rest) -> Result<Self> {
        let cut = Segmentation::new(rest.mesh(), rest.edges(), CELLS)?;
        let coordinates = parameterize(cut.mesh(), cut.edges(), cut.charts())?;
        let atlas = Atlas::new(cut.charts().clone(), &coordinates)?;
        Charts::from_segmentation(rest, &cut, &atlas)
    }

    /// Charts of the given triangles from those of a finer mesh; `cut` must be one of the mesh at rest.
    fn from_segmentation(rest: &Rest, cut: &Segmentation, atlas: &Atlas) -> Result<Self> {
        let over = changes(cut, atlas)?;
        let mut reach = Reach { cut, atlas, over: &over, seen: Vec::new() };
        let (mut of_triangle, mut corners) = (Vec::new(), Vec::new());
        for t in 0..rest.mesh().triangles.len() as u32 {
            let middle = SurfacePoint { triangle: t, weights: [1.0 / 3.0; 3] };
            let home = cut.to_refined(&middle).triangle;
            let found = reach.corners(rest, t, home).filter(|uvs| fits(rest, t, uvs));
            let own = || (cut.charts().len() as u32 + t, flat(rest, t));
            let (chart, uvs) = found.map_or_else(own, |uvs| (atlas.chart(home), uvs));
            of_triangle.push(chart);
            corners.push(uvs);
        }
        Charts::new(rest, of_triangle, corners, |from, to, far| {
            let laid = unfolded(from, to, far);
            Some(quarter_turn(from, to).filter(|turn| agree(turn, &laid)).unwrap_or(laid))
        })
    }
}

/// Whether coordinates across an edge continue about as if the triangles were laid into one plane.
fn agree(turn: &Change, laid: &Change) -> bool {
    (turn.linear.transpose() * laid.linear - Mat2::identity()).norm() < SHARPEST
}

/// The change over each half-edge of the finer mesh.
fn changes(cut: &Segmentation, atlas: &Atlas) -> Result<Vec<Change>> {
    let edges = cut.edges();
    let change = |h: u32| {
        let Some(twin) = edges.twin(h) else { return Ok(Change::none()) };
        let (here, there) = (atlas.corners(h / 3), atlas.corners(twin / 3));
        let (k, l) = (h as usize % 3, twin as usize % 3);
        let from = [0, 1, 2].map(|j| here[(k + j) % 3]);
        let to = [1, 0, 2].map(|j| there[(l + j) % 3]);
        quarter_turn(from, to)
            .ok_or_else(|| Error::new(Kind::Topology, "incompatible charts meet at an edge"))
    };
    (0..edges.len() as u32).map(change).collect()
}

/// The coordinates of a given triangle's corners in the chart of its middle.
struct Reach<'a> {
    cut: &'a Segmentation,
    atlas: &'a Atlas,
    over: &'a [Change],
    /// The finer triangles visited, each with the change from the coordinates of the first.
    seen: Vec<(u32, Change)>,
}

impl Reach<'_> {
    /// Across the fewest edges from `home` to the finer triangles at the corners, without leaving the given triangle.
    fn corners(&mut self, rest: &Rest, triangle: u32, home: u32) -> Option<[Vec2; 3]> {
        let (cut, wanted) = (self.cut, rest.mesh().triangles[triangle as usize]);
        let mut found = [None; 3];
        self.seen.clear();
        self.seen.push((home, Change::none()));
        let mut next = 0;
        while let Some(&(t, change)) = self.seen.get(next) {
            next += 1;
            for (k, v) in cut.mesh().triangles[t as usize].into_iter().enumerate() {
                if let Some(corner) = wanted.iter().position(|&w| w == v) {
                    let uv = || change.inverse().point(&self.atlas.corners(t)[k]);
                    found[corner] = found[corner].or_else(|| Some(uv()));
                }
            }
            for h in 3 * t..3 * t + 3 {
                let inside = |twin: &u32| cut.parent(twin / 3) == triangle;
                let Some(twin) = cut.edges().twin(h).filter(inside) else { continue };
                if !self.seen.iter().any(|s| s.0 == twin / 3) {
                    self.seen.push((twin / 3, change.then(&self.over[h as usize])));
                }
            }
        }
        Some([found[0]?, found[1]?, found[2]?])
    }
}

/// Whether coordinates neither flip a triangle nor make a sliver of one that is not.
fn fits(rest: &Rest, triangle: u32, uvs: &[Vec2; 3]) -> bool {
    let thickness = |[a, b, c]: &[Vec2; 3]| {
        let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
        (b - a).perp(&(c - a)) / longest.max(Real::MIN_POSITIVE)
    };
    thickness(uvs) > THINNEST * thickness(&flat(rest, triangle))
}

/// A triangle in its own plane, its longest extent about 1.
fn flat(rest: &Rest, triangle: u32) -> [Vec2; 3] {
    let p = rest.mesh().points(triangle as usize);
    let size = (p[1] - p[0]).norm().max((p[2] - p[0]).norm());
    let frame = Frame::of_triangle(p);
    p.map(|q| frame.as_ref().map_or_else(Vec2::zeros, |frame| frame.flatten(&(q - p[0])) / size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::{TriMesh, shapes};

    #[test]
    fn a_velocity_at_a_vertex_is_about_the_same_in_space_for_all_triangles_there() {
        for (mesh, least) in [(shapes::torus(0.1, 0.03, 32, 16), 0.2), (shapes::sphere(0.05, 3), 0.8)] {
            let rest = Rest::new(TriMesh::from_mesh(&mesh).unwrap()).unwrap();
            let charts = Charts::generated(&rest).unwrap();
            for v in 0..rest.mesh().positions.len() {
                let seen = charts.fan(v).iter().map(|c| {
                    let (t, k) = (c.triangle as usize, c.corner as usize);
                    charts.jacobian(t, &rest.mesh().points(t)) * charts.turn(t, k)
                });
                let seen: Vec<_> = seen.collect();
                let worst = seen.iter().map(|j| (j - seen[0]).norm() / seen[0].norm()).fold(0.0, Real::max);
                assert!(worst < 0.7, "{v}: {worst}");
            }
            // For how much of the surface the charts are usable.
            let whole = |h: &&Change| h.linear.iter().all(|x| x.fract() == 0.0);
            let part = charts.over.iter().filter(whole).count() as Real / charts.over.len() as Real;
            println!("quarter turns over {part:.2} of the edges");
            assert!(part > least);
        }
    }
}
