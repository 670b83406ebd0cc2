//! Which muscle vertices carry which skin \[BezierMuscle §4\].

use super::model::Model;
use super::parts::Pad;
use crate::error::{Error, Kind, Result};
use crate::math::{Real, Vec3};
use rayon::prelude::*;

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
    /// The muscles.
    pub muscles: &'a [u32],
    /// Their weights.
    pub weights: &'a [Real],
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
        painted.check(skin.len(), muscles)?;
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

impl Nearest {
    fn new(most: usize) -> Self {
        Nearest { kept: Vec::with_capacity(most + 2), most }
    }

    /// No vertex further than this is kept.
    fn limit(&self) -> Real {
        self.kept.get(self.most).map_or(Real::INFINITY, |last| last.1)
    }

    fn show(&mut self, vertex: u32, distance: Real, reach: Real) {
        if distance < self.limit() {
            let place = self.kept.partition_point(|(_, kept, _)| *kept <= distance);
            self.kept.insert(place, (vertex, distance, reach));
            self.kept.truncate(self.most + 1);
        }
    }

    /// Weights in inverse proportion to distances, with the given sum, as in the print.
    fn by_distance(mut self, sum: Real, scale: Real) -> Vec<(u32, Real)> {
        self.kept.truncate(self.most);
        shared(self.kept.iter().map(|(vertex, distance, _)| (*vertex, inverse(*distance, scale))), sum)
    }

    /// Weights (1 - (d / e)^2)^2, e being where each ends to count: at the next vertex that is not kept, or at its reach.
    /// So a vertex comes and goes with the weight zero, and skin close to a vertex is not drawn after it alone: the skin
    /// stays as smooth as it was.
    fn fading(mut self, sum: Real, scale: Real) -> Vec<(u32, Real)> {
        let next = self.limit();
        self.kept.truncate(self.most);
        let weight = |(vertex, distance, reach): &Near| {
            (*vertex, (1.0 - (distance / next.min(*reach)).powi(2)).max(0.0).powi(2))
        };
        match shared(self.kept.iter().map(weight), sum) {
            // All end where they are, equally near: equal weights.
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
pub(super) fn shared(weights: impl Iterator<Item = (u32, Real)>, sum: Real) -> Vec<(u32, Real)> {
    let mut weights: Vec<(u32, Real)> = weights.filter(|(_, weight)| *weight > 0.0).collect();
    let total: Real = weights.iter().map(|(_, weight)| weight).sum();
    weights.iter_mut().for_each(|(_, weight)| *weight *= sum / total);
    weights
}

/// Muscle vertices closer than this part of the muscle's size count as that far: the inverse of zero is no weight.
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
            let away = point - model.points[vertex];
            let outwards = model.points[vertex] - model.centres[ring];
            let distance = away.norm() + normal.map_or(0.0, |n| aside(&outwards, &n));
            // A muscle that shows through the skin is still on its side.
            if distance > reach || normal.is_some_and(|n| n.dot(&away) < -THROUGH * size) {
                continue;
            }
            weight = weight.max(fading(distance / reach));
            nearest.show(vertex as u32, distance, reach);
        }
    }
    let scale = nearest.kept.first().map_or(1.0, |near| model.parts.muscles[model.muscle_of(near.0)].size);
    nearest.fading(share * weight, scale)
}

/// How much further away a vertex counts as being because it does not face the skin. Between two muscles the vertices
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
    fn check(&self, vertices: usize, muscles: usize) -> Result<()> {
        let total: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        if self.counts.len() != vertices
            || total != self.muscles.len() as u64
            || self.muscles.len() != self.weights.len()
        {
            let message = format!(
                "painted weights of muscles: {} vertices of {vertices}, whose counts add up to {total}; {} muscles and {} \
                 weights",
                self.counts.len(),
                self.muscles.len(),
                self.weights.len()
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
        match self.muscles.iter().find(|&&muscle| muscle as usize >= muscles) {
            Some(muscle) => {
                let message = format!("there is no muscle {muscle}; there are {muscles}");
                Err(Error::new(Kind::OutOfRange, message))
            }
            None => Ok(()),
        }
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
            let (muscles, weights) = (&self.muscles[range.clone()], &self.weights[range]);
            let factor = share(vertex) / weights.iter().sum::<Real>().max(1.0);
            let mut carriers = Vec::new();
            for (muscle, weight) in muscles.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                let mut nearest = Nearest::new(most);
                for vertex in model.vertices_of(*muscle as usize) {
                    nearest.show(vertex as u32, (point - model.points[vertex]).norm(), Real::INFINITY);
                }
                let size = model.parts.muscles[*muscle as usize].size;
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
