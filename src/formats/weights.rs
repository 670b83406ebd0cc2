//! Skinning weights as a table: `vertex,joint,weight`, any number of rows per vertex, joints by name; or of muscles, as
//! `vertex,muscle,weight`; and those of a skinned mesh in glTF. Weights that exporters have rounded to a little less
//! than 0 are read as 0.

use super::Format;
use super::csv::{first_row, read_text, rows};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{ROUNDING, Real};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;

/// Cells of a row.
pub const COLUMNS: usize = 3;

/// What carries the skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// Joints.
    Joint,
    /// Muscles.
    Muscle,
}

impl Carrier {
    /// The name of one, as the header has it.
    pub fn name(self) -> &'static str {
        match self {
            Carrier::Joint => "joint",
            Carrier::Muscle => "muscle",
        }
    }

    /// What a table's first row says; joints if it has no header.
    fn of(text: &str) -> Self {
        match first_row(text).get(1) {
            Some(&"muscle") => Carrier::Muscle,
            _ => Carrier::Joint,
        }
    }
}

/// For each vertex its carriers, as indices into their names, and their weights.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct VertexWeights(pub Vec<Vec<(u32, Real)>>);

/// The weights of a mesh by joints of these names, as a file that also holds both has them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct JointWeights {
    /// The joints' names.
    pub names: Vec<String>,
    /// The weights, with indices into the names.
    pub weights: VertexWeights,
}

impl JointWeights {
    /// The same for a mesh of `vertices` vertices and joints of these names, which may come from another file.
    fn of_mesh(self, vertices: usize, carrier: Carrier, names: &[String]) -> Result<VertexWeights> {
        let JointWeights { names: own, weights: VertexWeights(mut all) } = self;
        if carrier != Carrier::Joint {
            let message = format!("the file holds weights of joints, not of {}s", carrier.name());
            return Err(Error::new(Kind::WrongType, message));
        }
        if all.len() != vertices {
            let message = format!("weights of {} vertices for a mesh of {vertices}", all.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let index = index(names);
        let places: Vec<Option<u32>> = own.iter().map(|name| index.get(name.as_str()).copied()).collect();
        for (vertex, influences) in all.iter_mut().enumerate() {
            for (joint, _) in influences {
                *joint = places[*joint as usize].ok_or_else(|| {
                    let message =
                        format!("no joint {:?}; there are {}", own[*joint as usize], names.join(", "));
                    Error::new(Kind::NotFound, message).vertex(vertex)
                })?;
            }
        }
        Ok(VertexWeights(all))
    }
}

/// Where names are; of items with one name, the first has it.
fn index(names: &[String]) -> HashMap<&str, u32> {
    (0..names.len()).rev().map(|k| (names[k].as_str(), k as u32)).collect()
}

/// Reads a file for a mesh of `vertices` vertices and carriers with these names.
pub fn read(path: &Path, vertices: usize, carrier: Carrier, names: &[String]) -> Result<VertexWeights> {
    let read = || match Format::of(path)?.row().read.weights {
        Some(read) => read(path)?.of_mesh(vertices, carrier, names),
        None => parse(&read_text(path)?, vertices, carrier, names),
    };
    read().map_err(|e: Error| e.file(path))
}

/// The number of vertices up to the highest that a file names: all of the mesh if its last one has a weight.
pub fn named_vertices(path: &Path) -> Result<usize> {
    if let Some(read) = Format::of(path)?.row().read.weights {
        return Ok(read(path)?.weights.0.len());
    }
    let found = contents(&read_text(path)?).map_err(|e| e.file(path))?;
    let vertices = found.last_vertex.map_or(0, |last| last as usize + 1);
    if vertices > SPARSEST * (found.rows + 1) {
        let message = format!(
            "the table has {} rows, but lists vertices up to {}: too few for a mesh of that size",
            found.rows,
            vertices - 1
        );
        return Err(Error::new(Kind::OutOfRange, message).file(path));
    }
    Ok(vertices)
}

/// A mesh in which fewer than one vertex in this many has a weight is a mistake.
const SPARSEST: usize = 1000;

/// Reads a text.
pub fn parse(text: &str, vertices: usize, carrier: Carrier, names: &[String]) -> Result<VertexWeights> {
    let mut weights = vec![Vec::new(); vertices];
    let (one, given) = (carrier.name(), Carrier::of(text));
    if given != carrier {
        let message = format!("the table holds weights of {}s, not of {one}s", given.name());
        return Err(Error::new(Kind::WrongType, message));
    }
    let index = index(names);
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
        let Some(&carrier) = index.get(row.cells[1]) else {
            let message = format!("no {one} {:?}; there are {}", row.cells[1], names.join(", "));
            return at(Kind::NotFound, message);
        };
        let weight = row.real(2, "the weight").map_err(|e| e.vertex(vertex))?;
        if weight < -ROUNDING {
            return at(Kind::OutOfRange, format!("the weight is {weight}; it must not be negative"));
        }
        if influences.iter().any(|&(other, _)| other == carrier) {
            return at(Kind::Parse, format!("{one} {:?} has a second weight", row.cells[1]));
        }
        influences.push((carrier, weight.max(0.0)));
    }
    Ok(VertexWeights(weights))
}

/// The contents of a table, known without mesh and carriers.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// The carriers.
    pub carrier: Carrier,
    /// Rows.
    pub rows: usize,
    /// Vertices that have a weight.
    pub vertices: usize,
    /// The last of them.
    pub last_vertex: Option<u32>,
    /// The carriers, in the order of first use.
    pub names: Vec<String>,
}

