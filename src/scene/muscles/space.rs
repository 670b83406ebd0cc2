//! A set in another unit of length, or with another up axis.

use super::MuscleSet;
use crate::error::Result;
use crate::math::{Space, Vec3};
use crate::scene::SpaceElement;
use crate::scene::strand::values::Triple;

impl MuscleSet {
    /// The same muscles, pads and bones in the coordinates of a space. Masses, stiffnesses and dampings have units of
    /// their own.
    pub fn in_space(mut self, space: Space) -> Result<Self> {
        let own = self.units()?;
        if own == space {
            return Ok(self);
        }
        let unit = own.metres_per_unit() / space.metres_per_unit();
        let vector = |Triple(v): &mut Triple| *v = space.point_out(own.point_in(Vec3::from(*v))).into();
        let direction =
            |Triple(v): &mut Triple| *v = space.direction_out(own.direction_in(Vec3::from(*v))).into();
        for e in &mut self.muscles {
            [&mut e.origin, &mut e.insertion, &mut e.middle].into_iter().for_each(vector);
            [&mut e.origin_to, &mut e.insertion_to].into_iter().flatten().for_each(vector);
            e.up.iter_mut().for_each(direction);
            e.size *= unit;
            for head in &mut e.heads {
                vector(&mut head.origin);
                head.middle.iter_mut().for_each(vector);
                head.size.iter_mut().for_each(|size| *size *= unit);
            }
            // These count along the muscle, where there are no world axes.
            e.offsets.iter_mut().for_each(|offset| offset.by = Triple(offset.by.0.map(|x| x * unit)));
        }
        for e in &mut self.pads {
            vector(&mut e.centre);
            e.radius *= unit;
        }
        for e in &mut self.bones {
            [&mut e.from, &mut e.to].into_iter().for_each(vector);
            e.radius *= unit;
        }
        self.space = SpaceElement::of(space);
        Ok(self)
    }
}
