//! Writing .usdc, version 0.8. Facts from the sources of OpenUSD (`pxr/usd/sdf/crateFile.cpp`).
//!
//! Values are written as frames come; the tables that name them follow, and the header with the tables' positions is
//! filled in last.

use super::content::Content;
use super::prim::{Attribute, Constant, Fixed, Meta, Prim, whole_numbers};
use super::{FrameData, Frames};
use crate::atomic::AtomicFile;
use crate::usd::pack::{pack, pack_integers};
use sinew_base::error::Result;
use sinew_math::Real;
use std::collections::HashMap;

const VERSION: [u8; 8] = [0, 8, 0, 0, 0, 0, 0, 0];
/// Bytes of the header: magic, the version, the position of the table of sections, and padding.
const HEAD: u64 = 88;
/// Shorter arrays are never compressed.
const MIN_COMPRESSED: usize = 16;

const BOOL: u64 = 1;
const INT: u64 = 3;
const DOUBLE: u64 = 9;
const STRING: u64 = 10;
const TOKEN: u64 = 11;
const DICTIONARY: u64 = 31;
const PATH_LIST: u64 = 34;
const TOKEN_VECTOR: u64 = 41;
const SPECIFIER: u64 = 42;
const VARIABILITY: u64 = 44;
const TIME_SAMPLES: u64 = 46;
const DOUBLE_VECTOR: u64 = 48;
const LAYER_OFFSET_VECTOR: u64 = 49;
const STRING_VECTOR: u64 = 50;
const VALUE_BLOCK: u64 = 51;
const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;
const COMPRESSED: u64 = 1 << 61;

const DEFINED: u64 = 0;
const OVER: u64 = 1;
const UNIFORM: u64 = 1;

/// The number of the type of single-precision values, or of a matrix or pairs in double precision.
fn type_of(width: usize, double: bool) -> u64 {
    match width {
        2 if double => 19,
        1 => 8,
        2 => 20,
        3 => 24,
        4 => 28,
        _ => 15,
    }
}

/// The type of an entry in the tree of paths.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Attribute = 1,
    Prim = 6,
    Root = 7,
    Relationship = 8,
}

/// An entry of the tree: its depth, its name, its type and the start of its fields.
struct Entry {
    depth: usize,
    name: u32,
    kind: Kind,
    fields: u32,
}

/// An animated property: the positions of each frame's values.
#[derive(Default)]
struct Track {
    last: Vec<Real>,
    places: Vec<u64>,
}

/// Writes everything; false if a frame does not fit, and the file is then invalid.
pub(super) fn write(content: &Content, frames: &mut Frames, file: &mut AtomicFile) -> Result<bool> {
    let mut out = Out::new(file)?;
    let mut tracks: Vec<Vec<Track>> =
        content.prims.iter().map(|p| p.attributes.iter().map(|_| Track::default()).collect()).collect();
    for index in 0..frames.numbers.len() {
        let (frame, data) = frames.read(index)?;
        if !content.fits(&data).map_err(|e| e.frame(frame))? {
            return Ok(false);
        }
        for (prim, tracks) in content.prims.iter().zip(&mut tracks) {
            out.frame(prim, tracks, &data).map_err(|e| e.frame(frame))?;
        }
    }
    let times = out.times(content, frames.numbers)?;
    out.root(content)?;
    for (prim, tracks) in content.prims.iter().zip(tracks) {
        out.prim(content, prim, &tracks, times)?;
    }
    out.tables()?;
    Ok(true)
}

struct Out<'a> {
    file: &'a mut AtomicFile,
    at: u64,
    tokens: Vec<String>,
    token_of: HashMap<String, u32>,
    /// The tokens of strings.
    strings: Vec<u32>,
    /// The name of each field and its value.
    fields: Vec<(u32, u64)>,
    /// Lists of fields; each ends with an invalid number.
    sets: Vec<u32>,
    tree: Vec<Entry>,
}

