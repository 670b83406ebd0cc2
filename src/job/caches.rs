//! Files that hold all frames, made from the stored ones after the last: the body with slid UVs and maps.

use super::moment::{Moment, Part};
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::sequence::Pattern;
use crate::formats::shot::{FrameData, Info, Map};
use crate::formats::{Format, Holds, sink};
use crate::geometry::Mesh;
use crate::math::{Real, Space};
use crate::scene::frames::check_rising;
use std::path::{Path, PathBuf};

/// The frames of a job, to be read as often as a file's format needs.
pub struct Stored<'a> {
    /// Which frames there are.
    pub frames: &'a [i64],
    /// Frames per second.
    pub fps: Real,
    /// The unit and the up axis of all numbers.
    pub space: Space,
    /// What each of them gave.
    pub moment: &'a dyn Fn(usize) -> Result<Moment>,
    /// To be asked before each.
    pub control: &'a Control,
}

impl Stored<'_> {
    /// Each frame in turn.
    pub fn each(&self, mut write: impl FnMut(&Moment) -> Result<()>) -> Result<()> {
        for (place, &frame) in self.frames.iter().enumerate() {
            self.read(place).and_then(|moment| write(&moment)).map_err(|e| e.frame(frame))?;
        }
        Ok(())
    }

    /// The frame of that place.
    pub fn read(&self, place: usize) -> Result<Moment> {
        self.control.check()?;
        (self.moment)(place)
    }
}

/// Maps that files carry: their name there, the node's output, and the numbers of it that are taken.
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
pub struct Cache {
    file: PathBuf,
    holds: Holds,
}

impl Cache {
    /// By the ending of its name; the frames must rise.
    pub fn new(file: &Path, frames: &[i64], fps: Real) -> Result<Self> {
        let format = Format::of(file)?;
        check_whole(file, frames, fps)?;
        match format.row().shot {
            Some(holds) if holds.maps || format == Format::Glb => {
                Ok(Cache { file: file.to_path_buf(), holds })
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

    /// Its name.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Writes it, whole or not at all, and returns its name.
    pub fn write(&self, rest: &Mesh, node: &str, stored: &Stored) -> Result<PathBuf> {
        let maps = MAPS.each_ref().map(|(name, _, taken)| Map {
            name,
            interpolation: "vertex",
            components: taken.len(),
        });
        let carried: &[Map] = if self.holds.maps { &maps } else { &[] };
        let info = Info { name: "body", mesh: Some(rest), space: stored.space, maps: carried, curves: &[] };
        sink::write(&self.file, &info, stored.frames, stored.fps, &mut |place| {
            let moment = stored.read(place)?;
            let skin = moment.part(node);
            let maps =
                carried.iter().zip(MAPS).map(|(_, (_, output, taken))| map_values(skin, output, taken));
            Ok(FrameData {
                maps: maps.collect(),
                uvs: skin.uvs().to_vec(),
                points: skin.body().to_vec(),
                ..FrameData::default()
            })
        })?;
        Ok(self.file.clone())
    }
}

/// Checks that one file can hold all frames.
pub fn check_whole(file: &Path, frames: &[i64], fps: Real) -> Result<()> {
    if Pattern::parse(file)?.is_some() {
        let message = "one file holds all frames: its name has no place for the frame";
        return Err(Error::new(Kind::InvalidArgument, message).file(file));
    }
    check_rising(frames, fps).map_err(|e| e.file(file))
}
