//! Our files beside the libraries and programs that others read and write them with.

#[path = "../support/judges.rs"]
mod judges;
#[path = "../support/soak.rs"]
mod soak;

mod bvh;
mod gltf;
mod texture;
mod usd;
mod usd_composed;
mod usd_posed;
