//! UVs that stay on the side of a seam on which their face was painted.
//!
//! The chart in the middle of a face changes when the middle slides over a seam, and with it all UVs of the face jump to
//! the other side: who mixes the UVs of two frames, as motion blur does, sees what lies between. Held, the face is seen from
//! its place at rest in all frames: the chart there goes on over the seams on the way to the face, unfolded like the
//! triangles behind a seam. That is a function of the skin alone, the same whichever frames are computed.

use super::{IslandUvs, Spot, View};
use crate::geometry::SurfacePoint;
use crate::math::Vec2;

/// From which side of a seam faces are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeamSide {
    /// That on which the middle of the face is now.
    #[default]
    Nearest,
    /// That on which the face was painted.
    Held,
}

impl IslandUvs {
    /// Takes UVs in the chart of a triangle into that of a polygon's home; whether a seam is between.
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

    /// A triangle as seen from a polygon's home; none where no way leads there.
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

    /// [`IslandUvs::face_uvs`] from a side; whether the face is seen over a seam.
    pub(super) fn face_uvs_from(
        &self,
        points: &[SurfacePoint],
        polygon: usize,
        side: SeamSide,
        out: &mut [Vec2],
    ) -> bool {
        let (over, triangle) = if self.joined(points) {
            self.own_uvs(points, out);
            (false, points[0].triangle)
        } else {
            self.seen_from_middle(points, polygon, out)
        };
        (side == SeamSide::Held && self.hold(polygon, triangle, out)) || over
    }
}
