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

/// The Pythons of the Blenders that the add-on supports: the newest that comes as a module, and the oldest.
pub fn blenders() -> [PathBuf; 2] {
    [judges::python(), judges::python_of("target/blender_4.2")]
}

/// Runs a script of tests/blender with a Blender's Python; `user` is the folder of that Blender's user.
pub fn blender(python: &Path, script: &str, arguments: &[&str], user: &Path) -> String {
    let mut command = Command::new("timeout");
    command.arg("300").arg(python).arg("-B").arg(root().join("tests/blender").join(script));
    let output = command
        .args(arguments)
        .env("BLENDER_USER_RESOURCES", user)
        .env("SINEW_READER", judges::python())
        .env_remove("SINEW_LIBRARY")
        .output()
        .unwrap();
    let all = said(&output);
    // What goes wrong in a handler does not end Blender.
    let sound = output.status.success() && !all.contains("Error in bpy.app.handlers");
    assert!(sound, "{}: {script} {arguments:?}\n{all}", python.display());
    all
}

/// Runs cases of a script in every Blender; arguments before their names are `more`.
pub fn run_cases(script: &str, more: &[&str], cases: &[&str]) {
    let zip = zip().to_str().unwrap();
    let arguments = [&[zip], more, cases].concat();
    for python in blenders() {
        let user = tempfile::tempdir().unwrap();
        let out = blender(&python, script, &arguments, user.path());
        assert!(cases.iter().all(|case| out.contains(&format!("{case}: ok"))), "{out}");
    }
}
