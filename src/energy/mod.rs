//! Membrane energies: materials as functions of Green's strain in the membrane's plane.
//!
//! A material is one file, which describes itself ([`MembraneMaterial`]), and one row of the table below. The choices
//! that nodes offer, their parameters and messages come from that row, and the finite-difference tests cover every row.
//!
//! Strain and its derivatives are written as three numbers, (E_11, E_22, E_12) with the tensor's E_12, in an
//! orthonormal frame of the membrane's plane at rest. A [`MembraneEnergy::gradient`] is therefore (S_11, S_22, 2 S_12)
//! with the second Piola-Kirchhoff stress S.
//!
//! Keys: \[ThinSkin\] Li, Sueda, Neog, Pai, "Thin skin elastodynamics", 2013.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod fung;
mod neo_hookean;
mod orthotropic;
mod stvk;

pub use fung::Fung;
pub use neo_hookean::NeoHookean;
pub use orthotropic::Orthotropic;
pub use stvk::Stvk;

use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// Green's strain in a plane, or a derivative with respect to it: (11, 22, 12).
pub type Strain = [Real; 3];

/// A membrane's energy per volume at rest, in J/m^3.
pub trait MembraneEnergy {
    /// The energy.
    fn value(&self, strain: &Strain) -> Real;
    /// Its derivatives.
    fn gradient(&self, strain: &Strain) -> Strain;
    /// Its second derivatives, row by row.
    fn hessian(&self, strain: &Strain) -> [Strain; 3];
}

/// A material's description.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The permanent id.
    pub id: &'static str,
    /// The display name.
    pub title: &'static str,
    /// What it is like, in one line.
    pub doc: &'static str,
    /// Whether the frame of the strain must follow a painted direction.
    pub directed: bool,
    /// Whether it stiffens by orders of magnitude as it is strained.
    pub stiffening: bool,
    /// The constant that it has in addition to the common ones.
    pub own: Option<Own>,
}

/// A dimensionless constant that only one material has.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// The permanent id.
    pub id: &'static str,
    /// The display name.
    pub title: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    /// The default.
    pub default: Real,
    /// The smallest and largest values allowed.
    pub range: [Real; 2],
    /// The range of a slider, and its step.
    pub slider: [Real; 3],
}

/// The constants of a material.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    /// Young's modulus at small strains, in Pa.
    pub young: Real,
    /// Poisson's ratio.
    pub poisson: Real,
    /// [`About::own`]; ignored by materials without one.
    pub own: Real,
}

/// A material in the table.
pub trait MembraneMaterial: MembraneEnergy + Copy {
    /// Its description.
    const ABOUT: About;
    /// Builds it from its constants.
    fn from_constants(constants: &Constants) -> Result<Self>;

    /// The same where no direction is painted: its mean over all directions. Only materials that are
    /// [directed](About::directed) differ from themselves there.
    #[inline(always)]
    fn undirected(&self) -> Self {
        *self
    }
}

/// An operation on a material of any type: compiled for each of them.
pub trait ForMaterial {
    /// The result.
    type Output;
    /// Runs it.
    fn with<M: MembraneMaterial>(self, material: &M) -> Self::Output;
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct MaterialKind {
    /// Its description.
    pub about: &'static About,
    /// Builds one.
    pub make: fn(&Constants) -> Result<Material>,
}

macro_rules! materials {
    ($($name:ident,)*) => {
        /// Any material of the table.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Material {
            $(#[doc = concat!("A [`", stringify!($name), "`].")]
            $name($name),)*
        }

        /// All materials.
        pub const MATERIALS: &[MaterialKind] = &[$(MaterialKind {
            about: &<$name as MembraneMaterial>::ABOUT,
            make: |constants| $name::from_constants(constants).map(Material::$name),
        },)*];

        impl Material {
            /// Its description.
            pub fn about(&self) -> &'static About {
                match self {
                    $(Material::$name(_) => &<$name as MembraneMaterial>::ABOUT,)*
                }
            }

            /// The same where no direction is painted, see [`MembraneMaterial::undirected`].
            pub fn undirected(&self) -> Material {
                match self {
                    $(Material::$name(material) => Material::$name(material.undirected()),)*
                }
            }

            /// Runs an operation on it.
            #[inline(always)]
            pub fn give_to<F: ForMaterial>(&self, what: F) -> F::Output {
                match self {
                    $(Material::$name(material) => what.with(material),)*
                }
            }
        }

