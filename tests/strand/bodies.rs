//! Rigid bodies wherever they stand: they lie still on a wide floor, and tumble without gaining energy.

use crate::strand_run::Run;
use sinew::geometry::{MassProperties, Mesh, Solid, shapes};
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::energy::energy;
use sinew::strand::measures::touches;
use sinew::strand::parts::{Body, Contact, Joint, Mode, Parts, Settings, Velocity};
use sinew::strand::step::Inputs;

/// A body of a density of 1,000 kg/m^3.
fn solid(name: &str, mesh: &Mesh, mass: &MassProperties, place: Placement, mode: Mode) -> Body {
    let moments = Vec3::from_fn(|k, _| mass.inertia[(k, k)]);
    Body { name: name.into(), place, mass: mass.mass, moments, mode, solid: Some(Solid::new(mesh).unwrap()) }
}

fn cuboid(name: &str, size: Vec3, place: Placement, mode: Mode) -> Body {
    let mass = MassProperties::of_cuboid(&size, 1000.0).unwrap();
    solid(name, &shapes::cuboid(&size), &mass, place, mode)
}

fn at(x: Real, y: Real, z: Real) -> Placement {
    Placement::new(Rotation::identity(), Vec3::new(x, y, z))
}

/// A body on a held floor of 20 m, in one order or the other, for three seconds; how far it goes and turns.
fn rests(body: &dyn Fn(Placement) -> Body, height: Real, place: [Real; 2], swapped: bool) -> [Real; 2] {
    rests_on([22.0, 0.2], body, height, place, swapped)
}

/// The same on a floor of a width and a thickness.
fn rests_on(
    [wide, thick]: [Real; 2],
    body: &dyn Fn(Placement) -> Body,
    height: Real,
    [x, z]: [Real; 2],
    swapped: bool,
) -> [Real; 2] {
    let floor = cuboid("floor", Vec3::new(wide, thick, wide), at(0.0, -0.5 * thick, 0.0), Mode::Removed);
    let start = at(x, height, z);
    let mut bodies = vec![floor, body(start)];
    if swapped {
        bodies.reverse();
    }
    let which = usize::from(!swapped);
    let contacts = vec![Contact { name: "stand".into(), bodies: [0, 1], friction: 0.5 }];
    let mut run = Run::new(Parts { bodies, contacts, ..Parts::default() });
    for _ in 0..72 {
        run.frame(&Inputs { seconds: 1.0 / 24.0, substeps: 20, ..Inputs::default() });
    }
    let place = &run.state.bodies[which].place;
    [(place.origin - start.origin).norm(), place.rotation.angle()]
}

#[test]
fn boxes_lie_still_anywhere_on_a_wide_floor() {
    let sizes = [Vec3::repeat(0.02), Vec3::new(0.1, 0.04, 0.06), Vec3::repeat(1.0)];
    let places = [[0.0, 0.0], [0.5, 0.0], [-3.0, 2.0], [10.0, -10.0], [10.45, 10.45]];
    for size in sizes {
        for place in places {
            for swapped in [false, true] {
                let make = |place| cuboid("box", size, place, Mode::Free);
                let [moved, turned] = rests(&make, 0.5 * size.y, place, swapped);
                println!("{:.2} m at {place:?}, swapped {swapped}: {moved:.1e} m, {turned:.1e} rad", size.x);
                assert!(moved < 1e-4 && turned < 0.1_f64.to_radians(), "{moved} m, {turned} rad");
            }
        }
    }
}

#[test]
fn thin_plates_stand_and_lie_anywhere_on_thin_floors() {
    // On its edge of 2 mm, flat, long, and a cube, on floors that are up to 40,000 times as wide as thick.
    let sizes =
        [[0.3, 0.02, 0.002], [0.002, 0.02, 0.3], [0.02, 0.002, 0.3], [0.02, 0.06, 0.004], [0.02, 0.02, 0.02]];
    for floor in [[40.0, 0.1], [20.0, 0.01], [40.0, 1e-3]] {
        for size in sizes.map(|[x, y, z]| Vec3::new(x, y, z)) {
            for (place, swapped) in [([9.5, -9.5], false), ([9.5, -9.5], true), ([-3.1, 0.7], false)] {
                let make = |place| cuboid("box", size, place, Mode::Free);
                let [moved, turned] = rests_on(floor, &make, 0.5 * size.y, place, swapped);
                let what = format!("{size:?} on {floor:?} at {place:?}, swapped {swapped}");
                println!("{what}: {moved:.1e} m, {turned:.1e} rad");
                assert!(moved < 1e-4 && turned < 0.1_f64.to_radians(), "{what}: {moved} m, {turned} rad");
            }
        }
    }
}

