//! The other side of sets, and copies of sculpted ones: shapes must not depend on the axes of joints, nor on where a
//! character stands.

use super::cli::{folder, sinew, text};
use sinew::anatomy::muscles::{Mirrored, NewMuscle, Rig, copy, create, mirror, mirror_on, sculpt};
use sinew::control::Control;
use sinew::formats::xml;
use sinew::math::{
    Affine, Mat3, Real, Rotation, Space, UpAxis, Vec3, affine, linear, transform_point, translation,
};
use sinew::muscle::{Frames, Model};
use sinew::scene::muscles::MuscleSet;
use std::f64::consts::PI;

fn turn(x: Real, y: Real, z: Real) -> Mat3 {
    Rotation::from_euler_angles(x, y, z).to_rotation_matrix().into_inner()
}

/// Where a character stands: turned, scaled and moved.
#[derive(Clone, Copy)]
struct Stand {
    turn: Mat3,
    scale: Real,
    shift: Vec3,
}

impl Stand {
    fn point(&self, p: &Vec3) -> Vec3 {
        self.turn * p * self.scale + self.shift
    }
}

/// At home, and elsewhere: turned, far away, a mouse and an elephant.
fn stands() -> [Stand; 4] {
    let stand = |turn, scale, shift| Stand { turn, scale, shift };
    [
        stand(Mat3::identity(), 1.0, Vec3::zeros()),
        stand(turn(0.4, -1.1, 2.0), 1.0, Vec3::new(6.8, -1.0, 3.0)),
        stand(turn(0.0, PI, 0.0), 0.03, Vec3::new(0.1, 0.2, -0.3)),
        stand(turn(-1.5, 0.2, 0.3), 40.0, Vec3::new(-100.0, 500.0, 20.0)),
    ]
}

/// A trunk with two arms, in symmetry at x = 0; the joints of the right one have other axes.
struct Arms {
    names: Vec<String>,
    rest: Vec<Affine>,
}

/// As Maya mirrors joints ("behaviour"), as they are parented to nothing, and anyhow.
fn axes() -> [Mat3; 4] {
    [Mat3::identity(), turn(PI, 0.0, 0.0), turn(0.9, 0.0, 0.0), turn(1.0, 2.0, -0.5)]
}

fn reflected(p: &Vec3) -> Vec3 {
    Vec3::new(-p.x, p.y, p.z)
}

impl Arms {
    fn new(right: &Mat3, stand: &Stand) -> Self {
        let tilt = turn(0.2, 0.1, -0.3);
        let (arm, hand) = (Vec3::new(0.2, 1.4, 0.0), Vec3::new(0.5, 1.35, 0.1));
        let joints = [
            ("root", Mat3::identity(), Vec3::zeros()),
            ("chest", tilt, Vec3::new(0.0, 1.2, 0.05)),
            ("arm.L", tilt, arm),
            ("hand.L", tilt, hand),
            ("arm.R", right * tilt, reflected(&arm)),
            ("hand.R", right * tilt, reflected(&hand)),
        ];
        Arms {
            names: joints.iter().map(|(name, ..)| name.to_string()).collect(),
            rest: joints.iter().map(|(_, axes, p)| affine(&(stand.turn * axes), &stand.point(p))).collect(),
        }
    }

    fn rig(&self) -> Rig<'_> {
        Rig { names: &self.names, rest: &self.rest, ..Rig::default() }
    }

    /// The vertices of all muscles at rest; the rig is in the space of the set.
    fn points(&self, set: &MuscleSet, frames: Frames) -> Vec<Vec3> {
        let space = set.units().unwrap();
        let rest: Vec<Affine> = self.rest.iter().map(|joint| space.affine_in(joint)).collect();
        let built = set.parts(&self.names).unwrap();
        assert!(built.left_out.is_empty(), "{:?}", built.left_out);
        let model = Model::new(built.parts, &rest, frames).unwrap();
        model.points().iter().map(|p| space.point_out(*p)).collect()
    }

    /// A muscle of the left arm with two bumps, which the tool makes, and its vertices.
    fn sculpted(&self, stand: &Stand, frames: Frames) -> (MuscleSet, Vec<Vec3>) {
        let mut set: MuscleSet = xml::parse("<muscle_set/>").unwrap();
        let (joints, size) = (["arm.L", "hand.L"], Some(0.04 * stand.scale));
        let middle = stand.turn * Vec3::new(0.0, 0.02, 0.01) * stand.scale;
        create(
            &mut set,
            &NewMuscle { name: "m.L", joints, size, middle, ..NewMuscle::default() },
            &self.rig(),
            None,
        )
        .unwrap();
        assert!(set.muscles[0].up.is_none());
        let mut points = self.points(&set, frames);
        let bump = |v: Vec3| stand.turn * v * stand.scale;
        points[4 * 8] += bump(Vec3::new(0.0, 0.03, 0.0));
        points[3 * 8 + 2] += bump(Vec3::new(0.01, -0.01, 0.02));
        assert_eq!(sculpt(&mut set, &self.rig(), frames, &points).unwrap(), 2);
        assert!(distance(&self.points(&set, frames), &points) < 1e-9 * stand.scale);
        (set, points)
    }
}

