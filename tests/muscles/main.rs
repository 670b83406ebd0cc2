//! Muscles: the node, the tools, the human's set, other characters.

#[path = "../../examples/support/human/mod.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod human;
#[path = "../support/judges.rs"]
mod judges;
#[path = "../../examples/support/muscle_body/mod.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod muscle_body;
#[path = "../support/soak.rs"]
mod soak;
#[path = "../support/strip.rs"]
mod strip;

mod altered;
mod body;
mod broken;
mod characters;
mod cli;
mod correctives;
mod described;
mod girth;
mod made;
mod mesh;
mod mirrored;
mod node;
mod odd_bodies;
mod painted;
mod preview;
mod reported;
mod under;