impl<'a> Out<'a> {
    fn new(file: &'a mut AtomicFile) -> Result<Self> {
        let (tokens, token_of) = (Vec::new(), HashMap::new());
        let (strings, fields, sets, tree) = (vec![], vec![], vec![], vec![]);
        let mut out = Out { file, at: 0, tokens, token_of, strings, fields, sets, tree };
        out.put(&[0; HEAD as usize])?;
        // The names of properties are stored negated, so the first token may not be one.
        out.token("/");
        Ok(out)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.at += bytes.len() as u64;
        self.file.put(bytes)
    }

    fn put_number(&mut self, number: u64) -> Result<()> {
        self.put(&number.to_le_bytes())
    }

    fn put_sized(&mut self, bytes: &[u8]) -> Result<()> {
        self.put_number(bytes.len() as u64)?;
        self.put(bytes)
    }

    /// Aligns a value: readers that map the file expect multiples of eight bytes.
    fn place(&mut self) -> Result<u64> {
        self.put(&[0; 8][..(self.at.next_multiple_of(8) - self.at) as usize])?;
        Ok(self.at)
    }

    fn token(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.token_of.get(text) {
            return known;
        }
        let new = self.tokens.len() as u32;
        self.tokens.push(text.to_string());
        self.token_of.insert(text.to_string(), new);
        new
    }

    fn text(&mut self, text: &str) -> u64 {
        INLINED | TOKEN << 48 | u64::from(self.token(text))
    }

    /// The index of a string in their table.
    fn string(&mut self, text: &str) -> u32 {
        let token = self.token(text);
        self.strings.push(token);
        self.strings.len() as u32 - 1
    }

    /// A dictionary: each name is followed by the offset of its value, which comes directly after.
    fn dictionary(&mut self, texts: &[(String, String)]) -> Result<u64> {
        let place = self.place()?;
        self.put_number(texts.len() as u64)?;
        for (name, text) in texts {
            let (name, text) = (self.string(name), self.string(text));
            self.put(&name.to_le_bytes())?;
            self.put_number(8)?;
            self.put_number(INLINED | STRING << 48 | u64::from(text))?;
        }
        Ok(DICTIONARY << 48 | place)
    }

    /// Sublayers, each with the identity time offset.
    fn files(&mut self, files: &[String]) -> Result<[(&'static str, u64); 2]> {
        let strings: Vec<u32> = files.iter().map(|file| self.string(file)).collect();
        let place = self.place()?;
        self.put_number(files.len() as u64)?;
        self.put(&bytes(strings.iter().map(|string| string.to_le_bytes())))?;
        let offsets = self.place()?;
        self.put_number(files.len() as u64)?;
        for _ in files {
            self.put(&bytes([0.0 as Real, 1.0].into_iter().map(Real::to_le_bytes)))?;
        }
        let offsets = ("subLayerOffsets", LAYER_OFFSET_VECTOR << 48 | offsets);
        Ok([("subLayers", STRING_VECTOR << 48 | place), offsets])
    }

    /// A list of texts, of one of the two types that there are.
    fn texts<'t>(&mut self, kind: u64, texts: impl Iterator<Item = &'t str>) -> Result<u64> {
        let tokens: Vec<u32> = texts.map(|text| self.token(text)).collect();
        let place = self.place()?;
        self.put_number(tokens.len() as u64)?;
        self.put(&bytes(tokens.iter().map(|token| token.to_le_bytes())))?;
        Ok(kind | place)
    }

    fn number(&mut self, number: Real) -> Result<u64> {
        let place = self.place()?;
        self.put(&number.to_le_bytes())?;
        Ok(DOUBLE << 48 | place)
    }

