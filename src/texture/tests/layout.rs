//! Which texel shows what, and what is refused.

use super::*;
use sinew_base::error::Kind;
use sinew_geometry::shapes;

#[test]
fn every_texel_of_a_full_square_is_covered_once_by_the_place_with_its_uv() {
    let body = Body::new(shapes::torus(2.0, 0.5, 9, 7), [53, 41], 2);
    let texels = &body.texels[0];
    for (x, y) in (0..41).flat_map(|y| (0..53).map(move |x| (x, y))) {
        let at = texels.at(&body.layout, x, y).unwrap();
        assert!(!at.padding && at.on.weights.iter().all(|&w| w > -1e-12));
        assert_eq!(at.face, body.layout.tri.faces[at.on.triangle as usize]);
        let uv = body.layout.islands.uv(&at.on);
        let centre = Vec2::new((x as Real + 0.5) / 53.0, 1.0 - (y as Real + 0.5) / 41.0);
        assert!((uv - centre).norm() < 1e-14);
    }
    assert_eq!((texels.warning(), body.layout.warning()), (None, None));
}

#[test]
fn padding_is_the_surface_behind_the_seam_unfolded() {
    // A side of the cube is 90 by 144 texels with gutters of 10 and 16.
    let body = Body::new(shapes::cube(2.0, 3), [300, 320], 4);
    let mut count = 0;
    for (x, y) in (0..320).flat_map(|y| (0..300).map(move |x| (x, y))) {
        let Some(at) = body.texels[0].at(&body.layout, x, y) else { continue };
        // The texel's position relative to its own island, in units of a side: 0 to 1 inside.
        let local = Vec2::new((x % 100) as Real + 0.5 - 5.0, (y % 160) as Real + 0.5 - 8.0);
        let side = local.component_div(&Vec2::new(90.0, 144.0));
        let out = side.map(|s| (-s).max(s - 1.0).max(0.0));
        assert_eq!(at.padding, out != Vec2::zeros(), "{x} {y}");
        if at.padding && (out.x == 0.0 || out.y == 0.0) {
            // As far down the side behind the edge as the texel is outside, in the metric of the island.
            let p = body.place(&at);
            let mut depths = p.map(|c| 1.0 - c.abs());
            depths.as_mut_slice().sort_by(Real::total_cmp);
            let inner = depths[1];
            let far = 2.0 * (out.x + out.y);
            let along =
                side.iter().zip(out.iter()).filter(|(_, o)| **o == 0.0).map(|(s, _)| 2.0 * s.min(1.0 - s));
            let expected = far.min(along.fold(9.0, Real::min));
            assert!((inner - expected).abs() < 1e-9, "{x} {y}: {inner} {expected}");
            count += 1;
        }
    }
    // Four texels on all sides of six islands, without the corners.
    assert_eq!(count, 6 * 2 * 4 * (90 + 144));
}

#[test]
fn past_a_border_of_the_mesh_the_last_triangle_goes_on() {
    let mut mesh = shapes::grid(1.0, 1.0, 4, 4);
    mesh.uvs.as_mut().unwrap().values.iter_mut().for_each(|uv| *uv = Vec2::repeat(0.25) + *uv * 0.5);
    let body = Body::new(mesh, [64, 64], 3);
    let at = body.texels[0].at(&body.layout, 14, 40).unwrap();
    assert!(at.padding && at.on.weights.iter().any(|&w| w < 0.0));
    let p = body.place(&at);
    let expected = Vec3::new((14.5 / 64.0 - 0.5) * 2.0, 0.0, (40.5 / 64.0 - 0.5) * 2.0);
    assert!((p - expected).norm() < 1e-12, "{p}");
    assert_eq!(body.texels[0].at(&body.layout, 11, 40), None);
    assert_eq!(body.texels[0].at(&body.layout, 99, 40), None);
}

