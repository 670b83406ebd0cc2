//! How hosts use the C ABI: locks, threads, forks, time, topology, memory, thousands of invalid calls.
//!
//! `tests/abi/hosts.py` lists the cases, each a process of its own here; `--nocapture` shows what a case prints.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "support/addon.rs"]
mod addon;
#[path = "support/judges.rs"]
mod judges;
#[path = "abi/library.rs"]
mod library;
use library::{library_folder, run};

fn case(name: &str) {
    let library = library_folder().join("libsinew.so");
    let mut python = Command::new("python3");
    python.env("SINEW_PROGRAM", env!("CARGO_BIN_EXE_sinew"));
    print!("{}", run(name, python.args(["tests/abi/hosts.py"]).arg(library).arg(name)));
}

macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            case(stringify!($name));
        })*

        #[test]
        fn every_case_of_the_python_file_is_run() {
            let library = library_folder().join("libsinew.so");
            let listed = run("hosts.py", Command::new("python3").arg("tests/abi/hosts.py").arg(library));
            let mut listed: Vec<&str> = listed.lines().collect();
            let mut here = vec![$(stringify!($name)),*];
            listed.sort_unstable();
            here.sort_unstable();
            assert_eq!(listed, here);
        }
    };
}

cases!(
    a_forked_child_is_reported,
    a_host_allocates_before_the_first_step,
    a_host_that_made_up_its_mind_is_heard,
    a_lock_of_the_host_is_no_trap,
    a_scene_file_that_changes_is_seen,
    callbacks_may_use_other_nodes,
    lean_states_are_carried_over,
    lean_states_go_on_alike,
    memory_stays,
    muscle_calls_are_followed_and_cancelled,
    one_call_is_a_frame,
    panels_need_no_word_of_host_code,
    progress_is_seen_and_cancel_is_soon,
    reports_follow_their_schema,
    rows_are_columns_in_maya,
    scenes_that_never_end_are_refused,
    scrubbing_is_playing,
    steps_disturb_no_other_node,
    the_calling_thread_is_enough,
    the_command_line_says_the_same,
    the_topology_may_change,
    fewer_triangles_are_reported,
    states_of_other_things_count_as_none,
    a_frame_that_fails_never_was,
    threads_end_with_their_context,
    time_has_rules,
    what_restarts_says_so,
);

fn compile(source: &str, flags: &[&str], out: &Path) {
    let library = library_folder();
    let cpp = source.ends_with(".cpp");
    let mut command = Command::new(if cpp { "c++" } else { "cc" });
    command.arg(if cpp { "-std=c++17" } else { "-std=c11" });
    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1", "-pthread", "-I", "cpp/include"]);
    command.args(flags).arg(source).arg("-o").arg(out).arg("-L").arg(&library).arg("-lsinew");
    command.arg(format!("-Wl,-rpath,{}", library.display()));
    run(&format!("compiling {source}"), &mut command);
}

const SANITIZED: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

fn run_both_ways(source: &str, leaks: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let [plain, checked] = ["plain", "checked"].map(|name| folder.path().join(name));
    compile(source, &[], &plain);
    compile(source, &SANITIZED, &checked);
    let printed = run(source, &mut Command::new(&plain));
    let mut checked = Command::new(&checked);
    if !leaks {
        checked.env("ASAN_OPTIONS", "detect_leaks=0");
    }
    assert_eq!(printed, run(&format!("{source} under the sanitizers"), &mut checked));
    printed
}

/// Without leak detection: a thread that steps with SINEW_ON_CALLING_THREAD keeps the memory that the header documents.
#[test]
fn calls_of_a_thread_that_ends_are_answered() {
    assert_eq!(run_both_ways("tests/abi/thread_exit.cpp", false), "thread exit: 0 failures\n");
}

/// `SINEW_FUZZ_CALLS=1000000 cargo test --test abi_hosts fuzzed` makes as many calls in each of three threads.
#[test]
fn fuzzed_calls_find_no_bug() {
    assert_eq!(run_both_ways("tests/abi/fuzz.c", true), "fuzzed calls: 0 bugs\n");
}

#[test]
fn the_cpp_api_takes_and_gives_what_hosts_have() {
    // The calling thread keeps the memory that the header documents.
    assert_eq!(run_both_ways("tests/abi/api.cpp", false), "C++ API: ok\n");
}

/// Both slide the same strip, each in about a hundred lines.
#[test]
fn the_smallest_hosts_agree() {
    let cpp = run_both_ways("examples/cpp/slide.cpp", true);
    let library = library_folder().join("libsinew.so");
    let python = run("slide.py", Command::new("python3").arg("examples/python/slide.py").arg(library));
    assert_eq!(cpp, format!("{python}refused: out of order\n"));
    assert!(python.lines().count() == 10 && python.contains("frame 10: the texture slides by up to 0.0"));
    for source in ["examples/cpp/slide.cpp", "examples/python/slide.py"] {
        assert!(std::fs::read_to_string(source).unwrap().lines().count() <= 110, "{source}");
    }
}

/// The Python wheel with the library of this build, in a virtual environment with numpy and nothing else.
struct Wheel {
    folder: tempfile::TempDir,
}

