//! Skin relaxed where joints share it, so that folds are round: after \[DeltaMush\].
//!
//! - \[DeltaMush\] Mancewicz, Derksen, Rijpkema and Wilson, "Delta Mush: smoothing deformations while preserving
//!   detail", 2014.
//!
//! The skin is smoothed as it is posed and as it is at rest; what smoothing takes away at rest, the detail, is given
//! back in axes that go along with the surface. Unlike there, detail grows and shrinks with the surface around it: skin
//! that is pressed together in a fold has no room for it, and would crease.

use super::{PerVertex, Skinner};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{Around, Mesh};
use sinew_math::{Real, Work, widest};

/// Where joints share the skin, at rest.
#[derive(Clone, Debug)]
pub struct Relaxation {
    vertex_count: usize,
    rounds: usize,
    /// The vertices that move, and then those beside them.
    vertices: Vec<u32>,
    moving: Vec<Moving>,
    /// The vertices around each one that moves, packed, as indices into `vertices`.
    around: Vec<u32>,
    /// How far each of those is along the first axis in the surface at rest, smoothed.
    along: Vec<Real>,
    /// The corners of the faces around each one that moves, as the two next to it in the face, packed.
    corners: Vec<[u32; 2]>,
    /// Vertices at the places of those that move, which come first.
    doubles: Vec<[u32; 2]>,
}

