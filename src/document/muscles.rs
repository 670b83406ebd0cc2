//! What is done with muscle sets on rigs.

use super::{Derived, Document, Id, cannot};
use serde_json::{Value, json};
use sinew_anatomy::muscles::{self, Conditions, NewMuscle, Physique, Range, Rig};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::xml;
use sinew_geometry::Mesh;
use sinew_math::{Real, Space, Vec3};
use sinew_muscle::{Binding, Frames};
use sinew_scene::SpaceElement;
use sinew_scene::muscles::{MuscleElement, MuscleSet, Readable};
use sinew_scene::schema::Element;

/// How far muscles carry the vertices of a skin.
pub struct Weighed {
    /// How many muscles there are: the length of a row.
    pub columns: usize,
    /// A row for each vertex.
    pub rows: Vec<Real>,
    /// What is left out on the rig, one sentence each.
    pub left_out: Vec<String>,
}

/// What the range of motion showed.
pub struct Tested {
    /// How many of the sentences are problems; those after them say what could not be tested.
    pub problems: usize,
    /// A sentence each.
    pub sentences: Vec<String>,
}

impl Document {
    /// The muscles of a plan on a rig and its skin, as a set in a space, in which both are.
    pub fn fitted(
        plan: &str,
        rig: &Rig,
        skin: &Mesh,
        space: Space,
        control: &Control,
    ) -> Result<(Self, Derived)> {
        let fitted = muscles::fit(&xml::parse(plan)?, rig, skin, space.metres_per_unit(), control)?;
        let set = MuscleSet { space: SpaceElement::of(space), ..fitted.set };
        let derived = Derived { added: set.muscles.len(), warnings: fitted.warnings };
        Ok((Document::parse(&xml::write(&set))?, derived))
    }

    /// Adds a muscle from joint to joint; an empty set without a space takes `space`. The rest is in the document's.
    pub fn add_muscle(&mut self, new: &NewMuscle, rig: &Rig, skin: Option<&Mesh>) -> Result<()> {
        self.change(|mut set: MuscleSet| {
            muscles::create(&mut set, new, rig, skin)?;
            Ok((set, ()))
        })
    }

    /// Lets an empty muscle set without a unit of length and an up axis have those of a space.
    pub fn adopt(&mut self, space: Space) -> Result<()> {
        let set: MuscleSet = self.typed()?;
        if let (true, None, Some(element)) = (set.is_empty(), &set.space, SpaceElement::of(space)) {
            self.insert(self.root(), &element.to_tree(), None)?;
        }
        Ok(())
    }

    /// Takes a muscle out; the others of its sheet and its other heads become single muscles.
    pub fn remove_muscle(&mut self, name: &str) -> Result<()> {
        self.change(|mut set: MuscleSet| set.remove(name).map(|()| (set, ())))
    }

    /// The element of a muscle. If that stands for several, these become elements of their own.
    pub fn single(&mut self, name: &str) -> Result<Id> {
        if self.type_name() != MuscleSet::schema().name {
            return Err(cannot(self.type_name(), "searched for a muscle"));
        }
        for id in self.children(self.root(), Some(MuscleElement::schema().name))? {
            // One that cannot be read stands for nothing that has a name.
            let Ok(element) = MuscleElement::from_tree(&self.file.tree_of(id)) else { continue };
            let names = element.names();
            if !names.iter().any(|own| own == name) {
                continue;
            }
            if names.len() > 1 {
                self.split(id)?;
                return self.single(name);
            }
            return Ok(id);
        }
        Err(Error::new(Kind::NotFound, format!("the set has no muscle {name:?}")))
    }

    fn split(&mut self, id: Id) -> Result<()> {
        let number = u64::from(id.0) + 1;
        self.change(|set: MuscleSet| {
            let each = |e: MuscleElement| if e.line.0 == number { e.singles() } else { vec![e] };
            let muscles = set.muscles.into_iter().flat_map(each).collect();
            Ok((MuscleSet { muscles, ..set }, ()))
        })
    }

    /// Multiplies the numbers of all muscles, heads and pads.
    pub fn apply_physique(&mut self, physique: &Physique) -> Result<()> {
        self.change(|mut set: MuscleSet| physique.apply(&mut set).map(|()| (set, ())))
    }

    /// Sculpts all muscles so that their vertices at rest lie at points; rig and points are in metres with y up.
    /// Returns how many differ from the shape that is not sculpted.
    pub fn sculpt(&mut self, rig: &Rig, frames: Frames, points: &[Vec3]) -> Result<usize> {
        self.change(|mut set: MuscleSet| {
            let moved = muscles::sculpt(&mut set, rig, frames, points)?;
            Ok((set, moved))
        })
    }

    /// The set, in which what cannot be read is left out.
    fn readable(&self) -> Result<Readable> {
        Readable::new(&self.tree())
    }

    /// An error if some of the set cannot be read.
    pub fn check_readable(&self) -> Result<()> {
        self.readable()?.whole().map(drop)
    }

    /// What is left out of a set on every rig, since it is left out even where each joint that it names exists.
    pub fn left_out(&self) -> Result<Vec<String>> {
        let built = self.readable()?.parts_on_own_joints();
        Ok(built.map_or_else(|error| vec![error.to_string()], |built| built.reported(None)))
    }

    /// The default weights of muscles on the skin of a rig; both are in metres with y up.
    pub fn weights(
        &self,
        rig: &Rig,
        skin: &Mesh,
        binding: &Binding,
        smooth: u32,
        control: &Control,
    ) -> Result<Weighed> {
        let set = self.readable()?;
        let columns = set.set().muscle_names().len();
        let built = set.parts(rig.names)?;
        let left_out = built.reported(None);
        let rows = muscles::weights(built, rig, skin, binding, smooth as usize, control)?;
        Ok(Weighed { columns, rows, left_out })
    }

    /// Turns every joint of a rig, which is in metres with y up, through its range of motion in a plan. `limit` is how
    /// many degrees a joint turns at most, `push` how far muscles and bones push muscles away.
    pub fn range(
        &self,
        plan: &str,
        rig: &Rig,
        push: Real,
        limit: Option<Real>,
        control: &Control,
    ) -> Result<Tested> {
        let built = self.readable()?.parts(rig.names)?;
        let range = Range::new(&xml::parse(plan)?, rig, limit)?;
        let findings =
            range.test(&built.parts, rig, &Conditions { push, ..Conditions::default() }, control)?;
        let problems = findings.iter().map(|finding| finding.sentence(&range, &built.parts, rig));
        let loose = range.loose(&built.parts).into_iter().map(|joint| {
            format!("the plan gives no parent for joint {}: it stays where it is", rig.names[joint])
        });
        let sentences = problems.chain(built.reported(None)).chain(loose).collect();
        Ok(Tested { problems: findings.len(), sentences })
    }

    /// The muscles of a set one by one, in the order of the node's arrays, and its pads and bones.
    pub fn parts(&self) -> Result<Value> {
        let muscle = |e: MuscleElement| {
            json!({
                "name": e.name, "origin_joint": e.origin_joint, "insertion_joint": e.insertion_joint,
                "rings": e.rings, "divisions": e.divisions,
            })
        };
        let readable = self.readable()?;
        let set = readable.set();
        let muscles: Vec<_> = set.muscles.iter().flat_map(MuscleElement::singles).map(muscle).collect();
        let pads: Vec<&str> = set.pads.iter().map(|e| e.name.as_str()).collect();
        let bones: Vec<&str> = set.bones.iter().map(|e| e.name.as_str()).collect();
        Ok(json!({ "muscles": muscles, "pads": pads, "bones": bones }))
    }
}
