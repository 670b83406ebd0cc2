//! The properties of an object being written, sample by sample.

use super::header::{MetaNames, PropertyHeader, Shape};
use super::murmur::murmur;
use super::ogawa::{Child, KEY, Sink};
use super::pod::Pod;
use std::io::{Result, Seek, Write};

/// The type and location of a property: the compounds above it, each with its metadata.
pub(super) struct PropertyAt<'a> {
    pub above: &'a [(&'a str, &'a str)],
    pub name: &'a str,
    pub meta: &'a str,
    pub shape: Shape,
    pub pod: Pod,
    pub extent: u8,
    pub sampling: u32,
}

/// A property and the positions of its samples.
struct Stream {
    header: PropertyHeader,
    stored: Vec<Child>,
    last_key: (u64, [u8; KEY]),
    hash: [u8; KEY],
}

impl Stream {
    fn write<W: Write + Seek>(&mut self, sink: &mut Sink<W>, bytes: &[u8], size: usize) -> Result<()> {
        let (child, key) = sink.sample(bytes)?;
        let header = &mut self.header;
        let length = bytes.len() as u64;
        if header.samples == 0 || self.last_key != (length, key) {
            if header.samples > 0 {
                if header.first == 0 {
                    header.first = header.samples;
                } else if let Some(&before) = self.stored.last() {
                    // Samples between two changes are in the table, though their bytes are stored once.
                    self.stored.extend((header.last + 1..header.samples).map(|_| before));
                }
                header.last = header.samples;
                header.even &= self.last_key.0 == length;
            }
            header.single &= bytes.len() == size;
            self.stored.push(child);
            self.last_key = (length, key);
            self.hash = murmur(&[self.hash, key].concat());
        }
        header.samples += 1;
        Ok(())
    }

    fn finish<W: Write + Seek>(&self, sink: &mut Sink<W>) -> Result<Child> {
        if self.header.shape != Shape::Array {
            return sink.group(&self.stored);
        }
        // Each sample is followed by its dimensions, which are redundant with the number of bytes.
        let pairs: Vec<Child> = self.stored.iter().flat_map(|&child| [child, Child::NO_DATA]).collect();
        sink.group(&pairs)
    }
}

enum Entry {
    Stream(Stream),
    Compound(Compound),
}

/// A compound property.
pub(super) struct Compound {
    header: PropertyHeader,
    entries: Vec<Entry>,
}

impl Compound {
    pub fn new(name: &str, meta: &str) -> Self {
        Compound { header: PropertyHeader::compound(name, meta), entries: Vec::new() }
    }

    fn compound(&mut self, name: &str, meta: &str) -> &mut Compound {
        let there =
            self.entries.iter().position(|e| matches!(e, Entry::Compound(c) if c.header.name == name));
        let place = there.unwrap_or_else(|| {
            self.entries.push(Entry::Compound(Compound::new(name, meta)));
            self.entries.len() - 1
        });
        match &mut self.entries[place] {
            Entry::Compound(found) => found,
            Entry::Stream(_) => unreachable!("a compound property is expected"),
        }
    }

    fn stream(&mut self, name: &str) -> Option<&mut Stream> {
        self.entries.iter_mut().find_map(|entry| match entry {
            Entry::Stream(s) if s.header.name == name => Some(s),
            _ => None,
        })
    }

    fn named(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| match entry {
            Entry::Stream(s) => s.header.name == name,
            Entry::Compound(c) => c.header.name == name,
        })
    }

    /// Whether there is a property of that name directly inside one of the compounds.
    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| matches!(entry, Entry::Compound(c) if c.named(name)))
    }

    /// Writes the next sample of a property.
    pub fn write<W: Write + Seek>(
        &mut self,
        sink: &mut Sink<W>,
        place: &PropertyAt,
        bytes: &[u8],
    ) -> Result<()> {
        if let Some((&(name, meta), above)) = place.above.split_first() {
            let place = PropertyAt { above, ..*place };
            return self.compound(name, meta).write(sink, &place, bytes);
        }
        if self.stream(place.name).is_none() {
            let mut header =
                PropertyHeader::new(place.name, place.meta, place.shape, place.pod, place.extent);
            header.sampling = place.sampling;
            let stored = Vec::new();
            self.entries.push(Entry::Stream(Stream {
                header,
                stored,
                last_key: Default::default(),
                hash: [0; KEY],
            }));
        }
        let size = place.pod.size() * usize::from(place.extent);
        self.stream(place.name).map_or(Ok(()), |stream| stream.write(sink, bytes, size))
    }

    /// Repeats the last sample of a property up to this count: it did not change.
    pub fn repeat(&mut self, samples: u32) {
        for entry in &mut self.entries {
            match entry {
                Entry::Stream(s) => s.header.samples = s.header.samples.max(samples),
                Entry::Compound(c) => c.repeat(samples),
            }
        }
    }

    /// Writes the groups; the compound's own and a hash of its contents.
    pub fn finish<W: Write + Seek>(
        &self,
        sink: &mut Sink<W>,
        names: &mut MetaNames,
        most: &mut [u32],
    ) -> Result<(Child, [u8; KEY])> {
        let (mut children, mut headers, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &self.entries {
            let (header, child, hash) = match entry {
                Entry::Stream(stream) => {
                    let counted = if stream.header.last == 0 { 1 } else { stream.header.samples };
                    let most = &mut most[stream.header.sampling as usize];
                    *most = counted.max(*most);
                    (&stream.header, stream.finish(sink)?, stream.hash)
                }
                Entry::Compound(compound) => {
                    let (child, hash) = compound.finish(sink, names, most)?;
                    (&compound.header, child, hash)
                }
            };
            children.push(child);
            header.encode(names, &mut headers);
            hashes.extend(hash);
        }
        if !children.is_empty() {
            children.push(sink.data(&headers)?);
        }
        hashes.extend(&headers);
        Ok((sink.group(&children)?, murmur(&hashes)))
    }
}
