//! From the unknowns of an element to the ends of its segment.

use super::form::Form;
use super::layout::NONE;
use crate::math::{Real, Vec3};

/// From the unknowns of an element to the velocity of an end of its segment: that of the point itself, or
/// v + w x arm of the body that carries it, with the angular velocity w first.
pub(super) struct Lift {
    /// The first unknown in the element; `NONE` when it has none.
    at: usize,
    /// From the body's centre of mass to the point.
    arm: Option<Vec3>,
    /// What a unit force on the point along the segment is on the unknowns.
    axis: [Real; 6],
}

/// What a force on a point is on the point's unknowns, three or, with the arm of a body that carries it, six.
pub(super) fn on_unknowns(arm: Option<Vec3>, force: &Vec3) -> [Real; 6] {
    match arm.map(|arm| arm.cross(force)) {
        Some(moment) => [moment.x, moment.y, moment.z, force.x, force.y, force.z],
        None => [force.x, force.y, force.z, 0.0, 0.0, 0.0],
    }
}

impl Lift {
    pub fn new(at: usize, arm: Option<Vec3>, direction: &Vec3) -> Self {
        Lift { at, arm, axis: on_unknowns(arm, direction) }
    }

    /// How many unknowns it has.
    fn count(&self) -> usize {
        match (self.at, self.arm) {
            (NONE, _) => 0,
            (_, Some(_)) => 6,
            (_, None) => 3,
        }
    }

    /// Adds what a force on the point is on the unknowns.
    pub fn force(&self, force: &Vec3, out: &mut [Real]) {
        if self.at != NONE {
            let out = &mut out[self.at..self.at + self.count()];
            out.iter_mut().zip(on_unknowns(self.arm, force)).for_each(|(out, value)| *out += value);
        }
    }

    /// Adds J^T (across (I - t t^T) + along t t^T) J' to a block of `n` columns, J' the other end's:
    ///   J = [-[arm]x  I] of a body, so J^T J' = [(a . a') I - a' a^T, [a]x; -[a']x, I], and J^T t is known.
    fn between(&self, other: &Lift, [across, along]: [Real; 2], n: usize, block: &mut [Real]) {
        let at = |row: usize, column: usize| n * (self.at + row) + other.at + column;
        let more = along - across;
        for r in 0..self.count() {
            let scaled = more * self.axis[r];
            let row = &mut block[at(r, 0)..at(r, other.count())];
            row.iter_mut().zip(&other.axis).for_each(|(value, axis)| *value += scaled * axis);
        }
        let (r0, c0) = (self.count() - 3, other.count() - 3);
        (0..3).for_each(|k| block[at(r0 + k, c0 + k)] += across);
        // [v]x, entry by entry.
        let mut turning = |row: usize, column: usize, v: Vec3| {
            for (r, c, value) in
                [(0, 1, -v.z), (0, 2, v.y), (1, 0, v.z), (1, 2, -v.x), (2, 0, -v.y), (2, 1, v.x)]
            {
                block[at(row + r, column + c)] += value;
            }
        };
        self.arm.iter().for_each(|arm| turning(0, c0, arm * across));
        other.arm.iter().for_each(|arm| turning(r0, 0, arm * -across));
        if let (Some(arm), Some(others)) = (&self.arm, &other.arm) {
            let dot = arm.dot(others);
            for r in 0..3 {
                block[at(r, r)] += across * dot;
                (0..3).for_each(|c| block[at(r, c)] -= across * others[r] * arm[c]);
            }
        }
    }

    /// Adds a column along the segment's direction, and the same as a row.
    fn beside(&self, flow: usize, along: Real, n: usize, block: &mut [Real]) {
        for (k, axis) in self.axis[..self.count()].iter().enumerate() {
            block[n * (self.at + k) + flow] += along * axis;
            block[n * flow + self.at + k] += along * axis;
        }
    }
}

