//! Bodies in the way of goals: rates of joints that would press bodies into each other are not wanted.
//!
//! Each contact point demands n J q >= -gap / h, with n J the rate of its gap by the joints on both sides. A row that
//! the rates violate joins the least squares of `guide` as one with a large weight, and leaves when the goals lead away
//! from it. Joints of what no goal moves, such as a key under a finger, give way as far as their limits let them.

use sinew_math::Real;

/// The weight of a row relative to the largest entry of the goals' rows: gaps are kept to about a millionth of the way.
const FIRM: Real = 1e3;
/// Rows are added and dropped at most so often.
pub(super) const ROUNDS: usize = 8;
/// Rates that differ by less than this fraction of a row's largest term agree.
const AGREED: Real = 1e-6;

/// A contact point that goals may lead into.
#[derive(Clone, Copy, Debug)]
struct Barrier {
    contact: usize,
    spot: usize,
    /// The least rate of the gap.
    least: Real,
    /// Whether the joints' rates are held back by it.
    holding: bool,
    /// Whether the goals led away from it in this choice: it is not added again.
    left: bool,
}

/// The contact points in the way, with the rates of their gaps by those of the joints, row after row.
#[derive(Default)]
pub(super) struct Barriers {
    all: Vec<Barrier>,
    rows: Vec<Real>,
}

impl Barriers {
    pub fn clear(&mut self) {
        self.all.clear();
        self.rows.clear();
    }

    /// Adds a contact point with a row of n zeros, to be filled.
    pub fn add(&mut self, [contact, spot]: [usize; 2], n: usize) -> &mut [Real] {
        let first = self.rows.len();
        self.all.push(Barrier { contact, spot, least: 0.0, holding: false, left: false });
        self.rows.resize(first + n, 0.0);
        &mut self.rows[first..]
    }

    /// Completes the last row with the least rate of its gap.
    pub fn at_least(&mut self, least: Real) {
        self.all.iter_mut().last().into_iter().for_each(|barrier| barrier.least = least);
    }

    /// Before a new choice.
    pub fn forget(&mut self) {
        self.all.iter_mut().for_each(|barrier| (barrier.holding, barrier.left) = (false, false));
    }

    /// Adds the rows that hold back to those of a least-squares problem.
    pub fn append(&self, n: usize, jacobian: &mut Vec<Real>, goals: &mut Vec<Real>) {
        let largest = jacobian.iter().fold(0.0, |most: Real, entry| most.max(entry.abs()));
        for (barrier, row) in self.all.iter().zip(self.rows.chunks_exact(n)).filter(|(b, _)| b.holding) {
            let scale = FIRM * largest / row.iter().fold(0.0, |most: Real, entry| most.max(entry.abs()));
            jacobian.extend(row.iter().map(|entry| scale * entry));
            goals.push(scale * barrier.least);
        }
    }

    /// Which rows hold these rates back; returns whether any changed.
    pub fn review(&mut self, rates: &[Real]) -> bool {
        let mut changed = false;
        for (barrier, row) in self.all.iter_mut().zip(self.rows.chunks_exact(rates.len().max(1))) {
            let terms = || row.iter().zip(rates).map(|(entry, rate)| entry * rate);
            let slight = AGREED * terms().fold(barrier.least.abs(), |most, term| most.max(term.abs()));
            let beyond = terms().sum::<Real>() - barrier.least;
            let holding = match barrier.holding {
                true => beyond <= slight,
                false => beyond < -slight && !barrier.left,
            };
            changed |= holding != barrier.holding;
            barrier.left |= barrier.holding && !holding;
            barrier.holding = holding;
        }
        changed
    }

    /// Whether rates are held back at a contact point.
    pub fn holds(&self, contact: usize, spot: usize) -> bool {
        self.all.iter().any(|b| (b.contact, b.spot) == (contact, spot) && b.holding)
    }

    /// The contact that holds back joint rates in a direction most, if any does noticeably.
    pub fn against(&self, direction: &[Real]) -> Option<usize> {
        let norm = |row: &[Real]| row.iter().map(|entry| entry * entry).sum::<Real>().sqrt();
        let rows = self.all.iter().zip(self.rows.chunks_exact(direction.len().max(1)));
        let pressing = rows.filter(|(barrier, _)| barrier.holding).map(|(barrier, row)| {
            let into = -row.iter().zip(direction).map(|(a, b)| a * b).sum::<Real>();
            (into / (norm(row) * norm(direction)), barrier.contact)
        });
        let most = pressing.reduce(|a, b| if b.0 > a.0 { b } else { a });
        most.filter(|(cosine, _)| *cosine > OPPOSED).map(|(_, contact)| contact)
    }
}

/// A goal whose direction has a larger cosine with that into a contact is held back by it.
const OPPOSED: Real = 0.3;
