//! Smooths the weights of carriers over the skin: abrupt changes from vertex to vertex would show as creases.

use super::bind::share;
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_geometry::{Around, Mesh};
use sinew_math::Real;

/// A vertex keeps this fraction of its own weights in each round; the rest comes from its neighbours in equal parts.
const OWN: Real = 0.5;

/// While weights are averaged a vertex keeps this many times the carriers that it has in the end.
const SPARE: usize = 4;

/// Threads take at least this many vertices, so that their memory for sums is allocated only a few times.
const VERTICES_AT_ONCE: usize = 512;

/// Averages the weights of each vertex with those of its neighbours along the edges of the faces, `rounds` times, and
/// keeps the `most` largest; their sum stays. Vertices at one place, as where UVs have a seam, count as one.
pub fn smooth_carriers(
    carriers: &mut [Vec<(u32, Real)>],
    skin: &Mesh,
    rounds: usize,
    most: usize,
    control: &Control,
) -> Result<()> {
    if rounds == 0 {
        return Ok(());
    }
    let Around { together, neighbours } = Around::new(skin);
    let numbers = carriers.iter().flatten().map(|(carrier, _)| *carrier as usize + 1).max().unwrap_or(0);
    let mut averaged = vec![Vec::new(); carriers.len()];
    for round in 1..=rounds {
        control.check()?;
        let most = if round < rounds { SPARE.saturating_mul(most) } else { most };
        let before = &*carriers;
        let places = averaged.par_iter_mut().enumerate().with_min_len(VERTICES_AT_ONCE);
        places.for_each_init(
            || Averages::new(numbers),
            |averages, (vertex, kept)| {
                if together[vertex] as usize == vertex {
                    averages.average(before, vertex, &neighbours[vertex], most, kept);
                }
            },
        );
        carriers.swap_with_slice(&mut averaged);
    }
    for (vertex, &first) in together.iter().enumerate() {
        if first as usize != vertex {
            carriers[vertex] = carriers[first as usize].clone();
        }
    }
    Ok(())
}

/// Reused memory: the sums of the weights of carriers.
struct Averages {
    /// Of every carrier there is; zero between vertices.
    sums: Vec<Real>,
    /// Those that carry the vertex at hand.
    found: Vec<u32>,
    weights: Vec<(u32, Real)>,
}

impl Averages {
    fn new(carriers: usize) -> Self {
        Averages { sums: vec![0.0; carriers], found: Vec::new(), weights: Vec::new() }
    }

