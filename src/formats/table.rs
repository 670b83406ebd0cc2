//! Tables of numbers as CSV, with or without a header. One whose first column is called `frame` is animated: the rows
//! of a frame together hold its numbers, either all in one row or one row per item.

use super::csv::{Row, read_text, rows};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::collections::BTreeMap;
use std::path::Path;

/// The contents of a table, row by row.
#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    /// Numbers that hold for all frames.
    Still(Vec<Real>),
    /// The numbers of each frame.
    Moving(BTreeMap<i64, Vec<Real>>),
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Table> {
    parse(&read_text(path)?).map_err(|e| e.file(path))
}

/// Reads a text.
pub fn parse(text: &str) -> Result<Table> {
    let mut rows = rows(text).peekable();
    let header = rows.next_if(|row| row.cells[0].parse::<Real>().is_err());
    let Some(width) = rows.peek().map(|row| row.cells.len()) else {
        return Err(Error::new(Kind::Parse, "the table has no numbers"));
    };
    // Numbers of a frame need not be finite: whoever computes frames says what becomes of that one, and the others are
    // sound.
    let numbers = |row: &Row, first: usize| -> Result<Vec<Real>> {
        row.expect(width)?;
        let of = |column: usize| {
            let name = format!("column {}", column + 1);
            if first == 0 { row.real(column, &name) } else { row.number(column, &name) }
        };
        (first..width).map(of).collect()
    };
    if header.is_none_or(|header| header.cells[0] != "frame") {
        let all: Vec<Vec<Real>> = rows.map(|row| numbers(&row, 0)).collect::<Result<_>>()?;
        return Ok(Table::Still(all.concat()));
    }
    let mut frames: BTreeMap<i64, Vec<Real>> = BTreeMap::new();
    for row in rows {
        let frame = row.number(0, "the frame")?;
        frames.entry(frame).or_default().extend(numbers(&row, 1)?);
    }
    let counts: Vec<usize> = frames.values().map(Vec::len).collect();
    match frames.iter().find(|(_, numbers)| numbers.len() != counts[0]) {
        Some((&frame, numbers)) => {
            let message = format!("{} numbers, the first frame has {}", numbers.len(), counts[0]);
            Err(Error::new(Kind::CountMismatch, message).frame(frame))
        }
        None => Ok(Table::Moving(frames)),
    }
}

/// Reads the file of a parameter: `frame,value` with a row for each frame. Values are texts.
pub fn read_values(path: &Path) -> Result<BTreeMap<i64, String>> {
    values(&read_text(path)?).map_err(|e| e.file(path))
}

fn values(text: &str) -> Result<BTreeMap<i64, String>> {
    let mut rows = rows(text);
    let wrong = |line: u64, message: String| Err(Error::new(Kind::Parse, message).line(line));
    match rows.next() {
        Some(header) if header.cells == ["frame", "value"] => {}
        header => return wrong(header.map_or(1, |row| row.line), "frame,value is expected here".into()),
    }
    let mut values = BTreeMap::new();
    for row in rows {
        row.expect(2)?;
        let frame = row.number(0, "the frame")?;
        if values.insert(frame, row.cells[1].to_string()).is_some() {
            return wrong(row.line, format!("frame {frame} is there twice"));
        }
    }
    Ok(values)
}

/// The numbers of named items in each frame, from rows `frame,item,number`. The name of a group sets all of its items,
/// which are called `group.1` and so on. Items without a row in a frame are 0.
pub fn named(text: &str, names: &[String]) -> Result<BTreeMap<i64, Vec<Real>>> {
    let mut frames: BTreeMap<i64, Vec<Real>> = BTreeMap::new();
    for row in rows(text) {
        row.expect(3)?;
        if row.cells[0] == "frame" {
            continue;
        }
        let (frame, name) = (row.number(0, "the frame")?, row.cells[1]);
        let number = row.number(2, "column 3")?;
        let in_group = |item: &str| item.strip_prefix(name).is_some_and(is_number_in_group);
        let items = (0..names.len()).filter(|&item| names[item] == name || in_group(&names[item]));
        let all = frames.entry(frame).or_insert_with(|| vec![0.0; names.len()]);
        let mut found = false;
        for item in items {
            (all[item], found) = (number, true);
        }
        if !found {
            let message = format!("there is no {name:?}");
            return Err(Error::new(Kind::NotFound, message).line(row.line).frame(frame));
        }
    }
    match frames.is_empty() {
        true => Err(Error::new(Kind::Parse, "the table has no numbers")),
        false => Ok(frames),
    }
}

