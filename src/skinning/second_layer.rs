//! A second layer of influences over the joints' \[BezierMuscle §4\].
//!
//! v = (1 - sum_k w_k) v_joint + sum_k w_k D_k v0 \[eq. 14, 15\]: D_k is the motion of carrier k, such as a vertex of a
//! muscle, since rest. The weights w_k are the products W'_i w'_i of the paper, multiplied once, when the layer is
//! made; what they leave of 1 is the joints' share, so that all weights of a vertex add up to 1.

use super::linear::{Motion, sum};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Largest, Real, Vec3, Work, nan_or_larger, widest};

/// The carriers of each vertex, packed.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondLayer {
    offsets: Vec<u32>,
    carriers: Vec<u32>,
    weights: Vec<Real>,
    carrier_count: usize,
}

/// Vertices per parallel task.
const PIECE: usize = 1024;

impl SecondLayer {
    /// From the influences of each vertex: carriers and weights, which add up to at most 1.
    pub fn new(vertices: &[Vec<(u32, Real)>], carrier_count: usize) -> Result<Self> {
        let total: usize = vertices.iter().map(Vec::len).sum();
        if total > u32::MAX as usize {
            return Err(Error::new(Kind::TooLarge, "more than 2^32 - 1 influences of muscles"));
        }
        let mut layer = SecondLayer {
            offsets: Vec::with_capacity(vertices.len() + 1),
            carriers: Vec::with_capacity(total),
            weights: Vec::with_capacity(total),
            carrier_count,
        };
        layer.offsets.push(0);
        for (vertex, influences) in vertices.iter().enumerate() {
            let sum: Real = influences.iter().map(|(_, weight)| weight).sum();
            let sound = |weight: Real| weight.is_finite() && weight >= 0.0;
            if sum > 1.0 + SUM_TOLERANCE || !influences.iter().all(|(_, weight)| sound(*weight)) {
                let message =
                    format!("the weights of carriers add up to {sum}, or one is negative or not finite");
                return Err(Error::new(Kind::OutOfRange, message).vertex(vertex));
            }
            if let Some((carrier, _)) = influences.iter().find(|(k, _)| *k as usize >= carrier_count) {
                let message = format!("there is no carrier {carrier}; there are {carrier_count}");
                return Err(Error::new(Kind::OutOfRange, message).vertex(vertex));
            }
            layer.carriers.extend(influences.iter().map(|(carrier, _)| carrier));
            layer.weights.extend(influences.iter().map(|(_, weight)| weight));
            layer.offsets.push(layer.carriers.len() as u32);
        }
        Ok(layer)
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Carriers and weights of a vertex.
    pub fn of(&self, vertex: usize) -> (&[u32], &[Real]) {
        let range = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        (&self.carriers[range.clone()], &self.weights[range])
    }

    /// Adds the layer to vertices that the joints have moved (`out`); `points` are those at rest. All weights are
    /// multiplied by `strength`, but those of a vertex still add up to at most 1. A vertex without carriers keeps its
    /// bits. Returns the largest magnitude of what comes out, or NaN if something is not finite: here it costs nothing
    /// extra.
    pub fn add(&self, motions: &[Motion], strength: Real, points: &[Real], out: &mut [Real]) -> Result<Real> {
        self.check(motions.len(), [points.len(), out.len()])?;
        let (points, out) = (points.as_chunks::<3>().0, out.as_chunks_mut::<3>().0);
        let pieces = out.par_chunks_mut(PIECE).zip(points.par_chunks(PIECE)).enumerate();
        let largest = pieces.map(|(k, (out, points))| {
            widest(Piece { layer: self, motions, strength, first: k * PIECE, points, out })
        });
        Ok(largest.reduce(|| 0.0, nan_or_larger))
    }

    /// Displaces vertices by what their carriers are displaced, times the weights and `strength`. Returns as
    /// [`Self::add`].
    pub fn displace(&self, displacements: &[Displacement], strength: Real, out: &mut [Real]) -> Result<Real> {
        self.check(displacements.len(), [out.len(); 2])?;
        let pieces = out.as_chunks_mut::<3>().0.par_chunks_mut(PIECE).enumerate();
        let largest = pieces.map(|(k, out)| {
            widest(Displaced { layer: self, displacements, strength, first: k * PIECE, out })
        });
        Ok(largest.reduce(|| 0.0, nan_or_larger))
    }

    fn check(&self, carriers: usize, numbers: [usize; 2]) -> Result<()> {
        let vertices = self.vertex_count();
        if numbers == [3 * vertices; 2] && carriers == self.carrier_count {
            return Ok(());
        }
        let message = format!(
            "the layer is made for {vertices} vertices and {} carriers, not {} and {carriers}",
            self.carrier_count,
            numbers[0] / 3
        );
        Err(Error::new(Kind::CountMismatch, message))
    }
}

/// A displacement, in as many numbers as a vector register has.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Displacement([Real; 4]);

impl Displacement {
    /// By a vector.
    pub fn new(v: &Vec3) -> Self {
        Displacement([v.x, v.y, v.z, 0.0])
    }
}

/// How far above 1 rounding may take the sum of a vertex's weights.
const SUM_TOLERANCE: Real = 1e-9;

/// The work of a parallel task.
struct Piece<'a> {
    layer: &'a SecondLayer,
    motions: &'a [Motion],
    strength: Real,
    first: usize,
    points: &'a [[Real; 3]],
    out: &'a mut [[Real; 3]],
}

