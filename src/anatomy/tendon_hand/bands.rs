//! Bands between the extensors of neighbouring fingers (juncturae tendinum), by which fingers pull each other along
//! \[HandThesis §3.4; Leijnse et al. 1992, "Biomechanics of the finger with anatomical restrictions"\].
//!
//! The thesis has them but does not say where they are. Ours run straight across the back of the hand, between points
//! that the extensor's strands carry with them and that stay on a line along the metacarpal. Such a point takes the
//! place of the extensor's node there, so that none stands in its way: in a fist it moves by more than 2 cm towards the
//! knuckle, and neighbours pull each other's points along. A transverse band is taut only when one point is ahead of
//! the other: each finger can move its tendon independently by a few millimetres.

use super::fibre;
use super::tendons::Tendon;
use sinew_math::{Real, Vec3};
use sinew_strand::parts::{Carrier, Curve, CurveShape, Mode, Node, Parts, Point, Rule, Strand};

/// In m: a band of a few mm^2.
const RADIUS: Real = 0.0008;
/// The node of the extensor whose place the bands' point takes.
const INSTEAD_OF: &str = "EDC 3";
/// The nodes of the extensor between which it may move.
const BETWEEN: [&str; 2] = ["EDC 2", "EDC 4"];
/// How far proximal to the latter, in m, on the finger where it lies farthest back, the little one: more than any
/// finger's tendon moves in a fist, up to 22 mm, since neighbours take each other along.
const BEFORE: Real = 0.027;

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

/// Makes a node of a finger's extensor the point at which bands are tied to it, at `across` along the hand.
fn junction(parts: &mut Parts, digit: &str, across: Real) -> Option<usize> {
    let [from, to] = BETWEEN.map(|name| find(parts, digit, name));
    let (from, to, point) = (from?, to?, find(parts, digit, INSTEAD_OF)?);
    let [start, end] = [from, to].map(|point| parts.points[point].place);
    let part = (across - start.x) / (end.x - start.x);
    if !(part > 0.0 && part < 1.0) {
        return None;
    }
    let Carrier::Body(body) = parts.points[to].carrier else { return None };
    let inside = |place: &Vec3| parts.bodies[body].place.point_inside(place);
    let shape = CurveShape::Line(inside(&start), inside(&end));
    let place = start.lerp(&end, part);
    // The extensor's strands run together there, as one tendon.
    for tendon in [Tendon::Edc, Tendon::ExtLat] {
        let name = format!("{digit} {}", tendon.name());
        if let Some(strand) = parts.strands.iter_mut().find(|strand| strand.name == name) {
            carry(strand, point, [(place - start).norm(), (end - place).norm()]);
        }
    }
    let curve = parts.curves.len();
    parts.points[point] = Point { name: format!("{digit} EDC band"), place, carrier: Carrier::Nothing };
    parts.curves.push(Curve { name: format!("{digit} EDC band line"), body: Some(body), shape });
    parts.rules.push(Rule::Curve { point, curve });
    Some(point)
}

/// Lets a strand carry a node along, so many metres from the nodes before and after it.
fn carry(strand: &mut Strand, point: usize, spans: [Real; 2]) {
    let Some(k) = strand.nodes.iter().position(|node| node.point == point) else { return };
    let Some(last) = k.checked_sub(1).map(|before| strand.nodes[before].material) else { return };
    let Some(next) = strand.nodes.get(k + 1).map(|node| node.material) else { return };
    let longer = last + spans[0] + spans[1] - next;
    strand.nodes[k] = Node { point, material: last + spans[0], mode: Mode::Removed };
    strand.nodes[k + 1..].iter_mut().for_each(|node| node.material += longer);
}
