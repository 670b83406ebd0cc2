//! Her skin through the node as a host runs it, with its default parameters and without a painted map.

use crate::human::{Human, Motion};
use sinew::control::Control;
use sinew::error::Result;
use sinew::math::{Real, Vec2, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};

/// A frame.
pub struct Moment {
    pub time: Real,
    pub body: Vec<Vec3>,
    /// For each vertex the point at rest whose material is there.
    pub skin: Vec<Vec3>,
    /// The slid UV of each corner.
    pub uvs: Vec<Vec2>,
    /// Milliseconds in the solver.
    pub solver: Real,
    pub warnings: Vec<String>,
}

/// The stages of the node's report that are the solver's.
const SOLVER: [&str; 5] = ["carry", "assemble", "solve", "search", "velocity"];

/// Computes the frames in order from the rest pose, and reports progress.
pub fn run(
    human: &Human,
    motion: Motion,
    fps: Real,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<Moment>> {
    let frames = (motion.seconds() * fps).round() as usize + 1;
    let mut node = Instance::new("skin_slider")?;
    node.set_mesh("rest", human.mesh().clone())?;
    node.set_param_text("outputs", "skin")?;
    node.set_param_text("fps", &fps.to_string())?;
    let moment = |frame: usize| {
        let time = frame as Real / fps;
        let body = human.posed(motion, time)?;
        let flat: Vec<Real> = body.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        node.set_array("points", &ArrayView::from_slice(&flat, 3)?)?;
        let report = node.step(frame as i64 + 1, time, &Control::default())?;
        let stages = report.stages.iter().filter(|(name, _)| SOLVER.contains(name));
        let mut skin = vec![0.0; flat.len()];
        node.read("skin_points", &mut ArrayViewMut::from_slice(&mut skin, 3)?)?;
        let mut uvs = vec![0.0; 2 * human.mesh().corner_vertices.len()];
        node.read("uvs", &mut ArrayViewMut::from_slice(&mut uvs, 2)?)?;
        progress(frame + 1, frames);
        Ok(Moment {
            time,
            body,
            skin: skin.as_chunks::<3>().0.iter().map(|&p| Vec3::from(p)).collect(),
            uvs: uvs.as_chunks::<2>().0.iter().map(|&p| Vec2::from(p)).collect(),
            solver: stages.map(|(_, ms)| ms).sum(),
            warnings: report.warnings,
        })
    };
    (0..frames).map(moment).collect()
}
