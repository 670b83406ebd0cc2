//! The layers over the joints: muscles, pads, and bones under the skin.

use super::super::skinning;
use super::super::value::Inputs;
use sinew_base::control::Control;
use sinew_base::error::{Kind, Result};
use sinew_geometry::measure::vertex_normals;
use sinew_geometry::{Mesh, TriMesh};
use sinew_math::{Real, Vec3};
use sinew_muscle::{
    Binding, Cover, Follow, Idle, Model, Muscle, Painted, Scratch, SkinContact, bind, bind_pads,
    smooth_carriers, why_idle,
};
use sinew_skinning::{Displacement, Motion, SecondLayer, Skinner, Weights};
use std::borrow::Cow;

/// The ports from which the layers are built.
const PORTS: [&str; 6] =
    ["mesh", "muscle_map", "fat_map", "muscle_influence_counts", "muscle_influences", "muscle_weights"];

/// What the layers were built from.
#[derive(Clone, PartialEq)]
pub(super) struct Key {
    /// The revisions of the ports, and of the points if they are what muscles are bound to.
    revisions: [u64; PORTS.len() + 1],
    nearest: i64,
    smooth: i64,
    reach: u64,
    /// Increases with every model.
    model: u64,
    vertices: usize,
}

impl Key {
    pub fn new(inputs: &Inputs, model: u64) -> Result<Self> {
        let mut revisions = [0; PORTS.len() + 1];
        for (revision, port) in revisions.iter_mut().zip(PORTS) {
            *revision = inputs.revision(port)?;
        }
        if inputs.mesh("mesh").is_err() {
            revisions[PORTS.len()] = inputs.revision("points")?;
        }
        Ok(Key {
            revisions,
            nearest: inputs.int("nearest")?,
            smooth: inputs.int("smooth")?,
            reach: inputs.real("reach")?.to_bits(),
            model,
            vertices: inputs.reals("points")?.len() / 3,
        })
    }
}

/// What binds the skin to muscles, pads and bones.
pub(super) struct Layers {
    pub key: Key,
    muscles: SecondLayer,
    pads: SecondLayer,
    bones: SkinContact,
    /// What muscles do, if skin follows their motion.
    motions: Vec<Motion>,
    /// What muscles do, if it follows their shape, and then what pads do.
    displacements: Vec<Displacement>,
    /// The part of each vertex that muscles carry, before the factor of weights.
    carried: Vec<Real>,
    /// The muscles that carry none, and why.
    idle: Vec<(usize, Reason)>,
    /// The pads that displace none.
    idle_pads: Vec<usize>,
    /// The factor of weights.
    factor: Real,
    /// The revision of what muscles carry: it changes whenever that does.
    revision: u64,
    /// The weights of joints by which the model knows what carries the skin over its rings.
    covered_by: Option<skinning::Key>,
}

/// Why a muscle carries no skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// Weights are painted, but none of it.
    Unpainted,
    /// Its factor of weights is 0.
    Weightless,
    /// By weights that are not painted.
    Of(Idle),
}

impl Layers {
    /// `places` gives the model's muscle for each one that the host gives.
    ///
    /// `revision` is that of what they carry.
    pub fn new(
        inputs: &Inputs,
        model: &Model,
        places: &[Option<usize>],
        key: Key,
        revision: u64,
        control: &Control,
    ) -> Result<Self> {
        let factor = inputs.real("weight_factor")?;
        let (skin, normals) = at_rest(inputs)?;
        let binding = Binding {
            nearest: key.nearest as usize,
            reach: Real::from_bits(key.reach),
            normals: normals.as_deref(),
            painted: painted(inputs, places)?,
        };
        let mut carriers = carriers(inputs, model, &skin, &binding, key.smooth as usize, control)?;
        multiply_by_muscle(model, &mut carriers);
        let skin = &skin.positions;
        let reason = |muscle: usize| match model.parts().muscles[muscle].weight {
            0.0 => Reason::Weightless,
            _ if binding.painted.is_some() => Reason::Unpainted,
            _ => Reason::Of(why_idle(model, muscle, skin, &binding)),
        };
        let fat = inputs.map("fat_map")?;
        let pads = bind_pads(model, skin, |vertex| fat.at(vertex));
        Ok(Layers {
            key,
            factor,
            revision,
            covered_by: None,
            idle: idle(model, &carriers).into_iter().map(|muscle| (muscle, reason(muscle))).collect(),
            idle_pads: idle_pads(model, &pads),
            // Not by `sum`, which is -0 where there is nothing.
            carried: carriers.iter().map(|of| of.iter().fold(0.0, |sum, (_, weight)| sum + weight)).collect(),
            muscles: SecondLayer::new(&carriers, model.points().len())?,
            pads: SecondLayer::new(&pads, model.parts().pads.len())?,
            bones: SkinContact::new(model, skin),
            motions: Vec::new(),
            displacements: Vec::new(),
        })
    }

