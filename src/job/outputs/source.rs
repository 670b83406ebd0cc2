//! A source of a file: a port, its name in the file, and the names of its items.

use super::super::graph::Graph;
use super::super::graph::Wire;
use super::super::store::record::FrameRecord;
use serde_json::Value;
use sinew_base::error::{Error, Kind, Result};
use sinew_nodes::Port;

/// A port written to a file; frames record its numbers.
pub(super) struct WrittenPort {
    pub wire: Wire,
    pub key: String,
    /// Its name in the file, if set.
    title: Option<String>,
}

impl WrittenPort {
    /// Parses NODE.PORT or NAME=NODE.PORT; from now on frames record it.
    pub fn new(text: &str, graph: &mut Graph) -> Result<Self> {
        let (title, text) = match text.split_once('=') {
            Some((title, text)) => (Some(title.to_string()), text),
            None => (None, text),
        };
        if title.as_ref().is_some_and(String::is_empty) {
            let message = format!("={text}: a name is expected before =");
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let wire = graph.record(text)?;
        Ok(WrittenPort { wire, key: wire.key(graph.member(wire).name()), title })
    }

    pub fn port(&self) -> &'static Port {
        self.wire.port
    }

    /// Numbers per item.
    pub fn components(&self) -> usize {
        self.port().kind.components() as usize
    }

    /// Its name in the file: the given one, otherwise the id of its port.
    pub fn title(&self) -> &str {
        self.said().unwrap_or(self.port().id)
    }

    /// Its given name.
    pub fn said(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The word for one of its items.
    pub fn item(&self) -> String {
        match self.port().items {
            "" => self.port().domain.name().into(),
            items => items.replace(' ', "_"),
        }
    }

    /// The node's names for that many items; none if it has none.
    pub fn names(&self, record: &FrameRecord, items: usize) -> Vec<String> {
        let names = self.names_of(record, &plural(&self.item()));
        if names.len() == items { names } else { Vec::new() }
    }

    /// The node's names for all things that go by a word, such as muscles.
    pub fn names_of(&self, record: &FrameRecord, things: &str) -> Vec<String> {
        let Some((node, _)) = self.key.rsplit_once('.') else { return Vec::new() };
        let names = record.names[node][things].as_array().into_iter().flatten();
        names.filter_map(Value::as_str).map(String::from).collect()
    }
}

/// The form of name lists in reports.
pub(super) fn plural(item: &str) -> String {
    match item.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{item}s"),
    }
}
