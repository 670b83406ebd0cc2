//! Converts places given in the axes of a body to world space.

use super::StrandScene;
use super::names::{WORLD, wrong};
use super::turn::Turn;
use super::values::Triple;
use crate::schema::Line;
use sinew_base::error::{Kind, Result};
use sinew_math::Placement;
use std::collections::HashMap;

/// The axes of bodies as modelled, by name.
struct Bodies(HashMap<String, Placement>);

impl Bodies {
    /// The axes in which an element gives its places; `None` for the world's.
    fn find(&self, name: &Option<String>, element: &str, line: Line) -> Result<Option<Placement>> {
        match name.as_deref() {
            None | Some(WORLD) => Ok(None),
            Some(name) => match self.0.get(name) {
                Some(place) => Ok(Some(*place)),
                None => Err(wrong(Kind::NotFound, format!("there is no body {name:?}"), element, line)),
            },
        }
    }
}

fn point(axes: &Placement, at: &mut Triple) {
    *at = Triple(axes.point(&at.vec()).into());
}

fn place(axes: &Placement, at: &mut Triple, turn: &mut Turn) {
    let place = *axes * at.turned(*turn);
    (*at, *turn) = (Triple(place.origin.into()), Turn::of(&place.rotation));
}

impl StrandScene {
    /// The same with all places in the world.
    pub(super) fn in_world(&self) -> Result<Self> {
        let mut scene = self.clone();
        let bodies = scene.place_bodies()?;
        macro_rules! each {
            ($list:ident, $element:literal, |$axes:ident, $e:ident| $change:expr) => {
                for $e in &mut scene.$list {
                    if let Some($axes) = &bodies.find(&$e.inside, $element, $e.line)? {
                        $change;
                        $e.inside = None;
                    }
                }
            };
        }
        each!(points, "point", |axes, e| point(axes, &mut e.at));
        each!(lines, "line", |axes, e| [&mut e.from, &mut e.to].into_iter().for_each(|at| point(axes, at)));
        each!(circles, "circle", |axes, e| place(axes, &mut e.at, &mut e.turn));
        each!(joints, "joint", |axes, e| place(axes, &mut e.at, &mut e.turn));
        each!(frames, "frame", |axes, e| e.at.iter_mut().for_each(|at| point(axes, at)));
        each!(goal_places, "goal_place", |axes, e| point(axes, &mut e.at));
        each!(planes, "plane", |axes, e| {
            let (mut at, mut turn) = (e.and_at.unwrap_or(e.at), e.and_turn.unwrap_or(e.turn));
            place(axes, &mut at, &mut turn);
            e.and_at = e.and_at.map(|_| at);
            e.and_turn = e.and_turn.map(|_| turn);
            place(axes, &mut e.at, &mut e.turn);
        });
        Ok(scene)
    }

    /// Places bodies in the world, each after the one in whose axes it is given; returns their axes.
    fn place_bodies(&mut self) -> Result<Bodies> {
        let mut bodies = Bodies(HashMap::new());
        loop {
            let mut waiting = None;
            let count = bodies.0.len();
            for body in &mut self.bodies {
                let axes = match body.inside.as_deref() {
                    None | Some(WORLD) => None,
                    Some(name) => match bodies.0.get(name) {
                        Some(axes) => Some(*axes),
                        None => {
                            waiting = Some((name.to_string(), body.line));
                            continue;
                        }
                    },
                };
                if let Some(axes) = axes {
                    place(&axes, &mut body.at, &mut body.turn);
                }
                body.inside = None;
                bodies.0.insert(body.name.clone(), body.at.turned(body.turn));
            }
            let Some((name, line)) = waiting else { return Ok(bodies) };
            if bodies.0.len() == count {
                let there = self.bodies.iter().any(|body| body.name == name);
                return Err(match there {
                    true => {
                        let message = format!("the in attributes of bodies form a cycle, through {name:?}");
                        wrong(Kind::Topology, message, "body", line)
                    }
                    false => wrong(Kind::NotFound, format!("there is no body {name:?}"), "body", line),
                });
            }
        }
    }
}
