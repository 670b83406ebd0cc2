//! The tendon finger and the tendon hand.

#[path = "../support/arms.rs"]
mod arms;
#[path = "../support/mjcf.rs"]
mod mjcf;
#[path = "../support/soak.rs"]
mod soak;
#[path = "../support/strand_host.rs"]
mod strand_host;
#[path = "../support/strand_run.rs"]
mod strand_run;
#[path = "../../examples/support/mod.rs"]
mod support;

mod anatomy;
mod claims;
mod conditions;
mod everywhere;
mod finger;
mod hand;
mod mujoco;
mod presets;
