//! Planes on bones and between them, in which nodes move \[HandThesis §3.3\].

use sinew_math::Placement;
use sinew_math::Real;

/// The placement of a plane. Its normal is the z axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Lie {
    /// Fixed to a body: a placement in its axes.
    Fixed(usize, Placement),
    /// Between two bodies: interpolated between the two placements by a weight, along the shortest rotation and the
    /// straight line; one half is in the middle.
    Blending([usize; 2], [Placement; 2], Real),
}

/// A plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub lie: Lie,
    /// The body whose cross-section its nodes stay out of.
    pub bone: Option<usize>,
}

impl Plane {
    /// Its current placement.
    pub fn place(&self, places: impl Fn(usize) -> Placement) -> Placement {
        match &self.lie {
            Lie::Fixed(body, place) => places(*body) * *place,
            Lie::Blending([a, b], [at_a, at_b], weight) => {
                (places(*a) * *at_a).blend(&(places(*b) * *at_b), *weight)
            }
        }
    }

    /// Its placement in the axes of the bone that it cuts, if that is constant: then so is the cut.
    pub(crate) fn fixed_to_its_bone(&self) -> Option<Placement> {
        match &self.lie {
            Lie::Fixed(body, place) if self.bone == Some(*body) => Some(*place),
            _ => None,
        }
    }
}
