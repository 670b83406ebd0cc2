//! Corners that share a UV at rest share one when they have slid, too.
//!
//! Near a seam each face finds its corners over a path of its own, unfolding what lies beyond the seam. On a curved
//! surface, paths to one point end slightly apart, and so would the UVs of neighbouring faces that share them at rest.
//! Whatever subdivides the mesh or stores its UVs by index takes that for a seam that comes and goes: Blender then
//! prepares its subdivision anew in every frame. So such corners get one UV, if their faces are seen from one island:
//! the mean of those that nearly agree. Where faces are seen from where they are now, corners that are farther apart
//! than the faces are long have a seam between them. Where faces keep to their side, nothing comes between their
//! corners: a face that found one over a detour is outvoted.

use super::{IslandUvs, SeamSide, Seen, smooth_twin};
use crate::{HalfEdges, Mesh, TriMesh};
use sinew_math::{Real, Vec2};

const NONE: u32 = u32::MAX;

/// The sets of corners of one vertex that have the same UV at rest.
pub(super) struct Shared {
    /// The set of each corner, or `NONE` if it has its UV alone.
    set_of: Vec<u32>,
    /// First of the corners of each set, and the end.
    starts: Vec<u32>,
    corners: Vec<u32>,
    /// By set, the mean length in UVs of the sides of faces that meet there.
    side: Vec<Real>,
    face_of: Vec<u32>,
    /// The island of each triangle.
    island: Vec<u32>,
}

/// Memory for [`IslandUvs::share`]; it never influences a result.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedScratch {
    done: Vec<bool>,
    left: Vec<u32>,
    together: Vec<u32>,
}

impl Shared {
    pub(super) fn new(mesh: &Mesh, tri: &TriMesh, edges: &HalfEdges, corner_uvs: &[Vec2]) -> Self {
        let vertex = |c: u32| mesh.corner_vertices[c as usize];
        // Adding zero makes one of the two zeros.
        let bits = |c: u32| (corner_uvs[c as usize] + Vec2::zeros()).map(Real::to_bits);
        let key = |c: &u32| (vertex(*c), bits(*c).x, bits(*c).y);
        let mut order: Vec<u32> = (0..corner_uvs.len() as u32).collect();
        order.sort_by_key(key);
        let face_of: Vec<u32> =
            (0..mesh.face_count()).flat_map(|f| mesh.corners(f).map(move |_| f as u32)).collect();
        let mut shared = Shared {
            set_of: vec![NONE; corner_uvs.len()],
            starts: vec![0],
            corners: Vec::new(),
            side: Vec::new(),
            face_of,
            island: edges.pieces(|h| smooth_twin(tri, edges, corner_uvs, h)).0,
        };
        let sides = |c: u32| {
            let face = mesh.corners(shared.face_of[c as usize] as usize);
            let (c, uv) = (c as usize, |c: usize| corner_uvs[c]);
            let before = if c == face.start { face.end - 1 } else { c - 1 };
            let after = if c + 1 == face.end { face.start } else { c + 1 };
            (uv(c) - uv(before)).norm() + (uv(after) - uv(c)).norm()
        };
        let sets = order.chunk_by(|a, b| key(a) == key(b)).filter(|set| set.len() > 1);
        for (number, set) in sets.enumerate() {
            set.iter().for_each(|&c| shared.set_of[c as usize] = number as u32);
            shared.corners.extend(set);
            shared.starts.push(shared.corners.len() as u32);
            shared.side.push(set.iter().map(|&c| sides(c)).sum::<Real>() / (2 * set.len()) as Real);
        }
        shared
    }

    fn set(&self, set: u32) -> &[u32] {
        &self.corners[self.starts[set as usize] as usize..self.starts[set as usize + 1] as usize]
    }
}

impl IslandUvs {
    /// Brings the UVs of corners together that belong together; `out` by corner, two numbers each.
    pub(super) fn share(&self, side: SeamSide, seen: &[Seen], scratch: &mut SharedScratch, out: &mut [Real]) {
        let shared = &self.shared;
        scratch.done.clear();
        scratch.done.resize(shared.side.len(), false);
        // All others agree to the bit.
        let apart = (0..seen.len()).filter(|&face| !seen[face].by_triangles);
        let corners =
            apart.flat_map(|face| self.corner_starts[face] as usize..self.corner_starts[face + 1] as usize);
        for set in corners.map(|c| shared.set_of[c]).filter(|set| *set != NONE) {
            if !std::mem::replace(&mut scratch.done[set as usize], true) {
                self.share_set(set, side, seen, scratch, out);
            }
        }
    }

    fn share_set(
        &self,
        set: u32,
        side: SeamSide,
        seen: &[Seen],
        scratch: &mut SharedScratch,
        out: &mut [Real],
    ) {
        let (shared, SharedScratch { left, together, .. }) = (&self.shared, scratch);
        let island = |c: u32| shared.island[seen[shared.face_of[c as usize] as usize].from as usize];
        left.clear();
        left.extend_from_slice(shared.set(set));
        while let Some(&first) = left.first() {
            let uv = |c: u32| Vec2::new(out[2 * c as usize], out[2 * c as usize + 1]);
            let same = |c: &u32| island(*c) == island(first);
            let away =
                |c: u32| left.iter().filter(|&o| same(o)).map(|&o| (uv(o) - uv(c)).norm()).sum::<Real>();
            // The first of those to which the others are nearest.
            let nearer = |best: u32, c: u32| if away(c) < away(best) { c } else { best };
            let at = uv(left.iter().copied().filter(same).fold(first, nearer));
            let near = |c: u32| (uv(c) - at).norm() <= shared.side[set as usize];
            together.clear();
            together.extend(left.extract_if(.., |c| same(c) && (side == SeamSide::Held || near(*c))));
            // What agrees keeps its bits.
            if together.iter().any(|&c| uv(c) != at) {
                let agreeing = together.iter().filter(|&&c| near(c)).map(|&c| uv(c) - at);
                let (sum, count) = agreeing.fold((Vec2::zeros(), 0.0), |(sum, n), off| (sum + off, n + 1.0));
                let mean = at + sum / count;
                for c in together.iter().map(|&c| c as usize) {
                    out[2 * c..2 * c + 2].copy_from_slice(mean.as_slice());
                }
            }
        }
    }
}
