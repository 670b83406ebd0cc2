//! Carrying a map does not allocate.

use crate::allocations::{alone, fewest_allocations};
use sinew::control::Control;
use sinew::geometry::{
    Carrier, CarryScratch, ClosestPoint, HalfEdges, SurfacePoint, TriMesh, decimate, shapes,
};
use sinew::math::Vec3;

#[test]
fn carrying_a_map_does_not_allocate() {
    let _alone = alone();
    let fine = TriMesh::from_mesh(&shapes::torus(2.0, 0.7, 80, 40)).unwrap();
    let edges = HalfEdges::of_triangles(fine.positions.len(), &fine.triangles);
    let coarse =
        decimate(&fine, &edges, 500, &vec![false; fine.positions.len()], &Control::default()).unwrap();
    let carrier = Carrier::new(&fine, &edges, &coarse).unwrap();
    let tree = ClosestPoint::new(&coarse.mesh).unwrap();
    // Upside down and aside: some places are far off the surface, so that every kind of search runs.
    let place = |p: &Vec3| tree.find(&Vec3::new(p.x + 0.5, -p.y, p.z), f64::INFINITY).unwrap().on;
    let map: Vec<SurfacePoint> = coarse.mesh.positions.iter().map(place).collect();
    let mut out = vec![map[0]; fine.positions.len()];
    let mut scratch = CarryScratch::default();
    let taken = fewest_allocations(|| carrier.carry(&map, &mut scratch, &mut out).unwrap());
    assert_eq!(taken, 0);
}
