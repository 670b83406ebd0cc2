//! Muscles that cannot be built on the joints of a job.

use super::{Graph, Member};
use crate::error::Result;
use crate::formats::document::Document;
use crate::scene::muscles::{MuscleSet, split_names};

impl Graph {
    /// What nodes will leave out of their muscle sets, in the words that they use when they run.
    pub fn left_out(&self) -> Result<Vec<String>> {
        let mut told = Vec::new();
        for member in &self.members {
            let texts = of_member(member).map_err(|e| member.place.put(e))?;
            told.extend(texts.iter().map(|text| self.of_node(member, text)));
        }
        Ok(told)
    }
}

fn of_member(member: &Member) -> Result<Vec<String>> {
    let descriptor = member.node.descriptor();
    if ["muscles", "joint_names"].iter().any(|id| descriptor.param_index(id).is_none()) {
        return Ok(Vec::new());
    }
    let document = Document::new(&member.node.param_text("muscles")?);
    if document.is_empty() {
        return Ok(Vec::new());
    }
    let names = split_names(&member.node.param_text("joint_names")?)?;
    let set: MuscleSet = document.read().map_err(|e| document.place(e))?;
    Ok(set.parts(&names).map_err(|e| document.place(e))?.left_out)
}
