//! Fingers with tendons beside MuJoCo's in one run: arms of strands, then the time of a step.
//!
//! `sh tests/bench.sh mujoco` calls it with a Python that has `mujoco`. It stores what MuJoCo says of arms in
//! tests/data/mujoco_arms.csv, by which tests/mujoco_arms.rs judges.

#[path = "../../support/arms.rs"]
mod arms;
#[path = "../../support/mjcf.rs"]
mod mjcf;

use arms::{Case, cases};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sinew::control::Control;
use sinew::math::Real;
use sinew::scene::tendon_hand::Options;
use sinew::scene::tendon_hand::bones::FLEXING;
use sinew::scene::tendon_hand::hand::row;
use sinew::scene::tendon_hand::measures::Finger;
use sinew::strand::model::Model;
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};
use std::collections::HashMap;
use std::fmt::Write;
use std::process::{Command, Stdio};

const PEER: &str = "tests/bench/mujoco/peer.py";
/// Where the models of MuJoCo go.
const FOLDER: &str = "target/mujoco";
/// A frame at 50 a second, and how many are timed.
const FRAME: Real = 0.02;
const FRAMES: u32 = 50;
/// The frame after whose end, and after the last, the first finger's angles are printed.
const EARLY: usize = 4;
/// Flexors pull with this part of their strength.
const PULL: Real = 0.02;

/// What MuJoCo says of a tendon: its length in m and, by joint, what a radian adds to it.
#[derive(Deserialize)]
struct Tendon {
    length: Real,
    slopes: HashMap<String, Real>,
}

/// How fingers moved: seconds of computing a step, the median of the frames; angles of all joints after each frame.
#[derive(Deserialize)]
struct Moved {
    seconds: Real,
    angles: Vec<Vec<Real>>,
    #[serde(default)]
    warnings: usize,
}

/// Asks the peer; an answer is one line.
fn ask<T: DeserializeOwned>(python: &str, question: &[String]) -> Vec<T> {
    let mut command = Command::new(python);
    let out = command.arg(PEER).args(question).stderr(Stdio::inherit()).output().unwrap();
    assert!(out.status.success(), "{question:?}: {}", out.status);
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn stored(name: &str, text: &str) -> String {
    let path = format!("{FOLDER}/{name}.xml");
    std::fs::write(&path, text).unwrap();
    path
}

/// Compares arms, and stores what MuJoCo says.
fn compare_arms(python: &str, version: &str) {
    let cases = cases();
    let paths = cases.iter().map(|case| stored(&case.name, &case.mjcf));
    let question: Vec<String> = std::iter::once("arms".into()).chain(paths).collect();
    let answers: Vec<Tendon> = ask(python, &question);
    let mut table =
        format!("# MuJoCo {version}: sh tests/bench.sh mujoco\ncase,joint,degrees,length_mm,arm_mm\n");
    println!(
        "arms in mm at angles in degrees: ours by statics, MuJoCo's d(length)/d(angle), their difference"
    );
    let (mut worst, mut count): ([Real; 2], usize) = ([0.0; 2], 0);
    for (Case { name, length, arms, .. }, theirs) in cases.iter().zip(&answers) {
        let mut line = format!("{name:<10}");
        for arm in arms {
            let their = -theirs.slopes[&arm.joint];
            let [ours, their_mm] = [arm.arm, their].map(|arm| 1e3 * arm);
            let (joint, degrees) = (&arm.joint, arm.angle.to_degrees());
            write!(line, "{joint:>8}{degrees:>6.1}:{ours:>9.4}{their_mm:>9.4}{:>9.0e}", ours - their_mm)
                .unwrap();
            writeln!(table, "{name},{joint},{degrees:.2},{},{their_mm}", 1e3 * theirs.length).unwrap();
            worst = [worst[0].max((arm.arm - their).abs()), worst[1].max((length - theirs.length).abs())];
            count += 1;
        }
        println!("{line}");
    }
    std::fs::write("tests/data/mujoco_arms.csv", table).unwrap();
    println!("{count} arms differ by up to {:.1e} m, lengths by {:.1e} m", worst[0], worst[1]);
    assert!(worst[0] < 1e-7 && worst[1] < 1e-8, "these are not the same strands");
}

/// What this thread has computed for, in s: others on the machine do not count.
fn computed() -> Real {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec that lives through the call.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) }, 0);
    time.tv_sec as Real + 1e-9 * time.tv_nsec as Real
}

