//! What precedes the samples: the headers of objects and of properties, and their metadata.
//!
//! Metadata is text, `name=value;name=value`. Short texts are stored once in a table of the archive, and headers refer
//! to them by number: 0 is none, 255 means that the text follows.

use super::ogawa::{Child, KEY};
use super::pod::Pod;
use sinew_base::bytes::Reader;
use sinew_base::error::{Error, Kind, Result};
use std::collections::HashMap;
use std::sync::Arc;

const INLINE: u8 = 0xff;
const TABLE: &str = "the table of names";

/// The value of a name in metadata.
pub(super) fn meta_value<'a>(meta: &'a str, name: &str) -> Option<&'a str> {
    meta.split(';').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// The metadata table of an archive being read.
#[derive(Debug)]
pub(super) struct MetaTable(Vec<Arc<str>>);

impl MetaTable {
    pub fn decode(data: &[u8]) -> Result<Self> {
        let mut bytes = Reader::new(TABLE, data);
        let mut all = vec![Arc::from("")];
        while !bytes.is_empty() {
            let length = bytes.u8()?;
            all.push(Arc::from(bytes.text(usize::from(length))?));
        }
        Ok(MetaTable(all))
    }

    fn get(&self, index: u8) -> Result<Arc<str>> {
        let found = self.0.get(usize::from(index)).cloned();
        found.ok_or_else(|| {
            Error::new(
                Kind::Parse,
                format!("there is no metadata {index} in the table; there are {}", self.0.len()),
            )
        })
    }
}

/// The metadata table of an archive being written.
#[derive(Default)]
pub(super) struct MetaNames {
    index: HashMap<String, u8>,
    table: Vec<u8>,
}

impl MetaNames {
    /// The number of a text, which is added to the table if it is short and there is room.
    fn index(&mut self, meta: &str) -> u8 {
        if meta.is_empty() {
            return 0;
        }
        if let Some(&index) = self.index.get(meta) {
            return index;
        }
        if meta.len() > 255 || self.index.len() >= 254 {
            return INLINE;
        }
        let index = self.index.len() as u8 + 1;
        self.index.insert(meta.to_string(), index);
        self.table.push(meta.len() as u8);
        self.table.extend(meta.as_bytes());
        index
    }

    pub fn into_table(self) -> Vec<u8> {
        self.table
    }
}

/// An object's name and metadata.
#[derive(Debug)]
pub(super) struct ObjectHeader {
    pub name: String,
    pub meta: Arc<str>,
}

/// Hashes of an object's properties and children, behind the headers of its children.
const OBJECT_HASHES: usize = 2 * KEY;

impl ObjectHeader {
    pub fn decode_all(data: &[u8], table: &MetaTable) -> Result<Vec<ObjectHeader>> {
        let mut bytes = Reader::new(TABLE, &data[..data.len().saturating_sub(OBJECT_HASHES)]);
        let mut all = Vec::new();
        while !bytes.is_empty() {
            let length = bytes.u32()? as usize;
            let name = bytes.text(length)?.to_string();
            let meta = match bytes.u8()? {
                INLINE => {
                    let length = bytes.u32()? as usize;
                    Arc::from(bytes.text(length)?)
                }
                index => table.get(index)?,
            };
            all.push(ObjectHeader { name, meta });
        }
        Ok(all)
    }

    pub fn encode(name: &str, meta: &str, names: &mut MetaNames, out: &mut Vec<u8>) {
        out.extend((name.len() as u32).to_le_bytes());
        out.extend(name.as_bytes());
        let index = names.index(meta);
        out.push(index);
        if index == INLINE {
            out.extend((meta.len() as u32).to_le_bytes());
            out.extend(meta.as_bytes());
        }
    }
}

/// The type of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Properties inside.
    Compound,
    /// One element per sample.
    Scalar,
    /// Any number of elements per sample.
    Array,
}

