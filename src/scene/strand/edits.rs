//! Overrides of a scene's settings, without touching its file.

use super::StrandScene;
use crate::schema::Attribute;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use std::collections::HashMap;

/// The axes along which scenes are mirrored.
pub const AXES: [&str; 3] = ["x", "y", "z"];

/// Changes to a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// NAME=VALUE separated by semicolons: gravity, axial, step, or activation.MUSCLE.
    pub settings: String,
    /// The axis (0, 1, 2 for x, y, z) along which everything is mirrored afterwards.
    pub mirror: Option<usize>,
}

impl Edits {
    /// The scene with the settings.
    pub fn set(&self, scene: &mut StrandScene) -> Result<()> {
        let mut all = self.settings.split(';').map(str::trim).filter(|text| !text.is_empty());
        all.try_for_each(|text| scene.set(text))
    }

    /// The scene and its meshes, mirrored if requested.
    pub fn mirrored(
        &self,
        scene: StrandScene,
        meshes: HashMap<String, Mesh>,
    ) -> Result<(StrandScene, HashMap<String, Mesh>)> {
        match self.mirror {
            Some(axis) => scene.mirrored(axis, &meshes),
            None => Ok((scene, meshes)),
        }
    }
}

impl StrandScene {
    /// Overrides a setting of the scene with NAME=VALUE.
    fn set(&mut self, text: &str) -> Result<()> {
        let wrong = |message: String| Err(Error::new(Kind::InvalidArgument, message));
        let Some((name, value)) = text.split_once('=') else {
            return wrong(format!("{text}: expected NAME=VALUE"));
        };
        match name {
            "gravity" => self.settings_mut().gravity = Some(value_of(name, value)?),
            "axial" => self.settings_mut().axial = value_of(name, value)?,
            "step" => {
                let step = value_of(name, value)?;
                self.settings_mut().step = step;
                if step <= 0.0 {
                    return wrong(format!("the step is {value} s; it must be more than 0"));
                }
            }
            _ => {
                let muscle = name.strip_prefix("activation.");
                if muscle.is_some() && self.has_goals() {
                    return wrong(format!("{name}: the scene's goals choose the activations"));
                }
                let Some((activation, keys)) = muscle.and_then(|name| self.activation_mut(name)) else {
                    return Err(self.no_setting(name));
                };
                *activation = value_of(name, value)?;
                if !(0.0..=1.0).contains(activation) {
                    return wrong(format!("{name} is {value}; it must lie between 0 and 1"));
                }
                keys.clear();
            }
        }
        Ok(())
    }

    /// Refuses an unknown setting and lists the known ones.
    fn no_setting(&self, name: &str) -> Error {
        let muscles: Vec<&str> = self.muscle_names().collect();
        let muscles = match muscles.is_empty() {
            true => "no muscles".into(),
            false => format!("activation.MUSCLE, where MUSCLE is one of {}", muscles.join(", ")),
        };
        let message = format!("no setting {name:?}; there are gravity, axial, step, and {muscles}");
        Error::new(Kind::InvalidArgument, message)
    }
}

fn value_of<T: Attribute>(name: &str, text: &str) -> Result<T> {
    T::parse(text).ok_or_else(|| {
        Error::new(Kind::InvalidArgument, format!("{name} is {text:?}; expected {}", T::EXPECTED))
    })
}
