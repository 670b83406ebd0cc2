//! The lean form of a saved skin: for hosts that keep one for every frame.
//!
//! Little endian: a mark; the head, as in the full form; the trend; whether there are brakes; then per vertex its
//! triangle with the index of the largest weight in the two highest bits, the other two weights, the body, and in
//! single precision the velocities of skin and body, the pace, the pace before it and the brake.

use super::super::super::time::Frame;
use super::Memory;
use crate::geometry::SurfacePoint;
use crate::math::{Real, Vec3};
use crate::skin::state::{State, single};

/// A mark with which no full form begins.
pub(super) const MARK: [u8; 8] = *b"leanskin";
const HEAD: usize = 1 + 8 + 8 + 8 + 8 + 8 + 1;
const VERTEX: usize = 4 + 2 * 8 + 3 * 8 + 4 * SINGLE;
const SINGLE: usize = 3 * 4;
/// A triangle's number fits in 30 bits: 2^30 triangles would be 100 GB.
const LARGEST: u32 = 30;

/// The bytes of a memory, the same before and after its state was made lean.
pub(super) fn encode(memory: &Memory) -> Vec<u8> {
    let state = &memory.state;
    let n = state.skin.len();
    let braked = !state.brakes.is_empty();
    let mut out = Vec::with_capacity(MARK.len() + HEAD + n * (VERTEX + if braked { SINGLE } else { 0 }));
    let frame = memory.frame.unwrap_or(Frame { number: 0, seconds: 0.0 });
    out.extend(MARK);
    out.push(u8::from(memory.frame.is_some()));
    out.extend(frame.number.to_le_bytes());
    [frame.seconds, memory.seconds].iter().for_each(|x| out.extend(x.to_le_bytes()));
    out.extend((n as u64).to_le_bytes());
    out.extend(state.trend.to_le_bytes());
    out.push(u8::from(braked));
    for v in 0..n {
        let point = &state.skin[v];
        let (largest, others) = point.without_largest();
        out.extend((point.triangle | (largest as u32) << LARGEST).to_le_bytes());
        others.iter().chain(state.body[v].iter()).for_each(|x| out.extend(x.to_le_bytes()));
        let singles =
            [&state.velocity, &state.body_velocity, &state.pace, &state.earlier_pace, &state.brakes];
        for vector in singles.into_iter().filter_map(|list| list.get(v)) {
            vector.iter().for_each(|x| out.extend(single(*x).to_le_bytes()));
        }
    }
    out
}

/// What follows the mark; `None` if it is damaged.
pub(super) fn decode(bytes: &[u8]) -> Option<Memory> {
    let (head, vertices) = bytes.split_at_checked(HEAD)?;
    let eight = |at: usize| -> [u8; 8] { std::array::from_fn(|k| head[at + k]) };
    let real = |at: usize| Real::from_le_bytes(eight(at));
    let (frame, seconds) = (Frame { number: i64::from_le_bytes(eight(1)), seconds: real(9) }, real(17));
    let (known, braked) = (head[0], head[HEAD - 1]);
    let size = VERTEX + usize::from(braked) * SINGLE;
    let n = usize::try_from(u64::from_le_bytes(eight(25))).ok()?;
    let sound =
        known <= 1 && braked <= 1 && frame.seconds.is_finite() && seconds >= 0.0 && seconds.is_finite();
    if !sound || n.checked_mul(size)? != vertices.len() {
        return None;
    }
    let mut state = State { trend: real(33), ..State::default() };
    for vertex in vertices.chunks_exact(size) {
        let word = u32::from_le_bytes(std::array::from_fn(|k| vertex[k]));
        let real = |k: usize| Real::from_le_bytes(std::array::from_fn(|b| vertex[4 + 8 * k + b]));
        let single = |k: usize| f32::from_le_bytes(std::array::from_fn(|b| vertex[44 + 4 * k + b]));
        let vector = |k: usize| Vec3::from_fn(|c, _| Real::from(single(3 * k + c)));
        let triangle = word & ((1 << LARGEST) - 1);
        let largest = (word >> LARGEST) as usize;
        state.skin.push(SurfacePoint::with_largest(triangle, largest, [real(0), real(1)]));
        state.body.push(Vec3::new(real(2), real(3), real(4)));
        state.velocity.push(vector(0));
        state.body_velocity.push(vector(1));
        state.pace.push(vector(2));
        state.earlier_pace.push(vector(3));
        if braked == 1 {
            state.brakes.push(vector(4));
        }
    }
    Some(Memory { state, frame: (known == 1).then_some(frame), seconds })
}