/// The largest distance of a point from the closest of others.
fn distance(points: &[Vec3], others: &[Vec3]) -> Real {
    let closest = |p: &Vec3| others.iter().map(|q| (p - q).norm()).fold(Real::INFINITY, Real::min);
    points.iter().map(closest).fold(0.0, Real::max)
}

/// The mirror image of a point on a character.
fn across(stand: &Stand, p: &Vec3) -> Vec3 {
    let at_home = stand.turn.transpose() * (p - stand.shift) / stand.scale;
    stand.point(&reflected(&at_home))
}

fn no_warnings(mirrored: &Mirrored) {
    assert_eq!(mirrored.warnings, [] as [String; 0]);
}

/// A bump of 3 cm lies at its mirror image, whatever the axes of the other arm are: with the joints, wherever the
/// character stands; without them, where it is symmetric at x = 0.
#[test]
fn what_is_sculpted_is_mirrored_whatever_the_axes_of_the_joints() {
    for frames in [Frames::Stable, Frames::UpVector] {
        for right in axes() {
            for (k, stand) in stands().iter().enumerate() {
                let arms = Arms::new(&right, stand);
                let (mut set, left) = arms.sculpted(stand, frames);
                let mut without = set.clone();
                let mirrored = mirror_on(&mut set, &arms.rig(), &Control::default()).unwrap();
                no_warnings(&mirrored);
                let images: Vec<Vec3> = left.iter().map(|p| across(stand, p)).collect();
                let points = arms.points(&set, frames);
                let off = distance(&images, &points[left.len()..]) / stand.scale;
                assert!(off < 1e-9 && mirrored.added == 1, "{frames:?} {k}: {off}");
                assert!(distance(&left, &points[..left.len()]) < 1e-9 * stand.scale, "the left one stays");
                if k == 0 {
                    no_warnings(&mirror(&mut without, 0).unwrap());
                    let off = distance(&images, &arms.points(&without, frames)[left.len()..]);
                    assert!(off < 1e-9, "{frames:?}: {off}");
                }
            }
        }
    }
}

/// On the same body with other axes a shape stays where it is; on one that stands elsewhere, it comes along.
#[test]
fn what_is_sculpted_is_copied_whatever_the_axes_of_the_joints() {
    for frames in [Frames::Stable, Frames::UpVector] {
        for own in axes() {
            for stand in stands() {
                let home = stands()[0];
                let (mut from, mut to) = (Arms::new(&axes()[0], &home), Arms::new(&axes()[0], &stand));
                let (mut set, left) = from.sculpted(&home, frames);
                to.rest
                    .iter_mut()
                    .for_each(|joint| *joint = affine(&(linear(joint) * own), &translation(joint)));
                let there: Vec<Vec3> = left.iter().map(|p| stand.point(p)).collect();
                let copied = copy(&set, &from.rig(), &to.rig(), &Control::default()).unwrap();
                assert!(copied.warnings.is_empty());
                let off = distance(&there, &to.points(&copied.set, frames)) / stand.scale;
                assert!(off < 1e-9, "{frames:?}: {off}");
                // A set from before up-vectors were written down.
                set.muscles[0].up = None;
                let copied = copy(&set, &from.rig(), &to.rig(), &Control::default()).unwrap();
                let off = distance(&there, &to.points(&copied.set, frames)) / stand.scale;
                assert!(off < 1e-9, "{frames:?}: {off}");
                // Nor does a rig whose axes are changed later move what was sculpted on it.
                let sculpted = from.sculpted(&home, frames).0;
                from.rest
                    .iter_mut()
                    .for_each(|joint| *joint = affine(&(linear(joint) * own), &translation(joint)));
                assert!(distance(&left, &from.points(&sculpted, frames)) < 1e-9);
            }
        }
    }
}

