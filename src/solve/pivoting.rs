//! When to switch all wrong bounds at once and when only one.

/// Rounds in which the number of wrong bounds may stay or grow before they are switched one at a time. More rounds
/// find the answer faster on large problems, where the number usually falls again; fewer waste less on cycles
/// (\[Judice94\] uses 10).
const PATIENCE: usize = 10;

/// The state of a bounded quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowState {
    /// Between its bounds: the row holds with equality.
    #[default]
    Enforced,
    /// At its lower bound.
    AtLow,
    /// At its upper bound.
    AtHigh,
}

/// Block principal pivoting with Murty's rule as the fallback \[Judice94\].
///
/// Switching all wrong bounds may cycle. Switching only the last one cannot \[Murty74\], \[Kostreva78\], but is slow;
/// so it is done only until there are fewer wrong bounds than ever before, which happens finitely often.
pub(super) struct Pivoting {
    fewest: usize,
    patience: usize,
}

impl Pivoting {
    pub fn new() -> Self {
        Pivoting { fewest: usize::MAX, patience: PATIENCE }
    }

    /// Whether all of the `wrong` bounds are switched in this round, or only the last one.
    pub fn all(&mut self, wrong: usize) -> bool {
        if wrong < self.fewest {
            (self.fewest, self.patience) = (wrong, PATIENCE);
            return true;
        }
        let patient = self.patience > 0;
        self.patience = self.patience.saturating_sub(1);
        patient
    }

    /// Adopts the states of `next` that differ from `states`, all or the last one; returns how many.
    pub fn switch(&mut self, states: &mut [RowState], next: &[RowState]) -> usize {
        let wrong = states.iter().zip(next).filter(|(now, next)| now != next).count();
        if self.all(wrong) {
            states.copy_from_slice(next);
            return wrong;
        }
        match (0..states.len()).rev().find(|&i| states[i] != next[i]) {
            Some(last) => {
                states[last] = next[last];
                1
            }
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RowState::{AtLow, Enforced};

    #[test]
    fn all_are_switched_while_that_helps_and_then_the_last_one() {
        let mut pivoting = Pivoting::new();
        for round in 0..=PATIENCE {
            let mut states = [AtLow, AtLow, Enforced];
            assert_eq!(pivoting.switch(&mut states, &[Enforced, Enforced, Enforced]), 2, "{round}");
            assert_eq!(states, [Enforced; 3]);
        }
        let mut states = [AtLow, AtLow, Enforced];
        assert_eq!(pivoting.switch(&mut states, &[Enforced, Enforced, Enforced]), 1);
        assert_eq!(states, [AtLow, Enforced, Enforced]);
        // Fewer than ever before: all again, with patience restored.
        assert!(pivoting.all(1) && pivoting.all(5));
        let right = states;
        assert_eq!(pivoting.switch(&mut states, &right), 0);
    }
}
