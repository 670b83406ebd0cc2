//! Bones that push skin away.

use super::contact::{closest_on, outwards};
use super::model::Model;
use super::step::Scratch;
use crate::error::{Error, Kind, Result};
use crate::math::{Real, Vec3, transform_point};
use rayon::prelude::*;

/// Skin that bones push away.
#[derive(Clone, Debug)]
pub struct SkinContact {
    vertex_count: usize,
    /// The bones near each vertex, packed, and how close to their axes the vertex may come.
    offsets: Vec<u32>,
    near: Vec<(u32, Real)>,
}

/// Skin further from a bone at rest than this many of its radii is not pushed by it.
const NEARBY: Real = 6.0;

impl SkinContact {
    /// For vertices at rest.
    pub fn new(model: &Model, points: &[Vec3]) -> Self {
        let mut contact = SkinContact { vertex_count: points.len(), offsets: vec![0], near: Vec::new() };
        for point in points {
            for (k, bone) in model.parts.bones.iter().enumerate() {
                let distance = (point - closest_on(&bone.ends, point)).norm();
                if distance < NEARBY * bone.radius {
                    contact.near.push((k as u32, distance.min(bone.radius)));
                }
            }
            contact.offsets.push(contact.near.len() as u32);
        }
        contact
    }

    /// Moves vertices out of the bones that they were outside of at rest; `strength` is from 0 to 1.
    pub fn push(&self, model: &Model, scratch: &Scratch, strength: Real, points: &mut [Real]) -> Result<()> {
        if points.len() != 3 * self.vertex_count {
            let message = format!("{} vertices, not {}", points.len() / 3, self.vertex_count);
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let bones = &model.parts.bones;
        let motion = |bone: usize| scratch.motions[bones[bone].joint].0;
        points.as_chunks_mut::<3>().0.par_iter_mut().enumerate().for_each(|(vertex, point)| {
            let near = &self.near[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize];
            for (bone, least) in near {
                let motion = motion(*bone as usize);
                let ends = bones[*bone as usize].ends.map(|end| transform_point(&motion, &end));
                let position = Vec3::from(*point);
                if let Some(push) = outwards(&(position - closest_on(&ends, &position)), *least) {
                    *point = (position + push * strength).into();
                }
            }
        });
        Ok(())
    }
}
