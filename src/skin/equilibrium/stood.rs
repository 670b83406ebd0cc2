//! The stands of the skin that was evaluated last, in directions of their own. Evaluating one costs more than anything
//! else that is done to a vertex, so a vertex whose material point is still the same keeps it: a frame usually starts
//! where the one before ended, and tries that skin more than once.

use super::laid::PIECE;
use crate::model::{Hold, Model};
use crate::stand::Stand;
use rayon::prelude::*;
use sinew_geometry::SurfacePoint;
use sinew_math::{Work, widest};

/// The stands, and the skin to which they belong.
pub(super) struct Stood {
    skin: Vec<SurfacePoint>,
    pub stands: Vec<Stand>,
}

impl Stood {
    /// For that many vertices, none of them evaluated.
    pub fn new(vertices: usize) -> Self {
        let nowhere = SurfacePoint { triangle: u32::MAX, weights: [0.0; 3] };
        Stood { skin: vec![nowhere; vertices], stands: vec![Stand::default(); vertices] }
    }

    /// Evaluates a skin.
    pub fn find(&mut self, model: &Model, skin: &[SurfacePoint]) {
        let pieces = self.stands.par_chunks_mut(PIECE).zip(self.skin.par_chunks_mut(PIECE)).enumerate();
        pieces.for_each(|(k, (stands, known))| {
            widest(Standing { model, skin, first: k * PIECE, known, stands });
        });
    }

    /// Evaluates one vertex of a skin.
    pub fn find_at(&mut self, model: &Model, skin: &[SurfacePoint], vertex: usize) {
        let (known, stands) = (&mut self.skin[vertex..=vertex], &mut self.stands[vertex..=vertex]);
        widest(Standing { model, skin, first: vertex, known, stands });
    }
}

/// Some vertices of a skin, whose stands are wanted.
struct Standing<'a> {
    model: &'a Model,
    skin: &'a [SurfacePoint],
    first: usize,
    known: &'a mut [SurfacePoint],
    stands: &'a mut [Stand],
}

impl Work for Standing<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (k, (stand, known)) in self.stands.iter_mut().zip(self.known).enumerate() {
            let vertex = self.first + k;
            let point = &self.skin[vertex];
            // The direction along which skin slides depends on the skin around it.
            let alone = !matches!(self.model.holds()[vertex], Hold::Along(_));
            if !(alone && is_same(known, point)) {
                *stand = Stand::level(self.model, self.skin, vertex);
                *known = *point;
            }
        }
    }
}

/// Whether two points are the same to the bit: zeros of different signs need not lead to the same bits.
#[inline(always)]
fn is_same(a: &SurfacePoint, b: &SurfacePoint) -> bool {
    a.triangle == b.triangle && (0..3).all(|k| a.weights[k].to_bits() == b.weights[k].to_bits())
}
