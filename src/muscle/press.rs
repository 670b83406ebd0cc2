//! Muscles pressed under the skin: what lies inside it at rest stays inside.
//!
//! Skin follows only a part of what a muscle does, smoothly, so that a muscle that swells or takes the short way over a
//! bent joint would stand out of it. Skin is tight and flesh is soft: where the two meet, the muscle gives way.

use super::model::Model;
use rayon::prelude::*;
use sinew_base::error::Result;
use sinew_geometry::{ClosestPoint, SurfacePoint, TriMesh};
use sinew_math::{Real, Vec3};

/// The skin over muscles.
pub struct Press {
    skin: TriMesh,
    closest: ClosestPoint,
    inside: Vec<Inside>,
    /// Reused memory: the way of each of them.
    ways: Vec<Vec3>,
}

/// A muscle vertex that is inside the skin at rest.
#[derive(Clone, Copy, Debug)]
struct Inside {
    vertex: u32,
    /// Where the skin is closest to it at rest.
    home: SurfacePoint,
    /// How far under the skin it stays.
    least: Real,
}

/// A muscle stays under the skin by this part of its radius, or by as much as at rest: on it, the two would flicker.
const UNDER: Real = 0.05;
/// Where a point is, and its distance, are known to within this part of the distance.
const ROUND_OFF: Real = 1e-9;

impl Press {
    /// Of skin at rest.
    pub fn new(model: &Model, skin: TriMesh) -> Result<Self> {
        let closest = ClosestPoint::new(&skin)?;
        let radius = |vertex: usize| model.radius(model.ring_of(vertex as u32));
        let find = |vertex: usize| {
            let point = &model.points()[vertex];
            let found = closest.find(point, Real::INFINITY).filter(|_| closest.encloses(point))?;
            let least = found.distance.min(UNDER * radius(vertex));
            Some(Inside { vertex: vertex as u32, home: found.on, least })
        };
        let inside = (0..model.points().len()).into_par_iter().filter_map(find).collect();
        Ok(Press { skin, closest, inside, ways: Vec::new() })
    }

    /// Presses `points`, of the model's muscles, under the skin, whose vertices are at `skin`; by a part of the way.
    /// Skin that is not finite presses nothing.
    pub fn press(&mut self, skin: &[Real], part: Real, points: &mut [Vec3]) {
        if !skin.iter().all(|x| x.is_finite()) {
            return;
        }
        let moved = skin.as_chunks::<3>().0.iter().zip(&mut self.skin.positions);
        moved.for_each(|(point, position)| *position = Vec3::from(*point));
        self.closest.refit(&self.skin);
        let mut ways = std::mem::take(&mut self.ways);
        let way = |inside: &Inside| self.way_in(inside, &points[inside.vertex as usize]);
        let all = self.inside.par_iter().map(|inside| way(inside).unwrap_or_else(Vec3::zeros));
        all.collect_into_vec(&mut ways);
        for (inside, way) in self.inside.iter().zip(&ways) {
            points[inside.vertex as usize] += way * part;
        }
        self.ways = ways;
    }

    /// The way of a point to where it is as far under the skin as it has to be.
    fn way_in(&self, inside: &Inside, point: &Vec3) -> Option<Vec3> {
        // The skin is no farther away than where it was closest at rest.
        let reach = (inside.home.position(&self.skin) - point).norm();
        let found = self.closest.find(point, reach * (1.0 + ROUND_OFF))?;
        let away = point - found.position;
        let outwards = self.closest.area_vector(found.on.triangle);
        // On an edge the two triangles may disagree on which side it is.
        let is_sure = found.on.weights.iter().all(|weight| *weight > ROUND_OFF);
        let is_inside = if is_sure { away.dot(&outwards) < 0.0 } else { self.closest.encloses(point) };
        if is_inside && found.distance >= inside.least {
            return None;
        }
        let outwards = if is_inside { -away } else { away }.try_normalize(Real::MIN_POSITIVE)?;
        Some(-away - outwards * inside.least)
    }
}
