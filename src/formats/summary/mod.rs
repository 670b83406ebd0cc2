//! Summaries, for `sinew info`, of formats that several modules read: a numbered OBJ sequence is also moving points, and a
//! table may hold joints, weights or maps.

pub mod obj;
pub mod table;
