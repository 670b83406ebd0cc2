//! The whole human, without paint and with default parameters, as a host runs her: her skin settles, goes the same way
//! at every frame rate, nothing pops, and it does not matter where she stands or how her vertices are numbered. She
//! comes from elsewhere (`sh tests/human.sh`) and is posed by her own rig and weights.

#[path = "bench/bodies/figures.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod figures;
#[path = "../examples/support/human/mod.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod human;

use figures::{Apart, p99, pops, second_differences};
use human::{Human, Motion, Region};
use sinew::control::Control;
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::path::Path;

fn human() -> Human {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(human::FOLDER);
    Human::load(&folder).unwrap().unwrap_or_else(|| panic!("she is missing: run sh tests/human.sh"))
}

/// Bodies of the motion from its start, `seconds` long.
fn bodies(human: &Human, motion: Motion, fps: Real, seconds: Real) -> Vec<Vec<Vec3>> {
    let frames = (seconds * fps).round() as usize;
    (0..=frames).map(|k| human.posed(motion, k as Real / fps).unwrap()).collect()
}

/// What the node made of a body's frames.
struct Run {
    /// From each vertex at rest to the point whose material is there, on the body at rest, by frames.
    slides: Vec<Vec<Vec3>>,
    warnings: Vec<(usize, String)>,
}

fn run(rest: &Mesh, bodies: &[Vec<Vec3>], fps: Real, params: &[(&str, &str)]) -> Run {
    run_with(rest, bodies, None, fps, params)
}

/// With the body before bones move it.
fn run_acted(rest: &Mesh, bodies: &[Vec<Vec3>], acted: &[Vec<Vec3>]) -> Run {
    run_with(rest, bodies, Some(acted), FPS, &[])
}

fn run_with(
    rest: &Mesh,
    bodies: &[Vec<Vec3>],
    acted: Option<&[Vec<Vec3>]>,
    fps: Real,
    params: &[(&str, &str)],
) -> Run {
    let flat = |points: &[Vec3]| -> Vec<Real> { points.iter().flat_map(|p| [p.x, p.y, p.z]).collect() };
    let mut node = Instance::new("skin_slider").unwrap();
    node.set_mesh("rest", rest.clone()).unwrap();
    node.set_param_text("outputs", "skin").unwrap();
    node.set_param_text("fps", &fps.to_string()).unwrap();
    params.iter().for_each(|(key, value)| node.set_param_text(key, value).unwrap());
    let mut run = Run { slides: Vec::new(), warnings: Vec::new() };
    for (frame, body) in bodies.iter().enumerate() {
        let mut places = flat(body);
        node.set_array("points", &ArrayView::from_slice(&places, 3).unwrap()).unwrap();
        if let Some(acted) = acted {
            node.set_array("acted", &ArrayView::from_slice(&flat(&acted[frame]), 3).unwrap()).unwrap();
        }
        let report = node.step(frame as i64 + 1, frame as Real / fps, &Control::default()).unwrap();
        run.warnings.extend(report.warnings.into_iter().map(|text| (frame, text)));
        node.read("skin_points", &mut ArrayViewMut::from_slice(&mut places, 3).unwrap()).unwrap();
        let places = places.as_chunks::<3>().0.iter().map(|&p| Vec3::from(p));
        run.slides.push(places.zip(&rest.positions).map(|(place, home)| place - home).collect());
    }
    run
}

/// How far two runs are apart, as a part of the slide of the first.
fn apart<'a>(one: &Run, other: impl Iterator<Item = &'a Vec<Vec3>>) -> Real {
    Apart::new(&one.slides, other).ratio.unwrap()
}

/// A tenth of a second between frames makes a motion fast: an arm goes up 12 cm a frame.
const FPS: Real = 10.0;
/// About how tall she is, in metres.
const TALL: Real = 1.6;

fn settles_and_does_not_pop(motion: Motion, seconds: Real) {
    let human = human();
    let rest = human.mesh();
    let (coarse, fine) = (bodies(&human, motion, FPS, seconds), bodies(&human, motion, 2.0 * FPS, seconds));
    let plain = run(rest, &coarse, FPS, &[]);
    let unsettled = |text: &str| text.contains("did not settle") || text.contains("at rest");
    assert!(!plain.warnings.iter().any(|(_, text)| unsettled(text)), "{:?}", plain.warnings);
    let stricter = run(rest, &coarse, FPS, &[("max_iterations", "300"), ("tolerance", "5e-7")]);
    let faster = run(rest, &fine, 2.0 * FPS, &[]);
    let slide = p99(plain.slides.iter().flatten());
    let off = apart(&plain, stricter.slides.iter());
    let jump = apart(&plain, faster.slides.iter().step_by(2));
    println!(
        "{motion:?}: slides of {:.1} mm; a stricter solve is {off:.4} of that off, twice the frames {jump:.4}",
        1e3 * slide,
    );
    assert!(slide > 5e-4, "hardly anything slides: {slide} m");
    assert!(off < 0.03 && jump < 0.05);
    let (slides, below) = (second_differences(&faster.slides), second_differences(&fine));
    let pops = pops(rest, TALL, &slides, &below);
    if let Some(pop) = pops.first() {
        panic!("frame {}, vertex {}: slide {} m, body {} m", pop.frame, pop.vertex, pop.slide, pop.body);
    }
}

