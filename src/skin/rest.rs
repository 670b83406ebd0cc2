//! The skin at rest: the surface on which its material points live, and pi, the map from a facet's coordinates into
//! space \[ThinSkin §3.1\].
//!
//! A material point is a triangle and weights. Its position in space is on a smooth surface through the vertices, the
//! cubic patches of Vlachos, Peters, Boyd, Mitchell, "Curved PN triangles", 2001, \[PN\]. On the flat facets a ring of
//! material would be shorter between the vertices than at them, and the skin would snap from vertex to vertex (on a
//! tube of 24 sides by 0.9 % of length; on the patches by less than 0.001 %). At the vertices the patches match the
//! mesh exactly.

use super::curved::{Curved, Sides, border_directions, sides_of};
use super::plane::{Turn, least_squares};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::measure::{gauss_curvatures, triangle_areas, vertex_normals};
use sinew_geometry::{
    Frame, HalfEdges, MAX_EDGES, Stop, Surface, SurfacePoint, TriMesh, Walk, advance, leave,
};
use sinew_math::{Mat3x2, Real, Vec2, Vec3, Work, widest};

/// A triangle with less than this fraction of the mean area cannot carry strain: its frame is round-off.
const SMALLEST_AREA: Real = 1e-9;

/// A point with less weight than this inside is on the border: shortened steps approach it without end.
const ON_BORDER: Real = 1e-6;

/// A patch is well shaped if its area is at least this multiple of its facet's, and its tangents, squared and summed,
/// are at most this long; on the facet itself these are 1 and 2.
const LEAST_PLAIN: Real = 0.8;
const MOST_PLAIN: Real = 2.8;

/// The rest surface.
pub struct Rest {
    mesh: TriMesh,
    edges: HalfEdges,
    areas: Vec<Real>,
    mean_edge: Real,
    extent: Real,
    normals: Vec<Vec3>,
    /// Gauss's curvature at the vertices.
    curvatures: Vec<Real>,
    patches: Vec<Patch>,
    /// The axes of each facet's coordinates in space; zero without area.
    facets: Vec<Mat3x2>,
    /// A triangle at each vertex, for a material point there.
    stands: Vec<Option<u32>>,
}

/// A smooth patch over a triangle, with the facet's own coordinates: the first vertex at the origin, x along the first
/// edge.
struct Patch {
    curved: Curved,
    /// The gradients of the weights by the facet's coordinates; `None` without area.
    slopes: Option<[Vec2; 3]>,
}

/// sqrt(12 s), with s the mean square of the distance from the centre of the area: 12 is right for rectangles and
/// spheres. Boxes around a body differ with the way it stands, and so would its skin.
fn extent(mesh: &TriMesh, areas: &[Real]) -> Real {
    let area: Real = areas.iter().sum();
    let middle = |t: usize| mesh.points(t).iter().sum::<Vec3>() / 3.0;
    let centre = (0..areas.len()).map(|t| middle(t) * areas[t]).sum::<Vec3>() / area;
    // The mean of |x|^2 over a triangle is that at the middles of its sides.
    let square = |t: usize| {
        let p = mesh.points(t).map(|p| p - centre);
        let sides = [p[0] + p[1], p[1] + p[2], p[2] + p[0]];
        sides.iter().map(|sum| sum.norm_squared()).sum::<Real>() / 12.0
    };
    (12.0 * (0..areas.len()).map(|t| square(t) * areas[t]).sum::<Real>() / area).sqrt()
}

