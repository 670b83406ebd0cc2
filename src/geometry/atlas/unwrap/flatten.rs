//! One chart, laid flat.

use super::Ground;
use super::cut::Cut;
use crate::atlas::harmonic::harmonic;
use crate::measure::{cotangents, larger_stretch};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_linalg::order::Order;
use sinew_linalg::spd::SpdSolver;
use sinew_math::elementary::{cos, sin};
use sinew_math::{Real, Vec2, Vec3};
use sprs::TriMat;
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The stages of flattening a chart that are reported.
const STAGES: usize = 4;

/// How many faces have gone through how many stages; charts are flattened side by side. Reported percent by percent.
pub(super) struct Progress<'a> {
    control: &'a Control,
    done: AtomicUsize,
    all: usize,
}

impl<'a> Progress<'a> {
    /// Of charts that have this many faces together.
    pub fn new(control: &'a Control, faces: usize) -> Self {
        Progress { control, done: AtomicUsize::new(0), all: (STAGES * faces).max(1) }
    }

    /// A stage of a chart is done; an error if the caller wants to stop.
    fn advance(&self, faces: usize) -> Result<()> {
        let before = self.done.fetch_add(faces, Ordering::Relaxed);
        let now = before + faces;
        if 100 * before / self.all == 100 * now / self.all {
            return self.control.check();
        }
        self.control.progress(now as f64 / self.all as f64, "flattening the charts")
    }
}

/// A chart in the plane, with its area on the surface.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    /// By the chart's own count of its copies of vertices.
    pub uvs: Vec<Vec2>,
    pub stretch: Real,
    pub on_circle: bool,
    pub flipped: Vec<u32>,
}

/// Lays flat a chart in which [`Cut::flaw`] finds nothing wrong.
pub(super) fn flatten(ground: &Ground, cut: &Cut, chart: usize, progress: &Progress) -> Result<Flat> {
    let sheet = Sheet::new(ground, cut, chart);
    // Triangles without area may leave a vertex without weights; on a circle weights are positive.
    let free = sheet.conformal(progress).ok();
    progress.control.check()?;
    let free = free.filter(|uvs| sheet.is_one_to_one(uvs));
    let on_circle = free.is_none();
    let mut uvs = match free {
        Some(uvs) => uvs,
        None => sheet.on_circle()?,
    };
    sheet.scale(&mut uvs);
    Ok(Flat { stretch: sheet.stretch(&uvs), flipped: sheet.flipped(&uvs), on_circle, uvs })
}

/// The triangles of a chart.
struct Sheet<'a> {
    ground: &'a Ground,
    points: Vec<Vec3>,
    /// Each triangle of the mesh with its vertices in the chart.
    triangles: Vec<(usize, [usize; 3])>,
    loops: Vec<Vec<usize>>,
    /// The number of polygons.
    faces: usize,
}

impl<'a> Sheet<'a> {
    fn new(ground: &'a Ground, cut: &Cut, chart: usize) -> Self {
        let chart = &cut.charts[chart];
        let local = |corner: u32| cut.local[cut.copies[corner as usize] as usize] as usize;
        let mut points = vec![Vec3::zeros(); chart.copies.len()];
        let mut triangles = Vec::new();
        for t in chart.faces.iter().flat_map(|&face| ground.triangles(face)) {
            let vertices = ground.tri.corners[t].map(local);
            vertices.iter().zip(ground.tri.points(t)).for_each(|(&v, p)| points[v] = p);
            triangles.push((t, vertices));
        }
        let loops = chart.loops.iter().map(|around| around.iter().map(|&h| local(h)).collect()).collect();
        Sheet { ground, points, triangles, loops, faces: chart.faces.len() }
    }

    /// The triangles that have an area on the surface.
    fn with_area(&self) -> impl Iterator<Item = (usize, [usize; 3])> {
        self.triangles.iter().copied().filter(|(t, _)| self.ground.areas[*t] > self.ground.no_area)
    }

