//! The energy that steps lose, against the table of the strands' README, which
//! `cargo test --test strand chains_lose -- --nocapture` prints.

use crate::strand_play::{Play, build, scene};
use sinew::math::Real;
use sinew::strand::energy::energy;

/// Links of 2 cm and 10 g, level, hinged to each other and at one end to the world.
fn links(count: usize) -> String {
    let link = |k: usize| {
        let (at, parent) = (0.02 * k as Real, if k == 0 { "world".into() } else { (k - 1).to_string() });
        format!(
            r#"<body name="{k}" at="{} 0 0"><cuboid size="0.02 0.004 0.004" density="31250"/></body>
<joint name="j{k}" parent="{parent}" child="{k}" at="{at} 0 0"><axis name="turn_z"/></joint>"#,
            at + 0.01
        )
    };
    scene(&(0..count).map(link).collect::<String>())
}

/// A rope of the same length and mass in pieces of 2 cm.
fn rope(count: usize) -> String {
    let on = |k: usize| if k == 0 { "world" } else { "free" };
    let points =
        (0..=count).map(|k| format!(r#"<point name="{k}" at="{} 0 0" on="{}"/>"#, 0.02 * k as Real, on(k)));
    let nodes: String = (0..=count).map(|k| format!(r#"<node point="{k}"/>"#)).collect();
    let strand =
        format!(r#"<strand name="s" stiffness="1e4" radius="0.004" density="9947.2">{nodes}</strand>"#);
    scene(&format!("{}{strand}", points.collect::<String>()))
}

/// The percentage lost in two seconds of what is between being level and hanging.
fn lost(text: &str, count: usize, step: Real) -> Real {
    let mut built = build(text);
    built.step = step;
    let mut play = Play::new(built, 24.0);
    let before = energy(&play.built.model, &play.state).total();
    (0..48).for_each(|_| drop(play.frame()));
    let [length, mass] = [0.02, 0.01].map(|each| each * count as Real);
    100.0 * (before - energy(&play.built.model, &play.state).total()) / (mass * 9.81 * 0.5 * length)
}

#[test]
fn chains_lose_as_much_as_documented() {
    let text = include_str!("../../examples/strand/README.md");
    let (_, table) = text.split_once("| step in ms |").unwrap();
    let mut steps = Vec::new();
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let numbers: Vec<Real> =
            row.trim_matches('|').split('|').map(|n| n.trim().parse().unwrap()).collect();
        let [step, ten, fifty, pieces] = numbers[..] else { panic!("{row}") };
        let found = [(links(10), 10), (links(50), 50), (rope(50), 50)]
            .map(|(text, count)| lost(&text, count, 1e-3 * step));
        println!("| {step} | {:.1} | {:.1} | {:.1} |", found[0], found[1], found[2]);
        for (found, stated) in found.into_iter().zip([ten, fifty, pieces]) {
            assert!(
                (found - stated).abs() < 0.15 * stated + 1.0,
                "{step} ms: {found} % instead of {stated} %"
            );
        }
        steps.push(step);
    }
    assert!(steps.len() >= 4 && steps.contains(&1.0), "{steps:?}");
}
