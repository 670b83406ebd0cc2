//! The meshes of bodies: in files beside a scene, or not yet written.

use super::{Document, Id};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::obj;
use sinew_geometry::Mesh;
use sinew_math::Space;
use sinew_scene::quantity::{Between, Quantity, vector};
use std::path::Path;

/// The element that names the file of a body's mesh, and its attribute.
const SHAPE: (&str, &str) = ("shape", "file");

impl Document {
    /// The mesh that a shape names, in the axes of its body and the unit of a space.
    pub fn mesh(&self, id: Id, space: Space) -> Result<Mesh> {
        let name = self.mesh_name(id)?;
        let mesh = match self.meshes.get(&name) {
            Some(mesh) => mesh.clone(),
            None => {
                let folder = self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
                obj::read(&folder.join(&name)).map_err(|e| self.at(e, id))?.mesh
            }
        };
        Ok(between(mesh, &Between(self.space()?, space)))
    }

    /// Gives a shape a mesh, which is written to its file when the document is saved.
    pub fn set_mesh(&mut self, id: Id, mesh: Mesh, space: Space) -> Result<()> {
        let name = self.mesh_name(id)?;
        mesh.check_counts().map_err(|e| self.at(e, id))?;
        let mesh = between(mesh, &Between(space, self.space()?));
        self.meshes.insert(name, mesh);
        Ok(())
    }

    /// What is written to the file of a mesh that was set.
    pub fn mesh_file(&self, id: Id) -> Result<Vec<u8>> {
        let name = self.mesh_name(id)?;
        let missing = || Error::new(Kind::NotFound, format!("no mesh was set for {name}"));
        let mesh = self.meshes.get(&name).ok_or_else(missing).map_err(|e| self.at(e, id))?;
        let mut bytes = Vec::new();
        obj::write(&mut bytes, mesh)
            .map_err(|e| self.at(Error::new(Kind::Io, format!("the mesh cannot be written: {e}")), id))?;
        Ok(bytes)
    }

    fn mesh_name(&self, id: Id) -> Result<String> {
        let (element, attribute) = SHAPE;
        let name = if self.element(id)? == element { self.text_of(id, attribute)? } else { None };
        name.map(String::from).ok_or_else(|| {
            let message =
                format!("a mesh belongs to a <{element}> whose attribute {attribute} names its file");
            self.at(Error::new(Kind::InvalidArgument, message), id)
        })
    }
}

fn between(mut mesh: Mesh, by: &Between) -> Mesh {
    if by.0 != by.1 {
        mesh.positions.iter_mut().for_each(|p| *p = vector(by, Quantity::InBody, *p).map(|x| x + 0.0));
    }
    mesh
}
