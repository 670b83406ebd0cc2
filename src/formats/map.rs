//! Painted maps: one number per vertex (or three, for a direction or a colour).
//!
//! - CSV: one row per vertex, in order. A first row without numbers is a header; if it calls the first column
//!   `vertex`, `index` or `id`, that column holds the vertex, and the rows may have any order.
//! - JSON: a list with a number, or a list of numbers, per vertex; or `{"default": 0, "vertices": {"12": 0.5}}`, where
//!   `default` is the value of all vertices that are not listed.
//! - PNG, EXR, TIFF and JPEG images: see [`super::image`].

use super::Format;
use super::contents::Contents;
use super::csv::{read_text, rows};
use serde_json::{Value, json};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{Mesh, counted};
use sinew_math::Real;
use std::path::Path;

/// A value of one or more numbers per vertex.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct VertexMap {
    /// Numbers per vertex.
    pub components: usize,
    /// Vertex after vertex.
    pub values: Vec<Real>,
}

/// Reads a file of any kind for a mesh; the number of its vertices must fit.
pub fn read(path: &Path, mesh: &Mesh) -> Result<VertexMap> {
    let map = Format::reader(path, "maps", |read| read.map)?(path, mesh).map_err(|e| e.file(path))?;
    let (count, vertices) = (map.values.len() / map.components.max(1), mesh.positions.len());
    if count != vertices {
        let values = counted(count, "value", "values");
        let message = format!("{values} for {}", counted(vertices, "vertex", "vertices"));
        return Err(Error::new(Kind::CountMismatch, message).file(path));
    }
    Ok(map)
}

/// Reads a file with a table.
pub(super) fn table(path: &Path, _: &Mesh) -> Result<VertexMap> {
    parse_csv(&read_text(path)?)
}

/// Reads a file in JSON.
pub(super) fn json(path: &Path, mesh: &Mesh) -> Result<VertexMap> {
    parse_json(&read_text(path)?, mesh.positions.len())
}

/// What a map in JSON holds. The form with a default does not give the number of vertices: only those listed are
/// counted.
pub fn describe_json(path: &Path) -> Result<Contents> {
    let text = read_text(path)?;
    let named = serde_json::from_str::<Value>(&text).ok().and_then(|value| {
        let keys = value.get("vertices")?.as_object()?.keys().filter_map(|k| k.parse::<u32>().ok());
        Some(keys.max().map_or(0, |highest| highest as usize + 1))
    });
    // A vertex beyond any mesh would allocate memory for all before it.
    if named.is_some_and(|vertices| vertices > 1 << 28) {
        return Err(Error::new(Kind::TooLarge, "it lists a vertex beyond 2^28").file(path));
    }
    let map = parse_json(&text, named.unwrap_or(0)).map_err(|e| e.file(path))?;
    let mut holds = map.summary();
    if named.is_some() {
        holds["values"] = format!("up to vertex {}, the others have the default", map.values.len()).into();
    }
    Ok(holds.into())
}

impl VertexMap {
    /// In a few words.
    pub(super) fn summary(&self) -> Value {
        let low = self.values.iter().copied().fold(Real::INFINITY, Real::min);
        let high = self.values.iter().copied().fold(Real::NEG_INFINITY, Real::max);
        let (vertices, components) = (self.values.len() / self.components.max(1), self.components);
        json!({ "holds": "a map", "values": vertices, "numbers per value": components, "range": [low, high] })
    }
}

