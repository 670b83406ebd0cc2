//! One triangle of skin: its energy as a function of the rest positions of its three material points, with both
//! derivatives.
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
//! \[ThinSkin §3.4\] derives these by computer algebra; its signs for the force and for the force's derivative
//! contradict each other, so they are derived here from the energy and checked by finite differences.

mod derivatives;
mod strip;

pub use derivatives::Derivatives;
pub use strip::{Bent, Strip, WIDE, Ways};

use sinew_energy::{Material, MembraneEnergy, MembraneMaterial, Strain};
use sinew_math::{Mat2, Mat3x2, Real, Vec2, Vec3};

/// The constants of a triangle while its skin moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patch {
    /// The metric of the triangle in space: |x1 - x0|^2, |x2 - x0|^2, (x1 - x0).(x2 - x0).
    pub metric: [Real; 3],
    /// Thickness in metres, times the painted stiffness.
    pub thickness: Real,
    /// The ratio of length at rest to unstressed length.
    pub prestretch: Real,
    /// The fibre direction in the space of the rest surface; zero if there is none, and the material is then the same
    /// in all directions. Its component out of the triangle's plane is ignored, and so is that component's effect on
    /// the derivatives.
    pub fibres: Vec3,
}

/// Fibres whose in-plane component is shorter than this have no direction there.
const SHORTEST_FIBRE: Real = 1e-12;

