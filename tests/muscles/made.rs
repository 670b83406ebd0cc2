//! `sinew muscles create`, `copy`, `mirror` and `range`: places, units, names, and what they warn of.

use super::cli::{FIT, JOINTS, folder, joints, set, sinew, text};
use sinew::anatomy::muscles::{Range, Rig, Sweep};
use sinew::formats::{obj, xml};
use sinew::geometry::Mesh;
use sinew::math::{Affine, Mat3, Real, Vec3, affine, translation};
use sinew::muscle::{Muscle, Parts};
use sinew::scene::muscles::plan::MusclePlan;
use std::path::Path;

fn done(folder: &Path, args: &[&str]) -> String {
    let output = sinew(folder, args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stderr)
}

/// Of a command that fails.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = sinew(folder, args);
    assert!(!output.status.success(), "{args:?}");
    text(&output.stderr)
}

/// The parts of a set, in metres with y up.
fn parts(folder: &Path, name: &str) -> Parts {
    let names: Vec<String> = JOINTS.iter().map(|(name, _)| name.to_string()).collect();
    let built = set(folder, name).parts(&names).unwrap();
    assert_eq!(built.reported(None), [] as [String; 0]);
    built.parts
}

fn assert_alike(own: &Muscle, other: &Muscle, most: Real) {
    let places = |m: &Muscle| [m.origin.point, m.insertion.point, m.middle, m.up.unwrap_or_default()];
    for (a, b) in places(own).iter().zip(places(other)) {
        assert!((a - b).norm() < most, "{}: {a} {b}", own.name);
    }
    assert!((own.size - other.size).abs() < most, "{}: {} {}", own.name, own.size, other.size);
}

/// The same character in centimetres with z up.
fn tall(folder: &Path) {
    let turned = |[x, y, z]: [f64; 3]| [x, -z, y].map(|x| 100.0 * x);
    let turned_joints = joints(&JOINTS.map(|(name, p)| (name, turned(p))));
    std::fs::write(folder.join("tall.csv"), turned_joints).unwrap();
    let leg = obj::read(&folder.join("leg.obj")).unwrap().mesh;
    let positions = leg.positions.iter().map(|p| Vec3::from(turned([p.x, p.y, p.z]))).collect();
    obj::save(&folder.join("tall.obj"), &Mesh { positions, ..leg }).unwrap();
}

const THIGH: [&str; 7] = ["muscles", "create", "left_thigh", "--from", "LeftUpLeg", "--to", "LeftLeg"];

