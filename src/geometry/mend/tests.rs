use super::*;
use crate::{HalfEdges, shapes};

/// Adds a vertex.
fn vertex(mesh: &mut Mesh, x: Real, y: Real, z: Real) -> u32 {
    mesh.positions.push(Vec3::new(x, y, z));
    mesh.positions.len() as u32 - 1
}

/// Adds a face whose corners have the UV 0.
fn face(mesh: &mut Mesh, vertices: &[u32]) -> u32 {
    mesh.corner_vertices.extend(vertices);
    mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    if let Some(uvs) = &mut mesh.uvs {
        uvs.indices.extend(vertices.iter().map(|_| 0));
    }
    mesh.face_count() as u32 - 1
}

/// Every corner has a vertex of its own.
fn soup(mesh: &Mesh) -> Mesh {
    Mesh {
        positions: mesh.corner_vertices.iter().map(|&v| mesh.positions[v as usize]).collect(),
        corner_vertices: (0..mesh.corner_vertices.len() as u32).collect(),
        ..mesh.clone()
    }
}

/// 3 by 2 quads without UVs: vertices 0..=3 in the first row, 4..=7, 8..=11; z falls.
fn sheet() -> Mesh {
    Mesh { uvs: None, ..shapes::grid(3.0, 2.0, 3, 2) }
}

fn mended(mesh: &Mesh) -> Mended {
    let made = Mended::new(mesh, &[]).unwrap();
    made.mesh.check_counts().unwrap();
    let edges = HalfEdges::of_mesh(&made.mesh);
    assert!(edges.non_manifold_edges().is_empty() && edges.misoriented_edges().is_empty());
    assert!(
        edges.pinched_vertices().is_empty() && (0..edges.vertex_count() as u32).all(|v| edges.is_used(v))
    );
    made
}

#[test]
fn sound_meshes_stay_as_they_are() {
    for mesh in [shapes::torus(2.0, 0.5, 9, 6), shapes::cube(1.0, 3), shapes::cylinder(1.0, 2.0, 7, 3)] {
        let made = mended(&mesh);
        assert!(made.is_plain() && made.mesh == mesh && made.findings.sentences().is_empty());
    }
}

#[test]
fn a_soup_becomes_the_surface_that_it_was() {
    for mesh in [shapes::torus(2.0, 0.5, 9, 6), shapes::cube(1.0, 3), shapes::grid(3.0, 2.0, 6, 4)] {
        let split = soup(&mesh);
        let made = mended(&split);
        assert_eq!(made.mesh.positions.len(), mesh.positions.len());
        assert_eq!(made.findings.joined, split.positions.len() - mesh.positions.len());
        let (edges, whole) = (HalfEdges::of_mesh(&made.mesh), HalfEdges::of_mesh(&mesh));
        assert!(
            (0..edges.len() as u32).all(|h| edges.twin(h) == whole.twin(h)),
            "the same faces are beside each other"
        );
        assert!(
            (0..split.positions.len())
                .all(|v| { made.mesh.positions[made.vertex_of()[v] as usize] == split.positions[v] })
        );
        // Equal positions are kept to the bit; others are averaged.
        let mut moved = split.positions.clone();
        assert_eq!(made.places(&moved), made.mesh.positions);
        let vertex = made.vertex_of()[2] as usize;
        let members = made.members(vertex);
        moved[members[1] as usize].y += 0.5;
        let middle = 0.5 / members.len() as Real;
        let place = made.places(&moved)[vertex];
        assert!((place.y - split.positions[2].y - middle).abs() < 1e-12);
    }
}

#[test]
fn places_apart_by_round_off_are_one_and_others_are_not() {
    let mut split = soup(&shapes::torus(2.0, 0.5, 9, 6));
    for (k, p) in split.positions.iter_mut().enumerate() {
        p.x += 1e-7 * ((k * 7919 % 13) as Real - 6.0);
    }
    assert_eq!(mended(&split).mesh.positions.len(), 54);
    // Two sheets one above the other, a hundredth of an edge apart.
    let mut two = sheet();
    let (count, corners) = (two.positions.len() as u32, two.corner_vertices.clone());
    two.positions.extend(sheet().positions.iter().map(|p| p + Vec3::new(0.0, 0.01, 0.0)));
    for c in corners.chunks_exact(4) {
        face(&mut two, &[c[0], c[1], c[2], c[3]].map(|v| v + count));
    }
    let made = mended(&two);
    assert!(made.is_plain() && made.findings.pieces == 2);
}

