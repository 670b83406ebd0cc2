//! Patterns that are defined on the surface and slide over its seams.

use super::*;
use sinew_geometry::atlas::{SeamSide, UvScratch};
use sinew_geometry::shapes;
use std::f64::consts::TAU;

/// The skin of a prism around y, turned by a number of sides.
fn turned(body: &Body, sides: usize, by: Real) -> Vec<SurfacePoint> {
    let closest = ClosestPoint::new(&body.layout.tri).unwrap();
    let n = body.mesh.positions.len();
    let place = |v: usize| {
        let corner = |i: Real| body.mesh.positions[v / sides * sides + i.rem_euclid(sides as Real) as usize];
        around(corner, (v % sides) as Real + by)
    };
    (0..n).map(|v| closest.find(&place(v), 1e-9).unwrap().on).collect()
}

/// How many sides around the prism a place is.
fn side_of(p: &Vec3, sides: usize) -> Real {
    let side = (p.x.atan2(p.z) / TAU * sides as Real).rem_euclid(sides as Real);
    let corner = |k: Real| Vec2::new((TAU * k / sides as Real).sin(), (TAU * k / sides as Real).cos());
    let (a, b) = (corner(side.floor()), corner(side.floor() + 1.0));
    side.floor() + (Vec2::new(p.x, p.z) - a).dot(&(b - a)) / (b - a).norm_squared()
}

/// A cylinder that does not fill the square, so that there is background and padding.
fn tube(sides: usize) -> Mesh {
    let mut mesh = shapes::cylinder(1.0, 2.0, sides, 6);
    for uv in &mut mesh.uvs.as_mut().unwrap().values {
        *uv = Vec2::new(0.13 + 0.71 * uv.x, 0.1 + 0.8 * uv.y);
    }
    mesh
}

#[test]
fn around_a_tube_both_sides_of_the_seam_and_the_padding_have_the_analytic_pattern() {
    let sides = 16;
    let body = Body::new(tube(sides), [300, 240], 5);
    let pattern = |side: Real, y: Real| {
        let angle = TAU * side / sides as Real;
        [0.5 + 0.5 * (3.0 * angle + 2.0 * y).sin(), 0.5 + 0.5 * (2.0 * angle).cos()].map(|x| x as f32)
    };
    for by in [0.0, 0.5, 5.37, -3.81] {
        let skin = turned(&body, sides, by);
        let from_skin = Slide::from_skin(&body.layout, &skin).unwrap();
        let from_uvs = Slide::from_uvs(&body.layout, &slid_uvs(&body, &skin)).unwrap();
        for slide in [from_skin, from_uvs] {
            let source = body.paint(-50.0, |at| {
                let p = body.place(at);
                pattern(side_of(&p, sides), p.y)
            });
            let baked = body.bake(&slide, Content::Data, source);
            let (worst, count) = body.compare(&baked, |at| {
                let p = body.place(at);
                // Above and below the tube ends, and nothing is painted.
                let inside = (0.02..1.98).contains(&p.y);
                inside.then(|| pattern(side_of(&p, sides) + by, p.y))
            });
            // No background is blended in past the ends either.
            let (farthest, all) = body.compare(&baked, |_| Some([0.5; 2]));
            assert!(farthest < 0.6 && all > count, "{farthest}");
            println!("turned by {by}: {worst:.2e} over {count} texels");
            assert!(worst < 1.5e-3 && count > 40_000, "{by}: {worst} {count}");
        }
    }
}

/// The UVs that the skin slider gives.
fn slid_uvs(body: &Body, skin: &[SurfacePoint]) -> Vec<Real> {
    let mut out = Vec::new();
    for face in 0..body.mesh.face_count() {
        let points: Vec<_> = body.mesh.face(face).iter().map(|&v| skin[v as usize]).collect();
        let mut uvs = vec![Vec2::zeros(); points.len()];
        body.layout.islands.face_uvs(&points, face, &mut uvs).unwrap();
        out.extend(uvs.iter().flat_map(|uv| [uv.x, uv.y]));
    }
    out
}

