//! Painted weights of muscles: from a table in a job, and from a host.

use super::node::{Host, host, skin};
use crate::strip::{sinew, strip, text};
use sinew::control::Control;
use sinew::error::Kind;
use sinew::math::Vec3;
use sinew::nodes::{ArrayView, Report};

const SET: &str = r#"<muscle_set>
 <muscle name="sheet" origin_joint="a" origin="0 0 -0.1" origin_to="0 0.5 -0.1" insertion_joint="b" insertion="1 0.2 -0.1"
  count="2" size="0.1"/>
 <muscle name="lost" origin_joint="elbow" origin="0 0 0" insertion_joint="b" insertion="1 0 0" size="0.1"/>
 <muscle name="other" origin_joint="a" origin="0 0.3 -0.1" insertion_joint="b" insertion="1 0.4 -0.1" size="0.1"/>
</muscle_set>"#;

const JOB: &str = r#"<sinew version="1">
  <frames range="1-2" fps="24"/>
  <node type="muscle_skin" name="skin">
    <param id="muscles" value="set.xml"/>
    <input port="points" file="rest.obj"/>
    <input port="rest_joints" file="joints.csv" frame="rest"/>
    <input port="joints" file="joints.csv"/>
    <input port="influence_weights" file="weights.csv"/>
    <input port="muscle_weights" file="painted.csv"/>
  </node>
  <outputs folder="out"><write file="carried.%04d.csv" from="skin.carried"/></outputs>
</sinew>
"#;

const CARRIED: &str = r#"<write file="carried.%04d.csv" from="skin.carried"/>"#;

/// Runs the job with a table of painted weights.
fn run(painted: &str) -> (tempfile::TempDir, std::process::Output) {
    run_with(painted, CARRIED)
}

/// The same with other outputs.
pub fn run_with(painted: &str, outputs: &str) -> (tempfile::TempDir, std::process::Output) {
    let folder = strip(1);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("job.xml", &JOB.replace(CARRIED, outputs));
    write("set.xml", SET);
    let pose = |frame: &str, name: &str, x: f64| format!("{frame},{name},1,0,0,{x},0,1,0,0,0,0,1,0\n");
    let poses = ["rest", "1", "2"].iter().enumerate();
    write(
        "joints.csv",
        &poses
            .map(|(k, frame)| pose(frame, "a", 0.0) + &pose(frame, "b", 1.0 + 0.1 * k as f64))
            .collect::<String>(),
    );
    write(
        "weights.csv",
        &("vertex,joint,weight\n".to_string() + &(0..40).map(|v| format!("{v},a,1\n")).collect::<String>()),
    );
    write("painted.csv", painted);
    let output = sinew(folder.path(), &["run", "job.xml"]);
    (folder, output)
}

