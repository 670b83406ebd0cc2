//! The triangles of a quad chart and the neighbours of its sides, from the chains of vertices along its border.

use super::transition::Transition;
use crate::{HalfEdges, TriMesh};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2};

const NONE: u32 = u32::MAX;

/// The coordinates of the corners of every chart; side k runs from corner k to the next.
pub(super) const CORNERS: [[Real; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// The border of a quad chart: four chains of vertices, counter-clockwise, each from one corner to the next, with both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quad {
    /// The chains: v = 0, u = 1, v = 1, u = 0.
    pub sides: [Vec<u32>; 4],
}

/// A side of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The chart.
    pub chart: u32,
    /// Which of its sides, 0 to 3.
    pub side: u8,
}

/// A surface cut into quad charts.
///
/// A vertex on a border occurs once in every chart there: each such copy has coordinates of its own. A chart may be its
/// own neighbour, and then contains the same vertex twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Charts {
    pub(super) quads: Vec<Quad>,
    pub(super) across: Vec<[Option<Side>; 4]>,
    /// The half-edges of each side, in order.
    pub(super) halves: Vec<[Vec<u32>; 4]>,
    pub(super) of_triangle: Vec<u32>,
    /// The copy at each corner of each triangle.
    pub(super) copies: Vec<[u32; 3]>,
    pub(super) copy_count: usize,
}

impl Charts {
    /// Charts that cover the whole mesh; `edges` must be the adjacency of its triangles.
    ///
    /// Rejects chains that do not follow edges or do not close, sides that are only partly adjacent to another side,
    /// charts that are not discs, triangles in no chart.
    pub fn new(mesh: &TriMesh, edges: &HalfEdges, quads: Vec<Quad>) -> Result<Self> {
        if edges.len() != 3 * mesh.triangles.len() || edges.vertex_count() != mesh.positions.len() {
            return Err(Error::new(Kind::CountMismatch, "the adjacency does not belong to the mesh"));
        }
        let halves = quads.iter().map(|quad| side_halves(edges, quad)).collect::<Result<Vec<_>>>()?;
        let mut side_of = vec![None; edges.len()];
        for (chart, sides) in halves.iter().enumerate() {
            for (side, &h) in (0..4).flat_map(|k| sides[k].iter().map(move |h| (k, h))) {
                if side_of[h as usize].is_some() {
                    let text =
                        format!("an edge from here occurs twice in the borders, again in chart {chart}");
                    return Err(Error::new(Kind::Topology, text).vertex(edges.origin(h) as usize));
                }
                side_of[h as usize] = Some(Side { chart: chart as u32, side: side as u8 });
            }
        }
        let across = find_across(edges, &halves, &side_of)?;
        let of_triangle = flood(edges, &halves, &side_of)?;
        let (copies, copy_count) =
            find_copies(edges, |h| if side_of[h as usize].is_none() { edges.twin(h) } else { None });
        let made = Charts { quads, across, halves, of_triangle, copies, copy_count };
        made.check_discs(edges)?;
        Ok(made)
    }

    /// The number of charts.
    pub fn len(&self) -> usize {
        self.quads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.quads.is_empty()
    }

    /// The border of a chart.
    pub fn quad(&self, chart: u32) -> &Quad {
        &self.quads[chart as usize]
    }

    /// The chart of each triangle.
    pub fn of_triangle(&self) -> &[u32] {
        &self.of_triangle
    }

    /// The side adjacent to a side; `None` at a border of the mesh, and for a chart that does not exist.
    pub fn across(&self, at: Side) -> Option<Side> {
        self.across.get(at.chart as usize)?[at.side as usize % 4]
    }

    /// The map of coordinates across a side into the adjacent chart.
    pub fn transition(&self, at: Side) -> Option<Transition> {
        self.across(at).map(|to| Transition::across(at.side, to.side))
    }

