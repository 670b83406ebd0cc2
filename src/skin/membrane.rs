//! One triangle of skin: its energy as a function of where its three material points are at rest, with both derivatives.
//!
//! The triangle in space is given; the triangle at rest is the unknown \[ThinSkin §3.4\]. With the rest edges D (3x2,
//! \[ThinSkin eq. 1\]) in an orthonormal frame Q of their plane, A = Q^T D, and g the metric of the triangle in space,
//! C = A^-T g A^-1, E = (C - I) / 2 \[ThinSkin eq. 2, 3\] and W = thickness det(A)/2 psi(E).
//!
//! Moving the rest points by dD changes A by L A with L = Q^T dD A^-1. To second order
//!   C + dC = (I - L + L^2)^T C (I - L + L^2),   det(A + dA) = det A (1 + tr L + det L),
//! which gives, with the stress S = dpsi/dE, the stiffness K = d2psi/dE2 and L^2 = L tr L - det L,
//!   W + dW = W + P:L + q(L)/2,   P = w (psi I - C S)   (Eshelby's stress; w = thickness det(A)/2)
//!   q(L) = w (K[e, e] + S:(L^T C L) + 2 (psi - S:C) det L),   e = -(L^T C + C L)/2.
//! Moving out of the plane, dD = n v^T A, adds the second-order term v^T P v.
//!
//! \[ThinSkin §3.4\] lets a computer algebra system write these; its signs for the force and for its derivative do not
//! agree with each other, so they are derived here from the energy and judged by finite differences.

use crate::energy::{Energy, Material, Strain};
use crate::math::{Mat2, Mat3x2, Real, Vec2, Vec3, without_falls};
use nalgebra::{Matrix4, Vector4};

/// What is known of a triangle while its skin moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patch {
    /// The metric of the triangle in space: |x1 - x0|^2, |x2 - x0|^2, (x1 - x0).(x2 - x0).
    pub metric: [Real; 3],
    /// Thickness in metres, times the painted stiffness.
    pub thickness: Real,
    /// How much longer than at ease the skin is at rest.
    pub prestretch: Real,
    /// The direction of the fibres in the space of the rest surface; zero when there are none. Its part out of the
    /// triangle's plane is left out, and so is what that part does to the derivatives.
    pub fibres: Vec3,
}

impl Patch {
    /// The fibres' direction in a plane.
    fn along(&self, normal: &Vec3) -> Option<Vec3> {
        if self.fibres == Vec3::zeros() {
            return None;
        }
        (self.fibres - normal * normal.dot(&self.fibres)).try_normalize(1e-12)
    }
}

/// The strain of a triangle and what it comes from.
pub struct Strained {
    /// An orthonormal frame of the triangle at rest, the first axis along the fibres where there are any.
    pub frame: Mat3x2,
    /// The outward normal of the triangle at rest.
    pub normal: Vec3,
    /// A^-1.
    inverse: Mat2,
    /// C.
    cauchy: Mat2,
    /// E.
    pub strain: Strain,
    /// The area at rest.
    pub area: Real,
}

/// The metric of a triangle.
pub fn metric(points: [Vec3; 3]) -> [Real; 3] {
    let (a, b) = (points[1] - points[0], points[2] - points[0]);
    [a.norm_squared(), b.norm_squared(), a.dot(&b)]
}

/// A symmetric matrix from its (11, 22, 12).
pub fn symmetric(m: &[Real; 3]) -> Mat2 {
    Mat2::new(m[0], m[2], m[2], m[1])
}

/// S from the derivatives by E_11, E_22 and E_12.
fn stress(gradient: &Strain) -> Mat2 {
    Mat2::new(gradient[0], 0.5 * gradient[2], 0.5 * gradient[2], gradient[1])
}

