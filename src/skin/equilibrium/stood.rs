//! The stands of the skin that was evaluated last, in directions of their own. Evaluating one costs more than anything
//! else that is done to a vertex, so a vertex whose material point is still the same keeps it: a frame usually starts
//! where the one before ended, and tries that skin more than once. And whether its triangles are flipped.

use super::laid::{PIECE, is_over};
use crate::model::{Hold, Model};
use crate::stand::Stand;
use rayon::prelude::*;
use sinew_geometry::SurfacePoint;
use sinew_math::{Work, widest};

/// No skin's point.
const NOWHERE: SurfacePoint = SurfacePoint { triangle: u32::MAX, weights: [0.0; 3] };

/// The stands, and the skin to which they belong, on which shape of the surface at rest.
pub(super) struct Stood {
    shape: u64,
    skin: Vec<SurfacePoint>,
    pub stands: Vec<Stand>,
    /// Of the model's active triangles.
    pub over: Vec<bool>,
}

impl Stood {
    /// For that many vertices and active triangles, none of them evaluated.
    pub fn new(vertices: usize, triangles: usize) -> Self {
        Stood {
            shape: 0,
            skin: vec![NOWHERE; vertices],
            stands: vec![Stand::default(); vertices],
            over: vec![false; triangles],
        }
    }

    /// Evaluates a skin.
    pub fn find(&mut self, model: &Model, skin: &[SurfacePoint]) {
        if self.shape != model.shape() {
            self.skin.fill(NOWHERE);
            self.shape = model.shape();
        }
        let pieces = self.stands.par_chunks_mut(PIECE).zip(self.skin.par_chunks_mut(PIECE)).enumerate();
        let moved = pieces
            .map(|(k, (stands, known))| widest(Standing { model, skin, first: k * PIECE, known, stands }));
        if moved.reduce(|| false, |a, b| a | b) {
            let (stands, triangles) = (&self.stands, &model.rest.mesh().triangles);
            let all = self.over.par_iter_mut().zip(model.active()).with_min_len(PIECE);
            all.for_each(|(over, &t)| {
                *over = is_over(&model.thresholds, triangles[t as usize].map(|v| &stands[v as usize]));
            });
        }
    }

    /// Evaluates one vertex of a skin, on the same shape as all of them before, but not its triangles.
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
    /// Whether any is not the same as before.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let mut moved = false;
        for (k, (stand, known)) in self.stands.iter_mut().zip(self.known).enumerate() {
            let vertex = self.first + k;
            let point = &self.skin[vertex];
            // The direction along which skin slides depends on the skin around it.
            let alone = !matches!(self.model.holds()[vertex], Hold::Along(_));
            if !(alone && is_same(known, point)) {
                *stand = Stand::level(self.model, self.skin, vertex);
                *known = *point;
                moved = true;
            }
        }
        moved
    }
}

