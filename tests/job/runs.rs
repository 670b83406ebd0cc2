//! `sinew run` from outside: jobs that are killed, jobs whose disk is full, jobs with a broken body, what they list.

use crate::strip::{sinew, strip, text};
use sinew::formats::alembic::{Archive, At};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const JOB: &str = r#"<sinew version="1">
  <frames range="1-FRAMES" fps="24"/>
  <node type="skin_slider">
    <param id="mode" value="dynamic"/>
    <input port="rest" file="rest.obj"/>
    <input port="points" file="body.%04d.obj"/>
    <input port="fixed" file="fixed.csv"/>
  </node>
  <outputs folder="FOLDER">
    <tables/>
    <ride geometry="hair.obj" file="hair.%04d.obj"/>
    <ride geometry="rest.obj" file="decal.%04d.csv"/>
    <ride geometry="hair.obj" file="hair.abc"/>
    <cache file="body.abc"/>
    <cache file="body.usda"/>
    <cache file="body.usdc"/>
    <cache file="body.glb"/>
  </outputs>
</sinew>
"#;

/// A strip with hairs on it and a job.
fn job(frames: i32) -> tempfile::TempDir {
    let folder = strip(frames);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    // Two hairs that stand on the strip, one of them from a little below.
    write("hair.obj", "v 0.7 0 -0.1\nv 0.7 0.2 -0.1\nv 0.3 -0.01 -0.2\nv 0.3 0.1 -0.2\nl 1 2\nl 3 4\n");
    write_job(folder.path(), frames, "out");
    folder
}

fn write_job(folder: &Path, frames: i32, out: &str) {
    let text = JOB.replace("FRAMES", &frames.to_string()).replace("FOLDER", out);
    std::fs::write(folder.join("job.xml"), text).unwrap();
}

/// The job in a process of its own, to be killed.
fn begun(folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let quiet = command.stderr(Stdio::null()).stdout(Stdio::null());
    quiet.args(["run", "job.xml"]).current_dir(folder).spawn().unwrap()
}

/// Kills the job when a frame is done; returns whether that was before its end.
fn killed_after(folder: &Path, frame: i32) -> bool {
    let mut child = begun(folder);
    let done = folder.join(format!("out/.sinew/done.{frame}.json"));
    while !done.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

/// The files of a folder except the report, which contains times.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let is_result =
        |name: &std::ffi::OsStr| name != "report.json" && !name.to_string_lossy().starts_with(".sinew");
    let files = entries.filter(|e| is_result(&e.file_name()));
    files.map(|e| (e.file_name().into_string().unwrap(), std::fs::read(e.path()).unwrap())).collect()
}

#[test]
fn a_killed_run_goes_on_and_gives_the_same_bits() {
    let folder = job(40);
    let at = |name: &str| folder.path().join(name);
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
    std::fs::rename(at("out"), at("whole")).unwrap();
    let mut stopped = 0;
    for after in [3, 17] {
        stopped += i32::from(killed_after(folder.path(), after));
    }
    assert_eq!(stopped, 2, "each run was killed before its end");
    // One of the files that are done goes; the run makes it again.
    std::fs::remove_file(at("out/hair.0002.obj")).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    let reported = text(&output.stderr);
    assert!(output.status.success() && reported.contains("frames are done already"), "{reported}");
    assert!(files(&at("out")) == files(&at("whole")), "the same files with the same bytes");
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(at("out/report.json")).unwrap()).unwrap();
    let frames: Vec<_> =
        report["frames"].as_array().unwrap().iter().map(|row| row["frame"].as_i64().unwrap()).collect();
    assert_eq!(frames, (1..=40).collect::<Vec<_>>());
}

#[test]
fn a_run_of_another_job_begins_anew_and_says_so() {
    let folder = job(4);
    let broken = folder.path().join("body.0003.obj");
    let good = std::fs::read_to_string(&broken).unwrap();
    std::fs::write(&broken, "v what\n").unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    let reported = text(&output.stderr);
    assert!(output.status.code() == Some(1) && reported.contains("body.0003.obj:1"), "{reported}");
    let report = std::fs::read_to_string(folder.path().join("out/report.json")).unwrap();
    assert!(report.contains("\"frame\": 2") && !report.contains("\"frame\": 3"), "what was done is reported");
    std::fs::write(&broken, good).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    let reported = text(&output.stderr);
    assert!(output.status.success() && reported.contains("this run starts over"), "{reported}");
    assert!(!folder.path().join("out/.sinew").exists());
}

