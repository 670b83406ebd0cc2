//! What tools make of a typed document, merged back into its text: only what they changed is written anew.

use super::{Document, Id};
use sinew_base::error::Result;
use sinew_scene::schema::{Element, Tree};
use std::collections::{HashMap, HashSet};

impl Document {
    /// Changes the document as a tool does with its typed form, whose lines are the numbers of elements.
    pub(super) fn change<T: Element, R>(&mut self, tool: impl FnOnce(T) -> Result<(T, R)>) -> Result<R> {
        let before = self.typed::<T>()?;
        let old = before.to_tree();
        let (after, more) = tool(before).map_err(|error| self.at_line(error))?;
        let mut known = HashMap::new();
        number(&old, &mut known);
        let root = self.root();
        self.take(root, &after.to_tree(), &known, &mut HashSet::new())?;
        Ok(more)
    }

    /// Makes an element and what it contains like a tree. Elements of the tree whose numbers are known and were not met
    /// before are those of the document.
    fn take(
        &mut self,
        id: Id,
        tree: &Tree,
        known: &HashMap<u64, &Tree>,
        met: &mut HashSet<u64>,
    ) -> Result<()> {
        met.insert(tree.line);
        let old: &[(String, String)] = known.get(&tree.line).map_or(&[], |old| &old.attributes);
        for (name, value) in &tree.attributes {
            if !old.iter().any(|(other, was)| other == name && was == value) {
                self.file.set(id, name, Some(value))?;
            }
        }
        for (name, _) in
            old.iter().filter(|(name, _)| !tree.attributes.iter().any(|(other, _)| other == name))
        {
            self.file.set(id, name, None)?;
        }
        let (mut kept, mut last) = (HashSet::new(), None);
        for child in &tree.children {
            let own = self.file.of_number(child.line).filter(|_| known.contains_key(&child.line));
            let own = own.filter(|own| {
                !met.contains(&child.line) && self.file.parent(*own).is_ok_and(|p| p == Some(id))
            });
            let place = match own {
                Some(own) => {
                    self.take(own, child, known, met)?;
                    own
                }
                None => {
                    // Behind what comes before it in the tree, if that is of its kind.
                    let after = last.filter(|last| self.element(*last).is_ok_and(|name| name == child.name));
                    self.insert(id, child, after)?
                }
            };
            kept.insert(place);
            last = Some(place);
        }
        for child in self.children(id, None)? {
            let number = u64::from(child.0) + 1;
            // What no table knows stays.
            if !kept.contains(&child) && known.contains_key(&number) {
                self.remove(child)?;
            }
        }
        Ok(())
    }
}

fn number<'t>(tree: &'t Tree, known: &mut HashMap<u64, &'t Tree>) {
    known.insert(tree.line, tree);
    tree.children.iter().for_each(|child| number(child, known));
}
