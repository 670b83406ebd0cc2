//! Jobs: from the files of a scene to all its outputs, frame by frame, in bounded memory.
//!
//! A scene becomes a graph of nodes ([`Graph`]), which computes frame after frame, and files made from the results. For
//! each frame, a run first stores the results ([`Moment`]) in its working folder, then writes the frame's files, and
//! finally stores the nodes' state. So a run that was killed resumes at the next frame with the same bits, files that
//! hold all frames are made from the stored ones at the end, and other runs, in other processes too, can make a part of
//! the files ([`Plan`]).

mod alone;
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
pub use names::named;
pub use plan::{Only, Plan, Way};
pub use prepared::{Look, clean, look};
pub use run::Job;
pub use scene_file::{SceneFile, param_files};
pub use summary::Summary;
