//! A mesh, whatever its file format.

use super::Format;
use super::over::Over;
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::Space;
use std::path::Path;

/// What a file says about a mesh.
#[derive(Debug)]
pub struct MeshFile {
    /// The mesh with its UVs.
    pub mesh: Mesh,
    /// The unit and the up axis; none if the format cannot express them, an error if they make no sense.
    pub space: Result<Option<Space>>,
    /// The mesh below a layer that moves its points, if the format has such layers.
    pub over: Option<Result<Over>>,
}

/// Reads a mesh and its space; from a file with motion, the first sample; for a mesh posed by a skeleton or blend
/// shapes, the unposed mesh.
pub fn read(path: &Path) -> Result<MeshFile> {
    Format::reader(path, "mesh", |read| read.mesh)?(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obj;
    use sinew_base::error::Kind;
    use sinew_geometry::shapes;
    use sinew_math::UpAxis;

    #[test]
    fn a_mesh_comes_with_the_space_that_its_file_tells() {
        let folder = tempfile::tempdir().unwrap();
        let obj = folder.path().join("a.obj");
        obj::save(&obj, &shapes::grid(1.0, 1.0, 1, 1)).unwrap();
        assert_eq!(read(&obj).unwrap().space.unwrap(), None);
        let usd = folder.path().join("a.usda");
        let stated = |unit: &str| {
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
        assert_eq!(stated("0.1").unwrap(), Some(Space::new(0.1, UpAxis::Z).unwrap()));
        // A caller that knows the unit from elsewhere does not ask for this one.
        assert!(stated("-1").is_err());
        assert_eq!(read(&folder.path().join("a.pc2")).unwrap_err().kind(), Kind::Unsupported);
    }
}
