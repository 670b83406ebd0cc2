//! What she does: turns of the joints over time, smooth up to the second derivative, at rest at 0 s.

use super::rig::{Pose, Rig};
use sinew::anatomy::shaping::{pulse, step};
use sinew::math::{Real, Vec3};
use std::f64::consts::TAU;

/// A motion as a function of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Walking on the spot.
    Walk,
    /// The left arm goes from its side straight up within a second, and back.
    RaisedArm,
    /// The left hand makes a fist, the thumb over the fingers, and opens.
    Fist,
    /// The head turns to the left by 60 degrees, looks up, turns to the right, and comes back.
    TurnedHead,
    /// The left upper arm goes up to the side, the elbow bends as far as it can, and all comes back.
    Flex,
    /// A jump on the spot: she bends her knees, leaves the ground, lands and catches herself.
    Hop,
    /// The head turns away to the right, the left arm goes up, its hand makes a fist, and all comes back.
    Shot,
}

impl Motion {
    /// Every motion.
    pub const ALL: [Motion; 7] = [
        Motion::Walk,
        Motion::RaisedArm,
        Motion::Fist,
        Motion::TurnedHead,
        Motion::Flex,
        Motion::Hop,
        Motion::Shot,
    ];

    /// Its length in seconds; a walk has no end.
    pub fn seconds(self) -> Real {
        match self {
            Motion::Walk | Motion::TurnedHead => 3.0,
            Motion::RaisedArm => 3.2,
            Motion::Fist => 1.8,
            Motion::Flex => 2.4,
            Motion::Hop => 2.0,
            Motion::Shot => 4.0,
        }
    }

    /// The pose at a time in seconds.
    pub fn pose(self, rig: &Rig, time: Real) -> Pose<'_> {
        let mut pose = rig.pose();
        match self {
            Motion::Walk => walk(rig, &mut pose, time),
            Motion::RaisedArm => {
                let lowered = pulse([0.0, 0.5, 2.7, 3.2], time);
                raise_arm(rig, &mut pose, lowered, pulse([0.4, 1.4, 1.8, 2.8], time), 1.0);
            }
            Motion::Fist => make_fist(rig, &mut pose, pulse([0.1, 0.7, 1.1, 1.7], time)),
            Motion::TurnedHead => {
                let yaw = pulse([0.0, 0.8, 1.1, 1.9], time) - pulse([1.1, 1.9, 2.2, 3.0], time);
                turn_head(&mut pose, yaw * RIGHT_TO_LEFT, pulse([0.4, 1.0, 1.9, 2.7], time));
            }
            Motion::Flex => {
                flex_arm(rig, &mut pose, pulse([0.1, 1.1, 1.5, 2.3], time));
                make_fist(rig, &mut pose, pulse([0.1, 0.8, 1.7, 2.3], time));
            }
            Motion::Hop => hop(rig, &mut pose, time),
            Motion::Shot => {
                turn_head(
                    &mut pose,
                    -RIGHT_TO_LEFT * pulse([0.1, 1.1, 2.9, 3.9], time),
                    0.4 * pulse([0.6, 1.4, 2.8, 3.6], time),
                );
                let lowered = pulse([0.0, 0.6, 3.4, 4.0], time);
                raise_arm(rig, &mut pose, lowered, pulse([0.4, 1.6, 2.5, 3.6], time), 0.8);
                make_fist(rig, &mut pose, pulse([1.2, 1.9, 2.3, 3.0], time));
                turn_forearm(rig, &mut pose, 1.2 * pulse([1.3, 2.0, 2.3, 3.0], time));
            }
        }
        pose
    }
}

/// How far the head turns to one side, in radians.
const RIGHT_TO_LEFT: Real = TAU / 6.0;

/// Turns the head about the vertical, shared by head and neck, and lifts the chin.
fn turn_head(pose: &mut Pose, yaw: Real, up: Real) {
    for (joint, share) in [("neck01", 0.15), ("neck02", 0.2), ("neck03", 0.25), ("head", 0.4)] {
        pose.turn(joint, Vec3::x(), -0.35 * up * share);
        pose.turn(joint, Vec3::y(), yaw * share);
    }
}

