//! The body of the demo: a procedural head whose neck turns and swallows.

use sinew_anatomy::head::{APPLE, HOOPS, surface, swallow};
use sinew_anatomy::shaping::{pulse, step, turned};
use sinew_geometry::{CornerLayer, Mesh};
use sinew_math::elementary::hypot;
use sinew_math::{Real, Vec2, Vec3};
use std::f64::consts::{PI, TAU};

/// The last frame; the first, 1, is the rest.
pub const FRAMES: i64 = 48;
/// The frames of the farthest turn and of the top of the swallow, which are drawn and measured.
pub const SHOWN_FRAMES: [i64; 2] = [TURNED, SWALLOWING];
pub const TURNED: i64 = 20;
pub const SWALLOWING: i64 = 38;
/// Rows of quads from the collar to the crown, and quads around.
const ROWS: usize = 112;
const AROUND: usize = 96;
/// The rotation of the head, in radians.
const TURN: Real = 0.7;

/// The last row of the head's table.
pub const CROWN: Real = (HOOPS.len() - 1) as Real;
/// The skin slides from the collar's to the jaw's row.
const SLIDES: [Real; 2] = [0.3, 7.2];

/// The angle of a column; columns are denser in front, where the tattoo is; the seam is at the nape.
fn angle_at(i: usize) -> Real {
    let u = 2.0 * i as Real / AROUND as Real - 1.0;
    PI * (0.7 * u + 0.3 * u * u * u)
}

fn row_at(j: usize) -> Real {
    CROWN * j as Real / ROWS as Real
}

/// The UV of a place: around by the angle, upwards so that the neck has most of the room.
pub fn uv(row: Real, angle: Real) -> Vec2 {
    Vec2::new(0.5 + angle / TAU * ISLAND, height(row) / height(CROWN))
}

/// The place of a UV: the inverse of [`uv`], continued around the nape in the margins.
pub fn place(uv: Vec2) -> [Real; 2] {
    let high = uv.y * height(CROWN);
    let row = if high < height(NECK) { high / DENSE } else { NECK + high - height(NECK) };
    let turns = (uv.x - 0.5) / ISLAND;
    [row, (turns - turns.round()) * TAU]
}

/// The width of the island of UVs: the margins beside it take what slides over the seam.
const ISLAND: Real = 0.9;

const NECK: Real = 6.5;
const DENSE: Real = 3.0;

fn height(row: Real) -> Real {
    row.min(NECK) * DENSE + (row - NECK).max(0.0)
}

/// The mesh at rest.
pub fn rest() -> Mesh {
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut uvs = CornerLayer::default();
    for j in 0..=ROWS {
        mesh.positions.extend((0..AROUND).map(|i| surface(row_at(j), angle_at(i))));
        uvs.values.extend((0..=AROUND).map(|i| uv(row_at(j), angle_at(i))));
    }
    for (i, j) in (0..ROWS).flat_map(|j| (0..AROUND).map(move |i| (i, j))) {
        for (i, j) in [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)] {
            mesh.corner_vertices.push((j * AROUND + i % AROUND) as u32);
            uvs.indices.push((j * (AROUND + 1) + i) as u32);
        }
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    }
    mesh.uvs = Some(uvs);
    mesh
}

/// Where the skin may slide: on the neck.
pub fn region(rest: &Mesh) -> Vec<Real> {
    let row = |v: usize| row_at(v / AROUND);
    (0..rest.positions.len())
        .map(|v| Real::from(u8::from(row(v) > SLIDES[0] && row(v) < SLIDES[1])))
        .collect()
}

/// The time of a frame in seconds.
pub fn time(frame: i64) -> Real {
    (frame - 1) as Real / 24.0
}

/// The position of a point of the body at rest: the head turns and comes back, then the Adam's apple goes up and down.
pub fn moved(p: Vec3, time: Real) -> Vec3 {
    let p = swallow(p, swallowed(time));
    let share = step(0.035, 0.135, p.y + 0.1 * p.z);
    turned(p, Vec3::zeros(), Vec3::y(), TURN * share * pulse([0.0, 0.7, 0.9, 1.25], time))
}

/// How far up the Adam's apple is, as a fraction of its travel.
pub fn swallowed(time: Real) -> Real {
    pulse([1.15, 1.5, 1.6, 1.95], time)
}

/// Points of the skin over the Adam's apple.
pub fn marks(rest: &Mesh) -> Vec<Vec3> {
    let near = |p: &&Vec3| p.z > 0.0 && hypot(p.x / 0.012, (p.y - APPLE) / 0.015) < 1.0;
    rest.positions.iter().filter(near).copied().collect()
}

/// Short hairs on the throat.
pub fn stubble() -> (Mesh, Vec<Vec<u32>>) {
    let (mut mesh, mut lines) = (Mesh { face_offsets: vec![0], ..Mesh::default() }, Vec::new());
    for (i, j) in (20..38).flat_map(|j| (0..25).map(move |i| (i, j))) {
        // A golden-ratio shift from row to row looks less combed than a grid.
        let angle = (i as Real - 12.0 + (j as Real * 0.618).fract()) * 0.07;
        let row = row_at(j) + 0.1;
        let root = surface(row, angle);
        let (up, side) = (surface(row + 0.01, angle) - root, surface(row, angle + 0.01) - root);
        let out = side.cross(&up).try_normalize(0.0).unwrap_or_else(Vec3::z);
        lines.push(vec![mesh.positions.len() as u32, mesh.positions.len() as u32 + 1]);
        mesh.positions.extend([root, root + (out * 0.7 - Vec3::y() * 0.7) * 0.004]);
    }
    (mesh, lines)
}
