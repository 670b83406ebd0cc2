//! How far the skin moves in response to the body's motion if nothing snaps.

use super::sliding::Sliding;
use super::{Scratch, VertexTerm};
use crate::model::Model;
use crate::state::Stiffness;
use sinew_base::error::Result;
use sinew_geometry::SurfacePoint;
use sinew_math::Real;
use sinew_solve::newton::Potential;
use std::sync::Arc;

/// The linear response of each vertex, starting from the skin that was at rest before the body moved: the forces there,
/// with the stiffness at the new equilibrium. (Just before a snap the skin has hardly any stiffness, and the smallest
/// force would send it anywhere.) The body is that of the last solve.
///
/// The stiffness at the new equilibrium is also the best to begin the next frame with, and is left for it.
pub fn response(
    model: &Model,
    [from, rest]: [&[SurfacePoint]; 2],
    terms: &[VertexTerm],
    lengths: &mut [Real],
    left: &mut Option<Arc<Stiffness>>,
    scratch: &mut Scratch,
) -> Result<()> {
    let Scratch { newton, stages, .. } = scratch;
    stages.calm.begin();
    stages.lay_at(model, rest, terms, newton.factor())?;
    // Derivatives are evaluated at the skin's position, and it moves nowhere.
    newton.tangent(&mut Sliding { model, terms, skin: &mut [], stages }, &mut [0.0; 3])?;
    if stages.held_back.is_empty() {
        scratch.leave(left);
    }
    let Scratch { newton, stages, .. } = scratch;
    stages.lay_at(model, from, terms, newton.factor())?;
    let known = newton.factor().is_made();
    let mut sliding = Sliding { model, terms, skin: &mut [], stages };
    // Where the skin has turned too far between both for that, the stiffness at the first one is used.
    if known {
        newton.respond(&mut sliding)?;
    } else {
        newton.tangent(&mut sliding, &mut [0.0; 3])?;
    }
    for (v, length) in lengths.iter_mut().enumerate() {
        *length = sliding.length(v, &newton.step()[model.unknowns_of(v)]);
    }
    Ok(())
}
