//! The C ABI from outside: the header matches the library, old programs keep working, C and C++ programs compile
//! without warnings and run clean under sanitizers and valgrind.
//!
//! `SINEW_UPDATE=1 cargo test --test abi` regenerates the header after a change of `src/ffi`. The copy in
//! `tests/abi/frozen` never changes: it is the ABI as promised.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "abi/library.rs"]
mod library;
use library::{library_folder, run};
#[path = "abi/jobs.rs"]
mod jobs;
#[path = "abi/readme.rs"]
mod readme;
use readme::{put_otherwise, readme_blocks};
#[path = "support/strip.rs"]
mod strip;

const SOURCES: [&str; 12] = [
    "status",
    "context",
    "describe",
    "arrays",
    "node",
    "param",
    "time",
    "rig",
    "muscles",
    "muscle_tools",
    "document/mod",
    "job",
];
const HEADER: &str = "cpp/include/sinew/sinew.h";
const SANITIZED: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The rules of the ABI, from the head of `src/ffi/mod.rs`.
fn rules() -> String {
    let text = std::fs::read_to_string("src/ffi/mod.rs").unwrap();
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| format!("//{line}\n")).collect()
}

fn generated_header() -> String {
    let config = cbindgen::Config {
        language: cbindgen::Language::C,
        cpp_compat: true,
        include_guard: Some("SINEW_H".into()),
        no_includes: true,
        sys_includes: vec!["stddef.h".into(), "stdint.h".into()],
        documentation_style: cbindgen::DocumentationStyle::C99,
        header: Some(format!(
            "// Generated from src/ffi; do not edit. Licence: Apache-2.0.\n//\n{}",
            rules()
        )),
        line_length: 110,
        ..cbindgen::Config::default()
    };
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES {
        builder = builder.with_src(format!("src/ffi/{source}.rs"));
    }
    let mut text = Vec::new();
    builder.generate().expect("cbindgen reads src/ffi").write(&mut text);
    String::from_utf8(text).unwrap().replace("// # Safety", "// Pointers:").replace('`', "")
}

