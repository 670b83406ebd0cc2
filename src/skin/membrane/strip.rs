//! Many triangles side by side: values of each kind are contiguous, so that loops over them become loops over vectors.
//! Each triangle gets the same bits as it would alone.

use super::derivatives::{Derivatives, raised_pair};
use super::{Patch, Strained};
use sinew_energy::{ForMaterial, Material, MembraneMaterial};
use sinew_math::{Real, Vec3};

/// Triangles in a strip: their intermediate results fit into the nearest cache.
pub const WIDE: usize = 16;

/// One value per triangle.
type Wide = [Real; WIDE];

const ZEROS: Wide = [0.0; WIDE];

/// The triangles of a strip, and their energies with first derivatives. Unset slots are computed from stale values, and
/// ignored.
pub struct Strip {
    edges: [[Wide; 3]; 2],
    metric: [Wide; 3],
    thickness: Wide,
    prestretch: Wide,
    fibres: [Wide; 3],
    energies: Wide,
    pulls: [[Wide; 3]; 2],
}

impl Default for Strip {
    fn default() -> Self {
        Strip {
            edges: [[ZEROS; 3]; 2],
            metric: [ZEROS; 3],
            thickness: ZEROS,
            prestretch: ZEROS,
            fibres: [ZEROS; 3],
            energies: ZEROS,
            pulls: [[ZEROS; 3]; 2],
        }
    }
}

impl Strip {
    /// Sets the k-th triangle.
    #[inline(always)]
    pub fn set(&mut self, k: usize, [first, second, third]: [&Vec3; 3], patch: &Patch) {
        for axis in 0..3 {
            self.edges[0][axis][k] = second[axis] - first[axis];
            self.edges[1][axis][k] = third[axis] - first[axis];
            self.metric[axis][k] = patch.metric[axis];
            self.fibres[axis][k] = patch.fibres[axis];
        }
        (self.thickness[k], self.prestretch[k]) = (patch.thickness, patch.prestretch);
    }

    #[inline(always)]
    fn strained(&self, k: usize, directed: bool) -> Strained {
        let patch = Patch {
            metric: [self.metric[0][k], self.metric[1][k], self.metric[2][k]],
            thickness: self.thickness[k],
            prestretch: self.prestretch[k],
            fibres: vector(&self.fibres, k),
        };
        Strained::of(&vector(&self.edges[0], k), &vector(&self.edges[1], k), &patch, directed)
    }

    /// Computes the energies of the triangles, and their gradients by the rest positions of the corners.
    #[inline(always)]
    pub fn pull(&mut self, material: &Material) {
        material.give_to(Pull(self));
    }

    #[inline(always)]
    fn pull_of<M: MembraneMaterial>(&mut self, material: &M) {
        for k in 0..WIDE {
            let strained = self.strained(k, M::ABOUT.directed);
            let (energy, [second, third]) = strained.pulls(&strained.material(material), self.thickness[k]);
            self.energies[k] = if strained.is_sound() { energy } else { Real::NAN };
            self.pulls[0][0][k] = second.x;
            self.pulls[0][1][k] = second.y;
            self.pulls[0][2][k] = second.z;
            self.pulls[1][0][k] = third.x;
            self.pulls[1][1][k] = third.y;
            self.pulls[1][2][k] = third.z;
        }
    }

    /// The energy of the k-th triangle, NaN if it has no area; and its gradients by the positions of its corners.
    #[inline(always)]
    pub fn pulled(&self, k: usize) -> (Real, [Vec3; 3]) {
        let (second, third) = (vector(&self.pulls[0], k), vector(&self.pulls[1], k));
        (self.energies[k], [-(second + third), second, third])
    }
}

/// Computes the energies and gradients of a strip's triangles, see [`Strip::pull`].
struct Pull<'a>(&'a mut Strip);

impl ForMaterial for Pull<'_> {
    type Output = ();

    #[inline(always)]
    fn with<M: MembraneMaterial>(self, material: &M) {
        self.0.pull_of(material);
    }
}

/// The allowed directions of the corners of a strip's triangles, two for each corner.
pub struct Ways([[Wide; 3]; 6]);

impl Default for Ways {
    fn default() -> Self {
        Ways([[ZEROS; 3]; 6])
    }
}

impl Ways {
    /// Sets a direction of the k-th triangle.
    #[inline(always)]
    pub fn set(&mut self, k: usize, way: usize, along: &Vec3) {
        for axis in 0..3 {
            self.0[way][axis][k] = along[axis];
        }
    }
}

/// A vector of the k-th triangle.
#[inline(always)]
fn vector(all: &[Wide; 3], k: usize) -> Vec3 {
    Vec3::new(all[0][k], all[1][k], all[2][k])
}

/// The product of two vectors of the k-th triangle.
#[inline(always)]
fn along(a: &[Wide; 3], b: &[Wide; 3], k: usize) -> Real {
    a[0][k] * b[0][k] + a[1][k] * b[1][k] + a[2][k] * b[2][k]
}

