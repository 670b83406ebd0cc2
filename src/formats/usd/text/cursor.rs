//! A position in a text, and what can be read there.

use sinew_base::error::{Error, Kind, Result};
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
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn wrong(&self, expected: &str) -> Error {
        let line = self.text[..self.at].bytes().filter(|&b| b == b'\n').count() as u64 + 1;
        let found: String = self.rest().chars().take(24).collect();
        let found = if found.is_empty() { "the end of the file".into() } else { format!("{found:?}") };
        Error::new(Kind::Parse, format!("{found} where {expected} is expected")).line(line)
    }

    /// Skips bytes of a class; texts are long, so this is the hot loop.
    pub fn pass(&mut self, kind: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&b| !kind(b)).unwrap_or(rest.len());
    }

    /// Skips whitespace and comments.
    pub fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            self.pass(|b| b.is_ascii_whitespace());
            if bytes.get(self.at) != Some(&b'#') {
                return;
            }
            self.pass(|b| b != b'\n');
        }
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips whitespace and this character, if it is there.
    pub fn accept(&mut self, character: char) -> bool {
        self.skip_blanks();
        let there = self.rest().starts_with(character);
        self.at += if there { character.len_utf8() } else { 0 };
        there
    }

    pub fn expect(&mut self, character: char) -> Result<()> {
        match self.accept(character) {
            true => Ok(()),
            false => Err(self.wrong(&format!("{character:?}"))),
        }
    }

    /// A run of characters allowed in names, numbers and types; may be empty.
    pub fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let start = self.at;
        self.pass(|b| !b.is_ascii_whitespace() && !MARKS[usize::from(b)]);
        &self.text[start..self.at]
    }

    /// A text in quotes of any of the four kinds.
    pub fn quoted(&mut self) -> Result<String> {
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
    pub fn between(&mut self, open: &str, close: &str) -> Result<&'a str> {
        let start = *self;
        self.at += open.len();
        let end = self.rest().find(close).ok_or_else(|| start.wrong("a closing delimiter"))?;
        let inside = &self.rest()[..end];
        self.at += end + close.len();
        Ok(inside)
    }

    /// One atomic piece of a value.
    pub fn atom(&mut self) -> Result<Atom<'a>> {
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
    pub fn skip_value(&mut self) -> Result<Range<usize>> {
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

pub(super) enum Atom<'a> {
    Text(String),
    Word(&'a str),
}
