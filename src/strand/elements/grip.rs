//! The action of spring muscles \[HandThesis §A\].

use crate::layout::NONE;
use crate::model::Model;
use crate::now::Now;
use crate::parts::{Belly, End, Muscle, Pull};
use crate::segment::Segment;
use crate::segment::lift::on_unknowns;
use sinew_math::Real;

impl Pull {
    /// The unknowns on which a spring muscle acts: the first, and how many. `None` if there are none.
    pub(crate) fn unknowns(&self, model: &Model) -> Option<(usize, usize)> {
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
pub struct Grip {
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
                let (direction, way) = now.parts().curves[curve].along(|b| now.place(b), &now.point(point));
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
    let segment = Segment::new(&now.state.pair([first, first + 1].map(|k| nodes[k].point), node));
    Some(segment.map_or(1.0, |segment| 1.0 + 0.5 * segment.strain().max(0.0)))
}

/// The length of material drawn in at an end of a strand since the start.
fn drawn_in(now: &Now, strand: usize, end: End) -> Real {
    let k = end.node(&now.parts().strands[strand]);
    let material = now.state.material[now.layout().strands[strand] + k];
    end.inward() * (material - now.parts().strands[strand].nodes[k].material)
}
