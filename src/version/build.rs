//! Passes the version to the program.

use std::path::Path;
use std::process::Command;

/// The top of the checkout, as seen from this crate.
const TOP: &str = "../..";

/// The version, with the commit in release builds. Debug builds leave it out, because every commit would rebuild
/// what names it. `SINEW_COMMIT` supplies it where there is no checkout, as in a source archive.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SINEW_COMMIT");
    let reported = std::env::var("SINEW_COMMIT").ok();
    let released = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let version = env!("CARGO_PKG_VERSION");
    match reported.or_else(|| released.then(commit).flatten()) {
        Some(commit) => println!("cargo:rustc-env=SINEW_VERSION={version} ({commit})"),
        None => println!("cargo:rustc-env=SINEW_VERSION={version}"),
    }
}

/// The checkout's commit, with a plus when the sources differ from it; none without git or outside of a checkout.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(TOP).args(arguments).output().ok()?;
        let text = output.status.success().then_some(output.stdout)?;
        Some(String::from_utf8(text).ok()?.trim().to_string())
    };
    let sources = ["src", "cpp", "build.rs", "Cargo.toml", "Cargo.lock"];
    // Git logs each commit and checkout; without that log, only changes to the sources trigger a rebuild.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    let watched = sources.iter().map(|source| Path::new(TOP).join(source)).chain([Path::new(TOP).join(log)]);
    for file in watched.filter(|file| file.exists()) {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = git(&[&["status", "--porcelain", "--"], &sources[..]].concat())?;
    Some(if changed.is_empty() { commit } else { commit + "+" })
}