impl Work for Piece<'_> {
    type Output = Real;

    #[inline(always)]
    fn run(self) -> Real {
        let layer = self.layer;
        let offsets = &layer.offsets[self.first..=self.first + self.out.len()];
        for ((ends, out), point) in offsets.windows(2).zip(&mut *self.out).zip(self.points) {
            let range = ends[0] as usize..ends[1] as usize;
            if range.is_empty() {
                continue;
            }
            let [x, y, z, share] =
                sum(self.motions, &layer.carriers[range.clone()], &layer.weights[range], point);
            let strength = if share * self.strength > 1.0 { 1.0 / share } else { self.strength };
            let rest = 1.0 - strength * share;
            *out = [rest * out[0] + strength * x, rest * out[1] + strength * y, rest * out[2] + strength * z];
        }
        Largest(self.out.as_flattened()).run()
    }
}

/// The work of a parallel task.
struct Displaced<'a> {
    layer: &'a SecondLayer,
    displacements: &'a [Displacement],
    strength: Real,
    first: usize,
    out: &'a mut [[Real; 3]],
}

impl Work for Displaced<'_> {
    type Output = Real;

    #[inline(always)]
    fn run(self) -> Real {
        let layer = self.layer;
        let offsets = &layer.offsets[self.first..=self.first + self.out.len()];
        for (ends, out) in offsets.windows(2).zip(&mut *self.out) {
            let range = ends[0] as usize..ends[1] as usize;
            if range.is_empty() {
                continue;
            }
            let mut sum = [0.0; 4];
            for (&carrier, weight) in layer.carriers[range.clone()].iter().zip(&layer.weights[range]) {
                let by = &self.displacements[carrier as usize].0;
                sum.iter_mut().zip(by).for_each(|(sum, by)| *sum += weight * by);
            }
            out.iter_mut().zip(sum).for_each(|(x, by)| *x += self.strength * by);
        }
        Largest(self.out.as_flattened()).run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::{Affine, Mat3, Rotation, affine, transform_point};

    fn motions() -> Vec<Affine> {
        (0..5)
            .map(|k| {
                let turn = Rotation::from_euler_angles(0.3 * Real::from(k), -0.2, 0.1 * Real::from(k));
                affine(&turn.to_rotation_matrix().into_inner(), &Vec3::new(0.1, 0.2 * Real::from(k), -0.3))
            })
            .collect()
    }

    /// Over more vertices than one piece has.
    fn layer() -> (SecondLayer, Vec<Real>, Vec<Real>) {
        let vertices: Vec<Vec<(u32, Real)>> =
            (0..2500).map(|v| (0..v % 5).map(|k| (k, 0.05 * Real::from(k + 1))).collect()).collect();
        let points = (0..7500).map(|k| Real::from(k % 17) * 0.01).collect();
        let joints = (0..7500).map(|k| Real::from(k % 13) * -0.02).collect();
        (SecondLayer::new(&vertices, 5).unwrap(), points, joints)
    }

    /// Equations 14 and 15 by hand; where nothing carries, the bits of the joints' layer.
    #[test]
    fn both_layers_are_one_weighted_sum() {
        let (layer, points, joints) = layer();
        let carried: Vec<Motion> = motions().iter().map(Motion::new).collect();
        for strength in [1.0, 0.4, 0.0, 3.0] {
            let mut out = joints.clone();
            let largest = layer.add(&carried, strength, &points, &mut out).unwrap();
            assert_eq!(largest, out.iter().map(|x| x.abs()).fold(0.0, Real::max));
            for v in 0..2500 {
                let (at_rest, by_joints) = (at(&points, v), at(&joints, v));
                let (carriers, weights) = layer.of(v);
                let total: Real = weights.iter().sum();
                let factor = if strength * total > 1.0 { 1.0 / total } else { strength };
                let images = carriers
                    .iter()
                    .zip(weights)
                    .map(|(&k, w)| transform_point(&motions()[k as usize], &at_rest) * (w * factor));
                let expected = by_joints * (1.0 - total * factor) + images.sum::<Vec3>();
                assert!((at(&out, v) - expected).norm() < 1e-14);
                assert!(!carriers.is_empty() || at(&out, v) == by_joints);
            }
        }
    }

    fn at(values: &[Real], vertex: usize) -> Vec3 {
        Vec3::from_column_slice(&values[3 * vertex..3 * vertex + 3])
    }

    /// Over more vertices than one piece has; a vertex without carriers keeps its bits.
    #[test]
    fn displacements_are_added() {
        let (layer, _, joints) = layer();
        let by: Vec<Vec3> = (0..5).map(|k| Vec3::new(1.0, -0.3 * Real::from(k), 0.2)).collect();
        let mut out = joints.clone();
        let displacements: Vec<Displacement> = by.iter().map(Displacement::new).collect();
        let largest = layer.displace(&displacements, 1.7, &mut out).unwrap();
        assert_eq!(largest, out.iter().map(|x| x.abs()).fold(0.0, Real::max));
        for v in 0..2500 {
            let (carriers, weights) = layer.of(v);
            let way: Vec3 = carriers.iter().zip(weights).map(|(&k, w)| by[k as usize] * (1.7 * w)).sum();
            assert!((at(&out, v) - at(&joints, v) - way).norm() < 1e-14);
            assert!(!carriers.is_empty() || at(&out, v) == at(&joints, v));
        }
        assert!(layer.displace(&displacements[1..], 1.0, &mut out).is_err());
        assert!(layer.displace(&displacements, 1.0, &mut out[3..]).is_err());
    }

    #[test]
    fn bad_layers_are_refused() {
        let refused = |vertex: Vec<(u32, Real)>| SecondLayer::new(&[vec![], vertex], 2).unwrap_err();
        for vertex in [vec![(0, 0.7), (1, 0.4)], vec![(0, -0.1)], vec![(2, 0.1)], vec![(0, Real::NAN)]] {
            let error = refused(vertex);
            assert_eq!((error.kind(), error.place().vertex), (Kind::OutOfRange, Some(1)));
        }
        let layer = SecondLayer::new(&[vec![(1, 0.5)]], 2).unwrap();
        let motion = Motion::new(&affine(&Mat3::identity(), &Vec3::zeros()));
        assert!(layer.add(&[motion], 1.0, &[0.0; 3], &mut [0.0; 3]).is_err());
        assert!(layer.add(&[motion; 2], 1.0, &[0.0; 6], &mut [0.0; 6]).is_err());
    }
}
