//! Jobs: from the files that a scene names to everything that it asks for, frame by frame, in bounded memory.
//!
//! A job of the skin slider stores what each frame gave in a folder of its own ([`Moment`]) before it writes that frame's
//! files, and what the skin remembers after them. So a run that was killed goes on with the next frame and the same
//! bits, and files that hold all frames are made from the stored ones at the end.

mod arrays;
mod caches;
mod graph;
mod groom;
mod manifest;
mod moment;
mod names;
mod outputs;
mod parts;
mod ride;
mod run;
mod scene_file;
mod seams;
mod skinning;
mod sliding;
mod surface;
mod tables;
mod textures;
mod work;

pub use caches::check_whole;
pub use manifest::Listed;
pub use moment::Moment;
pub use parts::{Sinks, Solver};
pub use run::{Job, Summary, Way};
pub use scene_file::SceneFile;
pub use skinning::Skinning;
pub use sliding::Sliding;