    /// The map of least conformal energy: half the integral of |du|² + |dv|², less the area in the plane \[LSCM §2\].
    /// Two vertices far from each other keep their distance, which decides scale and turn.
    fn conformal(&self, progress: &Progress) -> Result<Vec<Vec2>> {
        let n = self.points.len();
        let pins = self.far_apart();
        let length = (self.points[pins[1]] - self.points[pins[0]]).norm();
        let mut unknowns = vec![None; n];
        let free = (0..n).filter(|v| !pins.contains(v));
        free.enumerate().for_each(|(k, v)| unknowns[v] = Some(2 * k));
        let size = 2 * (n - 2);
        let (mut sum, mut x) = (TriMat::new((size, size)), vec![0.0; size]);
        // The only pinned coordinate that is not zero is u of the second pin.
        let mut add =
            |(a, i): (usize, usize), (b, j): (usize, usize), value: Real| match (unknowns[a], unknowns[b]) {
                (Some(row), Some(column)) => sum.add_triplet(row + i, column + j, value),
                (Some(row), None) if b == pins[1] && j == 0 => x[row + i] -= value * length,
                _ => {}
            };
        for (t, vertices) in self.with_area() {
            let Some(cot) = cotangents(self.ground.tri.points(t)) else { continue };
            for k in 0..3 {
                let (a, b, w) = (vertices[k], vertices[(k + 1) % 3], 0.5 * cot[(k + 2) % 3]);
                for axis in 0..2 {
                    let (a, b) = ((a, axis), (b, axis));
                    for (row, column, w) in [(a, a, w), (b, b, w), (a, b, -w), (b, a, -w)] {
                        add(row, column, w);
                    }
                }
                // The area is the sum of (u_a v_b - u_b v_a) / 2.
                for (u, v, w) in [(a, b, -0.5), (b, a, 0.5)] {
                    add((u, 0), (v, 1), w);
                    add((v, 1), (u, 0), w);
                }
            }
        }
        if size > 0 {
            let faces = self.faces;
            let matrix = sum.to_csr();
            progress.advance(faces)?;
            let mut solver = SpdSolver::new(&matrix, &Order::amd(&matrix, 1)?)?;
            progress.advance(faces)?;
            solver.factor(&matrix)?;
            progress.advance(faces)?;
            solver.solve(&mut x)?;
            progress.advance(faces)?;
        }
        let place = |v: usize| match unknowns[v] {
            Some(k) => Vec2::new(x[k], x[k + 1]),
            None => Vec2::new(if v == pins[1] { length } else { 0.0 }, 0.0),
        };
        Ok((0..n).map(place).collect())
    }

    /// Two vertices of the border, the second the farthest from the first, the first the farthest from the middle.
    fn far_apart(&self) -> [usize; 2] {
        let middle = self.points.iter().sum::<Vec3>() / self.points.len() as Real;
        let farthest = |from: Vec3, but: usize| {
            let distance = |&v: &usize| (self.points[v] - from).norm_squared();
            let others = self.loops.iter().flatten().copied().filter(|&v| v != but);
            others.max_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
        };
        let first = farthest(middle, usize::MAX);
        [first, farthest(self.points[first], first)]
    }

    /// No triangle is flipped, and the borders do not cross, so that no two parts of the chart overlap.
    fn is_one_to_one(&self, uvs: &[Vec2]) -> bool {
        self.with_area().all(|(_, v)| doubled(uvs, v) > 0.0) && !self.crosses(uvs)
    }

    /// Whether two edges of the borders cross; they are compared from left to right.
    fn crosses(&self, uvs: &[Vec2]) -> bool {
        let around =
            |l: &Vec<usize>| (0..l.len()).map(|k| [uvs[l[k]], uvs[l[(k + 1) % l.len()]]]).collect::<Vec<_>>();
        let mut edges: Vec<[Vec2; 2]> = self.loops.iter().flat_map(around).collect();
        let left = |e: &[Vec2; 2]| e[0].x.min(e[1].x);
        edges.sort_by(|a, b| left(a).total_cmp(&left(b)));
        edges.iter().enumerate().any(|(k, e)| {
            let right = e[0].x.max(e[1].x);
            edges[k + 1..].iter().take_while(|other| left(other) <= right).any(|other| cross(e, other))
        })
    }

