//! Contact between bodies: non-penetration and dry friction \[HandThesis §5.2.5; Kaufman et al. 2008, "Staggered
//! projections for frictional contact in multibody systems"\].
//!
//! Shapes are treated as convex: a concave part of a bone is filled for contact. Where two bodies touch, up to four
//! contact points carry one constraint each for the gap along the normal. Friction acts on the patch between them as a
//! whole: two tangential motions at the centre of the load, resisted by at most mu times the sum of normal impulses,
//! and the rotation about the normal by that times the load's mean distance from its centre. The first motion is along
//! the sliding direction, so that the square of bounds, which should be a circle, is exact for straight sliding. Normal
//! impulses and the friction bounds that they set are solved alternately until they agree; friction per point instead
//! of per patch would let the load wander between the points.

use super::matrix::Rows;
use super::patch::{Corner, Patch};
use crate::counts::SPOTS;
use crate::layout::NONE;
use crate::model::Model;
use crate::now::Now;
use crate::parts::{Body, Contact};
use crate::state::State;
use nalgebra::SymmetricEigen;
use parry3d_f64::glamx::{DPose3, DQuat, DVec3};
use parry3d_f64::query::details::contact_support_map_support_map_with_params as nearest;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::{ConvexPolyhedron, SupportMap};
use parry3d_f64::transformation::try_convex_hull;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Solid;
use sinew_math::{Mat3, Placement, Real, Vec3};

/// Points closer than this fraction of the bodies' size are tracked: enough to detect them a few steps before contact.
const WATCHED: Real = 0.05;
/// And those that bodies may close within this many steps: something fast is seen before it is on the other side.
const STEPS_AHEAD: Real = 1.5;
/// Shapes are shrunk to this fraction around their centres of mass: when they touch, the shrunk ones are apart, and the
/// direction between them is well defined. What was removed is added back along it.
const SHRUNK: Real = 0.98;
/// A shape is not shrunk by more than this: far from its centre, points on it would move by more than the width of a
/// small body.
const ALIKE: Real = 2.0;
/// A shape flatter than this has no hull.
const FLAT: Real = 1e-9;
/// Of x by y, x by z and y by z. Any will do with which the principal axes are unequal, and at an angle to those of
/// boxes.
const SHEARS: [Real; 3] = [0.75, 0.375, -0.625];
/// Four points on a plane can share their load in several ways; this fraction of a body's own mobility, 1 / mass, as
/// compliance, makes it unique. Resting bodies creep by it times their weight: 0.1 micrometres a second per millisecond
/// of step.
const SOFTNESS: Real = 1e-5;
/// Gaps and distances between contact points that differ by less than this fraction of the bodies' size are the same:
/// which of the corners of a standing box are chosen does not depend on round-off.
const SAME: Real = 1e-6;
/// A body stands on the corners whose gaps are within this fraction of its size of the least.
const STANDING: Real = 1e-3;
/// A surface on which less than this fraction of gravity draws along it is level.
const LEVEL: Real = 1e-3;
/// Bodies slower than this, in m/s, do not slide.
const STILL: Real = 1e-6;

/// A point where two bodies touch or nearly do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spot {
    pub place: Vec3,
    /// From the first body to the second.
    pub normal: Vec3,
    pub gap: Real,
    /// Its place among the corners: the points keep their order in the rows while bodies stand on the same corners, so
    /// that the impulses of the last step are those of the same points.
    order: usize,
}

/// The convex hulls of two bodies that may touch.
struct Hulls {
    shrunk: [ConvexPolyhedron; 2],
    /// The fraction of their size to which they are shrunk.
    parts: [Real; 2],
    /// The size of the smaller one.
    size: Real,
}

/// Contact detection.
pub struct Touching {
    /// For each contact; none if a body has no shape.
    hulls: Vec<Option<Hulls>>,
    /// Reused memory.
    patches: Vec<Patch>,
    simplex: VoronoiSimplex,
    spots: Vec<[Option<Spot>; SPOTS]>,
    /// Whether friction is left out.
    pub slippery: bool,
}

