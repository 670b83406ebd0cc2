//! Composition arcs: what brings opinions of other prims and files to a prim, and in which order lists of them are
//! edited. Facts from OpenUSD's glossary ("LIVRPS Strength Ordering", "List Editing", "Layer Offset").

use sinew_math::Real;
use std::collections::BTreeMap;

/// The time codes of a file as those of the one that uses it: `offset + scale * time`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeMap {
    pub offset: Real,
    pub scale: Real,
}

impl TimeMap {
    pub const IDENTITY: TimeMap = TimeMap { offset: 0.0, scale: 1.0 };

    /// Mapped times are products and sums of rounded numbers; one that is whole but for that is whole.
    const ROUNDING: Real = 1e-9;

    pub fn apply(self, time: Real) -> Real {
        if self == TimeMap::IDENTITY {
            return time;
        }
        let mapped = self.offset + self.scale * time;
        let whole = mapped.round();
        if (mapped - whole).abs() <= TimeMap::ROUNDING * mapped.abs().max(1.0) { whole } else { mapped }
    }

    /// First the other, then this one.
    pub fn after(self, inner: TimeMap) -> TimeMap {
        TimeMap { offset: self.offset + self.scale * inner.offset, scale: self.scale * inner.scale }
    }

    /// For a file that counts time codes at another rate.
    pub fn between_rates(self, outer: Real, inner: Real) -> TimeMap {
        TimeMap { scale: self.scale * (outer / inner), ..self }
    }

    /// Whether times stay finite and in order.
    pub fn is_sound(self) -> bool {
        self.offset.is_finite() && self.scale.is_finite() && self.scale > 0.0
    }
}

/// The target of a reference or payload.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    /// The file as it is named; empty for this one.
    pub asset: String,
    /// The file, whoever names it; empty before it is looked for.
    pub file: String,
    /// The prim; empty for the file's default prim.
    pub prim: String,
    pub time: TimeMap,
}

impl PartialEq for Target {
    fn eq(&self, other: &Self) -> bool {
        let same = match self.file.is_empty() || other.file.is_empty() {
            true => self.asset == other.asset,
            false => self.file == other.file,
        };
        same && self.prim == other.prim && self.time == other.time
    }
}

impl Default for TimeMap {
    fn default() -> Self {
        TimeMap::IDENTITY
    }
}

/// Edits of a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Edits<T> {
    /// Replaces whatever weaker opinions say.
    pub explicit: Option<Vec<T>>,
    pub deleted: Vec<T>,
    pub added: Vec<T>,
    pub prepended: Vec<T>,
    pub appended: Vec<T>,
}

impl<T> Default for Edits<T> {
    fn default() -> Self {
        let (deleted, added, prepended, appended) = Default::default();
        Edits { explicit: None, deleted, added, prepended, appended }
    }
}

impl<T: Clone + PartialEq> Edits<T> {
    /// Whether they change nothing.
    pub fn is_empty(&self) -> bool {
        self.explicit.is_none()
            && [&self.deleted, &self.added, &self.prepended, &self.appended].iter().all(|l| l.is_empty())
    }

    /// Changes a weaker list, whose items each come with something about their origin; `same` says which are equal.
    pub fn apply<O: Clone>(&self, list: &mut Vec<(T, O)>, origin: &O) {
        if let Some(explicit) = &self.explicit {
            list.clear();
            for item in explicit {
                push_new(list, item, origin);
            }
            return;
        }
        list.retain(|(item, _)| !self.deleted.contains(item));
        for item in &self.added {
            push_new(list, item, origin);
        }
        for item in self.prepended.iter().rev() {
            list.retain(|(there, _)| there != item);
            list.insert(0, (item.clone(), origin.clone()));
        }
        for item in &self.appended {
            list.retain(|(there, _)| there != item);
            list.push((item.clone(), origin.clone()));
        }
    }

    /// With other items; those that become none are left out.
    pub fn map(&self, to: impl Fn(&T) -> Option<T>) -> Edits<T> {
        let list = |list: &Vec<T>| list.iter().filter_map(&to).collect();
        Edits {
            explicit: self.explicit.as_ref().map(list),
            deleted: list(&self.deleted),
            added: list(&self.added),
            prepended: list(&self.prepended),
            appended: list(&self.appended),
        }
    }

    /// The list that one statement of a text edits; none for those that only reorder.
    pub fn by_word(&mut self, word: &str) -> Option<&mut Vec<T>> {
        Some(match word {
            "" => self.explicit.get_or_insert_default(),
            "delete" => &mut self.deleted,
            "add" => &mut self.added,
            "prepend" => &mut self.prepended,
            "append" => &mut self.appended,
            _ => return None,
        })
    }

    /// Later statements about the same thing replace earlier ones.
    pub fn merge(&mut self, later: Edits<T>) {
        let Edits { explicit, deleted, added, prepended, appended } = later;
        self.explicit = explicit.or(self.explicit.take());
        for (list, later) in [
            (&mut self.deleted, deleted),
            (&mut self.added, added),
            (&mut self.prepended, prepended),
            (&mut self.appended, appended),
        ] {
            if !later.is_empty() {
                *list = later;
            }
        }
    }
}

fn push_new<T: Clone + PartialEq, O: Clone>(list: &mut Vec<(T, O)>, item: &T, origin: &O) {
    if list.iter().all(|(there, _)| there != item) {
        list.push((item.clone(), origin.clone()));
    }
}

/// The arcs of a prim in one file, and what else composition asks of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Arcs {
    pub references: Edits<Target>,
    pub payloads: Edits<Target>,
    pub inherits: Edits<String>,
    pub specializes: Edits<String>,
    pub variant_sets: Edits<String>,
    /// The choice in each variant set.
    pub selections: BTreeMap<String, String>,
    pub active: Option<bool>,
    pub instanceable: Option<bool>,
    /// Something that moves or replaces opinions and is not supported.
    pub unsupported: Option<&'static str>,
}

/// The name of what is not supported, if a field of a prim is.
pub(super) fn unsupported(field: &str) -> Option<&'static str> {
    ["clips", "clipSets", "relocates", "layerRelocates"].into_iter().find(|name| *name == field)
}

/// A path without the choices of variants.
pub(super) fn without_variants(path: &str) -> String {
    let mut depth = 0;
    let keep = |c: &char| {
        depth += usize::from(*c == '{');
        let keep = depth == 0;
        depth -= usize::from(*c == '}' && depth > 0);
        keep
    };
    path.chars().filter(keep).collect()
}

/// The rest of a path below a prefix: none if it is not there, empty if it is the prefix.
pub(super) fn below<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_edited_in_the_order_of_the_standard() {
        let texts = |list: &str| list.split_whitespace().map(String::from).collect::<Vec<_>>();
        let edits = Edits {
            deleted: texts("b"),
            added: texts("a x"),
            prepended: texts("p c"),
            appended: texts("a q"),
            explicit: None,
        };
        let mut list: Vec<(String, ())> = texts("a b c").into_iter().map(|t| (t, ())).collect();
        edits.apply(&mut list, &());
        assert_eq!(list.into_iter().map(|l| l.0).collect::<Vec<_>>(), texts("p c x a q"));
    }

    #[test]
    fn paths_lose_their_variants() {
        assert_eq!(without_variants("/a{b=c}{d=}/e{f=g}"), "/a/e");
        assert_eq!(
            (below("/a/b", "/a"), below("/ab", "/a"), below("/a", "/a")),
            (Some("/b"), None, Some(""))
        );
    }
}
