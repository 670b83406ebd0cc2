//! The skin laid flat: how each of its triangles lies at rest, measured within the surface.
//!
//! Every triangle gets a plane of its own, into which the displacements of its corners are projected ([`leaned`]): a
//! corner that slides by u over the surface moves by the projected u in the plane, so the edges at rest are linear in
//! the slides of the corners. Measured along straight lines through space instead, an edge that slides over a ridge
//! would shorten and its triangle would flip, although within the surface nothing happens to either.

use super::Stages;
use crate::membrane::{Patch, metric};
use crate::model::{Model, Painted};
use crate::plane::Turn;
use crate::stand::Stand;
use crate::thresholds::Thresholds;
use rayon::prelude::*;
use sinew_geometry::SurfacePoint;
use sinew_math::{Real, Vec2, Vec3, Work, widest};
use sinew_solve::newton::Factor;

/// A triangle of skin in its plane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Laid {
    /// From the first corner to the second and the third.
    edges: [Vec2; 2],
    /// The images of the corners' unknowns, two for each.
    pub ways: [Vec2; 6],
    pub patch: Patch,
}

impl Laid {
    #[inline(always)]
    fn new(model: &Model, triangle: usize, stands: [&Stand; 3], patch: Patch) -> Self {
        let [a, b, c] = stands;
        let edges = [b.place - a.place, c.place - a.place];
        let own = edges[0].cross(&edges[1]).try_normalize(0.0);
        let mean = (a.normal + b.normal + c.normal).try_normalize(0.0);
        let flat = own.filter(|own| mean.is_none_or(|mean| own.dot(&mean) > model.thresholds.across_fold));
        let normal = flat.or(mean).unwrap_or_else(Vec3::z);
        let first = (edges[0] - normal * normal.dot(&edges[0])).try_normalize(0.0);
        let first = first.unwrap_or_else(|| normal.cross(&Vec3::ith(normal.iamin(), 1.0)).normalize());
        let second = normal.cross(&first);
        let plane = [first, second];
        let edges = [inside(&plane, &edges[0]), inside(&plane, &edges[1])];
        let mut laid = Laid { edges, ways: [Vec2::zeros(); 6], patch };
        let fibres = inside(&plane, &patch.fibres);
        laid.patch.fibres = Vec3::new(fibres.x, fibres.y, 0.0);
        if flat.is_none() {
            laid.edges = unfolded(model, triangle, &laid.edges);
        }
        for (corner, stand) in stands.iter().enumerate() {
            for (k, along) in stand.space.iter().enumerate() {
                let leaned = leaned(along, &stand.normal, &normal, model.thresholds.shortened);
                laid.ways[2 * corner + k] = inside(&plane, &leaned);
            }
        }
        laid
    }

    /// The corners after displacements of this size.
    #[inline(always)]
    pub fn corners_after(&self, gone: [[Real; 2]; 3]) -> [Vec3; 3] {
        let mut corners = [Vec2::zeros(), self.edges[0], self.edges[1]];
        for (k, (corner, [first, second])) in corners.iter_mut().zip(gone).enumerate() {
            *corner = *corner + self.ways[2 * k] * first + self.ways[2 * k + 1] * second;
        }
        let [a, b, c] = corners;
        [Vec3::new(a.x, a.y, 0.0), Vec3::new(b.x, b.y, 0.0), Vec3::new(c.x, c.y, 0.0)]
    }
}

/// A vector's components in a plane that two unit vectors span.
#[inline(always)]
fn inside([first, second]: &[Vec3; 2], v: &Vec3) -> Vec2 {
    Vec2::new(first.dot(v), second.dot(v))
}

impl Laid {
    /// The fraction of the displacement that its corners may make together before little of its area is left.
    pub fn room(&self, gone: [[Real; 2]; 3], thresholds: &Thresholds) -> Real {
        let after = self.corners_after(gone);
        let [a, b] = self.edges;
        let [da, db] = [1, 2].map(|k| (after[k] - after[0]).xy() - self.edges[k - 1]);
        // The area is a quadratic in the fraction t.
        let (area, slope, bend) = (a.perp(&b), a.perp(&db) + da.perp(&b), da.perp(&db));
        let left = (1.0 - thresholds.area_kept) * area;
        let root = (slope * slope - 4.0 * bend * left).sqrt();
        let part = 2.0 * left / (root - slope);
        if part > 0.0 && part < 1.0 { part.max(thresholds.least_room) } else { 0.5 }
    }
}

