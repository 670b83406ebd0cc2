//! What went wrong and where: the one error type of the crate.
//!
//! An [`Error`] has a [`Kind`] (a stable number that crosses the C ABI), a sentence for a person, and a
//! [`Place`] (file, line, frame, node, port, vertex, ...). Code deep inside knows the vertex, code further out
//! knows the file and the frame: each adds what it knows on the way up, and never overwrites what is already known.

use std::fmt;
use std::path::{Path, PathBuf};

/// The result of everything that can fail in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The family of an error. The numbers are the status codes of the C ABI: a number is never reused or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Kind {
    /// An argument makes no sense by itself (a null pointer, an empty name, a zero stride).
    InvalidArgument = 1,
    /// No node, port, parameter, file format, element or item of that name.
    NotFound = 2,
    /// A value of a different type, or with a different number of components, than expected.
    WrongType = 3,
    /// A number outside its range.
    OutOfRange = 4,
    /// Two counts that must agree do not.
    CountMismatch = 5,
    /// NaN or infinity where a number is needed.
    NotFinite = 6,
    /// Degenerate geometry: a face without area, a joint matrix that cannot be inverted.
    Degenerate = 7,
    /// The connectivity is not what is needed, or it changed mid-sequence.
    Topology = 8,
    /// A file's text or bytes do not follow its format.
    Parse = 9,
    /// Well formed, but uses a feature that is not supported.
    Unsupported = 10,
    /// The operating system refused to read or write.
    Io = 11,
    /// A file, or a frame of a sequence, is missing.
    MissingFile = 12,
    /// The caller asked to stop.
    Cancelled = 13,
    /// More data than a documented limit allows.
    TooLarge = 14,
    /// A solver did not converge.
    NoConvergence = 15,
    /// Written by another version, which this one cannot read.
    WrongVersion = 16,
    /// A required input was never set.
    MissingInput = 17,
    /// In use by another call.
    Busy = 18,
    /// The frame cannot continue from the previous one, and restarting was not allowed.
    OutOfOrder = 19,
    /// A bug in Sinew (a caught panic). The object involved refuses further work.
    Internal = 99,
}

impl Kind {
    /// Every kind, in numerical order.
    pub const ALL: [Kind; 20] = [
        Kind::InvalidArgument,
        Kind::NotFound,
        Kind::WrongType,
        Kind::OutOfRange,
        Kind::CountMismatch,
        Kind::NotFinite,
        Kind::Degenerate,
        Kind::Topology,
        Kind::Parse,
        Kind::Unsupported,
        Kind::Io,
        Kind::MissingFile,
        Kind::Cancelled,
        Kind::TooLarge,
        Kind::NoConvergence,
        Kind::WrongVersion,
        Kind::MissingInput,
        Kind::Busy,
        Kind::OutOfOrder,
        Kind::Internal,
    ];

    /// The permanent name, as `--json` output and reports print it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::InvalidArgument => "invalid_argument",
            Kind::NotFound => "not_found",
            Kind::WrongType => "wrong_type",
            Kind::OutOfRange => "out_of_range",
            Kind::CountMismatch => "count_mismatch",
            Kind::NotFinite => "not_finite",
            Kind::Degenerate => "degenerate",
            Kind::Topology => "topology",
            Kind::Parse => "parse",
            Kind::Unsupported => "unsupported",
            Kind::Io => "io",
            Kind::MissingFile => "missing_file",
            Kind::Cancelled => "cancelled",
            Kind::TooLarge => "too_large",
            Kind::NoConvergence => "no_convergence",
            Kind::WrongVersion => "wrong_version",
            Kind::MissingInput => "missing_input",
            Kind::Busy => "busy",
            Kind::OutOfOrder => "out_of_order",
            Kind::Internal => "internal",
        }
    }
}

