//! `lean="yes"`: a job's results are those of a host that keeps the least of each frame, to the last bit.

use crate::strip::strip;
use sinew::control::Control;
use sinew::formats::obj;
use sinew::job::{Job, Plan, SceneFile};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::collections::BTreeMap;
use std::path::Path;

const FRAMES: i64 = 6;

/// Where the skin is in each frame of a job, as it was written, digit for digit.
fn of_job(folder: &Path, lean: &str) -> BTreeMap<i64, Vec<f64>> {
    let scene = format!(
        r#"<sinew version="1">
          <frames range="1-{FRAMES}" fps="24"/>
          <node type="skin_slider" {lean}>
            <param id="mode" value="dynamic"/>
            <input port="rest" file="rest.obj"/>
            <input port="points" file="body.%04d.obj"/>
            <input port="fixed" file="fixed.csv"/>
          </node>
          <outputs folder="out"><write file="skin.csv" from="skin_slider.slid_points"/></outputs>
        </sinew>"#
    );
    std::fs::write(folder.join("job.xml"), scene).unwrap();
    let file = SceneFile::read(&folder.join("job.xml")).unwrap();
    let control = Control::default();
    Job::new(&file, Plan::default(), &control).unwrap().run(&control, &mut |_| {}).unwrap();
    let table = std::fs::read_to_string(folder.join("out/skin.csv")).unwrap();
    let mut found = BTreeMap::<i64, Vec<f64>>::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let numbers = cells[cells.len() - 3..].iter().map(|cell| cell.parse::<f64>().unwrap());
        found.entry(cells[0].parse().unwrap()).or_default().extend(numbers);
    }
    found
}

/// The same from nodes that each compute one frame only, from the lean state of the frame before.
fn of_lean_states(folder: &Path) -> BTreeMap<i64, Vec<f64>> {
    let rest = obj::read(&folder.join("rest.obj")).unwrap().mesh;
    let fixed = std::fs::read_to_string(folder.join("fixed.csv")).unwrap();
    let fixed: Vec<f64> = fixed.lines().map(|line| line.parse().unwrap()).collect();
    let (mut state, mut found) = (None::<Vec<u8>>, BTreeMap::new());
    for frame in 1..=FRAMES {
        let body = obj::read(&folder.join(format!("body.{frame:04}.obj"))).unwrap().mesh;
        let body: Vec<f64> = body.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        let mut node = Instance::new("skin_slider").unwrap();
        node.set_lean(true);
        node.set_param_text("mode", "dynamic").unwrap();
        node.set_param_text("fps", "24").unwrap();
        node.set_mesh("rest", rest.clone()).unwrap();
        node.set_array("fixed", &ArrayView::from_slice(&fixed, 1).unwrap()).unwrap();
        node.set_array("points", &ArrayView::from_slice(&body, 3).unwrap()).unwrap();
        if let Some(state) = &state {
            node.load_state(state).unwrap();
        }
        node.step(frame, frame as f64 / 24.0, &Control::default()).unwrap();
        let mut slid = vec![0.0; body.len()];
        node.read("slid_points", &mut ArrayViewMut::from_slice(&mut slid, 3).unwrap()).unwrap();
        found.insert(frame, slid);
        state = Some(node.save_lean());
    }
    found
}

#[test]
fn lean_jobs_give_what_hosts_give_that_keep_lean_states() {
    let folder = strip(FRAMES as i32);
    let (lean, full) = (of_job(folder.path(), "lean=\"yes\""), of_job(folder.path(), ""));
    let states = of_lean_states(folder.path());
    assert_eq!(lean, states);
    // So close, but not the same: otherwise the attribute would say nothing here.
    assert_ne!(full, states);
    let off = full[&FRAMES].iter().zip(&states[&FRAMES]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-5, "{off}");
}
