//! Which muscle vertices carry which skin \[BezierMuscle §4\].

use super::model::Model;
use super::parts::Pad;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{ROUNDING, Real, Vec3};

/// How skin is bound to muscles.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// N_m: how many muscle vertices carry a vertex of the skin, for each muscle if weights are painted.
    pub nearest: usize,
    /// For weights that are not painted: how far a muscle reaches, in multiples of its size S.
    pub reach: Real,
    /// The skin's normals, if known: muscles on the other side of the skin, such as those of the other thigh, do not
    /// count for weights that are not painted.
    pub normals: Option<&'a [Vec3]>,
    /// Painted weights.
    pub painted: Option<Painted<'a>>,
}

/// The muscles of each vertex, packed, and their weights W from 0 to 1. Where they add up to more than 1 they are
/// divided by their sum.
#[derive(Clone, Copy, Debug)]
pub struct Painted<'a> {
    /// How many muscles each vertex has.
    pub counts: &'a [u32],
    /// The muscles, as indices into `places`.
    pub muscles: &'a [u32],
    /// Their weights; those within [`ROUNDING`] below 0 are 0.
    pub weights: &'a [Real],
    /// The model's muscle for each that was given; `None` for those that are left out, with their weights.
    pub places: &'a [Option<usize>],
}

/// The carriers of each vertex with their weights W' w' \[eq. 14\], multiplied by `share`, which is from 0 to 1.
pub fn bind(
    model: &Model,
    skin: &[Vec3],
    binding: &Binding,
    share: impl Fn(usize) -> Real + Sync,
) -> Result<Vec<Vec<(u32, Real)>>> {
    let muscles = model.parts.muscles.len();
    if let Some(painted) = &binding.painted {
        painted.check(skin.len())?;
        return Ok(painted.carriers(model, skin, binding.nearest, share));
    }
    let balls: Vec<(Vec3, Real)> = (0..muscles).map(|muscle| ball(model, muscle)).collect();
    let automatic = |vertex: usize| {
        let normal = binding.normals.map(|normals| normals[vertex]);
        let share = share(vertex);
        if share == 0.0 {
            Vec::new()
        } else {
            automatic(model, &balls, &skin[vertex], normal, share, binding)
        }
    };
    Ok((0..skin.len()).into_par_iter().map(automatic).collect())
}

/// The fall-off of a weight with a distance from 0 to 1.
fn fading(distance: Real) -> Real {
    let t = distance.clamp(0.0, 1.0);
    1.0 - t * t * (3.0 - 2.0 * t)
}

/// A ball around the vertices of a muscle.
fn ball(model: &Model, muscle: usize) -> (Vec3, Real) {
    let points = &model.points[model.vertices_of(muscle)];
    let centre = points.iter().sum::<Vec3>() / points.len() as Real;
    (centre, points.iter().map(|p| (p - centre).norm()).fold(0.0, Real::max))
}

/// A muscle vertex, its distance, and the distance at which its muscle's reach ends.
type Near = (u32, Real, Real);

/// Keeps the nearest of those it is shown, in order, and one more; equal ones in the order shown.
struct Nearest {
    kept: Vec<Near>,
    most: usize,
}

/// As many vertices as usually carry skin.
const FEW: usize = 16;

impl Nearest {
    /// `most` may be any number: memory is for those that are shown.
    fn new(most: usize) -> Self {
        Nearest { kept: Vec::with_capacity(most.min(FEW) + 2), most }
    }

    /// No vertex further than this is kept.
    fn limit(&self) -> Real {
        self.kept.get(self.most).map_or(Real::INFINITY, |last| last.1)
    }

    fn show(&mut self, vertex: u32, distance: Real, reach: Real) {
        if distance < self.limit() {
            let place = self.kept.partition_point(|(_, kept, _)| *kept <= distance);
            self.kept.insert(place, (vertex, distance, reach));
            self.kept.truncate(self.most.saturating_add(1));
        }
    }

    /// Weights in inverse proportion to distances, with the given sum, as in the paper.
    fn by_distance(mut self, sum: Real, scale: Real) -> Vec<(u32, Real)> {
        self.kept.truncate(self.most);
        shared(self.kept.iter().map(|(vertex, distance, _)| (*vertex, inverse(*distance, scale))), sum)
    }

    /// Weights (1 - (d / e)^2)^2, e being the distance at which each ceases to count: that of the next vertex that is
    /// not kept, or its reach. So vertices come and go with zero weight, and skin close to a vertex does not follow it
    /// alone: the skin stays as smooth as it was.
    fn fading(mut self, sum: Real, scale: Real) -> Vec<(u32, Real)> {
        let next = self.limit();
        self.kept.truncate(self.most);
        let weight = |(vertex, distance, reach): &Near| {
            (*vertex, (1.0 - (distance / next.min(*reach)).powi(2)).max(0.0).powi(2))
        };
        match shared(self.kept.iter().map(weight), sum) {
            // All are exactly where they cease to count, equally near: equal weights.
            none if none.is_empty() => self.by_distance(sum, scale),
            weights => weights,
        }
    }
}