/// Adds a segment's matrix to a block of `n` by `n` unknowns; `flow` are those of its materials.
pub(super) fn lifted(form: &Form, lifts: &[Lift; 2], flow: [usize; 2], n: usize, block: &mut [Real]) {
    for (i, lift) in lifts.iter().enumerate().filter(|(_, lift)| lift.at != NONE) {
        for (k, other) in lifts.iter().enumerate().filter(|(_, other)| other.at != NONE) {
            lift.between(other, [form.across[(i, k)], form.along[(i, k)]], n, block);
        }
        for (k, &flow) in flow.iter().enumerate().filter(|(_, flow)| **flow != NONE) {
            lift.beside(flow, form.mixed[(i, k)], n, block);
        }
    }
    for (i, &row) in flow.iter().enumerate().filter(|(_, row)| **row != NONE) {
        for (k, &column) in flow.iter().enumerate().filter(|(_, column)| **column != NONE) {
            block[n * row + column] += form.flow[(i, k)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::form::Ends;
    use super::super::segment::{SegmentMatrix, SegmentVector};
    use super::*;
    use nalgebra::DMatrix;
    use proptest::prelude::*;

    fn vec3(n: &[Real]) -> Vec3 {
        Vec3::from_column_slice(&n[..3])
    }

    proptest! {
        /// Both ends on bodies, on one body, free, or held, in all combinations: B^T M B, with B what each unknown of the
        /// element does to the segment's.
        #[test]
        fn a_lifted_segment_is_the_product_of_the_plain_matrices(
            n in prop::collection::vec(-1.0..1.0f64, 24),
            kinds in (0usize..4, 0usize..4), flows in (any::<bool>(), any::<bool>()),
        ) {
            let direction = vec3(&n).normalize();
            let arms = [vec3(&n[3..]), vec3(&n[6..])];
            let symmetric = |n: &[Real]| Ends::new(n[0], n[1], n[1], n[2]);
            let form = Form {
                across: symmetric(&n[9..]),
                along: symmetric(&n[12..]),
                mixed: Ends::from_column_slice(&n[15..19]),
                flow: symmetric(&n[19..]),
            };
            // None, free, on a body, on the body of the other end.
            let (mut count, mut at, mut flow) = (0, [NONE; 2], [NONE; 2]);
            let mut take = |wanted: usize| {
                count += wanted;
                if wanted > 0 { count - wanted } else { NONE }
            };
            let kinds = [kinds.0.min(2), kinds.1];
            for (end, kind) in kinds.into_iter().enumerate() {
                at[end] = if kind == 3 && kinds[0] == 2 { at[0] } else { take([0, 3, 6, 6][kind]) };
                flow[end] = take(usize::from([flows.0, flows.1][end]));
            }
            let mut plain = DMatrix::<Real>::zeros(8, count);
            for end in 0..2 {
                if flow[end] != NONE {
                    plain[(6 + end, flow[end])] = 1.0;
                }
                for k in (0..3).filter(|_| at[end] != NONE) {
                    let linear = if kinds[end] > 1 { at[end] + 3 } else { at[end] };
                    plain[(3 * end + k, linear + k)] = 1.0;
                    if kinds[end] > 1 {
                        let moved = Vec3::ith(k, 1.0).cross(&arms[end]);
                        (0..3).for_each(|r| plain[(3 * end + r, at[end] + k)] = moved[r]);
                    }
                }
            }
            let columns = (0..8).map(|k| form.times(&direction, &SegmentVector::ith(k, 1.0)));
            let matrix = SegmentMatrix::from_columns(&columns.collect::<Vec<_>>());
            prop_assert!((matrix - matrix.transpose()).norm() < 1e-15);
            let expected = plain.transpose() * DMatrix::from_fn(8, 8, |r, c| matrix[(r, c)]) * &plain;
            let lifts = [0, 1].map(|end| Lift::new(at[end], (kinds[end] > 1).then_some(arms[end]), &direction));
            let mut block = vec![0.0; count * count];
            lifted(&form, &lifts, flow, count, &mut block);
            let found = DMatrix::from_row_slice(count, count, &block);
            prop_assert!((found - expected).amax() < 1e-13);
            for (end, lift) in lifts.iter().enumerate() {
                let mut out = vec![0.0; count];
                lift.force(&arms[1 - end], &mut out);
                let mut force = nalgebra::DVector::zeros(8);
                (0..3).for_each(|k| force[3 * end + k] = arms[1 - end][k]);
                let expected = plain.transpose() * force;
                prop_assert!((nalgebra::DVector::from_vec(out) - expected).amax() < 1e-14);
            }
        }
    }
}