    /// Tells the model by which joints the skin over its rings is carried, if it does not know yet.
    pub fn cover(&mut self, (key, skinner): &(skinning::Key, Skinner), model: &mut Model) {
        if self.covered_by != Some(*key) {
            model.take_cover(self.cover_of(model, skinner.weights()));
            self.covered_by = Some(*key);
        }
    }

    fn cover_of(&self, model: &Model, joints: &Weights) -> Cover {
        let mut rings: Vec<Vec<(usize, Real)>> = vec![Vec::new(); model.ring_count()];
        for vertex in 0..self.muscles.vertex_count() {
            let (carriers, parts) = self.muscles.of(vertex);
            let (joints, weights) = joints.of(vertex);
            for (carrier, part) in carriers.iter().zip(parts) {
                let ring = &mut rings[model.ring_of(*carrier)];
                for (joint, weight) in joints.iter().zip(weights) {
                    match ring.iter_mut().find(|(known, _)| *known == *joint as usize) {
                        Some((_, sum)) => *sum += part * weight,
                        None => ring.push((*joint as usize, part * weight)),
                    }
                }
            }
        }
        Cover::new(rings)
    }

    /// Takes the factor of weights; a change increases `revisions`.
    pub fn set_factor(&mut self, inputs: &Inputs, revisions: &mut u64) -> Result<()> {
        let factor = inputs.real("weight_factor")?;
        if factor != self.factor {
            *revisions += 1;
            (self.factor, self.revision) = (factor, *revisions);
        }
        Ok(())
    }

    /// The muscles that carry no skin, and why.
    pub fn idle(&self) -> &[(usize, Reason)] {
        &self.idle
    }

    /// The pads that displace no skin.
    pub fn idle_pads(&self) -> &[usize] {
        &self.idle_pads
    }

    /// Whether a muscle carries skin.
    pub fn carries(&self, muscle: usize) -> bool {
        !self.idle.iter().any(|(idle, _)| *idle == muscle)
    }

    /// Whether a pad displaces skin.
    pub fn displaces(&self, pad: usize) -> bool {
        !self.idle_pads.contains(&pad)
    }

    /// The part of each vertex that muscles carry, and its revision.
    pub fn carried(&self) -> (impl Iterator<Item = Real> + '_, u64) {
        (self.carried.iter().map(|part| (part * self.factor).min(1.0)), self.revision)
    }

    /// Adds the layers to points that the joints have moved. Returns their largest magnitude, NaN if something is not
    /// finite, and `None` if it is not known.
    pub fn add(
        &mut self,
        inputs: &Inputs,
        (model, follow): (&Model, Follow),
        scratch: &Scratch,
        out: &mut [Real],
    ) -> Result<Option<Real>> {
        let mut largest = match follow {
            Follow::Shape => {
                displace(&self.muscles, &scratch.beyond, self.factor, &mut self.displacements, out)?
            }
            Follow::Motion => {
                self.motions.clear();
                self.motions.extend(scratch.carriers.iter().map(Motion::new));
                self.muscles.add(&self.motions, self.factor, inputs.reals("points")?, out)?
            }
        };
        if !scratch.displacements.is_empty() {
            largest = displace(&self.pads, &scratch.displacements, 1.0, &mut self.displacements, out)?;
        }
        let push = inputs.real("push_skin")?;
        if push > 0.0 {
            self.bones.push(model, scratch, push, out)?;
            return Ok(None);
        }
        Ok(Some(largest))
    }
}

/// Displaces points by what the carriers of a layer are displaced.
fn displace(
    layer: &SecondLayer,
    by: &[Vec3],
    strength: Real,
    displacements: &mut Vec<Displacement>,
    out: &mut [Real],
) -> Result<Real> {
    displacements.clear();
    displacements.extend(by.iter().map(Displacement::new));
    layer.displace(displacements, strength, out)
}

