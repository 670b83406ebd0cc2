//! Files that hold all frames, made from the stored ones after the last: the body with slid UVs and maps.

use super::moment::Moment;
use super::tables::slid_mesh;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::alembic::{Map, MeshSample, Scope, Transform, Writer};
use crate::formats::points::sampling;
use crate::formats::sequence::Pattern;
use crate::formats::{Format, gltf, usd};
use crate::geometry::Mesh;
use crate::math::{Real, Space, UpAxis};
use crate::scene::frames::check_rising;
use std::path::{Path, PathBuf};

/// The frames of a job, to be read as often as a file's format needs.
pub struct Stored<'a> {
    /// The body at rest.
    pub rest: &'a Mesh,
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

    fn read(&self, place: usize) -> Result<Moment> {
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
pub fn map_values(moment: &Moment, output: &str, taken: &[usize]) -> Vec<Real> {
    let values = moment.output(output);
    let vertices = moment.body.len().max(1);
    let each = values.chunks_exact((values.len() / vertices).max(1));
    each.flat_map(|numbers| taken.iter().map(|&k| numbers[k])).collect()
}

/// A file that holds all frames.
pub struct Cache {
    file: PathBuf,
    format: Format,
}

impl Cache {
    /// By the ending of its name; the frames must rise.
    pub fn new(file: &Path, frames: &[i64], fps: Real) -> Result<Self> {
        let format = Format::of(file)?;
        check_whole(file, frames, fps)?;
        match format {
            Format::Abc | Format::Usd | Format::Usda | Format::Usdc | Format::Glb => {
                Ok(Cache { file: file.to_path_buf(), format })
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
    pub fn write(&self, stored: &Stored) -> Result<PathBuf> {
        match self.format {
            Format::Usd | Format::Usda | Format::Usdc => usd(&self.file, stored)?,
            Format::Glb => glb(&self.file, stored)?,
            _ => alembic(&self.file, stored)?,
        }
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

fn alembic(file: &Path, stored: &Stored) -> Result<()> {
    let mut writer = Writer::create(file, sampling(stored.frames, stored.fps))?;
    let turned = (stored.space.up() == UpAxis::Z).then(|| writer.add_transform(None, "z_up")).transpose()?;
    let body = writer.add_mesh(turned, "body", stored.rest)?;
    let upright = Transform::upright(stored.space.up());
    stored.each(|moment| {
        if let Some(turned) = turned {
            writer.write_transform(turned, &upright)?;
        }
        let mesh = slid_mesh(stored.rest, moment);
        let values = MAPS.map(|(_, output, taken)| map_values(moment, output, taken));
        let maps: Vec<Map> = MAPS
            .iter()
            .zip(&values)
            .map(|((name, _, taken), values)| Map {
                name,
                scope: Scope::Vertex,
                components: taken.len(),
                values,
                indices: None,
            })
            .collect();
        let sample = MeshSample {
            positions: &mesh.positions,
            uvs: mesh.uvs.as_ref(),
            maps: &maps,
            ..MeshSample::default()
        };
        writer.write_mesh(body, &sample)
    })?;
    writer.commit()
}

fn usd(file: &Path, stored: &Stored) -> Result<()> {
    let map = |(name, _, taken): &(&'static str, &str, &[usize])| usd::Map {
        name,
        interpolation: "vertex",
        components: taken.len(),
    };
    let maps = MAPS.each_ref().map(map);
    let info =
        usd::Info { name: "body", mesh: Some(stored.rest), space: stored.space, maps: &maps, curves: &[] };
    usd::write(file, &info, stored.frames, stored.fps, &mut |place| {
        let moment = stored.read(place)?;
        let maps = MAPS.map(|(_, output, taken)| map_values(&moment, output, taken)).to_vec();
        Ok(usd::FrameData { uvs: moment.uvs(), points: moment.body, maps, ..usd::FrameData::default() })
    })
}

/// glTF has no moving UVs: those of the middle frame are shown.
fn glb(file: &Path, stored: &Stored) -> Result<()> {
    let shown = stored.read(stored.frames.len() / 2)?.uvs();
    let uvs = (!shown.is_empty()).then_some(shown.as_slice());
    let info = gltf::Info { name: "body", mesh: stored.rest, uvs, space: stored.space };
    gltf::write(file, &info, stored.frames, stored.fps, &mut |place| Ok(stored.read(place)?.body))
}
