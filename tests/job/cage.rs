//! Cages: the skin slides on the limit surface that renderers show.
#![cfg(feature = "opensubdiv")]

use crate::strip::{sinew, text};
use sinew::formats::obj;
use sinew::geometry::{Mesh, Subdivision, SubdivisionOptions, shapes};
use sinew::math::{Real, Vec3};
use std::path::Path;

const FRAMES: i64 = 3;

/// A tube as a cage, whose right half twists; the left rim is held.
fn tube(folder: &Path) -> Mesh {
    let cage = shapes::cylinder(0.3, 1.0, 10, 8);
    obj::save(&folder.join("rest.obj"), &cage).unwrap();
    for frame in 1..=FRAMES {
        let mut body = cage.clone();
        body.positions.iter_mut().for_each(|p| *p = twisted(*p, 0.3 * frame as Real));
        obj::save(&folder.join(format!("body.{frame:04}.obj")), &body).unwrap();
    }
    cage
}

/// Twists about the tube's axis, from nothing at its middle on.
fn twisted(p: Vec3, angle: Real) -> Vec3 {
    let (sin, cos) = (angle * (p.y - 0.5).max(0.0)).sin_cos();
    Vec3::new(p.x * cos + p.z * sin, p.y, p.z * cos - p.x * sin)
}

fn held(mesh: &Mesh) -> Vec<Real> {
    mesh.positions.iter().map(|p| (1.0 - p.y * 4.0).clamp(0.0, 1.0)).collect()
}

fn write_map(path: &Path, values: &[Real]) {
    std::fs::write(path, values.iter().map(|x| format!("{x}\n")).collect::<String>()).unwrap();
}