    fn integers(&mut self, list: &[u32]) -> Result<u64> {
        let place = if list.is_empty() { 0 } else { self.place()? };
        let rep = ARRAY | INT << 48 | place;
        if list.is_empty() {
            return Ok(rep);
        }
        self.put_number(list.len() as u64)?;
        if list.len() < MIN_COMPRESSED {
            self.put(&bytes(list.iter().map(|k| k.to_le_bytes())))?;
            return Ok(rep);
        }
        self.put_sized(&pack_integers(list.iter().map(|&k| k as i32)))?;
        Ok(rep | COMPRESSED)
    }

    /// A list of values, or one matrix.
    fn numbers(&mut self, numbers: &[Real], attribute: &Attribute) -> Result<u64> {
        let (width, double) = (attribute.width, attribute.double());
        let kind = type_of(width, double) << 48;
        if attribute.matrix() {
            let place = self.place()?;
            self.put(&bytes(numbers.iter().map(|n| n.to_le_bytes())))?;
            return Ok(kind | place);
        }
        if numbers.is_empty() {
            return Ok(ARRAY | kind);
        }
        let place = self.place()?;
        self.put_number((numbers.len() / width) as u64)?;
        match double {
            true => self.put(&bytes(numbers.iter().map(|n| n.to_le_bytes())))?,
            false => self.put(&bytes(numbers.iter().map(|&n| (n as f32).to_le_bytes())))?,
        }
        Ok(ARRAY | kind | place)
    }

    /// Stores what changed since the frame before.
    fn frame(&mut self, prim: &Prim, tracks: &mut [Track], data: &FrameData) -> Result<()> {
        for (attribute, track) in prim.attributes.iter().zip(tracks) {
            let numbers = attribute.numbers(data)?;
            let place = match track.places.last() {
                Some(&same) if numbers == track.last => same,
                _ if attribute.whole() => self.integers(&whole_numbers(&numbers))?,
                _ => self.numbers(&numbers, attribute)?,
            };
            track.places.push(place);
            track.last = numbers;
        }
        Ok(())
    }

    /// The frames as time codes, which all samples share.
    fn times(&mut self, content: &Content, frames: &[i64]) -> Result<u64> {
        let place = self.place()?;
        self.put_number(frames.len() as u64)?;
        self.put(&bytes(frames.iter().map(|&f| content.time(f).to_le_bytes())))?;
        Ok(DOUBLE_VECTOR << 48 | place)
    }

    fn samples(&mut self, times: u64, places: &[u64]) -> Result<u64> {
        let place = self.place()?;
        // Both parts follow directly: offsets are relative to the fields that hold them, so each is the size of the
        // field, 8.
        self.put_number(8)?;
        self.put_number(times)?;
        self.put_number(8)?;
        self.put_number(places.len() as u64)?;
        self.put(&bytes(places.iter().map(|p| p.to_le_bytes())))?;
        Ok(TIME_SAMPLES << 48 | place)
    }

    /// Adds an entry to the tree, which grows from the root downwards.
    fn entry(&mut self, depth: usize, name: &str, kind: Kind, fields: &[(&str, u64)]) {
        let (name, start) = (self.token(name), self.sets.len() as u32);
        for &(name, value) in fields {
            let field = (self.token(name), value);
            self.sets.push(self.fields.len() as u32);
            self.fields.push(field);
        }
        self.sets.push(u32::MAX);
        self.tree.push(Entry { depth, name, kind, fields: start });
    }

