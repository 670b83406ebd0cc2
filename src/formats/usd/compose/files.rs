//! The files of a stage: found, read once each, and stacked with the layers below them.

use crate::file;
use crate::usd::archive::Archive;
use crate::usd::arcs::{TimeMap, unsupported};
use crate::usd::layer::Layer;
use crate::usd::prim::PrimSpec;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// More files in one stage are refused, and so are deeper stacks of sublayers.
const MAX_FILES: usize = 10_000;
const MAX_SUBLAYERS: usize = 64;

/// The place of a file: on disk, and in an archive there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AssetFile {
    file: PathBuf,
    inside: Option<String>,
}

/// A layer with those below it, strongest first, each with its times as the first one counts them.
#[derive(Debug, Default)]
pub(super) struct Stack {
    pub layers: Vec<(usize, TimeMap)>,
    pub problems: Vec<Arc<str>>,
}

/// The files that were read.
#[derive(Debug, Default)]
pub(in crate::usd) struct Files {
    pub layers: Vec<Layer>,
    places: Vec<AssetFile>,
    numbers: HashMap<AssetFile, usize>,
    archives: HashMap<PathBuf, Archive>,
    pub(super) stacks: Vec<Stack>,
    stack_of: HashMap<usize, usize>,
    /// Whether other files than the first may be read.
    alone: bool,
}

impl Files {
    /// Of one file, from which others are found.
    pub fn open(path: &Path) -> Result<Self> {
        let mut files = Files::default();
        // By its own name, as a record of what was read has it.
        let root = AssetFile { file: path.to_path_buf(), inside: None };
        files.load(root)?;
        Ok(files)
    }

    /// Of one layer that has no place and can name no other.
    pub fn of(bytes: Vec<u8>) -> Result<Self> {
        let layers = vec![Layer::parse(bytes)?];
        let places = vec![AssetFile { file: PathBuf::new(), inside: None }];
        Ok(Files { layers, places, alone: true, ..Files::default() })
    }

    /// Bytes of all files.
    pub fn size(&self) -> usize {
        self.layers.iter().map(Layer::size).sum()
    }

    fn load(&mut self, place: AssetFile) -> Result<usize> {
        if let Some(&known) = self.numbers.get(&place) {
            return Ok(known);
        }
        if self.layers.len() >= MAX_FILES {
            return Err(Error::new(Kind::TooLarge, format!("more than {MAX_FILES} files belong to it")));
        }
        let layer = self.bytes(&place).and_then(Layer::parse).map_err(|e| e.file(&place.file))?;
        let number = self.layers.len();
        self.layers.push(layer);
        self.places.push(place.clone());
        self.numbers.insert(place, number);
        Ok(number)
    }

    fn bytes(&mut self, place: &AssetFile) -> Result<Vec<u8>> {
        if let Some(archive) = self.archives.get(&place.file) {
            return archive.file(place.inside.as_deref());
        }
        let bytes = file::read(&place.file)?;
        if !Archive::is(&bytes) {
            return Ok(bytes);
        }
        let archive = Archive::new(bytes)?;
        let found = archive.file(place.inside.as_deref());
        self.archives.insert(place.file.clone(), archive);
        found
    }

    /// The layer that a layer names.
    pub(super) fn find(&mut self, asset: &str, from: usize) -> Result<usize> {
        let place = self.place(asset, from)?;
        self.load(place)
    }

    /// A file that a layer names, the same by whichever name; empty if there can be none.
    pub(super) fn named(&self, asset: &str, from: usize) -> String {
        match asset {
            "" => String::new(),
            _ => self.place(asset, from).map_or_else(|_| String::new(), |place| format!("{place:?}")),
        }
    }

