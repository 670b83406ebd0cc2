//! Sets of which parts are impossible, or cannot be read: each is lost alone, and what writes sets loses none.

use super::node::{ARM, Host};
use crate::cli::{FIT, folder, sinew, text};
use sinew::control::Control;
use sinew::error::Kind;
use sinew::formats::xml;
use sinew::math::{Space, Vec3};
use sinew::nodes::ArrayView;
use sinew::scene::muscles::{Built, MuscleSet, Readable};
use std::path::Path;

fn joints() -> Vec<String> {
    ["spine", "arm"].map(String::from).to_vec()
}

const ENDS: &str = r#"origin_joint="spine" origin="0 1 0" insertion_joint="arm" insertion="0.3 1 0""#;

/// A set with a part between two sound muscles: the second one is on line 4.
fn with(part: &str) -> String {
    let part = part.replace("ENDS", ENDS);
    format!(
        "<muscle_set>\n<muscle name=\"first\" {ENDS} size=\"0.03\"/>\n{part}\n<muscle name=\"last\" {ENDS} \
         size=\"0.02\"/>\n\
         </muscle_set>\n"
    )
}

fn readable(text: &str) -> Readable {
    Readable::new(&xml::parse_tree(text).unwrap()).unwrap()
}

fn built(text: &str) -> (Built, Vec<String>) {
    let built = readable(text).parts(&joints()).unwrap();
    let reported = built.reported(Some(Path::new("set.xml")));
    (built, reported)
}

