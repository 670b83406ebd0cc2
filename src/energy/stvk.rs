//! St. Venant-Kirchhoff \[ThinSkin §3.4\]: psi = lambda/2 (tr E)^2 + mu tr(E^2).

use super::{About, Constants, MembraneEnergy, MembraneMaterial, Strain, plane_stress};
use sinew_base::error::Result;
use sinew_math::Real;

/// St. Venant-Kirchhoff with free faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stvk {
    lambda: Real,
    mu: Real,
}

impl Stvk {
    /// From Young's modulus in Pa and Poisson's ratio.
    pub fn new(young: Real, poisson: Real) -> Result<Self> {
        let (lambda, mu) = plane_stress(young, poisson)?;
        Ok(Stvk { lambda, mu })
    }
}

impl MembraneEnergy for Stvk {
    #[inline(always)]
    fn value(&self, [a, b, c]: &Strain) -> Real {
        0.5 * self.lambda * (a + b) * (a + b) + self.mu * (a * a + b * b + 2.0 * c * c)
    }

    #[inline(always)]
    fn gradient(&self, [a, b, c]: &Strain) -> Strain {
        let pressure = self.lambda * (a + b);
        [pressure + 2.0 * self.mu * a, pressure + 2.0 * self.mu * b, 4.0 * self.mu * c]
    }

    #[inline(always)]
    fn hessian(&self, _: &Strain) -> [Strain; 3] {
        let Stvk { lambda, mu } = *self;
        [[lambda + 2.0 * mu, lambda, 0.0], [lambda, lambda + 2.0 * mu, 0.0], [0.0, 0.0, 4.0 * mu]]
    }
}

impl MembraneMaterial for Stvk {
    const ABOUT: About = About {
        id: "stvk",
        title: "St. Venant-Kirchhoff",
        doc: "St. Venant-Kirchhoff: linear in Green's strain.",
        directed: false,
        stiffening: false,
        own: None,
    };

    fn from_constants(constants: &Constants) -> Result<Self> {
        Stvk::new(constants.young, constants.poisson)
    }
}
