//! What the skin slider remembers from frame to frame, as bytes.

mod lean;

use super::super::time::Frame;
use super::super::timeline;
use crate::bytes::{Reader, put_count, put_reals};
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::math::{Real, Vec3};
use crate::skin::model::Model;
use crate::skin::state::{State, Stiffness};
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

/// Bytes of a vertex: triangle, weights, four vectors.
const VERTEX: usize = 4 + 3 * 8 + 12 * 8;
/// After the vertices, since version 2: the trend, and per vertex the pace before the last; then, if there is one, the
/// stiffness, with per vertex its directions first.
const TREND: usize = 8;
const EARLIER: usize = 3 * 8;
const DIRECTIONS: usize = 6 * 8;
/// Last, if skin is moving from one resting position to another: per vertex its brake, and a mark.
const BRAKE: usize = 3 * 8;
const BRAKES: [u8; 8] = *b"brakes01";

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

    pub(super) fn encode(&self) -> Vec<u8> {
        let n = self.state.skin.len();
        let mut out = Vec::with_capacity(n * (VERTEX + EARLIER));
        self.put_head(&mut out);
        for v in 0..n {
            let point = &self.state.skin[v];
            out.extend(point.triangle.to_le_bytes());
            put_reals(&mut out, &point.weights);
            let state = &self.state;
            let vectors = [state.velocity[v], state.body[v], state.body_velocity[v], state.pace[v]];
            put_reals(&mut out, vectors.iter().flat_map(|x| x.iter()));
        }
        put_reals(&mut out, &[self.state.trend]);
        put_reals(&mut out, self.state.earlier_pace.iter().flat_map(|x| x.iter()));
        if let Some(stiffness) = &self.state.stiffness {
            let directions = stiffness.directions.iter().flatten().flat_map(|x| x.iter());
            put_reals(&mut out, directions.chain(&stiffness.values));
        }
        if !self.state.brakes.is_empty() {
            put_reals(&mut out, self.state.brakes.iter().flat_map(|x| x.iter()));
            out.extend(BRAKES);
        }
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        if let Some(lean) = bytes.strip_prefix(&lean::MARK) {
            return lean::decode(lean);
        }
        let mut reader = Reader::new("the saved skin", bytes);
        let head = Head::read(&mut reader)?;
        let n = head.vertices;
        let vertices = reader.take(n.saturating_mul(VERTEX))?;
        let damaged = reader.error("is cut off or damaged");
        let mut state = later_parts(reader.take_rest(), n).ok_or(damaged)?;
        let mut vertices = Reader::new("the saved skin", vertices);
        for _ in 0..n {
            let triangle = vertices.u32()?;
            let weights = [vertices.f64()?, vertices.f64()?, vertices.f64()?];
            state.skin.push(SurfacePoint { triangle, weights });
            for list in [&mut state.velocity, &mut state.body, &mut state.body_velocity, &mut state.pace] {
                list.push(Vec3::new(vertices.f64()?, vertices.f64()?, vertices.f64()?));
            }
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

/// What follows the `n` vertices of a saved skin; `None` if it is damaged. In the first version nothing did.
fn later_parts(bytes: &[u8], n: usize) -> Option<State> {
    if bytes.is_empty() {
        return Some(State { earlier_pace: vec![Vec3::zeros(); n], ..State::default() });
    }
    let (trend, bytes) = bytes.split_first_chunk::<TREND>()?;
    let (earlier, bytes) = bytes.split_at_checked(n * EARLIER)?;
    let (brakes, bytes) = match bytes.strip_suffix(&BRAKES) {
        Some(bytes) => {
            let (bytes, brakes) = bytes.split_at_checked(bytes.len().checked_sub(n * BRAKE)?)?;
            (vectors(brakes).collect(), bytes)
        }
        None => (Vec::new(), bytes),
    };
    let stiffness = if bytes.is_empty() { None } else { Some(stiffness_in(bytes, n)?) };
    Some(State {
        trend: Real::from_le_bytes(*trend),
        earlier_pace: vectors(earlier).collect(),
        stiffness,
        brakes,
        ..State::default()
    })
}

fn stiffness_in(bytes: &[u8], n: usize) -> Option<Arc<Stiffness>> {
    let (directions, values) = bytes.split_at_checked(n * DIRECTIONS)?;
    let (values, []) = values.as_chunks::<8>() else { return None };
    let mut directions = vectors(directions);
    let pairs = std::iter::from_fn(|| Some([directions.next()?, directions.next()?]));
    let stiffness = Stiffness {
        values: values.iter().copied().map(Real::from_le_bytes).collect(),
        directions: pairs.collect(),
    };
    Some(Arc::new(stiffness))
}

fn vectors(bytes: &[u8]) -> impl Iterator<Item = Vec3> {
    let real = |bytes: &[u8]| Real::from_le_bytes(std::array::from_fn(|b| bytes[b]));
    bytes.chunks_exact(24).map(move |vector| Vec3::from_iterator(vector.chunks_exact(8).map(real)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::{Material, Stvk};
    use crate::geometry::{TriMesh, shapes};
    use crate::skin::model::Settings;

    #[test]
    fn a_skin_comes_back_with_and_without_its_stiffness_and_not_from_less() {
        let mesh = TriMesh::from_mesh(&shapes::grid(1.0, 1.0, 3, 2)).unwrap();
        let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
        let mut memory = Memory::at_rest(&Model::new(mesh, Settings::new(material)).unwrap());
        let real = |k: usize| (k as Real).sin();
        let n = memory.state.skin.len();
        memory.state.trend = 0.75;
        memory.state.earlier_pace = (0..n).map(|v| Vec3::new(real(v), real(v + 1), 0.5)).collect();
        let plain = memory.encode();
        let stiffness = Stiffness {
            values: (0..7).map(real).collect(),
            directions: (0..n).map(|v| [Vec3::new(real(v), 1.0, 2.0), Vec3::repeat(real(v + 1))]).collect(),
        };
        memory.state.stiffness = Some(Arc::new(stiffness));
        let whole = memory.encode();
        let state = |bytes: &[u8]| Memory::decode(bytes).map(|memory| memory.state);
        assert_eq!(state(&whole).unwrap(), memory.state);
        // From then on the lean copy defines the memory.
        let mut thin = memory.clone();
        thin.state.brakes = (0..n).map(|v| Vec3::new(1.0, 1e300, real(v))).collect();
        let encode_lean = |memory: &Memory| {
            let mut out = b"before".to_vec();
            memory.put_lean(&mut out);
            assert!(out.starts_with(b"before"));
            out.split_off(6)
        };
        let lean = encode_lean(&thin);
        thin.state.make_lean();
        assert_eq!(lean, encode_lean(&thin));
        assert_eq!(state(&lean).unwrap(), thin.state);
        assert!((0..lean.len()).all(|length| state(&lean[..length]).is_err()));
        // Moving from one resting position to another.
        memory.state.brakes = (0..n).map(|v| Vec3::new(1.0, real(v), -2.0)).collect();
        let braked = memory.encode();
        assert_eq!(state(&braked).unwrap(), memory.state);
        let cut = |length: usize| [&braked[..length], &braked[braked.len() - 8..]].concat();
        assert!(state(&cut(plain.len())).is_err() && state(&cut(plain.len() + n * BRAKE - 1)).is_err());
        assert!(state(&cut(plain.len() + n * BRAKE)).is_ok_and(|state| state.stiffness.is_none()));
        memory.state.brakes.clear();
        memory.state.stiffness = None;
        assert_eq!(state(&plain).unwrap(), memory.state);
        // The first version.
        let first = 1 + 8 + 8 + 8 + 8 + n * VERTEX;
        (memory.state.trend, memory.state.earlier_pace) = (0.0, vec![Vec3::zeros(); n]);
        assert_eq!(state(&plain[..first]).unwrap(), memory.state);
        let sound = |length: usize| {
            length == first
                || length == plain.len()
                || (length >= plain.len() + n * DIRECTIONS && (whole.len() - length).is_multiple_of(8))
        };
        for length in 0..whole.len() {
            assert_eq!(state(&whole[..length]).is_ok(), sound(length), "{length} bytes");
        }
    }
}