#[test]
fn a_slit_is_joined_until_it_is_opened() {
    // The edge between the two rows is cut over its middle third: vertices 5 and 6 are there twice.
    let mut mesh = shapes::grid(5.0, 2.0, 5, 2);
    let twins: Vec<u32> = [7, 8, 9]
        .map(|v: usize| {
            let p = mesh.positions[v];
            vertex(&mut mesh, p.x, p.y, p.z)
        })
        .to_vec();
    mesh.corner_vertices[20..]
        .iter_mut()
        .filter(|v| (7..=9).contains(*v))
        .for_each(|v| *v = twins[*v as usize - 7]);
    let made = mended(&mesh);
    assert_eq!((made.stitches.len(), made.findings.joined), (4, 3));
    let mut opened: Vec<u32> = made.stitches[1..3].iter().flat_map(|stitch| stitch.corners).collect();
    opened.sort_unstable();
    let made = Mended::new(&mesh, &opened).unwrap();
    // The vertex between the two that are open is split again; the others are still connected by the adjacent edge.
    assert_eq!((made.stitches.len(), made.findings.joined), (2, 2));
}

#[test]
fn faces_without_area_are_left_out_and_what_is_beside_is_joined() {
    let mut mesh = sheet();
    // The right column is attached by copies of its vertices, with faces without area between.
    let twins = [2, 6, 10].map(|v: usize| {
        let p = mesh.positions[v];
        vertex(&mut mesh, p.x, p.y, p.z)
    });
    for corner in [8, 11, 20, 23] {
        let v = mesh.corner_vertices[corner];
        mesh.corner_vertices[corner] = twins[v as usize / 4];
    }
    let first = face(&mut mesh, &[2, twins[0], twins[1], 6]);
    face(&mut mesh, &[6, twins[1], twins[2]]);
    let made = mended(&mesh);
    assert_eq!((made.findings.flat.as_slice(), made.findings.pieces), (&[first, first + 1][..], 1));
    assert_eq!((made.mesh.positions.len(), made.findings.joined), (12, 3));
    // A quad with two corners at one position is a triangle.
    let mut pole = sheet();
    pole.positions[0] = pole.positions[1];
    let made = mended(&pole);
    assert_eq!((made.findings.partly_flat.as_slice(), made.mesh.face(0).len()), (&[0][..], 3));
    let reported = made.findings.sentences().join("\n");
    assert!(reported.contains("1 face has a part without area at rest, the first is face 0"), "{reported}");
}

#[test]
fn of_faces_with_the_same_vertices_the_one_that_fits_stays() {
    let mut mesh = sheet();
    // A face with opposite orientation that comes first, and one that begins elsewhere.
    let mut corners = vec![0, 4, 5, 1];
    corners.extend(&mesh.corner_vertices);
    mesh = Mesh { corner_vertices: corners, face_offsets: (0..=7).map(|f| 4 * f).collect(), ..mesh };
    let last = face(&mut mesh, &[6, 7, 3, 2]);
    let made = mended(&mesh);
    assert_eq!(made.findings.copies, [(0, 1), (last, 3)]);
    assert_eq!((made.faces(), made.findings.pieces), (&[1, 2, 3, 4, 5, 6][..], 1));
    // A sheet with a back: the front is kept, in whichever order its faces come.
    let mut two = sheet();
    for (k, corners) in sheet().corner_vertices.chunks_exact(4).enumerate() {
        let back = [corners[3], corners[2], corners[1], corners[0]];
        if k == 2 {
            two.corner_vertices[4 * k..4 * k + 4].copy_from_slice(&back);
        }
        face(&mut two, if k == 2 { corners } else { &back });
    }
    let made = mended(&two);
    assert_eq!((made.findings.copies.len(), made.findings.pieces), (6, 1));
    assert_eq!(made.faces(), [0, 1, 3, 4, 5, 8], "those of one side");
}

#[test]
fn a_copy_shows_the_skin_of_its_face_in_its_own_uvs() {
    let mut mesh = shapes::grid(3.0, 2.0, 3, 2);
    let same = face(&mut mesh, &[1, 2, 6, 5]);
    let other = face(&mut mesh, &[3, 2, 6, 7]);
    let uvs = mesh.uvs.as_mut().unwrap();
    let at: Vec<u32> = uvs.indices[4..8].to_vec();
    uvs.indices[24..28].copy_from_slice(&at);
    // The other copy lies mirrored and twice as large somewhere else.
    for (k, &v) in [3u32, 2, 6, 7].iter().enumerate() {
        let own = uvs.values[v as usize];
        uvs.values.push(Vec2::new(9.0 - 2.0 * own.x, 2.0 * own.y));
        uvs.indices[28 + k] = uvs.values.len() as u32 - 1;
    }
    let made = mended(&mesh);
    assert_eq!(made.findings.copies, [(same, 1), (other, 2)]);
    let layer = made.mesh.uvs.as_ref().unwrap();
    let slid: Vec<Vec2> =
        layer.indices.iter().map(|&i| layer.values[i as usize] + Vec2::new(0.1, 0.02)).collect();
    let all = made.spread_uvs(&slid);
    let of = |corner: usize| {
        mesh.uvs.as_ref().unwrap().values[mesh.uvs.as_ref().unwrap().indices[corner] as usize]
    };
    for (corner, uv) in all.iter().enumerate() {
        let way = if corner < 28 { Vec2::new(0.1, 0.02) } else { Vec2::new(-0.2, 0.04) };
        assert!((uv - of(corner) - way).norm() < 1e-12, "corner {corner}");
    }
}