/// Pulls with all flexors from rest.
fn ours(model: &Model, activations: &[Real], substeps: u32) -> Moved {
    let (mut state, mut scratch) = (State::new(model), Scratch::new(model).unwrap());
    let inputs = Inputs { seconds: FRAME, substeps, activations, ..Inputs::default() };
    let (mut times, mut angles, mut warnings) = (Vec::new(), Vec::new(), 0);
    for _ in 0..FRAMES {
        let before = computed();
        let report = step(model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
        times.push((computed() - before) / Real::from(report.steps));
        let joints = model.parts().joints.iter();
        angles.push(joints.map(|joint| joint.motions(|b| state.bodies[b].place)[FLEXING]).collect());
        warnings += report.unsolved + report.conflicts.len();
    }
    times.sort_by(Real::total_cmp);
    Moved { seconds: times[times.len() / 2], angles, warnings }
}

fn compare_speed(python: &str) {
    println!(
        "\nmicroseconds of computing a step, one thread each, the median of {FRAMES} frames from rest while all flexors pull\n\
         {:<10}{:>5}{:>9}{:>12}{:>7}{:>9}{:>12}{:>7}{:>7}",
        "fingers", "ms", "ours", "a finger", "unkn.", "MuJoCo", "a finger", "unkn.", "ratio"
    );
    for count in [1, 4, 32] {
        let fingers: Vec<Finger> = (0..count).map(|_| Finger::index()).collect();
        let model = Model::new(row(&fingers, &Options::default()).unwrap()).unwrap();
        let muscles = model.parts().muscles.iter();
        let pulls: Vec<Real> = muscles.map(|m| PULL * Real::from(u8::from(m.name.contains("FD")))).collect();
        let path = stored(&format!("{count} fingers"), &mjcf::mjcf(&model, &State::new(&model), &pulls));
        for h in [1e-3, 2e-3] {
            let substeps = (FRAME / h).round() as u32;
            let ours = ours(&model, &pulls, substeps);
            let question = [h.to_string(), substeps.to_string(), FRAMES.to_string()];
            let question = [&["speed".into(), path.clone()], question.as_slice()].concat();
            let theirs = ask::<Moved>(python, &question).swap_remove(0);
            let us = |moved: &Moved, by: usize| 1e6 * moved.seconds / by as Real;
            println!(
                "{count:<10}{:>5.0}{:>9.1}{:>12.2}{:>7}{:>9.1}{:>12.2}{:>7}{:>7.1}",
                1e3 * h,
                us(&ours, 1),
                us(&ours, count),
                model.unknowns(),
                us(&theirs, 1),
                us(&theirs, count),
                theirs.angles[0].len(),
                ours.seconds / theirs.seconds
            );
            for (who, moved) in [("ours", &ours), ("MuJoCo", &theirs)] {
                let at = |frame: usize| {
                    let angles = moved.angles[frame][..3].iter();
                    angles.map(|angle| format!("{:>6.1}", angle.to_degrees())).collect::<String>()
                };
                let times = [EARLY, FRAMES as usize - 1].map(|k| (FRAME * (k + 1) as Real, at(k)));
                println!(
                    "   {who:<7} MCP, PIP, DIP at {:.1} s{}, at {:.1} s{}; {} warnings",
                    times[0].0, times[0].1, times[1].0, times[1].1, moved.warnings
                );
            }
        }
    }
    println!(
        "MuJoCo: the same bones, joints, forces and sites; integrator implicitfast, solver Newton. Its sites are fixed on\n\
         bones where ours slide in planes; its tendons have no mass, and no stretch where a muscle pulls them; strands that\n\
         share a muscle share its force evenly."
    );
}

fn main() {
    let Some(python) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("left out: needs a Python with MuJoCo; sh tests/bench.sh mujoco brings one");
        return;
    };
    std::fs::create_dir_all(FOLDER).unwrap();
    let version: String = ask(&python, &["version".into()]).swap_remove(0);
    println!("MuJoCo {version}");
    compare_arms(&python, &version);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| compare_speed(&python));
}
