//! What nodes will warn about, before the first frame.

use super::between::SampleTime;
use super::feed::Feed;
use super::{Graph, Member, set};
use sinew_base::error::{Error, Kind, Result};

impl Graph {
    /// What nodes will say about their inputs in the first frame, whatever its pose: in the words that they use when
    /// they run, and as an error if it is one then. What other nodes compute is not known.
    pub fn foresee(&mut self) -> Result<Vec<String>> {
        let mut reported = Vec::new();
        for k in 0..self.members.len() {
            let foreseen = self.members[k].foresee(&self.frames);
            let member = &self.members[k];
            match foreseen {
                Ok(texts) => reported.extend(texts.iter().map(|text| self.of_node(member, text))),
                Err(e) if e.kind() == Kind::MissingInput && member.is_wired() => {}
                Err(e) if self.stands_in(&e) => reported.push(member.place.put(e).to_string()),
                Err(e) => return Err(member.place.put(e)),
            }
        }
        Ok(reported)
    }
}

impl Member {
    fn is_wired(&self) -> bool {
        self.feeds.iter().any(|bound| matches!(bound.feed, Feed::Wire(_)))
    }

    /// What the node says about its constant inputs, and about the first numbers of those that change. Where joints go
    /// and points move is for the frames to say.
    fn foresee(&mut self, frames: &[i64]) -> Result<Vec<String>> {
        for bound in &mut self.feeds {
            if let (Feed::Table { .. }, false) = (&bound.feed, bound.port.required) {
                let values = bound.feed.at(bound.port, SampleTime::of_frame(0), frames)?;
                set(&mut self.node, bound.port, &values).map_err(|e| first_frame(e, frames))?;
            }
        }
        self.node.foresee()
    }
}

fn first_frame(error: Error, frames: &[i64]) -> Error {
    frames.iter().take(1).fold(error, |error, frame| error.frame(*frame))
}
