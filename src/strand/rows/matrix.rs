//! The constraints: G v = g, with bounds on their multipliers, which are impulses.

use super::size::sizes;
use super::touched::Part;
use crate::layout::{Layout, NONE};
use crate::model::Model;
use crate::now::Now;
use crate::parts::Carrier;
use crate::segment::lift::on_unknowns;
use sinew_base::error::Result;
use sinew_math::{Real, Vec3};
use sprs::{CsMat, TriMat};
use std::ops::Range;

/// G, g and the rest of [`sinew_solve::boxed`]'s problem. The pattern is fixed, and so are the rows that prevent
/// material from being used up.
pub struct Rows {
    pub matrix: CsMat<Real>,
    /// The entries of those rows.
    lasting: Range<usize>,
    pub goals: Vec<Real>,
    pub low: Vec<Real>,
    pub high: Vec<Real>,
    pub compliance: Vec<Real>,
    /// The violation of each row, whose rate is the row's velocity.
    pub errors: Vec<Real>,
    /// The lengths, or rad, against which violations count.
    pub sizes: Vec<Real>,
    /// Where rows act on bodies.
    pub levers: Vec<Lever>,
    /// Whether rows are only measured: violations are set, and nothing else changes.
    measuring: bool,
}

/// Where a row acts on a body that is an unknown: the effect of its multiplier is a force along `along`, at an arm from
/// the centre of mass.
#[derive(Clone, Copy, Debug)]
pub struct Lever {
    pub row: usize,
    pub body: usize,
    pub arm: Vec3,
    pub along: Vec3,
}

/// A row acts on four bodies at most, those of a plane between bones.
const LEVERS: usize = 4;

impl Rows {
    /// For rows that act on these parts.
    pub fn new(model: &Model, parts: &[Vec<Part>]) -> Result<Self> {
        let layout = &model.layout;
        let mut pattern = TriMat::new((layout.rows, layout.unknowns));
        for (row, parts) in parts.iter().enumerate() {
            let mut columns: Vec<usize> = parts.iter().flat_map(|part| unknowns(model, *part)).collect();
            columns.sort_unstable();
            columns.dedup();
            columns.iter().for_each(|&column| pattern.add_triplet(row, column, 0.0));
        }
        let matrix: CsMat<Real> = pattern.to_csr();
        let zeros = vec![0.0; layout.rows];
        let lasting = layout.rows_of_segments();
        let entry = |row: usize| matrix.indptr().outer_inds_sz(row).start;
        let lasting = match lasting.is_empty() {
            true => 0..0,
            false => entry(lasting.start)..matrix.indptr().outer_inds_sz(lasting.end - 1).end,
        };
        let mut rows = Rows {
            matrix,
            lasting,
            goals: zeros.clone(),
            low: zeros.clone(),
            high: zeros.clone(),
            compliance: zeros.clone(),
            errors: zeros,
            sizes: sizes(model, parts),
            levers: Vec::with_capacity(LEVERS * layout.rows),
            measuring: false,
        };
        for (node, &row) in layout.segment_rows.iter().enumerate().filter(|(_, row)| **row != NONE) {
            rows.node(layout, row, node, -1.0);
            rows.node(layout, row, node + 1, 1.0);
        }
        Ok(rows)
    }

    /// Whether rows are only measured.
    pub fn is_measuring(&self) -> bool {
        self.measuring
    }

    /// Clears all violations; until the next [`Rows::clear`] nothing else is set.
    pub fn measure(&mut self) {
        self.measuring = true;
        self.errors.fill(0.0);
    }

    /// Clears all rows.
    pub fn clear(&mut self) {
        self.measuring = false;
        let (before, rest) = self.matrix.data_mut().split_at_mut(self.lasting.start);
        before.fill(0.0);
        rest[self.lasting.len()..].fill(0.0);
        self.levers.clear();
        let all = [&mut self.goals, &mut self.low, &mut self.high, &mut self.compliance, &mut self.errors];
        all.into_iter().for_each(|values| values.fill(0.0));
    }

    /// Adds to consecutive entries of a row, from that of an unknown on. A part's unknowns are consecutive in it.
    fn add(&mut self, row: usize, first: usize, values: &[Real]) {
        let entries = self.matrix.indptr().outer_inds_sz(row);
        if let Some(k) = self.matrix.indices()[entries.clone()].iter().position(|&column| column == first) {
            let slots = &mut self.matrix.data_mut()[entries][k..];
            slots.iter_mut().zip(values).for_each(|(slot, value)| *slot += value);
        }
    }

    /// Adds `along` times the angular velocity of a body.
    pub fn turn(&mut self, now: &Now, row: usize, body: usize, along: &Vec3) {
        if self.measuring {
            return;
        }
        match now.layout().bodies[body] {
            NONE => self.goals[row] -= along.dot(&now.led(body)[0]),
            first => self.add(row, first, along.as_slice()),
        }
    }

