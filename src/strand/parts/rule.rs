//! Constraints on points: frames, other points, curves, planes, bones \[HandThesis §5.2.5\].

use sinew_math::elementary::{atan2, cos, sin};
use sinew_math::{Placement, Real, Vec3};

/// A curve on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// The body that carries it; `None` for the world.
    pub body: Option<usize>,
    /// Its shape in the axes of the body.
    pub shape: CurveShape,
}

/// The shape of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveShape {
    /// From one place to another; points stay between them.
    Line(Vec3, Vec3),
    /// A circle around the origin of a placement, in its xy plane.
    Circle(Placement, Real),
}

/// What a point is bound to.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// A point of a body, in its axes.
    Frame {
        /// The point.
        point: usize,
        /// The body.
        body: usize,
        /// The position in its axes.
        local: Vec3,
    },
    /// Another point.
    Link {
        /// Both points.
        points: [usize; 2],
    },
    /// A curve.
    Curve {
        /// The point.
        point: usize,
        /// The curve.
        curve: usize,
    },
    /// A plane.
    Plane {
        /// The point.
        point: usize,
        /// The plane.
        plane: usize,
        /// Whether it may also lie on the side to which the normal points.
        or_above: bool,
    },
    /// The outside of the bone that a plane cuts.
    Bone {
        /// The point.
        point: usize,
        /// The plane.
        plane: usize,
    },
}

impl Rule {
    /// Whether it constrains a point.
    pub(crate) fn binds(&self, p: usize) -> bool {
        match self {
            Rule::Link { points } => points.contains(&p),
            Rule::Frame { point, .. }
            | Rule::Curve { point, .. }
            | Rule::Plane { point, .. }
            | Rule::Bone { point, .. } => *point == p,
        }
    }
}

impl Curve {
    /// The direction of the curve nearest to a point, and the point's distance along it from the curve's start; both in
    /// the world.
    pub(crate) fn along(&self, places: impl Fn(usize) -> Placement, at: &Vec3) -> (Vec3, Real) {
        let body = self.body.map_or(Placement::default(), places);
        match &self.shape {
            CurveShape::Line(from, to) => {
                let direction = (to - from).try_normalize(0.0).unwrap_or_else(Vec3::x);
                let way = body.point_inside(at) - from;
                (body.direction(&direction), direction.dot(&way))
            }
            CurveShape::Circle(frame, radius) => {
                let frame = body * *frame;
                let way = frame.point_inside(at);
                let angle = atan2(way.y, way.x);
                (frame.direction(&Vec3::new(-sin(angle), cos(angle), 0.0)), angle * radius)
            }
        }
    }
}

/// Two directions perpendicular to one and to each other.
pub(crate) fn across(direction: &Vec3) -> [Vec3; 2] {
    let least = direction.iamin();
    let first = direction.cross(&Vec3::ith(least, 1.0)).normalize();
    [first, direction.cross(&first)]
}