#[test]
fn a_failed_frame_makes_the_run_fail_in_the_end() {
    let folder = job(4);
    let body = folder.path().join("body.0002.obj");
    let good = std::fs::read_to_string(&body).unwrap();
    std::fs::write(&body, good.replacen("v 0 0", "v nan 0", 1)).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    let reported = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{reported}");
    assert!(
        reported.contains("frame 2: 1 of 4 frames failed: 2; the last good result stands in"),
        "{reported}"
    );
    assert!(folder.path().join("out/uv.0004.obj").exists(), "the others are there");
}

/// A limit on the size of files stands for a disk that fills up: the write fails in the same place.
#[test]
fn a_full_disk_leaves_no_damage_and_the_run_goes_on_when_there_is_room() {
    let folder = job(6);
    let at = |name: &str| folder.path().join(name);
    let script = format!("trap '' XFSZ; ulimit -f 8; exec {} run job.xml", env!("CARGO_BIN_EXE_sinew"));
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let reported = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{reported}");
    assert!(
        reported.contains("record.0.bin") || reported.contains("uv.0001.obj"),
        "the file is named: {reported}"
    );
    let parts = |folder: &Path| files_below(folder).iter().filter(|name| name.ends_with(".part")).count();
    assert_eq!(parts(&at("out")), 0);
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
    std::fs::rename(at("out"), at("mended")).unwrap();
    assert!(sinew(folder.path(), &["run", "job.xml", "--restart"]).status.success());
    assert!(files(&at("out")) == files(&at("mended")));
}

fn files_below(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path.display().to_string()] })
        .collect()
}

#[test]
fn the_manifest_lists_what_was_read_and_written() {
    let folder = job(3);
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&read("out/manifest.json")).unwrap();
    let mut listed: Vec<&serde_json::Value> = manifest["files"].as_array().unwrap().iter().collect();
    for frame in manifest["frames"].as_array().unwrap() {
        listed.extend(frame["files"].as_array().unwrap());
    }
    let names: Vec<_> = listed.iter().map(|file| file["file"].as_str().unwrap().to_string()).collect();
    let mut expected: Vec<String> = files(&folder.path().join("out")).into_keys().collect();
    expected.retain(|name| name != "manifest.json");
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(sorted, expected);
    let inputs = manifest["inputs"].as_array().unwrap();
    let input_names: Vec<_> = inputs.iter().map(|file| file["file"].as_str().unwrap()).collect();
    assert_eq!(
        input_names,
        ["rest.obj", "body.0001.obj", "body.0002.obj", "body.0003.obj", "fixed.csv", "hair.obj"]
    );
    // Another program's hash is the judge.
    let sum = Command::new("sha256sum").args(&names).current_dir(folder.path().join("out")).output().unwrap();
    for (line, file) in text(&sum.stdout).lines().zip(listed) {
        assert_eq!(line.split_whitespace().next(), file["sha256"].as_str(), "{line}");
    }
}

