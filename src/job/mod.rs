//! Jobs: from the files that a scene names to everything that it asks for, frame by frame, in bounded memory.
//!
//! What a scene says becomes a graph of nodes ([`Graph`]), which computes frame after frame, and the files that are made of
//! what they give. A run stores what each frame gave in a folder of its own ([`Moment`]) before it writes that frame's files, and
//! what the nodes remember after them. So a run that was killed goes on with the next frame and the same bits, files that
//! hold all frames are made from the stored ones at the end, and other runs, in other processes too, can make a part of the
//! files ([`Plan`]).

mod arrays;
mod caches;
mod finished;
mod graph;
mod groom;
mod manifest;
mod moment;
mod names;
mod outputs;
mod plan;
mod prepared;
mod ride;
mod run;
mod samples;
mod scene_file;
mod seams;
mod sinks;
mod summary;
mod surface;
mod tables;
mod textures;
mod work;

pub use graph::Graph;
pub use manifest::Listed;
pub use moment::Moment;
pub use plan::{Only, Plan, Way};
pub use prepared::{Look, clean, look};
pub use run::Job;
pub use scene_file::{SceneFile, param_files};
pub use summary::Summary;
