//! What the paper claims for its seven scenes, by the measures that the example `thin_skin` prints. In every pair of
//! numbers the first is standard skinning, the second the sliding skin.

#[path = "../examples/support/mod.rs"]
mod support;

use sinew::math::{Real, Vec2};
use support::claims;
use support::scenes::numbers;
use support::scenes::{SkinScene, all};
use support::sliding::{Run, Tuning, run};

fn scene(title: &str) -> SkinScene {
    all().into_iter().find(|s| s.title() == title).unwrap()
}

/// A scene and its run up to the last frame that has a picture.
fn shown(title: &str) -> (SkinScene, Run) {
    let scene = scene(title);
    let frames: Vec<usize> = scene.shown.iter().map(|(frame, _)| *frame).collect();
    let run = run(&scene, &Tuning::of(&scene), frames.iter().max().unwrap() + 1).unwrap();
    check(&run, &frames);
    (scene, run)
}

/// No triangle is ever inverted, and in the frames that are measured the skin has settled to 2 % of an edge.
fn check(run: &Run, measured: &[usize]) {
    for moment in &run.moments {
        assert!(moment.report.inverted.is_empty(), "{:?}", moment.report.inverted);
    }
    for &frame in measured {
        let report = &run.moments[frame].report;
        assert!(report.residual < 0.02, "frame {frame}: {:?}", report.warnings);
    }
}

#[test]
fn torus_the_skin_spreads_the_distortion_evenly() {
    let (scene, run) = shown("torus");
    let [skinning, sliding] = claims::distortion(&run, scene.shown[0].0);
    println!("skinning {skinning:?}\nsliding {sliding:?}");
    assert!(skinning.spread > 0.28 && sliding.spread < 0.08);
    assert!(skinning.largest > 2.0 && sliding.largest < 1.47);
}

#[test]
fn cylinder_held_at_both_rims_the_skin_twists_evenly() {
    let (scene, run) = shown("cylinder");
    let [skinning, sliding] = claims::twist_errors(&scene, &run, scene.shown[0].0);
    println!("off an even twist: skinning {skinning:.4}, sliding {sliding:.5} of the angle");
    assert!(skinning > 0.48 && sliding < 0.002);
}

#[test]
fn cylinder_with_a_free_rim_the_skin_does_not_twist() {
    let (scene, run) = shown("cylinder_free");
    let [skinning, sliding] = claims::twist_errors(&scene, &run, scene.shown[0].0);
    println!("twist: skinning {skinning:.4}, sliding {sliding:.1e} of the angle");
    assert!(skinning > 0.999 && sliding < 1e-4);
}

#[test]
fn head_lifted_or_mouth_opened_the_skin_slides_over_an_adams_apple_that_stays() {
    for (title, least) in [("head_lift", 0.015), ("head_open", 0.0045)] {
        let (scene, run) = shown(title);
        let [skinning, sliding] = claims::along_neck(&scene, &run, scene.shown[0].0).unwrap();
        println!("{title}: skinning {:.2} mm, sliding {:.2} mm", 1e3 * skinning, 1e3 * sliding);
        assert!(skinning.abs() < 0.0005 && sliding > least);
    }
}

#[test]
fn head_swallowing_the_lump_passes_below_skin_that_stays() {
    let (scene, run) = shown("head_swallow");
    let [skinning, sliding] = claims::swallowed(&scene, &run, scene.shown[0].0).unwrap();
    println!("part of the lump's way: skinning {skinning:.3}, sliding {sliding:.3}");
    assert!(skinning > 0.9 && sliding.abs() < 0.10);
}

#[test]
fn hand_the_skin_slides_towards_the_little_finger_and_then_towards_the_index() {
    let (scene, run) = shown("hand");
    let relief = scene.relief.as_ref().expect("the hand has a normal map");
    let looks = |k: usize| relief(Vec2::new(0.5, k as Real * 1e-3)).z;
    assert!((0..600).map(looks).fold(1.0, Real::min) < 0.9, "the normal map is flat");
    let [little, index] = [0, 1].map(|k| claims::mean_slide(&scene, &run, scene.shown[k].0).unwrap().x);
    println!("{:.2} mm, then {:.2} mm", 1e3 * little, 1e3 * index);
    assert!(little < -0.0018 && index > 0.0011);
}

#[test]
fn cloth_the_whole_shirt_takes_part() {
    let (scene, run) = shown("cloth");
    for ((frame, name), [few, most]) in scene.shown.iter().zip([[0.40, 0.92], [0.30, 0.95]]) {
        let [skinning, sliding] = claims::stretched_share(&run, *frame, 0.01);
        let [before, after] = claims::distortion(&run, *frame).map(|s| s.largest);
        let [_, slide] = numbers::slide(&run.tri, &run.moments[*frame].skin);
        println!("{name}: {skinning:.2} {sliding:.2}, {before:.2} {after:.2}, {:.0} mm", 1e3 * slide);
        assert!(skinning < few && sliding > most && after < 0.7 * before && slide > 0.02);
    }
}

/// Zeta and how far the skin slides while the torus shakes.
fn slides(frames: usize) -> Vec<(Real, Real)> {
    let scene = scene("torus_shaking");
    let slide = |tuning: &Tuning| {
        let run = run(&scene, tuning, frames).unwrap();
        check(&run, &[frames - 1]);
        let most = run.moments.iter().map(|m| numbers::slide(&run.tri, &m.skin)[1]).fold(0.0, Real::max);
        (tuning.zeta, most)
    };
    Tuning::all_of(&scene).iter().map(slide).collect()
}

#[test]
fn torus_shaking_the_more_the_body_carries_the_skin_the_less_it_slides() {
    let slides = slides(20);
    println!("zeta, slide in metres: {slides:.4?}");
    assert_eq!(slides.iter().map(|s| s.0).collect::<Vec<_>>(), [0.0, 0.3, 0.6, 1.0]);
    assert!(slides[0].1 > 0.05 && slides[3].1 < 1e-9);
    assert!(slides.windows(2).all(|w| w[1].1 < 0.85 * w[0].1), "{slides:?}");
}

#[test]
fn torus_shaking_the_skin_lags_and_overshoots_the_stop() {
    let scene = scene("torus_shaking");
    let run = run(&scene, &Tuning::of(&scene), 96).unwrap();
    check(&run, &(0..96).collect::<Vec<_>>());
    let swing = claims::swing(&scene, &run, 2.0);
    println!("{swing:?}");
    assert!(swing.lag > 30.0 && swing.slide > 0.06 && swing.overshoot > 0.025);
}

#[test]
fn dinosaur_the_skin_jiggles_after_the_stop_and_comes_to_rest() {
    let scene = scene("dinosaur");
    let run = run(&scene, &Tuning::of(&scene), scene.frames).unwrap();
    check(&run, &(0..scene.frames).collect::<Vec<_>>());
    let jiggle = claims::jiggle(&scene, &run);
    println!("{jiggle:?}");
    assert!(jiggle.peak_to_peak > 0.10 && jiggle.settled < 1.05 && jiggle.left < 0.05);
}
