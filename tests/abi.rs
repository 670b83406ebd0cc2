//! The C ABI from outside: the header is the library's, old programs keep working, C and C++ programs compile without
//! a warning and run clean under sanitizers and valgrind.
//!
//! `SINEW_UPDATE=1 cargo test --test abi` writes the header again after a change of `src/ffi`. The copy in
//! `tests/abi/frozen` is never written again: it is the promise.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SOURCES: [&str; 5] = ["status", "context", "describe", "arrays", "node"];
const HEADER: &str = "cpp/include/sinew/sinew.h";

/// The law of the ABI, as it stands at the head of `src/ffi/mod.rs`.
fn law() -> String {
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
        header: Some(format!("// Generated from src/ffi; do not edit. Licence: Apache-2.0.\n//\n{}", law())),
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
        if let Some(text) = line.strip_prefix("//") {
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
    let exported: usize = SOURCES
        .map(|s| std::fs::read_to_string(format!("src/ffi/{s}.rs")).unwrap().matches("no_mangle").count())
        .iter()
        .sum();
    assert_eq!(functions, exported, "every exported function is in the header and was looked at");
}

/// The shared library of this build, beside the test programs' folder.
fn library_folder() -> PathBuf {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_sinew"));
    let folder = program.parent().unwrap();
    let holds_library = |f: &Path| f.join("libsinew.so").exists();
    [folder.to_path_buf(), folder.join("deps")]
        .into_iter()
        .find(|f| holds_library(f))
        .expect("libsinew.so is built")
}

fn run(command: &mut Command) -> Output {
    let program = command.get_program().to_string_lossy().into_owned();
    command.output().unwrap_or_else(|e| panic!("{program}: {e}; tests/run.sh says which package brings it"))
}

fn expect_success(what: &str, output: &Output) {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{what}: {}\n{out}\n{err}", output.status);
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
    expect_success(&format!("compiling {source}"), &run(&mut command));
}

/// Runs a program plainly, under the address and undefined-behaviour sanitizers, and under valgrind; the three must
/// print the same.
fn run_three_ways(source: &str, include: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    compile(source, include, &[], &plain);
    let output = run(&mut Command::new(&plain));
    expect_success(source, &output);

    let checked = folder.path().join("checked");
    compile(source, include, &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], &checked);
    let sanitized = run(&mut Command::new(&checked));
    expect_success(&format!("{source} under the sanitizers"), &sanitized);

    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
    let watched = run(valgrind.arg(&plain));
    expect_success(&format!("{source} under valgrind"), &watched);

    assert_eq!(output.stdout, sanitized.stdout, "{source}");
    assert_eq!(output.stdout, watched.stdout, "{source}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_program_compiled_against_the_first_header_runs() {
    assert_eq!(run_three_ways("tests/abi/frozen/client.c", "tests/abi/frozen"), "frozen client: ok\n");
}

#[test]
fn hostile_calls_are_refused_and_write_nothing() {
    assert_eq!(run_three_ways("tests/abi/hostile.c", "cpp/include"), "hostile calls: all refused\n");
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
