//! The inputs of nodes at a frame or a sample between frames, and the steps between frames, which motion blur needs.

use super::super::store::record::Numbers;
use super::feed::Feed;
use super::{Graph, Notes};
use sinew_base::control::Control;
use sinew_base::error::{Error, Result};
use sinew_math::{Affine, Placement, Real, affine, linear, polar3, translation};
use sinew_nodes::{Port, PortKind, Quantity};
use std::sync::Arc;

/// A point in time: a frame, or a sample between two.
#[derive(Clone, Copy)]
pub(super) struct SampleTime {
    /// The index of its frame, or of the next frame.
    pub place: usize,
    /// The fraction of the interval from the frame before that has passed: 1 at the frame.
    pub part: Real,
}

impl SampleTime {
    /// At a frame.
    pub fn of_frame(place: usize) -> Self {
        SampleTime { place, part: 1.0 }
    }

    /// Its time, in frames.
    pub fn frame(self, frames: &[i64]) -> Real {
        let now = frames[self.place] as Real;
        match self.part < 1.0 {
            true => now + (1.0 - self.part) * (frames[self.place - 1] as Real - now),
            false => now,
        }
    }

    /// The last frame not after it.
    pub fn label(self, frames: &[i64]) -> i64 {
        frames[if self.part < 1.0 { self.place - 1 } else { self.place }]
    }
}

impl Feed {
    /// The numbers at that time; none for a wire.
    pub fn at(&mut self, port: &Port, at: SampleTime, frames: &[i64]) -> Result<Arc<Vec<Real>>> {
        let (place, now) = (at.place, frames[at.place]);
        if at.part == 1.0 {
            return self.read(place, now);
        }
        let frame = at.frame(frames);
        match self {
            Feed::Wire(_) => Ok(Arc::default()),
            Feed::Points(points) => {
                if let Some(found) = points.between(frame).map_err(|e| e.frame(now))? {
                    return Ok(found);
                }
                let after = points.read(place)?;
                // Do not interpolate towards a broken frame.
                let good = (0..place).rev().find_map(|place| Some((place, points.read(place).ok()?)));
                let Some((from, before)) = good else { return Ok(after) };
                let from = frames[from] as Real;
                Ok(blend(port, &before, &after, (frame - from) / (now as Real - from)))
            }
            Feed::Table { frames: rows, .. } => {
                let row = |frame: i64| rows.get(&frame).cloned().unwrap_or_default();
                Ok(blend(port, &row(frames[place - 1]), &row(now), at.part))
            }
        }
    }
}

/// Interpolates numbers of a port by the weight of the later ones: linearly, but transforms rotate, and integers hold
/// until the next frame. So does a port whose number of items changes there.
fn blend(port: &Port, before: &[Real], after: &[Real], weight: Real) -> Arc<Vec<Real>> {
    let straight = |a: &[Real], b: &[Real]| a.iter().zip(b).map(|(a, b)| a + (b - a) * weight).collect();
    Arc::new(match (port.kind, port.quantity) {
        _ if before.len() != after.len() => before.to_vec(),
        (PortKind::Ints { .. }, _) => before.to_vec(),
        (_, Quantity::Transform) => {
            let each = before.chunks_exact(16).zip(after.chunks_exact(16));
            each.flat_map(|(a, b)| turned(a, b, weight)).collect()
        }
        _ => straight(before, after),
    })
}

/// Interpolates between two matrices: rotations the shortest way, stretch and translation linearly.
fn turned(before: &[Real], after: &[Real], weight: Real) -> [Real; 16] {
    let ends = [before, after].map(|matrix| Affine::from_row_slice(&matrix[..12]));
    let parts = ends.map(|matrix| (polar3(&linear(&matrix)), translation(&matrix)));
    let rigid = parts.map(|(polar, moved)| Placement::from_affine(&affine(&polar.rotation, &moved)));
    let [(a, _), (b, _)] = parts;
    let between = match rigid {
        [Ok(from), Ok(to)] => {
            let place = from.blend(&to, weight);
            affine(&(place.axes() * (a.stretch + (b.stretch - a.stretch) * weight)), &place.origin)
        }
        _ => ends[0] + (ends[1] - ends[0]) * weight,
    };
    std::array::from_fn(|k| if k < 12 { between[(k / 4, k % 4)] } else { Real::from(k == 15) })
}

impl Graph {
    /// Steps every node through the samples between the frame before and this one, and returns their results; an error
    /// comes with the node that failed.
    pub(super) fn step_between(
        &mut self,
        place: usize,
        notes: &mut Notes,
        control: &Control,
    ) -> std::result::Result<Vec<Numbers>, (usize, Error)> {
        if place == 0 || self.samples.count() == 1 {
            return Ok(Vec::new());
        }
        // A broken frame must be known before anything moves towards it.
        for (k, member) in self.members.iter_mut().enumerate() {
            for bound in &mut member.feeds {
                let read = bound.feed.at(bound.port, SampleTime::of_frame(place), &self.frames);
                read.map_err(|e| (k, e))?;
            }
        }
        let mut between = Vec::new();
        let count = self.members.len();
        for (sample, part) in self.samples.parts().enumerate() {
            let at = SampleTime { place, part };
            let control = control.nth_part(sample, self.samples.count() as usize);
            for k in 0..count {
                let report =
                    self.step_member(k, at, false, &control.nth_part(k, count)).map_err(|e| (k, e))?;
                self.note(k, &report, Some(at), notes);
            }
            between.push(self.outputs().map_err(|e| (0, e))?);
        }
        Ok(between)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::{Mat3, Rotation, Vec3};
    use sinew_nodes::find;

    #[test]
    fn transforms_turn_on_the_way() {
        let matrix = |angle: Real, size: Real, x: Real| {
            let turn = Rotation::from_scaled_axis(Vec3::z() * angle).to_rotation_matrix().into_inner();
            let matrix = affine(&(turn * Mat3::from_diagonal(&Vec3::new(size, 1.0, 1.0))), &(Vec3::x() * x));
            let mut all: Vec<Real> = (0..12).map(|k| matrix[(k / 4, k % 4)]).collect();
            all.extend([0.0, 0.0, 0.0, 1.0]);
            all
        };
        let port = find("skinning")
            .unwrap()
            .descriptor
            .ports
            .iter()
            .find(|port| port.quantity == Quantity::Transform);
        let found = blend(port.unwrap(), &matrix(0.2, 1.0, 1.0), &matrix(2.2, 3.0, 5.0), 0.25);
        let expected = matrix(0.7, 1.5, 2.0);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    }
}
