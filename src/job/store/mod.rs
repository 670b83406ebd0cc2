//! Results of frames as numbers, and what a run leaves in the output folder for later ones: solved frames, hashes of
//! files, the lock.

pub(crate) mod arrays;
pub(crate) mod finished;
pub(crate) mod manifest;
pub(crate) mod record;
pub(crate) mod work;