impl Wheel {
    /// Made and installed by the commands of the README.
    fn install() -> Wheel {
        let wheel = Wheel { folder: tempfile::tempdir().unwrap() };
        let folder = wheel.folder.path();
        let library = library_folder().join("libsinew.so");
        let archive = addon::archive(folder, &format!("sinew-{}-linux-x86_64", addon::RELEASE), &library);
        let mut venv = Command::new(judges::python());
        run("venv", venv.args(["-m", "venv", "--without-pip"]).arg(folder.join("venv")));
        // From the environment of the judges, so that nothing is fetched: numpy, and pip while it is needed.
        let inside = |environment: &Path| std::fs::read_dir(environment.join("lib")).unwrap().next().unwrap();
        let judges = judges::python().ancestors().nth(2).unwrap().to_path_buf();
        let [from, to] =
            [&judges, &folder.join("venv")].map(|e| inside(e).unwrap().path().join("site-packages"));
        let link = |name: &str| {
            std::os::unix::fs::symlink(from.join(name), to.join(name)).unwrap();
        };
        for entry in std::fs::read_dir(&from).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name == "pip" || name.starts_with("numpy") {
                link(&name);
            }
        }
        let made = readme("sh wheel")
            .replace("target/dist/sinew-0.1.0-linux-x86_64.tar.gz", archive.to_str().unwrap())
            .replace("target/dist", folder.join("dist").to_str().unwrap());
        let path = format!("{}:{}", folder.join("venv/bin").display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell
            .args(["-euc", &made])
            .env("PATH", path)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("PIP_NO_INDEX", "1");
        run(&made, &mut shell);
        std::fs::remove_file(to.join("pip")).unwrap();
        let again = folder.join("again");
        let script = addon::root().join("blender_addon/wheel.py");
        run("wheel.py", Command::new("python3").arg("-B").arg(script).arg(&archive).arg(&again));
        let [one, two] = [folder.join("dist"), again].map(|at| {
            let files: Vec<PathBuf> =
                std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert_eq!(files.len(), 1);
            std::fs::read(&files[0]).unwrap()
        });
        assert!(one == two, "wheels of the same archive differ");
        wheel
    }

    /// Runs a script with nothing in sight but what is installed.
    fn python(&self, arguments: &[&str]) -> String {
        let mut python = Command::new(self.folder.path().join("venv/bin/python"));
        python.env_remove("SINEW_LIBRARY").current_dir(self.folder.path()).arg("-I");
        run(&arguments.join(" "), python.args(arguments))
    }
}

/// The only block of the README with a mark.
fn readme(mark: &str) -> String {
    let text = std::fs::read_to_string("README.md").unwrap();
    let blocks: Vec<&str> = text.split(&format!("```{mark}\n")).skip(1).collect();
    assert_eq!(blocks.len(), 1, "{mark}");
    blocks[0].split("```").next().unwrap().to_string()
}

/// The package, the sample of the README, and the example, whose UVs are those of the same job to the last bit.
#[test]
fn a_wheel_is_all_that_python_needs() {
    let wheel = Wheel::install();
    let root = addon::root();
    print!("{}", wheel.python(&[root.join("tests/abi/wheel.py").to_str().unwrap()]));
    let sample = wheel.python(&["-c", &readme("python wheel")]);
    assert_eq!(sample, "the texture slides by up to 0.065\n");
    let sinew = |arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_sinew"));
        run("sinew", program.current_dir(wheel.folder.path()).args(arguments))
    };
    sinew(&["demo", "arm", "--arm"]);
    let sample = wheel.python(&["-c", &readme("python job").replace("target/arm", "arm")]);
    for part in
        ["100% finished", "frame 6: ", "left for other runs: 7-24", "stretches by a factor of up to 1.11\n"]
    {
        assert!(sample.contains(part), "{part}: {sample}");
    }
    sinew(&["run", "arm/slide.xml", "--out", "arm/cli", "--set", "young=1e6", "--frames", "1-6"]);
    let uvs = |of: &str| std::fs::read(wheel.folder.path().join("arm").join(of).join("uv.0006.obj")).unwrap();
    assert!(uvs("stiff") == uvs("cli"));
    let example = root.join("examples/python/arm.py");
    assert!(std::fs::read_to_string(&example).unwrap().lines().count() <= 45);
    let printed = wheel.python(&[example.to_str().unwrap(), "arm", "slid.npz"]);
    assert!(
        printed.lines().count() == 24 && printed.contains("frame 24: the skin slides by up to 2"),
        "{printed}"
    );
    let job = std::fs::read_to_string(wheel.folder.path().join("arm/slide.xml")).unwrap();
    let (before, outputs) = job.split_once("<tables/>").unwrap();
    let after = outputs.split_once("</outputs>").unwrap().1;
    std::fs::write(wheel.folder.path().join("arm/tables.xml"), format!("{before}<tables/></outputs>{after}"))
        .unwrap();
    sinew(&["run", "arm/tables.xml", "--frames", "1-6"]);
    let compare = root.join("tests/abi/wheel_arm.py");
    let compared = wheel.python(&[compare.to_str().unwrap(), "slid.npz", "arm/slide"]);
    assert_eq!(compared, "6 frames are the same\n");
}

#[test]
fn wheels_have_true_names() {
    let mut python = Command::new("python3");
    let python = python.args(["-B", "tests/abi/wheel_tags.py"]).arg(library_folder().join("libsinew.so"));
    print!("{}", run("wheel_tags.py", python));
}
