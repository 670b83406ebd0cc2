//! `--compare`: where the joints of a finger or a hand end in every condition, beside the healthy one.

use super::source::SceneArgs;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use sinew_anatomy::tendon_hand::bones::FLEXING;
use sinew_anatomy::tendon_hand::preset::{Condition, Preset};
use sinew_anatomy::tendon_hand::tendons::Tendon;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_math::Real;
use sinew_nodes::strand_report::used_up;
use sinew_strand::energy::tensions;
use sinew_strand::model::Model;
use sinew_strand::state::State;
use sinew_strand::step::{Inputs, Scratch, step};
use std::fmt::Write;

/// How long a hand first comes to rest, and how long muscles then pull, in s: the slowest joint has a time constant of
/// a third of a second.
const REST: Real = 2.0;
const PULL: Real = 2.0;
/// The length of a frame in s, within which steps have one length.
const FRAME: Real = 1.0 / 24.0;

/// What is compared: its name, the model, and whether its muscles pull.
struct Case {
    name: &'static str,
    preset: Preset,
    pulls: bool,
}

/// Where a case ended.
struct Ended {
    name: &'static str,
    /// Joints with their flexion in degrees.
    joints: Vec<(String, Real)>,
    /// Ligaments and bands, which no muscle pulls, with their largest tension in N.
    passive: Vec<(String, Real)>,
    warnings: Vec<String>,
}

/// The table, as text and as JSON.
pub(super) fn compare(source: &SceneArgs, control: &Control) -> Result<(String, Value)> {
    let rows: Vec<Ended> =
        cases(source.preset()?).par_iter().map(|case| play(source, case, control)).collect::<Result<_>>()?;
    Ok((text(source, &rows), value(source, &rows)))
}

/// The healthy one at rest and pulled, then every other condition, and four healthy fingers with bands.
fn cases(healthy: Preset) -> Vec<Case> {
    let mut all = vec![Case { name: "at rest", preset: healthy, pulls: false }];
    let of = |condition: Condition| Case {
        name: condition.name(),
        preset: Preset { condition, ..healthy },
        pulls: true,
    };
    all.extend(Condition::ALL.map(of));
    if healthy.digit.is_none() {
        all.push(Case { name: "bands", preset: Preset { bands: true, ..healthy }, pulls: true });
    }
    all
}

fn play(source: &SceneArgs, case: &Case, control: &Control) -> Result<Ended> {
    let built = source.built(&case.preset)?;
    let (mut state, mut scratch) = (State::new(&built.model), Scratch::new(&built.model)?);
    let pulls: Vec<Real> = built.script.activations(0.0).collect();
    let still = vec![0.0; pulls.len()];
    let substeps = (FRAME / built.step).ceil().max(1.0) as u32;
    let mut warnings = Vec::new();
    for (seconds, pulling) in [(REST, false), (PULL, case.pulls)] {
        let activations = if pulling { &pulls } else { &still };
        for _ in 0..(seconds / FRAME).round() as usize {
            let inputs = Inputs { seconds: FRAME, substeps, activations, ..Inputs::default() };
            let report = step(&built.model, &mut state, &mut scratch, &inputs, control)?;
            warnings.extend(report.used_up.iter().map(|piece| used_up(&built.model, piece)));
        }
    }
    let joints = built.model.parts().joints.iter().enumerate();
    let flexion = |joint: usize| state.motions(&built.model, joint)[FLEXING].to_degrees();
    let joints = joints.map(|(k, joint)| (joint.name.clone(), flexion(k))).collect();
    Ok(Ended { name: case.name, joints, passive: passive(&built.model, &state), warnings })
}

fn passive(model: &Model, state: &State) -> Vec<(String, Real)> {
    let strands = model.parts().strands.iter().zip(tensions(model, state));
    let is = |name: &str| [Tendon::Ol.name(), "band"].contains(&name.rsplit(' ').next().unwrap_or(name));
    let kept = strands.filter(|(strand, _)| is(&strand.name));
    kept.map(|(strand, pulls)| (strand.name.clone(), pulls.into_iter().fold(0.0, Real::max))).collect()
}