    /// Averages the weights of a vertex with those of its neighbours; writes the `most` largest into `kept`.
    fn average(
        &mut self,
        before: &[Vec<(u32, Real)>],
        vertex: usize,
        neighbours: &[u32],
        most: usize,
        kept: &mut Vec<(u32, Real)>,
    ) {
        kept.clear();
        if neighbours.is_empty() {
            kept.extend_from_slice(&before[vertex]);
            return;
        }
        let part = (1.0 - OWN) / neighbours.len() as Real;
        let around = neighbours.iter().map(|&other| (other as usize, part));
        for (other, part) in std::iter::once((vertex, OWN)).chain(around) {
            for (carrier, weight) in &before[other] {
                let sum = &mut self.sums[*carrier as usize];
                // No weight is zero: see `share`.
                if *sum == 0.0 {
                    self.found.push(*carrier);
                }
                *sum += part * weight;
            }
        }
        self.weights.clear();
        let take = |carrier: u32| (carrier, std::mem::take(&mut self.sums[carrier as usize]));
        self.weights.extend(self.found.drain(..).map(take));
        let sum = self.weights.iter().map(|(_, weight)| weight).sum();
        // Minus the largest one that is not kept: which of several equal ones that is must not matter.
        let mut least = 0.0;
        if self.weights.len() > most {
            self.weights.select_nth_unstable_by(most, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            least = self.weights[most].1;
            self.weights.truncate(most);
        }
        share(self.weights.iter().map(|(carrier, weight)| (*carrier, weight - least)), sum, kept);
        if kept.is_empty() {
            // All alike.
            share(self.weights.iter().copied(), sum, kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;
    use sinew_math::Vec3;

    /// A cylinder whose vertices are doubled, as where a host splits them at seams.
    fn split() -> Mesh {
        let mesh = shapes::cylinder(0.1, 0.4, 12, 10);
        let count = mesh.positions.len() as u32;
        let mut doubled = mesh.positions.clone();
        doubled.extend_from_slice(&mesh.positions);
        let corners = mesh.corner_vertices.iter().enumerate();
        let corner_vertices =
            corners.map(|(corner, &v)| if corner % 3 == 0 { v + count } else { v }).collect();
        Mesh { positions: doubled, corner_vertices, ..mesh }
    }

    /// A step from one carrier to another becomes a ramp; sums stay; both vertices of a place stay alike.
    #[test]
    fn a_step_becomes_a_ramp_and_sums_stay() {
        let skin = split();
        let step = |height: Real| vec![(u32::from(height > 0.2), 0.8)];
        let mut carriers: Vec<_> = skin.positions.iter().map(|p| step(p.y)).collect();
        smooth_carriers(&mut carriers, &skin, 12, 2, &Control::default()).unwrap();
        let upper = |of: &[(u32, Real)]| of.iter().find(|(k, _)| *k == 1).map_or(0.0, |(_, w)| *w);
        let half = skin.positions.len() / 2;
        for vertex in 0..half {
            let sum: Real = carriers[vertex].iter().map(|(_, weight)| weight).sum();
            assert!((sum - 0.8).abs() < 1e-14, "{sum}");
            assert_eq!(carriers[vertex], carriers[vertex + half]);
        }
        for edge in skin.corner_vertices.chunks_exact(4).flat_map(|face| face.array_windows::<2>()) {
            let [a, b] = edge.map(|vertex| upper(&carriers[vertex as usize]));
            assert!((a - b).abs() < 0.2, "{a} beside {b}, where they were 0 and 0.8");
        }
    }

    /// Which of many nearly equal carriers are kept does not depend on round-off.
    #[test]
    fn a_hair_does_not_matter() {
        let skin = split();
        let around = |p: &Vec3| {
            let towards = |k: u32| (p.z.atan2(p.x) - Real::from(k)).cos() + 1.0;
            (0..6).map(|k| (k, 0.1 * towards(k))).collect::<Vec<_>>()
        };
        let mut carriers: Vec<_> = skin.positions.iter().map(around).collect();
        let mut other = carriers.clone();
        for (vertex, weights) in other.iter_mut().enumerate() {
            weights
                .iter_mut()
                .for_each(|(k, w)| *w *= 1.0 + 1e-9 * ((vertex as Real + Real::from(*k)).sin()));
        }
        smooth_carriers(&mut carriers, &skin, 4, 3, &Control::default()).unwrap();
        smooth_carriers(&mut other, &skin, 4, 3, &Control::default()).unwrap();
        let weight = |of: &[(u32, Real)], k: u32| of.iter().find(|(c, _)| *c == k).map_or(0.0, |(_, w)| *w);
        for (a, b) in carriers.iter().zip(&other) {
            (0..6).for_each(|k| assert!((weight(a, k) - weight(b, k)).abs() < 1e-6, "{a:?} {b:?}"));
        }
    }

    #[test]
    fn no_rounds_change_nothing_and_few_carriers_are_kept() {
        let skin = split();
        let mut carriers: Vec<_> = (0..skin.positions.len() as u32).map(|v| vec![(v % 7, 0.5)]).collect();
        let before = carriers.clone();
        smooth_carriers(&mut carriers, &skin, 0, 3, &Control::default()).unwrap();
        assert_eq!(carriers, before);
        smooth_carriers(&mut carriers, &skin, 5, 3, &Control::default()).unwrap();
        assert!(carriers.iter().all(|of| of.len() <= 3) && carriers != before);
    }
}
