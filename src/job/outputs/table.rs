//! Outputs as a table: a row per frame and item. Matrices alone become a table of joints, as skinning reads it.

use super::super::store::record::FrameRecord;
use super::Writer;
use super::source::{WrittenPort, plural};
use super::stored::Stored;
use serde_json::{Map, Value};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::atomic::{self, AtomicFile};
use sinew_formats::csv::Cell;
use sinew_formats::sequence::Pattern;
use sinew_formats::{Format, sink};
use sinew_math::Real;
use sinew_nodes::{Port, Quantity};
use sinew_scene::frames::check_rising;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file, or one per frame.
pub(super) struct TableFile {
    file: PathBuf,
    pattern: Option<Pattern>,
    sources: Vec<WrittenPort>,
    /// What a row stands for.
    item: String,
    json: bool,
}

impl TableFile {
    pub fn new(
        file: &Path,
        sources: Vec<WrittenPort>,
        item: Option<String>,
        frames: &[i64],
        fps: Real,
    ) -> Result<Self> {
        let pattern = Pattern::parse(file)?;
        if pattern.is_none() {
            check_rising(frames, fps).map_err(|e| e.file(file))?;
        }
        if let Some(wrong) = item.as_ref().filter(|item| item.contains([',', '#', '"'])) {
            return Err(Error::new(
                Kind::InvalidArgument,
                format!("{wrong:?} is not a valid name of a row: it contains a comma, a # or a quote"),
            ));
        }
        let json = Format::of(file)? == Format::Json;
        let item = item.unwrap_or_else(|| match is_joints(&sources) {
            true => "joint".into(),
            false => sources[0].item(),
        });
        Ok(TableFile { file: file.to_path_buf(), pattern, sources, item, json })
    }

    /// Whether it holds all frames.
    pub fn one_file(&self) -> bool {
        self.pattern.is_none()
    }

    fn header(&self) -> String {
        let columns = self.sources.iter().flat_map(|source| columns(source.port(), self.title(source)));
        ["frame".to_string(), self.item.clone()].into_iter().chain(columns).collect::<Vec<_>>().join(",")
    }

    /// The prefix of an output's columns: the given name, nothing for joints, its node if two share an id.
    fn title<'a>(&self, source: &'a WrittenPort) -> &'a str {
        let same = self.sources.iter().filter(|other| other.title() == source.title()).count();
        match (source.said(), is_joints(&self.sources), same) {
            (Some(said), ..) => said,
            (None, true, _) => "",
            (None, false, 1) => source.title(),
            _ => &source.key,
        }
    }

    /// The number of items, which every port must share.
    fn items(&self, record: &FrameRecord) -> Result<usize> {
        let count = |source: &WrittenPort| record.output(&source.key).len() / source.components().max(1);
        let items = count(&self.sources[0]);
        if let Some(other) = self.sources.iter().find(|source| count(source) != items) {
            let (first, own) = (&self.sources[0].key, count(other));
            let message =
                format!("{first} has {items} items, {} has {own}: they need separate tables", other.key);
            return Err(Error::new(Kind::CountMismatch, message).file(&self.file));
        }
        Ok(items)
    }

    /// The numbers of an item, port after port.
    fn numbers<'a>(&'a self, record: &'a FrameRecord, item: usize) -> impl Iterator<Item = Real> + 'a {
        self.sources.iter().flat_map(move |source| {
            let components = source.components();
            // The last row of a matrix is always the same.
            let reported = if source.port().quantity == Quantity::Transform { 12 } else { components };
            record.output(&source.key)[item * components..][..reported].iter().copied()
        })
    }

    /// The names of the items: the node's, otherwise their indices.
    fn item_names(&self, record: &FrameRecord, items: usize) -> Vec<String> {
        let names = self.sources[0].names(record, items);
        if names.is_empty() { (0..items).map(|item| item.to_string()).collect() } else { names }
    }

    fn rows(&self, record: &FrameRecord) -> Result<String> {
        let items = self.items(record)?;
        let mut text = String::new();
        for (item, name) in self.item_names(record, items).iter().enumerate() {
            text.push_str(&format!("{},{}", record.frame, name.replace([',', '#'], " ")));
            self.numbers(record, item).for_each(|number| text.push_str(&format!(",{}", Cell(number))));
            text.push('\n');
        }
        Ok(text)
    }

    /// A frame as an object, with the numbers of each item by its name.
    fn object(&self, record: &FrameRecord) -> Result<Value> {
        let items = self.items(record)?;
        let names = self.item_names(record, items).into_iter().enumerate();
        let named = names.map(|(item, name)| (name, self.numbers(record, item).collect::<Value>()));
        let mut object = Map::from_iter([("frame".to_string(), record.frame.into())]);
        object.insert(plural(&self.item), Value::Object(named.collect()));
        Ok(object.into())
    }
}