    /// Adds `along` times the velocity of a body's material at a point.
    pub fn material(&mut self, now: &Now, row: usize, body: usize, place: &Vec3, along: &Vec3) {
        if self.measuring {
            return;
        }
        let arm = place - now.place(body).origin;
        match now.layout().bodies[body] {
            NONE => {
                let [angular, linear] = now.led(body);
                self.goals[row] -= along.dot(&(linear + angular.cross(&arm)));
            }
            first => {
                self.add(row, first, &on_unknowns(Some(arm), along));
                self.levers.push(Lever { row, body, arm, along: *along });
            }
        }
    }

    /// Adds `along` times the velocity of a point.
    pub fn point(&mut self, now: &Now, row: usize, point: usize, along: &Vec3) {
        match now.carrier(point) {
            _ if self.measuring => {}
            Carrier::Nothing => self.add(row, now.layout().points[point], along.as_slice()),
            Carrier::Body(body) => self.material(now, row, body, &now.point(point), along),
            Carrier::World => {}
        }
    }

    /// Adds `factor` times the flow of material at a node.
    pub fn node(&mut self, layout: &Layout, row: usize, node: usize, factor: Real) {
        if layout.nodes[node] != NONE && !self.measuring {
            self.add(row, layout.nodes[node], &[factor]);
        }
    }

    /// Two-sided: fixed, and corrected by `error`.
    pub fn hold(&mut self, row: usize, error: Real) {
        self.errors[row] = error;
        if !self.measuring {
            (self.low[row], self.high[row]) = (-Real::INFINITY, Real::INFINITY);
        }
    }

    /// One-sided: a gap may close within the step, but no further.
    pub fn keep_apart(&mut self, row: usize, gap: Real, h: Real) {
        self.errors[row] = gap;
        if !self.measuring {
            self.high[row] = Real::INFINITY;
            self.goals[row] -= gap.max(0.0) / h;
        }
    }

    /// Dry friction: fixed, unless that needs more than a given impulse.
    pub fn rub(&mut self, row: usize, impulse: Real) {
        if !self.measuring {
            (self.low[row], self.high[row]) = (-impulse, impulse);
        }
    }

    /// Disables a row.
    pub fn let_go(&mut self, row: usize) {
        self.errors[row] = 0.0;
        if !self.measuring {
            let all = [&mut self.goals, &mut self.low, &mut self.high, &mut self.compliance];
            all.into_iter().for_each(|values| values[row] = 0.0);
        }
    }

    /// The largest violation of the two-sided rows, in m or rad.
    pub fn largest_error(&self) -> Real {
        self.holding().map(|row| self.errors[row].abs()).fold(0.0, Real::max)
    }

    /// The two-sided row whose violation is the largest relative to its size, and that.
    pub fn worst(&self) -> Option<(usize, Real)> {
        let part = |row: usize| (row, self.errors[row].abs() / self.sizes[row]);
        self.holding().map(part).reduce(|a, b| if b.1 > a.1 { b } else { a })
    }

    fn holding(&self) -> impl Iterator<Item = usize> {
        (0..self.errors.len()).filter(|&row| self.holds(row))
    }

    /// The effect of the impulses of some rows on the centre of mass of a body, ignoring rotation; `None` for one that
    /// is not an unknown.
    pub fn impulse_on(
        &self,
        layout: &Layout,
        rows: Range<usize>,
        impulses: &[Real],
        body: usize,
    ) -> Option<Vec3> {
        let first = Some(layout.bodies[body]).filter(|&first| first != NONE)? + 3;
        let along = |row: usize, k: usize| self.matrix.get(row, first + k).copied().unwrap_or(0.0);
        Some(rows.map(|row| Vec3::from_fn(|k, _| along(row, k)) * impulses[row]).sum())
    }

    /// Whether a row is two-sided.
    pub fn holds(&self, row: usize) -> bool {
        self.low[row] == -Real::INFINITY
    }

    /// Two-sided, but soft.
    pub fn soften(&mut self, row: usize, softness: Real, target: Real) {
        self.hold(row, 0.0);
        if !self.measuring {
            self.compliance[row] = softness;
            self.goals[row] += target;
        }
    }
}

fn unknowns(model: &Model, part: Part) -> Vec<usize> {
    let layout = &model.layout;
    let range = |first: usize, count: usize| if first == NONE { 0..0 } else { first..first + count };
    match part {
        Part::Body(b) => range(layout.bodies[b], 6),
        Part::Node(k) => range(layout.nodes[k], 1),
        Part::Point(p) => {
            let (first, count) = model.unknowns_of_point(p);
            range(first, count)
        }
    }
    .collect()
}
