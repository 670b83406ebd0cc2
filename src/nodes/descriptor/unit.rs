//! The units of parameters and ports.

/// The unit of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Unit {
    /// A pure number.
    None = 0,
    /// Metres.
    Metre = 1,
    /// Seconds.
    Second = 2,
    /// Kilograms.
    Kilogram = 3,
    /// Degrees of angle.
    Degree = 4,
    /// Pascals.
    Pascal = 5,
    /// Newtons.
    Newton = 6,
    /// Kilograms per cubic metre.
    KilogramPerCubicMetre = 7,
    /// Metres per second squared.
    MetrePerSecondSquared = 8,
    /// Newtons per metre.
    NewtonPerMetre = 9,
    /// Per second.
    PerSecond = 10,
    /// Radians per metre.
    RadianPerMetre = 11,
    /// Degrees for rotations, metres for translations.
    DegreeOrMetre = 12,
}

impl Unit {
    /// The symbol, empty for a pure number.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::None => "",
            Unit::Metre => "m",
            Unit::Second => "s",
            Unit::Kilogram => "kg",
            Unit::Degree => "deg",
            Unit::Pascal => "Pa",
            Unit::Newton => "N",
            Unit::KilogramPerCubicMetre => "kg/m^3",
            Unit::MetrePerSecondSquared => "m/s^2",
            Unit::NewtonPerMetre => "N/m",
            Unit::PerSecond => "1/s",
            Unit::RadianPerMetre => "rad/m",
            Unit::DegreeOrMetre => "deg or m",
        }
    }

    /// What is measured in it, so that a host can show it in units of its own; empty for a pure number.
    pub fn quantity(self) -> &'static str {
        match self {
            Unit::None => "",
            Unit::Metre => "length",
            Unit::Second => "time",
            Unit::Kilogram => "mass",
            Unit::Degree => "angle",
            Unit::Pascal => "pressure",
            Unit::Newton => "force",
            Unit::KilogramPerCubicMetre => "density",
            Unit::MetrePerSecondSquared => "acceleration",
            Unit::NewtonPerMetre => "stiffness",
            Unit::PerSecond => "rate",
            Unit::RadianPerMetre => "angle per length",
            Unit::DegreeOrMetre => "angle or length",
        }
    }
}
