//! A job of a single frame of something that evolves from a start.

use super::super::scene_file::SceneFile;

/// The parameter that says what such a node shows in its first frame, and its value for the start itself.
const FIRST_FRAME: [&str; 2] = ["first_frame", "start"];

/// The warning about a range of one frame of a node that begins with the range: frame 24 alone would show its start, or
/// one frame after it, as frame 24. A preroll asks for just that.
pub(super) fn warning(file: &SceneFile, frames: &[i64]) -> Option<String> {
    let (Some(element), &[only]) = (&file.scene.frames, frames) else { return None };
    // Ranges from the command line continue a saved state, or have more frames.
    if only <= 0 || element.line.0 == 0 || element.range.is_none() {
        return None;
    }
    let evolves = |kind: &str| {
        let params = sinew_nodes::find(kind).map_or(&[][..], |found| found.descriptor.params);
        params.iter().any(|param| param.id == FIRST_FRAME[0])
    };
    let node = file.scene.nodes.iter().find(|node| evolves(&node.kind))?;
    if node.params.iter().any(|param| param.id == "preroll") {
        return None;
    }
    let [id, start] = FIRST_FRAME;
    let starts = node.params.iter().any(|param| param.id == id && param.value.as_deref() == Some(start));
    let what = if starts { "the start of" } else { "one frame after the start of" };
    Some(format!(
        "frame {only} shows {what} {}, which begins with the range; for what is there after {only} frames, write \
         range=\"0-{only}\" and choose the frame with `sinew run --frames {only}`",
        node.called()
    ))
}
