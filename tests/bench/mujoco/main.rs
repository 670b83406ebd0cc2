//! Fingers with tendons beside MuJoCo's in one run: moment arms of strands, then step times; then MyoHand, the hand of
//! MyoSuite with its 39 muscles, in both.
//!
//! `sh tests/bench.sh mujoco` calls it with a Python that has `mujoco` and `myo_sim`. It stores what MuJoCo says of
//! arms in tests/data/mujoco_arms.csv, by which tests/hand/mujoco.rs judges.

#[path = "../../support/arms.rs"]
mod arms;
mod hand;
#[path = "../../support/mjcf.rs"]
mod mjcf;

use arms::{Case, cases, on_sites};
use hand::Hand;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sinew::anatomy::tendon_hand::Options;
use sinew::anatomy::tendon_hand::bones::Knuckle;
use sinew::anatomy::tendon_hand::hand::row;
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::tendons;
use sinew::control::Control;
use sinew::math::Real;
use sinew::strand::model::Model;
use sinew::strand::parts::{Joint, Motion};
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
/// Angles are printed after this frame and after the last.
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
    let path = format!("{FOLDER}/{name}");
    std::fs::write(&path, text).unwrap();
    path
}

/// Compares arms, and stores what MuJoCo says.
fn compare_arms(python: &str, version: &str) {
    let cases = cases();
    let paths = cases.iter().map(|case| stored(&format!("{}.xml", case.name), &case.mjcf));
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

/// The CPU time of this thread in s: other load on the machine does not count.
fn computed() -> Real {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec that lives through the call.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) }, 0);
    time.tv_sec as Real + 1e-9 * time.tv_nsec as Real
}

/// The angles of all joints about their free axes.
fn turns(model: &Model, state: &State) -> Vec<Real> {
    let of_joint = |joint: &Joint| {
        let motions = joint.motions(|b| state.bodies[b].place);
        let left = (0..3).filter(|&k| joint.axes[k].motion != Motion::Held);
        left.map(|k| motions[k]).collect::<Vec<_>>()
    };
    model.parts().joints.iter().flat_map(of_joint).collect()
}

/// Pulls from rest.
fn ours(model: &Model, activations: &[Real], substeps: u32) -> Moved {
    let (mut state, mut scratch) = (State::new(model), Scratch::new(model).unwrap());
    let inputs = Inputs { seconds: FRAME, substeps, activations, ..Inputs::default() };
    let (mut times, mut angles, mut warnings) = (Vec::new(), Vec::new(), 0);
    for _ in 0..FRAMES {
        let before = computed();
        let report = step(model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
        times.push((computed() - before) / Real::from(report.steps));
        angles.push(turns(model, &state));
        warnings += report.unsolved + report.conflicts.len();
    }
    times.sort_by(Real::total_cmp);
    Moved { seconds: times[times.len() / 2], angles, warnings }
}

/// A step of ours beside MuJoCo's, and how some of the angles went.
fn compare_steps(python: &str, name: &str, path: &str, model: &Model, pulls: &[Real], shown: &[usize]) {
    for h in [1e-3, 2e-3] {
        let substeps = (FRAME / h).round() as u32;
        let ours = ours(model, pulls, substeps);
        let question = ["speed", path, &h.to_string(), &substeps.to_string(), &FRAMES.to_string()];
        let theirs = ask::<Moved>(python, &question.map(String::from)).swap_remove(0);
        println!(
            "{name:<26}{:>5.0}{:>9.1}{:>7}{:>9.1}{:>7}{:>7.1}",
            1e3 * h,
            1e6 * ours.seconds,
            model.unknowns(),
            1e6 * theirs.seconds,
            theirs.angles[0].len(),
            ours.seconds / theirs.seconds
        );
        for (who, moved) in [("ours", &ours), ("MuJoCo", &theirs)] {
            print!("   {who:<7}");
            for frame in [EARLY, FRAMES as usize - 1] {
                print!(" at {:.1} s", FRAME * (frame + 1) as Real);
                shown.iter().for_each(|&k| print!("{:>6.1}", moved.angles[frame][k].to_degrees()));
            }
            println!("; {} warnings", moved.warnings);
        }
    }
}

fn compare_fingers(python: &str) {
    for count in [1, 4, 32] {
        let fingers: Vec<Finger> = (0..count).map(|_| Finger::index()).collect();
        // MuJoCo's hinges have one rotation each, and springs but no ligaments.
        let options = Options { knuckle: Knuckle::Flexing, ..Options::only(&tendons::Tendon::TABLED) };
        let parts = row(&fingers, &options).unwrap();
        for (kind, parts) in [("sliding", parts.clone()), ("fixed", on_sites(parts))] {
            let model = Model::new(parts).unwrap();
            let muscles = model.parts().muscles.iter();
            let pulls: Vec<Real> = muscles.map(|muscle| pull(&muscle.name)).collect();
            let text = mjcf::mjcf(&model, &State::new(&model), &pulls);
            let path = stored(&format!("{count} fingers {kind}.xml"), &text);
            compare_steps(python, &format!("{count} fingers, {kind}"), &path, &model, &pulls, &[0, 1, 2]);
        }
    }
    println!(
        "MuJoCo: the same bones, joints, forces and sites; integrator implicitfast, solver Newton. Its sites are fixed \
         on\n\
         bones; ours slide in planes, or are fixed too. Its tendons have no mass, and no stretch where a muscle pulls \
         them;\n\
         strands that share a muscle share its force evenly. Angles: MCP, PIP, DIP of the first finger.\n"
    );
}

/// Flexors of fingers pull.
fn pull(muscle: &str) -> Real {
    if muscle.contains("FD") { PULL } else { 0.0 }
}

fn compare_hand(python: &str) {
    let hand: Hand = ask(python, &["hand".into()]).swap_remove(0);
    let parts = hand.parts(row(&[Finger::index()], &Options::default()).unwrap().strands[0].fibre);
    let (off, tendon) = hand.off(&parts);
    let (strands, nodes) = (parts.strands.len(), parts.points.len());
    let model = Model::new(parts).unwrap();
    let pulls: Vec<Real> = hand.muscles().map(pull).collect();
    let by_name: HashMap<&str, Real> = hand.muscles().zip(pulls.iter().copied()).collect();
    let file = stored("pulls.json", &serde_json::to_string(&by_name).unwrap());
    let angles: Vec<&str> = hand.angles().collect();
    let shown: Vec<usize> = (0..angles.len()).filter(|&k| angles[k].contains("3_flexion")).collect();
    compare_steps(python, "MyoHand", &format!("MyoHand {file}"), &model, &pulls, &shown);
    println!(
        "MyoHand: {strands} tendons with {nodes} places on them; lengths differ by up to {:.1} mm ({tendon}). MuJoCo's \
         wrap around\n\
         bodies; ours touch them where they do at rest. Angles: {}.",
        1e3 * off,
        shown.iter().map(|&k| angles[k]).collect::<Vec<_>>().join(", ")
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
    one.install(|| {
        println!(
            "\nmicroseconds of computing a step, one thread each, the median of {FRAMES} frames from rest while \
             flexors pull\n\
             {:<26}{:>5}{:>9}{:>7}{:>9}{:>7}{:>7}",
            "", "ms", "ours", "unkn.", "MuJoCo", "unkn.", "ratio"
        );
        compare_fingers(&python);
        compare_hand(&python);
    });
}
