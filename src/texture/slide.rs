//! Where the skin at each place of the body was painted, in one frame.

use super::frames::{self, Metric};
use super::grid::Piece;
use super::layout::Layout;
use super::texels::{inside, weights};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::SurfacePoint;
use sinew_geometry::twice_area;
use sinew_math::{Mat2, Mat3x2, Real, Vec2, Vec3};
use std::collections::HashMap;

/// The map of a triangle: the UV of its chart becomes `linear * uv + offset`.
#[derive(Clone, Copy, Debug)]
struct Affine {
    linear: Mat2,
    offset: Vec2,
}

/// The map of a polygon: the chart from which it is seen if a seam may be under it.
type Chart = Option<SurfacePoint>;

/// The map of one frame.
pub struct Slide {
    maps: Vec<Affine>,
    /// By polygon.
    charts: Vec<Chart>,
    /// The place of the skin at each corner.
    points: Vec<SurfacePoint>,
}

/// What a texel fetches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fetch {
    /// Its UV.
    pub uv: Vec2,
    /// The derivative of that by the texel's UV.
    pub jacobian: Mat2,
    /// The metrics of the UVs there and, continued from the piece, at the texel.
    pub metrics: [Metric; 2],
}

impl Slide {
    /// From the skin point of every vertex.
    pub fn from_skin(layout: &Layout, skin: &[SurfacePoint]) -> Result<Self> {
        let vertices = layout.tri.positions.len();
        if skin.len() != vertices {
            let message = format!("{} skin points for {vertices} vertices", skin.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let points: Vec<SurfacePoint> = layout.corner_vertices.iter().map(|&v| skin[v as usize]).collect();
        let found = (0..layout.face_count()).into_par_iter().with_min_len(64).map(|face| {
            let points = &points[layout.offsets[face] as usize..layout.offsets[face + 1] as usize];
            let mut uvs = vec![Vec2::zeros(); points.len()];
            layout.islands.face_uvs(points, face, &mut uvs)?;
            Ok((uvs, layout.islands.chart(points, face)?))
        });
        let found: Vec<(Vec<Vec2>, Chart)> = found.collect::<Result<_>>()?;
        let (uvs, charts): (Vec<Vec<Vec2>>, Vec<Chart>) = found.into_iter().unzip();
        Ok(Slide { maps: maps(layout, &uvs.concat()), charts, points })
    }

    /// From slid UVs alone, two numbers per corner as the skin slider gives them: all corners of a face in one chart,
    /// that of the centre of its largest triangle. The skin points are recovered from them, which takes longer than
    /// [`Slide::from_skin`], and is ambiguous if the centre of a face is on a seam.
    pub fn from_uvs(layout: &Layout, uvs: &[Real]) -> Result<Self> {
        if uvs.len() != 2 * layout.corner_count() {
            let message = format!("{} numbers for the UVs of {} corners", uvs.len(), layout.corner_count());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        if let Some(bad) = uvs.iter().position(|x| !x.is_finite()) {
            let face = layout.offsets.partition_point(|&o| o as usize <= bad / 2) - 1;
            let message = format!("the slid UV of the corner {} is not a number", bad / 2);
            return Err(Error::new(Kind::NotFinite, message).face(face));
        }
        let uvs: Vec<Vec2> = uvs.chunks_exact(2).map(|uv| Vec2::new(uv[0], uv[1])).collect();
        let finder = Finder::new(layout);
        let found = (0..layout.face_count()).into_par_iter().with_min_len(64).map(|face| {
            let range = layout.offsets[face] as usize..layout.offsets[face + 1] as usize;
            let middle = finder.middle(layout, face, &uvs[range.clone()]);
            let point = |uv: &Vec2| layout.islands.unfold(&middle, *uv).map_or(middle, |found| found.on);
            let points: Vec<SurfacePoint> = uvs[range].iter().map(point).collect();
            let near = layout.islands.chart(&points, face)?.is_some();
            Ok((points, near.then_some(middle)))
        });
        let found: Vec<(Vec<SurfacePoint>, Chart)> = found.collect::<Result<_>>()?;
        let (points, charts): (Vec<Vec<SurfacePoint>>, Vec<Chart>) = found.into_iter().unzip();
        Ok(Slide { maps: maps(layout, &uvs), charts, points: points.concat() })
    }

    /// The skin at rest.
    pub fn at_rest(layout: &Layout) -> Result<Self> {
        let skin: Vec<SurfacePoint> = (0..layout.homes.len()).map(|v| layout.home(v)).collect();
        Slide::from_skin(layout, &skin)
    }

    /// The map over a whole piece, if no seam is near: from the UV of a texel to the UV it fetches.
    pub(super) fn straight(&self, layout: &Layout, piece: &Piece) -> Option<(Mat2, Vec2)> {
        if self.charts[layout.tri.faces[piece.triangle as usize] as usize].is_some() {
            return None;
        }
        let map = self.maps[piece.triangle as usize];
        Some((map.linear * piece.turn, map.linear * piece.offset + map.offset))
    }

    /// The UV that the texel at `uv` of a piece fetches.
    pub(super) fn fetch(&self, layout: &Layout, piece: &Piece, uv: Vec2) -> Fetch {
        let (t, own) = (piece.triangle as usize, piece.own(uv));
        let map = self.maps[t];
        let weights = weights(&layout.uvs[t], own);
        let texel = frames::turned(frames::mix(&layout.metrics[t], &weights), &piece.turn);
        let (uv, jacobian) = (map.linear * own + map.offset, map.linear * piece.turn);
        let seen =
            self.charts[layout.tri.faces[t] as usize].and_then(|chart| layout.islands.unfold(&chart, uv));
        let at = |on: &SurfacePoint| frames::mix(&layout.metrics[on.triangle as usize], &on.weights);
        match seen {
            Some(found) => {
                let metrics = [at(&found.on), texel];
                Fetch { uv: found.uv, jacobian: found.turn * jacobian, metrics }
            }
            None => {
                let corners = layout.tri.corners[t].map(|c| at(&self.points[c as usize]));
                Fetch { uv, jacobian, metrics: [frames::mix(&corners, &weights), texel] }
            }
        }
    }

    /// The straight displacement at rest from the place at a UV of a piece to the place where its skin was painted: the
    /// UV times the first plus the second.
    pub(super) fn ways(&self, layout: &Layout, piece: &Piece) -> (Mat3x2, Vec3) {
        let t = piece.triangle as usize;
        let way = |k: usize| {
            let point = &self.points[layout.tri.corners[t][k] as usize];
            point.position(&layout.tri) - layout.tri.positions[layout.tri.triangles[t][k] as usize]
        };
        let [a, b, c] = [0, 1, 2].map(way);
        let Some(inverse) = sides(&layout.uvs[t]).try_inverse() else { return (Mat3x2::zeros(), a) };
        let linear = Mat3x2::from_columns(&[b - a, c - a]) * inverse;
        (linear * piece.turn, a + linear * (piece.offset - layout.uvs[t][0]))
    }
}

fn sides(uvs: &[Vec2; 3]) -> Mat2 {
    Mat2::from_columns(&[uvs[1] - uvs[0], uvs[2] - uvs[0]])
}

/// The affine maps of the triangles. One that did not move gets exactly the identity, not a product.
fn maps(layout: &Layout, slid: &[Vec2]) -> Vec<Affine> {
    let map = |t: usize| {
        let (from, to) = (layout.uvs[t], layout.tri.corners[t].map(|c| slid[c as usize]));
        let still = Affine { linear: Mat2::identity(), offset: Vec2::zeros() };
        if from == to || twice_area(&from) == 0.0 {
            return still;
        }
        let Some(inverse) = sides(&from).try_inverse() else { return still };
        let linear = sides(&to) * inverse;
        let offset = to[0] - linear * from[0];
        if offset.iter().chain(linear.iter()).all(|x| x.is_finite()) {
            Affine { linear, offset }
        } else {
            still
        }
    };
    (0..layout.uvs.len()).into_par_iter().with_min_len(256).map(map).collect()
}

/// Finds triangles by their UVs: those whose bounds touch a cell of a regular grid over each tile.
struct Finder {
    cells: HashMap<(i64, i64), Vec<u32>>,
    side: Real,
}

/// Triangles over more cells than this are searched in all of them.
const MOST_CELLS: i64 = 4096;

impl Finder {
    fn new(layout: &Layout) -> Self {
        // About one triangle per cell.
        let total: Real = layout.uvs.iter().map(|t| 0.5 * twice_area(t).abs()).sum();
        let side = (total / layout.uvs.len().max(1) as Real).sqrt().max(1e-4);
        let mut finder = Finder { cells: HashMap::new(), side };
        for (t, [a, b, c]) in layout.uvs.iter().enumerate().filter(|(_, uvs)| twice_area(uvs) != 0.0) {
            let (low, high) = (finder.cell(a.inf(b).inf(c)), finder.cell(a.sup(b).sup(c)));
            if (high.0 - low.0 + 1) * (high.1 - low.1 + 1) > MOST_CELLS {
                finder.cells.entry((-1, -1)).or_default().push(t as u32);
                continue;
            }
            for u in low.0..=high.0 {
                for v in low.1..=high.1 {
                    finder.cells.entry((u, v)).or_default().push(t as u32);
                }
            }
        }
        finder
    }

    fn cell(&self, uv: Vec2) -> (i64, i64) {
        ((uv.x / self.side).floor() as i64, (uv.y / self.side).floor() as i64)
    }

    /// The first triangle that contains a UV; otherwise the candidate with the smallest violation.
    fn find(&self, layout: &Layout, uv: Vec2) -> Option<SurfacePoint> {
        let lists = [self.cell(uv), (-1, -1)].map(|cell| self.cells.get(&cell));
        let outside = |w: &[Real; 3]| -w.iter().fold(0.0, |least: Real, &x| least.min(x));
        let mut best: Option<(Real, SurfacePoint)> = None;
        for &triangle in lists.into_iter().flatten().flatten() {
            let weights = weights(&layout.uvs[triangle as usize], uv);
            let far = outside(&weights);
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, SurfacePoint { triangle, weights }));
            }
        }
        best.map(|(_, on)| SurfacePoint { weights: inside(on.weights), ..on })
    }

    /// The place under the centre of a polygon's largest triangle, or under one of its corners; otherwise its rest
    /// place.
    fn middle(&self, layout: &Layout, face: usize, uvs: &[Vec2]) -> SurfacePoint {
        let start = layout.offsets[face];
        let first = layout.tri.faces.partition_point(|&f| (f as usize) < face);
        let triangles = (first..layout.tri.faces.len()).take_while(|&t| layout.tri.faces[t] as usize == face);
        let size = |t: usize| {
            let [a, b, c] = layout.tri.points(t);
            (b - a).cross(&(c - a)).norm_squared()
        };
        let largest = triangles.fold(first, |best, t| if size(t) > size(best) { t } else { best });
        let corners = layout.tri.corners[largest].map(|c| uvs[(c - start) as usize]);
        let middle = corners.iter().sum::<Vec2>() / 3.0;
        let home = SurfacePoint { triangle: largest as u32, weights: [1.0 / 3.0; 3] };
        std::iter::once(middle).chain(corners).find_map(|uv| self.find(layout, uv)).unwrap_or(home)
    }
}