#[test]
fn uvs_in_no_tile_and_uvs_that_are_no_numbers_are_refused_by_their_face() {
    let refused = |uv: Vec2| {
        let mut mesh = shapes::grid(1.0, 1.0, 2, 2);
        mesh.uvs.as_mut().unwrap().values[8] = uv;
        let error = Layout::new(&mesh).err().unwrap();
        (error.kind(), error.place().face)
    };
    assert_eq!(refused(Vec2::new(0.5, 1e30)), (Kind::OutOfRange, Some(3)));
    assert_eq!(refused(Vec2::new(Real::NAN, 0.5)).0, Kind::NotFinite);
    let mut mesh = shapes::grid(1.0, 1.0, 2, 2);
    mesh.uvs.as_mut().unwrap().values.iter_mut().for_each(|uv| uv.x -= 1.0);
    let error = Layout::new(&mesh).err().unwrap();
    assert!(
        error.kind() == Kind::OutOfRange && error.message().contains("no UVs are in a UDIM tile"),
        "{error}"
    );
    mesh.uvs = None;
    assert_eq!(Layout::new(&mesh).err().unwrap().kind(), Kind::MissingInput);
}

#[test]
fn overlapping_and_flat_uvs_are_reported_and_the_lower_face_has_the_texel() {
    let mut mesh = shapes::grid(1.0, 1.0, 2, 2);
    let layer = mesh.uvs.as_mut().unwrap();
    // The last face lies on the first, mirrored; the second has no area.
    let copies = layer.values.len() as u32;
    layer.values.extend([(0.5, 0.0), (0.0, 0.0), (0.0, 0.5), (0.5, 0.5)].map(|(u, v)| Vec2::new(u, v)));
    (0..4).for_each(|k| layer.indices[12 + k] = copies + k as u32);
    (0..4).for_each(|k| layer.indices[4 + k] = copies);
    let layout = Layout::new(&mesh).unwrap();
    let texels = Texels::new(&layout, Tile::default(), [64, 64], 0, &Control::default()).unwrap();
    let reported = texels.warning().unwrap();
    assert!(reported.contains("faces 0 and 3"), "{reported}");
    let number: usize =
        reported.split_whitespace().find_map(|w| w.parse().ok().filter(|&n| n != 1001)).unwrap();
    assert!((900..=1024).contains(&number), "{reported}");
    assert_eq!(texels.at(&layout, 10, 50).unwrap().face, 0);
    assert!(layout.warning().unwrap().starts_with("1 faces have no area in the UVs, the first is 1"));
    // Faces that merely touch, up to round-off, do not overlap.
    let mut mesh = shapes::grid(1.0, 1.0, 3, 3);
    let layer = mesh.uvs.as_mut().unwrap();
    let values: Vec<Vec2> = layer.indices.iter().map(|&i| layer.values[i as usize]).collect();
    layer.values = values.iter().enumerate().map(|(k, uv)| uv * (1.0 - 1e-7 * (k % 7) as Real)).collect();
    layer.indices = (0..36).collect();
    let layout = Layout::new(&mesh).unwrap();
    let texels = Texels::new(&layout, Tile::default(), [300, 300], 0, &Control::default()).unwrap();
    assert_eq!(texels.warning(), None);
}

#[test]
fn sizes_counts_and_pictures_that_do_not_fit_are_refused() {
    let mesh = patchwork(4, Vec2::new(1.1, 0.1));
    let layout = Layout::new(&mesh).unwrap();
    assert_eq!(layout.tiles().iter().map(|t| t.number()).collect::<Vec<_>>(), [1001, 1002]);
    let control = Control::default();
    let kind =
        |size, padding| Texels::new(&layout, Tile::default(), size, padding, &control).err().unwrap().kind();
    assert_eq!(kind([0, 5], 1), Kind::OutOfRange);
    assert_eq!(kind([MAX_SIDE + 1, 5], 1), Kind::OutOfRange);
    assert_eq!(kind([5, 5], 1000), Kind::OutOfRange);
    assert_eq!(Slide::from_uvs(&layout, &[0.0; 3]).err().unwrap().kind(), Kind::CountMismatch);
    assert_eq!(Slide::from_skin(&layout, &[]).err().unwrap().kind(), Kind::CountMismatch);
    let mut uvs = mapped(&mesh, |uv| uv);
    uvs[41] = Real::NAN;
    assert_eq!(Slide::from_uvs(&layout, &uvs).err().unwrap().place().face, Some(5));
    let picture = |depth| Picture::new([8, 8], 3, depth);
    let source = |pictures| source(&layout, Content::Colour, pictures, &mut Room::unbounded()).err().unwrap();
    let [first, second] = [layout.tiles()[0], layout.tiles()[1]];
    let mixed = source(vec![(first, picture(Depth::Bits8)), (second, picture(Depth::Half))]);
    assert_eq!(mixed.kind(), Kind::CountMismatch);
    let mut broken = picture(Depth::Float);
    broken.samples = Samples::F32(vec![Real::NAN as f32; 192]);
    assert_eq!(source(vec![(first, broken), (second, picture(Depth::Float))]).kind(), Kind::NotFinite);
    control.cancel();
    assert_eq!(kind([5, 5], 1), Kind::Cancelled);
}

