//! Sets the shared library's SONAME and passes the version to the program; builds the bridge to OpenSubdiv when the feature
//! `opensubdiv` is on.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    name_the_library();
    tell_the_version();
    #[cfg(feature = "opensubdiv")]
    opensubdiv();
}

/// The name that a linked program asks the loader for; without it, the program records the path at which its linker
/// found the library, a build folder. No version in the name: the one file can then be linked where cargo leaves it, and
/// `sinew_check_version` tells a program whether the loaded library is compatible. The shipped one has the major version
/// of the ABI in its name (`cpp/dist.sh`).
fn name_the_library() {
    println!("cargo:rerun-if-env-changed=SINEW_SONAME");
    let soname = std::env::var("SINEW_SONAME").unwrap_or_else(|_| "libsinew.so".into());
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => {} // the import library holds the name
        Ok("macos") => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libsinew.dylib"),
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{soname}"),
    }
}

/// The version, with the commit in release builds. Debug builds leave it out, because every commit would rebuild
/// everything. `SINEW_COMMIT` supplies it where there is no checkout, as in a source archive.
fn tell_the_version() {
    println!("cargo:rerun-if-env-changed=SINEW_COMMIT");
    let told = std::env::var("SINEW_COMMIT").ok();
    let released = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let version = env!("CARGO_PKG_VERSION");
    match told.or_else(|| released.then(commit).flatten()) {
        Some(commit) => println!("cargo:rustc-env=SINEW_VERSION={version} ({commit})"),
        None => println!("cargo:rustc-env=SINEW_VERSION={version}"),
    }
}

/// The checkout's commit, with a plus when the sources differ from it; none without git or outside of a checkout.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|o| o.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
    };
    let sources = ["src", "cpp", "build.rs", "Cargo.toml", "Cargo.lock"];
    // Git logs each commit and checkout; without that log, only changes to the sources trigger a rebuild.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    for file in sources.into_iter().chain([log.as_str()]).filter(|file| Path::new(file).exists()) {
        println!("cargo:rerun-if-changed={file}");
    }
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = git(&[&["status", "--porcelain", "--"], &sources[..]].concat())?;
    Some(if changed.is_empty() { commit } else { commit + "+" })
}

#[cfg(feature = "opensubdiv")]
fn opensubdiv() {
    for file in ["cpp/osd/bridge.h", "cpp/osd/bridge.cpp", "src/geometry/subdivision.rs"] {
        println!("cargo:rerun-if-changed={file}");
    }
    cxx_build::bridge("src/geometry/subdivision.rs")
        .file("cpp/osd/bridge.cpp")
        .std("c++17")
        .flag_if_supported("-Wall")
        .flag_if_supported("-Wextra")
        // Where the target has fused multiply-add, compilers would use it: bits would differ from other targets.
        .flag_if_supported("-ffp-contract=off")
        .compile("sinew_osd");
    println!("cargo:rustc-link-lib=dylib=osdCPU");
}
