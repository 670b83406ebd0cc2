//! Files, one module each. Readers take bytes or text, so that they can be fuzzed; everything is written through
//! [`atomic::AtomicFile`], so that no reader ever sees a partial file. [`FORMATS`] is the table of formats: what an
//! extension means, and what reads, writes and describes its files. Readers are chosen by what is wanted: [`mesh`],
//! [`points`], [`joints`], [`map`] or [`rate`].
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod alembic;
pub mod atomic;
pub mod bvh;
pub mod cache;
pub mod contents;
pub mod csv;
pub mod document;
pub mod file;
pub mod gltf;
pub mod image;
pub mod inside;
pub mod joints;
pub mod map;
pub mod mesh;
pub mod names;
pub mod obj;
pub mod over;
pub mod picture;
pub mod points;
pub mod provenance;
pub mod rate;
pub mod reads;
pub mod rows;
pub mod sequence;
pub mod shot;
pub mod sink;
pub mod strand_scene;
pub mod strand_state;
mod summary;
pub mod table;
pub mod usd;
pub mod weights;
pub mod xml;

pub use csv::{first_row, read_text};

use contents::Describe;
use joints::JointFile;
use map::VertexMap;
use mesh::MeshFile;
use points::PointSource;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::Real;
use std::path::Path;
use weights::JointWeights;

/// What is known about a format.
#[derive(Debug)]
pub struct Row {
    /// Which.
    pub format: Format,
    /// The extension, without the dot, in lower case.
    pub ending: &'static str,
    /// An alternative extension.
    pub also: Option<&'static str>,
    /// The name for people.
    pub title: &'static str,
    /// What is read from it; nothing if it is write-only.
    pub reads: &'static str,
    /// What is written to it; nothing if it is read-only.
    pub writes: &'static str,
    /// Whether its files hold objects, which can be named after the file.
    pub objects: bool,
    /// What it can be read as.
    pub read: Readers,
    /// What `sinew info` says of its files.
    pub describe: Describe,
    /// Which parts of a moving shot can be written, and how; nothing for formats that hold other things.
    pub shot: Option<Shot>,
}

/// Reads moving points; without a rate, the file's applies.
pub type ReadPoints = fn(&Path, Option<Real>) -> Result<PointSource>;

/// Reads joints; the rate decides in files that have values at all times.
pub type ReadJoints = fn(&Path, Option<Real>) -> Result<JointFile>;

/// Reads a map for a mesh.
pub type ReadMap = fn(&Path, &Mesh) -> Result<VertexMap>;

/// The readers of a format, by what they give; none where its files hold no such thing.
#[derive(Clone, Copy, Debug)]
pub struct Readers {
    /// For [`mesh::read`].
    pub mesh: Option<fn(&Path) -> Result<MeshFile>>,
    /// For [`PointSource::open`].
    pub points: Option<ReadPoints>,
    /// For [`joints::read`].
    pub joints: Option<ReadJoints>,
    /// For [`weights::read`], beside the tables that it reads.
    pub weights: Option<fn(&Path) -> Result<JointWeights>>,
    /// For [`map::read`].
    pub map: Option<ReadMap>,
    /// For [`rate::of_file`].
    pub rate: Option<fn(&Path) -> Option<Real>>,
}

/// How a format holds a moving shot.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    /// What it can hold.
    pub holds: Holds,
    /// Whether points can only be written with faces.
    pub needs_faces: bool,
    /// Writes it; see [`sink::write`].
    pub write: WriteShot,
}

/// Writes a take from the source of its frames.
pub type WriteShot = fn(&shot::Take, &mut shot::FrameSource) -> Result<()>;

/// Which parts of a moving shot a format holds besides points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    /// Faces with UVs, which may differ in every frame.
    pub uvs: bool,
    /// Named numbers on vertices, corners and faces.
    pub maps: bool,
    /// Curves.
    pub curves: bool,
    /// Velocities of points.
    pub velocities: bool,
    /// Whether one file holds all frames; otherwise there is one per frame.
    pub one_file: bool,
}

