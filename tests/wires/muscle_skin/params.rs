//! The parameters that act on all muscles at once.

use super::super::host::{near, within};
use super::{Host, SET, goes, host, matrix, moved, of_set, swing, swung, width};
use sinew::geometry::shapes;
use sinew::math::{Real, Vec3};
use std::f64::consts::PI;

/// The muscle turned along its up-vector.
pub fn frames() {
    for (choice, reported) in [("stable", false), ("up_vector", true)] {
        let mut host = host(&[("frames", choice)]);
        host.give("joints", &[matrix(0, 0.0), matrix(1, 0.0)].concat());
        let report = host.frame(1);
        assert_eq!(
            report.warnings.iter().any(|text| text.contains("along its up-vector")),
            reported,
            "{report:?}"
        );
    }
}

/// On a body that has moved steadily for a long time, muscles lag behind if the drag is that of still air.
pub fn drag() {
    for (choice, lag) in [("body", 0.0), ("air", 2.0 * 0.2 / 1000.0_f64.sqrt())] {
        let mut host = host(&[("drag", choice)]);
        for frame in 0..200 {
            let x = Real::from(frame) / 24.0;
            host.give("joints", &[matrix(0, x), matrix(0, x)].concat());
            host.frame(i64::from(frame));
        }
        within(host.read("muscle_tensions")[0], 300.0 * lag, 1e-6);
    }
}

/// A body that moves from the first frame on was already moving, or is struck then.
pub fn start() {
    for (choice, swung) in [("moving", 0.0), ("still", swung(0.3, 300.0, 0.2, 0.01))] {
        let mut host = host(&[("start", choice)]);
        host.frame(1);
        moved(&mut host, 0.02);
        host.frame(2);
        within(host.read("muscle_tensions")[0], 300.0 * swung, 1e-9);
    }
}

/// Two vertices of neighbouring rings carry a point between them.
pub fn nearest() {
    for (nearest, x) in [("1", 0.4), ("2", 0.45)] {
        let mut host = host(&[("nearest", nearest)]);
        // Straight above the middle between ring 4 and ring 5, far enough that both are equally near.
        host.give("muscle_tapers", &[1e-9]);
        host.give("points", &[0.5625, 0.1, 0.0, 5.0, 0.0, 0.0]);
        moved(&mut host, -0.8);
        host.frame(1);
        let found = host.vectors("points")[0].x;
        let (ring4, ring5) = (0.1 + 0.0625, 0.125 - 0.0625);
        let weight = 1.0 - 0.0625_f64 / 0.15 * 0.0625 / 0.15 * (3.0 - 2.0 * 0.0625 / 0.15);
        let expected = if x == 0.4 { ring4 } else { 0.5 * (ring4 + ring5) };
        within(found, weight * expected + (1.0 - weight) * (0.5625 - 0.8), 1e-9);
    }
}

/// Weights fade with distance: at half the reach they are a half.
pub fn reach() {
    for (reach, carried) in [("2", 0.5), ("1", 0.0), ("4", 1.0 - 0.0625 * 2.5)] {
        let mut host = host(&[("reach", reach)]);
        host.give("points", &[0.5, 0.2, 0.0, 5.0, 0.0, 0.0]);
        host.frame(1);
        within(host.read("carried")[0], carried, 1e-12);
    }
}

/// What muscles carry fades less steeply; where the map is 0, they carry nothing.
pub fn smooth() {
    let sheet = shapes::grid(0.6, 0.6, 12, 12);
    let positions: Vec<Vec3> = sheet.positions.iter().map(|p| p + Vec3::new(0.5, 0.12, 0.0)).collect();
    let steepest = |rounds: &str| {
        let mut host = host(&[("smooth", rounds), ("nearest", "8")]);
        host.points("points", &positions);
        host.mesh("mesh", &sinew::geometry::Mesh { positions: positions.clone(), ..sheet.clone() });
        host.name("influence_counts", &vec![1; positions.len()]);
        host.name("influence_joints", &vec![1; positions.len()]);
        host.give("influence_weights", &vec![1.0; positions.len()]);
        let map: Vec<Real> = positions.iter().map(|p| if p.x > 0.5 { 0.0 } else { 1.0 }).collect();
        host.give("muscle_map", &map);
        host.frame(1);
        let carried = host.read("carried");
        assert!(carried.iter().zip(&map).all(|(part, share)| *part <= *share), "{carried:?}");
        let edge = |face: usize, k: usize| {
            let [a, b] = [k, (k + 1) % 4].map(|k| sheet.face(face)[k] as usize);
            if map[a] == map[b] { (carried[a] - carried[b]).abs() } else { 0.0 }
        };
        let edges = (0..sheet.face_count()).flat_map(|face| (0..4).map(move |k| (face, k)));
        edges.map(|(face, k)| edge(face, k)).fold(0.0, Real::max)
    };
    let (raw, smooth) = (steepest("0"), steepest("8"));
    assert!(smooth > 0.02 && smooth < 0.6 * raw, "{smooth} instead of {raw}");
}

