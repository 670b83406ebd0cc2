//! What moves: a scene's file, or a finger or hand made from tables, which can be written as a scene.

use super::set;
use crate::error::{Error, Kind, Result};
use crate::formats::strand_scene::open;
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
    /// Mirror everything at the plane through the origin square to an axis, and swap left and right in names: L and R where
    /// they stand alone, left and right as words. Gravity stays: it is the world's.
    #[arg(long, value_name = "AXIS", value_parser = PossibleValuesParser::new(MIRRORS))]
    mirror: Option<String>,
}

const MIRRORS: [&str; 3] = ["x", "y", "z"];

/// A scene with what its files hold.
pub(super) struct Loaded {
    pub scene: StrandScene,
    pub meshes: HashMap<String, Mesh>,
    /// Its own file, if it has one.
    pub file: Option<PathBuf>,
}

impl Source {
    /// Whether it is a file as it stands.
    pub fn is_file(&self) -> bool {
        self.scene.is_some() && self.mirror.is_none()
    }

    /// Reads or makes the scene; `settings` take the place of what it says.
    pub fn load(&self, settings: &[String]) -> Result<Loaded> {
        let mut loaded = match &self.scene {
            Some(file) => {
                let (scene, meshes) = open(xml::read(file)?, Some(file))?;
                Loaded { scene, meshes, file: Some(file.clone()) }
            }
            None => {
                let (scene, meshes) = self.preset()?.scene()?;
                Loaded { scene, meshes, file: None }
            }
        };
        settings.iter().try_for_each(|text| set(&mut loaded.scene, text))?;
        if let Some(axis) = MIRRORS.iter().position(|axis| Some(*axis) == self.mirror.as_deref()) {
            let mirrored = loaded.scene.mirrored(axis, &loaded.meshes).map_err(|e| loaded.in_file(e))?;
            (loaded.scene, loaded.meshes) = mirrored;
        }
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
    /// Writes the scene, and its meshes beside it. What is there, and may have been edited, stays unless `force` says
    /// otherwise.
    pub fn write(&self, path: &Path, force: bool) -> Result<()> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut names: Vec<PathBuf> = self.meshes.keys().map(|name| folder.join(name)).collect();
        names.sort();
        let there =
            std::iter::once(path).chain(names.iter().map(PathBuf::as_path)).find(|file| file.exists());
        if let Some(file) = there.filter(|_| !force) {
            let message = "the file is there already; --force writes over it and the meshes beside it";
            return Err(Error::new(Kind::InvalidArgument, message).file(file));
        }
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