/// The strip's skin stretches evenly along x, so that a hair at x goes to the material's place, and stands upright as
/// the strip is flat; the one from below keeps its depth.
#[test]
fn hairs_stand_where_their_skin_has_gone() {
    let folder = job(4);
    let quasistatic = std::fs::read_to_string(folder.path().join("job.xml")).unwrap();
    let quasistatic = quasistatic
        .replace(r#"<param id="mode" value="dynamic"/>"#, r#"<param id="poisson" value="0"/><param id="tie_reach" value="0"/><param id="tolerance" value="1e-8"/>"#)
        .replace("<input port=\"fixed\"", "<input port=\"slide\" file=\"slide.csv\"/><input port=\"fixed\"");
    std::fs::write(folder.path().join("job.xml"), quasistatic).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let text = std::fs::read_to_string(folder.path().join("out/hair.0004.obj")).unwrap();
    let points: Vec<Vec<f64>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| line.split(' ').map(|x| x.parse().unwrap()).collect())
        .collect();
    // Both ends are held and the body is 1.5 long: the skin is stretched by 1.5 everywhere.
    let worst = [[1.05, 0.0, -0.1], [1.05, 0.2, -0.1], [0.45, -0.01, -0.2], [0.45, 0.1, -0.2]]
        .iter()
        .zip(&points)
        .flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()))
        .fold(0.0, f64::max);
    println!("hairs are off by {worst:.1e} m");
    assert!(points.len() == 4 && worst < 1e-5, "{points:?}");
    assert!(text.ends_with("l 1 2\nl 3 4\n"));
    // The same as curves, in single precision.
    let mut archive = Archive::open(&folder.path().join("out/hair.abc")).unwrap();
    let object = archive.find("/curves").unwrap();
    let curves = archive.curves(object).unwrap();
    assert_eq!(curves.curve_counts(&mut archive, At::Sample(0)).unwrap(), [2, 2]);
    let last = curves.points(&mut archive, At::Sample(3)).unwrap();
    for (a, b) in last.iter().zip(&points) {
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-7), "{a} {b:?}");
    }
}

#[test]
fn what_cannot_be_is_said_before_the_first_frame() {
    let folder = job(2);
    let good = std::fs::read_to_string(folder.path().join("job.xml")).unwrap();
    for (old, new, reported) in [
        ("hair.%04d.obj", "../hair.%04d.obj", "is not in the results' folder"),
        ("hair.%04d.obj", "hair.obj", "a placeholder for the frame"),
        ("hair.%04d.obj", "hair.%04d.pc2", "OBJ, Alembic or"),
        ("geometry=\"hair.obj\"", "geometry=\"no.obj\"", "no.obj"),
        ("<input port=\"rest\" file=\"rest.obj\"/>", "", "nothing feeds the input rest"),
        ("range=\"1-2\"", "range=\"1-9\"", "7 of 9 frames are missing: 3-9"),
        ("skin_slider", "skinning", "no parameter \"mode\""),
        ("hair.%04d.obj", "uv.%04d.obj", "two of the results would have this name"),
        ("folder=\"out\"", "folder=\".\"", "it would be overwritten"),
        ("range=\"1-2\"", "range=\"2,1\"", "frames must be in ascending order"),
        ("file=\"body.abc\"", "file=\"body.%04d.abc\"", "must not have a placeholder for the frame"),
        ("file=\"hair.abc\"", "file=\"hair.%04d.abc\"", "must not have a placeholder for the frame"),
        ("<cache file=\"body.abc\"/>", "<bake texture=\"no.png\" file=\"b.%04d.png\"/>", "no.png"),
        ("<cache file=\"body.abc\"/>", "<st_map file=\"s.%04d.exr\" size=\"32768\"/>", "sides of 1 to 16384"),
        ("<cache file=\"body.abc\"/>", "<cache file=\"body.glb\" velocities=\"yes\"/>", "have velocities"),
    ] {
        std::fs::write(folder.path().join("job.xml"), good.replace(old, new)).unwrap();
        let output = sinew(folder.path(), &["run", "job.xml"]);
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.contains(reported), "{new}: {message}");
        assert!(message.contains("job.xml:"), "{message}");
        assert!(!folder.path().join("out/uv.0001.obj").exists());
    }
}

/// Where no file is to hold all frames, only the last one is stored; a run goes on from it as long as the others' files
/// are there.
#[test]
fn a_job_without_caches_stores_one_frame() {
    let folder = job(40);
    let at = |name: &str| folder.path().join(name);
    let text_of = std::fs::read_to_string(at("job.xml")).unwrap();
    let caches = |line: &&str| !line.contains("<cache") && !line.contains("hair.abc");
    let without: Vec<&str> = text_of.lines().filter(caches).collect();
    std::fs::write(at("job.xml"), without.join("\n")).unwrap();
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
    std::fs::rename(at("out"), at("whole")).unwrap();
    for (gone, reported) in [(false, "frames are done already"), (true, "the run starts over")] {
        assert!(killed_after(folder.path(), 9), "it was killed before its end");
        let stored = files(&at("out/.sinew")).keys().filter(|name| name.starts_with("record.")).count();
        assert!(stored <= 2, "{stored} frames are stored");
        if gone {
            std::fs::remove_file(at("out/decal.0003.csv")).unwrap();
        }
        let output = sinew(folder.path(), &["run", "job.xml"]);
        let message = text(&output.stderr);
        assert!(output.status.success() && message.contains(reported), "{message}");
        assert!(files(&at("out")) == files(&at("whole")));
        std::fs::remove_dir_all(at("out")).unwrap();
    }
}

