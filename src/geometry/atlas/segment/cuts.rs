//! The cuts of cells into quads.

use super::refine::Refined;
use crate::atlas::chart::Quad;
use sinew_math::elementary::atan2;
use sinew_math::{Real, Vec2};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::f64::consts::TAU;

const NONE: u32 = u32::MAX;
/// Following a border of the cell or of the sector costs this many times more than passing through the middle, so that
/// quads keep some width.
const NEAR_BORDER: Real = 3.0;

/// The quads of all cells, or the half-edges to halve before the next attempt.
///
/// `centres` keeps the centre of each cell between attempts, so that refinement there helps the next one.
pub(super) fn quads(
    ground: &Refined,
    nodes: &[bool],
    centres: &mut [Option<u32>],
) -> Result<Vec<Quad>, Vec<bool>> {
    let node = |v: u32| nodes.get(v as usize).copied().unwrap_or(false);
    let origins = |halves: Vec<u32>| halves.into_iter().map(|h| ground.edges.origin(h)).collect();
    let loops: Vec<Vec<u32>> = border_loops(ground, nodes, centres.len()).into_iter().map(origins).collect();
    let mut marks = vec![false; ground.edges.len()];
    let middles = arc_middles(ground, &loops, &node, &mut marks);
    let owners = owners(ground);
    let mut triangles = vec![Vec::new(); loops.len()];
    ground.labels.iter().enumerate().for_each(|(t, &cell)| triangles[cell as usize].push(t));
    let mut quads = Vec::new();
    for (cell, border) in loops.iter().enumerate() {
        let goals: Vec<usize> = (0..border.len()).filter(|&i| middles.contains(&border[i])).collect();
        let ends: Vec<usize> = (0..border.len()).filter(|&i| node(border[i])).collect();
        let targets: Vec<u32> = goals.iter().map(|&i| border[i]).collect();
        if ends.len() != goals.len() {
            // An arc here has no middle yet; it is marked.
            continue;
        }
        let cutter = Cutter::new(ground, cell as u32, &owners, &triangles[cell]);
        let cuts = cutter.centre(&mut centres[cell]).and_then(|centre| cutter.cut(centre, &targets));
        match cuts {
            Ok(cuts) => quads.extend(cell_quads(border, &ends, &goals, &cuts)),
            Err(Room::Centre(centre)) => {
                ground.edges.around(centre).for_each(|h| marks[ground.edges.next(h) as usize] = true);
            }
            Err(Room::Cell) => triangles[cell].iter().for_each(|t| marks[3 * t..3 * t + 3].fill(true)),
        }
    }
    if marks.contains(&true) { Err(marks) } else { Ok(quads) }
}

/// The half-edges around each cell, counter-clockwise, starting at a node.
pub(super) fn border_loops(ground: &Refined, nodes: &[bool], count: usize) -> Vec<Vec<u32>> {
    let edges = &ground.edges;
    let node = |v: u32| nodes.get(v as usize).copied().unwrap_or(false);
    let mut loops = vec![Vec::new(); count];
    for start in 0..edges.len() as u32 {
        let border = &mut loops[ground.labels[start as usize / 3] as usize];
        if !border.is_empty() || !ground.is_cut(start) || !node(edges.origin(start)) {
            continue;
        }
        let mut h = start;
        loop {
            border.push(h);
            h = edges.next(h);
            while !ground.is_cut(h) {
                // An edge that is not cut has a twin.
                h = edges.twin(h).map_or(start, |twin| edges.next(twin));
            }
            if h == start {
                break;
            }
        }
    }
    loops
}

