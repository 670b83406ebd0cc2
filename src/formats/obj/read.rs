//! The OBJ reader.

use crate::file;
use crate::mesh::MeshFile;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{CornerLayer, FaceLabels, Mesh, NO_VALUE};
use sinew_math::{Real, Vec2, Vec3};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A longer line is not OBJ: a polygon of a million corners still fits.
const MAX_LINE: usize = 64 << 20;

/// A mesh and what the reader skipped.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Obj {
    /// The mesh.
    pub mesh: Mesh,
    /// Polylines, by their vertices.
    pub lines: Vec<Vec<u32>>,
    /// Statements that were skipped, with their counts; in the order of their first line.
    pub ignored: Vec<(String, u64)>,
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Obj> {
    let file = file::open(path)?;
    parse(file).map_err(|e| e.file(path))
}

/// Reads the mesh of a file, which has no unit.
pub(crate) fn mesh_file(path: &Path) -> Result<MeshFile> {
    Ok(MeshFile { mesh: read(path)?.mesh, space: Ok(None), over: None })
}

/// Reads a stream; errors name the line.
pub fn parse(input: impl Read) -> Result<Obj> {
    let mut lines = Lines { input: BufReader::with_capacity(1 << 20, input), buffer: Vec::new(), number: 0 };
    let mut parser = Parser::default();
    while lines.advance()? {
        parser.statement(&lines.buffer).map_err(|e| e.line(lines.number))?;
    }
    parser.finish()
}

/// Logical lines: `\n`, `\r\n` and `\r` end a line, a backslash before the end joins it with the next.
struct Lines<R> {
    input: BufReader<R>,
    buffer: Vec<u8>,
    number: u64,
}

impl<R: Read> Lines<R> {
    /// Fills the buffer with the next logical line; false at the end of the input.
    fn advance(&mut self) -> Result<bool> {
        self.buffer.clear();
        let mut any = false;
        loop {
            self.number += 1;
            if !self.physical_line()? {
                return Ok(any);
            }
            any = true;
            if self.buffer.last() != Some(&b'\\') {
                return Ok(true);
            }
            // A space, so that the words on both sides stay two words.
            self.buffer.pop();
            self.buffer.push(b' ');
        }
    }

    fn physical_line(&mut self) -> Result<bool> {
        let fail = |number, kind, message: &str| Err(Error::new(kind, message).line(number));
        let mut any = false;
        loop {
            let available = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(e) => return fail(self.number, Kind::Io, &e.to_string()),
            };
            if available.is_empty() {
                return Ok(any);
            }
            any = true;
            let end = available.iter().position(|&b| matches!(b, b'\n' | b'\r' | 0));
            let taken = end.unwrap_or(available.len());
            let ended_by = end.map(|i| available[i]);
            self.buffer.extend_from_slice(&available[..taken]);
            self.input.consume(taken + usize::from(ended_by.is_some()));
            if self.buffer.len() > MAX_LINE {
                return fail(
                    self.number,
                    Kind::TooLarge,
                    "the line is longer than 64 MiB; this is not an OBJ file",
                );
            }
            match ended_by {
                None => continue,
                Some(0) => {
                    return fail(
                        self.number,
                        Kind::Parse,
                        "binary data (a NUL byte); this is not an OBJ file",
                    );
                }
                Some(b'\r') => {
                    if self.input.fill_buf().is_ok_and(|next| next.first() == Some(&b'\n')) {
                        self.input.consume(1);
                    }
                    return Ok(true);
                }
                Some(_) => return Ok(true),
            }
        }
    }
}

/// One of `g o usemtl`: the name for the next faces.
#[derive(Default)]
struct Labels {
    names: Vec<String>,
    index: HashMap<String, u32>,
    current: Option<u32>,
    of_face: Vec<u32>,
}

impl Labels {
    /// A statement without a name clears the name.
    fn choose(&mut self, name: &str) {
        if name.is_empty() {
            self.current = None;
            return;
        }
        self.current = Some(*self.index.entry(name.to_string()).or_insert_with(|| {
            self.names.push(name.to_string());
            self.names.len() as u32 - 1
        }));
    }

    /// Faces without a name get no label; a mesh without names gets no list at all.
    fn add_face(&mut self, faces_before: usize) {
        if self.current.is_some() || !self.of_face.is_empty() {
            self.of_face.resize(faces_before, NO_VALUE);
            self.of_face.push(self.current.unwrap_or(NO_VALUE));
        }
    }

