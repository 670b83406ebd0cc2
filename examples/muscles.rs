//! A human with the muscles of the plan `human`: under a transparent skin, flexing an arm, as three physiques, walking.
//!
//!     sh tests/human.sh
//!     cargo run --release --example muscles
//!
//! The first command fetches her. Stills go into target/muscles.

#[path = "support/human/mod.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod human;
#[path = "support/muscle_body/mod.rs"]
mod muscle_body;

use human::{Human, Motion};
use image::RgbImage;
use muscle_body::play::{Moment, play};
use muscle_body::stills::Artist;
use sinew::anatomy::muscles::{HUMAN, PRESETS, Physique, Rig, fit};
use sinew::drawing::Camera;
use sinew::drawing::page::{Panel, page, sheet, small_png};
use sinew::formats::xml;
use sinew::math::{Real, Vec3};
use sinew::scene::muscles::MuscleSet;
use std::error::Error;
use std::path::Path;

const FOLDER: &str = "target/muscles";
const FPS: Real = 24.0;
/// When the arm is bent.
const BENT: Real = 1.3;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(human) = Human::load(Path::new(human::FOLDER))? else {
        return Err(format!("there is no human in {}: run sh tests/human.sh", human::FOLDER).into());
    };
    std::fs::create_dir_all(FOLDER)?;
    let plan = match std::env::args().nth(1) {
        Some(path) => xml::read(Path::new(&path))?,
        None => xml::parse(HUMAN)?,
    };
    let (names, rest) = (human.joint_names(), human.rest_joints());
    let fitted = fit(&plan, &Rig { names: &names, rest: &rest }, human.mesh())?;
    println!("{} muscles on her {} joints", fitted.set.muscles.len(), names.len());
    fitted.warnings.iter().for_each(|warning| println!("{warning}"));
    let scene = Scene { artist: Artist::new(&human, &fitted.set)?, human: &human, set: &fitted.set };
    let pages = [scene.anatomy()?, scene.flex()?, scene.physiques()?, scene.walk()?];
    for (page, name) in pages.iter().zip(["anatomy", "flex", "physiques", "walk"]) {
        page.save(format!("{FOLDER}/{name}.png"))?;
    }
    std::fs::write(format!("{FOLDER}/sheet.png"), small_png(&sheet(&pages, 600))?)?;
    println!("stills: {FOLDER}/sheet.png and those beside it");
    Ok(())
}

/// Who is seen.
struct Scene<'a> {
    human: &'a Human,
    set: &'a MuscleSet,
    artist: Artist<'a>,
}

type Page = Result<RgbImage, Box<dyn Error>>;

fn camera(target: [Real; 3], yaw: Real, width: Real) -> Camera {
    Camera { target: Vec3::from(target), yaw, pitch: 0.0, width }
}

fn panel(image: RgbImage, caption: &str) -> Panel {
    Panel { image, caption: caption.to_string() }
}

impl Scene<'_> {
    fn last(&self, physique: &Physique, motion: Motion, until: Real) -> Result<Moment, Box<dyn Error>> {
        let (moments, warnings) = play(self.human, self.set, physique, (motion, until), FPS)?;
        warnings.iter().for_each(|warning| println!("{warning}"));
        moments.into_iter().next_back().ok_or_else(|| "no frames".into())
    }

    /// All muscles from in front, from the side and from behind.
    fn anatomy(&self) -> Page {
        let rest = self.last(&Physique::default(), Motion::Walk, 0.0)?;
        let view = |yaw: Real| self.artist.inside(&rest, &camera([0.0, 0.83, 0.0], yaw, 1.05), [470, 780]);
        let panels =
            [panel(view(0.0), "front"), panel(view(1.0), "left"), panel(view(std::f64::consts::PI), "back")];
        Ok(page("40 muscles on each side, under the skin", &panels, None))
    }

    /// Skinning, with muscles, and the muscles themselves.
    fn flex(&self) -> Page {
        let bent = self.last(&Physique::default(), Motion::Flex, BENT)?;
        let view = camera([0.26, 1.27, 0.0], 0.1, 0.5);
        let panels = [
            panel(self.artist.skin(&bent.skinned, &view, [470, 470]), "skinning"),
            panel(self.artist.skin(&bent.skin, &view, [470, 470]), "with muscles"),
            panel(self.artist.inside(&bent, &view, [470, 470]), "the muscles"),
        ];
        Ok(page("An arm flexes", &panels, None))
    }

    fn physiques(&self) -> Page {
        let mut panels = Vec::new();
        for (name, physique) in PRESETS {
            let bent = self.last(&physique, Motion::Flex, BENT)?;
            let view = camera([0.1, 1.1, 0.0], 0.25, 0.8);
            panels.push(panel(self.artist.skin(&bent.skin, &view, [470, 620]), name));
        }
        Ok(page("Three physiques", &panels, None))
    }

    fn walk(&self) -> Page {
        let step = self.last(&Physique::default(), Motion::Walk, 1.75)?;
        let view = camera([0.02, 0.83, 0.0], 0.9, 1.05);
        let size = [470, 780];
        let panels = [
            panel(self.artist.skin(&step.skinned, &view, size), "skinning"),
            panel(self.artist.skin(&step.skin, &view, size), "with muscles"),
            panel(self.artist.inside(&step, &view, size), "the muscles"),
        ];
        Ok(page("A step", &panels, None))
    }
}
