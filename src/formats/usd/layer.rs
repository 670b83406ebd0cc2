//! The contents of a file, in any of the three forms: prims with properties whose values are read on demand.

use super::binary::Binary;
use super::prim::{Contents, Samples, Slot, Value};
use super::text;
use crate::error::{Error, Kind, Result};
use crate::formats::file;
use crate::math::Real;
use std::path::Path;

#[derive(Debug)]
enum Source {
    Text(String),
    Binary(Box<Binary>),
}

#[derive(Debug)]
pub(super) struct Layer {
    pub contents: Contents,
    source: Source,
}

impl Layer {
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = file::read(path)?;
        Layer::parse(bytes)
    }

    /// Reads a file in any of the three forms, detected by its first bytes.
    pub fn parse(bytes: Vec<u8>) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::new(Kind::Parse, "the file is empty: was writing it interrupted?"));
        }
        if bytes.starts_with(b"PK\x03\x04") {
            let inner = first_entry(bytes)?;
            if inner.starts_with(b"PK") {
                return Err(Error::new(Kind::Parse, "an archive inside an archive"));
            }
            return Layer::parse(inner);
        }
        if bytes.starts_with(b"PXR-USDC") {
            let (binary, contents) = Binary::read(bytes)?;
            return Ok(Layer { contents, source: Source::Binary(Box::new(binary)) });
        }
        let text = String::from_utf8(bytes).map_err(|e| {
            let error = Error::new(Kind::Parse, "this is neither .usda, .usdc nor .usdz");
            error.offset(e.utf8_error().valid_up_to() as u64)
        })?;
        if !text.starts_with("#usda") {
            let begins: String = text.chars().take(10).collect();
            let message = format!("this is neither .usda, .usdc nor .usdz: it begins with {begins:?}");
            return Err(Error::new(Kind::Parse, message).line(1));
        }
        let contents = text::parse(&text)?;
        Ok(Layer { contents, source: Source::Text(text) })
    }

    /// Bytes of the file.
    pub fn size(&self) -> usize {
        match &self.source {
            Source::Text(text) => text.len(),
            Source::Binary(binary) => binary.size(),
        }
    }

    pub fn value(&self, slot: &Slot) -> Result<Value> {
        match (slot, &self.source) {
            (Slot::Text(range), Source::Text(text)) => text::value(text, range.clone()),
            (Slot::Binary(rep), Source::Binary(binary)) => binary.value(*rep),
            _ => Err(Error::new(Kind::Internal, "a value of another layer")),
        }
    }

    pub fn samples(&self, samples: &Samples) -> Result<Vec<(Real, Slot)>> {
        let mut list = match (samples, &self.source) {
            (Samples::Listed(list), _) => list.clone(),
            (Samples::Binary(rep), Source::Binary(binary)) => binary.samples(*rep)?,
            _ => return Err(Error::new(Kind::Internal, "samples of another layer")),
        };
        if let Some((time, _)) = list.iter().find(|(time, _)| !time.is_finite()) {
            return Err(Error::new(Kind::NotFinite, format!("a sample's time is {time}")));
        }
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(list)
    }
}

/// The first file of a .usdz archive, which is the root layer; such an archive is never compressed.
fn first_entry(mut bytes: Vec<u8>) -> Result<Vec<u8>> {
    const HEADER: usize = 30;
    let wrong = |message: &str| Error::new(Kind::Parse, format!("as a .usdz archive: {message}"));
    let short = |at: usize| bytes.get(at..at + 2).map(|b| usize::from(u16::from_le_bytes([b[0], b[1]])));
    let long = |at: usize| Some(short(at)? | short(at + 2)? << 16);
    let read = || Some((short(6)?, short(8)?, long(18)?, long(22)?, short(26)?, short(28)?));
    let Some((flags, method, packed, size, name, extra)) = read() else {
        return Err(wrong("the header is cut off"));
    };
    if method != 0 || flags & 0x9 != 0 || packed != size {
        return Err(wrong("the first file is compressed, encrypted or without its size"));
    }
    let start = HEADER + name + extra;
    if start + size > bytes.len() {
        return Err(wrong("the first file is truncated"));
    }
    bytes.truncate(start + size);
    bytes.drain(..start);
    Ok(bytes)
}
