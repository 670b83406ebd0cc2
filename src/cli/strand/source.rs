//! The model: a scene's file, or a finger or hand made from tables, which can be written as a scene.

use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use sinew_anatomy::tendon_hand::preset::{Condition, DIGITS, Preset};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::strand_scene::{Meshes, open};
use sinew_formats::{atomic, obj, xml};
use sinew_geometry::Mesh;
use sinew_math::Real;
use sinew_scene::strand::edits::{AXES, Edits};
use sinew_scene::strand::{Built, StrandScene};
use sinew_scene::{ParamElement, SpaceElement};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A scene, or its replacement.
#[derive(clap::Args)]
pub(super) struct SceneArgs {
    /// A scene of strands (XML); `sinew scene` describes it.
    #[arg(required_unless_present = "hand")]
    scene: Option<PathBuf>,
    /// Instead of a scene: a finger with its bones, tendons and muscles, or four of them side by side.
    #[arg(long, conflicts_with = "scene", value_parser = PossibleValuesParser::new(["finger", "four"]))]
    hand: Option<String>,
    /// Which finger, for --hand finger; the index finger by default.
    #[arg(long, conflicts_with = "scene", value_parser = PossibleValuesParser::new(DIGITS))]
    digit: Option<String>,
    /// The deformity of the fingers of --hand; --compare shows what each of them does.
    #[arg(long, conflicts_with = "scene", default_value = Condition::Intact.name(),
          value_parser = PossibleValuesParser::new(Condition::ALL.map(Condition::name)))]
    condition: String,
    /// Connect the extensor tendons of neighbouring fingers, for --hand four.
    #[arg(long, conflicts_with = "scene")]
    bands: bool,
    /// Mirror everything in the plane through the origin perpendicular to an axis, and swap left and right in names: L
    /// and R on their own, left and right as words. Gravity is not mirrored.
    #[arg(long, value_name = "AXIS", value_parser = PossibleValuesParser::new(AXES))]
    mirror: Option<String>,
    /// A setting: NAME=VALUE; gravity, axial, step, or activation.MUSCLE; it overrides the scene's.
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    settings: Vec<String>,
    /// The longest step; the scene's by default. A frame is divided into equal steps.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    step: Option<Real>,
}

/// A scene with the contents of its files.
struct Loaded {
    scene: StrandScene,
    meshes: HashMap<String, Mesh>,
}

/// What was written.
pub(super) struct Reported {
    pub json: Value,
    pub text: String,
}

impl SceneArgs {
    /// The equivalent parameters of the node.
    pub fn params(&self) -> Result<Vec<ParamElement>> {
        let mut params = vec![("first_frame", "start".to_string()), ("details", "true".into())];
        match &self.scene {
            Some(file) => {
                params.extend([("source", "scene".into()), ("scene", file.to_string_lossy().into_owned())]);
            }
            None => {
                let Preset { digit, condition, bands } = self.preset()?;
                params.push(("source", if digit.is_some() { "finger" } else { "hand" }.into()));
                params.extend(digit.map(|k| ("digit", DIGITS[k].into())));
                params.push(("condition", condition.name().into()));
                params.push(("bands", bands.to_string()));
            }
        }
        let settings = self.edits().settings;
        if !settings.is_empty() {
            params.push(("settings", settings));
        }
        params.extend(self.mirror.clone().map(|axis| ("mirror", axis)));
        Ok(params.into_iter().map(|(id, value)| ParamElement::of(id, value)).collect())
    }

    /// The unit and up axis of the scene, which the results share. Errors in them are reported by the node, with the
    /// line.
    pub fn space(&self) -> Result<Option<SpaceElement>> {
        let Some(file) = &self.scene else { return Ok(None) };
        let space = xml::read::<StrandScene>(file)?.space;
        Ok(space.filter(|space| space.space().is_ok()))
    }

    pub fn edits(&self) -> Edits {
        let step = self.step.map(|step| format!("step={step}"));
        let settings: Vec<String> = self.settings.iter().cloned().chain(step).collect();
        let mirror = AXES.iter().position(|axis| Some(*axis) == self.mirror.as_deref());
        Edits { settings: settings.join("; "), mirror }
    }

    /// Writes the scene, and its meshes next to it. Existing files, which may have been edited, are kept unless `force`
    /// is set.
    pub fn write(&self, path: &Path, force: bool) -> Result<Reported> {
        if self.scene.is_some() && self.mirror.is_none() {
            let message = "--write cannot be used with a scene that is already a file, except with --mirror";
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let loaded = self.load()?;
        loaded.write(path, force)?;
        let (bodies, strands) = (loaded.scene.bodies.len(), loaded.scene.strands.len());
        let file = path.display().to_string();
        Ok(Reported {
            text: format!("a scene of {bodies} bodies and {strands} strands: {file}"),
            json: json!({ "scene": file, "bodies": bodies, "strands": strands }),
        })
    }

    /// A preset's model, with the settings.
    pub fn built(&self, preset: &Preset) -> Result<Built> {
        let (mut scene, meshes) = preset.scene()?;
        self.edits().set(&mut scene)?;
        scene.build(&meshes)
    }

    /// Reads or generates the scene, applies the settings, and mirrors it.
    fn load(&self) -> Result<Loaded> {
        let edits = self.edits();
        let (mut scene, meshes) = match &self.scene {
            Some(file) => open(xml::read(file)?, Some(file), &Meshes::new())?,
            None => self.preset()?.scene()?,
        };
        edits.set(&mut scene)?;
        let mirrored = edits.mirrored(scene, meshes);
        let (scene, meshes) = mirrored.map_err(|e| self.scene.iter().fold(e, |e, file| e.file(file)))?;
        Ok(Loaded { scene, meshes })
    }

    pub fn preset(&self) -> Result<Preset> {
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
    fn write(&self, path: &Path, force: bool) -> Result<()> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut names: Vec<PathBuf> = self.meshes.keys().map(|name| folder.join(name)).collect();
        names.sort();
        let there =
            std::iter::once(path).chain(names.iter().map(PathBuf::as_path)).find(|file| file.exists());
        if let Some(file) = there.filter(|_| !force) {
            let message = "the file exists; --force overwrites it and the meshes next to it";
            return Err(Error::new(Kind::InvalidArgument, message).file(file));
        }
        atomic::make_folder(folder)?;
        for (name, mesh) in &self.meshes {
            obj::save(&folder.join(name), mesh)?;
        }
        xml::save(path, &self.scene)
    }
}
