//! A scene and where it came from: files resolved against its folder, errors located at the element that caused them.

use sinew_base::error::{Error, Kind, Result};
use sinew_formats::xml;
use sinew_math::{Real, Space};
use sinew_nodes::{Direction, Instance, find};
use sinew_scene::schema::Line;
use sinew_scene::{NodeElement, ParamElement, Scene};
use std::path::{Path, PathBuf};

/// A scene and the file that it came from; its paths are relative to the current folder.
pub struct SceneFile {
    /// The scene.
    pub scene: Scene,
    /// Its file; none if it comes from the command line alone.
    pub path: Option<PathBuf>,
    /// Its text, independent of the folder from which it was read and of the output folder.
    pub text: String,
    /// The same for what its nodes compute, independent of the outputs.
    pub(super) solving: String,
    /// The options of the command line that feed inputs, by port, for messages about them.
    options: &'static [(&'static str, &'static str)],
}

impl SceneFile {
    /// Reads a scene and resolves its files against its folder.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_with(path, |_| Ok(()))
    }

    /// The same, with `edit` changing the scene before its files are resolved.
    pub fn read_with(path: &Path, edit: impl FnOnce(&mut Scene) -> Result<()>) -> Result<Self> {
        let mut scene: Scene = xml::read(path)?;
        edit(&mut scene)?;
        let (text, solving) = (xml::write(&scene.anywhere()), xml::write(&scene.solving()));
        let folder = path.parent().unwrap_or(Path::new(""));
        let join = |file: &mut String| *file = folder.join(&*file).to_string_lossy().into_owned();
        scene.files_mut().for_each(|(_, file)| join(file));
        param_files(&mut scene).for_each(join);
        Ok(SceneFile { scene, path: Some(path.to_path_buf()), text, solving, options: &[] })
    }

    /// A scene from the command line.
    pub fn of(scene: Scene) -> Self {
        let (text, solving) = (xml::write(&scene.anywhere()), xml::write(&scene.solving()));
        SceneFile { scene, path: None, text, solving, options: &[] }
    }

    /// Names the options of a command that feed inputs: for each port its option. Other inputs come from `--map`.
    pub fn with_options(self, options: &'static [(&'static str, &'static str)]) -> Self {
        SceneFile { options, ..self }
    }

    /// The option that would feed an input.
    pub(super) fn option_of(&self, port: &str) -> Option<&'static str> {
        self.options.iter().find(|(known, _)| *known == port).map(|(_, option)| *option)
    }

    /// The option that an input came from, if it is on no line of a file.
    pub(super) fn option(&self, port: &str, line: Line) -> Option<&'static str> {
        let typed = line.0 == 0 && !self.options.is_empty();
        typed.then(|| self.option_of(port).unwrap_or("--map"))
    }

    /// The output folder, if there are outputs.
    pub fn results_folder(&self) -> Option<PathBuf> {
        self.scene.outputs.as_ref().map(|outputs| PathBuf::from(&outputs.folder))
    }

    /// The files that parameters name.
    pub fn param_files(&self) -> Vec<PathBuf> {
        param_files(&mut self.scene.clone()).map(|file| PathBuf::from(&*file)).collect()
    }

    /// The files that may move inputs of nodes.
    pub fn moving_paths(&self) -> impl Iterator<Item = &str> {
        self.scene.nodes.iter().flat_map(|node| {
            let ports = find(&node.kind).map_or(&[][..], |registration| registration.descriptor.ports);
            let still = |id: &str| {
                ports.iter().any(|port| port.id == id && port.direction == Direction::Input && port.at_rest)
            };
            let moving = node.inputs.iter().filter(move |input| !still(&input.port));
            moving.filter_map(|input| input.file.as_deref())
        })
    }

    /// The folder from which it was read.
    pub fn folder(&self) -> &Path {
        self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""))
    }

    /// The command that reproduces the job, the same from any folder; empty if it was given by options.
    pub fn command(&self) -> String {
        let name = self.path.as_deref().and_then(Path::file_name);
        name.map_or_else(String::new, |name| format!("sinew run {}", name.to_string_lossy()))
    }

    /// The only node of the scene, which must be of that type.
    pub fn node(&self, kind: &str) -> Result<&NodeElement> {
        match self.scene.nodes.as_slice() {
            [node] if node.kind == kind => Ok(node),
            [node] => {
                let message = format!("a node of type {:?}; this command runs the type {kind}", node.kind);
                Err(self.place(Error::new(Kind::Unsupported, message), "node", node.line))
            }
            nodes => {
                let message = format!("{} nodes; this command runs one of type {kind}", nodes.len());
                Err(self.place(Error::new(Kind::Unsupported, message), "sinew", self.scene.line))
            }
        }
    }

    /// The unit and the up axis of all files, if the scene specifies them.
    pub fn space(&self) -> Result<Option<Space>> {
        let Some(space) = &self.scene.space else { return Ok(None) };
        let made = space.space();
        made.map(Some).map_err(|e| self.place(e, "space", space.line))
    }

    /// A node with the scene's parameters.
    pub fn instance(&self, element: &NodeElement) -> Result<Instance> {
        let mut node = Instance::new(&element.kind).map_err(|e| self.place(e, "node", element.line))?;
        node.set_lean(element.lean);
        for (k, param) in element.params.iter().enumerate() {
            // Of the options of a command the last counts; they have no lines.
            let is_twice = |other: &ParamElement| other.id == param.id && other.line.0 > 0;
            if param.line.0 > 0 && element.params[..k].iter().any(is_twice) {
                let message = format!("the parameter {} is set twice", param.id);
                return Err(self.place(Error::new(Kind::InvalidArgument, message), "param", param.line));
            }
            let value = match (&param.value, &param.file) {
                (Some(value), None) => value,
                // Its values are set frame by frame.
                (None, Some(_)) => continue,
                _ => {
                    let error = Error::new(Kind::InvalidArgument, "one of value and file is expected");
                    return Err(self.place(error.param(&param.id), "param", param.line));
                }
            };
            let set = node.set_param_text(&param.id, value);
            set.map_err(|e| match param.line.0 {
                0 => Error::new(Kind::InvalidArgument, e.to_string()),
                _ => self.place(e, "param", param.line),
            })?;
            let registered = node.descriptor().params.iter().find(|known| known.id == param.id);
            let file = Path::new(value);
            if registered.is_some_and(|known| !known.panel.files.is_empty()) && names_file(value) {
                let there = std::fs::metadata(file).map_err(|e| Error::io(file, &e).param(&param.id));
                there.map_err(|e| self.place(e, "param", param.line))?;
            }
        }
        Ok(node)
    }

    /// The scene's frame rate.
    pub fn fps(&self) -> Result<Option<Real>> {
        let reported = self.scene.frames.as_ref().and_then(|element| Some((element.fps?, element.line)));
        let Some((fps, line)) = reported else { return Ok(None) };
        if fps.is_finite() && fps > 0.0 {
            return Ok(Some(fps));
        }
        let error = Error::new(Kind::InvalidArgument, format!("{fps} is not a frame rate"));
        Err(self.place(error, "frames", line))
    }

    /// Attaches the element that caused an error. What came from the command line has no line and keeps its own place.
    pub fn place(&self, error: Error, element: &str, line: Line) -> Error {
        match &self.path {
            Some(path) if line.0 > 0 => error.inside(path, line.0, element),
            _ => error,
        }
    }
}

/// The values of parameters that are file names. One that begins with `<` is the file's contents instead.
pub fn param_files(scene: &mut Scene) -> impl Iterator<Item = &mut String> {
    scene.nodes.iter_mut().flat_map(|node| {
        let known = find(&node.kind).map_or(&[][..], |registration| registration.descriptor.params);
        let is_file = |id: &str| known.iter().any(|param| param.id == id && !param.panel.files.is_empty());
        let named = node.params.iter_mut().filter(move |param| is_file(&param.id));
        named.filter_map(|param| param.value.as_mut()).filter(|value| names_file(value))
    })
}

/// Whether the value of a parameter for files is the name of one, rather than its contents.
fn names_file(value: &str) -> bool {
    !value.is_empty() && !value.trim_start().starts_with('<')
}
