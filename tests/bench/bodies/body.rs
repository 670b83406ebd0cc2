//! An animated body from its files.

use sinew::error::{Error, Kind, Result};
use sinew::formats::mesh;
use sinew::formats::points::PointSource;
use sinew::geometry::Mesh;
use sinew::geometry::measure::bounds;
use sinew::math::{Real, Vec3};
use std::path::Path;

/// Frames per second of the files.
pub const FPS: Real = 24.0;
/// Nobody is so tall, in metres: the file must be in centimetres.
const TALLEST: Real = 20.0;

/// A body in metres, at rest and in motion.
pub struct Body {
    pub rest: Mesh,
    /// The number of the first frame; the others follow it one by one.
    pub first: i64,
    pub frames: Vec<Vec<Vec3>>,
    /// Metres to one unit of the files.
    pub unit: Real,
}

/// The folders that hold a body, in order of their names.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().join("rest.obj").exists() && entry.path().join("body.pc2").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

impl Body {
    /// Reads at most so many frames.
    pub fn read(folder: &Path, most: usize, unit: Option<Real>) -> Result<Body> {
        let mut rest = mesh::read(&folder.join("rest.obj"))?.mesh;
        let mut source = PointSource::open(&folder.join("body.pc2"), FPS)?;
        let count = source.frames().len().min(most);
        let Some(&first) = source.frames().first() else {
            return Err(Error::new(Kind::MissingInput, "the body has no frames"));
        };
        let mut frames = (0..count).map(|k| source.read(k)).collect::<Result<Vec<_>>>()?;
        let unit = unit.unwrap_or(if height(&rest.positions) > TALLEST { 0.01 } else { 1.0 });
        let all = rest.positions.iter_mut().chain(frames.iter_mut().flatten());
        all.for_each(|p| *p *= unit);
        Ok(Body { rest, first, frames, unit })
    }

    /// The longest side of the box around the body at rest.
    pub fn height(&self) -> Real {
        height(&self.rest.positions)
    }

    /// The body at twice the rate: between each two frames one halfway.
    pub fn doubled(&self) -> Body {
        let mut frames = Vec::with_capacity(2 * self.frames.len());
        for pair in self.frames.windows(2) {
            frames.push(pair[0].clone());
            frames.push(pair[0].iter().zip(&pair[1]).map(|(a, b)| (a + b) * 0.5).collect());
        }
        frames.extend(self.frames.last().cloned());
        Body { rest: self.rest.clone(), first: 2 * self.first, frames, unit: self.unit }
    }
}

fn height(points: &[Vec3]) -> Real {
    let [low, high] = bounds(points);
    (high - low).max()
}