/// The radius at rest at a place along the rings, of which the widest has 0.1.
fn profile(ring: Real) -> Real {
    let at = |ring: Real| 0.1 * (PI * ring / 8.0).sin();
    at(ring.floor()) + (at(ring.floor() + 1.0) - at(ring.floor())) * (ring - ring.floor())
}

/// Skin that follows the shape goes with the joints, and is as much farther out as the muscle is wider.
pub fn follow() {
    let mut motion = host(&[]);
    moved(&mut motion, -0.2);
    goes(&mut motion, 0, [0.4, 0.1 * width(0.5, 0.8), 0.0]);
    // The skin has moved along the muscle to where ring 3 is now, which is thinner; but wider than it was.
    let mut shape = host(&[("follow", "shape")]);
    moved(&mut shape, -0.2);
    let thinner = profile(3.0) * width(0.5, 0.8) - 0.1;
    assert!(thinner > 0.0);
    goes(&mut shape, 0, [0.3, 0.1 + thinner, 0.0]);
    // It swings as the curve does: half as far as the middle control point.
    let mut shape = host(&[("follow", "shape"), ("bulge", "0")]);
    swing(&mut shape, 0.02);
    within(shape.vectors("points")[0].x, 0.52 - 0.5 * swung(0.3, 300.0, 0.2, 0.01), 1e-12);
    // It is pushed as far as the ring is.
    let [free, pushed] = ["0", "1"].map(|push| {
        let mut host = of_set(&[("follow", "shape"), ("push_bones", push), ("bulge", "0")]);
        let down = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        host.give("joints", &[matrix(0, 0.0), down].concat());
        host.frame(1);
        (host.vectors("points")[0].y, host.read("ring_matrices")[4 * 16 + 7])
    });
    within(pushed.0 - free.0, pushed.1 - free.1, 1e-12);
    assert!((pushed.1 - free.1).abs() > 0.05);
}

/// Of a muscle that is stretched.
pub fn thinning() {
    for (thinning, part) in [("0", 0.0), ("0.25", 0.25), ("1", 1.0)] {
        let mut host = host(&[("follow", "shape"), ("thinning", thinning)]);
        host.give("muscle_stretch_ratios", &[1.0]);
        moved(&mut host, 0.2);
        let under = profile(8.0 * 0.7 / 1.2) * width(0.5, 1.2);
        goes(&mut host, 0, [0.7, 0.1 + part * (under - 0.1), 0.0]);
    }
}

/// Fully active where a quarter shorter, half of that halfway; what is given counts where it is more, and all of it at
/// most once.
pub fn flex() {
    let wide = |shortened: Real, active: Real| {
        [1.0 - shortened, 0.1 * width(0.5, 1.0 - shortened) * (1.0 + 0.2 * active), 0.0]
    };
    for (flex, by, given, of_muscle, active) in [
        ("1", 0.25, 0.0, 1.0, 1.0),
        ("1", 0.125, 0.0, 1.0, 0.5),
        ("1", 0.0625, 0.0, 1.0, 0.15625),
        ("0.5", 0.4, 0.0, 1.0, 0.5),
        ("0.5", 0.4, 0.8, 1.0, 0.8),
        ("0.5", 0.4, 0.0, 0.2, 0.1),
        ("1", 0.4, 0.3, 2.0, 1.0),
        ("1", -0.1, 0.0, 1.0, 0.0),
    ] {
        let mut host = host(&[("flex", flex), ("follow", "shape")]);
        host.give("muscle_stretch_ratios", &[1.0]);
        host.give("activations", &[given]);
        host.give("muscle_flexes", &[of_muscle]);
        moved(&mut host, -by);
        host.frame(1);
        let expected = if by > 0.0 { wide(by, active)[1] } else { 0.1 * width(0.5, 1.1) };
        let vertex = host.vectors("muscle_points")[4 * 8];
        within(vertex.y.hypot(vertex.z), expected, 1e-12);
    }
}

