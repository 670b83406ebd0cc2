//! Measurements of a state: lengths of strands, their pull at nodes and on joints, the loads on bodies and joints.

mod arms;

use super::counts::CONTACT_ROWS;
use super::energy::{tensions, tensions_after};
use super::layout::NONE;
use super::model::Model;
use super::parts::Joint;
use super::state::State;
use super::step::Scratch;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use std::ops::Range;

pub use arms::{Arm, arms};

/// The length of a strand, in m, without cut segments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Length {
    /// From its first node to its last, along its path.
    pub stretched: Real,
    /// That of the material between these nodes at rest: longer than the path where the strand is slack.
    pub material: Real,
}

/// The length of each strand.
pub fn lengths(model: &Model, state: &State) -> impl Iterator<Item = Length> {
    (0..model.parts().strands.len()).map(move |strand| {
        let (nodes, first) = (&model.parts().strands[strand].nodes, model.layout.strands[strand]);
        let mut length = Length::default();
        for run in runs(model, state, strand) {
            let places = nodes[run.clone()].iter().map(|node| state.places[node.point]);
            length.stretched +=
                places.clone().skip(1).zip(places).map(|(to, from)| (to - from).norm()).sum::<Real>();
            length.material += state.material[first + run.end - 1] - state.material[first + run.start];
        }
        length
    })
}

/// Which segments of a strand are cut or have run off.
pub fn cuts<'a>(model: &Model, state: &'a State, strand: usize) -> &'a [bool] {
    &state.cut[model.layout.strands[strand]..model.layout.strands[strand + 1] - 1]
}

/// The pieces of a strand between its cuts: ranges of connected nodes, two at least.
pub fn runs(model: &Model, state: &State, strand: usize) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    cuts(model, state, strand).split(|cut| *cut).filter_map(move |whole| {
        let run = from..from + whole.len() + 1;
        from = run.end;
        (!whole.is_empty()).then_some(run)
    })
}

/// The tension of each segment, strand after strand, at the end of a step if there was one. A strand without material
/// between two nodes is an error.
pub fn whole_tensions(model: &Model, state: &State, scratch: Option<&Scratch>) -> Result<Vec<Vec<Real>>> {
    let all = scratch.map_or_else(|| tensions(model, state), |scratch| tensions_after(model, state, scratch));
    match model.parts().strands.iter().zip(&all).find(|(strand, all)| all.len() + 1 != strand.nodes.len()) {
        None => Ok(all),
        Some((strand, _)) => {
            let message = format!("strand \"{}\" has no material left between two nodes", strand.name);
            Err(Error::new(Kind::Degenerate, message))
        }
    }
}

/// The tension at each node, from those of a strand's segments: the mean of its two neighbours; at an end, of one.
pub fn at_nodes(segments: &[Real]) -> Vec<Real> {
    let beside = |k: usize| &segments[k.saturating_sub(1)..(k + 1).min(segments.len())];
    let mean = |of: &[Real]| of.iter().sum::<Real>() / of.len() as Real;
    (0..=segments.len()).map(|k| mean(beside(k))).collect()
}

/// Two bodies that press on each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// The index of the contact in the model.
    pub contact: usize,
    /// The force on the second body from the first, in N: normal force and friction.
    pub force: Vec3,
    /// Where they touched at the start of the last step, and the normal force there, in N.
    pub places: Vec<(Vec3, Real)>,
}

/// The loads of contacts, as the mean over the last step of a frame, which took that many seconds. Bodies that only
/// nearly touch are omitted.
pub fn touches(model: &Model, scratch: &Scratch, step: Real) -> Vec<Touch> {
    let (_, impulses, touching) = scratch.last();
    let contacts = model.parts().contacts.iter().zip(&model.layout.contact_rows).enumerate();
    let all = contacts.map(|(c, (contact, &first))| Touch {
        contact: c,
        force: impulse(model, scratch, first..first + CONTACT_ROWS, contact.bodies) / step,
        places: touching
            .pressing(c, first, impulses)
            .map(|(place, impulse)| (place, impulse / step))
            .collect(),
    });
    all.filter(|touch| !touch.places.is_empty()).collect()
}

/// The force on each joint's child, in N, as the mean over the last step: from fixed and limited motions, friction and
/// springs.
pub fn joint_forces(model: &Model, scratch: &Scratch, step: Real) -> Vec<Vec3> {
    let joints = model.parts().joints.iter().zip(&model.layout.joint_rows);
    let force = |(joint, &first): (&Joint, &usize)| match first {
        NONE => Vec3::zeros(),
        _ => {
            let bodies = [joint.parent.unwrap_or(joint.child), joint.child];
            impulse(model, scratch, first..first + joint.row_count(), bodies) / step
        }
    };
    joints.map(force).collect()
}

/// The impulse of rows between two bodies on the second: if that is scripted, the opposite of the one on the first.
fn impulse(model: &Model, scratch: &Scratch, range: Range<usize>, [first, second]: [usize; 2]) -> Vec3 {
    let (rows, impulses, _) = scratch.last();
    let on = |body: usize| rows.impulse_on(&model.layout, range.clone(), impulses, body);
    on(second).or_else(|| on(first).map(|impulse| -impulse)).unwrap_or_default()
}