    /// Puts the outer border, the longest, on a circle, spaced by its edge lengths, and holds all other vertices by
    /// springs; each hole is spanned by springs to a point in its middle.
    fn on_circle(&self) -> Result<Vec<Vec2>> {
        let n = self.points.len();
        let step = |l: &[usize], k: usize| (self.points[l[(k + 1) % l.len()]] - self.points[l[k]]).norm();
        let lengths: Vec<Real> = self.loops.iter().map(|l| (0..l.len()).map(|k| step(l, k)).sum()).collect();
        let outer = (0..lengths.len()).max_by(|&a, &b| lengths[a].total_cmp(&lengths[b]));
        let Some(outer) = outer.filter(|&outer| lengths[outer] > 0.0) else {
            let face = self.triangles.first().map_or(0, |(t, _)| self.ground.tri.faces[*t] as usize);
            return Err(
                Error::new(Kind::Degenerate, "the border of the chart at this face has no length").face(face)
            );
        };
        let mut places = vec![None; n + self.loops.len()];
        let mut far = 0.0;
        for (k, &v) in self.loops[outer].iter().enumerate() {
            let angle = TAU * far / lengths[outer];
            places[v] = Some(Vec2::new(cos(angle), sin(angle)));
            far += step(&self.loops[outer], k);
        }
        // The outer border needs no middle.
        places[n + outer] = Some(Vec2::zeros());
        let sides = self
            .triangles
            .iter()
            .flat_map(|(t, v)| [0, 1, 2].map(|k| ([v[k], v[(k + 1) % 3]], self.ground.springs[3 * t + k])));
        let holes = self.loops.iter().enumerate().filter(|(k, _)| *k != outer);
        let spokes = holes.flat_map(|(k, l)| l.iter().map(move |&v| ([v, n + k], 1.0)));
        let mut uvs = harmonic(&places, sides.chain(spokes))?;
        uvs.truncate(n);
        Ok(uvs)
    }

    /// Gives the chart the area that it has on the surface, around the origin.
    fn scale(&self, uvs: &mut [Vec2]) {
        let wanted: Real = self.triangles.iter().map(|(t, _)| self.ground.areas[*t]).sum();
        let area: Real = self.triangles.iter().map(|(_, v)| 0.5 * doubled(uvs, *v)).sum();
        let factor = if area > 0.0 { (wanted / area).sqrt() } else { 0.0 };
        let middle = uvs.iter().sum::<Vec2>() / uvs.len() as Real;
        uvs.iter_mut().for_each(|uv| *uv = (*uv - middle) * factor);
    }

    fn stretch(&self, uvs: &[Vec2]) -> Real {
        let stretch = |(t, v): (usize, [usize; 3])| {
            let (from, to) = (self.ground.tri.points(t), v.map(|v| uvs[v].push(0.0)));
            larger_stretch(from, to).max(larger_stretch(to, from))
        };
        self.with_area().map(stretch).fold(1.0, Real::max)
    }

    fn flipped(&self, uvs: &[Vec2]) -> Vec<u32> {
        let over = self.with_area().filter(|(_, v)| doubled(uvs, *v) <= 0.0);
        over.map(|(t, _)| self.ground.tri.faces[t]).collect()
    }
}

/// Twice the area of a triangle in the plane, negative if it is flipped.
fn doubled(uvs: &[Vec2], [a, b, c]: [usize; 3]) -> Real {
    (uvs[b] - uvs[a]).perp(&(uvs[c] - uvs[a]))
}

/// Whether two segments cross, each with its ends strictly on both sides of the other.
fn cross([a, b]: &[Vec2; 2], [c, d]: &[Vec2; 2]) -> bool {
    let side = |a: &Vec2, b: &Vec2, p: &Vec2| (b - a).perp(&(p - a));
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}
