//! Transitions from the coordinates of one quad chart to those of its neighbour: quarter turns and integer shifts,
//! without round-off in the map itself.
//!
//! The square \[0, 1\]² has the sides 0 (v = 0), 1 (u = 1), 2 (v = 1), 3 (u = 0), counter-clockwise. A point that
//! leaves through side s is moved by P_s into the adjacent square, and rotated by R_k until the side through which it
//! enters, (s + 2) mod 4, is side t of that chart \[HandThesis §4.7.2\]:
//!
//! P_0 (u, v) = (u, v + 1), P_1 = (u - 1, v), P_2 = (u, v - 1), P_3 = (u + 1, v)   (4.22-4.25)
//!
//! R_0 (u, v) = (u, v), R_1 = (v, 1 - u), R_2 = (1 - u, 1 - v), R_3 = (1 - v, u)   (4.26-4.29)
//!
//! k(s, t) = (4 + s - (t + 2) mod 4) mod 4, Phi = R_k(P_s)   (4.30, 4.31)
//!
//! The formulas are correct as printed (the figure counts P_1 to P_4, the text P_0 to P_3): R_k rotates k quarters
//! clockwise about the middle of the square, a counter-clockwise quarter takes side e to e + 1, and so t = s + 2 - k.
//!
//! - \[HandThesis\] Li, "Biomechanical simulation of the hand musculoskeletal system and skin", thesis, 2013.

use sinew_math::{Real, Vec2};

/// A map of the plane: quarter turns counter-clockwise about the origin, then a shift by whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transition {
    turns: u8,
    shift: [i32; 2],
}

impl Transition {
    /// The identity.
    pub const IDENTITY: Transition = Transition { turns: 0, shift: [0, 0] };

    /// Quarter turns counter-clockwise about the origin (any number), then a shift.
    pub fn new(turns: u8, shift: [i32; 2]) -> Self {
        Transition { turns: turns % 4, shift }
    }

    /// P_side: from the square to the adjacent one, both in the same orientation. Sides count modulo 4.
    pub fn beside(side: u8) -> Self {
        Transition { turns: 0, shift: [[0, 1], [-1, 0], [0, -1], [1, 0]][side as usize % 4] }
    }

    /// R_k: k quarter turns clockwise about the middle of the square.
    pub fn turned(k: u8) -> Self {
        // The shift brings the square, rotated about its corner (0, 0), back onto itself.
        Transition { turns: (4 - k % 4) % 4, shift: [[0, 0], [0, 1], [1, 1], [1, 0]][k as usize % 4] }
    }

    /// Phi: from a chart across its side `from` to the chart whose side `to` is there.
    pub fn across(from: u8, to: u8) -> Self {
        let (s, t) = (from % 4, to % 4);
        Transition::beside(s).then(Transition::turned((4 + s - (t + 2) % 4) % 4))
    }

    /// The composition: this map, then `next`.
    #[must_use]
    pub fn then(self, next: Transition) -> Self {
        let [x, y] = turn(next.turns, self.shift);
        let shift = [x + next.shift[0], y + next.shift[1]];
        Transition { turns: (self.turns + next.turns) % 4, shift }
    }

    /// The inverse map.
    #[must_use]
    pub fn inverse(self) -> Self {
        let turns = (4 - self.turns) % 4;
        let [x, y] = turn(turns, self.shift);
        Transition { turns, shift: [-x, -y] }
    }

    /// Quarter turns counter-clockwise, 0 to 3.
    pub fn turns(self) -> u8 {
        self.turns
    }

    /// The image of the origin.
    pub fn shift(self) -> Vec2 {
        Vec2::new(Real::from(self.shift[0]), Real::from(self.shift[1]))
    }

    /// The image of coordinates.
    pub fn point(self, uv: Vec2) -> Vec2 {
        self.vector(uv) + self.shift()
    }

    /// The image of a difference of coordinates, a velocity or a gradient: rotated, not shifted.
    pub fn vector(self, d: Vec2) -> Vec2 {
        match self.turns {
            0 => d,
            1 => Vec2::new(-d.y, d.x),
            2 => -d,
            _ => Vec2::new(d.y, -d.x),
        }
    }
}

