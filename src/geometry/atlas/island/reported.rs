//! Counts of the faces that UV seams affect in a frame.

use super::{IslandUvs, UvScratch};
use crate::{SurfacePoint, TriMesh};
use rayon::prelude::*;
use sinew_math::{Mat3x2, Real, Vec2, Vec3};
use std::ops::Add;

/// Before finding the tile of a UV, it is moved towards the middle of its face by this fraction.
const INWARDS: Real = 1e-6;
/// A face jumps if its UVs move by more than this multiple of the effect of its slide over the body: UV density varies.
const DENSER: Real = 4.0;
/// And by more than this in the UVs: 8 texels of 4096.
const LEAST_JUMP: Real = 0.002;
/// Faces per parallel task.
const AT_ONCE: usize = 1024;

/// The material point of each vertex, and the UVs of the corners there, two numbers each.
#[derive(Clone, Copy)]
pub struct SlidUvs<'a> {
    /// By vertex.
    pub points: &'a [SurfacePoint],
    /// By corner.
    pub uvs: &'a [Real],
}

/// How many faces have UVs that a renderer reads from elsewhere in the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeamFaces {
    /// Drawn partly or wholly from beyond a seam: the texture there must continue the surface.
    pub over: usize,
    /// Of these, with corners in different tiles.
    pub in_two_tiles: usize,
    /// Of these, with corners in a tile in which the mesh has no UVs, or in none.
    pub outside: usize,
    /// Faces whose UVs jump across a seam between two frames.
    pub jumped: usize,
    /// The largest slide of faces across a seam, in UVs as dense as at rest: the texture must extend this far beyond.
    pub reach: Real,
}

impl Add for SeamFaces {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        SeamFaces {
            over: self.over + other.over,
            in_two_tiles: self.in_two_tiles + other.in_two_tiles,
            outside: self.outside + other.outside,
            jumped: self.jumped + other.jumped,
            reach: self.reach.max(other.reach),
        }
    }
}

fn tile(uv: Vec2) -> [i64; 2] {
    [uv.x.floor() as i64, uv.y.floor() as i64]
}

/// The tiles that contain corners of triangles or their middles.
pub(super) fn tiles(tri: &TriMesh, corner_uvs: &[Vec2]) -> Vec<[i64; 2]> {
    let of = |corners: &[u32; 3]| {
        let uvs = corners.map(|c| corner_uvs[c as usize]);
        let middle = uvs.iter().sum::<Vec2>() / 3.0;
        let [a, b, c] = uvs.map(|uv| tile(uv.lerp(&middle, INWARDS)));
        [a, b, c, tile(middle)]
    };
    let mut found: Vec<[i64; 2]> = Vec::new();
    for tile in tri.corners.iter().flat_map(of) {
        if let Err(at) = found.binary_search(&tile) {
            found.insert(at, tile);
        }
    }
    found
}

impl IslandUvs {
    /// Counts the faces of the frame that [`IslandUvs::all_uvs`] last wrote with this memory.
    pub fn seam_faces(&self, now: SlidUvs, before: Option<SlidUvs>, scratch: &UvScratch) -> SeamFaces {
        let each = scratch.seen.par_iter().enumerate().with_min_len(AT_ONCE).map(|(face, seen)| {
            let over = seen.over;
            let jumped = before.is_some_and(|before| self.has_jumped(face, &before, &now));
            let (in_two_tiles, outside) = if over { self.in_tiles(face, now.uvs) } else { (false, false) };
            let reach = if over { self.slid_by(face, now.points) } else { 0.0 };
            SeamFaces {
                over: usize::from(over),
                in_two_tiles: usize::from(in_two_tiles),
                outside: usize::from(outside),
                jumped: usize::from(jumped),
                reach,
            }
        });
        each.reduce(SeamFaces::default, SeamFaces::add)
    }

    fn corners(&self, face: usize) -> std::ops::Range<usize> {
        self.corner_starts[face] as usize..self.corner_starts[face + 1] as usize
    }

    /// Whether the corners of a face are in two tiles, and whether one is in no tile of the mesh.
    fn in_tiles(&self, face: usize, uvs: &[Real]) -> (bool, bool) {
        let corners = self.corners(face);
        let uv = |c: usize| Vec2::new(uvs[2 * c], uvs[2 * c + 1]);
        let middle = corners.clone().map(uv).sum::<Vec2>() / corners.len() as Real;
        let of = |c: usize| tile(uv(c).lerp(&middle, INWARDS));
        let first = of(corners.start);
        let two = corners.clone().any(|c| of(c) != first);
        (two, corners.into_iter().any(|c| self.tiles.binary_search(&of(c)).is_err()))
    }

    fn has_jumped(&self, face: usize, before: &SlidUvs, now: &SlidUvs) -> bool {
        self.corners(face).any(|c| {
            let uv = |slid: &SlidUvs| Vec2::new(slid.uvs[2 * c], slid.uvs[2 * c + 1]);
            let moved = (uv(now) - uv(before)).norm();
            if moved <= LEAST_JUMP {
                return false;
            }
            let vertex = self.corner_vertices[c] as usize;
            let [from, to] = [before, now].map(|slid| slid.points[vertex].position(&self.mesh));
            let way = to - from;
            let under = now.points[vertex].triangle;
            let explained = self.in_uvs(self.largest[face], &way).max(self.in_uvs(under, &way));
            moved > LEAST_JUMP + DENSER * explained
        })
    }

    fn slid_by(&self, face: usize, points: &[SurfacePoint]) -> Real {
        let slid = |c: usize| {
            let vertex = self.corner_vertices[c] as usize;
            self.in_uvs(
                self.largest[face],
                &(points[vertex].position(&self.mesh) - self.mesh.positions[vertex]),
            )
        };
        self.corners(face).map(slid).fold(0.0, Real::max)
    }

    /// The length of a displacement in the UVs of a triangle, into whose plane it is rotated.
    fn in_uvs(&self, triangle: u32, way: &Vec3) -> Real {
        let [a, b, c] = self.mesh.points(triangle as usize);
        let (sides, uvs) = (Mat3x2::from_columns(&[b - a, c - a]), self.own_view(triangle).sides());
        let Some(inverse) = (sides.transpose() * sides).try_inverse() else { return 0.0 };
        let along = inverse * (sides.transpose() * way);
        let length = (uvs * along).norm() * (way.norm() / (sides * along).norm());
        // A displacement perpendicular to the plane, or zero, has no length in it.
        if length.is_finite() { length } else { 0.0 }
    }
}
