//! The library under test and the programs that use it, for tests of Sinew from outside.

use std::path::PathBuf;
use std::process::{Command, Output};

/// The folder of this build's shared library. Cargo writes it into `deps` for tests; the copy one folder up comes only
/// from `cargo build` and may be an old one.
pub fn library_folder() -> PathBuf {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_sinew"));
    let folder = program.parent().unwrap();
    [folder.join("deps"), folder.to_path_buf()]
        .into_iter()
        .find(|f| f.join("libsinew.so").exists())
        .expect("libsinew.so is built")
}

/// Runs a program, which must succeed. Returns its output.
pub fn run(what: &str, command: &mut Command) -> String {
    let output = output(command);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{what}: {}\n{out}\n{err}", output.status);
    out.into_owned()
}

/// Runs a program, whether it succeeds or not. It finds the library by itself: the folders that Cargo gives to tests
/// may hold an old one.
pub fn output(command: &mut Command) -> Output {
    let program = command.get_program().to_string_lossy().into_owned();
    command
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap_or_else(|e| panic!("{program}: {e}; tests/run.sh says which package brings it"))
}
