//! A set in another unit of length, or with another up axis.

use super::MuscleSet;
use crate::SpaceElement;
use crate::quantity::{Between, applied};
use crate::schema::Element;
use sinew_base::error::Result;
use sinew_math::Space;

impl MuscleSet {
    /// The same muscles, pads and bones in the coordinates of a space. Masses, stiffnesses and dampings have units of
    /// their own.
    pub fn in_space(mut self, space: Space) -> Result<Self> {
        let own = self.units()?;
        if own != space {
            self.measure(&mut applied(&Between(own, space)));
            self.space = SpaceElement::of(space);
        }
        Ok(self)
    }
}
