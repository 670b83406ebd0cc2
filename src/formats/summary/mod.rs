//! Summaries, for `sinew info`, of formats that several modules read: a numbered OBJ sequence is also moving points,
//! and a table may hold joints, weights, maps or numbers by frame.

mod by_frame;
pub mod obj;
pub mod table;