/// The vertex nearest to the middle of each arc, among those with an edge into each adjacent cell: no cut leads to any
/// other. An arc without such a vertex is marked.
fn arc_middles(
    ground: &Refined,
    loops: &[Vec<u32>],
    node: &impl Fn(u32) -> bool,
    marks: &mut [bool],
) -> HashSet<u32> {
    let place = |v: u32| ground.mesh.positions[v as usize];
    let mut middles = HashSet::new();
    for border in loops {
        let n = border.len();
        let ends: Vec<usize> = (0..n).filter(|&i| node(border[i])).collect();
        for (k, &from) in ends.iter().enumerate() {
            let to = ends.get(k + 1).copied().unwrap_or(ends[0] + n);
            let arc: Vec<u32> = (from..=to).map(|i| border[i % n]).collect();
            // Both cells share the arc, so whichever comes first decides.
            if arc.iter().any(|v| middles.contains(v)) {
                continue;
            }
            let step = |w: &[u32]| (place(w[1]) - place(w[0])).norm();
            let half = 0.5 * arc.windows(2).map(step).sum::<Real>();
            let (mut far, mut best) = (0.0, (Real::INFINITY, None));
            for w in arc[..arc.len() - 1].windows(2) {
                far += step(w);
                if (far - half).abs() < best.0 && opens(ground, w[1]) {
                    best = ((far - half).abs(), Some(w[1]));
                }
            }
            match best.1 {
                Some(middle) => _ = middles.insert(middle),
                None => arc.windows(2).for_each(|w| mark(ground, marks, w[0], w[1])),
            }
        }
    }
    middles
}

/// Whether every cell at a vertex has at least two triangles there, and so an edge between them.
fn opens(ground: &Refined, vertex: u32) -> bool {
    let cells: Vec<u32> = ground.edges.around(vertex).map(|h| ground.labels[h as usize / 3]).collect();
    cells.iter().all(|cell| cells.iter().filter(|c| *c == cell).count() >= 2)
}

fn mark(ground: &Refined, marks: &mut [bool], from: u32, to: u32) {
    let along = ground.edges.around(from).find(|&h| ground.edges.target(h) == to);
    along.into_iter().for_each(|h| marks[h as usize] = true);
}

/// The edges that join two vertices of one side without being part of it. They would collapse into a straight side, and
/// their triangles with them.
pub(super) fn chords(ground: &Refined, quads: &[Quad]) -> Vec<bool> {
    let mut sides_at: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut along: HashSet<(u32, u32)> = HashSet::new();
    for (number, side) in quads.iter().flat_map(|quad| &quad.sides).enumerate() {
        side.iter().for_each(|&v| sides_at.entry(v).or_default().push(number));
        side.windows(2).for_each(|w| _ = along.insert((w[0].min(w[1]), w[0].max(w[1]))));
    }
    let chord = |h: u32| {
        let (a, b) = (ground.edges.origin(h), ground.edges.target(h));
        let (Some(sides), Some(others)) = (sides_at.get(&a), sides_at.get(&b)) else { return false };
        !along.contains(&(a.min(b), a.max(b))) && sides.iter().any(|side| others.contains(side))
    };
    (0..ground.edges.len() as u32).map(chord).collect()
}

/// The cell that contains each vertex in its interior; [`NONE`] on borders.
fn owners(ground: &Refined) -> Vec<u32> {
    let mut owners = vec![NONE; ground.edges.vertex_count()];
    for h in 0..ground.edges.len() as u32 {
        owners[ground.edges.origin(h) as usize] = ground.labels[h as usize / 3];
    }
    for h in (0..ground.edges.len() as u32).filter(|&h| ground.is_cut(h)) {
        owners[ground.edges.origin(h) as usize] = NONE;
        owners[ground.edges.target(h) as usize] = NONE;
    }
    owners
}

/// The quads around a centre: from it to the middle of an arc, along the arc to its end, along the next to its middle,
/// and back. `ends` and `goals` are the positions in `border` of the nodes and the middles; the first is a node.
fn cell_quads(border: &[u32], ends: &[usize], goals: &[usize], cuts: &[Vec<u32>]) -> Vec<Quad> {
    let (n, m) = (border.len(), goals.len());
    let run = |from: usize, to: usize| (from..=to).map(|i| border[i % n]).collect::<Vec<u32>>();
    let quad = |k: usize| {
        let node = if k + 1 < m { ends[k + 1] } else { n };
        let end = if k + 1 < m { goals[k + 1] } else { goals[0] + n };
        let back = cuts[(k + 1) % m].iter().rev().copied().collect();
        Quad { sides: [cuts[k].clone(), run(goals[k], node), run(node, end), back] }
    };
    (0..m).map(quad).collect()
}

/// Where room is needed: more edges at a centre, or smaller triangles in a cell.
enum Room {
    Centre(u32),
    Cell,
}

