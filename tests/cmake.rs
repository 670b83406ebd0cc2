//! The package for C and C++ projects: installed, moved to another folder, and used from there through CMake and
//! through pkg-config. The library is the one of this test build; nothing here compiles the crate again.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "abi/library.rs"]
mod library;
use library::{library_folder, output, run};
#[path = "abi/readme.rs"]
mod readme;
use readme::{put_otherwise, readme_blocks};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const CONSUMER: &str = "tests/abi/consumer";

fn cmake(what: &str, args: &[&str]) -> String {
    run(what, &mut cmake_command(args))
}

fn cmake_command(args: &[&str]) -> Command {
    let mut cmake = Command::new("cmake");
    // One generator everywhere, whatever the machine prefers.
    cmake.args(args).env("CMAKE_GENERATOR", "Ninja");
    cmake
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn define(name: &str, path: &Path) -> String {
    format!("-D{name}={}", path.display())
}

/// Configures and builds the package around the library of this build, installs it, deletes the build, and moves the
/// installed folder. The new folder has a space in its name.
fn installed_and_moved(folder: &Path) -> PathBuf {
    let (build, first) = (folder.join("build"), folder.join("first"));
    let library = define("SINEW_LIBRARY", &library_folder().join("libsinew.so"));
    cmake("configuring", &["-S", "cpp", "-B", text(&build), &library]);
    cmake("building", &["--build", text(&build)]);
    cmake("installing", &["--install", text(&build), "--prefix", text(&first)]);
    std::fs::remove_dir_all(&build).unwrap();
    let moved = folder.join("moved here");
    std::fs::rename(&first, &moved).unwrap();
    moved
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn check_programs(build: &Path, with_cpp: bool) {
    let c = run("the program in C", &mut Command::new(build.join("in_c")));
    assert_eq!(c, format!("C with Sinew {VERSION}: ok\n"));
    if with_cpp {
        let cpp = run("the program in C++", &mut Command::new(build.join("in_cpp")));
        assert_eq!(cpp, format!("C++ with Sinew {VERSION}: ok\n"));
    }
}

#[test]
fn a_moved_installation_is_found_by_cmake() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = installed_and_moved(folder.path());
    let prefix_path = define("CMAKE_PREFIX_PATH", &prefix);

    // C and C++ in one project; asking for the version that is there.
    let both = folder.path().join("both");
    let wanted = format!("-DWANTED={VERSION}");
    cmake("configuring", &["-S", CONSUMER, "-B", text(&both), &prefix_path, &wanted]);
    cmake("building", &["--build", text(&both)]);
    check_programs(&both, true);

    // A project without a C++ compiler must not be asked for C++17; CMake 3.20 refuses, 3.25 would not mind.
    let only_c = folder.path().join("only_c");
    cmake("configuring", &["-S", CONSUMER, "-B", text(&only_c), &prefix_path, "-DLANGUAGES=C"]);
    cmake("building", &["--build", text(&only_c)]);
    check_programs(&only_c, false);

    for too_new in ["99", "0.99"] {
        let refused = folder.path().join(too_new);
        let wanted = format!("-DWANTED={too_new}");
        let args = ["-S", CONSUMER, "-B", text(&refused), &prefix_path, "-DLANGUAGES=C", &wanted];
        let output = output(&mut cmake_command(&args));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{too_new} was accepted");
        assert!(message.contains(&format!("version: {VERSION}")), "{message}");
    }
}

#[test]
fn nothing_that_is_installed_names_a_folder_of_the_build() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = installed_and_moved(folder.path());
    let mut found = Vec::new();
    files(&prefix, &mut found);
    let mut names: Vec<_> = found.iter().map(|f| text(f.strip_prefix(&prefix).unwrap())).collect();
    names.sort_unstable();
    for name in ["include/sinew/sinew.h", "include/sinew/sinew.hpp", "share/doc/sinew/LICENSE"] {
        assert!(names.contains(&name), "{name} is missing: {names:?}");
    }
    for ending in ["/libsinew.so", "/sinewConfig.cmake", "/sinewConfigVersion.cmake", "/sinew.pc"] {
        assert_eq!(names.iter().filter(|n| n.ends_with(ending)).count(), 1, "{ending}: {names:?}");
    }
    assert_eq!(names.len(), 7, "{names:?}");
    for file in found.iter().filter(|f| f.extension().is_none_or(|e| e != "so")) {
        let content = std::fs::read_to_string(file).unwrap();
        for path in [text(folder.path()), env!("CARGO_MANIFEST_DIR")] {
            assert!(!content.contains(path), "{} names {path}", file.display());
        }
    }
}

