//! Elements that come, go and get other names.

use super::{Document, Id};
use sinew_base::error::{Error, Kind, Result};
use sinew_scene::faults;
use sinew_scene::muscles::{MuscleSet, Readable};
use sinew_scene::schema::{Count, Element, Tree};
use sinew_scene::strand;
use std::collections::HashSet;

impl Document {
    /// Adds an element: behind the child `after`, or else where elements of its kind belong.
    pub fn add(&mut self, parent: Id, name: &str, after: Option<Id>) -> Result<Id> {
        let children = (self.schema(parent)?.children)();
        let Some(place) = children.iter().position(|known| known.element.name == name) else {
            let message = faults::unknown("element", name, children.iter().map(|known| known.element.name));
            return Err(self.at(Error::new(Kind::NotFound, message), parent));
        };
        if children[place].count != Count::Many && !self.children(parent, Some(name))?.is_empty() {
            let message = format!("there is a <{name}>; one is allowed");
            return Err(self.at(Error::new(Kind::OutOfRange, message), parent));
        }
        let after = match after {
            Some(after) => Some(after),
            None => {
                let order = |id: &Id| {
                    let own = self.element(*id).unwrap_or_default();
                    children.iter().position(|known| known.element.name == own)
                };
                let there = self.children(parent, None)?.into_iter();
                let before =
                    there.filter_map(|id| order(&id).filter(|found| *found <= place).map(|k| (k, id)));
                // Of the last kind in the tables' order, the last one.
                before.max_by_key(|(order, _)| *order).map(|(_, id)| id)
            }
        };
        self.file.add(parent, name, after)
    }

    /// Removes an element and all that it contains.
    pub fn remove(&mut self, id: Id) -> Result<()> {
        self.file.remove(id)
    }

    /// Gives an element another name, also where others name it; those that are called after it follow. A name that is
    /// taken is refused.
    pub fn rename(&mut self, id: Id, name: &str) -> Result<usize> {
        self.attribute(id, "name")?;
        let kind = self.element(id)?.to_string();
        let old = self.text_of(id, "name")?.map(String::from);
        if old.as_deref() == Some(name) {
            return Ok(0);
        }
        let rivals = strand::family_of(&kind);
        let parent = self.file.parent(id)?.unwrap_or(id);
        for other in self.children(parent, None)? {
            let own = self.element(other)?;
            let is_rival = other != id && (own == kind || rivals.contains(&own));
            if is_rival && self.text_of(other, "name")? == Some(name) {
                let message = format!("the name {name:?} is taken by another {}", self.element(other)?);
                return Err(self.at(Error::new(Kind::InvalidArgument, message), other));
            }
        }
        if kind == "body" && strand::RESERVED.contains(&name) {
            let message = format!("{} are reserved names", strand::RESERVED.join(" and "));
            return Err(self.at(Error::new(Kind::InvalidArgument, message), id));
        }
        self.spare_muscles(id, name)?;
        let rules = self.rules()?;
        self.set_text(id, "name", Some(name))?;
        let mut followed = 0;
        if let Some(old) = old {
            followed += self.follow(&[kind.as_str()], &old, name)?;
        }
        for (rule, before) in rules {
            let after = strand::rule_name(&self.file.tree_of(rule));
            if after != before {
                followed += self.follow(&strand::RULES, &before, &after)?;
            }
        }
        Ok(followed)
    }

    /// Refuses a name that a muscle of a sheet or a head would share with another one.
    fn spare_muscles(&self, id: Id, name: &str) -> Result<()> {
        if self.type_name() != MuscleSet::schema().name {
            return Ok(());
        }
        let taken = |tree: &Tree| {
            let names = Readable::new(tree)?.set().muscle_names();
            let mut seen = HashSet::new();
            Ok(names.into_iter().filter(|name| !seen.insert(name.clone())).collect::<Vec<_>>())
        };
        let mut changed = self.file.clone();
        changed.set(id, "name", Some(name))?;
        let (before, after) = (taken(&self.tree())?, taken(&changed.tree())?);
        if after.len() <= before.len() {
            return Ok(());
        }
        let shared = after.into_iter().find(|name| !before.contains(name)).unwrap_or_else(|| name.into());
        let message = format!("the name {shared:?} is taken by another muscle");
        Err(self.at(Error::new(Kind::InvalidArgument, message), id))
    }

    /// The rules of a scene, with the names by which events know them.
    fn rules(&self) -> Result<Vec<(Id, String)>> {
        let children = self.children(self.root(), None)?.into_iter();
        let rules = children.filter(|id| self.element(*id).is_ok_and(|name| strand::RULES.contains(&name)));
        Ok(rules.map(|id| (id, strand::rule_name(&self.file.tree_of(id)))).collect())
    }

    /// Changes a name wherever elements of some kinds are named by it; returns how often.
    fn follow(&mut self, kinds: &[&str], old: &str, new: &str) -> Result<usize> {
        let mut followed = 0;
        for id in self.file.walk(self.root()) {
            // What no table knows names nothing.
            let Ok(schema) = self.schema(id) else { continue };
            for known in schema.attributes.iter().filter(|known| known.names_any(kinds)) {
                if self.text_of(id, known.name)? == Some(old) {
                    self.file.set(id, known.name, Some(new))?;
                    followed += 1;
                }
            }
        }
        Ok(followed)
    }

    /// Adds a tree.
    pub(super) fn insert(&mut self, parent: Id, tree: &Tree, after: Option<Id>) -> Result<Id> {
        let id = self.add(parent, &tree.name, after)?;
        for (name, value) in &tree.attributes {
            self.file.set(id, name, Some(value))?;
        }
        for child in &tree.children {
            self.insert(id, child, None)?;
        }
        Ok(id)
    }
}
