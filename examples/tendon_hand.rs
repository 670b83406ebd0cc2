//! What tendons do that motors in joints do not: the demos of Li, "Biomechanical simulation of the hand musculoskeletal
//! system and skin" (2013), chapter 3, in numbers and pictures.
//!
//!     cargo run --release --example tendon_hand
//!
//! Pictures go into target/tendon_hand.

mod support;

use sinew::drawing::page::{Panel, page, sheet, small_png};
use std::error::Error;
use std::fs::create_dir_all;
use support::tendons::{Demo, demos};

const FOLDER: &str = "target/tendon_hand";

fn main() -> Result<(), Box<dyn Error>> {
    create_dir_all(FOLDER)?;
    let mut pages = Vec::new();
    for demo in demos::all()? {
        tell(&demo);
        let panel = |k: usize| Panel {
            image: demo.stills[k].draw(demo.labels[k]),
            caption: demo.captions[k].clone(),
        };
        let panels = [panel(0), panel(1)];
        let page = page(demo.title, &panels, None);
        page.save(format!("{FOLDER}/{}.png", demo.name))?;
        pages.push(page);
    }
    std::fs::write(format!("{FOLDER}/sheet.png"), small_png(&sheet(&pages, 640))?)?;
    Ok(())
}

/// Prints what was measured, as a table.
fn tell(demo: &Demo) {
    println!("{}\n  {:42} {:>30} {:>30}", demo.title, "", demo.runs[0], demo.runs[1]);
    for (what, unit, [a, b]) in &demo.figures {
        println!("  {what:42} {:>30} {:>30}", format!("{a:.2} {unit}"), format!("{b:.2} {unit}"));
    }
}
