//! `sinew muscles` from outside: what the commands print, what they write, and how they fail.

use crate::human::{self, Human};
use serde_json::Value;
use sinew::anatomy::muscles::Physique;
use sinew::formats::{obj, xml};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Affine, Vec3};
use sinew::scene::muscles::MuscleSet;
use std::path::Path;
use std::process::{Command, Output};

pub(super) fn sinew(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).current_dir(folder).output().unwrap()
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Joints with names at places.
pub(super) fn joints(places: &[(&str, [f64; 3])]) -> String {
    let row = |(name, [x, y, z]): &(&str, [f64; 3])| format!("rest,{name},1,0,0,{x},0,1,0,{y},0,0,1,{z}\n");
    places.iter().map(row).collect()
}

pub(super) const JOINTS: [(&str, [f64; 3]); 7] = [
    ("Hips", [0.0, 1.0, 0.0]),
    ("Neck", [0.0, 1.6, 0.0]),
    ("LeftUpLeg", [0.1, 0.9, 0.0]),
    ("LeftLeg", [0.1, 0.5, 0.0]),
    ("LeftFoot", [0.1, 0.1, 0.0]),
    ("RightUpLeg", [-0.1, 0.9, 0.0]),
    ("RightLeg", [-0.1, 0.5, 0.0]),
];

/// A thigh's muscle whose insertion comes to its origin when the knee bends, beside one that stays.
const PLAN: &str = r#"<muscle_plan>
 <joint name="LeftUpLeg" parent="Hips" child="LeftLeg"/>
 <joint name="LeftLeg" parent="LeftUpLeg" child="LeftFoot" flex="-175 0"/>
 <joint name="LeftFoot" parent="LeftLeg"/>
 <muscle name="left_ham" side="one" origin_bone="LeftUpLeg LeftLeg" origin="0.5 180 0.5" insertion_bone="LeftLeg LeftFoot"
  insertion="0.5 180 0.5" size="0.2"/>
 <muscle name="left_calf" side="one" origin_bone="LeftLeg LeftFoot" origin="0.1 180 0.5" insertion_bone="LeftLeg LeftFoot"
  insertion="0.9 180 0.5" size="0.2"/>
 <muscle name="left_hand" side="one" origin_bone="LeftArm LeftHand" origin="0.1 180 0.5" insertion_bone="LeftArm LeftHand"
  insertion="0.9 180 0.5" size="0.2"/>
</muscle_plan>"#;

pub(super) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("joints.csv", &joints(&JOINTS));
    write("plan.xml", PLAN);
    let leg = shapes::cuboid(&Vec3::new(0.16, 1.2, 0.2));
    let positions = leg.positions.iter().map(|p| p + Vec3::new(0.1, 0.5, 0.0)).collect();
    obj::save(&folder.path().join("leg.obj"), &Mesh { positions, ..leg }).unwrap();
    folder
}

pub(super) const FIT: [&str; 10] = [
    "muscles",
    "fit",
    "plan.xml",
    "--joints",
    "joints.csv",
    "--skin",
    "leg.obj",
    "--out",
    "set.xml",
    "--force",
];

pub(super) fn set(folder: &Path, name: &str) -> MuscleSet {
    xml::read(&folder.join(name)).unwrap()
}

#[test]
fn a_plan_is_fitted_and_tells_what_it_left_out() {
    let folder = folder();
    let output = sinew(folder.path(), &FIT);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "2 muscles, 0 pads and 0 bones: set.xml\n");
    let warning = "warning: muscle left_hand is left out: the rig has no joint \"LeftArm\"\n";
    assert_eq!(text(&output.stderr), warning);
    let set = set(folder.path(), "set.xml");
    // Half way down the thigh, half way to its back, a tenth of a metre behind its axis.
    let [x, y, z] = set.muscles[0].origin.0;
    assert!((x - 0.1).abs() < 1e-6 && (y - 0.7).abs() < 1e-6 && (z + 0.05).abs() < 1e-6, "{x} {y} {z}");
    assert!((set.muscles[0].size - 0.02).abs() < 1e-6);
    let output = sinew(folder.path(), &[&FIT[..], &["--json"]].concat());
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&reported["muscles"], reported["warnings"].as_array().unwrap().len()), (&2.into(), 1));
}

