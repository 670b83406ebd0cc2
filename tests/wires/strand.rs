//! none yet
pub const ROWS: &[&[&str]] = &[];
