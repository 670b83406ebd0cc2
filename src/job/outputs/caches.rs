//! The body with slid UVs and maps as files that hold all frames.

use super::super::store::record::Part;
use super::Writer;
use super::skin::Skin;
use super::stored::{Stored, check_whole};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::over::Over;
use sinew_formats::shot::{FrameData, Info, Map};
use sinew_formats::{Format, Holds, sink};
use sinew_geometry::Mesh;
use sinew_math::Real;
use sinew_scene::{CacheElement, LayerChoice};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The map with the slid rest position.
const REST: &str = "skin";

/// Maps written to files: their name there, the node's output, and the components that are used.
pub const MAPS: [(&str, &str, &[usize]); 6] = [
    ("slide", "slide_distance", &[0]),
    ("slideVector", "slide_vector", &[0, 1, 2]),
    ("skin", "skin_points", &[0, 1, 2]),
    ("stretchMax", "stretch", &[0]),
    ("stretchMin", "stretch", &[1]),
    ("wrinkle", "wrinkle_amplitude", &[0]),
];

/// The numbers of a map of [`MAPS`].
pub fn map_values(skin: Part, output: &str, taken: &[usize]) -> Vec<Real> {
    let values = skin.output(output);
    let vertices = skin.body().len().max(1);
    let each = values.chunks_exact((values.len() / vertices).max(1));
    each.flat_map(|numbers| taken.iter().map(|&k| numbers[k])).collect()
}

/// A file that holds all frames.
pub(super) struct Cache {
    file: PathBuf,
    node: String,
    rest: Arc<Mesh>,
    /// The name of the slid rest position.
    rest_name: String,
    holds: Holds,
    /// The mesh below the layer; none if it holds the whole mesh.
    over: Option<Over>,
    warning: Option<String>,
    velocities: bool,
}

impl Cache {
    /// Selected by the extension; the frames must ascend. `over` is the body's mesh in its file.
    pub fn new(
        file: &Path,
        element: &CacheElement,
        skin: &Skin,
        over: &Result<Option<Over>>,
        frames: &[i64],
        fps: Real,
    ) -> Result<Self> {
        let format = Format::of(file)?;
        check_whole(file, frames, fps)?;
        let rest_name = element.rest_name.as_str();
        let plain = rest_name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let taken = MAPS.iter().any(|(name, ..)| *name == rest_name && *name != REST);
        if !plain || rest_name.starts_with(|c: char| c.is_ascii_digit()) || taken {
            let message = format!(
                "rest_name {rest_name:?} must be a plain name (letters, digits and _, not starting with a digit) that \
                 no other map has"
            );
            return Err(Error::new(Kind::InvalidArgument, message).file(file));
        }
        match format.row().shot.map(|shot| shot.holds) {
            Some(holds) if holds.maps || format == Format::Glb => {
                let (over, warning) = match (element.layer, over) {
                    (LayerChoice::No, _) => (None, None),
                    (LayerChoice::Yes, over) => (Some(layer(file, over.clone()?)?), None),
                    (LayerChoice::Auto, Ok(over)) => {
                        (over.clone().filter(|over| over.usd.is_some() && format.is_usd()), None)
                    }
                    (LayerChoice::Auto, Err(_)) if !format.is_usd() => (None, None),
                    (LayerChoice::Auto, Err(why)) => {
                        (None, Some(format!("{} holds the whole mesh: {why}", file.display())))
                    }
                };
                if element.velocities && (over.is_some() || !holds.velocities) {
                    let message =
                        "only whole meshes in Alembic and USD have velocities, layers have no points";
                    return Err(Error::new(Kind::Unsupported, message).file(file));
                }
                Ok(Cache {
                    velocities: element.velocities,
                    file: file.to_path_buf(),
                    node: skin.node.clone(),
                    rest: skin.rest.clone(),
                    rest_name: element.rest_name.clone(),
                    holds,
                    over,
                    warning,
                })
            }
            _ => {
                let title = format.row().title;
                let message = format!(
                    "{title} is not written as a cache; .abc, .usd, .usdc, .usda and, for viewing, .glb are"
                );
                Err(Error::new(Kind::Unsupported, message).file(file))
            }
        }
    }
}

impl Writer for Cache {
    fn names(&self, _: &[i64]) -> Result<Vec<PathBuf>> {
        Ok(vec![self.file.clone()])
    }

    /// Why it is not a layer where one could be expected.
    fn warnings(&self) -> Vec<String> {
        self.warning.iter().cloned().collect()
    }

    fn holds_all(&self) -> bool {
        true
    }

    fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        let node = self.node.as_str();
        let maps = MAPS.each_ref().map(|(name, _, taken)| Map {
            name: if *name == REST { self.rest_name.as_str() } else { name },
            interpolation: "vertex",
            components: taken.len(),
        });
        let carried: &[Map] = if self.holds.maps { &maps } else { &[] };
        let info = Info {
            name: "body",
            mesh: Some(&self.rest),
            space: stored.space,
            maps: carried,
            over: self.over.as_ref(),
            provenance: stored.provenance.clone(),
            samples: stored.samples.count(),
            ..Info::default()
        };
        sink::write(&self.file, &info, &stored.written, stored.fps, &mut |index| {
            let record = stored.read(index)?;
            let velocities = match self.velocities {
                true => stored.velocities(index, |record| record.part(node).body().to_vec())?,
                false => Vec::new(),
            };
            let skin = record.part(node);
            let maps =
                carried.iter().zip(MAPS).map(|(_, (_, output, taken))| map_values(skin, output, taken));
            Ok(FrameData {
                maps: maps.collect(),
                uvs: skin.uvs().to_vec(),
                points: if self.over.is_some() { Vec::new() } else { skin.body().to_vec() },
                velocities,
                ..FrameData::default()
            })
        })?;
        Ok(vec![self.file.clone()])
    }
}

/// The mesh below a file's layer.
pub fn layer(file: &Path, over: Option<Over>) -> Result<Over> {
    let over = over.ok_or_else(|| {
        let message = "there is nothing to layer over: the mesh comes from neither USD nor Alembic";
        Error::new(Kind::InvalidArgument, message).file(file)
    })?;
    over.check(file).map(|()| over)
}