#[test]
fn sets_are_mirrored_copied_changed_and_grown() {
    let folder = folder();
    let run = |args: &[&str]| {
        let output = sinew(folder.path(), args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    run(&FIT);
    let reported = run(&["muscles", "mirror", "set.xml", "--out", "both.xml"]);
    assert_eq!(reported, "4 muscles, 0 pads and 0 bones: both.xml\n");
    let both = set(folder.path(), "both.xml");
    assert_eq!(both.muscles[2].name, "right_ham");
    assert_eq!(both.muscles[2].insertion_joint, "RightLeg");
    assert_eq!(both.muscles[2].origin.0[0], -both.muscles[0].origin.0[0]);
    run(&["muscles", "physique", "set.xml", "--preset", "heavy", "--size", "2", "--out", "heavy.xml"]);
    let heavy = set(folder.path(), "heavy.xml").muscles.remove(0);
    let preset = Physique::named("heavy").unwrap();
    assert_eq!((heavy.size, heavy.girth), (both.muscles[0].size, 2.0 * preset.size));
    run(&["muscles", "physique", "set.xml", "--weight", "0.5", "--out", "loose.xml"]);
    assert_eq!(set(folder.path(), "loose.xml").muscles[0].weight, 0.5);
    assert_eq!(heavy.bulge, preset.bulge * both.muscles[0].bulge);
    let twice = joints(&JOINTS.map(|(name, p)| (name, p.map(|x| 2.0 * x))));
    std::fs::write(folder.path().join("giant.csv"), twice).unwrap();
    run(&["muscles", "copy", "set.xml", "--from", "joints.csv", "--to", "giant.csv", "--out", "giant.xml"]);
    let giant = set(folder.path(), "giant.xml");
    for (own, other) in both.muscles.iter().zip(&giant.muscles) {
        assert!((own.origin.vec() * 2.0 - other.origin.vec()).norm() < 1e-9);
        assert!((own.size * 2.0 - other.size).abs() < 1e-9);
    }
    let create =
        ["muscles", "create", "left_shin", "--joints", "joints.csv", "--from", "LeftLeg", "--to", "LeftFoot"];
    let reported =
        run(&[&create[..], &["--set", "set.xml", "--skin", "leg.obj", "--out", "more.xml"]].concat());
    assert_eq!(reported, "3 muscles, 0 pads and 0 bones: more.xml\n");
    // Nine tenths of the way to the closest side of the leg.
    assert!((set(folder.path(), "more.xml").muscles[2].size - 0.072).abs() < 1e-9);
}

#[test]
fn the_range_of_motion_names_joint_angle_and_muscles() {
    let folder = folder();
    assert!(sinew(folder.path(), &FIT).status.success());
    let range = ["muscles", "range", "set.xml", "--joints", "joints.csv", "--plan", "plan.xml"];
    let output = sinew(folder.path(), &range);
    assert_eq!(output.status.code(), Some(1));
    // 0.206 m from the knee and 14 degrees behind it, the ends are 0.04 m apart at 141 degrees; poses are 5 degrees
    // apart.
    let reported = text(&output.stdout);
    assert!(
        reported.contains(
            "LeftLeg, flex by -145 degrees: left_ham shortens to less than a tenth of its rest length"
        ),
        "{reported}"
    );
    assert!(text(&output.stderr).contains("problems in the range of motion"), "{}", text(&output.stderr));
    let output = sinew(folder.path(), &[&range[..], &["--degrees", "60"]].concat());
    assert!(output.status.success(), "{}", text(&output.stdout));
    assert_eq!(
        text(&output.stdout),
        "joint motions tested: 1, problems: 0\ntested with push_muscles and push_bones = 1: set both to 1 in the node, \
         where they are 0 by default\n"
    );
    // Rings flip where the muscle runs along an up-vector; the set's own up-vectors are across it.
    let upright = std::fs::read_to_string(folder.path().join("set.xml")).unwrap();
    let mut upright: MuscleSet = xml::parse(&upright).unwrap();
    upright.muscles[1].up = Some(sinew::scene::strand::values::Triple([0.0, 1.0, 0.0]));
    xml::save(&folder.path().join("upright.xml"), &upright).unwrap();
    let flips = [
        "muscles",
        "range",
        "upright.xml",
        "--joints",
        "joints.csv",
        "--plan",
        "plan.xml",
        "--degrees",
        "20",
    ];
    let output = sinew(folder.path(), &[&flips[..], &["--frames", "up-vector", "--json"]].concat());
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    let flip = reported["problems"].as_array().unwrap().iter().find(|p| p["problem"] == "flip").unwrap();
    assert_eq!((&flip["muscles"][0], &flip["joint"]), (&"left_calf".into(), &"LeftLeg".into()));
    assert!(sinew(folder.path(), &flips).status.success(), "stable axes never flip");
}

#[test]
fn weights_that_do_not_add_up_are_reported() {
    let folder = folder();
    assert!(sinew(folder.path(), &FIT).status.success());
    let rows: String = (0..8).map(|v| format!("{v},LeftLeg,{}\n", if v == 3 { 0.5 } else { 1.0 })).collect();
    std::fs::write(folder.path().join("weights.csv"), rows).unwrap();
    let range =
        ["muscles", "range", "set.xml", "--joints", "joints.csv", "--plan", "plan.xml", "--degrees", "60"];
    let output =
        sinew(folder.path(), &[&range[..], &["--weights", "weights.csv", "--skin", "leg.obj"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).starts_with("vertex 3: the weights add up to 0.5\n"),
        "{}",
        text(&output.stdout)
    );
    // Without the skin, the vertices that the file names; without weights it says that it did not look.
    let output = sinew(folder.path(), &[&range[..], &["--weights", "weights.csv"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("vertex 3: the weights add up to 0.5\n"));
    let output = sinew(folder.path(), &range);
    assert!(output.status.success());
    assert!(
        text(&output.stderr).contains("the weights of the skin were not checked"),
        "{}",
        text(&output.stderr)
    );
}

/// In centimetres with z up: the set says so, and its parts are those of the set in metres with y up.
#[test]
fn other_units_and_axes_give_the_same_muscles() {
    let folder = folder();
    assert!(sinew(folder.path(), &FIT).status.success());
    let turned = |[x, y, z]: [f64; 3]| [x, -z, y].map(|x| 100.0 * x);
    std::fs::write(folder.path().join("tall.csv"), joints(&JOINTS.map(|(name, p)| (name, turned(p)))))
        .unwrap();
    let leg = obj::read(&folder.path().join("leg.obj")).unwrap().mesh;
    let positions = leg.positions.iter().map(|p| Vec3::from(turned([p.x, p.y, p.z]))).collect();
    obj::save(&folder.path().join("tall.obj"), &Mesh { positions, ..leg }).unwrap();
    let files = ["--joints", "tall.csv", "--skin", "tall.obj", "--out", "tall.xml"];
    let output = sinew(
        folder.path(),
        &[&["muscles", "fit", "plan.xml", "--unit", "0.01", "--up", "z"], &files[..]].concat(),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let asked = |output: &std::process::Output| text(&output.stderr).matches("is its unit right?").count();
    assert_eq!(asked(&output), 0, "{}", text(&output.stderr));
    // A leg of 120 m.
    let unknown = ["muscles", "fit", "plan.xml", "--up", "z", "--force"];
    assert_eq!(asked(&sinew(folder.path(), &[&unknown[..], &files[..4], &["--out", "far.xml"]].concat())), 1);
    let names: Vec<String> = JOINTS.iter().map(|(name, _)| name.to_string()).collect();
    let [own, other] =
        ["set.xml", "tall.xml"].map(|name| set(folder.path(), name).parts(&names).unwrap().parts);
    for (a, b) in own.muscles.iter().zip(&other.muscles) {
        let pairs =
            [(a.origin.point, b.origin.point), (a.insertion.point, b.insertion.point), (a.middle, b.middle)];
        pairs.iter().for_each(|(a, b)| assert!((a - b).norm() < 2e-6, "{a} {b}"));
        assert!((a.size - b.size).abs() < 2e-6 && (a.up.unwrap() - b.up.unwrap()).norm() < 1e-5);
    }
    // The joints' files are in the set's space, too.
    let range = |set: &'static str, joints: &'static str| {
        let output =
            sinew(folder.path(), &["muscles", "range", set, "--joints", joints, "--plan", "plan.xml"]);
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!(range("set.xml", "joints.csv"), range("tall.xml", "tall.csv"));
    let wrong = sinew(folder.path(), &[&["muscles", "fit", "plan.xml", "--up", "w"], &files[..]].concat());
    assert_eq!(wrong.status.code(), Some(2));
}

/// Names as people write them; an unknown one is reported with those that exist.
#[test]
fn joints_are_found_however_they_are_written() {
    let folder = folder();
    let create = |from: &str, to: &str| {
        let args = [
            "muscles",
            "create",
            "shin",
            "--joints",
            "joints.csv",
            "--from",
            from,
            "--to",
            to,
            "--out",
            "new.xml",
        ];
        sinew(folder.path(), &args)
    };
    let output = create("left_leg", "hero:leftFoot");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let made = set(folder.path(), "new.xml").muscles.remove(0);
    assert_eq!([made.origin_joint, made.insertion_joint], ["LeftLeg", "LeftFoot"]);
    let reported = text(&create("leg", "foot").stderr);
    assert!(
        reported.contains(r#"the joint name "leg" is ambiguous: it matches "LeftLeg" or "RightLeg""#),
        "{reported}"
    );
    let reported = text(&create("LeftLegg", "foot").stderr);
    assert!(reported.contains(r#"no joint "LeftLegg"; it has "LeftLeg""#), "{reported}");
}

/// What joints do is shown, serves where a joint's name is asked for, and is corrected by the user.
#[test]
fn roles_are_shown_and_chosen() {
    let her = Human::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(human::FOLDER)).unwrap().unwrap();
    let (names, rest) = her.other_rig("mixamo").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let row = |(name, joint): (&String, &Affine)| {
        let numbers = (0..12).map(|k| joint[(k / 4, k % 4)].to_string());
        format!("rest,{name},{}\n", numbers.collect::<Vec<_>>().join(","))
    };
    let table: String = names.iter().zip(&rest).map(row).collect();
    std::fs::write(folder.path().join("joints.csv"), table).unwrap();
    let output = sinew(folder.path(), &["info", "joints.csv", "--json"]);
    let page: Value = serde_json::from_slice(&output.stdout).unwrap();
    let roles = &page[0]["holds"]["roles"];
    for (role, joint) in [("forearm.L", "LeftForeArm"), ("spine3", "Spine2"), ("thigh.R", "RightUpLeg")] {
        assert_eq!(roles[role], format!("mixamorig:{joint}"), "{roles}");
    }
    let create = |more: &[&str]| {
        let args = ["muscles", "create", "m", "--joints", "joints.csv", "--from", "upper_arm.L", "--to"];
        sinew(folder.path(), &[&args[..], &["hand.L", "--out", "set.xml", "--force"], more].concat())
    };
    assert!(create(&[]).status.success());
    let made = set(folder.path(), "set.xml").muscles.remove(0);
    assert_eq!([made.origin_joint, made.insertion_joint], ["mixamorig:LeftArm", "mixamorig:LeftHand"]);
    assert!(create(&["--role", "hand.L=mixamorig:LeftHandIndex1"]).status.success());
    let made = set(folder.path(), "set.xml").muscles.remove(0);
    assert_eq!(made.insertion_joint, "mixamorig:LeftHandIndex1");
    for (wrong, part) in [
        ("elbow.L=mixamorig:LeftArm", "\"elbow.L\" is no role"),
        ("hand.L=nowhere", "no joint \"nowhere\""),
        ("hand.L", "expected a role and a joint"),
    ] {
        let reported = text(&create(&["--role", wrong]).stderr);
        assert!(reported.contains(part), "{reported}");
    }
}

#[test]
fn mistakes_name_the_file_and_the_culprit() {
    let folder = folder();
    let refused = |args: &[&str], code: i32, parts: &[&str]| {
        let output = sinew(folder.path(), args);
        let reported = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{reported}");
        parts.iter().for_each(|part| assert!(reported.contains(part), "{reported}"));
    };
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("bad.xml", &PLAN.replace("0.5 180 0.5\" insertion_bone", "0.5 180\" insertion_bone"));
    write("few.csv", &joints(&JOINTS[..3]));
    write("line.csv", &joints(&JOINTS.map(|(name, [_, y, z])| (name, [0.0, y, z]))));
    let fit = |plan: &'static str, joints: &'static str| {
        ["muscles", "fit", plan, "--joints", joints, "--skin", "leg.obj", "--out", "set.xml"]
    };
    refused(&fit("bad.xml", "joints.csv"), 1, &["bad.xml", "muscle", "three numbers"]);
    refused(&fit("nothing.xml", "joints.csv"), 3, &["nothing.xml"]);
    refused(&fit("plan.xml", "few.csv"), 1, &["few.csv", "no joint \"RightUpLeg\""]);
    refused(&fit("plan.xml", "line.csv"), 1, &["line.csv", "lie in one line"]);
    assert!(sinew(folder.path(), &FIT).status.success());
    let range = ["muscles", "range", "set.xml", "--joints", "joints.csv", "--plan", "plan.xml"];
    refused(&[&range[..], &["--degrees", "0"]].concat(), 2, &["more than 0"]);
    let create = [
        "muscles",
        "create",
        "m",
        "--joints",
        "joints.csv",
        "--from",
        "Hips",
        "--to",
        "Tail",
        "--out",
        "x.xml",
    ];
    refused(&create, 1, &["no joint \"Tail\""]);
    refused(&["muscles", "physique", "set.xml", "--size=-1", "--out", "x.xml"], 2, &["size is -1"]);
    assert!(!folder.path().join("x.xml").exists());
}
