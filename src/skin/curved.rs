//! A smooth patch over a triangle of the surface at rest.
//!
//! Its sides and most of its inside are the cubic patch of Vlachos, Peters, Boyd, Mitchell, "Curved PN triangles", 2001
//! \[PN\]. Two of those meet in a faint ridge or valley along their common side. Skin comes to rest in a valley even if
//! considerable forces push it there from both sides, and Newton's method never converges. So the inside is corrected
//! by quartic terms that give both patches the same tangent planes along the side: Walton, Meek, "A triangular G1 patch
//! from boundary curves", 1996 \[WM\]. For the same reason a border that turns by less than [`CORNER`] at a vertex
//! passes smoothly through it.

use sinew_geometry::HalfEdges;
use sinew_math::{Real, Vec2, Vec3, Work, widest};

/// The cosine of the turn from which on a border has a corner.
const CORNER: Real = 0.5;

/// The tangents of a patch's sides at their first and last points, both seen from the first; zero where the edge itself
/// gives the tangent.
pub(super) type Sides = [[Vec3; 2]; 3];

/// The tangents of a surface's borders at their vertices, of unit length and perpendicular to the normals; zero at
/// corners and inside.
pub(super) fn border_directions(edges: &HalfEdges, places: &[Vec3], normals: &[Vec3], out: &mut [Vec3]) {
    let way = |h: u32| places[edges.target(h) as usize] - places[edges.origin(h) as usize];
    out.iter_mut().enumerate().for_each(|(v, out)| {
        *out = Vec3::zeros();
        // The turn around a border vertex begins with the half-edge that leaves along the border and ends before the
        // one that arrives.
        let Some(leaving) = edges.around(v as u32).next().filter(|&h| edges.twin(h).is_none()) else {
            return;
        };
        let Some(arriving) = edges.around(v as u32).last().map(|h| edges.previous(h)) else { return };
        let flat = |h: u32| way(h) - normals[v] * normals[v].dot(&way(h));
        let (before, after) = (flat(arriving), flat(leaving));
        let lengths = [before.norm(), after.norm()];
        if before.dot(&after) > CORNER * lengths[0] * lengths[1] {
            // The tangent of the circle through the three points.
            let mean = before * (lengths[1] / lengths[0]) + after * (lengths[0] / lengths[1]);
            *out = mean.try_normalize(0.0).unwrap_or_default();
        }
    });
}

/// The tangents of a triangle's sides.
pub(super) fn sides_of(edges: &HalfEdges, triangle: usize, vertices: [u32; 3], borders: &[Vec3]) -> Sides {
    std::array::from_fn(|k| match edges.twin((3 * triangle + k) as u32) {
        Some(_) => [Vec3::zeros(); 2],
        None => [vertices[k], vertices[(k + 1) % 3]].map(|v| borders[v as usize]),
    })
}

/// A vector in space padded with an unused number, so that sums of vectors use four lanes.
///
/// What works on them is written without closures: one that is not inlined is compiled without the processor's wide
/// instructions, and whether it is depends on how the build divides the code.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Wide([Real; 4]);

impl Wide {
    #[inline(always)]
    fn to_vec3(self) -> Vec3 {
        Vec3::new(self.0[0], self.0[1], self.0[2])
    }

    #[inline(always)]
    fn times(self, factor: Real) -> Wide {
        let Wide([x, y, z, w]) = self;
        Wide([x * factor, y * factor, z * factor, w * factor])
    }

    #[inline(always)]
    fn plus(self, other: Wide) -> Wide {
        let (Wide([x, y, z, w]), Wide(other)) = (self, other);
        Wide([x + other[0], y + other[1], z + other[2], w + other[3]])
    }

    #[inline(always)]
    fn minus(self, other: Wide) -> Wide {
        let (Wide([x, y, z, w]), Wide(other)) = (self, other);
        Wide([x - other[0], y - other[1], z - other[2], w - other[3]])
    }

    /// The weighted sum of vectors.
    #[inline(always)]
    fn mix<const N: usize>(terms: [(Wide, Real); N]) -> Wide {
        let mut sum = terms[0].0.times(terms[0].1);
        for &(v, factor) in &terms[1..] {
            sum = sum.plus(v.times(factor));
        }
        sum
    }
}

