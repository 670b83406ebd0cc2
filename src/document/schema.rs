//! The tables of a type of document as data, for panels.

use super::type_of;
use serde_json::{Value, json};
use sinew_base::error::Result;
use sinew_scene::muscles::{MuscleElement, numbers};
use sinew_scene::schema::{AttributeSchema, Count, Element, ElementSchema, Form, Need, Panel};

/// The elements and attributes that a type of document may have: what each is for, what its texts look like, what its
/// numbers measure, and which elements it may name.
pub fn describe(name: &str) -> Result<Value> {
    type_of(name).map(|kind| element((kind.schema)()))
}

/// The same of any element.
pub fn element(schema: &ElementSchema) -> Value {
    let children: Vec<Value> = (schema.children)()
        .iter()
        .map(|child| json!({ "count": often(child.count), "element": element(child.element) }))
        .collect();
    json!({
        "name": schema.name, "doc": schema.doc, "children": children,
        "attributes": schema.attributes.iter().map(|known| attribute(schema, known)).collect::<Vec<_>>(),
    })
}

fn attribute(schema: &ElementSchema, known: &AttributeSchema) -> Value {
    let mut value = json!({
        "name": known.name, "doc": known.doc, "expected": known.expected, "need": needed(known.need),
        "quantity": known.quantity.word(), "type": known.form.word(), "required": known.need == Need::Required,
    });
    if let Form::Choice(words) | Form::Range(words) = known.form {
        value["choices"] = words.into();
    }
    if let Need::Default(text) = known.need {
        value["default"] = text.into();
    }
    if let Some(Panel { heading, range }) = known.panel {
        value["panel"] = json!({ "heading": heading });
        if let Some([least, most]) = range {
            (value["panel"]["least"], value["panel"]["most"]) = (least.into(), most.into());
        }
    }
    if std::ptr::eq(schema, MuscleElement::schema())
        && let Some((_, port)) = numbers::ports().find(|(attribute, _)| *attribute == known.name)
    {
        value["port"] = port.into();
    }
    if let Some(unit) = known.quantity.unit() {
        value["unit"] = unit.into();
    }
    if !known.refers.is_empty() {
        value["refers_to"] = known.refers.split(' ').collect::<Vec<_>>().into();
    }
    value
}

/// How often an element may occur.
pub fn often(count: Count) -> &'static str {
    match count {
        Count::One => "once",
        Count::Optional => "once or not at all",
        Count::Many => "any number of times",
    }
}

/// Whether an attribute may be left out.
pub fn needed(need: Need) -> String {
    match need {
        Need::Required => "required".into(),
        Need::Optional => "optional".into(),
        Need::Default(value) => format!("default {value}"),
    }
}