impl Writer for TableFile {
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        sink::names(&self.file, frames)
    }

    fn write(&self, record: &FrameRecord, _: &Control) -> Result<Vec<PathBuf>> {
        let path = self.pattern.as_ref().map_or_else(|| self.file.clone(), |p| p.path(record.frame));
        let text = match self.json {
            true => format!("{}\n", self.object(record)?),
            false => format!("{}\n{}", self.header(), self.rows(record)?),
        };
        atomic::write(&path, |file| file.write_all(text.as_bytes()))?;
        Ok(vec![path])
    }
}

/// Tables that each hold all frames: a stored frame is read only once for all of them.
pub(super) struct WholeTables(pub Vec<TableFile>);

impl Writer for WholeTables {
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        Ok(self.0.iter().map(|table| table.names(frames)).collect::<Result<Vec<_>>>()?.concat())
    }

    fn holds_all(&self) -> bool {
        true
    }

    fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        let mut open = self.0.iter().map(OpenTable::new).collect::<Result<Vec<_>>>()?;
        stored.each_frame(|record| open.iter_mut().try_for_each(|table| table.add(record)))?;
        open.into_iter().map(OpenTable::close).collect()
    }
}

/// A table to which frames are appended.
struct OpenTable<'a> {
    table: &'a TableFile,
    file: AtomicFile,
    /// The separator before the next frame.
    before: &'static str,
}

impl<'a> OpenTable<'a> {
    fn new(table: &'a TableFile) -> Result<Self> {
        let mut file = AtomicFile::create(&table.file)?;
        if !table.json {
            file.put(format!("{}\n", table.header()).as_bytes())?;
        }
        Ok(OpenTable { table, file, before: "[" })
    }

    fn add(&mut self, record: &FrameRecord) -> Result<()> {
        if !self.table.json {
            return self.file.put(self.table.rows(record)?.as_bytes());
        }
        let before = std::mem::replace(&mut self.before, ",");
        self.file.put(format!("{before}{}", self.table.object(record)?).as_bytes())
    }

    fn close(mut self) -> Result<PathBuf> {
        if self.table.json {
            self.file.put(b"]\n")?;
        }
        self.file.commit().map(|()| self.table.file.clone())
    }
}

/// Whether it is a table of joints.
fn is_joints(sources: &[WrittenPort]) -> bool {
    sources.len() == 1 && sources[0].port().quantity == Quantity::Transform
}

fn columns(port: &Port, title: &str) -> Vec<String> {
    let components = port.kind.components() as usize;
    let parts: Vec<String> = match port.quantity {
        Quantity::Transform => (0..12).map(|k| format!("m{}{}", k / 4, k % 4)).collect(),
        Quantity::Uv => ["u", "v"].map(String::from).into(),
        _ if components == 3 => ["x", "y", "z"].map(String::from).into(),
        _ => (0..components).map(|k| k.to_string()).collect(),
    };
    match components {
        1 => vec![title.into()],
        _ if title.is_empty() => parts,
        _ => parts.iter().map(|part| format!("{title}_{part}")).collect(),
    }
}
