//! What moves: a scene's file, or a finger or hand made from tables, which can be written as a scene.

use super::set;
use crate::error::{Error, Kind, Result};
use crate::formats::strand_scene::meshes;
use crate::formats::{obj, xml};
use crate::geometry::Mesh;
use crate::scene::strand::StrandScene;
use crate::scene::tendon_hand::preset::{Condition, DIGITS, Preset};
use clap::builder::PossibleValuesParser;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A scene, or what takes its place.
#[derive(clap::Args)]
pub(super) struct Source {
    /// A scene of strands (XML); `sinew scene` describes it.
    #[arg(required_unless_present = "hand")]
    scene: Option<PathBuf>,
    /// In place of a scene: a finger with its bones, tendons and muscles, or four of them side by side.
    #[arg(long, conflicts_with = "scene", value_parser = PossibleValuesParser::new(["finger", "four"]))]
    hand: Option<String>,
    /// Which finger, for --hand finger; the index finger when left out.
    #[arg(long, conflicts_with = "scene", value_parser = PossibleValuesParser::new(DIGITS))]
    digit: Option<String>,
    /// What is wrong with the fingers of --hand.
    #[arg(long, conflicts_with = "scene", default_value = Condition::Intact.name(),
          value_parser = PossibleValuesParser::new(Condition::ALL.map(Condition::name)))]
    condition: String,
    /// Tie the extensors of neighbours to each other, for --hand four.
    #[arg(long, conflicts_with = "scene")]
    bands: bool,
}

/// A scene with what its files hold.
pub(super) struct Loaded {
    pub scene: StrandScene,
    pub meshes: HashMap<String, Mesh>,
    /// Its own file, if it has one.
    pub file: Option<PathBuf>,
}

impl Source {
    /// Reads or makes the scene; `settings` take the place of what it says.
    pub fn load(&self, settings: &[String]) -> Result<Loaded> {
        let mut loaded = match &self.scene {
            Some(file) => {
                let scene = xml::read(file)?;
                let meshes = meshes(&scene, Some(file))?;
                Loaded { scene, meshes, file: Some(file.clone()) }
            }
            None => {
                let (scene, meshes) = self.preset()?.scene()?;
                Loaded { scene, meshes, file: None }
            }
        };
        settings.iter().try_for_each(|text| set(&mut loaded.scene, text))?;
        Ok(loaded)
    }

    fn preset(&self) -> Result<Preset> {
        let finger = self.hand.as_deref() == Some("finger");
        let refuse = |text: &str| Err(Error::new(Kind::InvalidArgument, text));
        if !finger && self.digit.is_some() {
            return refuse("--digit is for --hand finger: --hand four has all four of them");
        }
        if finger && self.bands {
            return refuse("--bands is for --hand four: one finger has no neighbours");
        }
        let named = self.digit.as_deref().unwrap_or(DIGITS[0]);
        let digit = DIGITS.iter().position(|name| *name == named).filter(|_| finger);
        let condition = Condition::ALL.into_iter().find(|c| c.name() == self.condition).unwrap_or_default();
        Ok(Preset { digit, condition, bands: self.bands })
    }
}

impl Loaded {
    /// Writes the scene, and its meshes beside it.
    pub fn write(&self, path: &Path) -> Result<()> {
        let folder = path.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))?;
        for (name, mesh) in &self.meshes {
            obj::save(&folder.join(name), mesh)?;
        }
        xml::save(path, &self.scene)
    }

    /// Puts an error into the scene's file.
    pub fn in_file(&self, error: Error) -> Error {
        self.file.iter().fold(error, |error, file| error.file(file))
    }
}
