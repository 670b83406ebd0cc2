//! Whether what a document stands for can be built.

use super::Document;
use sinew_base::error::Result;
use sinew_formats::strand_scene;
use sinew_scene::faults::{Fault, Weight};
use sinew_scene::schema::{Element, Tree};
use sinew_scene::strand::{Built, StrandScene};

impl Document {
    /// The model of a scene, with the contents of the files that it names.
    pub fn built(&self) -> Result<Built> {
        self.built_from(&self.file.numbered()).map_err(|error| self.at_line(error))
    }

    fn built_from(&self, tree: &Tree) -> Result<Built> {
        let scene = StrandScene::from_tree(tree)?;
        let (scene, meshes) = strand_scene::open(scene, self.path.as_deref(), &self.meshes)?;
        scene.build(&meshes)
    }

    /// What keeps a scene from being built although each of its elements can be read. A text whose files lie elsewhere
    /// cannot be judged.
    pub(super) fn unbuilt(&self) -> Option<Fault> {
        if self.type_name() != StrandScene::schema().name || self.lacks_files() {
            return None;
        }
        let tree = self.file.numbered();
        let error = self.built_from(&tree).err()?;
        let (place, message) = (error.place(), error.message().to_string());
        let line = place.line.unwrap_or(tree.line);
        let element = place.element.clone().unwrap_or_else(|| tree.name.clone());
        Some(Fault { weight: Weight::Wrong, line, element, attribute: None, message })
    }

    fn lacks_files(&self) -> bool {
        let all = self.file.walk(self.root());
        let mut files = all.into_iter().filter_map(|id| self.file.get(id, "file").ok().flatten());
        self.path.is_none() && files.any(|file| !self.meshes.contains_key(file))
    }
}
