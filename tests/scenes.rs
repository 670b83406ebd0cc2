//! The example scenes: the paper's counts, sound meshes, smooth motions, and numbers that mean what they say.

#[path = "../examples/support/mod.rs"]
mod support;

use sinew::anatomy::head::SWALLOW;
use sinew::geometry::measure::triangle_area_vector;
use sinew::geometry::{MeshReport, TriMesh};
use sinew::math::{Real, Vec3};
use support::scenes::{SkinScene, all, numbers, table};
use support::still;

#[test]
fn every_scene_has_the_counts_of_the_paper() {
    for scene in all() {
        let [triangles, dofs, constraints] = table(scene.name);
        let reached = [scene.triangles(), scene.dofs(), scene.constraints()];
        println!("{:20} {reached:?} of {triangles} {dofs} {constraints}", scene.title());
        assert_eq!(reached, [triangles, dofs, constraints], "{}", scene.title());
    }
}

#[test]
fn every_mesh_is_sound() {
    for scene in all() {
        let report = MeshReport::new(&scene.rest).unwrap();
        let problems: Vec<String> =
            report.problems().iter().map(|f| format!("{}: {}", f.what, f.items.join(", "))).collect();
        assert!(problems.is_empty(), "{}: {problems:?}", scene.title());
        assert_eq!(report.pieces, 1, "{}", scene.title());
        assert!(outwards(&TriMesh::from_mesh(&scene.rest).unwrap()) > 0.0, "{} is inside out", scene.title());
        let uvs = report.uvs.unwrap();
        assert!(
            uvs.missing.is_empty() && uvs.flat.is_empty() && uvs.mirrored.is_empty(),
            "{}: {uvs:?}",
            scene.title()
        );
        assert!(scene.fixed.iter().zip(&scene.slide).all(|(&f, s)| !(f && s.is_some())), "held and sliding");
        assert!(scene.slide.iter().flatten().all(|d| (d.norm() - 1.0).abs() < 1e-12));
    }
}

/// How much the triangles face away from the centroid of all vertices.
fn outwards(cut: &TriMesh) -> Real {
    let middle = cut.positions.iter().sum::<Vec3>() / cut.positions.len() as Real;
    let flux = |t: usize| triangle_area_vector(cut.points(t)).dot(&(cut.points(t)[0] - middle));
    (0..cut.triangles.len()).map(flux).sum()
}

/// The smallest cosine between a triangle's normal and the mean of its vertices' normals, and the smallest ratio of its
/// area to the square of its longest edge.
fn worst_triangle(cut: &TriMesh) -> [Real; 2] {
    let normals = sinew::geometry::measure::vertex_normals(cut);
    let mut worst = [1.0, 1.0];
    for (t, triangle) in cut.triangles.iter().enumerate() {
        let [a, b, c] = cut.points(t);
        let area = triangle_area_vector([a, b, c]);
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let mean = triangle.iter().map(|&v| normals[v as usize]).sum::<Vec3>().normalize();
        worst[0] = Real::min(worst[0], area.normalize().dot(&mean));
        worst[1] = Real::min(worst[1], area.norm() / longest.powi(2));
    }
    worst
}

#[test]
fn bodies_move_smoothly_from_rest_and_never_degenerate() {
    for scene in all() {
        assert!(scene.body(0.0) == scene.rest.positions, "{} begins elsewhere", scene.title());
        let mut cut = TriMesh::from_mesh(&scene.rest).unwrap();
        let mut worst = worst_triangle(&cut);
        let largest =
            |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max);
        let (mut step, mut small_step): (Real, Real) = (0.0, 0.0);
        for frame in 1..scene.frames {
            let [before, soon, body] =
                [0.0, 0.0625, 1.0].map(|part| scene.body((frame as Real - 1.0 + part) / scene.fps));
            assert!(body.iter().all(|p| p.iter().all(|x| x.is_finite())), "{}", scene.title());
            (step, small_step) = (step.max(largest(&body, &before)), small_step.max(largest(&soon, &before)));
            cut.positions = body;
            let now = worst_triangle(&cut);
            worst = [0, 1].map(|k| Real::min(worst[k], now[k]));
        }
        println!("{:14} worst {worst:.3?}, {step:.4} m in a frame", scene.title());
        assert!(worst[0] > 0.5 && worst[1] > 0.04, "{}: {worst:?}", scene.title());
        // A sixteenth of the time, about a sixteenth of the way: nothing jumps.
        assert!(step < 0.13 && 16.0 * small_step < 1.5 * step, "{}: {step} {small_step}", scene.title());
    }
}

fn scene(title: &str) -> SkinScene {
    all().into_iter().find(|s| s.title() == title).unwrap()
}

#[test]
fn standard_skinning_distorts_and_carries_everything_along() {
    let torus = scene("torus");
    let cut = TriMesh::from_mesh(&torus.rest).unwrap();
    let still = numbers::stretch(&cut, &cut.positions, &cut.positions);
    assert!((still.mean - 1.0).abs() + still.spread + (still.largest - 1.0).abs() < 1e-12, "{still:?}");
    let swollen = numbers::stretch(&cut, &torus.body(2.0), &cut.positions);
    assert!(swollen.spread > 0.2 && swollen.largest > 1.7, "{swollen:?}");
    assert_eq!(numbers::slide(&cut, &cut.positions), [0.0; 2]);

    let head = scene("head_swallow");
    let cut = TriMesh::from_mesh(&head.rest).unwrap();
    assert!(head.watched.len() >= 5);
    let carried = numbers::travel(&cut, &head.body(1.0), &cut.positions, &head.watched).unwrap();
    assert!((carried / SWALLOW - 0.9).abs() < 0.1, "the skin over the lump goes {carried} m");
}

#[test]
fn skin_that_stays_in_space_has_no_stretch_but_a_slide() {
    let tube = scene("cylinder_free");
    let cut = TriMesh::from_mesh(&tube.rest).unwrap();
    // The twisted body's vertices are places of the tube at rest: there, the skin has not moved at all.
    let (body, half) = (tube.body(0.75), tube.body(0.6));
    let stretch = numbers::stretch(&cut, &body, &body);
    assert!(stretch.spread < 1e-12 && (stretch.largest - 1.0).abs() < 1e-12, "{stretch:?}");
    let [_, largest] = numbers::slide(&cut, &body);
    assert!(largest > 0.05 && numbers::slide(&cut, &half)[1] < largest);
    let places: Vec<Vec3> = cut.positions.iter().step_by(7).copied().collect();
    let moved = numbers::travel(&cut, &body, &body, &places).unwrap();
    assert!(moved < 1e-3, "{moved} m: no more than the tube's flat faces stand off the round");
    let [mean, most] = numbers::jiggle(&[cut.positions.clone(), body.clone()]);
    assert!(mean > 0.0 && most <= largest * 1.0001 && numbers::jiggle(&[body]) == [0.0; 2]);
}

#[test]
#[ignore = "writes pictures of all scenes into target/scenes, for people who look at them"]
fn previews() {
    std::fs::create_dir_all("target/scenes").unwrap();
    let wanted = std::env::var("SCENE").unwrap_or_default();
    for scene in all().iter().filter(|s| s.title().starts_with(&wanted)) {
        for frame in [0].into_iter().chain(scene.shown.iter().map(|(frame, _)| *frame)) {
            let path = format!("target/scenes/{}_{frame:03}.png", scene.title());
            still::skinning(scene, frame).save(path).unwrap();
        }
    }
}