impl Strained {
    /// The strain for the rest edges `edges`; `None` when they span no area.
    pub fn new(edges: &Mat3x2, patch: &Patch) -> Option<Self> {
        let (a, b) = (edges.column(0).into_owned(), edges.column(1).into_owned());
        let cross = a.cross(&b);
        let double_area = cross.norm();
        if !(double_area > 0.0 && double_area.is_finite()) {
            return None;
        }
        let per_area = 1.0 / double_area;
        let normal = cross * per_area;
        let first = patch.along(&normal).unwrap_or_else(|| a * (1.0 / a.norm()));
        let second = normal.cross(&first);
        let (a, b) = (Vec2::new(first.dot(&a), second.dot(&a)), Vec2::new(first.dot(&b), second.dot(&b)));
        // A^-1 and A^-T g A^-1, with det A the double area.
        let inverse = Mat2::new(b.y, -b.x, -a.y, a.x) * per_area;
        let [aa, bb, ab] = patch.metric;
        let (x, y) = (inverse.column(0), inverse.column(1));
        let grown = patch.prestretch * patch.prestretch;
        let form =
            |p: Vec2, q: Vec2| grown * (aa * p.x * q.x + ab * (p.x * q.y + p.y * q.x) + bb * p.y * q.y);
        let (x, y) = (x.into_owned(), y.into_owned());
        let cauchy = [form(x, x), form(y, y), form(x, y)];
        let strain = [0.5 * (cauchy[0] - 1.0), 0.5 * (cauchy[1] - 1.0), 0.5 * cauchy[2]];
        strain.iter().all(|e| e.is_finite()).then_some(Strained {
            frame: Mat3x2::from_columns(&[first, second]),
            normal,
            inverse,
            cauchy: symmetric(&cauchy),
            strain,
            area: 0.5 * double_area,
        })
    }

    /// The same in the principal axes of C, where the second derivatives of a material without a direction fall apart into
    /// two pairs.
    pub fn in_principal_axes(self) -> Self {
        let c = self.cauchy;
        let half = Vec2::new(0.5 * (c.m11 - c.m22), c.m12);
        let (mean, radius) = (0.5 * (c.m11 + c.m22), half.norm());
        // The axis of the larger value is at half the angle of `half`.
        let along = Vec2::new(half.x + radius, half.y);
        let along = if half.x > 0.0 { along } else { Vec2::new(half.y, radius - half.x) };
        let Some(first) = along.try_normalize(0.0) else { return self };
        let turn = Mat2::new(first.x, -first.y, first.y, first.x);
        let (large, small) = (mean + radius, mean - radius);
        Strained {
            frame: self.frame * turn,
            inverse: self.inverse * turn,
            cauchy: Mat2::new(large, 0.0, 0.0, small),
            strain: [0.5 * (large - 1.0), 0.5 * (small - 1.0), 0.0],
            ..self
        }
    }

    /// W.
    pub fn energy(&self, material: &Material, patch: &Patch) -> Real {
        patch.thickness * self.area * material.value(&self.strain)
    }

    /// W and its gradients by the places of the three corners at rest: with the slope G of a corner's weight, moving it by
    /// dX makes L = Q^T dX G^T, so that dW = P:L = dX.(Q P G).
    pub fn pulls(&self, material: &Material, patch: &Patch) -> (Real, [Vec3; 3]) {
        let psi = material.value(&self.strain);
        let w = patch.thickness * self.area;
        let force = eshelby(psi, &self.cauchy, &stress(&material.gradient(&self.strain)), w);
        let [_, second, third] = self.slopes().map(|slope| self.frame * (force * slope));
        (w * psi, [-(second + third), second, third])
    }

    /// The gradients of the three weights on the triangle at rest, in its frame.
    pub fn slopes(&self) -> [Vec2; 3] {
        let second = self.inverse.row(0).transpose();
        let third = self.inverse.row(1).transpose();
        [-(second + third), second, third]
    }
}

/// W's derivatives by L and v.
pub struct Derivatives {
    /// W.
    pub energy: Real,
    /// P.
    pub force: Mat2,
    /// q as a matrix over (L11, L12, L21, L22).
    pub in_plane: Matrix4<Real>,
    /// The matrix of v^T P v.
    pub out_of_plane: Mat2,
}