/// A sheet half of which the second joint carries away in one step, out of reach of the muscle.
fn torn(params: &[(&str, &str)]) -> (Host, Vec<Vec3>) {
    let sheet = shapes::grid(0.6, 0.6, 12, 12);
    let positions: Vec<Vec3> = sheet.positions.iter().map(|p| p + Vec3::new(0.5, 5.0, 0.0)).collect();
    let mut host = host(params);
    host.points("points", &positions);
    host.mesh("mesh", &sinew::geometry::Mesh { positions: positions.clone(), ..sheet });
    let shares = |p: &Vec3| {
        let share = (0.5 + (p.x - 0.5) * 5.0).clamp(0.0, 1.0);
        [1.0 - share, share]
    };
    host.name("influence_counts", &vec![2; positions.len()]);
    host.name("influence_joints", &[0, 1].repeat(positions.len()));
    host.give("influence_weights", &positions.iter().flat_map(shares).collect::<Vec<_>>());
    moved(&mut host, 0.2);
    host.frame(1);
    let found = host.vectors("points");
    (host, found)
}

/// Half of the way is half of the way.
pub fn relax() {
    let [none, half, all] = ["0", "0.5", "1"].map(|relax| torn(&[("relax", relax), ("relax_rounds", "4")]).1);
    let moved = none.iter().zip(&all).map(|(none, all)| (none - all).norm()).fold(0.0, Real::max);
    assert!(moved > 1e-3, "{moved}");
    for ((none, half), all) in none.iter().zip(half).zip(all) {
        assert!((half - (none + all) * 0.5).norm() < 1e-15);
    }
}

/// More rounds move it farther; by themselves they are some.
pub fn relax_rounds() {
    let none = torn(&[("relax", "0")]).1;
    let [own, one, twenty] = ["0", "1", "20"].map(|rounds| {
        let relaxed = torn(&[("relax_rounds", rounds)]).1;
        none.iter().zip(relaxed).map(|(none, relaxed)| (none - relaxed).norm()).sum::<Real>()
    });
    assert!(own > 0.0 && one > 0.0 && twenty > 2.0 * one, "{own}, {one}, {twenty}");
}

pub fn relax_map() {
    let (mut host, all) = torn(&[]);
    let map: Vec<Real> = (0..all.len()).map(|v| [0.0, 1.0][v % 2]).collect();
    host.give("relax_map", &map);
    host.frame(1);
    let none = torn(&[("relax", "0")]).1;
    for (v, found) in host.vectors("points").into_iter().enumerate() {
        assert_eq!(found, if v % 2 == 0 { none[v] } else { all[v] });
    }
}

pub fn bulge() {
    let mut host = host(&[("bulge", "0.5")]);
    moved(&mut host, -0.2);
    goes(&mut host, 0, [0.4, 0.1 * (1.0 + 0.5 * (width(0.5, 0.8) - 1.0)), 0.0]);
}

/// The curve follows its particle half as far.
pub fn jiggle() {
    let mut host = host(&[("jiggle", "0.5")]);
    swing(&mut host, 0.02);
    let anchor = 0.51;
    let middle = anchor - 0.5 * swung(0.3, 300.0, 0.2, 0.01);
    within(host.read("ring_matrices")[4 * 16 + 3], 0.25 * (0.0 + 1.02) + 0.5 * middle, 1e-12);
}

pub fn weight_factor() {
    let mut host = host(&[("weight_factor", "0.25")]);
    moved(&mut host, -0.2);
    goes(&mut host, 0, [0.25 * 0.4 + 0.75 * 0.3, 0.25 * 0.1 * width(0.5, 0.8) + 0.75 * 0.1, 0.0]);
    assert_eq!(host.read("carried"), [0.25, 0.0]);
}

pub fn size_factor() {
    goes(&mut host(&[("size_factor", "1.5")]), 0, [0.5, 0.15, 0.0]);
}

pub fn bulge_factor() {
    let mut host = host(&[("bulge_factor", "3")]);
    moved(&mut host, -0.2);
    goes(&mut host, 0, [0.4, 0.1 * width(1.5, 0.8), 0.0]);
}

pub fn spring_factors() {
    let mut host = host(&[("stiffness_factor", "2"), ("damping_factor", "3")]);
    swing(&mut host, 0.02);
    near(host.read("muscle_tensions")[0], 600.0 * swung(0.3, 600.0, 0.6, 0.01), 1e-9);
}

