//! The demos: which muscles pull how much for how long, and what is measured \[HandThesis §3.4\].

use super::drawing::{Still, View};
use super::{Demo, Run, floating};
use sinew::anatomy::tendon_hand::bones::Knuckle;
use sinew::anatomy::tendon_hand::hand::hand;
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::tendons::Tendon;
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::error::Result;
use sinew::formats::{strand_scene, xml};
use sinew::math::Real;
use sinew::scene::strand::StrandScene;
use std::path::Path;

/// All, in the order of the page.
pub fn all() -> Result<Vec<Demo>> {
    Ok(vec![coupling()?, tapping()?, super::flick::flick()?, boutonniere()?, swan_neck()?, pulleys()?])
}

fn index(options: Options, step: Real) -> Result<Run> {
    Run::new(finger(&Finger::index(), &floating(Options { knuckle: Knuckle::Held, ..options }))?, step)
}

const PIP: &str = "PIP is flexed by";
const DIP: &str = "DIP is flexed by";
const DEGREES: &str = "degrees";

fn bent(run: &Run) -> String {
    format!("PIP {:.0}, DIP {:.0} degrees", run.angles()[1], run.angles()[2])
}

/// What the angles of the last two joints are in both runs.
fn last_joints(runs: &[Run; 2]) -> Vec<(&'static str, &'static str, [Real; 2])> {
    let angle = |k: usize| [runs[0].angles()[k], runs[1].angles()[k]];
    vec![(PIP, DEGREES, angle(1)), (DIP, DEGREES, angle(2))]
}

/// The deep flexor pulls until PIP is at 30 degrees, without and with the oblique ligament.
pub fn coupling() -> Result<Demo> {
    let flexed = |tendons: &[Tendon]| -> Result<Run> {
        let mut run = index(Options::only(tendons), 2e-3)?;
        for _ in 0..200 {
            if run.angles()[1] >= 30.0 {
                break;
            }
            run.pull(|_| 0.5, 0.01)?;
        }
        Ok(run)
    };
    let runs = [flexed(&[Tendon::Fdp])?, flexed(&[Tendon::Fdp, Tendon::Ol])?];
    let ratio = [0, 1].map(|k| runs[k].angles()[2] / runs[k].angles()[1]);
    let mut figures = last_joints(&runs);
    figures.push(("DIP / PIP", "", ratio));
    Ok(Demo {
        name: "coupling",
        title: "The oblique ligament couples two joints",
        runs: ["without the ligament", "with the ligament"],
        labels: ["without the ligament", "with the ligament"],
        figures,
        captions: [bent(&runs[0]), bent(&runs[1])],
        stills: [0, 1].map(|k| Still::of(&runs[k], &View::FINGER, 1.0)),
    })
}

/// The middle finger is lifted from a flexed hand, with bands between the extensors and without.
pub fn tapping() -> Result<Demo> {
    let mut runs = Vec::new();
    let mut lifts = [[0.0; 4]; 2];
    for (k, bands) in [true, false].into_iter().enumerate() {
        let mut run = Run::new(hand(&floating(Options { bands, ..Options::default() }))?, 2e-3)?;
        let flexor = |name: &str| name.ends_with("FDP") || name.ends_with("FDS");
        let tone = |name: &str| if flexor(name) { 0.2 } else { 0.0 };
        run.pull(|name| if flexor(name) { 1.0 } else { 0.0 }, 0.3)?;
        (0..10).try_for_each(|_| run.pull(tone, 0.1))?;
        let whole = |run: &Run| -> Vec<Real> { run.angles().chunks(3).map(|a| a.iter().sum()).collect() };
        let before = whole(&run);
        (0..3).try_for_each(|_| run.pull(|name| if name == "III EDC" { 10.0 } else { tone(name) }, 0.1))?;
        let after = whole(&run);
        (0..4).for_each(|finger| lifts[k][finger] = before[finger] - after[finger]);
        runs.push(run);
    }
    let lift = |finger: usize| [lifts[0][finger], lifts[1][finger]];
    let caption = |k: usize| {
        // Not -0.
        let [index, _, ring, _] = lifts[k].map(|degrees| degrees.round() + 0.0);
        format!("index {index:+.0}, ring {ring:+.0} degrees")
    };
    Ok(Demo {
        name: "tapping",
        title: "A lifted finger takes neighbours along",
        runs: ["with bands", "without bands"],
        labels: ["with bands", "without bands"],
        figures: vec![
            ("the middle finger extends by", DEGREES, lift(1)),
            ("the index finger along with it by", DEGREES, lift(0)),
            ("the ring finger along with it by", DEGREES, lift(2)),
        ],
        captions: [caption(0), caption(1)],
        stills: [0, 1].map(|k| Still::of(&runs[k], &View::HAND, 10.0)),
    })
}