/// The strain of a triangle and its ingredients.
///
/// All of it is written out in scalars and without branches, so that loops over triangles vectorise ([`Strip`]).
#[derive(Clone, Copy)]
pub struct Strained {
    /// An orthonormal frame of the triangle at rest, the first axis along the fibres where there are any.
    pub frame: Mat3x2,
    /// Whether fibres set the first axis.
    pub fibrous: bool,
    /// The outward normal of the triangle at rest.
    pub normal: Vec3,
    /// A^-1.
    inverse: Mat2,
    /// C: 11, 22, 12.
    cauchy: [Real; 3],
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

#[inline(always)]
pub(super) fn dot(a: &Vec3, b: &Vec3) -> Real {
    a.x * b.x + a.y * b.y + a.z * b.z
}

#[inline(always)]
pub(super) fn cross(a: &Vec3, b: &Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

/// The columns of a frame, rotated.
#[inline(always)]
fn along(frame: &Mat3x2, x: Real, y: Real) -> Vec3 {
    Vec3::new(frame.m11 * x + frame.m12 * y, frame.m21 * x + frame.m22 * y, frame.m31 * x + frame.m32 * y)
}

impl Strained {
    /// The strain for the rest edges `edges`; `None` if they span no area.
    pub fn new(edges: &Mat3x2, patch: &Patch) -> Option<Self> {
        let (a, b) = (edges.column(0).into_owned(), edges.column(1).into_owned());
        let strained = Strained::of(&a, &b, patch, true);
        strained.is_sound().then_some(strained)
    }

    /// The strain for two rest edges, valid only if it [is sound](Strained::is_sound). Fibres are used if the triangle
    /// is `directed`.
    #[inline(always)]
    pub(super) fn of(a: &Vec3, b: &Vec3, patch: &Patch, directed: bool) -> Self {
        let crossed = cross(a, b);
        let double_area = dot(&crossed, &crossed).sqrt();
        let per_area = 1.0 / double_area;
        let normal = Vec3::new(crossed.x * per_area, crossed.y * per_area, crossed.z * per_area);
        let per_length = 1.0 / dot(a, a).sqrt();
        let mut first = Vec3::new(a.x * per_length, a.y * per_length, a.z * per_length);
        let mut fibrous = false;
        if directed {
            let (f, out) = (&patch.fibres, dot(&normal, &patch.fibres));
            let flat = Vec3::new(f.x - normal.x * out, f.y - normal.y * out, f.z - normal.z * out);
            let length = dot(&flat, &flat).sqrt();
            fibrous = length > SHORTEST_FIBRE;
            let part = |flat: Real, first: Real| if fibrous { flat / length } else { first };
            first = Vec3::new(part(flat.x, first.x), part(flat.y, first.y), part(flat.z, first.z));
        }
        let second = cross(&normal, &first);
        // A^-1 and A^-T g A^-1, with det A the double area.
        let (x, y) = ([dot(&first, a), dot(&first, b)], [dot(&second, a), dot(&second, b)]);
        let inverse = Mat2::new(y[1] * per_area, -x[1] * per_area, -y[0] * per_area, x[0] * per_area);
        let [aa, bb, ab] = patch.metric;
        let grown = patch.prestretch * patch.prestretch;
        let (p, q) = ([inverse.m11, inverse.m21], [inverse.m12, inverse.m22]);
        let form = |p: [Real; 2], q: [Real; 2]| {
            grown * (aa * p[0] * q[0] + ab * (p[0] * q[1] + p[1] * q[0]) + bb * p[1] * q[1])
        };
        let cauchy = [form(p, p), form(q, q), form(p, q)];
        Strained {
            frame: Mat3x2::new(first.x, second.x, first.y, second.y, first.z, second.z),
            fibrous,
            normal,
            inverse,
            cauchy,
            strain: [0.5 * (cauchy[0] - 1.0), 0.5 * (cauchy[1] - 1.0), 0.5 * cauchy[2]],
            area: 0.5 * double_area,
        }
    }

    /// Whether the edges span enough area to compute a strain.
    #[inline(always)]
    pub(super) fn is_sound(&self) -> bool {
        let [a, b, c] = self.strain;
        let finite = a.abs() + b.abs() + c.abs() + self.area < Real::INFINITY;
        finite & (self.area > 0.0)
    }

    /// The same in the principal axes of C, where the second derivatives of an isotropic material decouple into two
    /// pairs.
    #[inline(always)]
    fn in_principal_axes(self) -> Self {
        let [c11, c22, c12] = self.cauchy;
        let (x, y) = (0.5 * (c11 - c22), c12);
        let (mean, radius) = (0.5 * (c11 + c22), (x * x + y * y).sqrt());
        // The axis of the larger value is at half the angle of (x, y).
        let along = if x > 0.0 { [x + radius, y] } else { [y, radius - x] };
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        let turns = length > 0.0;
        let cos = if turns { along[0] / length } else { 1.0 };
        let sin = if turns { along[1] / length } else { 0.0 };
        let turned = |a: Real, b: Real| [cos * a + sin * b, cos * b - sin * a];
        let (f, i) = (&self.frame, &self.inverse);
        let axes = [turned(f.m11, f.m12), turned(f.m21, f.m22), turned(f.m31, f.m32)];
        let rows = [turned(i.m11, i.m12), turned(i.m21, i.m22)];
        let (large, small) = (mean + radius, mean - radius);
        Strained {
            frame: Mat3x2::new(axes[0][0], axes[0][1], axes[1][0], axes[1][1], axes[2][0], axes[2][1]),
            inverse: Mat2::new(rows[0][0], rows[0][1], rows[1][0], rows[1][1]),
            cauchy: [large, small, 0.0],
            strain: [0.5 * (large - 1.0), 0.5 * (small - 1.0), 0.0],
            ..self
        }
    }

    /// The material of this triangle.
    #[inline(always)]
    pub fn material<M: MembraneMaterial>(&self, material: &M) -> M {
        if self.fibrous { *material } else { material.undirected() }
    }

    /// W.
    pub fn energy(&self, material: &Material, patch: &Patch) -> Real {
        let material = if self.fibrous { *material } else { material.undirected() };
        patch.thickness * self.area * material.value(&self.strain)
    }

    /// W and its gradients by the rest positions of the second and the third corner: with the gradient G of a corner's
    /// weight, moving it by dX makes L = Q^T dX G^T, so that dW = P:L = dX.(Q P G). All three gradients sum to zero.
    #[inline(always)]
    fn pulls(&self, material: &impl MembraneEnergy, thickness: Real) -> (Real, [Vec3; 2]) {
        let psi = material.value(&self.strain);
        let w = thickness * self.area;
        let force = eshelby(psi, &self.cauchy, &material.gradient(&self.strain), w);
        let pull =
            |x: Real, y: Real| along(&self.frame, force[0] * x + force[1] * y, force[2] * x + force[3] * y);
        let inverse = &self.inverse;
        (w * psi, [pull(inverse.m11, inverse.m12), pull(inverse.m21, inverse.m22)])
    }

    /// The gradients of the three weights on the triangle at rest, in its frame.
    #[inline(always)]
    pub fn slopes(&self) -> [Vec2; 3] {
        let i = &self.inverse;
        let (second, third) = (Vec2::new(i.m11, i.m12), Vec2::new(i.m21, i.m22));
        [Vec2::new(-(i.m11 + i.m21), -(i.m12 + i.m22)), second, third]
    }
}

/// P by rows; the stress S comes from the derivatives by E_11, E_22 and E_12.
#[inline(always)]
fn eshelby(psi: Real, c: &[Real; 3], gradient: &Strain, w: Real) -> [Real; 4] {
    let [s11, s22, s12] = [gradient[0], gradient[1], 0.5 * gradient[2]];
    [
        w * (psi - (c[0] * s11 + c[2] * s12)),
        -w * (c[0] * s12 + c[2] * s22),
        -w * (c[2] * s11 + c[1] * s12),
        w * (psi - (c[2] * s12 + c[1] * s22)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sinew_energy::{Constants, ForMaterial, MATERIALS};

    fn materials() -> Vec<Material> {
        let constants = Constants { young: 2.0, poisson: 0.4, own: 3.0 };
        MATERIALS.iter().map(|kind| (kind.make)(&constants).unwrap()).collect()
    }

    fn edges_of(p: &[Vec3; 3]) -> Mat3x2 {
        Mat3x2::from_columns(&[p[1] - p[0], p[2] - p[0]])
    }

    fn energy(p: &[Vec3; 3], patch: &Patch, material: &Material) -> Real {
        Strained::new(&edges_of(p), patch).unwrap().energy(material, patch)
    }

    /// The gradient and the Hessian over the nine coordinates.
    fn derivatives(p: &[Vec3; 3], patch: &Patch, material: &Material) -> (Vec<Real>, Vec<Real>) {
        let (mut gradient, mut hessian) = (vec![0.0; 9], vec![0.0; 81]);
        let (mut strip, mut ways, mut bent) = (Strip::default(), Ways::default(), Bent::default());
        strip.set(3, p.each_ref(), patch);
        // Corners have two directions at a time and three axes.
        for axes in (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]) {
            let coordinate = |way: usize| way / 2 * 3 + (axes[way / 2] + way % 2) % 3;
            (0..6).for_each(|way| ways.set(3, way, &Vec3::ith(coordinate(way) % 3, 1.0)));
            bent.find(&strip, material, &ways, false);
            let mut found = bent.curvature(3).into_iter();
            for i in 0..6 {
                gradient[coordinate(i)] = bent.slopes(3)[i];
                for j in i..6 {
                    let (a, b, value) = (coordinate(i), coordinate(j), found.next().unwrap());
                    (hessian[9 * a + b], hessian[9 * b + a]) = (value, value);
                }
            }
        }
        (gradient, hessian)
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
                let patch = if material.about().directed { patch } else { Patch { fibres: Vec3::zeros(), ..patch } };
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
                    if material.about().directed {
                        // The fibres are fixed in space; out of the plane they turn with it, which the second
                        // derivative ignores.
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
        let strained = Strained::new(&edges_of(&p), &patch).unwrap();
        struct Check(Strained);
        impl ForMaterial for Check {
            type Output = ();
            fn with<M: MembraneMaterial>(self, material: &M) {
                // With fibres the pairs are coupled.
                if !M::ABOUT.directed {
                    check(self.0.in_principal_axes(), material);
                }
            }
        }
        fn check(strained: Strained, material: &impl MembraneEnergy) {
            let (plain, mut pairs) =
                (Derivatives::new(&strained, material, 1.0), Derivatives::new(&strained, material, 1.0));
            pairs.raise_pairs(false);
            let mut convex = Derivatives::new(&strained, material, 1.0);
            convex.raise();
            let lowest = |d: &Derivatives| d.in_plane_matrix().symmetric_eigenvalues().min();
            assert!(lowest(&plain) < -1e-3 && lowest(&convex) > -1e-12);
            assert_eq!(convex.energy, plain.energy);
            assert!((convex.in_plane_matrix() - pairs.in_plane_matrix()).amax() < 1e-12);
        }
        for material in materials() {
            material.give_to(Check(strained));
        }
    }

    #[test]
    fn a_triangle_in_a_strip_is_what_it_is_alone() {
        let p = triangle(&[0.1, -0.3, 0.7, 0.2, 0.5, -0.8, 0.4, -0.1, 0.6]);
        let patch =
            Patch { metric: metric(p.map(|p| p / 3.0)), thickness: 0.7, prestretch: 1.1, fibres: Vec3::x() };
        for material in materials() {
            let mut strip = Strip::default();
            [0, 6].into_iter().for_each(|k| strip.set(k, p.each_ref(), &patch));
            strip.pull(&material);
            let patch =
                if material.about().directed { patch } else { Patch { fibres: Vec3::zeros(), ..patch } };
            let (energy, pulls) = strip.pulled(0);
            assert_eq!(energy, self::energy(&p, &patch, &material));
            assert_eq!(strip.pulled(6), (energy, pulls));
            assert!(strip.pulled(1).0.is_nan());
            let (gradient, _) = derivatives(&p, &patch, &material);
            for (found, expected) in pulls.iter().flatten().zip(&gradient) {
                assert!((found - expected).abs() < 1e-13 * energy, "{found} {expected}");
            }
        }
    }
}