/// Fetched through the ST-map, the texels of the padding have the same material as those on the other side of the seam
/// that show the same place, and all UVs lie on the island.
#[test]
fn an_st_map_has_the_same_material_on_both_sides_of_a_seam() {
    let sides = 16;
    let size = [300, 240];
    let body = Body::new(tube(sides), size, 1);
    let texels = &body.texels[0];
    let by = 5.37;
    let slide = Slide::from_skin(&body.layout, &turned(&body, sides, by)).unwrap();
    let map = st_map(&body.layout, texels, &slide, &Control::default()).unwrap();
    let (mut inside, mut padding) = (0, 0);
    for (k, st) in floats(&map).chunks_exact(4).enumerate() {
        let (x, y) = (k % size[0], k / size[0]);
        let Some(at) = texels.at(&body.layout, x, y) else {
            let own = texels.grid.uv(x, y);
            assert_eq!(*st, [own.x as f32, own.y as f32, 0.0, 0.0]);
            continue;
        };
        let p = body.place(&at);
        if !(0.0..=2.0).contains(&p.y) {
            continue;
        }
        let (u, v) = (Real::from(st[0]), Real::from(st[1]));
        let side = ((u - 0.13) / 0.71 * sides as Real).rem_euclid(sides as Real);
        assert!((0.13 - 1e-6..=0.84 + 1e-6).contains(&u), "the island ends there: {u}");
        let away = (side - side_of(&p, sides) - by).rem_euclid(sides as Real);
        let away = away.min(sides as Real - away) * 0.71 / sides as Real * size[0] as Real;
        let down = ((v - 0.1) / 0.8 * 2.0 - p.y).abs() * 0.4 * size[1] as Real;
        assert!(away < 1e-3 && down < 1e-3, "{x} {y}: {away} {down} texels");
        let a = if at.padding { 0.0 } else { 1.0 };
        assert_eq!(st[3], a);
        // A side is 2 sin(pi / 16) wide.
        assert!(st[2] > 1.5 && st[2] < 2.0, "{}", st[2]);
        (inside, padding) = (inside + usize::from(!at.padding), padding + usize::from(at.padding));
    }
    assert!(inside > 30_000 && padding > 200, "{inside} {padding}");
}

/// A band around the cube over four of its islands.
#[test]
fn around_a_cube_the_pattern_goes_from_island_to_island() {
    let cells = 8;
    let body = Body::new(shapes::cube(2.0, cells), [600, 400], 2);
    // Along the belt x, z around y: 0 to 8 from the middle of the side +z over +x.
    let belt = |p: &Vec3| {
        let at = if p.z >= p.x.abs() {
            p.x
        } else if p.x >= p.z.abs() {
            2.0 - p.z
        } else if -p.z >= p.x.abs() {
            4.0 - p.x
        } else {
            6.0 + p.z
        };
        at.rem_euclid(8.0)
    };
    let place = |s: Real, y: Real| {
        let s = (s + 1.0).rem_euclid(8.0) - 1.0;
        match ((s + 1.0) / 2.0).floor() as i32 {
            0 => Vec3::new(s, y, 1.0),
            1 => Vec3::new(1.0, y, 2.0 - s),
            2 => Vec3::new(4.0 - s, y, -1.0),
            _ => Vec3::new(-1.0, y, s - 6.0),
        }
    };
    let by = 0.71;
    // Turned in the middle, at rest on the top and the bottom, in between less and less.
    let amount = |y: Real| by * (2.0 - 2.0 * y.abs()).clamp(0.0, 1.0);
    let skin = body.skin(|p| if p.y.abs() < 0.99 { place(belt(p) + amount(p.y), p.y) } else { *p });
    let slide = Slide::from_skin(&body.layout, &skin).unwrap();
    let pattern = |s: Real, y: Real| [(0.5 + 0.4 * (TAU * s / 8.0 * 3.0 + y).sin()) as f32];
    let source = body.paint(70.0, |at| {
        let p = body.place(at);
        pattern(belt(&p), p.y)
    });
    let baked = body.bake(&slide, Content::Data, source);
    let (worst, count) = body.compare(&baked, |at| {
        let p = body.place(at);
        (p.y.abs() < 0.48).then(|| pattern(belt(&p) + by, p.y))
    });
    println!("cube: {worst:.2e} over {count} texels");
    assert!(worst < 1.5e-3 && count > 40_000, "{worst} {count}");
}

