//! The scenes with sliding skin: how each is set up, and its run through the production integrator.

use super::scenes::SkinScene;
use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::error::Result;
use sinew::geometry::{HalfEdges, SurfacePoint, TriMesh};
use sinew::math::{Real, Vec3};
use sinew::skin::model::{Anchor, Hold, Mode, Model, Row, Settings};
use sinew::skin::production::{Inputs, Report, Runner};
use std::fmt;
use std::time::Instant;

/// How the skin of a scene is tuned.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    pub mode: Mode,
    /// Young's modulus in Pa.
    pub young: Real,
    pub zeta: Real,
    /// Seconds; dynamic mode only.
    pub friction_time: Real,
    /// The stiffness of the ligaments in Pa/m: N/m for every square metre around a vertex.
    pub ligaments: Real,
}

impl Tuning {
    /// What suits a scene.
    pub fn of(scene: &SkinScene) -> Self {
        let still = Tuning {
            mode: Mode::Quasistatic,
            young: 2e4,
            zeta: 1.0,
            friction_time: Real::INFINITY,
            ligaments: 0.0,
        };
        match scene.name {
            "torus_shaking" => {
                Tuning { mode: Mode::Dynamic, zeta: 0.0, young: 1.2e4, friction_time: 0.25, ..still }
            }
            "dinosaur" => Tuning { mode: Mode::Dynamic, zeta: 0.0, friction_time: 0.15, ..still },
            _ => still,
        }
    }

    /// The tunings that the scene compares: one for most, several values of zeta for the shaken torus.
    pub fn all_of(scene: &SkinScene) -> Vec<Self> {
        let tuning = Tuning::of(scene);
        match scene.name {
            "torus_shaking" => [0.0, 0.3, 0.6, 1.0].map(|zeta| Tuning { zeta, ..tuning }).to_vec(),
            _ => vec![tuning],
        }
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.mode {
            Mode::Quasistatic => write!(f, "quasi-static"),
            Mode::Dynamic => write!(f, "dynamic, zeta {}", self.zeta),
        }
    }
}

/// What happened in a frame.
pub struct Moment {
    pub body: Vec<Vec3>,
    /// The material at each vertex of the body.
    pub points: Vec<SurfacePoint>,
    /// Where that was at rest.
    pub skin: Vec<Vec3>,
    pub report: Report,
    pub milliseconds: Real,
}

/// A scene that was run.
pub struct Run {
    pub tri: TriMesh,
    pub edges: HalfEdges,
    pub unknowns: usize,
    /// One for every frame; the first is the rest.
    pub moments: Vec<Moment>,
}

/// The model of a scene's skin.
pub fn model(scene: &SkinScene, tuning: &Tuning) -> Result<Model> {
    let tri = TriMesh::from_mesh(&scene.rest)?;
    let settings = Settings {
        mode: tuning.mode,
        zeta: tuning.zeta,
        friction_time: tuning.friction_time,
        ..Settings::new(Material::Stvk(Stvk::new(tuning.young, 1.0 / 3.0)?))
    };
    let areas = sinew::geometry::measure::vertex_areas(&tri);
    let mut model = Model::new(tri, settings)?;
    let hold = |v: usize| match (scene.fixed[v], scene.slide[v]) {
        (true, _) => Hold::Fixed,
        (_, Some(direction)) => Hold::Along(direction),
        _ => Hold::Free,
    };
    model.set_holds(&(0..model.len()).map(hold).collect::<Vec<_>>())?;
    let row = |&(v, across): &(u32, Vec3)| Row { terms: vec![(v, across)], speed: 0.0 };
    model.set_rows(scene.rows.iter().map(row).collect())?;
    let anchor = |area: &Real| {
        let stiffness = tuning.ligaments * area;
        Anchor { soft: stiffness, stiff: stiffness, toe: 0.0 }
    };
    model.set_anchors(&areas.iter().map(anchor).collect::<Vec<_>>())?;
    Ok(model)
}

/// Runs the first `frames` frames of a scene.
pub fn run(scene: &SkinScene, tuning: &Tuning, frames: usize) -> Result<Run> {
    let model = model(scene, tuning)?;
    let mut runner = Runner::new(&model)?;
    let (control, seconds) = (Control::default(), 1.0 / scene.fps);
    let mut moments = Vec::new();
    for frame in 0..frames {
        let body = scene.body(scene.time(frame));
        let clock = Instant::now();
        let mut report = Report::default();
        if frame > 0 {
            let substeps = model.settings.automatic_substeps(seconds);
            let inputs = Inputs { body: &body, seconds, substeps, forces: &[] };
            report = runner.step(&model, &inputs, &control)?;
        }
        let milliseconds = clock.elapsed().as_secs_f64() * 1e3;
        let points = runner.state.skin.clone();
        let skin = points.iter().map(|p| model.rest.place(p)).collect();
        moments.push(Moment { body, points, skin, report, milliseconds });
    }
    let (tri, edges) = (model.rest.mesh().clone(), model.rest.edges().clone());
    Ok(Run { tri, edges, unknowns: model.unknown_count(), moments })
}
