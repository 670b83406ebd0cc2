//! What tables of frames hold, such as results: rows `frame,item,...` for named or numbered items, or one row per
//! frame.

use crate::contents::Contents;
use crate::csv::{first_row, rows};
use serde_json::{Map, Value, json};
use sinew_base::error::Result;
use sinew_math::Real;
use sinew_scene::frames::format_frames;
use std::collections::BTreeSet;

/// A column of numbers.
struct Column<'a> {
    name: &'a str,
    least: Real,
    most: Real,
    /// How many numbers are not finite, and the line of the first.
    broken: usize,
    first_broken: u64,
}

/// Whether a text is such a table: its first row is a header that begins with `frame`, and it is no animation of
/// joints, which has a rest pose.
pub fn is_one(text: &str) -> bool {
    let header = first_row(text);
    let at_rest = || header.get(1) == Some(&"joint") && rows(text).any(|row| row.cells[0] == "rest");
    header.len() > 1 && header[0] == "frame" && !at_rest()
}

/// Describes it. Numbers that are not finite are a problem.
pub fn describe(text: &str) -> Result<Contents> {
    let header = first_row(text);
    let first_items = first_items(text);
    let items = usize::from(first_items.is_some());
    let mut columns: Vec<Column> = header[1 + items..].iter().map(|name| Column::new(name)).collect();
    let (mut frames, mut names) = (BTreeSet::new(), first_items.unwrap_or_default());
    let mut known: BTreeSet<&str> = names.iter().copied().collect();
    for row in rows(text).skip(1) {
        row.expect(header.len())?;
        frames.insert(row.number::<i64>(0, "the frame")?);
        if items == 1 && known.insert(row.cells[1]) {
            names.push(row.cells[1]);
        }
        for (k, column) in columns.iter_mut().enumerate() {
            column.add(row.number(1 + items + k, column.name)?, row.line);
        }
    }
    let frames: Vec<i64> = frames.into_iter().collect();
    let mut holds = json!({ "holds": "numbers by frame", "frames": format_frames(&frames) });
    if items == 1 {
        let plural = match header[1].strip_suffix("vertex") {
            Some(which) => format!("{which}vertices"),
            None => format!("{}s", header[1]),
        };
        let numbered = names.iter().all(|name| name.parse::<usize>().is_ok());
        holds[plural] = if numbered { names.len().into() } else { names.join(", ").into() };
    }
    let ranges: Map<String, Value> =
        columns.iter().filter_map(|column| Some((column.name.into(), column.range()?))).collect();
    holds["ranges"] = ranges.into();
    Ok(Contents { holds, problems: columns.iter().filter_map(Column::problem).collect() })
}

/// The items of the first frame, if the second column holds items: names, or numbers that count from 0.
fn first_items(text: &str) -> Option<Vec<&str>> {
    let all: Vec<Vec<&str>> =
        rows(text).skip(1).map(|row| row.cells).take_while(|cells| cells.len() > 2).collect();
    let first = all.first()?[0];
    let items: Vec<&str> = all.iter().take_while(|cells| cells[0] == first).map(|cells| cells[1]).collect();
    let named = items.iter().any(|item| item.parse::<Real>().is_err());
    // One number alone is more likely a value.
    let counted = items.len() > 1 && items.iter().enumerate().all(|(k, item)| item.parse() == Ok(k));
    (named || counted).then_some(items)
}

impl<'a> Column<'a> {
    fn new(name: &'a str) -> Self {
        Column { name, least: Real::INFINITY, most: Real::NEG_INFINITY, broken: 0, first_broken: 0 }
    }

    fn add(&mut self, number: Real, line: u64) {
        if number.is_finite() {
            self.least = self.least.min(number);
            self.most = self.most.max(number);
        } else {
            self.first_broken = if self.broken == 0 { line } else { self.first_broken };
            self.broken += 1;
        }
    }

    fn range(&self) -> Option<Value> {
        (self.least <= self.most).then(|| json!([self.least, self.most]))
    }

    fn problem(&self) -> Option<String> {
        let Column { name, broken, first_broken, .. } = self;
        (*broken > 0)
            .then(|| format!("{name}: {broken} numbers are not finite, the first in line {first_broken}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> Value {
        assert!(is_one(text), "{text}");
        describe(text).unwrap().holds
    }

    #[test]
    fn items_are_named_numbered_or_columns() {
        let named =
            holds("frame,muscle,length,tension\n1,bi,0.5,0\n1,tri.1,0.25,3\n3,bi,-1,2\n3,tri.1,0.5,1\n");
        assert_eq!((&named["frames"], &named["muscles"]), (&"1, 3".into(), &"bi, tri.1".into()));
        assert_eq!(named["ranges"], json!({ "length": [-1.0, 0.5], "tension": [0.0, 3.0] }));
        let numbered = holds("frame,vertex,carried\n1,0,0\n1,1,1\n1,2,0.5\n");
        assert_eq!((&numbered["frames"], &numbered["vertices"]), (&"1".into(), &3.into()));
        let columns = holds("frame,FDP,EDC\n1,0,0.25\n2,1,0\n");
        assert_eq!(columns["ranges"], json!({ "FDP": [0.0, 1.0], "EDC": [0.0, 0.25] }));
        assert_eq!(holds("frame,pull\n1,0.5\n2,1\n")["ranges"]["pull"], json!([0.5, 1.0]));
        assert_eq!(holds("frame,joint,m00\n1,0,1\n1,1,1\n")["joints"], 2);
        assert!(
            !is_one("frame,joint,m00\nrest,hip,1\n1,hip,1\n") && !is_one("vertex,joint,weight\n0,hip,1\n")
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let stated = describe("frame,muscle,length\n1,bi,0.5\n2,bi,nan\n3,bi,inf\n").unwrap();
        assert_eq!(stated.problems, ["length: 2 numbers are not finite, the first in line 3"]);
        assert_eq!(stated.holds["ranges"]["length"], json!([0.5, 0.5]));
        for wrong in [
            "frame,muscle,length\n1,bi\n",
            "frame,muscle,length\n1.5,bi,2\n",
            "frame,muscle,length\n1,bi,x\n",
        ] {
            assert_eq!(describe(wrong).unwrap_err().place().line, Some(2), "{wrong}");
        }
    }
}
