//! The stand of a body vertex: its point on the skin, and the directions in which it may move.

use super::model::{Hold, Model};
use super::plane::{Turn, edges_of, least_squares};
use super::rest::Rest;
use sinew_geometry::SurfacePoint;
use sinew_math::{Mat3x2, Real, Vec2, Vec3};

/// A direction to slide along means the border if it is at most about 45 degrees off it; this is the cosine.
pub(super) const SAME_WAY: Real = 0.7;

/// A vertex's point and the directions in which it may move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stand {
    pub place: Vec3,
    /// Perpendicular to the directions, out of the body, of unit length.
    pub normal: Vec3,
    /// Gauss's curvature of the surface there.
    pub curvature: Real,
    /// In the facet's coordinates.
    facet: [Vec2; 2],
    /// In space.
    pub space: [Vec3; 2],
    pub count: u8,
    /// At a border, how far out of the surface each of the directions leads; zero elsewhere.
    pub out: Vec2,
    /// The border half-edge along which the vertex may slide, the fraction of it that is behind, and how far a unit of
    /// the direction moves, negative for backwards.
    border: Option<(u32, Real, Real)>,
}

impl Stand {
    /// For a vertex. To be called within [`sinew_math::widest`].
    #[inline(always)]
    pub fn level(model: &Model, skin: &[SurfacePoint], vertex: usize) -> Self {
        let rest = &model.rest;
        let point = &skin[vertex];
        let (place, tangents, normal) = rest.level_there(point);
        let stand = Stand { place, normal, curvature: rest.curvature(point), ..Stand::default() };
        match model.holds()[vertex] {
            Hold::Fixed => stand,
            Hold::Free => Stand {
                facet: [Vec2::x(), Vec2::y()],
                space: [tangents.column(0).into_owned(), tangents.column(1).into_owned()],
                count: 2,
                out: out_of_border(rest, point),
                ..stand
            },
            Hold::Along(direction) => {
                let facet = along_on_skin(model, skin, vertex, &direction);
                let along = tangents * facet;
                stand.sliding_on_border(rest, point, &along).unwrap_or(Stand {
                    facet: [facet, Vec2::zeros()],
                    space: [along, Vec3::zeros()],
                    count: 1,
                    out: Vec2::new(out_of_border(rest, point).dot(&facet), 0.0),
                    ..stand
                })
            }
        }
    }

    /// The same, but free to slide along the border that the point lies on, if `along` means that border. The border is
    /// smooth; a straight line next to it is not.
    fn sliding_on_border(self, rest: &Rest, point: &SurfacePoint, along: &Vec3) -> Option<Stand> {
        let (half_edge, part) = rest.on_border(point)?;
        let out = rest.out_of_side(half_edge as usize / 3, half_edge as usize % 3);
        let facet = Vec2::new(-out.y, out.x);
        let way = rest.tangents(&on_side(half_edge, part)) * facet;
        let cosine = way.dot(along) / (way.norm() * along.norm());
        (cosine.abs() > SAME_WAY).then_some(Stand {
            facet: [facet, Vec2::zeros()],
            space: [way * cosine.signum(), Vec3::zeros()],
            count: 1,
            border: Some((half_edge, part, cosine.signum())),
            ..self
        })
    }

    /// The same with other directions, as close as possible to `wanted`: projected, or if they are tilted too much for
    /// that, rotated with their plane. `None` if neither is possible.
    pub fn aligned(self, wanted: &[Vec3; 2]) -> Option<Stand> {
        self.near(wanted).or_else(|| {
            let own = wanted[0].cross(&wanted[1]).try_normalize(0.0)?;
            let turn = Turn::new(&own, &self.normal)?;
            self.near(&wanted.map(|w| turn.turn(&w)))
        })
    }

    /// The same with directions that are the projections of those wanted; `None` if they differ too much.
    fn near(self, wanted: &[Vec3; 2]) -> Option<Stand> {
        let mut turned = self;
        for (a, wanted) in wanted.iter().enumerate().take(self.count as usize) {
            let factors = self.components(wanted);
            turned.facet[a] = self.facet[0] * factors.x + self.facet[1] * factors.y;
            turned.space[a] = self.moved(factors.as_slice());
            turned.border = self.border.map(|(h, part, length)| (h, part, length * factors.x));
            turned.out[a] = self.out.dot(&factors);
            // Within 30 degrees.
            let near = turned.space[a].norm_squared() > 0.75 * wanted.norm_squared();
            if !near {
                return None;
            }
        }
        Some(turned)
    }

    /// The position of a vertex after a fraction of a step.
    pub fn gone(&self, model: &Model, from: &SurfacePoint, step: &[Real], fraction: Real) -> SurfacePoint {
        if let (Some((half_edge, part, length)), [step]) = (self.border, step) {
            return model.rest.along_border(half_edge, part, length * fraction * step);
        }
        let along: Vec2 = step.iter().zip(&self.facet).map(|(s, f)| f * (fraction * s)).sum();
        if along == Vec2::zeros() { *from } else { model.rest.go(from, along) }
    }

    /// The coefficients of the directions that come closest to a motion.
    pub fn components(&self, motion: &Vec3) -> Vec2 {
        match self.count {
            2 => least_squares(&Mat3x2::from_columns(&self.space), motion),
            1 => Vec2::new(
                self.space[0].dot(motion) / self.space[0].norm_squared().max(Real::MIN_POSITIVE),
                0.0,
            ),
            _ => Vec2::zeros(),
        }
    }

    /// The motion in space for these coefficients.
    pub fn moved(&self, factors: &[Real]) -> Vec3 {
        self.space[..self.count as usize].iter().zip(factors).map(|(s, f)| s * *f).sum()
    }
}

/// The point on the side of a triangle with that fraction of the side behind it.
fn on_side(half_edge: u32, part: Real) -> SurfacePoint {
    let mut weights = [0.0; 3];
    let side = half_edge as usize % 3;
    (weights[side], weights[(side + 1) % 3]) = (1.0 - part, part);
    SurfacePoint { triangle: half_edge / 3, weights }
}

/// The outward direction of the surface at a border point, in the facet's coordinates; zero elsewhere.
fn out_of_border(rest: &Rest, point: &SurfacePoint) -> Vec2 {
    let side = rest.border_side(point);
    side.map_or_else(Vec2::zeros, |k| rest.out_of_side(point.triangle as usize, k))
}

/// The image of a direction of the body at rest on the skin now at a vertex: the mean over its triangles of the map
/// from the body at rest to the skin, in the facet's coordinates and of unit length.
fn along_on_skin(model: &Model, skin: &[SurfacePoint], vertex: usize, direction: &Vec3) -> Vec2 {
    let rest = &model.rest;
    let mut sum = Vec3::zeros();
    for h in rest.edges().around(vertex as u32) {
        let t = rest.edges().face(h) as usize;
        if !rest.has_area(t) {
            continue;
        }
        let corners = rest.mesh().triangles[t].map(|v| v as usize);
        let here = edges_of(corners.map(|v| rest.mesh().positions[v]));
        let there = edges_of(corners.map(|v| rest.place(&skin[v])));
        sum += there * least_squares(&here, direction) * rest.areas()[t];
    }
    let facet = least_squares(&rest.tangents(&skin[vertex]), &sum);
    facet.try_normalize(0.0).unwrap_or_else(Vec2::x)
}