/// In metres and in centimetres: the same muscle, with its size from the skin.
#[test]
fn a_muscle_is_created_in_the_unit_of_its_files() {
    let folder = folder();
    let folder = folder.path();
    tall(folder);
    let metres = ["--joints", "joints.csv", "--skin", "leg.obj", "--out", "m.xml", "--middle", "0 0 0.01"];
    done(folder, &[&THIGH[..], &metres].concat());
    let tall = ["--joints", "tall.csv", "--skin", "tall.obj", "--out", "cm.xml", "--middle", "0 -1 0"];
    let unit = ["--unit", "0.01", "--up", "z"];
    done(folder, &[&THIGH[..], &tall, &unit].concat());
    let [own, other] = ["m.xml", "cm.xml"].map(|name| parts(folder, name).muscles.remove(0));
    assert_alike(&own, &other, 1e-12);
    assert!((own.size - 0.072).abs() < 1e-9, "{}", own.size);
    // A set knows its space; options may repeat it but not contradict it.
    let mut calf = THIGH;
    calf[2] = "left_calf";
    let more = |options: &[&'static str]| [&calf[..], &tall, &["--set", "cm.xml"], options].concat();
    done(folder, &more(&[]));
    let mut again = more(&unit);
    again[2] = "left_shin";
    done(folder, &again);
    let reported = refused(folder, &more(&["--unit", "1"]));
    assert!(
        reported.contains("cm.xml") && reported.contains("contradicts the space of the set"),
        "{reported}"
    );
    assert!(reported.contains("--unit 0.01 --up z"), "{reported}");
    let reported = refused(folder, &[&THIGH[..], &metres, &["--up", "x"]].concat());
    assert!(reported.contains("--up x"), "{reported}");
}

/// A copy ends at the same place in metres, whatever the units of the two characters.
#[test]
fn a_copy_takes_the_unit_of_its_character() {
    let folder = folder();
    let folder = folder.path();
    tall(folder);
    done(folder, &FIT);
    let copy = ["muscles", "copy"];
    let there = ["set.xml", "--from", "joints.csv", "--to", "tall.csv", "--unit", "0.01", "--up", "z"];
    done(folder, &[&copy[..], &there, &["--out", "tall.xml"]].concat());
    let units = set(folder, "tall.xml").units().unwrap();
    assert_eq!(units.metres_per_unit(), 0.01);
    let back = ["tall.xml", "--from", "tall.csv", "--to", "joints.csv", "--unit", "1", "--up", "y"];
    done(folder, &[&copy[..], &back, &["--out", "back.xml"]].concat());
    assert!(set(folder, "back.xml").space.is_none());
    for other in ["tall.xml", "back.xml"] {
        let [own, other] = ["set.xml", other].map(|name| parts(folder, name).muscles);
        assert_eq!(own.len(), other.len());
        own.iter().zip(&other).for_each(|(a, b)| assert_alike(a, b, 1e-9));
    }
    // Without options, both characters are in the space of the set.
    let same = ["tall.xml", "--from", "tall.csv", "--to", "tall.csv", "--out", "same.xml"];
    done(folder, &[&copy[..], &same].concat());
    let [own, other] = ["tall.xml", "same.xml"].map(|name| parts(folder, name).muscles.remove(0));
    assert_alike(&own, &other, 1e-9);
    assert_eq!(set(folder, "same.xml").units().unwrap(), units);
}

/// The biceps of the README: it shortens when the elbow bends, as one from pivot to pivot does not.
#[test]
fn a_muscle_that_ends_beyond_a_joint_shortens_when_it_bends() {
    let folder = folder();
    let folder = folder.path();
    let readme = std::fs::read_to_string("README.md").unwrap();
    let places = ["--origin", "0.05 0.02 0", "--insertion", "0.33 0.02 0", "--middle", "0 0.01 0"];
    for pair in places.chunks(2) {
        let printed = format!("{} '{}'", pair[0], pair[1]);
        assert!(readme.contains(&printed), "README.md: {printed}");
    }
    let arm = [("upper_arm", [0.0; 3]), ("forearm", [0.28, 0.0, 0.0])];
    std::fs::write(folder.join("arm.csv"), joints(&arm)).unwrap();
    let create = ["muscles", "create", "left_biceps", "--from", "upper_arm", "--to", "forearm"];
    let files = ["--joints", "arm.csv", "--out", "set.xml", "--taper", "1.5"];
    done(folder, &[&create[..], &files, &places].concat());
    let made = set(folder, "set.xml").muscles.remove(0);
    assert_eq!((made.origin.0, made.taper), ([0.05, 0.02, 0.0], 1.5));
    assert_eq!((made.insertion.0, made.middle.0), ([0.33, 0.02, 0.0], [0.0, 0.01, 0.0]));
    // The elbow turns by 72 degrees about z, as in the example.
    let (sin, cos) = 72_f64.to_radians().sin_cos();
    let [x, y, _] = made.insertion.0;
    let bent = Vec3::new(0.28 + cos * (x - 0.28) - sin * y, sin * (x - 0.28) + cos * y, 0.0);
    let length = |insertion: Vec3| (insertion - made.origin.vec()).norm();
    let shortened = length(bent) / length(made.insertion.vec());
    assert!((0.7..0.85).contains(&shortened), "{shortened}");
    let wrong = |option: &'static str, text: &'static str| {
        refused(folder, &[&create[..], &files[..4], &[&format!("{option}={text}")]].concat())
    };
    let reported = wrong("--origin", "0.05 0.02");
    assert!(reported.contains("--origin") && reported.contains("expected three numbers"), "{reported}");
    assert!(wrong("--taper", "0").contains("taper of left_biceps is 0"));
    assert!(wrong("--size", "-1").contains("size of left_biceps is -1"));
}

/// A rig of which the set knows nothing tests nothing.
#[test]
fn a_range_of_nothing_is_an_error_that_names_joints() {
    let folder = folder();
    let folder = folder.path();
    done(folder, &FIT);
    let other = JOINTS.map(|(name, p)| (name.replace("Leg", "Limb"), p));
    let other: Vec<(&str, [f64; 3])> = other.iter().map(|(name, p)| (name.as_str(), *p)).collect();
    std::fs::write(folder.join("other.csv"), joints(&other)).unwrap();
    let reported =
        refused(folder, &["muscles", "range", "set.xml", "--joints", "other.csv", "--plan", "plan.xml"]);
    assert!(
        reported
            .contains(r#"all muscles of the set are left out: the rig has no joints "LeftUpLeg", "LeftLeg""#),
        "{reported}"
    );
    // The human's plan, which is the default, knows other joints than these.
    let no_hips: Vec<(&str, [f64; 3])> = JOINTS[2..].to_vec();
    std::fs::write(folder.join("leg.csv"), joints(&no_hips)).unwrap();
    let reported = refused(folder, &["muscles", "range", "set.xml", "--joints", "leg.csv"]);
    assert!(reported.contains("leg.csv") && reported.contains("--plan"), "{reported}");
}

/// Joints of a plan are found by names that differ in namespaces, separators and case.
#[test]
fn plans_find_joints_however_they_are_written() {
    let folder = folder();
    let folder = folder.path();
    done(folder, &FIT);
    let own = set(folder, "set.xml");
    for change in [
        |name: &str| format!("char:{name}"),
        |name: &str| name.to_lowercase(),
        |name: &str| format!("hero|{}", name.replace("Left", "left_").replace("Right", "right_")),
    ] {
        let names = JOINTS.map(|(name, p)| (change(name), p));
        let renamed: Vec<(&str, [f64; 3])> = names.iter().map(|(name, p)| (name.as_str(), *p)).collect();
        std::fs::write(folder.join("joints.csv"), joints(&renamed)).unwrap();
        done(folder, &FIT);
        let other = set(folder, "set.xml");
        assert_eq!(other.muscles[0].origin_joint, change("LeftUpLeg"));
        assert_eq!(own.muscles[0].insertion, other.muscles[0].insertion);
    }
    // Two characters in one file: nobody knows which is meant.
    let both = JOINTS.map(|(name, p)| [("a:".to_string() + name, p), ("b:".to_string() + name, p)]);
    let both: Vec<(&str, [f64; 3])> = both.iter().flatten().map(|(name, p)| (name.as_str(), *p)).collect();
    std::fs::write(folder.join("joints.csv"), joints(&both)).unwrap();
    let reported = refused(folder, &FIT);
    assert!(
        reported.contains(r#"no joint "RightUpLeg"; it has "a:RightUpLeg", "b:RightUpLeg""#),
        "{reported}"
    );
    assert!(reported.contains("other names in also"), "{reported}");
}

/// A leg half as wide: with `--skin` the copy tells which muscles show, with `--fit` they lie inside.
#[test]
fn a_copy_is_checked_against_the_skin_and_fitted() {
    let folder = folder();
    let folder = folder.path();
    done(folder, &FIT);
    let leg = obj::read(&folder.join("leg.obj")).unwrap().mesh;
    let slim = |p: &Vec3| Vec3::new(0.1 + 0.5 * (p.x - 0.1), p.y, 0.5 * p.z);
    let positions = leg.positions.iter().map(slim).collect();
    obj::save(&folder.join("slim.obj"), &Mesh { positions, ..leg }).unwrap();
    let copy = ["muscles", "copy", "set.xml", "--from", "joints.csv", "--to", "joints.csv"];
    let reported = done(folder, &[&copy[..], &["--out", "copy.xml"]].concat());
    assert_eq!(reported, "");
    let reported = done(folder, &[&copy[..], &["--skin", "leg.obj", "--out", "same.xml"]].concat());
    assert_eq!(reported, "", "inside the skin for which it was fitted");
    let slim = ["--skin", "slim.obj"];
    let reported = done(folder, &[&copy[..], &slim, &["--out", "out.xml"]].concat());
    // Its axis lies in the skin, 5 cm behind the bone, and its radius is 2 cm.
    assert!(
        reported.contains("warning: muscle left_ham: it reaches 20.0 mm out of the skin\n"),
        "{reported}"
    );
    let files = ["copy.xml", "same.xml", "out.xml"].map(|name| parts(folder, name));
    assert!(files.iter().all(|parts| parts.muscles == files[0].muscles), "checked only");
    let fit = ["--fit", "--out", "fitted.xml"];
    let reported = done(folder, &[&copy[..], &slim, &fit].concat());
    assert!(reported.contains("muscle left_ham: it reached 20.0 mm out of the skin"), "{reported}");
    let fitted = parts(folder, "fitted.xml");
    let own = parts(folder, "set.xml");
    for (muscle, before) in fitted.muscles.iter().zip(&own.muscles) {
        assert!(muscle.size > 0.2 * before.size && muscle.size <= before.size, "{}", muscle.size);
        let middle = (muscle.origin.point + muscle.insertion.point) * 0.5 + muscle.middle * 0.5;
        assert!(middle.z.abs() + muscle.size < 0.05, "{middle} {}", muscle.size);
    }
    let back = ["muscles", "copy", "fitted.xml", "--from", "joints.csv", "--to", "joints.csv"];
    let reported = done(folder, &[&back[..], &slim, &["--out", "again.xml"]].concat());
    assert_eq!(reported, "", "nothing shows any more");
    // In another unit as well.
    tall(folder);
    let there = ["muscles", "copy", "set.xml", "--from", "joints.csv", "--to", "tall.csv", "--unit", "0.01"];
    let reported =
        done(folder, &[&there[..], &["--up", "z", "--skin", "tall.obj", "--out", "tall.xml"]].concat());
    assert_eq!(reported, "");
    assert!(refused(folder, &[&copy[..], &["--fit", "--out", "x.xml"]].concat()).contains("--skin"));
}

/// A name with a side on joints without one: its image hangs on the same joints.
#[test]
fn a_mirror_image_on_the_same_joints_is_reported() {
    let folder = folder();
    let folder = folder.path();
    let muscle = |name: &str, joints: [&str; 2]| {
        let [from, to] = joints;
        format!(
            r#"<muscle name="{name}" origin_joint="{from}" origin="0.1 0 0" insertion_joint="{to}" insertion="0.4 0 0" size="0.04"/>"#
        )
    };
    let set =
        [muscle("bi.L", ["up", "lo"]), muscle("tri.L", ["up.L", "lo.L"]), muscle("psoas.L", ["up", "lo.L"])];
    std::fs::write(folder.join("arm.xml"), format!("<muscle_set>{}</muscle_set>", set.concat())).unwrap();
    let reported = done(folder, &["muscles", "mirror", "arm.xml", "--out", "both.xml"]);
    assert!(reported.contains("bi.L: its mirror image stays on the same joints"), "{reported}");
    assert!(!reported.contains("tri") && !reported.contains("psoas"), "{reported}");
    assert_eq!(
        done(folder, &["muscles", "mirror", "both.xml", "--out", "x.xml"]).matches("warning").count(),
        1
    );
}

/// Messages are built in correct English: "expected three numbers", with a plural.
#[test]
fn messages_are_grammatical() {
    let folder = folder();
    let folder = folder.path();
    let plan = std::fs::read_to_string(folder.join("plan.xml")).unwrap();
    std::fs::write(folder.join("plan.xml"), plan.replace("0.5 180 0.5", "0.5 180")).unwrap();
    let reported = refused(folder, &FIT);
    assert!(reported.contains(r#"origin is "0.5 180"; expected three numbers"#), "{reported}");
}

/// Ranges count from where the plan says that the bone points: legs that rest spread are turned from hanging down.
#[test]
fn a_range_counts_from_the_start_of_its_plan() {
    let plan = |start: &str| -> MusclePlan {
        xml::parse(&format!(
            r#"<muscle_plan>
            <joint name="LeftUpLeg" child="LeftLeg" side="both" {start} flex="-20 90" abduct="0 40"/>
            <joint name="LeftLeg" parent="LeftUpLeg" side="both"/>
            </muscle_plan>"#
        ))
        .unwrap()
    };
    let names: Vec<String> = JOINTS.iter().map(|(name, _)| name.to_string()).collect();
    let spread = |degrees: f64| -> Vec<Affine> {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let turned = |(name, [x, y, z]): &(&str, [f64; 3])| {
            let side = x.signum();
            let knee = Vec3::new(x + 0.4 * side * sin, y + 0.4 - 0.4 * cos, *z);
            let p = if name.ends_with("tLeg") { knee } else { Vec3::new(*x, *y, *z) };
            affine(&Mat3::identity(), &p)
        };
        JOINTS.iter().map(turned).collect()
    };
    let knees = |rest: &[Affine], start: &str| -> Vec<Vec3> {
        let rig = Rig { names: &names, rest, ..Rig::default() };
        let range = Range::new(&plan(start), &rig, None).unwrap();
        let knee = |sweep: &Sweep| {
            let knee = rig.find(if sweep.joint == 2 { "LeftLeg" } else { "RightLeg" }).unwrap();
            sweep.range.map(|end| translation(&range.pose(sweep, end, &rig)[knee]))
        };
        range.sweeps.iter().flat_map(knee).collect()
    };
    let hanging = knees(&spread(0.0), "");
    for rest in [0.0, 30.0, 80.0] {
        let other = knees(&spread(rest), r#"start="0 -1 0""#);
        assert_eq!(hanging.len(), other.len());
        hanging.iter().zip(&other).for_each(|(a, b)| assert!((a - b).norm() < 1e-9, "{rest}: {a} {b}"));
        let far =
            knees(&spread(rest), "").iter().zip(&hanging).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max);
        assert!(rest == 0.0 || far > 0.1, "without it, from rest: {far}");
    }
}
