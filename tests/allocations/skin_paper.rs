//! A frame of the reference integrator does not allocate once it is warm.

use crate::allocations::{alone, fewest_allocations};
use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::geometry::{TriMesh, shapes};
use sinew::math::Vec3;
use sinew::skin::model::{Hold, Model, Settings};
use sinew::skin::paper::{Chain, Charts, Inputs, STEP, Scratch, State, step};

#[test]
fn a_warm_frame_does_not_allocate() {
    let _alone = alone();
    let mesh = shapes::cylinder(0.05, 0.2, 24, 24);
    let settings = Settings { zeta: 0.5, ..Settings::new(Material::Stvk(Stvk::new(2e4, 0.3).unwrap())) };
    let mut model = Model::new(TriMesh::from_mesh(&mesh).unwrap(), settings).unwrap();
    let rim = |p: &Vec3| if p.y < 1e-9 { Hold::Fixed } else { Hold::Free };
    model.set_holds(&mesh.positions.iter().map(rim).collect::<Vec<_>>()).unwrap();
    let charts = Charts::islands(&model.rest, &mesh).unwrap();
    let mut scratch = Scratch::new(&model, &charts, &[]).unwrap();
    let mut state = State::at_rest(&model);
    let (mut body, control) = (mesh.positions.clone(), Control::default());
    let mut frame = 0;
    let taken = fewest_allocations(|| {
        frame += 1;
        let shift = 0.002 * f64::from(frame);
        body.iter_mut().zip(&mesh.positions).for_each(|(b, p)| *b = p + Vec3::new(shift, 0.0, shift * p.y));
        let inputs = Inputs { body: &body, seconds: 5e-3, step: STEP, chain: Chain::Vertex, forces: &[] };
        step(&model, &charts, &mut state, &mut scratch, &inputs, &control).unwrap();
    });
    assert_eq!(taken, 0);
}
