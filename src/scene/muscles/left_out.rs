//! What of a set is left out, and why, in words.

use super::line_of;
use crate::few::{FEW, few};
use crate::schema::Line;
use std::collections::HashMap;
use std::path::Path;

/// A part of a set that is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// What it is, with its name.
    part: String,
    line: Line,
    /// The reason, and what would be right.
    why: String,
}

impl LeftOut {
    /// A part of some kind, by its name, with its line, or 0 if it comes from no file.
    pub fn new(what: &str, name: &str, line: Line, why: &str) -> Self {
        let name = if name.trim().is_empty() { "without a name" } else { name };
        LeftOut { part: format!("{what} {name}"), line, why: why.into() }
    }

    /// Its line in the file; 0 if it comes from none.
    pub fn line(&self) -> u64 {
        self.line.0
    }

    /// The reason.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// It, and why it is left out.
    pub fn sentence(&self) -> String {
        format!("{} is left out: {}", self.part, self.why)
    }

    fn place(&self, file: Option<&Path>) -> String {
        let file = file.map_or(String::new(), |file| format!(" of {}", file.display()));
        line_of(self.line).map_or(String::new(), |line| format!(" (line {line}{file})"))
    }
}

/// One sentence for each reason, however many parts it concerns, with the file of the set if it has one.
pub fn sentences(left_out: &[LeftOut], file: Option<&Path>) -> Vec<String> {
    let (mut groups, mut known): (Vec<Vec<&LeftOut>>, HashMap<&str, usize>) = Default::default();
    for part in left_out {
        let group = *known.entry(&part.why).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(part);
    }
    let sentence = |parts: &Vec<&LeftOut>| {
        let first = parts.iter().take(FEW).enumerate();
        let names: Vec<String> =
            first.map(|(k, part)| format!("{}{}", part.part, part.place(file.filter(|_| k == 0)))).collect();
        let are = if parts.len() == 1 { "is" } else { "are" };
        format!("{} {are} left out: {}", few(&names, parts.len()), parts[0].why)
    };
    groups.iter().map(sentence).collect()
}
