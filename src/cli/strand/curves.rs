//! The strands of all frames in one file, as curves: Alembic or USD.

use crate::error::{Error, Kind, Result};
use crate::formats::shot::{self, CurvesData, FrameData, Info, Map};
use crate::formats::{Format, sink, usd};
use crate::job::check_whole;
use crate::math::Real;
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
        let names = usd::identifiers(built.model.parts().strands.iter().map(|strand| strand.name.as_str()));
        let maps = MAPS.map(|name| Map { name, interpolation: "vertex", components: 1 });
        let group = |name| shot::Curves { name, widths: "vertex", maps: &maps };
        let curves: Vec<shot::Curves> = names.iter().map(String::as_str).map(group).collect();
        let info = Info {
            name: ROOT,
            mesh: None,
            space: built.space,
            maps: &[],
            curves: &curves,
            ..Info::default()
        };
        self.files.iter().try_for_each(|file| {
            let mut read =
                |index: usize| Ok(FrameData { curves: self.strands[index].clone(), ..FrameData::default() });
            sink::write(file, &info, &self.frames, self.fps, &mut read).map(drop)
        })
    }
}
