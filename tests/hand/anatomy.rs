//! The hand of tables against anatomy: how it rests, and where each tendon alone takes each joint.

use crate::soak::sample;
use crate::strand_run::Run;
use sinew::anatomy::tendon_hand::bones::{ABDUCTING, FLEXING, Resistance};
use sinew::anatomy::tendon_hand::hand::hand;
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::tendons::Tendon;
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::math::{Real, Rotation, Vec3};
use sinew::strand::parts::{Axis, Motion, Parts, Spring};
use sinew::strand::step::Inputs;

/// The step in s, that of the hand's scenes.
const STEP: Real = 1e-3;
/// Until all is at rest, in s.
const SETTLING: Real = 3.5;
/// What counts as rest, in rad/s.
const AT_REST: Real = 0.02;
const GRAVITY: Real = 9.81;

/// A finger's joints in degrees: abduction to the thumb's side at the knuckle, then flexion from knuckle to tip.
type Pose = [Real; 4];

/// Lets muscles pull with forces in N for a time.
fn pull(run: &mut Run, step: Real, seconds: Real, force: impl Fn(&str) -> Real) {
    let muscles = run.model.parts().muscles.iter();
    let activations: Vec<Real> = muscles.map(|m| (force(&m.name) / m.strength).min(1.0)).collect();
    let substeps = (seconds / step).round() as u32;
    run.frame(&Inputs { seconds, substeps, activations: &activations, ..Inputs::default() });
}

/// What the fingers do, one after the other; joints are found by name.
fn poses(run: &Run) -> Vec<Pose> {
    let turn = |name: &str, axis: usize| -> Vec<Real> {
        let joints = run.model.parts().joints.iter().filter(|joint| joint.name.ends_with(name));
        joints.map(|j| j.motions(|b| run.state.bodies[b].place)[axis].to_degrees()).collect()
    };
    let all = [turn("MCP", ABDUCTING), turn("MCP", FLEXING), turn("PIP", FLEXING), turn("DIP", FLEXING)];
    (0..all[0].len()).map(|finger| [0, 1, 2, 3].map(|k| all[k][finger])).collect()
}

/// How fast the fastest bone turns, in rad/s.
fn fastest(run: &Run) -> Real {
    run.state.bodies.iter().map(|body| body.angular.norm()).fold(0.0, Real::max)
}

fn in_gravity(gravity: Vec3) -> Options {
    let mut options = Options::default();
    options.settings.gravity = gravity;
    options
}

fn relaxed(parts: Parts, step: Real) -> Run {
    let mut run = Run::new(parts);
    pull(&mut run, step, SETTLING, |_| 0.0);
    run
}

/// Along the axes and the diagonals between all three.
fn directions() -> Vec<Vec3> {
    let sides = [-1.0, 0.0, 1.0];
    let all = sides.iter().flat_map(|x| sides.iter().flat_map(move |y| sides.map(|z| Vec3::new(*x, *y, z))));
    let kept = all.filter(|way| [1, 3].contains(&way.iter().filter(|x| **x != 0.0).count()));
    kept.map(|way| way.normalize()).collect()
}

/// Hands at rest have all joints slightly flexed: by less than about half a right angle, and none straight.
fn slightly_flexed(pose: &Pose) -> bool {
    pose[1..].iter().all(|angle| (5.0..55.0).contains(angle))
}

#[test]
fn a_relaxed_hand_is_slightly_flexed_in_every_joint_whichever_way_gravity_pulls() {
    let (mut low, mut high) = ([Real::INFINITY; 4], [-Real::INFINITY; 4]);
    let directions = directions();
    assert_eq!(directions.len(), 14);
    for way in sample(&directions, 3) {
        let run = relaxed(hand(&in_gravity(*way * GRAVITY)).unwrap(), 2.0 * STEP);
        let (poses, speed) = (poses(&run), fastest(&run));
        println!("gravity along {:.1?}: {poses:.0?}, {speed:.4} rad/s", way.as_slice());
        assert!(poses.len() == 4 && poses.iter().all(slightly_flexed), "{way} {poses:?}");
        assert!(speed < AT_REST, "{way} {speed}");
        for pose in poses {
            (0..4).for_each(|k| (low[k], high[k]) = (low[k].min(pose[k]), high[k].max(pose[k])));
        }
    }
    println!("abduction, MCP, PIP, DIP from {low:.1?} to {high:.1?} degrees");
}

