//! Layers: files that add UVs and maps to a mesh in another file and leave everything else, such as its points,
//! subdivision scheme, subsets, materials and bindings, to that one.
//!
//! - USD: an `over` at the mesh's own path; the file has the other as a sublayer, so opening it shows the whole shot.
//!   Such a layer may also move the points: they are written in the mesh's own space, with its extent and normals. What
//!   else would move them, a skeleton or blend shapes, is unbound, and instances around the mesh become editable.
//! - Alembic: objects of the same names without a schema and, of the mesh, only what changes. It is opened together
//!   with the other file and listed before it (`IArchive([layer, original])` in Alembic's library, layers of a
//!   cache file in Blender, file layering in Maya).

use super::Format;
use super::inside::whole;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Real, Space};
use std::path::{Component, Path, PathBuf};

/// A mesh of a file, to be layered over.
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    /// The file.
    pub file: PathBuf,
    /// The path of the mesh in it.
    pub mesh: String,
    /// USD only.
    pub usd: Option<UsdOver>,
}

/// What a USD layer needs to know about the file below it.
#[derive(Clone, Debug, PartialEq)]
pub struct UsdOver {
    /// The file's default prim, if it has one.
    pub default_prim: Option<String>,
    /// Its unit and its up axis, if they make sense.
    pub space: Option<Space>,
    /// Its time codes per second.
    pub time_codes_per_second: Real,
    /// Its first and its last time code, if it gives them.
    pub range: [Option<Real>; 2],
    /// The name of its UVs, without `primvars:`, to which its materials refer.
    pub uvs: String,
    /// The type of its UVs, which those of a layer must share.
    pub uv_type: &'static str,
    /// Whether its faces have the opposite winding, so that all but the first corner of a face are reversed.
    pub left_handed: bool,
    /// Its normals, if it has any.
    pub normals: Option<UsdNormals>,
    /// Whether it has velocities, and accelerations, which no longer hold when its points move.
    pub rates: [bool; 2],
    /// Whether a skeleton or blend shapes pose it.
    pub posed: bool,
    /// The instances in which it lies, outermost first: what they share with others can only be changed once they are
    /// instances no more.
    pub instances: Vec<String>,
}

/// The normals of a mesh in USD.
#[derive(Clone, Debug, PartialEq)]
pub struct UsdNormals {
    /// `normals` or `primvars:normals`.
    pub name: &'static str,
    /// Whether there is one per vertex; otherwise they are written per corner.
    pub by_vertex: bool,
    /// Whether they have indices.
    pub indexed: bool,
}

impl Over {
    /// Checks that a file of that name can be a layer over this one.
    pub fn check(&self, file: &Path) -> Result<()> {
        let format = Format::of(file)?;
        let same = if self.usd.is_some() { format.is_usd() } else { format == Format::Abc };
        if same {
            return Ok(());
        }
        let own = Format::of(&self.file)?.row().title;
        let message = format!("{} cannot be a layer over {own}, the body's format", format.row().title);
        Err(Error::new(Kind::InvalidArgument, message).file(file))
    }

    /// The names from the root object to the mesh.
    pub fn names(&self) -> Vec<&str> {
        self.mesh.split('/').filter(|name| !name.is_empty()).collect()
    }

    /// The path of the file relative to another one's folder.
    pub fn found_from(&self, layer: &Path) -> String {
        let (file, layer) = (whole(&self.file), whole(layer));
        let folder: Vec<Component> = layer.parent().map_or_else(Vec::new, |f| f.components().collect());
        let parts: Vec<Component> = file.components().collect();
        let common = folder.iter().zip(&parts).take_while(|(a, b)| a == b).count();
        if common == 0 {
            // There is no relative path between two drives.
            return file.to_string_lossy().into_owned();
        }
        let up = if common == folder.len() { vec!["."] } else { vec![".."; folder.len() - common] };
        let down = parts[common..].iter().map(|part| part.as_os_str().to_string_lossy());
        let parts: Vec<_> = up.into_iter().map(Into::into).chain(down).collect();
        parts.join("/")
    }
}

/// Checks that a mesh has the faces of a file's, corner for corner, so that UVs of its corners fit the file's.
pub fn check_corners(mesh: &Mesh, original: &Mesh) -> Result<()> {
    let differs = |face: usize| mesh.face(face) != original.face(face);
    let (ours, theirs) = (mesh.face_count(), original.face_count());
    let message = match (0..ours.min(theirs)).find(|&face| differs(face)) {
        Some(face) => {
            let message = "the face has different corners in the body and in the mesh at rest";
            return Err(Error::new(Kind::Topology, message).face(face));
        }
        None if ours == theirs => return Ok(()),
        None => format!("the body has {theirs} faces, the mesh with the UVs {ours}"),
    };
    Err(Error::new(Kind::Topology, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_finds_its_original_from_its_own_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["in", "out/deep"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let at = |name: &str| folder.path().join(name);
        let over = Over { file: at("in/shot.abc"), mesh: "/root/body".into(), usd: None };
        assert_eq!(over.found_from(&at("out/deep/slid.abc")), "../../in/shot.abc");
        assert_eq!(over.found_from(&at("in/slid.abc")), "./shot.abc");
        assert_eq!(over.found_from(&at("slid.abc")), "./in/shot.abc");
        assert_eq!(over.names(), ["root", "body"]);
        over.check(&at("a.abc")).unwrap();
        assert!(over.check(&at("a.usda")).is_err_and(|e| e.kind() == Kind::InvalidArgument));
    }
}
