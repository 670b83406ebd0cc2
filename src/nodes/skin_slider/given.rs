//! Settings, holds and maps from the inputs of the node.

use super::super::value::{Inputs, Map};
use sinew_base::error::{Error, Kind, Result};
use sinew_energy::{Constants, MATERIALS};
use sinew_geometry::measure::vertex_areas;
use sinew_math::{Real, Vec3};
use sinew_skin::model::{Anchor, Hold, Maps, Mode, Model, Row, Settings};
use sinew_skin::ties;

/// What a quality settles for.
#[derive(Clone, Copy)]
struct Quality {
    /// The tolerance, as a multiple of the one given.
    farther: Real,
    slows_snaps: bool,
    /// The most triangles on which the skin is computed.
    triangles: usize,
}

const EXACT: Quality = Quality { farther: 1.0, slows_snaps: true, triangles: usize::MAX };
const NORMAL: Quality = Quality { farther: 10.0, slows_snaps: true, triangles: 20_000 };
const PREVIEW: Quality = Quality { farther: 10.0, slows_snaps: false, triangles: 12_000 };

fn quality(inputs: &Inputs) -> Result<Quality> {
    inputs.pick("quality", &[EXACT, NORMAL, PREVIEW])
}

/// The most triangles on which the skin is computed: as many as were asked for, else as the quality says. The paper's
/// integrator has them all.
pub(super) fn most_triangles(inputs: &Inputs) -> Result<usize> {
    match inputs.int("proxy_triangles")? as usize {
        0 if inputs.pick("integrator", &[false, true])? => Ok(usize::MAX),
        0 => Ok(quality(inputs)?.triangles),
        asked => Ok(asked),
    }
}

/// Parameters of the material and of the time stepping.
pub(super) fn settings(inputs: &Inputs) -> Result<Settings> {
    let (young, poisson) = (inputs.real("young")?, inputs.real("poisson")?);
    let kind = inputs.pick("material", MATERIALS)?;
    let own = kind.about.own.map_or(Ok(0.0), |own| inputs.real(own.id))?;
    let material = (kind.make)(&Constants { young, poisson, own })?;
    let unlimited = |value: Real| if value > 0.0 { value } else { Real::INFINITY };
    let quality = quality(inputs)?;
    let snap_speed = if quality.slows_snaps { inputs.real("snap_speed")? } else { 0.0 };
    Ok(Settings {
        thickness: inputs.real("thickness")?,
        density: inputs.real("density")?,
        mode: inputs.pick("mode", &[Mode::Quasistatic, Mode::Dynamic])?,
        zeta: inputs.real("zeta")?,
        // \[ThinSkin §3.6\] caps the length per step of 1 ms.
        fastest_carried: unlimited(inputs.real("delta_max")?) / 1e-3,
        friction_time: unlimited(inputs.real("friction_time")?),
        gravity: Vec3::new(0.0, -inputs.real("gravity")?, 0.0),
        snap_speed: unlimited(snap_speed),
        tolerance: quality.farther * inputs.real("tolerance")?,
        max_iterations: inputs.int("max_iterations")? as usize,
        ..Settings::new(material)
    })
}

/// Skin painted above this is held; below it there are ties, the stiffest a thousand times as stiff as those at a half.
const HELD: Real = 0.999;

/// Where the skin is held.
pub(super) fn holds(inputs: &Inputs, n: usize) -> Result<Vec<Hold>> {
    let (fixed, region) = (values(inputs.map("fixed")?, n), values(inputs.map("region")?, n));
    let held = values(inputs.map("hold")?, n);
    let slide = vectors(inputs.map("slide")?);
    let hold = |v: usize| match slide.get(v) {
        _ if fixed[v] >= 0.5 || region[v] < 0.5 || held[v] > HELD => Hold::Fixed,
        Some(direction) if *direction != Vec3::zeros() => Hold::Along(*direction),
        _ => Hold::Free,
    };
    Ok((0..n).map(hold).collect())
}

/// The stiffnesses of the soft ties.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Ties {
    /// The stiffness of painted ones below and above the toe, and the toe.
    soft: Real,
    stiff: Real,
    toe: Real,
    /// The reach of natural ones, and the membrane's stiffness in N/m, against which they act.
    reach: Real,
    membrane: Real,
}

/// The soft ties that the parameters describe.
pub(super) fn ties(inputs: &Inputs, settings: &Settings) -> Result<Ties> {
    let soft = inputs.real("anchor_soft")?;
    Ok(Ties {
        soft,
        stiff: inputs.real("anchor_stiff")?.max(soft),
        toe: inputs.real("anchor_toe")?,
        reach: inputs.real("tie_reach")?,
        membrane: settings.stiffness(),
    })
}

/// The soft ties of the original mesh: painted with a toe, painted between free and held, and natural. The latter two
/// are per area and have no toe.
pub(super) fn anchors(inputs: &Inputs, ties: &Ties, full: &Model) -> Result<Vec<Anchor>> {
    let n = full.len();
    let (painted, held) = (values(inputs.map("anchor")?, n), values(inputs.map("hold")?, n));
    let natural = ties::natural(&full.rest, ties.membrane, ties.reach);
    let areas = vertex_areas(full.rest.mesh());
    let anchor = |v: usize| {
        let falloff = ties::held(&full.rest, ties.membrane, held[v].min(HELD));
        let always = (natural[v] + falloff) * areas[v];
        Anchor {
            soft: painted[v] * ties.soft + always,
            stiff: painted[v] * ties.stiff + always,
            toe: ties.toe,
        }
    };
    Ok((0..n).map(anchor).collect())
}

/// The general constraints.
pub(super) fn rows(inputs: &Inputs) -> Result<Vec<Row>> {
    let entries = match inputs.ints("rows") {
        Err(error) if error.kind() == Kind::MissingInput => &[],
        entries => entries?,
    };
    let vectors = vectors(inputs.map("row_vectors")?);
    let speeds = match inputs.map("row_speeds")? {
        Map::Values(values) => values,
        Map::Constant(_) => &[],
    };
    let count = entries.chunks_exact(2).map(|e| e[0] as usize + 1).max().unwrap_or(0);
    let refuse = |text: String| Err(Error::new(Kind::CountMismatch, text));
    if vectors.len() != entries.len() / 2 {
        let message = format!("{} vectors for {} entries of rows", vectors.len(), entries.len() / 2);
        return refuse(message).map_err(|e| e.port("row_vectors"));
    }
    // Every row needs an entry, which bounds their number.
    if count > entries.len() / 2 {
        let message =
            format!("{} entries cannot fill {count} rows; rows are counted from 0", entries.len() / 2);
        return refuse(message).map_err(|e| e.port("rows"));
    }
    if !speeds.is_empty() && speeds.len() != count {
        return refuse(format!("{} speeds for {count} rows", speeds.len())).map_err(|e| e.port("row_speeds"));
    }
    let speed = |r: usize| speeds.get(r).copied().unwrap_or(0.0);
    let mut rows: Vec<_> = (0..count).map(|r| Row { terms: Vec::new(), speed: speed(r) }).collect();
    for (entry, vector) in entries.chunks_exact(2).zip(vectors) {
        rows[entry[0] as usize].terms.push((entry[1], vector));
    }
    Ok(rows)
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

/// Three numbers per vertex; empty if nothing is set.
pub(super) fn vectors(map: Map<'_>) -> Vec<Vec3> {
    match map {
        Map::Values(values) => values.chunks_exact(3).map(Vec3::from_column_slice).collect(),
        Map::Constant(_) => Vec::new(),
    }
}
