//! Reading .usda: the tree of prims and properties at once, values on demand.

use super::prim::{ARCS, Contents, MAX_DEPTH, MAX_PATH, Prim, Property, Samples, Slot, Value};
use crate::error::{Error, Kind, Result};
use crate::math::Real;
use std::collections::BTreeMap;
use std::ops::Range;

/// Characters that end a word.
const MARKS: [bool; 256] = marks(b"()[]{}=,;\"'@<>#");
/// Characters inside brackets that cannot simply be skipped.
const SPECIAL: [bool; 256] = marks(b"()[]{}\"'@<>#");

const fn marks(list: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut k = 0;
    while k < list.len() {
        table[list[k] as usize] = true;
        k += 1;
    }
    table
}

/// A position in the text.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn wrong(&self, expected: &str) -> Error {
        let line = self.text[..self.at].bytes().filter(|&b| b == b'\n').count() as u64 + 1;
        let found: String = self.rest().chars().take(24).collect();
        let found = if found.is_empty() { "the end of the file".into() } else { format!("{found:?}") };
        Error::new(Kind::Parse, format!("{found} where {expected} is expected")).line(line)
    }

    /// Skips bytes of a class; texts are long, so this is the hot loop.
    fn pass(&mut self, kind: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&b| !kind(b)).unwrap_or(rest.len());
    }

    /// Skips whitespace and comments.
    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            self.pass(|b| b.is_ascii_whitespace());
            if bytes.get(self.at) != Some(&b'#') {
                return;
            }
            self.pass(|b| b != b'\n');
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips whitespace and this character, if it is there.
    fn accept(&mut self, character: char) -> bool {
        self.skip_blanks();
        let there = self.rest().starts_with(character);
        self.at += if there { character.len_utf8() } else { 0 };
        there
    }

    fn expect(&mut self, character: char) -> Result<()> {
        match self.accept(character) {
            true => Ok(()),
            false => Err(self.wrong(&format!("{character:?}"))),
        }
    }

    /// A run of characters allowed in names, numbers and types; may be empty.
    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let start = self.at;
        self.pass(|b| !b.is_ascii_whitespace() && !MARKS[usize::from(b)]);
        &self.text[start..self.at]
    }

    /// A text in quotes of any of the four kinds.
    fn quoted(&mut self) -> Result<String> {
        self.skip_blanks();
        let start = *self;
        let rest = self.rest();
        let quotes = ["\"\"\"", "'''", "\"", "'"];
        let quote = *quotes.iter().find(|q| rest.starts_with(**q)).ok_or_else(|| start.wrong("a text"))?;
        self.at += quote.len();
        let mut text = String::new();
        while !self.rest().starts_with(quote) {
            let mut characters = self.rest().chars();
            let mut character = characters.next().ok_or_else(|| start.wrong("the end of a string"))?;
            self.at += character.len_utf8();
            if character == '\\' {
                let escaped = characters.next().ok_or_else(|| start.wrong("the end of a string"))?;
                self.at += escaped.len_utf8();
                character = match escaped {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                };
            }
            text.push(character);
        }
        self.at += quote.len();
        Ok(text)
    }

    /// The text between two delimiters: an asset or a path.
    fn between(&mut self, open: &str, close: &str) -> Result<&'a str> {
        let start = *self;
        self.at += open.len();
        let end = self.rest().find(close).ok_or_else(|| start.wrong("a closing delimiter"))?;
        let inside = &self.rest()[..end];
        self.at += end + close.len();
        Ok(inside)
    }

    /// One atomic piece of a value.
    fn atom(&mut self) -> Result<Atom<'a>> {
        self.skip_blanks();
        match self.peek() {
            Some(b'"' | b'\'') => self.quoted().map(Atom::Text),
            Some(b'@') if self.rest().starts_with("@@@") => {
                Ok(Atom::Text(self.between("@@@", "@@@")?.into()))
            }
            Some(b'@') => Ok(Atom::Text(self.between("@", "@")?.into())),
            Some(b'<') => Ok(Atom::Text(self.between("<", ">")?.into())),
            _ => {
                let start = *self;
                match self.word() {
                    "" => Err(start.wrong("a value")),
                    word => Ok(Atom::Word(word)),
                }
            }
        }
    }

    /// Skips a value of any kind.
    fn skip_value(&mut self) -> Result<Range<usize>> {
        self.skip_blanks();
        let (start, from) = (*self, self.at);
        let mut open = Vec::new();
        loop {
            if !open.is_empty() {
                self.pass(|b| !SPECIAL[usize::from(b)]);
            }
            self.skip_blanks();
            match self.peek() {
                Some(b @ (b'(' | b'[' | b'{')) => {
                    open.push(b);
                    self.at += 1;
                }
                Some(b @ (b')' | b']' | b'}')) => {
                    let fits = matches!(
                        (open.pop(), b),
                        (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}')
                    );
                    if !fits {
                        return Err(self.wrong("a value"));
                    }
                    self.at += 1;
                }
                None if !open.is_empty() => return Err(start.wrong("a value with its closing bracket")),
                _ => {
                    let asset = self.peek() == Some(b'@');
                    self.atom()?;
                    // A reference may name a prim after the file.
                    if asset && self.peek() == Some(b'<') {
                        self.atom()?;
                    }
                }
            }
            if open.is_empty() {
                return Ok(from..self.at);
            }
        }
    }
}

enum Atom<'a> {
    Text(String),
    Word(&'a str),
}