/// `lowered` brings the arm down to her side; from there, `raised` lifts it by a fraction of half a turn.
fn raise_arm(rig: &Rig, pose: &mut Pose, lowered: Real, raised: Real, part: Real) {
    let [shoulder, elbow, wrist] =
        ["upperarm01.L", "lowerarm01.L", "wrist.L"].map(|joint| rig.joint(joint).head);
    let upper = (elbow - shoulder).normalize();
    let hinge = upper.cross(&(wrist - elbow)).normalize();
    // The elbow straightens, before the whole arm is turned.
    let bend = upper.angle(&(wrist - elbow));
    let straight = 0.35 * lowered + 0.45 * raised;
    pose.turn("lowerarm01.L", hinge, -bend * straight);
    // It rises slightly in front of the body; the collarbone and the shoulder blade take a third of it.
    let hang = (upper.x.atan2(-upper.y) - 0.16) * lowered;
    let sideways = Vec3::new(-0.45, 0.0, 0.9).normalize();
    let angle = (TAU / 2.0 - 0.4) * part * raised;
    let late = step(0.1, 1.0, raised);
    pose.turn("clavicle.L", Vec3::z(), 0.40 * late * part);
    pose.turn("shoulder01.L", Vec3::z(), 0.48 * late * part);
    // The upper arm turns outwards on its way up, in both of its joints.
    pose.turn("upperarm02.L", upper, -0.35 * raised);
    pose.turn("upperarm01.L", upper, -0.35 * raised);
    pose.turn("upperarm01.L", Vec3::z(), -hang);
    pose.turn("upperarm01.L", sideways, angle - 0.88 * late * part);
}

/// Jumps; her feet stay below her hips.
fn hop(rig: &Rig, pose: &mut Pose, time: Real) {
    // With thigh and shin of about the same length, both lean by the same angle.
    let angle = 0.5 * pulse([0.0, 0.35, 0.4, 0.7], time) + 0.65 * pulse([0.85, 1.15, 1.3, 1.9], time);
    pose.shift.y = 0.20 * pulse([0.45, 0.8, 0.8, 1.15], time);
    for side in ["L", "R"] {
        let [hip, knee, ankle] =
            ["upperleg01", "lowerleg01", "foot"].map(|joint| rig.joint(&format!("{joint}.{side}")).head);
        let leg = (hip - knee).norm() + (knee - ankle).norm();
        pose.shift.y -= 0.5 * leg * (1.0 - angle.cos());
        for (joint, turns) in [("upperleg01", -1.0), ("lowerleg01", 2.0), ("foot", -1.0)] {
            pose.turn(&format!("{joint}.{side}"), Vec3::x(), turns * angle);
        }
    }
}

/// Lifts the left upper arm to the side, turns it outwards, and bends the elbow.
fn flex_arm(rig: &Rig, pose: &mut Pose, bent: Real) {
    let [shoulder, elbow, wrist] =
        ["upperarm01.L", "lowerarm01.L", "wrist.L"].map(|joint| rig.joint(joint).head);
    let upper = (elbow - shoulder).normalize();
    let hinge = upper.cross(&(wrist - elbow)).normalize();
    pose.turn("lowerarm01.L", hinge, 1.35 * bent);
    pose.turn("clavicle.L", Vec3::z(), 0.12 * bent);
    pose.turn("upperarm02.L", upper, -0.3 * bent);
    pose.turn("upperarm01.L", upper, -0.5 * bent);
    pose.turn("upperarm01.L", Vec3::z(), 0.62 * bent);
}

/// Turns the left forearm about itself, in both of its joints.
fn turn_forearm(rig: &Rig, pose: &mut Pose, angle: Real) {
    let along = (rig.joint("wrist.L").head - rig.joint("lowerarm01.L").head).normalize();
    pose.turn_first("lowerarm01.L", along, 0.4 * angle);
    pose.turn_first("lowerarm02.L", along, 0.6 * angle);
}

/// How far neighbouring fingers are spread at rest, in radians.
const SPREAD: Real = 0.1;

/// Closes the left hand.
fn make_fist(rig: &Rig, pose: &mut Pose, closed: Real) {
    let head = |joint: &str| rig.joint(joint).head;
    let across = (head("finger5-1.L") - head("finger2-1.L")).normalize();
    for finger in 2..=5 {
        let joint = |k: usize| format!("finger{finger}-{k}.L");
        let bone = rig.joint(&joint(1));
        let along = (bone.tail - bone.head).normalize();
        // At right angles to the finger, so that it curls in a plane; spread fingers close.
        let hinge = (across - along * along.dot(&across)).normalize();
        let spread = (finger as Real - 3.4) * SPREAD;
        pose.turn(&joint(1), along.cross(&hinge), -spread * closed);
        for (k, angle) in [(1, 1.3), (2, 1.6), (3, 0.8)] {
            pose.turn(&joint(k), hinge, angle * closed);
        }
    }
    thumb(rig, pose, closed);
}

