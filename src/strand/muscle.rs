//! Muscles.

use super::elements::places;
use super::hill::Hill;
use super::layout::NONE;
use super::lift::on_unknowns;
use super::model::{Model, Strand};
use super::now::Now;
use super::segment::Segment;
use crate::math::Real;

/// A muscle.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// Its name.
    pub name: String,
    /// The force at an activation of 1, in N; for Hill's muscle at its optimal length and zero speed.
    pub strength: Real,
    /// How it pulls.
    pub pull: Pull,
}

/// How a muscle pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pull {
    /// A spring muscle \[HandThesis §A\]: it pulls a point along a curve, to the curve's end.
    Curve {
        /// The point that it pulls.
        point: usize,
        /// The curve along which it pulls.
        curve: usize,
        /// Its other properties; its travel is that of the point from the curve's start.
        belly: Belly,
    },
    /// A spring muscle that draws a strand in at one of its ends. Its node there is fixed in space, and the material
    /// drawn in leaves the equations: one unknown, where a point on a curve has three plus constraints. If the strand
    /// is cut next to it, it no longer pulls, and holds its stump like a node that carries its material.
    Reel {
        /// The strand.
        strand: usize,
        /// The end.
        end: End,
        /// Its other properties; its travel is the material drawn in since the start.
        belly: Belly,
    },
    /// A segment of a strand that pulls its ends together.
    Segment(Hill),
}

/// The properties of a spring muscle besides its strength. At travel u its force is
///   activation strength (1 - fading u') + stiffness (rest - u) - damping u'.
/// The thesis does not say what its spring does; here it is the passive part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Belly {
    /// In N/m.
    pub stiffness: Real,
    /// The travel at which the spring is unstressed, in m.
    pub rest: Real,
    /// In N s/m, at any activation.
    pub damping: Real,
    /// The fraction of the pull lost at a speed of 1 m/s, in s/m: the inverse of the speed at which a muscle no longer
    /// pulls (the straight part of Hill's curve). Lengthening is resisted by as much.
    pub fading: Real,
}

/// An end of a strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its first node.
    First,
    /// Its last one.
    Last,
}

impl End {
    /// Its node in a strand.
    pub(super) fn node(self, strand: &Strand) -> usize {
        match self {
            End::First => 0,
            End::Last => strand.nodes.len() - 1,
        }
    }

    /// The sign with which a strand's material coordinate changes there when material is drawn in.
    pub(super) fn inward(self) -> Real {
        match self {
            End::First => 1.0,
            End::Last => -1.0,
        }
    }
}

impl Pull {
    /// The unknowns on which a spring muscle acts: the first, and how many. `None` if there are none.
    pub(super) fn unknowns(&self, model: &Model) -> Option<(usize, usize)> {
        let layout = &model.layout;
        let (first, count) = match *self {
            Pull::Curve { point, .. } => model.unknowns_of_point(point),
            Pull::Reel { strand, end, .. } => {
                (layout.nodes[layout.strands[strand] + end.node(&model.parts().strands[strand])], 1)
            }
            Pull::Segment(_) => (NONE, 0),
        };
        (first != NONE).then_some((first, count))
    }
}

/// How a reel holds a stump, in N s/m: a hundred newtons move it by a tenth of a millimetre per second.
const HOLDING: Real = 1e6;

/// The action of a spring muscle at one moment.
pub(super) struct Grip {
    /// The first of the unknowns on which it acts, and how many.
    pub first: usize,
    pub count: usize,
    /// The effect of its unit force on them.
    pub row: [Real; 6],
    /// Its travel; its speed is this row times the velocities.
    pub way: Real,
    pub pace: Real,
    /// The muscle's, unless its strand is cut.
    pub strength: Real,
    pub belly: Belly,
}

impl Grip {
    /// `None` for Hill's muscles, and if there is no unknown to act on.
    pub fn new(now: &Now, muscle: &Muscle) -> Option<Self> {
        let ((first, count), strength) = (muscle.pull.unknowns(now.model)?, muscle.strength);
        match muscle.pull {
            Pull::Curve { point, curve, belly } => {
                let (direction, way) = now.parts().curves[curve].along(now, &now.point(point));
                let row = on_unknowns(now.arm(point), &direction);
                Some(Grip { first, count, row, way, pace: 1.0, strength, belly })
            }
            Pull::Reel { strand, end, belly } => {
                let (drawing, way) = (drawing(now, strand, end), drawn_in(now, strand, end));
                let (strength, belly) = match drawing {
                    Some(_) => (strength, belly),
                    None => (0.0, Belly { damping: HOLDING, ..Belly::default() }),
                };
                let (mut row, drawing) = ([0.0; 6], drawing.unwrap_or(1.0));
                row[0] = end.inward() * drawing;
                Some(Grip { first, count, row, way, pace: 1.0 / drawing, strength, belly })
            }
            Pull::Segment(_) => None,
        }
    }
}

/// The effect of a reel's unit force on the material drawn in at an end of a strand. A strand with strain e pulls its
/// material with EA ((1 + e)^2 - 1) / 2, its tension EA e times 1 + e / 2: the material drawn in is stretched, and
/// keeps its elastic energy. So a reel stands still if its force equals the tension. `None` where the piece is cut.
fn drawing(now: &Now, strand: usize, end: End) -> Option<Real> {
    let nodes = &now.parts().strands[strand].nodes;
    let first = match end {
        End::First => 0,
        End::Last => nodes.len() - 2,
    };
    let node = now.layout().strands[strand] + first;
    if now.state.cut[node] {
        return None;
    }
    let segment = Segment::new(&places(now.state, [first, first + 1].map(|k| nodes[k].point), node));
    Some(segment.map_or(1.0, |segment| 1.0 + 0.5 * segment.strain().max(0.0)))
}

/// The length of material drawn in at an end of a strand since the start.
fn drawn_in(now: &Now, strand: usize, end: End) -> Real {
    let k = end.node(&now.parts().strands[strand]);
    let material = now.state.material[now.layout().strands[strand] + k];
    end.inward() * (material - now.parts().strands[strand].nodes[k].material)
}
