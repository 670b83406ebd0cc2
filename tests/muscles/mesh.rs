//! The muscles as a mesh beside the skin, in the files of a job.

use super::painted::run_with;
use crate::strip::{sinew, text};
use sinew::formats::points::PointSource;
use sinew::formats::{mesh, obj};
use sinew::math::Vec3;
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
