//! The same bits on every processor: the program with the C library's functions for this processor and for a plain one.
//!
//! `SINEW_SAME_AS="qemu-x86_64 -cpu Nehalem target/debug/sinew" cargo test --test processors` compares with another
//! program, or another processor, as `tests/soak.sh` does: an emulated one without AVX, and the Windows program.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Chooses the C library's functions for processors without fused multiply-add.
const PLAIN: &str = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4";

fn run(what: &str, command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{what}: {e}"));
    let [out, err] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{what}: {}\n{out}\n{err}", output.status);
    out
}

/// A tube along x of two bones, bent and twisted; with UVs.
fn write_body(folder: &Path) {
    const AROUND: usize = 14;
    const ALONG: usize = 18;
    let (mut rest, mut weights) = (String::new(), String::from("vertex,joint,weight\n"));
    for i in 0..=ALONG {
        for k in 0..AROUND {
            let (x, angle) = (0.31 * i as f64 / ALONG as f64, TAU * k as f64 / AROUND as f64);
            let radius = 0.041 + 0.007 * (9.0 * x + 1.3).sin();
            writeln!(rest, "v {x} {} {}", radius * angle.cos(), radius * angle.sin()).unwrap();
            let lower = ((x - 0.1) / 0.11).clamp(0.0, 1.0);
            let vertex = i * AROUND + k;
            writeln!(weights, "{vertex},upper,{}\n{vertex},lower,{lower}", 1.0 - lower).unwrap();
        }
    }
    for i in 0..=ALONG {
        (0..=AROUND).for_each(|k| {
            writeln!(rest, "vt {} {}", k as f64 / AROUND as f64, i as f64 / ALONG as f64).unwrap();
        });
    }
    for (i, k) in (0..ALONG).flat_map(|i| (0..AROUND).map(move |k| (i, k))) {
        let corner =
            |i: usize, k: usize| format!(" {}/{}", i * AROUND + k % AROUND + 1, i * (AROUND + 1) + k + 1);
        writeln!(rest, "f{}{}{}{}", corner(i, k), corner(i, k + 1), corner(i + 1, k + 1), corner(i + 1, k))
            .unwrap();
    }
    let mut joints = String::new();
    for frame in 0..=3 {
        let name = if frame == 0 { "rest".into() } else { frame.to_string() };
        let (s, c) = (0.37 * f64::from(frame)).sin_cos();
        writeln!(joints, "{name},upper,1,0,0,0,0,1,0,0,0,0,1,0").unwrap();
        writeln!(joints, "{name},lower,{c},{},0,0.15,{s},{c},0,0,0,0,1,0", -s).unwrap();
    }
    let texture = image::RgbImage::from_fn(48, 32, |x, y| {
        image::Rgb([(5 * x) as u8, (37 * y + x) as u8, if (x / 4 + y / 4) % 2 == 0 { 250 } else { 3 }])
    });
    texture.save(folder.join("tattoo.png")).unwrap();
    for (name, text) in [
        ("rest.obj", &rest),
        ("weights.csv", &weights),
        ("joints.csv", &joints),
        ("arm.xml", &ARM.into()),
        ("boxes.xml", &BOXES.into()),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// Muscles that bulge and jiggle on joints by dual quaternions, and dynamic skin over them.
const ARM: &str = r#"<sinew version="1">
  <frames range="1-3" fps="24"/>
  <node type="muscle_skin" name="muscles">
    <param id="method" value="dual_quaternion"/>
    <param id="muscles" value="&lt;muscle_set&gt;&lt;muscle name='flexor' origin_joint='upper' origin='0.02 0.016 0.004'
      insertion_joint='lower' insertion='0.09 0.013 -0.002' size='0.013' taper='1.3' bulge='1.7'/&gt;&lt;/muscle_set&gt;"/>
    <input port="mesh" file="rest.obj"/>
    <input port="points" file="rest.obj"/>
    <input port="rest_joints" file="joints.csv" frame="rest"/>
    <input port="joints" file="joints.csv"/>
    <input port="influence_weights" file="weights.csv"/>
  </node>
  <node type="skin_slider" name="skin">
    <param id="material" value="fung"/>
    <param id="mode" value="dynamic"/>
    <input port="rest" file="rest.obj"/>
    <input port="points" from="muscles.points"/>
  </node>
  <outputs folder="arm">
    <write file="points.pc2" from="muscles.points"/>
    <write file="slid.%04d.obj" from="skin.slid_points"/>
    <write file="maps.%04d.csv" from="skin.stretch skin.tension"/>
  </outputs>
</sinew>"#;

/// A box thrown onto a floor, turned, on a rope over a ring, with a hinged lid.
const BOXES: &str = r#"<strand_scene version="1">
  <settings step="0.001"/>
  <body name="floor" mode="held" at="0 -0.05 0"><cuboid size="1 0.1 0.8"/></body>
  <body name="box" at="0.02 0.06 0.01" turn="21 33 -14" velocity="0.3 -0.4 0.1"><cuboid size="0.11 0.07 0.09" density="700"/></body>
  <body name="lid" at="0.02 0.11 0.01" turn="21 33 -14"><cuboid size="0.1 0.01 0.08"/></body>
  <contact name="thud" first="box" second="floor" friction="0.4"/>
  <joint name="hinge" parent="box" child="lid" at="0.07 0.1 0.01"><axis name="turn_z" may="-70 70" stiffness="0.01" damping="1e-4">
    <ligaments from="-10" to="30" moment="0.02" width="12"/></axis></joint>
  <point name="hook" at="-0.3 0.35 0.1" on="world"/>
  <point name="middle" at="-0.15 0.21 0.06"/>
  <point name="handle" at="0.02 0.1 0.01" on="box"/>
  <strand name="rope" radius="0.002" density="40" stiffness="3e4" axial_damping="0.001">
    <node point="hook"/><node point="middle"/><node point="handle"/>
  </strand>
</strand_scene>"#;

/// Everything that the program writes in a folder of its own, but for times.
fn results(mut program: impl FnMut() -> Command) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    write_body(folder.path());
    for arguments in [
        "run arm.xml",
        "slide --rest rest.obj --body arm/points.pc2 --set material=fung --stmap st/%04d.exr --bake \
         tattoo.png=baked/%04d.png --size 64 --out slid",
        "strand boxes.xml --seconds 0.25 --out boxes",
        "strand --hand finger --set activation.FDP=0.2 --seconds 0.1 --out finger",
    ] {
        run(arguments, program().args(arguments.split(' ')).current_dir(folder.path()));
    }
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.path().to_path_buf()]);
    while let Some(inside) = folders.pop() {
        for entry in std::fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder.path()).unwrap().display().to_string();
            // Reports and manifests hold times.
            match path.is_dir() {
                true => folders.push(path),
                false if name.contains("report") || name.contains("manifest") || name.contains("sinew") => {}
                false => drop(files.insert(name, std::fs::read(&path).unwrap())),
            }
        }
    }
    files
}

