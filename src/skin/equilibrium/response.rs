//! How far the skin goes because the body moved, when nothing snaps.

use super::sliding::Sliding;
use super::{Scratch, Stages, VertexTerm};
use crate::error::{Error, Kind, Result};
use crate::geometry::SurfacePoint;
use crate::math::Real;
use crate::skin::model::Model;
use crate::solve::newton::{Factor, Potential};

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
    let Scratch { newton, stages, .. } = scratch;
    stages.calm.begin();
    stages.lay_at(model, rest, terms, newton.factor())?;
    // Derivatives are asked for where the skin lies, and it goes nowhere.
    newton.tangent(&mut Sliding { model, terms, skin: &mut [], stages }, &mut [0.0; 3])?;
    stages.lay_at(model, from, terms, newton.factor())?;
    let known = newton.factor().is_made();
    let mut sliding = Sliding { model, terms, skin: &mut [], stages };
    // Where the skin has turned too far between both to know, the stiffness at the first one has to do.
    if known {
        newton.respond(&mut sliding)?;
    } else {
        newton.tangent(&mut sliding, &mut [0.0; 3])?;
    }
    for (v, length) in lengths.iter_mut().enumerate() {
        *length = sliding.length(v, &newton.step()[model.unknowns_of(v)]);
    }
    // No state knows of this factor.
    newton.factor().forget();
    Ok(())
}

impl Stages {
    /// Lays a skin flat, and finds the forces there.
    fn lay_at(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        terms: &[VertexTerm],
        factor: &mut Factor,
    ) -> Result<()> {
        self.lay(model, skin, factor);
        let found = self.value_here(model, terms);
        let lost = || Error::new(Kind::NotFinite, "the energy of the skin before the frame is not finite");
        found.map(|_| ()).ok_or_else(lost)
    }
}