/// A kill at any moment, twice in a row, leaves a job that goes on; what killed processes left half-written is gone.
#[test]
fn kills_at_any_moment_leave_a_job_that_goes_on() {
    let folder = job(12);
    let at = |name: &str| folder.path().join(name);
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
    std::fs::rename(at("out"), at("whole")).unwrap();
    for trial in 0..12u64 {
        let mut child = begun(folder.path());
        std::thread::sleep(std::time::Duration::from_millis(20 + 23 * trial));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // As if it had been killed while it cleared its folder, a stored frame is gone.
    let _ = std::fs::remove_file(at("out/.sinew/record.0.bin"));
    std::fs::write(at("out/.uv.0001.obj.7-0.part"), "half").unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (resumed, whole) = (files(&at("out")), files(&at("whole")));
    let other: Vec<_> =
        whole.iter().filter(|(name, bytes)| resumed.get(*name) != Some(bytes)).map(|(n, _)| n).collect();
    assert!(other.is_empty() && resumed.len() == whole.len(), "{other:?} {}", text(&output.stderr));
}

#[test]
fn a_folder_takes_one_run_at_a_time() {
    let folder = job(2);
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let mut lock = std::fs::File::create(folder.path().join("out/.sinew-lock")).unwrap();
    lock.lock().unwrap();
    for (holder, expected) in
        [("", "another run is writing into this folder"), ("process 7 on here", "process 7 on here")]
    {
        lock.write_all(holder.as_bytes()).unwrap();
        let output = sinew(folder.path(), &["run", "job.xml"]);
        let reported = text(&output.stderr);
        assert!(output.status.code() == Some(3) && reported.contains(expected), "{reported}");
    }
    drop(lock);
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
}

/// The same job from another folder is the same job.
#[test]
fn a_run_goes_on_from_another_folder_and_past_a_broken_first_frame_that_is_not_asked_for() {
    let folder = job(4);
    let at = |name: &str| folder.path().join(name);
    let job = std::fs::read_to_string(at("job.xml")).unwrap().replace("1-4", "2-4");
    std::fs::write(at("job.xml"), job).unwrap();
    std::fs::write(at("body.0001.obj"), "v nan 0 0\n").unwrap();
    // The limit on file size stops the run midway.
    let script = format!("trap '' XFSZ; ulimit -f 14; exec {} run job.xml", env!("CARGO_BIN_EXE_sinew"));
    let stopped = Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert_eq!(stopped.status.code(), Some(3), "{}", text(&stopped.stderr));
    std::fs::create_dir(at("elsewhere")).unwrap();
    let output = sinew(&at("elsewhere"), &["run", "../job.xml"]);
    let reported = text(&output.stderr);
    assert!(output.status.success() && !reported.contains("starts over"), "{reported}");
    assert!(at("out/uv.0004.obj").exists());
}

/// If a file changes in between, its hash is not that of the contents that were used.
#[test]
fn a_file_that_changes_during_a_run_is_reported() {
    let folder = job(40);
    let at = |name: &str| folder.path().join(name);
    let mut child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["run", "job.xml"])
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !at("out/.sinew/done.2.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let holder = std::fs::read_to_string(at("out/.sinew-lock")).unwrap();
    assert!(holder.starts_with(&format!("process {} on ", child.id())), "{holder}");
    let body = std::fs::read_to_string(at("body.0040.obj")).unwrap();
    std::fs::write(at("body.0040.obj"), body + "# other\n").unwrap();
    let mut reported = String::new();
    child.stderr.take().unwrap().read_to_string(&mut reported).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3), "{reported}");
    assert!(reported.contains("body.0040.obj: frame 40: this file changed while the job ran"), "{reported}");
    assert!(!at("out/manifest.json").exists());
    // The next run sees another job, and its manifest lists what it has read.
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert!(
        output.status.success() && text(&output.stderr).contains("starts over"),
        "{}",
        text(&output.stderr)
    );
    assert!(at("out/manifest.json").exists());
}

