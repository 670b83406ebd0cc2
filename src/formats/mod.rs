//! Files, one module each. Readers take bytes or text, so that they can be fuzzed; nothing is written but through
//! [`atomic::AtomicFile`], so that no reader ever meets half a file. [`FORMATS`] is the table of what there is.

pub mod alembic;
pub mod atomic;
pub mod bvh;
pub mod cache;
mod csv;
pub mod file;
mod format;
pub mod gltf;
pub mod image;
pub mod inside;
pub mod joints;
pub mod map;
pub mod mesh;
pub mod obj;
pub mod over;
pub mod picture;
pub mod points;
pub mod provenance;
pub mod rate;
pub mod rows;
pub mod sequence;
pub mod shot;
pub mod sink;
pub mod strand_scene;
pub mod strand_state;
pub mod table;
pub mod usd;
pub mod weights;
pub mod xml;

pub use csv::{first_row, read_text};
pub use format::{FORMATS, Format, Holds, Row, table as format_table};
