//! A human with tattoos on neck, shoulder and forearm turns her head, raises an arm and makes a fist: standard skinning
//! beside sliding skin, the whole body with the node's default parameters.
//!
//!     sh tests/human.sh
//!     cargo run --release --example human [FPS]
//!
//! The first command downloads her. FPS defaults to 24; fewer compute faster. Stills go into target/human_slide.

#[path = "support/human/mod.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod human;
#[path = "support/human_slide/mod.rs"]
mod human_slide;

use human::{Human, Motion};
use human_slide::figures::Figures;
use human_slide::paint::Paint;
use human_slide::slide::run;
use human_slide::stills::{Artist, SHOTS};
use sinew::drawing::page::{sheet, small_png};
use sinew::math::Real;
use std::error::Error;
use std::io::Write;
use std::path::Path;

const FOLDER: &str = "target/human_slide";
const MOTION: Motion = Motion::Shot;

fn main() -> Result<(), Box<dyn Error>> {
    let fps: Real = std::env::args().nth(1).map_or(Ok(24.0), |text| text.parse())?;
    if !(1.0..=240.0).contains(&fps) {
        return Err(format!("{fps} frames per second: must be 1 to 240").into());
    }
    let Some(human) = Human::load(Path::new(human::FOLDER))? else {
        return Err(format!("there is no human in {}: run sh tests/human.sh", human::FOLDER).into());
    };
    std::fs::create_dir_all(FOLDER)?;
    let moments = run(&human, MOTION, fps, |frame, frames| {
        eprint!("\rframe {frame} of {frames}");
        // A progress line that cannot be shown is no reason to stop.
        let _ = std::io::stderr().flush();
    })?;
    eprintln!();
    let paint = Paint::new(&human)?;
    print!("{}", Figures::measure(&human, &paint.tattoos, &moments)?);
    let artist = Artist { human: &human, paint: &paint, motion: MOTION };
    let mut pages = vec![artist.whole(&[0.0, 1.2, 2.1], &moments)?];
    pages[0].save(format!("{FOLDER}/shot.png"))?;
    for shot in &SHOTS {
        let page = artist.pair(shot, &moments)?;
        page.save(format!("{FOLDER}/{}.png", shot.name))?;
        pages.push(page);
    }
    artist.acting()?.save(format!("{FOLDER}/acting.png"))?;
    std::fs::write(format!("{FOLDER}/sheet.png"), small_png(&sheet(&pages, 600))?)?;
    println!("stills: {FOLDER}/sheet.png and those beside it");
    Ok(())
}
