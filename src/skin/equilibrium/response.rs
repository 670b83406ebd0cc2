//! How far the skin goes because the body moved, when nothing snaps.

use super::potential::potential;
use super::{Scratch, VertexTerm};
use crate::error::{Error, Kind, Result};
use crate::geometry::SurfacePoint;
use crate::math::Real;
use crate::skin::model::Model;

/// How far each vertex goes by a linear response, from the skin that was at rest before the body moved: as the forces there
/// ask for with the stiffness at the new rest. (Before a snap the skin has no stiffness to speak of, and the smallest force
/// would send it anywhere.) The body is that of the last solve.
pub fn response(
    model: &Model,
    [from, rest]: [&[SurfacePoint]; 2],
    terms: &[VertexTerm],
    lengths: &mut [Real],
    scratch: &mut Scratch,
) -> Result<()> {
    scratch.calm.begin();
    scratch.lay_at(model, rest, terms)?;
    scratch.newton(model, terms, &mut [0.0; 3])?;
    scratch.lay_at(model, from, terms)?;
    // Where the skin has turned too far between both to know, the stiffness at the first one has to do.
    if scratch.factored {
        scratch.respond(model, terms)?;
    } else {
        scratch.newton(model, terms, &mut [0.0; 3])?;
    }
    lengths.iter_mut().enumerate().for_each(|(v, length)| *length = scratch.length_of_step(model, v));
    // No state knows of this factor.
    scratch.forget_factor();
    Ok(())
}

impl Scratch {
    /// Lays a skin flat, and finds the forces there.
    fn lay_at(&mut self, model: &Model, skin: &[SurfacePoint], terms: &[VertexTerm]) -> Result<()> {
        self.trial_way.fill(0.0);
        self.lay(model, skin);
        let found = potential(model, terms, self);
        let lost = || Error::new(Kind::NotFinite, "the energy of the skin before the frame is not finite");
        found.map(|_| ()).ok_or_else(lost)
    }
}
