//! `sinew demo --arm`: an arm that bends and twists, as files to try the other commands on.

use super::save_text;
use sinew_anatomy::arm;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_formats::joints::{self, JointAnimation};
use sinew_formats::sequence::Pattern;
use sinew_formats::weights::{self, Carrier, VertexWeights};
use sinew_formats::{atomic, obj};
use sinew_job::{Job, Plan, SceneFile};
use sinew_scene::schema::Line;
use sinew_scene::{OutputsElement, ParamElement, Scene, WriteElement};
use std::path::Path;

/// Jobs for it, and what they read besides.
pub const SCENES: [(&str, &str); 5] = [
    ("slide.xml", include_str!("../../../examples/arm/slide.xml")),
    ("chain.xml", include_str!("../../../examples/arm/chain.xml")),
    ("muscles.xml", include_str!("../../../examples/arm/muscles.xml")),
    ("arm_muscles.xml", include_str!("../../../examples/arm/arm_muscles.xml")),
    ("reach.xml", include_str!("../../../examples/strand/reach.xml")),
];

const BODY: &str = "body.%04d.obj";

/// The names of its files.
pub fn files() -> Result<Vec<String>> {
    let data = ["rest.obj", "joints.csv", "weights.csv"].map(String::from);
    let bodies = match Pattern::parse(Path::new(BODY))? {
        Some(pattern) => (1..=arm::FRAMES).map(|f| pattern.path(f).to_string_lossy().into_owned()).collect(),
        None => Vec::new(),
    };
    Ok(data.into_iter().chain(SCENES.map(|(name, _)| name.to_string())).chain(bodies).collect())
}

/// Writes them.
pub fn write(folder: &Path, control: &Control) -> Result<()> {
    let at = |name: &str| folder.join(name);
    let mesh = arm::mesh();
    let names = arm::JOINTS.map(String::from);
    obj::save(&at("rest.obj"), &mesh)?;
    let weights = VertexWeights(arm::weights(&mesh));
    atomic::write(&at("weights.csv"), |out| weights::write(out, &weights, Carrier::Joint, &names))?;
    let frames = (1..=arm::FRAMES).map(|frame| (frame, arm::pose(frame))).collect();
    let animation =
        JointAnimation { names: names.to_vec(), rest: arm::rest(), frames, ..JointAnimation::default() };
    atomic::write(&at("joints.csv"), |out| joints::write(out, &animation))?;
    SCENES.iter().try_for_each(|(name, text)| save_text(&at(name), text))?;
    // The body in motion is skinning, as a job.
    let mut scene = Scene::of_node("skinning");
    let node = &mut scene.nodes[0];
    node.params.push(ParamElement::of("method", "dual_quaternion"));
    for (port, name) in
        [("points", "rest.obj"), ("joints", "joints.csv"), ("influence_weights", "weights.csv")]
    {
        node.feed(port, at(name).to_string_lossy().into_owned());
    }
    scene.outputs = Some(OutputsElement {
        report: false,
        writes: vec![WriteElement::new(BODY.into(), "skinning.points".into(), Line(0))],
        ..OutputsElement::new(folder.to_string_lossy().into_owned())
    });
    Job::new(&SceneFile::of(scene), Plan::once(), control)?.run(control, &mut |_| {}).map(drop)
}

/// What there is to try.
pub fn what_to_run(folder: &Path) -> String {
    let mut text = format!(
        "An arm bends and twists in {} frames: rest.obj, {BODY}, joints.csv and weights.csv. Jobs for it:\n",
        arm::FRAMES
    );
    for (file, what) in [
        ("slide.xml", "its skin slides; caches and a page"),
        ("chain.xml", "joints move the skin, and on that it slides"),
        ("muscles.xml", "tendons activate muscles, muscles move the skin, and on that it slides"),
    ] {
        text += &format!("  sinew run {:30} {what}\n", folder.join(file).display().to_string());
    }
    text
}
