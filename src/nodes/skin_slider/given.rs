//! Settings, holds and maps from the inputs of the node.

use super::super::value::{Inputs, Map};
use crate::energy::{Fung, Material, NeoHookean, Orthotropic, Stvk};
use crate::error::Result;
use crate::math::{Real, Vec3};
use crate::skin::model::{Anchor, Hold, Maps, Mode, Settings};

/// Numbers of the material and of the time stepping.
pub(super) fn settings(inputs: &Inputs) -> Result<Settings> {
    let (young, poisson) = (inputs.real("young")?, inputs.real("poisson")?);
    let material = match inputs.choice("material")? {
        0 => Material::Stvk(Stvk::new(young, poisson)?),
        1 => Material::NeoHookean(NeoHookean::new(young, poisson)?),
        2 => Material::Fung(Fung::new(young, poisson, inputs.real("fung_exponent")?)?),
        _ => Material::Orthotropic(Orthotropic::new(young, poisson, inputs.real("fibre_ratio")?)?),
    };
    let unlimited = |value: Real| if value > 0.0 { value } else { Real::INFINITY };
    Ok(Settings {
        thickness: inputs.real("thickness")?,
        density: inputs.real("density")?,
        mode: [Mode::Quasistatic, Mode::Dynamic][inputs.choice("mode")?],
        zeta: inputs.real("zeta")?,
        // \[ThinSkin §3.6\] caps the length per step of 1 ms.
        fastest_carried: unlimited(inputs.real("delta_max")?) / 1e-3,
        friction_time: unlimited(inputs.real("friction_time")?),
        gravity: Vec3::new(0.0, -inputs.real("gravity")?, 0.0),
        tolerance: inputs.real("tolerance")?,
        max_iterations: inputs.int("max_iterations")? as usize,
        ..Settings::new(material)
    })
}

/// Where the skin is held.
pub(super) fn holds(inputs: &Inputs, n: usize) -> Result<Vec<Hold>> {
    let (fixed, region) = (values(inputs.map("fixed")?, n), values(inputs.map("region")?, n));
    let slide = vectors(inputs.map("slide")?);
    let hold = |v: usize| match slide.get(v) {
        _ if fixed[v] >= 0.5 || region[v] < 0.5 => Hold::Fixed,
        Some(direction) if *direction != Vec3::zeros() => Hold::Along(*direction),
        _ => Hold::Free,
    };
    Ok((0..n).map(hold).collect())
}

/// The soft ties.
pub(super) fn anchors(inputs: &Inputs, n: usize) -> Result<Vec<Anchor>> {
    let painted = values(inputs.map("anchor")?, n);
    let soft = inputs.real("anchor_soft")?;
    let (stiff, toe) = (inputs.real("anchor_stiff")?.max(soft), inputs.real("anchor_toe")?);
    Ok(painted.iter().map(|p| Anchor { soft: p * soft, stiff: p * stiff, toe }).collect())
}

/// The painted maps of the material.
pub(super) fn maps(inputs: &Inputs, n: usize) -> Result<Maps> {
    let fibres = vectors(inputs.map("fibres")?);
    Ok(Maps {
        thickness: values(inputs.map("thickness_map")?, n),
        stiffness: values(inputs.map("stiffness")?, n),
        density: values(inputs.map("density_map")?, n),
        prestrain: values(inputs.map("prestrain")?, n),
        fibres: if fibres.is_empty() { vec![Vec3::zeros(); n] } else { fibres },
    })
}

/// One number per vertex.
pub(super) fn values(map: Map<'_>, n: usize) -> Vec<Real> {
    match map {
        Map::Values(values) => values.to_vec(),
        Map::Constant(value) => vec![value; n],
    }
}

/// Three numbers per vertex; empty when nothing is set.
pub(super) fn vectors(map: Map<'_>) -> Vec<Vec3> {
    match map {
        Map::Values(values) => values.chunks_exact(3).map(Vec3::from_column_slice).collect(),
        Map::Constant(_) => Vec::new(),
    }
}
