//! What muscles are to bring about, on a forearm with a hand that two muscles turn either way.

use super::super::host::{Host, near, within};
use super::play;
use sinew::math::Real;

super::super::rows! {
    "input goal_joints" => goal_joints,
    "input goal_motions" => goal_motions,
    "input goal_bodies" => goal_bodies,
    "input goal_points" => goal_points,
    "input goal_places" => goal_places,
    "param goal_time" => goal_time,
    "param goal_place_weight" => goal_place_weight,
}

/// Two hands on hinges a metre apart, each with a muscle above and one below; nothing has weight.
fn hands() -> Host {
    let hand = |name: &str, y: Real| {
        let muscle = |side: &str, up: Real| {
            format!(
                r#"<point name="{name}{side}" at="-0.02 {a} 0"/><point name="{name}{side} over" at="0.1 {a} 0" on="world"/>
<point name="{name}{side} end" at="0.15 {b} 0" on="{name}"/><line name="{name}{side}" from="0 {a} 0" to="-0.1 {a} 0"/>
<on_curve point="{name}{side}" curve="{name}{side}"/>
<strand name="{name}{side}" stiffness="2e4" axial_damping="0.002"><node point="{name}{side}"/>
<node point="{name}{side} over" kind="eulerian"/><node point="{name}{side} end"/></strand>
<muscle name="{name}{side}" point="{name}{side}" curve="{name}{side}" strength="30" damping="20"/>"#,
                a = y + 0.03 * up,
                b = y + 0.012 * up
            )
        };
        format!(
            r#"<body name="{name}" at="0.15 {y} 0"><cuboid size="0.1 0.02 0.06"/></body>
<joint name="{name}" child="{name}" at="0.1 {y} 0"><axis name="turn_z" may="-80 80" damping="0.01"/></joint>{}{}"#,
            muscle("up", 1.0),
            muscle("down", -1.0)
        )
    };
    play(&format!("{}{}", hand("a", 0.0), hand("b", 1.0)), &[("gravity", "0"), ("step", "0.002")])
}

/// The turns of both after so many frames.
fn turns(host: &mut Host, frames: i64) -> [Real; 2] {
    (1..=frames).for_each(|frame| drop(host.frame(frame)));
    let turns = host.read("joint_turns");
    [turns[2], turns[5]]
}

/// The second hand is turned, and the first one is not.
fn goal_joints() {
    let mut host = hands();
    host.name("goal_joints", &[1, 2, 0, 2]);
    host.give("goal_motions", &[10.0, -5.0]);
    let [first, second] = turns(&mut host, 20);
    within(first, -5.0, 0.3);
    within(second, 10.0, 0.3);
}

fn goal_motions() {
    for goal in [12.0, -20.0] {
        let mut host = hands();
        host.name("goal_joints", &[0, 2]);
        host.give("goal_motions", &[goal]);
        within(turns(&mut host, 20)[0], goal, 0.3);
    }
}

/// Where a point of a hand is when its joint is turned; `off` from the joint, along the hand.
fn turned(y: Real, off: Real, degrees: Real) -> [Real; 3] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [0.1 + off * cos, y + off * sin, 0.0]
}

fn goal_bodies() {
    let mut host = hands();
    host.name("goal_bodies", &[1, 0]);
    host.give("goal_points", &[0.05, 0.0, 0.0, 0.05, 0.0, 0.0]);
    host.give("goal_places", &[turned(1.0, 0.1, 10.0), turned(0.0, 0.1, -5.0)].concat());
    let [first, second] = turns(&mut host, 30);
    within(first, -5.0, 0.5);
    within(second, 10.0, 0.5);
}

/// The point is one of the body: at the same height, another point asks for another turn.
fn goal_points() {
    for (point, off) in [(0.05, 0.1), (0.0, 0.05)] {
        let mut host = hands();
        host.name("goal_bodies", &[0]);
        host.give("goal_points", &[point, 0.0, 0.0]);
        let height: Real = 0.01;
        let degrees = (height / off).asin().to_degrees();
        host.give("goal_places", &turned(0.0, off, degrees));
        within(turns(&mut host, 30)[0], degrees, 0.5);
    }
    // Goal by goal in their order: a point above the hand's middle line, and one below it.
    let mut host = hands();
    host.name("goal_bodies", &[0, 1]);
    host.give("goal_points", &[0.05, 0.02, 0.0, 0.05, -0.02, 0.0]);
    let (sin, cos) = (8.0 as Real).to_radians().sin_cos();
    let there = |y: Real, up: Real| [0.1 + 0.1 * cos - up * sin, y + 0.1 * sin + up * cos, 0.0];
    host.give("goal_places", &[there(0.0, 0.02), there(1.0, -0.02)].concat());
    turns(&mut host, 30).iter().for_each(|turn| within(*turn, 8.0, 0.5));
}

fn goal_places() {
    for degrees in [8.0, -12.0] {
        let mut host = hands();
        host.name("goal_bodies", &[0]);
        host.give("goal_points", &[0.05, 0.0, 0.0]);
        host.give("goal_places", &turned(0.0, 0.1, degrees));
        within(turns(&mut host, 30)[0], degrees, 0.5);
    }
}

/// The way that is left falls as exp(-t / T).
fn goal_time() {
    for time in [0.2, 0.5] {
        let mut host = hands();
        host.set("goal_time", &time.to_string());
        host.name("goal_joints", &[0, 2]);
        host.give("goal_motions", &[20.0]);
        let early = 20.0 - turns(&mut host, 4)[0];
        (5..=10).for_each(|frame| drop(host.frame(frame)));
        let late = 20.0 - host.read("joint_turns")[2];
        near(0.25 / (early / late).ln(), time, 0.06);
    }
}

/// A joint that is to turn and a point, a distance r from it, that is to stay settle in between: g / (1 + (w r)^2).
fn goal_place_weight() {
    for weight in [0.1, 10.0, 20.0] {
        let mut host = hands();
        host.set("goal_place_weight", &weight.to_string());
        host.name("goal_joints", &[0, 2]);
        host.give("goal_motions", &[10.0]);
        host.name("goal_bodies", &[0]);
        host.give("goal_points", &[0.05, 0.0, 0.0]);
        host.give("goal_places", &turned(0.0, 0.1, 0.0));
        let expected = 10.0 / (1.0 + (0.1 * weight as Real).powi(2));
        let found = turns(&mut host, 40)[0];
        near(found, expected, 0.01);
    }
}
