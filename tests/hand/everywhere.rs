//! The hand wherever gravity points, and whatever its muscles do: the default step says what much shorter steps say.

use crate::soak::sample;
use crate::strand_run::Run;
use sinew::anatomy::tendon_hand::hand::hand;
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::math::{Real, Vec3};
use sinew::strand::energy::energy;
use sinew::strand::parts::Parts;
use sinew::strand::step::Inputs;

/// The default step, and a fine one, in s.
const DEFAULT: Real = 1e-3;
const FINE: Real = 0.25e-3;

/// Along the axes of the hand and between them: fingers hang, stand, lie on their sides and backs.
const DIRECTIONS: [[Real; 3]; 12] = [
    [1.0, 0.0, 0.0],
    [-1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, -1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, -1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, -1.0, 1.0],
];

/// All turns of all joints in degrees, frame by frame, and how the frames went: steps, those too long, factorisations,
/// and the largest energy of motion.
struct Course {
    turns: Vec<Vec<Real>>,
    steps: u32,
    rough: u32,
    factorisations: usize,
    kinetic: Real,
}

/// Plays with or without active muscles, in steps no longer than `step`.
fn play(parts: &Parts, [fps, step, seconds]: [Real; 3], activations: &[Real]) -> Course {
    let mut run = Run::new(parts.clone());
    let substeps = (1.0 / fps / step - 1e-9).ceil() as u32;
    let inputs = Inputs { seconds: 1.0 / fps, substeps, activations, ..Inputs::default() };
    let mut course = Course { turns: Vec::new(), steps: 0, rough: 0, factorisations: 0, kinetic: 0.0 };
    for _ in 0..(seconds * fps).round() as usize {
        let report = run.frame(&inputs);
        course.steps += report.steps;
        course.factorisations += report.factorisations;
        course.rough += report.rough;
        let joints = run.model.parts().joints.iter();
        let turns = joints.flat_map(|joint| joint.motions(|b| run.state.bodies[b].place)[..3].to_vec());
        course.turns.push(turns.map(Real::to_degrees).collect());
        course.kinetic = energy(&run.model, &run.state).kinetic.max(course.kinetic);
    }
    course
}

/// The largest difference between any turns at any time, and at the end.
fn apart(a: &Course, b: &Course) -> [Real; 2] {
    let off =
        |(a, b): (&Vec<Real>, &Vec<Real>)| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max);
    let all: Vec<Real> = a.turns.iter().zip(&b.turns).map(off).collect();
    [all.iter().copied().fold(0.0, Real::max), all[all.len() - 1]]
}

fn falling(direction: [Real; 3]) -> Parts {
    let mut options = Options::default();
    options.settings.gravity = Vec3::from(direction).normalize() * 9.81;
    hand(&options).unwrap()
}

#[test]
fn four_fingers_fall_alike_in_long_and_short_steps_wherever_gravity_points() {
    for direction in sample(&DIRECTIONS, 5).copied() {
        let parts = falling(direction);
        let [long, short] = [DEFAULT, FINE].map(|step| play(&parts, [24.0, step, 1.0], &[]));
        let [passing, end] = apart(&long, &short);
        println!(
            "{direction:?}: {passing:.3} degrees in passing, {end:.3} at the end; {} steps, {} factorisations",
            long.steps, long.factorisations
        );
        assert!(passing < 1.0 && end < 1.0, "{direction:?}: {passing} {end}");
        assert!(long.steps < 24 * 42 + 8 && long.rough == 0, "{} steps, {} rough", long.steps, long.rough);
    }
}

#[test]
fn four_fingers_keep_their_peace_at_a_thousand_frames_a_second() {
    let course = play(&falling(DIRECTIONS[0]), [1000.0, DEFAULT, 0.3], &[]);
    println!("at most {:.2e} J of motion", course.kinetic);
    // Half a kilogram of fingers that fall by a centimetre have 0.05 J.
    assert!(course.kinetic < 0.05, "{} J", course.kinetic);
}

#[test]
fn mixed_pulls_lead_to_the_same_end_and_near_the_same_way_in_all_steps() {
    let sets: [[Real; 6]; 4] = [
        [0.3, 0.0, 0.2, 0.0, 0.1, 0.0],
        [0.1, 0.1, 0.5, 0.0, 0.3, 0.0],
        [0.2, 0.7, 0.0, 0.0, 0.0, 0.5],
        [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
    ];
    let parts = finger(&Finger::index(), &Options::default()).unwrap();
    for set in sample(&sets, 3) {
        let best = play(&parts, [500.0, 0.0625e-3, 1.0], set);
        let steps = [2e-3, 1e-3, 0.5e-3, 0.25e-3];
        let off = steps.map(|step| apart(&play(&parts, [500.0, step, 1.0], set), &best));
        println!("{set:?}: {:.2?} in passing, {:.4?} at the end", off.map(|o| o[0]), off.map(|o| o[1]));
        // Of first order in the step.
        assert!(off[0][0] < 60.0 && off[1][0] < 35.0 && off[2][0] < 18.0 && off[3][0] < 8.0, "{off:?}");
        assert!(off[0][1] < 0.5 && off[1..].iter().all(|[_, end]| *end < 0.01), "{off:?}");
    }
}
