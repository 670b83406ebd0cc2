//! The elements of a model, as a number for each: a state continues only with the elements it was made with.
//!
//! Settings, activations, keys, goals and timed events are not elements of a model: they may change between saving and
//! resuming.

use crc32fast::Hasher;
use sinew_geometry::Solid;
use sinew_strand::model::Model;
use sinew_strand::parts::{Parts, Rule};
use std::fmt::{self, Debug, Write};

/// An element and its number.
pub(super) struct Print<'a> {
    what: &'static str,
    name: &'a str,
    pub sum: u32,
}

impl fmt::Display for Print<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} \"{}\"", self.what, self.name)
    }
}

/// A hasher of texts. Numbers as text have the shortest form that reads back as the same bits.
#[derive(Default)]
struct Text(Hasher);

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

fn sum(part: &dyn Debug) -> Text {
    let mut text = Text::default();
    // A hasher takes every text.
    let _ = write!(text, "{part:?}");
    text
}

/// All elements of a model, in order.
pub(super) fn prints(model: &Model) -> Vec<Print<'_>> {
    let parts = model.parts();
    let mut all = Vec::new();
    let mut add = |what, name, text: Text| all.push(Print { what, name, sum: text.0.finalize() });
    for (b, body) in parts.bodies.iter().enumerate() {
        let velocity = parts.velocities.get(b).copied().unwrap_or_default();
        let mut text = sum(&(&body.place, body.mass, &body.moments, body.mode, velocity));
        body.solid.iter().for_each(|solid| shape(solid, &mut text.0));
        add("body", &body.name, text);
    }
    parts.points.iter().for_each(|point| add("point", &point.name, sum(point)));
    parts.strands.iter().for_each(|strand| add("strand", &strand.name, sum(strand)));
    for (j, joint) in parts.joints.iter().enumerate() {
        let mut text = sum(joint);
        // Placements do not contain full turns.
        let whole = parts.start(j).iter().zip(joint.motions(|b| parts.bodies[b].place)).any(|(a, b)| *a != b);
        if whole {
            text.0.update(format!("{:?}", parts.start(j)).as_bytes());
        }
        add("joint", &joint.name, text);
    }
    parts.planes.iter().for_each(|plane| add("plane", &plane.name, sum(plane)));
    parts.curves.iter().for_each(|curve| add("curve", &curve.name, sum(curve)));
    parts.rules.iter().for_each(|rule| add("rule of point", bound(rule, parts), sum(rule)));
    parts.muscles.iter().for_each(|muscle| add("muscle", &muscle.name, sum(muscle)));
    parts.contacts.iter().for_each(|contact| add("contact", &contact.name, sum(contact)));
    all
}

fn shape(solid: &Solid, hasher: &mut Hasher) {
    let numbers = solid.positions().iter().flat_map(|p| p.iter());
    numbers.for_each(|x| hasher.update(&x.to_le_bytes()));
    solid.triangles().as_flattened().iter().for_each(|k| hasher.update(&k.to_le_bytes()));
}

fn bound<'a>(rule: &Rule, parts: &'a Parts) -> &'a str {
    let point = match rule {
        Rule::Link { points: [point, _] }
        | Rule::Frame { point, .. }
        | Rule::Curve { point, .. }
        | Rule::Plane { point, .. }
        | Rule::Bone { point, .. } => *point,
    };
    parts.points.get(point).map_or("", |point| &point.name)
}
