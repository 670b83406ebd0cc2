//! The measures of the scenes in words and curves.

use super::claims;
use super::scenes::{SkinScene, numbers};
use super::sliding::{Run, Tuning};
use image::Rgb;
use sinew::drawing::page::{Curve, Diagram};
use sinew::error::Result;
use sinew::math::{Real, Vec2};

fn percent(parts: [Real; 2]) -> [Real; 2] {
    parts.map(|p| 100.0 * p)
}

fn mm(metres: Real) -> Real {
    1e3 * metres
}

/// What a run shows.
pub fn lines(scene: &SkinScene, run: &Run) -> Result<Vec<String>> {
    let frame = scene.shown[0].0;
    let line = match (scene.name, scene.variant) {
        ("torus", _) => {
            let reported = claims::distortion(run, frame)
                .map(|s| format!("{:.3}, deviation {:.3}, largest {:.3}", s.mean, s.spread, s.largest));
            format!("mean of the larger stretch: skinning {}; sliding {}", reported[0], reported[1])
        }
        ("cylinder", variant) => {
            let [skinning, sliding] = percent(claims::twist_errors(scene, run, frame));
            let answer = if variant == "free" { "no twist at all" } else { "an even twist" };
            format!(
                "deviation from {answer}, in % of the angle: skinning {skinning:.3}, sliding {sliding:.3}"
            )
        }
        ("head", "swallow") => {
            let [skinning, sliding] = percent(claims::swallowed(scene, run, frame)?);
            let [_, outwards] = claims::travels(scene, run, frame)?.map(mm);
            format!(
                "the skin over the lump follows this share of its travel: skinning {skinning:.1} %, sliding \
                 {sliding:.1} % ({outwards:.1} mm including the lift by the lump)"
            )
        }
        ("head", _) => {
            let [skinning, sliding] = claims::along_neck(scene, run, frame)?.map(mm);
            format!(
                "the skin over the Adam's apple moves up: skinning {skinning:+.2} mm, sliding {sliding:+.2} mm"
            )
        }
        ("hand", _) => {
            let across = |k: usize| Ok(mm(claims::mean_slide(scene, run, scene.shown[k].0)?.x));
            let [little, index] = [across(0)?, across(1)?];
            format!(
                "slide over the knuckles towards the index: {little:+.2} mm while the little finger bends, \
                 {index:+.2} mm while the index does; skinning 0"
            )
        }
        ("cloth", _) => return Ok(scene.shown.iter().map(|(f, name)| cloth(run, *f, name)).collect()),
        ("torus_shaking", _) => {
            let s = claims::swing(scene, run, 2.0);
            format!(
                "skin swings {:.2} times as far as the body, {:.0} degrees behind; slides by {:.1} mm, overshoots by \
                 {:.1} mm after the stop",
                s.amplitude,
                s.lag,
                mm(s.slide),
                mm(s.overshoot)
            )
        }
        _ => {
            let j = claims::jiggle(scene, run);
            format!(
                "after the stop the skin jiggles by {:.1} mm peak to peak, within 5 % of rest after {:.2} s, {:.2} % \
                 are left at the end; skinning 0",
                mm(j.peak_to_peak),
                j.settled,
                100.0 * j.left
            )
        }
    };
    Ok(vec![line])
}

fn cloth(run: &Run, frame: usize, name: &str) -> String {
    let [skinning, sliding] = percent(claims::stretched_share(run, frame, 0.01));
    let [before, after] = claims::distortion(run, frame).map(|s| s.largest);
    let [_, slide] = numbers::slide(&run.tri, &run.moments[frame].skin).map(mm);
    format!(
        "{name}: stretched by more than 1 %: skinning {skinning:.0} % of the cloth, up to {before:.2}; sliding \
         {sliding:.0} %, up to {after:.2}; slides by up to {slide:.0} mm"
    )
}

/// What stands below the pictures of a frame.
pub fn captions(scene: &SkinScene, runs: &[(Tuning, Run)], frame: usize) -> Result<Vec<String>> {
    let run = &runs[0].1;
    let pair = match (scene.name, scene.variant) {
        ("torus_shaking", _) => return Ok(shaken(scene, runs)),
        ("torus", _) => claims::distortion(run, frame).map(|s| format!("deviation {:.3}", s.spread)),
        ("cylinder", variant) => {
            let free = variant == "free";
            let reported = |e: Real| {
                if free { format!("twists by {e:.2} %") } else { format!("{e:.2} % off an even twist") }
            };
            percent(claims::twist_errors(scene, run, frame)).map(reported)
        }
        ("head", "swallow") => {
            percent(claims::swallowed(scene, run, frame)?).map(|p| format!("{p:.0} % of the lump's travel"))
        }
        ("head", _) => claims::along_neck(scene, run, frame)?
            .map(|up| format!("tattoo {:+.1} mm", (10.0 * mm(up)).round() / 10.0 + 0.0)),
        ("hand", _) => {
            let slide = mm(claims::mean_slide(scene, run, frame)?.x);
            [0.0, slide].map(|s| format!("{s:+.1} mm to the index"))
        }
        ("cloth", _) => {
            percent(claims::stretched_share(run, frame, 0.01)).map(|p| format!("{p:.0} % is stretched"))
        }
        _ => {
            let [_, slide] = numbers::slide(&run.tri, &run.moments[frame].skin);
            [0.0, mm(slide)].map(|s| format!("slides by {s:.0} mm"))
        }
    };
    let [skinning, sliding] = pair;
    Ok(vec![format!("skinning: {skinning}"), format!("sliding: {sliding}")])
}

fn shaken(scene: &SkinScene, runs: &[(Tuning, Run)]) -> Vec<String> {
    let one = |(tuning, run): &(Tuning, Run)| {
        let s = claims::swing(scene, run, 2.0);
        format!("zeta {}: slides by {:.0} mm", tuning.zeta, mm(s.slide))
    };
    runs.iter().map(one).collect()
}

/// How the skin of a body that stops moves over time.
pub fn diagram(scene: &SkinScene, runs: &[(Tuning, Run)]) -> Option<Diagram> {
    const INKS: [Rgb<u8>; 4] =
        [Rgb([200, 60, 45]), Rgb([224, 150, 40]), Rgb([47, 127, 143]), Rgb([90, 96, 108])];
    let stop = scene.stop?;
    let mut curves = Vec::new();
    for ((tuning, run), ink) in runs.iter().zip(INKS) {
        let (name, values) = if runs.len() > 1 {
            (format!("zeta {}", tuning.zeta), claims::places_of_skin(run))
        } else {
            ("sliding".to_string(), claims::largest_slide(scene, run))
        };
        curves.push((name, ink, values));
    }
    let title = if runs.len() > 1 { "where the skin is, mm" } else { "slide, mm" };
    if runs.len() == 1 {
        curves.push(("skinning".to_string(), INKS[3], vec![0.0; scene.frames]));
    }
    let at = |(k, &v): (usize, &Real)| Vec2::new(scene.time(k), mm(v));
    let curve = |(name, ink, values): (String, Rgb<u8>, Vec<Real>)| Curve {
        name,
        ink,
        points: values.iter().enumerate().map(at).collect(),
    };
    let curves = curves.into_iter().map(curve).collect();
    Some(Diagram { title: title.to_string(), curves, mark: (stop, "stop".to_string()) })
}
