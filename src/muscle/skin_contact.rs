//! Bones that push skin away.

use super::contact::{Plane, TURNS, closest_on};
use super::model::Model;
use super::step::Scratch;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3, transform_point};

/// Skin that bones push away.
#[derive(Clone, Debug)]
pub struct SkinContact {
    vertex_count: usize,
    /// The bones near each vertex, packed.
    offsets: Vec<u32>,
    near: Vec<Near>,
}

/// A bone near a vertex.
#[derive(Clone, Copy, Debug)]
struct Near {
    bone: u32,
    /// From the bone's axis to the vertex at rest.
    home: Vec3,
    /// How close to the axis the vertex may come.
    least: Real,
}

/// Skin further from a bone at rest than this many of its radii is not pushed by it.
const NEARBY: Real = 6.0;

impl SkinContact {
    /// For vertices at rest.
    pub fn new(model: &Model, points: &[Vec3]) -> Self {
        let mut contact = SkinContact { vertex_count: points.len(), offsets: vec![0], near: Vec::new() };
        for point in points {
            for (k, bone) in model.parts.bones.iter().enumerate() {
                let home = point - closest_on(&bone.ends, point);
                let distance = home.norm();
                if distance < NEARBY * bone.radius {
                    contact.near.push(Near { bone: k as u32, home, least: distance.min(bone.radius) });
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
        points.as_chunks_mut::<3>().0.par_iter_mut().enumerate().for_each(|(vertex, point)| {
            let near = &self.near[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize];
            for Near { bone, home, least } in near {
                let bone = &bones[*bone as usize];
                let (motion, turn, _) = &scratch.motions[bone.joint];
                let ends = bone.ends.map(|end| transform_point(motion, &end));
                let start = Vec3::from(*point);
                let away = |position: &Vec3| position - closest_on(&ends, position);
                let Some(mut plane) = Plane::new(&away(&start), &(turn * home), *least, 1.0) else {
                    continue;
                };
                let mut position = start;
                for turn in 0..TURNS {
                    if turn > 0 {
                        plane.turn(&away(&position), &away(&start), 1.0);
                    }
                    position += plane.push(&away(&position)).unwrap_or_else(Vec3::zeros);
                }
                *point = (start + (position - start) * strength).into();
            }
        });
        Ok(())
    }
}