/// The derivatives of the energies of a strip's triangles along these directions.
pub struct Bent {
    /// Whether the material is [stiffening](sinew_energy::About::stiffening).
    stiffening: bool,
    in_plane: [Wide; 10],
    out_of_plane: [Wide; 3],
    force: [Wide; 4],
    frame: [[Wide; 3]; 3],
    /// The gradients of the corners' weights.
    slopes: [[Wide; 2]; 3],
    areas: Wide,
    /// The change of L (11, 12, 21, 22) and v along each direction, and q applied to it.
    changes: [[Wide; 6]; 6],
    stiff: [[Wide; 6]; 6],
    /// Second derivatives between the directions: the upper triangle by rows.
    curvature: [Wide; 21],
}

impl Default for Bent {
    fn default() -> Self {
        Bent {
            stiffening: false,
            in_plane: [ZEROS; 10],
            out_of_plane: [ZEROS; 3],
            force: [ZEROS; 4],
            frame: [[ZEROS; 3]; 3],
            slopes: [[ZEROS; 2]; 3],
            areas: ZEROS,
            changes: [[ZEROS; 6]; 6],
            stiff: [[ZEROS; 6]; 6],
            curvature: [ZEROS; 21],
        }
    }
}

/// Computes the derivatives of a strip's triangles by their strain, see [`Bent::find`].
struct Differentiate<'a> {
    bent: &'a mut Bent,
    strip: &'a Strip,
    convex: bool,
}

impl ForMaterial for Differentiate<'_> {
    type Output = ();

    #[inline(always)]
    fn with<M: MembraneMaterial>(self, material: &M) {
        self.bent.stiffening = M::ABOUT.stiffening;
        if M::ABOUT.directed {
            self.bent.differentiate_directed(self.strip, material, self.convex);
        } else {
            self.bent.differentiate(self.strip, material, self.convex);
        }
    }
}

impl Bent {
    /// Computes all derivatives. With `convex`, second derivatives are made positive semidefinite.
    #[inline(always)]
    pub fn find(&mut self, strip: &Strip, material: &Material, ways: &Ways, convex: bool) {
        material.give_to(Differentiate { bent: self, strip, convex });
        self.change(ways);
        self.bend();
    }

    #[inline(always)]
    fn differentiate<M: MembraneMaterial>(&mut self, strip: &Strip, material: &M, convex: bool) {
        if convex {
            for k in 0..WIDE {
                let strained = strip.strained(k, false).in_principal_axes();
                let mut found = Derivatives::new(&strained, material, strip.thickness[k]);
                found.raise_pairs(M::ABOUT.stiffening);
                self.keep(k, &strained, &found);
            }
        } else {
            for k in 0..WIDE {
                let strained = strip.strained(k, false);
                let found = Derivatives::new(&strained, material, strip.thickness[k]);
                self.keep(k, &strained, &found);
            }
        }
    }

    #[inline(always)]
    fn differentiate_directed(&mut self, strip: &Strip, material: &impl MembraneMaterial, convex: bool) {
        for k in 0..WIDE {
            let strained = strip.strained(k, true);
            let mut found = Derivatives::new(&strained, &strained.material(material), strip.thickness[k]);
            if convex {
                found.raise();
            }
            self.keep(k, &strained, &found);
        }
    }

    /// Stores the results of the k-th triangle; unsound ones become NaN.
    #[inline(always)]
    fn keep(&mut self, k: usize, strained: &Strained, found: &Derivatives) {
        let (f, n, inverse) = (&strained.frame, &strained.normal, &strained.inverse);
        (self.frame[0][0][k], self.frame[0][1][k], self.frame[0][2][k]) = (f.m11, f.m21, f.m31);
        (self.frame[1][0][k], self.frame[1][1][k], self.frame[1][2][k]) = (f.m12, f.m22, f.m32);
        (self.frame[2][0][k], self.frame[2][1][k], self.frame[2][2][k]) = (n.x, n.y, n.z);
        self.slopes[0][0][k] = -(inverse.m11 + inverse.m21);
        self.slopes[0][1][k] = -(inverse.m12 + inverse.m22);
        (self.slopes[1][0][k], self.slopes[1][1][k]) = (inverse.m11, inverse.m12);
        (self.slopes[2][0][k], self.slopes[2][1][k]) = (inverse.m21, inverse.m22);
        self.areas[k] = if strained.is_sound() { strained.area } else { Real::NAN };
        let q = &found.in_plane;
        self.in_plane[0][k] = if strained.is_sound() { q[0] } else { Real::NAN };
        (self.in_plane[1][k], self.in_plane[2][k], self.in_plane[3][k]) = (q[1], q[2], q[3]);
        (self.in_plane[4][k], self.in_plane[5][k], self.in_plane[6][k]) = (q[4], q[5], q[6]);
        (self.in_plane[7][k], self.in_plane[8][k], self.in_plane[9][k]) = (q[7], q[8], q[9]);
        let out = &found.out_of_plane;
        (self.out_of_plane[0][k], self.out_of_plane[1][k], self.out_of_plane[2][k]) =
            (out[0], out[1], out[2]);
        (self.force[0][k], self.force[1][k]) = (found.force[0], found.force[1]);
        (self.force[2][k], self.force[3][k]) = (found.force[2], found.force[3]);
    }