#[test]
fn a_ball_lies_still_anywhere_on_a_wide_floor() {
    // It lies on one of its facets, which are 0.1 rad wide.
    let mut mesh = shapes::sphere(0.05, 3);
    let [a, b, c] = [0, 1, 2].map(|k| mesh.positions[mesh.corner_vertices[k] as usize]);
    let out = (b - a).cross(&(c - a)).normalize();
    let down = Rotation::rotation_between(&out, &-Vec3::y()).unwrap();
    mesh.positions.iter_mut().for_each(|p| *p = down * *p);
    let mass = MassProperties::of_solid(&Solid::new(&mesh).unwrap(), 1000.0).unwrap();
    for place in [[0.0, 0.0], [5.0, 0.0], [-8.0, 9.0]] {
        for swapped in [false, true] {
            let make = |place| solid("ball", &mesh, &mass, place, Mode::Free);
            let [moved, turned] = rests(&make, a.dot(&out), place, swapped);
            println!("ball at {place:?}, swapped {swapped}: {moved:.1e} m, {turned:.1e} rad");
            assert!(moved < 1e-4 && turned < 0.1_f64.to_radians(), "{moved} m, {turned} rad");
        }
    }
}

/// A body that tumbles without gravity; the largest errors of energy and spin over all frames, as parts of them.
fn tumbles(moments: Vec3, angular: Vec3, seconds: Real, step: Real) -> [Real; 2] {
    let mut body = cuboid("tumbling", Vec3::new(0.1, 0.06, 0.02), at(0.3, -0.2, 7.0), Mode::Free);
    body.moments = moments;
    let settings = Settings { gravity: Vec3::zeros(), ..Settings::default() };
    let mut run = Run::new(Parts { settings, bodies: vec![body], ..Parts::default() });
    let moving = &mut run.state.bodies[0];
    (moving.angular, moving.spin) = (angular, angular.component_mul(&moments));
    let (spin, before) = (moving.spin, energy(&run.model, &run.state).kinetic);
    let (mut worst, frames) = ([0.0_f64; 2], (seconds * 20.0) as usize);
    for _ in 0..frames {
        run.frame(&Inputs { seconds: 0.05, substeps: (0.05 / step).round() as u32, ..Inputs::default() });
        let kinetic = energy(&run.model, &run.state).kinetic;
        let off = [(kinetic / before - 1.0).abs(), (run.state.bodies[0].spin - spin).norm() / spin.norm()];
        assert!(off.iter().all(|off| off.is_finite()), "{off:?}");
        worst = [0, 1].map(|k| worst[k].max(off[k]));
    }
    worst
}

#[test]
fn a_tumbling_box_keeps_energy_and_spin_for_twenty_seconds() {
    let mass = MassProperties::of_cuboid(&Vec3::new(0.1, 0.06, 0.02), 1000.0).unwrap();
    let cuboid = Vec3::from_fn(|k, _| mass.inertia[(k, k)]);
    for moments in [cuboid, Vec3::new(1e-3, 2e-3, 2.5e-3), Vec3::new(1e-5, 1e-3, 1e-3)] {
        // About the middle axis, nearly: it turns over, again and again.
        for angular in [Vec3::new(0.1, 16.0, 0.1), Vec3::new(9.0, 9.0, -9.0)] {
            let [kinetic, spin] = tumbles(moments, angular, 20.0, 1e-3);
            println!("{moments:?} at {angular:?}: energy off by {kinetic:.1e}, spin by {spin:.1e}");
            assert!(kinetic < 0.02 && spin < 5e-3, "{kinetic} {spin}");
        }
    }
}

#[test]
fn slender_bodies_keep_energy_and_spin() {
    for moments in [
        [1e-6, 2e-3, 2e-3],
        [1e-6, 2e-3, 2.0005e-3],
        [1e-9, 1e-3, 1e-3],
        [3e-5, 1e-3, 1.02e-3],
        [2e-4, 1e-3, 1.1e-3],
    ] {
        let mut worst = [0.0_f64; 2];
        // The same with the axes in another order.
        for turn in 0..3 {
            let order = |v: [Real; 3]| Vec3::from_fn(|k, _| v[(k + turn) % 3]);
            for angular in [[23.0, 23.0, 23.0], [0.0, 40.0, 1.0], [40.0, 40.0, 1.0], [300.0, 30.0, -20.0]] {
                let off = tumbles(order(moments), order(angular), 5.0, 1e-3);
                worst = [0, 1].map(|k| worst[k].max(off[k]));
            }
        }
        println!("{moments:?}: energy off by {:.1e}, spin by {:.1e}", worst[0], worst[1]);
        assert!(worst[0] < 1e-2 && worst[1] < 1e-9, "{moments:?}: {worst:?}");
    }
}

