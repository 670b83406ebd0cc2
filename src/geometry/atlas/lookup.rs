//! Maps between points on the surface and coordinates in charts, and from chart to chart.

use super::chart::{Charts, Side, on_side};
use super::parameterize::Coordinates;
use super::transition::Transition;
use crate::closest::closest_weights;
use crate::{Stop, SurfacePoint};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2, Vec3};
use std::collections::HashMap;

/// A straight path through more charts than this is longer than any intended one.
const MAX_CROSSINGS: usize = 10_000;
/// A triangle that overlaps a side by less than this fraction of it only touches it.
const TOUCH: Real = 1e-9;
/// Charts up to this many sides away are tried to bring the corners of a triangle together: three sides lead around
/// every corner at which up to seven charts meet.
const NEAR_CHARTS: usize = 3;

/// The destination of coordinates that left their chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// The chart.
    pub chart: u32,
    /// The coordinates in it, inside the unit square.
    pub uv: Vec2,
    /// From the coordinates of the original chart to those of `chart`: velocities turn with it.
    pub transition: Transition,
    /// [`Stop::Arrived`]; [`Stop::Border`] if the border of the mesh was in the way, where `uv` then is;
    /// [`Stop::TooLong`] if the path passes through too many charts or is not finite.
    pub stop: Stop,
}

/// Quad charts with coordinates.
///
/// A triangle belongs to the chart that contains its middle, and all its corners are in that chart's coordinates; those
/// of a triangle across a border extend beyond the unit square, as \[ThinSkin, appendix A.2\] extends charts.
#[derive(Clone, Debug)]
pub struct Atlas {
    charts: Charts,
    homes: Vec<u32>,
    corners: Vec<[Vec2; 3]>,
    grids: Vec<Grid>,
}

