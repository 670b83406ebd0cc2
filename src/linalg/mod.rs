//! Sparse linear algebra with a fixed pattern: work that is the same in every step is done once, and a step allocates
//! nothing.
//!
//! - [`assembly`]: element matrices computed in parallel, summed in a fixed order.
//! - [`order`]: elimination orders: minimum degree, or nested dissection of a mesh.
//! - [`spd`]: Cholesky factors of positive definite systems, analysed once, factored per matrix, solved many times.
//! - [`ldl`]: factors of quasi-definite systems, positive definite in some unknowns and negative definite in the
//!   others.
//! - [`kkt`]: positive definite systems under linear constraints, by eliminating unknowns.
//! - [`cg`]: conjugate gradients for systems too large for a factor per step, preconditioned by an older factor.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod assembly;
pub mod cg;
mod descent;
mod eliminate;
pub mod kkt;
pub mod ldl;
pub mod order;
pub mod product;
mod reduction;
pub mod spd;

/// The nonzero entries of a small matrix, as tests write them.
pub fn sparse(dense: &nalgebra::DMatrix<sinew_math::Real>) -> sprs::CsMat<sinew_math::Real> {
    let mut sum = sprs::TriMat::new(dense.shape());
    for (k, &v) in dense.iter().enumerate().filter(|(_, v)| **v != 0.0) {
        sum.add_triplet(k % dense.nrows(), k / dense.nrows(), v);
    }
    sum.to_csr()
}
