//! From a UV back to the place: straight ahead in the plane of one chart, over the triangles that are unfolded behind its
//! seams.

use super::{IslandUvs, MAX_STEPS, ON_EDGE, View, entry, exit, mix};
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::math::{Mat2, Real, Vec2};

/// A place found by its UV in some chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unfolded {
    /// The place. Past a border of the mesh it is in the last triangle, and one of the weights is negative.
    pub on: SurfacePoint,
    /// Its UV in its own island; past a border, as the last triangle continues.
    pub uv: Vec2,
    /// How the own UV changes with that of the chart: the unit matrix, bit for bit, when no seam is between.
    pub turn: Mat2,
}

impl View {
    /// The weights of a UV; `None` when the triangle has no area in the UVs.
    fn weights_of(&self, uv: Vec2) -> Option<[Real; 3]> {
        let [a, b, c] = self.uvs;
        let area = (b - a).perp(&(c - a));
        let second = (uv - a).perp(&(c - a)) / area;
        let third = (b - a).perp(&(uv - a)) / area;
        (second.is_finite() && third.is_finite()).then_some([1.0 - second - third, second, third])
    }

    fn sides(&self) -> Mat2 {
        Mat2::from_columns(&[self.uvs[1] - self.uvs[0], self.uvs[2] - self.uvs[0]])
    }
}

impl IslandUvs {
    /// In which chart [`IslandUvs::face_uvs`] sees a polygon: that of the returned place, from which its UVs reach their
    /// places by [`IslandUvs::unfold`]. `None` when no seam is near: each UV is that of its place.
    pub fn chart(&self, points: &[SurfacePoint], polygon: usize) -> Result<Option<SurfacePoint>> {
        self.check(points, polygon, &vec![Vec2::zeros(); points.len()])?;
        Ok((!self.joined(points)).then(|| self.middle(points, polygon)))
    }

    /// The UV of a place in its own island.
    pub fn uv(&self, on: &SurfacePoint) -> Vec2 {
        mix(self.own_view(on.triangle).uvs, on.weights)
    }

    /// The place that has the UV `goal` in the chart of `from`, straight ahead from there. `None` when the way does not
    /// end, or leads over a triangle without area.
    pub fn unfold(&self, from: &SurfacePoint, goal: Vec2) -> Option<Unfolded> {
        let mut view = self.own_view(from.triangle);
        let (mut weights, mut entered) = (from.weights, None);
        for _ in 0..MAX_STEPS {
            // A place on an edge is in both triangles; round-off must not take it over a seam.
            let to = view.weights_of(goal)?.map(|w| if w.abs() < ON_EDGE { 0.0 } else { w });
            let crossed = exit(weights, to, entered).and_then(|(step, side)| {
                self.cross(&view, side).map(|(next, other)| (step, side, next, other))
            });
            let Some((step, side, next, other)) = crossed else { return self.arrived(&view, to, goal) };
            weights = entry(weights, to, step, [side, other]);
            (view, entered) = (next, Some(other));
        }
        None
    }

    fn arrived(&self, view: &View, weights: [Real; 3], goal: Vec2) -> Option<Unfolded> {
        let on = SurfacePoint { triangle: view.triangle, weights };
        if !view.beyond {
            return Some(Unfolded { on, uv: goal, turn: Mat2::identity() });
        }
        let own = self.own_view(view.triangle);
        let turn = own.sides() * view.sides().try_inverse()?;
        let uv = mix(own.uvs, weights);
        turn.iter().all(|x| x.is_finite()).then_some(Unfolded { on, uv, turn })
    }
}