/// Two muscles side by side; the second comes too close. Their middle rings part, each by half.
pub fn push_muscles() {
    for (strength, away) in [("0", 0.05), ("1", 0.2)] {
        let mut host = host(&[("push_muscles", strength)]);
        host.name("muscle_origin_joints", &[0, 1]);
        host.name("muscle_insertion_joints", &[0, 1]);
        host.give("muscle_origins", &[0.0, 0.0, 0.0, 0.5, 0.0, 1.0]);
        host.give("muscle_insertions", &[1.0, 0.0, 0.0, 0.5, 1.0, 1.0]);
        host.give("muscle_sizes", &[0.1, 0.1]);
        // The second joint turns about the x axis through the origin and comes down: it lies 5 cm above the first.
        let down = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.5, 0.0, 0.0, 1.0, -0.95, 0.0, 0.0, 0.0, 1.0];
        host.give("joints", &[matrix(0, 0.0), down].concat());
        host.frame(1);
        let rings = host.read("ring_matrices");
        let centre =
            |ring: usize| Vec3::new(rings[16 * ring + 3], rings[16 * ring + 7], rings[16 * ring + 11]);
        // The rings beside them, which come as close, push them a little further.
        let apart = (centre(4) - centre(9 + 4)).norm();
        assert!(apart > away - 1e-3 && apart < 1.1 * away, "{apart} instead of {away}");
    }
}

/// The rod comes down to the muscle's axis, and onto a point of the skin.
pub fn push_bones() {
    for (strength, y) in [("0", 0.0), ("1", -0.1)] {
        let mut host = of_set(&[("push_bones", strength), ("bulge", "0")]);
        let down = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        host.give("joints", &[matrix(0, 0.0), down].concat());
        host.frame(1);
        let found = host.read("ring_matrices")[4 * 16 + 7];
        assert!(
            if strength == "0" { (found + 0.05).abs() < 0.01 } else { found <= y + 1e-9 },
            "{strength} {found}"
        );
    }
    // A point that no muscle carries is moved up until it is 3 cm inside the rod, which pushes it back out.
    for (strength, y) in [("0", 0.13), ("0.5", 0.115), ("1", 0.1)] {
        let mut host = of_set(&[("push_skin", strength)]);
        host.give("points", &[0.5, 0.03, 0.0, 5.0, 0.0, 0.0]);
        host.give("muscle_map", &[0.0, 0.0]);
        let up = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        host.name("influence_joints", &[0, 1]);
        host.give("joints", &[up, matrix(0, 0.0)].concat());
        goes(&mut host, 0, [0.5, y, 0.0]);
    }
}

/// A muscle that is wider than a ball of skin that nothing carries.
pub fn under_skin() {
    let [free, half, pressed] = ["0", "0.5", "1"].map(|part| {
        let mut host = host(&[("under_skin", part)]);
        let mut ball = shapes::sphere(0.11, 4);
        ball.positions.iter_mut().for_each(|p| p.x += 0.5);
        let count = ball.positions.len();
        host.points("points", &ball.positions);
        host.mesh("mesh", &ball);
        host.name("influence_counts", &vec![1; count]);
        host.name("influence_joints", &vec![0; count]);
        host.give("influence_weights", &vec![1.0; count]);
        host.give("muscle_map", &vec![0.0; count]);
        host.give("activations", &[1.0]);
        host.frame(1);
        let vertex = host.vectors("muscle_points")[4 * 8];
        vertex.y.hypot(vertex.z)
    });
    within(free, 0.12, 1e-12);
    // A twentieth of the radius under the skin, whose faces are a little inside of the ball.
    within(pressed, 0.11 - 0.05 * 0.1, 5e-4);
    within(half, 0.5 * (free + pressed), 1e-12);
}

/// A muscle is as active as its own limb is tense, and others are not.
pub fn tense() {
    let limbs = ["left_arm", "right_arm", "left_leg", "right_leg", "trunk"];
    for own in limbs {
        let set = SET.replace("<muscle ", &format!("<muscle limb=\"{own}\" swell=\"0.4\" "));
        let wide = |tense: &str, strength: &str| {
            let mut host = of_set(&[("muscles", &set), (&format!("tense_{tense}"), strength)]);
            host.frame(1);
            let vertices = host.vectors("muscle_points");
            (vertices[4 * 8] - vertices[4 * 8 + 4]).norm()
        };
        for other in limbs {
            let wider = if own == other { 1.0 + 0.5 * 0.4 } else { 1.0 };
            within(wide(other, "0.5") / wide(other, "0"), wider, 1e-12);
        }
    }
}
