//! What the numbers of attributes measure, and how they change with the unit of length, the axes of the world, or in a
//! mirror.

use sinew_math::{Mat3, Placement, Real, Rotation, Space, Vec3};

/// What an attribute measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantity {
    /// Nothing: a name, a word, a count, a factor, or a quantity of which only its author knows the unit.
    #[default]
    Plain,
    /// A place in the world, or in the axes of the body that `in` names; also a displacement.
    Place,
    /// A place in the axes of the body around it.
    InBody,
    /// A direction in the world; its length does not matter.
    Direction,
    /// A vector along the axes of a muscle, in the unit of length.
    Along,
    /// A length.
    Length,
    /// Three lengths along the axes of the body around it.
    Sides,
    /// Three moments of inertia about these axes, in kg m^2.
    Moments,
    /// The orientation of a body's axes, in which its shape lies.
    TurnOfBody,
    /// The orientation of a joint's axes, after which its motions are named.
    TurnOfJoint,
    /// The orientation of a plane, whose normal is z.
    TurnOfPlane,
    /// The orientation of a circle, which runs from x to y.
    TurnOfCircle,
    /// A velocity in the world, in units of length per second.
    Velocity,
    /// An angular velocity about the axes of the world, in degrees per second.
    Spin,
    /// An acceleration that belongs to the world and not to what is modelled in it, in m/s^2.
    Gravity,
    /// A value of a motion of a joint: in degrees where it turns, in the unit of length where it moves.
    Motion,
    /// A difference of such values.
    Width,
    /// A range of such values, or a word.
    Range,
    /// In s.
    Time,
    /// In 1/s.
    Rate,
    /// In degrees.
    Angle,
    /// In kg.
    Mass,
    /// In kg/m^3.
    Density,
    /// In N.
    Force,
    /// In Pa.
    Stress,
    /// In N/m.
    Stiffness,
    /// In N s/m.
    Damping,
    /// In s/m.
    Slowness,
    /// From 0 to 1.
    Fraction,
}

impl Quantity {
    /// Its unit, with `L` for the unit of length; none if it has none.
    pub fn unit(self) -> Option<&'static str> {
        match self {
            Quantity::Place | Quantity::InBody | Quantity::Along | Quantity::Length | Quantity::Sides => {
                Some("L")
            }
            Quantity::Moments => Some("kg m^2"),
            Quantity::Velocity => Some("L/s"),
            Quantity::Spin => Some("deg/s"),
            Quantity::Gravity => Some("m/s^2"),
            Quantity::Motion | Quantity::Width | Quantity::Range => Some("deg or L"),
            Quantity::TurnOfBody
            | Quantity::TurnOfJoint
            | Quantity::TurnOfPlane
            | Quantity::TurnOfCircle
            | Quantity::Angle => Some("deg"),
            Quantity::Time => Some("s"),
            Quantity::Rate => Some("1/s"),
            Quantity::Mass => Some("kg"),
            Quantity::Density => Some("kg/m^3"),
            Quantity::Force => Some("N"),
            Quantity::Stress => Some("Pa"),
            Quantity::Stiffness => Some("N/m"),
            Quantity::Damping => Some("N s/m"),
            Quantity::Slowness => Some("s/m"),
            Quantity::Plain | Quantity::Direction | Quantity::Fraction => None,
        }
    }

    /// Whether it changes with the unit of length.
    pub fn has_length(self) -> bool {
        self.unit().is_some_and(|unit| unit.contains('L'))
    }

    /// Its name in descriptions.
    pub fn word(self) -> &'static str {
        match self {
            Quantity::Plain => "plain",
            Quantity::Place => "place",
            Quantity::InBody => "place_in_body",
            Quantity::Direction => "direction",
            Quantity::Along => "along_muscle",
            Quantity::Length => "length",
            Quantity::Sides => "sides",
            Quantity::Moments => "moments",
            Quantity::TurnOfBody | Quantity::TurnOfJoint | Quantity::TurnOfPlane | Quantity::TurnOfCircle => {
                "turn"
            }
            Quantity::Velocity => "velocity",
            Quantity::Spin => "spin",
            Quantity::Gravity => "gravity",
            Quantity::Motion => "motion",
            Quantity::Width => "width_of_motion",
            Quantity::Range => "range_of_motion",
            Quantity::Time => "time",
            Quantity::Rate => "rate",
            Quantity::Angle => "angle",
            Quantity::Mass => "mass",
            Quantity::Density => "density",
            Quantity::Force => "force",
            Quantity::Stress => "stress",
            Quantity::Stiffness => "stiffness",
            Quantity::Damping => "damping",
            Quantity::Slowness => "slowness",
            Quantity::Fraction => "fraction",
        }
    }
}

