//! Four fingers side by side. Each has its own wrist and metacarpal, so that the palm may arch.

use super::bones::Bone;
use super::finger;
use super::measures::Finger;
use super::{Options, bands};
use sinew_base::error::Result;
use sinew_math::{Placement, Real, Vec3};
use sinew_strand::parts::{Carrier, Lie, Parts, Pull, Rule};

/// Where the knuckles are, in m distally and radially from the index finger's: the hand is 85 mm broad there (as
/// adults' are), and a fist's knuckles form an arc.
const KNUCKLES: [[Real; 2]; 4] = [[0.0, 0.0], [0.003, -0.021], [-0.003, -0.041], [-0.012, -0.060]];

/// Where the knuckles are, relative to the index finger's.
pub(super) fn knuckles() -> [Vec3; 4] {
    KNUCKLES.map(|[ahead, aside]| Vec3::new(ahead, 0.0, aside))
}

/// The parts of four fingers; indices of finger `k` are those of a single finger, offset by `k` times its count. Names
/// begin with the finger's number.
pub fn hand(options: &Options) -> Result<Parts> {
    let fingers = Finger::all();
    together(
        fingers.iter().zip(knuckles()).map(|(finger, place)| (finger.digit.to_string(), finger, place)),
        options,
    )
}

/// The parts of any number of fingers in a row, 2 cm apart; names begin with their number from 1.
pub fn row(fingers: &[Finger], options: &Options) -> Result<Parts> {
    let all = fingers.iter().enumerate();
    let placed = |(k, finger)| (format!("{}", k + 1), finger, Vec3::z() * (-0.02 * k as Real));
    together(all.map(placed), options)
}

fn together<'a>(
    fingers: impl Iterator<Item = (String, &'a Finger, Vec3)>,
    options: &Options,
) -> Result<Parts> {
    let (mut all, mut names) = (Parts { settings: options.settings, ..Parts::default() }, Vec::new());
    for (name, measures, place) in fingers {
        let mut parts = finger(measures, options)?;
        moved(&mut parts, &place);
        named(&mut parts, &name);
        join(&mut all, parts);
        names.push(name);
    }
    if options.bands {
        bands::add(&mut all, &names);
    }
    Ok(all)
}

/// The body of a finger's link in a hand.
pub fn body(finger: usize, bone: Bone) -> usize {
    finger * Bone::ALL.len() + bone as usize
}

fn moved(parts: &mut Parts, by: &Vec3) {
    parts.bodies.iter_mut().for_each(|body| {
        body.place = Placement::new(body.place.rotation, body.place.origin + by);
    });
    parts.points.iter_mut().for_each(|point| point.place += by);
}

fn named(parts: &mut Parts, digit: &str) {
    let bodies = parts.bodies.iter_mut().map(|body| &mut body.name);
    let points = parts.points.iter_mut().map(|point| &mut point.name);
    let strands = parts.strands.iter_mut().map(|strand| &mut strand.name);
    let joints = parts.joints.iter_mut().map(|joint| &mut joint.name);
    let muscles = parts.muscles.iter_mut().map(|muscle| &mut muscle.name);
    for name in bodies.chain(points).chain(strands).chain(joints).chain(muscles) {
        *name = format!("{digit} {name}");
    }
}

/// Appends parts to others, offsetting their indices.
fn join(all: &mut Parts, mut parts: Parts) {
    let (bodies, points) = (all.bodies.len(), all.points.len());
    let (planes, curves, strands) = (all.planes.len(), all.curves.len(), all.strands.len());
    for p in &mut parts.points {
        if let Carrier::Body(b) = &mut p.carrier {
            *b += bodies;
        }
    }
    parts.strands.iter_mut().flat_map(|strand| &mut strand.nodes).for_each(|node| node.point += points);
    for joint in &mut parts.joints {
        joint.child += bodies;
        joint.parent.iter_mut().for_each(|parent| *parent += bodies);
    }
    for plane in &mut parts.planes {
        plane.bone.iter_mut().for_each(|bone| *bone += bodies);
        match &mut plane.lie {
            Lie::Fixed(body, _) => *body += bodies,
            Lie::Blending(pair, ..) => pair.iter_mut().for_each(|body| *body += bodies),
        }
    }
    parts.curves.iter_mut().flat_map(|curve| &mut curve.body).for_each(|body| *body += bodies);
    parts.rules.iter_mut().for_each(|rule| match rule {
        Rule::Frame { point, body, .. } => (*point, *body) = (*point + points, *body + bodies),
        Rule::Link { points: pair } => pair.iter_mut().for_each(|point| *point += points),
        Rule::Curve { point, curve } => (*point, *curve) = (*point + points, *curve + curves),
        Rule::Plane { point, plane, .. } | Rule::Bone { point, plane } => {
            (*point, *plane) = (*point + points, *plane + planes);
        }
    });
    parts.muscles.iter_mut().for_each(|muscle| match &mut muscle.pull {
        Pull::Curve { point, curve, .. } => (*point, *curve) = (*point + points, *curve + curves),
        Pull::Reel { strand, .. } => *strand += strands,
        Pull::Segment(hill) => hill.strand += strands,
    });
    for contact in &mut parts.contacts {
        contact.bodies.iter_mut().for_each(|body| *body += bodies);
    }
    all.bodies.append(&mut parts.bodies);
    all.points.append(&mut parts.points);
    all.strands.append(&mut parts.strands);
    all.joints.append(&mut parts.joints);
    all.planes.append(&mut parts.planes);
    all.curves.append(&mut parts.curves);
    all.rules.append(&mut parts.rules);
    all.muscles.append(&mut parts.muscles);
    all.contacts.append(&mut parts.contacts);
}
