//! The Blender add-on for tests: its zip, with the library under test inside, and the Blenders that run it.
#![allow(dead_code)] // each user takes a part

use crate::judges;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

pub const RELEASE: &str = env!("CARGO_PKG_VERSION");

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The shared library that cargo has built beside this test.
pub fn library() -> PathBuf {
    let beside = std::env::current_exe().unwrap();
    let found =
        beside.ancestors().skip(1).map(|folder| folder.join("libsinew.so")).find(|file| file.exists());
    found.expect("cargo builds the library beside the tests")
}

pub fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).join("\n")
}

/// An archive as `cpp/dist.sh` makes it, with this library inside.
pub fn archive(folder: &Path, name: &str, library: &Path) -> PathBuf {
    let inside = folder.join("archive").join(name);
    std::fs::create_dir_all(inside.join("lib")).unwrap();
    std::fs::copy(library, inside.join("lib/libsinew.so")).unwrap();
    std::fs::copy(root().join("LICENSE"), inside.join("LICENSE")).unwrap();
    std::fs::write(inside.join("NOTICES.txt"), "none").unwrap();
    let file = folder.join(format!("{name}.tar.gz"));
    let made =
        Command::new("tar").arg("-czf").arg(&file).arg("-C").arg(folder.join("archive")).arg(name).status();
    assert!(made.unwrap().success());
    file
}

/// What `package.py` does with an archive.
pub fn package(archive: &Path, folder: &Path) -> Output {
    let script = root().join("blender_addon/package.py");
    Command::new(judges::python()).arg("-B").arg(script).arg(archive).arg(folder).output().unwrap()
}

fn zip_of(output: &Output) -> PathBuf {
    assert!(output.status.success(), "{}", said(output));
    PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
}

/// The add-on's zip, made once for all tests.
pub fn zip() -> &'static Path {
    static MADE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, zip) = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let archive = archive(folder.path(), &format!("sinew-{RELEASE}-{}", platform()), &library());
        let zip = zip_of(&package(&archive, folder.path()));
        (folder, zip)
    });
    zip
}

/// The Pythons of the Blenders in which every case runs: one of 5.0, and the oldest that the add-on supports.
pub fn blenders() -> [PathBuf; 2] {
    [judges::python(), judges::python_of("target/blender_4.2")]
}

/// The Pythons of Blender 5.2 LTS and of the newest one; none, with the reason, where there is no Python for them.
pub fn newer_blenders() -> Vec<PathBuf> {
    if let Ok(why) = std::fs::read_to_string(root().join("target/blender_5.txt")) {
        println!("skipped: {why}");
        return Vec::new();
    }
    ["target/blender_5.2", "target/blender_5.3"].map(judges::python_of).to_vec()
}

/// What the add-on says of an error of its own. Only `versions.py` causes some, on purpose.
const OWN_ERROR: &str = "by an error of its own";

/// Runs a script of tests/blender with a Blender's Python; `user` is the folder of that Blender's user.
pub fn blender(python: &Path, script: &str, arguments: &[&str], user: &Path) -> String {
    blender_by(&[], python, script, arguments, user)
}

/// The same by a program that starts others, with its arguments.
pub fn blender_by(starter: &[&str], python: &Path, script: &str, arguments: &[&str], user: &Path) -> String {
    let mut command = Command::new("timeout");
    command.arg("300").args(starter).arg(python).arg("-B").arg(root().join("tests/blender").join(script));
    let output = command
        .args(arguments)
        .env("BLENDER_USER_RESOURCES", user)
        .env("SINEW_READER", judges::python())
        .env_remove("SINEW_LIBRARY")
        .output()
        .unwrap();
    let all = said(&output);
    // What goes wrong in a handler does not end Blender.
    let own_errors = script != "versions.py" && all.contains(OWN_ERROR);
    let sound = output.status.success() && !own_errors && !all.contains("Error in bpy.app.handlers");
    assert!(sound, "{}: {script} {arguments:?}\n{all}", python.display());
    all
}

/// Runs cases of a script in every Blender; arguments before their names are `more`.
pub fn run_cases(script: &str, more: &[&str], cases: &[&str]) {
    for python in blenders() {
        run_cases_in(&python, script, more, cases);
    }
}

/// The same in one Blender.
pub fn run_cases_in(python: &Path, script: &str, more: &[&str], cases: &[&str]) {
    let arguments = [&[zip().to_str().unwrap()], more, cases].concat();
    let user = tempfile::tempdir().unwrap();
    let out = blender(python, script, &arguments, user.path());
    assert!(cases.iter().all(|case| out.contains(&format!("{case}: ok"))), "{out}");
}
