//! A step of the skin, measuring it and finding its riders do not allocate once they are warm.

use crate::allocations::{alone, fewest_allocations};
use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::geometry::{SurfacePoint, TriMesh, shapes};
use sinew::math::{Real, Vec2, Vec3};
use sinew::skin::inverse::{Image, Ride, Slid};
use sinew::skin::measure::{Gauge, Measures};
use sinew::skin::model::{Hold, Mode, Model, Settings};
use sinew::skin::production::{Inputs, Runner};

#[test]
fn warm_frames_do_not_allocate() {
    let _alone = alone();
    let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
    let mesh = TriMesh::from_mesh(&shapes::cylinder(1.0, 2.0, 80, 40)).unwrap();
    let model = Model::new(mesh, Settings::new(material)).unwrap();
    // Upwards, so that the lowest skin has left the body and the tree is queried.
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
    for mode in [Mode::Quasistatic, Mode::Dynamic] {
        assert_eq!(steps(mode), 0, "{mode:?}");
    }
}

/// Allocations in frames of a tube whose one half twists to and fro, one rim held, the other sliding around.
fn steps(mode: Mode) -> usize {
    let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
    let mesh = TriMesh::from_mesh(&shapes::cylinder(1.0, 2.0, 60, 30)).unwrap();
    let mut model = Model::new(mesh, Settings { mode, zeta: 0.5, ..Settings::new(material) }).unwrap();
    let rest = model.rest.mesh().positions.clone();
    let hold = |p: &Vec3| match p.y {
        y if y < 1e-9 => Hold::Fixed,
        y if y > 2.0 - 1e-9 => Hold::Along(Vec3::new(-p.z, 0.0, p.x)),
        _ => Hold::Free,
    };
    model.set_holds(&rest.iter().map(hold).collect::<Vec<_>>()).unwrap();
    let twisted = |angle: Real| -> Vec<Vec3> {
        let turned = |p: &Vec3| nalgebra::Rotation3::new(Vec3::y() * (angle * (p.y - 1.0).max(0.0))) * p;
        rest.iter().map(turned).collect()
    };
    let bodies = [0.1, 0.2, 0.1, 0.0].map(twisted);
    let mut skin = Runner::new(&model).unwrap();
    let control = Control::default();
    let mut converged = true;
    let taken = fewest_allocations(|| {
        for body in &bodies {
            let inputs = Inputs { body, seconds: 1.0 / 24.0, substeps: 2, forces: &[] };
            converged &= skin.step(&model, &inputs, &control).unwrap().warnings.is_empty();
        }
    });
    assert!(converged && skin.state.skin[400] != model.rest.vertex(400).unwrap());
    taken
}
