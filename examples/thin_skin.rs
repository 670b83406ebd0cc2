//! Skin that slides: the seven scenes of the thin skin paper (Li, Sueda, Neog, Pai, "Thin skin elastodynamics", 2013),
//! each beside standard skinning, in numbers and pictures.
//!
//!     cargo run --release --example thin_skin [NAME...]
//!
//! Without names all scenes run. Pictures go into target/thin_skin.

mod support;

use image::RgbImage;
use sinew::drawing::page::{Panel, page, sheet, small_png};
use sinew::math::Real;
use std::error::Error;
use support::scenes::{self, SkinScene};
use support::sliding::{Run, Tuning, run};
use support::{reported, still};

const FOLDER: &str = "target/thin_skin";
/// The pages of the sheet.
const SHEET: [&str; 9] = [
    "torus",
    "head_swallow",
    "cylinder",
    "cylinder_free",
    "head_lift",
    "hand",
    "cloth_46",
    "dinosaur",
    "torus_shaking",
];

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let scenes = scenes::all();
    if let Some(name) = names.iter().find(|n| !scenes.iter().any(|s| s.title() == **n)) {
        let known: Vec<String> = scenes.iter().map(SkinScene::title).collect();
        return Err(format!("there is no scene {name}, but {}", known.join(", ")).into());
    }
    std::fs::create_dir_all(FOLDER)?;
    let mut pages = Vec::new();
    for scene in scenes.iter().filter(|s| names.is_empty() || names.contains(&s.title())) {
        let [triangles, dofs, rows] = scenes::table(scene.name);
        println!(
            "{}: {} triangles (paper {triangles}), {} degrees of freedom ({dofs}), {} rows of constraints ({rows})",
            scene.title(),
            scene.triangles(),
            scene.dofs(),
            scene.constraints()
        );
        let mut runs = Vec::new();
        for tuning in Tuning::all_of(scene) {
            let run = run(scene, &tuning, scene.frames)?;
            tell(scene, &tuning, &run)?;
            runs.push((tuning, run));
        }
        pages.extend(draw(scene, &runs)?);
    }
    if names.is_empty() {
        let chosen = SHEET.map(|name| pages.iter().find(|(n, _)| n == name).expect("a page").1.clone());
        std::fs::write(format!("{FOLDER}/sheet.png"), small_png(&sheet(&chosen, 471))?)?;
    }
    Ok(())
}

/// Prints what a run shows.
fn tell(scene: &SkinScene, tuning: &Tuning, run: &Run) -> Result<(), Box<dyn Error>> {
    let mut times: Vec<Real> = run.moments[1..].iter().map(|m| m.milliseconds).collect();
    times.sort_by(Real::total_cmp);
    let steps = run.moments[1..].iter().map(|m| m.report.iterations);
    println!(
        "  {tuning}: {:.1} ms per frame (median), {:.1} Newton steps (at most {})",
        times[times.len() / 2],
        steps.clone().sum::<usize>() as Real / times.len() as Real,
        steps.max().unwrap_or(0)
    );
    for (frame, moment) in run.moments.iter().enumerate() {
        let inverted = moment.report.inverted.len();
        if inverted > 0 {
            println!("  frame {frame}: {inverted} triangles are inverted");
        }
    }
    // Of consecutive frames with warnings, reporting the last one is enough.
    let warned: Vec<usize> =
        (0..run.moments.len()).filter(|&f| !run.moments[f].report.warnings.is_empty()).collect();
    if let Some(&last) = warned.last() {
        let said = run.moments[last].report.warnings.join("; ");
        println!(
            "  {} of {} frames have warnings, the last is frame {last}: {said}",
            warned.len(),
            run.moments.len()
        );
    }
    for line in reported::lines(scene, run)? {
        println!("  {line}");
    }
    Ok(())
}

/// Draws standard skinning beside sliding skin, or all runs of a scene beside one another.
fn draw(scene: &SkinScene, runs: &[(Tuning, Run)]) -> Result<Vec<(String, RgbImage)>, Box<dyn Error>> {
    let mut pages = Vec::new();
    for (k, &(frame, heading)) in scene.shown.iter().enumerate() {
        let mut panels = Vec::new();
        if runs.len() == 1 {
            panels.push(still::skinning(scene, frame));
        }
        for (_, run) in runs {
            panels.push(still::sliding(scene, run, frame)?);
        }
        let captions = reported::captions(scene, runs, frame)?;
        let panels: Vec<Panel> =
            panels.into_iter().zip(captions).map(|(image, caption)| Panel { image, caption }).collect();
        let name = scene.title() + &if k == 0 { String::new() } else { format!("_{frame}") };
        let page = page(heading, &panels, reported::diagram(scene, runs).as_ref());
        page.save(format!("{FOLDER}/{name}.png"))?;
        pages.push((name, page));
    }
    Ok(pages)
}
