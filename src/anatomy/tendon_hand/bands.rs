//! Bands between the extensors of neighbouring fingers (juncturae tendinum), by which fingers pull each other along
//! \[HandThesis §3.4; Leijnse et al. 1992, "Biomechanics of the finger with anatomical restrictions"\].
//!
//! The thesis has them but does not say where they are. Ours run straight across the back of the hand, between points
//! that the extensor's strands carry with them and that stay on a line along the metacarpal. They lie far enough
//! proximal to the knuckles for a finger to flex fully without its point reaching the next node. A transverse band is
//! taut only when one point is ahead of the other: each finger can move its tendon independently by a few millimetres.

use super::fibre;
use super::routing::Tendon;
use crate::math::{Real, Vec3};
use crate::strand::parts::{Carrier, Curve, CurveShape, Mode, Node, Parts, Point, Rule, Strand};

/// In m: a band of a few mm^2.
const RADIUS: Real = 0.0008;
/// The nodes of the extensor between which the bands are tied to it.
const BETWEEN: [&str; 2] = ["EDC 2", "EDC 3"];
/// How far proximal to the latter, in m, on the finger where it lies farthest back, the little one: more than its tendon
/// moves in a fist. Others, whose tendons move by up to 20 mm, have more.
const BEFORE: Real = 0.017;

/// Ties neighbours, whose digits are given in order, to each other; a finger without an extensor has no neighbours.
pub(super) fn add(parts: &mut Parts, digits: &[String]) {
    let x = |digit: &String| find(parts, digit, BETWEEN[1]).map(|p| parts.points[p].place.x);
    let across = digits.iter().filter_map(x).fold(Real::INFINITY, Real::min) - BEFORE;
    let junctions: Vec<Option<usize>> = digits.iter().map(|digit| junction(parts, digit, across)).collect();
    for (names, pair) in digits.windows(2).zip(junctions.windows(2)) {
        if let [Some(a), Some(b)] = *pair {
            let length = (parts.points[a].place - parts.points[b].place).norm();
            let node = |point, material| Node { point, material, mode: Mode::Removed };
            parts.strands.push(Strand {
                name: format!("{} {} band", names[0], names[1]),
                nodes: vec![node(a, 0.0), node(b, length)],
                fibre: fibre(RADIUS),
                radius: RADIUS,
            });
        }
    }
}

fn find(parts: &Parts, digit: &str, name: &str) -> Option<usize> {
    parts.points.iter().position(|point| point.name == format!("{digit} {name}"))
}

/// Adds the point of a finger at which bands are tied to its extensor, at `across` along the hand.
fn junction(parts: &mut Parts, digit: &str, across: Real) -> Option<usize> {
    let [from, to] = BETWEEN.map(|name| find(parts, digit, name));
    let (from, to) = (from?, to?);
    let [start, end] = [from, to].map(|point| parts.points[point].place);
    let part = (across - start.x) / (end.x - start.x);
    if !(part > 0.0 && part < 1.0) {
        return None;
    }
    let Carrier::Body(body) = parts.points[to].carrier else { return None };
    let inside = |place: &Vec3| parts.bodies[body].place.point_inside(place);
    let shape = CurveShape::Line(inside(&start), inside(&end));
    let place = start.lerp(&end, part);
    let (point, curve) = (parts.points.len(), parts.curves.len());
    // The extensor's strands run together there, as one tendon.
    for tendon in [Tendon::Edc, Tendon::ExtLat] {
        let name = format!("{digit} {}", tendon.name());
        let Some(strand) = parts.strands.iter_mut().find(|strand| strand.name == name) else { continue };
        if let Some(k) = strand.nodes.windows(2).position(|pair| [pair[0].point, pair[1].point] == [from, to])
        {
            let (a, b) = (strand.nodes[k].material, strand.nodes[k + 1].material);
            strand.nodes.insert(k + 1, Node { point, material: a + part * (b - a), mode: Mode::Removed });
        }
    }
    parts.points.push(Point { name: format!("{digit} EDC band"), place, carrier: Carrier::Nothing });
    parts.curves.push(Curve { name: format!("{digit} EDC band line"), body: Some(body), shape });
    parts.rules.push(Rule::Curve { point, curve });
    Some(point)
}
