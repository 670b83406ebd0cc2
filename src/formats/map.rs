//! Painted maps as a table: one row per vertex, in order, with one number (or three, for a direction).

use super::csv::{read_text, rows};
use crate::error::{Error, Kind, Result};
use crate::math::Real;
use std::path::Path;

/// A value of one or more numbers per vertex.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct VertexMap {
    /// Numbers per vertex.
    pub components: usize,
    /// Vertex after vertex.
    pub values: Vec<Real>,
}

/// Reads a file for a mesh of `vertices` vertices.
pub fn read(path: &Path, vertices: usize) -> Result<VertexMap> {
    let map = parse(&read_text(path)?).map_err(|e| e.file(path))?;
    let count = map.values.len() / map.components.max(1);
    if count != vertices {
        let message = format!("{count} rows for {vertices} vertices");
        return Err(Error::new(Kind::CountMismatch, message).file(path));
    }
    Ok(map)
}

/// Reads a text. A first row that holds no numbers is a header.
pub fn parse(text: &str) -> Result<VertexMap> {
    let mut map = VertexMap::default();
    for (index, row) in rows(text).enumerate() {
        if index == 0 && row.cells.iter().all(|cell| cell.parse::<Real>().is_err()) {
            continue;
        }
        if map.components == 0 {
            map.components = row.cells.len();
        }
        let vertex = map.values.len() / map.components;
        row.expect(map.components).map_err(|e| e.vertex(vertex))?;
        for column in 0..map.components {
            map.values.push(row.real(column, "the value").map_err(|e| e.vertex(vertex))?);
        }
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_three_numbers_a_row_with_or_without_a_header() {
        assert_eq!(parse("0.5\n\n1 # held\n").unwrap(), VertexMap { components: 1, values: vec![0.5, 1.0] });
        let direction = parse("x,y,z\r\n0,1,0\r\n").unwrap();
        assert_eq!(direction, VertexMap { components: 3, values: vec![0.0, 1.0, 0.0] });
    }

    #[test]
    fn mistakes_name_line_and_vertex() {
        for (text, kind) in [("0\nx", Kind::Parse), ("0\ninf", Kind::NotFinite), ("0\n1,2", Kind::Parse)] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.kind(), error.place().line, error.place().vertex), (kind, Some(2), Some(1)));
        }
    }

    #[test]
    fn a_wrong_count_names_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "1\n2\n").unwrap();
        let error = read(file.path(), 3).unwrap_err();
        assert_eq!((error.kind(), error.place().file.is_some()), (Kind::CountMismatch, true));
        assert_eq!(error.message(), "2 rows for 3 vertices");
    }
}