#[test]
fn a_fin_ends_where_the_sheet_goes_on() {
    let mut mesh = sheet();
    let [a, b] = [(-0.5, 5), (0.5, 6)].map(|(x, _): (Real, u32)| vertex(&mut mesh, x, 1.0, 0.0));
    face(&mut mesh, &[5, 6, b, a]);
    for mesh in [mesh.clone(), soup(&mesh)] {
        let made = mended(&mesh);
        assert_eq!((made.findings.pieces, made.mesh.positions.len()), (2, 16));
    }
    let findings = mended(&mesh).findings;
    assert_eq!((findings.crowded.as_slice(), findings.bow_ties.as_slice()), (&[[5, 6]][..], &[5, 6][..]));
}

#[test]
fn what_looks_opposite_ways_or_meets_in_a_point_is_not_connected() {
    let mut mesh = sheet();
    mesh.corner_vertices[8..12].reverse();
    mesh.corner_vertices[20..24].reverse();
    let made = Mended::new(&mesh, &[]).unwrap();
    assert_eq!((made.findings.opposed.len(), made.findings.pieces), (2, 2));
    // Two quads that meet in vertex 0.
    let mut mesh = sheet();
    let [a, b, c] = [(-2.5, 1.0), (-2.5, 2.0), (-1.5, 2.0)].map(|(x, z)| vertex(&mut mesh, x, 0.0, z));
    face(&mut mesh, &[a, b, c, 0]);
    let loose = vertex(&mut mesh, 9.0, 9.0, 9.0);
    let made = mended(&mesh);
    assert_eq!((made.findings.bow_ties.as_slice(), made.findings.loose.as_slice()), (&[0][..], &[loose][..]));
    assert_eq!((made.findings.pieces, made.mesh.positions.len()), (2, 16));
    assert_eq!((made.vertex_of()[0], made.vertex_of()[loose as usize]), (0, NO_SKIN));
    let reported = made.findings.sentences().join("\n");
    for text in [
        "1 vertex joins faces at a single point only",
        "1 vertex is in no face",
        "2 pieces that are not connected",
    ] {
        assert!(reported.contains(text), "{reported}");
    }
}

#[test]
fn a_body_of_lone_triangles_is_refused() {
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    for k in 0..4 {
        let x = Real::from(k);
        let corners = [(x, 0.0), (x + 0.5, 0.0), (x, 0.5)].map(|(x, z)| vertex(&mut mesh, x, 0.0, z));
        face(&mut mesh, &corners);
    }
    let error = Mended::new(&mesh, &[]).unwrap_err();
    assert_eq!(error.kind(), Kind::Topology);
    assert!(error.to_string().contains("none of its 4 faces shares an edge"), "{error}");
    // A single connected one is enough; the others are held.
    let d = vertex(&mut mesh, 0.5, 0.0, 0.5);
    face(&mut mesh, &[1, d, 2]);
    let made = mended(&mesh);
    assert_eq!((made.findings.lone.as_slice(), made.is_plain()), (&[1, 2, 3][..], false));
    assert_eq!(made.alone().iter().filter(|alone| **alone).count(), 9);
    let flat = Mesh { positions: vec![Vec3::zeros(); mesh.positions.len()], ..mesh };
    assert_eq!(Mended::new(&flat, &[]).unwrap_err().kind(), Kind::Degenerate);
}

#[test]
fn the_order_of_faces_and_vertices_does_not_matter() {
    let mut mesh = soup(&shapes::torus(2.0, 0.5, 9, 6));
    let [a, b] = [0.0, 0.2].map(|x| vertex(&mut mesh, 3.0 + x, 1.0, 0.0));
    face(&mut mesh, &[4, 5, b, a]);
    let count = mesh.face_count();
    let order: Vec<usize> = (0..count).map(|f| f * 23 % count).collect();
    let mut other =
        Mesh { face_offsets: vec![0], uvs: None, positions: mesh.positions.clone(), ..Mesh::default() };
    let n = mesh.positions.len() as u32;
    let renumber = |v: u32| v * 31 % n;
    mesh.positions.iter().enumerate().for_each(|(v, p)| other.positions[renumber(v as u32) as usize] = *p);
    for &f in &order {
        let vertices: Vec<u32> = mesh.face(f).iter().map(|&v| renumber(v)).collect();
        face(&mut other, &vertices);
    }
    assert_ne!((n % 31, count % 23), (0, 0));
    let (one, two) = (mended(&mesh), mended(&other));
    assert_eq!(one.mesh.positions.len(), two.mesh.positions.len());
    assert_eq!(one.findings.pieces, two.findings.pieces);
    // The groups of joined vertices are the same.
    let of = |v: u32| two.vertex_of()[renumber(v) as usize];
    for vertex in 0..one.mesh.positions.len() {
        let members = one.members(vertex);
        assert!(members.iter().all(|&v| of(v) == of(members[0])));
    }
}
