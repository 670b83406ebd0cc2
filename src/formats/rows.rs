//! Constraint rows as a table: `row,vertex,x,y,z[,speed]`, one line per entry.

use super::csv;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::path::Path;

/// The entries of rows, as the skin slider takes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The row and the vertex of each entry.
    pub entries: Vec<u32>,
    /// Its vector.
    pub vectors: Vec<Real>,
    /// The right-hand side of each row.
    pub speeds: Vec<Real>,
}

/// Reads a table; a first line without numbers is a header.
pub fn read(path: &Path) -> Result<Rows> {
    parse(&csv::read_text(path)?).map_err(|e| e.file(path))
}

/// Reads the text of a table.
pub fn parse(text: &str) -> Result<Rows> {
    let mut rows = Rows::default();
    let mut highest = 0;
    let mut speeds: Vec<(u32, Real, u64)> = Vec::new();
    for (k, line) in csv::rows(text).enumerate() {
        if k == 0 && line.number::<Real>(0, "the row").is_err() {
            continue;
        }
        let with_speed = line.expect(6).is_ok();
        if !with_speed {
            line.expect(5)?;
        }
        let row: u32 = line.number(0, "the row")?;
        rows.entries.extend([row, line.number(1, "the vertex")?]);
        for (column, what) in [(2, "x"), (3, "y"), (4, "z")] {
            rows.vectors.push(line.real(column, what)?);
        }
        highest = highest.max(row);
        if with_speed {
            speeds.push((row, line.real(5, "the speed")?, line.line));
        }
    }
    let count = rows.entries.len() / 2;
    if count > 0 && highest as usize >= count {
        let message =
            format!("row {highest}, but only {count} entries; rows are counted from 0 and none is empty");
        return Err(Error::new(Kind::OutOfRange, message));
    }
    rows.speeds = vec![0.0; if count > 0 { highest as usize + 1 } else { 0 }];
    let mut stated = vec![false; rows.speeds.len()];
    for (row, speed, line) in speeds {
        let row = row as usize;
        if stated[row] && rows.speeds[row] != speed {
            let message = format!("row {row} has the speed {speed} here and {} before", rows.speeds[row]);
            return Err(Error::new(Kind::Parse, message).line(line));
        }
        (rows.speeds[row], stated[row]) = (speed, true);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn entries_and_speeds_are_read() {
        let text = "row,vertex,x,y,z,speed\n0,5,1,0,0\n1,7,0,0.5,0,0.01 # slowly\n1,8,0,-0.5,0\n";
        let rows = parse(text).unwrap();
        assert_eq!(rows.entries, [0, 5, 1, 7, 1, 8]);
        assert_eq!(rows.vectors, [1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, -0.5, 0.0]);
        assert_eq!(rows.speeds, [0.0, 0.01]);
        assert_eq!(parse("").unwrap(), Rows::default());
    }

    #[test]
    fn mistakes_name_the_line() {
        for (text, line) in [
            ("0,1,1,0,0\n0,x,1,0,0", Some(2)),
            ("0,1,1,0", Some(1)),
            ("0,1,1,0,nan", Some(1)),
            ("0,1,1,0,0,1\n0,2,1,0,0,2", Some(2)),
            ("4000000000,1,1,0,0", None),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.to_string().contains("line"), line.is_some(), "{error}");
            if let Some(line) = line {
                assert!(error.to_string().contains(&format!("line {line}")), "{error}");
            }
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(text in "[0-9,.\\-exna# \n]{0,80}") {
            drop(parse(&text));
        }
    }
}
