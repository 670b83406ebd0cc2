//! What the filter preserves and what it removes.

use super::*;
use sinew_geometry::shapes;
use std::f64::consts::TAU;

fn noisy(body: &Body, depth: Depth, channels: usize) -> Vec<(Tile, Picture)> {
    let picture = |texels: &Texels| {
        let mut picture = Picture::new(texels.size(), channels, depth);
        match &mut picture.samples {
            Samples::U8(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = noise(k) as u8),
            Samples::U16(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = noise(k) as u16),
            Samples::F32(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = noise(k) as f32 * 1e-3 - 7.0),
        }
        (texels.tile(), picture)
    };
    body.texels.iter().map(picture).collect()
}

/// Texels of `b` that differ from the texels of `a` given by `from`.
fn differing(body: &Body, a: &Picture, b: &Picture, from: impl Fn(usize, usize) -> (usize, usize)) -> usize {
    let equal = |p: usize, q: usize| match (&a.samples, &b.samples) {
        (Samples::U8(a), Samples::U8(b)) => a[p] == b[q],
        (Samples::U16(a), Samples::U16(b)) => a[p] == b[q],
        (Samples::F32(a), Samples::F32(b)) => a[p].to_bits() == b[q].to_bits(),
        _ => false,
    };
    let texels = body.texels.iter().find(|t| t.size() == [b.width, b.height]).unwrap();
    let mut count = 0;
    for (x, y) in (0..b.height).flat_map(|y| (0..b.width).map(move |x| (x, y))) {
        let inside = texels.at(&body.layout, x, y).is_some_and(|at| !at.padding);
        let (sx, sy) = from(x, y);
        let same = (0..b.channels)
            .all(|c| equal((sy * a.width + sx) * a.channels + c, (y * b.width + x) * b.channels + c));
        count += usize::from(inside && !same);
    }
    count
}

#[test]
fn skin_at_rest_bakes_every_depth_and_content_bit_for_bit() {
    // UVs for which a product with an inverse is not exactly the identity.
    let mut uneven = shapes::torus(2.0, 0.5, 12, 9);
    for (k, uv) in uneven.uvs.iter_mut().flat_map(|layer| &mut layer.values).enumerate() {
        let shift = |k: usize| 0.01 * Real::from(noise(k)) / Real::from(u32::MAX);
        *uv = *uv * 0.9 + Vec2::new(0.04 + shift(2 * k), 0.04 + shift(2 * k + 1));
    }
    let even = [shapes::cube(1.0, 3), shapes::torus(2.0, 0.5, 12, 9), patchwork(6, Vec2::new(0.45, 0.4))];
    for mesh in even.into_iter().chain([uneven]) {
        let body = Body::new(mesh, [96, 80], 2);
        let uvs = mapped(&body.mesh, |uv| uv);
        for slide in [Slide::at_rest(&body.layout).unwrap(), Slide::from_uvs(&body.layout, &uvs).unwrap()] {
            let displacement = Content::Displacement { middle: Some(0.5), scale: 1.0 };
            for content in
                [Content::Colour, Content::Data, displacement, Content::Normal { green_down: true }]
            {
                for depth in [Depth::Bits8, Depth::Bits16, Depth::Float] {
                    for channels in [1, 2, 3, 4] {
                        if channels < 3 && matches!(content, Content::Normal { .. }) {
                            continue;
                        }
                        let source = noisy(&body, depth, channels);
                        let baked = body.bake(&slide, content, source.clone());
                        let wrong = differing(&body, &source[0].1, &baked[0], |x, y| (x, y));
                        assert_eq!(wrong, 0, "{content:?} {depth:?} {channels}");
                    }
                }
            }
        }
    }
}

/// The skin of a torus or a cylinder, turned around its axis by a number of sides.
fn turned(body: &Body, [around_ring, across]: [usize; 2], sides: Real) -> Slide {
    let corner =
        |i: Real, j: usize| body.mesh.positions[j * around_ring + i.rem_euclid(around_ring as Real) as usize];
    let closest = ClosestPoint::new(&body.layout.tri).unwrap();
    let skin: Vec<_> = (0..across * around_ring)
        .map(|v| {
            let (i, j) = ((v % around_ring) as Real, v / around_ring);
            closest.find(&around(|i| corner(i, j), i + sides), 1e-9).unwrap().on
        })
        .collect();
    Slide::from_skin(&body.layout, &skin).unwrap()
}

#[test]
fn a_turn_by_whole_texels_shifts_them_over_the_seam_bit_for_bit() {
    // 12 sides of 8 texels; by 20 texels, 2.5 sides.
    let body = Body::new(shapes::cylinder(1.0, 2.0, 12, 4), [96, 60], 0);
    let slide = turned(&body, [12, 5], 2.5);
    for depth in [Depth::Bits8, Depth::Bits16, Depth::Float] {
        let source = noisy(&body, depth, 3);
        let baked = body.bake(&slide, Content::Colour, source.clone());
        assert_eq!(differing(&body, &source[0].1, &baked[0], |x, y| ((x + 20) % 96, y)), 0, "{depth:?}");
    }
}

