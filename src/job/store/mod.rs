//! Results of frames as numbers, and what a run leaves in the output folder for later ones: solved frames, hashes of
//! files, the lock.

pub(in crate::job) mod arrays;
pub(in crate::job) mod finished;
pub(in crate::job) mod manifest;
pub(in crate::job) mod moment;
pub(in crate::job) mod work;
