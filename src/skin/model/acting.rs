//! Bodies that shapes move before bones do.

use super::Model;
use crate::rest::Rest;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Vec3;

impl Model {
    /// Gives the surface at rest another shape for the steps that follow: that of the body before bones move it. What
    /// shapes do to a face its skin does, too; only where bones move it does the skin slide.
    pub fn act(&mut self, positions: &[Vec3]) -> Result<()> {
        if positions.len() != self.len() {
            let (given, own) = (positions.len(), self.len());
            let message = format!("the body before bones has {given} vertices, the mesh at rest {own}");
            return Err(Error::new(Kind::CountMismatch, message));
        }
        if positions != self.rest.mesh().positions {
            let shape = self.at_rest().reshaped(positions)?;
            let before = std::mem::replace(&mut self.rest, shape);
            self.at_rest.get_or_insert(before);
            self.shape += 1;
            self.find_turns();
        }
        Ok(())
    }

    /// Takes that back.
    pub fn rest_again(&mut self) {
        if let Some(rest) = self.at_rest.take() {
            self.rest = rest;
            self.shape += 1;
            self.find_turns();
        }
    }

    /// Identifies the shape of the surface at rest among those that this model has had.
    pub fn shape(&self) -> u64 {
        self.shape
    }

    /// The surface at rest as it was made, which is `rest` unless shapes act.
    pub fn at_rest(&self) -> &Rest {
        self.at_rest.as_ref().unwrap_or(&self.rest)
    }
}
