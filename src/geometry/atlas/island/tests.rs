use super::*;
use crate::{ClosestPoint, CornerLayer, Surface, face_uv_area, shapes};

struct Ground {
    mesh: Mesh,
    tri: TriMesh,
    edges: HalfEdges,
    uvs: IslandUvs,
}

impl Ground {
    fn new(mesh: Mesh) -> Self {
        let tri = TriMesh::from_mesh(&mesh).unwrap();
        let edges = HalfEdges::of_triangles(tri.positions.len(), &tri.triangles);
        let uvs = IslandUvs::new(&mesh, &tri, &edges).unwrap();
        Ground { mesh, tri, edges, uvs }
    }

    fn own(&self, corner: usize) -> Vec2 {
        let layer = self.mesh.uvs.as_ref().unwrap();
        layer.values[layer.indices[corner] as usize]
    }

    fn face_uvs(&self, points: &[SurfacePoint], face: usize) -> Vec<Vec2> {
        let mut out = vec![Vec2::zeros(); points.len()];
        self.uvs.face_uvs(points, face, &mut out).unwrap();
        out
    }

    /// Where the vertices of a face are.
    fn now(&self, face: usize, points: &[SurfacePoint]) -> Vec<SurfacePoint> {
        self.mesh.face(face).iter().map(|&v| points[v as usize]).collect()
    }

    /// Each vertex of a face in the `pick`-th of the triangles around it.
    fn at_home(&self, face: usize, pick: usize) -> Vec<SurfacePoint> {
        let point = |&v: &u32| {
            let around: Vec<u32> = self.edges.around(v).collect();
            let h = around[pick % around.len()];
            let mut weights = [0.0; 3];
            weights[h as usize % 3] = 1.0;
            SurfacePoint { triangle: h / 3, weights }
        };
        self.mesh.face(face).iter().map(point).collect()
    }

    fn assert_identity(&self) {
        for (face, pick) in (0..self.mesh.face_count()).flat_map(|f| (0..8).map(move |k| (f, k))) {
            let uvs = self.face_uvs(&self.at_home(face, pick), face);
            let own: Vec<Vec2> = self.mesh.corners(face).map(|c| self.own(c)).collect();
            assert_eq!(uvs, own, "face {face}");
        }
    }
}

/// The letter L and the square in its notch, each with UVs of its own.
fn letter() -> Mesh {
    let flat = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0], [3.0, 3.0]];
    let corner_vertices = vec![0, 1, 2, 3, 4, 5, 3, 2, 6, 4];
    let values = corner_vertices.iter().enumerate().map(|(k, &v)| {
        let p = Vec2::from(flat[v as usize]);
        if k < 6 { p } else { Vec2::new(10.0 - 2.0 * p.y, p.x) }
    });
    Mesh {
        positions: flat.iter().map(|p| Vec3::new(p[0], p[1], 0.0)).collect(),
        face_offsets: vec![0, 6, 10],
        uvs: Some(CornerLayer { values: values.collect(), indices: (0..10).collect() }),
        corner_vertices,
        ..Mesh::default()
    }
}

#[test]
fn faces_that_did_not_move_keep_their_uvs_bit_for_bit() {
    for mesh in [
        shapes::grid(1.0, 2.0, 5, 4),
        shapes::cylinder(1.0, 2.0, 7, 3),
        shapes::torus(2.0, 0.7, 9, 6),
        shapes::cube(2.0, 1),
        shapes::cube(2.0, 3),
        letter(),
    ] {
        Ground::new(mesh).assert_identity();
    }
}

