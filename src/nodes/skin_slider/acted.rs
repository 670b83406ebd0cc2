//! The body before bones move it, as a surface on which skin can rest.

use super::Running;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::measure::triangle_areas;
use sinew_math::{Real, Vec3};
use sinew_skin::rest::Rest;

/// A triangle with less than this part of its area at rest counts as closed.
const CLOSED: Real = 1e-3;
/// How far the vertices of closed triangles go back to their places at rest, as a part of the way: a lid of 10 mm that
/// closes is left open by half a millimetre, for the skin only.
const BACK: Real = 0.05;

impl Running {
    /// The skin rests on the body before bones move it, or on the mesh at rest where none is given.
    pub(super) fn act(&mut self, acted: &[Vec3]) -> Result<()> {
        if acted.is_empty() {
            self.rest_again();
            return Ok(());
        }
        if self.paper.is_some() {
            let message = "the paper's integrator knows no body before bones: disconnect it";
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let shape = surface(self.full.at_rest(), acted);
        self.full.act(&shape)?;
        if let Some(proxy) = &mut self.proxy {
            let shape = surface(proxy.model.at_rest(), &proxy.body(acted));
            proxy.model.act(&shape)?;
        }
        Ok(())
    }

    pub(super) fn rest_again(&mut self) {
        self.full.rest_again();
        if let Some(proxy) = &mut self.proxy {
            proxy.model.rest_again();
        }
    }
}

/// The shape of a surface at rest under shapes. Shapes close triangles, those of lids and lips, and on a triangle
/// without area nothing can lie: its vertices go back a little.
fn surface(rest: &Rest, acted: &[Vec3]) -> Vec<Vec3> {
    let mesh = rest.mesh();
    let mut shape = sinew_geometry::TriMesh { positions: acted.to_vec(), ..mesh.clone() };
    let areas = triangle_areas(&shape);
    let mut closed = vec![false; acted.len()];
    for (t, corners) in mesh.triangles.iter().enumerate() {
        if rest.has_area(t) && areas[t] < CLOSED * rest.areas()[t] {
            corners.iter().for_each(|&v| closed[v as usize] = true);
        }
    }
    for (v, place) in shape.positions.iter_mut().enumerate().filter(|(v, _)| closed[*v]) {
        *place += (mesh.positions[v] - *place) * BACK;
    }
    shape.positions
}