#[test]
fn the_header_is_what_the_library_exports() {
    let generated = generated_header();
    if std::env::var_os("SINEW_UPDATE").is_some() {
        std::fs::write(HEADER, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(HEADER).unwrap_or_default();
    assert!(committed == generated, "{HEADER} is out of date: SINEW_UPDATE=1 cargo test --test abi");
}

#[test]
fn every_function_says_from_which_threads_it_may_be_called() {
    let header = generated_header();
    let mut functions = 0;
    let mut comment = String::new();
    for line in header.lines() {
        if let Some(text) = line.trim_start().strip_prefix("//") {
            comment.push_str(text);
        } else if line.contains(" sinew_") || line.contains("*sinew_") {
            functions += 1;
            let tagged =
                comment.contains("[thread-safe]") || comment.contains("[one call per handle at a time]");
            assert!(tagged, "no thread tag: {line}");
        } else if line.is_empty() {
            comment.clear();
        }
    }
    let exported: usize = sources(Path::new("src/ffi"))
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap().matches("no_mangle").count())
        .sum();
    assert_eq!(functions, exported, "every exported function is in the header and was looked at");
}

/// All files of a folder, and of those in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let inside = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    inside.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// Compiles a program with warnings as errors, against the header in `include`.
fn compile(source: &str, include: &str, flags: &[&str], out: &Path) {
    let cpp = source.ends_with(".cpp");
    let library = library_folder();
    let mut command = Command::new(if cpp { "c++" } else { "cc" });
    command.arg(if cpp { "-std=c++17" } else { "-std=c11" });
    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-pthread", "-I", include]).args(flags);
    command.arg(source).arg("-o").arg(out).arg("-L").arg(&library).arg("-lsinew").arg("-lm");
    command.arg(format!("-Wl,-rpath,{}", library.display()));
    run(&format!("compiling {source}"), &mut command);
}

/// Runs a program plainly, under the address and undefined-behaviour sanitizers, and under valgrind; the three must
/// print the same.
fn run_three_ways(source: &str, include: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    compile(source, include, &[], &plain);
    let printed = run(source, &mut Command::new(&plain));

    let checked = folder.path().join("checked");
    compile(source, include, &SANITIZED, &checked);
    let sanitized = run(&format!("{source} under the sanitizers"), &mut Command::new(&checked));

    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
    let watched = run(&format!("{source} under valgrind"), valgrind.arg(&plain));

    assert_eq!(printed, sanitized, "{source}");
    assert_eq!(printed, watched, "{source}");
    printed
}

#[test]
fn a_program_compiled_against_the_first_header_runs() {
    assert_eq!(run_three_ways("tests/abi/frozen/client.c", "tests/abi/frozen"), "frozen client: ok\n");
}

/// Muscle sets have become documents since; a host of that time notices nothing.
#[test]
fn a_program_that_makes_muscles_with_an_older_header_runs() {
    let printed = run_three_ways("tests/abi/frozen/1.6/muscles.c", "tests/abi/frozen/1.6");
    assert_eq!(printed, "muscles of 1.6: ok\n");
}

/// Muscles have become a mesh of their own since; the same program, compiled with the present header, sees them as
/// that.
#[test]
fn a_program_that_shows_muscles_runs_with_the_header_of_its_time_and_the_present_one() {
    for include in ["tests/abi/frozen/1.8", "cpp/include"] {
        assert_eq!(run_three_ways("tests/abi/frozen/1.8/meshes.c", include), "meshes: ok\n");
    }
}

/// Descriptions have grown since; a host of that time gets the fields that it knows, and nothing beyond them.
#[test]
fn a_program_that_lists_nodes_runs_with_the_header_of_its_time_and_the_present_one() {
    for include in ["tests/abi/frozen/1.9", "cpp/include"] {
        assert_eq!(run_three_ways("tests/abi/frozen/1.9/nodes.c", include), "nodes: ok\n");
    }
}

/// Ports say how they belong together since; a host of 1.10 gets the fields that it knows, and nothing beyond them.
#[test]
fn a_program_that_lists_ports_runs_with_the_header_of_its_time_and_the_present_one() {
    for include in ["tests/abi/frozen/1.10", "cpp/include"] {
        assert_eq!(run_three_ways("tests/abi/frozen/1.10/ports.c", include), "ports: ok\n");
    }
}

#[test]
fn hostile_calls_are_refused_and_write_nothing() {
    assert_eq!(run_three_ways("tests/abi/hostile.c", "cpp/include"), "hostile calls: all refused\n");
}

/// Results have the same bits on every processor only if none of the C library's functions takes part that rounds as
/// the processor allows; those that round exactly may.
#[cfg(target_os = "linux")]
#[test]
fn the_library_imports_no_mathematics_whose_bits_depend_on_the_processor() {
    const ROUNDED: &str = "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp exp10 exp2 expm1 hypot lgamma log \
            log10 log1p log2 pow sin sincos sinh tan tanh tgamma";
    // parry's principal axes of points, from which src/strand/rows/contact.rs keeps what matters; and the curve of
    // exr's DWA compression, rounded to half precision. Its compressor, which nothing calls, adds two more.
    const KNOWN: [&str; 5] = ["acos", "cos", "powf", "cosf", "logf"];
    // OpenSubdiv's tangents of limit surfaces, which nobody asks for.
    const SUBDIVIDED: &[&str] = if cfg!(feature = "opensubdiv") { &["sin", "sincos"] } else { &[] };
    let library = library_folder().join("libsinew.so");
    let symbols = run("nm", Command::new("nm").args(["-D", "--undefined-only"]).arg(&library));
    let imported = symbols.lines().filter_map(|line| line.split_whitespace().nth(1)?.split('@').next());
    let rounded =
        |name: &&str| ROUNDED.split_whitespace().any(|f| *name == f || name.strip_suffix('f') == Some(f));
    let wrong: Vec<&str> =
        imported.filter(rounded).filter(|name| !KNOWN.contains(name) && !SUBDIVIDED.contains(name)).collect();
    assert!(
        wrong.is_empty(),
        "{wrong:?}: src/math/elementary.rs has functions with the same bits everywhere"
    );
    // Nor may a dependency multiply and add at once where the processor can.
    let own = run("nm", Command::new("nm").arg("--defined-only").arg(&library));
    assert!(own.contains("libm"), "the symbols are stripped");
    assert!(!own.contains("kernel_target_fma"), "matrixmultiply chooses its kernel by the processor");
}

#[test]
fn sizes_that_no_memory_holds_do_not_end_the_host() {
    // Not under the sanitizers, which need all address space.
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("sizes");
    compile("tests/abi/sizes.c", "cpp/include", &["-O1"], &program);
    assert_eq!(run("sizes.c", &mut Command::new(&program)), "sizes: the host lives\n");
}

#[test]
fn the_floating_point_mode_of_a_host_changes_nothing() {
    // Not under valgrind, whose arithmetic knows no modes.
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("rounding");
    compile("tests/abi/rounding.c", "cpp/include", &["-O1"], &program);
    assert_eq!(run("rounding.c", &mut Command::new(&program)), "floating-point modes: all the same\n");
}

#[test]
fn the_c_example_runs() {
    let printed = run_three_ways("examples/c/skinning.c", "cpp/include");
    assert!(printed.contains("tip: 1.000 1.000 0.000"), "{printed}");
}

#[test]
fn the_cpp_example_runs() {
    let printed = run_three_ways("examples/cpp/skinning.cpp", "cpp/include");
    assert!(printed.contains("tip: 1.000 1.000 0.000"), "{printed}");
    assert!(printed.contains("refused: "), "{printed}");
}

/// Programs and plug-ins must ask the loader for `libsinew.so`, not for the path that their linker saw.
#[cfg(target_os = "linux")]
#[test]
fn the_library_and_its_programs_record_a_name_and_no_path() {
    let library = library_folder().join("libsinew.so");
    let dynamic = |file: &Path| run("readelf", Command::new("readelf").arg("-d").arg(file));
    assert!(dynamic(&library).contains("Library soname: [libsinew.so]"), "{}", dynamic(&library));

    // Linked by its path, as CMake does; without a SONAME the program would record that path.
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let mut cc = Command::new("cc");
    cc.args(["examples/c/skinning.c", "-I", "cpp/include", "-o"]).arg(&program).arg(&library);
    run("compiling", &mut cc);
    let found = dynamic(&program);
    assert!(found.contains("Shared library: [libsinew.so]"), "{found}");
}

/// As Blender would call it. The definitions in the Python file are checked against the header by a C compiler, so the
/// file can be copied as a starting point.
#[test]
fn a_python_program_with_ctypes_alone_runs() {
    let client = "tests/abi/ctypes_client.py";
    let assertions = run(client, Command::new("python3").args([client, "--assertions"]));
    let header = std::fs::read_to_string(HEADER).unwrap();
    for line in header.lines() {
        // `} SinewArray;` ends a struct.
        let Some(name) = line.strip_prefix("} ").and_then(|l| l.strip_suffix(';')) else { continue };
        assert!(assertions.contains(&format!("sizeof({name}) ==")), "{client} does not define {name}");
    }
    for function in header.split("sinew_").skip(1).filter_map(|rest| rest.split_once('(')) {
        if function.0.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            let name = format!("sinew_{}(", function.0);
            assert!(assertions.contains(&name), "{client} does not declare {name}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("assertions.c");
    std::fs::write(&file, assertions).unwrap();
    let mut cc = Command::new("cc");
    cc.args([
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Wsign-conversion",
        "-Werror",
        "-fsyntax-only",
    ]);
    run("comparing with the header", cc.args(["-I", "cpp/include"]).arg(&file));

    let library = library_folder().join("libsinew.so");
    let printed = run(client, Command::new("python3").arg(client).arg(library));
    assert_eq!(printed, "ctypes client: ok\n");
}

/// With the library of this build, because the release library may not be built, and without touching `target`.
#[test]
fn the_compiler_command_of_the_readme_works_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let library = library_folder().display().to_string();
    let script = put_otherwise(&readme_blocks("sh cc"), "target/release", &library);
    let script = put_otherwise(&script, "target/skinning_c", &folder.path().join("c").display().to_string());
    let printed = run(&script, Command::new("sh").args(["-euc", &script]));
    assert_eq!(printed, "tip: 1.000 1.000 0.000\n");
}
