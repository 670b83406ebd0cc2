//! A mesh, whatever its file format.

use super::alembic::{At, read_mesh};
use super::usd::Stage;
use super::{Format, obj};
use crate::error::{Error, Kind, Result};
use crate::geometry::Mesh;
use crate::math::Space;
use std::path::Path;

/// What a file says about a mesh.
#[derive(Debug)]
pub struct MeshFile {
    /// The mesh with its UVs.
    pub mesh: Mesh,
    /// The unit and the up axis; none if the format cannot express them, an error if they make no sense.
    pub space: Result<Option<Space>>,
}

/// Reads a mesh and its space; from a file with motion, the first sample; for a mesh posed by a skeleton or blend
/// shapes, the unposed mesh.
pub fn read(path: &Path) -> Result<MeshFile> {
    let mesh = match Format::of(path)? {
        Format::Obj => obj::read(path)?.mesh,
        Format::Abc => read_mesh(path, At::Sample(0))?,
        format if format.is_usd() => return read_usd(path),
        other => {
            let message = format!("{} holds no mesh; OBJ, Alembic and USD do", other.row().title);
            return Err(Error::new(Kind::Unsupported, message).file(path));
        }
    };
    Ok(MeshFile { mesh, space: Ok(None) })
}

fn read_usd(path: &Path) -> Result<MeshFile> {
    let (stage, mesh) = Stage::open_mesh(path)?;
    let first = stage.sample_times(&mesh)?.first().copied().unwrap_or(0.0);
    Ok(MeshFile { mesh: stage.mesh_at(&mesh, first, true)?, space: stage.space().map(Some) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes;
    use crate::math::UpAxis;

    #[test]
    fn a_mesh_comes_with_the_space_that_its_file_tells() {
        let folder = tempfile::tempdir().unwrap();
        let obj = folder.path().join("a.obj");
        obj::save(&obj, &shapes::grid(1.0, 1.0, 1, 1)).unwrap();
        assert_eq!(read(&obj).unwrap().space.unwrap(), None);
        let usd = folder.path().join("a.usda");
        let told = |unit: &str| {
            let text = format!(
                r#"#usda 1.0
                ( metersPerUnit = {unit}  upAxis = "Z" )
                def Mesh "m" {{
                    int[] faceVertexCounts = [3]
                    int[] faceVertexIndices = [0, 1, 2]
                    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
                }}"#
            );
            std::fs::write(&usd, text).unwrap();
            let read = read(&usd).unwrap();
            assert_eq!(read.mesh.face(0), [0, 1, 2]);
            read.space
        };
        assert_eq!(told("0.1").unwrap(), Some(Space::new(0.1, UpAxis::Z).unwrap()));
        // A caller that knows the unit from elsewhere does not ask for this one.
        assert!(told("-1").is_err());
        assert_eq!(read(&folder.path().join("a.pc2")).unwrap_err().kind(), Kind::Unsupported);
    }
}