    fn finish(self) -> FaceLabels {
        let names = if self.of_face.is_empty() { Vec::new() } else { self.names };
        FaceLabels { names, of_face: self.of_face }
    }
}

#[derive(Default)]
struct Parser {
    positions: Vec<Vec3>,
    uvs: CornerLayer<Vec2>,
    normals: CornerLayer<Vec3>,
    face_offsets: Vec<u32>,
    corner_vertices: Vec<u32>,
    groups: Labels,
    objects: Labels,
    materials: Labels,
    lines: Vec<Vec<u32>>,
    ignored: Vec<(String, u64)>,
    started: bool,
}

impl Parser {
    fn statement(&mut self, line: &[u8]) -> Result<()> {
        let mut line = line;
        if !self.started {
            self.started = true;
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        let end = line.iter().position(|&b| b == b'#').unwrap_or(line.len());
        let mut words = line[..end].split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty());
        match words.next() {
            None => {}
            Some(b"v") => self.positions.push(Vec3::from(numbers::<3>(words, 3, "v")?)),
            Some(b"vt") => {
                let [u, v] = numbers::<2>(words, 1, "vt")?;
                self.uvs.values.push(Vec2::new(u, v));
            }
            Some(b"vn") => self.normals.values.push(Vec3::from(numbers::<3>(words, 3, "vn")?)),
            Some(b"f") => {
                let face = self.face_offsets.len();
                self.face(words).map_err(|e| e.face(face))?;
            }
            Some(b"l") => self.line(words)?,
            Some(word @ (b"g" | b"o" | b"usemtl")) => {
                let name: Vec<_> = words.map(String::from_utf8_lossy).collect();
                let labels = match word {
                    b"g" => &mut self.groups,
                    b"o" => &mut self.objects,
                    _ => &mut self.materials,
                };
                labels.choose(&name.join(" "));
            }
            Some(b"s") => {}
            Some(other) => self.ignore(other)?,
        }
        Ok(())
    }

    fn ignore(&mut self, word: &[u8]) -> Result<()> {
        /// Statements that the format has and a mesh does not need. Anything else is a typo or not OBJ.
        const KNOWN: &[&str] = &[
            "p",
            "mtllib",
            "vp",
            "cstype",
            "deg",
            "bmat",
            "step",
            "curv",
            "curv2",
            "surf",
            "parm",
            "trim",
            "hole",
            "scrv",
            "sp",
            "end",
            "con",
            "mg",
            "bevel",
            "c_interp",
            "d_interp",
            "lod",
            "shadow_obj",
            "trace_obj",
            "ctech",
            "stech",
            "maplib",
            "usemap",
            "call",
            "csh",
        ];
        let name = String::from_utf8_lossy(word);
        if !KNOWN.contains(&name.as_ref()) {
            let short: String = name.chars().take(40).collect();
            return Err(Error::new(Kind::Parse, format!("unknown statement {short:?}")));
        }
        match self.ignored.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => self.ignored.push((name.into_owned(), 1)),
        }
        Ok(())
    }

    fn face<'a>(&mut self, corners: impl Iterator<Item = &'a [u8]>) -> Result<()> {
        let first = self.corner_vertices.len();
        for corner in corners {
            let mut parts = corner.split(|&b| b == b'/');
            let vertex = parts.next().filter(|p| !p.is_empty());
            let vertex = vertex.ok_or_else(|| Error::new(Kind::Parse, "a corner without a vertex index"))?;
            self.corner_vertices.push(resolve(vertex, self.positions.len(), "vertex")?);
            for (layer_len, indices, what) in [
                (self.uvs.values.len(), &mut self.uvs.indices, "vt"),
                (self.normals.values.len(), &mut self.normals.indices, "vn"),
            ] {
                if let Some(text) = parts.next().filter(|p| !p.is_empty()) {
                    indices.resize(self.corner_vertices.len() - 1, NO_VALUE);
                    indices.push(resolve(text, layer_len, what)?);
                }
            }
            if parts.next().is_some() {
                return Err(Error::new(Kind::Parse, "a corner has more than three indices (vertex/vt/vn)"));
            }
        }
        if self.corner_vertices.len() >= NO_VALUE as usize {
            return Err(Error::new(Kind::TooLarge, "more than 4294967294 corners"));
        }
        if self.corner_vertices.len() < first + 3 {
            let message =
                format!("{} corners; a face needs at least three", self.corner_vertices.len() - first);
            return Err(Error::new(Kind::Topology, message));
        }
        for labels in [&mut self.groups, &mut self.objects, &mut self.materials] {
            labels.add_face(self.face_offsets.len());
        }
        self.face_offsets.push(first as u32);
        Ok(())
    }

    fn line<'a>(&mut self, points: impl Iterator<Item = &'a [u8]>) -> Result<()> {
        // A point may be followed by a slash and a texture coordinate, which is ignored for lines.
        let vertex = |word: &'a [u8]| word.split(|&b| b == b'/').next().unwrap_or(word);
        let count = self.positions.len();
        let line: Vec<u32> = points.map(|p| resolve(vertex(p), count, "vertex")).collect::<Result<_>>()?;
        if line.len() < 2 {
            return Err(Error::new(Kind::Topology, "a line needs at least two points"));
        }
        self.lines.push(line);
        Ok(())
    }

    fn finish(mut self) -> Result<Obj> {
        let corner_count = self.corner_vertices.len();
        self.face_offsets.push(corner_count as u32);
        let mesh = Mesh {
            positions: self.positions,
            face_offsets: self.face_offsets,
            corner_vertices: self.corner_vertices,
            uvs: layer(self.uvs, corner_count),
            normals: layer(self.normals, corner_count),
            groups: self.groups.finish(),
            objects: self.objects.finish(),
            materials: self.materials.finish(),
        };
        mesh.check_counts()?;
        Ok(Obj { mesh, lines: self.lines, ignored: self.ignored })
    }
}

