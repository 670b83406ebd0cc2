//! Quad charts for tori and tubes.

use sinew::geometry::atlas::{Atlas, Charts as QuadCharts, Quad, parameterize};
use sinew::skin::paper::Charts;
use sinew::skin::rest::Rest;

/// Charts of a grid of vertices that is cut into `across` by `along` equal rectangles, the first from `shift` on.
fn rectangles(
    cells: (usize, usize),
    (across, along): (usize, usize),
    vertex: impl Fn(usize, usize) -> u32,
) -> Vec<Quad> {
    let (w, h) = (cells.0 / across, cells.1 / along);
    let quad = |(x, y): (usize, usize)| Quad {
        sides: [
            (0..=w).map(|i| vertex(x + i, y)).collect(),
            (0..=h).map(|j| vertex(x + w, y + j)).collect(),
            (0..=w).map(|i| vertex(x + w - i, y + h)).collect(),
            (0..=h).map(|j| vertex(x, y + h - j)).collect(),
        ],
    };
    (0..along).flat_map(|b| (0..across).map(move |a| (a * w, b * h))).map(quad).collect()
}

fn quads(rest: &Rest, quads: Vec<Quad>) -> Charts {
    let (mesh, edges) = (rest.mesh(), rest.edges());
    let charts = QuadCharts::new(mesh, edges, quads).unwrap();
    let coordinates = parameterize(mesh, edges, &charts).unwrap();
    Charts::quads(rest, &Atlas::new(charts, &coordinates).unwrap()).unwrap()
}

/// `split` charts of a torus of `cells`, their borders shifted.
pub fn torus_charts(
    rest: &Rest,
    cells: (usize, usize),
    split: (usize, usize),
    shift: (usize, usize),
) -> Charts {
    let vertex = |i, j| (((j + shift.1) % cells.1) * cells.0 + (i + shift.0) % cells.0) as u32;
    quads(rest, rectangles(cells, split, vertex))
}

/// Four charts around a tube.
pub fn tube_charts(rest: &Rest, n: usize) -> Charts {
    quads(rest, rectangles((n, n), (4, 1), |i, j| (j * n + i % n) as u32))
}
