//! The result of a frame.

use crate::model::Model;
use crate::rows::Rows;
use crate::segment::Segment;
use crate::state::State;
use sinew_math::Real;

/// The stages of a step, as places in [`Report::seconds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Positions, and where strands pass through planes.
    Update,
    /// What touches what.
    Contact,
    /// The choice of activations.
    Control,
    /// The equations of motion.
    Elements,
    /// The constraints.
    Rows,
    /// The solve.
    Solve,
    /// The motion, and the correction of its drift.
    Motion,
}

/// Their names, in the same order.
pub const STAGES: [&str; 7] = ["update", "contact", "control", "elements", "rows", "solve", "motion"];

/// The result of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The number of steps taken; more than requested if some of these were too long.
    pub steps: u32,
    /// The length of the last of them, in s.
    pub last_step: Real,
    /// How many of them were as short as allowed and still too long for the motion of strands.
    pub rough: u32,
    /// The piece that was stretched the most within one of these.
    pub jerked: Option<Jerked>,
    /// Factorisations over all steps, including those that were repeated in shorter ones.
    pub factorisations: usize,
    /// The largest violation of an active row, after correction, in m or rad.
    pub error: Real,
    /// Steps whose solve ran out of its budget: the best result so far was used.
    pub unsolved: usize,
    /// Pieces of strands whose material was used up in the frame.
    pub used_up: Vec<UsedUp>,
    /// Joints with several rotations that passed 180 degrees while a spring, a limit or a ligament depended on it.
    pub wrapped: Vec<Wrapped>,
    /// Planes that missed their bone in some step: nodes were not kept out of it then.
    pub missed: Vec<usize>,
    /// The constraint that was violated the most, if by more than [`APART`].
    pub apart: Option<Apart>,
    /// Rows that contradicted each other in the last step in which any did.
    pub conflicts: Vec<usize>,
    /// The goals that contacts held back when activations were chosen last, and the contacts: goals behind something.
    pub blocked: Vec<[usize; 2]>,
    /// Seconds in each [`Stage`].
    pub seconds: [Real; STAGES.len()],
}

/// A constraint that is violated by more than this fraction of its size is reported: of the distance of a joint from
/// the closer centre of mass, of a radius of gyration or a piece of strand where a point is bound, of a radian for
/// rotations. It can be seen.
pub const APART: Real = 0.01;

/// A constraint that is violated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// Its row.
    pub row: usize,
    /// By how much, in m or rad.
    pub error: Real,
    /// The same as a fraction of its size.
    pub part: Real,
    /// When, in s.
    pub time: Real,
}

/// A piece of strand that was stretched within a step, by more than the step foresaw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jerked {
    /// The strand.
    pub strand: usize,
    /// The first of the piece's two nodes.
    pub node: usize,
    /// By how many times its length.
    pub strain: Real,
    /// Its length without load, in m.
    pub length: Real,
    /// The length of the step, in s.
    pub step: Real,
    /// When, in s.
    pub time: Real,
}

impl Report {
    /// Notes a step of `step` seconds that was too long, between two states.
    pub(super) fn note_rough(&mut self, model: &Model, from: &State, to: &State, step: Real) {
        self.rough += 1;
        for (s, strand) in model.parts().strands.iter().enumerate() {
            for (k, nodes) in strand.nodes.windows(2).enumerate() {
                let node = model.layout.strands[s] + k;
                let pieces =
                    [from, to].map(|state| Segment::new(&state.pair([nodes[0].point, nodes[1].point], node)));
                let [Some(before), Some(after)] = pieces else { continue };
                let strain = after.strain() - before.strain().max(0.0);
                if !to.cut[node] && strain > self.jerked.map_or(0.0, |worst| worst.strain) {
                    let (length, time) = (after.material, to.time);
                    self.jerked = Some(Jerked { strand: s, node: k, strain, length, step, time });
                }
            }
        }
    }

    /// Notes the violations of constraints at a time.
    pub(super) fn note_errors(&mut self, rows: &Rows, time: Real) {
        self.error = rows.largest_error().max(self.error);
        let Some((row, part)) = rows.worst() else { return };
        if part > self.apart.map_or(APART, |apart| apart.part) {
            self.apart = Some(Apart { row, error: rows.errors[row].abs(), part, time });
        }
    }
}

/// A piece of strand without material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsedUp {
    /// The strand.
    pub strand: usize,
    /// The first of the two nodes between which no material is left.
    pub node: usize,
    /// When, in s.
    pub time: Real,
    /// Whether the strand ran off there; otherwise it is held like a knot.
    pub ran_off: bool,
}

/// A joint with several rotations that passed 180 degrees while something in it depended on the angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrapped {
    /// The joint.
    pub joint: usize,
    /// The motion: 0, 1, 2 for rotations about x, y, z.
    pub axis: usize,
    /// When, in s.
    pub time: Real,
}