/// Activations go by the names of muscles: a sheet sets all its strips, what is not named is not active, and the table
/// that a job writes can be read again.
#[test]
fn activations_are_read_by_name() {
    let run = |table: &str, columns: &str| {
        let (folder, _) = run("vertex,muscle,weight\n0,other,1\n");
        std::fs::write(folder.path().join("pulls.csv"), table).unwrap();
        let job = JOB
            .replace(
                r#"<input port="muscle_weights" file="painted.csv"/>"#,
                r#"<input port="activations" file="pulls.csv"/>"#,
            )
            .replace(r#"<write file="carried.%04d.csv" from="skin.carried"/>"#, columns);
        std::fs::write(folder.path().join("job.xml"), job).unwrap();
        let output = sinew(folder.path(), &["run", "job.xml"]);
        let points = std::fs::read_to_string(folder.path().join("out/muscles.csv")).unwrap_or_default();
        (text(&output.stderr), points)
    };
    let written = r#"<write file="muscles.csv" from="skin.muscle_points"/>"#;
    let by_name = run("frame,muscle,pull\n1,sheet,1\n1,other,0.5\n2,sheet.2,1\n", written);
    // By order: two strips, the one that the rig leaves out, and the other.
    let by_order = run("frame,a,b,c,d\n1,1,1,0,0.5\n2,0,1,0,0\n", written);
    let still = run("frame,a,b,c,d\n1,0,0,0,0\n2,0,0,0,0\n", written);
    assert!(by_name.1.len() > 100 && by_name.1 == by_order.1 && by_name.1 != still.1, "{}", by_name.0);
    let (reported, _) = run("frame,muscle,pull\n1,sheet,1\n2,tail,1\n", written);
    assert!(reported.contains("there is no \"tail\"") && reported.contains("pulls.csv"), "{reported}");
}

/// Names (also of the strips of sheets) in any order; sums above 1 become 1; a muscle left out takes its weights with
/// it.
#[test]
fn painted_weights_are_read_by_name() {
    let painted = "vertex,muscle,weight\n39,other,0.5\n8,lost,1\n39,lost,1\n7,sheet.1,0.25\n7,sheet.2,0.5\n9,sheet.2,1\n9,sheet.1,1\n";
    let (folder, output) = run(painted);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = std::fs::read_to_string(folder.path().join("out/carried.0002.csv")).unwrap();
    let carried: Vec<f64> =
        table.lines().filter_map(|line| line.split(',').next_back()?.parse().ok()).collect();
    assert_eq!(carried.len(), 40, "{table}");
    for (vertex, carried) in carried.iter().enumerate() {
        let expected =
            [(39, 0.5), (7, 0.75), (9, 1.0)].iter().find(|(v, _)| *v == vertex).map_or(0.0, |(_, w)| *w);
        assert!((carried - expected).abs() < 1e-12, "{vertex}: {carried}");
    }
}

/// Tables that name muscles of a sheet whose count is impossible, or cannot be read, lose only these.
#[test]
fn tables_go_on_without_a_sheet_whose_count_is_impossible() {
    let run = |count: &str, port: &str, table: &str| {
        let (folder, _) =
            run(if port == "muscle_weights" { table } else { "vertex,muscle,weight\n0,other,1\n" });
        std::fs::write(folder.path().join("pulls.csv"), table).unwrap();
        std::fs::write(folder.path().join("set.xml"), SET.replace("count=\"2\"", count)).unwrap();
        let input = r#"<input port="muscle_weights" file="painted.csv"/>"#;
        let pulls = r#"<input port="activations" file="pulls.csv"/>"#;
        let job = if port == "activations" { JOB.replace(input, pulls) } else { JOB.into() };
        let points = r#"<write file="muscles.csv" from="skin.muscle_points"/><write file="carried"#;
        std::fs::write(folder.path().join("job.xml"), job.replace("<write file=\"carried", points)).unwrap();
        let output = sinew(folder.path(), &["run", "job.xml", "--restart"]);
        assert!(output.status.success(), "{count}: {}", text(&output.stderr));
        ["muscles.csv", "carried.0002.csv"]
            .map(|name| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap())
    };
    for count in ["count=\"0\"", "count=\"two\""] {
        let painted = "vertex,muscle,weight\n7,sheet.1,0.25\n7,sheet.2,0.5\n7,other,0.25\n9,sheet.2,1\n";
        let alone = "vertex,muscle,weight\n7,other,0.25\n";
        assert_eq!(run(count, "muscle_weights", painted), run(count, "muscle_weights", alone));
        let pulls = "frame,muscle,pull\n1,sheet.2,1\n1,other,0.5\n2,sheet,1\n";
        let alone = "frame,muscle,pull\n1,other,0.5\n2,lost,0\n";
        let still = "frame,muscle,pull\n1,other,0\n2,lost,0\n";
        let moved = run(count, "activations", pulls);
        assert_eq!(moved, run(count, "activations", alone));
        assert_ne!(moved, run(count, "activations", still));
    }
}

#[test]
fn what_is_wrong_with_a_table_is_named() {
    for (painted, reported) in [
        ("vertex,muscle,weight\n0,sheet,1\n", "no muscle \"sheet\"; there are sheet.1, sheet.2"),
        ("vertex,muscle,weight\n40,sheet.1,1\n", "the mesh has 40 vertices"),
        ("vertex,muscle,weight\n0,sheet.1,1\n0,sheet.1,1\n", "muscle \"sheet.1\" has a second weight"),
        (
            "vertex,joint,weight\n0,a,1\n",
            "a table of weights of joints does not fit the input muscle_weights",
        ),
    ] {
        let (_folder, output) = run(painted);
        let error = text(&output.stderr);
        assert!(
            !output.status.success() && error.contains(reported) && error.contains("painted.csv"),
            "{reported}: {error}"
        );
    }
}

/// A host that paints every vertex of the tube with both muscles of the arm, the second by a weight that is given.
fn painted_by_host(weight: f64) -> (Host, sinew::error::Result<Report>) {
    let mut host = host(&[]);
    let count = skin().len();
    let ints = |values: &[u32]| -> Vec<u32> { values.repeat(count) };
    for (port, values) in [("muscle_influence_counts", ints(&[2])), ("muscle_influences", ints(&[0, 1]))] {
        host.node.set_array(port, &ArrayView::from_slice(&values, 1).unwrap()).unwrap();
    }
    host.pose("joints", 0.9, &Vec3::zeros());
    let mut weights = [0.75, 0.0].repeat(count);
    weights[2 * 7 + 1] = weight;
    let set = host.node.set_array("muscle_weights", &ArrayView::from_slice(&weights, 1).unwrap());
    let result = set.and_then(|()| host.node.step(1, 0.0, &Control::default()));
    (host, result)
}

/// As in tables and for joints: what rounding has put below zero is zero, in single precision too; what is really
/// negative is refused, and the vertex named, as is that of a muscle that is not there.
#[test]
fn weights_of_hosts_that_were_rounded_below_zero_are_zero() {
    let (zero, _) = painted_by_host(0.0);
    for weight in [-1e-6, -2e-16, -1e-7, -0.0, f64::from(-1e-7_f32)] {
        let (host, result) = painted_by_host(weight);
        assert_eq!(result.unwrap().warnings.len(), 1, "{weight}: the muscle that carries nothing");
        assert_eq!(host.points("points"), zero.points("points"), "{weight}");
    }
    for weight in [-2e-6, -0.5] {
        let error = painted_by_host(weight).1.unwrap_err();
        assert_eq!((error.place().vertex, error.place().port.as_deref()), (Some(7), Some("muscle_weights")));
        assert!(error.to_string().contains("must not be negative"), "{error}");
    }
    let (mut host, _) = painted_by_host(0.0);
    let mut muscles = [0_u32, 1].repeat(skin().len());
    muscles[2 * 9] = 2;
    host.node.set_array("muscle_influences", &ArrayView::from_slice(&muscles, 1).unwrap()).unwrap();
    let error = host.node.step(2, 0.1, &Control::default()).unwrap_err();
    assert_eq!(error.place().vertex, Some(9), "{error}");
    assert!(error.to_string().contains("there is no muscle 2; there are 2"), "{error}");
}

/// Painted weights without the counts that they belong to are not quietly passed over.
#[test]
fn weights_without_counts_are_refused() {
    let mut host = host(&[]);
    host.give("muscle_weights", &[1.0], 1);
    host.pose("joints", 0.9, &Vec3::zeros());
    let error = host.node.step(1, 0.0, &Control::default()).unwrap_err();
    assert_eq!(error.place().port.as_deref(), Some("muscle_influence_counts"), "{error}");
}

/// The joints' weights, maps and activations: the same.
#[test]
fn what_was_rounded_beyond_a_range_is_at_its_end() {
    let moved = |port: &str, off: f64| {
        let mut host = host(&[]);
        let count = skin().len();
        let ends =
            if port == "activations" { vec![1.0 + off, -off] } else { [1.0 + off, -off].repeat(count / 2) };
        let ends = if port == "influence_weights" { [1.0, -off].repeat(count) } else { ends };
        host.pose("joints", 0.9, &Vec3::zeros());
        let set = host.node.set_array(port, &ArrayView::from_slice(&ends, 1).unwrap());
        let result = set.and_then(|()| host.node.step(1, 0.0, &Control::default()).map(drop));
        result.map(|()| host.points("points"))
    };
    for port in ["influence_weights", "muscle_map", "fat_map", "activations"] {
        let exact = moved(port, 0.0).unwrap();
        assert_eq!(moved(port, 1e-7).unwrap(), exact, "{port}");
        assert_eq!(moved(port, 1e-6).unwrap(), exact, "{port}");
        let error = moved(port, 1e-3).unwrap_err();
        assert_eq!(error.kind(), Kind::OutOfRange, "{port}: {error}");
    }
}
