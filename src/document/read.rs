//! Elements as data, all at once, for hosts that show them.

use super::places::{Bodies, is_place, rows, seen, turned};
use super::{Document, Id};
use serde_json::{Map, Value, json};
use sinew_base::error::Result;
use sinew_math::Space;
use sinew_scene::quantity::{Between, placed};
use sinew_scene::schema::ElementSchema;
use sinew_scene::strand;

impl Document {
    /// An element and all that it contains: its number, kind and line, the texts of its attributes, their numbers (also
    /// of defaults) and where they place it in the world, in a space, and its elements. What cannot be read has only
    /// its text.
    pub fn read(&self, id: Id, space: Space) -> Result<Value> {
        let among = (Between(self.space()?, space), self.bodies()?);
        self.read_at(id, self.schema(id).ok(), &among)
    }

    fn read_at(
        &self,
        id: Id,
        schema: Option<&'static ElementSchema>,
        among: &(Between, Bodies),
    ) -> Result<Value> {
        let (between, bodies) = among;
        let texts: Map<String, Value> =
            self.attributes(id)?.into_iter().map(|(name, text)| (name.into(), text.into())).collect();
        let (mut numbers, mut places) = (Map::new(), Map::new());
        let known = schema.map_or(&[][..], |schema| schema.attributes);
        for known in known {
            if let Ok(Some(found)) = self.numbers_between(id, known, between) {
                numbers.insert(known.name.into(), found.into());
            }
        }
        for (schema, known) in schema.into_iter().flat_map(|schema| known.iter().map(move |k| (schema, k))) {
            if is_place(known)
                && let Ok(Some(place)) = self.modelled(id, schema, known, bodies)
            {
                let axes = seen(&placed(between, turned(schema, known.name), &place));
                places.insert(known.name.into(), rows(&axes).as_slice().into());
            }
        }
        let inner = schema.map(|schema| (schema.children)()).unwrap_or_default();
        let children = self.children(id, None)?.into_iter().map(|child| {
            let name = self.element(child)?;
            let schema = inner.iter().find(|known| known.element.name == name).map(|known| known.element);
            self.read_at(child, schema, among)
        });
        let children: Vec<Value> = children.collect::<Result<_>>()?;
        let mut found = json!({
            "id": id.0, "element": self.element(id)?, "line": self.line(id)?, "attributes": texts,
            "numbers": numbers, "places": places, "children": children,
        });
        if strand::RULES.contains(&self.element(id)?) {
            found["called"] = strand::rule_name(&self.file.tree_of(id)).into();
        }
        Ok(found)
    }
}
