//! Reading .usda: the tree of prims and properties at once, values on demand.

mod arcs;
mod cursor;

use super::prim::{Contents, MAX_DEPTH, MAX_PATH, PrimSpec, PropertySpec, Samples, Slot, Specifier, Value};
use cursor::{Atom, Cursor};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::ops::Range;

/// What is open at a place of the text.
enum Open {
    /// A prim, or a choice of a variant set, with its path.
    Prim(String),
    /// A variant set of the prim with that path.
    Set(String, String),
}

/// The tree under construction.
struct Reader<'a> {
    cursor: Cursor<'a>,
    contents: Contents,
    open: Vec<Open>,
}

/// A line of metadata.
struct Entry<'a> {
    /// How it edits a list: `prepend` and so on; empty if it replaces the list, or is none.
    word: &'a str,
    name: &'a str,
    value: Range<usize>,
}

impl Entry<'_> {
    fn slot(&self) -> Slot {
        Slot::Text(self.value.clone())
    }
}

/// Reads everything except the values.
pub(super) fn parse(text: &str) -> Result<Contents> {
    let mut cursor = Cursor { text, at: 0 };
    if !text.starts_with("#usda 1.") {
        return Err(cursor.wrong("#usda 1.0"));
    }
    let mut contents = Contents::default();
    for entry in metadata(&mut cursor)? {
        if entry.name == "subLayers" {
            contents.sublayers = arcs::sublayers(text, &entry)?;
        }
        contents.metadata.insert(entry.name.to_string(), entry.slot());
    }
    let mut reader = Reader { cursor, contents, open: Vec::new() };
    loop {
        if reader.cursor.accept('}') {
            if reader.open.pop().is_none() {
                return Err(reader.cursor.wrong("a prim"));
            }
        } else if reader.cursor.rest().is_empty() {
            return match reader.open.is_empty() {
                true => Ok(reader.contents),
                false => Err(reader.cursor.wrong("}")),
            };
        } else if !reader.cursor.accept(';') {
            reader.item()?;
        }
    }
}

impl Reader<'_> {
    /// A prim up to its opening brace, a property, or a variant set.
    fn item(&mut self) -> Result<()> {
        if self.open.len() > MAX_DEPTH {
            return Err(Error::new(Kind::TooLarge, format!("prims nested deeper than {MAX_DEPTH}")));
        }
        let start = self.cursor;
        let cursor = &mut self.cursor;
        match (cursor.word(), self.open.last()) {
            (word @ ("def" | "over" | "class"), None | Some(Open::Prim(_))) => {
                let parent = match self.open.last() {
                    Some(Open::Prim(path)) => path,
                    _ => "",
                };
                let (type_name, name) = (cursor.word().to_string(), cursor.quoted()?);
                let mut prim = begin(cursor, format!("{parent}/{name}"))?;
                prim.1.type_name = type_name;
                prim.1.specifier = match word {
                    "def" => Specifier::Def,
                    "class" => Specifier::Class,
                    _ => Specifier::Over,
                };
                self.enter(prim);
            }
            ("variantSet", Some(Open::Prim(path))) => {
                let set = cursor.quoted()?;
                cursor.expect('=')?;
                cursor.expect('{')?;
                let open = Open::Set(path.clone(), set);
                self.open.push(open);
            }
            ("", Some(Open::Set(path, set))) => {
                let choice = cursor.quoted()?;
                let prim = begin(cursor, format!("{path}{{{set}={choice}}}"))?;
                self.enter(prim);
            }
            ("reorder", _) => {
                cursor.word();
                cursor.expect('=')?;
                cursor.skip_value()?;
            }
            (word, Some(Open::Prim(path))) => {
                let (name, property) = property(cursor, word, &start, path)?;
                if let Some(prim) = self.contents.prims.get_mut(path) {
                    merge(prim, name, property);
                }
            }
            _ => return Err(start.wrong("a prim")),
        }
        Ok(())
    }

    fn enter(&mut self, (path, prim): (String, PrimSpec)) {
        self.contents.prims.insert(path.clone(), prim);
        self.open.push(Open::Prim(path));
    }
}

