//! The meshes that scenes of strands name.

use super::obj;
use crate::error::Result;
use crate::geometry::Mesh;
use crate::scene::strand::StrandScene;
use std::collections::HashMap;
use std::path::Path;

const ELEMENT: &str = "strand_scene/body/shape";

/// Reads the files that a scene names; they are found from the folder of the scene's own file, and from the current one
/// when it has none.
pub fn meshes(scene: &StrandScene, file: Option<&Path>) -> Result<HashMap<String, Mesh>> {
    let folder = file.and_then(Path::parent).unwrap_or(Path::new(""));
    let read = |(name, line): (&str, crate::scene::schema::Line)| {
        let read = obj::read(&folder.join(name)).map_err(|e| match file {
            Some(file) => e.inside(file, line.0, ELEMENT),
            None => e.element(ELEMENT),
        });
        Ok((name.to_string(), read?.mesh))
    };
    scene.files().map(read).collect()
}
