//! Fung's exponential (Fung, "Biomechanics: mechanical properties of living tissues", 1993, §7): psi = (e^(a Q) - 1) /
//! a with Q the energy of St. Venant-Kirchhoff divided by Young's modulus, times that modulus. At small strains it is
//! Hooke's law; a sets how fast it stiffens.
//!
//! \[ThinSkin §5\] found the exponential unstable. Here, beyond the exponent [`LIMIT`], it continues as the parabola
//! with the same value, slope and curvature: nothing overflows, the strain is still limited in effect, and Newton's
//! method gets a usable slope.

use super::{About, Constants, MembraneEnergy, MembraneMaterial, Own, Strain, Stvk};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_math::elementary::exp_m1;

/// The exponent beyond which a parabola follows: the stiffness is then 3,000 times that at rest.
const LIMIT: Real = 8.0;

/// An exponential membrane with free faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fung {
    base: Stvk,
    young: Real,
    exponent: Real,
}

impl Fung {
    /// From Young's modulus at rest in Pa, Poisson's ratio, and the exponent a, which is about 5 to 20 for skin.
    pub fn new(young: Real, poisson: Real, exponent: Real) -> Result<Self> {
        let base = Stvk::new(young, poisson)?;
        if !(exponent > 0.0 && exponent <= 1e3) {
            let message = format!("the exponent is {exponent}; it must be positive and at most 1000");
            return Err(Error::new(Kind::OutOfRange, message));
        }
        Ok(Fung { base, young, exponent })
    }

    /// g(q) = (e^(a q) - 1) / a with its first two derivatives, for q = the base's energy / Young's modulus.
    #[inline(always)]
    fn growth(&self, q: Real) -> [Real; 3] {
        let a = self.exponent;
        let x = (a * q).min(LIMIT);
        let grown = exp_m1(x);
        let e = 1.0 + grown;
        let beyond = (a * q - x) / a;
        [grown / a + e * beyond + 0.5 * a * e * beyond * beyond, e + a * e * beyond, a * e]
    }
}

impl MembraneEnergy for Fung {
    #[inline(always)]
    fn value(&self, strain: &Strain) -> Real {
        self.young * self.growth(self.base.value(strain) / self.young)[0]
    }

    #[inline(always)]
    fn gradient(&self, strain: &Strain) -> Strain {
        let slope = self.growth(self.base.value(strain) / self.young)[1];
        self.base.gradient(strain).map(|g| slope * g)
    }

    #[inline(always)]
    fn hessian(&self, strain: &Strain) -> [Strain; 3] {
        let [_, slope, bend] = self.growth(self.base.value(strain) / self.young);
        let (g, h) = (self.base.gradient(strain), self.base.hessian(strain));
        std::array::from_fn(|r| std::array::from_fn(|c| slope * h[r][c] + bend * g[r] * g[c] / self.young))
    }
}

impl MembraneMaterial for Fung {
    const ABOUT: About = About {
        id: "fung",
        title: "Fung",
        doc: "Exponential: soft at small strains, stiff at large ones. Where the body's faces stretch to several times \
              their size, it may not settle, as reported; use Neo-Hookean there.",
        directed: false,
        stiffening: true,
        own: Some(Own {
            id: "fung_exponent",
            title: "Stiffening",
            doc: "How fast the skin stiffens as it is stretched, with the material Fung.",
            default: 8.0,
            range: [0.01, 1e3],
            slider: [0.1, 50.0, 0.1],
        }),
    };

    fn from_constants(constants: &Constants) -> Result<Self> {
        Fung::new(constants.young, constants.poisson, constants.own)
    }
}