#[test]
fn turning_over_about_the_middle_axis_is_in_time() {
    // Euler's equations by a Runge-Kutta method in the body's axes: how long the middle axis takes to turn over.
    let moments = Vec3::new(1e-3, 2e-3, 2.5e-3);
    let rate = |w: &Vec3| {
        let spin = moments.component_mul(w);
        spin.cross(w).component_div(&moments)
    };
    let start = Vec3::new(0.05, 16.0, 0.05);
    let (mut w, h, mut exact) = (start, 1e-5, 0.0);
    while w.y > 0.0 {
        let a = rate(&w);
        let b = rate(&(w + a * (0.5 * h)));
        let c = rate(&(w + b * (0.5 * h)));
        let d = rate(&(w + c * h));
        w += (a + b * 2.0 + c * 2.0 + d) * (h / 6.0);
        exact += h;
    }
    let took = |h: Real, faster: Real| {
        let mut body = cuboid("tumbling", Vec3::repeat(0.1), at(0.0, 0.0, 0.0), Mode::Free);
        body.moments = moments;
        let settings = Settings { gravity: Vec3::zeros(), ..Settings::default() };
        let mut run = Run::new(Parts { settings, bodies: vec![body], ..Parts::default() });
        let moving = &mut run.state.bodies[0];
        (moving.angular, moving.spin) = (start * faster, start.component_mul(&moments) * faster);
        let inside = |run: &Run| {
            let moving = &run.state.bodies[0];
            moving.place.direction_inside(&moving.spin).y
        };
        let mut before = inside(&run);
        loop {
            run.frame(&Inputs { seconds: h, substeps: 1, ..Inputs::default() });
            let now = inside(&run);
            if now <= 0.0 {
                return run.state.time - h * now / (now - before);
            }
            before = now;
        }
    };
    let off = [4e-3, 2e-3, 1e-3].map(|h| (took(h, 1.0) - exact).abs());
    println!("it turns over after {exact:.5} s; off by {off:?} s");
    assert!(off.iter().all(|off| *off < 1e-4), "{off:?}");
    // Eight times as fast it takes an eighth of the time, though a step turns it by half a radian.
    let off = (8.0 * took(4e-3, 8.0) - exact).abs();
    println!("eight times as fast: off by {off} s");
    assert!(off < 0.02 * exact, "{off}");
}