/// A vertex that moves.
#[derive(Clone, Debug)]
struct Moving {
    /// Where its lists end.
    around: u32,
    corners: u32,
    /// How much of the way to the mean of those around it a round takes it.
    share: Real,
    /// What smoothing takes away at rest, in the axes of the vertex.
    detail: [Real; 3],
    /// How large its area vector is at rest, smoothed.
    area: Real,
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct RelaxScratch {
    now: Vec<[Real; 3]>,
    next: Vec<[Real; 3]>,
}

/// A round takes a vertex this much of the way, as in Blender's Corrective Smooth.
const WAY: Real = 0.5;
/// A vertex takes part where joints other than its strongest have more than the first part of its weight; in full
/// where they have as much more as the second says.
const SHARED: [Real; 2] = [0.05, 0.2];
/// By how many edges that is widened, and then faded.
const WIDER: usize = 2;

/// How far smoothing reaches, as a part of the body's largest extent: about the thickness of a finger.
const REACH: Real = 0.0085;
/// More rounds than this are too slow to be chosen by themselves.
const MOST_ROUNDS: Real = 24.0;

/// Vertices per parallel task.
const PIECE: usize = 1024;

impl Relaxation {
    /// Of skin at rest; `rounds` are as many as it takes for faces of any size, or as given.
    pub fn new(skinner: &Skinner, skin: &Mesh, rounds: Option<usize>) -> Result<Self> {
        let count = skin.positions.len();
        if count != skinner.weights.vertex_count() {
            let message = format!("the mesh has {count} vertices, not {}", skinner.weights.vertex_count());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let around = Around::new(skin);
        let shares = shares(skinner, &around);
        let mut relaxation = Relaxation::between(skin, &around, &shares);
        relaxation.rounds = rounds.unwrap_or_else(|| relaxation.usual_rounds(skin));
        let rest: Vec<[Real; 3]> = skin.positions.iter().map(|p| (*p).into()).collect();
        relaxation.keep_detail(&rest, &mut RelaxScratch::default());
        Ok(relaxation)
    }

    /// Takes the detail of other points before joints move them, such as a body's after its shapes.
    pub fn rest(&mut self, scratch: &mut RelaxScratch, points: &[Real]) -> Result<()> {
        self.check(points)?;
        self.keep_detail(points.as_chunks::<3>().0, scratch);
        Ok(())
    }

    fn check(&self, points: &[Real]) -> Result<()> {
        if points.len() == 3 * self.vertex_count {
            return Ok(());
        }
        let message = format!("{} vertices, not {}", points.len() / 3, self.vertex_count);
        Err(Error::new(Kind::CountMismatch, message))
    }

    /// The number of vertices that move.
    pub fn moving(&self) -> usize {
        self.moving.len()
    }

    /// How often it is smoothed.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The vertices that move, and those around them.
    fn between(skin: &Mesh, around: &Around, shares: &[Real]) -> Self {
        let count = skin.positions.len();
        let mut vertices: Vec<u32> = (0..count as u32).filter(|&v| shares[v as usize] > 0.0).collect();
        let moving = vertices.len();
        let mut local = vec![u32::MAX; count];
        vertices.iter().enumerate().for_each(|(k, &v)| local[v as usize] = k as u32);
        for k in 0..moving {
            for &other in &around.neighbours[vertices[k] as usize] {
                if local[other as usize] == u32::MAX {
                    local[other as usize] = vertices.len() as u32;
                    vertices.push(other);
                }
            }
        }
        // The corners of each vertex in the order of faces.
        let mut fans = vec![Vec::new(); moving];
        for face in (0..skin.face_count()).map(|face| skin.face(face)) {
            for (k, &vertex) in face.iter().enumerate() {
                let at = |k: usize| local[around.together[face[k % face.len()] as usize] as usize];
                let own = local[around.together[vertex as usize] as usize] as usize;
                if own < moving {
                    fans[own].push([at(k + 1), at(k + face.len() - 1)]);
                }
            }
        }
        let (mut packed, mut corners, mut made) = (Vec::new(), Vec::new(), Vec::with_capacity(moving));
        for (k, fan) in fans.into_iter().enumerate() {
            let own = vertices[k] as usize;
            packed.extend(around.neighbours[own].iter().map(|&other| local[other as usize]));
            corners.extend(fan);
            made.push(Moving {
                around: packed.len() as u32,
                corners: corners.len() as u32,
                share: WAY * shares[own],
                detail: [0.0; 3],
                area: 0.0,
            });
        }
        let is_double = |v: &u32| around.together[*v as usize] != *v;
        let of = |v: u32| [v, local[around.together[v as usize] as usize]];
        let doubles =
            (0..count as u32).filter(is_double).map(of).filter(|[_, k]| (*k as usize) < moving).collect();
        Relaxation {
            vertex_count: count,
            rounds: 0,
            vertices,
            moving: made,
            along: vec![0.0; packed.len()],
            around: packed,
            corners,
            doubles,
        }
    }

    /// As many rounds as smooth over the usual distance: each spreads a vertex over its neighbours, at a mean square
    /// distance of half the way times the square of an edge.
    fn usual_rounds(&self, skin: &Mesh) -> usize {
        let at = |k: usize| skin.positions[self.vertices[k] as usize];
        let (mut sum, mut edges) = (0.0, 0.0);
        for k in 0..self.moving.len() {
            for &other in &self.around[self.around_of(k)] {
                sum += (at(other as usize) - at(k)).norm_squared();
                edges += 1.0;
            }
        }
        let axes = (0..3).map(|axis| {
            let along = skin.positions.iter().map(|p| p[axis]);
            along.clone().fold(Real::NEG_INFINITY, Real::max) - along.fold(Real::INFINITY, Real::min)
        });
        let reach = REACH * axes.fold(0.0, Real::max);
        let spread = 0.5 * WAY * sum / Real::max(edges, 1.0);
        if spread > 0.0 { (reach * reach / spread).round().clamp(1.0, MOST_ROUNDS) as usize } else { 0 }
    }

    fn around_of(&self, k: usize) -> std::ops::Range<usize> {
        let begin = if k == 0 { 0 } else { self.moving[k - 1].around };
        begin as usize..self.moving[k].around as usize
    }

    /// What smoothing takes away at rest.
    fn keep_detail(&mut self, rest: &[[Real; 3]], scratch: &mut RelaxScratch) {
        self.smooth(rest, scratch);
        for k in 0..self.moving.len() {
            let (own, range) = (scratch.now[k], self.around_of(k));
            let edge = |other: u32| minus(&scratch.now[other as usize], &own);
            let first = self.around[range.clone()].first().map(|&other| edge(other)).unwrap_or_default();
            for at in range {
                self.along[at] = dot(&first, &edge(self.around[at]));
            }
            let (axes, area) = self.axes(k, &scratch.now, 1.0);
            let (now, rest) = (scratch.now[k], rest[self.vertices[k] as usize]);
            let away = [rest[0] - now[0], rest[1] - now[1], rest[2] - now[2]];
            self.moving[k].detail = axes.map(|axis| dot(&axis, &away));
            self.moving[k].area = area;
        }
    }

    /// Relaxes skin that joints have moved, by a part of the way, in all or for each vertex. `mirrored` says that the
    /// joints mirror it.
    pub fn relax(
        &self,
        scratch: &mut RelaxScratch,
        (strength, map): (Real, PerVertex),
        mirrored: bool,
        points: &mut [Real],
    ) -> Result<()> {
        self.check(points)?;
        map.check(self.vertex_count, "the relax map")?;
        let points = points.as_chunks_mut::<3>().0;
        self.smooth(points, scratch);
        let RelaxScratch { now, next } = scratch;
        let handed = if mirrored { -1.0 } else { 1.0 };
        let pieces = next[..self.moving.len()].par_chunks_mut(PIECE).enumerate();
        pieces.for_each(|(k, out)| {
            widest(Detailed { relaxation: self, now, handed, first: k * PIECE, out });
        });
        for (relaxed, &vertex) in next[..self.moving.len()].iter_mut().zip(&self.vertices) {
            let part = strength * map.at(vertex as usize);
            let point = &mut points[vertex as usize];
            for (relaxed, x) in relaxed.iter_mut().zip(point) {
                // From here on, how far it moves.
                *relaxed = part * (*relaxed - *x);
                *x += *relaxed;
            }
        }
        for &[vertex, k] in &self.doubles {
            points[vertex as usize].iter_mut().zip(&next[k as usize]).for_each(|(x, way)| *x += way);
        }
        Ok(())
    }

    /// Smoothed points of those that move, and as they are those beside them.
    fn smooth(&self, points: &[[Real; 3]], scratch: &mut RelaxScratch) {
        let RelaxScratch { now, next } = scratch;
        now.clear();
        now.extend(self.vertices.iter().map(|&v| points[v as usize]));
        next.clone_from(now);
        for _ in 0..self.rounds {
            let pieces = next[..self.moving.len()].par_chunks_mut(PIECE).enumerate();
            pieces.for_each(|(k, out)| {
                widest(Round { relaxation: self, now, first: k * PIECE, out });
            });
            std::mem::swap(now, next);
        }
    }

    /// The axes of a vertex, as rows: out of the surface, and two in it; and the length of its area vector, of which
    /// they are nothing where it is zero.
    #[inline(always)]
    fn axes(&self, k: usize, now: &[[Real; 3]], handed: Real) -> ([[Real; 3]; 3], Real) {
        let begin = if k == 0 { 0 } else { self.moving[k - 1].corners as usize };
        let own = now[k];
        let mut out = [0.0; 3];
        for &[a, b] in &self.corners[begin..self.moving[k].corners as usize] {
            let cross = cross(&minus(&now[a as usize], &own), &minus(&now[b as usize], &own));
            out = [out[0] + cross[0], out[1] + cross[1], out[2] + cross[2]];
        }
        let area = dot(&out, &out).sqrt();
        let normal = scaled(&out, handed * inverse(area));
        // Of all edges, so that it turns as the surface does on average.
        let mut edge = [0.0; 3];
        for at in self.around_of(k) {
            let (part, other) = (self.along[at], minus(&now[self.around[at] as usize], &own));
            edge = [edge[0] + part * other[0], edge[1] + part * other[1], edge[2] + part * other[2]];
        }
        let along = dot(&normal, &edge);
        let flat = [edge[0] - along * normal[0], edge[1] - along * normal[1], edge[2] - along * normal[2]];
        let first = scaled(&flat, inverse(dot(&flat, &flat).sqrt()));
        ([normal, first, scaled(&cross(&normal, &first), handed)], area)
    }
}

/// A round of smoothing.
struct Round<'a> {
    relaxation: &'a Relaxation,
    now: &'a [[Real; 3]],
    first: usize,
    out: &'a mut [[Real; 3]],
}

impl Work for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Relaxation { moving, around, .. } = self.relaxation;
        let mut begin = self.relaxation.around_of(self.first).start;
        for ((out, own), moving) in
            self.out.iter_mut().zip(&self.now[self.first..]).zip(&moving[self.first..])
        {
            let around = &around[begin..moving.around as usize];
            begin = moving.around as usize;
            let mut sum = [0.0; 3];
            for &other in around {
                let other = &self.now[other as usize];
                sum = [sum[0] + other[0], sum[1] + other[1], sum[2] + other[2]];
            }
            let kept = 1.0 - moving.share;
            let part = moving.share / around.len() as Real;
            *out = std::array::from_fn(|i| kept * own[i] + part * sum[i]);
        }
    }
}

