//! What strands and muscles do, on a tug of war and on two weights over a pulley.

use super::super::host::{Host, near, within};
use super::{TUG, play};
use sinew::math::Real;

super::super::rows! {
    "input activations" => activations,
    "output activations" => activations_out,
    "output tensions" => tensions,
    "output strand_points" => strand_points,
    "output strand_counts" => strand_counts,
    "output strand_radii" => strand_radii,
    "output strand_materials" => strand_materials,
    "output strand_lengths" => strand_lengths,
    "output strand_cuts" => strand_cuts,
    "param details" => details,
}

/// A tug of war that has come to rest.
fn tug(activation: Option<Real>) -> Host {
    let mut host = play(TUG, &[("step", "0.0005")]);
    activation.into_iter().for_each(|pull| host.give("activations", &[pull]));
    (1..=8).for_each(|frame| drop(host.frame(frame)));
    host
}

/// At rest the strand bears what the muscle pulls: its strength times the activation, the scene's own without the
/// input.
fn activations() {
    for (given, expected) in [(None, 7.5), (Some(0.1), 3.0), (Some(1.0), 30.0)] {
        near(tug(given).read("tensions")[0], expected, 0.01);
    }
    each_muscle(&two_tugs([0.6, 0.3]), [0.6, 0.3]);
}

/// Two tugs of war, the second of which is drawn with 60 N at most.
fn two_tugs(pulls: [Real; 2]) -> Host {
    let names = ["belly", "end", "path", "cord", "puller"];
    let second = names.iter().fold(TUG.replace(" 0 0\"", " 1 0\""), |text, name| {
        text.replace(&format!("\"{name}\""), &format!("\"second {name}\""))
    });
    let text = format!("{TUG}{}", second.replace("strength=\"30\"", "strength=\"60\""));
    let mut host = play(&text, &[("step", "0.0005")]);
    host.give("activations", &pulls);
    (1..=8).for_each(|frame| drop(host.frame(frame)));
    host
}

/// Muscle by muscle in their order.
fn each_muscle(host: &Host, pulls: [Real; 2]) {
    assert_eq!(host.read("activations"), pulls);
    let tensions = host.read("tensions");
    near(tensions[0], 30.0 * pulls[0], 0.01);
    near(tensions[1], 60.0 * pulls[1], 0.01);
}

fn activations_out() {
    each_muscle(&two_tugs([0.1, 0.8]), [0.1, 0.8]);
    for (given, expected) in [(None, 0.25), (Some(0.7), 0.7)] {
        assert_eq!(tug(given).read("activations"), [expected]);
    }
}

/// Two weights on a cord over a pulley, after a quarter of a second: the heavier has come down by 1.962 t^2 / 2.
fn pulley() -> (Host, Real) {
    let scene = ("scene", include_str!("../../../examples/strand/weight.xml"));
    let mut host = Host::new("strand", &[("source", "scene"), scene, ("step", "0.0005")]);
    (1..=6).for_each(|frame| drop(host.frame(frame)));
    (host, 0.5 * 1.962 / 16.0)
}

/// 2 m1 m2 g / (m1 + m2) on both sides, and one fewer than there are nodes.
fn tensions() {
    let tensions = pulley().0.read("tensions");
    assert_eq!(tensions.len(), 2);
    tensions.iter().for_each(|tension| near(*tension, 2.3544, 0.01));
}

fn strand_points() {
    let (host, way) = pulley();
    let points = host.vectors("strand_points");
    assert_eq!(points.len(), 3);
    within(points[0].y, -0.5 - way, 2e-3 * way + 5e-4);
    within(points[2].y, -0.5 + way, 2e-3 * way + 5e-4);
    within(points[1].norm(), 0.0, 1e-9);
}

fn strand_counts() {
    assert_eq!(pulley().0.read("strand_counts"), [3.0]);
    let two = format!(
        "{TUG}<strand name=\"more\" stiffness=\"1e4\"><node point=\"end\"/><node point=\"x\"/><node \
         point=\"y\"/></strand><point name=\"x\" at=\"0.2 0 0\" on=\"world\"/><point name=\"y\" at=\"0.3 0 0\" \
         on=\"world\"/>"
    );
    let mut host = play(&two, &[]);
    host.frame(1);
    assert_eq!(host.read("strand_counts"), [2.0, 3.0]);
}

fn strand_radii() {
    assert_eq!(tug(None).read("strand_radii"), [0.003]);
    let more = r#"<strand name="more" radius="0.002" stiffness="1e4"><node point="end"/><node point="x"/></strand>
<point name="x" at="0.2 0 0" on="world"/>"#;
    let mut host = play(&format!("{TUG}{more}"), &[]);
    host.frame(1);
    assert_eq!(host.read("strand_radii"), [0.003, 0.002]);
}

/// What lies at the pulley has come from the light side: the material there is as much farther along.
fn strand_materials() {
    let (host, way) = pulley();
    let materials = host.read("strand_materials");
    let leg = (0.25 as Real + 1e-4).sqrt();
    within(materials[0], 0.0, 1e-9);
    within(materials[1], leg + way, 1e-3 * leg);
    within(materials[2], 2.0 * leg, 1e-3 * leg);
}

/// From end to end: as long as its points are apart, and by T / EA longer than its material.
fn strand_lengths() {
    let host = tug(Some(1.0));
    let points = host.vectors("strand_points");
    let length = host.read("strand_lengths")[0];
    within(length, (points[1] - points[0]).norm(), 1e-12);
    let materials = host.read("strand_materials");
    near(length / (materials[1] - materials[0]) - 1.0, 30.0 / 2e4, 0.01);
    near(length, 0.12 * (1.0 + 30.0 / 2e4), 1e-4);
    // Strand by strand in their order.
    let lengths = two_tugs([0.1, 1.0]).read("strand_lengths");
    near(lengths[0], 0.12 * (1.0 + 3.0 / 2e4), 1e-4);
    near(lengths[1], 0.12 * (1.0 + 60.0 / 2e4), 1e-4);
}

/// Segment by segment, strand after strand, from when they are cut.
fn strand_cuts() {
    let more = r#"<point name="x" at="0.2 0 0" on="world"/><point name="y" at="0.3 0 0"/><point name="z" at="0.4 0 0" on="world"/>
<strand name="more" density="1" stiffness="1e4"><node point="end"/><node point="x"/><node point="y"/><node point="z"/></strand>
<cut time="0.06" strand="more" segment="1"/>"#;
    let mut host = play(&format!("{TUG}{more}"), &[]);
    for (frame, cut) in [(1, 0.0), (2, 1.0), (3, 1.0)] {
        host.frame(frame);
        assert_eq!(host.read("strand_cuts"), [0.0, 0.0, cut, 0.0], "frame {frame}");
        assert_eq!(host.count("strand_cuts"), host.count("tensions"));
    }
}

/// With `details`, the report lists tensions by the names of strands.
fn details() {
    for (given, reported) in [("false", false), ("true", true)] {
        let report = play(TUG, &[("details", given)]).frame(1);
        let tension = report.details["tensions"]["cord"][0].as_f64();
        assert_eq!((tension.is_some(), report.details.is_object()), (reported, reported));
    }
}
