//! Vertices for a graphics card: one UV each.
//!
//! Corners of a vertex share a render vertex as long as they have the same UV in all frames. Which do is known only
//! when the last frame is read, so they start together and split when they first differ.

use std::collections::HashMap;

/// A UV in steps.
pub(super) type GridUv = [i32; 2];

/// Render vertices of a mesh. The first ones are its vertices, in order.
pub(super) struct Splitter {
    of_corner: Vec<u32>,
    /// The vertices of the render vertices that came later.
    vertices: Vec<u32>,
    /// The render vertex, always an earlier one, from which these split.
    parents: Vec<u32>,
    first: usize,
}

impl Splitter {
    pub fn new(vertices: usize, corner_vertices: &[u32]) -> Self {
        Splitter {
            of_corner: corner_vertices.to_vec(),
            vertices: Vec::new(),
            parents: Vec::new(),
            first: vertices,
        }
    }

    /// The number of render vertices.
    pub fn len(&self) -> usize {
        self.first + self.vertices.len()
    }

    /// Takes the UVs of a frame's corners and returns those of the render vertices so far.
    pub fn add(&mut self, uvs: &[GridUv]) -> Vec<GridUv> {
        let mut values: Vec<Option<GridUv>> = vec![None; self.len()];
        let mut parted: HashMap<(u32, GridUv), u32> = HashMap::new();
        for (class, &uv) in self.of_corner.iter_mut().zip(uvs) {
            if *values[*class as usize].get_or_insert(uv) == uv {
                continue;
            }
            let parent = *class;
            *class = *parted.entry((parent, uv)).or_insert_with(|| {
                let vertex = self.vertices.get((parent as usize).wrapping_sub(self.first));
                self.vertices.push(vertex.copied().unwrap_or(parent));
                self.parents.push(parent);
                values.push(Some(uv));
                values.len() as u32 - 1
            });
        }
        // A vertex without a face is not drawn; any UV will do.
        let any = uvs.first().copied().unwrap_or_default();
        values.into_iter().map(|uv| uv.unwrap_or(any)).collect()
    }

    /// The UVs that [`Splitter::add`] returned, extended to the render vertices that came later.
    pub fn complete(&self, values: &mut Vec<GridUv>) {
        for k in values.len()..self.len() {
            values.push(values[self.parents[k - self.first] as usize]);
        }
    }

    /// The render vertex of each corner, and the vertices of those past the mesh's own.
    pub fn finish(self) -> (Vec<u32>, Vec<u32>) {
        (self.of_corner, self.vertices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every corner recovers its UV in every frame, and no two render vertices of a vertex agree in all frames.
        #[test]
        fn corners_keep_their_uvs(frames in prop::collection::vec(prop::collection::vec((0..2i32, 0..2i32), 12), 1..5)) {
            let corner_vertices = [0, 1, 2, 2, 1, 3, 3, 0, 1, 2, 2, 2];
            let mut splitter = Splitter::new(5, &corner_vertices);
            let frames: Vec<Vec<GridUv>> =
                frames.iter().map(|f| f.iter().map(|&(u, v)| [u, v]).collect()).collect();
            let mut packed: Vec<_> = frames.iter().map(|uvs| splitter.add(uvs)).collect();
            packed.iter_mut().for_each(|values| splitter.complete(values));
            let count = splitter.len();
            let (of_corner, later) = splitter.finish();
            let vertex = |k: u32| if k < 5 { k } else { later[k as usize - 5] };
            for (corner, &k) in of_corner.iter().enumerate() {
                prop_assert_eq!(vertex(k), corner_vertices[corner]);
                for (uvs, values) in frames.iter().zip(&packed) {
                    prop_assert_eq!((values.len(), values[k as usize]), (count, uvs[corner]));
                }
            }
            for (a, &k) in of_corner.iter().enumerate() {
                for (b, &l) in of_corner.iter().enumerate() {
                    let alike = vertex(k) == vertex(l) && frames.iter().all(|uvs| uvs[a] == uvs[b]);
                    prop_assert_eq!(alike, k == l);
                }
            }
        }
    }
}
