//! A job of a single frame of something that evolves from a start.

use super::SceneFile;
use crate::error::{Error, Kind, Result};

/// The parameter that says what such a node shows in its first frame, and its value for the start itself.
const FIRST_FRAME: [&str; 2] = ["first_frame", "start"];

/// Refuses a range of one frame where the node would show its start, because it begins with the range; where it shows
/// one frame after its start, that is a warning.
pub(super) fn check(file: &SceneFile, frames: &[i64]) -> Result<Option<String>> {
    let (Some(element), [only]) = (&file.scene.frames, frames) else { return Ok(None) };
    let evolves = |kind: &str| {
        let params = crate::nodes::find(kind).map_or(&[][..], |found| found.descriptor.params);
        params.iter().any(|param| param.id == FIRST_FRAME[0])
    };
    let Some(node) = file.scene.nodes.iter().find(|node| evolves(&node.kind)) else { return Ok(None) };
    // Ranges from the command line continue a saved state, or have more frames.
    if element.line.0 == 0 || element.range.is_none() {
        return Ok(None);
    }
    let starts = node.params.iter().any(|param| [param.id.as_str(), param.value.as_str()] == FIRST_FRAME);
    let cure = format!(
        "write a range that begins where the simulation begins, such as range=\"0-{only}\", and `sinew run --frames {only}` \
         to write this frame alone"
    );
    match starts {
        true => {
            let message = format!(
                "frame {only} alone would show the start of {}, not what follows: {cure}",
                node.called()
            );
            Err(file.place(Error::new(Kind::InvalidArgument, message), "frames", element.line))
        }
        false => Ok(Some(format!(
            "frame {only} shows {} one frame after its start: for a later one, {cure}",
            node.called()
        ))),
    }
}