impl Atlas {
    /// Charts with the coordinates that [`parameterize()`](super::parameterize()) found for them.
    pub fn new(charts: Charts, coordinates: &Coordinates) -> Result<Self> {
        let count = charts.of_triangle.len();
        if coordinates.corners.len() != count {
            let text = format!("coordinates of {} triangles for {count}", coordinates.corners.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        let bad = |corners: &[Vec2; 3]| !corners.iter().flatten().all(|x| x.is_finite());
        if let Some(t) = coordinates.corners.iter().position(bad) {
            return Err(Error::new(Kind::NotFinite, "a coordinate is not a number").face(t));
        }
        let mut made = Atlas { charts, homes: Vec::new(), corners: Vec::new(), grids: Vec::new() };
        for (&chart, corners) in made.charts.of_triangle.iter().zip(&coordinates.corners) {
            let home = travel(&made.charts, chart, Vec2::new(0.5, 0.5), middle(corners));
            made.homes.push(home.chart);
            made.corners.push(corners.map(|uv| home.transition.point(uv)));
        }
        let mut images = vec![Vec::new(); made.charts.len()];
        for t in 0..count {
            made.images(t as u32, |chart, corners| images[chart as usize].push((t as u32, corners)));
        }
        made.grids = images.into_iter().map(Grid::new).collect();
        Ok(made)
    }

    /// The charts.
    pub fn charts(&self) -> &Charts {
        &self.charts
    }

    /// The chart of a triangle: the one that contains its middle.
    pub fn chart(&self, triangle: u32) -> u32 {
        self.homes[triangle as usize]
    }

    /// The coordinates of a triangle's corners, all in its chart.
    pub fn corners(&self, triangle: u32) -> [Vec2; 3] {
        self.corners[triangle as usize]
    }

    /// The chart to which coordinates outside of their own lead: along the straight line from the middle of the chart.
    /// The path matters only beyond an irregular corner; with [`Atlas::travel`] the caller chooses it.
    pub fn locate(&self, chart: u32, uv: Vec2) -> Located {
        self.travel(chart, Vec2::new(0.5, 0.5), uv)
    }

    /// The destination of the straight path from a point inside the unit square to any other.
    pub fn travel(&self, chart: u32, from: Vec2, to: Vec2) -> Located {
        travel(&self.charts, chart, from, to)
    }

    /// The chart and the coordinates of a point on the surface.
    pub fn coordinates(&self, point: &SurfacePoint) -> (u32, Vec2) {
        let corners = self.corners[point.triangle as usize];
        let uv = (0..3).map(|k| corners[k] * point.weights[k]).sum();
        let found = self.travel(self.homes[point.triangle as usize], middle(&corners), uv);
        (found.chart, found.uv)
    }

    /// The surface point at coordinates in the unit square, or, where round-off or a flipped triangle leaves a gap, the
    /// one with the nearest coordinates; `None` if there is no such chart or it covers nothing.
    pub fn surface_point(&self, chart: u32, uv: Vec2) -> Option<SurfacePoint> {
        self.grids.get(chart as usize)?.find(uv.map(|x| x.clamp(0.0, 1.0)))
    }

    /// The corners of a triangle of the skin, each with its chart, all in the coordinates of the first corner's chart:
    /// the copies that make the smallest triangle. `None` if a corner is more than three charts away.
    pub fn together(&self, corners: [(u32, Vec2); 3]) -> Option<[Vec2; 3]> {
        let (base, first) = corners[0];
        // The distance that a copy behind a border would have to beat.
        let near = |c: &(u32, Vec2)| c.0 == base && (c.1 - first).amax() <= 0.5;
        if corners.iter().all(near) {
            return Some(corners.map(|c| c.1));
        }
        let near = self.near(base);
        let images = |(chart, uv): (u32, Vec2)| {
            let mut copies = near.iter().filter(move |n| n.chart == chart).peekable();
            let closest = copies.peek().map_or(0, |n| n.sides);
            // Three more sides lead once around a corner, where coordinates begin to overlap.
            let copies = copies.filter(move |n| n.sides < closest + 3);
            copies.map(move |n| n.way.inverse().point(uv)).collect::<Vec<_>>()
        };
        let mut best: Option<(Real, [Vec2; 3])> = None;
        for second in images(corners[1]) {
            for third in images(corners[2]) {
                let around = (second - first).norm() + (third - second).norm() + (first - third).norm();
                // Those fewer sides away come first, and round-off must not prefer farther ones.
                if best.is_none_or(|(shortest, _)| around < shortest * (1.0 - 1e-9)) {
                    best = Some((around, [first, second, third]));
                }
            }
        }
        best.map(|(_, corners)| corners)
    }

    /// The charts around a chart, those fewer sides away first.
    fn near(&self, base: u32) -> Vec<Near> {
        let mut near = vec![Near { chart: base, way: Transition::IDENTITY, sides: 0 }];
        let mut next = 0;
        while let Some(&Near { chart, way, sides }) = near.get(next) {
            next += 1;
            for at in (0..4).map(|side| Side { chart, side }).filter(|_| sides < NEAR_CHARTS) {
                let Some((to, step)) = self.charts.across(at).zip(self.charts.transition(at)) else {
                    continue;
                };
                let (chart, way) = (to.chart, way.then(step));
                if !near.iter().any(|n| n.chart == chart && n.way == way) {
                    near.push(Near { chart, way, sides: sides + 1 });
                }
            }
        }
        near
    }

    /// Every chart whose unit square contains a part of a triangle, with its corners in those coordinates.
    fn images(&self, triangle: u32, mut found: impl FnMut(u32, [Vec2; 3])) {
        let corners = self.corners[triangle as usize];
        let mut seen = vec![(self.homes[triangle as usize], Transition::IDENTITY)];
        let mut next = 0;
        while let Some(&(chart, way)) = seen.get(next) {
            next += 1;
            let image = corners.map(|uv| way.point(uv));
            found(chart, image);
            for side in (0..4).filter(|&side| overlap(&image, side) > TOUCH) {
                let at = Side { chart, side };
                if let Some((to, step)) = self.charts.across(at).zip(self.charts.transition(at)) {
                    let beyond = (to.chart, way.then(step));
                    if !seen.contains(&beyond) {
                        seen.push(beyond);
                    }
                }
            }
        }
    }
}

/// A chart near another, the map to its coordinates, and how many sides away it is.
#[derive(Clone, Copy)]
struct Near {
    chart: u32,
    way: Transition,
    sides: usize,
}

fn middle(corners: &[Vec2; 3]) -> Vec2 {
    (corners[0] + corners[1] + corners[2]) / 3.0
}

fn travel(charts: &Charts, chart: u32, from: Vec2, to: Vec2) -> Located {
    let (mut from, mut entered) = (from, None);
    let mut at = Located { chart, uv: to, transition: Transition::IDENTITY, stop: Stop::TooLong };
    if !to.iter().chain(from.iter()).all(|x| x.is_finite()) {
        return at;
    }
    for _ in 0..MAX_CROSSINGS {
        let d = at.uv - from;
        // How far beyond each side the goal is, and how far in front of it the start.
        let sides = [
            (-at.uv.y, from.y, -d.y),
            (at.uv.x - 1.0, 1.0 - from.x, d.x),
            (at.uv.y - 1.0, 1.0 - from.y, d.y),
            (-at.uv.x, from.x, -d.x),
        ];
        let mut exit: Option<(Real, u8)> = None;
        for (side, (beyond, before, speed)) in (0u8..).zip(sides) {
            if beyond > 0.0 && speed > 0.0 && entered != Some(side) {
                let step = (before / speed).clamp(0.0, 1.0);
                if exit.is_none_or(|(nearest, _)| step < nearest) {
                    exit = Some((step, side));
                }
            }
        }
        let Some((step, side)) = exit else {
            at.stop = Stop::Arrived;
            break;
        };
        let side = Side { chart: at.chart, side };
        let crossing = from + d * step;
        let Some((to, over)) = charts.across(side).zip(charts.transition(side)) else {
            at.uv = crossing;
            at.stop = Stop::Border;
            break;
        };
        from = over.point(crossing);
        entered = Some(to.side);
        at.uv = over.point(at.uv);
        at.transition = at.transition.then(over);
        at.chart = to.chart;
    }
    if at.stop != Stop::TooLong {
        at.uv = at.uv.map(|x| x.clamp(0.0, 1.0));
    }
    at
}

/// The part of a side of the unit square that lies in a triangle.
fn overlap(corners: &[Vec2; 3], side: u8) -> Real {
    let (a, b) = (on_side(side, 0.0), on_side(side, 1.0));
    let whole = (corners[1] - corners[0]).perp(&(corners[2] - corners[0])).signum();
    let (mut low, mut high) = (0.0, 1.0);
    for k in 0..3 {
        let edge = (corners[(k + 1) % 3] - corners[k]) * whole;
        let inside = |p: Vec2| edge.perp(&(p - corners[k]));
        let (at_a, at_b) = (inside(a), inside(b));
        if at_a < 0.0 && at_b < 0.0 {
            return 0.0;
        }
        let zero = at_a / (at_a - at_b);
        if at_a < 0.0 {
            low = zero.max(low);
        } else if at_b < 0.0 {
            high = zero.min(high);
        }
    }
    high - low
}

/// The triangles of a chart, sorted into square cells.
#[derive(Clone, Debug)]
struct Grid {
    images: Vec<(u32, [Vec2; 3])>,
    cells: usize,
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Grid {
    fn new(images: Vec<(u32, [Vec2; 3])>) -> Self {
        let cells = ((images.len() as Real / 2.0).sqrt().ceil() as usize).clamp(1, 1024);
        let mut lists: HashMap<usize, Vec<u32>> = HashMap::new();
        for (k, (_, [a, b, c])) in images.iter().enumerate() {
            let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
            for j in cell(low.y, cells)..=cell(high.y, cells) {
                for i in cell(low.x, cells)..=cell(high.x, cells) {
                    lists.entry(j * cells + i).or_default().push(k as u32);
                }
            }
        }
        let (mut starts, mut entries) = (vec![0], Vec::new());
        for k in 0..cells * cells {
            entries.extend(lists.get(&k).into_iter().flatten());
            starts.push(entries.len() as u32);
        }
        Grid { images, cells, starts, entries }
    }

    /// The triangle nearest to `uv`, searched in growing rings of cells.
    fn find(&self, uv: Vec2) -> Option<SurfacePoint> {
        let (i, j) = (cell(uv.x, self.cells) as isize, cell(uv.y, self.cells) as isize);
        let n = self.cells as isize;
        let mut best: Option<(Real, SurfacePoint)> = None;
        for ring in 0..n {
            for y in (j - ring).max(0)..=(j + ring).min(n - 1) {
                let row = (y - j).abs() == ring;
                for x in (i - ring).max(0)..=(i + ring).min(n - 1) {
                    if row || (x - i).abs() == ring {
                        self.nearest_in((y * n + x) as usize, uv, &mut best);
                    }
                }
            }
            // Cells farther out are at least this distance away.
            let reach = ring as Real / n as Real;
            if best.is_some_and(|(distance, _)| distance <= reach) {
                break;
            }
        }
        best.map(|(_, point)| point)
    }

    fn nearest_in(&self, cell: usize, uv: Vec2, best: &mut Option<(Real, SurfacePoint)>) {
        let p = Vec3::new(uv.x, uv.y, 0.0);
        for &k in &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
            let (triangle, corners) = self.images[k as usize];
            let corners = corners.map(|c| Vec3::new(c.x, c.y, 0.0));
            let point = SurfacePoint { triangle, weights: closest_weights(&p, &corners) };
            let distance = (point.mix(corners) - p).norm();
            if best.is_none_or(|(nearest, _)| distance < nearest) {
                *best = Some((distance, point));
            }
        }
    }
}

fn cell(x: Real, cells: usize) -> usize {
    ((x * cells as Real).max(0.0) as usize).min(cells - 1)
}
