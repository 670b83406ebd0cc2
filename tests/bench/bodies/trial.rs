//! One run of the node over all frames of a body.

use crate::body::Body;
use sinew::control::Control;
use sinew::error::Result;
use sinew::math::{Real, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance, Report};

/// The stages of a report that are the solver; the others make outputs.
pub const SOLVER: [&str; 5] = ["carry", "assemble", "solve", "search", "velocity"];

/// How a run differs from the one at default parameters.
pub struct Setup<'a> {
    /// Parameters by their ids, as texts.
    pub params: &'a [(String, String)],
    pub mode: &'a str,
    pub fps: Real,
    /// Ten times the iterations and a hundredth of the tolerance.
    pub stricter: bool,
}

/// What a run gave, frame by frame.
#[derive(Default)]
pub struct Trial {
    /// From each vertex at rest to the point whose material is there now, on the body at rest.
    pub slides: Vec<Vec<Vec3>>,
    pub iterations: Vec<Real>,
    /// Milliseconds of the solver and of the outputs.
    pub solver: Vec<Real>,
    pub outputs: Vec<Real>,
    /// Milliseconds of all threads in the node.
    pub processor: Vec<Real>,
    /// Milliseconds of each stage, over all frames.
    pub stages: Vec<(&'static str, Real)>,
    /// Frames of which the node said that the skin is not at rest.
    pub unsettled: usize,
    /// What else it said, with the number of the frame.
    pub warnings: Vec<(i64, String)>,
}

/// Whether a warning of the node says that the skin did not come to rest.
fn says_unsettled(warning: &str) -> bool {
    warning.contains("at rest") || warning.contains("did not settle")
}

impl Trial {
    /// Runs the node over all frames.
    pub fn new(body: &Body, setup: &Setup) -> Result<Trial> {
        let mut node = instance(body, setup)?;
        let mut trial = Trial::default();
        for (number, points) in (body.first..).zip(&body.frames) {
            let flat: Vec<Real> = points.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
            node.set_array("points", &ArrayView::from_slice(&flat, 3)?)?;
            let clock = processor_ms();
            let report = node.step(number, number as Real / setup.fps, &Control::default())?;
            trial.processor.push(processor_ms() - clock);
            trial.note(number, &report);
            let mut places = flat;
            node.read("skin_points", &mut ArrayViewMut::from_slice(&mut places, 3)?)?;
            let places = places.chunks_exact(3).map(Vec3::from_column_slice);
            trial.slides.push(places.zip(&body.rest.positions).map(|(place, rest)| place - rest).collect());
        }
        Ok(trial)
    }

    fn note(&mut self, frame: i64, report: &Report) {
        let sum = |solver: bool| {
            let stages = report.stages.iter().filter(|(name, _)| SOLVER.contains(name) == solver);
            stages.map(|(_, ms)| ms).sum()
        };
        for (name, ms) in &report.stages {
            match self.stages.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += ms,
                None => self.stages.push((name, *ms)),
            }
        }
        self.iterations.push(report.iterations.into());
        self.solver.push(sum(true));
        self.outputs.push(sum(false));
        let (unsettled, others): (Vec<_>, Vec<_>) =
            report.warnings.iter().cloned().partition(|w| says_unsettled(w));
        self.unsettled += usize::from(!unsettled.is_empty());
        self.warnings.extend(others.into_iter().map(|text| (frame, text)));
    }
}

/// Milliseconds that all threads of this process have computed.
fn processor_ms() -> Real {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes into the local structure only.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as Real * 1e3 + time.tv_nsec as Real * 1e-6
}

fn instance(body: &Body, setup: &Setup) -> Result<Instance> {
    let mut node = Instance::new("skin_slider")?;
    node.set_param_text("mode", setup.mode)?;
    node.set_param_text("fps", &setup.fps.to_string())?;
    for (key, text) in setup.params {
        node.set_param_text(key, text)?;
    }
    if setup.stricter {
        let number = |text: String| text.parse::<Real>().unwrap_or(1.0);
        let iterations = 10.0 * number(node.param_text("max_iterations")?);
        let tolerance = 0.01 * number(node.param_text("tolerance")?);
        node.set_param_text("max_iterations", &iterations.min(1e4).to_string())?;
        node.set_param_text("tolerance", &tolerance.max(1e-12).to_string())?;
    }
    node.set_mesh("rest", body.rest.clone())?;
    Ok(node)
}