/// An unrolled prism is a plane, so that the slide has an exact answer.
#[test]
fn a_slide_around_a_cut_cylinder_is_a_shift_in_every_face() {
    let (around, along) = (12, 5);
    let ground = Ground::new(shapes::cylinder(1.0, 2.0, around, along));
    let cell = |x: Real, row: usize| {
        // The vertices of a row, x cells along it; the last row lies in the cells below it.
        let (column, s) = ((x.floor() as usize) % around, x - x.floor());
        let (j, top) = if row < along { (row, false) } else { (row - 1, true) };
        let vertex = |i: usize| ((j + usize::from(top)) * around + i % around) as u32;
        let (a, b) = (vertex(column), vertex(column + 1));
        let has = |t: &[u32; 3]| t.contains(&a) && t.contains(&b);
        let triangle = ground.tri.triangles.iter().position(has).unwrap();
        let weight = |v: u32| {
            if v == a {
                1.0 - s
            } else if v == b {
                s
            } else {
                0.0
            }
        };
        SurfacePoint { triangle: triangle as u32, weights: ground.tri.triangles[triangle].map(weight) }
    };
    let mut worst: Real = 0.0;
    for shift in [0.0, 1e-9, 0.25, 0.5, 0.999, 1.0, 3.7, 11.5] {
        for face in 0..ground.mesh.face_count() {
            let (i, j) = (face % around, face / around);
            let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            let points = corners.map(|(i, j)| cell(i as Real + shift, j));
            let uvs = ground.face_uvs(&points, face);
            let turns = uvs[0].x - (i as Real + shift) / around as Real;
            assert!((turns - turns.round()).abs() < 1e-12, "{turns}");
            for (uv, (i, j)) in uvs.iter().zip(corners) {
                let x = (i as Real + shift) / around as Real + turns.round();
                worst = worst.max((uv - Vec2::new(x, j as Real / along as Real)).amax());
            }
        }
    }
    assert!(worst < 1e-12, "{worst:e}");
}

/// A torus whose vertices have walked around it by `along` and around its tube by `up`.
fn slid_torus(ground: &Ground, along: Real, up: Real) -> Vec<SurfacePoint> {
    let surface = Surface::new(&ground.tri, &ground.edges);
    // Every vertex walks by the same angles, from the triangle in which it starts.
    (0..ground.tri.positions.len() as u32)
        .map(|v| {
            let p = ground.tri.positions[v as usize];
            let h = ground.edges.around(v).next().unwrap();
            let mut weights = [0.0; 3];
            weights[h as usize % 3] = 1.0;
            let ring = Vec3::new(p.z, 0.0, -p.x).normalize();
            let radial = Vec3::new(p.x, 0.0, p.z).normalize();
            let tube = radial * -p.y / 0.7 + Vec3::y() * (Vec2::new(p.x, p.z).norm() - 2.0) / 0.7;
            surface.walk(SurfacePoint { triangle: h / 3, weights }, ring * along + tube * up).end
        })
        .collect()
}

#[test]
fn faces_away_from_seams_are_seen_as_from_their_middle() {
    let ground = Ground::new(shapes::torus(2.0, 0.7, 48, 24));
    let mut joined = 0;
    for (along, up) in [(0.0, 0.0), (0.0, 0.1), (0.2, 0.0), (0.11, -0.07), (0.031, 0.013), (1.7, 0.9)] {
        let slid = slid_torus(&ground, along, up);
        for face in 0..ground.mesh.face_count() {
            let points = ground.now(face, &slid);
            if ground.uvs.joined(&points) {
                let mut seen = vec![Vec2::zeros(); 4];
                ground.uvs.seen_from_middle(&points, face, &mut seen);
                let uvs = ground.face_uvs(&points, face);
                assert!(uvs.iter().zip(&seen).all(|(a, b)| (a - b).amax() < 1e-12), "{uvs:?} {seen:?}");
                joined += 1;
            }
        }
    }
    // Three rows of 24 and three columns of 48 touch a seam, and long walks spread neighbours.
    assert!(joined > 6 * 48 * 24 * 2 / 3, "{joined}");
}

#[test]
fn a_slide_over_a_curved_surface_with_seams_turns_no_face_over() {
    let ground = Ground::new(shapes::torus(2.0, 0.7, 48, 24));
    for (along, up) in [(0.0, 0.1), (0.2, 0.0), (0.11, -0.07)] {
        let slid = slid_torus(&ground, along, up);
        for face in 0..ground.mesh.face_count() {
            let points = ground.now(face, &slid);
            let uvs = ground.face_uvs(&points, face);
            let mut one = Mesh { face_offsets: vec![0, 4], ..Mesh::default() };
            one.corner_vertices = vec![0; 4];
            let layer = CornerLayer { values: uvs, indices: (0..4).collect() };
            let area = face_uv_area(&one, &layer, 0).unwrap() * (48.0 * 24.0);
            assert!((0.5..1.6).contains(&area), "face {face}: {area}");
        }
    }
}

