//! From the unknowns of an element to the ends of its segment.

use super::form::Form;
use crate::layout::NONE;
use sinew_linalg::assembly::in_half;
use sinew_math::{Real, Vec3, Work};

/// From the unknowns of an element to the velocity of an end of its segment: that of the point itself, or
/// v + w x arm of the body that carries it, with the angular velocity w first. A free point is treated like one at the
/// centre of a body that does not rotate: of the six motions it has the last three.
pub struct Lift {
    /// The first unknown in the element; `NONE` if it has none.
    at: usize,
    /// The first of the six motions that is an unknown.
    first: usize,
    /// From the body's centre of mass to the point.
    arm: Vec3,
    /// The effect of a unit force on the point along the segment on the motions.
    axis: [Real; 6],
}

/// A matrix between motions.
type Six = [[Real; 6]; 6];

/// The effect of a force on a point on the point's unknowns, three or, with the arm of a body that carries it, six.
pub fn on_unknowns(arm: Option<Vec3>, force: &Vec3) -> [Real; 6] {
    match arm.map(|arm| arm.cross(force)) {
        Some(moment) => [moment.x, moment.y, moment.z, force.x, force.y, force.z],
        None => [force.x, force.y, force.z, 0.0, 0.0, 0.0],
    }
}

impl Lift {
    pub fn new(at: usize, arm: Option<Vec3>, direction: &Vec3) -> Self {
        let (first, arm) = arm.map_or((3, Vec3::zeros()), |arm| (0, arm));
        Lift { at, first, arm, axis: on_unknowns(Some(arm), direction) }
    }

    /// Adds the effect of a force on the point to the unknowns.
    pub fn force(&self, force: &Vec3, out: &mut [Real]) {
        if self.at != NONE {
            let motions = on_unknowns(Some(self.arm), force);
            out[self.at..].iter_mut().zip(&motions[self.first..]).for_each(|(out, value)| *out += value);
        }
    }

    /// J^T (across (I - t t^T) + along t t^T) J', J' the other end's:
    ///   J = [-[arm]x  I], so J^T J' = [(a . a') I - a' a^T, [a]x; -[a']x, I], and J^T t is known.
    #[inline(always)]
    fn between(&self, other: &Lift, [across, along]: [Real; 2]) -> Six {
        let (a, b) = (self.arm * across, &other.arm);
        let (turn, back, dot) = (a, b * -across, a.dot(b));
        let mut sum: Six = [
            [dot - b.x * a.x, -b.x * a.y, -b.x * a.z, 0.0, -turn.z, turn.y],
            [-b.y * a.x, dot - b.y * a.y, -b.y * a.z, turn.z, 0.0, -turn.x],
            [-b.z * a.x, -b.z * a.y, dot - b.z * a.z, -turn.y, turn.x, 0.0],
            [0.0, -back.z, back.y, across, 0.0, 0.0],
            [back.z, 0.0, -back.x, 0.0, across, 0.0],
            [-back.y, back.x, 0.0, 0.0, 0.0, across],
        ];
        for (row, axis) in sum.iter_mut().zip(&self.axis) {
            let scaled = (along - across) * axis;
            row.iter_mut().zip(&other.axis).for_each(|(sum, axis)| *sum += scaled * axis);
        }
        sum
    }

    /// Adds the coupling of motions to those of another end whose unknowns come later.
    #[inline(always)]
    fn add(&self, later: &Lift, six: &Six, n: usize, upper: &mut [Real]) {
        for (row, values) in six[self.first..].iter().enumerate() {
            let sums = &mut upper[in_half(n, self.at + row, later.at)..];
            match later.first {
                0 => sums[..6].iter_mut().zip(values).for_each(|(sum, value)| *sum += value),
                _ => sums[..3].iter_mut().zip(&values[3..]).for_each(|(sum, value)| *sum += value),
            }
        }
    }

    /// Adds the coupling of motions to themselves.
    #[inline(always)]
    fn add_own(&self, six: &Six, n: usize, upper: &mut [Real]) {
        for r in self.first..6 {
            let (row, values) = (self.at + r - self.first, &six[r][r..]);
            let place = in_half(n, row, row);
            upper[place..place + values.len()].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }

    /// Adds a column along the segment's direction.
    #[inline(always)]
    fn beside(&self, flow: usize, along: Real, n: usize, upper: &mut [Real]) {
        for (k, axis) in self.axis[self.first..].iter().enumerate() {
            upper[in_half(n, self.at + k, flow)] += along * axis;
        }
    }
}

#[inline(always)]
fn plus(a: &Six, b: &Six) -> Six {
    std::array::from_fn(|r| std::array::from_fn(|c| a[r][c] + b[r][c]))
}

/// Adds a segment's matrix to the upper triangle of a block of `n` by `n` unknowns.
pub struct Lifting<'a> {
    pub form: &'a Form,
    pub lifts: &'a [Lift; 2],
    /// The unknowns of the segment's materials.
    pub flow: [usize; 2],
    pub n: usize,
    pub upper: &'a mut [Real],
}

impl Work for Lifting<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Lifting { form, lifts, flow, n, upper } = self;
        let of = |i: usize, k: usize| lifts[i].between(&lifts[k], [form.across[(i, k)], form.along[(i, k)]]);
        let [a, b] = lifts;
        if a.at != NONE && a.at == b.at {
            let (mut own, cross) = (plus(&of(0, 0), &of(1, 1)), of(0, 1));
            (0..6).for_each(|r| (r..6).for_each(|c| own[r][c] += cross[r][c] + cross[c][r]));
            a.add_own(&own, n, upper);
        } else {
            for (k, lift) in lifts.iter().enumerate().filter(|(_, lift)| lift.at != NONE) {
                lift.add_own(&of(k, k), n, upper);
            }
            match (a.at, b.at) {
                (NONE, _) | (_, NONE) => {}
                _ if a.at < b.at => a.add(b, &of(0, 1), n, upper),
                _ => b.add(a, &of(1, 0), n, upper),
            }
        }
        for (k, lift) in lifts.iter().enumerate().filter(|(_, lift)| lift.at != NONE) {
            for (i, &flow) in flow.iter().enumerate().filter(|(_, flow)| **flow != NONE) {
                lift.beside(flow, form.mixed[(k, i)], n, upper);
            }
        }
        for (i, &row) in flow.iter().enumerate().filter(|(_, row)| **row != NONE) {
            for (k, &column) in flow.iter().enumerate().take(i + 1).filter(|(_, column)| **column != NONE) {
                upper[in_half(n, row, column)] += form.flow[(i, k)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::form::{Ends, SegmentMatrix, SegmentVector};
    use super::*;
    use nalgebra::DMatrix;
    use proptest::prelude::*;
    use sinew_math::widest;

    fn vec3(n: &[Real]) -> Vec3 {
        Vec3::from_column_slice(&n[..3])
    }

    proptest! {
        /// Both ends on bodies, on one body, free, or fixed, in all combinations: B^T M B, with B the map from the
        /// element's unknowns to the segment's.
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
            prop_assert!((matrix - matrix.transpose()).norm() < 1e-14);
            let expected = plain.transpose() * DMatrix::from_fn(8, 8, |r, c| matrix[(r, c)]) * &plain;
            let lifts = [0, 1].map(|end| Lift::new(at[end], (kinds[end] > 1).then_some(arms[end]), &direction));
            let mut upper = vec![0.0; count * (count + 1) / 2];
            widest(Lifting { form: &form, lifts: &lifts, flow, n: count, upper: &mut upper });
            let found = DMatrix::from_fn(count, count, |row, column| upper[in_half(count, row, column)]);
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
