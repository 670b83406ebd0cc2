//! Tendon rigs of the Blender add-on: `tests/blender/tendon_core.py` without Blender, `tendon.py`, `tendon_file.py`,
//! `tendon_check.py`, `tendon_clock.py`, `tendon_armature.py`, `tendon_edits.py`, `tendon_lossless.py`,
//! `tendon_places.py`, `tendon_rigs.py`, `tendon_routes.py`, `tendon_shown.py` and `tendon_sides.py` in real ones,
//! installed from the zip. Each file is a process; its cases share one start of Blender.

#[path = "support/addon.rs"]
mod addon;
#[path = "support/judges.rs"]
mod judges;

use std::path::PathBuf;
use std::process::Command;

/// The cases of a file in every Blender.
fn cases(file: &str, expected: usize) {
    cases_in(&addon::blenders(), file, expected);
}

fn cases_in(blenders: &[PathBuf], file: &str, expected: usize) {
    let zip = addon::zip().to_str().unwrap();
    for python in blenders {
        let user = tempfile::tempdir().unwrap();
        let out = addon::blender(python, file, &[zip, env!("CARGO_BIN_EXE_sinew")], user.path());
        assert!(!out.contains("Traceback"), "{file}\n{out}");
        let done = out.lines().filter(|line| line.ends_with(": ok")).count();
        assert_eq!(done, expected, "{out}");
    }
}

#[test]
fn scenes_without_blender() {
    let script = addon::root().join("tests/blender/tendon_core.py");
    let mut command = Command::new(judges::python());
    command.arg("-B").arg(script).arg(env!("CARGO_BIN_EXE_sinew")).arg(addon::library());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", addon::said(&output));
}

#[test]
fn rigs_in_blender() {
    cases("tendon.py", 12);
}

/// What newer Blenders do with rigs: what they simulate and show, and armatures.
#[test]
fn rigs_in_newer_blenders() {
    let newer = addon::newer_blenders();
    cases_in(&newer, "tendon.py", 12);
    cases_in(&newer, "tendon_armature.py", 9);
}

#[test]
fn rigs_in_files_and_time() {
    cases("tendon_file.py", 7);
}

#[test]
fn rigs_that_are_checked() {
    cases("tendon_check.py", 13);
}

#[test]
fn rigs_and_armatures() {
    cases("tendon_armature.py", 9);
}

#[test]
fn rigs_in_their_places() {
    cases("tendon_places.py", 7);
}

#[test]
fn rigs_and_what_belongs_to_them() {
    cases("tendon_rigs.py", 2);
}

#[test]
fn rigs_and_the_routes_of_tendons() {
    cases("tendon_routes.py", 14);
}

#[test]
fn rigs_that_are_edited() {
    cases("tendon_edits.py", 7);
}

#[test]
fn rigs_and_the_clock() {
    cases("tendon_clock.py", 4);
}

#[test]
fn rigs_and_their_leaders() {
    cases("tendon_sides.py", 3);
}

#[test]
fn rigs_as_others_see_them() {
    cases("tendon_shown.py", 8);
}

#[test]
fn rigs_lose_nothing() {
    cases("tendon_lossless.py", 10);
}