/// 1 / d; close to a muscle vertex, that of a small distance.
fn inverse(distance: Real, scale: Real) -> Real {
    1.0 / distance.max(CLOSEST * scale)
}

/// Weights with the given sum; none if all are zero.
fn shared(weights: impl Iterator<Item = (u32, Real)>, sum: Real) -> Vec<(u32, Real)> {
    let mut shared = Vec::new();
    share(weights, sum, &mut shared);
    shared
}

/// Writes the weights that are not zero into an empty list, with the given sum.
pub(super) fn share(weights: impl Iterator<Item = (u32, Real)>, sum: Real, to: &mut Vec<(u32, Real)>) {
    to.extend(weights.filter(|(_, weight)| *weight > 0.0));
    let total: Real = to.iter().map(|(_, weight)| weight).sum();
    to.iter_mut().for_each(|(_, weight)| *weight *= sum / total);
}

/// Muscle vertices closer than this fraction of the muscle's size count as that far: the inverse of zero is not a
/// weight.
const CLOSEST: Real = 1e-3;

/// The nearest vertices of all muscles; their sum fades with the distance of the nearest.
fn automatic(
    model: &Model,
    balls: &[(Vec3, Real)],
    point: &Vec3,
    normal: Option<Vec3>,
    share: Real,
    binding: &Binding,
) -> Vec<(u32, Real)> {
    let mut nearest = Nearest::new(binding.nearest);
    let mut weight: Real = 0.0;
    for (muscle, (centre, radius)) in balls.iter().enumerate() {
        let size = model.parts.muscles[muscle].size;
        let reach = size * binding.reach;
        if (point - centre).norm() - radius > reach {
            continue;
        }
        for (vertex, ring) in apart(model, muscle) {
            let Some(distance) = seen(model, (vertex, ring), point, normal, [size, reach]) else { continue };
            weight = weight.max(fading(distance / reach));
            nearest.show(vertex as u32, distance, reach);
        }
    }
    let scale = nearest.kept.first().map_or(1.0, |near| model.parts.muscles[model.muscle_of(near.0)].size);
    nearest.fading(share * weight, scale)
}

/// How far a point of the skin is from a muscle vertex and its ring, as weights count it; none if it is beyond the
/// reach of the muscle, or on the other side of the skin.
fn seen(
    model: &Model,
    (vertex, ring): (usize, usize),
    point: &Vec3,
    normal: Option<Vec3>,
    [size, reach]: [Real; 2],
) -> Option<Real> {
    let away = point - model.points[vertex];
    let outwards = model.points[vertex] - model.centres[ring];
    let distance = away.norm() + normal.map_or(0.0, |n| aside(&outwards, &n));
    // A muscle that shows through the skin is still on its side.
    let is_behind = normal.is_some_and(|n| n.dot(&away) < -THROUGH * size);
    (distance <= reach && !is_behind).then_some(distance)
}

/// Why a muscle carries no skin by weights that are not painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// No skin is within its reach.
    Far,
    /// The skin within its reach faces the other way.
    Behind,
    /// There is skin for it, but others are nearer, or it is shared out otherwise.
    Taken,
}

/// Why a muscle carries none of the skin, if it does not.
pub fn why_idle(model: &Model, muscle: usize, skin: &[Vec3], binding: &Binding) -> Idle {
    let (centre, radius) = ball(model, muscle);
    let size = model.parts.muscles[muscle].size;
    let reach = size * binding.reach;
    let near: Vec<usize> = (0..skin.len()).filter(|v| (skin[*v] - centre).norm() - radius <= reach).collect();
    let is_seen = |sign: Real| {
        let by = |vertex: &usize| {
            let normal = binding.normals.map(|normals| normals[*vertex] * sign);
            apart(model, muscle)
                .any(|of| seen(model, of, &skin[*vertex], normal, [size, reach]).is_some_and(|d| d < reach))
        };
        near.par_iter().any(by)
    };
    match (is_seen(1.0), is_seen(-1.0)) {
        (true, _) => Idle::Taken,
        (false, true) => Idle::Behind,
        (false, false) => Idle::Far,
    }
}

/// The distance that is added to a vertex's because it does not face the skin. Between two muscles the vertices
/// that face each other are the nearest ones, and they widen sideways, so that the skin over the gap would stay behind;
/// those on top lift it.
fn aside(outwards: &Vec3, normal: &Vec3) -> Real {
    outwards.norm() - outwards.dot(normal)
}