    /// The vertices at which other than four charts meet (two on a border of the mesh), each with the number of charts
    /// there, ascending. Coordinates turn around them.
    pub fn irregular(&self, edges: &HalfEdges) -> Vec<(u32, u32)> {
        let mut charts = vec![0u32; edges.vertex_count()];
        let mut borders = vec![false; edges.vertex_count()];
        for (chart, quad) in self.quads.iter().enumerate() {
            for (k, side) in quad.sides.iter().enumerate() {
                charts[side[0] as usize] += 1;
                if self.across[chart][k].is_none() {
                    side.iter().for_each(|&v| borders[v as usize] = true);
                }
            }
        }
        let regular = |v: usize| if borders[v] { 2 } else { 4 };
        let odd = |v: &usize| charts[*v] != 0 && charts[*v] != regular(*v);
        (0..charts.len()).filter(odd).map(|v| (v as u32, charts[v])).collect()
    }

    /// The copy of the vertex where a half-edge begins.
    pub(super) fn copy(&self, h: u32) -> u32 {
        self.copies[h as usize / 3][h as usize % 3]
    }

    /// Sides with their half-edges.
    pub(super) fn sides(&self) -> impl Iterator<Item = (Side, &[u32])> {
        self.halves.iter().enumerate().flat_map(|(chart, sides)| {
            sides
                .iter()
                .enumerate()
                .map(move |(k, halves)| (Side { chart: chart as u32, side: k as u8 }, halves.as_slice()))
        })
    }

    fn check_discs(&self, edges: &HalfEdges) -> Result<()> {
        let mut border = vec![false; edges.len()];
        self.sides().flat_map(|(_, halves)| halves).for_each(|&h| border[h as usize] = true);
        let copies = (self.copies.as_slice(), self.copy_count);
        let euler = euler(self.len(), &self.of_triangle, copies, |h| border[h as usize]);
        match euler.iter().position(|&euler| euler != 1) {
            Some(chart) => {
                let text = format!("chart {chart} is not a disc");
                Err(Error::new(Kind::Topology, text).vertex(self.quads[chart].sides[0][0] as usize))
            }
            None => Ok(()),
        }
    }
}

/// The coordinates at the fraction `s` of a side.
pub(super) fn on_side(side: u8, s: Real) -> Vec2 {
    let [a, b] = [side, side + 1].map(|k| Vec2::from(CORNERS[k as usize % 4]));
    a * (1.0 - s) + b * s
}

fn side_halves(edges: &HalfEdges, quad: &Quad) -> Result<[Vec<u32>; 4]> {
    let mut halves: [Vec<u32>; 4] = Default::default();
    for (k, side) in quad.sides.iter().enumerate() {
        let closes = side.len() >= 2 && side.last() == quad.sides[(k + 1) % 4].first();
        let known = side.iter().all(|&v| (v as usize) < edges.vertex_count());
        if !closes || !known {
            let text = format!("side {k} of a chart has no edge, an unknown vertex, or ends elsewhere");
            return Err(Error::new(Kind::Topology, text).vertex(side.first().copied().unwrap_or(0) as usize));
        }
        for w in side.windows(2) {
            let found = edges.around(w[0]).find(|&h| edges.target(h) == w[1]);
            let Some(h) = found else {
                let text = format!("no edge leads from here to vertex {} with a face to its left", w[1]);
                return Err(Error::new(Kind::Topology, text).vertex(w[0] as usize));
            };
            halves[k].push(h);
        }
    }
    Ok(halves)
}

