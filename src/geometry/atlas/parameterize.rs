//! Smooth coordinates over all charts at once: the discrete harmonic map with the transitions between charts in its
//! equations \[HandThesis §5.4.2\] (after Dong et al., "Spectral surface quadrangulation", 2006).
//!
//! Every chart has its own copy of a vertex on its border; L u = 0 holds with the cotangent weights of all copies
//! together (5.1), under G u = b: the copies agree under the transitions (5.2). A transition is exact, so the
//! constraints are substituted instead of multiplied in (5.3): a vertex has the coordinates X of one copy, the others
//! are Phi(X), and the reduced system is symmetric positive definite. Only differences of coordinates enter the energy,
//! so only the relative transitions of a triangle's corners count.
//!
//! What the thesis leaves open is decided as follows. Vertices on borders between charts are free: the given borders
//! define how charts are connected, the map is smooth across them, and the unit squares' borders move a little on the
//! surface. A vertex where the number of charts is not four must stay at its corner, because the transitions around it
//! allow no other position. Vertices on a border of the mesh stay on their chart's side and slide along it. Any
//! remaining freedom to shift (a torus) is removed by fixing the first corner of the first chart.
//!
//! Triangles at irregular corners can flip: around a vertex of three charts a harmonic map is
//! a z^(3/4) + b conj(z)^(1/4), and where the vertex is not at the position for which b is zero, the second term wins.
//! Charts with such triangles get sides that stay on their lines ([`Sides::Aligned`]), which leaves no room for that
//! term; charts that still have some get sides fixed by length ([`Sides::Straight`]), more and more of them. Positive
//! weights in a convex outline flip nothing (Tutte; Floater, "One-to-one piecewise linear mappings", 2003), provided
//! that no edge joins two vertices of one side. Cotangents can be negative: if they fail, everything is repeated with
//! clamped weights.

use super::chart::{CORNERS, Charts, on_side};
use super::transition::Transition;
use crate::measure::cotangents;
use crate::{HalfEdges, TriMesh};
use sinew_base::error::{Error, Kind, Result};
use sinew_linalg::order::Order;
use sinew_linalg::spd::SpdSolver;
use sinew_math::{Real, Vec2};
use sprs::TriMat;
use std::collections::HashMap;

/// Clamped weights are at least this; on equilateral triangles the cotangent weight is 0.58.
const SMALLEST_WEIGHT: Real = 0.05;

/// The constraint on the sides of a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sides {
    /// None: the map is smooth across them, and they need not stay on the square's border.
    #[default]
    Free,
    /// Each lies on its side of the square, and its vertices slide along it.
    Aligned,
    /// Its vertices are fixed on the side of the square by their distances along it.
    Straight,
}

/// Chart coordinates of all triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    /// The corners of each triangle in the coordinates of its chart. A triangle at the border of its chart may extend
    /// beyond the unit square.
    pub corners: Vec<[Vec2; 3]>,
    /// The constraint on the sides of each chart.
    pub sides: Vec<Sides>,
    /// Whether cotangent weights are clamped from below; then linear maps are no longer reproduced exactly.
    pub clamped: bool,
    /// Triangles that are flipped or have no area in the plane, ascending; none on good input.
    pub flipped: Vec<u32>,
    /// The vertices at which other than four charts meet (two on a border), each with the number of charts there.
    pub irregular: Vec<(u32, u32)>,
}

