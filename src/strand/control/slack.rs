//! Slack in front of muscles: the minimum pull to take it up.
//!
//! A muscle whose strand hangs loose has no effect for now, and no least-squares solution would activate it: its joint
//! would never be moved. So whatever else is wanted, it draws in the slack within about a goal's time, by the law of
//! its belly
//!   activation strength (1 - fading u') = damping u' - stiffness (rest - u),   u' = loose / time.
//! The speed decreases with the remaining slack, so strands are not jerked tight.

use crate::elements::Grip;
use crate::layout::NONE;
use crate::model::Model;
use crate::now::Now;
use crate::parts::{End, Node, Pull};
use sinew_math::Real;

/// What a muscle pulls directly: consecutive segments of a strand, up to the first node that keeps its material.
#[derive(Clone, Copy, Debug)]
struct Run {
    muscle: usize,
    strand: usize,
    /// The first node and the last one, in either order.
    ends: [usize; 2],
}

/// The runs of all muscles.
#[derive(Default)]
pub struct Slack {
    runs: Vec<Run>,
}

/// This fraction of a run is drawn in beyond the slack, so that the end of it does not take forever.
const BEYOND: Real = 1e-3;

impl Slack {
    pub fn new(model: &Model) -> Self {
        let (parts, mut runs) = (model.parts(), Vec::new());
        for (muscle, it) in parts.muscles.iter().enumerate() {
            match it.pull {
                Pull::Reel { strand, end, .. } => {
                    let from = end.node(&parts.strands[strand]);
                    runs.push(run(model, muscle, strand, from, end == End::First));
                }
                Pull::Curve { point, .. } => {
                    for (strand, its) in parts.strands.iter().enumerate() {
                        let at = |(_, node): &(usize, &Node)| node.point == point;
                        let nodes = its.nodes.iter().enumerate().filter(at).map(|(k, _)| k);
                        runs.extend(nodes.flat_map(|from| {
                            [true, false].map(|onward| run(model, muscle, strand, from, onward))
                        }));
                    }
                }
                Pull::Segment(_) => {}
            }
        }
        runs.retain(|run| run.ends[0] != run.ends[1]);
        Slack { runs }
    }

    /// The minimum activation of a muscle.
    pub fn least(&self, now: &Now, muscle: usize, tone: Real, time: Real) -> Real {
        let runs = self.runs.iter().filter(|run| run.muscle == muscle);
        let loose = runs.map(|run| run.loose(now)).fold(Real::INFINITY, Real::min);
        match Grip::new(now, &now.parts().muscles[muscle]) {
            Some(grip) if loose > 0.0 && loose < Real::INFINITY => {
                let (speed, belly) = (loose / time, grip.belly);
                let strength = grip.strength * (1.0 - belly.fading * speed);
                let force = belly.damping * speed - belly.stiffness * (belly.rest - grip.way);
                let full = force >= strength;
                if full { 1.0 } else { (force / strength).max(tone) }
            }
            _ => tone,
        }
    }
}

/// From a node forwards, or backwards.
fn run(model: &Model, muscle: usize, strand: usize, from: usize, onward: bool) -> Run {
    let (nodes, first) = (&model.parts().strands[strand].nodes, model.layout.strands[strand]);
    let mut to = from;
    loop {
        let at_end = if onward { to + 1 == nodes.len() } else { to == 0 };
        if at_end || (to != from && model.layout.nodes[first + to] == NONE) {
            return Run { muscle, strand, ends: [from, to] };
        }
        to = if onward { to + 1 } else { to - 1 };
    }
}

impl Run {
    /// By how much it is longer than its path; zero or less if it is taut or cut.
    fn loose(&self, now: &Now) -> Real {
        let (strand, first) = (&now.parts().strands[self.strand], now.layout().strands[self.strand]);
        let [from, to] = [self.ends[0].min(self.ends[1]), self.ends[0].max(self.ends[1])];
        if (from..to).any(|k| now.state.cut[first + k]) {
            return 0.0;
        }
        let material = now.state.material[first + to] - now.state.material[first + from];
        let pairs = (from..to).map(|k| [strand.nodes[k].point, strand.nodes[k + 1].point]);
        let way: Real = pairs.map(|[a, b]| (now.point(b) - now.point(a)).norm()).sum();
        if material > way { material - way + BEYOND * material } else { 0.0 }
    }
}
