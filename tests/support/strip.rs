//! A strip of skin for the tests of the command line.
#![allow(dead_code)] // each user takes a part

use std::path::Path;
use std::process::{Command, Output};

pub fn sinew(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).current_dir(folder).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A strip of 9 x 3 quads whose right half is pulled to twice its length over the frames; the ends are held.
pub fn strip(frames: i32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let mesh = |pull: f64| {
        let mut text = String::new();
        for j in 0..4 {
            for i in 0..10 {
                let x = f64::from(i) / 9.0;
                text += &format!("v {} 0 {}\n", x + pull * (x - 0.5).max(0.0), -f64::from(j) / 9.0);
            }
        }
        (0..4).for_each(|j| {
            (0..10).for_each(|i| text += &format!("vt {} {}\n", f64::from(i) / 9.0, f64::from(j) / 3.0))
        });
        for j in 0..3 {
            for i in 0..9 {
                let v = |i: i32, j: i32| format!("{0}/{0}", 10 * j + i + 1);
                text += &format!("f {} {} {} {}\n", v(i, j), v(i + 1, j), v(i + 1, j + 1), v(i, j + 1));
            }
        }
        text
    };
    write("rest.obj", mesh(0.0));
    (1..=frames).for_each(|f| write(&format!("body.{f:04}.obj"), mesh(f64::from(f) / f64::from(frames))));
    let at = |k: i32| k % 10;
    write("fixed.csv", (0..40).map(|k| if at(k) == 0 || at(k) == 9 { "1\n" } else { "0\n" }).collect());
    write("slide.csv", "1,0,0\n".repeat(40));
    folder
}
