//! Ogawa, the container: a tree of groups whose leaves are byte strings.
//!
//! | at | what |
//! |---|---|
//! | 0 | `Ogawa`, then 0xff when the file is complete, then the version 0, 1 |
//! | 8 | the position of the root group |
//! | a group | the number of its children, then the position of each; the top bit marks data |
//! | data | the number of its bytes, then the bytes |
//!
//! All numbers are 64-bit little-endian. Position 0 means an empty group or no bytes.

use super::murmur::murmur;
use sinew_base::error::{Error, Kind, Result};
use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom, Write};

const MAGIC: &[u8; 5] = b"Ogawa";
/// The message for the other kind of Alembic file.
const HDF5: &str = "an Alembic file in the old HDF5 container, which is not supported; re-export it as Ogawa";
const COMPLETE: u8 = 0xff;
const HEADER: u64 = 16;
const DATA: u64 = 1 << 63;
/// Bytes of the key before each sample.
pub(super) const KEY: usize = 16;

/// A child of a group: its position, and whether it is a group or data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child(u64);

impl Child {
    /// A group without children.
    pub const EMPTY_GROUP: Child = Child(0);
    /// No bytes.
    pub const NO_DATA: Child = Child(DATA);

    fn place(self) -> u64 {
        self.0 & !DATA
    }

    pub fn is_data(self) -> bool {
        self.0 & DATA != 0
    }
}

fn parse(message: impl Into<String>) -> Error {
    Error::new(Kind::Parse, message)
}

fn number(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(eight)
}

/// A container being read piece by piece; nothing is allocated that is larger than the file could fill.
#[derive(Debug)]
pub(super) struct Container<R> {
    input: R,
    length: u64,
    root: Child,
}

impl<R: Read + Seek> Container<R> {
    /// Reads the header.
    pub fn new(mut input: R) -> Result<Self> {
        let length = input.seek(SeekFrom::End(0)).map_err(|e| Error::new(Kind::Io, e.to_string()))?;
        let mut source = Container { input, length, root: Child::EMPTY_GROUP };
        if length < HEADER {
            return Err(parse(format!("{length} bytes are not an Alembic file")));
        }
        let header = source.read(0, HEADER)?;
        if &header[..5] != MAGIC {
            let hdf = header.starts_with(b"\x89HDF");
            let why = if hdf { HDF5 } else { "not an Alembic file" };
            return Err(Error::new(if hdf { Kind::Unsupported } else { Kind::Parse }, why));
        }
        if header[5] != COMPLETE {
            return Err(parse("the file is incomplete"));
        }
        if header[6..8] != [0, 1] {
            let message = format!("version {}.{} of the container is unknown", header[6], header[7]);
            return Err(Error::new(Kind::WrongVersion, message));
        }
        source.root = Child(number(&header[8..]));
        Ok(source)
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    pub fn root(&self) -> Child {
        self.root
    }

    fn read(&mut self, at: u64, size: u64) -> Result<Vec<u8>> {
        if at.checked_add(size).is_none_or(|end| end > self.length) {
            let message = format!("{size} bytes are expected, the file has {}", self.length);
            return Err(parse(message).offset(at));
        }
        let mut bytes = vec![0; size as usize];
        let read = self.input.seek(SeekFrom::Start(at)).and_then(|_| self.input.read_exact(&mut bytes));
        read.map_err(|e| Error::new(Kind::Io, e.to_string()).offset(at))?;
        Ok(bytes)
    }

    /// The children of a group.
    pub fn group(&mut self, child: Child) -> Result<Vec<Child>> {
        if child.is_data() {
            return Err(parse("bytes where a group is expected").offset(child.place()));
        }
        if child == Child::EMPTY_GROUP {
            return Ok(Vec::new());
        }
        let count = number(&self.read(child.place(), 8)?);
        let size = count.checked_mul(8).ok_or_else(|| {
            parse(format!("{count} children do not fit into the file")).offset(child.place())
        })?;
        let bytes = self.read(child.place() + 8, size)?;
        Ok(bytes.chunks_exact(8).map(|eight| Child(number(eight))).collect())
    }

    /// One child of a group.
    pub fn child(&mut self, group: Child, index: usize) -> Result<Option<Child>> {
        if group.is_data() || group == Child::EMPTY_GROUP {
            return Ok(None);
        }
        let count = number(&self.read(group.place(), 8)?);
        if index as u64 >= count {
            return Ok(None);
        }
        let place = (index as u64 + 1).checked_mul(8).and_then(|n| n.checked_add(group.place()));
        Ok(Some(Child(number(&self.read(place.unwrap_or(u64::MAX), 8)?))))
    }

    /// The bytes of a leaf.
    pub fn data(&mut self, child: Child) -> Result<Vec<u8>> {
        if !child.is_data() {
            return Err(parse("a group where bytes are expected").offset(child.place()));
        }
        if child == Child::NO_DATA {
            return Ok(Vec::new());
        }
        let size = number(&self.read(child.place(), 8)?);
        self.read(child.place() + 8, size)
    }
}

/// A container written from front to back; only the position of the root is filled in afterwards.
pub(super) struct Sink<W> {
    out: W,
    place: u64,
    /// The positions of samples, by length and key: equal ones are stored once.
    samples: HashMap<(u64, [u8; KEY]), Child>,
}

impl<W: Write + Seek> Sink<W> {
    pub fn new(mut out: W) -> std::io::Result<Self> {
        let mut header = [0; HEADER as usize];
        header[..5].copy_from_slice(MAGIC);
        header[7] = 1;
        out.write_all(&header)?;
        Ok(Sink { out, place: HEADER, samples: HashMap::new() })
    }