/// `name = value` in parentheses, if there are any.
fn metadata<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Entry<'a>>> {
    let mut found = Vec::new();
    if !cursor.accept('(') {
        return Ok(found);
    }
    while !cursor.accept(')') {
        if cursor.accept(';') || cursor.accept(',') {
            continue;
        }
        if matches!(cursor.peek(), Some(b'"' | b'\'')) {
            cursor.quoted()?;
            continue;
        }
        let start = *cursor;
        let (mut word, mut name) = ("", cursor.word());
        if matches!(name, "prepend" | "append" | "add" | "delete" | "reorder") {
            (word, name) = (name, cursor.word());
        }
        if name.is_empty() {
            return Err(start.wrong("a name or )"));
        }
        cursor.expect('=')?;
        let mut value = cursor.skip_value()?;
        cursor.skip_blanks();
        // The offset and scale of a single reference.
        if matches!(name, "references" | "payload") && cursor.peek() == Some(b'(') {
            value.end = cursor.skip_value()?.end;
        }
        found.push(Entry { word, name, value });
    }
    Ok(found)
}

/// A prim of that path from its metadata to its opening brace.
fn begin(cursor: &mut Cursor, path: String) -> Result<(String, PrimSpec)> {
    let entries = metadata(cursor)?;
    cursor.expect('{')?;
    if path.len() > MAX_PATH {
        return Err(Error::new(Kind::TooLarge, "a path is too long"));
    }
    let arcs = arcs::arcs(cursor.text, &entries, &path)?;
    Ok((path, PrimSpec { arcs, ..PrimSpec::default() }))
}

/// A property whose first word has been read.
fn property(cursor: &mut Cursor, first: &str, start: &Cursor, prim: &str) -> Result<(String, PropertySpec)> {
    let (mut word, mut edit) = (first, "");
    while matches!(
        word,
        "custom" | "uniform" | "varying" | "config" | "prepend" | "append" | "add" | "delete" | "reorder"
    ) {
        if matches!(word, "prepend" | "append" | "add" | "delete" | "reorder") {
            edit = word;
        }
        word = cursor.word();
    }
    if word.is_empty() {
        return Err(start.wrong("a property"));
    }
    let mut property = PropertySpec { type_name: word.to_string(), ..PropertySpec::default() };
    if cursor.accept('[') {
        cursor.expect(']')?;
        property.type_name.push_str("[]");
    }
    let name = cursor.word();
    let (name, part) = name.rsplit_once('.').unwrap_or((name, ""));
    if name.is_empty() {
        return Err(cursor.wrong("a property's name"));
    }
    if cursor.accept('=') {
        match part {
            "timeSamples" => property.samples = Some(Samples::Listed(samples(cursor)?)),
            "" if word == "rel" => {
                let value = cursor.skip_value()?;
                let mut inside = Cursor { text: &cursor.text[..value.end], at: value.start };
                arcs::edit(&mut property.targets, edit, arcs::paths(&mut inside, prim)?);
            }
            "" => property.default = Some(Slot::Text(cursor.skip_value()?)),
            part => {
                property.spline = part == "spline";
                cursor.skip_value()?;
            }
        }
    }
    cursor.skip_blanks();
    for entry in metadata(cursor)? {
        match entry.name {
            "interpolation" => property.interpolation = Some(entry.slot()),
            "elementSize" => property.element_size = Some(entry.slot()),
            _ => {}
        }
    }
    Ok((name.to_string(), property))
}

/// `time: value` in braces.
fn samples(cursor: &mut Cursor) -> Result<Vec<(Real, Slot)>> {
    let mut list = Vec::new();
    cursor.expect('{')?;
    while !cursor.accept('}') {
        let start = *cursor;
        let word = cursor.rest();
        let word = &word[..word.find(':').unwrap_or(0)];
        let time = word.trim().parse().map_err(|_| start.wrong("a time"))?;
        cursor.at += word.len() + 1;
        list.push((time, Slot::Text(cursor.skip_value()?)));
        cursor.accept(',');
    }
    Ok(list)
}

/// A property may be stated in several pieces: its default, its samples, its metadata.
fn merge(prim: &mut PrimSpec, name: String, piece: PropertySpec) {
    let whole = prim.properties.entry(name).or_default();
    whole.type_name = piece.type_name;
    whole.default = piece.default.or(whole.default.take());
    whole.samples = piece.samples.or(whole.samples.take());
    whole.interpolation = piece.interpolation.or(whole.interpolation.take());
    whole.element_size = piece.element_size.or(whole.element_size.take());
    whole.targets.merge(piece.targets);
    whole.spline |= piece.spline;
}

