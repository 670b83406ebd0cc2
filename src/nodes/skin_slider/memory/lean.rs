//! The lean form of a saved skin: for hosts that keep one for every frame.
//!
//! Little endian: bytes that identify this form; the head, as in the full form; the trend; whether there are brakes; then
//! per vertex its triangle with the index of the largest weight in the two highest bits, the other two weights, the body,
//! and in single precision the velocities of skin and body, the pace, the pace before it and the brake. Trend, pace and
//! brake are those of [`State`].

use super::{Head, Memory};
use crate::bytes::{Reader, put_reals};
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::math::Vec3;
use crate::skin::state::{State, single};

/// A mark with which no full form begins.
pub(super) const MARK: [u8; 8] = *b"leanskin";
const VERTEX: usize = 4 + 2 * 8 + 3 * 8 + 4 * SINGLE;
const SINGLE: usize = 3 * 4;
/// A triangle's number fits in 30 bits: 2^30 triangles would be 100 GB.
const LARGEST: u32 = 30;

/// The bytes of a memory, the same before and after its state was made lean.
pub(super) fn encode(memory: &Memory) -> Vec<u8> {
    let state = &memory.state;
    let n = state.skin.len();
    let braked = !state.brakes.is_empty();
    let mut out = MARK.to_vec();
    out.reserve(n * (VERTEX + if braked { SINGLE } else { 0 }));
    memory.put_head(&mut out);
    put_reals(&mut out, &[state.trend]);
    out.push(u8::from(braked));
    for v in 0..n {
        let point = &state.skin[v];
        let (largest, others) = point.without_largest();
        out.extend((point.triangle | (largest as u32) << LARGEST).to_le_bytes());
        put_reals(&mut out, others.iter().chain(state.body[v].iter()));
        let singles =
            [&state.velocity, &state.body_velocity, &state.pace, &state.earlier_pace, &state.brakes];
        for vector in singles.into_iter().filter_map(|list| list.get(v)) {
            vector.iter().for_each(|x| out.extend(single(*x).to_le_bytes()));
        }
    }
    out
}

/// What follows the mark.
pub(super) fn decode(bytes: &[u8]) -> Result<Memory> {
    let mut reader = Reader::new("the saved skin", bytes);
    let head = Head::read(&mut reader)?;
    let mut state = State { trend: reader.f64()?, ..State::default() };
    let braked = reader.bit()?;
    for _ in 0..head.vertices {
        let word = reader.u32()?;
        let triangle = word & ((1 << LARGEST) - 1);
        let largest = (word >> LARGEST) as usize;
        let others = [reader.f64()?, reader.f64()?];
        state.skin.push(SurfacePoint::with_largest(triangle, largest, others));
        state.body.push(Vec3::new(reader.f64()?, reader.f64()?, reader.f64()?));
        let State { velocity, body_velocity, pace, earlier_pace, brakes, .. } = &mut state;
        let singles = [velocity, body_velocity, pace, earlier_pace, brakes];
        for list in singles.into_iter().take(if braked { 5 } else { 4 }) {
            list.push(Vec3::new(reader.f32()?.into(), reader.f32()?.into(), reader.f32()?.into()));
        }
    }
    reader.end()?;
    Ok(Memory { state, frame: head.frame, seconds: head.seconds })
}
