//! Sculpting: turns the vertices that an artist moved into offsets in the set.

use super::Rig;
use super::upright::fix_ups;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use sinew_muscle::{Frames, Model};
use sinew_scene::muscles::{MuscleElement, MuscleSet, OffsetElement};
use sinew_scene::schema::Line;
use sinew_scene::strand::values::Triple;

/// Hosts keep points in single precision: a vertex that moves less than this many of its steps was not sculpted.
const STEPS: Real = 16.0;

/// Sculpts all muscles so that their vertices at rest lie at the given points: ring after ring and muscle after muscle,
/// without those of muscles that the rig leaves out. Points and rig are in metres with y up, `frames` as in the node. A
/// sheet whose muscles were sculpted one by one becomes single muscles, and so does a muscle with several heads.
/// Sculpted muscles without an up-vector get the one that they have from their joints. Returns the number of vertices
/// that differ from the unsculpted shape; on an error the set stays as it was.
pub fn sculpt(set: &mut MuscleSet, rig: &Rig, frames: Frames, points: &[Vec3]) -> Result<usize> {
    let unit = set.units()?.metres_per_unit();
    let mut plain = set.clone();
    plain.muscles.iter_mut().for_each(|e| e.offsets.clear());
    let built = plain.parts(rig.names)?;
    let model = Model::new(built.parts, rig.rest, frames)?;
    if points.len() != model.points().len() {
        let message = format!(
            "{} points for the {} vertices of the muscles; sculpting must not add or remove vertices",
            points.len(),
            model.points().len()
        );
        return Err(Error::new(Kind::CountMismatch, message));
    }
    if let Some(vertex) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(Error::new(Kind::NotFinite, "a sculpted vertex is not finite").vertex(vertex));
    }
    let mut singles: Vec<Vec<MuscleElement>> = set.muscles.iter().map(MuscleElement::singles).collect();
    let mut places: Vec<&mut MuscleElement> = singles.iter_mut().flatten().collect();
    let mut moved = 0;
    for (muscle, item) in built.kept.iter().enumerate() {
        let sculpted = offsets(&model, muscle, points, unit);
        moved += sculpted.len();
        // Those of vertices that are not there are not for this tool to throw away.
        let mut kept = std::mem::take(&mut places[*item].offsets);
        kept.retain(|offset| !offset.fits(places[*item]));
        places[*item].offsets = sculpted.into_iter().chain(kept).collect();
    }
    let elements = plain.muscles.into_iter().zip(singles);
    plain.muscles = elements.flat_map(|(e, singles)| together(e, singles)).collect();
    fix_ups(&mut plain, rig)?;
    *set = plain;
    Ok(moved)
}

/// The sculpted vertices of a muscle.
fn offsets(model: &Model, muscle: usize, points: &[Vec3], unit: Real) -> Vec<OffsetElement> {
    let (vertices, rings) = (model.vertices_of(muscle), model.rings_of(muscle));
    let divisions = model.parts().muscles[muscle].divisions;
    let offset = |(k, vertex): (usize, usize)| {
        let (before, after) = (model.points()[vertex], points[vertex]);
        let step = STEPS * Real::from(f32::EPSILON) * after.amax().max(before.amax());
        let by = model.ring_axes()[rings.start + k / divisions].transpose() * (after - before);
        let (ring, place) = ((k / divisions) as u32, (k % divisions) as u32);
        let made = OffsetElement { ring, vertex: place, by: Triple((by / unit).into()), line: Line(0) };
        (by.amax() > step).then_some(made)
    };
    vertices.enumerate().filter_map(offset).collect()
}

/// One element again if its muscles have the same offsets, as those of a sheet do; otherwise the single muscles.
fn together(e: MuscleElement, singles: Vec<MuscleElement>) -> Vec<MuscleElement> {
    let sheet = singles.len() - e.heads.len();
    let alike = singles[..sheet].windows(2).all(|pair| pair[0].offsets == pair[1].offsets);
    if alike && singles[sheet..].iter().all(|head| head.offsets.is_empty()) {
        return vec![MuscleElement { offsets: singles[0].offsets.clone(), ..e }];
    }
    singles
}
