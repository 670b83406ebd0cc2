//! What the node `strand` refuses, and by which name, file and line.

use crate::strand_host::{ARM, Host, at};
use sinew::control::Control;
use sinew::error::Kind;
use sinew::math::{Real, Vec3};
use sinew::nodes::ArrayView;
use std::path::Path;

#[test]
fn bad_numbers_are_refused_by_name() {
    let scaled = |by: Vec3| {
        let mut host = Host::arm();
        let mut row = vec![0.0; 16];
        (0..3).for_each(|k| row[5 * k] = by[k]);
        row[15] = 1.0;
        host.give("led_matrices", &row, 16);
        host.refuses()
    };
    let error = scaled(Vec3::new(1.2, 1.2, 1.2));
    let text = error.to_string();
    assert!(text.contains("\"forearm\"") && text.contains("[1.200000, 1.200000, 1.200000]"), "{text}");
    assert_eq!(error.place().port.as_deref(), Some("led_matrices"));
    for by in [Vec3::new(1.0, 0.0, 1.0), Vec3::zeros(), Vec3::new(1.0, 1.0, -1.0), Vec3::new(1e200, 1.0, 1.0)]
    {
        assert_eq!(scaled(by).kind(), Kind::Degenerate, "{by}");
    }
    let refuse = |fill: &dyn Fn(&mut Host), kind: Kind, port: Option<&str>, words: &str| {
        let mut host = Host::arm();
        fill(&mut host);
        let error = host.refuses();
        assert_eq!((error.kind(), error.place().port.as_deref()), (kind, port), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    let (count, unknown) = (Kind::CountMismatch, Kind::NotFound);
    let two = |host: &mut Host| host.lead(&[at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.0)]);
    refuse(&two, count, Some("led_matrices"), "2 matrices for 1 bodies that are led: forearm");
    let pulls = |host: &mut Host| host.give("activations", &[0.0, 0.0], 1);
    refuse(&pulls, count, Some("activations"), "2 activations for 1 muscles: puller");
    let alone = |host: &mut Host| host.name("goal_joints", &[0, 2], 2);
    refuse(&alone, count, Some("goal_motions"), "has 0 items, but goal_joints has 1");
    let no_joint = |host: &mut Host| {
        host.name("goal_joints", &[0, 2, 1, 2], 2);
        host.give("goal_motions", &[1.0, 1.0], 1);
    };
    refuse(&no_joint, unknown, Some("goal_joints"), "item 1 names motion 2 of joint 1; there are 1 joints");
    let no_motion = |host: &mut Host| {
        host.name("goal_joints", &[0, 6], 2);
        host.give("goal_motions", &[1.0], 1);
    };
    refuse(&no_motion, unknown, Some("goal_joints"), "motion 6 of joint 0");
    let no_body = |host: &mut Host| {
        host.name("goal_bodies", &[7], 1);
        host.give("goal_points", &[0.0; 3], 3);
        host.give("goal_places", &[0.0; 3], 3);
    };
    refuse(&no_body, unknown, Some("goal_bodies"), "item 0 names body 7; there are 3");
    let no_place = |host: &mut Host| {
        host.name("goal_bodies", &[2], 1);
        host.give("goal_points", &[0.0; 3], 3);
    };
    refuse(&no_place, count, Some("goal_places"), "has 0 items");
    let both = |host: &mut Host| {
        host.name("goal_joints", &[0, 2], 2);
        host.give("goal_motions", &[1.0], 1);
        host.give("activations", &[0.0], 1);
    };
    refuse(&both, Kind::InvalidArgument, Some("activations"), "either given or chosen");
    let nobody = |host: &mut Host| {
        host.set("scene", "examples/strand/pendulum.xml");
        host.name("goal_joints", &[0, 2], 2);
        host.give("goal_motions", &[1.0], 1);
    };
    refuse(&nobody, Kind::MissingInput, None, "there are none");
    let mut host = Host::arm();
    for (values, kind) in
        [([1.5], Kind::OutOfRange), ([-0.1], Kind::OutOfRange), ([Real::NAN], Kind::NotFinite)]
    {
        let error = host.0.set_array("activations", &ArrayView::from_slice(&values, 1).unwrap()).unwrap_err();
        assert_eq!((error.kind(), error.place().port.as_deref()), (kind, Some("activations")), "{error}");
    }
    host.frame(1);
    let far = host.0.step(2, 1e300, &Control::default()).unwrap_err();
    assert!(far.message().contains("divide a frame into"), "{far}");
}

#[test]
fn bad_scenes_are_refused_by_file_and_line() {
    let refuse = |scene: &str| {
        let error = Host::new(&[("source", "scene"), ("scene", scene)]).refuses();
        assert_eq!(
            (error.place().node.as_deref(), error.place().frame),
            (Some("strand"), Some(1)),
            "{error}"
        );
        assert_eq!(error.place().param.as_deref(), Some("scene"), "{error}");
        error
    };
    assert_eq!(refuse("").kind(), Kind::MissingInput);
    let error = refuse("no/such/scene.xml");
    assert_eq!(
        (error.kind(), error.place().file.as_deref()),
        (Kind::MissingFile, Some(Path::new("no/such/scene.xml")))
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arm.xml");
    for (from, to, line) in [
        (r#"stiffness="2e4""#, r#"stifness="2e4""#, 19),
        (r#"child="hand""#, r#"child="hnd""#, 11),
        ("</strand_scene>", "", 28),
        (r#"<cuboid size="0.1 0.02 0.06"/>"#, r#"<shape file="none.obj"/>"#, 10),
    ] {
        let text = ARM.replacen(from, to, 1);
        assert_ne!(text, ARM);
        let reported = refuse(&text);
        std::fs::write(&file, &text).unwrap();
        let error = refuse(file.to_str().unwrap());
        println!("{error}\n{reported}");
        assert_eq!(
            (error.place().line, error.place().file.as_deref()),
            (Some(line), Some(file.as_path())),
            "{error}"
        );
        assert_eq!(error.kind(), reported.kind());
    }
    // A sound scene afterwards is taken.
    std::fs::write(&file, ARM).unwrap();
    let mut host = Host::new(&[("source", "scene"), ("scene", "none.xml")]);
    host.refuses();
    host.set("scene", file.to_str().unwrap());
    host.frame(1);
}

/// A plane that does not cut the body whose inside it keeps nodes out of, from the beginning.
#[test]
fn planes_that_miss_their_body_are_refused_by_both_names() {
    let (plane, rule) = (
        r#"<plane name="cut" on="forearm" at="0.5 0.03 0" turn="0 90 0" bone="forearm"/>"#,
        r#"<in_plane point="pulley" plane="cut"/><off_bone point="pulley" plane="cut"/>"#,
    );
    let text = ARM
        .replace("at=\"0.1 0.03 0\" on=\"forearm\"", "at=\"0.1 0.03 0\"")
        .replace("  <line name", &format!("  {plane}{rule}\n  <line name"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arm.xml");
    std::fs::write(&file, text).unwrap();
    let error = Host::new(&[("source", "scene"), ("scene", file.to_str().unwrap())]).refuses();
    assert_eq!(error.kind(), Kind::Degenerate, "{error}");
    let words = "plane \"cut\": it misses the body \"forearm\": move it, turn it, or choose another body";
    assert!(error.to_string().ends_with(words), "{error}");
}
