//! An orthotropic membrane, linear in Green's strain, with the fibres along the first axis (Langer's lines):
//! S_11 = D (E_1 E_11 + nu E_2 E_22), S_22 = D (nu E_2 E_11 + E_2 E_22), S_12 = 2 G E_12, D = 1 / (1 - nu^2 E_2 / E_1)
//! (Jones, "Mechanics of composite materials", 1999, §2.5).
//!
//! Without fibres there is no first axis, and an edge of the triangle must not take its place: it turns as the skin
//! slides. The moduli are then their means over all directions, those of a membrane whose fibres lie in every direction
//! alike (Jones, §2.7: U_1 and U_4).

use super::{About, Constants, MembraneEnergy, MembraneMaterial, Own, Strain, plane_stress};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// A membrane with fibres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orthotropic {
    along: Real,
    across: Real,
    mixed: Real,
    shear: Real,
}

impl Orthotropic {
    /// From Young's modulus across the fibres in Pa, Poisson's ratio along them, and the factor by which the membrane
    /// is stiffer along them. The shear modulus is that of an isotropic membrane with the geometric mean of the moduli.
    pub fn new(young: Real, poisson: Real, ratio: Real) -> Result<Self> {
        plane_stress(young, poisson)?;
        if !(ratio > 0.0 && ratio.is_finite() && poisson * poisson < 0.999 * ratio) {
            let message = format!(
                "the fibre ratio is {ratio} and Poisson's ratio {poisson}; the fibre ratio must be positive and \
                 greater than the square of Poisson's ratio"
            );
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let scale = young / (1.0 - poisson * poisson / ratio);
        let shear = young * ratio.sqrt() / (2.0 * (1.0 + poisson));
        Ok(Orthotropic { along: scale * ratio, across: scale, mixed: scale * poisson, shear })
    }
}

impl MembraneEnergy for Orthotropic {
    #[inline(always)]
    fn value(&self, strain: &Strain) -> Real {
        let g = self.gradient(strain);
        0.5 * (g[0] * strain[0] + g[1] * strain[1] + g[2] * strain[2])
    }

    #[inline(always)]
    fn gradient(&self, [a, b, c]: &Strain) -> Strain {
        [self.along * a + self.mixed * b, self.mixed * a + self.across * b, 4.0 * self.shear * c]
    }

    #[inline(always)]
    fn hessian(&self, _: &Strain) -> [Strain; 3] {
        [[self.along, self.mixed, 0.0], [self.mixed, self.across, 0.0], [0.0, 0.0, 4.0 * self.shear]]
    }
}

impl MembraneMaterial for Orthotropic {
    const ABOUT: About = About {
        id: "orthotropic",
        title: "Orthotropic",
        doc: "Stiffer along the map fibres than across.",
        directed: true,
        stiffening: false,
        own: Some(Own {
            id: "fibre_ratio",
            title: "Fibre Stiffness Ratio",
            doc: "How many times stiffer the skin is along the fibres than across, with the material Orthotropic.",
            default: 3.0,
            range: [1.0, 100.0],
            slider: [1.0, 10.0, 0.1],
        }),
    };

    fn from_constants(constants: &Constants) -> Result<Self> {
        Orthotropic::new(constants.young, constants.poisson, constants.own)
    }

    #[inline(always)]
    fn undirected(&self) -> Self {
        let lengths = self.along + self.across;
        let own = 0.125 * (3.0 * lengths + 2.0 * self.mixed + 4.0 * self.shear);
        let mixed = 0.125 * (lengths + 6.0 * self.mixed - 4.0 * self.shear);
        Orthotropic { along: own, across: own, mixed, shear: 0.5 * (own - mixed) }
    }
}
