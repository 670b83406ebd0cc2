//! Reads a file with the bytes of its elements, attributes, and what stands between them.

use super::{Authored, Id, Node, Piece, Written, too_many};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use sinew_base::error::{Error, Kind, Result};

/// Elements nested deeper than this are not a scene.
const MAX_DEPTH: usize = 64;
/// No element has that many attributes; each is compared with all before it.
const MAX_ATTRIBUTES: usize = 64;
/// The byte order mark.
const MARK: char = '\u{feff}';

/// The lines of a text that is scanned once.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of a byte not before the last one requested.
    fn at(&mut self, byte: u64) -> u64 {
        let to = (byte as usize).clamp(self.at, self.text.len());
        // A carriage return alone ends a line, too.
        let ends = (self.at..to).filter(|&k| match self.text[k] {
            b'\n' => true,
            b'\r' => self.text.get(k + 1) != Some(&b'\n'),
            _ => false,
        });
        self.line += ends.count() as u64;
        self.at = to;
        self.line
    }
}

/// Reads a text once.
pub(super) struct Parser<'a> {
    text: &'a str,
    lines: Lines<'a>,
    elements: Vec<Option<Node>>,
    open: Vec<Id>,
    root: Option<Id>,
    before: String,
    after: String,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Self {
        // Positions are counted after a byte order mark, as the reader does.
        let (mark, text) = text.split_at(if text.starts_with(MARK) { MARK.len_utf8() } else { 0 });
        Parser {
            text,
            lines: Lines { text: text.as_bytes(), at: 0, line: 1 },
            elements: Vec::new(),
            open: Vec::new(),
            root: None,
            before: mark.into(),
            after: String::new(),
        }
    }

    pub fn whole(mut self) -> Result<Authored> {
        let mut reader = Reader::from_str(self.text);
        loop {
            let begin = reader.buffer_position();
            let event = reader.read_event();
            let line = self.lines.at(begin);
            let event = match event {
                Ok(event) => event,
                Err(e) => {
                    let line = self.lines.at(reader.error_position().max(begin));
                    return Err(Error::new(Kind::Parse, e.to_string()).line(line));
                }
            };
            if matches!(event, Event::Eof) {
                return self.finished();
            }
            let source = &self.text[begin as usize..reader.buffer_position() as usize];
            self.take(event, source, line).map_err(|e| e.line(line))?;
        }
    }

    /// Takes what comes next, with its bytes.
    fn take(&mut self, event: Event, source: &str, line: u64) -> Result<()> {
        let wrong = |kind, message: &str| Err(Error::new(kind, message));
        match event {
            Event::Start(start) => {
                if self.open.len() == MAX_DEPTH {
                    return Err(Error::new(Kind::TooLarge, format!("more than {MAX_DEPTH} elements deep")));
                }
                let id = self.element(&start, source, line)?;
                self.open.push(id);
            }
            Event::Empty(start) => drop(self.element(&start, source, line)?),
            Event::End(_) => match self.open.pop() {
                Some(id) => self.at(id).closing = Some(source.into()),
                None => return wrong(Kind::Parse, "an end tag without a start tag"),
            },
            Event::Text(t) if t.trim_ascii().is_empty() => self.between(source),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => self.between(source),
            Event::DocType(_) => return wrong(Kind::Unsupported, "document types are not allowed"),
            _ => return wrong(Kind::Parse, "text between elements; values belong in attributes"),
        }
        Ok(())
    }

    fn at(&mut self, id: Id) -> &mut Node {
        // Every id of this reader has its element.
        self.elements[id.0 as usize].get_or_insert_with(|| Node::new("", None))
    }

    fn between(&mut self, source: &str) {
        match (self.open.last().copied(), self.root) {
            (Some(id), _) => self.at(id).between(source),
            (None, None) => self.before += source,
            (None, Some(_)) => self.after += source,
        }
    }

    fn element(&mut self, start: &BytesStart, source: &str, line: u64) -> Result<Id> {
        let id = Id(u32::try_from(self.elements.len()).map_err(|_| too_many())?);
        let parent = self.open.last().copied();
        let mut node = Node { line, ..Node::new(start.name().as_ref(), parent) };
        read_attributes(&mut node, start, source)?;
        self.elements.push(Some(node));
        match parent {
            Some(parent) => self.at(parent).content.push(Piece::Element(id)),
            None if self.root.is_none() => self.root = Some(id),
            None => return Err(Error::new(Kind::Parse, "a second root element")),
        }
        Ok(id)
    }

    fn finished(mut self) -> Result<Authored> {
        if let Some(id) = self.open.last().copied() {
            let node = self.at(id);
            let message = format!("<{}> of line {} is not closed", node.name, node.line);
            return Err(Error::new(Kind::Parse, message).line(self.lines.at(u64::MAX)));
        }
        let root = self.root.ok_or_else(|| Error::new(Kind::Parse, "the file contains no element"))?;
        let line_end = match (self.text.contains("\r\n"), self.text.contains('\n')) {
            (true, _) => "\r\n",
            (false, false) if self.text.contains('\r') => "\r",
            _ => "\n",
        };
        Ok(Authored { elements: self.elements, root, before: self.before, after: self.after, line_end })
    }
}

/// Reads the attributes of a tag with the bytes of each.
fn read_attributes(node: &mut Node, start: &BytesStart, source: &str) -> Result<()> {
    let wrong = |message: String| Error::new(Kind::Parse, message);
    let inside =
        source.strip_prefix('<').and_then(|rest| rest.strip_prefix(node.name.as_str())).unwrap_or("");
    let mut rest = inside.strip_suffix("/>").or_else(|| inside.strip_suffix('>')).unwrap_or(inside);
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|e| wrong(format!("<{}>: {e}", node.name)))?;
        if node.attributes.len() == MAX_ATTRIBUTES {
            return Err(wrong(format!("<{}> has more than {MAX_ATTRIBUTES} attributes", node.name)));
        }
        let name = attribute.key.as_ref().to_string();
        let value = attribute
            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
            .map_err(|e| wrong(format!("the attribute {name}: {e}")))?
            .into_owned();
        let (space, raw, after) = cut(rest);
        node.attributes.push(Written { space: space.into(), name, value, raw: Some(raw.into()) });
        rest = after;
    }
    node.tail = rest.into();
    Ok(())
}

/// Cuts the bytes of the first attribute, whose quotes are closed, from a tag: the white space before it, itself, and
/// the rest.
fn cut(tag: &str) -> (&str, &str, &str) {
    let (space, attribute) = tag.split_at(tag.len() - tag.trim_start().len());
    let end = attribute.find(['"', '\'']).and_then(|open| {
        let quote = &attribute[open..=open];
        attribute[open + 1..].find(quote).map(|length| open + length + 2)
    });
    let (raw, rest) = attribute.split_at(end.unwrap_or(attribute.len()));
    (space, raw, rest)
}
