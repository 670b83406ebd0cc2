//! What ties bodies and points together: joints, strands, rules, muscles, contacts.

use super::{Known, inside};
use crate::strand::muscles::HillElement;
use crate::strand::names::{Names, wrong};
use crate::strand::values::{May, NodeKind, Relation};
use crate::strand::{AxisElement, JointElement, StrandElement, StrandScene};
use sinew_base::error::{Kind, Result};
use sinew_strand::parts::{
    Axis, Belly, Carrier, Contact, Fibre, Hill, Joint, Ligaments, Motion, Muscle, Node, Parts, Pull, Rule,
    Spring, Strand,
};
use std::f64::consts::PI;

impl StrandScene {
    pub(super) fn add_joints(&self, known: &Known, parts: &mut Parts) -> Result<()> {
        for element in &self.joints {
            let line = element.line;
            let parent = known.bodies.find_or_world(&element.parent, "joint", line)?;
            let child = known.bodies.find(&element.child, "joint", line)?;
            let place = element.at.turned(element.turn);
            parts.joints.push(Joint {
                name: element.name.clone(),
                parent,
                child,
                in_parent: inside(parts, parent, place, "joint", line)?,
                in_child: inside(parts, Some(child), place, "joint", line)?,
                axes: axes(element)?,
            });
        }
        Ok(())
    }

    pub(super) fn add_strands(&self, known: &Known, parts: &mut Parts) -> Result<()> {
        for element in &self.strands {
            let strand = Strand {
                name: element.name.clone(),
                nodes: nodes(element, &self.hills, known, parts)?,
                fibre: fibre(element)?,
                radius: element.radius,
            };
            parts.strands.push(strand);
        }
        Ok(())
    }

    /// The rules and their names.
    pub(super) fn add_rules(&self, known: &Known, parts: &mut Parts) -> Result<Vec<String>> {
        let mut rules: Vec<(String, Rule, &'static str, _)> = Vec::new();
        let mut add = |name: &Option<String>, rule: Rule, element: &'static str, words: [&str; 3], line| {
            let name = name.clone().unwrap_or_else(|| words.join(" "));
            rules.push((name, rule, element, line));
        };
        for e in &self.frames {
            let (element, line) = ("frame", e.line);
            let point = known.points.find(&e.point, element, line)?;
            let body = known.bodies.find(&e.body, element, line)?;
            let place = e.at.map_or(parts.points[point].place, |at| at.vec());
            let local = parts.bodies[body].place.point_inside(&place);
            add(&e.name, Rule::Frame { point, body, local }, element, [&e.point, "in", &e.body], line);
        }
        for e in &self.links {
            let points = [&e.first, &e.second].map(|p| known.points.find(p, "link", e.line));
            let [first, second] = points;
            let rule = Rule::Link { points: [first?, second?] };
            add(&e.name, rule, "link", [&e.first, "at", &e.second], e.line);
        }
        for e in &self.on_curves {
            let point = known.points.find(&e.point, "on_curve", e.line)?;
            let curve = known.curves.find(&e.curve, "on_curve", e.line)?;
            add(&e.name, Rule::Curve { point, curve }, "on_curve", [&e.point, "on", &e.curve], e.line);
        }
        for e in &self.in_planes {
            let point = known.points.find(&e.point, "in_plane", e.line)?;
            let plane = known.planes.find(&e.plane, "in_plane", e.line)?;
            let or_above = e.relation == Relation::Above;
            let word = if or_above { "above" } else { "in" };
            let rule = Rule::Plane { point, plane, or_above };
            add(&e.name, rule, "in_plane", [&e.point, word, &e.plane], e.line);
        }
        for e in &self.off_bones {
            let point = known.points.find(&e.point, "off_bone", e.line)?;
            let plane = known.planes.find(&e.plane, "off_bone", e.line)?;
            let words = [&e.point, "off the bone in", &e.plane];
            add(&e.name, Rule::Bone { point, plane }, "off_bone", words.map(|w| w as &str), e.line);
        }
        Names::new("rule", rules.iter().map(|(name, _, element, line)| (name.as_str(), *element, *line)))?;
        let (names, rules) = rules.into_iter().map(|(name, rule, ..)| (name, rule)).unzip();
        parts.rules = rules;
        Ok(names)
    }

    pub(super) fn add_muscles(&self, known: &Known, parts: &mut Parts) -> Result<()> {
        for e in &self.muscles {
            parts.muscles.push(Muscle {
                name: e.name.clone(),
                strength: e.strength,
                pull: Pull::Curve {
                    point: known.points.find(&e.point, "muscle", e.line)?,
                    curve: known.curves.find(&e.curve, "muscle", e.line)?,
                    belly: Belly {
                        stiffness: e.stiffness,
                        rest: e.rest,
                        damping: e.damping,
                        fading: e.fading,
                    },
                },
            });
        }
        for e in &self.reels {
            let strand = known.strands.find(&e.strand, "reel", e.line)?;
            let belly = Belly { stiffness: e.stiffness, rest: e.rest, damping: e.damping, fading: e.fading };
            let pull = Pull::Reel { strand, end: e.end.into(), belly };
            parts.muscles.push(Muscle { name: e.name.clone(), strength: e.strength, pull });
        }
        for e in &self.hills {
            let (strand, segment) = known.segment(parts, &e.strand, e.segment, "hill", e.line)?;
            let hill = Hill { strand, segment, optimal: e.optimal, speed: e.speed * e.optimal };
            parts.muscles.push(Muscle {
                name: e.name.clone(),
                strength: e.strength,
                pull: Pull::Segment(hill),
            });
        }
        Ok(())
    }