/// A patch through three points and perpendicular to three normals there, parametrised by weights.
///
/// Patches are many and read often: their vectors are packed, and reading one as a [`Wide`] also reads the number after
/// it.
pub(super) struct Curved {
    /// The points b300 b030 b003, b210 b120, b021 b012, b102 b201, b111; then each corner's corrections of the inside,
    /// near its side to the next corner and near the one to the previous corner; then a zero.
    numbers: [Real; 3 * VECTORS + 1],
}

/// The points of the cubic patch.
const POINTS: usize = 10;
/// The vectors of the corners.
const VECTORS: usize = POINTS + 6;

impl Curved {
    pub(super) fn new(p: [Vec3; 3], n: [Vec3; 3], sides: &Sides) -> Self {
        // \[PN eq. 3\] goes a third of the edge, projected into the tangent plane of the nearer end. The length used
        // here makes the edge between two points of a circle round (error of the sixth order in the angle instead of
        // the fourth): with the angle a between edge and plane, 2/3 |edge| / (1 + cos a).
        let near = |i: usize, j: usize| {
            let edge = p[j] - p[i];
            let given = if j == (i + 1) % 3 { sides[i][0] } else { sides[j][1] };
            let flat =
                if given == Vec3::zeros() { edge - n[i] * n[i].dot(&edge) } else { given * given.dot(&edge) };
            let (long, short) = (edge.norm(), flat.norm());
            // An edge along the normal has no direction in the plane; it stays straight.
            if short > 0.1 * long {
                p[i] + flat * (2.0 / 3.0 * long * long / (short * (long + short)))
            } else {
                p[i] + edge / 3.0
            }
        };
        let rim = [near(0, 1), near(1, 0), near(1, 2), near(2, 1), near(2, 0), near(0, 2)];
        let mean = rim.iter().sum::<Vec3>() / 6.0;
        let middle = mean + (mean - (p[0] + p[1] + p[2]) / 3.0) / 2.0;
        let [a, b, c, d, e, f] = rim;
        let cubic = [p[0], p[1], p[2], a, b, c, d, e, f, middle];
        let mut bulge = [[Vec3::zeros(); 2]; 3];
        for k in 0..3 {
            let [first, second] = beside(&cubic, &n, k).unwrap_or_default();
            (bulge[k][0], bulge[(k + 1) % 3][1]) = (first, second);
        }
        let mut numbers = [0.0; 3 * VECTORS + 1];
        let vectors = cubic.iter().chain(bulge.iter().flatten());
        numbers.iter_mut().zip(vectors.flat_map(|v| v.iter())).for_each(|(number, x)| *number = *x);
        Curved { numbers }
    }

    #[inline(always)]
    fn vector(&self, k: usize) -> Wide {
        let n = &self.numbers[3 * k..3 * k + 4];
        Wide([n[0], n[1], n[2], n[3]])
    }

    #[inline(always)]
    fn cubic(&self) -> [Wide; POINTS] {
        let mut all = [Wide([0.0; 4]); POINTS];
        for (k, vector) in all.iter_mut().enumerate() {
            *vector = self.vector(k);
        }
        all
    }

    /// \[PN eq. 2\], and the bulges, blended so that each side gets its own.
    pub(super) fn place(&self, weights: &[Real; 3]) -> Vec3 {
        widest(Position { patch: self, weights }).to_vec3()
    }

    #[inline(always)]
    fn place_with(&self, &[u, v, w]: &[Real; 3], bulge: Wide) -> Wide {
        let b = self.cubic();
        let corners = Wide::mix([(b[0], u * u * u), (b[1], v * v * v), (b[2], w * w * w)]);
        let sides = [(b[3], u * u * v), (b[4], u * v * v), (b[5], v * v * w)];
        let more = [(b[6], v * w * w), (b[7], u * w * w), (b[8], u * u * w)];
        let inside = Wide::mix([(b[9], 6.0), (bulge, 12.0)]).times(u * v * w);
        corners.plus(Wide::mix(sides).times(3.0)).plus(Wide::mix(more).times(3.0)).plus(inside)
    }

    /// The point and its derivatives with respect to the three weights.
    pub(super) fn by_weights(&self, weights: &[Real; 3]) -> (Vec3, [Vec3; 3]) {
        let (place, by) = widest(First { patch: self, weights });
        (place.to_vec3(), by.map(Wide::to_vec3))
    }

