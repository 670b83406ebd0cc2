//! Authored documents: strand scenes, muscle sets and plans, as hosts and tools edit them. What nobody changes keeps
//! its bytes; numbers are read and written in the space of whoever asks.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod edit;
mod measured;
mod merge;
mod meshes;
mod model;
mod muscles;
mod places;
mod read;
pub mod schema;
#[cfg(test)]
mod tests;
mod whole;

pub use muscles::{Tested, Weighed};
pub use places::rows;
pub use schema::describe;
pub use sinew_formats::xml::Id;
pub use whole::{Derived, Rigged};

use serde_json::{Value, json};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::xml::Authored;
use sinew_formats::{atomic, obj, read_text};
use sinew_geometry::Mesh;
use sinew_math::{Placement, Space};
use sinew_scene::SpaceElement;
use sinew_scene::faults::{self, Fault};
use sinew_scene::muscles::plan::MusclePlan;
use sinew_scene::muscles::{MuscleSet, faults as muscle_faults};
use sinew_scene::schema::{AttributeSchema, Element, ElementSchema, Tree};
use sinew_scene::strand::{self, StrandScene};
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A kind of document.
pub struct Type {
    /// Its root element, which is its name.
    pub schema: fn() -> &'static ElementSchema,
    /// All that is wrong with one.
    faults: fn(&Tree, &Control) -> Result<Vec<Fault>>,
}

/// All kinds of documents.
pub const TYPES: [Type; 3] = [
    Type { schema: StrandScene::schema, faults: strand::faults },
    Type { schema: MuscleSet::schema, faults: muscle_faults::of_set },
    Type { schema: MusclePlan::schema, faults: muscle_faults::of_plan },
];

/// An authored document.
#[derive(Clone)]
pub struct Document {
    file: Authored,
    kind: &'static Type,
    /// The file that it was loaded from or saved to; the names of other files in it are relative to its folder.
    path: Option<PathBuf>,
    /// Meshes that are written beside it when it is saved, by their names in it.
    meshes: HashMap<String, Mesh>,
    /// Files beside it that it may replace, since it wrote them.
    written: HashSet<PathBuf>,
    /// Where joints of animations are at rest, in its own space.
    rest: HashMap<String, Placement>,
}

fn type_of(name: &str) -> Result<&'static Type> {
    TYPES.iter().find(|kind| (kind.schema)().name == name).ok_or_else(|| {
        let names: Vec<&str> = TYPES.iter().map(|kind| (kind.schema)().name).collect();
        let message = format!("there is no document of the type {name:?}; there are {}", names.join(", "));
        Error::new(Kind::NotFound, message)
    })
}

impl Document {
    /// An empty document in a space, if documents of its type have one.
    pub fn new(name: &str, space: Space) -> Result<Self> {
        let kind = type_of(name)?;
        let mut made = Document::of(Authored::new(name), kind);
        let root = made.root();
        made.file.set(root, "version", Some("1"))?;
        if let Some(element) = SpaceElement::of(space)
            && (kind.schema)().child(SpaceElement::schema().name).is_some()
        {
            made.insert(root, &element.to_tree(), None)?;
        }
        Ok(made)
    }

    /// Reads a text.
    pub fn parse(text: &str) -> Result<Self> {
        let file = Authored::parse(text)?;
        let kind = type_of(file.name(file.root())?)?;
        Ok(Document::of(file, kind))
    }

    fn of(file: Authored, kind: &'static Type) -> Self {
        Document {
            file,
            kind,
            path: None,
            meshes: HashMap::new(),
            written: HashSet::new(),
            rest: HashMap::new(),
        }
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self> {
        let document = Document::parse(&read_text(path)?).map_err(|e| e.file(path))?;
        Ok(Document { path: Some(path.into()), ..document })
    }

    /// Writes the file, and beside it the meshes that are new; each whole or not at all. Lines are then those of what
    /// was written. A file with another mesh is not replaced, unless it is one of this document: others may name it.
    pub fn save(&mut self, path: &Path) -> Result<()> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut files = Vec::new();
        for (name, mesh) in &self.meshes {
            let file = folder.join(name);
            let mut bytes = Vec::new();
            obj::write(&mut bytes, mesh).map_err(|e| Error::new(Kind::Io, e.to_string()).file(&file))?;
            let is_other = std::fs::read(&file).is_ok_and(|before| before != bytes);
            if is_other && !self.written.contains(&file) {
                let message = "it holds another mesh: save elsewhere, or give the mesh a file of its own";
                return Err(Error::new(Kind::InvalidArgument, message).file(&file));
            }
            files.push((file, bytes));
        }
        for (file, bytes) in files {
            if let Some(parent) = file.parent() {
                atomic::make_folder(parent)?;
            }
            atomic::write(&file, |out| out.write_all(&bytes))?;
            self.written.insert(file);
        }
        atomic::write(path, |file| file.write_all(self.text().as_bytes()))?;
        self.meshes.clear();
        self.path = Some(path.into());
        self.file.count_lines();
        Ok(())
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        self.file.text()
    }

