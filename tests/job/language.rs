//! The language of jobs: what an input takes from a file, and which node an output is from.

use crate::strip::{sinew, strip, text};
use std::path::Path;

fn run(folder: &Path, job: &str) -> (bool, String) {
    std::fs::write(folder.join("job.xml"), job).unwrap();
    let output = sinew(folder, &["run", "job.xml", "--restart"]);
    (output.status.success(), text(&output.stderr))
}

fn refused(folder: &Path, job: &str, parts: &[&str]) {
    let (fine, reported) = run(folder, job);
    assert!(!fine && parts.iter().all(|part| reported.contains(part)), "{parts:?}: {reported}");
}

fn done(folder: &Path, job: &str) {
    let (fine, reported) = run(folder, job);
    assert!(fine, "{reported}");
}

/// A body of one frame moves: it has that frame and no other. Points at rest of one frame hold in all frames, and are
/// no motion that a job could take its frames from.
#[test]
fn a_file_of_one_frame_moves_or_holds_by_what_the_input_is() {
    let folder = strip(3);
    let at = |name: &str| folder.path().join(name);
    let output = sinew(folder.path(), &["convert", "body.%04d.obj", "one.pc2", "--frames", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let slider = |frames: &str| {
        format!(
            r#"<sinew version="1">{frames}<node type="skin_slider"><input port="rest" file="rest.obj"/>
            <input port="points" file="one.pc2"/></node><outputs folder="slid"><tables/></outputs></sinew>"#
        )
    };
    done(folder.path(), &slider(""));
    let frames = std::fs::read_dir(at("slid")).unwrap().flatten().map(|e| e.file_name());
    assert_eq!(frames.filter(|name| name.to_string_lossy().starts_with("uv.")).count(), 1);
    refused(
        folder.path(),
        &slider(r#"<frames range="1-3"/>"#),
        &["job.xml:2", "one.pc2", "of 3 frames are missing"],
    );
    let matrix = "1,0,0,0,0,1,0,0,0,0,1,0";
    std::fs::write(
        at("joints.csv"),
        format!("rest,a,{matrix}\n1,a,{matrix}\n2,a,{matrix}\n3,a,1,0,0,5,0,1,0,0,0,0,1,0\n"),
    )
    .unwrap();
    let weights: String = (0..40).map(|v| format!("{v},a,1\n")).collect();
    std::fs::write(at("weights.csv"), format!("vertex,joint,weight\n{weights}")).unwrap();
    let skinning = |rest: &str| {
        format!(
            r#"<sinew version="1"><node type="skinning"><input port="points" file="one.pc2"/>{rest}
            <input port="joints" file="joints.csv"/><input port="influence_weights" file="weights.csv"/></node>
            <outputs folder="moved"><write file="points.%d.csv" from="skinning.points"/></outputs></sinew>"#
        )
    };
    done(folder.path(), &skinning(""));
    let read = |frame: i32| std::fs::read_to_string(at(&format!("moved/points.{frame}.csv"))).unwrap();
    let xs = |frame: i32| -> Vec<f64> {
        read(frame).lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect()
    };
    assert!(
        xs(1).iter().zip(xs(3)).all(|(a, b)| (b - a - 5.0).abs() < 1e-12),
        "one shape, moved by its joint"
    );
    // The joints of the file at rest are those that an input of its own takes from it.
    let implied = read(3);
    for rest in [
        r#"<input port="rest_joints" file="joints.csv"/>"#,
        r#"<input port="rest_joints" file="joints.csv" frame="rest"/>"#,
    ] {
        done(folder.path(), &skinning(rest));
        assert_eq!(read(3), implied, "{rest}");
    }
    done(folder.path(), &skinning(r#"<input port="rest_joints" file="joints.csv" frame="3"/>"#));
    assert!(xs(3).iter().zip(xs(1)).all(|(a, b)| (a - b - 5.0).abs() < 1e-12), "rest in frame 3");
    assert_ne!(read(3), implied);
}

/// Tables that no header explains are read as what the input takes.
#[test]
fn tables_without_a_header_are_read_for_their_input() {
    let folder = strip(2);
    let job = r#"<sinew version="1"><node type="skin_slider"><input port="rest" file="rest.obj"/>
        <input port="points" file="body.%04d.obj"/><input port="rows" file="rows.csv"/></node>
        <outputs folder="out"><tables/></outputs></sinew>"#;
    let rows = "0,14,1,0,0\n1,15,0,0,1\n";
    let mut made = Vec::new();
    for header in ["", "row,vertex,x,y,z\n"] {
        std::fs::write(folder.path().join("rows.csv"), format!("{header}{rows}")).unwrap();
        done(folder.path(), job);
        made.push(std::fs::read(folder.path().join("out/skin.0002.csv")).unwrap());
    }
    assert_eq!(made[0], made[1]);
    std::fs::write(folder.path().join("rows.csv"), "14,15\n").unwrap();
    refused(folder.path(), job, &["job.xml:2: element input", "rows.csv:1", "5 are expected"]);
}

/// Each output of a job with two nodes whose skin slides is from the node that it names, or refused if it names none.
#[test]
fn an_output_says_which_of_several_nodes_it_is_from() {
    let folder = strip(3);
    let chain = |outputs: &str| {
        format!(
            r#"<sinew version="1"><frames range="1-3" fps="24"/>
            <node type="skin_slider" name="under"><input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/></node>
            <node type="skin_slider" name="over"><input port="rest" file="rest.obj"/><input port="points" from="under.slid_points"/></node>
            <outputs folder="out">
            {outputs}</outputs></sinew>"#
        )
    };
    refused(folder.path(), &chain("<tables/>"), &["job.xml:5: element tables", "node=", "under, over"]);
    refused(
        folder.path(),
        &chain(r#"<st_map file="s.%04d.exr" node="body"/>"#),
        &["job.xml:5: element st_map", "no node \"body\"", "under, over"],
    );
    let both =
        r#"<tables node="over"/><cache file="over.abc" node="over"/><cache file="under.abc" node="under"/>"#;
    done(folder.path(), &chain(both));
    let read = |name: &str| std::fs::read(folder.path().join("out").join(name)).unwrap();
    let [over, under] = ["over.abc", "under.abc"].map(read);
    assert_ne!(over, under);
    for (name, expected) in [("over", over), ("under", under)] {
        done(folder.path(), &chain(&format!(r#"<cache file="{name}.abc" node="{name}"/>"#)));
        let now = read(&format!("{name}.abc"));
        // The job's hash in it is another.
        assert!(now.len() == expected.len() && now != expected, "{name}");
        let differ = now.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert!(differ <= 64, "{name}: {differ} bytes");
    }
    let page = chain(r#"<cache file="over.abc" node="over"/><page file="p.html"/>"#);
    refused(folder.path(), &page, &["job.xml:5: element page", "add <tables/>"]);
}
