//! Reused memory, and the constraints.

use super::super::model::{Hold, Model, Painted};
use super::State;
use super::charts::{Charts, through};
use super::jacobian::vertex_jacobian;
use nalgebra::Matrix2x3;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::SurfacePoint;
use sinew_linalg::assembly::Assembly;
use sinew_linalg::kkt::KktSolver;
use sinew_linalg::order::Order;
use sinew_math::{Mat3x2, Real, Vec2, Vec3};
use sprs::{CsMat, TriMat};

/// A constraint G v = g: the sum of factors times velocities, each in the coordinates of its vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Vertices and factors.
    pub terms: Vec<(usize, Vec2)>,
    /// g.
    pub speed: Real,
}

/// The last solved system, \[ThinSkin eq. 10\].
#[derive(Clone, Copy, Debug)]
pub struct System<'a> {
    /// M*; unknowns 2i and 2i + 1 belong to vertex i.
    pub matrix: &'a CsMat<Real>,
    /// f*.
    pub force: &'a [Real],
    /// G.
    pub rows: &'a CsMat<Real>,
    /// g.
    pub speeds: &'a [Real],
    /// The answer.
    pub solution: &'a [Real],
    /// The number of iterations; none if it was factored.
    pub iterations: usize,
}

/// Values computed once per triangle and used at all of its corners.
#[derive(Clone, Copy, Default)]
pub(super) struct Face {
    /// G in the middle of the step, and G^+.
    pub(super) on_body: Mat3x2,
    pub(super) back: Matrix2x3<Real>,
    /// J.
    pub(super) on_skin: Mat3x2,
    /// The unit normal of its skin at rest; zero without area.
    pub(super) normal: Vec3,
}

/// Reused memory; depends on the model's holds, the charts and the given constraints.
pub struct Scratch {
    pub(super) assembly: Assembly,
    pub(super) solver: KktSolver,
    pub(super) rows: CsMat<Real>,
    pub(super) speeds: Vec<Real>,
    pub(super) force: Vec<Real>,
    pub(super) solution: Vec<Real>,
    /// An initial guess for the solution.
    pub(super) near: Vec<Real>,
    /// The iterations of the last solve; none if it was factored.
    pub(super) iterations: usize,
    pub(super) multipliers: Vec<Real>,
    /// The direction in which a constrained vertex may slide, in its coordinates.
    pub(super) along: Vec<Option<Vec2>>,
    /// Whether a vertex has skin that is computed.
    pub(super) used: Vec<bool>,
    /// Whether a triangle faces out of the body at rest, so that a flip can be detected.
    pub(super) guarded: Vec<bool>,
    /// The body at the end of the step, and in its middle.
    pub(super) target: Vec<Vec3>,
    pub(super) middle: Vec<Vec3>,
    /// du: how far the skin slides because of the body's motion.
    pub(super) slide: Vec<Vec2>,
    /// The displacement of advection.
    pub(super) way: Vec<Vec2>,
    pub(super) before: Vec<SurfacePoint>,
    pub(super) speed_before: Vec<Vec2>,
    pub(super) places: Vec<Vec3>,
    /// The unit normal of the surface at rest at the skin's position.
    pub(super) normals: Vec<Vec3>,
    /// The maps at the skin of every vertex, and its mass per area.
    pub(super) painted: Vec<(Painted, Real)>,
    pub(super) faces: Vec<Face>,
    /// J at every vertex.
    pub(super) jacobians: Vec<Mat3x2>,
    pub(super) energies: Vec<Real>,
    kept: State,
}

impl Scratch {
    /// Analyses the pattern of a model with its holds and additional constraints, `rows`.
    pub fn new(model: &Model, charts: &Charts, rows: &[Row]) -> Result<Self> {
        let n = model.len();
        let triangles = &model.rest.mesh().triangles;
        let of_vertex = |v: usize| [2 * v, 2 * v + 1];
        let mut elements: Vec<Vec<usize>> = Vec::new();
        let mut used = vec![false; n];
        for &t in model.active() {
            let corners = triangles[t as usize].map(|v| v as usize);
            corners.iter().for_each(|&v| used[v] = true);
            elements.push(corners.map(of_vertex).concat());
        }
        elements.extend((0..n).map(|v| of_vertex(v).to_vec()));
        let assembly = Assembly::of_halves(2 * n, &elements)?;
        let order = match n {
            0..10_000 => Order::amd(assembly.matrix(), 2)?,
            _ => Order::nested_dissection(assembly.matrix(), 2, &model.rest.mesh().positions)?,
        };
        let along = directions(model, charts);
        let (rows, speeds) = all_rows(model, charts, &along, rows)?;
        let solver = KktSolver::new(assembly.matrix(), &rows, &order)?;
        let kept = State::at_rest(model);
        let mut made = Scratch {
            assembly,
            solver,
            multipliers: speeds.clone(),
            rows,
            speeds,
            force: vec![0.0; 2 * n],
            solution: vec![0.0; 2 * n],
            near: vec![0.0; 2 * n],
            iterations: 0,
            along,
            used,
            guarded: vec![true; model.active().len()],
            target: kept.shared.body.clone(),
            middle: kept.shared.body.clone(),
            slide: vec![Vec2::zeros(); n],
            way: vec![Vec2::zeros(); n],
            before: kept.shared.skin.clone(),
            speed_before: vec![Vec2::zeros(); n],
            places: kept.shared.body.clone(),
            normals: vec![Vec3::zeros(); n],
            painted: vec![Default::default(); n],
            faces: vec![Face::default(); triangles.len()],
            jacobians: vec![Mat3x2::zeros(); n],
            energies: vec![0.0; model.active().len()],
            kept,
        };
        let wrong = made.inverted(model, &made.before.clone());
        for (guarded, t) in made.guarded.iter_mut().zip(model.active()) {
            *guarded = wrong.binary_search(t).is_err();
        }
        Ok(made)
    }