#[test]
fn heights_are_scaled_about_their_middle_and_alpha_is_not() {
    let body = Body::new(shapes::torus(2.0, 0.5, 12, 8), [32, 32], 0);
    let slide = Slide::at_rest(&body.layout).unwrap();
    let source = body.paint(0.0, |_| [0.75, 0.25]);
    let baked = body.bake(&slide, Content::Displacement { middle: Some(0.5), scale: 2.0 }, source);
    assert_eq!(floats(&baked[0])[..2], [1.0, 0.25]);
}

/// A red tattoo on transparent green: where its rim is blended and reduced, the visible colour is red.
#[test]
fn what_is_hidden_under_no_alpha_does_not_show_at_the_rim() {
    let body = Body::new(shapes::grid(1.0, 1.0, 4, 4), [64, 64], 1);
    for (depth, most) in [(Depth::Bits8, 255u16), (Depth::Bits16, u16::MAX)] {
        let mut picture = Picture::new([256, 256], 4, depth);
        let number = |k: usize| {
            let (x, y) = (k / 4 % 256, k / 1024);
            let inked = (x as Real - 130.0).hypot(y as Real - 120.0) < 60.0;
            if [inked, !inked, false, inked][k % 4] { most } else { 0 }
        };
        picture.samples = match depth {
            Depth::Bits8 => Samples::U8((0..256 * 256 * 4).map(|k| number(k) as u8).collect()),
            _ => Samples::U16((0..256 * 256 * 4).map(number).collect()),
        };
        let slide = Slide::from_uvs(&body.layout, &mapped(&body.mesh, |uv| uv * 0.9 + Vec2::repeat(0.0513)));
        let baked = body.bake(&slide.unwrap(), Content::Colour, vec![(Tile::default(), picture)]);
        let stored: Vec<u16> = match &baked[0].samples {
            Samples::U8(s) => s.iter().map(|x| u16::from(*x)).collect(),
            Samples::U16(s) => s.clone(),
            Samples::F32(_) => panic!("floats"),
        };
        let seen = stored.chunks_exact(4).filter(|texel| texel[3] > most / 50);
        let rim = seen.clone().filter(|texel| texel[3] < most).count();
        assert!(rim > 100 && seen.clone().all(|texel| texel[0] == most && texel[2] == 0), "{depth:?}");
        assert!(seen.clone().all(|texel| texel[1] <= most / 50), "{depth:?}: green shows");
    }
}

/// Textures that do not fit into memory are in files, and everything else stays the same.
#[test]
fn textures_in_files_bake_to_the_same_bits() {
    let body = Body::new(patchwork(6, Vec2::new(1.1, 0.1)), [700, 650], 2);
    let turn = mapped(&body.mesh, |uv| uv + Vec2::new(0.01 * uv.y, -0.013));
    let slide = Slide::from_uvs(&body.layout, &turn).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (depth, channels) in [(Depth::Bits8, 4), (Depth::Bits16, 3), (Depth::Float, 1)] {
        let bake = |room: &mut Room| -> Vec<Picture> {
            let source = source(&body.layout, Content::Colour, noisy(&body, depth, channels), room).unwrap();
            let bake = |t: &Texels| bake(&body.layout, t, &slide, &source, &Control::default()).unwrap();
            body.texels.iter().map(bake).collect()
        };
        assert_eq!(body.layout.tiles().len(), 2);
        assert!(bake(&mut Room::unbounded()) == bake(&mut Room::new(0, folder.path())), "{depth:?}");
    }
}

/// Slid by a rotation of the UVs, a pattern of waves of 16 texels is the analytic one within the error of bilinear
/// mixing, h^2/8 times the sum of the second derivatives.
#[test]
fn a_rotation_stays_within_the_bilinear_bound() {
    let size = 256;
    let body = Body::new(shapes::grid(1.0, 1.0, 8, 8), [size, size], 0);
    let wave = TAU * size as Real / 16.0;
    let pattern = |uv: Vec2| 0.5 + 0.25 * (wave * uv.x).sin() + 0.25 * (wave * uv.y).cos();
    let source = body.paint(9.0, |at| [pattern(body.layout.islands.uv(&at.on)) as f32]);
    let (sin, cos) = 0.5f64.sin_cos();
    let turned = |uv: Vec2| {
        let d = uv - Vec2::repeat(0.5);
        Vec2::repeat(0.5) + Vec2::new(cos * d.x - sin * d.y, sin * d.x + cos * d.y)
    };
    let slide = Slide::from_uvs(&body.layout, &mapped(&body.mesh, turned)).unwrap();
    let baked = body.bake(&slide, Content::Data, source);
    let (worst, count) = body.compare(&baked, |at| {
        let uv = turned(body.layout.islands.uv(&at.on));
        let inside = uv.iter().all(|x| (0.01..0.99).contains(x));
        inside.then(|| [pattern(uv) as f32])
    });
    let texel = wave / size as Real;
    let bound = 2.0 * 0.25 * texel * texel / 8.0;
    println!("rotation: {worst:.2e} of a bound of {bound:.2e} over {count} texels");
    assert!(Real::from(worst) < 1.01 * bound && count > 40_000);
}

