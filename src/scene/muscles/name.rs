//! The names of a set's parts.

use crate::schema::Attribute;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

/// The name of a muscle, a head, a pad or a bone. It may be read empty, which loses only this part of a set, not all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Name(pub String);

impl Attribute for Name {
    const EXPECTED: &'static str = "text";
    fn parse(text: &str) -> Option<Self> {
        Some(Name(text.into()))
    }
    fn text(&self) -> Option<String> {
        Some(self.0.clone())
    }
}

impl Deref for Name {
    type Target = String;

    fn deref(&self) -> &String {
        &self.0
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Name(name)
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Name(name.into())
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}
