//! The strands of all frames in one file, as curves: Alembic or USD.

use crate::error::{Error, Kind, Result};
use crate::formats::Format;
use crate::formats::alembic::{self, CurvesSample, Scope, Transform, Writer};
use crate::formats::points::sampling;
use crate::formats::usd::{self, CurvesData, FrameData};
use crate::job::check_whole;
use crate::math::{Real, Space};
use crate::scene::strand::Built;
use crate::strand::measures::{at_nodes, runs, whole_tensions};
use crate::strand::state::State;
use std::path::{Path, PathBuf};

/// What all strands are below.
const ROOT: &str = "strands";
/// What lives on points: the tension in N, and the material as a length.
const MAPS: [&str; 2] = ["tension", "materialCoordinate"];

/// What was noted so far, and where it goes.
pub(super) struct Curves {
    files: Vec<PathBuf>,
    fps: Real,
    frames: Vec<i64>,
    /// For each frame, each strand.
    strands: Vec<Vec<CurvesData>>,
}

impl Curves {
    /// Refuses names of files that could not be written when all is done.
    pub fn new(files: &[PathBuf], fps: Real) -> Result<Self> {
        for (k, file) in files.iter().enumerate() {
            let refuse = |kind, text: &str| Err(Error::new(kind, text).file(file));
            match Format::of(file) {
                Ok(Format::Abc | Format::Usd | Format::Usda | Format::Usdc) => {}
                _ => return refuse(Kind::Unsupported, "curves are written as .abc, .usd, .usdc and .usda"),
            }
            check_whole(file, &[0], fps)?;
            if files[..k].contains(file) {
                return refuse(Kind::InvalidArgument, "--curves names this file twice");
            }
            if file.is_dir() {
                return refuse(Kind::InvalidArgument, "--curves names a folder");
            }
            let folder = file.parent().unwrap_or(Path::new(""));
            std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))?;
        }
        Ok(Curves { files: files.to_vec(), fps, frames: Vec::new(), strands: Vec::new() })
    }

    /// Notes a frame, in the scene's unit and axes.
    pub fn note(&mut self, built: &Built, state: &State, frame: i64) -> Result<()> {
        if self.files.is_empty() {
            return Ok(());
        }
        let unit = built.space.metres_per_unit();
        let tensions = whole_tensions(&built.model, state)?;
        let mut first = 0;
        let strands = built.model.parts().strands.iter().zip(tensions).enumerate();
        let strands = strands.map(|(s, (strand, tensions))| {
            let mut curves = CurvesData { maps: vec![Vec::new(); MAPS.len()], ..CurvesData::default() };
            // A strand that is cut is a curve for each of its pieces.
            for run in runs(&built.model, state, s) {
                curves.counts.push(run.len() as u32);
                let nodes = strand.nodes[run.clone()].iter();
                curves.points.extend(nodes.map(|node| built.point(state.places[node.point])));
                curves.widths.extend(run.clone().map(|_| 2.0 * strand.radius / unit));
                curves.maps[0].extend(at_nodes(&tensions[run.start..run.end - 1]));
                curves.maps[1].extend(state.material[first..][run].iter().map(|s| s / unit));
            }
            first += strand.nodes.len();
            curves
        });
        self.strands.push(strands.collect());
        self.frames.push(frame);
        Ok(())
    }

    /// Writes the files, each whole or not at all.
    pub fn save(&self, built: &Built) -> Result<()> {
        if self.frames.is_empty() {
            return Ok(());
        }
        let names = names(built.model.parts().strands.iter().map(|strand| strand.name.as_str()));
        self.files.iter().try_for_each(|file| match Format::of(file)? {
            Format::Abc => self.alembic(file, &names, built.space),
            _ => self.usd(file, &names, built.space),
        })
    }

    fn alembic(&self, file: &Path, names: &[String], space: Space) -> Result<()> {
        let mut writer = Writer::create(file, sampling(&self.frames, self.fps))?;
        let root = writer.add_transform(None, ROOT)?;
        writer.write_transform(root, &Transform::upright(space.up()))?;
        // Programs name curves by the transform above them.
        let add = |name: &String| {
            let above = writer.add_transform(Some(root), name)?;
            writer.add_curves(Some(above), &format!("{name}Shape"))
        };
        let objects = names.iter().map(add).collect::<Result<Vec<_>>>()?;
        for (frame, strands) in self.frames.iter().zip(&self.strands) {
            for (object, strand) in objects.iter().zip(strands) {
                let maps = MAPS.into_iter().zip(&strand.maps).map(|(name, values)| alembic::Map {
                    name,
                    scope: Scope::Vertex,
                    components: 1,
                    values,
                    indices: None,
                });
                let maps: Vec<alembic::Map> = maps.collect();
                let sample = CurvesSample {
                    counts: &strand.counts,
                    positions: &strand.points,
                    widths: Some(&strand.widths),
                    maps: &maps,
                };
                writer.write_curves(*object, &sample).map_err(|e| e.frame(*frame))?;
            }
        }
        writer.commit()
    }

    fn usd(&self, file: &Path, names: &[String], space: Space) -> Result<()> {
        let maps = MAPS.map(|name| usd::Map { name, interpolation: "vertex", components: 1 });
        let group = |name| usd::Curves { name, widths: "vertex", maps: &maps };
        let curves: Vec<usd::Curves> = names.iter().map(String::as_str).map(group).collect();
        let info = usd::Info { name: ROOT, mesh: None, space, maps: &[], curves: &curves };
        usd::write(file, &info, &self.frames, self.fps, &mut |index| {
            Ok(FrameData { curves: self.strands[index].clone(), ..FrameData::default() })
        })
    }
}

/// Names that both kinds of file allow and that differ from each other.
fn names<'a>(strands: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in strands.map(usd::identifier) {
        let others = (2..).map(|k| format!("{name}_{k}"));
        let free = std::iter::once(name.clone()).chain(others).find(|name| !all.contains(name));
        all.extend(free);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn strands_whose_names_no_file_can_have_are_told_apart() {
        let found = names(["FDP left", "FDP_left", "FDP/left", "3", "FDP_left_2"].into_iter());
        assert_eq!(found, ["FDP_left", "FDP_left_2", "FDP_left_3", "_3", "FDP_left_2_2"]);
    }
}