/// Whether a triangle in its plane is flipped or without area.
#[inline(always)]
pub(super) fn is_turned_over([a, b, c]: &[Vec3; 3]) -> bool {
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    area.is_nan() || area <= 0.0
}

/// Whether a triangle is flipped as seen from each of its corners; across a fold it cannot face outwards for all.
#[inline(always)]
pub(super) fn is_over(thresholds: &Thresholds, stands: [&Stand; 3]) -> bool {
    let [a, b, c] = [stands[0].place, stands[1].place, stands[2].place];
    let own = (b - a).cross(&(c - a));
    let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
    own.norm_squared() > (thresholds.sliver * longest).powi(2)
        && stands.iter().all(|stand| own.dot(&stand.normal) < 0.0)
}

/// A direction perpendicular to one normal projected into the plane of another: straight from above as long as the tilt
/// is small, so that slopes are those of distances in space, and never shorter than by `most`.
#[inline(always)]
fn leaned(along: &Vec3, own: &Vec3, normal: &Vec3, most: Real) -> Vec3 {
    let seen = along - normal * normal.dot(along);
    let cos = own.dot(normal);
    if cos >= 1.0 - most {
        return seen;
    }
    let slope = (own - normal * cos).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
    let Some(turn) = Turn::new(own, normal) else { return Vec3::zeros() };
    let turned = turn.turn(along);
    turned - slope * (slope.dot(&turned) * most)
}

/// A triangle across a fold lies as at rest, rotated as seen from its corners.
fn unfolded(model: &Model, triangle: usize, seen: &[Vec2; 2]) -> [Vec2; 2] {
    let [a, b, c] = model.rest.mesh().points(triangle);
    let length = (b - a).norm();
    let along = (b - a) / length;
    let (x, y) = ((c - a).dot(&along), (c - a).cross(&along).norm());
    let home = [Vec2::new(length, 0.0), Vec2::new(x, y)];
    let (cos, sin) =
        home.iter().zip(seen).fold((0.0, 0.0), |(cos, sin), (h, s)| (cos + h.dot(s), sin + h.perp(s)));
    let turn = Vec2::new(cos, sin).try_normalize(0.0).unwrap_or_else(Vec2::x);
    home.map(|h| Vec2::new(turn.x * h.x - turn.y * h.y, turn.y * h.x + turn.x * h.y))
}

/// The metric of a triangle on the body with its stretches relative to `rest` bounded.
///
/// With the edges at rest as columns of A = (p, x; 0, y) in the triangle's plane, the stretches are the square roots of
/// the eigenvalues of C = A^-T g A^-1.
fn bounded(g: [Real; 3], rest: [Real; 3], most_stretch: Real) -> [Real; 3] {
    let p = rest[0].sqrt();
    let x = rest[2] / p;
    let y = (rest[1] - x * x).max(0.0).sqrt();
    let (a, b, c) = (1.0 / p, 1.0 / y, -x / (p * y));
    let c11 = g[0] * a * a;
    let c12 = a * (g[0] * c + g[2] * b);
    let c22 = g[0] * c * c + 2.0 * g[2] * c * b + g[1] * b * b;
    let (mean, half) = (0.5 * (c11 + c22), 0.5 * (c11 - c22));
    let radius = (half * half + c12 * c12).sqrt();
    let most = most_stretch * most_stretch;
    let within = mean + radius <= most && mean - radius >= 1.0 / most;
    if within || !(mean + radius).is_finite() {
        return g;
    }
    let [large, small] = [mean + radius, mean - radius].map(|value| value.clamp(1.0 / most, most));
    let (mean, turned) = (0.5 * (large + small), 0.5 * (large - small) / radius.max(Real::MIN_POSITIVE));
    let (c11, c22, c12) = (mean + half * turned, mean - half * turned, c12 * turned);
    [p * p * c11, x * x * c11 + 2.0 * x * y * c12 + y * y * c22, p * (x * c11 + y * c12)]
}

/// Vertices or triangles per parallel task.
pub(super) const PIECE: usize = 256;