/// The name of a joint or strand, as the finger's number, if it has one, and its own.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once(' ').unwrap_or(("", name))
}

/// Tenths, never -0.
fn tenths(x: Real) -> Real {
    (10.0 * x).round() / 10.0 + 0.0
}

/// One line per condition and finger: the angle of each joint, and how far it is from the healthy one's.
fn text(source: &SceneArgs, rows: &[Ended]) -> String {
    let healthy = Condition::Intact.name();
    let mut out = format!(
        "Flexion in degrees, and its difference from {healthy}, after {REST} s at rest and {PULL} s {}; tensions in \
         N\n",
        in_words(&source.edits().settings)
    );
    let _ = writeln!(out, "{:<18}{:<5}{:>15}{:>15}{:>15}{:>8}", "", "", "MCP", "PIP", "DIP", "OL");
    let base = rows.iter().find(|row| row.name == healthy);
    for row in rows {
        for (k, three) in row.joints.chunks(3).enumerate() {
            let digit = split(&three[0].0).0;
            let _ = write!(out, "{:<18}{digit:<5}", if k == 0 { row.name } else { "" });
            for (j, (_, angle)) in three.iter().enumerate() {
                let from = base.and_then(|base| base.joints.get(3 * k + j)).map_or(0.0, |joint| joint.1);
                let apart = format!("({:+.1})", tenths(angle - from));
                let apart = if row.name == healthy { "" } else { &apart };
                let _ = write!(out, "{:>7.1}{apart:>8}", tenths(*angle));
            }
            let own = |(name, pull): &(String, Real)| (split(name) == (digit, "OL")).then_some(*pull);
            match row.passive.iter().find_map(own) {
                Some(pull) => _ = writeln!(out, "{:>8.1}", tenths(pull)),
                None => _ = writeln!(out, "{:>8}", "none"),
            }
        }
        let bands: Vec<String> = (row.passive.iter().filter(|(name, _)| split(name).1 == "band"))
            .map(|(name, pull)| format!("{name} {:.1} N", tenths(*pull)))
            .collect();
        if !bands.is_empty() {
            let _ = writeln!(out, "{:<18}{}", "", bands.join(", "));
        }
        row.warnings.iter().for_each(|warning| _ = writeln!(out, "{:<18}warning: {warning}", ""));
    }
    out
}

fn value(source: &SceneArgs, rows: &[Ended]) -> Value {
    let map = |all: &[(String, Real)]| -> Map<String, Value> {
        all.iter().map(|(name, x)| (name.clone(), Value::from(*x))).collect()
    };
    let row = |row: &Ended| {
        let (flexion, tensions) = (map(&row.joints), map(&row.passive));
        json!({ "name": row.name, "flexion": flexion, "tensions": tensions, "warnings": row.warnings })
    };
    json!({ "settings": pull(source), "rest_seconds": REST, "pull_seconds": PULL,
            "rows": rows.iter().map(row).collect::<Vec<_>>() })
}

/// What was set, as an option.
fn pull(source: &SceneArgs) -> String {
    let settings = source.edits().settings;
    if settings.is_empty() { "no activation".into() } else { settings }
}

/// What was set, as a part of a sentence: which muscles pull, and what else.
fn in_words(settings: &str) -> String {
    let set = settings.split(';').filter_map(|text| text.split_once('='));
    let (mut muscles, mut others) = (Vec::new(), Vec::new());
    for (name, value) in set.map(|(name, value)| (name.trim(), value.trim())) {
        let of_strength = |muscle| format!("{muscle} at {value} of its strength");
        match name.strip_prefix("activation.") {
            Some(muscle) => muscles.push(of_strength(muscle)),
            None => others.push(format!("{name} {value}")),
        }
    }
    let pulled = match muscles.is_empty() {
        true => "without activation".into(),
        false => format!("under the pull of {}", muscles.join(", ")),
    };
    if others.is_empty() { pulled } else { format!("{pulled} (with {})", others.join(", ")) }
}
