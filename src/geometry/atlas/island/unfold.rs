//! From a UV back to the point: straight ahead in the plane of one chart, over the triangles unfolded behind its seams.

use super::{IslandUvs, MAX_STEPS, ON_EDGE, View, entry, exit, mix};
use crate::SurfacePoint;
use sinew_base::error::Result;
use sinew_math::{Mat2, Real, Vec2};

/// A point found by its UV in some chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unfolded {
    /// The point. Beyond a border of the mesh it is in the last triangle, and one of the weights is negative.
    pub on: SurfacePoint,
    /// Its UV in its own island; beyond a border, extrapolated from the last triangle.
    pub uv: Vec2,
    /// The Jacobian of its own UV by that of the chart: the unit matrix, bit for bit, if no seam is between.
    pub turn: Mat2,
}

impl View {
    /// The weights of a UV; `None` if the triangle has no area in the UVs.
    fn weights_of(&self, uv: Vec2) -> Option<[Real; 3]> {
        let [a, b, c] = self.uvs;
        let area = (b - a).perp(&(c - a));
        let second = (uv - a).perp(&(c - a)) / area;
        let third = (b - a).perp(&(uv - a)) / area;
        (second.is_finite() && third.is_finite()).then_some([1.0 - second - third, second, third])
    }

    pub(super) fn sides(&self) -> Mat2 {
        Mat2::from_columns(&[self.uvs[1] - self.uvs[0], self.uvs[2] - self.uvs[0]])
    }
}

impl IslandUvs {
    /// The chart in which [`IslandUvs::face_uvs`] sees a polygon: that of the returned point, from which its UVs reach
    /// their points by [`IslandUvs::unfold`]. `None` if no seam is near: each UV is that of its point.
    pub fn chart(&self, points: &[SurfacePoint], polygon: usize) -> Result<Option<SurfacePoint>> {
        let mut uvs = vec![Vec2::zeros(); points.len()];
        self.check(points, polygon, &uvs)?;
        if self.joined(points) {
            return Ok(None);
        }
        let middle = self.middle(points, polygon);
        self.seen_from_middle(points, polygon, &mut uvs);
        // No seam is crossed on the paths to the corners, and none lies between them.
        let ends = uvs.iter().cycle().skip(1);
        let clear = uvs.iter().all(|uv| self.is_clear(&middle, *uv))
            && points.iter().zip(ends).all(|(point, uv)| self.is_clear(point, *uv));
        Ok((!clear).then_some(middle))
    }

    /// Whether the straight path to a UV meets only triangles without a seam at any of their vertices.
    fn is_clear(&self, from: &SurfacePoint, goal: Vec2) -> bool {
        let calm = |t: u32| self.mesh.triangles[t as usize].iter().all(|&v| self.calm[v as usize]);
        self.reach(from, goal, calm).is_some()
    }

    /// The UV of a point in its own island.
    pub fn uv(&self, on: &SurfacePoint) -> Vec2 {
        mix(self.own_view(on.triangle).uvs, on.weights)
    }

    /// The point with the UV `goal` in the chart of `from`, straight ahead from there. `None` if the path does not end,
    /// or leads over a triangle without area.
    pub fn unfold(&self, from: &SurfacePoint, goal: Vec2) -> Option<Unfolded> {
        let (view, weights) = self.reach(from, goal, |_| true)?;
        self.arrived(&view, weights, goal)
    }

    /// The last triangle of the path, and the weights of the goal in it; `None` if one does not `pass`.
    fn reach(
        &self,
        from: &SurfacePoint,
        goal: Vec2,
        pass: impl Fn(u32) -> bool,
    ) -> Option<(View, [Real; 3])> {
        let mut view = self.own_view(from.triangle);
        let (mut weights, mut entered) = (from.weights, None);
        for _ in 0..MAX_STEPS {
            if !pass(view.triangle) {
                return None;
            }
            // A point on an edge is in both triangles; round-off must not take it across a seam.
            let to = view.weights_of(goal)?.map(|w| if w.abs() < ON_EDGE { 0.0 } else { w });
            let crossed = exit(weights, to, entered).and_then(|(step, side)| {
                self.cross(&view, side).map(|(next, other)| (step, side, next, other))
            });
            let Some((step, side, next, other)) = crossed else { return Some((view, to)) };
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