impl Rest {
    /// The rest surface of a mesh.
    pub fn new(mesh: TriMesh) -> Result<Self> {
        if mesh.triangles.is_empty() {
            return Err(Error::new(Kind::Degenerate, "the mesh at rest has no faces"));
        }
        let edges = HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles);
        Rest::shaped(mesh, edges, |_| true)
    }

    /// The same triangles in another shape. What has no area here has none there; a triangle that loses its area is an
    /// error at one of its vertices.
    pub fn reshaped(&self, positions: &[Vec3]) -> Result<Self> {
        let mesh = TriMesh { positions: positions.to_vec(), ..self.mesh.clone() };
        let made = Rest::shaped(mesh, self.edges.clone(), |t| self.has_area(t))?;
        match (0..self.areas.len()).find(|&t| self.has_area(t) && !made.has_area(t)) {
            Some(t) => Err(Error::new(Kind::Degenerate, "a triangle has lost its area")
                .vertex(self.mesh.triangles[t][0] as usize)),
            None => Ok(Rest { stands: self.stands.clone(), ..made }),
        }
    }

    fn shaped(mesh: TriMesh, edges: HalfEdges, may_have_area: impl Fn(usize) -> bool + Sync) -> Result<Self> {
        let normals = vertex_normals(&mesh);
        let areas = triangle_areas(&mesh);
        let mean_area = areas.iter().sum::<Real>() / areas.len() as Real;
        if !(mean_area > 0.0 && mean_area.is_finite()) {
            return Err(Error::new(Kind::Degenerate, "the mesh at rest has no area"));
        }
        let mut borders = vec![Vec3::zeros(); normals.len()];
        border_directions(&edges, &mesh.positions, &normals, &mut borders);
        let patch = |t: usize| {
            let sides = sides_of(&edges, t, mesh.triangles[t], &borders);
            let (mut patch, facet) = Patch::new(&mesh, &normals, t, &sides);
            let usable = areas[t] > SMALLEST_AREA * mean_area && may_have_area(t);
            patch.slopes = patch.slopes.filter(|_| usable);
            (patch, facet)
        };
        let (patches, facets): (Vec<_>, Vec<_>) =
            (0..mesh.triangles.len()).into_par_iter().map(patch).unzip();
        let mut stands = vec![None; mesh.positions.len()];
        for (t, vertices) in mesh.triangles.iter().enumerate().rev() {
            // Only a triangle with area can be walked from.
            let usable = patches[t].slopes.is_some();
            vertices.iter().filter(|_| usable).for_each(|&v| stands[v as usize] = Some(t as u32));
        }
        let side = |t: usize| {
            let p = mesh.points(t);
            (p[1] - p[0]).norm() + (p[2] - p[1]).norm() + (p[0] - p[2]).norm()
        };
        let mean_edge =
            (0..mesh.triangles.len()).map(side).sum::<Real>() / (3 * mesh.triangles.len()) as Real;
        let extent = extent(&mesh, &areas);
        let on_border = |v: u32| edges.around(v).any(|h| edges.twin(h).is_none());
        let curvatures = gauss_curvatures(&mesh, on_border);
        Ok(Rest { extent, mesh, edges, areas, mean_edge, normals, curvatures, patches, facets, stands })
    }

    /// The triangles.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    /// Their adjacency.
    pub fn edges(&self) -> &HalfEdges {
        &self.edges
    }

    /// Their areas.
    pub fn areas(&self) -> &[Real] {
        &self.areas
    }

    /// The size of the body, however it stands: for a rectangle its diagonal, for a sphere that of the box around it.
    pub fn extent(&self) -> Real {
        self.extent
    }

    /// The mean edge length, the yardstick of visibility.
    pub fn mean_edge(&self) -> Real {
        self.mean_edge
    }

    /// Whether a triangle has a usable area.
    pub fn has_area(&self, triangle: usize) -> bool {
        self.patches[triangle].slopes.is_some()
    }

    /// The material point at a vertex; `None` if no triangle with area is there.
    pub fn vertex(&self, vertex: usize) -> Option<SurfacePoint> {
        let triangle = self.stands[vertex]?;
        let corners = self.mesh.triangles[triangle as usize];
        Some(SurfacePoint { triangle, weights: corners.map(|v| Real::from(u8::from(v as usize == vertex))) })
    }

    /// The material points at the vertices; arbitrary where there is no triangle with area.
    pub fn home(&self) -> Vec<SurfacePoint> {
        let nowhere = SurfacePoint { triangle: 0, weights: [1.0, 0.0, 0.0] };
        (0..self.mesh.positions.len()).map(|v| self.vertex(v).unwrap_or(nowhere)).collect()
    }

    /// The position of a material point in space.
    pub fn place(&self, point: &SurfacePoint) -> Vec3 {
        self.patches[point.triangle as usize].curved.place(&point.weights)
    }

    /// The Jacobian of the position by the facet's coordinates.
    pub fn tangents(&self, point: &SurfacePoint) -> Mat3x2 {
        self.stand(point).1
    }

    /// The position and its Jacobian by the facet's coordinates.
    pub fn stand(&self, point: &SurfacePoint) -> (Vec3, Mat3x2) {
        widest(Standing { rest: self, point })
    }

    /// The same, for callers already running in [`widest`].
    #[inline(always)]
    pub(super) fn stand_there(&self, point: &SurfacePoint) -> (Vec3, Mat3x2) {
        self.patches[point.triangle as usize].stand(&point.weights)
    }

    /// The position, its Jacobian by the facet's coordinates, and the unit normal. Where the patch is bent so much
    /// between its corners that it hardly has a tangent plane, the axes of the facet are turned into the plane of the
    /// interpolated normals. To be called within [`widest`].
    #[inline(always)]
    pub(super) fn level_there(&self, point: &SurfacePoint) -> (Vec3, Mat3x2, Vec3) {
        let (place, tangents) = self.stand_there(point);
        let facet = self.facets[point.triangle as usize];
        let outward = self.outward(point).try_normalize(0.0);
        let area = tangents.column(0).cross(&tangents.column(1));
        let plain = area.dot(&outward.unwrap_or(area)) > LEAST_PLAIN && tangents.norm_squared() < MOST_PLAIN;
        if plain {
            return (place, tangents, area.normalize());
        }
        let own = facet.column(0).cross(&facet.column(1));
        let normal = outward.unwrap_or(own);
        let axes = Turn::new(&own, &normal).map_or(facet, |turn| turn.turn_both(&facet));
        (place, axes, normal)
    }

    /// The outward direction at a material point; not of unit length.
    #[inline(always)]
    pub fn outward(&self, point: &SurfacePoint) -> Vec3 {
        point.mix(self.mesh.triangles[point.triangle as usize].map(|v| self.normals[v as usize]))
    }

    /// The unit normal at a material point; zero if it has none.
    #[inline(always)]
    pub fn normal(&self, point: &SurfacePoint) -> Vec3 {
        self.outward(point).try_normalize(0.0).unwrap_or_default()
    }

    /// Gauss's curvature at a material point.
    #[inline(always)]
    pub fn curvature(&self, point: &SurfacePoint) -> Real {
        self.mix(point, &self.curvatures)
    }

    /// The unit normal at a vertex; zero if no triangle with area is there.
    pub fn vertex_normal(&self, vertex: usize) -> Vec3 {
        self.normals[vertex]
    }

    /// Interpolated values of the vertices.
    #[inline(always)]
    pub fn mix(&self, point: &SurfacePoint, values: &[Real]) -> Real {
        let ([a, b, c], [u, v, w]) = (self.mesh.triangles[point.triangle as usize], point.weights);
        u * values[a as usize] + v * values[b as usize] + w * values[c as usize]
    }

    /// The unit vector out of a facet over its side `k`, from vertex `k` to the next.
    pub fn out_of_side(&self, triangle: usize, k: usize) -> Vec2 {
        let slopes = self.patches[triangle].slopes;
        // The weight of the vertex opposite grows inwards.
        slopes.and_then(|slopes| (-slopes[(k + 2) % 3]).try_normalize(0.0)).unwrap_or_else(Vec2::zeros)
    }

    /// A point of the skin that has moved along its surface by a vector in space.
    pub fn slid(&self, from: &SurfacePoint, way: &Vec3) -> SurfacePoint {
        self.go(from, least_squares(&self.tangents(from), way))
    }

    /// The end of a walk along a vector in the facet's coordinates; at a border it continues along the border.
    pub fn go(&self, start: &SurfacePoint, along: Vec2) -> SurfacePoint {
        // Most steps stay inside of their triangle, where weights suffice.
        if let Some(slopes) = &self.patches[start.triangle as usize].slopes {
            let change = [slopes[0].dot(&along), slopes[1].dot(&along), slopes[2].dot(&along)];
            if leave(&start.weights, &change, 1.0, None).1.is_none() {
                let weights = advance(start.weights, change, 1.0, None);
                return self.beside_border(SurfacePoint { weights, ..*start });
            }
        }
        let walk = self.walk(start, along);
        let Some(side) = self.border_side(&walk.end).filter(|_| walk.stop == Stop::Border) else {
            return self.beside_border(walk.end);
        };
        let left = along.norm() - walk.length;
        let points = self.mesh.points(walk.end.triangle as usize);
        let edge = points[(side + 1) % 3] - points[side];
        let part = edge.dot(&walk.direction) / (edge.norm() * walk.direction.norm()).max(Real::MIN_POSITIVE);
        self.along_border(3 * walk.end.triangle + side as u32, walk.end.weights[(side + 1) % 3], part * left)
    }

    /// A point at the end of a border edge, in a triangle that has that edge: others there touch the border only with
    /// the vertex, and would not know of it.
    pub(super) fn beside_border(&self, point: SurfacePoint) -> SurfacePoint {
        let Some(corner) = (0..3).find(|&k| point.weights[k] >= 1.0 - ON_BORDER) else { return point };
        let leaving = self.edges.around(self.mesh.triangles[point.triangle as usize][corner]).next();
        match leaving.filter(|&h| self.edges.twin(h).is_none()) {
            Some(h) if self.border_side(&point).is_none() => {
                let mut weights = [0.0; 3];
                weights[h as usize % 3] = 1.0;
                SurfacePoint { triangle: h / 3, weights }
            }
            _ => point,
        }
    }

    /// The side of its triangle on which a border point lies.
    pub fn border_side(&self, point: &SurfacePoint) -> Option<usize> {
        let on = |k: &usize| point.weights[(k + 2) % 3] <= ON_BORDER;
        (0..3).filter(on).find(|&k| self.edges.twin(3 * point.triangle + k as u32).is_none())
    }

    /// The border half-edge on which a point lies, and the fraction of it that comes before; at a vertex, the one that
    /// leaves it.
    pub fn on_border(&self, point: &SurfacePoint) -> Option<(u32, Real)> {
        if let Some(side) = self.border_side(point) {
            return Some((3 * point.triangle + side as u32, point.weights[(side + 1) % 3]));
        }
        let corner = (0..3).find(|&k| point.weights[k] == 1.0)?;
        let leaving = self.edges.around(self.mesh.triangles[point.triangle as usize][corner]).next()?;
        self.edges.twin(leaving).is_none().then_some((leaving, 0.0))
    }

    /// The point `length` farther along a border than the fraction `part` of its half-edge `h`; backwards if negative.
    pub fn along_border(&self, mut h: u32, mut part: Real, mut length: Real) -> SurfacePoint {
        for _ in 0..MAX_EDGES {
            let ends = [self.edges.origin(h), self.edges.target(h)].map(|v| self.mesh.positions[v as usize]);
            let edge = (ends[1] - ends[0]).norm();
            let room = edge * if length > 0.0 { 1.0 - part } else { part };
            if length.abs() <= room {
                part += if edge > 0.0 { length / edge } else { 0.0 };
                break;
            }
            // Turning from a border half-edge passes all others at its vertex; the last one ends at the other border.
            let next = if length > 0.0 {
                self.edges.around(self.edges.target(h)).next()
            } else {
                self.edges.around(self.edges.origin(h)).last().map(|last| self.edges.previous(last))
            };
            let Some(next) = next.filter(|&n| self.edges.twin(n).is_none()) else {
                part = if length > 0.0 { 1.0 } else { 0.0 };
                break;
            };
            part = if length > 0.0 { 0.0 } else { 1.0 };
            length -= room.copysign(length);
            h = next;
        }
        let (triangle, side) = (h / 3, (h % 3) as usize);
        let part = part.clamp(0.0, 1.0);
        let mut weights = [0.0; 3];
        (weights[side], weights[(side + 1) % 3]) = (1.0 - part, part);
        SurfacePoint { triangle, weights }
    }

    /// Walks along a vector in the facet's coordinates.
    pub fn walk(&self, start: &SurfacePoint, along: Vec2) -> Walk {
        let vector = self.facets[start.triangle as usize] * along;
        Surface::new(&self.mesh, &self.edges).walk(*start, vector)
    }
}