/// The numbers of an attribute.
#[derive(Debug)]
pub enum Number<'a> {
    /// One.
    Real(&'a mut f64),
    /// Three.
    Vector(&'a mut [f64; 3]),
    /// A rotation.
    Turn(&'a mut dyn Turned),
    /// A range of a joint's motion.
    Range(&'a mut [f64; 2]),
    /// No number: the motion of a joint that the numbers of quantities such as [`Quantity::Motion`] after it belong to,
    /// 0 to 2 about and 3 to 5 along x, y and z.
    Of(usize),
}

/// Whatever says a rotation.
pub trait Turned: std::fmt::Debug {
    /// The rotation.
    fn rotation(&self) -> Rotation;
    /// Changes it.
    fn set_rotation(&mut self, rotation: &Rotation);
}

impl Number<'_> {
    /// The same numbers once more.
    pub fn again(&mut self) -> Number<'_> {
        match self {
            Number::Real(x) => Number::Real(x),
            Number::Vector(v) => Number::Vector(v),
            Number::Turn(turn) => Number::Turn(&mut **turn),
            Number::Range(ends) => Number::Range(ends),
            Number::Of(axis) => Number::Of(*axis),
        }
    }
}

/// A change of the world and of the axes in it: another unit of length, other axes, a mirror.
pub trait Mapping {
    /// The world's directions; a rotation or a mirror.
    fn world(&self) -> Mat3;
    /// What happens to gravity.
    fn gravity(&self) -> Mat3 {
        self.world()
    }
    /// Directions in axes that are placed in the world, by what is attached to them; with that of the world a rotation.
    fn inside(&self, axes: Quantity) -> Mat3;
    /// A length.
    fn scale(&self) -> Real;
    /// The factor of a motion of a joint.
    fn motion(&self, axis: usize) -> Real;
}

/// The axes of a space, as directions in metres with y up.
pub(super) fn axes(space: &Space) -> Mat3 {
    Mat3::from_columns(&[Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| space.direction_in(axis)))
}

/// From one space into another. The axes of bodies are converted like the world's, as a host does it, and so are their
/// shapes; those of joints, planes and circles stay what the scene says they are.
pub struct Between(pub Space, pub Space);

impl Mapping for Between {
    fn world(&self) -> Mat3 {
        axes(&self.1).transpose() * axes(&self.0)
    }

    fn inside(&self, of: Quantity) -> Mat3 {
        if of == Quantity::TurnOfBody { self.world() } else { Mat3::identity() }
    }

    fn scale(&self) -> Real {
        self.0.metres_per_unit() / self.1.metres_per_unit()
    }

    fn motion(&self, axis: usize) -> Real {
        if axis < 3 { 1.0 } else { self.scale() }
    }
}

/// What [`Element::measure`](super::schema::Element::measure) calls to apply a mapping to every number.
pub fn applied<'a>(by: &'a dyn Mapping) -> impl FnMut(Quantity, Number) + 'a {
    let mut factor = 1.0;
    move |quantity, number| match number {
        Number::Of(axis) => factor = by.motion(axis),
        Number::Real(x) => *x = real(by, quantity, factor, *x),
        Number::Vector(v) => *v = vector(by, quantity, Vec3::from(*v)).map(|x| x + 0.0).into(),
        Number::Turn(turned) => turn(by, quantity, turned),
        Number::Range(ends) => {
            *ends = ends.map(|x| x * factor + 0.0);
            if factor < 0.0 {
                ends.reverse();
            }
        }
    }
}

fn real(by: &dyn Mapping, quantity: Quantity, factor: Real, x: Real) -> Real {
    match quantity {
        Quantity::Length => x * by.scale(),
        Quantity::Motion => x * factor + 0.0,
        Quantity::Width => x * factor.abs(),
        _ => x,
    }
}

/// Three numbers after a mapping.
pub fn vector(by: &dyn Mapping, quantity: Quantity, v: Vec3) -> Vec3 {
    let inside = || by.inside(Quantity::TurnOfBody);
    match quantity {
        Quantity::Place | Quantity::Velocity => by.world() * v * by.scale(),
        Quantity::Direction => by.world() * v,
        Quantity::InBody => inside() * v * by.scale(),
        Quantity::Along => v * by.scale(),
        Quantity::Sides => inside().abs() * v * by.scale(),
        Quantity::Moments => inside().abs() * v,
        // An axial vector: a mirror also reverses its sense.
        Quantity::Spin => by.world() * v * by.world().determinant(),
        Quantity::Gravity => by.gravity() * v,
        _ => v,
    }
}

fn turn(by: &dyn Mapping, axes: Quantity, turn: &mut dyn Turned) {
    if let Some(rotation) = rotated(by, axes, &turn.rotation()) {
        turn.set_rotation(&rotation);
    }
}

/// A rotation after a mapping; none if it stays.
fn rotated(by: &dyn Mapping, axes: Quantity, turn: &Rotation) -> Option<Rotation> {
    let (world, inside) = (by.world(), by.inside(axes));
    let stays = world == Mat3::identity() && inside == Mat3::identity();
    (!stays).then(|| rotation(&(world * turn.to_rotation_matrix().matrix() * inside.transpose())))
}

/// Axes after a mapping; what they are the axes of is said by the quantity of their turn.
pub fn placed(by: &dyn Mapping, axes: Quantity, place: &Placement) -> Placement {
    let rotation = rotated(by, axes, &place.rotation).unwrap_or(place.rotation);
    Placement::new(rotation, vector(by, Quantity::Place, place.origin))
}

/// The rotation given by a matrix.
pub(super) fn rotation(matrix: &Mat3) -> Rotation {
    Placement::from_affine(&matrix.insert_column(3, 0.0))
        .map_or_else(|_| Rotation::identity(), |p| p.rotation)
}