impl Derivatives {
    /// All derivatives at a strain. With `convex` the second ones are the nearest that do not fall in any direction.
    pub fn new(strained: &Strained, material: &Material, patch: &Patch, convex: bool) -> Self {
        let psi = material.value(&strained.strain);
        let s = stress(&material.gradient(&strained.strain));
        let k = material.hessian(&strained.strain);
        let c = strained.cauchy;
        let w = patch.thickness * strained.area;
        let force = eshelby(psi, &c, &s, w);
        // e for L = 11, 12, 21, 22, and what the stiffness makes of it.
        let strains: [Strain; 4] = [
            [-c.m11, 0.0, -0.5 * c.m12],
            [0.0, -c.m12, -0.5 * c.m11],
            [-c.m12, 0.0, -0.5 * c.m22],
            [0.0, -c.m22, -0.5 * c.m12],
        ];
        let area = psi - c.dot(&s);
        let mut in_plane = Matrix4::zeros();
        for (a, e) in strains.iter().enumerate() {
            let stiff = [dot(&k[0], e), dot(&k[1], e), dot(&k[2], e)];
            for (b, other) in strains.iter().enumerate().take(a + 1) {
                let bent = c[(a / 2, b / 2)] * s[(a % 2, b % 2)] + area * MINORS[a][b];
                let value = w * (dot(&stiff, other) + bent);
                (in_plane[(a, b)], in_plane[(b, a)]) = (value, value);
            }
        }
        let mut out_of_plane = (force + force.transpose()) * 0.5;
        if convex {
            without_falls(&mut in_plane);
            without_falls2(&mut out_of_plane);
        }
        Derivatives { energy: w * psi, force, in_plane, out_of_plane }
    }
}

/// det L is half of this form over (L11, L12, L21, L22).
const MINORS: [[Real; 4]; 4] =
    [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -1.0, 0.0], [0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]];

fn dot(a: &Strain, b: &Strain) -> Real {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// P.
fn eshelby(psi: Real, c: &Mat2, s: &Mat2, w: Real) -> Mat2 {
    (Mat2::identity() * psi - c * s) * w
}

fn without_falls2(m: &mut Mat2) {
    let (mean, half) = (0.5 * (m.m11 + m.m22), Vec2::new(0.5 * (m.m11 - m.m22), m.m12));
    let radius = half.norm();
    if mean >= radius {
        return;
    }
    if mean <= -radius {
        return m.fill(0.0);
    }
    // One eigenvalue is positive: mean + radius, with the projector (1 + half / radius) / 2.
    let (value, axis) = (0.5 * (mean + radius), half / radius);
    *m = Mat2::new(1.0 + axis.x, axis.y, axis.y, 1.0 - axis.x) * value;
}

/// A direction in which one of the three rest points may move: how L and v change with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direction {
    in_plane: Vector4<Real>,
    out_of_plane: Vec2,
}

impl Direction {
    /// Moving the point with the weight gradient `slope` along `along`.
    pub fn new(strained: &Strained, slope: &Vec2, along: &Vec3) -> Self {
        let p = strained.frame.transpose() * along;
        Direction {
            in_plane: Vector4::new(p.x * slope.x, p.x * slope.y, p.y * slope.x, p.y * slope.y),
            out_of_plane: slope * strained.normal.dot(along),
        }
    }

    /// dW along it, from P.
    pub fn slope(&self, force: &Mat2) -> Real {
        self.in_plane.dot(&Vector4::new(force.m11, force.m12, force.m21, force.m22))
    }
}

