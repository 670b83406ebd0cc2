//! The wires of the node `strand`, by closed forms on single bodies, a tug of war, a pulley and a forearm with a hand.

#[path = "strand/goals.rs"]
mod goals;
#[path = "strand/motion.rs"]
mod motion;
#[path = "strand/sources.rs"]
mod sources;
#[path = "strand/strands.rs"]
mod strands;

use super::host::Host;

pub const ROWS: &[&[&str]] = &[goals::ROWS, motion::ROWS, sources::ROWS, strands::ROWS];

/// A scene in small steps.
fn play(inside: &str, params: &[(&str, &str)]) -> Host {
    let text = format!("<strand_scene version=\"1\"><settings step=\"0.0001\"/>{inside}</strand_scene>");
    let mut host = Host::new("strand", &[("source", "scene"), ("scene", &text)]);
    params.iter().for_each(|(id, text)| host.set(id, text));
    host
}

/// A body that nothing holds.
const STONE: &str = r#"<body name="stone" at="1 2 3"><cuboid size="0.1 0.1 0.1"/></body>"#;

/// A muscle of 30 N that pulls a point along a line away from the world's end of a strand; EA is 20 kN.
const TUG: &str = r#"
<point name="belly" at="-0.02 0 0"/><point name="end" at="0.1 0 0" on="world"/>
<line name="path" from="0 0 0" to="-0.1 0 0"/><on_curve point="belly" curve="path"/>
<strand name="cord" stiffness="2e4" radius="0.003" axial_damping="0.002"><node point="belly"/><node point="end"/></strand>
<muscle name="puller" point="belly" curve="path" strength="30" damping="50" activation="0.25"/>"#;
