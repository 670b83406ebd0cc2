//! Measuring the skin and finding what rides on it take no memory once they are warm.

#[path = "support/allocations.rs"]
mod allocations;

use allocations::fewest_allocations;
use sinew::energy::{Material, Stvk};
use sinew::geometry::{SurfacePoint, TriMesh, shapes};
use sinew::math::Vec2;
use sinew::skin::inverse::{Image, Ride, Slid};
use sinew::skin::measure::{Gauge, Measures};
use sinew::skin::model::{Model, Settings};

#[test]
fn warm_frames_do_not_allocate() {
    let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
    let mesh = TriMesh::from_mesh(&shapes::cylinder(1.0, 2.0, 80, 40)).unwrap();
    let model = Model::new(mesh, Settings::new(material)).unwrap();
    // Upwards, so that the lowest skin has left the body and the tree is asked.
    let home: Vec<SurfacePoint> = (0..model.len()).map(|v| model.rest.vertex(v).unwrap()).collect();
    let skins = [0.3, 0.7].map(|part| {
        let way = Vec2::new(0.0, part * model.rest.mean_edge());
        home.iter().map(|p| model.rest.go(p, way)).collect::<Vec<_>>()
    });
    let body: Vec<_> = model.rest.mesh().positions.iter().map(|p| p * 1.2).collect();
    let (mut gauge, mut measures) = (Gauge::new(&model), Measures::default());
    let mut image = Image::new(&model).unwrap();
    let mut slid: Vec<_> = home.iter().map(|p| Slid::at_rest(*p)).collect();
    let mut rides = vec![Ride::default(); home.len()];
    let taken = fewest_allocations(|| {
        for skin in &skins {
            gauge.measure(&model, skin, &body, &mut measures).unwrap();
            image.update(&model, skin).unwrap();
            image.find(&model, &home, &mut slid).unwrap();
            image.ride(&model, &body, &home, &slid, &mut rides).unwrap();
        }
    });
    assert!(slid.iter().any(|s| !s.inside) && slid.iter().any(|s| s.inside));
    assert_eq!(taken, 0);
}
