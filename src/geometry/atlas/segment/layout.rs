//! Cells laid out in the plane: borders on a circle, interiors harmonic with positive weights, so that no triangle
//! flips (Tutte, "How to draw a graph", 1963).

use super::refine::Refined;
use crate::atlas::chart::find_copies;
use crate::atlas::harmonic::harmonic;
use crate::atlas::parameterize::edge_weights;
use sinew_base::error::Result;
use sinew_math::elementary::{cos, sin};
use sinew_math::{Real, Vec2};
use std::f64::consts::TAU;

/// The corners of each triangle in the layout of its cell. `loops` are the half-edges around the cells, each starting
/// at a node. A cell that touches itself at a vertex contains that vertex twice.
pub(super) fn layout(ground: &Refined, loops: &[Vec<u32>], nodes: &[bool]) -> Result<Vec<[Vec2; 3]>> {
    let inner = |h: u32| if ground.is_cut(h) { None } else { ground.edges.twin(h) };
    let (copies, count) = find_copies(&ground.edges, inner);
    let mut places: Vec<Option<Vec2>> = vec![None; count];
    for border in loops {
        let vertices: Vec<u32> = border.iter().map(|&h| ground.edges.origin(h)).collect();
        for (&h, place) in border.iter().zip(on_circle(&vertices, nodes)) {
            places[copies[h as usize / 3][h as usize % 3] as usize] = Some(place);
        }
    }
    let weights = edge_weights(&ground.mesh, &ground.edges, true);
    let springs =
        weights.into_iter().map(|((t, k), w)| ([copies[t][k] as usize, copies[t][(k + 1) % 3] as usize], w));
    let places = harmonic(&places, springs)?;
    Ok(copies.iter().map(|copies| copies.map(|copy| places[copy as usize])).collect())
}

/// Nodes evenly around the circle, the vertices in between evenly between them.
fn on_circle(border: &[u32], nodes: &[bool]) -> Vec<Vec2> {
    let ends: Vec<usize> = (0..border.len()).filter(|&i| nodes[border[i] as usize]).collect();
    let m = ends.len();
    let mut places = Vec::new();
    for (k, &from) in ends.iter().enumerate() {
        let to = ends.get(k + 1).copied().unwrap_or(border.len());
        for i in 0..to - from {
            let arcs = k as Real + i as Real / (to - from) as Real;
            let angle = TAU * arcs / m as Real;
            places.push(Vec2::new(cos(angle), sin(angle)));
        }
    }
    places
}
