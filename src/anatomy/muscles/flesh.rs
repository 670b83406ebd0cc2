//! The flesh: distances from bones to the skin around them.

use super::bones::Frame;
use super::pieces::Pieces;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::measure::triangle_areas;
use sinew_geometry::{ClosestPoint, Mesh, Rays, TriMesh};
use sinew_math::{Real, Vec3};
use sinew_scene::muscles::plan::OnBone;

/// A body's skin at rest, prepared for queries.
pub(super) struct Flesh {
    rays: Rays,
    closest: ClosestPoint,
    pub pieces: Pieces,
}

/// A place of a plan on a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub joint: usize,
    pub point: Vec3,
    /// The point of the bone's axis.
    pub foot: Vec3,
    /// From there to the skin.
    pub depth: Real,
}

/// Rays around a bone for the usual depth of its flesh.
const AROUND: usize = 16;

/// A ray longer than this many times the usual depth has left the limb: an upper arm's, through the armpit into the
/// chest.
const FARTHEST: Real = 2.0;

impl Spot {
    /// A part of the way towards a point.
    pub fn towards(&self, point: &Vec3, part: Real) -> Self {
        Spot { point: self.point.lerp(point, part), ..*self }
    }
}

/// The volume inside a mesh, negative if it faces inwards. At holes it is closed by cones to its centre, so that a body
/// without a head has one, too.
fn volume(mesh: &TriMesh) -> Real {
    let corners = |t: usize| mesh.points(t);
    let areas = triangle_areas(mesh);
    let total: Real = areas.iter().sum();
    let middles = areas.iter().enumerate().map(|(t, area)| corners(t).iter().sum::<Vec3>() * (*area / 3.0));
    let centre = middles.sum::<Vec3>() / total.max(Real::MIN_POSITIVE);
    let cone = |t: usize| {
        let [a, b, c] = corners(t).map(|corner| corner - centre);
        a.dot(&b.cross(&c)) / 6.0
    };
    (0..areas.len()).map(cone).sum()
}

impl Flesh {
    /// The skin may face outwards or inwards.
    pub fn new(skin: &Mesh) -> Result<Self> {
        let mut triangles = TriMesh::from_mesh(skin)?;
        if volume(&triangles) < 0.0 {
            triangles
                .triangles
                .iter_mut()
                .chain(&mut triangles.corners)
                .for_each(|[_, b, c]| std::mem::swap(b, c));
        }
        let pieces = Pieces::new(skin, &triangles);
        Ok(Flesh { rays: Rays::new(&triangles)?, closest: ClosestPoint::new(&triangles)?, pieces })
    }

    /// How far inside the skin a point is; negative outside.
    pub fn clearance(&self, point: &Vec3) -> Real {
        let distance = self.closest.find(point, Real::INFINITY).map_or(0.0, |found| found.distance);
        if self.rays.inside(point) { distance } else { -distance }
    }

    /// The triangle that is closest to a point.
    pub fn closest_triangle(&self, point: &Vec3) -> Option<u32> {
        self.closest.find(point, Real::INFINITY).map(|found| found.on.triangle)
    }

    /// How far it is from a point to where the skin is left in a direction; `None` if there is none.
    pub fn exit(&self, from: &Vec3, direction: &Vec3) -> Option<Real> {
        self.rays.exit(from, direction)
    }

    /// The middle of the flesh under the skin that is closest to a point: half way to the skin opposite.
    pub fn core(&self, point: &Vec3) -> Option<Vec3> {
        let closest = self.closest.find(point, Real::INFINITY)?;
        let outwards = if self.rays.inside(point) { 1.0 } else { -1.0 };
        let inwards = ((point - closest.position) * outwards).try_normalize(0.0)?;
        let opposite = self.rays.exit(point, &inwards)?;
        Some(point + inwards * ((opposite - outwards * closest.distance) * 0.5))
    }

    /// The usual depth of the flesh around a point of a bone: the median over all directions across it.
    pub fn around(&self, frame: &Frame, foot: &Vec3) -> Result<Real> {
        let direction = |k: usize| frame.direction(360.0 * k as Real / AROUND as Real);
        let mut depths: Vec<Real> = (0..AROUND).filter_map(|k| self.rays.exit(foot, &direction(k))).collect();
        depths.sort_by(Real::total_cmp);
        let outside = || Error::new(Kind::Degenerate, "its bone lies outside the skin there");
        depths.get(depths.len() / 2).copied().ok_or_else(outside)
    }

    /// The depth of the flesh from a point of a bone in a direction across it.
    pub fn depth(&self, frame: &Frame, foot: &Vec3, direction: &Vec3) -> Result<Real> {
        let usual = self.around(frame, foot)?;
        Ok(self.rays.exit(foot, direction).unwrap_or(usual).min(FARTHEST * usual))
    }

    /// A place on a bone.
    pub fn spot(&self, frame: &Frame, place: OnBone) -> Result<Spot> {
        let foot = frame.axis(place.along);
        let direction = frame.direction(place.angle);
        let depth = self.depth(frame, &foot, &direction)?;
        Ok(Spot { joint: frame.joint, point: foot + direction * (depth * place.depth), foot, depth })
    }

    /// Moves a point towards another until it is `least` inside the skin; and whether it had been outside.
    pub fn pull_in(&self, point: &Vec3, towards: &Vec3, least: Real) -> Option<(Vec3, bool)> {
        const STEPS: usize = 20;
        const HALVINGS: usize = 12;
        let at = |t: Real| point.lerp(towards, t);
        let is_under = |t: Real| self.clearance(&at(t)) >= least;
        let first = (0..=STEPS).find(|k| is_under(*k as Real / STEPS as Real))?;
        let mut under = first as Real / STEPS as Real;
        // No further than it has to: where it ends up does not depend on the steps.
        let mut over = under - 1.0 / STEPS as Real;
        for _ in 0..if first > 0 { HALVINGS } else { 0 } {
            let half = 0.5 * (under + over);
            *(if is_under(half) { &mut under } else { &mut over }) = half;
        }
        Some((at(under), self.clearance(point) < 0.0))
    }
}
