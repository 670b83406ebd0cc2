//! P and q of a triangle, and q made positive semidefinite.
//!
//! Newton's method needs a positive semidefinite q. Mostly the negative eigenvalues are replaced by zero: then nothing
//! resists a step along which the energy curves down, and the line search finds how far it leads. Where a material
//! stiffens by orders of magnitude the energy curves down as much, and such a step says nothing; there the eigenvalues
//! are replaced by their absolute values, and a step is as long as if the energy curved up (Chen, Liu, Levin, Zheng,
//! Jacobson, "Stabler neo-Hookean simulation: absolute eigenvalue filtering for projected Newton", 2024). A body of
//! 13,000 vertices with exponential skin settles with that and not without. For the other materials it saves steps,
//! too, but on a body that collapses the skin then needs twice as many.

use super::{Strained, eshelby};
use nalgebra::Matrix4;
use sinew_energy::{MembraneEnergy, Strain};
use sinew_math::{Real, without_falls};

/// W's derivatives with respect to L and v.
pub struct Derivatives {
    /// W.
    pub energy: Real,
    /// P by rows.
    pub force: [Real; 4],
    /// q as a symmetric matrix over (L11, L12, L21, L22): its upper triangle by rows.
    pub in_plane: [Real; 10],
    /// The matrix of v^T P v: 11, 12, 22.
    pub out_of_plane: [Real; 3],
}

impl Derivatives {
    /// All derivatives at a strain.
    #[inline(always)]
    pub fn new(strained: &Strained, material: &impl MembraneEnergy, thickness: Real) -> Self {
        let psi = material.value(&strained.strain);
        let gradient = material.gradient(&strained.strain);
        let k = material.hessian(&strained.strain);
        let [c11, c22, c12] = strained.cauchy;
        let [s11, s22, s12] = [gradient[0], gradient[1], 0.5 * gradient[2]];
        let w = thickness * strained.area;
        let force = eshelby(psi, &strained.cauchy, &gradient, w);
        // psi - S:C, twice which times det L is L12 L21 and L11 L22.
        let area = psi - (c11 * s11 + c22 * s22 + 2.0 * c12 * s12);
        // e for L = 11 and 21 has no E_22, for 12 and 22 no E_11.
        let (e11, e21) = ([-c11, -0.5 * c12], [-c12, -0.5 * c22]);
        let (e12, e22) = ([-c12, -0.5 * c11], [-c22, -0.5 * c12]);
        let (from_first, from_second) = (|e: [Real; 2]| stiff(&k, 0, e), |e: [Real; 2]| stiff(&k, 1, e));
        let (k11, k12, k21, k22) = (from_first(e11), from_second(e12), from_first(e21), from_second(e22));
        let (first, second) = (
            |s: &Strain, e: [Real; 2]| s[0] * e[0] + s[2] * e[1],
            |s: &Strain, e: [Real; 2]| s[1] * e[0] + s[2] * e[1],
        );
        let in_plane = [
            w * (first(&k11, e11) + c11 * s11),
            w * (second(&k11, e12) + c11 * s12),
            w * (first(&k11, e21) + c12 * s11),
            w * (second(&k11, e22) + c12 * s12 + area),
            w * (second(&k12, e12) + c11 * s22),
            w * (first(&k12, e21) + c12 * s12 - area),
            w * (second(&k12, e22) + c12 * s22),
            w * (first(&k21, e21) + c22 * s11),
            w * (second(&k21, e22) + c22 * s12),
            w * (second(&k22, e22) + c22 * s22),
        ];
        let out_of_plane = [force[0], 0.5 * (force[1] + force[2]), force[3]];
        Derivatives { energy: w * psi, force, in_plane, out_of_plane }
    }

    /// Makes the second derivatives positive semidefinite, in the principal axes of an isotropic material: there L11
    /// and L22 are decoupled from L12 and L21.
    #[inline(always)]
    pub fn raise_pairs(&mut self, stiffening: bool) {
        let q = &self.in_plane;
        let raised = |pair| raised_pair(pair, stiffening);
        let (lengths, turns) = (raised([q[0], q[3], q[9]]), raised([q[4], q[5], q[7]]));
        self.in_plane =
            [lengths[0], 0.0, 0.0, lengths[1], turns[0], turns[1], 0.0, turns[2], 0.0, lengths[2]];
        self.out_of_plane = pair_without_falls(self.out_of_plane);
    }

    /// The same in any axes.
    pub fn raise(&mut self) {
        let mut q = self.in_plane_matrix();
        without_falls(&mut q);
        for (value, (a, b)) in self.in_plane.iter_mut().zip(UPPER) {
            *value = q[(a, b)];
        }
        self.out_of_plane = pair_without_falls(self.out_of_plane);
    }

    pub(super) fn in_plane_matrix(&self) -> Matrix4<Real> {
        let mut q = Matrix4::zeros();
        for (value, (a, b)) in self.in_plane.iter().zip(UPPER) {
            (q[(a, b)], q[(b, a)]) = (*value, *value);
        }
        q
    }
}

/// Rows and columns of the upper triangle.
const UPPER: [(usize, usize); 10] =
    [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];

/// The stiffness applied to a strain in one of the lengths and the shear.
#[inline(always)]
fn stiff(k: &[Strain; 3], length: usize, e: [Real; 2]) -> Strain {
    [
        k[0][length] * e[0] + k[0][2] * e[1],
        k[1][length] * e[0] + k[1][2] * e[1],
        k[2][length] * e[0] + k[2][2] * e[1],
    ]
}

/// A symmetric matrix (11, 12, 22) made positive semidefinite, for a stiffening material or another one.
#[inline(always)]
pub fn raised_pair(pair: [Real; 3], stiffening: bool) -> [Real; 3] {
    if stiffening { absolute_pair(pair) } else { pair_without_falls(pair) }
}

/// A symmetric matrix (11, 12, 22) projected to positive semidefinite.
#[inline(always)]
fn pair_without_falls([a, between, b]: [Real; 3]) -> [Real; 3] {
    let (mean, half) = (0.5 * (a + b), 0.5 * (a - b));
    let radius = (half * half + between * between).sqrt();
    // At most one eigenvalue is positive: mean + radius, with the projector (1 + (half, between) / radius) / 2.
    let value = if mean + radius > 0.0 { 0.5 * (mean + radius) / radius } else { 0.0 };
    let keep = mean >= radius;
    [
        if keep { a } else { value * (radius + half) },
        if keep { between } else { value * between },
        if keep { b } else { value * (radius - half) },
    ]
}

/// A symmetric matrix (11, 12, 22) with the absolute values of its eigenvalues mean +- radius.
#[inline(always)]
fn absolute_pair([a, between, b]: [Real; 3]) -> [Real; 3] {
    let (mean, half) = (0.5 * (a + b), 0.5 * (a - b));
    let radius = (half * half + between * between).sqrt();
    let definite = mean.abs() >= radius;
    let sign = if mean >= 0.0 { 1.0 } else { -1.0 };
    // One of each sign: radius + mean and radius - mean.
    let turned = mean / radius;
    [
        if definite { sign * a } else { radius + turned * half },
        if definite { sign * between } else { turned * between },
        if definite { sign * b } else { radius - turned * half },
    ]
}
