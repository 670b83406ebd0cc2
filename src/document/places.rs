//! Where elements lie as modelled, in the world and the axes of whoever asks, whatever they are relative to in the
//! file; and where the joints of animations that lead bodies are at rest.

use super::{Document, Id};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::strand_scene;
use sinew_math::{Affine, Placement, Real, Rotation, Space};
use sinew_scene::quantity::{Between, Quantity, placed};
use sinew_scene::schema::{Attribute, AttributeSchema, Element, ElementSchema, Need};
use sinew_scene::strand::StrandScene;
use sinew_scene::strand::turn::Turn;
use sinew_scene::strand::values::Triple;
use std::collections::HashMap;

/// Attributes of places with those that turn the axes there.
const PAIRS: [(&str, &str); 2] = [("at", "turn"), ("and_at", "and_turn")];
/// What a second place has of the first one where it leaves it out.
const SECOND: &str = "and_";
/// The attribute that names the body in whose axes places are given, and the word for those of the world.
const INSIDE: &str = "in";
const WORLD: &str = "world";

/// Bodies by name.
pub(super) type Bodies = HashMap<String, Id>;

impl Document {
    /// The axes that an attribute such as `at` states with the turn that goes with it, as modelled: rigid, in the world
    /// of a space. None if it is left out and has no default.
    pub fn place(&self, id: Id, attribute: &str, space: Space) -> Result<Option<Affine>> {
        let schema = self.schema(id)?;
        let known = self.place_attribute(id, schema, attribute)?;
        let between = Between(self.space()?, space);
        let place = self.modelled(id, schema, known, &self.bodies()?)?;
        Ok(place.map(|place| seen(&placed(&between, turned(schema, attribute), &place))))
    }

    /// Puts an element somewhere as modelled. Places are then given in the world.
    pub fn set_place(&mut self, id: Id, attribute: &str, axes: &Affine, space: Space) -> Result<()> {
        let schema = self.schema(id)?;
        self.place_attribute(id, schema, attribute)?;
        let given = Placement::from_affine(axes).map_err(|e| self.at(e, id))?;
        let between = Between(space, self.space()?);
        let mut places = vec![(attribute, placed(&between, turned(schema, attribute), &given))];
        if self.text_of(id, INSIDE)?.is_some() {
            // What is beside it keeps its place.
            let bodies = self.bodies()?;
            for known in schema.attributes.iter().filter(|known| is_place(known) && known.name != attribute) {
                let place = self.modelled(id, schema, known, &bodies)?;
                places.extend(place.map(|place| (known.name, place)));
            }
            self.file.set(id, INSIDE, None)?;
        }
        for (attribute, place) in places {
            self.write_place(id, schema, attribute, &place)?;
        }
        Ok(())
    }

    fn write_place(
        &mut self,
        id: Id,
        schema: &ElementSchema,
        attribute: &str,
        place: &Placement,
    ) -> Result<()> {
        let at = Triple([0, 1, 2].map(|axis| tidy(place.origin[axis], DIGITS)));
        self.file.set(id, attribute, at.text().as_deref())?;
        let Some(turn) = turn_of(schema, attribute) else { return Ok(()) };
        let Turn::Vector(vector) = Turn::of(&place.rotation) else { return Ok(()) };
        let vector = vector.map(|x| if x.abs() < NO_TURN { 0.0 } else { tidy(x, DIGITS_OF_TURNS) });
        if vector != [0.0; 3] || turn.need == Need::Optional || self.text_of(id, turn.name)?.is_some() {
            self.file.set(id, turn.name, Turn::Vector(vector).text().as_deref())?;
        }
        Ok(())
    }

    /// Where the joints of the animations are at rest, in the world of a space, as their files say. The document
    /// remembers them, for what lies in their axes.
    pub fn joints(&mut self, space: Space) -> Result<Vec<(String, Affine)>> {
        let mut tree = self.tree();
        tree.children.retain(|child| ["space", "armature"].contains(&child.name.as_str()));
        let (scene, _) =
            strand_scene::open(StrandScene::from_tree(&tree)?, self.path.as_deref(), &self.meshes)?;
        let between = Between(self.space()?, space);
        let joints = scene.bodies.iter().map(|body| {
            let place = body.at.turned(body.turn);
            self.rest.insert(body.name.clone(), place);
            (body.name.clone(), seen(&placed(&between, Quantity::TurnOfBody, &place)))
        });
        Ok(joints.collect())
    }

    /// Where a joint of an animation is at rest, for a document whose files are elsewhere.
    pub fn set_joint(&mut self, name: &str, axes: &Affine, space: Space) -> Result<()> {
        let between = Between(space, self.space()?);
        let place = placed(&between, Quantity::TurnOfBody, &Placement::from_affine(axes)?);
        self.rest.insert(name.into(), place);
        Ok(())
    }