    fn place(&self, asset: &str, from: usize) -> Result<AssetFile> {
        if self.alone {
            return Err(Error::new(Kind::Unsupported, "it names another file"));
        }
        if asset.contains("://") {
            return Err(Error::new(Kind::Unsupported, "addresses are not followed, only files"));
        }
        let (asset, inside) = match asset.strip_suffix(']').and_then(|asset| asset.split_once('[')) {
            Some((archive, inside)) => (archive, Some(inside.to_string())),
            None => (asset, None),
        };
        let own = self.places[from].clone();
        if inside.is_none() && !Path::new(asset).is_absolute() && self.archives.contains_key(&own.file) {
            let archive = &self.archives[&own.file];
            // The root layer of an archive is its first file.
            let here = own.inside.unwrap_or_else(|| archive.first().to_string());
            let folder = here.rsplit_once('/').map_or("", |(folder, _)| folder);
            let name = slashed(&normal(&Path::new(folder).join(asset)));
            let inside = if name == archive.first() { None } else { Some(name) };
            return Ok(AssetFile { file: own.file, inside });
        }
        let folder = own.file.parent().unwrap_or(Path::new(""));
        Ok(AssetFile { file: normal(&folder.join(asset)), inside })
    }

    /// The stack of a layer.
    pub(super) fn stack(&mut self, layer: usize) -> usize {
        if let Some(&known) = self.stack_of.get(&layer) {
            return known;
        }
        let mut stack = Stack::default();
        self.gather(layer, TimeMap::IDENTITY, &mut Vec::new(), &mut stack);
        let number = self.stacks.len();
        self.stacks.push(stack);
        self.stack_of.insert(layer, number);
        number
    }

    fn gather(&mut self, layer: usize, time: TimeMap, above: &mut Vec<usize>, stack: &mut Stack) {
        stack.layers.push((layer, time));
        above.push(layer);
        let names = self.layers[layer].contents.metadata.keys();
        for what in names.filter_map(|name| unsupported(name)) {
            let file = self.places[layer].file.display();
            stack.problems.push(format!("{file}: the file has {what}, which is not supported").into());
        }
        let rate = self.rate(layer);
        for (asset, map) in self.layers[layer].contents.sublayers.clone() {
            let failed = |why: &str| -> Arc<str> {
                format!("{}: the sublayer @{asset}@ {why}", self.places[layer].file.display()).into()
            };
            if !map.is_sound() {
                stack.problems.push(failed(BAD_TIMES));
                continue;
            }
            if above.len() >= MAX_SUBLAYERS || stack.layers.len() >= MAX_FILES {
                stack.problems.push(failed("is not followed: too many layers lie below each other"));
                continue;
            }
            match self.find(&asset, layer) {
                Ok(below) if above.contains(&below) => {
                    stack.problems.push(
                        format!(
                            "{}: the sublayer @{asset}@ has this file below itself: a cycle",
                            self.places[layer].file.display()
                        )
                        .into(),
                    );
                }
                Ok(below) => {
                    let map = time.after(map.between_rates(rate, self.rate(below)));
                    self.gather(below, map, above, stack);
                }
                Err(error) => {
                    stack.problems.push(failed_file(&asset, "sublayer", &self.places[layer].file, &error))
                }
            }
        }
        above.pop();
    }

    /// Time codes per second of a layer.
    pub(super) fn rate(&self, layer: usize) -> Real {
        self.layers[layer].time_codes_per_second()
    }

    /// What the layers of a stack state about a prim, strongest first.
    pub(super) fn specs<'a>(
        &'a self,
        stack: usize,
        path: &'a str,
    ) -> impl DoubleEndedIterator<Item = (usize, TimeMap, &'a PrimSpec)> {
        let layers = self.stacks[stack].layers.iter();
        layers.filter_map(move |&(layer, time)| {
            Some((layer, time, self.layers[layer].contents.prims.get(path)?))
        })
    }

    /// What could not be followed below the first file itself.
    pub fn problems(&self) -> impl Iterator<Item = &str> {
        self.stacks.first().into_iter().flat_map(|stack| &stack.problems).map(|problem| &**problem)
    }

    /// The name of a layer's file, for messages.
    pub(super) fn name(&self, layer: usize) -> &Path {
        &self.places[layer].file
    }
}

/// Why the times of a layer are refused.
pub(super) const BAD_TIMES: &str =
    "has an offset in time that is not finite, or a scale of time that is not greater than 0";

/// The message about a file that could not be read.
pub(super) fn failed_file(asset: &str, what: &str, by: &Path, error: &Error) -> Arc<str> {
    format!("{}: the {what} @{asset}@ cannot be read: {error}", by.display()).into()
}

/// A path without `.` and, where that needs no look at the disk, `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts: Vec<Component> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            (part, _) => parts.push(part),
        }
    }
    parts.iter().collect()
}

fn slashed(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
