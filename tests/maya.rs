//! The plug-in for Maya: what does not need Maya, its nodes and commands on a stand-in for Maya's API, its scripts. The
//! tests themselves are programs in C++ and Python, in `maya_plugin/tests`; they are built and run here against the
//! library of this build.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "abi/library.rs"]
mod library;
use library::{library_folder, run};

fn library_file() -> PathBuf {
    library_folder().join("libsinew.so")
}

/// Builds everything with some sanitizers and runs its tests.
fn passes_with(sanitizers: &str) {
    let folder = tempfile::tempdir().unwrap();
    let build = folder.path().to_str().unwrap();
    let cmake = |what: &str, args: &[&str]| {
        run(what, Command::new("cmake").args(args).env("CMAKE_GENERATOR", "Ninja"));
    };
    let library = format!("-DSINEW_LIBRARY={}", library_file().display());
    let program = format!("-DSINEW_PROGRAM={}", env!("CARGO_BIN_EXE_sinew"));
    let sanitize = format!("-DSINEW_SANITIZE={sanitizers}");
    cmake("configuring", &["-S", "maya_plugin", "-B", build, &library, &program, &sanitize]);
    cmake("building", &["--build", build]);
    let mut tests = Command::new("ctest");
    tests.args(["--test-dir", build, "--output-on-failure", "--no-tests=error", "--parallel", "2"]);
    println!("{}", run("the tests of the plug-in", &mut tests));
}

#[test]
fn the_plug_in_passes_with_addresses_and_behaviour_checked() {
    passes_with("address,undefined");
}

#[test]
fn the_plug_in_passes_with_threads_checked() {
    passes_with("thread");
}

#[test]
fn the_scripts_pass_with_a_recorder_of_maya() {
    let tools = Path::new("target/maya");
    assert!(tools.join("bin/python").exists(), "{} is missing: run sh tests/judges.sh", tools.display());
    let mut scripts = Command::new("python3");
    scripts.args(["-B", "maya_plugin/tests/scripts/run.py", "--library"]).arg(library_file());
    println!("{}", run("the tests of the scripts", &mut scripts));
}