/// The header of a property. Of `samples`, only those from `first` to `last` differ from their predecessors; the first
/// sample and these are stored.
#[derive(Clone, Debug)]
pub(super) struct PropertyHeader {
    pub name: String,
    pub meta: Arc<str>,
    pub shape: Shape,
    pub pod: Pod,
    /// Numbers per element.
    pub extent: u8,
    pub samples: u32,
    pub first: u32,
    pub last: u32,
    pub sampling: u32,
    /// An array of one element in every sample.
    pub single: bool,
    /// An array with the same number of elements in every sample.
    pub even: bool,
}

// The bits of a property's header.
const HAS_SAMPLING: u32 = 0x100;
const HAS_FIRST_LAST: u32 = 0x200;
const EVEN: u32 = 0x400;
const CONSTANT: u32 = 0x800;

impl PropertyHeader {
    pub fn compound(name: &str, meta: &str) -> Self {
        Self::new(name, meta, Shape::Compound, Pod::Bool, 0)
    }

    pub fn new(name: &str, meta: &str, shape: Shape, pod: Pod, extent: u8) -> Self {
        let (name, meta) = (name.to_string(), Arc::from(meta));
        let [samples, first, last, sampling] = [0; 4];
        PropertyHeader {
            name,
            meta,
            shape,
            pod,
            extent,
            samples,
            first,
            last,
            sampling,
            single: true,
            even: true,
        }
    }

    /// The index among the stored samples of sample `k`.
    pub fn stored(&self, k: u32) -> u32 {
        if k < self.first || self.last == 0 { 0 } else { k.min(self.last) - self.first + 1 }
    }

    pub fn decode_all(data: &[u8], table: &MetaTable) -> Result<Vec<PropertyHeader>> {
        let mut bytes = Reader::new(TABLE, data);
        let mut all = Vec::new();
        while !bytes.is_empty() {
            all.push(Self::decode(&mut bytes, table)?);
        }
        Ok(all)
    }

    fn decode(bytes: &mut Reader, table: &MetaTable) -> Result<Self> {
        let info = bytes.u32()?;
        let hint = (info >> 2) & 3;
        let mut header = Self::compound("", "");
        if info & 3 != 0 {
            header.shape = if info & 3 == 1 { Shape::Scalar } else { Shape::Array };
            header.single = info & 1 != 0;
            header.even = info & EVEN != 0;
            header.pod = Pod::from_code((info >> 4) & 0xf)?;
            header.extent = ((info >> 12) & 0xff) as u8;
            header.samples = sized(bytes, hint)?;
            (header.first, header.last) = if info & HAS_FIRST_LAST != 0 {
                (sized(bytes, hint)?, sized(bytes, hint)?)
            } else if info & CONSTANT != 0 || header.samples < 2 {
                (0, 0)
            } else {
                (1, header.samples - 1)
            };
            if header.first > header.last || header.last > header.samples {
                let message = format!(
                    "the samples change from {} to {}, but there are {}",
                    header.first, header.last, header.samples
                );
                return Err(Error::new(Kind::Parse, message));
            }
            if info & HAS_SAMPLING != 0 {
                header.sampling = sized(bytes, hint)?;
            }
        }
        let length = sized(bytes, hint)? as usize;
        header.name = bytes.text(length)?.to_string();
        header.meta = match ((info >> 20) & 0xff) as u8 {
            INLINE => {
                let length = sized(bytes, hint)? as usize;
                Arc::from(bytes.text(length)?)
            }
            index => table.get(index)?,
        };
        Ok(header)
    }

