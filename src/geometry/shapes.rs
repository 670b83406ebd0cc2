//! Synthetic meshes with known properties, for examples, benchmarks and tests. All are wound counter-clockwise seen
//! from outside, y is up, and UVs are given where the unrolling is obvious.

use super::mesh::{CornerLayer, Mesh};
use sinew_math::elementary::{cos, sin};
use sinew_math::{Real, Vec2, Vec3};
use std::collections::HashMap;
use std::f64::consts::TAU;

/// Quads between rows of vertices: the corners of `across` by `along` cells, each a position and a UV; `vertex`
/// maps a cell's corner to its vertex, so that seams can be closed.
fn sheet(
    across: usize,
    along: usize,
    vertex: impl Fn(usize, usize) -> u32,
    uv: impl Fn(usize, usize) -> Vec2,
    positions: Vec<Vec3>,
) -> Mesh {
    let mut mesh = Mesh { positions, face_offsets: vec![0], ..Mesh::default() };
    let mut uvs = CornerLayer::default();
    for j in 0..=along {
        for i in 0..=across {
            uvs.values.push(uv(i, j));
        }
    }
    for j in 0..along {
        for i in 0..across {
            for (i, j) in [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)] {
                mesh.corner_vertices.push(vertex(i, j));
                uvs.indices.push((j * (across + 1) + i) as u32);
            }
            mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
        }
    }
    mesh.uvs = Some(uvs);
    mesh
}

fn unit_uv(across: usize, along: usize) -> impl Fn(usize, usize) -> Vec2 {
    move |i, j| Vec2::new(i as Real / across as Real, j as Real / along as Real)
}

/// A flat rectangle in the plane y = 0 around the origin, facing up: `across` by `along` quads, u along x and v along
/// -z.
pub fn grid(width: Real, depth: Real, across: usize, along: usize) -> Mesh {
    let mut positions = Vec::new();
    for j in 0..=along {
        for i in 0..=across {
            let (u, v) = (i as Real / across as Real, j as Real / along as Real);
            positions.push(Vec3::new((u - 0.5) * width, 0.0, (0.5 - v) * depth));
        }
    }
    sheet(across, along, |i, j| (j * (across + 1) + i) as u32, unit_uv(across, along), positions)
}

/// An open tube around the y axis, from y = 0 to `height`, with one UV seam from bottom to top.
pub fn cylinder(radius: Real, height: Real, around: usize, along: usize) -> Mesh {
    let mut positions = Vec::new();
    for j in 0..=along {
        for i in 0..around {
            let angle = TAU * i as Real / around as Real;
            let y = height * j as Real / along as Real;
            positions.push(Vec3::new(radius * sin(angle), y, radius * cos(angle)));
        }
    }
    let vertex = |i, j| (j * around + i % around) as u32;
    sheet(around, along, vertex, unit_uv(around, along), positions)
}

/// A torus around the y axis, with one UV seam around the tube and one along it.
pub fn torus(ring_radius: Real, tube_radius: Real, around: usize, across: usize) -> Mesh {
    let mut positions = Vec::new();
    for j in 0..across {
        for i in 0..around {
            let (ring, tube) = (TAU * i as Real / around as Real, TAU * j as Real / across as Real);
            let r = ring_radius + tube_radius * cos(tube);
            positions.push(Vec3::new(r * sin(ring), tube_radius * sin(tube), r * cos(ring)));
        }
    }
    let vertex = |i, j| ((j % across) * around + i % around) as u32;
    sheet(around, across, vertex, unit_uv(around, across), positions)
}

