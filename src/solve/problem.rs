//! The data of a boxed program, its validation, and its result.

use super::pivoting::RowState;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, all_finite};
use sprs::CsMat;

/// Velocities v and multipliers l with A v = b + Gᵀ l, and for each row i
/// - lo_i < l_i < hi_i: (G v + c l)_i = g_i,
/// - l_i = lo_i: (G v + c l)_i >= g_i,
/// - l_i = hi_i: (G v + c l)_i <= g_i.
///
/// A joint has the bounds ∓∞, a limit or a contact 0 and ∞, friction ∓μn, and a disabled row 0 and 0.
#[derive(Clone, Copy, Debug)]
pub struct Boxed<'a> {
    /// A by rows: symmetric, positive semidefinite, and definite on motions that the enforced rows leave free. Only the
    /// entries on and below the diagonal are read.
    pub matrix: &'a CsMat<Real>,
    /// b, one number per velocity.
    pub forces: &'a [Real],
    /// G by rows.
    pub rows: &'a CsMat<Real>,
    /// g, one number per row.
    pub goals: &'a [Real],
    /// c, one nonnegative number per row.
    pub compliance: &'a [Real],
    /// The lower bound of each row's multiplier, `-∞` for none.
    pub low: &'a [Real],
    /// The upper bound of each row's multiplier, `∞` for none.
    pub high: &'a [Real],
}

/// The result of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// Whether every condition holds to the solver's tolerance.
    pub converged: bool,
    /// The number of factorisations: the maximum over uncoupled parts.
    pub factorisations: usize,
    /// The number of rows switched.
    pub pivots: usize,
    /// The largest violation of a row's condition on velocities, relative to the sum of its absolute terms.
    pub row_violation: Real,
    /// The largest distance of a multiplier from its bounds, relative to the magnitudes of multipliers.
    pub multiplier_violation: Real,
    /// The largest residual of the balance of forces and of enforced rows, relative to their absolute terms.
    pub residual: Real,
    /// Pivots that had to be replaced in the last factors.
    pub regularised: usize,
}

impl Default for Solved {
    /// The result for an empty program.
    fn default() -> Self {
        Solved {
            converged: true,
            factorisations: 0,
            pivots: 0,
            row_violation: 0.0,
            multiplier_violation: 0.0,
            residual: 0.0,
            regularised: 0,
        }
    }
}

impl Solved {
    /// The combined result of two uncoupled parts.
    pub(super) fn with(self, other: Solved) -> Solved {
        Solved {
            converged: self.converged && other.converged,
            factorisations: self.factorisations.max(other.factorisations),
            pivots: self.pivots + other.pivots,
            row_violation: self.row_violation.max(other.row_violation),
            multiplier_violation: self.multiplier_violation.max(other.multiplier_violation),
            residual: self.residual.max(other.residual),
            regularised: self.regularised + other.regularised,
        }
    }
}

impl Boxed<'_> {
    /// Rejects mismatched counts, values that are not finite, and invalid bounds.
    pub(super) fn check(&self) -> Result<()> {
        let (n, m) = (self.matrix.rows(), self.rows.rows());
        let count = |what: &str, have: usize, need: usize| {
            if have != need {
                let text = format!("{have} {what} where {need} are needed");
                return Err(Error::new(Kind::CountMismatch, text));
            }
            Ok(())
        };
        count("forces", self.forces.len(), n)?;
        count("columns", self.rows.cols(), n)?;
        count("goals", self.goals.len(), m)?;
        count("compliances", self.compliance.len(), m)?;
        count("lower bounds", self.low.len(), m)?;
        count("upper bounds", self.high.len(), m)?;
        if let Some(j) = self.forces.iter().position(|v| !v.is_finite()) {
            return Err(Error::new(Kind::NotFinite, format!("the force on unknown {j} is not finite")));
        }
        let starts = self.rows.indptr().into_raw_storage();
        (0..m).try_for_each(|i| self.check_row(i, &self.rows.data()[starts[i]..starts[i + 1]]))
    }

    fn check_row(&self, i: usize, values: &[Real]) -> Result<()> {
        let refuse = |kind, what: &str| Err(Error::new(kind, format!("row {i}: {what}")));
        let (low, high, compliance) = (self.low[i], self.high[i], self.compliance[i]);
        if !(all_finite(values) && self.goals[i].is_finite() && compliance.is_finite()) {
            return refuse(Kind::NotFinite, "its coefficients, goal or compliance are not finite");
        }
        if low.is_nan() || high.is_nan() || low == Real::INFINITY || high == Real::NEG_INFINITY {
            return refuse(Kind::NotFinite, "its bounds leave no finite multiplier");
        }
        if low > high {
            return refuse(Kind::OutOfRange, "its lower bound is above its upper bound");
        }
        if compliance < 0.0 {
            return refuse(Kind::OutOfRange, "its compliance is negative");
        }
        Ok(())
    }

    /// The state allowed by the bounds that is closest to the given one.
    pub(super) fn allowed(&self, i: usize, state: RowState) -> RowState {
        let (low, high) = (self.low[i], self.high[i]);
        match state {
            // Both bounds are equal: there is nothing to find.
            _ if low == high => RowState::AtLow,
            RowState::AtLow if low == Real::NEG_INFINITY => RowState::Enforced,
            RowState::AtHigh if high == Real::INFINITY => RowState::Enforced,
            state => state,
        }
    }

    /// The multiplier of a row that stands at a bound.
    pub(super) fn bound(&self, i: usize, state: RowState) -> Real {
        if state == RowState::AtHigh { self.high[i] } else { self.low[i] }
    }

    /// The columns and coefficients of a row.
    pub(super) fn row(&self, i: usize) -> impl Iterator<Item = (usize, Real)> + '_ {
        let starts = self.rows.indptr().into_raw_storage();
        let entries = starts[i]..starts[i + 1];
        let columns = self.rows.indices()[entries.clone()].iter().copied();
        columns.zip(self.rows.data()[entries].iter().copied())
    }
}
