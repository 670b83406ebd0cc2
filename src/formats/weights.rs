//! Skinning weights as a table: `vertex,joint,weight`, any number of rows per vertex, joints by name.

use super::csv::{read_text, rows};
use crate::error::{Error, Kind, Result};
use crate::math::Real;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;

/// Cells of a row.
pub const COLUMNS: usize = 3;

/// For each vertex its joints, as indices into the joints' names, and their weights.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct VertexWeights(pub Vec<Vec<(u32, Real)>>);

/// Reads a file for a mesh of `vertices` vertices and the joints of an animation.
pub fn read(path: &Path, vertices: usize, joints: &[String]) -> Result<VertexWeights> {
    parse(&read_text(path)?, vertices, joints).map_err(|e| e.file(path))
}

/// Reads a file for a mesh of as many vertices as it names, which is all of them if the last one has a weight.
pub fn read_named(path: &Path, joints: &[String]) -> Result<VertexWeights> {
    let text = read_text(path)?;
    let vertices = contents(&text).map_err(|e| e.file(path))?.last_vertex.map_or(0, |last| last as usize + 1);
    parse(&text, vertices, joints).map_err(|e| e.file(path))
}

/// Reads a text.
pub fn parse(text: &str, vertices: usize, joints: &[String]) -> Result<VertexWeights> {
    let mut weights = vec![Vec::new(); vertices];
    let index: HashMap<&str, u32> = joints.iter().map(String::as_str).zip(0..).collect();
    for row in rows(text) {
        row.expect(COLUMNS)?;
        if row.cells[0] == "vertex" {
            continue;
        }
        let vertex: usize = row.number(0, "vertex")?;
        let at = |kind, message: String| Err(Error::new(kind, message).line(row.line).vertex(vertex));
        let Some(influences) = weights.get_mut(vertex) else {
            return at(Kind::OutOfRange, format!("the mesh has {vertices} vertices"));
        };
        let Some(&joint) = index.get(row.cells[1]) else {
            return at(
                Kind::NotFound,
                format!("no joint {:?}; there are {}", row.cells[1], joints.join(", ")),
            );
        };
        let weight = row.real(2, "the weight").map_err(|e| e.vertex(vertex))?;
        if weight < 0.0 {
            return at(Kind::OutOfRange, format!("the weight is {weight}; it must not be negative"));
        }
        if influences.iter().any(|&(other, _)| other == joint) {
            return at(Kind::Parse, format!("joint {:?} has a second weight", row.cells[1]));
        }
        influences.push((joint, weight));
    }
    Ok(VertexWeights(weights))
}

/// The contents of a table, known without mesh and joints.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Contents {
    /// Rows.
    pub rows: usize,
    /// Vertices that have a weight.
    pub vertices: usize,
    /// The last of them.
    pub last_vertex: Option<u32>,
    /// The joints, in the order of first use.
    pub joints: Vec<String>,
}

/// Scans a text; every row must be valid in itself.
pub fn contents(text: &str) -> Result<Contents> {
    let mut found = Contents::default();
    let (mut vertices, mut joints) = (HashSet::new(), HashSet::new());
    for row in rows(text) {
        row.expect(COLUMNS)?;
        if row.cells[0] == "vertex" {
            continue;
        }
        let vertex = row.number::<u32>(0, "vertex")?;
        found.last_vertex = found.last_vertex.max(Some(vertex));
        vertices.insert(vertex);
        row.real(2, "the weight")?;
        if joints.insert(row.cells[1]) {
            found.joints.push(row.cells[1].to_string());
        }
        found.rows += 1;
    }
    found.vertices = vertices.len();
    Ok(found)
}

/// Writes the table.
pub fn write(out: &mut impl Write, weights: &VertexWeights, joints: &[String]) -> io::Result<()> {
    writeln!(out, "vertex,joint,weight")?;
    for (vertex, influences) in weights.0.iter().enumerate() {
        for &(joint, weight) in influences {
            writeln!(out, "{vertex},{},{weight}", joints[joint as usize])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joints() -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    #[test]
    fn what_is_written_reads_back() {
        let weights = VertexWeights(vec![vec![(0, 0.25), (1, 0.75)], vec![], vec![(1, 0.1)]]);
        let mut text = Vec::new();
        write(&mut text, &weights, &joints()).unwrap();
        assert_eq!(parse(std::str::from_utf8(&text).unwrap(), 3, &joints()).unwrap(), weights);
    }

    #[test]
    fn contents_are_counted_without_a_mesh() {
        let found = contents("vertex,joint,weight\n7,a,1\n7,b,0.5\n4000000000,b,1\n").unwrap();
        assert_eq!((found.rows, found.vertices, found.joints.len()), (3, 2, 2));
        assert_eq!(contents("1,a,x").unwrap_err().place().line, Some(1));
    }

    #[test]
    fn mistakes_name_line_and_vertex() {
        let error = |text: &str| parse(text, 2, &joints()).unwrap_err();
        for (text, kind) in [
            ("2,a,1", Kind::OutOfRange),
            ("1,c,1", Kind::NotFound),
            ("1,a,-1", Kind::OutOfRange),
            ("1,a,nan", Kind::NotFinite),
            ("1,a,1\n1,a,0", Kind::Parse),
        ] {
            let error = error(text);
            assert_eq!((error.kind(), error.place().vertex.is_some()), (kind, true), "{text}");
        }
        assert_eq!(error("\n\nx,a,1").place().line, Some(3));
        assert_eq!(error("1,a").kind(), Kind::Parse);
    }
}