#[test]
fn over_a_cubes_edge_the_map_goes_on_unfolded() {
    // A square on the top slides across the edge to the side in +z.
    let ground = Ground::new(shapes::cube(2.0, 4));
    let closest = ClosestPoint::new(&ground.tri).unwrap();
    let at = |x: Real, y: Real, z: Real| closest.find(&Vec3::new(x, y, z), 1e-9).unwrap().on;
    let face = (0..96)
        .find(|&f| {
            let middle =
                ground.mesh.face(f).iter().map(|&v| ground.tri.positions[v as usize]).sum::<Vec3>() / 4.0;
            (middle - Vec3::new(0.25, 1.0, 0.75)).norm() < 1e-9
        })
        .unwrap();
    let home = ground.face_uvs(&ground.at_home(face, 0), face);
    // By 0.1 over the edge: z > 1 becomes y < 1.
    let slid: Vec<SurfacePoint> = ground
        .mesh
        .face(face)
        .iter()
        .map(|&v| {
            let p = ground.tri.positions[v as usize] + Vec3::z() * 0.1;
            at(p.x, 1.0 - (p.z - 1.0).max(0.0), p.z.min(1.0))
        })
        .collect();
    let moved = ground.face_uvs(&slid, face);
    let shift = moved[0] - home[0];
    assert!(shift.norm() > 0.01);
    assert!(home.iter().zip(&moved).all(|(a, b)| (b - a - shift).norm() < 1e-13), "{home:?} {moved:?}");
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let mut mesh = shapes::grid(1.0, 1.0, 2, 2);
    let ground = Ground::new(mesh.clone());
    let mut out = [Vec2::zeros(); 4];
    let mut points = ground.at_home(1, 0);
    let kind = |points: &[SurfacePoint], face, out: &mut [Vec2]| {
        ground.uvs.face_uvs(points, face, out).unwrap_err().kind()
    };
    assert_eq!(kind(&points, 9, &mut out), Kind::OutOfRange);
    assert_eq!(kind(&points[1..], 1, &mut out), Kind::CountMismatch);
    points[2].weights[0] = Real::NAN;
    assert_eq!(kind(&points, 1, &mut out), Kind::NotFinite);
    points[2].triangle = 99;
    assert_eq!(kind(&points, 1, &mut out), Kind::OutOfRange);
    mesh.uvs.as_mut().unwrap().indices[9] = NO_VALUE;
    let refused = |mesh: &Mesh| IslandUvs::new(mesh, &ground.tri, &ground.edges).err().unwrap();
    assert_eq!(refused(&mesh).place().face, Some(2));
    mesh.uvs = None;
    assert_eq!(refused(&mesh).kind(), Kind::MissingInput);
}

/// Halfway around the prism's axis the plane of the middle is no help; the search over triangles finds it.
#[test]
fn faces_as_large_as_the_surface_still_get_uvs() {
    let ground = Ground::new(shapes::cylinder(1.0, 2.0, 24, 2));
    let points: Vec<SurfacePoint> =
        [0, 12, 24, 36].map(|t| SurfacePoint { triangle: t, weights: [0.2, 0.3, 0.5] }).to_vec();
    let uvs = ground.face_uvs(&points, 0);
    assert!(uvs.iter().all(|uv| uv.amax() < 2.0), "{uvs:?}");
}

