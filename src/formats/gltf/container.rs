//! The parts of a file: its JSON, and the bytes of its buffers.

use super::document::{BINARY, Buffer, Document, JSON};
use crate::file;
use sinew_base::error::{Error, Kind, Result};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The bytes of a buffer, or why there are none.
pub(super) type Bytes = Result<Arc<[u8]>>;

/// Splits a file into its JSON and, if it is binary and has one, the chunk of its first buffer.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let word = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let cut = || Error::new(Kind::Parse, "the file ends before its last chunk: it is incomplete");
    let (version, length) = (word(4).ok_or_else(cut)?, word(8).ok_or_else(cut)? as usize);
    if version != 2 {
        let message = format!("glTF {version}; version 2 is read");
        return Err(Error::new(Kind::WrongVersion, message));
    }
    let all = bytes.get(..length).ok_or_else(cut)?;
    let chunk = |at: usize| -> Result<(u32, &[u8])> {
        let size = word(at).ok_or_else(cut)? as usize;
        let kind = word(at + 4).ok_or_else(cut)?;
        let end = (at + 8).checked_add(size).ok_or_else(cut)?;
        Ok((kind, all.get(at + 8..end).ok_or_else(cut)?))
    };
    let (kind, json) = chunk(12)?;
    if kind != JSON {
        return Err(Error::new(Kind::Parse, "the first chunk is not JSON"));
    }
    let next = 20 + json.len();
    let binary = if next < all.len() { Some(chunk(next)?) } else { None };
    Ok((json, binary.filter(|(kind, _)| *kind == BINARY).map(|(_, bytes)| bytes)))
}

/// Reads the JSON.
pub(super) fn document(json: &[u8]) -> Result<Document> {
    let text = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    serde_json::from_slice(text).map_err(|e| Error::new(Kind::Parse, e.to_string()))
}

/// The bytes of all buffers: the file's own chunk, text inside it, or files beside it. Several may share one.
pub(super) fn buffers(document: &Document, own: Option<&[u8]>, path: Option<&Path>) -> Vec<Bytes> {
    let mut known: HashMap<&str, Bytes> = HashMap::new();
    let mut all = Vec::with_capacity(document.buffers.len());
    for (index, buffer) in document.buffers.iter().enumerate() {
        let load = |uri: &str| match uri.strip_prefix("data:") {
            Some(data) => inline(data).map(Arc::from),
            None => beside(uri, path).map(Arc::from),
        };
        let bytes = match (&buffer.uri, own) {
            (Some(uri), _) => known.entry(uri).or_insert_with(|| load(uri)).clone(),
            (None, Some(own)) if index == 0 => Ok(Arc::from(own)),
            (None, _) => {
                let message = "it has no bytes: is the mesh compressed? Export it without compression";
                Err(Error::new(Kind::MissingInput, message))
            }
        };
        all.push(
            bytes.and_then(|bytes| whole(bytes, buffer)).map_err(|e| e.element(&format!("buffer {index}"))),
        );
    }
    all
}

fn whole(bytes: Arc<[u8]>, buffer: &Buffer) -> Bytes {
    match bytes.len() >= buffer.byte_length {
        true => Ok(bytes),
        false => {
            let message = format!("it has {} bytes of {}", bytes.len(), buffer.byte_length);
            Err(Error::new(Kind::CountMismatch, message))
        }
    }
}

/// A file beside this one, or in a folder there.
fn beside(uri: &str, path: Option<&Path>) -> Result<Vec<u8>> {
    let outside = |why: &str| {
        let message = format!("the buffer {uri:?} {why}: it must be a file beside this one or below it");
        Error::new(Kind::Unsupported, message)
    };
    let folder = path.ok_or_else(|| outside("is elsewhere"))?.parent().unwrap_or(Path::new(""));
    let name = percent_decoded(uri).ok_or_else(|| outside("is no name of a file"))?;
    let relative = PathBuf::from(&name);
    let within = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if name.contains(['\\', ':', '\0']) || !relative.components().all(within) {
        return Err(outside("is elsewhere"));
    }
    file::read(&folder.join(relative))
}

fn percent_decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [first, more @ ..] = rest {
        (rest, _) = match (first, more) {
            (b'%', [high, low, more @ ..]) => {
                let digit = |d: &u8| char::from(*d).to_digit(16);
                (more, bytes.push((digit(high)? * 16 + digit(low)?) as u8))
            }
            _ => (more, bytes.push(*first)),
        };
    }
    String::from_utf8(bytes).ok()
}

/// The bytes of a data URI, after its `data:`.
fn inline(data: &str) -> Result<Vec<u8>> {
    let wrong = |message: &str| Error::new(Kind::Parse, message);
    let (head, text) = data.split_once(',').ok_or_else(|| wrong("a data URI without data"))?;
    if !head.ends_with(";base64") {
        return Err(Error::new(Kind::Unsupported, "a data URI that is not base64"));
    }
    from_base64(text.as_bytes()).ok_or_else(|| wrong("the data URI is not base64"))
}

fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    let six = |letter: &u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut word = 0;
        for letter in group {
            word = word << 6 | u32::from(six(letter)?);
        }
        let whole = word << (6 * (4 - group.len()));
        let count = match group.len() {
            1 => return None,
            letters => letters - 1,
        };
        bytes.extend_from_slice(&whole.to_be_bytes()[1..1 + count]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_uris_is_decoded() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(from_base64(coded.as_bytes()).unwrap(), plain.as_bytes());
        }
        assert_eq!(from_base64(b"+/+/").unwrap(), [0xfb, 0xff, 0xbf]);
        assert!(["Z", "Zg=a", "Z g=", "Zm9vY"].iter().all(|text| from_base64(text.as_bytes()).is_none()));
        assert_eq!(percent_decoded("a%20b%C3%A4.bin").unwrap(), "a bä.bin");
        assert!(["%zz", "%ff"].iter().all(|text| percent_decoded(text).is_none()));
        assert_eq!(percent_decoded("100%").unwrap(), "100%");
    }

    #[test]
    fn buffers_stay_beside_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("in");
        std::fs::create_dir_all(inner.join("deep")).unwrap();
        std::fs::write(folder.path().join("out.bin"), b"x").unwrap();
        std::fs::write(inner.join("a b.bin"), b"ab").unwrap();
        std::fs::write(inner.join("deep/c.bin"), b"c").unwrap();
        let read = |uri: &str| beside(uri, Some(&inner.join("a.gltf")));
        assert_eq!(
            (read("a%20b.bin").unwrap(), read("./deep/c.bin").unwrap()),
            (b"ab".to_vec(), b"c".to_vec())
        );
        let absolute = folder.path().join("out.bin").display().to_string();
        for uri in
            ["../out.bin", "deep/../../out.bin", "%2e%2e/out.bin", &absolute, "file:out.bin", "..\\out.bin"]
        {
            assert_eq!(read(uri).unwrap_err().kind(), Kind::Unsupported, "{uri}");
        }
        assert_eq!(read("none.bin").unwrap_err().kind(), Kind::MissingFile);
    }
}
