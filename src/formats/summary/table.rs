//! What tables hold.

use super::by_frame;
use crate::contents::{Asked, Contents};
use crate::csv::{first_row, read_text};
use crate::{joints, map, weights};
use serde_json::json;
use sinew_base::error::Result;
use sinew_math::Real;
use std::path::Path;

/// The first row of a table shows its kind: joints have a matrix per row, weights the name of a joint or a header,
/// numbers by frame a header.
pub fn describe(path: &Path, _: &Asked) -> Result<Contents> {
    let text = read_text(path)?;
    let first = first_row(&text);
    let is_number = |cell: &&str| cell.parse::<Real>().is_ok();
    if by_frame::is_one(&text) {
        return by_frame::describe(&text).map_err(|e| e.file(path));
    }
    let parsed = if first.len() == joints::COLUMNS {
        joints::parse(&text).map(|animation| animation.summary())
    } else if first.len() == weights::COLUMNS && !first.iter().all(is_number) {
        weights::contents(&text).map(|found| {
            let carriers = format!("{}s", found.carrier.name());
            json!({ "holds": "weights", "rows": found.rows, "vertices": found.vertices, carriers: found.names })
        })
    } else {
        map::parse_csv(&text).map(|map| map.summary())
    };
    parsed.map(Contents::from).map_err(|e| e.file(path))
}
