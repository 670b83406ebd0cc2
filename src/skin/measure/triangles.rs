//! The skin of many triangles side by side: values of each kind are contiguous, so that loops over them become loops
//! over vectors. Each triangle gets the same bits as it would alone.

use super::{Measure, wrinkles};
use crate::membrane::{Patch, Strained, WIDE, cross, dot};
use sinew_energy::{ForMaterial, Material, MembraneEnergy, MembraneMaterial};
use sinew_math::{Real, Vec2, Vec3, Work};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// One value per triangle.
type Wide = [Real; WIDE];

/// What the vertices need from a triangle. Vectors of two numbers are in its plane, along `tangent` and normal x
/// tangent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    pub(super) normal: Vec3,
    pub(super) tangent: Vec3,
    /// On the body; zero for a triangle without area there or at rest.
    pub(super) area: Real,
    pub(super) angles: [Real; 3],
    /// On the second and the third corner; all three sum to zero.
    forces: [Vec2; 2],
    /// The rows of dx/dX, times the area at rest that weights the vertices' means.
    pub(super) map: [Vec3; 2],
    pub(super) weight: Real,
    /// Stretch, tension and excess, times the area.
    pub(super) tensors: [Tensor; 3],
}

impl Piece {
    /// The force on a corner.
    pub(super) fn force(&self, corner: usize) -> Vec2 {
        match corner {
            0 => -(self.forces[0] + self.forces[1]),
            k => self.forces[k - 1],
        }
    }
}

/// A symmetric tensor in a plane: the mean of its principal values, and (T11 - T22) / 2 and T12, which rotate as a
/// vector by twice the angle of the axes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tensor {
    pub(super) mean: Real,
    pub(super) split: Vec2,
}

impl Tensor {
    /// The principal values, the larger first, and the direction of the larger.
    pub(super) fn principal(&self) -> ([Real; 2], Vec2) {
        let ([cos, sin], radius) = halved(self.split.x, self.split.y);
        ([self.mean + radius, self.mean - radius], Vec2::new(cos, sin))
    }
}

/// Cosine and sine of half the angle of (x, y), and its length.
#[inline(always)]
fn halved(x: Real, y: Real) -> ([Real; 2], Real) {
    let radius = (x * x + y * y).sqrt();
    // Of two vectors along the half angle, the one that is not a difference of nearly equal numbers.
    let along = if x > 0.0 { [x + radius, y] } else { [y.abs(), (radius - x).copysign(y)] };
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    let turns = length > 0.0;
    let cos = if turns { along[0] / length } else { 1.0 };
    let sin = if turns { along[1] / length } else { 0.0 };
    ([cos, sin], radius)
}

/// The angle of (x, y), y not negative, within two units in the last place: that of the smaller component over the
/// larger, reduced below tan(pi / 8) and evaluated by a rational function (Moshier, "Methods and Programs for
/// Mathematical Functions", 1989), without branches.
#[inline(always)]
fn angle(y: Real, x: Real) -> Real {
    const TAN_PI_8: Real = 0.414_213_562_373_095_03;
    let (small, large) = (y.min(x.abs()), y.max(x.abs()));
    let steep = small > TAN_PI_8 * large;
    let (over, under) = if steep { (small - large, small + large) } else { (small, large) };
    let t = over / under;
    let z = t * t;
    let p = (((-8.750_608_600_031_904e-1 * z - 1.615_753_718_733_365_2e1) * z - 7.500_855_792_314_705e1) * z
        - 1.228_866_684_490_136_1e2)
        * z
        - 6.485_021_904_942_025e1;
    let q = ((((z + 2.485_846_490_142_306_4e1) * z + 1.650_270_098_316_988_5e2) * z
        + 4.328_810_604_912_902_7e2)
        * z
        + 4.853_903_996_359_137e2)
        * z
        + 1.945_506_571_482_614e2;
    let low = t + t * z * (p / q) + if steep { FRAC_PI_4 } else { 0.0 };
    let first = if y > x.abs() { FRAC_PI_2 - low } else { low };
    if x < 0.0 { PI - first } else { first }
}

/// The triangles of a strip.
pub(super) struct Strip {
    /// The edges from the first corner to the others, on the skin at rest and on the body.
    rest: [[Wide; 3]; 2],
    body: [[Wide; 3]; 2],
    thickness: Wide,
    prestretch: Wide,
    fibres: [Wide; 3],
    /// Whether the fibres have a direction in the triangle: 1 or 0.
    fibrous: Wide,
    sound: Wide,
    normal: [Wide; 3],
    tangent: [Wide; 3],
    area: Wide,
    angles: [Wide; 3],
    forces: [[Wide; 2]; 2],
    map: [[Wide; 3]; 2],
    /// The strain at rest, and the principal axis of the larger stretch at rest and on the body.
    strain: [Wide; 3],
    axis_at_rest: [Wide; 2],
    axis: [Wide; 2],
    stretches: [Wide; 2],
    tension: [Wide; 3],
    tensions: [Wide; 2],
    pull: [Wide; 2],
    /// The ratio of natural width to width, minus 1.
    excess: Wide,
    grown: Wide,
    low: Wide,
    high: Wide,
    /// 1 while the natural width is being searched for.
    open: Wide,
}

