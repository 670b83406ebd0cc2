//! Where a solve begins.

use super::{Stages, VertexTerm};
use crate::model::Model;
use sinew_base::error::Result;
use sinew_geometry::SurfacePoint;
use sinew_math::Real;
use sinew_solve::newton::Factor;

impl Stages {
    /// Uses the better of both starts as the skin, and lays it flat; the potential there.
    pub(super) fn start(
        &mut self,
        model: &Model,
        skin: &mut [SurfacePoint],
        other: Option<&[SurfacePoint]>,
        terms: &[VertexTerm],
        factor: &mut Factor,
    ) -> Result<Real> {
        self.calm.begin();
        if let Some(other) = other {
            self.lay(model, skin, factor);
            let plain = self.value_here(model, terms).unwrap_or(Real::INFINITY);
            let turned = self.turned_over();
            self.lay(model, other, factor);
            let better = self.turned_over() <= turned;
            if let Some(found) = self.value_here(model, terms).filter(|all| better && *all < plain) {
                skin.copy_from_slice(other);
                return Ok(found);
            }
        }
        self.lay_at(model, skin, terms, factor)
    }

    /// How many triangles of the skin laid flat are flipped.
    fn turned_over(&self) -> usize {
        self.level.over.iter().filter(|over| **over).count()
    }
}