/// In centimetres with z up: the up-vector is written in the space of the set.
#[test]
fn up_vectors_are_in_the_space_of_the_set() {
    let home = stands()[0];
    for right in axes() {
        let arms = Arms::new(&right, &home);
        let (set, left) = arms.sculpted(&home, Frames::Stable);
        let space = Space::new(0.01, UpAxis::Z).unwrap();
        let mut other = set.in_space(space).unwrap();
        // Sculpted anew, from metres with y up.
        other.muscles.iter_mut().for_each(|e| (e.up, e.offsets) = (None, Vec::new()));
        sculpt(&mut other, &arms.rig(), Frames::Stable, &left).unwrap();
        let rest = arms.rest.iter().map(|joint| space.affine_out(joint)).collect();
        let there = Arms { names: arms.names.clone(), rest };
        no_warnings(&mirror_on(&mut other, &there.rig(), &Control::default()).unwrap());
        let points: Vec<Vec3> =
            there.points(&other, Frames::Stable).iter().map(|p| space.point_in(*p)).collect();
        let images: Vec<Vec3> = left.iter().map(reflected).collect();
        assert!(distance(&images, &points[left.len()..]) < 1e-9);
        assert!(distance(&left, &points[..left.len()]) < 1e-9);
    }
}

const HEADS: &str = r#"<muscle_set><muscle name="m.L" origin_joint="arm.L" origin="0.2 1.4 0" insertion_joint="hand.L"
    insertion="0.5 1.35 0.1" size="0.03"><head name="n.L" origin_joint="chest" origin="0.05 1.2 0.02"/></muscle></muscle_set>"#;

/// Heads on joints with other axes have other up-vectors: none of their vertices moves when the first is sculpted.
#[test]
fn heads_keep_their_places_when_one_is_sculpted() {
    for right in axes() {
        let mut arms = Arms::new(&right, &stands()[0]);
        arms.rest[1] = affine(&(linear(&arms.rest[1]) * right), &translation(&arms.rest[1]));
        let mut set: MuscleSet = xml::parse(HEADS).unwrap();
        let mut points = arms.points(&set, Frames::Stable);
        points[4 * 8].y += 0.03;
        sculpt(&mut set, &arms.rig(), Frames::Stable, &points).unwrap();
        let now = arms.points(&set, Frames::Stable);
        let off = points.iter().zip(&now).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max);
        assert!(off < 1e-9, "{off}");
        assert_eq!(set.muscle_names(), ["m.L", "n.L"]);
    }
}

/// What was sculpted before up-vectors were written down needs the joints; the mirror says so.
#[test]
fn shapes_that_lean_on_their_joints_are_reported() {
    let home = stands()[0];
    let arms = Arms::new(&axes()[1], &home);
    let (mut set, left) = arms.sculpted(&home, Frames::Stable);
    set.muscles[0].up = None;
    let reported = mirror(&mut set.clone(), 0).unwrap().warnings;
    assert!(
        reported.len() == 1 && reported[0].starts_with("m.L: it is sculpted and has no up-vector"),
        "{reported:?}"
    );
    no_warnings(&mirror_on(&mut set, &arms.rig(), &Control::default()).unwrap());
    let images: Vec<Vec3> = left.iter().map(reflected).collect();
    assert!(distance(&images, &arms.points(&set, Frames::Stable)[left.len()..]) < 1e-9);
}

/// An arm that hangs down on one side only: the image hangs with it.
#[test]
fn images_follow_joints_that_are_posed_otherwise() {
    for stand in stands() {
        let mut arms = Arms::new(&axes()[1], &stand);
        let (mut set, _) = arms.sculpted(&stand, Frames::Stable);
        let shoulder = translation(&arms.rest[4]);
        let lowered = affine(&(stand.turn * turn(0.0, 0.0, 1.2) * stand.turn.transpose()), &Vec3::zeros());
        let hand = transform_point(&lowered, &(translation(&arms.rest[5]) - shoulder)) + shoulder;
        arms.rest[5] = affine(&linear(&arms.rest[5]), &hand);
        set.muscles[0].insertion.0[1] += 0.01 * stand.scale;
        let away = |e: &sinew::scene::muscles::MuscleElement, joint: usize| {
            (e.insertion.vec() - translation(&arms.rest[joint])).norm() / stand.scale
        };
        mirror_on(&mut set, &arms.rig(), &Control::default()).unwrap();
        let [own, image] = [away(&set.muscles[0], 3), away(&set.muscles[1], 5)];
        assert!((own - image).abs() < 0.002, "{own} {image}");
    }
}