#[test]
fn a_shorter_run_leaves_no_frame_of_a_longer_one() {
    let folder = job(4);
    let at = |name: &str| folder.path().join(name);
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
    // What somebody has changed since is theirs; a manifest that names files elsewhere does not reach them.
    std::fs::write(at("out/uv.0003.obj"), "# mine\n").unwrap();
    std::fs::write(at("theirs.txt"), "theirs").unwrap();
    let manifest = std::fs::read_to_string(at("out/manifest.json")).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let sum = Command::new("sha256sum").arg(at("theirs.txt")).output().unwrap();
    let sum = text(&sum.stdout).split_whitespace().next().unwrap().to_string();
    for name in ["../theirs.txt", at("theirs.txt").to_str().unwrap()] {
        let entry = serde_json::json!({ "file": name, "bytes": 6, "sha256": sum });
        manifest["files"].as_array_mut().unwrap().push(entry);
    }
    std::fs::write(at("out/manifest.json"), manifest.to_string()).unwrap();
    write_job(folder.path(), 2, "out");
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
    let left: Vec<String> = files(&at("out")).into_keys().filter(|name| name.contains("000")).collect();
    assert!(
        left.iter().all(|name| name.contains("0001") || name.contains("0002") || name == "uv.0003.obj"),
        "{left:?}"
    );
    assert!(left.len() > 4 && at("out/uv.0003.obj").exists() && at("theirs.txt").exists());
}

#[test]
fn the_manifest_marks_frames_that_stand_in() {
    let folder = job(3);
    let body = folder.path().join("body.0002.obj");
    let good = std::fs::read_to_string(&body).unwrap();
    std::fs::write(&body, good.replacen("v 0 0", "v nan 0", 1)).unwrap();
    assert_eq!(sinew(folder.path(), &["run", "job.xml"]).status.code(), Some(1));
    let manifest = std::fs::read(folder.path().join("out/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let kept: Vec<_> =
        manifest["frames"].as_array().unwrap().iter().map(|frame| frame["kept"] == true).collect();
    assert_eq!(kept, [false, true, false]);
}

/// Joints that are not finite in a frame spoil that frame alone, named by frame and joint.
#[test]
fn joints_that_are_not_finite_spoil_one_frame() {
    let folder = strip(1);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let row = |frame: &str, x: &str| format!("{frame},arm,1,0,0,{x},0,1,0,0,0,0,1,0\n");
    let frames = [row("rest", "0"), row("1", "0.1"), row("2", "0.2"), row("3", "nan"), row("4", "0.4")];
    write("joints.csv", &frames.concat());
    let weights: String = (0..40).map(|v| format!("{v},arm,1\n")).collect();
    write("weights.csv", &format!("vertex,joint,weight\n{weights}"));
    let run = |broken: &str| {
        let job = format!(
            r#"<sinew version="1"><frames range="1-4" fps="24"/><node type="skinning" name="arm">
<input port="points" file="rest.obj"/><input port="rest_joints" file="joints.csv" frame="rest"/>
<input port="joints" file="joints.csv"/><input port="influence_weights" file="weights.csv"/></node>
<outputs folder="{broken}" broken="{broken}"><write file="body.%04d.obj" from="arm.points"/></outputs></sinew>"#
        );
        write("job.xml", &job);
        let output = sinew(folder.path(), &["run", "job.xml"]);
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    let reported = run("stop");
    assert!(
        reported.contains("frame 3") && reported.contains("arm") && reported.contains("NaN"),
        "{reported}"
    );
    let reported = run("keep");
    assert!(reported.contains("1 of 4 frames failed: 3"), "{reported}");
    let body = |frame: i32| std::fs::read(folder.path().join(format!("keep/body.{frame:04}.obj"))).unwrap();
    assert!(body(2) == body(3) && body(3) != body(4));
}
