//! Jobs: from the files of a scene to all its outputs, frame by frame, in bounded memory.
//!
//! A scene becomes a graph of nodes ([`Graph`]), which computes frame after frame, and files made from the results. For
//! each frame, a run first stores the results ([`FrameRecord`]) in its working folder, then writes the frame's files,
//! and finally stores the nodes' state. So a run that was killed resumes at the next frame with the same bits, files
//! that hold all frames are made from the stored ones at the end, and other runs, in other processes too, can make a
//! part of the files ([`Plan`]).
//!
//! | room | what is in it |
//! |---|---|
//! | `scene_file` | a scene and where it came from: files resolved, errors placed |
//! | `store` | results of frames, and what a run leaves for later ones: solved frames, hashes, the lock |
//! | `graph` | the nodes, what feeds them, and their steps |
//! | `outputs` | the files of a job: one module for each kind |
//! | `request` | a run as people and hosts ask for it |
//! | `run` | a job from its first frame to its last file, or a part of it |
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod graph;
mod outputs;
mod request;
mod run;
mod scene_file;
mod store;

pub use graph::Graph;
pub use outputs::names::named;
pub use request::{Outcome, Request, Watch};
pub use run::Job;
pub use run::plan::{Only, Plan, Way};
pub use run::prepared::{Look, clean};
pub use run::summary::Summary;
pub use scene_file::{SceneFile, param_files};
pub use store::manifest::Listed;
pub use store::record::FrameRecord;
