//! Sets of which some elements cannot be read: each of these is left out alone.

use super::build::build;
use super::left_out::LeftOut;
use super::unread::{Unread, refused};
use super::{
    BoneElement, Built, HeadElement, MOST_IN_SHEET, MuscleElement, MuscleSet, OffsetElement, PadElement,
    check_count,
};
use crate::faults::check;
use crate::schema::{ChildSchema, Element, Line, Tree};
use sinew_base::error::{Error, Result};
use std::collections::HashMap;

/// A set to be built. An element that cannot be read, because an attribute is missing, unknown or not a number, keeps
/// its place among the others, so that the arrays of hosts keep their items, but is left out. Such a set cannot be
/// written: what writes sets reads them whole, or refuses them.
#[derive(Clone, Debug)]
pub struct Readable {
    /// The set, in which something else stands for what cannot be read.
    set: MuscleSet,
    unread: Unread,
    /// The first thing that cannot be read.
    refusal: Option<Error>,
}

/// Stands for a joint that cannot be read.
const UNKNOWN: &str = "?";

/// What stands for the attributes that a part must have.
const MUSCLE: [(&str, &str); 6] = [
    ("name", ""),
    ("origin_joint", UNKNOWN),
    ("origin", "0 0 0"),
    ("insertion_joint", UNKNOWN),
    ("insertion", "0 0 0"),
    ("size", "1"),
];
const HEAD: [(&str, &str); 3] = [("name", ""), ("origin_joint", UNKNOWN), ("origin", "0 0 0")];
const PAD: [(&str, &str); 4] = [("name", ""), ("joint", UNKNOWN), ("centre", "0 0 0"), ("radius", "1")];
const BONE: [(&str, &str); 5] =
    [("name", ""), ("joint", UNKNOWN), ("from", "0 0 0"), ("to", "0 0 0"), ("radius", "1")];

impl Readable {
    /// Of a tree; an error if it is no muscle set, or if its space cannot be read.
    pub fn new(tree: &Tree) -> Result<Self> {
        let refusal = match whole::<MuscleSet>(tree) {
            Ok(set) => return Ok(set.into()),
            Err(error) => error,
        };
        let (mut unread, mut kept) = (Unread::default(), Tree { children: Vec::new(), ..tree.clone() });
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for child in &tree.children {
            let place = counts.entry(&child.name).or_default();
            kept.children.extend(match child.name.as_str() {
                "muscle" => Some(unread.take_muscle(child, *place)),
                "pad" => Some(taken::<PadElement>(child, &PAD, *place, &mut unread.pads)),
                "bone" => Some(taken::<BoneElement>(child, &BONE, *place, &mut unread.bones)),
                "space" => Some(child.clone()),
                _ => {
                    unread.lost.push(stray(child, &(MuscleSet::schema().children)(), ""));
                    None
                }
            });
            *place += 1;
        }
        Ok(Readable { set: whole(&kept)?, unread, refusal: Some(refusal) })
    }

    /// The set, in which something else stands for what cannot be read.
    pub fn set(&self) -> &MuscleSet {
        &self.set
    }

    /// The set, if all of it could be read.
    pub fn whole(&self) -> Result<&MuscleSet> {
        refused(self.refusal.as_ref()).map(|()| &self.set)
    }

    /// The same, to be changed.
    pub fn whole_mut(&mut self) -> Result<&mut MuscleSet> {
        refused(self.refusal.as_ref()).map(|()| &mut self.set)
    }

    /// The joints that carry its muscles, as often as they are named.
    pub fn muscle_joints(&self) -> impl Iterator<Item = &str> {
        self.set.muscle_joints().filter(|joint| *joint != UNKNOWN)
    }

    /// The joints that carry something, as often as they are named.
    pub fn joints(&self) -> impl Iterator<Item = &str> {
        self.set.joints().filter(|joint| *joint != UNKNOWN)
    }