impl Touching {
    pub fn new(model: &Model) -> Result<Self> {
        let parts = model.parts();
        let hulls = parts.contacts.iter().map(|contact| Hulls::new(contact.bodies.map(|b| &parts.bodies[b])));
        let hulls = hulls.collect::<Result<Vec<Option<Hulls>>>>()?;
        let patch = |hulls: &Option<Hulls>| hulls.as_ref().map_or_else(Patch::default, Hulls::patch);
        Ok(Touching {
            patches: hulls.iter().map(patch).collect(),
            simplex: VoronoiSimplex::new(),
            spots: vec![[None; SPOTS]; hulls.len()],
            hulls,
            slippery: false,
        })
    }

    /// The contact points at the start of a step of h seconds; scripted bodies move with the given velocities.
    pub fn update(&mut self, model: &Model, state: &State, led: &[[Vec3; 2]], h: Real) {
        let gravity = model.settings().gravity.norm();
        for (c, contact) in model.parts().contacts.iter().enumerate() {
            let places = contact.bodies.map(|b| state.bodies[b].place);
            let Some(hulls) = &self.hulls[c] else { continue };
            let closing = closing(model, state, led, contact) + gravity * h;
            let watched = (WATCHED * hulls.size).max(STEPS_AHEAD * h * closing);
            let [first, second] = &hulls.shrunk;
            let between = places[0].inverse() * places[1];
            self.spots[c] = [None; SPOTS];
            // No direction to begin with: anything kept from the last step would make the answer depend on the past.
            let found = nearest(&pose(&between), first, second, watched, &mut self.simplex, None);
            let GJKResult::ClosestPoints(one, other, normal) = found else { continue };
            let (normal, ends) = (vec3(normal), [vec3(one), vec3(other)]);
            let patch = &mut self.patches[c];
            patch.find(&between, &normal);
            patch.corners.extend(hulls.beyond(&patch.corners, ends, &between, &normal));
            let out = places[0].direction(&normal);
            let corners = patch.corners.iter().enumerate().filter(|(_, corner)| corner.gap <= watched);
            let spots = corners.map(|(order, corner)| Spot {
                place: places[0].point(&corner.place),
                normal: out,
                gap: corner.gap,
                order,
            });
            let chosen = &mut self.spots[c];
            tipping_edge(chosen, spots.clone(), leaning(model, state, contact.bodies, &out), hulls.size);
            choose(chosen, spots, SAME * hulls.size);
            chosen.sort_unstable_by_key(|spot| spot.map_or(usize::MAX, |spot| spot.order));
        }
    }

    /// Fills the rows of a contact; the bounds of friction come from the impulses of the last step.
    pub fn fill(&self, now: &Now, rows: &mut Rows, first: usize, c: usize, h: Real) {
        let contact = &now.parts().contacts[c];
        let (impulses, pair) = (&now.state.impulses, contact.bodies);
        for (k, spot) in self.spots[c].iter().enumerate() {
            let Some(spot) = spot else { continue };
            between(now, rows, first + k, pair, &spot.place, &spot.normal);
            rows.keep_apart(first + k, spot.gap, h);
            rows.compliance[first + k] = SOFTNESS * now.lightness(pair);
        }
        let Some(load) = self.load(c, first, impulses) else { return };
        let [one, other] = pair.map(|b| &now.state.bodies[b]);
        let sliding = other.velocity_at(&load.middle) - one.velocity_at(&load.middle);
        let along = across(&load.normal, &sliding, &now.model.settings().gravity);
        between(now, rows, first + SPOTS, pair, &load.middle, &along);
        between(now, rows, first + SPOTS + 1, pair, &load.middle, &load.normal.cross(&along));
        rows.turn(now, first + SPOTS + 2, pair[1], &load.normal);
        rows.turn(now, first + SPOTS + 2, pair[0], &-load.normal);
        self.rub(contact, rows, first, c, impulses);
    }

    /// Bounds friction by the normal impulses.
    fn rub(&self, contact: &Contact, rows: &mut Rows, first: usize, c: usize, impulses: &[Real]) {
        let Some(load) = self.load(c, first, impulses) else { return };
        let most = contact.friction * load.whole;
        rows.rub(first + SPOTS, most);
        rows.rub(first + SPOTS + 1, most);
        rows.rub(first + SPOTS + 2, most * load.reach);
    }

