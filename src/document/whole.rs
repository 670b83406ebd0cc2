//! What is made of whole documents: the other side, another character, single muscles.

use super::{Document, cannot};
use sinew_anatomy::muscles::{self, Rig};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::strand_scene;
use sinew_scene::faults::{self, Weight};
use sinew_scene::muscles::MuscleSet;
use sinew_scene::strand::StrandScene;

/// What a tool did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// How many parts it added.
    pub added: usize,
    /// What may not be meant, one sentence each.
    pub warnings: Vec<String>,
}

/// Where a mirror stands.
#[derive(Clone, Copy, Debug)]
pub enum Rigged<'a> {
    /// At the origin, perpendicular to an axis of the document (0, 1, 2 for x, y, z).
    Axis(usize),
    /// Between the sides of a rig, in the document's space.
    Rig(Rig<'a>),
}

impl Document {
    /// Mirrors: a scene becomes that of the other side, and a set gets what it lacks there.
    pub fn mirror(&mut self, at: Rigged, control: &Control) -> Result<Derived> {
        control.check()?;
        let unknown = self.unknown("mirrored");
        let mut derived = self.mirror_known(at, control)?;
        derived.warnings.extend(unknown);
        Ok(derived)
    }

    fn mirror_known(&mut self, at: Rigged, control: &Control) -> Result<Derived> {
        match (self.type_name(), at) {
            ("strand_scene", Rigged::Axis(axis)) => self.mirror_scene(axis),
            ("muscle_set", at) => self.change(|mut set: MuscleSet| {
                let mirrored = match at {
                    Rigged::Axis(axis) => muscles::mirror(&mut set, axis)?,
                    Rigged::Rig(rig) => muscles::mirror_on(&mut set, &rig, control)?,
                };
                Ok((set, Derived { added: mirrored.added, warnings: mirrored.warnings }))
            }),
            (name, Rigged::Axis(_)) => Err(cannot(name, "mirrored")),
            (name, Rigged::Rig(_)) => Err(cannot(name, "mirrored on a rig")),
        }
    }

    fn mirror_scene(&mut self, axis: usize) -> Result<Derived> {
        if axis > 2 {
            let message = format!("there is no axis {axis}; 0, 1 and 2 are x, y and z");
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let (path, known) = (self.path.clone(), self.meshes.clone());
        let meshes = self.change(|scene: StrandScene| {
            if let Some(armature) = scene.armatures.first() {
                let message = format!(
                    "the animation of {} is not mirrored; mirror the bodies that it leads",
                    armature.file
                );
                return Err(Error::new(Kind::Unsupported, message));
            }
            let meshes = strand_scene::meshes(&scene, path.as_deref(), &known)?;
            scene.mirrored(axis, &meshes)
        })?;
        self.meshes.extend(meshes);
        Ok(Derived::default())
    }

    /// Copies a set to another character; both rigs are in the document's space.
    pub fn copy(&mut self, from: &Rig, to: &Rig, control: &Control) -> Result<Derived> {
        control.check()?;
        match self.type_name() {
            "muscle_set" => self.change(|set: MuscleSet| {
                let copied = muscles::copy(&set, from, to, control)?;
                Ok((copied.set, Derived { added: 0, warnings: copied.warnings }))
            }),
            name => Err(cannot(name, "copied to another rig")),
        }
    }

    /// A sentence about what no table knows: tools pass over it.
    fn unknown(&self, done: &str) -> Option<String> {
        let found = faults::of_schema(&self.tree(), (self.kind.schema)());
        let unknown: Vec<String> = found
            .iter()
            .filter(|fault| fault.weight == Weight::Unknown)
            .map(|fault| format!("line {}: {}", fault.line, fault.message))
            .collect();
        let first = unknown.first()?;
        let more =
            if unknown.len() > 1 { format!(" (and {} more)", unknown.len() - 1) } else { String::new() };
        Some(format!("what no table knows is not {done}: {first}{more}"))
    }

    /// Makes an element of each muscle that stands for several: the muscles of sheets, and further heads.
    pub fn expand(&mut self) -> Result<Derived> {
        match self.type_name() {
            "muscle_set" => self.change(|set: MuscleSet| {
                let singles: Vec<_> = set.muscles.iter().flat_map(|e| e.singles()).collect();
                let added = singles.len() - set.muscles.len();
                Ok((MuscleSet { muscles: singles, ..set }, Derived { added, warnings: Vec::new() }))
            }),
            name => Err(cannot(name, "expanded")),
        }
    }
}