/// Finds coordinates that flip no triangle, with as few constrained sides as that takes; remaining failures are listed
/// in the result. `edges` and `charts` must belong to `mesh`.
pub fn parameterize(mesh: &TriMesh, edges: &HalfEdges, charts: &Charts) -> Result<Coordinates> {
    if charts.of_triangle.len() != mesh.triangles.len() || edges.len() != 3 * mesh.triangles.len() {
        return Err(Error::new(Kind::CountMismatch, "the charts are not those of the mesh"));
    }
    let irregular = charts.irregular(edges);
    let mut best: Option<Coordinates> = None;
    for clamped in [false, true] {
        let mut sides = vec![Sides::Free; charts.len()];
        loop {
            let corners = match solve(mesh, edges, charts, &irregular, (clamped, &sides)) {
                Ok(corners) => corners,
                // Cotangents may leave a vertex with zero total weight; clamped ones are positive.
                Err(_) if !clamped => break,
                Err(error) => return Err(error),
            };
            let over = |t: &u32| {
                let [a, b, c] = corners[*t as usize];
                (b - a).perp(&(c - a)) <= 0.0
            };
            let flipped: Vec<u32> = (0..corners.len() as u32).filter(over).collect();
            let (count, held) = (flipped.len(), sides.clone());
            let more = hold_more(charts, &flipped, &mut sides);
            if best.as_ref().is_none_or(|b| count < b.flipped.len()) {
                let irregular = irregular.clone();
                best = Some(Coordinates { corners, sides: held, clamped, flipped, irregular });
            }
            if count == 0 || !more {
                break;
            }
        }
        if best.as_ref().is_some_and(|b| b.flipped.is_empty()) {
            break;
        }
    }
    best.ok_or_else(|| Error::new(Kind::NoConvergence, "no weights yielded coordinates"))
}

/// Constrains the sides of the charts that have flipped triangles by one more degree, or, if those are already
/// straight, makes all straight; false if all are.
fn hold_more(charts: &Charts, flipped: &[u32], sides: &mut [Sides]) -> bool {
    let before = sides.to_vec();
    for &t in flipped {
        let chart = charts.of_triangle[t as usize] as usize;
        sides[chart] = if before[chart] == Sides::Free { Sides::Aligned } else { Sides::Straight };
    }
    if sides == before {
        sides.fill(Sides::Straight);
    }
    sides != before
}

fn solve(
    mesh: &TriMesh,
    edges: &HalfEdges,
    charts: &Charts,
    irregular: &[(u32, u32)],
    (clamped, sides): (bool, &[Sides]),
) -> Result<Vec<[Vec2; 3]>> {
    let mut unknowns = Unknowns::new(edges, charts);
    unknowns.hold(mesh, charts, irregular, sides);
    unknowns.hold_translations(charts);
    let mut n = 0;
    for value in unknowns.values.iter_mut().flatten() {
        if let Value::Free(index) = value {
            *index = n;
            n += 1;
        }
    }
    let mut x = vec![0.0; n];
    if n > 0 {
        let mut sum = TriMat::new((n, n));
        (0..n).for_each(|k| sum.add_triplet(k, k, 0.0));
        for ((t, k), weight) in edge_weights(mesh, edges, clamped) {
            for axis in 0..2 {
                let [a, b] = [k, (k + 1) % 3].map(|k| unknowns.form(charts.copies[t][k], axis));
                add_spring(&mut sum, &mut x, weight, a, b);
            }
        }
        let matrix = sum.to_csr();
        let mut solver = SpdSolver::new(&matrix, &Order::amd(&matrix, 1)?)?;
        solver.factor(&matrix)?;
        solver.solve(&mut x)?;
    }
    let place = |&copy: &u32| Vec2::from([0, 1].map(|axis| unknowns.form(copy, axis).value(&x)));
    Ok(charts.copies.iter().map(|copies| [0, 1, 2].map(|k| place(&copies[k]))).collect())
}

/// The weight of each side of each triangle: w = cot / 2 of the angle opposite to it (5.1); the two triangles at an
/// edge add theirs up. Clamped weights are those of the edge, divided between its triangles.
pub(super) fn edge_weights(mesh: &TriMesh, edges: &HalfEdges, clamped: bool) -> Vec<((usize, usize), Real)> {
    let mut weights = vec![0.0; edges.len()];
    for t in 0..mesh.triangles.len() {
        let Some(cot) = cotangents(mesh.points(t)) else { continue };
        (0..3).for_each(|k| weights[3 * t + k] = 0.5 * cot[(k + 2) % 3]);
    }
    let shared = |h: usize| match edges.twin(h as u32) {
        Some(twin) => 0.5 * (weights[h] + weights[twin as usize]).max(SMALLEST_WEIGHT),
        None => weights[h].max(SMALLEST_WEIGHT),
    };
    let weight = |h: usize| if clamped { shared(h) } else { weights[h] };
    (0..edges.len()).map(|h| ((h / 3, h % 3), weight(h))).collect()
}