    /// The load on a patch; before any load is known, all points share it equally.
    fn load(&self, c: usize, first: usize, impulses: &[Real]) -> Option<Load> {
        let spots = &self.spots[c];
        let normal = spots.iter().flatten().next()?.normal;
        let pressing = |k: usize| impulses[first + k].max(0.0);
        let whole: Real = (0..SPOTS).filter(|&k| spots[k].is_some()).map(pressing).sum();
        let count = spots.iter().flatten().count() as Real;
        let share = |k: usize| if whole > 0.0 { pressing(k) / whole } else { 1.0 / count };
        let places = || spots.iter().enumerate().filter_map(|(k, spot)| spot.map(|spot| (k, spot.place)));
        let middle: Vec3 = places().map(|(k, place)| place * share(k)).sum();
        let reach = places().map(|(k, place)| (place - middle).norm() * share(k)).sum();
        Some(Load { normal, middle, reach, whole })
    }

    /// Sets the bounds of friction by the normal impulses; returns how far they moved, relative to the largest.
    pub fn rebound(&self, model: &Model, rows: &mut Rows, impulses: &[Real]) -> Real {
        let (mut moved, mut largest): (Real, Real) = (0.0, 0.0);
        for (c, contact) in model.parts().contacts.iter().enumerate() {
            let first = model.layout.contact_rows[c];
            let before = rows.high[first + SPOTS];
            self.rub(contact, rows, first, c, impulses);
            let most = rows.high[first + SPOTS];
            (moved, largest) = (moved.max((most - before).abs()), largest.max(most));
        }
        if largest > 0.0 { moved / largest } else { 0.0 }
    }

    /// The points of a contact, by the order of its rows.
    pub fn spots(&self, c: usize) -> impl Iterator<Item = (usize, &Spot)> {
        self.spots[c].iter().enumerate().filter_map(|(k, spot)| spot.as_ref().map(|spot| (k, spot)))
    }

    /// The points of a contact where the bodies press on each other, with the impulses there; `first` is its first row.
    pub fn pressing(&self, c: usize, first: usize, impulses: &[Real]) -> impl Iterator<Item = (Vec3, Real)> {
        let pressing = self.spots[c].iter().zip(&impulses[first..]).filter(|(_, impulse)| **impulse > 0.0);
        pressing.filter_map(|(spot, impulse)| spot.map(|spot| (spot.place, *impulse)))
    }

    /// Whether any bodies touch with friction.
    pub fn rubs(&self, model: &Model) -> bool {
        if self.slippery {
            return false;
        }
        let contacts = model.parts().contacts.iter().zip(&self.spots);
        contacts
            .into_iter()
            .any(|(contact, spots)| contact.friction > 0.0 && spots.iter().any(Option::is_some))
    }
}

/// A bound for the speed at which two bodies approach each other anywhere.
fn closing(model: &Model, state: &State, led: &[[Vec3; 2]], contact: &Contact) -> Real {
    let speeds = contact.bodies.map(|b| match model.layout.bodies[b] {
        NONE => led[b],
        _ => [state.bodies[b].angular, state.bodies[b].linear],
    });
    let turning = |k: usize| {
        let solid = model.parts().bodies[contact.bodies[k]].solid.as_ref();
        speeds[k][0].norm() * solid.map_or(0.0, Solid::extent)
    };
    (speeds[1][1] - speeds[0][1]).norm() + turning(0) + turning(1)
}

/// The load on a patch.
struct Load {
    normal: Vec3,
    middle: Vec3,
    /// Its mean distance from the centre.
    reach: Real,
    /// The sum of the impulses.
    whole: Real,
}

/// A row for the motion of the second body relative to the first at a point.
fn between(now: &Now, rows: &mut Rows, row: usize, pair: [usize; 2], place: &Vec3, along: &Vec3) {
    rows.material(now, row, pair[1], place, along);
    rows.material(now, row, pair[0], place, &-along);
}

