//! The surface on which the skin slides: the original meshes, or their limit surface if they are cages.

use super::super::scene_file::SceneFile;
use sinew_base::error::Result;
#[cfg(not(feature = "opensubdiv"))]
use sinew_base::error::{Error, Kind};
use sinew_formats::map::VertexMap;
use sinew_geometry::Mesh;
#[cfg(feature = "opensubdiv")]
use sinew_geometry::{Subdivision, SubdivisionOptions};
use sinew_math::Vec3;
use sinew_scene::SubdivideElement;

/// How original meshes become surfaces.
#[derive(Default)]
pub(super) enum Surface {
    /// They are surfaces.
    #[default]
    Given,
    /// They are cages of one topology.
    #[cfg(feature = "opensubdiv")]
    Limit(Box<Subdivision>),
}

impl Surface {
    /// For meshes with the faces of `cage`.
    pub fn new(file: &SceneFile, element: Option<&SubdivideElement>, cage: &Mesh) -> Result<Self> {
        let Some(element) = element else { return Ok(Surface::Given) };
        Self::limit(element, cage).map_err(|e| file.place(e, "subdivide", element.line))
    }

    #[cfg(feature = "opensubdiv")]
    fn limit(element: &SubdivideElement, cage: &Mesh) -> Result<Self> {
        let options =
            SubdivisionOptions { level: element.level, boundary: element.boundary, uvs: element.uvs };
        Ok(Surface::Limit(Box::new(Subdivision::new(cage, options)?)))
    }

    #[cfg(not(feature = "opensubdiv"))]
    fn limit(_: &SubdivideElement, _: &Mesh) -> Result<Self> {
        let message = "this build cannot subdivide: build it with --features opensubdiv";
        Err(Error::new(Kind::Unsupported, message))
    }

    /// The surface of a mesh with its UVs.
    pub fn mesh(&self, given: &Mesh) -> Result<Mesh> {
        match self {
            Surface::Given => Ok(given.clone()),
            #[cfg(feature = "opensubdiv")]
            Surface::Limit(limit) => limit.mesh(given),
        }
    }

    /// The surface's points for these original ones.
    pub fn points(&self, given: Vec<Vec3>) -> Result<Vec<Vec3>> {
        match self {
            Surface::Given => Ok(given),
            #[cfg(feature = "opensubdiv")]
            Surface::Limit(limit) => {
                let mut points = vec![Vec3::zeros(); limit.point_count()];
                limit.limit_positions(&given, &mut points)?;
                Ok(points)
            }
        }
    }

    /// A map over the surface's points, interpolated as smoothly.
    pub fn map(&self, given: VertexMap) -> Result<VertexMap> {
        match self {
            Surface::Given => Ok(given),
            #[cfg(feature = "opensubdiv")]
            Surface::Limit(limit) => {
                let components = given.components.max(1);
                let mut values = vec![0.0; limit.point_count() * components];
                limit.limit_values(&given.values, components, &mut values)?;
                Ok(VertexMap { components, values })
            }
        }
    }

    /// Whether its vertices are those of the original meshes.
    pub fn is_given(&self) -> bool {
        matches!(self, Surface::Given)
    }
}