    fn root(&mut self, content: &Content) -> Result<()> {
        let mut fields = Vec::new();
        for (name, value) in &content.metadata {
            let value = match value {
                Meta::Token(text) => self.text(text),
                Meta::Text(text) => INLINED | STRING << 48 | u64::from(self.string(text)),
                Meta::Texts(texts) => self.dictionary(texts)?,
                Meta::Files(files) => {
                    fields.extend(self.files(files)?);
                    continue;
                }
                Meta::Number(number) => self.number(*number)?,
            };
            fields.push((*name, value));
        }
        let inner: Vec<&str> = content.prims.iter().map(|prim| prim.name.as_str()).collect();
        let outer: Vec<Vec<&str>> = content.outer.iter().map(|name| vec![name.as_str()]).collect();
        let mut children = outer.iter().chain([&inner]);
        if let Some(names) = children.next() {
            fields.push(("primChildren", self.texts(TOKEN_VECTOR << 48, names.iter().copied())?));
        }
        self.entry(0, "/", Kind::Root, &fields);
        for (depth, (name, names)) in content.outer.iter().zip(children).enumerate() {
            let children = self.texts(TOKEN_VECTOR << 48, names.iter().copied())?;
            let mut fields = self.prim_head(content, "Xform");
            if content.parted.contains(&depth) {
                fields.push(("instanceable", INLINED | BOOL << 48));
            }
            fields.push(("primChildren", children));
            self.entry(depth + 1, name, Kind::Prim, &fields);
        }
        Ok(())
    }

    /// The type of a prim in another file is stated there.
    fn prim_head(&mut self, content: &Content, type_name: &str) -> Vec<(&'static str, u64)> {
        if content.over {
            return vec![("specifier", INLINED | SPECIFIER << 48 | OVER)];
        }
        vec![("specifier", INLINED | SPECIFIER << 48 | DEFINED), ("typeName", self.text(type_name))]
    }

    fn prim(&mut self, content: &Content, prim: &Prim, tracks: &[Track], times: u64) -> Result<()> {
        let constants = prim.constants.iter().map(|constant| constant.name.as_str());
        let names = constants.chain(prim.attributes.iter().map(|attribute| attribute.name.as_str()));
        let properties = self.texts(TOKEN_VECTOR << 48, names)?;
        let depth = content.outer.len() + 1;
        let mut fields = self.prim_head(content, prim.type_name);
        fields.push(("properties", properties));
        self.entry(depth, &prim.name, Kind::Prim, &fields);
        prim.constants.iter().try_for_each(|constant| self.constant(depth + 1, constant))?;
        for (attribute, track) in prim.attributes.iter().zip(tracks) {
            self.attribute(depth + 1, attribute, track, times)?;
        }
        Ok(())
    }

    fn constant(&mut self, depth: usize, constant: &Constant) -> Result<()> {
        let value = match &constant.value {
            Fixed::Text(text) => self.text(text),
            Fixed::Texts(texts) => self.texts(ARRAY | TOKEN << 48, texts.iter().copied())?,
            Fixed::Integers(list) => self.integers(list)?,
            Fixed::Blocked(_) => INLINED | VALUE_BLOCK << 48,
            Fixed::Unbound => {
                let place = self.place()?;
                // The list is explicit, and no items follow.
                self.put(&[1])?;
                let uniform = ("variability", INLINED | VARIABILITY << 48 | UNIFORM);
                let fields = [uniform, ("targetPaths", PATH_LIST << 48 | place)];
                self.entry(depth, &constant.name, Kind::Relationship, &fields);
                return Ok(());
            }
        };
        let mut fields = vec![("typeName", self.text(constant.value.type_name())), ("default", value)];
        if constant.value.uniform() {
            fields.push(("variability", INLINED | VARIABILITY << 48 | UNIFORM));
        }
        self.property(depth, &constant.name, "", fields);
        Ok(())
    }

    fn attribute(&mut self, depth: usize, attribute: &Attribute, track: &Track, times: u64) -> Result<()> {
        let value = match track.places[..] {
            [first, ref later @ ..] if later.iter().all(|&place| place == first) => ("default", first),
            _ => ("timeSamples", self.samples(times, &track.places)?),
        };
        let fields = vec![("typeName", self.text(attribute.type_name)), value];
        self.property(depth, &attribute.name, attribute.interpolation, fields);
        Ok(())
    }

    fn property(&mut self, depth: usize, name: &str, interpolation: &str, mut fields: Vec<(&str, u64)>) {
        if !interpolation.is_empty() {
            fields.push(("interpolation", self.text(interpolation)));
        }
        self.entry(depth, name, Kind::Attribute, &fields);
    }