#[test]
fn all_faces_at_once_are_as_one_by_one() {
    let ground = Ground::new(shapes::torus(2.0, 0.7, 24, 12));
    let surface = Surface::new(&ground.tri, &ground.edges);
    let (n, corners) = (ground.mesh.positions.len(), ground.mesh.corner_vertices.len());
    let (mut scratch, mut all) = (UvScratch::default(), vec![0.0; 2 * corners]);
    let mut compared = 0;
    // Up to several cells, over which the skin is stretched by half.
    for far in [0.0, 0.1, 0.7, 2.0] {
        let slide = |v: usize| {
            let p = &ground.mesh.positions[v];
            let h = ground.edges.around(v as u32).next().unwrap();
            let mut weights = [0.0; 3];
            weights[h as usize % 3] = 1.0;
            let way = Vec3::new(-p.z, 0.3, p.x) * (far * (0.3 + 0.2 * p.x));
            surface.walk(SurfacePoint { triangle: h / 3, weights }, way).end
        };
        let mut points: Vec<SurfacePoint> = (0..n).map(slide).collect();
        ground.uvs.all_uvs(&points, SeamSide::Nearest, &mut scratch, &mut all).unwrap();
        for face in (0..ground.mesh.face_count()).filter(|&f| ground.uvs.joined(&ground.now(f, &points))) {
            for (c, uv) in ground.mesh.corners(face).zip(ground.face_uvs(&ground.now(face, &points), face)) {
                assert!((uv - Vec2::new(all[2 * c], all[2 * c + 1])).norm() < 1e-12, "{far} {face}");
                compared += 1;
            }
        }
        points[50].weights = [0.7; 3];
        let error = ground.uvs.all_uvs(&points, SeamSide::Nearest, &mut scratch, &mut all).unwrap_err();
        assert_eq!(error.kind(), Kind::NotFinite);
        let face = error.place().face.unwrap();
        assert!(ground.mesh.face(face as usize).contains(&50));
        let error = ground.uvs.all_uvs(&points[1..], SeamSide::Nearest, &mut scratch, &mut all).unwrap_err();
        assert_eq!(error.kind(), Kind::CountMismatch);
    }
    assert!(compared > corners, "{compared}");
}

/// On a curved surface the paths over a seam by which faces find their corners end slightly apart.
#[test]
fn corners_that_share_a_uv_at_rest_share_one_when_slid_unless_a_seam_has_come_between() {
    let ground = Ground::new(shapes::torus(2.0, 0.7, 24, 12));
    let corners = ground.mesh.corner_vertices.len();
    let shares = |a: usize, b: usize| {
        ground.mesh.corner_vertices[a] == ground.mesh.corner_vertices[b] && ground.own(a) == ground.own(b)
    };
    let pairs: Vec<[usize; 2]> =
        (0..corners).flat_map(|a| (0..a).filter(move |&b| shares(a, b)).map(move |b| [a, b])).collect();
    let (mut scratch, mut met, mut parted) = (UvScratch::default(), 0, 0);
    for (along, up) in [(0.0, 0.0), (0.11, -0.07), (-0.2, 0.1), (0.4, 0.3)] {
        let points = slid_torus(&ground, along, up);
        for side in [SeamSide::Held, SeamSide::Nearest] {
            let (mut uvs, mut alone) = (vec![0.0; 2 * corners], vec![Vec2::zeros(); corners]);
            ground.uvs.all_uvs(&points, side, &mut scratch, &mut uvs).unwrap();
            for face in 0..ground.mesh.face_count() {
                let range = ground.mesh.corners(face);
                ground.uvs.face_uvs_from(&ground.now(face, &points), face, side, &mut alone[range]);
            }
            let uv = |c: usize| Vec2::new(uvs[2 * c], uvs[2 * c + 1]);
            for [a, b] in pairs.iter().copied() {
                met += usize::from(uv(a) == uv(b) && (alone[a] - alone[b]).norm() > 1e-6);
                if uv(a) != uv(b) {
                    // The seams are whole circles, so what they part lies a whole turn apart.
                    assert!(side == SeamSide::Nearest && (uv(a) - uv(b)).amax() > 0.9, "{along} {a} {b}");
                    parted += 1;
                }
            }
            for c in 0..corners {
                let off = (uv(c) - alone[c]).norm();
                let spread = |other: usize| {
                    let way = alone[other] - alone[c];
                    if way.amax() < 0.5 { way.norm() } else { 0.0 }
                };
                let widest = (0..corners).filter(|&o| shares(c, o)).map(spread).fold(1e-12, Real::max);
                assert!(off <= widest, "{along} corner {c}: {off} of {widest}");
            }
        }
    }
    assert!(met > 100 && parted > 100, "{met} {parted}");
}

