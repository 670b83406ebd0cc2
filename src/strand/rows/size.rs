//! The sizes against which violations of rows count: a fingertip that is off by a hundredth of its length is as wrong
//! as an elephant's leg that is.

use super::touched::Part;
use crate::layout::NONE;
use crate::model::Model;
use crate::parts::{Joint, Mode};
use sinew_math::Real;

/// The size of each row: 1 rad for rotations, a length for what is measured in m.
pub fn sizes(model: &Model, touched: &[Vec<Part>]) -> Vec<Real> {
    let parts = model.parts();
    let whole = |touched: &Vec<Part>| least(touched.iter().filter_map(|part| size(model, *part)));
    let mut sizes: Vec<Real> = touched.iter().map(whole).collect();
    let joints = parts.joints.iter().zip(&model.layout.joint_rows).filter(|(_, first)| **first != NONE);
    for (joint, &first) in joints {
        let (lever, mut row) = (lever(model, joint), first);
        for (k, axis) in joint.axes.iter().enumerate() {
            let next = row + axis.row_count();
            sizes[row..next].fill(if k < 3 { 1.0 } else { lever });
            row = next;
        }
    }
    sizes
}

/// The distance of a joint from the centre of mass of the body that is closer to it, or that body's own size if that is
/// more.
fn lever(model: &Model, joint: &Joint) -> Real {
    let arms = [(joint.parent, &joint.in_parent), (Some(joint.child), &joint.in_child)];
    let levers = arms
        .into_iter()
        .filter_map(|(body, frame)| Some(size(model, Part::Body(body?))?.max(frame.origin.norm())));
    least(levers)
}

/// The size of a part that moves: the radius of gyration of a body, the length of the shortest piece of strand at a
/// point.
fn size(model: &Model, part: Part) -> Option<Real> {
    let parts = model.parts();
    match part {
        Part::Body(b) => {
            let body = &parts.bodies[b];
            let radius = (body.moments.max() / body.mass).sqrt();
            (body.mode == Mode::Free && radius.is_finite()).then_some(radius)
        }
        Part::Point(p) => {
            let pieces = parts.strands.iter().flat_map(|strand| strand.nodes.windows(2));
            let at = pieces.filter(|nodes| nodes.iter().any(|node| node.point == p));
            at.map(|nodes| nodes[1].material - nodes[0].material).reduce(Real::min)
        }
        Part::Node(_) => None,
    }
}

/// The least of some lengths; 1 m if there are none.
fn least(lengths: impl Iterator<Item = Real>) -> Real {
    lengths.filter(|length| *length > 0.0).reduce(Real::min).unwrap_or(1.0)
}