/// Reads a table.
pub fn parse_csv(text: &str) -> Result<VertexMap> {
    let mut map = VertexMap::default();
    for (index, row) in rows(text).enumerate() {
        if index == 0 && row.cells.iter().all(|cell| cell.parse::<Real>().is_err()) {
            if row.cells.len() > 1 && INDEX.iter().any(|name| row.cells[0].eq_ignore_ascii_case(name)) {
                return parse_indexed(text, row.cells.len());
            }
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

/// The names of a column that holds the vertex.
const INDEX: [&str; 5] = ["vertex", "vtx", "point", "index", "id"];

/// Reads a table with a header whose first column holds the vertex.
fn parse_indexed(text: &str, columns: usize) -> Result<VertexMap> {
    let count = rows(text).skip(1).count();
    let components = columns - 1;
    let mut map = VertexMap { components, values: vec![0.0; count * components] };
    let mut stated = vec![false; count];
    for row in rows(text).skip(1) {
        row.expect(columns)?;
        let vertex: usize = row.number(0, "the vertex")?;
        let wrong = |kind, message: String| Err(Error::new(kind, message).line(row.line).vertex(vertex));
        match stated.get_mut(vertex) {
            Some(true) => return wrong(Kind::Parse, "the vertex is listed twice".into()),
            None => {
                let message = format!("{count} rows list the vertices from 0 to {}", count.saturating_sub(1));
                return wrong(Kind::OutOfRange, message);
            }
            Some(stated) => *stated = true,
        }
        for column in 0..components {
            let value = row.real(column + 1, "the value").map_err(|e| e.vertex(vertex))?;
            map.values[vertex * components + column] = value;
        }
    }
    Ok(map)
}

/// Reads JSON; `vertices` is the number of values for the form with a default.
pub fn parse_json(text: &str, vertices: usize) -> Result<VertexMap> {
    let value: Value = serde_json::from_str(text).map_err(|e| {
        let error = Error::new(Kind::Parse, e.to_string());
        error.line(e.line() as u64).column(e.column() as u64)
    })?;
    match &value {
        Value::Array(items) => {
            let mut map = VertexMap::default();
            for (vertex, item) in items.iter().enumerate() {
                push_item(&mut map, item).map_err(|e| e.vertex(vertex))?;
            }
            Ok(map)
        }
        Value::Object(object) => sparse_map(object, vertices),
        _ => Err(Error::new(Kind::Parse, "a list, or an object with default and vertices, is expected")),
    }
}

fn push_item(map: &mut VertexMap, item: &Value) -> Result<()> {
    let single = std::slice::from_ref(item);
    let numbers = item.as_array().map_or(single, Vec::as_slice);
    if map.components == 0 {
        map.components = numbers.len();
    }
    if numbers.len() != map.components || numbers.is_empty() {
        let message = format!("{} numbers, {} are expected", numbers.len(), map.components.max(1));
        return Err(Error::new(Kind::Parse, message));
    }
    for number in numbers {
        map.values.push(real(number)?);
    }
    Ok(())
}

fn real(value: &Value) -> Result<Real> {
    value.as_f64().filter(|x| x.is_finite()).ok_or_else(|| {
        let short: String = value.to_string().chars().take(40).collect();
        Error::new(Kind::Parse, format!("{short} is not a number"))
    })
}

fn sparse_map(object: &serde_json::Map<String, Value>, vertices: usize) -> Result<VertexMap> {
    if let Some(key) = object.keys().find(|k| !matches!(k.as_str(), "default" | "vertices")) {
        return Err(Error::new(Kind::NotFound, format!("unknown key {key:?}; there are default, vertices")));
    }
    let default = object.get("default").map_or(Ok(0.0), real)?;
    let mut map = VertexMap { components: 1, values: vec![default; vertices] };
    let named = object.get("vertices").and_then(Value::as_object).ok_or_else(|| {
        Error::new(Kind::Parse, "expected vertices: an object with a number for each vertex")
    })?;
    for (key, value) in named {
        let vertex: usize = key
            .parse()
            .map_err(|_| Error::new(Kind::Parse, format!("{key:?} is not a vertex such as 0, 1, 2")))?;
        let slot = map.values.get_mut(vertex).ok_or_else(|| {
            Error::new(Kind::OutOfRange, format!("the mesh has {vertices} vertices")).vertex(vertex)
        })?;
        *slot = real(value).map_err(|e| e.vertex(vertex))?;
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;

    #[test]
    fn one_or_three_numbers_a_row_with_or_without_a_header() {
        assert_eq!(
            parse_csv("0.5\n\n1 # held\n").unwrap(),
            VertexMap { components: 1, values: vec![0.5, 1.0] }
        );
        let direction = parse_csv("x,y,z\r\n0,1,0\r\n").unwrap();
        assert_eq!(direction, VertexMap { components: 3, values: vec![0.0, 1.0, 0.0] });
    }

    #[test]
    fn a_header_may_say_that_the_first_column_tells_the_vertex() {
        let held = parse_csv("Vertex,fixed\n2,0.5\n0,1\n1,0\n").unwrap();
        assert_eq!(held, VertexMap { components: 1, values: vec![1.0, 0.0, 0.5] });
        let direction = parse_csv("id,x,y,z\n0,0,1,0\n").unwrap();
        assert_eq!(direction, VertexMap { components: 3, values: vec![0.0, 1.0, 0.0] });
        // A single column of that name holds values.
        assert_eq!(parse_csv("index\n4\n").unwrap().values, [4.0]);
        for (text, kind, vertex) in [
            ("vertex,w\n0,1\n0,1\n", Kind::Parse, Some(0)),
            ("vertex,w\n0,1\n2,1\n", Kind::OutOfRange, Some(2)),
            ("vertex,w\n0,1\n-1,1\n", Kind::Parse, None),
            ("vertex,w\n0,1\n1\n", Kind::Parse, None),
            ("vertex,w\n0,1\n1,inf\n", Kind::NotFinite, Some(1)),
        ] {
            let error = parse_csv(text).unwrap_err();
            let place = error.place();
            assert_eq!((error.kind(), place.line, place.vertex), (kind, Some(3), vertex), "{text}");
        }
    }

    #[test]
    fn json_lists_and_the_form_with_a_default() {
        let json = |text| parse_json(text, 3).unwrap();
        assert_eq!(json("[0, 0.5, 1e-3]").values, [0.0, 0.5, 1e-3]);
        assert_eq!(json("[[0, 1, 0], [1, 0, 0]]").components, 3);
        assert_eq!(json("{\"default\": 0.25, \"vertices\": {\"2\": 1}}").values, [0.25, 0.25, 1.0]);
    }

    #[test]
    fn mistakes_name_line_and_vertex() {
        for (text, kind) in [("0\nx", Kind::Parse), ("0\ninf", Kind::NotFinite), ("0\n1,2", Kind::Parse)] {
            let error = parse_csv(text).unwrap_err();
            assert_eq!((error.kind(), error.place().line, error.place().vertex), (kind, Some(2), Some(1)));
        }
        for (text, kind, vertex) in [
            ("[0, \"a\"]", Kind::Parse, Some(1)),
            ("[[0, 1], [0]]", Kind::Parse, Some(1)),
            ("[[]]", Kind::Parse, Some(0)),
            ("[0, null]", Kind::Parse, Some(1)),
            ("{\"vertices\": {\"3\": 0}}", Kind::OutOfRange, Some(3)),
            ("{\"vertices\": {\"-1\": 0}}", Kind::Parse, None),
            ("{\"vertex\": {}}", Kind::NotFound, None),
            ("{}", Kind::Parse, None),
            ("7", Kind::Parse, None),
        ] {
            let error = parse_json(text, 3).unwrap_err();
            assert_eq!((error.kind(), error.place().vertex), (kind, vertex), "{text}");
        }
        let error = parse_json("[0,\n 1e999]", 2).unwrap_err();
        assert_eq!((error.kind(), error.place().line), (Kind::Parse, Some(2)));
    }

    #[test]
    fn files_are_read_by_their_kind_and_a_wrong_count_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let mesh = shapes::grid(1.0, 1.0, 1, 1);
        let file = |name: &str, text: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            read(&path, &mesh)
        };
        assert_eq!(file("a.json", b"[0, 1, 2, 3]").unwrap(), file("a.csv", b"0\n1\n2\n3\n").unwrap());
        let error = file("b.csv", b"1\n2\n").unwrap_err();
        assert_eq!((error.kind(), error.place().file.is_some()), (Kind::CountMismatch, true));
        assert_eq!(error.message(), "2 values for 4 vertices");
        assert_eq!(file("c.png", b"no picture").unwrap_err().kind(), Kind::Parse);
        assert_eq!(file("d.obj", b"v 0 0 0").unwrap_err().kind(), Kind::Unsupported);
    }

    #[test]
    fn every_truncation_is_a_map_or_an_error() {
        let text = "{\"default\": 0.25, \"vertices\": {\"2\": 1}}";
        (0..text.len()).for_each(|length| assert!(parse_json(&text[..length], 3).is_err()));
        let text = "x,y\n0.5,1\n0,2\n";
        (0..text.len()).for_each(|length| drop(parse_csv(&text[..length])));
    }
}