    fn place_attribute(
        &self,
        id: Id,
        schema: &'static ElementSchema,
        name: &str,
    ) -> Result<&'static AttributeSchema> {
        schema.attributes.iter().find(|known| known.name == name && is_place(known)).ok_or_else(|| {
            let message = format!("<{}> has no place {name:?}", schema.name);
            self.at(Error::new(Kind::NotFound, message), id)
        })
    }

    /// The axes that an attribute states, in the world and the unit of the document.
    pub(super) fn modelled(
        &self,
        id: Id,
        schema: &ElementSchema,
        known: &AttributeSchema,
        bodies: &Bodies,
    ) -> Result<Option<Placement>> {
        let first = known.name.strip_prefix(SECOND);
        let turn = turn_of(schema, known.name);
        let mut at = self.said(id, known)?;
        let mut turned = turn.map(|turn| self.said(id, turn)).transpose()?.flatten();
        if let Some(first) = first.filter(|_| at.is_some() || turned.is_some()) {
            let other = |name| schema.attributes.iter().find(|known| known.name == name);
            if let (None, Some(first)) = (&at, other(first)) {
                at = self.said(id, first)?;
            }
            if let (None, Some(first)) = (&turned, turn_of(schema, first)) {
                turned = self.said(id, first)?;
            }
        }
        let Some(at) = at else { return Ok(None) };
        let axes = self.axes_around(id, bodies)?;
        let at: Triple = self.read_as(id, known.name, &at)?;
        Ok(Some(match turned {
            Some(turned) => axes * at.turned(self.read_as(id, "turn", &turned)?),
            None => Placement::new(Rotation::identity(), axes.point(&at.vec())),
        }))
    }

    /// The text of an attribute, or of its default.
    fn said(&self, id: Id, known: &AttributeSchema) -> Result<Option<String>> {
        let default = if let Need::Default(text) = known.need { Some(text) } else { None };
        Ok(self.text_of(id, known.name)?.or(default).map(String::from))
    }

    fn read_as<T: Attribute>(&self, id: Id, attribute: &str, text: &str) -> Result<T> {
        T::parse(text).ok_or_else(|| {
            let message = format!("{attribute} is {text:?}; expected {}", T::EXPECTED);
            self.at(Error::new(Kind::Parse, message), id)
        })
    }

    /// The bodies of a scene by name; of several with one, the first.
    pub(super) fn bodies(&self) -> Result<Bodies> {
        let mut bodies = Bodies::new();
        for body in self.children(self.root(), Some("body"))? {
            if let Some(name) = self.text_of(body, "name")? {
                bodies.entry(name.into()).or_insert(body);
            }
        }
        Ok(bodies)
    }

    /// The axes in which an element gives its places, as modelled.
    fn axes_around(&self, id: Id, bodies: &Bodies) -> Result<Placement> {
        let (mut axes, mut at, mut met) = (Placement::default(), id, vec![id]);
        while let Some(name) = self.text_of(at, INSIDE)?.filter(|name| *name != WORLD) {
            let Some(&body) = bodies.get(name) else {
                let rest = self.rest.get(name).copied();
                let missing =
                    || self.at(Error::new(Kind::NotFound, format!("there is no body {name:?}")), at);
                return Ok(rest.ok_or_else(missing)? * axes);
            };
            if met.contains(&body) {
                let message = format!("the in attributes of bodies form a cycle, through {name:?}");
                return Err(self.at(Error::new(Kind::Topology, message), id));
            }
            let place: Triple = self.read_as(body, "at", self.text_of(body, "at")?.unwrap_or("0 0 0"))?;
            let turn: Turn = self.read_as(body, "turn", self.text_of(body, "turn")?.unwrap_or("0 0 0"))?;
            axes = place.turned(turn) * axes;
            met.push(body);
            at = body;
        }
        Ok(axes)
    }
}

/// The digits that are written of places and of degrees: what is beyond comes from rounding.
const DIGITS: usize = 15;
const DIGITS_OF_TURNS: usize = 12;
/// Fewer degrees are no turn.
const NO_TURN: Real = 1e-9;

fn tidy(x: Real, digits: usize) -> Real {
    format!("{x:.*e}", digits - 1).parse().map_or(x, |x: Real| x + 0.0)
}

/// Whether an attribute states a place that may lie in the axes of a body.
pub(super) fn is_place(known: &AttributeSchema) -> bool {
    known.quantity == Quantity::Place
}

/// The attribute that turns the axes at a place.
fn turn_of(schema: &ElementSchema, attribute: &str) -> Option<&'static AttributeSchema> {
    let (_, turn) = PAIRS.iter().find(|(at, _)| *at == attribute)?;
    schema.attributes.iter().find(|known| known.name == *turn)
}

/// What axes an attribute places.
pub(super) fn turned(schema: &ElementSchema, attribute: &str) -> Quantity {
    turn_of(schema, attribute).map_or(Quantity::Place, |turn| turn.quantity)
}

/// A matrix as 16 numbers in row-major order.
pub fn rows(axes: &Affine) -> [Real; 16] {
    let mut rows = [0.0; 16];
    for (k, x) in rows[..12].iter_mut().enumerate() {
        *x = axes[(k / 4, k % 4)];
    }
    rows[15] = 1.0;
    rows
}

/// A placement as hosts see it.
pub(super) fn seen(place: &Placement) -> Affine {
    place.to_affine().map(|x| x + 0.0)
}