/// Its gutter is the surface behind the seam, and held UVs find there what lies under the face; paint beyond it stays.
#[test]
fn a_padded_texture_goes_on_over_the_seam_as_held_uvs_do() {
    let (sides, size) = (16, [300, 240]);
    let body = Body::new(tube(sides), size, 24);
    let pattern = |side: Real, y: Real| {
        let angle = TAU * side / sides as Real;
        [(0.5 + 0.4 * (3.0 * angle + 2.0 * y).sin()) as f32]
    };
    let painted = body.paint(-50.0, |at| {
        let p = body.place(at);
        pattern(side_of(&p, sides), p.y)
    });
    let source = source(&body.layout, Content::Data, painted, &mut Room::unbounded()).unwrap();
    let picture = padded(&body.layout, &body.texels[0], &source, &Control::default()).unwrap();
    let found = floats(&picture);
    assert_eq!((found[0], found[size[0] - 1]), (-50.0, -50.0));
    let (worst, count) = body.compare(std::slice::from_ref(&picture), |at| {
        let p = body.place(at);
        (0.02..1.98).contains(&p.y).then(|| pattern(side_of(&p, sides), p.y))
    });
    println!("gutter: {worst:.2e} over {count} texels");
    // 213 texels of the island and 24 on each side of it, over nearly all of 192 rows.
    assert!(worst < 1.5e-3 && count > 48_000, "{worst} {count}");
    let skin = turned(&body, sides, 1.37);
    let mut uvs = vec![0.0; 2 * body.layout.corner_count()];
    let mut scratch = UvScratch::default();
    body.layout.islands.all_uvs(&skin, SeamSide::Held, &mut scratch, &mut uvs).unwrap();
    let sample = |u: Real, v: Real| {
        let (x, y) = (u * size[0] as Real - 0.5, (1.0 - v) * size[1] as Real - 0.5);
        let at = |dx: Real, dy: Real| {
            Real::from(found[(y.floor() + dy) as usize * size[0] + (x.floor() + dx) as usize])
        };
        let (tx, ty) = (x - x.floor(), y - y.floor());
        let row = |dy: Real| at(0.0, dy) * (1.0 - tx) + at(1.0, dy) * tx;
        row(0.0) * (1.0 - ty) + row(1.0) * ty
    };
    let (mut beyond, mut off) = (0, 0.0f64);
    for (uv, &v) in uvs.chunks_exact(2).zip(&body.layout.corner_vertices) {
        let p = skin[v as usize].position(&body.layout.tri);
        if (0.1..1.9).contains(&p.y) {
            beyond += usize::from(uv[0] > 0.84 + 1e-9);
            let [wanted] = pattern(side_of(&p, sides), p.y);
            off = off.max((sample(uv[0], uv[1]) - Real::from(wanted)).abs());
        }
    }
    println!("held: {off:.2e}, {beyond} corners beyond the seam");
    assert!(off < 2e-3 && beyond >= 30, "{off} {beyond}");
}

/// A gutter that reaches over the border of a tile continues in the next, which gets a picture of its own.
#[test]
fn a_gutter_goes_on_in_the_tile_beside() {
    let sides = 12;
    let mut mesh = shapes::cylinder(1.0, 2.0, sides, 4);
    mesh.uvs.as_mut().unwrap().values.iter_mut().for_each(|uv| uv.y = 0.2 + 0.6 * uv.y);
    let layout = Layout::new(&mesh).unwrap();
    let size = [120, 100];
    assert_eq!(layout.tiles_with_padding(size, 0), [Tile { u: 0, v: 0 }]);
    let tiles = layout.tiles_with_padding(size, 10);
    assert_eq!(tiles, [Tile { u: 0, v: 0 }, Tile { u: 1, v: 0 }]);
    let mut picture = Picture::new(size, 1, Depth::Float);
    let ramp = |k: usize| (k % size[0]) as f32 / size[0] as f32;
    picture.samples = Samples::F32((0..size[0] * size[1]).map(ramp).collect());
    let source = source(&layout, Content::Data, vec![(tiles[0], picture)], &mut Room::unbounded()).unwrap();
    let texels = Texels::new(&layout, tiles[1], size, 10, &Control::default()).unwrap();
    let beside = padded(&layout, &texels, &source, &Control::default()).unwrap();
    let row = &floats(&beside)[50 * size[0]..51 * size[0]];
    // Behind u = 1 the texture repeats.
    assert!((0..10).all(|x| (row[x] - ramp(x)).abs() < 1e-5), "{:?}", &row[..12]);
    assert!(row[11..].iter().all(|&x| x == 0.0));
}