/// A quarter of the size: waves too short for the result vanish, and the rest is the mean over the sixteen texels.
#[test]
fn a_reduction_by_four_is_the_box_mean_and_does_not_alias() {
    let fine = Body::new(shapes::grid(1.0, 1.0, 4, 4), [256, 256], 0);
    let small = Body::new(shapes::grid(1.0, 1.0, 4, 4), [64, 64], 0);
    // A wave of 4 texels in 256, far above what 64 can show, on one of 64.
    let pattern = |uv: Vec2| 0.5 + 0.3 * (TAU * 64.0 * uv.x).sin() + 0.2 * (TAU * 4.0 * uv.y).sin();
    let source = fine.paint(0.0, |at| [pattern(fine.layout.islands.uv(&at.on)) as f32]);
    let slide = Slide::at_rest(&small.layout).unwrap();
    let baked = small.bake(&slide, Content::Data, source.clone());
    let numbers = floats(&source[0].1);
    for (k, found) in floats(&baked[0]).iter().enumerate() {
        let (x, y) = (4 * (k % 64), 4 * (k / 64));
        let mean = (0..16).map(|m| numbers[(y + m / 4) * 256 + x + m % 4]).sum::<f32>() / 16.0;
        assert!((found - mean).abs() < 1e-6);
    }
    // Slid: the skin in the middle is contracted four times, in both directions and in one.
    for squeeze in [Vec2::new(4.0, 4.0), Vec2::new(4.0, 1.0), Vec2::new(2.5, 1.0)] {
        let map = |uv: Vec2| Vec2::repeat(0.5) + (uv - Vec2::repeat(0.5)).component_mul(&squeeze);
        let slide = Slide::from_uvs(&fine.layout, &mapped(&fine.mesh, map)).unwrap();
        let pattern = |uv: Vec2| 0.5 + 0.3 * (TAU * 100.0 * uv.x).sin();
        let source = fine.paint(0.0, |at| [pattern(fine.layout.islands.uv(&at.on)) as f32]);
        let baked = fine.bake(&slide, Content::Data, source);
        let left = |picture: &[Picture]| {
            fine.compare(picture, |at| {
                let uv = map(fine.layout.islands.uv(&at.on));
                uv.iter().all(|x| (0.1..0.9).contains(x)).then_some([0.5])
            })
        };
        let (worst, count) = left(&baked);
        println!("squeezed by {squeeze:?}: {worst:.3} of 0.3 is left over {count} texels");
        // 100 waves squeezed by 2.5 are 250 in 256 texels: above what can be shown, which is 128.
        assert!(worst < 0.08 && count > 2000, "{worst} {count}");
    }
}

#[test]
fn colours_are_mixed_in_linear_light() {
    let small = Body::new(shapes::grid(1.0, 1.0, 2, 2), [32, 32], 0);
    let mut picture = Picture::new([64, 64], 3, Depth::Bits8);
    picture.samples =
        Samples::U8((0..64 * 64 * 3).map(|k| if (k / 3 + k / 192) % 2 == 0 { 255 } else { 0 }).collect());
    let slide = Slide::at_rest(&small.layout).unwrap();
    let bake =
        |content| match &small.bake(&slide, content, vec![(Tile::default(), picture.clone())])[0].samples {
            Samples::U8(s) => s.clone(),
            _ => panic!("no bytes"),
        };
    // Half of the light is stored as 188, half of the number is 128.
    assert!(bake(Content::Colour).iter().all(|&x| x == 188));
    assert!(bake(Content::Data).iter().all(|&x| x == 128));
}

#[test]
fn one_thread_and_two_make_the_same_bits() {
    let body = Body::new(shapes::torus(2.0, 0.5, 24, 16), [300, 200], 4);
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let slide = turned(&body, [24, 16], 3.37);
            let again = Body::new(body.mesh.clone(), [300, 200], 4);
            let colours = again.bake(&slide, Content::Colour, noisy(&again, Depth::Bits8, 3));
            let normals =
                again.bake(&slide, Content::Normal { green_down: false }, noisy(&again, Depth::Bits16, 3));
            let map = st_map(&again.layout, &again.texels[0], &slide, &Control::default()).unwrap();
            (colours, normals, map)
        })
    };
    assert!(made(1) == made(2));
}
