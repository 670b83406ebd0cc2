//! Charts beside each other in the unit square: each turned so that its bounding rectangle is smallest and upright,
//! then row after row by height, at the largest scale at which all of them fit.

use super::flatten::Flat;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2};

/// The scale is found by halving this many times: to the precision of UVs.
const HALVINGS: usize = 40;

/// The UVs of each chart in the unit square, at least `margin` from other charts and from the border.
pub(super) fn pack(flats: &[Flat], margin: Real) -> Result<Vec<Vec<Vec2>>> {
    let upright: Vec<(Vec<Vec2>, Vec2)> = flats.iter().map(|flat| upright(&flat.uvs)).collect();
    let sizes: Vec<Vec2> = upright.iter().map(|(_, size)| *size).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| sizes[b].y.total_cmp(&sizes[a].y).then(sizes[b].x.total_cmp(&sizes[a].x)));
    let Some(mut best) = rows(&sizes, &order, 0.0, margin) else {
        let text = format!("a margin of {margin} leaves no room for {} charts: make it smaller", flats.len());
        return Err(Error::new(Kind::OutOfRange, text));
    };
    let area: Real = sizes.iter().map(|size| size.x * size.y).sum();
    let (mut low, mut high) = (0.0, if area > 0.0 { 1.0 / area.sqrt() } else { 0.0 });
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        match rows(&sizes, &order, middle, margin) {
            Some(places) => (low, best) = (middle, places),
            None => high = middle,
        }
    }
    let place = |((uvs, _), at): (&(Vec<Vec2>, Vec2), &Vec2)| uvs.iter().map(|uv| at + uv * low).collect();
    Ok(upright.iter().zip(&best).map(place).collect())
}

/// The lower left corner of each rectangle at a scale; none if they do not fit.
fn rows(sizes: &[Vec2], order: &[usize], scale: Real, margin: Real) -> Option<Vec<Vec2>> {
    let mut places = vec![Vec2::zeros(); sizes.len()];
    let (mut at, mut top) = (Vec2::new(margin, margin), margin);
    for &k in order {
        let size = sizes[k] * scale;
        if at.x + size.x + margin > 1.0 && at.x > margin {
            at = Vec2::new(margin, top + margin);
        }
        if at.x + size.x + margin > 1.0 || at.y + size.y + margin > 1.0 {
            return None;
        }
        places[k] = at;
        top = top.max(at.y + size.y);
        at.x += size.x + margin;
    }
    Some(places)
}

/// A chart with its smallest bounding rectangle upright and the lower left corner at the origin, and the rectangle's
/// size. One side of that rectangle runs along a side of the convex hull.
fn upright(uvs: &[Vec2]) -> (Vec<Vec2>, Vec2) {
    let hull = hull(uvs);
    let turned = |points: &[Vec2], x: Vec2| -> Vec<Vec2> {
        points.iter().map(|p| Vec2::new(x.dot(p), x.perp(p))).collect()
    };
    let mut best = (Real::INFINITY, Vec2::new(1.0, 0.0));
    for k in 0..hull.len() {
        let Some(x) = (hull[(k + 1) % hull.len()] - hull[k]).try_normalize(0.0) else { continue };
        let [low, high] = bounds(&turned(&hull, x));
        let size = high - low;
        if size.x * size.y < best.0 {
            // The longer side is upright.
            let up = if size.x > size.y { Vec2::new(x.y, -x.x) } else { x };
            best = (size.x * size.y, up);
        }
    }
    let mut out = turned(uvs, best.1);
    let [low, high] = bounds(&out);
    out.iter_mut().for_each(|uv| *uv -= low);
    (out, high - low)
}

fn bounds(points: &[Vec2]) -> [Vec2; 2] {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold([first, first], |[low, high], p| [low.inf(p), high.sup(p)])
}

/// The convex hull, counter-clockwise (Andrew's monotone chain).
fn hull(points: &[Vec2]) -> Vec<Vec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<Vec2> = Vec::new();
    let (there, back) = (sorted.iter(), sorted.iter().rev().skip(1));
    let mut floor = 1;
    for (k, p) in there.chain(back).enumerate() {
        if k == sorted.len() {
            floor = hull.len();
        }
        while hull.len() > floor {
            let [a, b] = [hull[hull.len() - 2], hull[hull.len() - 1]];
            if (b - a).perp(&(p - b)) > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(*p);
    }
    hull.pop();
    if hull.is_empty() { sorted } else { hull }
}