    fn append(&mut self, parts: &[&[u8]]) -> std::io::Result<u64> {
        let at = self.place;
        for part in parts {
            self.out.write_all(part)?;
            self.place += part.len() as u64;
        }
        Ok(at)
    }

    /// Writes bytes.
    pub fn data(&mut self, bytes: &[u8]) -> std::io::Result<Child> {
        if bytes.is_empty() {
            return Ok(Child::NO_DATA);
        }
        Ok(Child(DATA | self.append(&[&(bytes.len() as u64).to_le_bytes(), bytes])?))
    }

    /// Writes a sample with its key, or returns the position of an identical one.
    pub fn sample(&mut self, bytes: &[u8]) -> std::io::Result<(Child, [u8; KEY])> {
        let key = murmur(bytes);
        if bytes.is_empty() {
            return Ok((Child::NO_DATA, key));
        }
        let size = bytes.len() as u64;
        if let Some(&there) = self.samples.get(&(size, key)) {
            return Ok((there, key));
        }
        let at = self.append(&[&(size + KEY as u64).to_le_bytes(), &key, bytes])?;
        self.samples.insert((size, key), Child(DATA | at));
        Ok((Child(DATA | at), key))
    }

    /// Writes a group.
    pub fn group(&mut self, children: &[Child]) -> std::io::Result<Child> {
        if children.is_empty() {
            return Ok(Child::EMPTY_GROUP);
        }
        let mut bytes = (children.len() as u64).to_le_bytes().to_vec();
        children.iter().for_each(|child| bytes.extend(child.0.to_le_bytes()));
        Ok(Child(self.append(&[&bytes])?))
    }

    /// Sets the root and marks the file as complete.
    pub fn finish(mut self, root: Child) -> std::io::Result<W> {
        self.out.seek(SeekFrom::Start(8))?;
        self.out.write_all(&root.0.to_le_bytes())?;
        self.out.seek(SeekFrom::Start(5))?;
        self.out.write_all(&[COMPLETE])?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn a_tree_reads_back_and_equal_samples_are_one() {
        let mut sink = Sink::new(Cursor::new(Vec::new())).unwrap();
        let leaf = sink.data(b"leaf").unwrap();
        let (one, key) = sink.sample(b"sample").unwrap();
        assert_eq!(sink.sample(b"sample").unwrap(), (one, key));
        let inner = sink.group(&[leaf, one]).unwrap();
        let root = sink.group(&[inner, Child::NO_DATA, Child::EMPTY_GROUP]).unwrap();
        let bytes = sink.finish(root).unwrap().into_inner();
        let mut source = Container::new(Cursor::new(bytes)).unwrap();
        let children = source.group(source.root()).unwrap();
        assert_eq!(children, [inner, Child::NO_DATA, Child::EMPTY_GROUP]);
        let leaves = source.group(children[0]).unwrap();
        assert_eq!(source.child(children[0], 1).unwrap(), Some(leaves[1]));
        assert_eq!(source.child(children[0], 2).unwrap(), None);
        assert_eq!(source.data(leaves[0]).unwrap(), b"leaf");
        assert_eq!(source.data(leaves[1]).unwrap(), [&key[..], b"sample"].concat());
        assert!(
            source.data(children[1]).unwrap().is_empty() && source.group(children[2]).unwrap().is_empty()
        );
        assert_eq!(source.data(inner).unwrap_err().kind(), Kind::Parse);
        assert_eq!(source.group(leaf).unwrap_err().kind(), Kind::Parse);
    }

    #[test]
    fn what_is_no_complete_container_is_refused() {
        let open = |bytes: &[u8]| Container::new(Cursor::new(bytes.to_vec())).unwrap_err();
        assert_eq!(open(b"Ogawa").kind(), Kind::Parse);
        assert_eq!(open(b"\x89HDF\r\n\x1a\n00000000").kind(), Kind::Unsupported);
        assert!(open(b"Ogawa\0\0\x01........").message().contains("incomplete"));
        assert_eq!(open(b"Ogawa\xff\0\x02........").kind(), Kind::WrongVersion);
        let mut far = b"Ogawa\xff\0\x01".to_vec();
        far.extend(1u64.to_le_bytes());
        let mut source = Container::new(Cursor::new(far)).unwrap();
        assert_eq!(source.group(source.root()).unwrap_err().place().offset, Some(9));
    }
}