/// The tree under construction.
struct Reader<'a> {
    cursor: Cursor<'a>,
    contents: Contents,
    /// The paths of the open prims; none is a variant set.
    open: Vec<Option<String>>,
    /// The number of open variant sets, whose contents are skipped.
    variants: usize,
}

/// Reads everything except the values.
pub(super) fn parse(text: &str) -> Result<Contents> {
    let mut cursor = Cursor { text, at: 0 };
    if !text.starts_with("#usda 1.") {
        return Err(cursor.wrong("#usda 1.0"));
    }
    let contents = Contents { metadata: metadata(&mut cursor)?, ..Contents::default() };
    let mut reader = Reader { cursor, contents, open: Vec::new(), variants: 0 };
    loop {
        if reader.cursor.accept('}') {
            match reader.open.pop() {
                None => return Err(reader.cursor.wrong("a prim")),
                Some(None) => reader.variants -= 1,
                Some(Some(_)) => {}
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
        let parent = self.open.last().and_then(|path| path.as_deref());
        match cursor.word() {
            specifier @ ("def" | "over" | "class") if self.open.is_empty() || parent.is_some() => {
                let (path, prim) = prim(cursor, parent.unwrap_or(""), specifier == "class")?;
                if self.variants == 0 {
                    self.contents.prims.insert(path.clone(), prim);
                }
                self.open.push(Some(path));
            }
            "variantSet" if parent.is_some() => {
                cursor.quoted()?;
                cursor.expect('=')?;
                cursor.expect('{')?;
                self.open.push(None);
                self.variants += 1;
            }
            "" if self.open.last() == Some(&None) => {
                cursor.quoted()?;
                metadata(cursor)?;
                cursor.expect('{')?;
                self.open.push(Some(String::new()));
            }
            "reorder" => {
                cursor.word();
                cursor.expect('=')?;
                cursor.skip_value()?;
            }
            word if parent.is_some() => {
                let (name, property) = property(cursor, word, &start)?;
                let prim = parent.and_then(|path| self.contents.prims.get_mut(path));
                if let Some(prim) = prim.filter(|_| self.variants == 0) {
                    merge(prim, name, property);
                }
            }
            _ => return Err(start.wrong("a prim")),
        }
        Ok(())
    }
}

/// `name = value` in parentheses, if there are any.
fn metadata(cursor: &mut Cursor) -> Result<BTreeMap<String, Slot>> {
    let mut found = BTreeMap::new();
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
        let mut name = cursor.word();
        if matches!(name, "prepend" | "append" | "add" | "delete" | "reorder") {
            name = cursor.word();
        }
        if name.is_empty() {
            return Err(start.wrong("a name or )"));
        }
        cursor.expect('=')?;
        let value = cursor.skip_value()?;
        found.insert(name.to_string(), Slot::Text(value));
    }
    Ok(found)
}

/// A prim from its type to its opening brace, with its path.
fn prim(cursor: &mut Cursor, parent: &str, class: bool) -> Result<(String, Prim)> {
    let type_name = cursor.word().to_string();
    let name = cursor.quoted()?;
    let composed = metadata(cursor)?;
    cursor.expect('{')?;
    if parent.len() + name.len() > MAX_PATH {
        return Err(Error::new(Kind::TooLarge, "a path is too long"));
    }
    let composed = ARCS.iter().copied().find(|arc| composed.contains_key(*arc));
    Ok((format!("{parent}/{name}"), Prim { type_name, class, composed, ..Prim::default() }))
}

/// A property whose first word has been read.
fn property(cursor: &mut Cursor, first: &str, start: &Cursor) -> Result<(String, Property)> {
    let mut word = first;
    while matches!(
        word,
        "custom" | "uniform" | "varying" | "config" | "prepend" | "append" | "add" | "delete" | "reorder"
    ) {
        word = cursor.word();
    }
    if word.is_empty() {
        return Err(start.wrong("a property"));
    }
    let mut property = Property { type_name: word.to_string(), ..Property::default() };
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
            "" if word == "rel" => property.targets = Some(Slot::Text(cursor.skip_value()?)),
            "" => property.default = Some(Slot::Text(cursor.skip_value()?)),
            _ => _ = cursor.skip_value()?,
        }
    }
    cursor.skip_blanks();
    let mut told = metadata(cursor)?;
    property.interpolation = told.remove("interpolation");
    property.element_size = told.remove("elementSize");
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
fn merge(prim: &mut Prim, name: String, piece: Property) {
    let whole = prim.properties.entry(name).or_default();
    whole.type_name = piece.type_name;
    whole.default = piece.default.or(whole.default.take());
    whole.samples = piece.samples.or(whole.samples.take());
    whole.interpolation = piece.interpolation.or(whole.interpolation.take());
    whole.element_size = piece.element_size.or(whole.element_size.take());
    whole.targets = piece.targets.or(whole.targets.take());
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
    fn variants_are_left_out_and_pieces_of_a_property_are_put_together() {
        let text = r#"#usda 1.0
            over "a" ( add variantSets = "v" ) {
                variantSet "v" = { "w" { def Mesh "m" {} int x = 1 } }
                int y = 2
                int y.timeSamples = { 1: 3 }
            }
            def Mesh "b" {}"#;
        let contents = parse(text).unwrap();
        assert_eq!(contents.prims.keys().collect::<Vec<_>>(), ["/a", "/b"]);
        let properties = &contents.prims["/a"].properties;
        assert_eq!(properties.keys().collect::<Vec<_>>(), ["y"]);
        assert!(properties["y"].default.is_some() && properties["y"].samples.is_some());
        assert_eq!(contents.prims["/a"].composed, Some("variantSets"));
    }
}