fn turn(turns: u8, [x, y]: [i32; 2]) -> [i32; 2] {
    match turns {
        0 => [x, y],
        1 => [-y, x],
        2 => [-x, -y],
        _ => [y, -x],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The corners of the square; side s runs from corner s to the next.
    const CORNERS: [[Real; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    fn on_side(side: u8, s: Real) -> Vec2 {
        let [a, b] = [side, side + 1].map(|k| Vec2::from(CORNERS[k as usize % 4]));
        a + (b - a) * s
    }

    fn pairs() -> impl Iterator<Item = (u8, u8)> {
        (0..4).flat_map(|s| (0..4).map(move |t| (s, t)))
    }

    #[test]
    fn the_printed_formulas_hold() {
        let uv = Vec2::new(0.3, 0.8);
        let shifted = [[0.3, 1.8], [-0.7, 0.8], [0.3, -0.2], [1.3, 0.8]];
        let turned = [[0.3, 0.8], [0.8, 0.7], [0.7, 0.2], [0.2, 0.3]];
        for k in 0..4 {
            assert!((Transition::beside(k).point(uv) - Vec2::from(shifted[k as usize])).norm() < 1e-15);
            assert!((Transition::turned(k).point(uv) - Vec2::from(turned[k as usize])).norm() < 1e-15);
        }
    }

    #[test]
    fn there_and_back_is_the_identity_for_all_16_pairs() {
        for (s, t) in pairs() {
            assert_eq!(Transition::across(s, t).then(Transition::across(t, s)), Transition::IDENTITY);
            assert_eq!(Transition::across(s, t).inverse(), Transition::across(t, s));
        }
    }

    #[test]
    fn a_point_of_the_shared_side_is_the_same_point_of_the_neighbours_side() {
        for (s, t) in pairs() {
            let phi = Transition::across(s, t);
            for k in 0..=8 {
                // The neighbour's side runs in the opposite direction.
                let x = Real::from(k) / 8.0;
                assert_eq!(phi.point(on_side(s, x)), on_side(t, 1.0 - x));
            }
            // The outside of one is the inside of the other, and nothing is mirrored.
            let middle = Vec2::new(0.5, 0.5);
            let beyond = middle + (on_side(s, 0.5) - middle) * 2.0;
            assert_eq!(phi.point(beyond), middle);
            let (x, y) = (phi.vector(Vec2::x()), phi.vector(Vec2::y()));
            assert_eq!(x.perp(&y), 1.0);
        }
    }

    /// Charts around a vertex, each with any of its corners there: across side c - 1, from corner to corner.
    fn around(corners: &[u8]) -> Transition {
        let n = corners.len();
        (0..n).fold(Transition::IDENTITY, |path, k| {
            let (here, next) = (corners[k], corners[(k + 1) % n]);
            path.then(Transition::across((here + 3) % 4, next))
        })
    }

    #[test]
    fn loops_around_a_vertex_turn_about_it_by_what_the_valence_lacks() {
        for code in 0..4u32.pow(5) {
            let corners: Vec<u8> = (0..5).map(|k| (code / 4u32.pow(k) % 4) as u8).collect();
            let corner = Vec2::from(CORNERS[corners[0] as usize]);
            assert_eq!(around(&corners[..4]), Transition::IDENTITY);
            for (valence, turns) in [(3, 1), (5, 3)] {
                let whole = around(&corners[..valence]);
                assert_eq!((whole.point(corner), whole.turns()), (corner, turns));
            }
        }
    }

    fn any() -> impl Strategy<Value = Transition> {
        (0u8..4, -9i32..9, -9i32..9).prop_map(|(turns, x, y)| Transition::new(turns, [x, y]))
    }

    proptest! {
        #[test]
        fn they_are_a_group_and_act_on_the_plane(a in any(), b in any(), c in any(), x in -9i32..9, y in -9i32..9) {
            prop_assert_eq!(a.then(b).then(c), a.then(b.then(c)));
            prop_assert_eq!(a.then(a.inverse()), Transition::IDENTITY);
            prop_assert_eq!(a.inverse().then(a), Transition::IDENTITY);
            prop_assert_eq!(a.then(Transition::IDENTITY), a);
            // Quarter turns of integers are exact.
            let p = Vec2::new(Real::from(x), Real::from(y)) * 0.25;
            prop_assert_eq!(a.then(b).point(p), b.point(a.point(p)));
            prop_assert_eq!(a.vector(p), a.point(p) - a.point(Vec2::zeros()));
        }
    }
}
