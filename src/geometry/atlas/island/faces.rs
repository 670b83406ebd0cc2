//! The UVs of all polygons at once. Most lie in triangles with no seam around them; there, a point has the same UV for
//! all polygons that meet at it, which is computed once.

use super::shared::SharedScratch;
use super::{IslandUvs, SeamSide, Seen, mix, snapped};
use crate::SurfacePoint;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2};
use std::ops::Range;

/// Vertices and polygons per parallel task.
const AT_ONCE: usize = 512;

/// The point of one vertex.
#[derive(Clone, Copy, Debug, Default)]
struct VertexUv {
    /// By the triangle's own UVs.
    uv: Vec2,
    triangle: [u32; 3],
    /// Whether no vertex of the triangle is on a seam; false for an invalid point.
    calm: bool,
}

/// Memory for finding the UVs of corners; it never influences a result.
#[derive(Clone, Debug, Default)]
pub struct UvScratch {
    places: Vec<VertexUv>,
    /// By polygon.
    pub(super) seen: Vec<Seen>,
    shared: SharedScratch,
}

/// The inputs of the polygons' UVs.
#[derive(Clone, Copy)]
struct From<'a> {
    points: &'a [SurfacePoint],
    places: &'a [VertexUv],
    side: SeamSide,
}

impl IslandUvs {
    /// [`IslandUvs::face_uvs`] of all polygons: `points` by vertex, `out` two numbers by corner. Corners that share a
    /// UV at rest share one unless a seam has come between them.
    pub fn all_uvs(
        &self,
        points: &[SurfacePoint],
        side: SeamSide,
        scratch: &mut UvScratch,
        out: &mut [Real],
    ) -> Result<()> {
        let (vertices, corners) = (self.mesh.positions.len(), self.corner_vertices.len());
        if points.len() != vertices || out.len() != 2 * corners {
            let text = format!(
                "{} points for {vertices} vertices, {} UVs for {corners} corners",
                points.len(),
                out.len()
            );
            return Err(Error::new(Kind::CountMismatch, text));
        }
        let each = points.par_iter().with_min_len(AT_ONCE).map(|point| self.placed(point));
        each.collect_into_vec(&mut scratch.places);
        scratch.seen.clear();
        scratch.seen.resize(self.largest.len(), Seen::default());
        let from = From { points, places: &scratch.places, side };
        self.write(0..self.largest.len(), from, &mut scratch.seen, out)?;
        self.share(side, &scratch.seen, &mut scratch.shared, out);
        Ok(())
    }

    /// Whether the points of a polygon see each other, see [`IslandUvs::joined`]; here two triangles may also be
    /// connected by an edge between two vertices without a seam.
    #[inline]
    fn see_each_other(&self, places: &[VertexUv], vertices: &[u32]) -> bool {
        let Some(&last) = vertices.last() else { return false };
        let mut before = &places[last as usize];
        vertices.iter().map(|&v| &places[v as usize]).all(|own| {
            let [a, b, c] = own.triangle;
            // No early exit: the nine comparisons are made side by side.
            let is_own = |v: u32| (v == a) | (v == b) | (v == c);
            let other = std::mem::replace(&mut before, own).triangle;
            let meets = other.iter().fold(false, |any, &v| any | is_own(v));
            let beside =
                || other.iter().flat_map(|&v| self.edges.around(v)).any(|h| is_own(self.edges.target(h)));
            own.calm && (meets || beside())
        })
    }

    fn placed(&self, point: &SurfacePoint) -> VertexUv {
        let Some(&triangle) = self.mesh.triangles.get(point.triangle as usize) else {
            return VertexUv::default();
        };
        let calm = Self::on_surface(point) && triangle.iter().all(|&v| self.calm[v as usize]);
        let uv = if calm { mix(self.own_view(point.triangle).uvs, snapped(point)) } else { Vec2::zeros() };
        VertexUv { uv, triangle, calm }
    }

    /// Writes the UVs of the corners of `faces`, halves in parallel.
    fn write(&self, faces: Range<usize>, from: From, seen: &mut [Seen], out: &mut [Real]) -> Result<()> {
        if faces.len() > AT_ONCE {
            let middle = faces.start + faces.len() / 2;
            let corners = (self.corner_starts[middle] - self.corner_starts[faces.start]) as usize;
            let (before, after) = out.split_at_mut(2 * corners);
            let (seen_before, seen_after) = seen.split_at_mut(middle - faces.start);
            let (first, second) = rayon::join(
                || self.write(faces.start..middle, from, seen_before, before),
                || self.write(middle..faces.end, from, seen_after, after),
            );
            return first.and(second);
        }
        let From { points, places, side } = from;
        let (mut around, mut found): (Vec<SurfacePoint>, Vec<Vec2>) = (Vec::new(), Vec::new());
        let mut rest = out;
        for (face, seen) in faces.zip(seen) {
            let range = self.corner_starts[face] as usize..self.corner_starts[face + 1] as usize;
            let vertices = &self.corner_vertices[range];
            let (own, after) = rest.split_at_mut(2 * vertices.len());
            rest = after;
            let own = own.chunks_exact_mut(2);
            found.clear();
            if self.see_each_other(places, vertices) {
                *seen = Seen { from: points[vertices[0] as usize].triangle, over: false, by_triangles: true };
                if side == SeamSide::Nearest {
                    own.zip(vertices)
                        .for_each(|(out, &v)| out.copy_from_slice(places[v as usize].uv.as_slice()));
                    continue;
                }
                found.extend(vertices.iter().map(|&v| places[v as usize].uv));
                if self.hold(face, seen.from, &mut found) {
                    *seen = Seen { from: self.largest[face], over: true, by_triangles: false };
                }
            } else {
                around.clear();
                around.extend(vertices.iter().map(|&v| points[v as usize]));
                found.resize(around.len(), Vec2::zeros());
                self.check(&around, face, &found)?;
                *seen = self.face_uvs_from(&around, face, side, &mut found);
            }
            own.zip(&found).for_each(|(out, uv)| out.copy_from_slice(uv.as_slice()));
        }
        Ok(())
    }
}
