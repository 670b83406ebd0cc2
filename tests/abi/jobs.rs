//! Jobs through the ABI: the same files as the command line's, whatever stops a run on its way.

use super::library::run;
use super::strip::{sinew, strip, text};
use super::{SANITIZED, compile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const JOB: &str = r#"<sinew version="1">
  <frames range="1-8" fps="24"/>
  <node type="skin_slider">
    <param id="mode" value="dynamic"/>
    <input port="rest" file="rest.obj"/>
    <input port="points" file="body.%04d.obj"/>
    <input port="fixed" file="fixed.csv"/>
  </node>
  <outputs folder="out">
    <tables/>
    <st_map file="st.%04d.exr" size="16"/>
    <cache file="body.abc"/>
    <cache file="body.usdc"/>
  </outputs>
</sinew>
"#;

/// A folder with a job that the command line has run.
fn whole() -> tempfile::TempDir {
    let folder = strip(8);
    std::fs::write(folder.path().join("job.xml"), JOB).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder
}

/// The files of a folder except the report, which contains times, and what runs leave for others.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let results = named.filter(|(name, _)| name != "report.json" && !name.starts_with(".sinew"));
    results.map(|(name, path)| (name, std::fs::read(path).unwrap())).collect()
}

/// A program of tests/abi and its arguments.
fn program(source: &str, flags: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    compile(source, "cpp/include", flags, &program);
    (folder, program)
}

fn runs(program: &Path, folder: &Path, out: &str, case: &str) -> String {
    let mut command = Command::new(program);
    run(case, command.args([folder.join("job.xml"), folder.join(out)]).arg(case))
}

/// The last line of what the program printed.
fn report(printed: &str) -> serde_json::Value {
    serde_json::from_str(printed.lines().last().unwrap()).unwrap()
}

/// What must not differ between reports: times do.
fn timeless(mut report: serde_json::Value) -> serde_json::Value {
    report.as_object_mut().unwrap().remove("milliseconds");
    for row in report["frames"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("milliseconds");
    }
    report
}

#[test]
fn a_job_writes_the_files_of_the_command_line_and_reports_the_same() {
    let folder = whole();
    let at = |name: &str| folder.path().join(name);
    let (_kept, program) = program("tests/abi/jobs.c", &[]);
    let printed = sinew(folder.path(), &["--json", "run", "job.xml", "--restart"]);
    let printed: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    for case in ["run", "upward"] {
        let reported = report(&runs(&program, folder.path(), case, case));
        assert!(files(&at(case)) == files(&at("out")), "{case}: other files than those of the command line");
        let stored = std::fs::read(at(case).join("report.json")).unwrap();
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&stored).unwrap(), reported);
        assert_eq!(timeless(reported), timeless(printed.clone()), "{case}");
    }
}

#[test]
fn a_cancelled_job_leaves_whole_files_and_is_resumed_by_any_program() {
    let folder = whole();
    let at = |name: &str| folder.path().join(name);
    let (_kept, program) = program("tests/abi/jobs.c", &[]);
    for (out, resumed) in [("mine", true), ("yours", false)] {
        let printed = runs(&program, folder.path(), out, "stopped");
        assert!(printed.contains("status 13, line ") && printed.contains("stopped on request"), "{printed}");
        assert_eq!(report(&printed), serde_json::json!({}));
        let (some, all) = (files(&at(out)), files(&at("out")));
        assert!(!some.is_empty() && some.len() < all.len(), "it stopped on the way");
        assert!(some.iter().all(|(name, bytes)| all[name] == *bytes), "what is there is whole");
        let heard = match resumed {
            true => runs(&program, folder.path(), out, "run"),
            false => text(&sinew(folder.path(), &["run", "job.xml", "--out", out]).stderr),
        };
        assert!(heard.contains("frames are done already"), "{heard}");
        assert!(files(&at(out)) == all);
    }
}

#[test]
fn a_job_that_cannot_run_says_where_and_writes_nothing() {
    let folder = strip(8);
    let (_kept, program) = program("tests/abi/jobs.c", &[]);
    let body = folder.path().join("body.0003.obj");
    let good = std::fs::read_to_string(&body).unwrap();
    let broken = good.replacen("v 0 0", "v nan 0", 1);
    for (job, mesh, part, is_written) in [
        (JOB.replace("<tables/>", "<tables/><tablets/>"), &good, "status 2, line 10, frame -1: ", false),
        (JOB.replace("rest.obj", "rust.obj"), &good, "status 12, line 5, frame -1: ", false),
        (JOB.replace("dynamic", "dynamical"), &good, "status 9, line 4, frame -1: ", false),
        (JOB.to_string(), &broken, "status 6, line -1, frame 3: frame 3: 1 of 8 frames failed: 3", true),
    ] {
        std::fs::write(folder.path().join("job.xml"), job).unwrap();
        std::fs::write(&body, mesh).unwrap();
        let printed = runs(&program, folder.path(), "out", "wrong");
        assert!(printed.contains(part), "{printed}");
        assert!(is_written || printed.contains("job.xml"), "the file is named: {printed}");
        assert_eq!(folder.path().join("out").exists(), is_written, "{printed}");
        assert_eq!(report(&printed)["frames"].as_array().map(Vec::len), is_written.then_some(8), "{printed}");
    }
}

#[test]
fn a_job_in_cpp_is_stopped_resumed_and_looked_at() {
    let folder = whole();
    for (flags, out) in [(&[][..], "plain"), (&SANITIZED[..], "sanitized")] {
        let (_kept, program) = program("tests/abi/jobs.cpp", flags);
        let mut command = Command::new(&program);
        let printed = run(out, command.args([folder.path().join("job.xml"), folder.path().join(out)]));
        assert_eq!(printed, "jobs: ok\n");
    }
    // A cancelled run, with all that it leaves behind, under valgrind.
    let (_kept, program) = program("tests/abi/jobs.c", &[]);
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
    valgrind.arg(&program).args([folder.path().join("job.xml"), folder.path().join("valgrind")]);
    run("valgrind", valgrind.arg("stopped"));
}