    /// The point and its derivatives along two directions, along which the weights change by `slopes`. To be called
    /// within [`widest`].
    #[inline(always)]
    pub(super) fn along(&self, weights: &[Real; 3], slopes: &[Vec2; 3]) -> (Vec3, [Vec3; 2]) {
        let (place, by) = self.by_weights_wide(weights);
        let mut along = [Vec3::zeros(); 2];
        for (k, along) in along.iter_mut().enumerate() {
            let terms = [(by[0], slopes[0][k]), (by[1], slopes[1][k]), (by[2], slopes[2][k])];
            *along = Wide::mix(terms).to_vec3();
        }
        (place.to_vec3(), along)
    }

    #[inline(always)]
    fn by_weights_wide(&self, weights: &[Real; 3]) -> (Wide, [Wide; 3]) {
        let b = self.cubic();
        let &[u, v, w] = weights;
        let (uu, vv, ww, uv, vw, uw) =
            (3.0 * u * u, 3.0 * v * v, 3.0 * w * w, 6.0 * u * v, 6.0 * v * w, 6.0 * u * w);
        let bulges = self.bulges(weights);
        let bulge = self.bulge(weights, &bulges);
        let inside = 12.0 * u * v * w;
        let mut by = [
            Wide::mix([(b[0], uu), (b[3], uv), (b[4], vv), (b[7], ww), (b[8], uw), (b[9], vw)]),
            Wide::mix([(b[1], vv), (b[3], uu), (b[4], uv), (b[5], vw), (b[6], ww), (b[9], uw)]),
            Wide::mix([(b[2], ww), (b[5], vv), (b[6], vw), (b[7], uw), (b[8], uu), (b[9], uv)]),
        ];
        for ((by, own), across) in by.iter_mut().zip(&bulges).zip([vw, uw, uv]) {
            *by = by.plus(Wide::mix([(own.value, inside), (bulge, 2.0 * across)]));
        }
        for (k, bulge) in bulges.iter().enumerate() {
            let (next, before) = ((k + 1) % 3, (k + 2) % 3);
            // Outside of the triangle the blend is constant.
            let blends = if weights[next] > 0.0 && weights[before] > 0.0 { weights[k] * inside } else { 0.0 };
            by[next] = by[next].plus(bulge.slope.times(weights[before] * blends));
            by[before] = by[before].minus(bulge.slope.times(weights[next] * blends));
        }
        (self.place_with(weights, bulge), by)
    }

    /// The bulges of the corners: each the mean of its two, weighted by the nearness of their sides. Outside of the
    /// triangle the bulge of the side continues.
    #[inline(always)]
    fn bulges(&self, weights: &[Real; 3]) -> [Bulge; 3] {
        let [u, v, w] = [weights[0].max(0.0), weights[1].max(0.0), weights[2].max(0.0)];
        [Bulge::new(self.corner(0), v, w), Bulge::new(self.corner(1), w, u), Bulge::new(self.corner(2), u, v)]
    }

    /// A corner's corrections of the inside.
    #[inline(always)]
    fn corner(&self, k: usize) -> [Wide; 2] {
        [self.vector(POINTS + 2 * k), self.vector(POINTS + 2 * k + 1)]
    }

    /// The bulge at a point: those of the corners, blended.
    #[inline(always)]
    fn bulge(&self, &[u, v, w]: &[Real; 3], [x, y, z]: &[Bulge; 3]) -> Wide {
        Wide::mix([(x.value, u), (y.value, v), (z.value, w)])
    }
}

/// Request for the position of a point.
struct Position<'a> {
    patch: &'a Curved,
    weights: &'a [Real; 3],
}

impl Work for Position<'_> {
    type Output = Wide;

    #[inline(always)]
    fn run(self) -> Wide {
        let (patch, weights) = (self.patch, self.weights);
        patch.place_with(weights, patch.bulge(weights, &patch.bulges(weights)))
    }
}

/// Request for the position and first derivatives of a point.
struct First<'a> {
    patch: &'a Curved,
    weights: &'a [Real; 3],
}

impl Work for First<'_> {
    type Output = (Wide, [Wide; 3]);

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.patch.by_weights_wide(self.weights)
    }
}

/// The bulge of a corner. With the weights a and b of the next and previous corners, `slope` b is the derivative by a,
/// -`slope` a the one by b.
#[derive(Clone, Copy)]
struct Bulge {
    value: Wide,
    slope: Wide,
}

