//! Compositions of many USD files beside USD's own library.

use crate::judges;
use sinew::formats::usd::Stage;
use sinew::math::Real;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Points by mesh and time.
type Found = BTreeMap<(String, String), Vec<Real>>;

/// Stands for the points of a mesh that is refused.
const REFUSED: Real = 1e9;

fn ours(file: &Path, times: &BTreeSet<String>) -> Found {
    let stage = Stage::open(file).unwrap();
    let mut found = Found::new();
    for mesh in stage.meshes() {
        for time in times {
            let at = time.parse().unwrap();
            let points = match stage.points_at(mesh, at) {
                Ok(points) => points.iter().flat_map(|p| [p.x, p.y, p.z]).collect(),
                Err(error) if error.message().contains("no points") => Vec::new(),
                // USD warns and leaves out the arc; here the mesh is refused, as it may lack a part.
                Err(error) if error.message().contains("leads to no prim") => {
                    found.insert((mesh.to_string(), time.clone()), vec![REFUSED]);
                    continue;
                }
                Err(error) => panic!("{}: {mesh} at {time}: {error}", file.display()),
            };
            found.insert((mesh.to_string(), time.clone()), points);
        }
    }
    found
}

/// Files that name each other in every way, as dice have it.
#[test]
fn compositions_are_what_usd_makes_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let output = judges::judge("usd_composed.py", &["make", folder.path().to_str().unwrap(), "0", "120"]);
    let lines = output.lines().filter_map(|line| line.strip_prefix("TOLD "));
    let mut stages: Vec<(String, Found)> = Vec::new();
    for line in lines {
        let (what, time, numbers): (String, Real, Vec<Real>) = serde_json::from_str(line).unwrap();
        match what.starts_with(folder.path().to_str().unwrap()) {
            true => stages.push((what, Found::new())),
            false => drop(stages.last_mut().unwrap().1.insert((what, time.to_string()), numbers)),
        }
    }
    let times: BTreeSet<String> = stages.iter().flat_map(|(_, f)| f.keys().map(|k| k.1.clone())).collect();
    let (mut compared, mut refused, mut wrong) = (0, 0, Vec::new());
    for (place, theirs) in &stages {
        let found = ours(&Path::new(place).join("root.usda"), &times);
        let names = |found: &Found| found.keys().map(|k| k.0.clone()).collect::<BTreeSet<_>>();
        if names(&found) != names(theirs) {
            wrong.push(format!("{place}: {:?}, USD has {:?}", names(&found), names(theirs)));
            continue;
        }
        for (key, numbers) in theirs {
            let own = &found[key];
            if own[..] == [REFUSED] {
                refused += 1;
                continue;
            }
            compared += 1;
            let near = |(a, b): (&Real, &Real)| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
            if own.len() != numbers.len() || !own.iter().zip(numbers).all(near) {
                wrong.push(format!("{place}: {key:?}: {own:?}, USD has {numbers:?}"));
            }
        }
    }
    assert!(compared > 2000 && refused < compared / 5, "{compared} compared, {refused} refused");
    let some: Vec<_> =
        wrong.iter().filter(|w| w.contains("\"1\"") || w.contains("USD has {")).take(60).collect();
    assert!(wrong.is_empty(), "{} of {compared}: {some:#?}", wrong.len());
}