fn slide(folder: &Path, more: &[&str]) {
    let given = ["slide", "--rest", "rest.obj", "--body", "body.%04d.obj", "--map", "fixed=fixed.csv"];
    // The skin follows a formula where nothing but paint holds it.
    let given = [&given[..], &["--set", "tie_reach=0"]].concat();
    let output = sinew(folder, &[&given[..], more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// Two ways to one answer: the command refines the cage, or it is given what is refined already.
#[test]
fn a_cage_gives_the_bits_of_its_limit_surface() {
    let (coarse, fine) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let cage = tube(coarse.path());
    write_map(&coarse.path().join("fixed.csv"), &held(&cage));
    slide(coarse.path(), &["--subdivide", "2", "--out", "out"]);
    let limit = Subdivision::new(&cage, SubdivisionOptions::default()).unwrap();
    for name in ["rest.obj".into()].into_iter().chain((1..=FRAMES).map(|f| format!("body.{f:04}.obj"))) {
        let given = obj::read(&coarse.path().join(&name)).unwrap().mesh;
        obj::save(&fine.path().join(&name), &limit.mesh(&given).unwrap()).unwrap();
    }
    let mut values = vec![0.0; limit.point_count()];
    limit.limit_values(&held(&cage), 1, &mut values).unwrap();
    write_map(&fine.path().join("fixed.csv"), &values);
    slide(fine.path(), &["--out", "out"]);
    for frame in 1..=FRAMES {
        for name in ["uv", "skin", "maps"] {
            let ending = if name == "uv" { "obj" } else { "csv" };
            let read = |folder: &Path| {
                std::fs::read(folder.join(format!("out/{name}.{frame:04}.{ending}"))).unwrap()
            };
            assert!(read(coarse.path()) == read(fine.path()), "{name} of frame {frame}");
        }
    }
}

/// While nothing moves, every corner has the UV that OpenSubdiv gives it, on both sides of the seam and whatever the
/// rule is.
#[test]
fn a_body_at_rest_has_the_face_varying_uvs_of_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let cage = shapes::cube(1.0, 2);
    obj::save(&folder.path().join("rest.obj"), &cage).unwrap();
    obj::save(&folder.path().join("body.0001.obj"), &cage).unwrap();
    for (word, uvs) in [
        ("smooth", sinew::geometry::UvSmoothing::Smooth),
        ("corners_plus1", sinew::geometry::UvSmoothing::CornersPlus1),
        ("linear", sinew::geometry::UvSmoothing::Linear),
    ] {
        let job = format!(
            "<sinew version=\"1\"><node type=\"skin_slider\"><input port=\"rest\" file=\"rest.obj\"/><input \
             port=\"points\" file=\"body.%04d.obj\"/>\
             <subdivide level=\"2\" uvs=\"{word}\"/></node><outputs folder=\"{word}\"><tables/></outputs></sinew>"
        );
        std::fs::write(folder.path().join("job.xml"), job).unwrap();
        let output = sinew(folder.path(), &["run", "job.xml"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let options = SubdivisionOptions { uvs, ..SubdivisionOptions::default() };
        let limit = Subdivision::new(&cage, options).unwrap().mesh(&cage).unwrap();
        let slid = obj::read(&folder.path().join(word).join("uv.0001.obj")).unwrap().mesh;
        assert_eq!(slid.corner_vertices, limit.corner_vertices);
        let (slid, limit) = (slid.uvs.unwrap(), limit.uvs.unwrap());
        let pairs = slid.indices.iter().zip(&limit.indices);
        let off = pairs.map(|(a, b)| (slid.values[*a as usize] - limit.values[*b as usize]).norm());
        let worst = off.fold(0.0, Real::max);
        println!("{word}: UVs of a cube at rest are off by {worst:.1e}");
        assert!(worst < 1e-12);
    }
}

/// The skin stays behind the twist, over the seam too: where a corner's UV lies inside the island that it is seen from,
/// it is the UV of the material there.
#[test]
fn slid_uvs_are_those_of_the_material_on_both_sides_of_a_seam() {
    let folder = tempfile::tempdir().unwrap();
    let cage = tube(folder.path());
    write_map(&folder.path().join("fixed.csv"), &vec![0.0; cage.positions.len()]);
    slide(folder.path(), &["--subdivide", "2", "--out", "out"]);
    let rest = obj::read(&folder.path().join("out/rest.obj")).unwrap().mesh;
    let now = obj::read(&folder.path().join("out/uv.0003.obj")).unwrap().mesh;
    let (rest_uvs, uvs) = (rest.uvs.unwrap(), now.uvs.unwrap());
    // Free skin does not twist: at a vertex is the material that was over the same place, but for a turn of the whole
    // skin, which costs nothing. On this tube u is the angle, all around from the seam.
    let turn_of = |p: &Vec3| p.x.atan2(p.z) / std::f64::consts::TAU;
    let (mut off, mut crossed) = (Vec::new(), 0);
    for (corner, &v) in now.corner_vertices.iter().enumerate() {
        let moved = turn_of(&now.positions[v as usize]) - turn_of(&rest.positions[v as usize]);
        let [before, after] =
            [rest_uvs.values[rest_uvs.indices[corner] as usize], uvs.values[uvs.indices[corner] as usize]];
        let left = after.x - before.x - moved;
        off.push(left - left.round());
        crossed += usize::from(!(0.0..=1.0).contains(&after.x));
    }
    let mean = off.iter().sum::<Real>() / off.len() as Real;
    let worst = off.iter().map(|x| (x - mean).abs()).fold(0.0, Real::max);
    println!("u is off by {worst:.1e} of a turn; {crossed} corners reach over the seam");
    assert!(worst < 2e-3 && crossed > 0);
}

#[test]
fn what_a_cage_cannot_be_is_said() {
    let folder = tempfile::tempdir().unwrap();
    tube(folder.path());
    std::fs::write(folder.path().join("rows.csv"), "0,1,1,0,0\n").unwrap();
    let given = ["slide", "--rest", "rest.obj", "--body", "body.%04d.obj", "--out", "out", "--subdivide"];
    for (more, reported) in
        [(&["0"][..], "the level is 0"), (&["1", "--rows", "rows.csv"], "rows refer to vertices of the cage")]
    {
        let output = sinew(folder.path(), &[&given[..], more].concat());
        assert!(text(&output.stderr).contains(reported), "{}", text(&output.stderr));
    }
}