/// Lays the thumb over the closed fingers; it comes after them.
fn thumb(rig: &Rig, pose: &mut Pose, closed: Real) {
    let head = |joint: &str| rig.joint(joint).head;
    let late = step(0.25, 1.0, closed);
    let across = (head("finger5-1.L") - head("finger2-1.L")).normalize();
    let along = (head("finger3-1.L") - head("wrist.L")).normalize();
    let palm = across.cross(&along).normalize();
    let bone = rig.joint("finger1-2.L");
    let hinge = (bone.tail - bone.head).cross(&across).normalize();
    pose.turn("finger1-1.L", along, 0.9 * late);
    pose.turn("finger1-1.L", palm, 0.2 * late);
    pose.turn("finger1-2.L", hinge, 0.5 * late);
    pose.turn("finger1-3.L", hinge, 0.8 * late);
}

/// Hip, knee and ankle angles in degrees, at tenths of the gait cycle from heel strike: means of normal gait.
const GAIT: [[Real; 10]; 3] = [
    [28.0, 25.0, 17.0, 7.0, -3.0, -9.0, -4.0, 12.0, 25.0, 30.0],
    [5.0, 15.0, 17.0, 11.0, 6.0, 12.0, 35.0, 60.0, 50.0, 18.0],
    [0.0, -5.0, 2.0, 7.0, 10.0, 6.0, -14.0, -8.0, 0.0, 2.0],
];

/// A periodic curve through ten points, smooth: the trigonometric interpolation.
fn cycle(points: &[Real; 10], phase: Real) -> Real {
    let term = |k: usize, harmonic: usize| {
        let weight = if harmonic == 0 || harmonic == 5 { 0.1 } else { 0.2 };
        weight * points[k] * (TAU * harmonic as Real * (phase - k as Real / 10.0)).cos()
    };
    (0..10).flat_map(|k| (0..=5).map(move |h| (k, h))).map(|(k, h)| term(k, h)).sum()
}

/// Walks on the spot, two steps in 1.1 s.
fn walk(rig: &Rig, pose: &mut Pose, time: Real) {
    let begun = step(0.0, 0.6, time);
    let phase = time / 1.1;
    let wave = |phase: Real| (TAU * phase).cos();
    for (side, phase) in [("L", phase), ("R", phase + 0.5)] {
        let joint = |name: &str| format!("{name}.{side}");
        let [hip, knee, ankle] = GAIT.each_ref().map(|c| cycle(c, phase).to_radians() * begun);
        pose.turn(&joint("upperleg01"), Vec3::x(), -hip);
        pose.turn(&joint("lowerleg01"), Vec3::x(), knee);
        pose.turn(&joint("foot"), Vec3::x(), -ankle);
        let left = if side == "L" { 1.0 } else { -1.0 };
        // The arms hang and swing against the legs.
        let upper = rig.joint(&joint("lowerarm01")).head - rig.joint(&joint("upperarm01")).head;
        let hang = upper.x.abs().atan2(-upper.y) - 0.16;
        let swing = -0.36 * wave(phase - 0.02) - 0.05;
        pose.turn(&joint("upperarm01"), Vec3::z(), -left * hang * begun);
        pose.turn(&joint("upperarm01"), Vec3::x(), -swing * begun);
        let hinge = upper.cross(&(rig.joint(&joint("wrist")).head - rig.joint(&joint("lowerarm01")).head));
        pose.turn(&joint("lowerarm01"), hinge.normalize(), (0.3 * swing - 0.4) * begun);
        pose.turn(&joint("clavicle"), Vec3::y(), -left * 0.12 * swing * begun);
    }
    pose.turn("root", Vec3::y(), -0.07 * wave(phase) * begun);
    pose.turn("spine03", Vec3::y(), 0.14 * wave(phase) * begun);
    pose.turn("neck02", Vec3::y(), -0.07 * wave(phase) * begun);
    pose.shift.y = (0.018 * wave(2.0 * phase - 0.55) - 0.02) * begun;
    pose.shift.x = 0.02 * wave(phase - 0.3) * begun;
}
