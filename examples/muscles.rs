//! A human with the muscles of the plan `human`: under a transparent skin, flexing an arm, as five physiques that flex
//! and land, walking.
//!
//!     sh tests/human.sh
//!     cargo run --release --example muscles
//!
//! The first command fetches her. Stills go into target/muscles.

#[path = "support/human/mod.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod human;
#[path = "support/muscle_body/mod.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod muscle_body;

use human::{Human, Motion};
use image::RgbImage;
use muscle_body::play::{Moment, play};
use sinew::anatomy::muscles::{HUMAN, PRESETS, Physique, Rig, fit};
use sinew::control::Control;
use sinew::drawing::Camera;
use sinew::drawing::page::{Panel, page, sheet, small_png};
use sinew::formats::xml;
use sinew::math::{Real, Vec3};
use sinew::report::Artist;
use sinew::scene::muscles::MuscleSet;
use std::error::Error;
use std::path::Path;

const FOLDER: &str = "target/muscles";
const FPS: Real = 24.0;
/// When the arm is bent.
const BENT: Real = 1.3;
/// When she has landed and soft tissue is lowest.
const LANDED: Real = 28.0 / FPS;

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
    let parents = human.parents("default")?;
    let rig = Rig { names: &names, rest: &rest, parents: &parents, chosen: &[] };
    let fitted = fit(&plan, &rig, human.mesh(), 1.0, &Control::default())?;
    println!("{} muscles on her {} joints", fitted.set.muscles.len(), names.len());
    fitted.warnings.iter().for_each(|warning| println!("{warning}"));
    let artist = Artist::new(human.mesh(), fitted.set.parts(&names)?.parts, &rest)?;
    let scene = Scene { artist, human: &human, set: &fitted.set };
    let pages = [scene.anatomy()?, scene.walk()?, scene.physiques()?, scene.landing()?, scene.flex()?];
    for (page, name) in pages.iter().zip(["anatomy", "walk", "physiques", "landing", "flex"]) {
        page.save(format!("{FOLDER}/{name}.png"))?;
    }
    std::fs::write(format!("{FOLDER}/sheet.png"), small_png(&sheet(&pages, 600))?)?;
    println!("stills: {FOLDER}/sheet.png and those beside it");
    Ok(())
}

/// Who is shown, and by whom.
struct Scene<'a> {
    human: &'a Human,
    set: &'a MuscleSet,
    artist: Artist,
}

type Page = Result<RgbImage, Box<dyn Error>>;

fn camera(target: [Real; 3], yaw: Real, width: Real) -> Camera {
    Camera { target: Vec3::from(target), yaw, pitch: 0.0, width }
}

fn panel(image: RgbImage, caption: &str) -> Panel {
    Panel { image, caption: caption.to_string() }
}

impl Scene<'_> {
    /// The muscles under a transparent skin.
    fn inside(&self, moment: &Moment, view: &Camera, size: [usize; 2]) -> RgbImage {
        self.artist.inside(&moment.skin, &moment.muscles, view, size)
    }

    fn last(&self, physique: &Physique, motion: Motion, until: Real) -> Result<Moment, Box<dyn Error>> {
        let (moments, warnings) = play(self.human, self.set, physique, (motion, until), FPS)?;
        warnings.iter().for_each(|warning| println!("{warning}"));
        moments.into_iter().next_back().ok_or_else(|| "no frames".into())
    }

    /// All muscles from in front, from the side and from behind.
    fn anatomy(&self) -> Page {
        let rest = self.last(&Physique::default(), Motion::Walk, 0.0)?;
        let view = |yaw: Real| self.inside(&rest, &camera([0.0, 0.83, 0.0], yaw, 1.05), [470, 780]);
        let panels =
            [panel(view(0.0), "front"), panel(view(1.0), "left"), panel(view(std::f64::consts::PI), "back")];
        Ok(page("54 muscles on each side, under the skin", &panels, None))
    }

    /// Skinning, with muscles, and the muscles themselves.
    fn flex(&self) -> Page {
        let bent = self.last(&Physique::default(), Motion::Flex, BENT)?;
        let view = camera([0.26, 1.27, 0.0], 0.1, 0.5);
        let panels = [
            panel(self.artist.skin(&bent.skinned, &view, [470, 470]), "skinning"),
            panel(self.artist.skin(&bent.skin, &view, [470, 470]), "with muscles"),
            panel(self.inside(&bent, &view, [470, 470]), "the muscles"),
        ];
        Ok(page("An arm flexes", &panels, None))
    }

    fn physiques(&self) -> Page {
        let panels = self.each_physique((Motion::Flex, BENT), &camera([0.05, 1.0, 0.0], 0.35, 1.0))?;
        Ok(page("Five physiques of one set", &panels, None))
    }

    /// Landing from a jump: soft tissue keeps swinging.
    fn landing(&self) -> Page {
        let panels = self.each_physique((Motion::Hop, LANDED), &camera([0.0, 0.75, 0.0], 0.35, 1.05))?;
        Ok(page("They land from a jump", &panels, None))
    }

    /// One moment as she is, and as each of the physiques.
    fn each_physique(
        &self,
        (motion, time): (Motion, Real),
        view: &Camera,
    ) -> Result<Vec<Panel>, Box<dyn Error>> {
        let as_she_is = ("as she is", Physique::default());
        let others = PRESETS.into_iter().filter(|(name, _)| *name != "average");
        let all = std::iter::once(as_she_is).chain(others);
        all.map(|(name, physique)| {
            let moment = self.last(&physique, motion, time)?;
            Ok(panel(self.artist.skin(&moment.skin, view, [470, 700]), name))
        })
        .collect()
    }

    fn walk(&self) -> Page {
        let step = self.last(&Physique::default(), Motion::Walk, 1.75)?;
        let view = camera([0.02, 0.8, -0.03], 0.9, 1.15);
        let size = [470, 780];
        let panels = [
            panel(self.artist.skin(&step.skinned, &view, size), "skinning"),
            panel(self.artist.skin(&step.skin, &view, size), "with muscles"),
            panel(self.inside(&step, &view, size), "the muscles"),
        ];
        Ok(page("A step", &panels, None))
    }
}