    pub fn encode(&self, names: &mut MetaNames, out: &mut Vec<u8>) {
        let most = [self.samples, self.sampling, self.name.len() as u32, self.meta.len() as u32];
        let hint = match most.into_iter().max() {
            Some(0..=0xff) | None => 0,
            Some(0x100..=0xffff) => 1,
            Some(_) => 2,
        };
        let meta = names.index(&self.meta);
        let mut info = (hint << 2) | (u32::from(meta) << 20);
        let mut numbers = Vec::new();
        if self.shape != Shape::Compound {
            let array = if self.shape == Shape::Array { 2 | u32::from(self.single) } else { 1 };
            info |= array | ((self.pod as u32) << 4) | (u32::from(self.extent) << 12);
            info |= if self.even { EVEN } else { 0 };
            numbers.push(self.samples);
            if self.last == 0 {
                info |= CONSTANT;
            } else if self.first != 1 || self.last != self.samples - 1 {
                info |= HAS_FIRST_LAST;
                numbers.extend([self.first, self.last]);
            }
            if self.sampling != 0 {
                info |= HAS_SAMPLING;
                numbers.push(self.sampling);
            }
        }
        out.extend(info.to_le_bytes());
        numbers.into_iter().for_each(|n| put_sized(out, n, hint));
        put_sized(out, self.name.len() as u32, hint);
        out.extend(self.name.as_bytes());
        if meta == INLINE {
            put_sized(out, self.meta.len() as u32, hint);
            out.extend(self.meta.as_bytes());
        }
    }
}

/// A property found in a file.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub header: PropertyHeader,
    pub group: Child,
}

/// A number of one, two or four bytes.
fn sized(bytes: &mut Reader, hint: u32) -> Result<u32> {
    match hint {
        0 => bytes.u8().map(u32::from),
        1 => bytes.u16().map(u32::from),
        2 => bytes.u32(),
        _ => Err(bytes.error("has an unknown size code")),
    }
}

/// Appends a number in one, two or four bytes.
fn put_sized(out: &mut Vec<u8>, value: u32, hint: u32) {
    let bytes = value.to_le_bytes();
    out.extend(&bytes[..1 << hint]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_every_size_come_back() {
        let mut names = MetaNames::default();
        let mut out = Vec::new();
        let long = "a=".to_string() + &"b".repeat(300);
        let mut all = Vec::new();
        for (samples, first, last) in
            [(0, 0, 0), (1, 0, 0), (24, 1, 23), (24, 2, 7), (300, 1, 299), (70000, 3, 65536)]
        {
            for (meta, sampling) in [("", 0), ("geoScope=vtx", 1), (long.as_str(), 2)] {
                let mut header = PropertyHeader::new("P", meta, Shape::Array, Pod::F32, 3);
                (header.samples, header.first, header.last) = (samples, first, last);
                (header.sampling, header.single, header.even) = (sampling, samples == 1, samples != 24);
                all.push(header);
            }
        }
        all.push(PropertyHeader::compound(".geom", "schema=x"));
        all.push(PropertyHeader::new("one", "", Shape::Scalar, Pod::F64, 16));
        all.iter().for_each(|header| header.encode(&mut names, &mut out));
        let table = MetaTable::decode(&names.into_table()).unwrap();
        let back = PropertyHeader::decode_all(&out, &table).unwrap();
        assert_eq!(format!("{back:?}"), format!("{all:?}"));
        assert!(
            (1..out.len()).filter(|&n| PropertyHeader::decode_all(&out[..n], &table).is_ok()).count()
                < all.len()
        );
    }

    #[test]
    fn a_sample_is_the_one_stored_before_it() {
        let mut header = PropertyHeader::new("P", "", Shape::Array, Pod::F32, 3);
        (header.samples, header.first, header.last) = (6, 2, 3);
        assert_eq!((0..6).map(|k| header.stored(k)).collect::<Vec<_>>(), [0, 0, 1, 2, 2, 2]);
        (header.first, header.last) = (0, 0);
        assert_eq!(header.stored(5), 0);
    }

    #[test]
    fn metadata_is_found_by_its_whole_name() {
        let meta = "podName=float32_t;name=b;geoScope=vtx";
        assert_eq!((meta_value(meta, "geoScope"), meta_value(meta, "name")), (Some("vtx"), Some("b")));
        assert_eq!(meta_value(meta, "Name"), None);
    }
}