#[test]
fn skin_of_a_walking_human_settles_and_does_not_pop() {
    settles_and_does_not_pop(Motion::Walk, 0.8);
}

#[test]
fn skin_of_a_raised_arm_settles_and_does_not_pop() {
    settles_and_does_not_pop(Motion::RaisedArm, 1.0);
}

#[test]
fn skin_of_a_fist_settles_and_does_not_pop() {
    settles_and_does_not_pop(Motion::Fist, 0.8);
}

#[test]
fn skin_of_a_turned_head_settles_and_does_not_pop() {
    settles_and_does_not_pop(Motion::TurnedHead, 0.8);
}

/// Nothing flickers in a pose that is held: where second derivatives jump, vertices would go to and fro for ever.
#[test]
fn skin_of_a_body_that_stands_still_comes_to_rest() {
    let human = human();
    for motion in [Motion::Walk, Motion::RaisedArm] {
        let mut moving = bodies(&human, motion, FPS, 0.8);
        moving.extend(vec![moving[moving.len() - 1].clone(); 12]);
        for quality in ["exact", "normal", "preview"] {
            let slides = run(human.mesh(), &moving, FPS, &[("quality", quality)]).slides;
            let [.., before, last] = &slides[..] else { panic!("no frames") };
            let moved = before.iter().zip(last).filter(|(a, b)| a != b).count();
            assert_eq!(moved, 0, "{motion:?}, {quality}");
        }
    }
}

#[test]
fn lips_and_lids_hardly_move_while_the_head_turns_and_do_not_drift() {
    let human = human();
    let bodies = bodies(&human, Motion::TurnedHead, FPS, Motion::TurnedHead.seconds());
    let slides = run(human.mesh(), &bodies, FPS, &[]).slides;
    for (region, most) in [(Region::Lips, 2.5e-3), (Region::Eyelids, 5e-4)] {
        let inside = human.region(region);
        let of_region = |slides: &[Vec3]| {
            p99(slides.iter().zip(inside).filter(|(_, inside)| **inside).map(|(slide, _)| slide))
        };
        let farthest = slides.iter().map(|slides| of_region(slides)).fold(0.0, Real::max);
        let last = of_region(&slides[slides.len() - 1]);
        println!("{region:?}: {:.3} mm at most, {:.4} mm in the end", 1e3 * farthest, 1e3 * last);
        assert!(farthest < most && last < 5e-5, "{region:?}: {farthest} m at most, {last} m in the end");
    }
}

/// A brow that is raised, a wink and an open mouth, units of expression that come with her.
const ACTS: [(&str, Real); 3] = [("eyebrows-left-up", 1.0), ("eye-left-closure", 1.0), ("mouth-open", 0.6)];

/// What shapes do to her face its skin does, too; and where bones turn her head as well, the skin slides as they let
/// it. Without the body before bones, it is left behind.
#[test]
fn her_face_takes_its_skin_along() {
    const STEPS: usize = 3;
    let human = human();
    let rest = human.mesh();
    let turned = |k: usize| Motion::TurnedHead.seconds() * 0.2 * k as Real / STEPS as Real;
    for (unit, amount) in ACTS {
        let act = |k: usize| {
            let units = [(unit, amount * k as Real / STEPS as Real)];
            human.acting(&units, Motion::TurnedHead, turned(k)).unwrap()
        };
        let frames = (0..=STEPS).map(act);
        let (acted, posed): (Vec<_>, Vec<_>) = frames.map(|[acted, posed]| (acted, posed)).unzip();
        let bones: Vec<_> =
            (0..=STEPS).map(|k| human.posed(Motion::TurnedHead, turned(k)).unwrap()).collect();
        let moved: Vec<Real> =
            acted[STEPS].iter().zip(&rest.positions).map(|(acted, home)| (acted - home).norm()).collect();
        let most = moved.iter().copied().fold(0.0, Real::max);
        // How far the skin is from a slide where the shape moves her, as a part of that.
        let off = |slides: &[Vec3], from: &[Vec3]| {
            let all = slides.iter().zip(from).zip(&moved);
            let there: Vec<Vec3> = all
                .filter(|(_, moved)| **moved > 0.2 * most)
                .map(|((slide, from), _)| slide - from)
                .collect();
            p99(there.iter()) / most
        };
        let slides = |bodies: &[Vec<Vec3>]| run(rest, bodies, FPS, &[]).slides.pop().unwrap();
        let along = |bodies: &[Vec<Vec3>]| run_acted(rest, bodies, &acted).slides.pop().unwrap();
        let (still, turning) = (vec![Vec3::zeros(); moved.len()], slides(&bones));
        let alone = [off(&along(&acted), &still), off(&slides(&acted), &still)];
        let with_bones = [off(&along(&posed), &turning), off(&slides(&posed), &turning)];
        println!(
            "{unit}: {:.2} mm; of that the skin is behind by {:.1e}, without it {:.2}; with bones {:.3} and {:.2}",
            1e3 * most,
            alone[0],
            alone[1],
            with_bones[0],
            with_bones[1]
        );
        assert!(alone[0] < 1e-6 && alone[1] > 0.1, "{unit}: {alone:?}");
        assert!(with_bones[0] < 0.5 * with_bones[1], "{unit}: {with_bones:?}");
    }
}

