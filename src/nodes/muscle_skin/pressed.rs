//! The muscles that are shown, pressed under the skin.

use super::super::value::Inputs;
use sinew_base::error::Result;
use sinew_geometry::TriMesh;
use sinew_math::Real;
use sinew_muscle::{Model, Press, Scratch};

/// The skin at hand over the muscles at hand.
#[derive(Default)]
pub(super) struct Pressed {
    /// With the revisions of the mesh and of the model.
    made: Option<([u64; 2], Press)>,
}

impl Pressed {
    /// Presses the points of muscles under skin with these points, if anybody looks at them.
    pub fn press(
        &mut self,
        inputs: &Inputs,
        (model, number): (&Model, u64),
        scratch: &mut Scratch,
        skin: &[Real],
    ) -> Result<()> {
        let part = inputs.real("under_skin")?;
        let is_seen = part > 0.0 && inputs.wants("muscle_points")? && !scratch.points.is_empty();
        let (true, Ok(mesh)) = (is_seen, inputs.mesh("mesh")) else { return Ok(()) };
        let key = [inputs.revision("mesh")?, number];
        let press = match &mut self.made {
            Some((known, press)) if *known == key => press,
            made => {
                let skin = TriMesh::from_mesh(mesh).map_err(|e| e.port("mesh"))?;
                let press = Press::new(model, skin).map_err(|e| e.port("mesh"))?;
                &mut made.insert((key, press)).1
            }
        };
        press.press(skin, part, &mut scratch.points);
        Ok(())
    }
}