fn compare(expected: &BTreeMap<String, Vec<u8>>, found: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert!(expected.keys().eq(found.keys()), "{what}: {:?} and {:?}", expected.keys(), found.keys());
    let other = |(name, bytes): (&String, &Vec<u8>)| {
        let differ = found[name].iter().zip(bytes).filter(|(a, b)| a != b).count();
        (found[name] != *bytes).then(|| format!("{name} ({differ} bytes)"))
    };
    let wrong: Vec<String> = expected.iter().filter_map(other).collect();
    assert!(
        wrong.is_empty(),
        "{what}: {} of {} files differ: {}",
        wrong.len(),
        expected.len(),
        wrong.join(", ")
    );
}

/// Whether the setting changes what the C library computes here: a hash of a few thousand sines and powers.
#[cfg(target_os = "linux")]
fn the_c_library_chooses() -> bool {
    let hash = |tunables: &str| {
        let code = "import math, hashlib; x = [0.001 + 0.0037 * k for k in range(5000)]\n\
                    print(hashlib.sha256(repr([f(a) for a in x for f in (math.sin, math.exp, \
                    math.log)]).encode()).hexdigest())";
        run("python3", Command::new("python3").args(["-c", code]).env("GLIBC_TUNABLES", tunables))
    };
    hash("") != hash(PLAIN)
}

#[cfg(target_os = "linux")]
#[test]
fn results_do_not_depend_on_the_functions_of_the_c_library() {
    if cfg!(target_arch = "x86_64") && !the_c_library_chooses() {
        println!("this C library has one set of functions: nothing to compare with");
    }
    let program = || Command::new(env!("CARGO_BIN_EXE_sinew"));
    let usual = results(program);
    assert!(usual.len() > 40 && usual.values().all(|bytes| !bytes.is_empty()), "{:?}", usual.keys());
    let plain = || {
        let mut program = program();
        program.env("GLIBC_TUNABLES", PLAIN);
        program
    };
    compare(&usual, &results(plain), "without fused multiply-add");
    if let Ok(other) = std::env::var("SINEW_SAME_AS") {
        let mut words = other.split_whitespace().map(|word| {
            // Each command runs in a folder of its own.
            std::path::absolute(word)
                .ok()
                .filter(|path| path.exists())
                .map_or(word.into(), |path| path.display().to_string())
        });
        let (first, rest): (String, Vec<String>) = (words.next().unwrap(), words.collect());
        let other_program = || {
            let mut command = Command::new(&first);
            command.args(&rest);
            command
        };
        compare(&usual, &results(other_program), &other);
        println!("the same as {other}");
    }
}