/// A flexed finger is extended, whole and with the extensor's slip to the middle bone cut.
pub fn boutonniere() -> Result<Demo> {
    let extended = |options: Options| -> Result<Run> {
        let mut run = index(options, 2e-3)?;
        run.pull(|name| if name.starts_with("FD") { 2.0 } else { 0.0 }, 0.7)?;
        let pull = |name: &str| match name {
            "FDP" | "FDS" => 0.5,
            "EDC" => 12.0,
            _ => 0.0,
        };
        (0..6).try_for_each(|_| run.pull(pull, 0.5))?;
        Ok(run)
    };
    let runs = [extended(Options::default())?, extended(Options::boutonniere())?];
    Ok(Demo {
        name: "boutonniere",
        title: "Boutonniere: the extensor's slip is cut",
        runs: ["sound", "cut"],
        labels: ["sound", "cut"],
        figures: last_joints(&runs),
        captions: [bent(&runs[0]), bent(&runs[1])],
        stills: [0, 1].map(|k| Still::of(&runs[k], &View::STRAIGHT, 8.0)),
    })
}

/// The extensor pulls, then the deep flexor too, with the oblique ligament as it is and too long.
pub fn swan_neck() -> Result<Demo> {
    let pulled = |options: Options| -> Result<Run> {
        let mut run = index(options, 2e-3)?;
        run.pull(|name| if name == "EDC" { 10.0 } else { 0.0 }, 0.6)?;
        let pull = |name: &str| match name {
            "EDC" => 10.0,
            "FDP" => 7.0,
            _ => 0.0,
        };
        (0..6).try_for_each(|_| run.pull(pull, 0.5))?;
        Ok(run)
    };
    let runs = [pulled(Options::default())?, pulled(Options::swan_neck())?];
    Ok(Demo {
        name: "swan_neck",
        title: "Swan neck: ligament too long, palmar plate lax",
        runs: ["ligament as it is", "ligament too long"],
        labels: ["ligament as it is", "ligament too long"],
        figures: last_joints(&runs),
        captions: [bent(&runs[0]), bent(&runs[1])],
        stills: [0, 1].map(|k| Still::of(&runs[k], &View::FINGER, 8.0)),
    })
}

/// Atwood's machine and a movable pulley, beside what their formulas say.
pub fn pulleys() -> Result<Demo> {
    const G: Real = 9.81;
    const SECONDS: Real = 0.4;
    let file = Path::new("examples/strand/pulley.xml");
    let scene: StrandScene = xml::read(file)?;
    let parts =
        scene.build(&strand_scene::meshes(&scene, Some(file), &Default::default())?)?.model.parts().clone();
    let mut run = Run::new(parts, 5e-4)?;
    let height = |run: &Run, name: &str| {
        let body = run.model.parts().bodies.iter().position(|body| body.name == name).expect("the body");
        run.state.bodies[body].place.origin.y
    };
    let start = Still::of(&run, &View::PULLEYS, 2.5);
    let before = ["heavy", "load"].map(|name| height(&run, name));
    (0..40).try_for_each(|_| run.pull(|_| 0.0, SECONDS / 40.0))?;
    let after = ["heavy", "load"].map(|name| height(&run, name));
    let [heavy, load] = [0, 1].map(|k| 2.0 * (before[k] - after[k]) / (SECONDS * SECONDS));
    let formulas = [G * (0.3 - 0.2) / (0.3 + 0.2), G * (0.5 - 2.0 * 0.2) / (0.5 + 4.0 * 0.2)];
    Ok(Demo {
        name: "pulleys",
        title: "Weights on pulleys fall as formulas say",
        runs: ["simulation", "formula"],
        labels: ["at the start", "after 0.4 s"],
        figures: vec![
            ("the heavier of two weights falls at", "m/s2", [heavy, formulas[0]]),
            ("the load on a movable pulley sinks at", "m/s2", [load, formulas[1]]),
        ],
        captions: [
            "300 g, 200 g and 500 g, 200 g".into(),
            format!("{heavy:.2} and {load:.2} m/s2 downwards"),
        ],
        stills: [start, Still::of(&run, &View::PULLEYS, 2.5)],
    })
}
