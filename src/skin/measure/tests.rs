use super::super::equilibrium::{Given, Scratch, VertexTerm, solve};
use super::super::membrane::{Strained, metric};
use super::super::model::{Hold, Maps, Settings};
use super::super::state::State;
use super::*;
use sinew_base::control::Control;
use sinew_energy::{Constants, MATERIALS, Material, MembraneEnergy, NeoHookean};
use sinew_geometry::{Mesh, TriMesh, shapes};
use sinew_math::{Mat3x2, Rotation};

fn materials() -> Vec<Material> {
    let constants = Constants { young: 3e4, poisson: 0.4, own: 3.0 };
    MATERIALS.iter().map(|kind| (kind.make)(&constants).unwrap()).collect()
}

/// A model with fibres along y.
fn model(mesh: &Mesh, material: Material) -> Model {
    let mut model = Model::new(TriMesh::from_mesh(mesh).unwrap(), Settings::new(material)).unwrap();
    let mut maps = Maps::plain(model.len());
    maps.fibres.fill(Vec3::y());
    model.set_maps(maps).unwrap();
    model
}

fn measured(model: &Model, skin: &[SurfacePoint], body: &[Vec3]) -> Measures {
    let mut out = Measures::default();
    Gauge::new(model).measure(model, skin, body, &mut out).unwrap();
    out
}

/// For the skin that matches the body at rest.
fn of_image(model: &Model, image: impl Fn(&Vec3) -> Vec3) -> Measures {
    let body: Vec<_> = model.rest.mesh().positions.iter().map(image).collect();
    measured(model, &State::at_rest(model).skin, &body)
}

/// The principal tensions of a membrane with these stretches, the first along the fibres: dpsi/ds divided by the other
/// stretch, by differences of the energy.
fn expected_tensions(material: &Material, thickness: Real, s: [Real; 2]) -> [Real; 2] {
    let psi = |s: [Real; 2]| material.value(&[0.5 * (s[0] * s[0] - 1.0), 0.5 * (s[1] * s[1] - 1.0), 0.0]);
    let h = 1e-5;
    let first = (psi([s[0] + h, s[1]]) - psi([s[0] - h, s[1]])) / (2.0 * h * s[1]);
    let second = (psi([s[0], s[1] + h]) - psi([s[0], s[1] - h])) / (2.0 * h * s[0]);
    [thickness * first, thickness * second]
}

fn near(found: [Real; 2], expected: [Real; 2], bound: Real) -> bool {
    (0..2).all(|k| (found[k] - expected[k]).abs() <= bound * (1.0 + expected[k].abs()))
}

fn all(m: &Measures) -> impl Iterator<Item = &Measure> {
    m.triangles.iter().chain(&m.vertices)
}