    /// Moving a point with the weight gradient G along dX makes L = Q^T dX G^T and v = (n.dX) G.
    #[inline(always)]
    fn change(&mut self, ways: &Ways) {
        for (way, change) in self.changes.iter_mut().enumerate() {
            let ([first, second, normal], slope) = (&self.frame, &self.slopes[way / 2]);
            let way = &ways.0[way];
            for k in 0..WIDE {
                let (p, q, out) = (along(first, way, k), along(second, way, k), along(normal, way, k));
                (change[0][k], change[1][k]) = (p * slope[0][k], p * slope[1][k]);
                (change[2][k], change[3][k]) = (q * slope[0][k], q * slope[1][k]);
                (change[4][k], change[5][k]) = (out * slope[0][k], out * slope[1][k]);
            }
        }
    }

    /// The second derivatives between any two directions.
    #[inline(always)]
    fn bend(&mut self) {
        let (q, o) = (&self.in_plane, &self.out_of_plane);
        for (stiff, d) in self.stiff.iter_mut().zip(&self.changes) {
            for k in 0..WIDE {
                let [a, b, c, d, e, f] = [d[0][k], d[1][k], d[2][k], d[3][k], d[4][k], d[5][k]];
                stiff[0][k] = q[0][k] * a + q[1][k] * b + q[2][k] * c + q[3][k] * d;
                stiff[1][k] = q[1][k] * a + q[4][k] * b + q[5][k] * c + q[6][k] * d;
                stiff[2][k] = q[2][k] * a + q[5][k] * b + q[7][k] * c + q[8][k] * d;
                stiff[3][k] = q[3][k] * a + q[6][k] * b + q[8][k] * c + q[9][k] * d;
                stiff[4][k] = o[0][k] * e + o[1][k] * f;
                stiff[5][k] = o[1][k] * e + o[2][k] * f;
            }
        }
        let mut next = self.curvature.iter_mut();
        for (way, stiff) in self.stiff.iter().enumerate() {
            for (change, out) in self.changes[way..].iter().zip(&mut next) {
                for k in 0..WIDE {
                    let in_plane = stiff[0][k] * change[0][k]
                        + stiff[1][k] * change[1][k]
                        + stiff[2][k] * change[2][k]
                        + stiff[3][k] * change[3][k];
                    out[k] = in_plane + stiff[4][k] * change[4][k] + stiff[5][k] * change[5][k];
                }
            }
        }
    }

    /// The second derivatives of the k-th triangle between any two directions: the upper triangle by rows.
    #[inline(always)]
    pub fn curvature(&self, k: usize) -> [Real; 21] {
        let mut found = [0.0; 21];
        for (found, all) in found.iter_mut().zip(&self.curvature) {
            *found = all[k];
        }
        found
    }

    /// The k-th triangle's share of the second derivatives at one of its corners that are due to the curvature of the
    /// surface on which it lies, between the two directions of that corner: 11, 12, 22. `gauss` is Gauss's curvature.
    ///
    /// Along geodesics that start side by side with the velocity u, the metric changes to second order by
    /// 2 (grad u^T grad u - K (|u|^2 - u u^T)) (do Carmo, "Riemannian geometry", 1992, chapter 5). The first term is in
    /// q. By L = metric / 2 the second one adds -K u^T (tr P - P) u to the energy's second derivatives: skin under
    /// tension on a convex surface resists being slid as a whole.
    #[inline(always)]
    pub fn spreading(&self, k: usize, ways: &Ways, corner: usize, gauss: Real) -> [Real; 3] {
        let [p11, p12, p21, p22] = &self.force;
        let (p11, p12, p21, p22) = (p11[k], p12[k], p21[k], p22[k]);
        let share = -gauss / 3.0;
        let [a, between, b] =
            raised_pair([share * p22, -0.5 * share * (p12 + p21), share * p11], self.stiffening);
        let ([first, second, _], ways) = (&self.frame, [&ways.0[2 * corner], &ways.0[2 * corner + 1]]);
        let [u, v] = [
            [along(first, ways[0], k), along(second, ways[0], k)],
            [along(first, ways[1], k), along(second, ways[1], k)],
        ];
        [
            a * u[0] * u[0] + between * (u[0] * u[1] + u[1] * u[0]) + b * u[1] * u[1],
            a * u[0] * v[0] + between * (u[0] * v[1] + u[1] * v[0]) + b * u[1] * v[1],
            a * v[0] * v[0] + between * (v[0] * v[1] + v[1] * v[0]) + b * v[1] * v[1],
        ]
    }

    /// The first derivatives of the k-th triangle, from P.
    #[inline(always)]
    pub fn slopes(&self, k: usize) -> [Real; 6] {
        let force = &self.force;
        self.changes.each_ref().map(|change| {
            change[0][k] * force[0][k]
                + change[1][k] * force[1][k]
                + change[2][k] * force[2][k]
                + change[3][k] * force[3][k]
        })
    }

    /// The area at rest of the k-th triangle; NaN if the triangle is not sound.
    #[inline(always)]
    pub fn area(&self, k: usize) -> Real {
        self.areas[k]
    }
}