/// Where it went wrong; every field that is known is set. Vertices, faces and corners count from 0, lines and
/// columns from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file being read or written.
    pub file: Option<PathBuf>,
    /// The line in the file.
    pub line: Option<u64>,
    /// The column in the line.
    pub column: Option<u64>,
    /// The byte offset, for binary files.
    pub offset: Option<u64>,
    /// The element of a structured file, as a path (`scene/node/set`).
    pub element: Option<String>,
    /// The frame of the animation.
    pub frame: Option<i64>,
    /// The node's id.
    pub node: Option<String>,
    /// The port of the node.
    pub port: Option<String>,
    /// The parameter of the node.
    pub param: Option<String>,
    /// The vertex.
    pub vertex: Option<u64>,
    /// The face (polygon).
    pub face: Option<u64>,
    /// The joint.
    pub joint: Option<u64>,
    /// Its name, if it is known.
    pub joint_name: Option<String>,
}

/// What went wrong and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    message: String,
    place: Box<Place>,
}

/// One setter per field of [`Place`]: sets it unless it is already set, because the innermost caller knows best.
macro_rules! place_setters {
    ($($name:ident: $from:ty => $convert:expr;)*) => {$(
        #[doc = concat!("Adds the ", stringify!($name), " to the place, unless one is already there.")]
        #[must_use]
        pub fn $name(mut self, value: $from) -> Self {
            self.place.$name.get_or_insert_with(|| $convert(value));
            self
        }
    )*};
}

impl Error {
    /// A new error without a place yet.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), place: Box::default() }
    }

    /// An operating system error while handling `path`.
    pub fn io(path: &Path, error: &std::io::Error) -> Self {
        let kind = match error.kind() {
            std::io::ErrorKind::NotFound => Kind::MissingFile,
            _ => Kind::Io,
        };
        Error::new(kind, error.to_string()).file(path)
    }

    /// The error returned by a computation that was stopped.
    pub fn cancelled() -> Self {
        Error::new(Kind::Cancelled, "stopped on request")
    }

    place_setters! {
        file: &Path => |v: &Path| v.to_path_buf();
        line: u64 => |v| v;
        column: u64 => |v| v;
        offset: u64 => |v| v;
        element: &str => |v: &str| v.to_string();
        frame: i64 => |v| v;
        node: &str => |v: &str| v.to_string();
        port: &str => |v: &str| v.to_string();
        param: &str => |v: &str| v.to_string();
        vertex: usize => |v| v as u64;
        face: usize => |v| v as u64;
        joint: usize => |v| v as u64;
        joint_name: &str => |v: &str| v.to_string();
    }

    /// Adds a prim of USD, by its path. An element that is there already without a path is its property: together they
    /// are the property's path.
    #[must_use]
    pub fn prim(mut self, path: &str) -> Self {
        match &mut self.place.element {
            Some(property) if !property.starts_with('/') => *property = format!("{path}.{property}"),
            Some(_) => {}
            element => *element = Some(path.to_string()),
        }
        self
    }

    /// Adds the name of the joint in the place, one of those of all joints.
    #[must_use]
    pub fn name_joint(self, names: &[String]) -> Self {
        match self.place.joint.and_then(|joint| names.get(joint as usize)) {
            Some(name) => self.joint_name(name),
            None => self,
        }
    }

    /// The same error seen from a file that refers to the file where it happened: the outer place goes in front, the
    /// inner file and line into the sentence. An error at a line of that very file keeps its place: it is the closer
    /// one.
    #[must_use]
    pub fn inside(self, file: &Path, line: u64, element: &str) -> Self {
        let place = &self.place;
        if place.file.as_deref() == Some(file) && place.line.is_some() && place.element.is_some() {
            return self;
        }
        self.in_words().file(file).line(line).element(element)
    }

    /// The same error with file and line in the sentence, so that it can get a place in what names that file.
    #[must_use]
    pub fn in_words(mut self) -> Self {
        let place = &mut self.place;
        if let Some(inner) = place.file.take() {
            let line = place.line.map_or(String::new(), |line| format!(":{line}"));
            self.message = format!("{}{line}: {}", inner.display(), self.message);
        }
        (place.line, place.column, place.offset, place.element) = (None, None, None, None);
        self
    }

    /// The family of the error.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The sentence without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where it happened.
    pub fn place(&self) -> &Place {
        &self.place
    }
}