/// Joints of motion capture, of Daz, and of others who write a side as a letter: none of the ends stays on the left.
#[test]
fn both_ends_change_sides_however_these_are_written() {
    for [own, other] in [
        [["LeftHand", "LThumb"], ["RightHand", "RThumb"]],
        [["LowerBack", "LHipJoint"], ["LowerBack", "RHipJoint"]],
        [["chest", "lShldrBend"], ["chest", "rShldrBend"]],
        [["ArmL", "HandL"], ["ArmR", "HandR"]],
        [["leftarm", "lefthand"], ["rightarm", "righthand"]],
    ] {
        let places = [[0.1, 1.0, 0.0], [0.3, 0.9, 0.1]];
        let pairs = own.iter().chain(&other).zip(places.iter().chain(&places)).enumerate();
        let joint = |(k, (name, p)): (usize, (&&str, &[Real; 3]))| {
            let middle = own.contains(name) && other.contains(name);
            let side = if middle {
                0.0
            } else if k < 2 {
                1.0
            } else {
                -1.0
            };
            (name.to_string(), affine(&Mat3::identity(), &Vec3::new(side * p[0], p[1], p[2])))
        };
        let mut joints: Vec<(String, Affine)> = pairs.map(joint).collect();
        joints.push(("Spine".into(), affine(&Mat3::identity(), &Vec3::new(0.0, 1.2, -0.1))));
        joints.dedup_by(|a, b| a.0 == b.0);
        for stand in stands() {
            let names: Vec<String> = joints.iter().map(|(name, _)| name.clone()).collect();
            let place = |joint: &Affine| affine(&linear(joint), &stand.point(&translation(joint)));
            let rest: Vec<Affine> = joints.iter().map(|(_, joint)| place(joint)).collect();
            let rig = Rig { names: &names, rest: &rest, ..Rig::default() };
            let mut set: MuscleSet = xml::parse("<muscle_set/>").unwrap();
            create(&mut set, &NewMuscle { name: "left_m", joints: own, ..NewMuscle::default() }, &rig, None)
                .unwrap();
            let mut without = set.clone();
            no_warnings(&mirror_on(&mut set, &rig, &Control::default()).unwrap());
            no_warnings(&mirror(&mut without, 0).unwrap());
            for made in [&set.muscles[1], &without.muscles[1]] {
                assert_eq!([made.origin_joint.as_str(), made.insertion_joint.as_str()], other);
                assert_eq!(made.name, "right_m");
            }
            let end = set.muscles[1].insertion.vec() - rig.position(rig.find(other[1]).unwrap());
            assert!(end.norm() < 1e-9 * stand.scale, "{end}");
        }
    }
}

#[test]
fn rigs_without_the_other_side_are_reported() {
    let home = stands()[0];
    let arms = Arms::new(&axes()[0], &home);
    let (set, _) = arms.sculpted(&home, Frames::Stable);
    let without = |gone: &dyn Fn(&str) -> bool| {
        let kept = (0..arms.names.len()).filter(|joint| !gone(&arms.names[*joint]));
        let (names, rest): (Vec<String>, Vec<Affine>) =
            kept.map(|joint| (arms.names[joint].clone(), arms.rest[joint])).unzip();
        Arms { names, rest }
    };
    let mut same = set.clone();
    let reported =
        mirror_on(&mut same, &without(&|name| name.ends_with(".R")).rig(), &Control::default()).unwrap_err();
    assert!(
        reported.message().contains("no joint on the left with a counterpart on the right"),
        "{reported}"
    );
    assert_eq!(same, set);
    let mirrored =
        mirror_on(&mut same, &without(&|name| name == "hand.R").rig(), &Control::default()).unwrap();
    assert_eq!(mirrored.added, 0);
    assert_eq!(mirrored.warnings, [r#"muscle m.R is left out: the rig has no joint "hand.R""#]);
}

/// The command: on the joints of a file, wherever the character stands.
#[test]
fn the_command_mirrors_on_joints() {
    let folder = folder();
    let folder = folder.path();
    let stand = stands()[1];
    let arms = Arms::new(&axes()[1], &stand);
    let (set, left) = arms.sculpted(&stand, Frames::Stable);
    xml::save(&folder.join("left.xml"), &set).unwrap();
    let row = |(name, joint): (&String, &Affine)| {
        let numbers = (0..12).map(|k| joint[(k / 4, k % 4)].to_string());
        format!("rest,{name},{}\n", numbers.collect::<Vec<_>>().join(","))
    };
    let rows: String = arms.names.iter().zip(&arms.rest).map(row).collect();
    std::fs::write(folder.join("arms.csv"), rows).unwrap();
    let options = ["muscles", "mirror", "left.xml", "--joints", "arms.csv", "--out", "both.xml"];
    let output = sinew(folder, &options);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    let both: MuscleSet = xml::read(&folder.join("both.xml")).unwrap();
    let images: Vec<Vec3> = left.iter().map(|p| across(&stand, p)).collect();
    assert!(distance(&images, &arms.points(&both, Frames::Stable)[left.len()..]) < 1e-6);
    let output = sinew(folder, &[&options[..], &["--axis", "y"]].concat());
    assert!(!output.status.success() && text(&output.stderr).contains("--axis"));
}