impl Derivatives {
    /// The second derivatives between any of the directions, by rows.
    pub fn curvature(&self, directions: &[Direction], block: &mut [Real]) {
        let n = directions.len();
        for (a, first) in directions.iter().enumerate() {
            let (l, v) = (self.in_plane * first.in_plane, self.out_of_plane * first.out_of_plane);
            for (b, second) in directions.iter().enumerate().skip(a) {
                let value = l.dot(&second.in_plane) + v.dot(&second.out_of_plane);
                block[a * n + b] = value;
                block[b * n + a] = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::{Fung, NeoHookean, Orthotropic, Stvk};
    use proptest::prelude::*;

    fn materials() -> [Material; 4] {
        [
            Material::Stvk(Stvk::new(2.0, 0.4).unwrap()),
            Material::NeoHookean(NeoHookean::new(2.0, 0.4).unwrap()),
            Material::Fung(Fung::new(2.0, 0.3, 3.0).unwrap()),
            Material::Orthotropic(Orthotropic::new(2.0, 0.3, 2.5).unwrap()),
        ]
    }

    fn edges_of(p: &[Vec3; 3]) -> Mat3x2 {
        Mat3x2::from_columns(&[p[1] - p[0], p[2] - p[0]])
    }

    fn energy(p: &[Vec3; 3], patch: &Patch, material: &Material) -> Real {
        Strained::new(&edges_of(p), patch).unwrap().energy(material, patch)
    }

    /// The gradient and the Hessian over the nine coordinates.
    fn derivatives(p: &[Vec3; 3], patch: &Patch, material: &Material) -> (Vec<Real>, Vec<Real>) {
        let strained = Strained::new(&edges_of(p), patch).unwrap();
        let found = Derivatives::new(&strained, material, patch, false);
        let slopes = strained.slopes();
        let all: Vec<_> =
            (0..9).map(|k| Direction::new(&strained, &slopes[k / 3], &Vec3::ith(k % 3, 1.0))).collect();
        let mut block = vec![0.0; 81];
        found.curvature(&all, &mut block);
        (all.iter().map(|d| d.slope(&found.force)).collect(), block)
    }

    fn triangle(n: &[Real; 9]) -> [Vec3; 3] {
        let base = [Vec3::zeros(), Vec3::new(1.0, 0.1, 0.0), Vec3::new(0.2, 0.9, 0.3)];
        std::array::from_fn(|k| base[k] + 0.25 * Vec3::from_column_slice(&n[3 * k..3 * k + 3]))
    }

    proptest! {
        #[test]
        fn derivatives_are_those_of_finite_differences(
            rest in prop::array::uniform9(-1.0..1.0f64), body in prop::array::uniform9(-1.0..1.0f64),
        ) {
            let (rest, body) = (triangle(&rest), triangle(&body));
            let area = |p: &[Vec3; 3]| (p[1] - p[0]).cross(&(p[2] - p[0])).norm();
            prop_assume!(area(&rest) > 0.4);
            let fibres = (rest[1] - rest[0]) * 0.3 + (rest[2] - rest[0]) * 0.8;
            let patch = Patch { metric: metric(body), thickness: 0.7, prestretch: 1.1, fibres };
            for material in materials() {
                let patch = if material.has_direction() { patch } else { Patch { fibres: Vec3::zeros(), ..patch } };
                let (gradient, hessian) = derivatives(&rest, &patch, &material);
                let scale = 1.0 + energy(&rest, &patch, &material);
                for k in 0..9 {
                    let moved = |s: Real| {
                        let mut p = rest;
                        p[k / 3][k % 3] += s * 1e-6;
                        p
                    };
                    let slope = (energy(&moved(1.0), &patch, &material) - energy(&moved(-1.0), &patch, &material)) / 2e-6;
                    prop_assert!((slope - gradient[k]).abs() < 1e-6 * scale * 100.0, "{material:?} {k} {slope} {}", gradient[k]);
                    if material.has_direction() {
                        // The fibres are held in space; out of the plane they turn with it, which the second
                        // derivative leaves out.
                        continue;
                    }
                    let (up, down) = (derivatives(&moved(1.0), &patch, &material).0, derivatives(&moved(-1.0), &patch, &material).0);
                    for j in 0..9 {
                        let slope = (up[j] - down[j]) / 2e-6;
                        let bound = 1e-4 * (scale + hessian[9 * k + j].abs());
                        prop_assert!((slope - hessian[9 * k + j]).abs() < bound, "{material:?} {k} {j} {slope} {}", hessian[9 * k + j]);
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_triangle_anywhere_in_space_has_no_energy_and_no_force() {
        let p = triangle(&[0.1, -0.3, 0.7, 0.2, 0.5, -0.8, 0.4, -0.1, 0.6]);
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.2, 2.0);
        let moved = p.map(|p| turn * p + Vec3::new(5.0, -3.0, 2.0));
        let patch = Patch { metric: metric(moved), thickness: 1.0, prestretch: 1.0, fibres: Vec3::x() };
        for material in materials() {
            let (gradient, _) = derivatives(&p, &patch, &material);
            assert!(energy(&p, &patch, &material).abs() < 1e-14, "{material:?}");
            assert!(gradient.iter().all(|g| g.abs() < 1e-12), "{material:?} {gradient:?}");
        }
    }

    #[test]
    fn convex_derivatives_do_not_fall() {
        // Skin squeezed to a third.
        let p = triangle(&[0.0; 9]);
        let patch = Patch {
            metric: metric(p.map(|p| p / 3.0)),
            thickness: 1.0,
            prestretch: 1.0,
            fibres: Vec3::zeros(),
        };
        for material in materials() {
            let strained = Strained::new(&edges_of(&p), &patch).unwrap();
            let plain = Derivatives::new(&strained, &material, &patch, false);
            let convex = Derivatives::new(&strained, &material, &patch, true);
            let lowest = |m: &Matrix4<Real>| m.symmetric_eigenvalues().min();
            assert!(lowest(&convex.in_plane) > -1e-12);
            assert_eq!(convex.energy, plain.energy);
        }
    }
}
