//! Curves drawn as tubes: a mesh per frame, whose faces change when a curve is cut.

use super::super::store::record::FrameRecord;
use super::Writer;
use super::curves::{CurveSources, Piece};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::sequence::Pattern;
use sinew_formats::{Format, obj, sink};
use sinew_geometry::{Course, tubes};
use sinew_math::{Real, Vec3};
use std::path::{Path, PathBuf};

/// A file per frame.
pub(super) struct TubeFile {
    file: PathBuf,
    pattern: Pattern,
    curves: CurveSources,
    around: usize,
}

/// More sides of a tube are a typing error.
const MOST: u32 = 1000;

impl TubeFile {
    pub fn new(file: &Path, curves: Option<CurveSources>, around: u32) -> Result<Self> {
        let wrong = |kind, message: &str| Err(Error::new(kind, message).file(file));
        if Format::of(file)? != Format::Obj {
            return wrong(
                Kind::Unsupported,
                "tubes change their faces from frame to frame; .obj can hold them",
            );
        }
        if !(3..=MOST).contains(&around) {
            let message = format!("{around} sides of a tube; 3 to {MOST} are allowed");
            return Err(Error::new(Kind::OutOfRange, message).file(file));
        }
        let Some(curves) = curves.filter(CurveSources::has_radii) else {
            return wrong(Kind::MissingInput, "tubes need curves and their radii");
        };
        let Some(pattern) = Pattern::parse(file)? else {
            let message = "a placeholder for the frame is expected in the name, as in tubes.%04d.obj";
            return wrong(Kind::InvalidArgument, message);
        };
        Ok(TubeFile { file: file.to_path_buf(), pattern, curves, around: around as usize })
    }
}

impl Writer for TubeFile {
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        sink::names(&self.file, frames)
    }

    fn write(&self, record: &FrameRecord, _: &Control) -> Result<Vec<PathBuf>> {
        let (names, radii) = (self.curves.curve_names(record), self.curves.radius_each(record)?);
        let pieces = self.curves.pieces(record)?;
        let course = |piece: &Piece| {
            let path = self.curves.path(record, piece);
            let along = self.curves.first_on_points(record, piece).unwrap_or_else(|| way(&path));
            Course { name: &names[piece.curve], path, along, radius: radii[piece.curve] }
        };
        let courses: Vec<Course> = pieces.iter().map(course).collect();
        let path = self.pattern.path(record.frame);
        obj::save(&path, &tubes(&courses, self.around))?;
        Ok(vec![path])
    }
}

/// The arc length at each point of a path.
fn way(path: &[Vec3]) -> Vec<Real> {
    let mut far = 0.0;
    let steps = std::iter::once(0.0).chain(path.windows(2).map(|pair| (pair[1] - pair[0]).norm()));
    steps
        .map(|step| {
            far += step;
            far
        })
        .collect()
}
