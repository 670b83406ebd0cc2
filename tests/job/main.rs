//! `sinew run` from outside.

#[path = "../support/judges.rs"]
mod judges;
#[path = "../support/strand_host.rs"]
mod strand_host;
#[path = "../support/strip.rs"]
mod strip;

mod cage;
mod care;
mod graph;
mod inputs;
mod joint_rates;
mod language;
mod layers;
mod lean;
mod moved;
mod outputs;
mod own_node;
mod params;
mod pictures;
mod rates;
mod runs;
mod samples;
mod two_meshes;