#[test]
fn a_finger_rests_at_the_same_angles_in_steps_of_any_length_and_with_its_strands_in_any_order() {
    let down = in_gravity(Vec3::y() * -GRAVITY);
    let rest = |parts: Parts, step: Real| poses(&relaxed(parts, step))[0];
    for measures in sample(&Finger::all(), 2) {
        let parts = finger(measures, &down).unwrap();
        let usual = rest(parts.clone(), STEP);
        let mut others = vec![rest(parts.clone(), 0.25e-3), rest(parts.clone(), 2e-3)];
        let mut turned_round = parts;
        turned_round.strands.reverse();
        turned_round.joints.reverse();
        turned_round.muscles.reverse();
        others.push(rest(turned_round, STEP));
        println!("finger {}: {usual:.2?}; shorter, longer, in another order {others:.2?}", measures.digit);
        let off = |other: &Pose| (0..4).map(|k| (other[k] - usual[k]).abs()).fold(0.0, Real::max);
        assert!(
            slightly_flexed(&usual) && others.iter().all(|other| off(other) < 0.5),
            "{usual:?} {others:?}"
        );
    }
}

/// The parts with every position moved elsewhere.
fn moved(mut parts: Parts, rotation: &Rotation, by: &Vec3) -> Parts {
    let place = |p: &mut Vec3| *p = rotation * *p + by;
    parts.points.iter_mut().for_each(|point| place(&mut point.place));
    for body in &mut parts.bodies {
        place(&mut body.place.origin);
        body.place.rotation = rotation * body.place.rotation;
    }
    parts.settings.gravity = rotation * parts.settings.gravity;
    parts
}

#[test]
fn a_hand_that_is_held_elsewhere_rests_the_same() {
    let parts = finger(&Finger::index(), &in_gravity(Vec3::new(3.0, -8.0, 4.0))).unwrap();
    let turn = Rotation::from_scaled_axis(Vec3::new(1.0, -2.0, 0.5));
    let (here, there) = (
        poses(&relaxed(parts.clone(), STEP))[0],
        poses(&relaxed(moved(parts, &turn, &Vec3::new(10.0, -20.0, 5.0)), STEP))[0],
    );
    println!("here {here:.4?}, there {there:.4?}");
    assert!(here.iter().zip(&there).all(|(a, b)| (a - b).abs() < 0.1), "{here:?} {there:?}");
}

/// What a tendon does to a motion of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// Flexes; abducts to the side at which the tendon lies.
    On,
    /// Extends.
    Back,
    /// Leaves it where it is: it does not pass there, or passes in the middle.
    Stays,
}
use Way::{Back, On, Stays};

/// Degrees from which flexion and abduction count as motion, and up to which a joint that a tendon bypasses counts as
/// still: the others' motion changes the passive pull on it.
const MOVES: Real = 4.0;
const SPREADS: Real = 2.0;
const STAYS: Real = 8.0;

impl Way {
    fn holds(self, change: Real, least: Real) -> bool {
        match self {
            On => change > least,
            Back => change < -least,
            Stays => change.abs() < STAYS,
        }
    }
}

/// How far joints of hands hyper-extend at most when a muscle pulls with some of its strength, in degrees: a little
/// more than \[HelpingHand table A.1\] has for the knuckle and the last joint.
const HYPER_EXTENDED: Real = -12.0;