struct Cutter<'a> {
    ground: &'a Refined,
    cell: u32,
    owners: &'a [u32],
    flat: HashMap<u32, Vec2>,
}

impl<'a> Cutter<'a> {
    fn new(ground: &'a Refined, cell: u32, owners: &'a [u32], triangles: &[usize]) -> Self {
        let corners =
            triangles.iter().flat_map(|&t| ground.mesh.triangles[t].into_iter().zip(ground.flat[t]));
        Cutter { ground, cell, owners, flat: corners.collect() }
    }

    /// The inner vertex laid out nearest to the middle, unless there is one from before.
    fn centre(&self, known: &mut Option<u32>) -> Result<u32, Room> {
        if known.is_none() {
            let inside = self.flat.iter().filter(|(v, _)| self.owners[**v as usize] == self.cell);
            let nearest = inside.min_by(|a, b| a.1.norm().total_cmp(&b.1.norm()).then(a.0.cmp(b.0)));
            *known = nearest.map(|(&v, _)| v);
        }
        known.ok_or(Room::Cell)
    }

    /// A path from the centre to each target, sharing only the centre.
    ///
    /// In the layout the targets are in order around the centre. Each path keeps to the vertices whose direction from
    /// the centre is closer to its own target than to the adjacent ones, so that paths cannot meet.
    fn cut(&self, centre: u32, targets: &[u32]) -> Result<Vec<Vec<u32>>, Room> {
        let (m, origin) = (targets.len(), self.flat[&centre]);
        let angle = |v: u32| {
            let d = self.flat[&v] - origin;
            atan2(d.y, d.x)
        };
        let begin = angle(targets[0]);
        let from_begin = |v: u32| (angle(v) - begin).rem_euclid(TAU);
        let mut directions: Vec<Real> = targets.iter().map(|&v| from_begin(v)).collect();
        directions[0] = 0.0;
        directions.push(TAU);
        let bounds: Vec<Real> = directions.windows(2).map(|w| 0.5 * (w[0] + w[1])).collect();
        let sector = |v: u32| bounds.partition_point(|&bound| bound <= from_begin(v)) % m;
        let ring: Vec<u32> = self.ground.edges.around(centre).map(|h| self.ground.edges.target(h)).collect();
        let inside = |v: u32| v != centre && self.owners[v as usize] == self.cell;
        let mut cuts = Vec::new();
        for (k, &target) in targets.iter().enumerate() {
            let open = |v: u32| v == target || (inside(v) && sector(v) == k);
            if !ring.iter().any(|&v| open(v)) {
                return Err(Room::Centre(centre));
            }
            let path = self.path(&ring, target, open).ok_or(Room::Cell)?;
            cuts.push(std::iter::once(centre).chain(path).collect());
        }
        Ok(cuts)
    }

    fn length(&self, a: u32, b: u32) -> Real {
        (self.ground.mesh.positions[a as usize] - self.ground.mesh.positions[b as usize]).norm()
    }

    /// The shortest path over open vertices from any of the starts to a target.
    fn path(&self, from: &[u32], target: u32, open: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
        let edges = &self.ground.edges;
        let mut before: HashMap<u32, (Real, u32)> = HashMap::new();
        let mut queue = BinaryHeap::new();
        for &v in from.iter().filter(|&&v| open(v)) {
            before.insert(v, (0.0, NONE));
            queue.push(Reverse((0u64, v)));
        }
        while let Some(Reverse((bits, v))) = queue.pop() {
            let far = Real::from_bits(bits);
            if before.get(&v).is_some_and(|b| b.0 < far) {
                continue;
            }
            if v == target {
                let mut path = vec![v];
                while let Some(&(_, previous)) = path.last().and_then(|v| before.get(v))
                    && previous != NONE
                {
                    path.push(previous);
                }
                path.reverse();
                return Some(path);
            }
            for other in edges.around(v).map(|h| edges.target(h)).filter(|&o| open(o)) {
                let narrow = edges.around(other).any(|h| !open(edges.target(h)));
                let factor = if other != target && narrow { NEAR_BORDER } else { 1.0 };
                let way = far + factor * self.length(v, other);
                if before.get(&other).is_none_or(|b| way < b.0) {
                    before.insert(other, (way, v));
                    queue.push(Reverse((way.to_bits(), other)));
                }
            }
        }
        None
    }
}
