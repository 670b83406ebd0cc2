//! Up-vectors for sculpted muscles: what is sculpted counts along a ring's axes, which an up-vector orients.

use super::Rig;
use sinew_base::error::Result;
use sinew_math::Affine;
use sinew_muscle::{Frames, Model};
use sinew_scene::muscles::{MuscleElement, MuscleSet};
use sinew_scene::strand::values::Triple;

/// Writes down the up-vectors that sculpted muscles without one have from the joints of a rig, so that their shapes no
/// longer depend on the axes of these joints: on the other side of a body, or on another one, they point elsewhere. The
/// rig is in metres with y up. A sheet or a muscle with several heads for whose muscles they differ becomes single
/// muscles.
pub(super) fn fix_ups(set: &mut MuscleSet, rig: &Rig) -> Result<()> {
    if !set.muscles.iter().any(leans_on_its_joint) {
        return Ok(());
    }
    let space = set.units()?;
    let built = set.parts(rig.names)?;
    let model = Model::new(built.parts, rig.rest, Frames::Stable)?;
    let mut ups = vec![None; built.rings.len()];
    for (muscle, item) in built.kept.iter().enumerate() {
        ups[*item] = Some(Triple(space.direction_out(model.up(muscle)).into()));
    }
    let mut ups = ups.into_iter();
    let mut muscles = Vec::new();
    for e in std::mem::take(&mut set.muscles) {
        let own: Vec<Option<Triple>> = ups.by_ref().take(e.names().len()).collect();
        if !leans_on_its_joint(&e) {
            muscles.push(e);
        } else if own.iter().all(|up| *up == own[0]) {
            muscles.push(MuscleElement { up: own[0], ..e });
        } else {
            let singles = e.singles().into_iter().zip(own);
            muscles.extend(singles.map(|(single, up)| MuscleElement { up, ..single }));
        }
    }
    set.muscles = muscles;
    Ok(())
}

/// A set with these up-vectors; the rig is in its space.
pub(super) fn with_ups(set: &MuscleSet, rig: &Rig) -> Result<MuscleSet> {
    let (mut set, space) = (set.clone(), set.units()?);
    let rest: Vec<Affine> = rig.rest.iter().map(|joint| space.affine_in(joint)).collect();
    fix_ups(&mut set, &Rig { names: rig.names, rest: &rest, ..Rig::default() })?;
    Ok(set)
}

/// Whether the axes of the joint of its origin decide where its sculpted vertices lie.
pub(super) fn leans_on_its_joint(e: &MuscleElement) -> bool {
    e.up.is_none() && !e.offsets.is_empty()
}
