//! Other people's programs, which say whether our files are right: Python with the modules of tests/judges.
#![allow(dead_code)] // each user takes a part

use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python of `tests/judges.sh`, or that of the folder which SINEW_JUDGES names.
pub fn python() -> PathBuf {
    std::env::var_os("SINEW_JUDGES")
        .map_or_else(|| python_of("target/judges"), |folder| found(&PathBuf::from(folder)))
}

/// The Python of a folder that `tests/judges.sh` makes.
pub fn python_of(folder: &str) -> PathBuf {
    found(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
}

fn found(folder: &Path) -> PathBuf {
    let python = folder.join("bin/python");
    assert!(python.exists(), "{} is missing: run sh tests/judges.sh", python.display());
    python
}

/// Runs a script of tests/judges and returns what it printed; a script that fails, fails the test.
pub fn judge(script: &str, arguments: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judges").join(script);
    // Blender's module can hang when it ends.
    let output = Command::new("timeout")
        .arg("300")
        .arg(python())
        .arg(&script)
        .args(arguments)
        .output()
        .expect("a judge could not be started");
    let reported = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (reported(&output.stdout), reported(&output.stderr));
    assert!(output.status.success(), "{} {arguments:?}\n{out}\n{err}", script.display());
    out
}
