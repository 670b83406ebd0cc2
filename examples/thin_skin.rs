//! Skin that slides: the seven scenes of the thin skin paper (Li, Sueda, Neog, Pai, "Thin skin elastodynamics", 2013),
//! each beside standard skinning, in numbers and pictures.
//!
//!     cargo run --release --example thin_skin [NAME...]
//!
//! Without names all scenes run. Pictures go into target/thin_skin.

mod support;

use sinew::geometry::atlas::IslandUvs;
use sinew::math::{Real, Vec2};
use std::error::Error;
use std::path::Path;
use support::picture::{Shot, corner_uvs, save_sheet};
use support::scenes::{self, SkinScene};
use support::sliding::{Run, Tuning, run};
use support::told::{captions, lines};

const FOLDER: &str = "target/thin_skin";
/// The scenes of the sheet.
const SHEET: [&str; 6] = ["torus", "cylinder", "head_lift", "head_swallow", "hand", "cloth"];

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let scenes = scenes::all();
    if let Some(name) = names.iter().find(|n| !scenes.iter().any(|s| s.title() == **n)) {
        let known: Vec<String> = scenes.iter().map(SkinScene::title).collect();
        return Err(format!("there is no scene {name}, but {}", known.join(", ")).into());
    }
    std::fs::create_dir_all(FOLDER)?;
    for scene in scenes.iter().filter(|s| names.is_empty() || names.contains(&s.title())) {
        println!("{}", scene.title());
        println!(
            "  {} triangles, {} degrees of freedom, {} rows of constraints",
            scene.triangles(),
            scene.dofs(),
            scene.constraints()
        );
        for tuning in Tuning::all_of(scene) {
            let run = run(scene, &tuning, scene.frames)?;
            tell(scene, &tuning, &run)?;
        }
    }
    if names.is_empty() {
        let still = |name: &str| Path::new(FOLDER).join(format!("{name}.png"));
        save_sheet(&Path::new(FOLDER).join("sheet.png"), &SHEET.map(still))?;
    }
    Ok(())
}

/// Prints what a run shows, and draws it when it is the first of its scene.
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
            println!("  frame {frame}: {inverted} triangles are turned over");
        }
        moment.report.warnings.iter().for_each(|w| println!("  frame {frame}: {w}"));
    }
    for line in lines(scene, run)? {
        println!("  {line}");
    }
    if tuning.zeta == Tuning::of(scene).zeta {
        for (k, &frame) in scene.shown.iter().enumerate() {
            let suffix = if k == 0 { String::new() } else { format!("_{frame}") };
            let path = Path::new(FOLDER).join(format!("{}{suffix}.png", scene.title()));
            draw(scene, run, frame, &path)?;
        }
    }
    Ok(())
}

/// Standard skinning beside sliding skin.
fn draw(scene: &SkinScene, run: &Run, frame: usize, path: &Path) -> Result<(), Box<dyn Error>> {
    let time = scene.time(frame);
    let captions = captions(scene, run, frame)?;
    let shot = Shot {
        camera: scene.view(time),
        size: scene.size,
        texture: &*scene.texture,
        props: &scene.posed_props(time),
        captions: [&captions[0], &captions[1]],
    };
    let islands = IslandUvs::new(&scene.rest, &run.tri, &run.edges)?;
    let mut slid = vec![Vec2::zeros(); scene.rest.corner_vertices.len()];
    for face in 0..scene.rest.face_count() {
        let points: Vec<_> =
            scene.rest.face(face).iter().map(|&v| run.moments[frame].points[v as usize]).collect();
        islands.face_uvs(&points, face, &mut slid[scene.rest.corners(face)])?;
    }
    let (body, uvs) = (scene.posed(time), corner_uvs(&scene.rest));
    shot.save_side_by_side(path, &scene.title().replace('_', " "), (&body, &uvs), (&body, &slid))?;
    Ok(())
}
