//! Muscles and pads outside the body: they can still carry skin that happens to be near.

use super::model::Model;
use sinew_base::error::Result;
use sinew_geometry::{ClosestPoint, TriMesh, Winding};
use sinew_math::Real;

/// The skin at rest, which may have holes, face inwards and consist of several pieces.
pub struct Body {
    skin: TriMesh,
    /// `None` if the skin is too open to have an inside: then nothing is known to be outside.
    winding: Option<Winding>,
}

/// Where along its line a muscle is looked for: so many places, evenly spaced.
const PLACES: usize = 8;
/// A muscle is outside if so many of them are. One whose ends reach out, or that runs along the skin, is left alone.
const MOST: usize = 6;
/// A pad is outside if its centre is, and if no skin is nearer to it than this fraction of its radius: pads that swing
/// under the skin are often centred on it.
const APART: Real = 0.5;

impl Body {
    /// Of the skin at rest.
    pub fn new(skin: TriMesh) -> Self {
        Body { winding: Winding::new(&skin), skin }
    }

    /// Whether the middle of a muscle is inside skin that faces inwards.
    pub fn is_inside_out(&self, model: &Model, muscle: usize) -> bool {
        let middle = model.rest_curve(muscle).at(0.5);
        self.winding.as_ref().is_some_and(|winding| winding.inside_out(&middle))
    }

    /// The muscles and the pads most of which is outside.
    pub fn outside(&self, model: &Model) -> Result<(Vec<usize>, Vec<usize>)> {
        let Some(winding) = &self.winding else { return Ok(Default::default()) };
        let strays = |muscle: &usize| {
            let curve = model.rest_curve(*muscle);
            let place = |k: usize| curve.at((k as Real + 0.5) / PLACES as Real);
            (0..PLACES).filter(|k| !winding.inside(&place(*k))).count() >= MOST
        };
        let muscles = (0..model.parts().muscles.len()).filter(strays).collect();
        let pads = &model.parts().pads;
        let mut stray: Vec<usize> =
            (0..pads.len()).filter(|&pad| !winding.inside(&pads[pad].centre.point)).collect();
        if !stray.is_empty() {
            let closest = ClosestPoint::new(&self.skin)?;
            stray.retain(|&pad| closest.find(&pads[pad].centre.point, APART * pads[pad].radius).is_none());
        }
        Ok((muscles, stray))
    }
}
