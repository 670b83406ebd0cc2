//! What goes into a file: a port, what it is called there, and what its items are called.

use super::super::super::moment::Moment;
use super::super::Graph;
use super::super::wire::Wire;
use crate::error::{Error, Kind, Result};
use crate::nodes::{Domain, Port};
use serde_json::Value;

/// A port that a file takes, by which a frame tells its numbers.
pub(super) struct Source {
    pub wire: Wire,
    pub key: String,
    /// What it is called in the file, when that is said.
    title: Option<String>,
}

impl Source {
    /// From NODE.PORT or NAME=NODE.PORT; the frames tell it from now on.
    pub fn new(text: &str, graph: &mut Graph) -> Result<Self> {
        let (title, text) = match text.split_once('=') {
            Some((title, text)) => (Some(title.to_string()), text),
            None => (None, text),
        };
        if title.as_ref().is_some_and(String::is_empty) {
            let message = format!("={text}: a name stands before =");
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let wire = Wire::parse(text, &graph.members)?;
        graph.want(wire);
        Ok(Source { wire, key: wire.key(&graph.members[wire.member].name), title })
    }

    pub fn port(&self) -> &'static Port {
        self.wire.port
    }

    /// Numbers for each of its items.
    pub fn components(&self) -> usize {
        self.port().kind.components() as usize
    }

    /// What it is called in the file: as is said, else by the id of its port.
    pub fn title(&self) -> &str {
        self.said().unwrap_or(self.port().id)
    }

    /// What is said that it is called.
    pub fn said(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What an item of it is, in one word.
    pub fn item(&self) -> String {
        match self.port().domain {
            Domain::Free => self.port().items.replace(' ', "_"),
            domain => domain.name().into(),
        }
    }

    /// What the node calls so many items; none when it does not.
    pub fn names(&self, moment: &Moment, items: usize) -> Vec<String> {
        let Some((node, _)) = self.key.rsplit_once('.') else { return Vec::new() };
        let names = moment.names[node][plural(&self.item())].as_array().into_iter().flatten();
        let names: Vec<String> = names.filter_map(Value::as_str).map(String::from).collect();
        if names.len() == items { names } else { Vec::new() }
    }
}

/// As reports call lists of names.
pub(super) fn plural(item: &str) -> String {
    match item.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{item}s"),
    }
}
