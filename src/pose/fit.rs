//! Least squares: the shapes that give the offsets of all poses best.

use nalgebra::DMatrix;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};

/// The normal equations of all poses so far: their size depends on the shapes and the vertices alone.
#[derive(Clone, Debug)]
pub struct Fit {
    normal: DMatrix<Real>,
    /// Those of each vertex, one after the other.
    right: Vec<Vec3>,
}

/// More memory than this is a mistake.
const MOST_BYTES: usize = 8 << 30;

impl Fit {
    /// Of so many shapes of so many vertices.
    pub fn new(shapes: usize, vertices: usize) -> Result<Self> {
        let bytes = shapes.saturating_mul(vertices).saturating_mul(size_of::<Vec3>());
        if bytes > MOST_BYTES {
            let message = format!(
                "{shapes} shapes of {vertices} vertices take {} GB: fewer angles or larger steps make fewer shapes",
                bytes >> 30
            );
            return Err(Error::new(Kind::TooLarge, message));
        }
        Ok(Fit { normal: DMatrix::zeros(shapes, shapes), right: vec![Vec3::zeros(); shapes * vertices] })
    }

    /// Adds a pose: the weights of the shapes, and the offset of each vertex.
    pub fn add(&mut self, weights: &[Real], offsets: &[Vec3]) {
        let acting: Vec<(usize, Real)> =
            weights.iter().copied().enumerate().filter(|(_, w)| *w != 0.0).collect();
        for &(a, first) in &acting {
            acting.iter().for_each(|&(b, second)| self.normal[(a, b)] += first * second);
        }
        let rows = self.right.par_chunks_mut(weights.len().max(1)).zip(offsets);
        rows.for_each(|(row, offset)| acting.iter().for_each(|&(k, weight)| row[k] += offset * weight));
    }

    /// The offsets of each shape. `stiffness` keeps shapes small that poses hardly tell apart, as a part of how often
    /// shapes are used on average.
    pub fn shapes(&self, stiffness: Real) -> Result<Vec<Vec<Vec3>>> {
        let count = self.normal.nrows();
        if count == 0 {
            return Ok(Vec::new());
        }
        let stiffness = stiffness * self.normal.trace() / count as Real;
        let matrix = &self.normal + DMatrix::identity(count, count) * stiffness;
        let inverse = matrix.cholesky().map(|factor| factor.inverse());
        let inverse = inverse
            .ok_or_else(|| Error::new(Kind::NoConvergence, "the poses do not tell the shapes apart"))?;
        let shape = |k: usize| -> Vec<Vec3> {
            let row: Vec<Real> = inverse.row(k).iter().copied().collect();
            let vertex = |right: &[Vec3]| right.iter().zip(&row).map(|(right, weight)| right * *weight).sum();
            self.right.chunks(count).map(vertex).collect()
        };
        Ok((0..count).into_par_iter().map(shape).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::driver::{drivers, values};
    use super::*;

    /// Offsets that bend at the points of the driver come out as they are there.
    #[test]
    fn shapes_are_exact_at_the_points_of_one_angle() {
        let drivers = drivers(&[[[0.0; 2], [0.0; 2], [-0.5, 1.5]]], 0.5, 0.05);
        assert_eq!(drivers[0].points, [-0.5, 0.5, 1.0, 1.5]);
        let truth =
            [Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.0, 0.0, -0.3), Vec3::zeros()];
        let mut fit = Fit::new(4, 2).unwrap();
        for k in 0..=40 {
            let weights = values(&drivers, &[[0.0, 0.0, -0.5 + 0.05 * Real::from(k)]]);
            let offset: Vec3 = weights.iter().zip(&truth).map(|(w, t)| t * *w).sum();
            fit.add(&weights, &[offset, Vec3::zeros()]);
        }
        let shapes = fit.shapes(1e-12).unwrap();
        for (shape, truth) in shapes.iter().zip(&truth) {
            assert!((shape[0] - truth).norm() < 1e-10, "{shape:?}");
            assert_eq!(shape[1], Vec3::zeros());
        }
    }

    #[test]
    fn shapes_that_no_pose_uses_are_empty_and_those_that_only_act_together_share() {
        let mut fit = Fit::new(3, 1).unwrap();
        (1..10).for_each(|k| fit.add(&[k as Real, k as Real, 0.0], &[Vec3::x() * k as Real]));
        let shapes = fit.shapes(1e-6).unwrap();
        assert_eq!(shapes[2][0], Vec3::zeros());
        assert!((shapes[0][0].x - 0.5).abs() < 1e-4 && (shapes[1][0].x - 0.5).abs() < 1e-4, "{shapes:?}");
        assert!(Fit::new(1000, 1 << 30).unwrap_err().to_string().contains("fewer angles"));
    }
}