/// The vertices of a muscle with their rings, one for each ring whose vertices coincide, as at its ends.
fn apart(model: &Model, muscle: usize) -> impl Iterator<Item = (usize, usize)> {
    let (rings, begin) = (model.rings_of(muscle), model.vertices_of(muscle).start);
    let divisions = model.parts.muscles[muscle].divisions;
    rings.enumerate().flat_map(move |(k, ring)| {
        let count = if model.radii[ring] > 0.0 { divisions } else { 1 };
        (0..count).map(move |vertex| (begin + k * divisions + vertex, ring))
    })
}

/// How far, in multiples of its size, a muscle may show through the skin that it carries.
const THROUGH: Real = 0.5;

impl Painted<'_> {
    fn check(&self, vertices: usize) -> Result<()> {
        let total: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        if self.counts.len() != vertices
            || total != self.muscles.len() as u64
            || self.muscles.len() != self.weights.len()
        {
            let message = format!(
                "painted weights of muscles: {} vertices of {vertices}, whose counts add up to {total}; {} muscles \
                 and {} weights",
                self.counts.len(),
                self.muscles.len(),
                self.weights.len()
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let muscles = self.places.len();
        let wrong = |k: &usize| self.muscles[*k] as usize >= muscles || self.weights[*k] < -ROUNDING;
        let Some(k) = (0..self.muscles.len()).find(wrong) else { return Ok(()) };
        let mut end = 0;
        let vertex = self.counts.iter().position(|count| {
            end += *count as usize;
            k < end
        });
        let (muscle, weight) = (self.muscles[k], self.weights[k]);
        let message = match muscle as usize >= muscles {
            true => format!("there is no muscle {muscle}; there are {muscles}"),
            false => format!("the weight of muscle {muscle} is {weight}; it must not be negative"),
        };
        Err(Error::new(Kind::OutOfRange, message).vertex(vertex.unwrap_or_default()))
    }

    fn carriers(
        &self,
        model: &Model,
        skin: &[Vec3],
        most: usize,
        share: impl Fn(usize) -> Real + Sync,
    ) -> Vec<Vec<(u32, Real)>> {
        let mut begin = 0;
        let ranges: Vec<_> = self
            .counts
            .iter()
            .map(|count| {
                let range = begin..begin + *count as usize;
                begin = range.end;
                range
            })
            .collect();
        let of_vertex = |(vertex, (range, point)): (usize, (std::ops::Range<usize>, &Vec3))| {
            let all = self.muscles[range.clone()].iter().zip(&self.weights[range]);
            let there =
                all.filter_map(|(muscle, weight)| Some((self.places[*muscle as usize]?, weight.max(0.0))));
            let factor = share(vertex) / there.clone().map(|(_, weight)| weight).sum::<Real>().max(1.0);
            let mut carriers = Vec::new();
            for (muscle, weight) in there.filter(|(_, weight)| *weight > 0.0) {
                let mut nearest = Nearest::new(most);
                for vertex in model.vertices_of(muscle) {
                    nearest.show(vertex as u32, (point - model.points[vertex]).norm(), Real::INFINITY);
                }
                let size = model.parts.muscles[muscle].size;
                carriers.extend(nearest.by_distance(weight * factor, size));
            }
            carriers
        };
        ranges.into_par_iter().zip(skin).enumerate().map(of_vertex).collect()
    }
}

/// The pads that displace each vertex, with weights that add up to at most 1.
pub fn bind_pads(
    model: &Model,
    skin: &[Vec3],
    share: impl Fn(usize) -> Real + Sync,
) -> Vec<Vec<(u32, Real)>> {
    let of_vertex = |vertex: usize| {
        let weight = |(k, pad): (usize, &Pad)| {
            let distance = (skin[vertex] - pad.centre.point).norm();
            (k as u32, share(vertex) * fading(distance / pad.radius))
        };
        let pads = model.parts.pads.iter().enumerate();
        let mut weights: Vec<_> = pads.map(weight).filter(|(_, weight)| *weight > 0.0).collect();
        let sum = weights.iter().map(|(_, weight)| weight).sum::<Real>().max(1.0);
        weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
        weights
    };
    (0..skin.len()).into_par_iter().map(of_vertex).collect()
}

#[cfg(test)]
mod tests {
    use super::super::frames::Frames;
    use super::super::tests::model;
    use super::*;

    #[test]
    fn weights_of_carriers_are_those_of_the_print() {
        let model = model(Frames::Stable);
        let skin: Vec<Vec3> = (0..40).map(|k| Vec3::new(0.01 * k as Real, 1.44, 0.03)).collect();
        let counts = vec![2; 40];
        let muscles: Vec<u32> = [0, 2].repeat(40);
        let weights: Vec<Real> = (0..40).flat_map(|k| [0.02 * k as Real, 0.4]).collect();
        let places = [Some(0), Some(1), Some(2)];
        let painted = Painted { counts: &counts, muscles: &muscles, weights: &weights, places: &places };
        let binding = Binding { nearest: 4, reach: 1.0, normals: None, painted: Some(painted) };
        let carriers = bind(&model, &skin, &binding, |_| 1.0).unwrap();
        for (k, carriers) in carriers.iter().enumerate() {
            let total = 0.02 * k as Real + 0.4;
            for (muscle, weight) in [(0, 0.02 * k as Real), (2, 0.4)] {
                let range = model.vertices_of(muscle);
                let own: Vec<_> = carriers.iter().filter(|(v, _)| range.contains(&(*v as usize))).collect();
                let sum: Real = own.iter().map(|(_, w)| w).sum();
                assert!((sum - weight / total.max(1.0)).abs() < 1e-12, "{k} {muscle}");
                // Inverse distances to the four nearest, by a full sort.
                let mut all: Vec<Real> = range.map(|v| (skin[k] - model.points()[v]).norm()).collect();
                all.sort_by(Real::total_cmp);
                let total: Real = all[..4].iter().map(|d| 1.0 / d).sum();
                for ((_, found), distance) in own.iter().zip(&all) {
                    assert!((found - sum / distance / total).abs() < 1e-12);
                }
            }
        }
        let automatic = Binding { painted: None, ..binding };
        let found = bind(&model, &skin, &automatic, |k| if k < 20 { 0.5 } else { 1.0 }).unwrap();
        let sums: Vec<Real> = found.iter().map(|c| c.iter().map(|(_, w)| w).sum()).collect();
        assert!(sums[..20].iter().all(|s| *s <= 0.5) && sums.iter().any(|s| *s > 0.3), "{sums:?}");
        assert!(found.iter().all(|c| c.len() <= 4));
        // Along a line, no weight jumps: a step of 0.1 mm changes none by more than a hundredth.
        let line: Vec<Vec3> = (0..3000).map(|k| Vec3::new(1e-4 * k as Real, 1.45, 0.03)).collect();
        let along = bind(&model, &line, &automatic, |_| 1.0).unwrap();
        let weight =
            |of: &[(u32, Real)], vertex: u32| of.iter().find(|(v, _)| *v == vertex).map_or(0.0, |(_, w)| *w);
        for pair in along.windows(2) {
            for (vertex, _) in pair.iter().flatten() {
                assert!((weight(&pair[0], *vertex) - weight(&pair[1], *vertex)).abs() < 0.01, "{pair:?}");
            }
        }
        // From the other side of a skin that faces away, no muscle is seen.
        let above: Vec<Vec3> = skin.iter().map(|p| p + Vec3::y() * 0.03).collect();
        let facing = |normal: Vec3| {
            let normals = vec![normal; 40];
            let binding = Binding { normals: Some(&normals), reach: 3.0, ..automatic };
            bind(&model, &above, &binding, |_| 1.0).unwrap().iter().filter(|c| !c.is_empty()).count()
        };
        assert_eq!((facing(Vec3::y()) > 20, facing(-Vec3::y())), (true, 0));
        let pads = bind_pads(&model, &skin, |_| 0.5);
        assert_eq!(pads[15].len(), 1);
        let distance = (skin[15] - model.parts().pads[0].centre.point).norm() / 0.12;
        let fading = 1.0 - distance * distance * (3.0 - 2.0 * distance);
        assert!((pads[15][0].1 - 0.5 * fading).abs() < 1e-15);
        assert!(pads[39].is_empty());
    }

    /// Muscles that are left out take their weights along, and those after them keep theirs.
    #[test]
    fn weights_of_muscles_that_are_left_out_do_not_count() {
        let model = model(Frames::Stable);
        let skin = [Vec3::new(0.1, 1.44, 0.03)];
        let bound = |muscles: &[u32], weights: &[Real], places: &[Option<usize>]| {
            let painted = Painted { counts: &[muscles.len() as u32], muscles, weights, places };
            let binding = Binding { nearest: 4, reach: 1.0, normals: None, painted: Some(painted) };
            bind(&model, &skin, &binding, |_| 1.0).unwrap()
        };
        let all = bound(&[0, 2], &[0.25, 0.5], &[Some(0), Some(1), Some(2)]);
        let without = bound(&[0, 1, 3], &[0.25, 0.75, 0.5], &[Some(0), None, Some(1), Some(2)]);
        assert_eq!(all, without);
    }
}
