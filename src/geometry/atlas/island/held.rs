//! UVs that stay on the side of a seam on which their face was painted.
//!
//! The chart in the middle of a face changes when the middle slides across a seam, and with it all UVs of the face jump
//! to the other side: interpolating the UVs of two frames, as motion blur does, shows the texture in between. When
//! held, the face is seen from its position at rest in all frames: the chart there is extended across the seams on the
//! way to the face, unfolded like the triangles behind a seam. The result depends on the skin alone, whichever frames
//! are computed.

use super::{IslandUvs, Seen, Spot, View};
use crate::SurfacePoint;
use sinew_math::Vec2;

/// The side of a seam from which faces are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeamSide {
    /// The one where the middle of the face is now.
    #[default]
    Nearest,
    /// The one where the face was painted.
    Held,
}

impl IslandUvs {
    /// Maps UVs in the chart of a triangle into that of a polygon's home; returns whether a seam is between.
    pub(super) fn hold(&self, polygon: usize, triangle: u32, uvs: &mut [Vec2]) -> bool {
        let Some(view) = self.seen_from_home(polygon, triangle).filter(|view| view.beyond) else {
            return false;
        };
        let own = self.own_view(triangle);
        let Some(inverse) = own.sides().try_inverse() else { return false };
        let linear = view.sides() * inverse;
        if !linear.iter().all(|x| x.is_finite()) {
            return false;
        }
        uvs.iter_mut().for_each(|uv| *uv = view.uvs[0] + linear * (*uv - own.uvs[0]));
        true
    }

    /// A triangle as seen from a polygon's home; none if no path leads there.
    fn seen_from_home(&self, polygon: usize, triangle: u32) -> Option<View> {
        let home = self.largest[polygon];
        let [own, there] = [home, triangle].map(|t| self.mesh.triangles[t as usize]);
        let calm = own.iter().any(|v| self.calm[*v as usize] && there.contains(v));
        if calm || self.mesh.faces[triangle as usize] as usize == polygon {
            return Some(self.own_view(triangle));
        }
        let middle = |triangle: u32| SurfacePoint { triangle, weights: [1.0 / 3.0; 3] };
        let spot = Spot::new(&middle(triangle), &self.mesh);
        self.walk(&middle(home), &spot).or_else(|| self.search(home, &spot))
    }

    /// [`IslandUvs::face_uvs`] from a side.
    pub(super) fn face_uvs_from(
        &self,
        points: &[SurfacePoint],
        polygon: usize,
        side: SeamSide,
        out: &mut [Vec2],
    ) -> Seen {
        let mut seen = if self.joined(points) {
            self.own_uvs(points, out);
            Seen { from: points[0].triangle, over: false, by_triangles: true }
        } else {
            let (over, from) = self.seen_from_middle(points, polygon, out);
            Seen { from, over, by_triangles: false }
        };
        if side == SeamSide::Held && self.hold(polygon, seen.from, out) {
            seen = Seen { from: self.largest[polygon], over: true, by_triangles: false };
        }
        seen
    }
}
