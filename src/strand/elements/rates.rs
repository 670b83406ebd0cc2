//! How fast segments lengthen and are strained, from their lengths at both ends of a step.
//!
//! Velocities do not say so: those of a step lead from its start to its end, along a chord. Taken along the direction
//! at the end, a strand of length l that turns at a rate w seems to lengthen at w^2 h l / 2, and a damped one would
//! carry by viscosity what its elasticity should: at the bottom of a swing, all of the centripetal force.

use crate::segment::Segment;
use sinew_math::Real;

/// Of each segment, by its first node: length in m and strain under load, or their rates; NaN if unknown.
pub struct Rates {
    start: Vec<[Real; 2]>,
    rates: Vec<[Real; 2]>,
}

impl Rates {
    pub fn new(nodes: usize) -> Self {
        Rates { start: vec![[Real::NAN; 2]; nodes], rates: vec![[Real::NAN; 2]; nodes] }
    }

    /// Records a segment at the start of a step.
    pub fn begin(&mut self, node: usize, segment: Option<&Segment>) {
        self.start[node] = segment.map_or([Real::NAN; 2], measured);
    }

    /// Its strain under load at the start of the step.
    pub fn strain(&self, node: usize) -> Real {
        self.start[node][1]
    }

    /// The strain rate under load in a step of h seconds that ends with that strain, in which it bears load.
    pub fn straining(&self, node: usize, strain: Real, h: Real) -> Real {
        (strain - self.start[node][1]) / h
    }

    /// Records a segment at the end of a step, in which it bore load or not.
    pub fn end(&mut self, node: usize, segment: &Segment, h: Real, bore: bool) {
        let (from, to) = (self.start[node], measured(segment));
        let [lengthening, straining] = [0, 1].map(|k| (to[k] - from[k]) / h);
        self.rates[node] = [lengthening, if bore { straining } else { 0.0 }];
    }

    /// The rates of length and strain in the last step, if known.
    pub fn last(&self, node: usize) -> Option<[Real; 2]> {
        self.rates.get(node).copied().filter(|rates| rates[0].is_finite())
    }
}

/// Its length, and its strain, as far as it bears load.
fn measured(segment: &Segment) -> [Real; 2] {
    [segment.length, segment.strain().max(0.0)]
}
