//! Normals of a height field that slides over a plane, against those of the field where it is then.

use super::*;
use crate::geometry::shapes;
use crate::math::Mat2;

/// Heights over the plane by (x, -z), and their gradient.
fn gradient(p: Vec2) -> Vec2 {
    // h = 0.3 sin(1.3 x + 0.4 y) + 0.1 x y
    let c = 0.3 * (1.3 * p.x + 0.4 * p.y).cos();
    Vec2::new(1.3 * c + 0.1 * p.y, 0.4 * c + 0.1 * p.x)
}

/// What a normal map has for a gradient, in a frame whose axes T and B are columns.
fn stored(gradient: Vec2, frame: &Mat2, green_down: bool) -> [f32; 3] {
    let flat = -(frame.transpose() * gradient);
    let normal = Vec3::new(flat.x, if green_down { -flat.y } else { flat.y }, 1.0).normalize();
    [normal.x, normal.y, normal.z].map(|x| (0.5 + 0.5 * x) as f32)
}

fn flat(p: Vec3) -> Vec2 {
    Vec2::new(p.x, -p.z)
}

/// The largest error of a baked normal map, where the skin at x is that painted at `linear` x; `frame` gives T and B.
fn error(
    body: &Body,
    linear: Mat2,
    frame: &dyn Fn(Vec2) -> Mat2,
    green_down: bool,
    slide: &Slide,
) -> (f32, usize) {
    let content = Content::Normal { green_down };
    let source = body.paint(0.1, |at| {
        let p = flat(body.place(at));
        stored(gradient(p), &frame(p), green_down)
    });
    let baked = body.bake(slide, content, source);
    body.compare(&baked, |at| {
        let p = flat(body.place(at));
        let painted = linear * p;
        // The field where it is now is h(L x), its gradient L^T grad h.
        let inside = painted.amax() < 0.9 && p.amax() < 0.99 && !at.padding;
        inside.then(|| stored(linear.transpose() * gradient(painted), &frame(p), green_down))
    })
}

fn moves() -> [Mat2; 3] {
    let (sin, cos) = 0.4f64.sin_cos();
    [Mat2::new(cos, -sin, sin, cos), Mat2::new(1.0, 0.35, 0.0, 1.0), Mat2::new(0.8, 0.2, -0.1, 1.2)]
}

#[test]
fn rotated_and_sheared_fields_have_the_normals_of_the_slid_field() {
    for mirrored in [false, true] {
        // Twice as dense along v as along u.
        let mut mesh = shapes::grid(2.0, 2.0, 6, 6);
        let side = if mirrored { -1.0 } else { 1.0 };
        for uv in &mut mesh.uvs.as_mut().unwrap().values {
            *uv = Vec2::new(0.5 + side * 0.5 * (uv.x - 0.5), uv.y);
        }
        let body = Body::new(mesh, [240, 240], 2);
        let frame = |_| Mat2::new(side, 0.0, 0.0, 1.0);
        for linear in moves() {
            // By the UVs: from beyond the border the map stays linear.
            let map = |uv: Vec2| {
                let p = Vec2::new(side * 4.0 * (uv.x - 0.5), 2.0 * (uv.y - 0.5));
                let to = linear * p;
                Vec2::new(0.5 + side * 0.25 * to.x, 0.5 + 0.5 * to.y)
            };
            let slide = Slide::from_uvs(&body.layout, &mapped(&body.mesh, map)).unwrap();
            for green_down in [false, true] {
                let (worst, count) = error(&body, linear, &frame, green_down, &slide);
                println!("mirrored {mirrored}, {linear:?}: {worst:.2e} over {count}");
                assert!(worst < 2e-4 && count > 10_000, "{worst} {count}");
            }
        }
    }
}

/// Over the seam between two islands of other turn, hand and density, in one tile and in two.
#[test]
fn normals_that_slide_over_a_seam_turn_into_the_other_islands_frame() {
    for to in [Vec2::new(0.45, 0.4), Vec2::new(1.3, 0.2)] {
        let body = Body::new(patchwork(8, to), [400, 400], 2);
        // On the right u runs along y and v along x.
        let frame = |p: Vec2| if p.x < 0.0 { Mat2::identity() } else { Mat2::new(0.0, 1.0, 1.0, 0.0) };
        for linear in moves() {
            // Small enough that no skin comes from beyond the border.
            let linear = linear * 0.6;
            let skin = body.skin(|p| {
                let to = linear * flat(*p);
                Vec3::new(to.x, 0.0, -to.y)
            });
            let slide = Slide::from_skin(&body.layout, &skin).unwrap();
            let (worst, count) = error(&body, linear, &frame, false, &slide);
            println!("patchwork {to:?}: {worst:.2e} over {count}");
            assert!(worst < 2e-3 && count > 30_000, "{worst} {count}");
        }
    }
}
