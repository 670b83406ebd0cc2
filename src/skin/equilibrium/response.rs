//! How far the skin moves in response to the body's motion if nothing snaps.

use super::sliding::Sliding;
use super::{Scratch, Stages, VertexTerm};
use crate::model::Model;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::SurfacePoint;
use sinew_math::Real;
use sinew_solve::newton::{Factor, Potential};

/// The linear response of each vertex, starting from the skin that was at rest before the body moved: the forces there,
/// with the stiffness at the new equilibrium. (Just before a snap the skin has hardly any stiffness, and the smallest
/// force would send it anywhere.) The body is that of the last solve.
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
    // Derivatives are evaluated at the skin's position, and it moves nowhere.
    newton.tangent(&mut Sliding { model, terms, skin: &mut [], stages }, &mut [0.0; 3])?;
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
    // No state records this factor.
    newton.factor().forget();
    Ok(())
}

impl Stages {
    /// Lays a skin flat and computes the forces there.
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