/// Whatever is wrong with a muscle, it is reported with its line and what is right, takes its place among the items of
/// hosts, and the muscles around it are as they would be without it.
#[test]
fn what_is_wrong_with_a_muscle_loses_it_alone() {
    let alone = built(&with("")).0;
    for (part, names, why) in [
        (r#"<muscle name="m" ENDS size="1" count="0"/>"#, vec!["m"], "count is 0; 1 to 200 are possible"),
        (r#"<muscle name="m" ENDS size="1" count="201"/>"#, vec!["m"], "count is 201; 1 to 200"),
        (r#"<muscle name="m" ENDS size="1" count="4000000000"/>"#, vec!["m"], "count is 4000000000"),
        (r#"<muscle name="m" ENDS size="1" count="-3"/>"#, vec!["m"], "count is \"-3\"; expected a whole"),
        (
            r#"<muscle name="m" ENDS size="nan" count="2"/>"#,
            vec!["m.1", "m.2"],
            "size is \"nan\"; expected a number",
        ),
        (r#"<muscle name="m" ENDS size="-1"/>"#, vec!["m"], "size must be positive"),
        (r#"<muscle name="m" ENDS/>"#, vec!["m"], "the attribute size is missing: Its largest radius"),
        (
            r#"<muscle name="m" ENDS size="1" colour="red"/>"#,
            vec!["m"],
            "unknown attribute \"colour\"; there are",
        ),
        (r#"<muscle name="m" ENDS size="1" middle="0 0"/>"#, vec!["m"], "middle is \"0 0\"; expected"),
        (r#"<muscle name="m" ENDS size="1" rings="1"/>"#, vec!["m"], "rings is 1; 2 to 1000 are possible"),
        (r#"<muscle name="m" ENDS size="1" divisions="4000000000"/>"#, vec!["m"], "divisions is 4000000000"),
        (r#"<muscle name="m" ENDS size="1" stiffness="-300"/>"#, vec!["m"], "stiffness is -300"),
        (r#"<muscle name="m" ENDS size="1" mass="0"/>"#, vec!["m"], "mass is 0"),
        (r#"<muscle name="m" ENDS size="1e300"/>"#, vec!["m"], "size is 1e300; 1e-12 to 1e12 are possible"),
        (
            r#"<muscle name="m" ENDS size="1" bulge="1e300"/>"#,
            vec!["m"],
            "bulge is 1e300; 0.0 to 1e12 are possible",
        ),
        (
            r#"<muscle name="m" ENDS size="1" middle="0 1e200 0"/>"#,
            vec!["m"],
            "middle reaches 1e200; up to 1e12 is possible",
        ),
        (r#"<muscle name="m" ENDS size="1" up="0 0 0"/>"#, vec!["m"], "the up-vector is zero"),
        (r#"<muscle name="first" ENDS size="1"/>"#, vec!["first"], "another one has that name"),
        (r#"<muscle name="" ENDS size="1" count="2"/>"#, vec![".1", ".2"], "its name is empty"),
        (r#"<muscle ENDS size="1"/>"#, vec![""], "the attribute name is missing"),
    ] {
        let text = with(part);
        let (found, reported) = built(&text);
        assert_eq!(found.parts, alone.parts, "{part}");
        assert_eq!(
            (found.count(), found.kept.clone()),
            (2 + names.len(), vec![0, 1 + names.len()]),
            "{part}"
        );
        assert_eq!(readable(&text).set().muscle_names()[1..=names.len()], names, "{part}");
        assert!(reported.len() == 1 && reported[0].contains(why), "{part}: {reported:?}");
        let name = if names[0].trim_start_matches(".1").is_empty() { "without a name" } else { names[0] };
        assert!(
            reported[0].starts_with(&format!("muscle {name} (line 3 of set.xml)")),
            "{part}: {reported:?}"
        );
    }
}

/// A head that cannot be, and muscles whose first head cannot be: heads only need the numbers of the first.
#[test]
fn heads_stay_where_the_first_is_lost() {
    let heads = |muscle: &str, head: &str| {
        with(&format!(
            "<muscle name=\"m\" ENDS {muscle}>\n<head name=\"a\" origin_joint=\"spine\" {head}/>\n<head name=\"b\" \
             origin_joint=\"spine\" origin=\"0 1.1 0\"/></muscle>"
        ))
    };
    let names = |text: &str| -> (Vec<String>, Vec<usize>, usize, Vec<String>) {
        let (built, reported) = built(text);
        (
            built.parts.muscles.iter().map(|m| m.name.clone()).collect(),
            built.kept.clone(),
            built.count(),
            reported,
        )
    };
    let (kept, items, count, reported) = names(&heads("size=\"1\"", "origin=\"0 x 0\""));
    assert_eq!(
        (kept, items, count),
        (["first", "m", "b", "last"].map(String::from).to_vec(), vec![0, 1, 3, 4], 5)
    );
    assert!(
        reported.len() == 1 && reported[0].starts_with("muscle a (line 4 of set.xml) is left out: origin is"),
        "{reported:?}"
    );
    let (kept, items, count, reported) = names(&heads("size=\"1\" count=\"0\"", "origin=\"0 1.2 0\""));
    assert_eq!(
        (kept, items, count),
        (["first", "a", "b", "last"].map(String::from).to_vec(), vec![0, 2, 3, 4], 5)
    );
    assert!(
        reported.len() == 1 && reported[0].starts_with("muscle m (line 3 of set.xml) is left out: count"),
        "{reported:?}"
    );
    let (kept, items, count, reported) = names(&heads("size=\"x\"", "origin=\"0 1.2 0\""));
    assert_eq!((kept, items, count), (["first", "last"].map(String::from).to_vec(), vec![0, 4], 5));
    assert!(reported.len() == 2 && reported[0].starts_with("muscle m (line 3"), "{reported:?}");
    assert!(
        reported[1].starts_with(
            "muscle a (line 4 of set.xml), muscle b (line 5) are left out: it has the numbers of"
        )
    );
}

/// An offset of a vertex that is not there, or that cannot be read, is lost alone, also where a sheet shares it.
#[test]
fn what_is_wrong_with_an_offset_loses_it_alone() {
    let set = |count: u32, offsets: &str| {
        with(&format!(
            "<muscle name=\"m\" ENDS size=\"1\" rings=\"5\" divisions=\"4\" count=\"{count}\">\n<offset ring=\"2\" \
             vertex=\"1\" by=\"0 1 0\"/>\n{offsets}</muscle>"
        ))
    };
    for count in [1, 3] {
        let sound = built(&set(count, "")).0;
        assert_eq!(sound.parts.muscles[1].offsets[9].y, 1.0);
        for (offset, reported_of, why) in [
            (
                r#"ring="5" vertex="1" by="0 1 0""#,
                "the offset of vertex 1 of ring 5 of muscle m",
                "only rings 0 to 4 with the vertices 0 to 3",
            ),
            (
                r#"ring="2" vertex="4" by="0 1 0""#,
                "the offset of vertex 4 of ring 2 of muscle m",
                "only rings 0 to 4",
            ),
            (
                r#"ring="-1" vertex="1" by="0 1 0""#,
                "an offset of muscle m",
                "ring is \"-1\"; expected a whole number from 0",
            ),
            (r#"ring="2" vertex="1""#, "an offset of muscle m", "the attribute by is missing"),
        ] {
            let (found, reported) = built(&set(count, &format!("<offset {offset}/>")));
            assert_eq!(found.parts, sound.parts, "{offset}");
            assert!(reported.len() == 1 && reported[0].contains(why), "{offset}: {reported:?}");
            assert!(
                reported[0].starts_with(&format!("{reported_of} (line 5 of set.xml) is left out")),
                "{reported:?}"
            );
        }
    }
    let many: String =
        (5..20).map(|ring| format!("<offset ring=\"{ring}\" vertex=\"0\" by=\"0 1 0\"/>\n")).collect();
    let reported = built(&set(1, &many)).1;
    assert!(
        reported.len() == 1
            && reported[0].contains("and 12 more are left out: the muscle has no such vertex"),
        "{reported:?}"
    );
}

/// Pads and bones too, and elements that are out of place; a set whose unit is unknown is of no use.
#[test]
fn what_is_wrong_elsewhere_loses_no_more() {
    let alone = built(&with("")).0;
    for (part, reported_of, why) in [
        (r#"<pad name="p" joint="spine" centre="0 0 0" radius="0"/>"#, "pad p", "radius must be positive"),
        (r#"<pad name="p" joint="spine" centre="0 0 0" radius="wide"/>"#, "pad p", "radius is \"wide\""),
        (
            r#"<bone name="b" joint="spine" from="0 0 0" radius="1"/>"#,
            "bone b",
            "the attribute to is missing",
        ),
        (
            r#"<bone name="b" joint="tail" from="0 0 0" to="0 1 0" radius="1"/>"#,
            "bone b",
            "no joint \"tail\"",
        ),
        (
            r#"<head name="h" origin_joint="spine" origin="0 0 0"/>"#,
            "the element <head>",
            "it belongs inside a <muscle>",
        ),
        (r#"<musle name="h"/>"#, "the element <musle>", "there are space, muscle, pad, bone"),
    ] {
        let (found, reported) = built(&with(part));
        assert_eq!(found.parts, alone.parts, "{part}");
        assert!(reported.len() == 1 && reported[0].contains(why), "{part}: {reported:?}");
        assert!(
            reported[0].starts_with(&format!("{reported_of} (line 3 of set.xml) is left out: ")),
            "{reported:?}"
        );
    }
    for space in [r#"<space metres_per_unit="wide"/>"#, r#"<space metres_per_unit="0"/>"#, "<space/><space/>"]
    {
        let tree = xml::parse_tree(&with(space)).unwrap();
        assert!(Readable::new(&tree).and_then(|set| set.parts(&joints())).is_err(), "{space}");
    }
    for text in ["<muscle_plan/>", "<muscle_set version=\"7\"/>", "<muscle_set new=\"1\"/>"] {
        assert!(Readable::new(&xml::parse_tree(text).unwrap()).is_err(), "{text}");
    }
}

/// Two muscles of one leg: one is sound, the other has an impossible count and one of its offsets no vertex.
const LEG: &str = r#"<muscle_set>
 <muscle name="left_quad" origin_joint="LeftUpLeg" origin="0.1 0.85 0.05" insertion_joint="LeftLeg" insertion="0.1 0.45 0.04"
  size="0.02"><offset ring="30" vertex="2" by="0 0.01 0"/><offset ring="3" vertex="9" by="0 0.01 0"/></muscle>
 <muscle name="left_ham" origin_joint="LeftUpLeg" origin="0.1 0.85 -0.05" origin_to="0.12 0.85 -0.05"
  insertion_joint="LeftLeg" insertion="0.1 0.45 -0.04" size="0.02" count="0"><head name="left_short" origin_joint="LeftUpLeg" origin="0.1 0.7 -0.03"/></muscle>
</muscle_set>"#;

/// Whatever a tool writes holds what cannot be built, as it was, and this is reported with the line in the file that is
/// written.
#[test]
fn tools_keep_what_cannot_be_built() {
    let folder = folder();
    std::fs::write(folder.path().join("in.xml"), LEG).unwrap();
    let before: MuscleSet = xml::parse(LEG).unwrap();
    for tool in [
        &["mirror", "in.xml"][..],
        &["physique", "in.xml", "--bulge", "2"],
        &["copy", "in.xml", "--from", "joints.csv", "--to", "joints.csv"],
        &["copy", "in.xml", "--from", "joints.csv", "--to", "joints.csv", "--skin", "leg.obj", "--fit"],
        &[
            "create",
            "new",
            "--set",
            "in.xml",
            "--from",
            "LeftUpLeg",
            "--to",
            "LeftLeg",
            "--joints",
            "joints.csv",
        ],
    ] {
        let output = sinew(folder.path(), &[&["muscles"], tool, &["--out", "out.xml", "--force"]].concat());
        let reported = text(&output.stderr);
        assert!(output.status.success(), "{tool:?}: {reported}");
        let text = std::fs::read_to_string(folder.path().join("out.xml")).unwrap();
        let set: MuscleSet = xml::parse(&text).unwrap();
        let counts: Vec<u32> = set.muscles.iter().map(|e| e.count).collect();
        assert!(counts.contains(&0), "{tool:?}: {counts:?}");
        let quad = set.muscles.iter().find(|e| e.name == "left_quad").unwrap();
        let places = |e: &sinew::scene::muscles::MuscleElement| {
            e.offsets.iter().map(|offset| (offset.ring, offset.vertex)).collect::<Vec<_>>()
        };
        assert_eq!(places(quad), places(&before.muscles[0]), "{tool:?}");
        let line = 1 + text.lines().position(|line| line.contains("name=\"left_ham\"")).unwrap();
        assert!(
            reported.contains(&format!("muscle left_ham (line {line} of out.xml)")),
            "{tool:?}: {reported}"
        );
        assert!(
            reported.contains("the offset of vertex 2 of ring 30 of muscle left_quad"),
            "{tool:?}: {reported}"
        );
        assert!(reported.contains("kept as it was"), "{tool:?}: {reported}");
        if tool[0] == "mirror" {
            let other = set.muscles.iter().find(|e| e.name == "right_quad").unwrap();
            assert_eq!(other.offsets.len(), 2);
            assert!(
                !other.offsets.iter().any(|offset| offset.fits(other)),
                "none moves to a vertex that is there"
            );
        }
    }
}

/// What cannot be read cannot be written either: the tool refuses, names line and attribute, and writes nothing.
#[test]
fn tools_refuse_what_they_cannot_read() {
    let folder = folder();
    std::fs::write(folder.path().join("in.xml"), LEG.replace("count=\"0\"", "count=\"few\"")).unwrap();
    for tool in [&["mirror", "in.xml"][..], &["physique", "in.xml", "--bulge", "2"]] {
        let output = sinew(folder.path(), &[&["muscles"], tool, &["--out", "out.xml"]].concat());
        let reported = text(&output.stderr);
        assert!(!output.status.success() && !folder.path().join("out.xml").exists(), "{tool:?}");
        assert!(
            reported.contains("in.xml:4") && reported.contains("count is \"few\""),
            "{tool:?}: {reported}"
        );
    }
    // The range of motion only reads.
    let range = ["muscles", "range", "in.xml", "--joints", "joints.csv"];
    let reported = text(&sinew(folder.path(), &range).stderr);
    assert!(
        reported.contains("muscle left_ham (line 4 of in.xml) is left out: count is \"few\""),
        "{reported}"
    );
    let output = sinew(folder.path(), &["info", "in.xml"]);
    assert!(
        !output.status.success() && text(&output.stdout).contains("count is \"few\""),
        "{}",
        text(&output.stdout)
    );
}

/// A host's arrays have an item for the muscle that is lost as well, and the others keep theirs.
#[test]
fn arrays_go_on_counting_a_muscle_that_is_lost() {
    let lost = |attributes: &str| {
        let lost = format!("<muscle name=\"lost\" {ENDS} {attributes}/>")
            .replace("spine", "upper")
            .replace("arm", "lower");
        ARM.replace("<muscle name=\"triceps\"", &format!("{lost}<muscle name=\"triceps\""))
    };
    let moved = |set: &str, sizes: &[f64]| {
        let mut host = Host::new(set, Space::default(), &[]);
        host.give("muscle_sizes", sizes, 1);
        // Of the last vertex of the last ring of each muscle.
        let offsets =
            sizes.iter().flat_map(|size| [[0.0; 3]; 71].into_iter().chain([[0.1 * size, *size, 0.0]]));
        host.give("muscle_offsets", &offsets.flatten().collect::<Vec<_>>(), 3);
        host.give("activations", &sizes.iter().map(|size| 10.0 * size).collect::<Vec<_>>(), 1);
        let report = host.frame(6, 24.0, &Vec3::zeros());
        (host.points("points"), host.points("muscle_points"), report.warnings)
    };
    let (sound, sound_muscles, reported) = moved(ARM, &[0.03, 0.02]);
    assert!(reported.is_empty());
    for attributes in ["size=\"1\" count=\"0\"", "size=\"thick\"", "size=\"1\" count=\"many\""] {
        let (points, muscles, reported) = moved(&lost(attributes), &[0.03, 0.01, 0.02]);
        assert_eq!((points, muscles), (sound.clone(), sound_muscles.clone()), "{attributes}");
        assert!(
            reported.len() == 1 && reported[0].starts_with("muscle lost (line 4) is left out: "),
            "{reported:?}"
        );
    }
}

/// Counts that arrays give, and that no muscle can have, lose that muscle, also with offsets for every vertex.
#[test]
fn arrays_with_impossible_counts_lose_only_their_muscle() {
    let ints = |host: &mut Host, port: &str, values: [u32; 2]| {
        host.node.set_array(port, &ArrayView::from_slice(&values, 1).unwrap()).unwrap();
    };
    for (rings, divisions) in [(u32::MAX, u32::MAX), (0, 8), (9, 2), (1, 1), (1001, 8)] {
        let mut host = Host::new(ARM, Space::default(), &[]);
        ints(&mut host, "muscle_rings", [9, rings]);
        ints(&mut host, "muscle_divisions", [8, divisions]);
        let reported = host.frame(1, 24.0, &Vec3::zeros()).warnings;
        assert!(
            reported.len() == 1 && reported[0].starts_with("muscle triceps is left out: "),
            "{reported:?}"
        );
        assert_eq!(host.points("muscle_points").len(), 72);
        host.give("muscle_offsets", &[0.0; 3 * 144], 3);
        let Err(error) = host.node.step(2, 0.1, &Control::default()) else { continue };
        assert_eq!(error.kind(), Kind::CountMismatch, "{error}");
    }
}

/// Of a plan too, an impossible count loses its muscle alone.
#[test]
fn a_plan_with_an_impossible_count_is_fitted_without_it() {
    let folder = folder();
    let plan = std::fs::read_to_string(folder.path().join("plan.xml")).unwrap();
    let broken = plan.replacen("<muscle name=\"left_ham\"", "<muscle count=\"0\" name=\"left_ham\"", 1);
    std::fs::write(folder.path().join("plan.xml"), broken).unwrap();
    let output = sinew(folder.path(), &FIT);
    let reported = text(&output.stderr);
    assert!(output.status.success() && text(&output.stdout).starts_with("1 muscle,"), "{reported}");
    assert!(
        reported.contains("muscle left_ham (line 5) is left out: count is 0; 1 to 200 are possible"),
        "{reported}"
    );
}

/// On a rig without the joint of a muscle's origin, its further head is copied; without that of the insertion, both are
/// reported.
#[test]
fn heads_are_copied_without_the_first() {
    let folder = folder();
    let set = LEG.replace("count=\"0\"", "").replace(
        "<head name=\"left_short\" origin_joint=\"LeftUpLeg\"",
        "<head name=\"left_short\" origin_joint=\"Hips\"",
    );
    std::fs::write(folder.path().join("in.xml"), set).unwrap();
    let joints = std::fs::read_to_string(folder.path().join("joints.csv")).unwrap();
    for (missing, kept) in [("LeftUpLeg", vec!["left_short"]), ("LeftLeg", vec![])] {
        std::fs::write(
            folder.path().join("to.csv"),
            joints.replace(&format!("rest,{missing},"), "rest,other,"),
        )
        .unwrap();
        let paths = ["--from", "joints.csv", "--to", "to.csv", "--out", "out.xml", "--force"];
        let output = sinew(folder.path(), &[&["muscles", "copy", "in.xml"], &paths[..]].concat());
        let reported = text(&output.stderr);
        assert!(output.status.success(), "{reported}");
        let set: MuscleSet = xml::read(&folder.path().join("out.xml")).unwrap();
        assert_eq!(set.muscle_names(), kept, "{missing}");
        assert!(
            reported.contains(&format!("muscle left_ham is left out: the rig has no joint \"{missing}\"")),
            "{reported}"
        );
        assert_eq!(reported.contains("head left_short is left out"), kept.is_empty(), "{reported}");
    }
}