/// A tendon, the muscle that pulls it, the part of the muscle's strength, where abduction, MCP, PIP and DIP go, and who
/// says so.
type Row = (&'static str, &'static str, Real, [Way; 4], &'static str);

/// Stimulated muscles of people: Lauer, Kilgore, Peckham, Bhadra, "The function of the finger intrinsic muscles in
/// response to electrical stimulation": dorsal interossei, the first one too, abduct, flex MP and extend IP; palmar
/// ones adduct and do the same; lumbricals flex MP and extend IP.
const INTRINSIC: &str = "Lauer et al.; HelpingHand tables 3.2 and A.4";
/// Loaded tendons of ten cadavers' index fingers: Nimbarte, Kaz, Li, "Finger joint motion generated by individual
/// extrinsic muscles: a cadaveric study": FDP flexed MCP, PIP, DIP by 20, 42, 29 degrees, FDS by 25, 48 and 0, EDC
/// extended by 18, 15, 4.
const EXTRINSIC: &str = "Nimbarte et al.; HelpingHand table 3.1";
/// What a strand passes by, bone by bone.
const ROUTING: &str = "HandThesis tables A.2 to A.10";

/// Muscles one by one, all the others at rest.
const MUSCLES: [Row; 6] = [
    ("", "DI", 0.3, [On, On, Back, Back], INTRINSIC),
    ("", "PI", 0.3, [On, On, Back, Back], INTRINSIC),
    ("", "LUM", 1.0, [Stays, On, Back, Back], INTRINSIC),
    ("", "FDP", 0.3, [Stays, On, On, On], EXTRINSIC),
    ("", "FDS", 0.3, [Stays, On, On, Stays], EXTRINSIC),
    ("", "EDC", 0.2, [Stays, Back, Back, Back], EXTRINSIC),
];

/// Lets one muscle of each finger pull from rest: by how much each finger's joints change, and where they end.
fn pulled(parts: Parts, muscle: &str, part: Real, step: Real) -> Vec<[Pose; 2]> {
    let mut run = relaxed(parts, step);
    let (before, strengths) = (poses(&run), run.model.parts().muscles.clone());
    let force = |name: &str| {
        let pulls = name == muscle || name.ends_with(&format!(" {muscle}"));
        let strength = strengths.iter().find(|m| m.name == name).map_or(0.0, |m| m.strength);
        if pulls { part * strength } else { 0.0 }
    };
    pull(&mut run, step, SETTLING, force);
    let ends = poses(&run).into_iter().zip(before);
    ends.map(|(end, before)| [[0, 1, 2, 3].map(|k| end[k] - before[k]), end]).collect()
}

/// To which side a tendon lies at the knuckle: 1 for the thumb's.
fn side(finger: &Finger, muscle: &str) -> Real {
    // Dorsal ones lead away from the middle finger, and the little finger's abductor too; palmar ones towards it. The
    // middle finger's PI is its dorsal one at the little finger's side.
    let dorsal = if ["II", "III"].contains(&finger.digit) { 1.0 } else { -1.0 };
    match muscle {
        "DI" => dorsal,
        "PI" => -dorsal,
        _ => 1.0,
    }
}

fn judge(row: &Row, finger: &Finger, [mut change, end]: [Pose; 2]) {
    let (tendon, muscle, part, ways, source) = row;
    change[0] *= side(finger, muscle);
    println!("{} {tendon} {muscle} {part}: by {change:.1?} to {end:.1?} ({source})", finger.digit);
    for (k, joint) in ["abduction", "MCP", "PIP", "DIP"].into_iter().enumerate() {
        let reported = format!(
            "{} {tendon} {muscle} at {joint}: {:.1} degrees, not {:?}",
            finger.digit, change[k], ways[k]
        );
        assert!(ways[k].holds(change[k], if k == 0 { SPREADS } else { MOVES }), "{reported} ({source})");
        assert!(k == 0 || end[k] > HYPER_EXTENDED, "{reported}: ends at {:.1}", end[k]);
    }
}

fn floating(tendons: Vec<Tendon>) -> Options {
    Options { tendons, ..in_gravity(Vec3::zeros()) }
}

#[test]
fn each_muscle_alone_moves_each_joint_of_each_finger_as_anatomy_says() {
    for row in &MUSCLES {
        let changes = pulled(hand(&floating(Tendon::ALL.to_vec())).unwrap(), row.1, row.2, 2.0 * STEP);
        Finger::all().iter().zip(changes).for_each(|(finger, change)| judge(row, finger, change));
    }
}

#[test]
fn steps_of_any_length_move_joints_the_same_ways() {
    let index = Finger::index();
    for row in sample(&MUSCLES, 3) {
        for step in [0.25e-3, 1e-3] {
            let parts = finger(&index, &floating(Tendon::ALL.to_vec())).unwrap();
            judge(row, &index, pulled(parts, row.1, row.2, step)[0]);
        }
    }
}

#[test]
fn each_tendon_alone_moves_each_joint_that_it_passes() {
    // DI and PI end on the first bone: their wings extend the last two joints. The lateral band, where LUM goes on,
    // falls to the axis of a PIP that is flexed as at rest \[HandThesis fig. 3.9a\]: alone it extends PIP only if that
    // is nearly straight, as the moment arms in tests/hand/finger.rs show; the slips of EDC and IntMed do the rest.
    let rows: [(Tendon, Row); 9] = [
        (Tendon::Di, ("DI", "DI", 0.1, [On, On, Stays, Stays], ROUTING)),
        (Tendon::Pi, ("PI", "PI", 0.1, [On, On, Stays, Stays], ROUTING)),
        (Tendon::Fdp, ("FDP", "FDP", 0.1, [Stays, On, On, On], EXTRINSIC)),
        (Tendon::Fds, ("FDS", "FDS", 0.1, [Stays, On, On, Stays], EXTRINSIC)),
        (Tendon::Edc, ("EDC", "EDC", 0.1, [Stays, Back, Back, Stays], ROUTING)),
        (Tendon::IntMed, ("IntMed", "LUM", 0.5, [Stays, On, Back, Stays], ROUTING)),
        (Tendon::Lum, ("LUM", "LUM", 0.5, [Stays, On, Stays, Back], ROUTING)),
        (Tendon::DiLat, ("DILat", "DI", 0.04, [On, On, Back, Back], INTRINSIC)),
        (Tendon::PiLat, ("PILat", "PI", 0.05, [On, On, Back, Back], INTRINSIC)),
    ];
    let index = Finger::index();
    for (tendon, row) in &rows {
        let parts = finger(&index, &floating(vec![*tendon])).unwrap();
        judge(row, &index, pulled(parts, row.1, row.2, STEP)[0]);
    }
}

/// With PIP flexed as at rest, a slack lateral band can lie at two places: on top of the joint, which it extends then,
/// or beside it at its axis. Which of them depends on how it fell there, and so on the length of the steps.
#[test]
fn the_lateral_band_alone_extends_the_joints_and_never_flexes_pip_in_steps_of_any_length() {
    for &step in sample(&[2.0 * STEP, 0.25e-3, STEP, 0.5e-3], 2) {
        for part in [0.05, 0.1, 0.2] {
            let parts = finger(&Finger::index(), &floating(vec![Tendon::ExtLat])).unwrap();
            let [change, end] = pulled(parts, "EDC", part, step)[0];
            println!("ExtLat {part} in steps of {step} s: by {change:.1?} to {end:.1?}");
            assert!(change[0].abs() < SPREADS && change[2] < MOVES, "{change:?}");
            assert!([1, 3].iter().all(|&k| change[k] < -MOVES), "{change:?}");
            assert!(end[2] > 0.0 && end.iter().all(|angle| *angle > -20.0), "{end:?}");
        }
    }
}

/// A finger with these tendons whose PIP a spring holds at an angle, and whose last joint perhaps another spring
/// flexes; where its last joint rests.
fn last_joint_with_pip_at(degrees: Real, tendons: Vec<Tendon>, flexing: Option<Spring>) -> Real {
    let mut parts = finger(&Finger::index(), &floating(tendons)).unwrap();
    let mut hold = |name: &str, spring: Spring| {
        let joint = parts.joints.iter_mut().find(|joint| joint.name == name).unwrap();
        joint.axes[FLEXING] = Axis { motion: Motion::Free, spring: Some(spring), ..Axis::default() };
    };
    hold("PIP", Spring { stiffness: 5.0, rest: degrees.to_radians(), damping: 0.05 });
    flexing.into_iter().for_each(|spring| hold("DIP", spring));
    poses(&relaxed(parts, STEP))[0][3]
}

/// The ligament is taut when the finger is nearly straight, and gives way for DIP to be flexed about as far as PIP is,
/// so that both flex together \[HandThesis §3.4\].
#[test]
fn the_oblique_ligament_gives_way_for_the_last_joint_as_the_one_before_it_flexes() {
    // Some 8 N mm, as of the deep flexor with 2 N: 2.5 N in the ligament, which stretch it by a tenth of a millimetre.
    let flexing = Spring { stiffness: 0.004, rest: 2.7, damping: 0.002 };
    let given =
        [0.0, 30.0, 60.0, 90.0].map(|pip| last_joint_with_pip_at(pip, vec![Tendon::Ol], Some(flexing)));
    println!("the ligament gives {given:.1?} degrees of DIP with PIP at 0, 30, 60, 90");
    assert!((0.0..10.0).contains(&given[0]), "{given:?}");
    let ratios = [given[1] / 30.0, given[2] / 60.0, given[3] / 90.0];
    assert!(ratios.iter().all(|ratio| (0.8..1.2).contains(ratio)), "{given:?}");
}

/// The ninth tendon has no muscle. It tightens where PIP extends, and then extends DIP (Adkinson, Johnson, Chung, "The
/// Clinical Implications of the Oblique Retinacular Ligament", on Landsmeer).
#[test]
fn the_oblique_ligament_extends_the_last_joint_where_the_one_before_it_is_straight() {
    let dip =
        |degrees: Real| [vec![], vec![Tendon::Ol]].map(|all| last_joint_with_pip_at(degrees, all, None));
    let (straight, flexed) = (dip(0.0), dip(80.0));
    println!("DIP without and with OL, PIP straight {straight:.1?}, PIP flexed {flexed:.1?}");
    assert!(straight[0] - straight[1] > MOVES, "{straight:?}");
    assert!((flexed[0] - flexed[1]).abs() < 1.0, "{flexed:?}");
}

/// Where the tips of all fingers are, in m to the thumb's side.
fn tips_aside(run: &Run) -> Vec<Real> {
    let bones = run.model.parts().bodies.iter().zip(&run.state.bodies);
    let distal = bones.filter(|(bone, _)| bone.name.ends_with("Distal"));
    distal.map(|(_, moving)| moving.place.origin.z).collect()
}

#[test]
fn dorsal_interossei_spread_the_fingers_and_palmar_ones_close_them() {
    let spread = |muscle: &str| {
        let mut run = relaxed(hand(&floating(Tendon::ALL.to_vec())).unwrap(), STEP);
        let before = tips_aside(&run);
        // The middle finger has two dorsal ones, which hold it between them. The little finger goes further than the
        // ring finger does to the same side. Extensors keep the knuckles from flexing.
        pull(&mut run, STEP, SETTLING, |name| match name.split_once(' ') {
            Some(("III", own)) if own != "DI" && own != "PI" => 0.0,
            Some(("III", _)) if muscle == "PI" => 0.0,
            Some(("III", _)) => 4.0,
            Some(("V", own)) if own == muscle => 12.0,
            Some((_, own)) if own == muscle => 4.0,
            Some((_, "EDC")) => 3.0,
            _ => 0.0,
        });
        let after = tips_aside(&run);
        let gap = |tips: &[Real]| tips.windows(2).map(|pair| pair[0] - pair[1]).collect::<Vec<_>>();
        let change: Vec<Real> = gap(&after).iter().zip(gap(&before)).map(|(a, b)| 1e3 * (a - b)).collect();
        println!("{muscle}: gaps between tips change by {change:.1?} mm, {:.1?}", poses(&run));
        change
    };
    let (apart, together) = (spread("DI"), spread("PI"));
    assert!(apart.iter().all(|gap| *gap > 1.0), "{apart:?}");
    assert!(together.iter().all(|gap| *gap < -0.5), "{together:?}");
}

#[test]
fn a_hand_whose_joints_have_no_ligaments_does_not_rest_so() {
    let resistance = Resistance { passive: false, ..Resistance::default() };
    let options = Options { resistance, ..in_gravity(Vec3::y() * GRAVITY) };
    let pose = poses(&relaxed(finger(&Finger::index(), &options).unwrap(), STEP))[0];
    println!("without ligaments {pose:.1?}");
    assert!(!slightly_flexed(&pose), "{pose:?}");
}