/// Prints `file:line:column: element, frame 3, node skinning, port weights, vertex 7: message`.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = &self.place;
        let mut parts: Vec<String> = Vec::new();
        if let Some(file) = &p.file {
            let mut text = file.display().to_string();
            for number in [p.line, p.column].into_iter().flatten() {
                text.push_str(&format!(":{number}"));
            }
            parts.push(text);
        } else if let Some(line) = p.line {
            parts.push(match p.column {
                Some(column) => format!("line {line}:{column}"),
                None => format!("line {line}"),
            });
        }
        let mut names: Vec<String> = Vec::new();
        let mut name = |label: &str, value: Option<String>| {
            if let Some(value) = value {
                names.push(format!("{label} {value}"));
            }
        };
        name("byte", p.offset.map(|v| v.to_string()));
        name("element", p.element.clone());
        name("frame", p.frame.map(|v| v.to_string()));
        name("node", p.node.clone());
        name("port", p.port.clone());
        name("parameter", p.param.clone());
        name("face", p.face.map(|v| v.to_string()));
        name("vertex", p.vertex.map(|v| v.to_string()));
        let joint = p.joint.map(|v| v.to_string());
        name("joint", p.joint_name.as_ref().map(|name| format!("{name:?}")).or(joint));
        if !names.is_empty() {
            parts.push(names.join(", "));
        }
        parts.push(self.message.clone());
        f.write_str(&parts.join(": "))
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_place_wins_and_all_of_it_is_printed() {
        let error = Error::new(Kind::NotFinite, "x is NaN")
            .vertex(7)
            .line(12)
            .file(Path::new("a.obj"))
            .frame(3)
            .file(Path::new("outer.xml"));
        assert_eq!(error.to_string(), "a.obj:12: frame 3, vertex 7: x is NaN");
        let error = Error::new(Kind::NotFinite, "x is NaN").joint(1);
        let names = ["hip", "knee"].map(String::from);
        assert_eq!(error.clone().name_joint(&names[..1]).to_string(), "joint 1: x is NaN");
        let named = error.name_joint(&names).name_joint(&["thigh", "shin"].map(String::from));
        assert_eq!((named.to_string().as_str(), named.place().joint), ("joint \"knee\": x is NaN", Some(1)));
    }

    #[test]
    fn a_property_of_a_prim_has_the_path_of_both() {
        let error = Error::new(Kind::NotFinite, "a value is NaN").element("normals").prim("/a/b").prim("/a");
        assert_eq!(error.to_string(), "element /a/b.normals: a value is NaN");
        let error = Error::new(Kind::MissingInput, "no points").prim("/a/b").prim("/a");
        assert_eq!(error.to_string(), "element /a/b: no points");
    }

    #[test]
    fn an_error_inside_another_file_keeps_both_places() {
        let inner = Error::new(Kind::Parse, "no number").file(Path::new("a.csv")).line(3).vertex(5);
        let text = inner.inside(Path::new("scene.xml"), 7, "map").to_string();
        assert_eq!(text, "scene.xml:7: element map, vertex 5: a.csv:3: no number");
        let bare = Error::new(Kind::MissingFile, "not there").inside(Path::new("scene.xml"), 2, "mesh");
        assert_eq!(bare.to_string(), "scene.xml:2: element mesh: not there");
        let closer = bare.inside(Path::new("scene.xml"), 1, "node");
        assert_eq!(closer.to_string(), "scene.xml:2: element mesh: not there");
    }

    #[test]
    fn kinds_are_numbered_and_named_once() {
        let mut names: Vec<_> = Kind::ALL.iter().map(|k| k.name()).collect();
        let mut codes: Vec<_> = Kind::ALL.iter().map(|&k| k as i32).collect();
        assert!(codes.is_sorted() && names.iter().all(|n| !n.is_empty()));
        names.sort_unstable();
        names.dedup();
        codes.dedup();
        assert_eq!((names.len(), codes.len()), (Kind::ALL.len(), Kind::ALL.len()));
    }
}