/// Request for a point's position and Jacobian.
struct Standing<'a> {
    rest: &'a Rest,
    point: &'a SurfacePoint,
}

impl Work for Standing<'_> {
    type Output = (Vec3, Mat3x2);

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.rest.stand_there(self.point)
    }
}

impl Patch {
    /// With the axes of the facet.
    fn new(mesh: &TriMesh, normals: &[Vec3], triangle: usize, sides: &Sides) -> (Self, Mat3x2) {
        let p = mesh.points(triangle);
        let curved = Curved::new(p, mesh.triangles[triangle].map(|v| normals[v as usize]), sides);
        let frame = Frame::of_triangle(p);
        let facet = frame.map_or_else(Mat3x2::zeros, |f| Mat3x2::from_columns(&[f.tangent, f.bitangent]));
        let slopes = frame.and_then(|frame| {
            let (second, third) = ((p[1] - p[0]).norm(), frame.flatten(&(p[2] - p[0])));
            let third_slope = Vec2::new(0.0, 1.0 / third.y);
            let second_slope = Vec2::new(1.0 / second, -third.x / (second * third.y));
            let all = [-second_slope - third_slope, second_slope, third_slope];
            all.iter().all(|s| s.iter().all(|v| v.is_finite())).then_some(all)
        });
        (Patch { curved, slopes }, facet)
    }

