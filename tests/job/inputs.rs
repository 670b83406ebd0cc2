//! Files that change while a job reads them: no frame made of other contents is kept, and none is certified.

use crate::strip::{sinew, text};
use sinew::control::Control;
use sinew::error::Kind;
use sinew::job::{Job, Plan, SceneFile};
use std::collections::BTreeMap;
use std::path::Path;

const FRAMES: usize = 12;
/// Vertices along a side: large enough for a frame of a point cache to span blocks of its own.
const SIDE: usize = 50;

/// A sheet that is drawn out along x by `pull`.
fn sheet(pull: f64) -> String {
    let mut text = String::new();
    let part = |k: usize| k as f64 / (SIDE - 1) as f64;
    for k in 0..SIDE * SIDE {
        let (x, z) = (part(k % SIDE), part(k / SIDE));
        text += &format!("v {:.6} {:.6} {:.6}\n", x + pull * x * x, 0.1 * pull * (7.0 * x).sin(), z);
    }
    for k in (0..SIDE * SIDE - SIDE).filter(|k| k % SIDE != SIDE - 1) {
        text += &format!("f {} {} {} {}\n", k + 1, k + SIDE + 1, k + SIDE + 2, k + 2);
    }
    text
}

/// A job whose body is `body`, and in `other` what its files might become: the same motion, twice as far.
fn job(body: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("other")).unwrap();
    std::fs::write(at("rest.obj"), sheet(0.0)).unwrap();
    for frame in 1..=FRAMES {
        for (name, far) in [("body", 0.02), ("other/body", 0.04)] {
            std::fs::write(at(&format!("{name}.{frame:02}.obj")), sheet(far * frame as f64)).unwrap();
        }
    }
    if !body.ends_with(".obj") {
        for place in [".", "other"] {
            let made = sinew(&at(place), &["convert", "body.%02d.obj", body]);
            assert!(made.status.success(), "{}", text(&made.stderr));
        }
    }
    let held: String = (0..SIDE * SIDE).map(|k| if k % SIDE == 0 { "1\n" } else { "0\n" }).collect();
    std::fs::write(at("fixed.csv"), held).unwrap();
    let text = format!(
        r#"<sinew version="1"><frames range="1-{FRAMES}" fps="24"/><node type="skin_slider">
           <param id="mode" value="dynamic"/><param id="max_iterations" value="3"/>
           <input port="rest" file="rest.obj"/><input port="points" file="{body}"/><input port="fixed" file="fixed.csv"/>
           </node><outputs folder="out"><tables/></outputs></sinew>"#
    );
    std::fs::write(at("job.xml"), text).unwrap();
    folder
}

/// Exchanges a job's body with the other one, so that neither size nor time of modification tells.
fn exchange(folder: &Path) {
    let bodies = std::fs::read_dir(folder.join("other")).unwrap().map(|entry| entry.unwrap().file_name());
    for name in bodies {
        let paths = [folder.join(&name), folder.join("other").join(&name)];
        let [a, b] = paths.each_ref().map(|path| std::fs::read(path).unwrap());
        let time = std::fs::metadata(&paths[0]).unwrap().modified().unwrap();
        for (path, bytes) in paths.iter().zip([b, a]) {
            std::fs::write(path, bytes).unwrap();
            std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        }
    }
}

fn run(folder: &Path, after: &mut dyn FnMut(usize)) -> sinew::error::Result<Vec<String>> {
    let control = Control::default();
    let file = SceneFile::read(&folder.join("job.xml"))?;
    let mut job = Job::new(&file, Plan::default(), &control)?;
    let notes = job.notes().to_vec();
    job.run(&control, after)?;
    job.note_finished(&file)?;
    Ok(notes)
}

/// The files that a job wrote, except the report, which contains times, and what it keeps for itself.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = std::fs::read_dir(folder.join("out")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name != "report.json" && !name.starts_with('.'))
        .map(|name| (name.clone(), std::fs::read(folder.join("out").join(name)).unwrap()))
        .collect()
}

