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

/// Skinned characters that nobody here made, as the tests read them.
fn write_characters(folder: &Path) {
    for (fetched, script) in [("target/human", "human.sh"), ("target/characters", "characters.sh")] {
        assert!(Path::new(fetched).exists(), "{fetched} is missing: run sh tests/{script}");
    }
    let mut write = Command::new("python3");
    write.args(["-B", "maya_plugin/tests/characters/write.py", "target/human", "target/characters"]);
    run("writing characters", write.arg(folder));
}

/// Builds programs with some sanitizers, all without a list, and runs those whose names fit a pattern. Returns the
/// folder in which they are.
fn passes_with(sanitizers: &str, programs: &[&str], pattern: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let build = folder.path().to_str().unwrap();
    let cmake = |what: &str, args: &[&str]| {
        run(what, Command::new("cmake").args(args).env("CMAKE_GENERATOR", "Ninja"));
    };
    let library = format!("-DSINEW_LIBRARY={}", library_file().display());
    let program = format!("-DSINEW_PROGRAM={}", env!("CARGO_BIN_EXE_sinew"));
    let sanitize = format!("-DSINEW_SANITIZE={sanitizers}");
    let characters = folder.path().join("characters");
    write_characters(&characters);
    let characters = format!("-DSINEW_CHARACTERS={}", characters.display());
    // Compiling takes most of the time, so nothing is optimised; the library does the work, and it is.
    let quick = ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0 -g1 -D_GLIBCXX_ASSERTIONS"];
    let mut configure = vec!["-S", "maya_plugin", "-B", build, &library, &program, &sanitize, &characters];
    configure.extend(quick);
    // Files that are compiled together read what they include once.
    configure.extend(["-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=12"]);
    // Each program is linked with the whole plug-in, which gold does in less than half the time.
    if Command::new("ld.gold").arg("--version").output().is_ok() {
        configure
            .extend(["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold", "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=gold"]);
    }
    cmake("configuring", &configure);
    let mut targets = vec!["--build", build];
    if !programs.is_empty() {
        targets.push("--target");
        targets.extend(programs);
    }
    cmake("building", &targets);
    let mut tests = Command::new("ctest");
    tests.args(["--test-dir", build, "--tests-regex", pattern, "--parallel", "2"]);
    tests.args(["--output-on-failure", "--no-tests=error"]);
    println!("{}", run("the tests of the plug-in", &mut tests));
    folder
}

/// Runs cases of the scripts, all without arguments that name some.
fn the_scripts_pass(arguments: &[&Path]) {
    let tools = Path::new("target/maya");
    assert!(tools.join("bin/python").exists(), "{} is missing: run sh tests/judges.sh", tools.display());
    let mut scripts = Command::new("python3");
    scripts.args(["-B", "maya_plugin/tests/scripts/run.py", "--library"]).arg(library_file()).args(arguments);
    println!("{}", run("the tests of the scripts", &mut scripts));
}

/// The plug-in is then packed and installed, as archives for artists are.
#[test]
fn the_plug_in_passes_with_addresses_and_behaviour_checked() {
    let built = passes_with("address,undefined", &[], ".");
    let plugin = built.path().join("sinew.so");
    the_scripts_pass(&[Path::new("--plugin"), &plugin, Path::new("an_archive_is_unpacked_and_installed")]);
}

/// Every program in the soak; otherwise those of the host part that share something between threads.
#[test]
fn the_plug_in_passes_with_threads_checked() {
    match std::env::var_os("SINEW_SOAK") {
        Some(_) => passes_with("thread", &[], "."),
        None => {
            let programs = ["host_log_test", "host_session_test", "host_threads_test"];
            passes_with("thread", &programs, "^host_(log|session|threads)$")
        }
    };
}

#[test]
fn the_scripts_pass_with_a_recorder_of_maya() {
    the_scripts_pass(&[]);
}
