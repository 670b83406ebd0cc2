//! Which vertices are around each, along the edges of faces; vertices at one place, as where UVs have a seam, are one.

use super::Mesh;
use sinew_math::Vec3;
use std::collections::HashMap;

/// The vertices around each.
#[derive(Clone, Debug)]
pub struct Around {
    /// The first vertex at the place of each.
    pub together: Vec<u32>,
    /// The vertices that share an edge with each, in order; none of those that are not the first at their place.
    pub neighbours: Vec<Vec<u32>>,
}

impl Around {
    /// Of a mesh.
    pub fn new(mesh: &Mesh) -> Self {
        let together = together(&mesh.positions);
        let mut neighbours = vec![Vec::new(); together.len()];
        for face in (0..mesh.face_count()).map(|face| mesh.face(face)) {
            for (k, &vertex) in face.iter().enumerate() {
                let [a, b] = [vertex, face[(k + 1) % face.len()]].map(|v| together[v as usize]);
                if a != b {
                    neighbours[a as usize].push(b);
                    neighbours[b as usize].push(a);
                }
            }
        }
        for around in &mut neighbours {
            around.sort_unstable();
            around.dedup();
        }
        Around { together, neighbours }
    }
}

/// The first vertex at the place of each.
pub(super) fn together(positions: &[Vec3]) -> Vec<u32> {
    let mut first = HashMap::new();
    let place = |(vertex, p): (usize, &Vec3)| {
        // Adding zero makes both zeros the same bits.
        let bits = [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits());
        *first.entry(bits).or_insert(vertex as u32)
    };
    positions.iter().enumerate().map(place).collect()
}