/// The value in a part of the text; the grouping of its numbers is dropped.
pub(super) fn value(text: &str, range: Range<usize>) -> Result<Value> {
    let mut cursor = Cursor { text: &text[..range.end], at: range.start };
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            None => break,
            Some(b'(' | b'[' | b')' | b']' | b',') => cursor.at += 1,
            Some(b'{' | b'}') => {
                return Err(Error::new(Kind::Unsupported, "a dictionary, which is not supported"));
            }
            _ => {
                let start = cursor;
                match cursor.atom()? {
                    Atom::Text(text) => texts.push(text),
                    Atom::Word("None") if numbers.is_empty() && texts.is_empty() => {
                        return Ok(Value::Blocked);
                    }
                    Atom::Word("true") => numbers.push(1.0),
                    Atom::Word("false") => numbers.push(0.0),
                    Atom::Word(word) => numbers.push(word.parse().map_err(|_| start.wrong("a number"))?),
                }
            }
        }
    }
    match (numbers.is_empty(), texts.is_empty()) {
        (_, true) => Ok(Value::Numbers(numbers)),
        (true, false) => Ok(Value::Texts(texts)),
        (false, false) => {
            let at = Cursor { text, at: range.start };
            Err(at.wrong("numbers or strings, not both"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usd::arcs::{Target, TimeMap};

    #[test]
    fn mistakes_are_named_with_their_lines() {
        let line = |text: &str| parse(&format!("#usda 1.0\n{text}")).unwrap_err().place().line;
        assert_eq!(parse("#sdf 1.4.32").unwrap_err().place().line, Some(1));
        assert_eq!(line("def \"a\" {\n int x = [1, 2)\n}"), Some(3));
        assert_eq!(line("def \"a\" {\n float x.timeSamples = {\n one: 1 }\n}"), Some(4));
        assert_eq!(line("def \"a\" {\n}\n}"), Some(4));
        assert_eq!(line("def \"a {"), Some(2));
        assert_eq!(line("def \"a\" {"), Some(2));
    }

    #[test]
    fn values_lose_their_brackets_and_keep_their_texts() {
        let read = |text: &str| value(text, 0..text.len());
        assert_eq!(read("[(1, -2e-3), (true, .5)]").unwrap(), Value::Numbers(vec![1.0, -2e-3, 1.0, 0.5]));
        let texts = ["a\n\"b", "c", "/d", "e'"].map(String::from).to_vec();
        assert_eq!(read(r#"["a\n\"b", @c@, </d>, '''e\''''] # f"#).unwrap(), Value::Texts(texts));
        assert_eq!(read("None").unwrap(), Value::Blocked);
        assert_eq!(read("[1, \"a\"]").unwrap_err().kind(), Kind::Parse);
        assert_eq!(read("{ int a = 1 }").unwrap_err().kind(), Kind::Unsupported);
    }

    #[test]
    fn variants_have_paths_of_their_own_and_pieces_of_a_property_are_put_together() {
        let text = r#"#usda 1.0
            over "a" ( add variantSets = "v"
                prepend references = @b.usda@</b> (offset = -2; scale = 0.5) ) {
                variantSet "v" = { "w" { def Mesh "m" {} int x = 1 } }
                int y = 2
                int y.timeSamples = { 1: 3 }
            }
            def Mesh "b" {}"#;
        let contents = parse(text).unwrap();
        assert_eq!(contents.prims.keys().collect::<Vec<_>>(), ["/a", "/a{v=w}", "/a{v=w}/m", "/b"]);
        assert!(contents.prims["/a{v=w}"].properties.contains_key("x"));
        let properties = &contents.prims["/a"].properties;
        assert_eq!(properties.keys().collect::<Vec<_>>(), ["y"]);
        assert!(properties["y"].default.is_some() && properties["y"].samples.is_some());
        let arcs = contents.prims["/a"].arcs.as_ref().unwrap();
        assert_eq!(arcs.variant_sets.added, ["v"]);
        let time = TimeMap { offset: -2.0, scale: 0.5 };
        assert_eq!(
            arcs.references.prepended,
            [Target { asset: "b.usda".into(), prim: "/b".into(), time, ..Target::default() }]
        );
    }
}
