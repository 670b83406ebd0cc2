//! A mesh cut open along borders.

use super::Ground;
use crate::atlas::chart::corner_copies;

/// A part of the cut mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    /// Ascending.
    pub faces: Vec<u32>,
    /// The copies of vertices in it, see [`Cut::copies`].
    pub copies: Vec<u32>,
    /// The half-edges around the chart and around its holes, each loop in order.
    pub loops: Vec<Vec<u32>>,
    /// Vertices minus edges plus faces.
    euler: i64,
}

/// All parts of a mesh that is cut open.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub chart_of_face: Vec<u32>,
    pub face_of_corner: Vec<u32>,
    /// By half-edge, whether it is cut although there is a face on its other side.
    pub borders: Vec<bool>,
    /// The copy of the vertex at each corner: a vertex on a border has one for each fan of faces there.
    pub copies: Vec<u32>,
    /// The number of each copy within its chart.
    pub local: Vec<u32>,
    pub charts: Vec<Chart>,
}

impl Cut {
    /// Cuts along the edges with a half-edge for which `marked` holds.
    pub fn new(ground: &Ground, marked: impl Fn(u32) -> bool) -> Self {
        let edges = &ground.edges;
        let inner = |h: u32| edges.twin(h).filter(|&twin| !marked(h) && !marked(twin));
        let (chart_of_face, count) = edges.pieces(inner);
        let (copies, copy_count) = corner_copies(edges, inner);
        let mut charts = vec![Chart::default(); count];
        let mut local = vec![u32::MAX; copy_count];
        let mut face_of_corner = Vec::with_capacity(edges.len());
        // A copy is a fan of faces: at most one half-edge of a border begins there.
        let mut border_from = vec![None; copy_count];
        let mut halves = vec![0i64; count];
        for (face, &number) in chart_of_face.iter().enumerate() {
            let number = number as usize;
            let chart = &mut charts[number];
            chart.faces.push(face as u32);
            for h in edges.face_corners(face) {
                face_of_corner.push(face as u32);
                let copy = copies[h] as usize;
                if local[copy] == u32::MAX {
                    local[copy] = chart.copies.len() as u32;
                    chart.copies.push(copy as u32);
                }
                let is_inner = inner(h as u32).is_some();
                halves[number] += if is_inner { 1 } else { 2 };
                if !is_inner {
                    border_from[copy] = Some(h as u32);
                }
            }
        }
        for (chart, halves) in charts.iter_mut().zip(halves) {
            chart.euler = (chart.copies.len() + chart.faces.len()) as i64 - halves / 2;
        }
        let borders =
            (0..edges.len() as u32).map(|h| edges.twin(h).is_some() && inner(h).is_none()).collect();
        for start in 0..copy_count {
            let mut around = Vec::new();
            let mut at = start;
            while let Some(h) = border_from[at].take() {
                around.push(h);
                at = copies[edges.next(h) as usize] as usize;
            }
            if let Some(&h) = around.first() {
                charts[chart_of_face[edges.face(h) as usize] as usize].loops.push(around);
            }
        }
        Cut { chart_of_face, face_of_corner, borders, copies, local, charts }
    }

    /// Why a chart cannot be laid flat, and what to do.
    pub fn flaw(&self, chart: usize) -> Option<&'static str> {
        let Chart { loops, euler, .. } = &self.charts[chart];
        // Euler's formula for a surface with h handles and b borders: V - E + F = 2 - 2 h - b.
        let handles = (2 - loops.len() as i64 - euler) / 2;
        match loops.iter().map(Vec::len).max() {
            None => Some("is closed: mark a border across it"),
            Some(_) if handles > 0 => {
                Some("has a handle, like that of a cup: mark another border that cuts it")
            }
            Some(longest) if longest < 3 => {
                Some("is closed except for a slit of a single edge: mark one more border across it")
            }
            Some(_) => None,
        }
    }
}