#[test]
fn a_rigid_motion_gives_ones_and_zeros() {
    let turn = Rotation::from_euler_angles(0.4, -2.0, 1.0);
    for material in materials() {
        for mesh in [shapes::torus(1.0, 0.3, 24, 16), shapes::cylinder(1.0, 2.0, 16, 8)] {
            let m = of_image(&model(&mesh, material), |p| turn * p + Vec3::new(3.0, -2.0, 0.5));
            for measure in all(&m) {
                assert!(near(measure.stretches, [1.0; 2], 1e-12), "{measure:?}");
                assert!(near(measure.tensions, [0.0; 2], 1e-9), "{measure:?}");
                assert!(measure.wrinkles.excess < 1e-12 && near(measure.strains(), [0.0; 2], 1e-12));
                let [a, b] = measure.directions;
                assert!((a.norm() - 1.0).abs() < 1e-12 && (b.norm() - 1.0).abs() < 1e-12);
                assert!(a.dot(&b).abs() < 1e-12);
            }
            assert!(m.slides.iter().all(|s| *s == Slide::default()));
            assert!(m.loads.iter().all(|l| l.force.norm() < 1e-12));
            assert!((m.largest - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn a_stretched_tube_has_the_stretch_and_the_tension_of_its_energy() {
    for material in materials() {
        let model = model(&shapes::cylinder(0.05, 0.2, 24, 12), material);
        let m = of_image(&model, |p| Vec3::new(p.x, 1.5 * p.y, p.z));
        let expected = expected_tensions(&material, model.settings.thickness, [1.5, 1.0]);
        for measure in all(&m) {
            assert!(near(measure.stretches, [1.5, 1.0], 1e-12), "{measure:?}");
            assert!(near(measure.tensions, expected, 1e-8), "{material:?} {measure:?} {expected:?}");
            assert!(
                (measure.directions[0].y.abs() - 1.0).abs() < 1e-12 && measure.directions[1].y.abs() < 1e-7
            );
            assert!((measure.pull.y.abs() - 1.0).abs() < 1e-12 && measure.wrinkles == Wrinkles::default());
        }
        assert!((m.largest - 1.5).abs() < 1e-12);
        assert!((m.triangles[m.largest_at as usize].stretches[0] - m.largest).abs() == 0.0);
    }
}

#[test]
fn a_sheared_plane_has_the_stretches_of_the_text_book() {
    let shear: Real = 0.7;
    for material in materials() {
        let m = of_image(&model(&shapes::grid(1.0, 1.0, 6, 6), material), |p| {
            Vec3::new(p.x, 0.0, p.z) + Vec3::x() * (shear * -p.z)
        });
        let half = (1.0 + shear * shear / 4.0).sqrt();
        // F F^T = [1 + g^2, g; g, 1] in the plane (x, -z).
        let angle = 0.5 * (2.0 * shear).atan2(shear * shear);
        let along = Vec3::new(angle.cos(), 0.0, -angle.sin());
        for measure in all(&m) {
            assert!(near(measure.stretches, [half + shear / 2.0, half - shear / 2.0], 1e-12), "{measure:?}");
            assert!((measure.directions[0].dot(&along).abs() - 1.0).abs() < 1e-12);
            assert!(measure.directions[1].dot(&along).abs() < 1e-12);
        }
    }
}

#[test]
fn a_prestrain_shows_as_stretch() {
    let mut model = model(&shapes::torus(1.0, 0.3, 12, 12), materials()[0]);
    let mut maps = Maps::plain(model.len());
    maps.prestrain.fill(0.1);
    model.set_maps(maps).unwrap();
    let m = of_image(&model, |p| *p);
    assert!(all(&m).all(|m| near(m.stretches, [1.1; 2], 1e-12) && m.tensions[1] > 0.0));
}

#[test]
fn squeezed_skin_wrinkles_across_the_squeeze_and_pulled_skin_does_not() {
    for material in materials() {
        let model = model(&shapes::grid(1.0, 1.0, 5, 5), material);
        let m = of_image(&model, |p| Vec3::new(0.8 * p.x, 0.0, p.z));
        for measure in all(&m) {
            assert!((measure.wrinkles.excess - 0.25).abs() < 1e-10, "{material:?} {measure:?}");
            assert!(measure.wrinkles.crests.x.abs() < 1e-7);
        }
        // Stretched by a third, a strip with free sides becomes correspondingly narrower, and stays smooth.
        let strained = |s: Real| expected_tensions(&material, 1.0, [4.0 / 3.0, s])[1];
        let (mut low, mut high) = (0.5, 1.0);
        for _ in 0..60 {
            let s = 0.5 * (low + high);
            if strained(s) < 0.0 { low = s } else { high = s }
        }
        let fibres = Maps { fibres: vec![Vec3::z(); model.len()], ..Maps::plain(model.len()) };
        let mut model = model;
        model.set_maps(fibres).unwrap();
        let drawn = |s: Real| of_image(&model, |p| Vec3::new(s * p.x, 0.0, p.z * 4.0 / 3.0));
        assert!(all(&drawn(low + 1e-6)).all(|m| m.wrinkles == Wrinkles::default()), "{material:?}");
        let tight = drawn(0.9 * low);
        assert!(all(&tight).all(|m| (m.wrinkles.excess - 1.0 / 0.9 + 1.0).abs() < 1e-6), "{material:?}");
    }
}

#[test]
fn crushed_both_ways_skin_is_too_long_by_the_smaller_stretch() {
    let model = model(&shapes::grid(1.0, 1.0, 5, 5), materials()[1]);
    let m = of_image(&model, |p| Vec3::new(0.5 * p.x, 0.0, 0.8 * p.z));
    assert!(all(&m).all(|m| (m.wrinkles.excess - 1.0).abs() < 1e-10 && m.wrinkles.crests.x.abs() < 1e-7));
    let mut gauge = Gauge::new(&model);
    gauge.wrinkles_from = 0.3;
    let body: Vec<_> = model.rest.mesh().positions.iter().map(|p| Vec3::new(0.5 * p.x, 0.0, p.z)).collect();
    let mut out = Measures::default();
    gauge.measure(&model, &State::at_rest(&model).skin, &body, &mut out).unwrap();
    assert!(all(&out).all(|m| (m.wrinkles.excess - 0.7).abs() < 1e-10));
}

/// The excess length of a sine with this ratio of amplitude to length, by averaging its arc over one wave (the
/// rectangle rule converges exponentially for periodic functions).
fn sine_excess(amplitude: Real) -> Real {
    let n = 4096;
    let arc =
        |i: usize| (1.0 + (2.0 * PI * amplitude * (2.0 * PI * i as Real / n as Real).cos()).powi(2)).sqrt();
    (0..n).map(arc).sum::<Real>() / n as Real - 1.0
}

#[test]
fn the_amplitude_is_that_of_a_sine_of_the_same_length() {
    let mut errors = Vec::new();
    for amplitude in [0.02, 0.05, 0.1, 0.103, 0.2, 0.255, 0.4, 1.0] {
        let excess = sine_excess(amplitude);
        let error = Wrinkles { excess, crests: Vec3::x() }.amplitude() / amplitude - 1.0;
        errors.push((excess, error, excess.sqrt() / PI / amplitude - 1.0));
    }
    println!("excess, error of the amplitude, error of sqrt(excess)/pi: {errors:?}");
    let worst = |upto: Real| errors.iter().filter(|e| e.0 <= upto).map(|e| e.1.abs()).fold(0.0, Real::max);
    assert!(worst(0.1) < 5e-4 && worst(0.5) < 7e-3 && worst(1.0) < 0.017, "{errors:?}");
}

#[test]
fn a_walked_skin_has_slid_the_other_way() {
    let model = model(&shapes::grid(1.0, 1.0, 8, 8), materials()[0]);
    let turn = Rotation::from_euler_angles(0.4, -2.0, 1.0);
    let way = Vec3::new(0.11, 0.0, -0.07);
    let skin: Vec<_> = (0..model.len())
        .map(|v| {
            let start = model.rest.vertex(v).unwrap();
            let frame = Frame::of_triangle(model.rest.mesh().points(start.triangle as usize)).unwrap();
            model.rest.walk(&start, frame.flatten(&way)).end
        })
        .collect();
    let body: Vec<_> = model.rest.mesh().positions.iter().map(|p| turn * p).collect();
    let m = measured(&model, &skin, &body);
    let mut inside = 0;
    for (v, p) in model.rest.mesh().positions.iter().enumerate() {
        // Far from the borders, where walks stop.
        if p.x.abs() < 0.3 && p.z.abs() < 0.3 {
            inside += 1;
            assert!((m.slides[v].distance - way.norm()).abs() < 1e-12);
            assert!((m.slides[v].way + turn * way).norm() < 1e-12);
        }
    }
    assert!(inside >= 25);
}

fn energy(model: &Model, skin: &[SurfacePoint], body: &[Vec3]) -> Real {
    let of = |t: usize| {
        let corners = model.rest.mesh().triangles[t].map(|v| v as usize);
        let patch = model.patch(metric(corners.map(|v| body[v])), &corners.map(|v| skin[v]));
        let p = corners.map(|v| model.rest.place(&skin[v]));
        let edges = Mat3x2::from_columns(&[p[1] - p[0], p[2] - p[0]]);
        Strained::new(&edges, &patch).unwrap().energy(&model.settings.material, &patch)
    };
    (0..model.rest.mesh().triangles.len()).map(of).sum()
}

/// A crumpled image of a mesh.
fn crumpled(model: &Model) -> Vec<Vec3> {
    let wave = |p: &Vec3| Vec3::new((9.0 * p.y).sin(), (7.0 * p.z + 1.0).cos(), (8.0 * p.x).sin());
    model.rest.mesh().positions.iter().map(|p| p * 1.1 + 0.02 * wave(p)).collect()
}

#[test]
fn the_load_is_the_slope_of_the_energy_and_is_in_balance() {
    let mut worst: Real = 0.0;
    for material in materials() {
        let mut model = model(&shapes::cylinder(1.0, 2.0, 10, 5), material);
        let mut maps =
            Maps { fibres: vec![Vec3::new(0.1, 1.0, 0.2); model.len()], ..Maps::plain(model.len()) };
        for v in 0..model.len() {
            (maps.thickness[v], maps.prestrain[v]) = (1.0 + 0.1 * (v % 3) as Real, 0.02 * (v % 5) as Real);
        }
        model.set_maps(maps).unwrap();
        let body = crumpled(&model);
        let skin = State::at_rest(&model).skin;
        let m = measured(&model, &skin, &body);
        let scale = m.loads.iter().map(|l| l.force.norm()).fold(0.0, Real::max);
        for v in (0..model.len()).step_by(7) {
            for k in 0..3 {
                let moved = |s: Real| {
                    let mut body = body.clone();
                    body[v][k] += s * 1e-5;
                    energy(&model, &skin, &body)
                };
                let slope = (moved(1.0) - moved(-1.0)) / 2e-5;
                worst = worst.max((slope + m.loads[v].force[k]).abs() / scale);
            }
        }
        let sum: Vec3 = m.loads.iter().map(|l| l.force).sum();
        let moment: Vec3 = m.loads.iter().zip(&body).map(|(l, x)| x.cross(&l.force)).sum();
        assert!(sum.norm() < 1e-13 * scale * 60.0 && moment.norm() < 1e-13 * scale * 60.0, "{sum} {moment}");
        let split = |l: &Load| (l.along.norm_squared() + l.normal * l.normal - l.force.norm_squared()).abs();
        assert!(m.loads.iter().all(|l| split(l) < 1e-12 * scale * scale));
    }
    println!("load against differences of the energy: {worst:e} of the largest force");
    assert!(worst < 1e-7);
}

#[test]
fn the_pressure_of_a_tight_tube_is_laplaces_law() {
    for material in materials() {
        let mut errors = Vec::new();
        for n in [12, 24, 48] {
            let (radius, length) = (0.05, 0.1);
            let model = model(&shapes::cylinder(radius, length, n, n / 2), material);
            let m = of_image(&model, |p| Vec3::new(1.2 * p.x, p.y, 1.2 * p.z));
            let [_, hoop] = expected_tensions(&material, model.settings.thickness, [1.0, 1.2]);
            let law = hoop / (1.2 * radius);
            let inner = |v: &usize| (n..model.len() - n).contains(v);
            let error = |v: usize| (m.loads[v].pressure() / law - 1.0).abs();
            errors.push((0..model.len()).filter(inner).map(error).fold(0.0, Real::max));
            let along = |v: usize| m.loads[v].along.norm() / m.loads[v].force.norm();
            assert!((0..model.len()).filter(inner).map(along).all(|a| a < 1e-9));
        }
        println!("Laplace's law, 12, 24, 48 sides: {errors:?}");
        // A prism's load per area is that of its circumscribed cylinder; the rest is the error of the differences.
        assert!(errors.iter().all(|e| *e < 1e-8), "{errors:?}");
    }
}

/// The tube's upper half is stretched to twice its length; the skin evens out and pulls only at the held rims.
#[test]
fn skin_at_rest_does_not_pull_along_the_body_where_it_is_free() {
    let mesh = shapes::cylinder(0.05, 0.2, 24, 24);
    let mut model = model(&mesh, materials()[0]);
    model.settings.tolerance = 1e-7;
    let rim = |p: &Vec3| p.y < 1e-9 || p.y > 0.2 - 1e-9;
    let holds: Vec<_> =
        mesh.positions.iter().map(|p| if rim(p) { Hold::Fixed } else { Hold::Free }).collect();
    model.set_holds(&holds).unwrap();
    let body: Vec<_> = mesh.positions.iter().map(|p| p + Vec3::y() * (p.y - 0.1).max(0.0)).collect();
    let mut skin = State::at_rest(&model).skin;
    let terms = vec![VertexTerm::default(); model.len()];
    let mut scratch = Scratch::new(&model).unwrap();
    solve(
        &model,
        &body,
        &mut skin,
        &mut None,
        &Given { terms: &terms, other: None, still: false },
        &mut scratch,
        &Control::default(),
    )
    .unwrap();
    let m = measured(&model, &skin, &body);
    let largest = |held: bool| {
        let of = (0..model.len()).filter(|&v| rim(&mesh.positions[v]) == held);
        of.map(|v| m.loads[v].along.norm()).fold(0.0, Real::max)
    };
    println!("pull along the body, free and held: {} {} N", largest(false), largest(true));
    assert!(largest(false) < 1e-3 * largest(true));
    assert!(all(&m).all(|m| near(m.stretches, [1.5, 1.0], 1e-3)));
}

#[test]
fn squeezed_to_nothing_and_wrong_counts_are_no_numbers_out() {
    let model = model(&shapes::grid(1.0, 1.0, 3, 3), materials()[1]);
    let m = of_image(&model, |p| Vec3::new(if p.x > 0.0 { 0.0 } else { p.x }, 0.0, p.z));
    let sound = |m: &Measure| m.stretches.iter().chain(&m.tensions).all(|x| x.is_finite());
    assert!(all(&m).all(|m| sound(m) && m.wrinkles.excess.is_finite()));
    assert!(m.loads.iter().all(|l| l.force.iter().all(|x| x.is_finite())));
    let skin = State::at_rest(&model).skin;
    let mut gauge = Gauge::new(&model);
    let short = gauge.measure(&model, &skin, &[], &mut Measures::default());
    assert_eq!(short.unwrap_err().kind(), Kind::CountMismatch);
    let body = vec![Vec3::repeat(Real::NAN); model.len()];
    let wrong = gauge.measure(&model, &skin, &body, &mut Measures::default());
    assert_eq!(wrong.unwrap_err().kind(), Kind::NotFinite);
}

#[test]
fn the_result_has_the_same_bits_at_any_number_of_threads_and_with_places_that_are_known() {
    let model =
        model(&shapes::torus(2.0, 0.7, 40, 20), Material::NeoHookean(NeoHookean::new(2e4, 0.4).unwrap()));
    let (skin, body) = (model.rest.home(), crumpled(&model));
    let placed: Vec<Vec3> = skin.iter().map(|point| model.rest.place(point)).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| measured(&model, &skin, &body))
    };
    let one = with(1);
    let mut out = Measures::default();
    Gauge::new(&model).measure_placed(&model, &skin, &placed, &body, &mut out).unwrap();
    assert!(one == with(2) && one == with(5) && one == out);
}