    /// The names that tables may have for muscles of sheets whose count is unknown, each with the place of the one
    /// muscle that stands for them, and is left out, among [`MuscleSet::muscle_names`].
    pub fn unknown_strips(&self) -> Vec<(String, usize)> {
        let (mut strips, mut place) = (Vec::new(), 0);
        for (k, e) in self.set.muscles.iter().enumerate() {
            let is_unread = e.count == 1 && self.unread.muscles.contains_key(&k);
            if is_unread || check_count(e.count).is_err() {
                strips.extend((1..=MOST_IN_SHEET).map(|strip| (format!("{}.{strip}", e.name), place)));
            }
            place += e.names().len();
        }
        strips
    }

    /// The parts on a rig that has every joint that the set names: what is left out there is left out everywhere.
    pub fn parts_on_own_joints(&self) -> Result<Built> {
        let mut joints: Vec<String> = self.joints().map(String::from).collect();
        joints.sort_unstable();
        joints.dedup();
        self.parts(&joints)
    }

    /// The parts on the joints of a rig, as [`MuscleSet::parts`] makes them.
    pub fn parts(&self, joints: &[String]) -> Result<Built> {
        build(&self.set, &self.unread, joints)
    }
}

impl From<MuscleSet> for Readable {
    fn from(set: MuscleSet) -> Self {
        Readable { set, unread: Unread::default(), refusal: None }
    }
}

impl Unread {
    /// A muscle without what cannot be read in it.
    fn take_muscle(&mut self, tree: &Tree, place: usize) -> Tree {
        let bare = Tree { children: Vec::new(), ..tree.clone() };
        let mut kept = taken::<MuscleElement>(&bare, &MUSCLE, place, &mut self.muscles);
        let name = given(tree, "name").unwrap_or_default();
        let (mut heads, mut head) = (HashMap::new(), 0);
        for child in &tree.children {
            match child.name.as_str() {
                "head" => {
                    kept.children.push(taken::<HeadElement>(child, &HEAD, head, &mut heads));
                    head += 1;
                }
                "offset" => match whole::<OffsetElement>(child) {
                    Ok(_) => kept.children.push(child.clone()),
                    Err(error) => {
                        let line = Line(child.line);
                        self.lost.push(LeftOut::new("an offset of muscle", name, line, error.message()));
                    }
                },
                _ => {
                    let known = (MuscleElement::schema().children)();
                    self.lost.push(stray(child, &known, &format!(" of muscle {name}")));
                }
            }
        }
        self.heads.extend(heads.into_iter().map(|(head, error)| ((place, head), error)));
        kept
    }
}

fn whole<T: Element>(tree: &Tree) -> Result<T> {
    check(tree, T::schema())?;
    T::from_tree(tree)
}

fn given<'a>(tree: &'a Tree, name: &str) -> Option<&'a str> {
    tree.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// An element; if it cannot be read, the reason is entered, and what can be read of it stays.
fn taken<T: Element>(
    tree: &Tree,
    needed: &[(&str, &str)],
    place: usize,
    unread: &mut HashMap<usize, Error>,
) -> Tree {
    let Err(error) = whole::<T>(tree) else { return tree.clone() };
    unread.insert(place, error);
    let text = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    let bare = Tree { attributes: needed.iter().map(text).collect(), children: Vec::new(), ..tree.clone() };
    tree.attributes.iter().fold(bare, |before, attribute| {
        let mut with = before.clone();
        with.attributes.retain(|(name, _)| *name != attribute.0);
        with.attributes.push(attribute.clone());
        if whole::<T>(&with).is_ok() { with } else { before }
    })
}

/// An element that does not belong where it is.
fn stray(tree: &Tree, known: &[ChildSchema], of: &str) -> LeftOut {
    let inside = (MuscleElement::schema().children)();
    let why = match inside.iter().any(|child| child.element.name == tree.name) {
        true => format!("it belongs inside a <muscle>, whose {} it is", tree.name),
        false => {
            let names: Vec<&str> = known.iter().map(|child| child.element.name).collect();
            format!("there is no such element here; there are {}", names.join(", "))
        }
    };
    let name: String = tree.name.chars().take(MOST_SHOWN).collect();
    LeftOut::new("the element", &format!("<{name}>{of}"), Line(tree.line), &why)
}

/// No element has a longer name.
const MOST_SHOWN: usize = 40;
