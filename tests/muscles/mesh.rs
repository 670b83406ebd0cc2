//! The muscles as a mesh beside the skin, in the files of a job.

use super::painted::run_with;
use crate::judges::judge;
use crate::strip::{sinew, text};
use sinew::formats::points::PointSource;
use sinew::formats::{mesh, obj};
use sinew::math::Vec3;
use std::collections::BTreeMap;
use std::path::Path;

/// The numbers of a table's rows, without the frame and the item.
fn table(path: &Path) -> Vec<Vec<f64>> {
    let rows = std::fs::read_to_string(path).unwrap();
    rows.lines()
        .skip(1)
        .map(|row| row.split(',').skip(2).map(|cell| cell.parse().unwrap()).collect())
        .collect()
}

/// In every format the points of the frame, the node's own faces, and which muscle a vertex belongs to.
#[test]
fn a_job_writes_the_muscles_as_a_mesh() {
    let (folder, output) = run_with(
        "vertex,muscle,weight\n0,other,1\n",
        r#"<write file="muscles.%04d.obj" from="skin.muscle_points"/>
           <write file="muscles.usda" from="skin.muscle_points skin.muscle_numbers"/>
           <write file="muscles.abc" from="skin.muscle_points"/>
           <write file="skin.%04d.obj" from="skin.points"/>
           <write file="points.%04d.csv" from="skin.muscle_points"/>
           <write file="quads.%04d.csv" from="skin.muscle_faces"/>
           <write file="numbers.%04d.csv" from="skin.muscle_numbers"/>"#,
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = |name: &str| folder.path().join("out").join(name);
    let faces: Vec<u32> = table(&out("quads.0001.csv")).concat().iter().map(|v| *v as u32).collect();
    // Three muscles of the four: one has no joint.
    let numbers = table(&out("numbers.0001.csv")).concat();
    assert_eq!(numbers, [0.0, 1.0, 2.0].map(|k| [k; 72]).concat());
    let mut open =
        [PointSource::open(&out("muscles.usda"), 24.0), PointSource::open(&out("muscles.abc"), 24.0)]
            .map(Result::unwrap);
    for frame in 1..=2 {
        let points = table(&out(&format!("points.{frame:04}.csv")));
        let points: Vec<Vec3> = points.iter().map(|p| Vec3::from_column_slice(p)).collect();
        let written = obj::read(&out(&format!("muscles.{frame:04}.obj"))).unwrap().mesh;
        assert_eq!(
            (written.corner_vertices.len(), &written.corner_vertices),
            (4 * written.face_count(), &faces)
        );
        let near = |found: &[Vec3]| {
            found.len() == points.len() && found.iter().zip(&points).all(|(a, b)| (a - b).amax() < 1e-6)
        };
        assert!(near(&written.positions), "frame {frame}");
        for source in &mut open {
            assert!(near(&source.read(frame - 1).unwrap()), "frame {frame}");
        }
    }
    for name in ["muscles.usda", "muscles.abc"] {
        assert_eq!(mesh::read(&out(name)).unwrap().mesh.corner_vertices, faces, "{name}");
    }
    let layer = std::fs::read_to_string(out("muscles.usda")).unwrap();
    assert!(layer.contains("primvars:muscle_numbers") && layer.contains("\"skin_muscles\""), "{layer}");
    assert_eq!(obj::read(&out("skin.0002.obj")).unwrap().mesh.positions.len(), 40);
    // The page shows them from these files.
    let page = sinew(folder.path(), &["report", "out", "--html", "page.html"]);
    assert!(page.status.success(), "{}", text(&page.stderr));
}

/// The points of meshes by frames.
type Meshes = BTreeMap<String, Vec<Vec<[f64; 3]>>>;

/// With groups each muscle is a mesh of its own, for USD, Alembic and Blender alike, in its name and place.
#[test]
fn each_muscle_is_a_mesh_of_its_own() {
    let groups = |name: &str| format!(r#"<write file="{name}" from="skin.muscle_points" groups="yes"/>"#);
    let writes = ["m.usda", "m.usdc", "m.abc", "m.%04d.obj"].map(groups).concat();
    let (folder, output) = run_with(
        "vertex,muscle,weight\n0,other,1\n",
        &format!("{writes}<write file=\"points.%04d.csv\" from=\"skin.muscle_points\"/>"),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = |name: &str| folder.path().join("out").join(name);
    // 72 vertices each, as `a_job_writes_the_muscles_as_a_mesh` finds.
    let points = [1, 2].map(|frame| table(&out(&format!("points.{frame:04}.csv"))));
    let names = ["sheet_1", "sheet_2", "other"];
    let check = |found: &Meshes, path: &dyn Fn(&str) -> String| {
        assert_eq!(found.len(), names.len(), "{:?}", found.keys());
        for (k, name) in names.into_iter().enumerate() {
            let frames = found.get(&path(name)).unwrap_or_else(|| panic!("{name}: {:?}", found.keys()));
            assert_eq!(frames.len(), 2);
            for (found, wanted) in frames.iter().zip(&points) {
                assert_eq!(found.len(), 72);
                let far = found.iter().zip(&wanted[72 * k..]);
                assert!(far.flat_map(|(a, b)| a.iter().zip(b)).all(|(a, b)| (a - b).abs() < 1e-6), "{name}");
            }
            assert_ne!(frames[0], frames[1], "{name} moves");
        }
    };
    let judged = |command: &str, file: &str| -> Meshes {
        let out = judge("moved.py", &[command, out(file).to_str().unwrap(), "1,2"]);
        serde_json::from_str(out.lines().last().unwrap()).unwrap()
    };
    check(&judged("parts", "m.usda"), &|name| format!("/skin_muscles/{name}"));
    check(&judged("parts", "m.usdc"), &|name| format!("/skin_muscles/{name}"));
    check(&judged("parts", "m.abc"), &|name| format!("/skin_muscles/{name}/{name}Shape"));
    for file in ["m.usdc", "m.abc"] {
        check(&judged("parts_blender", file), &|name| format!("skin_muscles/{name}"));
    }
    let mesh = obj::read(&out("m.0002.obj")).unwrap().mesh;
    assert_eq!(mesh.objects.names, ["sheet.1", "sheet.2", "other"]);
    let rows = mesh.objects.of_face.chunks(mesh.face_count() / 3).map(|row| (row[0], row[row.len() - 1]));
    assert_eq!(rows.collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 2)]);
}

#[test]
fn what_cannot_be_apart_is_refused() {
    let refused = |write: &str, why: &str| {
        let (_folder, output) = run_with("vertex,muscle,weight\n0,other,1\n", write);
        assert!(!output.status.success() && text(&output.stderr).contains(why), "{}", text(&output.stderr));
    };
    refused(
        r#"<write file="m.glb" from="skin.muscle_points" groups="yes"/>"#,
        "holds one mesh: groups are written to",
    );
    refused(r#"<write file="m.usda" from="skin.points" groups="yes"/>"#, "the mesh has no parts of its own");
    refused(
        r#"<write file="m.usda" from="skin.muscle_points" layer="yes"/>"#,
        "comes from neither USD nor Alembic",
    );
}

/// The skin over muscles is a layer over the asset that it has at rest.
#[test]
fn the_skin_over_muscles_moves_its_asset() {
    let (folder, _) = run_with("vertex,muscle,weight\n0,other,1\n", "");
    let at = |name: &str| folder.path().join(name);
    std::fs::copy(at("rest.obj"), at("rest.1.obj")).unwrap();
    let made = sinew(folder.path(), &["convert", "rest.%d.obj", "asset.usda"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let job = std::fs::read_to_string(at("job.xml")).unwrap();
    let layer = r#"<write file="moved.usda" from="skin.points" layer="yes"/>
        <write file="points.%04d.csv" from="skin.points"/></outputs>"#;
    let job = job
        .replace(r#"file="rest.obj""#, r#"file="asset.usda" frame="rest""#)
        .replace(r#"<param id="muscles""#, r#"<param id="follow" value="motion"/><param id="muscles""#)
        .replace("</outputs>", layer);
    std::fs::write(at("job.xml"), job).unwrap();
    let run = sinew(folder.path(), &["run", "job.xml"]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let mut source = PointSource::open(&at("out/moved.usda"), 24.0).unwrap();
    for frame in 1..=2 {
        let index = source.frames().iter().position(|f| *f == frame).unwrap();
        let found = source.read(index).unwrap();
        let wanted = table(&at(&format!("out/points.{frame:04}.csv")));
        let far = found.iter().zip(&wanted).flat_map(|(a, b)| a.iter().zip(b));
        assert!(found.len() == 40 && far.into_iter().all(|(a, b)| (a - b).abs() < 1e-6));
    }
    let written = std::fs::read_to_string(at("out/moved.usda")).unwrap();
    assert!(written.contains("@../asset.usda@") && !written.contains("faceVertexIndices"), "{written}");
}
