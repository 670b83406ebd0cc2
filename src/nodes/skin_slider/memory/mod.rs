//! What the skin slider remembers from frame to frame, as bytes.

mod lean;

use super::super::time::Frame;
use crate::error::{Error, Kind, Result};
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
/// Bytes before the vertices: whether there is a frame, its number and time, its length, the count.
const HEAD: usize = 1 + 8 + 8 + 8 + 8;
/// After the vertices, since version 2: the trend, and per vertex the pace before the last; then, if there is one, the
/// stiffness, with per vertex its directions first.
const TREND: usize = 8;
const EARLIER: usize = 3 * 8;
const DIRECTIONS: usize = 6 * 8;
/// Last, if skin is moving from one resting position to another: per vertex its brake, and a mark.
const BRAKE: usize = 3 * 8;
const BRAKES: [u8; 8] = *b"brakes01";

impl Memory {
    pub(super) fn at_rest(model: &Model) -> Self {
        Memory { state: State::at_rest(model), frame: None, seconds: 0.0 }
    }

    /// The minimum that the next frame needs: the state after it was made lean.
    pub(super) fn encode_lean(&self) -> Vec<u8> {
        lean::encode(self)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let n = self.state.skin.len();
        let mut out = Vec::with_capacity(HEAD + n * VERTEX);
        let frame = self.frame.unwrap_or(Frame { number: 0, seconds: 0.0 });
        out.push(u8::from(self.frame.is_some()));
        out.extend(frame.number.to_le_bytes());
        out.extend(frame.seconds.to_le_bytes());
        out.extend(self.seconds.to_le_bytes());
        out.extend((n as u64).to_le_bytes());
        for v in 0..n {
            let point = &self.state.skin[v];
            out.extend(point.triangle.to_le_bytes());
            out.extend(point.weights.iter().flat_map(|w| w.to_le_bytes()));
            let state = &self.state;
            let vectors = [state.velocity[v], state.body[v], state.body_velocity[v], state.pace[v]];
            out.extend(vectors.iter().flat_map(|x| x.iter()).flat_map(|c| c.to_le_bytes()));
        }
        out.extend(self.state.trend.to_le_bytes());
        out.extend(self.state.earlier_pace.iter().flat_map(|x| x.iter()).flat_map(|c| c.to_le_bytes()));
        if let Some(stiffness) = &self.state.stiffness {
            let directions = stiffness.directions.iter().flatten().flat_map(|x| x.iter());
            out.extend(directions.chain(&stiffness.values).flat_map(|c| c.to_le_bytes()));
        }
        if !self.state.brakes.is_empty() {
            out.extend(self.state.brakes.iter().flat_map(|x| x.iter()).flat_map(|c| c.to_le_bytes()));
            out.extend(BRAKES);
        }
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        if let Some(lean) = bytes.strip_prefix(&lean::MARK) {
            return lean::decode(lean).ok_or_else(|| Error::new(Kind::Parse, "the saved skin is damaged"));
        }
        let broken = || Error::new(Kind::Parse, "the saved skin is cut off or damaged");
        let (head, rest) = bytes.split_at_checked(HEAD).ok_or_else(broken)?;
        let number = |at: usize| -> [u8; 8] { std::array::from_fn(|k| head[at + k]) };
        let frame = Frame { number: i64::from_le_bytes(number(1)), seconds: Real::from_le_bytes(number(9)) };
        let (seconds, n) = (Real::from_le_bytes(number(17)), u64::from_le_bytes(number(25)));
        let length = n.checked_mul(VERTEX as u64).and_then(|length| usize::try_from(length).ok());
        let (vertices, rest) = length.and_then(|length| rest.split_at_checked(length)).ok_or_else(broken)?;
        let sound = frame.seconds.is_finite() && seconds >= 0.0 && seconds.is_finite();
        if head[0] > 1 || !sound {
            return Err(broken());
        }
        let mut state = later_parts(rest, n as usize).ok_or_else(broken)?;
        for vertex in vertices.chunks_exact(VERTEX) {
            let (triangle, reals) = vertex.split_at(4);
            let triangle = u32::from_le_bytes(std::array::from_fn(|k| triangle[k]));
            let real = |k: usize| Real::from_le_bytes(std::array::from_fn(|b| reals[8 * k + b]));
            let vector = |k: usize| Vec3::new(real(k), real(k + 1), real(k + 2));
            state.skin.push(SurfacePoint { triangle, weights: [real(0), real(1), real(2)] });
            state.velocity.push(vector(3));
            state.body.push(vector(6));
            state.body_velocity.push(vector(9));
            state.pace.push(vector(12));
        }
        Ok(Memory { state, frame: (head[0] == 1).then_some(frame), seconds })
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
        let lean = thin.encode_lean();
        thin.state.make_lean();
        assert_eq!(lean, thin.encode_lean());
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
        let first = HEAD + n * VERTEX;
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