/// Whether two points are the same to the bit: zeros of different signs need not lead to the same bits.
#[inline(always)]
fn is_same(a: &SurfacePoint, b: &SurfacePoint) -> bool {
    a.triangle == b.triangle && (0..3).all(|k| a.weights[k].to_bits() == b.weights[k].to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Settings;
    use sinew_energy::{Material, Stvk};
    use sinew_geometry::{TriMesh, shapes};
    use sinew_math::{Vec2, Vec3};

    /// One vertex of each hold, none next to another of them.
    const FREE: usize = 30;
    const FIXED: usize = 34;
    const ALONG: usize = 42;

    /// More vertices than a piece has.
    fn model() -> Model {
        let mesh = TriMesh::from_mesh(&shapes::torus(1.0, 0.5, 24, 16)).unwrap();
        let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
        let mut model = Model::new(mesh, Settings::new(material)).unwrap();
        let mut holds = vec![Hold::Free; model.len()];
        (holds[FIXED], holds[ALONG]) = (Hold::Fixed, Hold::Along(Vec3::new(0.2, 1.0, 0.1)));
        model.set_holds(&holds).unwrap();
        model
    }

    fn skin(model: &Model) -> Vec<SurfacePoint> {
        model.rest.home().iter().map(|point| model.rest.go(point, Vec2::new(0.13, 0.21))).collect()
    }

    /// Asserts that every stand is, to the bit, what is evaluated anew.
    fn assert_up_to_date(stood: &Stood, model: &Model, skin: &[SurfacePoint], after: &str) {
        for (v, stand) in stood.stands.iter().enumerate() {
            let anew = Stand::level(model, skin, v);
            assert_eq!(format!("{stand:?}"), format!("{anew:?}"), "vertex {v} after {after}");
        }
        for (over, &t) in stood.over.iter().zip(model.active()) {
            let stands = model.rest.mesh().triangles[t as usize].map(|v| &stood.stands[v as usize]);
            assert_eq!(*over, is_over(&model.thresholds, stands), "triangle {t} after {after}");
        }
    }

    #[test]
    fn a_stand_is_evaluated_again_whatever_of_its_point_has_changed() {
        let model = model();
        let (mut stood, mut skin) = (Stood::new(model.len(), model.active().len()), skin(&model));
        stood.find(&model, &skin);
        assert_up_to_date(&stood, &model, &skin, "the first skin");
        for v in [FREE, FIXED, ALONG] {
            // By round-off a weight may change alone.
            for changed in 0..3 {
                skin[v].weights[changed] *= 1.0 + 1e-12;
                stood.find(&model, &skin);
                assert_up_to_date(&stood, &model, &skin, "a change of one weight");
            }
            skin[v].triangle += 2;
            stood.find(&model, &skin);
            assert_up_to_date(&stood, &model, &skin, "another triangle");
            skin[v].weights.rotate_left(1);
            stood.find_at(&model, &skin, v);
            assert_up_to_date(&stood, &model, &skin, "a change of this vertex alone");
        }
    }

    #[test]
    fn all_stand_anew_on_another_shape() {
        let mut model = model();
        let (mut stood, skin) = (Stood::new(model.len(), model.active().len()), skin(&model));
        stood.find(&model, &skin);
        let longer: Vec<Vec3> =
            model.rest.mesh().positions.iter().map(|p| Vec3::new(1.2 * p.x, p.y, p.z)).collect();
        model.act(&longer).unwrap();
        stood.find(&model, &skin);
        assert_up_to_date(&stood, &model, &skin, "another shape");
        model.rest_again();
        stood.find(&model, &skin);
        assert_up_to_date(&stood, &model, &skin, "the shape of before");
    }

    #[test]
    fn what_slides_along_a_direction_follows_the_skin_around_it() {
        let model = model();
        let (mut stood, mut skin) = (Stood::new(model.len(), model.active().len()), skin(&model));
        stood.find(&model, &skin);
        let before = format!("{:?}", stood.stands[ALONG]);
        let next = model.rest.edges().around(ALONG as u32).next().unwrap() as usize / 3;
        let corners = model.rest.mesh().triangles[next];
        let other = corners.into_iter().find(|&v| v as usize != ALONG).unwrap() as usize;
        skin[other] = model.rest.go(&skin[other], Vec2::new(0.3, -0.1));
        stood.find(&model, &skin);
        assert_up_to_date(&stood, &model, &skin, "a motion of its neighbour");
        assert_ne!(format!("{:?}", stood.stands[ALONG]), before);
    }

    #[test]
    fn the_stand_of_a_vertex_that_did_not_move_is_kept() {
        let model = model();
        let (mut stood, mut skin) = (Stood::new(model.len(), model.active().len()), skin(&model));
        stood.find(&model, &skin);
        for v in [FREE, FIXED] {
            stood.stands[v].curvature = 7.0;
        }
        skin[FREE + 1] = model.rest.go(&skin[FREE + 1], Vec2::new(0.3, -0.1));
        stood.find(&model, &skin);
        stood.find_at(&model, &skin, FREE);
        assert_eq!([FREE, FIXED].map(|v| stood.stands[v].curvature), [7.0; 2]);
    }
}