/// Adds w (a - b)² / 2 to the energy: its second derivatives and the constant part of its first.
fn add_spring(sum: &mut TriMat<Real>, rhs: &mut [Real], w: Real, a: Form, b: Form) {
    let constant = a.shift - b.shift;
    let terms = [(a.unknown, a.sign), (b.unknown, -b.sign)];
    for (i, si) in terms.iter().filter_map(|&(i, s)| i.map(|i| (i, s))) {
        rhs[i] -= w * si * constant;
        for (j, sj) in terms.iter().filter_map(|&(j, s)| j.map(|j| (j, s))) {
            sum.add_triplet(i, j, w * si * sj);
        }
    }
}

/// One coordinate of a copy: sign times an unknown, plus a constant.
#[derive(Clone, Copy)]
struct Form {
    unknown: Option<usize>,
    sign: Real,
    shift: Real,
}

impl Form {
    fn value(self, x: &[Real]) -> Real {
        self.unknown.map_or(0.0, |k| self.sign * x[k]) + self.shift
    }
}

#[derive(Clone, Copy)]
enum Value {
    Free(usize),
    Held(Real),
}

/// The coordinates of all vertices, each in the chart of its first copy.
struct Unknowns {
    /// The vertex of each copy, counted over used ones, and the map from its coordinates to those of the copy.
    of_copy: Vec<(u32, Transition)>,
    values: Vec<[Value; 2]>,
}

impl Unknowns {
    fn new(edges: &HalfEdges, charts: &Charts) -> Self {
        let mut links: HashMap<u32, Vec<(u32, Transition)>> = HashMap::new();
        for (at, halves) in charts.sides() {
            let Some(transition) = charts.transition(at) else { continue };
            for &h in halves {
                let Some(twin) = edges.twin(h) else { continue };
                let ends = [(h, edges.next(twin)), (edges.next(h), twin)];
                for (from, to) in ends.map(|(from, to)| (charts.copy(from), charts.copy(to))) {
                    links.entry(from).or_default().push((to, transition));
                }
            }
        }
        let mut of_copy = vec![(u32::MAX, Transition::IDENTITY); charts.copy_count];
        let (mut count, mut stack) = (0, Vec::new());
        for start in 0..charts.copy_count as u32 {
            if of_copy[start as usize].0 != u32::MAX {
                continue;
            }
            of_copy[start as usize].0 = count;
            stack.push(start);
            while let Some(copy) = stack.pop() {
                let way = of_copy[copy as usize].1;
                for &(to, transition) in links.get(&copy).into_iter().flatten() {
                    if of_copy[to as usize].0 == u32::MAX {
                        of_copy[to as usize] = (count, way.then(transition));
                        stack.push(to);
                    }
                }
            }
            count += 1;
        }
        Unknowns { of_copy, values: vec![[Value::Free(0); 2]; count as usize] }
    }

    /// Which coordinate of the vertex a coordinate of a copy is, with its sign and shift.
    fn source(&self, copy: u32, axis: usize) -> (usize, usize, Real, Real) {
        let (vertex, way) = self.of_copy[copy as usize];
        let other = if way.turns() % 2 == 0 { axis } else { 1 - axis };
        let mut unit = Vec2::zeros();
        unit[other] = 1.0;
        (vertex as usize, other, way.vector(unit)[axis], way.shift()[axis])
    }

