//! The README's first command.

#[path = "support/strip.rs"]
mod strip;

use std::path::Path;
use strip::{sinew, text};

#[test]
fn the_demo_shows_what_it_says_and_writes_all_that_a_job_can() {
    let folder = tempfile::tempdir().unwrap();
    let output = sinew(folder.path(), &["--json", "demo", "d", "--size", "128", "--step", "24"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("warning"), "{}", text(&output.stderr));
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    println!("{figures}");
    let pair = |what: &str| ["skinning", "sliding"].map(|side| figures[what][side].as_f64().unwrap());
    // Skinning takes the skin along with the lump; sliding skin stays, and spreads what the turn asks for.
    let [carried, stays] = pair("goes_along");
    assert!(carried > 0.85 && stays < 0.2, "{figures}");
    let [skinned, slid] = pair("largest_stretch");
    assert!(skinned > 1.4 && slid < 1.3, "{figures}");
    let [skinned, slid] = pair("stretched_by_a_fifth");
    assert!(slid < 0.6 * skinned, "{figures}");
    let named = "turn.png swallow.png results/page.html results/neck.abc results/st.0038.exr \
                 results/tattoo.0038.png results/stubble.0038.obj results/manifest.json";
    for name in named.split(' ') {
        assert!(folder.path().join("d").join(name).exists(), "{name}");
    }
    // Anyone can run its job file; nothing has changed, so the files do not change either.
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let before = read("d/results/tattoo.0020.png");
    let again = sinew(Path::new(folder.path()), &["run", "d/job.xml"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert!(before == read("d/results/tattoo.0020.png"));
}

/// The demo invites people to edit its files.
#[test]
fn a_demo_that_was_edited_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let demo = |more: &[&str]| {
        let args = ["demo", "d", "--size", "64", "--step", "48"];
        sinew(folder.path(), &[&args[..], more].concat())
    };
    let output = demo(&[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(demo(&["--step", "30"]).status.code() != Some(0), "an option is given once");
    let other = sinew(folder.path(), &["demo", "d", "--size", "32", "--step", "30"]);
    assert!(other.status.success(), "nothing was edited: {}", text(&other.stderr));
    for name in ["job.xml", "region.csv"] {
        let path = folder.path().join("d").join(name);
        let written = std::fs::read_to_string(&path).unwrap();
        let edited = written.clone() + "\n";
        std::fs::write(&path, &edited).unwrap();
        let output = demo(&[]);
        let reported = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && reported.contains(name) && reported.contains("--force"),
            "{reported}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), edited);
        std::fs::write(&path, written).unwrap();
    }
    std::fs::write(folder.path().join("d/job.xml"), "<mine/>").unwrap();
    assert!(demo(&["--force"]).status.success());
}

/// The files of an arm are for trying things: what was changed stays.
#[test]
fn the_arm_is_written_once_and_not_over_what_was_edited() {
    let folder = tempfile::tempdir().unwrap();
    let demo = |more: &[&str]| sinew(folder.path(), &[&["demo", "a", "--arm"], more].concat());
    let output = demo(&[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let reported = text(&output.stdout);
    for name in ["slide.xml", "chain.xml", "muscles.xml"] {
        assert!(reported.contains(&format!("sinew run a/{name}")), "{reported}");
    }
    let body = |frame: i64| {
        let name = folder.path().join(format!("a/body.{frame:04}.obj"));
        sinew::formats::obj::read(&name).unwrap().mesh
    };
    assert_eq!(body(24).face_offsets, body(1).face_offsets);
    let rest = sinew::formats::obj::read(&folder.path().join("a/rest.obj")).unwrap().mesh;
    let far = |mesh: &sinew::geometry::Mesh| {
        mesh.positions.iter().zip(&rest.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    };
    assert!(far(&body(1)) < 1e-12 && far(&body(24)) > 0.2, "{} {}", far(&body(1)), far(&body(24)));
    assert!(demo(&[]).status.success(), "nothing was edited");
    std::fs::write(folder.path().join("a/chain.xml"), "<mine/>").unwrap();
    let reported = text(&demo(&[]).stderr);
    assert!(reported.contains("chain.xml") && reported.contains("--force"), "{reported}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a/chain.xml")).unwrap(), "<mine/>");
    assert!(demo(&["--force"]).status.success());
    assert_eq!(demo(&["--size", "64"]).status.code(), Some(2), "the size is that of the neck's textures");
}
