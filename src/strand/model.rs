//! Everything that is constant over time: the authored parts, validated, with their unknowns and rows numbered.

use super::layout::{Layout, NONE};
use super::parts::{Carrier, Lie, Parts, Point, Rule, Settings};
use sinew_base::error::Result;
use sinew_math::Vec3;

/// Everything that is constant over time; validated.
pub struct Model {
    parts: Parts,
    pub(super) layout: Layout,
    /// Positions of carried points in their bodies' axes.
    locals: Vec<Vec3>,
    /// The bodies to which points are bound.
    around: Vec<Option<usize>>,
}

impl Model {
    /// Validates the parts and numbers the unknowns.
    pub fn new(parts: Parts) -> Result<Self> {
        parts.check()?;
        let layout = Layout::new(&parts)?;
        let local = |point: &Point| match point.carrier {
            Carrier::Body(b) => parts.bodies[b].place.point_inside(&point.place),
            _ => point.place,
        };
        let locals = parts.points.iter().map(local).collect();
        let around = |p: usize| parts.rules.iter().find(|r| r.binds(p)).and_then(|r| r.body(p, &parts));
        let around = (0..parts.points.len()).map(around).collect();
        Ok(Model { layout, locals, around, parts })
    }

    /// The authored parts.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// Changes the settings; they may change between steps.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.parts.settings
    }

    /// The position of a carried point in its body's axes.
    pub(super) fn local(&self, point: usize) -> &Vec3 {
        &self.locals[point]
    }

    /// The unknowns that move a point: the first, and how many; those of the body that carries it.
    pub(super) fn unknowns_of_point(&self, point: usize) -> (usize, usize) {
        match self.parts.points[point].carrier {
            Carrier::Nothing => (self.layout.points[point], 3),
            Carrier::Body(b) => (self.layout.bodies[b], 6),
            Carrier::World => (NONE, 0),
        }
    }

    /// The body in the first rule of a point.
    pub(super) fn around(&self, point: usize) -> Option<usize> {
        self.around[point]
    }

    /// The number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.layout.unknowns
    }

    /// The number of rows of constraints.
    pub fn rows(&self) -> usize {
        self.layout.rows
    }
}

impl Rule {
    /// The body to which it binds a point: that of the frame or curve, the bone of a plane or otherwise the plane's
    /// first body, the carrier of the other point of a link.
    fn body(&self, p: usize, parts: &Parts) -> Option<usize> {
        match self {
            Rule::Frame { body, .. } => Some(*body),
            Rule::Curve { curve, .. } => parts.curves[*curve].body,
            Rule::Plane { plane, .. } | Rule::Bone { plane, .. } => {
                let plane = &parts.planes[*plane];
                plane.bone.or(match plane.lie {
                    Lie::Fixed(body, _) | Lie::Blending([body, _], ..) => Some(body),
                })
            }
            Rule::Link { points } => {
                let other = if points[0] == p { points[1] } else { points[0] };
                match parts.points[other].carrier {
                    Carrier::Body(body) => Some(body),
                    Carrier::World | Carrier::Nothing => None,
                }
            }
        }
    }
}
