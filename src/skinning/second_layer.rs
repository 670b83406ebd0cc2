//! A second layer of influences over the joints' \[BezierMuscle §4\].
//!
//! v = (1 - sum_k w_k) v_joint + sum_k w_k D_k v0 \[eq. 14, 15\]: D_k is the motion of carrier k, such as a vertex of a
//! muscle, since rest. The weights w_k are the products W'_i w'_i of the paper, multiplied once, when the layer is
//! made; what they leave of 1 is the joints' share, so that all weights of a vertex add up to 1.

use super::linear::{Motion, sum};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Largest, Real, Work, nan_or_larger, widest};

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
        let vertices = self.vertex_count();
        if points.len() != 3 * vertices || out.len() != points.len() || motions.len() != self.carrier_count {
            let message = format!(
                "the layer is made for {vertices} vertices and {} carriers, not {} and {}",
                self.carrier_count,
                points.len() / 3,
                motions.len()
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let (points, out) = (points.as_chunks::<3>().0, out.as_chunks_mut::<3>().0);
        let pieces = out.par_chunks_mut(PIECE).zip(points.par_chunks(PIECE)).enumerate();
        let largest = pieces.map(|(k, (out, points))| {
            widest(Piece { layer: self, motions, strength, first: k * PIECE, points, out })
        });
        Ok(largest.reduce(|| 0.0, nan_or_larger))
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
            // Only what displaces has no share.
            let strength = if share * self.strength > 1.0 { 1.0 / share } else { self.strength };
            let rest = 1.0 - strength * share;
            *out = [rest * out[0] + strength * x, rest * out[1] + strength * y, rest * out[2] + strength * z];
        }
        Largest(self.out.as_flattened()).run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::{Affine, Mat3, Rotation, Vec3, affine, transform_point};

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

    #[test]
    fn displacements_take_nothing_from_the_joints() {
        let layer = SecondLayer::new(&[vec![(0, 0.5), (1, 0.25)]], 2).unwrap();
        let motions = [Motion::added(&Vec3::new(1.0, 2.0, 3.0)), Motion::added(&Vec3::new(0.0, 4.0, 0.0))];
        let mut out = [10.0, 20.0, 30.0];
        layer.add(&motions, 1.0, &[7.0, 8.0, 9.0], &mut out).unwrap();
        assert_eq!(out, [10.5, 22.0, 31.5]);
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
