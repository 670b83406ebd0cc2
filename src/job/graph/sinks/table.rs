//! Outputs as a table: a row for each frame and item. Matrices alone are a table of joints, as skinning reads it.

use super::super::super::caches::Stored;
use super::super::super::moment::Moment;
use super::Source;
use crate::error::{Error, Kind, Result};
use crate::formats::atomic::{self, AtomicFile};
use crate::formats::sequence::Pattern;
use crate::math::Real;
use crate::nodes::{Domain, Port, Quantity};
use crate::scene::frames::check_rising;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file, or one per frame.
pub(super) struct TableFile {
    file: PathBuf,
    pattern: Option<Pattern>,
    sources: Vec<Source>,
}

impl TableFile {
    pub fn new(file: &Path, sources: Vec<Source>, frames: &[i64], fps: Real) -> Result<Self> {
        let pattern = Pattern::parse(file)?;
        if pattern.is_none() {
            check_rising(frames, fps).map_err(|e| e.file(file))?;
        }
        Ok(TableFile { file: file.to_path_buf(), pattern, sources })
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    pub fn one_file(&self) -> bool {
        self.pattern.is_none()
    }

    /// Writes a frame into a file of its own.
    pub fn write_frame(&self, moment: &Moment) -> Result<PathBuf> {
        let path = self.pattern.as_ref().map_or_else(|| self.file.clone(), |p| p.path(moment.frame));
        let rows = self.rows(moment)?;
        atomic::write(&path, |file| {
            writeln!(file, "{}", self.header())?;
            file.write_all(rows.as_bytes())
        })?;
        Ok(path)
    }

    /// Writes all frames into one file.
    pub fn write_all(&self, stored: &Stored) -> Result<PathBuf> {
        let mut file = AtomicFile::create(&self.file)?;
        let failed = |e: std::io::Error| Error::io(&self.file, &e);
        writeln!(file, "{}", self.header()).map_err(failed)?;
        stored.each(|moment| file.write_all(self.rows(moment)?.as_bytes()).map_err(failed))?;
        file.commit()?;
        Ok(self.file.clone())
    }

    /// Whether it is a table of joints.
    fn is_joints(&self) -> bool {
        self.sources.len() == 1 && self.sources[0].wire.port.quantity == Quantity::Transform
    }

    fn header(&self) -> String {
        let item = if self.is_joints() { "joint".into() } else { item_of(self.sources[0].wire.port) };
        let columns = self.sources.iter().flat_map(|source| columns(source.wire.port, self.title(source)));
        ["frame".to_string(), item].into_iter().chain(columns).collect::<Vec<_>>().join(",")
    }

    /// What the columns of an output begin with: nothing of joints, its node where two have the same id.
    fn title<'a>(&self, source: &'a Source) -> &'a str {
        let id = source.wire.port.id;
        let same = self.sources.iter().filter(|other| other.wire.port.id == id).count();
        match (self.is_joints(), same) {
            (true, _) => "",
            (false, 1) => id,
            _ => &source.key,
        }
    }

    fn rows(&self, moment: &Moment) -> Result<String> {
        let count = |source: &Source| {
            moment.output(&source.key).len() / source.wire.port.kind.components().max(1) as usize
        };
        let items = count(&self.sources[0]);
        if let Some(other) = self.sources.iter().find(|source| count(source) != items) {
            let (first, own) = (&self.sources[0].key, count(other));
            let message =
                format!("{first} has {items} items, {} has {own}: they need tables of their own", other.key);
            return Err(Error::new(Kind::CountMismatch, message).file(&self.file));
        }
        let names = self.names(moment, items);
        let mut text = String::new();
        for item in 0..items {
            let name = names.get(item).cloned().unwrap_or_else(|| item.to_string());
            text.push_str(&format!("{},{name}", moment.frame));
            for source in &self.sources {
                let components = source.wire.port.kind.components() as usize;
                let numbers = &moment.output(&source.key)[item * components..][..components];
                // The last row of a matrix is always the same.
                let told = if source.wire.port.quantity == Quantity::Transform { 12 } else { components };
                numbers[..told].iter().for_each(|number| text.push_str(&format!(",{number}")));
            }
            text.push('\n');
        }
        Ok(text)
    }

    /// What the node calls the items, where it does.
    fn names(&self, moment: &Moment, items: usize) -> Vec<String> {
        let Some((node, _)) = self.sources[0].key.rsplit_once('.') else { return Vec::new() };
        let names = &moment.names[node][plural(&item_of(self.sources[0].wire.port))];
        let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
        let names: Vec<String> = names.map(|name| name.replace([',', '#'], " ")).collect();
        if names.len() == items { names } else { Vec::new() }
    }
}

fn item_of(port: &Port) -> String {
    match port.domain {
        Domain::Free => port.items.replace(' ', "_"),
        domain => domain.name().into(),
    }
}

/// As reports call the lists of names.
fn plural(item: &str) -> String {
    match item.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{item}s"),
    }
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