impl Stages {
    /// Loads a body: computes the metrics of its triangles, and the maps if they are uniform, valid until the next
    /// call.
    pub(super) fn lie_on(&mut self, model: &Model, body: &[Vec3]) {
        if model.is_evenly_painted() {
            // At a vertex, where nothing is interpolated: interpolation rounds, differently from point to point.
            let anywhere = SurfacePoint { triangle: 0, weights: [1.0, 0.0, 0.0] };
            self.painted.fill(model.painted(&anywhere));
        }
        let mesh = model.rest.mesh();
        let metrics = self.on_body.par_iter_mut().zip(model.active()).with_min_len(PIECE);
        metrics.for_each(|(found, &t)| {
            let on_body = metric(mesh.triangles[t as usize].map(|v| body[v as usize]));
            *found = bounded(on_body, metric(mesh.points(t as usize)), model.thresholds.most_stretch);
        });
    }

    /// Lays a skin flat on the loaded body.
    pub(super) fn lay(&mut self, model: &Model, skin: &[SurfacePoint], factor: &mut Factor) {
        self.stand(model, skin, factor);
        self.flatten(model, skin);
    }

    /// Lays a skin flat whose stands are known. Its maps here are valid until the next call.
    pub(super) fn flatten(&mut self, model: &Model, skin: &[SurfacePoint]) {
        if !model.is_evenly_painted() {
            let painted = self.painted.par_iter_mut().zip(skin).with_min_len(512);
            painted.for_each(|(painted, point)| *painted = model.painted(point));
        }
        let (stands, painted) = (&self.stands[..], &self.painted[..]);
        let known = self.on_body.par_chunks(PIECE).zip(model.active().par_chunks(PIECE));
        self.laid.par_chunks_mut(PIECE).zip(known).for_each(|(laid, (on_body, active))| {
            widest(Laying { model, on_body, stands, painted, active, laid });
        });
    }
}

/// Some triangles to be laid flat.
struct Laying<'a> {
    model: &'a Model,
    on_body: &'a [[Real; 3]],
    stands: &'a [Stand],
    painted: &'a [Painted],
    active: &'a [u32],
    laid: &'a mut [Laid],
}

impl Work for Laying<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for ((laid, &t), metric) in self.laid.iter_mut().zip(self.active).zip(self.on_body) {
            let [a, b, c] = self.model.rest.mesh().triangles[t as usize];
            let [a, b, c] = [a as usize, b as usize, c as usize];
            let painted = [&self.painted[a], &self.painted[b], &self.painted[c]];
            let stands = [&self.stands[a], &self.stands[b], &self.stands[c]];
            *laid = Laid::new(self.model, t as usize, stands, self.model.patch_of(*metric, painted));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scratch;
    use super::super::potential::gone;
    use super::*;
    use crate::model::{Maps, Settings};
    use sinew_energy::{Material, Stvk};
    use sinew_geometry::{Mesh, TriMesh, shapes};

    fn model(mesh: &Mesh) -> Model {
        let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
        Model::new(TriMesh::from_mesh(mesh).unwrap(), Settings::new(material)).unwrap()
    }

    #[test]
    fn patches_are_what_is_painted_on_the_skin_there() {
        let mut model = model(&shapes::cylinder(1.0, 2.0, 12, 6));
        let body = model.rest.mesh().positions.clone();
        let skin: Vec<_> =
            model.rest.home().iter().map(|p| model.rest.go(p, Vec2::new(0.13, 0.21))).collect();
        for uneven in [0.0, 1.0] {
            let stiffness = (0..model.len()).map(|v| 3.0 + uneven * (v as Real).sin()).collect();
            model.set_maps(Maps { stiffness, ..Maps::plain(model.len()) }).unwrap();
            assert_eq!(model.is_evenly_painted(), uneven == 0.0);
            let Scratch { mut newton, mut stages, .. } = Scratch::new(&model).unwrap();
            stages.lie_on(&model, &body);
            stages.lay(&model, &skin, newton.factor());
            for (laid, &t) in stages.laid.iter().zip(model.active()) {
                let corners = model.rest.mesh().triangles[t as usize].map(|v| v as usize);
                let patch = model.patch(metric(corners.map(|v| body[v])), &corners.map(|v| skin[v]));
                assert!((laid.patch.thickness - patch.thickness).abs() < 1e-15 * patch.thickness.max(1.0));
                assert_eq!(laid.patch.metric, patch.metric);
            }
        }
    }

    /// A strip of squares, folded by a right angle or more along the line between the second and the third row.
    fn folded(angle: Real) -> Mesh {
        let mut mesh = shapes::grid(4.0, 4.0, 4, 4);
        for p in &mut mesh.positions {
            if p.x > 0.0 {
                *p = Vec3::new(p.x * angle.cos(), p.x * angle.sin(), p.z);
            }
        }
        mesh
    }