    /// Everything except values, the table of sections, and the header.
    fn tables(&mut self) -> Result<()> {
        let names = ["TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"];
        let mut sections = Vec::new();
        for name in names {
            let start = self.place()?;
            match name {
                "TOKENS" => self.put_tokens()?,
                "STRINGS" => {
                    self.put_number(self.strings.len() as u64)?;
                    let strings = bytes(self.strings.iter().map(|token| token.to_le_bytes()));
                    self.put(&strings)?;
                }
                "FIELDS" => self.put_fields()?,
                "FIELDSETS" => self.put_sets()?,
                "PATHS" => self.put_paths()?,
                _ => self.put_specs()?,
            }
            let mut section = [0; 16];
            section[..name.len()].copy_from_slice(name.as_bytes());
            sections.extend(section);
            sections.extend(start.to_le_bytes());
            sections.extend((self.at - start).to_le_bytes());
        }
        let table = self.place()?;
        self.put_number(names.len() as u64)?;
        self.put(&sections)?;
        self.file.go_to(0)?;
        self.file.put(&[*b"PXR-USDC", VERSION, table.to_le_bytes()].concat())
    }

    fn put_tokens(&mut self) -> Result<()> {
        let names: Vec<u8> = self.tokens.iter().flat_map(|name| [name.as_bytes(), &[0]].concat()).collect();
        self.put_number(self.tokens.len() as u64)?;
        self.put_number(names.len() as u64)?;
        self.put_sized(&pack(&names))
    }

    fn put_fields(&mut self) -> Result<()> {
        self.put_number(self.fields.len() as u64)?;
        self.put_sized(&pack_integers(self.fields.iter().map(|&(name, _)| name as i32)))?;
        self.put_sized(&pack(&bytes(self.fields.iter().map(|(_, value)| value.to_le_bytes()))))
    }

    fn put_sets(&mut self) -> Result<()> {
        self.put_number(self.sets.len() as u64)?;
        self.put_sized(&pack_integers(self.sets.iter().map(|&k| k as i32)))
    }

    fn put_paths(&mut self) -> Result<()> {
        let count = self.tree.len();
        let name = |entry: &Entry| match entry.kind {
            Kind::Attribute | Kind::Relationship => -(entry.name as i32),
            _ => entry.name as i32,
        };
        let places = pack_integers(0..count as i32);
        let names = pack_integers(self.tree.iter().map(name));
        let jumps = pack_integers((0..count).map(|k| jump(&self.tree[k..])));
        self.put_number(count as u64)?;
        self.put_number(count as u64)?;
        [places, names, jumps].iter().try_for_each(|list| self.put_sized(list))
    }

    fn put_specs(&mut self) -> Result<()> {
        self.put_number(self.tree.len() as u64)?;
        self.put_sized(&pack_integers(0..self.tree.len() as i32))?;
        self.put_sized(&pack_integers(self.tree.iter().map(|entry| entry.fields as i32)))?;
        self.put_sized(&pack_integers(self.tree.iter().map(|entry| entry.kind as i32)))
    }
}

/// Consecutive numbers.
fn bytes<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    let mut all = Vec::with_capacity(N * numbers.size_hint().0);
    numbers.for_each(|number| all.extend(number));
    all
}

/// The continuation of the tree after its first entry: -2 at a leaf, -1 to an only child, 0 to a sibling alone,
/// otherwise the distance to the sibling, which comes after the children.
fn jump(tree: &[Entry]) -> i32 {
    let depth = tree[0].depth;
    let below = tree[1..].iter().take_while(|entry| entry.depth > depth).count();
    let sibling = tree.get(below + 1).is_some_and(|entry| entry.depth == depth);
    match (below, sibling) {
        (0, false) => -2,
        (0, true) => 0,
        (_, false) => -1,
        (_, true) => below as i32 + 1,
    }
}
