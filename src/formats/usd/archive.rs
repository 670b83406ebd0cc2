//! `.usdz`: an archive of files that are never compressed; the first is the root layer.

use sinew_base::error::{Error, Kind, Result};
use std::ops::Range;

#[derive(Debug)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    /// The names and places of the files.
    files: Vec<(String, Range<usize>)>,
}

const HEADER: usize = 30;
const BEGIN: &[u8] = b"PK\x03\x04";

impl Archive {
    /// Whether bytes begin as an archive does.
    pub fn is(bytes: &[u8]) -> bool {
        bytes.starts_with(BEGIN)
    }

    /// Finds the files: each follows the one before.
    pub fn new(bytes: Vec<u8>) -> Result<Self> {
        let (mut files, mut at) = (Vec::new(), 0);
        while bytes.get(at..).is_some_and(Archive::is) {
            let (name, range) = entry(&bytes, at)?;
            at = range.end;
            files.push((name, range));
        }
        Ok(Archive { bytes, files })
    }

    /// The name of the root layer.
    pub fn first(&self) -> &str {
        self.files.first().map_or("", |(name, _)| name)
    }

    /// The bytes of a file; the root layer's if none is named.
    pub fn file(&self, name: Option<&str>) -> Result<Vec<u8>> {
        let found = match name {
            None => self.files.first(),
            Some(name) => self.files.iter().find(|(there, _)| there == name),
        };
        let missing = || Error::new(Kind::MissingFile, format!("there is no {:?} in it", name.unwrap_or("")));
        let (_, range) = found.ok_or_else(missing)?;
        let bytes = self.bytes[range.clone()].to_vec();
        match Archive::is(&bytes) {
            true => Err(Error::new(Kind::Parse, "an archive inside an archive")),
            false => Ok(bytes),
        }
    }
}

/// The file whose header is there.
fn entry(bytes: &[u8], at: usize) -> Result<(String, Range<usize>)> {
    let wrong = |message: &str| Error::new(Kind::Parse, format!("as a .usdz archive: {message}"));
    let head = bytes.get(at..at + HEADER).ok_or_else(|| wrong("the header is cut off"))?;
    let short = |k: usize| usize::from(u16::from_le_bytes([head[k], head[k + 1]]));
    let long = |k: usize| short(k) | short(k + 2) << 16;
    if short(8) != 0 || short(6) & 0x9 != 0 || long(18) != long(22) {
        return Err(wrong("a file is compressed, encrypted or without its size"));
    }
    let names = at + HEADER..at + HEADER + short(26);
    let start = names.end + short(28);
    match bytes.get(names).filter(|_| start + long(22) <= bytes.len()) {
        Some(name) => Ok((String::from_utf8_lossy(name).into_owned(), start..start + long(22))),
        None => Err(wrong("a file is truncated")),
    }
}