    #[inline(always)]
    fn stand(&self, weights: &[Real; 3]) -> (Vec3, Mat3x2) {
        let slopes = self.slopes.unwrap_or([Vec2::zeros(); 3]);
        let (place, tangents) = self.curved.along(weights, &slopes);
        (place, Mat3x2::from_columns(&tangents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;
    use std::f64::consts::PI;

    fn cylinder() -> Rest {
        Rest::new(TriMesh::from_mesh(&shapes::cylinder(1.0, 4.0, 24, 12)).unwrap()).unwrap()
    }

    /// That of a sheet is its diagonal, however it is cut, turned and moved; that of a ball sqrt(12) radii.
    #[test]
    fn the_extent_is_that_of_the_body_wherever_it_stands() {
        let sheet = shapes::grid(0.3, 0.4, 7, 5);
        let turn = sinew_math::Rotation::from_euler_angles(0.4, -1.1, 2.0);
        let placed = sheet.positions.iter().map(|p| turn * p + Vec3::new(7.0, -3.0, 20.0)).collect();
        for mesh in [sheet.clone(), sinew_geometry::Mesh { positions: placed, ..sheet }] {
            let rest = Rest::new(TriMesh::from_mesh(&mesh).unwrap()).unwrap();
            assert!((rest.extent() - 0.5).abs() < 1e-12, "{}", rest.extent());
        }
        let ball = shapes::sphere(2.0, 5);
        let rest = Rest::new(TriMesh::from_mesh(&ball).unwrap()).unwrap();
        assert!((rest.extent() / 48.0_f64.sqrt() - 1.0).abs() < 2e-3, "{}", rest.extent());
    }

    #[test]
    fn the_surface_goes_through_the_vertices_and_is_round_between() {
        let rest = cylinder();
        for v in 0..rest.mesh().positions.len() {
            assert_eq!(rest.place(&rest.vertex(v).unwrap()), rest.mesh().positions[v]);
        }
        let deepest = 1.0 - (PI / 24.0).cos();
        for t in 0..rest.mesh().triangles.len() {
            for weights in [[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [0.0, 0.7, 0.3]] {
                let p = rest.place(&SurfacePoint { triangle: t as u32, weights });
                assert!((p.x.hypot(p.z) - 1.0).abs() < 0.02 * deepest, "{p}");
            }
        }
    }

    #[test]
    fn tangents_are_those_of_finite_differences() {
        let rest = cylinder();
        let point = SurfacePoint { triangle: 40, weights: [0.3, 0.45, 0.25] };
        let tangents = rest.tangents(&point);
        for k in 0..2 {
            let step = Vec2::ith(k, 1e-5);
            let moved = |s: Real| rest.place(&rest.walk(&point, s * step).end);
            let slope = (moved(1.0) - moved(-1.0)) / 2e-5;
            assert!((slope - tangents.column(k)).norm() < 1e-9);
        }
    }

    #[test]
    fn a_walk_against_a_border_goes_on_along_it() {
        let rest = cylinder();
        let side = 2.0 * (PI / 24.0).sin();
        for start in 0..24 {
            let point = rest.vertex(start).unwrap();
            let p = rest.place(&point);
            for sign in [1.0, -1.0] {
                let along = Vec3::new(-p.z, -0.7, p.x) * (sign * 5.3 * side);
                let along = Vec3::new(along.x, -along.y.abs(), along.z);
                let tangents = rest.tangents(&point);
                let facet =
                    (tangents.transpose() * tangents).try_inverse().unwrap() * (tangents.transpose() * along);
                let end = rest.place(&rest.go(&point, facet));
                let turned = (end.z * p.x - end.x * p.z).atan2(end.x * p.x + end.z * p.z) * sign;
                assert!((end.y - p.y).abs() < 1e-12, "{end} {p}");
                assert!((turned / (PI / 12.0) - 5.3).abs() < 0.1, "{turned}");
            }
        }
    }

    /// Bit for bit what the mesh of that shape would be at rest; a triangle without area keeps none, and one that loses
    /// it is named.
    #[test]
    fn a_rest_takes_another_shape() {
        let rest = cylinder();
        let there: Vec<Vec3> =
            rest.mesh().positions.iter().map(|p| Vec3::new(1.3 * p.x + 0.1 * p.y, p.y, p.z * p.z)).collect();
        let (reshaped, made) = (
            rest.reshaped(&there).unwrap(),
            Rest::new(TriMesh { positions: there.clone(), ..rest.mesh().clone() }).unwrap(),
        );
        for t in 0..rest.mesh().triangles.len() {
            let point = SurfacePoint { triangle: t as u32, weights: [0.2, 0.3, 0.5] };
            assert_eq!(reshaped.stand(&point), made.stand(&point));
            assert_eq!(reshaped.curvature(&point), made.curvature(&point));
        }
        assert_eq!((reshaped.extent(), reshaped.mean_edge()), (made.extent(), made.mean_edge()));
        let [a, b, _] = rest.mesh().triangles[40].map(|v| v as usize);
        let mut flat = there.clone();
        flat[b] = flat[a];
        let refused = rest.reshaped(&flat).err().unwrap();
        assert_eq!((refused.kind(), rest.has_area(40)), (Kind::Degenerate, true));
        let without = Rest::new(TriMesh { positions: flat, ..rest.mesh().clone() }).unwrap();
        let back = without.reshaped(&there).unwrap();
        assert!(!back.has_area(40) && back.has_area(0));
    }

    #[test]
    fn meshes_without_area_are_refused_and_vertices_without_triangles_have_no_stand() {
        let flat =
            TriMesh { positions: vec![Vec3::zeros(); 3], triangles: vec![[0, 1, 2]], ..TriMesh::default() };
        assert_eq!(Rest::new(flat).err().unwrap().kind(), Kind::Degenerate);
        assert_eq!(Rest::new(TriMesh::default()).err().unwrap().kind(), Kind::Degenerate);
        let mut mesh = TriMesh::from_mesh(&shapes::grid(1.0, 1.0, 2, 2)).unwrap();
        mesh.positions.push(Vec3::x());
        let rest = Rest::new(mesh).unwrap();
        assert!(rest.vertex(9).is_none() && rest.vertex(8).is_some());
    }
}