fn find_across(
    edges: &HalfEdges,
    halves: &[[Vec<u32>; 4]],
    side_of: &[Option<Side>],
) -> Result<Vec<[Option<Side>; 4]>> {
    let mut across = vec![[None; 4]; halves.len()];
    for (chart, sides) in halves.iter().enumerate() {
        for (k, side) in sides.iter().enumerate() {
            let beside = edges.twin(side[0]).map(|twin| (twin, side_of[twin as usize]));
            let whole = match beside {
                None => side.iter().all(|&h| edges.twin(h).is_none()),
                Some((_, None)) => false,
                Some((_, Some(to))) => {
                    across[chart][k] = Some(to);
                    let other = halves[to.chart as usize][to.side as usize].iter().rev();
                    side.iter().map(|&h| edges.twin(h)).eq(other.map(|&g| Some(g)))
                }
            };
            if !whole {
                let text = format!("side {k} of chart {chart} is not adjacent to exactly one other side");
                return Err(Error::new(Kind::Topology, text).vertex(edges.origin(side[0]) as usize));
            }
        }
    }
    Ok(across)
}

fn flood(edges: &HalfEdges, halves: &[[Vec<u32>; 4]], side_of: &[Option<Side>]) -> Result<Vec<u32>> {
    let mut of_triangle = vec![NONE; edges.face_count()];
    for (chart, sides) in halves.iter().enumerate() {
        let mut stack: Vec<u32> = sides.iter().flatten().map(|h| h / 3).collect();
        while let Some(t) = stack.pop() {
            let owner = &mut of_triangle[t as usize];
            if *owner == chart as u32 {
                continue;
            }
            if *owner != NONE {
                let text = format!("the borders of charts {owner} and {chart} do not separate them");
                return Err(Error::new(Kind::Topology, text).face(t as usize));
            }
            *owner = chart as u32;
            let inner = (3 * t..3 * t + 3).filter(|&h| side_of[h as usize].is_none());
            stack.extend(inner.filter_map(|h| edges.twin(h)).map(|h| h / 3));
        }
    }
    match of_triangle.iter().position(|&chart| chart == NONE) {
        Some(t) => Err(Error::new(Kind::Topology, "a triangle is in no chart").face(t)),
        None => Ok(of_triangle),
    }
}

/// [`corner_copies`] of triangles, by triangle.
pub(super) fn find_copies(edges: &HalfEdges, inner: impl Fn(u32) -> Option<u32>) -> (Vec<[u32; 3]>, usize) {
    let (copies, count) = corner_copies(edges, inner);
    (copies.as_chunks::<3>().0.to_vec(), count)
}

/// Corners at one vertex are one copy if they are connected across edges for which `inner` gives the twin: the copy of
/// each corner, and how many there are.
pub(super) fn corner_copies(edges: &HalfEdges, inner: impl Fn(u32) -> Option<u32>) -> (Vec<u32>, usize) {
    let mut copies = vec![NONE; edges.len()];
    let (mut count, mut stack) = (0, Vec::new());
    for start in 0..edges.len() as u32 {
        if copies[start as usize] != NONE {
            continue;
        }
        stack.push(start);
        while let Some(h) = stack.pop() {
            let copy = &mut copies[h as usize];
            if *copy == NONE {
                *copy = count;
                stack.extend(inner(edges.previous(h)));
                stack.extend(inner(h).map(|twin| edges.next(twin)));
            }
        }
        count += 1;
    }
    (copies, count as usize)
}

/// The Euler characteristic of each part of a surface cut along `on_border`: 1 for a disc.
pub(super) fn euler(
    parts: usize,
    of_triangle: &[u32],
    (copies, copy_count): (&[[u32; 3]], usize),
    on_border: impl Fn(u32) -> bool,
) -> Vec<i64> {
    let mut twice = vec![0i64; parts];
    let mut seen = vec![false; copy_count];
    for (t, copies) in copies.iter().enumerate() {
        let sum = &mut twice[of_triangle[t] as usize];
        *sum += 2;
        for (k, &copy) in copies.iter().enumerate() {
            // An inner edge is counted twice.
            *sum -= if on_border((3 * t + k) as u32) { 2 } else { 1 };
            *sum += if seen[copy as usize] { 0 } else { 2 };
            seen[copy as usize] = true;
        }
    }
    twice.into_iter().map(|sum| sum / 2).collect()
}