impl Bulge {
    /// The mean of a bulge near the next corner and one near the previous corner, weighted by these corners.
    #[inline(always)]
    fn new([at_next, at_before]: [Wide; 2], a: Real, b: Real) -> Self {
        let sum = a + b;
        let part = 1.0 / sum;
        let (shares, steep) = if sum > 0.0 { ([a * part, b * part], part * part) } else { ([0.5; 2], 0.0) };
        let value = Wide::mix([(at_next, shares[0]), (at_before, shares[1])]);
        Bulge { value, slope: at_next.minus(at_before).times(steep) }
    }
}

/// The corrections that the cubic patch needs along the side from corner `k` to the next, near each of them, to be
/// smooth across it; `None` where a side or a normal is degenerate.
///
/// Along the side the derivative across it is lambda(t) W(t) + mu(t) A(t) \[WM\]: W along the side, A in the tangent
/// plane and across, both quadratic in t and known to both patches; lambda and mu are linear and match the ends.
fn beside(cubic: &[Vec3; 10], normals: &[Vec3; 3], k: usize) -> Option<[Vec3; 2]> {
    let (i, j, l) = (k, (k + 1) % 3, (k + 2) % 3);
    let side = [cubic[i], cubic[3 + 2 * k], cubic[4 + 2 * k], cubic[j]];
    let (inner_i, inner_j) = (cubic[4 + 2 * l], cubic[3 + 2 * j]);
    let along = [side[1] - side[0], side[2] - side[1], side[3] - side[2]];
    let across_i = normals[i].cross(&along[0]).try_normalize(0.0)?;
    let across_j = normals[j].cross(&along[2]).try_normalize(0.0)?;
    let across = [across_i, (across_i + across_j).try_normalize(0.0)?, across_j];
    // The quartic control points on the side, and the two known ones of the next row.
    let on = [
        side[0],
        (side[0] + side[1] * 3.0) / 4.0,
        (side[1] + side[2]) / 2.0,
        (side[2] * 3.0 + side[3]) / 4.0,
        side[3],
    ];
    let row = [(side[0] + inner_i * 3.0) / 4.0, (side[3] + inner_j * 3.0) / 4.0];
    let ends = [row[0] - (on[0] + on[1]) / 2.0, row[1] - (on[3] + on[4]) / 2.0];
    let lambda = [0, 1].map(|e| ends[e].dot(&along[2 * e]) / along[2 * e].norm_squared());
    let mu = [0, 1].map(|e| ends[e].dot(&across[2 * e]));
    let first =
        along[1] * (2.0 * lambda[0]) + along[0] * lambda[1] + across[1] * (2.0 * mu[0]) + across[0] * mu[1];
    let second =
        along[2] * lambda[0] + along[1] * (2.0 * lambda[1]) + across[2] * mu[0] + across[1] * (2.0 * mu[1]);
    let smooth = [(on[1] + on[2]) / 2.0 + first / 3.0, (on[2] + on[3]) / 2.0 + second / 3.0];
    let cubic = [(cubic[9] * 2.0 + inner_i + side[1]) / 4.0, (cubic[9] * 2.0 + inner_j + side[2]) / 4.0];
    let lack = [smooth[0] - cubic[0], smooth[1] - cubic[1]];
    lack.iter().all(|v| v.iter().all(|x| x.is_finite())).then_some(lack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Points on a wavy surface and the normals there.
    fn wave(x: Real, y: Real) -> (Vec3, Vec3) {
        let z = 0.3 * (2.0 * x).sin() * (1.5 * y + 0.4).cos();
        let slope =
            [0.6 * (2.0 * x).cos() * (1.5 * y + 0.4).cos(), -0.45 * (2.0 * x).sin() * (1.5 * y + 0.4).sin()];
        (Vec3::new(x, y, z), Vec3::new(-slope[0], -slope[1], 1.0).normalize())
    }

    fn patch(corners: [[Real; 2]; 3]) -> Curved {
        let all = corners.map(|[x, y]| wave(x, y));
        Curved::new(all.map(|c| c.0), all.map(|c| c.1), &Sides::default())
    }

    fn normal(by: [Vec3; 3]) -> Vec3 {
        (by[1] - by[0]).cross(&(by[2] - by[0])).normalize()
    }

    proptest! {
        #[test]
        fn neighbours_share_places_and_tangent_planes_along_their_side(
            n in prop::array::uniform8(-0.15..0.15f64),
            t in 0.0..1.0f64,
        ) {
            let corners = [[n[0], n[1]], [1.0 + n[2], n[3]], [0.3 + n[4], 0.8 + n[5]], [0.6 + n[6], -0.9 + n[7]]];
            let above = patch([corners[0], corners[1], corners[2]]);
            let below = patch([corners[3], corners[1], corners[0]]);
            let (here, there) = ([1.0 - t, t, 0.0], [0.0, t, 1.0 - t]);
            prop_assert!((above.place(&here) - below.place(&there)).norm() < 1e-14);
            let kink = normal(above.by_weights(&here).1).cross(&normal(below.by_weights(&there).1)).norm();
            prop_assert!(kink < 1e-12, "a kink of {kink}");
        }

        #[test]
        fn derivatives_are_those_of_finite_differences(v in 0.05..0.6f64, w in 0.02..0.35f64, inside in any::<bool>()) {
            let patch = patch([[0.0, 0.1], [0.9, -0.1], [0.4, 1.0]]);
            // Across a side the second derivatives jump.
            let (h, w) = (1e-5, if inside { w } else { -w });
            let at = |dv: Real, dw: Real| patch.place(&[1.0 - v - w - dv - dw, v + dv, w + dw]);
            let (_, by) = patch.by_weights(&[1.0 - v - w, v, w]);
            let slopes = [at(h, 0.0) - at(-h, 0.0), at(0.0, h) - at(0.0, -h)].map(|d| d / (2.0 * h));
            prop_assert!((slopes[0] - (by[1] - by[0])).norm() < 1e-8 && (slopes[1] - (by[2] - by[0])).norm() < 1e-8);
        }
    }

    #[test]
    fn a_round_border_is_smooth_and_a_corner_stays() {
        let mesh = sinew_geometry::shapes::cylinder(1.0, 2.0, 12, 2);
        let tri = sinew_geometry::TriMesh::from_mesh(&mesh).unwrap();
        let edges = HalfEdges::of_triangles(tri.positions.len(), &tri.triangles);
        // Tilted normals, as on meshes that are not round.
        let normals: Vec<_> = tri.positions.iter().map(|p| Vec3::new(p.x, 0.3, p.z).normalize()).collect();
        let mut directions = vec![Vec3::x(); normals.len()];
        border_directions(&edges, &tri.positions, &normals, &mut directions);
        let on_border = |v: usize| edges.around(v as u32).any(|h| edges.twin(h).is_none());
        for (v, direction) in directions.iter().enumerate() {
            let round = Vec3::new(-tri.positions[v].z, 0.0, tri.positions[v].x);
            let expected = if v < 12 || on_border(v) { 1.0 } else { 0.0 };
            assert!((direction.dot(&round).abs() - expected).abs() < 1e-12, "{v} {direction}");
        }
        let square =
            sinew_geometry::TriMesh::from_mesh(&sinew_geometry::shapes::grid(1.0, 1.0, 2, 2)).unwrap();
        let edges = HalfEdges::of_triangles(9, &square.triangles);
        border_directions(&edges, &square.positions, &[Vec3::y(); 9], &mut directions[..9]);
        let corners = square.positions.iter().map(|p| p.x.abs() == 0.5 && p.z.abs() == 0.5);
        let inside = square.positions.iter().map(|p| p.norm() == 0.0);
        for ((corner, inside), direction) in corners.zip(inside).zip(&directions) {
            assert_eq!(corner || inside, *direction == Vec3::zeros());
        }
    }

    #[test]
    fn a_flat_patch_is_flat_and_even() {
        let p = [Vec3::new(1.0, 2.0, 0.5), Vec3::new(3.0, 1.0, 0.5), Vec3::new(1.5, 4.0, 0.5)];
        let patch = Curved::new(p, [Vec3::z(); 3], &Sides::default());
        let weights = [0.2, 0.5, 0.3];
        assert!((patch.place(&weights) - (p[0] * 0.2 + p[1] * 0.5 + p[2] * 0.3)).norm() < 1e-15);
    }

    #[test]
    fn sides_and_normals_without_direction_leave_a_finite_patch() {
        let p = [Vec3::zeros(), Vec3::zeros(), Vec3::x()];
        for normals in [[Vec3::zeros(); 3], [Vec3::x(), Vec3::z(), Vec3::y()]] {
            let place = Curved::new(p, normals, &Sides::default()).place(&[0.3, 0.3, 0.4]);
            assert!(place.iter().all(|x| x.is_finite()));
        }
    }
}
