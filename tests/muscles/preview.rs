//! `sinew muscles preview`: the page of a set, and how the command fails.

use super::cli::{FIT, folder, joints, sinew, text};
use serde_json::Value;
use sinew::formats::obj;
use std::fmt::Write;
use std::path::Path;

/// Weights of the leg: a part of it to each joint, by height.
fn weights(folder: &Path) {
    let leg = obj::read(&folder.join("leg.obj")).unwrap().mesh;
    let mut rows = String::from("vertex,joint,weight\n");
    for (k, p) in leg.positions.iter().enumerate() {
        let joint = if p.y > 0.5 { "LeftUpLeg" } else { "LeftLeg" };
        writeln!(rows, "{k},{joint},1").unwrap();
    }
    std::fs::write(folder.join("weights.csv"), rows).unwrap();
}

const PREVIEW: [&str; 15] = [
    "muscles",
    "preview",
    "set.xml",
    "--joints",
    "joints.csv",
    "--skin",
    "leg.obj",
    "--weights",
    "weights.csv",
    "--plan",
    "plan.xml",
    "--size",
    "64",
    "--html",
    "out.html",
];

fn ready() -> tempfile::TempDir {
    let folder = folder();
    assert!(sinew(folder.path(), &FIT).status.success());
    weights(folder.path());
    folder
}

/// Both ends of the knee's range, four pictures each, both muscles in the table: the one that crosses the knee changes,
/// the other does not.
#[test]
fn a_page_shows_the_ends_of_a_range_and_every_muscle() {
    let folder = ready();
    let output = sinew(folder.path(), &[&PREVIEW[..], &["--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&reported["muscles"], &reported["poses"]), (&2.into(), &2.into()));
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert_eq!(reported["bytes"], page.len());
    assert_eq!((page.matches("<article").count(), page.matches("data:image/jpeg").count()), (2, 8));
    assert!(page.contains("<h2>LeftLeg</h2>") && page.contains("<h3>flex \u{2212}175°</h3>"), "{page}");
    // Pictures of different things differ: bent from straight, the muscles from the skin.
    let pictures: Vec<&str> =
        page.split("base64,").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(pictures[0] != pictures[4] && pictures[2] != pictures[3]);
    // At rest, which is straight, muscles change nothing.
    assert_eq!((pictures[4], pictures[5]), (pictures[6], pictures[6]));
    let row = |name: &str| page.split("<tr>").find(|row| row.contains(name)).unwrap();
    let (ham, calf) = (row(">left_ham<"), row(">left_calf<"));
    // The ends of the ham are 0.4 m apart at rest and meet as the knee bends.
    assert!(ham.contains("40.0 cm") && ham.contains("<td>LeftUpLeg<td>LeftLeg"), "{ham}");
    // Beyond that they part again.
    assert!(
        ham.contains("title=\"LeftLeg flex \u{2212}146°\"") && ham.contains("shortens to less than"),
        "{ham}"
    );
    assert!(calf.contains(">0\u{a0}%<") && !calf.contains("<li>"), "{calf}");
}

#[test]
fn what_cannot_be_shown_is_an_error_that_says_why() {
    let folder = ready();
    let refused = |args: &[&str]| {
        let output = sinew(folder.path(), &[&PREVIEW[..], args].concat());
        assert!(!output.status.success(), "{args:?}");
        assert!(!folder.path().join("out.html").exists(), "{args:?}");
        text(&output.stderr)
    };
    for (args, why) in [
        (&["--only", "LeftFoot"][..], "--only LeftFoot: the plan has no range of motion for it"),
        (&["--only", "tail"], "tail"),
        (&["--set", "bulgee=1"], "--set bulgee=1: no parameter"),
        (&["--set", "bulge"], "expected NAME=VALUE"),
        (&["--map", "muscle_map=none.csv"], "none.csv"),
        (&["--degrees", "-1"], "the degrees must be more than 0"),
    ] {
        let reported = refused(args);
        assert!(reported.contains(why), "{args:?}: {reported}");
    }
    std::fs::write(folder.path().join("weights.csv"), "vertex,joint,weight\n0,Tail,1\n").unwrap();
    let reported = refused(&[]);
    assert!(reported.contains("weights.csv:2") && reported.contains("Tail"), "{reported}");
    // A page is no XML.
    let output = sinew(folder.path(), &[&PREVIEW[..13], &["--html", "out.xml"]].concat());
    assert!(text(&output.stderr).contains("--html"), "{}", text(&output.stderr));
}

/// A table has no hierarchy, and the plan knows few joints: skin on the others is left behind, which is said.
#[test]
fn joints_without_a_parent_are_named() {
    let folder = ready();
    let mut all = std::fs::read_to_string(folder.path().join("joints.csv")).unwrap();
    all += &joints(&[("toe", [0.1, 0.0, 0.1])]);
    std::fs::write(folder.path().join("joints.csv"), all).unwrap();
    let rows = std::fs::read_to_string(folder.path().join("weights.csv")).unwrap();
    std::fs::write(folder.path().join("weights.csv"), rows.replacen("LeftLeg", "toe", 1)).unwrap();
    let output = sinew(folder.path(), &PREVIEW);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("toe: nobody gives a parent"), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains("toe: nobody gives a parent"));
}
