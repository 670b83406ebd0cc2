//! Comma-separated tables: rows with their line numbers, blank lines and `#` comments left out.

use crate::file;
use sinew_base::error::{Error, Kind, Result};
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// A larger table is not one that Sinew reads: 4 GiB hold a hundred million rows.
const MAX_BYTES: u64 = 4 << 30;

/// A row of a table.
pub(super) struct Row<'a> {
    /// Its line, from 1.
    pub line: u64,
    /// Its cells, trimmed.
    pub cells: Vec<&'a str>,
}

impl Row<'_> {
    /// The number in a cell.
    pub fn number<T: std::str::FromStr>(&self, column: usize, what: &str) -> Result<T> {
        let text = self.cells.get(column).copied().unwrap_or("");
        text.parse().map_err(|_| {
            let short: String = text.chars().take(40).collect();
            Error::new(Kind::Parse, format!("{what} is {short:?}, not a valid number")).line(self.line)
        })
    }

    /// The finite number in a cell.
    pub fn real(&self, column: usize, what: &str) -> Result<f64> {
        let value: f64 = self.number(column, what)?;
        if value.is_finite() {
            return Ok(value);
        }
        Err(Error::new(Kind::NotFinite, format!("{what} is {value}")).line(self.line))
    }

    /// An error unless the row has that many cells.
    pub fn expect(&self, cells: usize) -> Result<()> {
        if self.cells.len() == cells {
            return Ok(());
        }
        let message = format!("{} cells, {cells} are expected", self.cells.len());
        Err(Error::new(Kind::Parse, message).line(self.line))
    }
}

/// A number in a cell: the shortest form that reads back as the same bits. Round-off near zero would otherwise be
/// written with hundreds of digits.
pub struct Cell(pub f64);

impl Display for Cell {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Cell(number) = *self;
        match number == 0.0 || (1e-5..1e16).contains(&number.abs()) {
            true => write!(f, "{number}"),
            false => write!(f, "{number:e}"),
        }
    }
}

/// Splits a text into rows.
pub(super) fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().zip(1..).filter_map(|(line, number)| {
        let content = line.split('#').next().unwrap_or("").trim();
        let cells = content.split(',').map(str::trim).collect();
        (!content.is_empty()).then_some(Row { line: number, cells })
    })
}

/// The cells of the first row of a text; a header counts as one.
pub fn first_row(text: &str) -> Vec<&str> {
    rows(text).next().map_or_else(Vec::new, |row| row.cells)
}

/// Reads a whole text file.
pub fn read_text(path: &Path) -> Result<String> {
    let size = std::fs::metadata(path).map_err(|e| Error::io(path, &e))?.len();
    if size > MAX_BYTES {
        return Err(Error::new(Kind::TooLarge, format!("{size} bytes; the limit for tables is {MAX_BYTES}"))
            .file(path));
    }
    let bytes = file::read(path)?;
    String::from_utf8(bytes).map_err(|e| {
        let offset = e.utf8_error().valid_up_to() as u64;
        Error::new(Kind::Parse, "the file is not text").offset(offset).file(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_short_and_read_back_as_the_same_bits() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-0.25, "-0.25"),
            (1e-5, "0.00001"),
            (9e-6, "9e-6"),
            (-3.0018806e-300, "-3.0018806e-300"),
            (f64::MAX, "1.7976931348623157e308"),
            (5e-324, "5e-324"),
            (1234567890123456.0, "1234567890123456"),
        ] {
            assert_eq!(Cell(number).to_string(), text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(number.to_bits()));
        }
    }
}