    pub(super) fn add_contacts(&self, known: &Known, parts: &mut Parts) -> Result<()> {
        for e in &self.contacts {
            let [first, second] =
                [&e.first, &e.second].map(|body| known.bodies.find(body, "contact", e.line));
            let contact = Contact { name: e.name.clone(), bodies: [first?, second?], friction: e.friction };
            parts.contacts.push(contact);
        }
        Ok(())
    }
}

fn axes(joint: &JointElement) -> Result<[Axis; 6]> {
    let mut axes = [Axis { motion: Motion::Held, ..Axis::default() }; 6];
    let mut named = [false; 6];
    for element in &joint.axes {
        let (k, unit) = (element.name.index(), element.name.unit());
        if std::mem::replace(&mut named[k], true) {
            let message = "the motion already has an axis";
            return Err(wrong(Kind::Parse, message, "joint/axis", element.line));
        }
        if let May::Limits([from, to]) = element.may
            && from > to
        {
            let message = format!("the limits {from} {to} are in the wrong order");
            return Err(wrong(Kind::OutOfRange, message, "joint/axis", element.line));
        }
        let resisting = element.stiffness != 0.0 || element.damping != 0.0;
        axes[k] = Axis {
            motion: match element.may {
                May::Free => Motion::Free,
                May::Held => Motion::Held,
                May::Limits([from, to]) => Motion::Limited(from * unit, to * unit),
            },
            friction: element.friction,
            spring: resisting.then_some(Spring {
                stiffness: element.stiffness,
                rest: element.rest * unit,
                damping: element.damping,
            }),
            ligaments: ligaments(element, joint)?,
        };
    }
    Ok(axes)
}

fn ligaments(axis: &AxisElement, joint: &JointElement) -> Result<Option<Ligaments>> {
    let Some(element) = &axis.ligaments else { return Ok(None) };
    let unit = axis.name.unit();
    let ligaments = Ligaments {
        range: [element.from, element.to].map(|x| x * unit),
        moment: element.moment,
        width: element.width * unit,
    };
    let turns = joint.axes.iter().filter(|axis| axis.name.index() < 3 && axis.may != May::Held).count();
    match ligaments.fault(axis.name.index() < 3 && turns > 1) {
        Some(fault) => Err(wrong(Kind::OutOfRange, fault, "joint/axis/ligaments", element.line)),
        None => Ok(Some(ligaments)),
    }
}

fn fibre(strand: &StrandElement) -> Result<Fibre> {
    let refuse = |kind, message: &str| Err(wrong(kind, message, "strand", strand.line));
    if strand.radius <= 0.0 {
        return refuse(Kind::OutOfRange, "the radius must be more than 0");
    }
    let area = PI * strand.radius * strand.radius;
    let stiffness = match (strand.young, strand.stiffness) {
        (Some(young), None) => young * area,
        (None, Some(stiffness)) => stiffness,
        (None, None) => return refuse(Kind::MissingInput, "either young or stiffness is required"),
        (Some(_), Some(_)) => {
            return refuse(Kind::OutOfRange, "young and stiffness are both given; use one of them");
        }
    };
    Ok(Fibre {
        stiffness,
        line_density: strand.density * area,
        axial_damping: strand.axial_damping,
        lateral_damping: strand.lateral_damping,
    })
}

/// The default kind of a node: where the point of an inner node is carried, material slides through, as through a
/// pulley; but not at the ends of a muscle.
fn kind(strand: &StrandElement, k: usize, carrier: Carrier, hills: &[HillElement]) -> NodeKind {
    let between = 0 < k && k + 1 < strand.nodes.len();
    let beside = |hill: &HillElement| {
        let segment = hill.segment as usize;
        hill.strand == strand.name && (k == segment || k == segment + 1)
    };
    match between && carrier != Carrier::Nothing && !hills.iter().any(beside) {
        true => NodeKind::Eulerian,
        false => NodeKind::Lagrangian,
    }
}

fn nodes(strand: &StrandElement, hills: &[HillElement], known: &Known, parts: &Parts) -> Result<Vec<Node>> {
    if strand.prestrain <= -1.0 {
        let message = "the prestrain must be more than -1: no length is negative";
        return Err(wrong(Kind::OutOfRange, message, "strand", strand.line));
    }
    let mut nodes: Vec<Node> = Vec::new();
    for (k, element) in strand.nodes.iter().enumerate() {
        let point = known.points.find(&element.point, "strand/node", element.line)?;
        let place = |p: usize| parts.points[p].place;
        let next = nodes.last().map_or(0.0, |before| {
            before.material + (place(point) - place(before.point)).norm() / (1.0 + strand.prestrain)
        });
        let material = element.material.unwrap_or(next);
        let kind = element.kind.unwrap_or_else(|| kind(strand, k, parts.points[point].carrier, hills));
        nodes.push(Node { point, material, mode: kind.into() });
    }
    Ok(nodes)
}