        impl MembraneEnergy for Material {
            fn value(&self, strain: &Strain) -> Real {
                match self {
                    $(Material::$name(material) => material.value(strain),)*
                }
            }

            fn gradient(&self, strain: &Strain) -> Strain {
                match self {
                    $(Material::$name(material) => material.gradient(strain),)*
                }
            }

            fn hessian(&self, strain: &Strain) -> [Strain; 3] {
                match self {
                    $(Material::$name(material) => material.hessian(strain),)*
                }
            }
        }
    };
}

// In display order, which saved choices refer to: new ones go to the end.
materials! {
    Stvk,
    NeoHookean,
    Fung,
    Orthotropic,
}

/// The Lame constants of a membrane whose faces are free (plane stress), in Pa, from Young's modulus in Pa and
/// Poisson's ratio: lambda = E nu / (1 - nu^2), mu = E / (2 (1 + nu)).
pub fn plane_stress(young: Real, poisson: Real) -> Result<(Real, Real)> {
    if !(young > 0.0 && young.is_finite()) {
        return Err(Error::new(Kind::OutOfRange, format!("Young's modulus is {young}; it must be positive")));
    }
    if !(-0.99..=0.99).contains(&poisson) {
        let message = format!("Poisson's ratio is {poisson}; it must be from -0.99 to 0.99");
        return Err(Error::new(Kind::OutOfRange, message));
    }
    Ok((young * poisson / (1.0 - poisson * poisson), young / (2.0 * (1.0 + poisson))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn materials() -> Vec<Material> {
        let constants = Constants { young: 3e4, poisson: 0.4, own: 5.0 };
        MATERIALS.iter().map(|kind| (kind.make)(&constants).unwrap()).collect()
    }

    /// The strain of a random in-plane gradient whose area does not vanish.
    fn strain_of(f: [Real; 4]) -> Strain {
        let [a, b, c, d] = [1.0 + f[0], f[1], f[2], 1.0 + f[3]];
        [(a * a + c * c - 1.0) / 2.0, (b * b + d * d - 1.0) / 2.0, (a * b + c * d) / 2.0]
    }

    proptest! {
        #[test]
        fn derivatives_are_those_of_finite_differences(f in prop::array::uniform4(-0.6..0.6f64)) {
            // Finite differences fail on crushed areas, whose derivatives are too large.
            prop_assume!(((1.0 + f[0]) * (1.0 + f[3]) - f[1] * f[2]).abs() > 0.2);
            let strain = strain_of(f);
            let h = 1e-5;
            for material in materials() {
                let gradient = material.gradient(&strain);
                let hessian = material.hessian(&strain);
                let scale = 3e4 * (1.0 + material.value(&strain) / 3e4);
                for k in 0..3 {
                    let moved = |s: Real| { let mut e = strain; e[k] += s * h; e };
                    let slope = (material.value(&moved(1.0)) - material.value(&moved(-1.0))) / (2.0 * h);
                    prop_assert!((slope - gradient[k]).abs() < 1e-5 * scale, "{:?} {} {}", material, slope, gradient[k]);
                    let (up, down) = (material.gradient(&moved(1.0)), material.gradient(&moved(-1.0)));
                    for j in 0..3 {
                        let slope = (up[j] - down[j]) / (2.0 * h);
                        let bound = 1e-4 * (scale + hessian[k][j].abs());
                        prop_assert!((slope - hessian[k][j]).abs() < bound, "{:?} {} {}", material, slope, hessian[k][j]);
                    }
                }
            }
        }
    }

    #[test]
    fn small_strains_are_hookes_law() {
        let (lambda, mu) = plane_stress(3e4, 0.4).unwrap();
        for material in materials().iter().filter(|material| !material.about().directed) {
            assert_eq!(material.value(&[0.0; 3]), 0.0);
            assert!(material.gradient(&[0.0; 3]).iter().all(|s| s.abs() < 1e-9), "{material:?}");
            let h = material.hessian(&[0.0; 3]);
            let expected =
                [[lambda + 2.0 * mu, lambda, 0.0], [lambda, lambda + 2.0 * mu, 0.0], [0.0, 0.0, 4.0 * mu]];
            for (row, expected) in h.iter().flatten().zip(expected.iter().flatten()) {
                assert!((row - expected).abs() < 1e-9 * 3e4, "{material:?} {h:?}");
            }
        }
    }

    #[test]
    fn a_row_of_the_table_makes_the_material_that_it_tells_of() {
        for (kind, material) in MATERIALS.iter().zip(materials()) {
            assert_eq!(kind.about.id, material.about().id);
            if let Some(own) = kind.about.own {
                let [least, most] = own.range;
                for own in [least, own.default, most] {
                    assert!((kind.make)(&Constants { young: 3e4, poisson: 0.4, own }).is_ok(), "{own}");
                }
            }
        }
        let ids: std::collections::BTreeSet<_> = MATERIALS.iter().map(|kind| kind.about.id).collect();
        assert_eq!(ids.len(), MATERIALS.len());
    }

    #[test]
    fn a_strip_pulled_along_the_fibres_feels_their_modulus() {
        let fibres = Orthotropic::new(1e4, 0.3, 4.0).unwrap();
        let h = fibres.hessian(&[0.0; 3]);
        // The transverse strain is free: S_22 = 0.
        let modulus = |a: usize, b: usize| h[a][a] - h[a][b] * h[b][a] / h[b][b];
        assert!((modulus(0, 1) - 4e4).abs() < 1e-6 && (modulus(1, 0) - 1e4).abs() < 1e-6);
    }

    #[test]
    fn without_a_direction_a_material_is_its_mean_over_all_directions() {
        let turned = |[a, b, c]: Strain, angle: Real| {
            let (sin, cos) = angle.sin_cos();
            let both = 2.0 * c * sin * cos;
            [
                a * cos * cos + b * sin * sin + both,
                a * sin * sin + b * cos * cos - both,
                (b - a) * sin * cos + c * (cos * cos - sin * sin),
            ]
        };
        for strain in [[0.3, -0.1, 0.0], [0.0, 0.0, 0.2], [-0.2, 0.4, 0.35]] {
            for material in materials() {
                let plain = material.undirected();
                let directions = (0..36).map(|k| Real::from(k) * std::f64::consts::PI / 36.0);
                let mean =
                    directions.map(|angle| material.value(&turned(strain, angle))).sum::<Real>() / 36.0;
                for angle in [0.0, 0.4, 1.9] {
                    let found = plain.value(&turned(strain, angle));
                    assert!((found / mean - 1.0).abs() < 1e-12, "{material:?} {strain:?} {found} {mean}");
                }
                assert_eq!(plain == material, !material.about().directed, "{material:?}");
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for error in [
            Stvk::new(0.0, 0.3).err(),
            Stvk::new(Real::NAN, 0.3).err(),
            NeoHookean::new(1e4, 1.0).err(),
            Fung::new(1e4, 0.3, 0.0).err(),
            Orthotropic::new(1e4, 0.9, 0.5).err(),
            Orthotropic::new(1e4, 0.3, -1.0).err(),
        ] {
            assert_eq!(error.unwrap().kind(), Kind::OutOfRange);
        }
    }

    #[test]
    fn the_exponential_goes_on_where_it_would_overflow() {
        let fung = Fung::new(3e4, 0.4, 8.0).unwrap();
        let mut before = 0.0;
        for k in 1..60 {
            let value = fung.value(&[1.5f64.powi(k) / 10.0, 0.0, 0.0]);
            assert!(value.is_finite() && value > before);
            before = value;
        }
    }
}