/// The skin to which muscles are bound, and its normals if it has faces.
fn at_rest<'a>(inputs: &Inputs<'a>) -> Result<(Cow<'a, Mesh>, Option<Vec<Vec3>>)> {
    let Ok(mesh) = inputs.mesh("mesh") else {
        let points = inputs.reals("points")?.as_chunks::<3>().0;
        let positions = points.iter().map(|p| Vec3::from(*p)).collect();
        return Ok((Cow::Owned(Mesh { positions, ..Mesh::default() }), None));
    };
    let triangles = TriMesh::from_mesh(mesh).map_err(|e| e.port("mesh"))?;
    Ok((Cow::Borrowed(mesh), Some(vertex_normals(&triangles))))
}

/// The muscle vertices of each vertex with their weights; what is painted stays as it is.
fn carriers(
    inputs: &Inputs,
    model: &Model,
    skin: &Mesh,
    binding: &Binding,
    smooth: usize,
    control: &Control,
) -> Result<Vec<Vec<(u32, Real)>>> {
    let share = inputs.map("muscle_map")?;
    if binding.painted.is_some() {
        let painted = bind(model, &skin.positions, binding, |vertex| share.at(vertex));
        return painted.map_err(|e| e.port("muscle_weights"));
    }
    let mut carriers = bind(model, &skin.positions, binding, |_| 1.0)?;
    smooth_carriers(&mut carriers, skin, smooth, binding.nearest, control)?;
    // The map comes last: what it excludes must not get weights from its neighbours.
    for (vertex, carriers) in carriers.iter_mut().enumerate() {
        let share = share.at(vertex);
        carriers.iter_mut().for_each(|(_, weight)| *weight *= share);
        carriers.retain(|(_, weight)| *weight > 0.0);
    }
    Ok(carriers)
}

/// The muscles none of whose vertices carries skin.
fn idle(model: &Model, carriers: &[Vec<(u32, Real)>]) -> Vec<usize> {
    let mut used = vec![false; model.points().len()];
    carriers.iter().flatten().for_each(|(vertex, _)| used[*vertex as usize] = true);
    let mut first = 0;
    let mut is_idle = |count: usize| {
        let own = first..first + count;
        first = own.end;
        !used[own].contains(&true)
    };
    let muscles = model.parts().muscles.iter().enumerate();
    muscles.filter(|(_, muscle)| is_idle(muscle.vertex_count())).map(|(k, _)| k).collect()
}

/// The pads that displace none.
fn idle_pads(model: &Model, pads: &[Vec<(u32, Real)>]) -> Vec<usize> {
    let mut used = vec![false; model.parts().pads.len()];
    pads.iter().flatten().for_each(|(pad, _)| used[*pad as usize] = true);
    (0..used.len()).filter(|pad| !used[*pad]).collect()
}

/// Multiplies the weights by the factors of their muscles; those of a vertex still add up to at most 1.
fn multiply_by_muscle(model: &Model, carriers: &mut [Vec<(u32, Real)>]) {
    let muscles = &model.parts().muscles;
    if muscles.iter().all(|muscle| muscle.weight == 1.0) {
        return;
    }
    let of_muscle = |muscle: &Muscle| std::iter::repeat_n(muscle.weight, muscle.vertex_count());
    let factors: Vec<Real> = muscles.iter().flat_map(of_muscle).collect();
    for carriers in carriers {
        carriers.iter_mut().for_each(|(vertex, weight)| *weight *= factors[*vertex as usize]);
        carriers.retain(|(_, weight)| *weight > 0.0);
        let sum: Real = carriers.iter().map(|(_, weight)| weight).sum();
        if sum > 1.0 {
            carriers.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
    }
}

fn painted<'a>(inputs: &Inputs<'a>, places: &'a [Option<usize>]) -> Result<Option<Painted<'a>>> {
    let counts = match inputs.ints("muscle_influence_counts") {
        // What belongs to counts is of no use without them.
        Err(e) if e.kind() == Kind::MissingInput => {
            let is_alone = inputs.ints("muscle_influences").is_ok() || inputs.reals("muscle_weights").is_ok();
            return if is_alone { Err(e) } else { Ok(None) };
        }
        counts => counts?,
    };
    let (muscles, weights) = (inputs.ints("muscle_influences")?, inputs.reals("muscle_weights")?);
    Ok(Some(Painted { counts, muscles, weights, places }))
}
