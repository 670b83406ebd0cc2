//! Tendon rigs of the Blender add-on: `tests/blender/tendon_core.py` without Blender, `tendon.py` and `tendon_file.py` in a
//! real one. Each file is a process; its cases share one start of Blender.

use std::process::Command;

#[path = "support/judges.rs"]
mod judges;
#[path = "abi/library.rs"]
#[allow(dead_code)] // the programs are Python's
mod library;

use library::library_folder;

/// Runs all cases of a file; Blender prints errors of handlers without failing, which fails here.
fn cases(file: &str, more: &[&str], expected: usize) {
    let library = library_folder().join("libsinew.so");
    let folder = tempfile::tempdir().unwrap();
    let script = format!("{}/tests/blender/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("timeout");
    command.arg("300").arg(judges::python()).arg(script).arg(env!("CARGO_BIN_EXE_sinew")).args(more);
    command.env("SINEW_LIBRARY", &library).env("BLENDER_USER_RESOURCES", folder.path());
    let output = command.env("PYTHONDONTWRITEBYTECODE", "1").output().expect("Python could not be started");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let sound = output.status.success() && !err.contains("Traceback") && !out.contains("Traceback");
    assert!(sound, "{file}\n{out}\n{err}");
    let done = out.lines().filter(|line| line.ends_with(": ok")).count();
    assert_eq!(done, expected, "{out}");
}

#[test]
fn scenes_without_blender() {
    let library = library_folder().join("libsinew.so");
    cases("tendon_core.py", &[library.to_str().unwrap()], 1);
}

#[test]
fn rigs_in_blender() {
    cases("tendon.py", &[], 12);
}

#[test]
fn rigs_in_files_and_time() {
    cases("tendon_file.py", &[], 9);
}
