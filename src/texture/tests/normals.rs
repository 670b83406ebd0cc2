//! Normals of a height field that slides over a plane, against those of the field where it is then.

use super::*;
use sinew_geometry::shapes;
use sinew_math::Mat2;

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
    for (side, skew) in [(1.0, 0.0), (-1.0, 0.0), (1.0, 0.15), (-1.0, 0.15)] {
        // Twice as dense along v as along u, whose lines may be aslant.
        let mut mesh = shapes::grid(2.0, 2.0, 6, 6);
        for uv in &mut mesh.uvs.as_mut().unwrap().values {
            *uv = Vec2::new(0.5 + side * 0.5 * (uv.x - 0.5) + 2.0 * skew * (uv.y - 0.5), uv.y);
        }
        let body = Body::new(mesh, [240, 240], 2);
        let frame = |_| Mat2::new(side, 0.0, 0.0, 1.0);
        for linear in moves() {
            // By the UVs: from beyond the border the map stays linear.
            let map = |uv: Vec2| {
                let y = 2.0 * (uv.y - 0.5);
                let to = linear * Vec2::new(side * 4.0 * (uv.x - 0.5 - skew * y), y);
                Vec2::new(0.5 + side * 0.25 * to.x + skew * to.y, 0.5 + 0.5 * to.y)
            };
            let slide = Slide::from_uvs(&body.layout, &mapped(&body.mesh, map)).unwrap();
            for green_down in [false, true] {
                let (worst, count) = error(&body, linear, &frame, green_down, &slide);
                println!("side {side}, skew {skew}, {linear:?}: {worst:.2e} over {count}");
                assert!(worst < 2e-4 && count > 10_000, "{worst} {count}");
            }
        }
    }
}

/// Over the seam between two islands that differ in rotation, handedness and density, in one tile and in two.
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

/// One face among thousands of small ones covers thousands of the cells in which faces are looked for by their UVs.
/// What slides there has the normals of its island, whose UVs have another density.
#[test]
fn a_face_that_is_large_in_the_uvs_is_found_there() {
    let mut mesh = shapes::grid(1.0, 1.0, 72, 72);
    let fine = mesh.positions.len();
    // Apart from the others: two by one, in half of the tile.
    mesh.positions
        .extend([[3.0, 0.0], [5.0, 0.0], [5.0, -1.0], [3.0, -1.0]].map(|[x, z]| Vec3::new(x, 0.0, z)));
    mesh.corner_vertices.extend((0..4).map(|k| (fine + k) as u32));
    mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    let layer = mesh.uvs.as_mut().unwrap();
    layer.values.iter_mut().for_each(|uv| *uv = Vec2::new(0.6, 0.6) + *uv * 0.25);
    let first = layer.values.len() as u32;
    layer.values.extend([[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]].map(Vec2::from));
    layer.indices.extend(first..first + 4);
    let body = Body::new(mesh, [160, 160], 0);
    let map = |uv: Vec2| if uv.x > 0.55 { uv - Vec2::new(0.45, 0.35) } else { uv };
    let slide = Slide::from_uvs(&body.layout, &mapped(&body.mesh, map)).unwrap();
    let stored = |flat: Vec2| {
        let normal = Vec3::new(flat.x, flat.y, (1.0f64 - 0.5 * 0.5 - 0.4 * 0.4).sqrt()).normalize();
        [normal.x, normal.y, normal.z].map(|x| (0.5 + 0.5 * x) as f32)
    };
    let painted = Vec2::new(0.5, 0.4);
    let source = body.paint(0.5, |_| stored(painted));
    let baked = body.bake(&slide, Content::Normal { green_down: false }, source);
    // A unit of u is 4 long there and 4 here, a unit of v 1 there and 4 here.
    let (worst, count) = body.compare(&baked, |at| {
        let small = body.place(at).x < 1.0;
        small.then(|| stored(painted.component_mul(&Vec2::new(1.0, 0.25))))
    });
    assert!(worst < 1e-4 && count > 1000, "{worst} {count}");
}