/// A layer that no corner uses is dropped; otherwise it gets an index for every corner.
fn layer<T>(mut layer: CornerLayer<T>, corner_count: usize) -> Option<CornerLayer<T>> {
    if layer.indices.is_empty() {
        return None;
    }
    layer.indices.resize(corner_count, NO_VALUE);
    Some(layer)
}

/// The first N numbers, of which `least` are required; more (weights, colours) may follow and are checked.
fn numbers<'a, const N: usize>(
    words: impl Iterator<Item = &'a [u8]>,
    least: usize,
    what: &str,
) -> Result<[Real; N]> {
    let mut values = [0.0; N];
    let mut count = 0;
    for word in words {
        let number = std::str::from_utf8(word).ok().and_then(|text| text.parse::<Real>().ok());
        let number = number.ok_or_else(|| {
            let short: String = String::from_utf8_lossy(word).chars().take(40).collect();
            Error::new(Kind::Parse, format!("{short:?} is not a number"))
        })?;
        if !number.is_finite() {
            return Err(Error::new(Kind::NotFinite, format!("{what} holds {number}")));
        }
        if let Some(value) = values.get_mut(count) {
            *value = number;
        }
        count += 1;
    }
    if count < least {
        return Err(Error::new(Kind::Parse, format!("{what} has {count} numbers, {least} are needed")));
    }
    Ok(values)
}