/// Whether a name goes on as that of an item of a group: `.1`.
fn is_number_in_group(rest: &str) -> bool {
    rest.strip_prefix('.').is_some_and(|number| number.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_stand_still_or_move() {
        assert_eq!(parse("1,2\n3,4.5\n").unwrap(), Table::Still(vec![1.0, 2.0, 3.0, 4.5]));
        assert_eq!(parse("# kept\na\n7\n").unwrap(), Table::Still(vec![7.0]));
        let moving = Table::Moving([(1, vec![0.5, 0.25]), (2, vec![1.0, 0.0])].into());
        assert_eq!(parse("frame,FDP,EDC\n1,0.5,0.25\n2,1,0\n").unwrap(), moving);
        assert_eq!(parse("frame,pull\n1,0.5\n1,0.25\n2,1\n2,0\n").unwrap(), moving);
    }

    #[test]
    fn values_go_by_frame() {
        let read = |text: &str| values(text).map_err(|e| e.to_string());
        let found = read("# of a panel\nframe,value\n3,linear\n4,0.5\n").unwrap();
        assert_eq!(found, [(3, "linear".to_string()), (4, "0.5".to_string())].into());
        for (text, words) in [
            ("", "frame,value is expected here"),
            ("1,2\n", "frame,value is expected here"),
            ("frame,value\n1,2\n1,3\n", "frame 1 is there twice"),
            ("frame,value\n1,2,3\n", "3 cells, 2 are expected"),
            ("frame,value\nx,2\n", "the frame is \"x\""),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words) && error.contains("line"), "{error}");
        }
    }

    #[test]
    fn items_go_by_name() {
        let names = ["chest.1", "chest.2", "biceps"].map(String::from);
        let read = |text: &str| named(text, &names);
        let text = "frame,muscle,activation\n1,biceps,0.5\n3,chest,0.25\n3,biceps,1\n4,chest.2,nan\n";
        let frames = read(text).unwrap();
        assert_eq!(frames[&1], [0.0, 0.0, 0.5]);
        assert_eq!(frames[&3], [0.25, 0.25, 1.0]);
        assert!(frames[&4][1].is_nan() && frames.len() == 3);
        let error = read("frame,muscle,activation\n1,biceps,0.5\n2,tail,1\n").unwrap_err();
        assert_eq!(
            (error.kind(), error.place().line, error.place().frame),
            (Kind::NotFound, Some(3), Some(2))
        );
        assert_eq!(read("frame,muscle,activation\n").unwrap_err().kind(), Kind::Parse);
        assert_eq!(read("1,biceps\n").unwrap_err().kind(), Kind::Parse);
    }

    #[test]
    fn mistakes_are_named() {
        let kind = |text: &str| {
            let error = parse(text).unwrap_err();
            (error.kind(), error.place().line, error.place().frame)
        };
        assert_eq!(kind(""), (Kind::Parse, None, None));
        assert_eq!(kind("a,b\n"), (Kind::Parse, None, None));
        assert_eq!(kind("1,2\n3\n"), (Kind::Parse, Some(2), None));
        assert_eq!(kind("1\nx\n"), (Kind::Parse, Some(2), None));
        assert_eq!(kind("1\ninf\n"), (Kind::NotFinite, Some(2), None));
        assert_eq!(kind("frame,a\n1.5,2\n"), (Kind::Parse, Some(2), None));
        assert_eq!(kind("frame,a\n1,2\n2,3\n2,4\n"), (Kind::CountMismatch, None, Some(2)));
    }
}
