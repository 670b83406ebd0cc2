//! The UVs of given corners that are not on the surface: those of copied faces and of parts without area.

use super::{Mended, NO_SKIN};
use crate::mesh::{CornerLayer, Mesh, NO_VALUE};
use sinew_math::{Mat2, Real, Vec2};

/// The source of the UV of a given corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum UvSource {
    /// That corner of the surface.
    Corner(u32),
    /// That corner of the surface, in the UVs of a copy of its face.
    Copy(u32, Mat2, Vec2),
    /// It follows those three corners of its face: their weights at its own UV.
    Along([u32; 3], [Real; 3]),
    /// It is fixed.
    Own(Vec2),
}

impl UvSource {
    /// The UV, from those of the corners of the surface.
    pub(super) fn uv(&self, found: &[Vec2]) -> Vec2 {
        match self {
            UvSource::Corner(corner) => found[*corner as usize],
            UvSource::Copy(corner, linear, offset) => linear * found[*corner as usize] + offset,
            UvSource::Along(corners, weights) => {
                (0..3).map(|k| found[corners[k] as usize] * weights[k]).sum()
            }
            UvSource::Own(uv) => *uv,
        }
    }
}

/// The sources of the UVs of all given corners; empty for a mesh without UVs.
pub(super) fn sources(mesh: &Mesh, made: &Mended) -> Vec<UvSource> {
    let Some(layer) = &mesh.uvs else { return Vec::new() };
    let mut sources = vec![None; mesh.corner_vertices.len()];
    for (corner, &given) in made.corners.iter().enumerate() {
        sources[given as usize].get_or_insert(UvSource::Corner(corner as u32));
    }
    let finder = Finder::new(mesh, layer, made);
    for face in 0..mesh.face_count() {
        for corner in mesh.corners(face) {
            sources[corner].get_or_insert_with(|| finder.source(face, corner));
        }
    }
    sources.into_iter().flatten().collect()
}

struct Finder<'a> {
    mesh: &'a Mesh,
    layer: &'a CornerLayer<Vec2>,
    made: &'a Mended,
    /// The first face of the surface in each given face.
    first: Vec<u32>,
}

impl<'a> Finder<'a> {
    fn new(mesh: &'a Mesh, layer: &'a CornerLayer<Vec2>, made: &'a Mended) -> Self {
        let mut first = vec![NO_SKIN; mesh.face_count()];
        for (face, &given) in made.faces.iter().enumerate().rev() {
            first[given as usize] = face as u32;
        }
        Finder { mesh, layer, made, first }
    }

    fn uv(&self, corner: usize) -> Vec2 {
        match self.layer.indices[corner] {
            NO_VALUE => Vec2::zeros(),
            index => self.layer.values[index as usize],
        }
    }

    fn source(&self, face: usize, corner: usize) -> UvSource {
        let copies = &self.made.findings.copies;
        let found = match copies.binary_search_by_key(&(face as u32), |copy| copy.0) {
            Ok(place) => self.of_copy(face, copies[place].1 as usize, corner),
            Err(_) => self.of_part(face, corner),
        };
        found.unwrap_or_else(|| UvSource::Own(self.uv(corner)))
    }

    /// For the corner of a copy: the position on the kept face, in the copy's UVs.
    fn of_copy(&self, face: usize, kept: usize, corner: usize) -> Option<UvSource> {
        let kept = self.made.mesh.corners(*self.first.get(kept).filter(|first| **first != NO_SKIN)? as usize);
        let given = |h: usize| self.made.corners[h] as usize;
        let vertex = |corner: usize| self.mesh.corner_vertices[corner];
        let h = kept.clone().find(|&h| vertex(given(h)) == vertex(corner))?;
        let here = |h: usize| self.mesh.corners(face).find(|&c| vertex(c) == vertex(given(h)));
        let pairs: Vec<[Vec2; 2]> =
            kept.filter_map(|h| Some([self.uv(given(h)), self.uv(here(h)?)])).collect();
        if pairs.iter().all(|[there, here]| there == here) {
            return Some(UvSource::Corner(h as u32));
        }
        let sides = |k: usize| Mat2::from_columns(&[pairs[1][k] - pairs[0][k], pairs[2][k] - pairs[0][k]]);
        let linear = sides(1) * (pairs.len() >= 3).then(|| sides(0).try_inverse()).flatten()?;
        Some(UvSource::Copy(h as u32, linear, pairs[0][1] - linear * pairs[0][0]))
    }

    /// For a corner in no triangle with area of its face: it follows the rest of the face, if there is any.
    fn of_part(&self, face: usize, corner: usize) -> Option<UvSource> {
        let first = *self.first.get(face).filter(|first| **first != NO_SKIN)?;
        let start = self.made.mesh.corners(first as usize).start;
        let corners: [u32; 3] = std::array::from_fn(|k| (start + k) as u32);
        let [a, b, c] = corners.map(|h| self.uv(self.made.corners[h as usize] as usize));
        let (at, area) = (self.uv(corner), (b - a).perp(&(c - a)));
        let [x, y] = [(b - at).perp(&(c - at)) / area, (c - at).perp(&(a - at)) / area];
        (x.is_finite() && y.is_finite()).then_some(UvSource::Along(corners, [x, y, 1.0 - x - y]))
    }
}
