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
    let mut node = slider(human, fps)?;
    let moment = |frame: usize| {
        let time = frame as Real / fps;
        let found = step(&mut node, human, frame, time, human.posed(motion, time)?);
        progress(frame + 1, frames);
        found
    };
    (0..frames).map(moment).collect()
}

/// Her face after some frames in which she acts without a move of her bones; `told` says whether the node gets her body
/// before bones.
pub fn act(human: &Human, units: &[(&str, Real)], told: bool) -> Result<Moment> {
    const FRAMES: usize = 4;
    let mut node = slider(human, 24.0)?;
    let mut at = |frame: usize| {
        let part = frame as Real / FRAMES as Real;
        let now: Vec<_> = units.iter().map(|(unit, amount)| (*unit, amount * part)).collect();
        let [acted, body] = human.acting(&now, Motion::Shot, 0.0)?;
        if told {
            node.set_array("acted", &ArrayView::from_slice(&flat(&acted), 3)?)?;
        }
        let moment = step(&mut node, human, frame, frame as Real / 24.0, body)?;
        Ok(Moment { time: 0.0, ..moment })
    };
    (0..FRAMES).try_for_each(|frame| at(frame).map(drop))?;
    at(FRAMES)
}

fn slider(human: &Human, fps: Real) -> Result<Instance> {
    let mut node = Instance::new("skin_slider")?;
    node.set_mesh("rest", human.mesh().clone())?;
    node.set_param_text("outputs", "skin")?;
    node.set_param_text("fps", &fps.to_string())?;
    Ok(node)
}

fn flat(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

fn step(node: &mut Instance, human: &Human, frame: usize, time: Real, body: Vec<Vec3>) -> Result<Moment> {
    node.set_array("points", &ArrayView::from_slice(&flat(&body), 3)?)?;
    let report = node.step(frame as i64 + 1, time, &Control::default())?;
    let stages = report.stages.iter().filter(|(name, _)| SOLVER.contains(name));
    let mut skin = vec![0.0; 3 * body.len()];
    node.read("skin_points", &mut ArrayViewMut::from_slice(&mut skin, 3)?)?;
    let mut uvs = vec![0.0; 2 * human.mesh().corner_vertices.len()];
    node.read("uvs", &mut ArrayViewMut::from_slice(&mut uvs, 2)?)?;
    Ok(Moment {
        time,
        body,
        skin: skin.as_chunks::<3>().0.iter().map(|&p| Vec3::from(p)).collect(),
        uvs: uvs.as_chunks::<2>().0.iter().map(|&p| Vec2::from(p)).collect(),
        solver: stages.map(|(_, ms)| ms).sum(),
        warnings: report.warnings,
    })
}
