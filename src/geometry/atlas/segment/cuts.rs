//! The cuts of cells into quads.

use super::refine::Refined;
use crate::geometry::atlas::chart::Quad;
use crate::math::Real;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

const NONE: u32 = u32::MAX;
/// Going along a border costs this many times more than through the middle of a cell, so that quads keep some width.
const NEAR_BORDER: Real = 3.0;

/// The quads of all cells, or the half-edges to halve before it is tried again.
pub(super) fn quads(ground: &Refined, nodes: &[bool], count: usize) -> Result<Vec<Quad>, Vec<bool>> {
    let node = |v: u32| nodes.get(v as usize).copied().unwrap_or(false);
    let loops = border_loops(ground, count, &node);
    let mut marks = vec![false; ground.edges.len()];
    let middles = arc_middles(ground, &loops, &node, &mut marks);
    let owners = owners(ground);
    let mut quads = Vec::new();
    for (cell, border) in loops.iter().enumerate() {
        let cutter = Cutter { ground, cell: cell as u32, owners: &owners };
        let goals: Vec<usize> = (0..border.len()).filter(|&i| middles.contains(&border[i])).collect();
        let ends: Vec<usize> = (0..border.len()).filter(|&i| node(border[i])).collect();
        let targets: Vec<u32> = goals.iter().map(|&i| border[i]).collect();
        if ends.len() != goals.len() {
            // An arc here is one edge, which is marked.
            continue;
        }
        match cutter.cut(&targets) {
            Ok(cuts) => quads.extend(cell_quads(border, &ends, &goals, &cuts)),
            Err(Room::Centre(centre)) => {
                ground.edges.around(centre).for_each(|h| marks[ground.edges.next(h) as usize] = true);
            }
            Err(Room::Cell) => {
                let own = |t: &usize| ground.labels[*t] == cell as u32;
                (0..ground.labels.len()).filter(own).for_each(|t| marks[3 * t..3 * t + 3].fill(true));
            }
        }
    }
    if marks.contains(&true) { Err(marks) } else { Ok(quads) }
}

/// The vertices around each cell, counter-clockwise, from a node on.
fn border_loops(ground: &Refined, count: usize, node: &impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let edges = &ground.edges;
    let mut loops = vec![Vec::new(); count];
    for start in 0..edges.len() as u32 {
        let border = &mut loops[ground.labels[start as usize / 3] as usize];
        if !border.is_empty() || !ground.is_cut(start) || !node(edges.origin(start)) {
            continue;
        }
        let mut h = start;
        loop {
            border.push(edges.origin(h));
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

/// The vertex nearest to the middle of each arc. An arc of one edge has none: that edge is marked.
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
            if arc.len() == 2 {
                let along = ground.edges.around(arc[0]).find(|&h| ground.edges.target(h) == arc[1]);
                along.into_iter().for_each(|h| marks[h as usize] = true);
            } else if !arc.iter().any(|v| middles.contains(v)) {
                // Seen from the other side it would be the same arc, so whoever comes first says.
                let step = |w: &[u32]| (place(w[1]) - place(w[0])).norm();
                let half = 0.5 * arc.windows(2).map(step).sum::<Real>();
                let (mut far, mut best) = (0.0, (Real::INFINITY, arc[1]));
                for w in arc[..arc.len() - 1].windows(2) {
                    far += step(w);
                    if (far - half).abs() < best.0 {
                        best = ((far - half).abs(), w[1]);
                    }
                }
                middles.insert(best.1);
            }
        }
    }
    middles
}

/// The cell inside of which each vertex is; [`NONE`] on borders.
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
/// and back. `ends` and `goals` say where in `border` the nodes and the middles are; the first is a node.
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
}

impl Cutter<'_> {
    /// A path from the centre to each target, sharing only the centre.
    fn cut(&self, targets: &[u32]) -> Result<Vec<Vec<u32>>, Room> {
        let m = targets.len();
        let centre = self.centre(m)?;
        let ring: Vec<u32> = self.ground.edges.around(centre).map(|h| self.ground.edges.target(h)).collect();
        let mut blocked = HashSet::from([centre]);
        // The first path says where the ring begins; the others leave it evenly spread, in the order of their targets.
        let first = self.path(&ring, targets[0], &blocked).ok_or(Room::Cell)?;
        let begin = ring.iter().position(|&v| v == first[0]).unwrap_or(0);
        let spokes: Vec<u32> =
            (0..m).map(|k| ring[(begin + (k * ring.len() + m / 2) / m) % ring.len()]).collect();
        blocked.extend(&spokes);
        let mut cuts = Vec::new();
        for (&spoke, &target) in spokes.iter().zip(targets) {
            blocked.remove(&spoke);
            let path = self.path(&[spoke], target, &blocked).ok_or(Room::Cell)?;
            blocked.extend(&path);
            cuts.push(std::iter::once(centre).chain(path).collect());
        }
        Ok(cuts)
    }

    /// The vertex that is farthest from the border among those with enough edges.
    fn centre(&self, degree: usize) -> Result<u32, Room> {
        let edges = &self.ground.edges;
        let inside = |v: u32| self.owners[v as usize] == self.cell;
        let mut queue = BinaryHeap::new();
        for t in (0..self.ground.labels.len()).filter(|&t| self.ground.labels[t] == self.cell) {
            let border = self.ground.mesh.triangles[t].into_iter().filter(|&v| !inside(v));
            border.for_each(|v| queue.push(Reverse((0u64, v))));
        }
        let mut distances: HashMap<u32, Real> = HashMap::new();
        let mut best: Option<(bool, Real, u32)> = None;
        while let Some(Reverse((bits, v))) = queue.pop() {
            let far = Real::from_bits(bits);
            if distances.get(&v).is_some_and(|&d| d < far) || (bits == 0 && distances.contains_key(&v)) {
                continue;
            }
            distances.insert(v, far);
            if inside(v) {
                let enough = edges.around(v).count() >= degree;
                // Met in the order of distance: later ones are farther away.
                if best.is_none_or(|b| enough || !b.0) {
                    best = Some((enough, far, v));
                }
            }
            for other in edges.around(v).map(|h| edges.target(h)).filter(|&o| inside(o)) {
                let way = far + self.length(v, other);
                if distances.get(&other).is_none_or(|&d| way < d) {
                    distances.insert(other, way);
                    queue.push(Reverse((way.to_bits(), other)));
                }
            }
        }
        match best {
            Some((true, _, centre)) => Ok(centre),
            Some((false, _, centre)) => Err(Room::Centre(centre)),
            None => Err(Room::Cell),
        }
    }

    fn length(&self, a: u32, b: u32) -> Real {
        (self.ground.mesh.positions[a as usize] - self.ground.mesh.positions[b as usize]).norm()
    }

    /// The shortest way inside the cell from one of some vertices to a vertex of the border.
    fn path(&self, from: &[u32], target: u32, blocked: &HashSet<u32>) -> Option<Vec<u32>> {
        let edges = &self.ground.edges;
        let open = |v: u32| self.owners[v as usize] == self.cell && !blocked.contains(&v);
        let mut before: HashMap<u32, (Real, u32)> = HashMap::new();
        let mut queue = BinaryHeap::new();
        for &v in from.iter().filter(|&&v| open(v) || v == target) {
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
            for other in edges.around(v).map(|h| edges.target(h)).filter(|&o| o == target || open(o)) {
                let beside = |o: u32| edges.around(o).any(|h| self.owners[edges.target(h) as usize] == NONE);
                let factor = if other != target && beside(other) { NEAR_BORDER } else { 1.0 };
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
