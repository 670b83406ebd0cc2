//! HandThesis: strands, rigid bones and what ties them together.

pub mod segment;