#[test]
fn it_does_not_matter_where_she_stands_and_how_her_vertices_are_numbered() {
    let human = human();
    let rest = human.mesh();
    let bodies = bodies(&human, Motion::RaisedArm, FPS, 0.5);
    let plain = run(rest, &bodies, FPS, &[]);
    // Her animation, moved away and turned.
    let turn = nalgebra::Rotation3::from_euler_angles(0.7, -2.0, 1.1);
    let away = |p: &Vec3| turn * p + Vec3::new(40.0, -7.0, 90.0);
    let elsewhere: Vec<Vec<Vec3>> = bodies.iter().map(|body| body.iter().map(away).collect()).collect();
    let off = apart(&plain, run(rest, &elsewhere, FPS, &[]).slides.iter());
    println!("elsewhere: {off:.1e}");
    assert!(off < 1e-3);
    // She herself, turned.
    let mut turned = rest.clone();
    turned.positions.iter_mut().for_each(|p| *p = turn * *p);
    let back = |slide: &Vec<Vec3>| slide.iter().map(|s| turn.inverse() * s).collect::<Vec<Vec3>>();
    let slides: Vec<_> = run(&turned, &elsewhere, FPS, &[]).slides.iter().map(back).collect();
    let off = apart(&plain, slides.iter());
    println!("turned: {off:.1e}");
    assert!(off < 0.03);
    // Her vertices in another order.
    let n = rest.positions.len();
    let place = |v: usize| (v * 7919 + 13) % n;
    let moved = |all: &[Vec3]| {
        let mut other = vec![Vec3::zeros(); n];
        all.iter().enumerate().for_each(|(v, p)| other[place(v)] = *p);
        other
    };
    let mut reordered = rest.clone();
    reordered.positions = moved(&rest.positions);
    reordered.corner_vertices.iter_mut().for_each(|v| *v = place(*v as usize) as u32);
    let others: Vec<_> = bodies.iter().map(|body| moved(body)).collect();
    let found = run(&reordered, &others, FPS, &[]).slides;
    let slides: Vec<Vec<Vec3>> =
        found.iter().map(|slides| (0..n).map(|v| slides[place(v)]).collect()).collect();
    let off = apart(&plain, slides.iter());
    println!("reordered: {off:.1e}");
    assert!(off < 0.03);
}

#[test]
fn a_hand_that_collapses_leaves_the_rest_alone_and_comes_back_within_a_second() {
    let human = human();
    let rest = human.mesh();
    let sound = bodies(&human, Motion::RaisedArm, FPS, 1.6);
    let plain = run(rest, &sound, FPS, &[]);
    let hand = human.region(Region::LeftHand);
    let count = hand.iter().filter(|inside| **inside).count() as Real;
    // For three frames the hand is a point, or inside out.
    for (name, size) in [("a point", 0.0), ("inside out", -1.0)] {
        let mut broken = sound.clone();
        for body in &mut broken[3..6] {
            let middle: Vec3 =
                body.iter().zip(hand).filter(|(_, inside)| **inside).map(|(p, _)| p).sum::<Vec3>() / count;
            body.iter_mut().zip(hand).filter(|(_, inside)| **inside).for_each(|(p, _)| {
                *p = middle + (*p - middle) * size;
            });
        }
        let found = run(rest, &broken, FPS, &[]);
        for (frame, (found, plain)) in found.slides.iter().zip(&plain.slides).enumerate() {
            let off: Vec<Vec3> = found.iter().zip(plain).map(|(a, b)| a - b).collect();
            assert!(off.iter().all(|off| off.norm().is_finite()), "{name}, frame {frame}");
            let elsewhere = (0..off.len()).filter(|&v| !hand[v] && rest.positions[v].x < 0.3);
            let far = elsewhere.map(|v| off[v].norm()).fold(0.0, Real::max);
            assert!(far < 5e-3, "{name}, frame {frame}: skin far from the hand goes {far} m elsewhere");
        }
        let last = found.slides.len() - 1;
        let off: Vec<Vec3> = found.slides[last].iter().zip(&plain.slides[last]).map(|(a, b)| a - b).collect();
        let inside = off.iter().zip(hand).filter(|(_, inside)| **inside).map(|(off, _)| off);
        let [hand_off, all_off] = [p99(inside), p99(off.iter())];
        println!("{name}: a second later the hand is {:.2e} m off, all {:.2e} m", hand_off, all_off);
        assert!(hand_off < 1e-3 && all_off < 1e-4, "{name}: {hand_off} m, {all_off} m");
    }
}
