//! Events in a scene: segments are cut or lengthened; joints, rules and contacts are released.

use super::Known;
use crate::schema::Line;
use crate::strand::names::wrong;
use crate::strand::script::{Change, Event};
use crate::strand::{ReleaseElement, StrandScene};
use sinew_base::error::{Kind, Result};
use sinew_strand::RowOwner;
use sinew_strand::parts::Parts;

impl StrandScene {
    /// The events; `rules` are the names of the rules.
    pub(super) fn events(&self, known: &Known, parts: &Parts, rules: &[String]) -> Result<Vec<Event>> {
        let mut events = Vec::new();
        for e in &self.cuts {
            let (strand, segment) = known.segment(parts, &e.strand, e.segment, "cut", e.line)?;
            events.push(event(e.time, 0.0, Change::Cut(strand, segment), "cut", e.line)?);
        }
        for e in &self.lengthenings {
            let (strand, segment) = known.segment(parts, &e.strand, e.segment, "lengthen", e.line)?;
            let change = Change::Lengthen(strand, segment, e.by);
            events.push(event(e.time, e.over, change, "lengthen", e.line)?);
        }
        for e in &self.releases {
            let change = Change::Release(released(e, known, rules)?);
            events.push(event(e.time, 0.0, change, "release", e.line)?);
        }
        Ok(events)
    }
}

fn event(time: f64, over: f64, change: Change, element: &str, line: Line) -> Result<Event> {
    let refuse = |message: String| Err(wrong(Kind::OutOfRange, message, element, line));
    if time < 0.0 {
        return refuse(format!("the time {time} is before the start"));
    }
    if over < 0.0 {
        return refuse(format!("over is {over} s; it must not be negative"));
    }
    Ok(Event { time, over, change })
}

fn released(e: &ReleaseElement, known: &Known, rules: &[String]) -> Result<RowOwner> {
    match (&e.joint, &e.rule, &e.contact) {
        (Some(name), None, None) => known.joints.find(name, "release", e.line).map(RowOwner::Joint),
        (None, Some(name), None) => {
            let rule = rules.iter().position(|rule| rule == name).map(RowOwner::Rule);
            rule.ok_or_else(|| wrong(Kind::NotFound, format!("there is no rule {name:?}"), "release", e.line))
        }
        (None, None, Some(name)) => known.contacts.find(name, "release", e.line).map(RowOwner::Contact),
        _ => {
            let message = "exactly one of joint, rule, contact is required";
            Err(wrong(Kind::MissingInput, message, "release", e.line))
        }
    }
}
