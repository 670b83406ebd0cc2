//! Tables of numbers as CSV, with or without a header. One whose first column is called `frame` is animated: the rows
//! of a frame together hold its numbers, either all in one row or one row per item.

use super::csv::{Row, read_text, rows};
use crate::error::{Error, Kind, Result};
use crate::math::Real;
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
    // Numbers of a frame need not be finite: whoever computes frames says what becomes of that one, and the others are sound.
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
