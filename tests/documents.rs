//! Authored documents from outside: written by a host, checked alike in every language.

#[path = "support/judges.rs"]
mod judges;
#[path = "abi/library.rs"]
mod library;

use library::{library_folder, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const SINEW: &str = env!("CARGO_BIN_EXE_sinew");

/// A program of tests/documents.
fn program(source: &str, folder: &Path) -> PathBuf {
    let library = library_folder();
    let (compiler, standard) =
        if source.ends_with(".cpp") { ("c++", "-std=c++17") } else { ("cc", "-std=c11") };
    let out = folder.join(source.replace('.', "_"));
    let mut command = Command::new(compiler);
    command.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", "cpp/include"]);
    command.arg(format!("tests/documents/{source}")).arg("-o").arg(&out);
    command.arg("-L").arg(&library).arg("-lsinew").arg(format!("-Wl,-rpath,{}", library.display()));
    run(source, &mut command);
    out
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// What a C++ host authors through documents alone, the command line reads, simulates and finds nothing wrong with.
#[test]
fn a_host_authors_a_finger_and_a_muscle_set() {
    let folder = tempfile::tempdir().unwrap();
    let author = program("author.cpp", folder.path());
    assert_eq!(run("author.cpp", Command::new(author).arg(folder.path())), "authored\n");
    for name in ["finger.xml", "mirrored.xml", "muscles.xml"] {
        let file = folder.path().join(name);
        let reported = json(&run(name, Command::new(SINEW).args(["--json", "info"]).arg(&file)));
        assert_eq!(reported[0]["problems"], Value::Array(Vec::new()), "{name}: {reported}");
    }
    // The free bone falls about its joint, on both sides to the same angle, which turns the other way round y.
    let angle = |name: &str| {
        let out = folder.path().join(format!("{name} out"));
        let mut command = Command::new(SINEW);
        command.args(["--json", "strand"]).arg(folder.path().join(name)).arg("--out").arg(&out);
        run(name, command.args(["--seconds", "0.5", "--fps", "24"]));
        let rows = json(&std::fs::read_to_string(out.join("joints.json")).unwrap());
        let last = rows.as_array().and_then(|rows| rows.last()).unwrap();
        let joint = last["joints"].as_object().unwrap().values().next().unwrap().clone();
        joint[1].as_f64().unwrap()
    };
    let (left, right) = (angle("finger.xml"), angle("mirrored.xml"));
    assert!(left.abs() > 1.0 && (left + right).abs() < 1e-6 * left.abs(), "{left} {right}");
}

/// A host in each language lists what the command line lists, in its order.
#[test]
fn the_same_faults_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    let preset = std::fs::read_to_string("blender_addon/presets/finger/finger.xml").unwrap();
    let broken = [
        ("on=\"Wrist\"/>", "on=\"Wirst\"/>"),
        ("strength=\"110\"", "strenght=\"110\""),
        ("may=\"-20 20\"", "may=\"20 -20\""),
    ];
    let text = broken.iter().fold(preset, |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    });
    let scene = folder.path().join("broken.xml");
    std::fs::write(&scene, text).unwrap();
    let reported = Command::new(SINEW).args(["--json", "info"]).arg(&scene).output().unwrap();
    let reported = json(&String::from_utf8_lossy(&reported.stdout));
    let line = |fault: &Value| {
        let part = |name| fault[name].as_str().unwrap_or_default();
        format!("line {}: {}: {}", fault["line"], part("path"), part("message"))
    };
    let expected: Vec<&str> =
        reported[0]["problems"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(expected.len() >= 3, "{reported}");
    let library = library_folder().join("libsinew.so");
    let mut python = Command::new(judges::python());
    python.args(["-B", "tests/documents/faults.py"]).arg(library).arg(&scene);
    let c = run("faults.c", Command::new(program("faults.c", folder.path())).arg(&scene));
    let cpp = run("faults.cpp", Command::new(program("faults.cpp", folder.path())).arg(&scene));
    let python = run("faults.py", &mut python);
    for (language, text) in [("C", c), ("C++", cpp), ("Python", python)] {
        let faults = json(&text);
        let faults = faults["faults"].as_array().unwrap();
        let wrong = faults.iter().filter(|fault| fault["weight"] != "warning").map(line);
        assert_eq!(wrong.collect::<Vec<_>>(), expected, "{language}");
    }
}
