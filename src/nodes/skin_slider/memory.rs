//! What the skin slider remembers from frame to frame, as bytes.

use super::super::registry::Frame;
use crate::error::{Error, Kind, Result};
use crate::geometry::SurfacePoint;
use crate::math::{Real, Vec3};
use crate::skin::model::Model;
use crate::skin::state::State;

/// The skin after a frame.
#[derive(Clone)]
pub(super) struct Memory {
    pub(super) state: State,
    /// The frame; `None` at rest, before the first.
    pub(super) frame: Option<Frame>,
    /// How long it took.
    pub(super) seconds: Real,
}

/// Bytes of a vertex: triangle, weights, four vectors.
const VERTEX: usize = 4 + 3 * 8 + 12 * 8;
/// Bytes before the vertices: whether there is a frame, its number and time, its length, the count.
const HEAD: usize = 1 + 8 + 8 + 8 + 8;

impl Memory {
    pub(super) fn at_rest(model: &Model) -> Self {
        Memory { state: State::at_rest(model), frame: None, seconds: 0.0 }
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
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let broken = || Error::new(Kind::Parse, "the saved skin is cut off or damaged");
        let (head, vertices) = bytes.split_at_checked(HEAD).ok_or_else(broken)?;
        let number = |at: usize| -> [u8; 8] { std::array::from_fn(|k| head[at + k]) };
        let frame = Frame { number: i64::from_le_bytes(number(1)), seconds: Real::from_le_bytes(number(9)) };
        let (seconds, n) = (Real::from_le_bytes(number(17)), u64::from_le_bytes(number(25)));
        let whole = n.checked_mul(VERTEX as u64) == Some(vertices.len() as u64);
        let sound = frame.seconds.is_finite() && seconds >= 0.0 && seconds.is_finite();
        if !whole || head[0] > 1 || !sound {
            return Err(broken());
        }
        let mut state = State::default();
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
