//! What a frame looks like: strands as lines and as tubes.

use crate::error::Result;
use crate::formats::obj;
use crate::geometry::{Course, tubes};
use crate::math::Vec3;
use crate::scene::strand::Built;
use crate::strand::measures::runs;
use crate::strand::state::State;
use std::path::Path;

/// Corners of a tube: round enough at a few pixels of width.
const AROUND: usize = 12;

/// Writes the lines and the tubes of a frame.
pub(super) fn frame(out: &Path, built: &Built, state: &State, frame: i64) -> Result<()> {
    let strands = &built.model.parts().strands;
    let unit = built.space.metres_per_unit();
    let mut courses: Vec<Course> = Vec::new();
    let mut first = 0;
    for (s, strand) in strands.iter().enumerate() {
        // A strand that is cut is drawn without what is cut.
        for run in runs(&built.model, state, s) {
            let nodes = strand.nodes[run.clone()].iter();
            courses.push(Course {
                name: &strand.name,
                path: nodes.map(|node| built.point(state.places[node.point])).collect(),
                along: state.material[first..][run].iter().map(|s| s / unit).collect(),
                radius: strand.radius / unit,
            });
        }
        first += strand.nodes.len();
    }
    let lines: Vec<(&str, &[Vec3])> = courses.iter().map(|c| (c.name, c.path.as_slice())).collect();
    obj::save_lines(&out.join(format!("strands.{frame:04}.obj")), &lines)?;
    obj::save(&out.join(format!("tubes.{frame:04}.obj")), &tubes(&courses, AROUND))
}