/// A cube around the origin, `cells` by `cells` quads on each side, with its six sides as UV islands in a 3 by 2 atlas.
pub fn cube(size: Real, cells: usize) -> Mesh {
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut uvs = CornerLayer::default();
    let mut vertices: HashMap<[usize; 3], u32> = HashMap::new();
    for side in 0..6 {
        let (axis, positive) = (side / 2, side % 2 == 1);
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        let first_uv = uvs.values.len() as u32;
        for j in 0..=cells {
            for i in 0..=cells {
                let (u, v) = (i as Real / cells as Real, j as Real / cells as Real);
                // A tenth of a tile stays free between the islands.
                let place = Vec2::new((side % 3) as Real, (side / 3) as Real);
                uvs.values.push(
                    (place + Vec2::new(0.05 + 0.9 * u, 0.05 + 0.9 * v)).component_div(&Vec2::new(3.0, 2.0)),
                );
            }
        }
        for j in 0..cells {
            for i in 0..cells {
                let mut corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                if !positive {
                    corners.reverse();
                }
                for (i, j) in corners {
                    let mut key = [0; 3];
                    (key[axis], key[a], key[b]) = (if positive { cells } else { 0 }, i, j);
                    let next = mesh.positions.len() as u32;
                    mesh.corner_vertices.push(*vertices.entry(key).or_insert_with(|| {
                        mesh.positions.push(Vec3::from(key.map(|k| k as Real / cells as Real - 0.5)) * size);
                        next
                    }));
                    uvs.indices.push(first_uv + (j * (cells + 1) + i) as u32);
                }
                mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
            }
        }
    }
    mesh.uvs = Some(uvs);
    mesh
}

/// A cuboid around the origin, one quad per side.
pub fn cuboid(size: &Vec3) -> Mesh {
    let mut mesh = cube(1.0, 1);
    mesh.positions.iter_mut().for_each(|p| p.component_mul_assign(size));
    mesh
}

/// A sphere around the origin: an icosahedron whose triangles are halved `halvings` times.
pub fn sphere(radius: Real, halvings: usize) -> Mesh {
    let g = (1.0 + 5.0f64.sqrt()) / 2.0;
    let corner = |x: Real, y: Real, z: Real| Vec3::new(x, y, z).normalize();
    let mut positions = Vec::new();
    for (a, b) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
        positions.extend([corner(a, b, 0.0), corner(0.0, a, b), corner(b, 0.0, a)]);
    }
    // Three corners form a face if all three are one edge apart.
    let edge = 2.0 / (1.0 + g * g).sqrt();
    let near = |a: usize, b: usize| ((positions[a] - positions[b]).norm() - edge).abs() < 1e-9;
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(c, a) {
                    let outward = positions[a].cross(&positions[b]).dot(&positions[c]) > 0.0;
                    let (b, c) = if outward { (b, c) } else { (c, b) };
                    triangles.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    for _ in 0..halvings {
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                positions.push((positions[a as usize] + positions[b as usize]).normalize());
                positions.len() as u32 - 1
            })
        };
        let halve = |[a, b, c]: [u32; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(halve).collect();
    }
    Mesh {
        positions: positions.into_iter().map(|p| p * radius).collect(),
        face_offsets: (0..=triangles.len() as u32).map(|t| 3 * t).collect(),
        corner_vertices: triangles.into_flattened(),
        ..Mesh::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The volume inside a closed mesh is positive only if its faces are oriented outwards.
    fn volume(mesh: &Mesh) -> Real {
        let point = |v: u32| mesh.positions[v as usize];
        let fan = |f: usize| {
            let face = mesh.face(f);
            (1..face.len() - 1)
                .map(|k| point(face[0]).dot(&point(face[k]).cross(&point(face[k + 1]))) / 6.0)
                .sum::<Real>()
        };
        (0..mesh.face_count()).map(fan).sum()
    }

    #[test]
    fn closed_shapes_are_wound_outwards_and_have_their_volume() {
        assert!((volume(&cube(2.0, 3)) - 8.0).abs() < 1e-12);
        assert!((volume(&cuboid(&Vec3::new(1.0, 2.0, 3.0))) - 6.0).abs() < 1e-12);
        let ball = volume(&sphere(1.0, 4));
        assert!((ball / (TAU * 2.0 / 3.0) - 1.0).abs() < 0.01, "{ball}");
        let ring = volume(&torus(2.0, 0.5, 200, 100));
        assert!((ring / (TAU * TAU / 2.0 * 2.0 * 0.25) - 1.0).abs() < 0.01, "{ring}");
    }

    #[test]
    fn every_shape_passes_the_checks() {
        for mesh in [
            grid(1.0, 2.0, 3, 4),
            cylinder(1.0, 1.0, 5, 2),
            torus(2.0, 0.5, 6, 5),
            cube(1.0, 2),
            sphere(1.0, 2),
        ] {
            mesh.check_counts().unwrap();
        }
        assert_eq!((sphere(1.0, 2).positions.len(), cube(1.0, 2).positions.len()), (162, 26));
    }
}
