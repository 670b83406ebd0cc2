//! The measures of the scenes in words.

use super::claims;
use super::scenes::SkinScene;
use super::sliding::Run;
use sinew::error::Result;
use sinew::math::Real;

fn percent(parts: [Real; 2]) -> [Real; 2] {
    parts.map(|p| 100.0 * p)
}

fn mm(metres: Real) -> Real {
    1e3 * metres
}

/// What a run shows.
pub fn lines(scene: &SkinScene, run: &Run) -> Result<Vec<String>> {
    let frame = scene.shown[0];
    Ok(match (scene.name, scene.variant) {
        ("torus", _) => {
            let told = claims::distortion(run, frame)
                .map(|s| format!("{:.3}, deviation {:.3}, largest {:.3}", s.mean, s.spread, s.largest));
            vec![format!("mean of the larger stretch: skinning {}; sliding {}", told[0], told[1])]
        }
        ("cylinder", variant) => {
            let [skinning, sliding] = percent(claims::twist_errors(scene, run, frame));
            let answer = if variant == "free" { "no twist at all" } else { "an even twist" };
            vec![format!("off {answer}, in % of the angle: skinning {skinning:.2}, sliding {sliding:.2}")]
        }
        ("head", "swallow") => {
            let [skinning, sliding] = percent(claims::swallowed(scene, run, frame)?);
            vec![format!(
                "the skin moves by this part of the lump's way: skinning {skinning:.1} %, sliding {sliding:.1} %"
            )]
        }
        ("head", _) => neck(scene, run, frame)?,
        ("hand", _) => {
            let across = |f: usize| Ok(mm(claims::mean_slide(scene, run, f)?.x));
            let [little, index] = [across(scene.shown[0])?, across(scene.shown[1])?];
            vec![format!(
                "slide over the knuckles towards the index: {little:+.2} mm while the little finger bends, {index:+.2} mm \
                 while the index does; skinning 0"
            )]
        }
        ("cloth", _) => scene.shown.iter().map(|&f| cloth(run, f)).collect(),
        ("torus_shaking", _) => {
            let s = claims::swing(scene, run, 2.0);
            vec![format!(
                "skin swings {:.2} times as far as the body, {:.0} degrees behind; slides by {:.1} mm, overshoots the \
                 stop by {:.1} mm",
                s.amplitude,
                s.lag,
                mm(s.slide),
                mm(s.overshoot)
            )]
        }
        _ => {
            let j = claims::jiggle(scene, run);
            vec![format!(
                "after the stop the skin jiggles by {:.1} mm from end to end, at rest (5 %) after {:.2} s; skinning 0",
                mm(j.peak_to_peak),
                j.settled
            )]
        }
    })
}

fn neck(scene: &SkinScene, run: &Run, frame: usize) -> Result<Vec<String>> {
    let [skinning, sliding] = claims::distortion(run, frame);
    let slide = claims::mean_slide(scene, run, frame)?;
    Ok(vec![format!(
        "over the Adam's apple the skin slides by {:.1} mm (up {:+.1} mm), skinning 0; largest stretch {:.2}, was {:.2}",
        mm(slide.norm()),
        mm(slide.y),
        sliding.largest,
        skinning.largest
    )])
}

fn cloth(run: &Run, frame: usize) -> String {
    let [skinning, sliding] = percent(claims::stretched_share(run, frame, 0.01));
    let [before, after] = claims::distortion(run, frame).map(|s| s.largest);
    format!(
        "frame {frame}: stretched by more than 1 %: skinning {skinning:.0} % of the cloth, up to {before:.2}; sliding \
         {sliding:.0} %, up to {after:.2}"
    )
}

/// What stands below a picture.
pub fn captions(scene: &SkinScene, run: &Run, frame: usize) -> Result<[String; 2]> {
    let pair = |parts: [String; 2]| {
        let [skinning, sliding] = parts;
        [format!("skinning: {skinning}"), format!("sliding: {sliding}")]
    };
    Ok(pair(match (scene.name, scene.variant) {
        ("torus", _) | ("head", "open") => claims::distortion(run, frame)
            .map(|s| format!("stretch up to {:.2}, deviation {:.2}", s.largest, s.spread)),
        ("cylinder", _) => {
            claims::distortion(run, frame).map(|s| format!("stretch {:.2} to {:.2}", s.smallest, s.largest))
        }
        ("head", "swallow") => percent(claims::swallowed(scene, run, frame)?)
            .map(|p| format!("moves {p:.0} % of the lump's way")),
        ("head", _) => {
            let slide = mm(claims::mean_slide(scene, run, frame)?.norm());
            [0.0, slide].map(|s| format!("{s:.0} mm over the Adam's apple"))
        }
        ("hand", _) => {
            let slide = mm(claims::mean_slide(scene, run, frame)?.x);
            [0.0, slide].map(|s| format!("{s:+.1} mm to the index"))
        }
        ("cloth", _) => percent(claims::stretched_share(run, frame, 0.01))
            .map(|p| format!("{p:.0} % of the cloth stretched")),
        _ => {
            let [_, slide] = super::scenes::numbers::slide(&run.tri, &run.moments[frame].skin);
            [0.0, mm(slide)].map(|s| format!("slides by up to {s:.0} mm"))
        }
    }))
}
