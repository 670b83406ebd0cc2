//! What cannot be read of a set, so that it is left out.

use super::left_out::LeftOut;
use sinew_base::error::{Error, Kind, Result};
use std::collections::HashMap;

/// What cannot be read of a set.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread {
    /// The reasons, by muscle, by muscle and head, by pad and by bone.
    pub muscles: HashMap<usize, Error>,
    pub heads: HashMap<(usize, usize), Error>,
    pub pads: HashMap<usize, Error>,
    pub bones: HashMap<usize, Error>,
    /// What has no place among the items of hosts.
    pub lost: Vec<LeftOut>,
}

impl Unread {
    /// Refuses a muscle, or one of its further heads, that could not be read.
    pub fn muscle(&self, muscle: usize, head: Option<usize>, name: &str) -> Result<()> {
        let Some(head) = head else { return refused(self.muscles.get(&muscle)) };
        refused(self.heads.get(&(muscle, head)))?;
        match self.muscles.contains_key(&muscle) {
            true => Err(Error::new(
                Kind::Parse,
                format!("it has the numbers of the muscle {name}, which cannot be read"),
            )),
            false => Ok(()),
        }
    }

    pub fn pad(&self, pad: usize) -> Result<()> {
        refused(self.pads.get(&pad))
    }

    pub fn bone(&self, bone: usize) -> Result<()> {
        refused(self.bones.get(&bone))
    }
}

/// Refuses, if there is a reason.
pub(super) fn refused(error: Option<&Error>) -> Result<()> {
    error.map_or(Ok(()), |error| Err(error.clone()))
}
