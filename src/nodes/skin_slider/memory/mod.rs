//! What the skin slider remembers from frame to frame, as bytes.

mod lean;

use super::super::time::Frame;
use super::super::timeline;
use sinew_base::bytes::{Reader, put_count, put_reals};
use sinew_base::error::Result;
use sinew_geometry::SurfacePoint;
use sinew_math::{Real, Vec3};
use sinew_skin::model::Model;
use sinew_skin::state::{State, Stiffness};
use std::sync::Arc;

/// The skin after a frame.
#[derive(Clone)]
pub(super) struct Memory {
    pub(super) state: State,
    /// The frame; `None` at rest, before the first.
    pub(super) frame: Option<Frame>,
    /// The length of the frame.
    pub(super) seconds: Real,
}

/// Bytes of a vertex: triangle, weights, five vectors.
const VERTEX: usize = 4 + 3 * 8 + 15 * 8;

impl timeline::Memory for Memory {
    fn frame(&self) -> Option<Frame> {
        self.frame
    }
}

impl Memory {
    pub(super) fn at_rest(model: &Model) -> Self {
        Memory { state: State::at_rest(model), frame: None, seconds: 0.0 }
    }

    /// Appends the minimum that the next frame needs: the state after it was made lean.
    pub(super) fn put_lean(&self, out: &mut Vec<u8>) {
        lean::put(self, out);
    }

    /// Appends all of it: the head; per vertex its skin, then the vectors of [`State`]; the trend; stiffness and
    /// brakes, if there are any.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let state = &self.state;
        out.reserve(state.skin.len() * VERTEX);
        out.push(Form::Whole as u8);
        self.put_head(out);
        let lists = [&state.velocity, &state.body, &state.body_velocity, &state.pace, &state.earlier_pace];
        for (v, point) in state.skin.iter().enumerate() {
            out.extend(point.triangle.to_le_bytes());
            put_reals(out, &point.weights);
            put_reals(out, lists.iter().flat_map(|list| list[v].iter()));
        }
        put_reals(out, &[state.trend]);
        out.push(u8::from(state.stiffness.is_some()));
        if let Some(stiffness) = &state.stiffness {
            put_reals(out, stiffness.directions.iter().flatten().flat_map(|x| x.iter()));
            put_count(out, stiffness.values.len());
            put_reals(out, &stiffness.values);
        }
        out.push(u8::from(!state.brakes.is_empty()));
        put_reals(out, state.brakes.iter().flat_map(|x| x.iter()));
    }

    /// Reads what [`Memory::put`] or [`Memory::put_lean`] appended.
    pub(super) fn read(reader: &mut Reader) -> Result<Self> {
        match reader.bit()? {
            true => lean::read(reader),
            false => Memory::read_whole(reader),
        }
    }

    fn read_whole(reader: &mut Reader) -> Result<Self> {
        let head = Head::read(reader)?;
        let mut state = State::default();
        for _ in 0..head.vertices {
            let triangle = reader.u32()?;
            let weights = [reader.f64()?, reader.f64()?, reader.f64()?];
            state.skin.push(SurfacePoint { triangle, weights });
            let State { velocity, body, body_velocity, pace, earlier_pace, .. } = &mut state;
            for list in [velocity, body, body_velocity, pace, earlier_pace] {
                list.push(vector(reader)?);
            }
        }
        state.trend = reader.f64()?;
        if reader.bit()? {
            let pair = |_| Ok([vector(reader)?, vector(reader)?]);
            let directions = (0..head.vertices).map(pair).collect::<Result<_>>()?;
            let count = reader.count(8)?;
            let values = (0..count).map(|_| reader.f64()).collect::<Result<_>>()?;
            state.stiffness = Some(Arc::new(Stiffness { values, directions }));
        }
        if reader.bit()? {
            state.brakes = (0..head.vertices).map(|_| vector(reader)).collect::<Result<_>>()?;
        }
        Ok(Memory { state, frame: head.frame, seconds: head.seconds })
    }

    /// Appends what [`Head::read`] reads.
    fn put_head(&self, out: &mut Vec<u8>) {
        Frame::put(self.frame, out);
        put_reals(out, &[self.seconds]);
        put_count(out, self.state.skin.len());
    }
}

/// What comes first in both forms.
struct Head {
    frame: Option<Frame>,
    seconds: Real,
    vertices: usize,
}

impl Head {
    fn read(reader: &mut Reader) -> Result<Self> {
        let (frame, seconds) = (Frame::read(reader)?, reader.real()?);
        if seconds < 0.0 {
            return Err(reader.error("has a negative duration"));
        }
        Ok(Head { frame, seconds, vertices: reader.count(1)? })
    }
}

/// How a memory is written.
enum Form {
    Whole,
    Lean,
}

fn vector(reader: &mut Reader) -> Result<Vec3> {
    Ok(Vec3::new(reader.f64()?, reader.f64()?, reader.f64()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_energy::{Material, Stvk};
    use sinew_geometry::{TriMesh, shapes};
    use sinew_skin::model::Settings;

    #[test]
    fn a_skin_comes_back_with_and_without_stiffness_and_brakes_and_not_from_less() {
        let mesh = TriMesh::from_mesh(&shapes::grid(1.0, 1.0, 3, 2)).unwrap();
        let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
        let mut memory = Memory::at_rest(&Model::new(mesh, Settings::new(material)).unwrap());
        let real = |k: usize| (k as Real).sin();
        let n = memory.state.skin.len();
        memory.state.trend = 0.75;
        memory.state.earlier_pace = (0..n).map(|v| Vec3::new(real(v), real(v + 1), 0.5)).collect();
        let stiffness = Stiffness {
            values: (0..7).map(real).collect(),
            directions: (0..n).map(|v| [Vec3::new(real(v), 1.0, 2.0), Vec3::repeat(real(v + 1))]).collect(),
        };
        let encode = |memory: &Memory, put: fn(&Memory, &mut Vec<u8>)| {
            let mut out = b"before".to_vec();
            put(memory, &mut out);
            assert!(out.starts_with(b"before"));
            out.split_off(6)
        };
        let state = |bytes: &[u8]| {
            let mut reader = Reader::new("the saved skin", bytes);
            let memory = Memory::read(&mut reader)?;
            reader.end().map(|()| memory.state)
        };
        let braked = (0..n).map(|v| Vec3::new(1.0, 1e300, real(v))).collect();
        for (stiffness, brakes) in [(None, Vec::new()), (Some(Arc::new(stiffness)), braked)] {
            (memory.state.stiffness, memory.state.brakes) = (stiffness, brakes);
            let whole = encode(&memory, Memory::put);
            assert_eq!(state(&whole).unwrap(), memory.state);
            assert!((0..whole.len()).all(|length| state(&whole[..length]).is_err()));
            // From then on the lean copy defines the memory.
            let mut thin = memory.clone();
            let lean = encode(&thin, Memory::put_lean);
            thin.state.make_lean();
            assert_eq!(lean, encode(&thin, Memory::put_lean));
            assert_eq!(state(&lean).unwrap(), thin.state);
            assert!((0..lean.len()).all(|length| state(&lean[..length]).is_err()));
        }
    }
}