impl Hulls {
    fn new(bodies: [&Body; 2]) -> Result<Option<Self>> {
        let [Some(first), Some(second)] = bodies.map(|body| body.solid.as_ref()) else { return Ok(None) };
        let sizes = [first, second].map(Solid::extent);
        let size = sizes[0].min(sizes[1]);
        let parts = sizes.map(|own| if own > ALIKE * size { 1.0 } else { SHRUNK });
        let shrunk = [hull(bodies[0], first, parts[0])?, hull(bodies[1], second, parts[1])?];
        Ok(Some(Hulls { shrunk, parts, size }))
    }

    fn patch(&self) -> Patch {
        let [first, second] = &self.shrunk;
        Patch::new([first, second], self.parts)
    }

    /// How far the full hull extends beyond the shrunk one in a direction, in its own axes.
    fn skin(&self, which: usize, direction: &Vec3) -> Real {
        let direction = DVec3::new(direction.x, direction.y, direction.z);
        let reach = self.shrunk[which].local_support_point(direction).dot(direction);
        reach * (1.0 / self.parts[which] - 1.0)
    }

    /// Where the bodies are closest, if they are closer there than at all these corners: at the tip of a spike, whose
    /// faces look aside. `ends` are the closest points of the shrunk hulls, in the axes of the first body.
    fn beyond(
        &self,
        corners: &[Corner],
        ends: [Vec3; 2],
        second: &Placement,
        normal: &Vec3,
    ) -> Option<Corner> {
        let skins = [self.skin(0, normal), self.skin(1, &-second.direction_inside(normal))];
        let gap = (ends[1] - ends[0]).dot(normal) - skins[0] - skins[1];
        if corners.iter().any(|corner| corner.gap <= gap + SAME * self.size) {
            return None;
        }
        // The more accurate one: which moves less from the shrunk to the full hull.
        let grown = [ends[0] / self.parts[0], second.point(&(second.point_inside(&ends[1]) / self.parts[1]))];
        let moved = [0, 1].map(|k| (grown[k] - ends[k]).norm());
        let body = usize::from(moved[1] < moved[0]);
        Some(Corner { place: grown[body] + normal * ([0.5, -0.5][body] * gap), gap })
    }
}

/// The convex hull of a body, shrunk. It is computed on the body stretched to equal extents, because a plate a thousand
/// times as wide as thick would be taken for flat; the hull of the stretched body is the stretched hull.
///
/// It is sheared, too: parry begins with the principal axes of what it is given, by a cosine of the C library, whose
/// last bits depend on the processor. Of equal extents they would decide the axes, and of a box's corners, which is the
/// farthest.
fn hull(body: &Body, solid: &Solid, part: Real) -> Result<ConvexPolyhedron> {
    let none =
        || Error::new(Kind::Degenerate, format!("body \"{}\" has no convex hull for contact", body.name));
    let points = solid.positions();
    let middle = points.iter().sum::<Vec3>() / points.len().max(1) as Real;
    let spread = points.iter().map(|p| (p - middle) * (p - middle).transpose()).sum::<Mat3>();
    let axes = SymmetricEigen::new(spread);
    let sizes = axes.eigenvalues.map(|square| square.max(0.0).sqrt());
    if sizes.min() <= FLAT * sizes.max() {
        return Err(none());
    }
    // Not mirrored, which would turn the triangles inside out.
    let mut turn = axes.eigenvectors;
    if turn.determinant() < 0.0 {
        turn.neg_mut();
    }
    let round = |p: &Vec3| {
        let p = turn.tr_mul(&(p - middle)).component_div(&sizes);
        let [a, b, c] = SHEARS;
        DVec3::new(p.x + a * p.y + b * p.z, p.y + c * p.z, p.z)
    };
    let round: Vec<DVec3> = points.iter().map(round).collect();
    let (corners, triangles) = try_convex_hull(&round).map_err(|_| none())?;
    let back = |p: &DVec3| {
        let [a, b, c] = SHEARS;
        let y = p.y - c * p.z;
        let p = Vec3::new(p.x - a * y - b * p.z, y, p.z);
        let p = (middle + turn * p.component_mul(&sizes)) * part;
        DVec3::new(p.x, p.y, p.z)
    };
    ConvexPolyhedron::from_convex_mesh(corners.iter().map(back).collect(), &triangles).ok_or_else(none)
}