#[test]
fn a_heavy_top_keeps_its_energy() {
    // On its tip, which stays; spinning fast it goes round slowly instead of falling.
    let (radius, length) = (0.03, 0.04);
    let mut top = cuboid("top", Vec3::repeat(radius), at(0.0, 0.0, 0.0), Mode::Free);
    top.mass = 0.1;
    top.moments = Vec3::new(3e-5, 4.5e-5, 3e-5);
    let tilt = Rotation::from_scaled_axis(Vec3::x() * 0.4);
    top.place = Placement::new(tilt, tilt * (Vec3::y() * length));
    let frames = [Placement::default(), at(0.0, -length, 0.0)];
    let joint = Joint::holding("tip", None, 0, frames, [true, true, true, false, false, false]);
    let mut run = Run::new(Parts { bodies: vec![top], joints: vec![joint], ..Parts::default() });
    let speed = 250.0;
    let moving = &mut run.state.bodies[0];
    moving.angular = tilt * (Vec3::y() * speed);
    moving.spin = moving.angular * 4.5e-5;
    let before = energy(&run.model, &run.state).total();
    let turning = energy(&run.model, &run.state).kinetic;
    let (mut worst, mut round, mut last) = (0.0_f64, 0.0, 0.0_f64);
    for _ in 0..200 {
        run.frame(&Inputs { seconds: 0.05, substeps: 100, ..Inputs::default() });
        let off = (energy(&run.model, &run.state).total() - before).abs() / turning;
        assert!(off.is_finite());
        worst = worst.max(off);
        let axis = run.state.bodies[0].place.origin;
        let angle = axis.x.atan2(axis.z);
        round += (angle - last + 3.0 * std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
            - std::f64::consts::PI;
        last = angle;
        let height = axis.y / length;
        assert!((height - 0.4_f64.cos()).abs() < 0.05, "the top falls: {height}");
    }
    // Steady precession at W: C s W - A W^2 cos = m g l, A and C the moments about the tip and along the axis, s the
    // spin.
    let (a, spin, weight) =
        ((3e-5 + 0.1 * length * length) * 0.4_f64.cos(), 4.5e-5 * speed, 0.1 * 9.81 * length);
    let expected = (spin - (spin * spin - 4.0 * a * weight).sqrt()) / (2.0 * a);
    println!(
        "heavy top: energy off by {worst:.1e}, precession {:.4} rad/s, {expected:.4} expected",
        round / 10.0
    );
    assert!(worst < 1e-3 && (round / 10.0 / expected - 1.0).abs() < 0.01, "{worst} {round}");
}

#[test]
fn a_fast_ball_of_many_facets_rubs_no_more_than_it_is_pressed() {
    for (facets, speed, friction) in [(3, 10.0, 0.3), (4, 20.0, 1.0), (4, 5.0, 0.6)] {
        let mesh = shapes::sphere(0.05, facets);
        let mass = MassProperties::of_solid(&Solid::new(&mesh).unwrap(), 1000.0).unwrap();
        let floor = cuboid("floor", Vec3::new(40.0, 0.2, 4.0), at(0.0, -0.1, 0.0), Mode::Removed);
        let ball = solid("ball", &mesh, &mass, at(0.0, 0.05, 0.0), Mode::Free);
        let linear = Vec3::new(speed, 0.0, 0.05 * speed);
        let velocities = vec![Velocity::default(), Velocity { linear, angular: Vec3::zeros() }];
        let contacts = vec![Contact { name: "slide".into(), bodies: [0, 1], friction }];
        let mut run = Run::new(Parts { bodies: vec![floor, ball], velocities, contacts, ..Parts::default() });
        let (mut most, mut sums): (Real, [Real; 2]) = (0.0, [0.0; 2]);
        for _ in 0..300 {
            let report = run.frame(&Inputs { seconds: 1e-3, substeps: 1, ..Inputs::default() });
            for touch in touches(&run.model, &run.scratch, report.last_step) {
                let [pressed, rubbed] = [touch.force.y, touch.force.x.hypot(touch.force.z)];
                // Up to a thousandth of the ball's weight is round-off of the search for both.
                most = most.max((rubbed - 5e-3) / (friction * pressed));
                sums = [sums[0] + rubbed, sums[1] + friction * pressed];
            }
        }
        println!(
            "{facets} {speed} m/s, {friction}: at most {most:.4} of the bound, {:.4} in all",
            sums[0] / sums[1]
        );
        assert!(most < 1.02 && sums[0] < 1.01 * sums[1] && sums[0] > 0.3 * sums[1], "{most} {sums:?}");
    }
}

/// A prism over a regular polygon with a vertex on the x axis, along y.
fn prism(corners: usize, radius: Real, height: Real) -> Mesh {
    let mut mesh = Mesh::default();
    for y in [-0.5 * height, 0.5 * height] {
        mesh.positions.extend((0..corners).map(|k| {
            let (sin, cos) = (k as Real / corners as Real * std::f64::consts::TAU).sin_cos();
            Vec3::new(radius * cos, y, radius * sin)
        }));
    }
    let n = corners as u32;
    let mut faces: Vec<Vec<u32>> = vec![(0..n).collect(), (n..2 * n).rev().collect()];
    faces.extend((0..n).map(|k| vec![k, n + k, n + (k + 1) % n, (k + 1) % n]));
    mesh.face_offsets = vec![0];
    for face in faces {
        mesh.corner_vertices.extend(&face);
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    }
    mesh
}

/// How far a body turns in two seconds, in degrees, that stands on a rough floor while gravity is tilted by an angle
/// towards a direction in the floor.
fn turns_when_tilted(body: Body, degrees: Real, towards: Vec3, swapped: bool) -> Real {
    let angle = degrees.to_radians();
    let gravity = (towards.normalize() * angle.sin() - Vec3::y() * angle.cos()) * 9.81;
    let floor = cuboid("floor", Vec3::new(3.0, 0.1, 3.0), at(0.4, -0.05, -0.3), Mode::Removed);
    let mut bodies = vec![floor, body];
    let which = usize::from(!swapped);
    if swapped {
        bodies.reverse();
    }
    let contacts = vec![Contact { name: "stand".into(), bodies: [0, 1], friction: 1.5 * angle.tan() }];
    let settings = Settings { gravity, ..Settings::default() };
    let mut run = Run::new(Parts { settings, bodies, contacts, ..Parts::default() });
    let start = run.state.bodies[which].place.rotation;
    run.go(2.0, 1000);
    (run.state.bodies[which].place.rotation * start.inverse()).angle().to_degrees()
}

#[test]
fn boxes_tip_at_the_angle_of_their_corners() {
    // Half the width above the edge over half the height: the weight passes the edge.
    for [x, y, z] in [[0.05, 0.2, 0.04], [0.3, 0.21, 0.5], [2.0, 5.0, 1.0]] as [[Real; 3]; 3] {
        for (half, towards) in [(0.5 * x, Vec3::x()), (0.5 * x, -Vec3::x()), (0.5 * z, Vec3::z())] {
            let tips = (half / (0.5 * y)).atan().to_degrees();
            for swapped in [false, true] {
                let make = || cuboid("box", Vec3::new(x, y, z), at(0.7, 0.5 * y, 0.2), Mode::Free);
                let [below, above] =
                    [-0.05, 0.05].map(|more| turns_when_tilted(make(), tips + more, towards, swapped));
                println!("{x} x {y} x {z} at {tips:.2} degrees, swapped {swapped}: {below:.1e}, {above:.1e}");
                assert!(below < 1e-2 && above > 0.2, "{below} {above}");
            }
        }
    }
}

#[test]
fn prisms_stand_on_all_their_corners() {
    for corners in [3, 5, 6, 12] {
        let [radius, height] = [0.04, 0.1];
        let mesh = prism(corners, radius, height);
        let mass = MassProperties::of_solid(&Solid::new(&mesh).unwrap(), 1000.0).unwrap();
        let half = std::f64::consts::PI / corners as Real;
        for k in 0..2 * corners {
            // Over a corner, or the edge between two.
            let (sin, cos) = (k as Real * half).sin_cos();
            let reach = radius * if k % 2 == 0 { 1.0 } else { half.cos() };
            let tips = (reach / (0.5 * height)).atan().to_degrees();
            let [below, above] = [-0.3, 0.3].map(|more| {
                let body = solid("prism", &mesh, &mass, at(-0.2, 0.5 * height, 0.3), Mode::Free);
                turns_when_tilted(body, tips + more, Vec3::new(cos, 0.0, sin), k % 3 == 0)
            });
            println!("{corners} corners, direction {k}, {tips:.2} degrees: {below:.1e}, {above:.1e}");
            assert!(below < 1e-2 && above > 0.2, "{below} {above}");
        }
    }
}

#[test]
fn what_flies_at_a_thin_wall_stops_at_it_at_any_speed() {
    for speed in [3.0, 40.0, 250.0, 1000.0] {
        for (start, turned) in [(-0.21, 0.0), (-0.235, 0.3), (-0.5, 0.8), (-1.07, 0.1)] {
            for swapped in [false, true] {
                let turn = Rotation::from_axis_angle(&Vec3::z_axis(), turned);
                let place = Placement::new(turn, Vec3::new(start, 0.05, 0.0));
                let wall = cuboid("wall", Vec3::new(0.008, 1.0, 1.0), at(0.0, 0.0, 0.0), Mode::Removed);
                let mut bodies = vec![wall, cuboid("box", Vec3::repeat(0.04), place, Mode::Free)];
                let mut velocities = vec![
                    Velocity::default(),
                    Velocity { linear: Vec3::x() * speed, angular: Vec3::z() * 20.0 },
                ];
                if swapped {
                    bodies.reverse();
                    velocities.reverse();
                }
                let contacts = vec![Contact { name: "hit".into(), bodies: [0, 1], friction: 0.2 }];
                let mut parts = Parts { bodies, velocities, contacts, ..Parts::default() };
                parts.settings.gravity = Vec3::zeros();
                let mut run = Run::new(parts);
                for _ in 0..24 {
                    run.frame(&Inputs { seconds: 1.0 / 24.0, substeps: 42, ..Inputs::default() });
                    let x = run.state.bodies[usize::from(!swapped)].place.origin.x;
                    assert!(x < -0.02, "{speed} m/s from {start}, swapped {swapped}: {x}");
                }
            }
        }
    }
}
