//! An open file.

use super::container::{self, Bytes};
use super::document::Document;
use super::tree::Tree;
use crate::file;
use sinew_base::error::{Error, Kind, Result};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// An open file, with its buffers.
#[derive(Debug)]
pub struct Asset {
    pub(super) document: Document,
    pub(super) buffers: Vec<Bytes>,
    pub(super) tree: Tree,
    /// How many more numbers may be read: many accessors may refer to the same bytes.
    left: Cell<usize>,
    size: usize,
    path: PathBuf,
}

/// Extensions that say nothing about points and how they move, by what their names begin with; and quantization, which
/// only allows more types of numbers.
const HARMLESS: [&str; 11] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_xmp",
    "KHR_mesh_quantization",
    "EXT_texture_",
    "EXT_lights_",
    "EXT_materials_",
    "MSFT_texture_",
    "VRM",
    "VRMC_",
];

/// Numbers that may be read of a file, besides some for each of its bytes.
const NUMBERS: usize = 100_000;
const NUMBERS_PER_BYTE: usize = 8;

impl Asset {
    /// Opens a file of either form, and its buffers.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = file::read(path)?;
        Asset::of(&bytes, Some(path)).map_err(|e| e.file(path))
    }

    /// Reads the bytes of a file whose buffers are inside it.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Asset::of(bytes, None)
    }

    fn of(bytes: &[u8], path: Option<&Path>) -> Result<Self> {
        let (json, own) = container::split(bytes)?;
        let document = container::document(json)?;
        let version = &document.asset.version;
        if !version.starts_with("2.") || document.asset.min_version.as_ref().is_some_and(|v| v != "2.0") {
            let message = format!("glTF version {version:?}; 2.0 is read");
            return Err(Error::new(Kind::WrongVersion, message));
        }
        let unknown = |name: &&String| !HARMLESS.iter().any(|known| name.starts_with(known));
        if let Some(name) = document.extensions_required.iter().find(unknown) {
            let compressed = ["KHR_draco", "EXT_meshopt", "KHR_meshopt"].iter().any(|k| name.starts_with(k));
            let advice = if compressed { ": export it without compression" } else { "" };
            let message = format!("the file needs the extension {name}, which is not supported{advice}");
            return Err(Error::new(Kind::Unsupported, message));
        }
        let tree = Tree::new(&document)?;
        let buffers = container::buffers(&document, own, path);
        let external: usize = buffers.iter().flatten().map(|bytes| bytes.len()).max().unwrap_or(0);
        let size = bytes.len().saturating_add(external);
        let left = Cell::new(NUMBERS.saturating_add(size.saturating_mul(NUMBERS_PER_BYTE)));
        let path = path.unwrap_or(Path::new("")).to_path_buf();
        Ok(Asset { document, buffers, tree, left, size, path })
    }

    /// Bytes of the file, and of its largest buffer.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses files that are small, but refer so often to the same numbers that these would fill the memory.
    pub(super) fn charge(&self, numbers: usize) -> Result<()> {
        let left = self.left.get().checked_sub(numbers);
        let error =
            || Error::new(Kind::TooLarge, "the file refers to more numbers than a file of its size can hold");
        self.left.set(left.ok_or_else(error)?);
        Ok(())
    }
}
