//! A text parameter that holds the path of an XML file, or the XML itself.

use super::xml;
use sinew_base::error::{Error, Result};
use sinew_scene::schema::{Element, Tree};
use std::path::Path;
use std::time::SystemTime;

/// The text, and for a file its size and modification time: what is built from it is rebuilt once they change.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    text: String,
    written: Option<(u64, SystemTime)>,
}

impl Document {
    /// Of a parameter's text.
    pub fn new(text: &str) -> Self {
        // A file that cannot be inspected cannot be read either, and that error says more.
        let found = file_of(text).and_then(|path| std::fs::metadata(path).ok());
        let written = found.and_then(|found| Some((found.len(), found.modified().ok()?)));
        Document { text: text.into(), written }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Its file; none if it is the XML itself.
    pub fn file(&self) -> Option<&Path> {
        file_of(&self.text)
    }

    /// Reads the element.
    pub fn read<T: Element>(&self) -> Result<T> {
        self.file().map_or_else(|| xml::parse(&self.text), xml::read)
    }

    /// Reads the tree, unchecked.
    pub fn tree(&self) -> Result<Tree> {
        self.file().map_or_else(|| xml::parse_tree(&self.text), xml::read_tree)
    }

    /// Adds the file to an error about its contents.
    pub fn place(&self, error: Error) -> Error {
        self.file().into_iter().fold(error, Error::file)
    }
}

fn file_of(text: &str) -> Option<&Path> {
    (!text.trim_start().starts_with('<')).then(|| Path::new(text))
}
