//! The lean form of a saved skin: for hosts that keep one for every frame.
//!
//! Little endian: the form; the head, as in the full form; the trend; whether there are brakes; then per vertex its
//! triangle with the index of the largest weight in the two highest bits, the other two weights, the body, and in
//! single precision the velocities of skin and body, the pace, the pace before it and the brake. Trend, pace and brake
//! are those of [`State`].

use super::{Form, Head, Memory, vector};
use sinew_base::bytes::{Reader, put_reals};
use sinew_base::error::Result;
use sinew_geometry::SurfacePoint;
use sinew_math::Vec3;
use sinew_skin::state::{State, single};

const VERTEX: usize = 4 + 2 * 8 + 3 * 8 + 4 * SINGLE;
const SINGLE: usize = 3 * 4;
/// A triangle's number fits in 30 bits: 2^30 triangles would be 100 GB.
const LARGEST: u32 = 30;

/// Appends the bytes of a memory, the same before and after its state was made lean.
pub(super) fn put(memory: &Memory, out: &mut Vec<u8>) {
    let state = &memory.state;
    let singles = [&state.velocity, &state.body_velocity, &state.pace, &state.earlier_pace, &state.brakes];
    let braked = !state.brakes.is_empty();
    let (singles, size) = if braked { (&singles[..], VERTEX + SINGLE) } else { (&singles[..4], VERTEX) };
    out.push(Form::Lean as u8);
    memory.put_head(out);
    put_reals(out, &[state.trend]);
    out.push(u8::from(braked));
    let head = out.len();
    out.resize(head + state.skin.len() * size, 0);
    for (v, record) in out[head..].chunks_exact_mut(size).enumerate() {
        let (largest, others) = state.skin[v].without_largest();
        let mut record = Record(record);
        record.put((state.skin[v].triangle | (largest as u32) << LARGEST).to_le_bytes());
        others.iter().chain(state.body[v].iter()).for_each(|x| record.put(x.to_le_bytes()));
        singles.iter().for_each(|list| list[v].iter().for_each(|x| record.put(single(*x).to_le_bytes())));
    }
}

/// The bytes of a vertex that are not written yet.
struct Record<'a>(&'a mut [u8]);

impl Record<'_> {
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        let (first, rest) =
            std::mem::take(&mut self.0).split_first_chunk_mut().expect("a record has its size");
        (*first, self.0) = (bytes, rest);
    }
}

/// What follows the form.
pub(super) fn read(reader: &mut Reader) -> Result<Memory> {
    let head = Head::read(reader)?;
    let mut state = State { trend: reader.f64()?, ..State::default() };
    let braked = reader.bit()?;
    for _ in 0..head.vertices {
        let word = reader.u32()?;
        let triangle = word & ((1 << LARGEST) - 1);
        let largest = (word >> LARGEST) as usize;
        let others = [reader.f64()?, reader.f64()?];
        state.skin.push(SurfacePoint::with_largest(triangle, largest, others));
        state.body.push(vector(reader)?);
        let State { velocity, body_velocity, pace, earlier_pace, brakes, .. } = &mut state;
        let singles = [velocity, body_velocity, pace, earlier_pace, brakes];
        for list in singles.into_iter().take(if braked { 5 } else { 4 }) {
            list.push(Vec3::new(reader.f32()?.into(), reader.f32()?.into(), reader.f32()?.into()));
        }
    }
    Ok(Memory { state, frame: head.frame, seconds: head.seconds })
}
