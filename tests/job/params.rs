//! Parameters that change from frame to frame: a table has the value of each.

use crate::strip::{sinew, text};
use std::path::Path;

/// Runs skinning of the demo's arm, with a parameter as it is written in the scene, in frames 1 to 4.
fn run(folder: &Path, param: &str, out: &str) -> std::result::Result<(), String> {
    let scene = format!(
        r#"<sinew version="1"><frames range="1-4" fps="24"/><node type="skinning" name="arm">
{param}
           <input port="points" file="rest.obj"/><input port="joints" file="joints.csv"/>
           <input port="influence_weights" file="weights.csv"/></node>
           <outputs folder="{out}"><write file="points.%04d.csv" from="arm.points"/></outputs></sinew>"#
    );
    std::fs::write(folder.join("job.xml"), scene).unwrap();
    let done = sinew(folder, &["run", "job.xml"]);
    if done.status.success() { Ok(()) } else { Err(text(&done.stderr)) }
}

fn arm() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let made = sinew(folder.path(), &["demo", ".", "--arm"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    folder
}

#[test]
fn each_frame_has_its_value() {
    let folder = arm();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(
        at("method.csv"),
        "frame,value\n1,linear\n2,dual_quaternion\n3,dual_quaternion\n4,linear\n",
    )
    .unwrap();
    for (param, out) in [
        (r#"<param id="method" value="linear"/>"#, "linear"),
        (r#"<param id="method" value="dual_quaternion"/>"#, "dual"),
        (r#"<param id="method" file="method.csv"/>"#, "mixed"),
    ] {
        run(folder.path(), param, out).unwrap();
    }
    let points =
        |out: &str, frame: usize| std::fs::read(at(&format!("{out}/points.000{frame}.csv"))).unwrap();
    for (frame, same, other) in [(2, "dual", "linear"), (3, "dual", "linear"), (4, "linear", "dual")] {
        assert!(points("mixed", frame) == points(same, frame), "frame {frame}");
        assert!(points("mixed", frame) != points(other, frame), "frame {frame}");
    }
    // The table is one of the files that the results depend on.
    let manifest = std::fs::read_to_string(at("mixed/manifest.json")).unwrap();
    assert!(manifest.contains("method.csv"), "{manifest}");
}

#[test]
fn mistakes_name_file_and_line() {
    let folder = arm();
    let refused = |table: &str, param: &str, words: &[&str]| {
        std::fs::write(folder.path().join("table.csv"), table).unwrap();
        let error = run(folder.path(), param, "out").unwrap_err();
        for word in words.iter().chain(&["job.xml:2"]) {
            assert!(error.contains(word), "{word}: {error}");
        }
    };
    let method = r#"<param id="method" file="table.csv"/>"#;
    refused("frame,value\n1,linear\n2,linear\n4,linear\n", method, &["table.csv", "lacks 1 of 4 frames: 3"]);
    let all = |value: &str| format!("frame,value\n1,linear\n2,linear\n3,{value}\n4,linear\n");
    refused(&all("cubic"), method, &["table.csv", "method", "frame 3"]);
    refused("frame,method\n1,linear\n", method, &["table.csv:1", "frame,value is expected"]);
    refused(&all("linear"), r#"<param id="nothing" file="table.csv"/>"#, &["nothing"]);
    let both = r#"<param id="method" value="linear" file="table.csv"/>"#;
    refused(&all("linear"), both, &["one of value and file is expected"]);
    refused(&all("linear"), r#"<param id="method"/>"#, &["one of value and file is expected"]);
    refused("", r#"<param id="method" file="nowhere.csv"/>"#, &["nowhere.csv"]);
}
