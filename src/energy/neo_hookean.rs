//! A stable neo-Hookean membrane (Smith, de Goes, Kim, "Stable neo-Hookean flesh simulation", 2018, §3, in the plane):
//! psi = mu/2 (tr C - 2) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2 with C = 2 E + I, J = sqrt(det C).
//!
//! No logarithm: it stays finite when an area vanishes. lambda + mu in place of lambda gives Hooke's law at small
//! strains, because -mu J takes mu away from the resistance to a change of area.

use super::{About, Constants, MembraneEnergy, MembraneMaterial, Strain, plane_stress};
use sinew_base::error::Result;
use sinew_math::Real;

/// A neo-Hookean membrane with free faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    mu: Real,
    /// lambda + mu.
    area: Real,
}

/// Relative areas below this are clamped to it: the slope of the square root is infinite at 0.
const SMALLEST_J: Real = 1e-6;

impl NeoHookean {
    /// From Young's modulus in Pa and Poisson's ratio.
    pub fn new(young: Real, poisson: Real) -> Result<Self> {
        let (lambda, mu) = plane_stress(young, poisson)?;
        Ok(NeoHookean { mu, area: lambda + mu })
    }
}

/// J, and the derivatives of det C with respect to the strain.
#[inline(always)]
fn area([a, b, c]: &Strain) -> (Real, Strain) {
    let det = (1.0 + 2.0 * a) * (1.0 + 2.0 * b) - 4.0 * c * c;
    (det.max(SMALLEST_J * SMALLEST_J).sqrt(), [2.0 + 4.0 * b, 2.0 + 4.0 * a, -8.0 * c])
}

impl MembraneEnergy for NeoHookean {
    #[inline(always)]
    fn value(&self, strain: &Strain) -> Real {
        let j = area(strain).0 - 1.0;
        self.mu * (strain[0] + strain[1]) - self.mu * j + 0.5 * self.area * j * j
    }

    #[inline(always)]
    fn gradient(&self, strain: &Strain) -> Strain {
        let (j, det) = area(strain);
        // dJ = d det C / (2 J)
        let slope = (self.area * (j - 1.0) - self.mu) / (2.0 * j);
        [self.mu + slope * det[0], self.mu + slope * det[1], slope * det[2]]
    }

    #[inline(always)]
    fn hessian(&self, strain: &Strain) -> [Strain; 3] {
        let (j, det) = area(strain);
        // slope = area/2 - (area + mu) / (2 J), so d slope = (area + mu) / (4 J^3) d det C.
        let slope = (self.area * (j - 1.0) - self.mu) / (2.0 * j);
        let bend = (self.area + self.mu) / (4.0 * j * j * j);
        let second = [[0.0, 4.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, -8.0]];
        std::array::from_fn(|r| std::array::from_fn(|c| bend * det[r] * det[c] + slope * second[r][c]))
    }
}

impl MembraneMaterial for NeoHookean {
    const ABOUT: About = About {
        id: "neo_hookean",
        title: "Neo-Hookean",
        doc: "A stable neo-Hookean membrane: robust where a body is stretched or squeezed far.",
        directed: false,
        stiffening: false,
        own: None,
    };

    fn from_constants(constants: &Constants) -> Result<Self> {
        NeoHookean::new(constants.young, constants.poisson)
    }
}