impl Default for Strip {
    fn default() -> Self {
        let (one, two, three) = ([0.0; WIDE], [[0.0; WIDE]; 2], [[0.0; WIDE]; 3]);
        Strip {
            rest: [three; 2],
            body: [three; 2],
            thickness: one,
            prestretch: one,
            fibres: three,
            fibrous: one,
            sound: one,
            normal: three,
            tangent: three,
            area: one,
            angles: three,
            forces: [two; 2],
            map: [three; 2],
            strain: three,
            axis_at_rest: two,
            axis: two,
            stretches: two,
            tension: three,
            tensions: two,
            pull: two,
            excess: one,
            grown: one,
            low: one,
            high: one,
            open: one,
        }
    }
}

impl Strip {
    /// Sets the k-th triangle: its corners at rest and on the body.
    pub(super) fn set(&mut self, k: usize, there: [&Vec3; 3], here: [&Vec3; 3], patch: &Patch) {
        for axis in 0..3 {
            for edge in 0..2 {
                self.rest[edge][axis][k] = there[edge + 1][axis] - there[0][axis];
                self.body[edge][axis][k] = here[edge + 1][axis] - here[0][axis];
            }
            self.fibres[axis][k] = patch.fibres[axis];
        }
        (self.thickness[k], self.prestretch[k]) = (patch.thickness, patch.prestretch);
    }

    /// Whether the k-th triangle has an area, both at rest and on the body.
    pub(super) fn is_sound(&self, k: usize) -> bool {
        self.sound[k] == 1.0
    }

    /// The results of the k-th triangle. Written in place: both are long, and there are many.
    pub(super) fn write(
        &self,
        k: usize,
        area_at_rest: Real,
        wrinkles_from: Real,
        piece: &mut Piece,
        measure: &mut Measure,
    ) {
        let three = |of: &[Wide; 3]| Vec3::new(of[0][k], of[1][k], of[2][k]);
        let two = |of: &[Wide; 2]| Vec2::new(of[0][k], of[1][k]);
        let (normal, tangent, area) = (three(&self.normal), three(&self.tangent), self.area[k]);
        let bitangent = normal.cross(&tangent);
        let lift = |d: Vec2| tangent * d.x + bitangent * d.y;
        let (axis, stretches) = (two(&self.axis), self.stretches.map(|s| s[k]));
        let excess = if self.excess[k].is_finite() { self.excess[k] - wrinkles_from } else { 0.0 };
        let crests = lift(axis);
        let wrinkles = wrinkles(excess, crests);
        let twice = Vec2::new(axis.x * axis.x - axis.y * axis.y, 2.0 * axis.x * axis.y);
        let along_axis =
            |[a, b]: [Real; 2]| Tensor { mean: 0.5 * (a + b) * area, split: twice * (0.5 * (a - b) * area) };
        let [t11, t22, t12] = [0, 1, 2].map(|i| self.tension[i][k]);
        let tension =
            Tensor { mean: 0.5 * (t11 + t22) * area, split: Vec2::new(0.5 * (t11 - t22), t12) * area };
        *piece = Piece {
            normal,
            tangent,
            area,
            angles: [0, 1, 2].map(|i| self.angles[i][k]),
            forces: self.forces.each_ref().map(two),
            map: self.map.each_ref().map(|row| three(row) * area_at_rest),
            weight: area_at_rest,
            tensors: [along_axis(stretches), tension, along_axis([0.0, wrinkles.excess])],
        };
        *measure = Measure {
            stretches,
            directions: [crests, lift(Vec2::new(-axis.y, axis.x))],
            tensions: self.tensions.map(|t| t[k]),
            pull: lift(two(&self.pull)),
            wrinkles,
        };
    }

