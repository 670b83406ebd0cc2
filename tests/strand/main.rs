//! Strands, bodies and joints: the solver, scenes, the node and the commands.

#[path = "../support/judges.rs"]
mod judges;
#[path = "../support/strand_folder.rs"]
mod strand_folder;
#[path = "../support/strand_host.rs"]
mod strand_host;
#[path = "../support/strand_play.rs"]
mod strand_play;
#[path = "../support/strand_run.rs"]
mod strand_run;
#[path = "../support/strand_said.rs"]
mod strand_said;

mod authoring;
mod authoring_cli;
mod bodies;
mod change;
mod cli;
mod curves;
mod goals;
mod graph;
mod heavy;
mod hill;
mod lateral;
mod ligaments;
mod limits;
mod losses;
mod measures;
mod motions;
mod node;
mod node_errors;
mod reach;
mod reel;
mod ropes;
mod scene;
mod space;
mod tensions;
mod turns;
mod warned;