/// OBJ counts from 1; negative numbers count back from the newest.
fn resolve(text: &[u8], count: usize, what: &str) -> Result<u32> {
    let number = std::str::from_utf8(text).ok().and_then(|t| t.parse::<i64>().ok());
    let number = number.ok_or_else(|| {
        let short: String = String::from_utf8_lossy(text).chars().take(40).collect();
        Error::new(Kind::Parse, format!("{short:?} is not an index"))
    })?;
    let index = if number > 0 { number - 1 } else { count as i64 + number };
    if number == 0 || index < 0 || index >= count as i64 || index >= i64::from(NO_VALUE) {
        return Err(Error::new(
            Kind::OutOfRange,
            format!("{what} index {number}, {count} are defined so far"),
        ));
    }
    Ok(index as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUAD: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    fn mesh(text: &str) -> Mesh {
        parse(text.as_bytes()).unwrap().mesh
    }

    fn error(text: &str) -> Error {
        parse(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn corners_come_in_four_forms_and_may_be_mixed() {
        let text = format!("{QUAD}vt 0 0\nvt 1 1\nvn 0 0 1\nf 1 2/2 3//1 4/1/1\nf -4 -3 -2\n");
        let mesh = mesh(&text);
        assert_eq!(mesh.corner_vertices, [0, 1, 2, 3, 0, 1, 2]);
        let n = NO_VALUE;
        assert_eq!(mesh.uvs.unwrap().indices, [n, 1, n, 0, n, n, n]);
        assert_eq!(mesh.normals.unwrap().indices, [n, n, 0, 0, n, n, n]);
    }

    #[test]
    fn line_ends_comments_continuations_and_the_byte_order_mark_do_not_matter() {
        let plain = mesh(&format!("{QUAD}f 1 2 3 4\n"));
        let variants = [
            format!("{QUAD}f 1 2 3 4").replace('\n', "\r\n"),
            format!("{QUAD}f 1 2 3 4").replace('\n', "\r"),
            format!("\u{feff}# made by hand\n{QUAD}\tf  1 2\\\n 3\\\r\n4 # the face"),
            QUAD.replace("1 0 0", "1e0 0.0E+0 -0 1.0 0.5 0.5") + "s off\nmtllib a.mtl\nf 1 2 3 4\n",
        ];
        for text in variants {
            assert_eq!(mesh(&text), plain, "{text:?}");
        }
    }

    #[test]
    fn groups_objects_and_materials_label_their_faces() {
        let mesh = mesh(&format!(
            "{QUAD}f 1 2 3\ng arm hand\nusemtl skin\nf 1 2 3\ng leg\nf 1 3 4\ng arm hand\nf 1 2 4\ng\nf 1 2 3"
        ));
        assert_eq!(mesh.groups.names, ["arm hand", "leg"]);
        assert_eq!(mesh.groups.of_face, [NO_VALUE, 0, 1, 0, NO_VALUE]);
        assert_eq!(mesh.materials.of_face, [NO_VALUE, 0, 0, 0, 0]);
        assert!(mesh.objects.of_face.is_empty());
    }

    #[test]
    fn bad_lines_are_named() {
        let cases = [
            ("v 0 0\n", Kind::Parse, 1),
            ("v 0 0 x\n", Kind::Parse, 1),
            ("\nv 0 nan 0\n", Kind::NotFinite, 2),
            ("v 0 1e999 0\n", Kind::NotFinite, 1),
            ("v 0 0 0\nf 1 1 2\n", Kind::OutOfRange, 2),
            ("v 0 0 0\nf 1 1 0\n", Kind::OutOfRange, 2),
            ("v 0 0 0\nf 1 1 -2\n", Kind::OutOfRange, 2),
            ("v 0 0 0\nf 1 1\n", Kind::Topology, 2),
            ("v 0 0 0\nf 1 1 1/1/1/1\n", Kind::OutOfRange, 2),
            ("v 0 0 0\nf 1 1 /1\n", Kind::Parse, 2),
            ("v 0 0 0\n\\\nwhat is this\n", Kind::Parse, 3),
            ("v 0 0 0\0\n", Kind::Parse, 1),
        ];
        for (text, kind, line) in cases {
            let error = error(text);
            assert_eq!((error.kind(), error.place().line), (kind, Some(line)), "{text:?}: {error}");
        }
        assert_eq!(error("v 0 0 0\nf 1 1 1\nf 1 1 9\n").place().face, Some(1));
    }

    #[test]
    fn a_3_gb_file_of_zeros_is_refused_without_reading_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(3 << 30).unwrap();
        let error = read(file.path()).unwrap_err();
        assert_eq!((error.kind(), error.place().line), (Kind::Parse, Some(1)));
    }

    #[test]
    fn every_truncation_is_a_mesh_or_an_error() {
        let text =
            format!("{QUAD}vt 0 0.5\nvn 0 0 1\ng a\nusemtl b\nf 1/1/1 2/1/1 -2/1/1 4/1/1\nl 1 2\np 1\n");
        for length in 0..text.len() {
            if let Ok(obj) = parse(&text.as_bytes()[..length]) {
                assert_eq!(obj.mesh.check_counts(), Ok(()));
            }
        }
        let whole = parse(text.as_bytes()).unwrap();
        assert_eq!((whole.ignored, whole.lines), (vec![("p".to_string(), 1)], vec![vec![0, 1]]));
    }
}