    #[test]
    fn skin_that_slides_over_a_fold_hardly_changes_its_lengths() {
        for angle in [0.5, 1.2, 2.0] {
            let model = model(&folded(angle));
            let (body, home) = (model.rest.mesh().positions.clone(), model.rest.home());
            let Scratch { mut newton, mut stages, .. } = Scratch::new(&model).unwrap();
            stages.lie_on(&model, &body);
            stages.lay(&model, &home, newton.factor());
            let mut way = vec![0.0; model.unknown_count()];
            let lengths = |way: &[Real], e: usize| {
                let t = model.active()[e] as usize;
                let corners = model.rest.mesh().triangles[t].map(|v| v as usize);
                let [a, b, c] = stages.laid[e].corners_after(corners.map(|v| gone(&model, v, way)));
                assert!(!is_turned_over(&[a, b, c]), "{angle} {t}");
                [(b - a).norm(), (c - b).norm(), (a - c).norm()]
            };
            let before: Vec<_> = (0..stages.laid.len()).map(|e| lengths(&way, e)).collect();
            // Everything moves by 0.3 along x, over the fold.
            for v in 0..model.len() {
                let stand = &stages.stands[v];
                let across = Vec3::new(stand.normal.y, -stand.normal.x, 0.0);
                let along = stand.components(&(across * 0.3));
                (way[2 * v], way[2 * v + 1]) = (along.x, along.y);
            }
            for (e, before) in before.iter().enumerate() {
                let after = lengths(&way, e);
                for k in 0..3 {
                    // Tilted displacements are a little shorter; straight lines over the fold would be much shorter.
                    let change = (after[k] - before[k]).abs() / before[k];
                    assert!(change < model.thresholds.shortened, "{angle} {e} {after:?} {before:?}");
                }
            }
        }
    }

    #[test]
    fn the_room_of_a_triangle_leaves_it_a_tenth_of_its_area() {
        let unit = [Vec2::x(), Vec2::y()];
        let laid = Laid {
            edges: unit,
            ways: [unit[0], unit[1], unit[0], unit[1], unit[0], unit[1]],
            ..Laid::default()
        };
        let area = |gone: [[Real; 2]; 3], part: Real| {
            let [a, b, c] = laid.corners_after(gone.map(|way| way.map(|w| w * part)));
            (b - a).xy().perp(&(c - a).xy())
        };
        for gone in [
            [[0.0, 0.0], [-2.0, 0.5], [0.3, 0.1]],
            [[1.5, 1.5], [0.0, 0.0], [0.0, 0.0]],
            [[0.0; 2], [-1.3, 0.0], [0.0; 2]],
        ] {
            assert!(is_turned_over(&laid.corners_after(gone)));
            let thresholds = Thresholds::default();
            let room = laid.room(gone, &thresholds);
            assert!((area(gone, room) - thresholds.area_kept).abs() < 1e-12, "{gone:?} {room}");
        }
    }

    #[test]
    fn stretches_beyond_the_bound_count_as_the_bound() {
        let most = Thresholds::default().most_stretch;
        let rest = metric([Vec3::zeros(), Vec3::new(1.0, 0.2, 0.0), Vec3::new(0.3, 0.8, 0.1)]);
        for factor in [0.5, 2.9, 10.0, 0.01] {
            let found = bounded(rest.map(|g| g * factor * factor), rest, most);
            let expected: Real = factor.clamp(1.0 / most, most);
            for (found, rest) in found.iter().zip(rest) {
                assert!((found - rest * expected * expected).abs() < 1e-12, "{factor}");
            }
        }
        // Along one direction only.
        let along = |x: Real| metric([Vec3::zeros(), Vec3::x() * x, Vec3::y()]);
        let turned = |g: [Real; 3]| [g[0] + g[1] + 2.0 * g[2], g[1], g[2] + g[1]];
        let found = bounded(turned(along(7.0)), turned(along(1.0)), most);
        for (found, expected) in found.iter().zip(turned(along(most))) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        let gone = bounded([0.0; 3], along(1.0), most);
        let least = 1.0 / (most * most);
        assert!((gone[0] - least).abs() < 1e-12 && (gone[1] - least).abs() < 1e-12, "{gone:?}");
    }
}