    #[inline(always)]
    fn strain<M: MembraneMaterial>(&mut self, material: &M, directed: bool) {
        for k in 0..WIDE {
            let three = |of: &[Wide; 3]| Vec3::new(of[0][k], of[1][k], of[2][k]);
            let (u, v) = (three(&self.body[0]), three(&self.body[1]));
            let [aa, bb, ab] = [dot(&u, &u), dot(&v, &v), dot(&u, &v)];
            let patch = Patch {
                metric: [aa, bb, ab],
                thickness: self.thickness[k],
                prestretch: self.prestretch[k],
                fibres: three(&self.fibres),
            };
            let strained = Strained::of(&three(&self.rest[0]), &three(&self.rest[1]), &patch, directed);
            let crossed = cross(&u, &v);
            let (double, long) = (dot(&crossed, &crossed).sqrt(), aa.sqrt());
            let (per_double, per_long) = (1.0 / double, 1.0 / long);
            for axis in 0..3 {
                self.normal[axis][k] = crossed[axis] * per_double;
                self.tangent[axis][k] = u[axis] * per_long;
            }
            self.area[k] = 0.5 * double;
            self.fibrous[k] = if strained.fibrous { 1.0 } else { 0.0 };
            self.sound[k] = if strained.is_sound() & (double > 0.0) & (long > 0.0) { 1.0 } else { 0.0 };
            let third = Vec3::new(v.x - u.x, v.y - u.y, v.z - u.z);
            let (second, last) = (angle(double, -dot(&u, &third)), angle(double, dot(&v, &third)));
            (self.angles[0][k], self.angles[1][k], self.angles[2][k]) = (PI - second - last, second, last);
            // dx/dX in the planes of the triangle: u = (long, 0), v = (ab / long, double / long).
            let [_, s, t] = strained.slopes();
            let (x, y) = (ab * per_long, double * per_long);
            let f = [long * s.x + x * t.x, long * s.y + x * t.y, y * t.x, y * t.y];
            let q = &strained.frame;
            for (axis, [q1, q2]) in [[q.m11, q.m12], [q.m21, q.m22], [q.m31, q.m32]].into_iter().enumerate() {
                self.map[0][axis][k] = f[0] * q1 + f[1] * q2;
                self.map[1][axis][k] = f[2] * q1 + f[3] * q2;
            }
            let g = f.map(|x| x * patch.prestretch);
            self.stress(&strained.material(material), k, &strained, g);
            self.decompose(k, g);
        }
    }

    /// With w = thickness (area at rest) and p the prestretch, F = p dx/dX, dW = w S : dE gives at fixed material
    /// points the force on the body -dW/dx_k = -w p F S grad N_k, and the tension F S F^T w / (area now). `g` is F by
    /// rows.
    #[inline(always)]
    fn stress<M: MembraneEnergy>(&mut self, material: &M, k: usize, strained: &Strained, g: [Real; 4]) {
        let [s11, s22, s12] = material.gradient(&strained.strain);
        let s12 = 0.5 * s12;
        let weight = self.thickness[k] * strained.area;
        let pushed = -weight * self.prestretch[k];
        let [_, second, third] = strained.slopes();
        for (force, slope) in self.forces.iter_mut().zip([second, third]) {
            let pull = [s11 * slope.x + s12 * slope.y, s12 * slope.x + s22 * slope.y];
            force[0][k] = (g[0] * pull[0] + g[1] * pull[1]) * pushed;
            force[1][k] = (g[2] * pull[0] + g[3] * pull[1]) * pushed;
        }
        let per_area = weight / self.area[k];
        let form = |a: [Real; 2], b: [Real; 2]| {
            per_area * (s11 * a[0] * b[0] + s12 * (a[0] * b[1] + a[1] * b[0]) + s22 * a[1] * b[1])
        };
        let (a, b) = ([g[0], g[1]], [g[2], g[3]]);
        let [t11, t22, t12] = [form(a, a), form(b, b), form(a, b)];
        (self.tension[0][k], self.tension[1][k], self.tension[2][k]) = (t11, t22, t12);
        let strain = &strained.strain;
        (self.strain[0][k], self.strain[1][k], self.strain[2][k]) = (strain[0], strain[1], strain[2]);
        let ([cos, sin], radius) = halved(0.5 * (t11 - t22), t12);
        let mean = 0.5 * (t11 + t22);
        (self.tensions[0][k], self.tensions[1][k]) = (mean + radius, mean - radius);
        (self.pull[0][k], self.pull[1][k]) = (cos, sin);
    }

    /// The singular values of a matrix by rows, and their axes: see [`sinew_math::svd2`]. The angles are halved and
    /// added through their sines and cosines.
    #[inline(always)]
    fn decompose(&mut self, k: usize, g: [Real; 4]) {
        let ([c1, s1], r) = halved(0.5 * (g[0] - g[3]), 0.5 * (g[2] + g[1]));
        let ([c2, s2], q) = halved(0.5 * (g[0] + g[3]), 0.5 * (g[2] - g[1]));
        (self.axis[0][k], self.axis[1][k]) = (c1 * c2 - s1 * s2, s1 * c2 + c1 * s2);
        (self.axis_at_rest[0][k], self.axis_at_rest[1][k]) = (c1 * c2 + s1 * s2, s1 * c2 - c1 * s2);
        (self.stretches[0][k], self.stretches[1][k]) = (q + r, (q - r).abs());
    }

