//! What files hold whose words are read by several modules above them: numbered OBJ files are moving points, tables may be
//! joints, weights or maps.

pub mod obj;
pub mod table;
