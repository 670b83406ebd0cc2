//! Whether there is flesh around a bone: on armour, shells and robots there is none, and muscles would become wires.

use super::bones::Frame;
use super::flesh::Flesh;
use sinew_math::{Real, Vec3};

/// Where along a bone its flesh is judged, and in how many directions around it.
const PLACES: [Real; 3] = [0.3, 0.5, 0.7];
const AROUND: usize = 16;

/// A skin that is open in more than this fraction of the directions is none.
const OPEN: Real = 0.2;

/// Flesh has a median depth between these fractions of its bone's length: a bird's legs and a ball's arms.
const DEPTH: [Real; 2] = [0.02, 2.0];

impl Flesh {
    /// Why there is no flesh around a bone, if so.
    pub fn lack(&self, frame: &Frame) -> Option<String> {
        let feet = PLACES.map(|at| frame.axis(at));
        let directions = (0..AROUND).map(|k| frame.direction(360.0 * k as Real / AROUND as Real));
        let directions: Vec<_> = directions.collect();
        let depths = feet.iter().flat_map(|foot| directions.iter().map(|way| self.exit(foot, way)));
        let depths: Vec<Option<Real>> = depths.collect();
        let mut met: Vec<Real> = depths.iter().flatten().copied().collect();
        met.sort_by(Real::total_cmp);
        let open = depths.len() - met.len();
        if open as Real > OPEN * depths.len() as Real {
            return Some(format!("the skin around it is open, in {open} of {} directions", depths.len()));
        }
        if feet.iter().filter(|foot| self.clearance(foot) < 0.0).count() > 1 {
            return Some("it lies outside the skin, as within a hollow shell".to_string());
        }
        let depth = met[met.len() / 2] / frame.bone.norm();
        if !(DEPTH[0]..=DEPTH[1]).contains(&depth) {
            return Some(format!("the skin is {depth:.3} of its length away from it, which is no flesh"));
        }
        None
    }
}

impl Flesh {
    /// Whether two places lie in separate closed pieces of the skin, as the limbs of a robot are.
    pub fn are_apart(&self, places: [Vec3; 2]) -> bool {
        let piece = |place: &Vec3| {
            let triangle = self.closest_triangle(place)?;
            let piece = *self.pieces.of.get(triangle as usize)?;
            self.pieces.closed[piece as usize].then_some(piece)
        };
        let [from, to] = places.each_ref().map(piece);
        from.is_some() && to.is_some() && from != to
    }
}