/// Scans a text; every row must be valid in itself.
pub fn contents(text: &str) -> Result<Contents> {
    let mut found =
        Contents { carrier: Carrier::of(text), rows: 0, vertices: 0, last_vertex: None, names: Vec::new() };
    let (mut vertices, mut names) = (HashSet::new(), HashSet::new());
    for row in rows(text) {
        row.expect(COLUMNS)?;
        if row.cells[0] == "vertex" {
            continue;
        }
        let vertex = row.number::<u32>(0, "vertex")?;
        found.last_vertex = found.last_vertex.max(Some(vertex));
        vertices.insert(vertex);
        row.real(2, "the weight")?;
        if names.insert(row.cells[1]) {
            found.names.push(row.cells[1].to_string());
        }
        found.rows += 1;
    }
    found.vertices = vertices.len();
    Ok(found)
}

/// Writes the table.
pub fn write(
    out: &mut impl Write,
    weights: &VertexWeights,
    carrier: Carrier,
    names: &[String],
) -> io::Result<()> {
    writeln!(out, "vertex,{},weight", carrier.name())?;
    for (vertex, influences) in weights.0.iter().enumerate() {
        for &(carrier, weight) in influences {
            writeln!(out, "{vertex},{},{weight}", names[carrier as usize])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    #[test]
    fn what_is_written_reads_back() {
        let weights = VertexWeights(vec![vec![(0, 0.25), (1, 0.75)], vec![], vec![(1, 0.1)]]);
        for carrier in [Carrier::Joint, Carrier::Muscle] {
            let mut text = Vec::new();
            write(&mut text, &weights, carrier, &names()).unwrap();
            let text = std::str::from_utf8(&text).unwrap();
            assert_eq!(parse(text, 3, carrier, &names()).unwrap(), weights);
            assert_eq!(contents(text).unwrap().carrier, carrier);
            let other = if carrier == Carrier::Joint { Carrier::Muscle } else { Carrier::Joint };
            assert_eq!(parse(text, 3, other, &names()).unwrap_err().kind(), Kind::WrongType);
        }
    }

    #[test]
    fn what_an_exporter_rounded_below_zero_is_zero() {
        let read = |weight: &str| parse(&format!("0,a,1\n0,b,{weight}\n"), 1, Carrier::Joint, &names());
        for weight in ["-2e-16", "-1e-7", "-0", "-0.000001"] {
            let found = read(weight).unwrap().0[0][1].1;
            assert!(found == 0.0 && found.is_sign_positive(), "{weight}: {found}");
        }
        assert_eq!(read("-0.000002").unwrap_err().kind(), Kind::OutOfRange);
    }

    #[test]
    fn contents_are_counted_without_a_mesh() {
        let found = contents("vertex,joint,weight\n7,a,1\n7,b,0.5\n4000000000,b,1\n").unwrap();
        assert_eq!((found.rows, found.vertices, found.names.len()), (3, 2, 2));
        assert_eq!(contents("1,a,x").unwrap_err().place().line, Some(1));
    }

    #[test]
    fn mistakes_name_line_and_vertex() {
        let error = |text: &str| parse(text, 2, Carrier::Joint, &names()).unwrap_err();
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