/// On a sheet of 4 by 4 faces three of the four corners at a vertex nearly agree.
#[test]
fn a_corner_that_was_found_over_a_detour_is_outvoted_where_faces_are_held() {
    let ground = Ground::new(shapes::grid(1.0, 1.0, 4, 4));
    let corners = ground.mesh.corner_vertices.len();
    let at_rest: Vec<Real> = (0..corners).flat_map(|c| [ground.own(c).x, ground.own(c).y]).collect();
    let vertex = 6;
    let around: Vec<usize> = (0..corners).filter(|&c| ground.mesh.corner_vertices[c] == vertex).collect();
    assert_eq!(around.len(), 4);
    let seen = vec![Seen::default(); ground.mesh.face_count()];
    for (detour, nearest) in [(0.7, false), (0.02, true)] {
        for side in [SeamSide::Held, SeamSide::Nearest] {
            let mut uvs = at_rest.clone();
            uvs[2 * around[1]] += detour;
            uvs[2 * around[2]] += 1e-3;
            uvs[2 * around[3]] -= 1e-3;
            let given = uvs.clone();
            ground.uvs.share(side, &seen, &mut Default::default(), &mut uvs);
            let counted = if nearest { 4.0 } else { 3.0 };
            let mean = at_rest[2 * around[0]] + if nearest { detour / counted } else { 0.0 };
            for (k, &c) in around.iter().enumerate() {
                let alone = k == 1 && side == SeamSide::Nearest && !nearest;
                let wanted = if alone { given[2 * c] } else { mean };
                assert!((uvs[2 * c] - wanted).abs() < 1e-15, "{side:?} {k}: {} {wanted}", uvs[2 * c]);
                assert_eq!(uvs[2 * c + 1].to_bits(), at_rest[2 * c + 1].to_bits());
            }
            let others = (0..2 * corners).filter(|n| !around.contains(&(n / 2)));
            assert!(others.into_iter().all(|n| uvs[n].to_bits() == at_rest[n].to_bits()));
        }
    }
}

/// Turned little by little all around, a tube's faces never jump when they are held, and continue to where they would
/// be on a tube wound up further; seen from their current position, every face that passes the seam jumps once.
#[test]
fn held_faces_go_on_over_a_seam_and_others_jump_and_are_counted() {
    let (around, along) = (12, 3);
    let ground = Ground::new(shapes::cylinder(1.0, 2.0, around, along));
    let closest = ClosestPoint::new(&ground.tri).unwrap();
    let turned = |by: Real| -> Vec<SurfacePoint> {
        let place = |v: usize| {
            let at = (v % around) as Real + by;
            let corner =
                |i: Real| ground.tri.positions[v / around * around + i.rem_euclid(around as Real) as usize];
            corner(at.floor()).lerp(&corner(at.floor() + 1.0), at - at.floor())
        };
        (0..ground.tri.positions.len()).map(|v| closest.find(&place(v), 1e-9).unwrap().on).collect()
    };
    let corners = ground.mesh.corner_vertices.len();
    let mut jumps = [0; 2];
    for (k, side) in [SeamSide::Held, SeamSide::Nearest].into_iter().enumerate() {
        let mut scratch = UvScratch::default();
        let mut last: Option<(Vec<SurfacePoint>, Vec<Real>)> = None;
        for step in 0..=30 {
            let by = Real::from(step) * 0.17;
            let (points, mut uvs) = (turned(by), vec![0.0; 2 * corners]);
            ground.uvs.all_uvs(&points, side, &mut scratch, &mut uvs).unwrap();
            let before = last.as_ref().map(|(points, uvs)| SlidUvs { points, uvs });
            let reported = ground.uvs.seam_faces(SlidUvs { points: &points, uvs: &uvs }, before, &scratch);
            jumps[k] += reported.jumped;
            if side == SeamSide::Held {
                for c in 0..corners {
                    let wanted = ground.own(c) + Vec2::x() * (by / around as Real);
                    let off = (Vec2::new(uvs[2 * c], uvs[2 * c + 1]) - wanted).norm();
                    assert!(off < 1e-9, "{by}: corner {c} is off by {off}");
                }
                // Those that extend past u = 1 lie partly or wholly in a tile without UVs of the mesh.
                let over = by.ceil().min(12.0) as usize * along;
                assert_eq!((reported.over, reported.outside), (over, over), "{by}");
                let both = if by.fract() == 0.0 { 0 } else { along };
                assert_eq!(reported.in_two_tiles, both, "{by}");
            }
            last = Some((points, uvs));
        }
    }
    // By 5.1 sides in all: the middles of five columns pass the seam.
    assert_eq!(jumps, [0, 5 * along]);
}