#[test]
fn a_moved_installation_is_found_by_pkg_config() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = installed_and_moved(folder.path());
    let mut found = Vec::new();
    files(&prefix, &mut found);
    let pc = found.iter().find(|f| f.ends_with("sinew.pc")).unwrap();
    let shell = |script: &str| {
        let mut sh = Command::new("sh");
        sh.args(["-euc", script]).env("PKG_CONFIG_PATH", pc.parent().unwrap());
        sh.env("OUT", folder.path().join("in_c"));
        sh
    };
    assert_eq!(run("pkg-config", &mut shell("pkg-config --modversion sinew")).trim(), VERSION);
    // eval, because the folder has a space in its name and pkg-config escapes it for a shell.
    run(
        "compiling",
        &mut shell(&format!(
            "flags=$(pkg-config --cflags --libs sinew)
             folder=$(pkg-config --variable=libdir sinew)
             eval \"cc -std=c11 -Wall -Wextra -Werror {CONSUMER}/main.c $flags -Wl,-rpath,$folder -o '$OUT'\""
        )),
    );
    check_programs(folder.path(), false);
    let too_new = output(&mut shell("pkg-config --print-errors --exists 'sinew >= 99'"));
    assert!(!too_new.status.success());
}

/// Without SINEW_LIBRARY the CMake project calls cargo. Here a script stands in for it, because a second build of the
/// crate takes minutes: it checks the flags and puts the library where cargo would. What is tested is the CMake side,
/// with Sinew as a part of the consumer's project: that cargo runs before the programs are linked, and how it is
/// called.
#[test]
fn as_a_part_of_another_project_cargo_builds_the_library_first() {
    let folder = tempfile::tempdir().unwrap();
    let stand_in = folder.path().join("cargo");
    let script = format!(
        "#!/bin/sh
set -eu
[ \"$1 $2 $3 $4\" = 'build --release --lib --manifest-path' ]
grep -q '^name = \"sinew\"' \"$5\"
[ \"$6\" = --target-dir ]
[ \"$8 $9\" = '--features opensubdiv' ]
mkdir -p \"$7/release\"
cp '{}/libsinew.so' \"$7/release/\"\n",
        library_folder().display()
    );
    std::fs::write(&stand_in, script).unwrap();
    run("chmod", Command::new("chmod").arg("+x").arg(&stand_in));

    let build = folder.path().join("build");
    let source = define("SOURCE", &Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp"));
    let cargo = define("SINEW_CARGO", &stand_in);
    let flags = "-DSINEW_CARGO_FLAGS=--features;opensubdiv";
    cmake("configuring", &["-S", CONSUMER, "-B", text(&build), &source, &cargo, flags]);
    cmake("building", &["--build", text(&build)]);
    check_programs(&build, true);
    let prefix = folder.path().join("prefix");
    cmake("installing", &["--install", text(&build), "--prefix", text(&prefix)]);
    let mut found = Vec::new();
    files(&prefix, &mut found);
    assert!(found.iter().any(|f| f.ends_with("libsinew.so")), "{found:?}");
}

/// With the library of this build, because a second one takes minutes, and without touching `target` or the home
/// folder.
#[test]
fn the_package_commands_of_the_readme_work_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let home = text(folder.path());
    let library = define("SINEW_LIBRARY", &library_folder().join("libsinew.so"));
    let script = put_otherwise(&readme_blocks("sh package"), "target/", &format!("{home}/"));
    let script = put_otherwise(&script, "cmake -S cpp", &format!("cmake -S cpp '{library}'"));
    let mut sh = Command::new("sh");
    sh.args(["-euc", &script]).env("HOME", home).env("CMAKE_GENERATOR", "Ninja");
    let printed = run(&script, &mut sh);
    assert!(printed.ends_with("tip: 1.000 1.000 0.000\n"), "{printed}");

    // The lines for a CMakeLists.txt, in a project around them.
    let project = folder.path().join("project");
    std::fs::create_dir(&project).unwrap();
    std::fs::copy(format!("{CONSUMER}/main.c"), project.join("main.c")).unwrap();
    let lists = format!(
        "cmake_minimum_required(VERSION 3.20)\nproject(readme C)\nadd_executable(my_plugin main.c)\n{}",
        readme_blocks("cmake")
    );
    std::fs::write(project.join("CMakeLists.txt"), lists).unwrap();
    let build = folder.path().join("project_build");
    let prefix = define("CMAKE_PREFIX_PATH", &folder.path().join("sinew"));
    cmake("configuring", &["-S", text(&project), "-B", text(&build), &prefix]);
    cmake("building", &["--build", text(&build)]);
    run("the README's project", &mut Command::new(build.join("my_plugin")));
}