    /// The name of its type.
    pub fn type_name(&self) -> &'static str {
        (self.kind.schema)().name
    }

    /// Its root element.
    pub fn root(&self) -> Id {
        self.file.root()
    }

    /// The elements in an element, in their order; only those of one name, if it is given.
    pub fn children(&self, id: Id, name: Option<&str>) -> Result<Vec<Id>> {
        self.file.children(id, name)
    }

    /// The name of an element's kind.
    pub fn element(&self, id: Id) -> Result<&str> {
        self.file.name(id)
    }

    /// The line of an element in the file as it was read or saved; 0 for one that was added since.
    pub fn line(&self, id: Id) -> Result<u64> {
        self.file.line(id)
    }

    /// The text of an attribute; none if it is left out.
    pub fn text_of(&self, id: Id, attribute: &str) -> Result<Option<&str>> {
        self.file.get(id, attribute)
    }

    /// The names and texts of an element's attributes, in their order.
    pub fn attributes(&self, id: Id) -> Result<Vec<(&str, &str)>> {
        self.file.attributes(id)
    }

    /// Sets the text of an attribute, or leaves it out. A text that cannot be read is refused, but for an empty one in
    /// place of the name of an element.
    pub fn set_text(&mut self, id: Id, attribute: &str, value: Option<&str>) -> Result<()> {
        let known = self.attribute(id, attribute)?;
        // Whoever has nothing to name yet may say so: checks report it.
        let names_nothing = value == Some("") && !known.refers.is_empty();
        if let Some(value) = value.filter(|_| !names_nothing)
            && (known.convert)(value, &mut |_, _| {}).is_none()
        {
            let message = format!("{attribute} is {value:?}; expected {}", known.expected);
            return Err(self.at(Error::new(Kind::Parse, message), id));
        }
        if let Some(stray) = value.and_then(|value| value.chars().find(|c| !is_xml(*c))) {
            let message = format!("{attribute} has the character {stray:?}, which XML cannot hold");
            return Err(self.at(Error::new(Kind::InvalidArgument, message), id));
        }
        self.file.set(id, attribute, value)
    }

    /// Its unit of length and up axis.
    pub fn space(&self) -> Result<Space> {
        let spaces = self.children(self.root(), Some(SpaceElement::schema().name))?;
        let Some(id) = spaces.first() else { return Ok(Space::default()) };
        let read = || {
            let element = SpaceElement::from_tree(&self.file.tree_of(*id))?;
            element.space()
        };
        read().map_err(|e| self.at(e, *id))
    }

    /// Its tree, with the lines of the file.
    pub fn tree(&self) -> Tree {
        self.file.tree()
    }

    /// All faults of the document, with its elements.
    pub fn check(&self, control: &Control) -> Result<Vec<(Option<Id>, Fault)>> {
        control.check()?;
        let mut found = (self.kind.faults)(&self.file.numbered(), control)?;
        if !found.iter().any(|fault| fault.weight.is_error()) {
            found.extend(self.unbuilt());
        }
        let mended = |fault: Fault| {
            let id = self.file.of_number(fault.line);
            let line = id.and_then(|id| self.line(id).ok()).unwrap_or(0);
            (id, Fault { line, ..fault })
        };
        Ok(found.into_iter().map(mended).collect())
    }

    /// The same as data.
    pub fn faults(&self, control: &Control) -> Result<Value> {
        let fault = |(id, fault): (Option<Id>, Fault)| {
            json!({
                "weight": fault.weight.word(), "element": id.map(|id| id.0), "path": fault.element,
                "attribute": fault.attribute, "line": fault.line, "message": fault.message,
            })
        };
        Ok(self.check(control)?.into_iter().map(fault).collect())
    }

    /// The document as its type, if all that its tables know can be read; the lines are the numbers of elements.
    fn typed<T: Element>(&self) -> Result<T> {
        let mut tree = self.file.numbered();
        faults::keep_known(&mut tree, T::schema());
        let read = faults::check(&tree, T::schema()).and_then(|()| T::from_tree(&tree));
        read.map_err(|error| self.at_line(error))
    }

    /// An error about a typed document, whose line is the number of an element, with the line in the file.
    fn at_line(&self, error: Error) -> Error {
        match error.place().line.and_then(|number| self.file.of_number(number)) {
            Some(id) => self.at(Error::new(error.kind(), error.message()), id),
            None => self.path.iter().fold(error, |error, path| error.file(path)),
        }
    }

    /// The table of an element.
    fn schema(&self, id: Id) -> Result<&'static ElementSchema> {
        let Some(parent) = self.file.parent(id)? else { return Ok((self.kind.schema)()) };
        let (outer, name) = (self.schema(parent)?, self.file.name(id)?);
        outer.child(name).map(|child| child.element).ok_or_else(|| {
            let message = format!("<{}> has no element {name:?}", outer.name);
            self.at(Error::new(Kind::NotFound, message), id)
        })
    }

    /// The table's line of an attribute.
    fn attribute(&self, id: Id, name: &str) -> Result<&'static AttributeSchema> {
        let schema = self.schema(id)?;
        schema.attributes.iter().find(|known| known.name == name).ok_or_else(|| {
            let message =
                faults::unknown("attribute", name, schema.attributes.iter().map(|known| known.name));
            self.at(Error::new(Kind::NotFound, message), id)
        })
    }

    /// Adds the place of an element to an error.
    fn at(&self, error: Error, id: Id) -> Error {
        let mut names = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            names.push(self.file.name(id).unwrap_or_default().to_string());
            at = self.file.parent(id).unwrap_or(None);
        }
        names.reverse();
        let error = error.in_words().element(&names.join("/"));
        let error = self.line(id).ok().filter(|line| *line > 0).into_iter().fold(error, Error::line);
        self.path.iter().fold(error, |error, path| error.file(path))
    }
}

/// Whether a file of XML may have a character, even by its number.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn cannot(name: &str, what: &str) -> Error {
    Error::new(Kind::Unsupported, format!("a {name} cannot be {what}"))
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Document {:?}", self.type_name())
    }
}