    fn form(&self, copy: u32, axis: usize) -> Form {
        let (vertex, other, sign, shift) = self.source(copy, axis);
        match self.values[vertex][other] {
            Value::Free(index) => Form { unknown: Some(index), sign, shift },
            Value::Held(x) => Form { unknown: None, sign, shift: sign * x + shift },
        }
    }

    /// Fixes a coordinate of a copy at a value.
    fn fix(&mut self, copy: u32, axis: usize, value: Real) {
        let (vertex, other, sign, shift) = self.source(copy, axis);
        self.values[vertex][other] = Value::Held(sign * (value - shift));
    }

    fn fix_both(&mut self, copy: u32, uv: Vec2) {
        (0..2).for_each(|axis| self.fix(copy, axis, uv[axis]));
    }

    /// Borders of the mesh, corners where other than four charts meet, and the constrained sides of charts.
    fn hold(&mut self, mesh: &TriMesh, charts: &Charts, irregular: &[(u32, u32)], sides: &[Sides]) {
        for (at, halves) in charts.sides() {
            let chain = &charts.quads[at.chart as usize].sides[at.side as usize];
            let held = sides[at.chart as usize];
            if held == Sides::Aligned || charts.across(at).is_none() {
                let axis = if at.side % 2 == 0 { 1 } else { 0 };
                let value = CORNERS[at.side as usize][axis];
                for &h in halves {
                    self.fix(charts.copy(h), axis, value);
                    let next = h - h % 3 + (h + 1) % 3;
                    self.fix(charts.copy(next), axis, value);
                }
            }
            if held == Sides::Straight {
                for (&h, s) in halves.iter().zip(fractions(mesh, chain)) {
                    self.fix_both(charts.copy(h), on_side(at.side, s));
                }
            }
            if irregular.binary_search_by_key(&chain[0], |&(v, _)| v).is_ok() {
                self.fix_both(charts.copy(halves[0]), Vec2::from(CORNERS[at.side as usize]));
            }
        }
    }

    /// Each connected set of charts that may still shift along an axis is fixed at the first corner of its first chart.
    fn hold_translations(&mut self, charts: &Charts) {
        let mut turns: Vec<Option<u8>> = vec![None; charts.len()];
        for start in 0..charts.len() {
            if turns[start].is_some() {
                continue;
            }
            let (mut held, mut stack) = ([false; 2], vec![start]);
            turns[start] = Some(0);
            while let Some(chart) = stack.pop() {
                let here = turns[chart].unwrap_or(0);
                for (k, halves) in charts.halves[chart].iter().enumerate() {
                    match charts.across[chart][k] {
                        None => held[(k + 1 + usize::from(here)) % 2] = true,
                        Some(to) => {
                            let there = (here + Transition::across(k as u8, to.side).turns()) % 4;
                            match turns[to.chart as usize] {
                                None => {
                                    turns[to.chart as usize] = Some(there);
                                    stack.push(to.chart as usize);
                                }
                                // A loop that turns leaves no direction to shift along.
                                Some(known) if known != there => held = [true; 2],
                                Some(_) => {}
                            }
                        }
                    }
                    let (vertex, _) = self.of_copy[charts.copy(halves[0]) as usize];
                    if self.values[vertex as usize].iter().all(|v| matches!(v, Value::Held(_))) {
                        held = [true; 2];
                    }
                }
            }
            let corner = charts.copy(charts.halves[start][0][0]);
            (0..2).filter(|&axis| !held[axis]).for_each(|axis| self.fix(corner, axis, 0.0));
        }
    }
}

/// The relative position of each vertex along a chain, by length, 0 to 1.
fn fractions(mesh: &TriMesh, chain: &[u32]) -> Vec<Real> {
    let step = |w: &[u32]| (mesh.positions[w[1] as usize] - mesh.positions[w[0] as usize]).norm();
    let whole: Real = chain.windows(2).map(step).sum();
    let mut far = 0.0;
    let mut out = vec![0.0];
    for w in chain.windows(2) {
        far += step(w);
        out.push(far / whole);
    }
    out
}
