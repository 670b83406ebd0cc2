//! `sinew scene`: the reference of scene files, generated from the tables that read and write them.

use super::demo::arm::SCENES;
use super::{Context, print};
use serde_json::Value;
use sinew_base::error::Result;
use sinew_document::schema::{element, needed, often};
use sinew_scene::Scene;
use sinew_scene::muscles::MuscleSet;
use sinew_scene::muscles::plan::MusclePlan;
use sinew_scene::schema::{AttributeSchema, Count, Element, ElementSchema};
use sinew_scene::strand::StrandScene;

/// A complete strand scene that runs as it is.
const EXAMPLE: &str = include_str!("../../examples/strand/weight.xml");

/// A muscle set, and a job that puts skin over it.
const MUSCLES: &str = include_str!("../../examples/muscles/biceps.xml");
const OVER_MUSCLES: &str = include_str!("../../examples/muscles/bulge.xml");

/// What is shown complete: its title, the file as which it runs, what to say about it, and its text. All but the strand
/// scene read the files of an arm.
const SHOWN: [(&str, &str, &str, &str); 5] = [
    ("job", "arm/slide.xml", RUN, SLIDE),
    ("chain of nodes", "arm/chain.xml", RUN, CHAIN),
    (
        "strand scene",
        "weight.xml",
        "it runs with `sinew strand weight.xml --seconds 0.5 --out weight`",
        EXAMPLE,
    ),
    ("muscle set", "arm/biceps.xml", "the next job finds it", MUSCLES),
    ("job with muscles", "arm/bulge.xml", RUN, OVER_MUSCLES),
];

const RUN: &str = "it runs with `sinew run FILE`";
const SLIDE: &str = SCENES[0].1;
const CHAIN: &str = SCENES[1].1;

pub(super) fn run(context: &Context) -> Result<()> {
    let schemas = [Scene::schema(), StrandScene::schema(), MuscleSet::schema(), MusclePlan::schema()];
    if context.json {
        let mut all: Vec<Value> = schemas.into_iter().map(element).collect();
        for (schema, example) in all.iter_mut().zip([OVER_MUSCLES, EXAMPLE, MUSCLES]) {
            schema["example"] = example.into();
        }
        return print(&format!("{:#}\n", Value::from(all)));
    }
    let mut text = String::new();
    schemas.into_iter().for_each(|schema| page(schema, "", Count::One, &mut text));
    text.push_str(
        "# Complete files\n\nThe jobs read the files of an arm, which `sinew demo arm --arm` writes into the folder \
         arm.\n",
    );
    for (title, file, what, example) in SHOWN {
        let what = what.replace("FILE", file);
        text.push_str(&format!(
            "\n## A complete {title}\n\nSaved as `{file}`, {what}.\n\n```xml\n{example}```\n"
        ));
    }
    print(&text)
}

fn page(schema: &ElementSchema, parent: &str, count: Count, text: &mut String) {
    let path = if parent.is_empty() { schema.name.into() } else { format!("{parent}/{}", schema.name) };
    text.push_str(&format!("# {path} ({})\n\n{}\n\n", often(count), schema.doc));
    for attribute in schema.attributes {
        let AttributeSchema { name, doc, expected, .. } = attribute;
        text.push_str(&format!("- `{name}`: {doc}\n  ({expected}, {})\n", needed(attribute.need)));
    }
    if !schema.attributes.is_empty() {
        text.push('\n');
    }
    for child in (schema.children)() {
        page(child.element, &path, child.count, text);
    }
}