/// Detail, on smoothed skin.
struct Detailed<'a> {
    relaxation: &'a Relaxation,
    now: &'a [[Real; 3]],
    handed: Real,
    first: usize,
    out: &'a mut [[Real; 3]],
}

impl Work for Detailed<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (k, out) in self.out.iter_mut().enumerate() {
            let k = self.first + k;
            let (axes, area) = self.relaxation.axes(k, self.now, self.handed);
            let Moving { detail, area: rest, .. } = &self.relaxation.moving[k];
            // Lengths are roots of areas.
            let size = (area * inverse(*rest)).sqrt();
            let along = |i: usize| axes[0][i] * detail[0] + axes[1][i] * detail[1] + axes[2][i] * detail[2];
            *out = std::array::from_fn(|i| self.now[k][i] + size * along(i));
        }
    }
}

#[inline(always)]
fn dot(a: &[Real; 3], b: &[Real; 3]) -> Real {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn minus(a: &[Real; 3], b: &[Real; 3]) -> [Real; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn scaled(a: &[Real; 3], by: Real) -> [Real; 3] {
    a.map(|x| x * by)
}

#[inline(always)]
fn cross(a: &[Real; 3], b: &[Real; 3]) -> [Real; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// 1 / x, or 0.
#[inline(always)]
fn inverse(x: Real) -> Real {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// How far each vertex takes part, from 0 to 1: where joints share it, and a little beyond.
fn shares(skinner: &Skinner, around: &Around) -> Vec<Real> {
    let shared = |vertex: usize| {
        // A vertex without faces has nothing around it.
        if around.together[vertex] as usize != vertex || around.neighbours[vertex].is_empty() {
            return 0.0;
        }
        let rest = 1.0 - skinner.weights.of(vertex).1.first().copied().unwrap_or(1.0);
        ((rest - SHARED[0]) / SHARED[1]).clamp(0.0, 1.0)
    };
    let mut shares: Vec<Real> = (0..around.together.len()).map(shared).collect();
    let spread = |shares: &[Real], of: &dyn Fn(Real, &mut dyn Iterator<Item = Real>) -> Real| -> Vec<Real> {
        let of_vertex = |v: usize| match around.neighbours[v].as_slice() {
            [] => 0.0,
            around => of(shares[v], &mut around.iter().map(|&u| shares[u as usize])),
        };
        (0..shares.len()).map(of_vertex).collect()
    };
    for _ in 0..WIDER {
        shares = spread(&shares, &|own, around| around.fold(own, Real::max));
    }
    for _ in 0..WIDER {
        shares = spread(&shares, &|own, around| {
            let (sum, count) = around.fold((0.0, 0.0), |(sum, count), share| (sum + share, count + 1.0));
            0.5 * (own + sum / count)
        });
    }
    shares
}

#[cfg(test)]
mod tests;