/// Adds to the points picked: the deepest if it is deeper than these, the one farthest from all, and so on; of those
/// that differ by less than `same`, the first.
fn choose(spots: &mut [Option<Spot>; SPOTS], found: impl Iterator<Item = Spot> + Clone, same: Real) {
    let picked = spots.iter().flatten().count();
    let deepest = spots.iter().flatten().map(|spot| spot.gap).fold(Real::INFINITY, Real::min);
    for k in picked..SPOTS {
        let chosen = &spots[..k];
        let deeper = k == picked && found.clone().any(|spot| spot.gap < deepest - same);
        let worth = |spot: &Spot| {
            let apart = chosen.iter().flatten().map(|other| (other.place - spot.place).norm());
            if deeper { -spot.gap } else { apart.fold(Real::INFINITY, Real::min) }
        };
        let all = found.clone().map(|spot| (worth(&spot), spot));
        let best = all.reduce(|a, b| if b.0 > a.0 + same { b } else { a });
        spots[k] = best.filter(|(worth, _)| deeper || *worth > same).map(|(_, spot)| spot);
    }
}

/// Picks the edge over which a body would tip that stands on more corners than there are spots: of the points that
/// nearly touch, the two between which it leans out farthest.
fn tipping_edge(
    spots: &mut [Option<Spot>; SPOTS],
    found: impl Iterator<Item = Spot> + Clone,
    leaning: Option<[Vec3; 2]>,
    size: Real,
) {
    let Some([foot, towards]) = leaning.filter(|_| found.clone().count() > SPOTS) else { return };
    let deepest = found.clone().map(|spot| spot.gap).fold(Real::INFINITY, Real::min);
    let deep = found.filter(|spot| spot.gap <= deepest + STANDING * size);
    // Across and along the direction of leaning.
    let seen = |spot: &Spot| {
        let way = spot.place - foot;
        [spot.normal.cross(&towards).dot(&way), towards.dot(&way)]
    };
    let mut best: Option<(Real, [Spot; 2])> = None;
    for left in deep.clone().filter(|spot| seen(spot)[0] >= 0.0) {
        for right in deep.clone().filter(|spot| seen(spot)[0] < 0.0) {
            let ([across, along], [other, farther]) = (seen(&left), seen(&right));
            let reach = along + (farther - along) * across / (across - other);
            if best.as_ref().is_none_or(|(most, _)| reach > most + SAME * size) {
                best = Some((reach, [left, right]));
            }
        }
    }
    if let Some((_, edge)) = best {
        edge.into_iter().zip(spots).for_each(|(spot, slot)| *slot = Some(spot));
    }
}

/// Of the body that lies on the other, its centre of mass, and the direction across the normal in which gravity draws
/// it; `None` if it is drawn straight onto the other.
fn leaning(model: &Model, state: &State, pair: [usize; 2], normal: &Vec3) -> Option<[Vec3; 2]> {
    let gravity = model.settings().gravity;
    let upper = pair[usize::from(gravity.dot(normal) < 0.0)];
    let towards = gravity - normal * gravity.dot(normal);
    let leans = towards.norm() > LEVEL * gravity.norm();
    leans.then(|| [state.bodies[upper].place.origin, towards.normalize()])
}

/// The tangential direction in which bodies slide, or would under gravity.
fn across(normal: &Vec3, sliding: &Vec3, gravity: &Vec3) -> Vec3 {
    let flat = |v: &Vec3| v - normal * normal.dot(v);
    let any = flat(&Vec3::ith(normal.iamin(), 1.0));
    let sliding = flat(sliding);
    let falling = flat(gravity);
    let chosen = if sliding.norm() > STILL {
        sliding
    } else if falling.norm() > LEVEL * gravity.norm() {
        falling
    } else {
        any
    };
    chosen.try_normalize(0.0).unwrap_or_else(|| any.normalize())
}

fn vec3(v: DVec3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

fn pose(place: &Placement) -> DPose3 {
    let (q, p) = (place.rotation.quaternion(), &place.origin);
    DPose3::from_parts(DVec3::new(p.x, p.y, p.z), DQuat::from_xyzw(q.i, q.j, q.k, q.w))
}