const POINTS: Holds = Holds { uvs: false, maps: false, curves: false, velocities: false, one_file: true };
const ALL: Holds = Holds { uvs: true, maps: true, curves: true, velocities: true, one_file: true };
const MESHES: Holds = Holds { uvs: true, curves: true, one_file: false, ..POINTS };

const NO_READERS: Readers =
    Readers { mesh: None, points: None, joints: None, weights: None, map: None, rate: None };
const IMAGE: Readers = Readers { map: Some(image::vertex_map), ..NO_READERS };
const USD: Readers = Readers {
    mesh: Some(usd::mesh_file),
    points: Some(points::usd),
    joints: Some(usd::joint_file),
    rate: Some(usd::rate),
    ..NO_READERS
};

const GLTF: Readers = Readers {
    mesh: Some(gltf::mesh_file),
    points: Some(points::gltf),
    joints: Some(gltf::joint_file),
    weights: Some(gltf::vertex_weights),
    rate: Some(gltf::rate),
    ..NO_READERS
};

macro_rules! formats {
    ($( #[doc = $doc:literal] $format:ident { $($about:tt)* } )*) => {
        /// A file format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Format {
            $( #[doc = $doc] $format, )*
        }

        /// Every format.
        pub const FORMATS: &[Row] = &[$( Row { format: Format::$format, $($about)* }, )*];
    };
}

// A new format is an entry here and a module.
formats! {
    /// Wavefront OBJ, or a numbered sequence of them.
    Obj {
        ending: "obj",
        also: None,
        title: "OBJ",
        reads: "meshes, one or numbered (`%04d`, `####`): n-gons, negative indices, UVs and normals of corners, groups",
        writes: "the same; curves as lines or tubes",
        objects: false,
        read: Readers { mesh: Some(obj::mesh_file), points: Some(points::numbered), ..NO_READERS },
        describe: Describe::By(summary::obj::describe),
        shot: Some(Shot { holds: MESHES, needs_faces: true, write: sink::objs }),
    }
    /// PC2 point cache.
    Pc2 {
        ending: "pc2",
        also: None,
        title: "PC2",
        reads: "moving points",
        writes: "moving points",
        objects: false,
        read: Readers { points: Some(points::pc2), ..NO_READERS },
        describe: Describe::By(cache::describe_pc2),
        shot: Some(Shot { holds: POINTS, needs_faces: false, write: sink::pc2 }),
    }
    /// MDD point cache.
    Mdd {
        ending: "mdd",
        also: None,
        title: "MDD",
        reads: "moving points",
        writes: "moving points",
        objects: false,
        read: Readers { points: Some(points::mdd), rate: Some(points::own_rate), ..NO_READERS },
        describe: Describe::By(cache::describe_mdd),
        shot: Some(Shot { holds: POINTS, needs_faces: false, write: sink::mdd }),
    }
    /// A table.
    Csv {
        ending: "csv",
        also: None,
        title: "CSV",
        reads: "joints, weights, maps, constraints, tables of numbers",
        writes: "joints, tables of any output",
        objects: false,
        read: Readers { joints: Some(joints::table), map: Some(map::table), ..NO_READERS },
        describe: Describe::By(summary::table::describe),
        shot: None,
    }
    /// A list or an object.
    Json {
        ending: "json",
        also: None,
        title: "JSON",
        reads: "maps: a list, or a default with exceptions",
        writes: "tables of any output",
        objects: false,
        read: Readers { map: Some(map::json), ..NO_READERS },
        describe: Describe::MapOrRun,
        shot: None,
    }
    /// A PNG image.
    Png {
        ending: "png",
        also: None,
        title: "PNG",
        reads: "maps in UV space: grey or colours; textures",
        writes: "textures, padded textures",
        objects: false,
        read: IMAGE,
        describe: Describe::By(image::describe),
        shot: None,
    }
    /// An EXR image.
    Exr {
        ending: "exr",
        also: None,
        title: "EXR",
        reads: "maps in UV space: grey or colours; textures",
        writes: "textures, padded textures, ST-maps",
        objects: false,
        read: IMAGE,
        describe: Describe::By(image::describe),
        shot: None,
    }
    /// A JPEG image.
    Jpeg {
        ending: "jpg",
        also: Some("jpeg"),
        title: "JPEG",
        reads: "maps in UV space; textures",
        writes: "",
        objects: false,
        read: IMAGE,
        describe: Describe::By(image::describe),
        shot: None,
    }
    /// A TIFF image.
    Tiff {
        ending: "tif",
        also: Some("tiff"),
        title: "TIFF",
        reads: "maps in UV space; textures",
        writes: "",
        objects: false,
        read: IMAGE,
        describe: Describe::By(image::describe),
        shot: None,
    }
    /// A scene.
    Xml {
        ending: "xml",
        also: None,
        title: "XML",
        reads: "scenes",
        writes: "scenes",
        objects: false,
        read: NO_READERS,
        describe: Describe::Scene,
        shot: None,
    }
    /// Alembic.
    Abc {
        ending: "abc",
        also: None,
        title: "Alembic",
        reads: "meshes, curves, transforms, maps; `shot.abc/root/body` names one mesh of several",
        writes: "meshes, curves, transforms, maps; layers",
        objects: true,
        read: Readers {
            mesh: Some(alembic::mesh_file),
            points: Some(points::alembic),
            rate: Some(points::own_rate),
            ..NO_READERS
        },
        describe: Describe::By(alembic::describe),
        shot: Some(Shot { holds: ALL, needs_faces: true, write: sink::alembic }),
    }
    /// A BVH motion.
    Bvh {
        ending: "bvh",
        also: None,
        title: "BVH",
        reads: "joints and their motion",
        writes: "the same",
        objects: false,
        read: Readers { joints: Some(bvh::joint_file), rate: Some(bvh::rate), ..NO_READERS },
        describe: Describe::By(joints::describe),
        shot: None,
    }
    /// USD of either form.
    Usd {
        ending: "usd",
        also: None,
        title: "USD",
        reads: "meshes (also posed by skeletons, linearly, and by blend shapes without in-betweens), primvars, \
                transforms, skeletons; sublayers, references, payloads, variants and inherited prims are followed to \
                other files; `shot.usd/root/body` names one mesh of several",
        writes: "a mesh with moving UVs, maps, curves; layers",
        objects: true,
        read: USD,
        describe: Describe::By(usd::describe),
        shot: Some(Shot { holds: ALL, needs_faces: true, write: sink::usd }),
    }
    /// USD as text.
    Usda {
        ending: "usda",
        also: None,
        title: "USD text",
        reads: "the same as text",
        writes: "the same as text",
        objects: true,
        read: USD,
        describe: Describe::By(usd::describe),
        shot: Some(Shot { holds: ALL, needs_faces: true, write: sink::usd }),
    }
    /// USD in binary.
    Usdc {
        ending: "usdc",
        also: None,
        title: "USD binary",
        reads: "the same in binary",
        writes: "the same in binary",
        objects: true,
        read: USD,
        describe: Describe::By(usd::describe),
        shot: Some(Shot { holds: ALL, needs_faces: true, write: sink::usd }),
    }
    /// USD in an archive.
    Usdz {
        ending: "usdz",
        also: None,
        title: "USD archive",
        reads: "the same in an archive",
        writes: "",
        objects: true,
        read: USD,
        describe: Describe::By(usd::describe),
        shot: None,
    }
    /// Binary glTF.
    Glb {
        ending: "glb",
        also: None,
        title: "glTF",
        reads: "meshes of triangles (also posed by skins and blend shapes), UVs, materials, joints and weights of \
                skins, animations; not compressed; `shot.glb/root/body` names one mesh of several, `shot.glb/@walk` \
                one animation",
        writes: "a mesh of all frames, for viewing",
        objects: true,
        read: GLTF,
        describe: Describe::By(gltf::describe),
        shot: Some(Shot { holds: POINTS, needs_faces: true, write: sink::glb }),
    }
    /// glTF as text.
    Gltf {
        ending: "gltf",
        also: None,
        title: "glTF text",
        reads: "the same as text, with its buffers beside the file or in it",
        writes: "",
        objects: true,
        read: GLTF,
        describe: Describe::By(gltf::describe),
        shot: None,
    }
}

/// The table as README.md has it, in Markdown.
pub fn format_table() -> String {
    let mut text = "| extension | format | what Sinew reads | what it writes | parts of a shot it can hold \
            |\n|---|---|---|---|---|\n"
        .to_string();
    for row in FORMATS {
        let also = row.also.map_or_else(String::new, |also| format!(", `.{also}`"));
        let (ending, title) = (row.ending, row.title);
        let shot = row.shot.map_or_else(String::new, |shot| shot.holds.stated());
        text.push_str(&format!(
            "| `.{ending}`{also} | {title} | {} | {} | {shot} |\n",
            row.reads, row.writes
        ));
    }
    text
}

/// The extensions of the formats that pass, with their dots, as a text.
pub fn endings(which: impl Fn(&Row) -> bool) -> String {
    let known: Vec<_> =
        FORMATS.iter().filter(|row| which(row)).map(|row| format!(".{}", row.ending)).collect();
    known.join(", ")
}

/// The extensions of the files that hold all frames of a moving shot, or of what `also` asks of them besides.
pub fn shot_endings(also: impl Fn(&Holds) -> bool) -> String {
    endings(|row| row.shot.is_some_and(|shot| shot.holds.one_file && also(&shot.holds)))
}

impl Holds {
    /// As words.
    fn stated(self) -> String {
        let parts = [
            (true, "points"),
            (self.velocities, "velocities"),
            (self.uvs, "UVs"),
            (self.maps, "maps"),
            (self.curves, "curves"),
        ];
        let held: Vec<&str> = parts.into_iter().filter(|(held, _)| *held).map(|(_, what)| what).collect();
        format!("{}; {}", held.join(", "), if self.one_file { "all frames" } else { "a file per frame" })
    }
}

impl Format {
    /// The format of a file's extension; an Alembic or USD path may continue inside the file (`shot.abc/root/body`).
    pub fn of(path: &Path) -> Result<Format> {
        let within = inside::split(path);
        let file = within.as_ref().map_or(path, |(file, _)| file);
        let ending = file.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        let named = |row: &&Row| row.ending == ending || row.also == Some(&*ending);
        FORMATS.iter().find(named).map(|row| row.format).ok_or_else(|| {
            let known: Vec<_> = FORMATS.iter().map(|row| row.ending).collect();
            let message = format!("unknown extension {ending:?}; known are {}", known.join(", "));
            Error::new(Kind::Unsupported, message).file(path)
        })
    }

    /// Whether it is one of USD's.
    pub fn is_usd(self) -> bool {
        matches!(self, Format::Usd | Format::Usda | Format::Usdc | Format::Usdz)
    }

    /// Its row of the table.
    pub fn row(self) -> &'static Row {
        &FORMATS[self as usize]
    }

    /// The reader of a file that `which` picks; if its format has none, an error that names those that do.
    fn reader<R>(path: &Path, what: &str, which: impl Fn(&Readers) -> Option<R>) -> Result<R> {
        let row = Format::of(path)?.row();
        which(&row.read).ok_or_else(|| {
            let able = endings(|row| which(&row.read).is_some());
            let message = format!("{} holds no {what}; {able} do", row.title);
            Error::new(Kind::Unsupported, message).file(path)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_table_of_formats() {
        let readme = include_str!("../../README.md");
        assert!(readme.contains(&format_table()), "README.md lacks this table:\n{}", format_table());
    }

    #[test]
    fn every_format_is_its_own_row_and_endings_have_any_case() {
        for row in FORMATS {
            assert_eq!(row.format.row().ending, row.ending);
            let name = format!("a.b.{}", row.ending.to_uppercase());
            assert_eq!(Format::of(Path::new(&name)).unwrap(), row.format);
        }
        assert_eq!(Format::of(Path::new("a.JPEG")).unwrap(), Format::Jpeg);
        assert_eq!(Format::of(Path::new("a.abc/root/body.obj")).unwrap(), Format::Abc);
        assert_eq!(Format::of(Path::new("a.usdc/root/body")).unwrap(), Format::Usdc);
        for name in ["a", "a.fbx", ".obj", ""] {
            assert_eq!(Format::of(Path::new(name)).unwrap_err().kind(), Kind::Unsupported, "{name}");
        }
    }
}