/// UVs that slid over a seam at the border of the tiles, as written by ourselves.
#[test]
fn faces_partly_in_no_tile_are_reported_and_shown_as_far_as_tiles_go() {
    let mut mesh = shapes::grid(1.0, 1.0, 4, 4);
    mesh.uvs.as_mut().unwrap().values.iter_mut().for_each(|uv| uv.x -= 0.1);
    let layout = Layout::new(&mesh).unwrap();
    assert_eq!(layout.tiles(), [Tile::default()]);
    assert!(
        layout.outside_warning().unwrap().starts_with("4 faces have UVs in no UDIM tile, the first is 0")
    );
    let texels = Texels::new(&layout, Tile::default(), [100, 100], 0, &Control::default()).unwrap();
    assert_eq!(texels.at(&layout, 0, 99).unwrap().face, 0);
    assert_eq!(texels.at(&layout, 95, 99), None);
    mesh.uvs.as_mut().unwrap().values.iter_mut().for_each(|uv| uv.x += 9.2);
    let layout = Layout::new(&mesh).unwrap();
    assert_eq!(layout.tiles(), [Tile { u: 9, v: 0 }], "there are no tiles beyond the tenth column");
    assert!(layout.outside_warning().is_some());
}

/// Around an island with slanted borders near the top of its tile every texel within reach is padding, and no other.
#[test]
fn padding_reaches_equally_far_from_borders_of_any_direction() {
    let corners = [[10.3, 3.2], [44.7, 5.9], [50.2, 40.4], [4.6, 33.1]].map(Vec2::from);
    let mut mesh = shapes::grid(1.0, 1.0, 1, 1);
    let layer = mesh.uvs.as_mut().unwrap();
    layer.values = corners.iter().map(|p| Vec2::new(p.x / 64.0, 1.0 - p.y / 64.0)).collect();
    layer.indices = vec![0, 1, 2, 3];
    for padding in [1, 4] {
        let body = Body::new(mesh.clone(), [64, 64], padding);
        for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))) {
            let p = Vec2::new(x as Real + 0.5, y as Real + 0.5);
            let sides = (0..4).map(|k| (corners[k], corners[(k + 1) % 4]));
            let inside = sides.clone().all(|(a, b)| (b - a).perp(&(p - a)) > 0.0);
            let far = sides.map(|(a, b)| {
                let share = ((b - a).dot(&(p - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
                (a + (b - a) * share - p).norm()
            });
            let padded = !inside && far.fold(Real::INFINITY, Real::min) <= padding as Real + 0.25;
            let at = body.texels[0].at(&body.layout, x, y);
            assert_eq!(at.as_ref().is_some_and(|at| at.padding), padded, "{padding}: {x} {y}");
            assert_eq!(at.is_some(), inside || padded, "{padding}: {x} {y}");
        }
    }
}

#[test]
fn tiles_above_the_first_row_are_those_of_the_uvs() {
    let mut mesh = shapes::grid(1.0, 1.0, 2, 2);
    mesh.uvs.as_mut().unwrap().values.iter_mut().for_each(|uv| *uv += Vec2::new(3.0, 2.0));
    let layout = Layout::new(&mesh).unwrap();
    assert_eq!(layout.tiles(), [Tile { u: 3, v: 2 }]);
}