fn resumed_after_a_change(body: &str, named: &str) {
    let folder = job(body);
    let at = |name: &str| folder.path().join(name);
    run(folder.path(), &mut |_| {}).unwrap();
    std::fs::rename(at("out"), at("clean")).unwrap();
    let (began, over) = (4, 8);
    // It differs for some frames of the run, and is what it was long before the end.
    let mut done = Vec::new();
    let stopped = run(folder.path(), &mut |frame| {
        done.push(frame);
        if frame == began || frame == over {
            exchange(folder.path());
        }
    });
    if done.last() < Some(&over) {
        exchange(folder.path());
    }
    let error = stopped.expect_err("frames made of two versions must not be certified");
    assert_eq!(error.kind(), Kind::Io, "{error}");
    assert!(error.message().contains("changed while the job ran"), "{error}");
    let place = error.place();
    assert_eq!(place.file.as_ref().unwrap().file_name().unwrap(), named, "{error}");
    assert!(place.frame.is_some_and(|frame| (began as i64..=over as i64 + 1).contains(&frame)), "{error}");
    assert!(!at("out/manifest.json").exists());
    // Since it is what it was, the run goes on, and everything is as if it had never differed.
    let notes = run(folder.path(), &mut |_| {}).unwrap();
    assert!(notes.iter().any(|note| note.contains("frames are done already")), "{notes:?}");
    let mended = results(folder.path());
    std::fs::rename(at("out"), at("mended")).unwrap();
    std::fs::rename(at("clean"), at("out")).unwrap();
    let clean = results(folder.path());
    assert!(clean.len() > 3 * FRAMES && mended.keys().eq(clean.keys()));
    for (name, bytes) in &clean {
        assert!(mended[name] == *bytes, "{name} is that of another body");
    }
}

#[test]
fn a_cache_that_differs_for_a_while_leaves_no_wrong_frame() {
    resumed_after_a_change("body.pc2", "body.pc2");
}

#[test]
fn an_alembic_file_that_differs_for_a_while_leaves_no_wrong_frame() {
    resumed_after_a_change("body.abc", "body.abc");
}

#[test]
fn one_file_of_a_sequence_that_differs_for_a_while_leaves_no_wrong_frame() {
    let folder = job("body.%02d.obj");
    // Only the first frames' files are exchanged back and forth below; of the others one is enough.
    for frame in (1..=FRAMES).filter(|frame| *frame != 7) {
        std::fs::remove_file(folder.path().join(format!("other/body.{frame:02}.obj"))).unwrap();
    }
    let stopped = run(folder.path(), &mut |frame| {
        if frame == 3 || frame == 10 {
            exchange(folder.path());
        }
    });
    let error = stopped.unwrap_err();
    assert_eq!((error.kind(), error.place().frame), (Kind::Io, Some(7)), "{error}");
    // It stays different: what was made before is made again, and the run says why.
    let notes = run(folder.path(), &mut |_| {}).unwrap();
    let why = "body.07.obj has changed since: this run starts over, and computes again what was made before: frames 1-";
    assert!(notes.iter().any(|note| note.contains(why)), "{notes:?}");
}

/// A time that was put back makes no other file the same; a time that was changed makes no file another.
#[test]
fn a_finished_job_knows_its_files_by_what_they_hold() {
    let folder = job("body.%02d.obj");
    let again = || text(&sinew(folder.path(), &["run", "job.xml"]).stderr);
    run(folder.path(), &mut |_| {}).unwrap();
    let known = "the job is finished, and nothing has changed since";
    assert!(again().contains(known));
    let map = std::fs::File::options().write(true).open(folder.path().join("fixed.csv")).unwrap();
    map.set_modified(std::time::SystemTime::now()).unwrap();
    assert!(again().contains(known), "a file that was only touched is the same");
    exchange(folder.path());
    assert!(!again().contains(known), "the body is another one, of the same size and time");
}