    /// The stress across the larger stretch when the smaller strain has `grown`, and its slope.
    #[inline(always)]
    fn push<M: MembraneMaterial>(&self, material: &M, k: usize, grown: Real) -> (Real, Real) {
        let material = if self.fibrous[k] == 1.0 { *material } else { material.undirected() };
        let [x, y] = [self.axis_at_rest[0][k], self.axis_at_rest[1][k]];
        let large = 0.5 * (self.stretches[0][k] * self.stretches[0][k] - 1.0);
        // Skin with excess length both ways bulges along the larger stretch too.
        let bulge = (-large).max(0.0);
        let (along, across) = ([x * x, y * y, x * y], [y * y, x * x, -x * y]);
        let at = |i: usize| self.strain[i][k] + bulge * along[i] + grown * across[i];
        let strain = [at(0), at(1), at(2)];
        let (s, h) = (material.gradient(&strain), material.hessian(&strain));
        let dot = |row: &[Real; 3]| row[0] * across[0] + row[1] * across[1] + row[2] * across[2];
        (dot(&s), dot(&[dot(&h[0]), dot(&h[1]), dot(&h[2])]))
    }

    /// The smaller stretch at which the membrane would no longer push across the larger one (tension field theory:
    /// Roddeman et al., "The wrinkling of thin membranes", 1987, with the crests along the larger stretch): 1 if the
    /// larger one is at most 1, less if the skin is stretched and so becomes narrower by itself; the actual stretch if
    /// it does not push.
    #[inline(always)]
    fn relax<M: MembraneMaterial>(&mut self, material: &M) {
        for k in 0..WIDE {
            let small = 0.5 * (self.stretches[1][k] * self.stretches[1][k] - 1.0);
            let pushes = (small < 0.0) & (self.push(material, k, 0.0).0 < 0.0) & (self.sound[k] == 1.0);
            // The answer is between the actual stretch, where it pushes, and 1, where it pulls.
            self.open[k] = if pushes { 1.0 } else { 0.0 };
            (self.low[k], self.high[k]) = (0.0, -small);
            self.grown[k] = if pushes { -small } else { 0.0 };
        }
        for _ in 0..50 {
            if self.open == [0.0; WIDE] {
                break;
            }
            for k in 0..WIDE {
                let (open, grown) = (self.open[k] == 1.0, self.grown[k]);
                let (pull, slope) = self.push(material, k, grown);
                let low = if pull < 0.0 { grown } else { self.low[k] };
                let high = if pull < 0.0 { self.high[k] } else { grown };
                let newton = grown - pull / slope;
                let inside = (newton >= low) & (newton <= high);
                let next = if inside { newton } else { 0.5 * (low + high) };
                let arrived = (next - grown).abs() <= 1e-14;
                (self.low[k], self.high[k]) = (low, high);
                self.grown[k] = if open { next } else { grown };
                self.open[k] = if open & !arrived { 1.0 } else { 0.0 };
            }
        }
        for k in 0..WIDE {
            let small = self.stretches[1][k];
            let wide = (small * small + 2.0 * self.grown[k]).sqrt();
            let natural = if self.grown[k] > 0.0 { wide } else { small };
            self.excess[k] = natural / small - 1.0;
        }
    }
}

/// Request for the measures of a strip's triangles.
pub(super) struct Find<'a> {
    pub(super) strip: &'a mut Strip,
    pub(super) material: &'a Material,
}

impl Work for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.material.give_to(self.strip);
    }
}

impl ForMaterial for &mut Strip {
    type Output = ();

    #[inline(always)]
    fn with<M: MembraneMaterial>(self, material: &M) {
        self.strain(material, M::ABOUT.directed);
        self.relax(material);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_library() {
        for k in 0..=2000 {
            let wanted = PI * Real::from(k) / 2000.0;
            for length in [1e-9, 1.0, 3e7] {
                let (x, y) = (length * wanted.cos(), length * wanted.sin());
                assert!((angle(y, x) - y.atan2(x)).abs() < 1e-15, "{wanted}");
            }
        }
    }

    #[test]
    fn half_angles_are_those_of_the_library() {
        for k in -500..=500 {
            let wanted = 0.999 * PI * Real::from(k) / 500.0;
            let ([cos, sin], radius) = halved(3.0 * wanted.cos(), 3.0 * wanted.sin());
            let expected = (0.5 * wanted).sin_cos();
            assert!((cos - expected.1).abs() < 1e-15 && (sin - expected.0).abs() < 1e-15, "{wanted}");
            assert!((radius - 3.0).abs() < 1e-14);
        }
        assert_eq!(halved(0.0, 0.0), ([1.0, 0.0], 0.0));
        assert_eq!(halved(-2.0, 0.0), ([0.0, 1.0], 2.0));
    }
}