    /// The last solved system.
    pub fn system(&self) -> System<'_> {
        System {
            matrix: self.assembly.matrix(),
            force: &self.force,
            rows: &self.rows,
            speeds: &self.speeds,
            solution: &self.solution,
            iterations: self.iterations,
        }
    }

    pub(super) fn keep(&mut self, state: &State) {
        self.kept.shared.skin.copy_from_slice(&state.shared.skin);
        self.kept.shared.body.copy_from_slice(&state.shared.body);
        self.kept.speed.copy_from_slice(&state.speed);
    }

    pub(super) fn bring_back(&self, state: &mut State) {
        state.shared.skin.copy_from_slice(&self.kept.shared.skin);
        state.shared.body.copy_from_slice(&self.kept.shared.body);
        state.speed.copy_from_slice(&self.kept.speed);
    }

    /// The body at the end of step `k` of `steps`, from the stored one to `to`.
    pub(super) fn move_body(&mut self, to: &[Vec3], k: usize, steps: usize) {
        let part = k as Real / steps as Real;
        for ((target, from), to) in self.target.iter_mut().zip(&self.kept.shared.body).zip(to) {
            *target = if k == steps { *to } else { from + (to - from) * part };
        }
    }

    pub(super) fn body_before(&self) -> &[Vec3] {
        &self.kept.shared.body
    }
}

/// The directions to slide along, in coordinates.
fn directions(model: &Model, charts: &Charts) -> Vec<Option<Vec2>> {
    let home = &model.rest.mesh().positions;
    let along = |(v, hold): (usize, &Hold)| match hold {
        Hold::Along(direction) => {
            let flat = through(&vertex_jacobian(model, charts, v, |k| home[k])) * direction;
            Some(flat.try_normalize(0.0).unwrap_or_else(Vec2::x))
        }
        _ => None,
    };
    model.holds().iter().enumerate().map(along).collect()
}

/// G and g \[ThinSkin §3.6\]: fixed vertices have G = I, those that slide along a direction G = a^T, a across it.
fn all_rows(
    model: &Model,
    charts: &Charts,
    along: &[Option<Vec2>],
    more: &[Row],
) -> Result<(CsMat<Real>, Vec<Real>)> {
    let mut rows = Vec::new();
    for (v, hold) in model.holds().iter().enumerate() {
        let row = |factors: Vec2| Row { terms: vec![(v, factors)], speed: 0.0 };
        match (hold, along[v]) {
            (Hold::Fixed, _) => rows.extend([row(Vec2::x()), row(Vec2::y())]),
            (_, Some(direction)) => rows.push(row(Vec2::new(-direction.y, direction.x))),
            _ => {}
        }
    }
    // The model's constraints multiply velocities on the body at rest: dx/du times those in coordinates.
    let home = &model.rest.mesh().positions;
    for row in model.rows() {
        let flat = |(v, vector): &(u32, Vec3)| {
            let v = *v as usize;
            (v, vertex_jacobian(model, charts, v, |k| home[k]).transpose() * vector)
        };
        rows.push(Row { terms: row.terms.iter().map(flat).collect(), speed: row.speed });
    }
    rows.extend_from_slice(more);
    let mut triplets = TriMat::new((rows.len(), 2 * model.len()));
    for (r, row) in rows.iter().enumerate() {
        for (v, factors) in &row.terms {
            if *v >= model.len() {
                let message = format!(
                    "a constraint names vertex {v}, but there are only {}, counted from 0",
                    model.len()
                );
                return Err(Error::new(Kind::OutOfRange, message));
            }
            triplets.add_triplet(r, 2 * v, factors.x);
            triplets.add_triplet(r, 2 * v + 1, factors.y);
        }
    }
    Ok((triplets.to_csr(), rows.iter().map(|row| row.speed).collect()))
}
