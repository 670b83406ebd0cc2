//! Names of joints as people write them: case, separators, namespaces and the notation for left and right do not count.

use sinew_base::error::{Error, Kind};
use std::collections::HashMap;

/// A name taken apart: its words in lower case without separators, and its side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The words, without the side, as one.
    pub words: String,
    /// The side.
    pub side: Option<Side>,
}

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

impl Side {
    /// The opposite one.
    pub fn other(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    fn of_word(word: &str) -> Option<Self> {
        match word {
            "left" | "l" => Some(Side::Left),
            "right" | "r" => Some(Side::Right),
            _ => None,
        }
    }

    /// The side with which a word begins, and the rest of it: nothing separates them in `leftupleg`.
    fn first_in(word: &str) -> Option<(Self, &str)> {
        let sides = [("left", Side::Left), ("right", Side::Right)];
        let rest = |(name, side)| Some((side, word.strip_prefix(name).filter(|rest| !rest.is_empty())?));
        sides.into_iter().find_map(rest)
    }
}

impl Spoken {
    /// Takes a name apart.
    pub fn new(name: &str) -> Self {
        let (words, side) = apart(name);
        Spoken { words: words.concat(), side }
    }
}

/// The words of a name in lower case, without the one that says a side, and the side.
pub fn apart(name: &str) -> (Vec<String>, Option<Side>) {
    // What precedes it is a namespace of Maya or Mixamo, or an object's path.
    let own = name.rsplit([':', '|', '/']).next().unwrap_or(name);
    let (mut kept, mut side) = (Vec::new(), None);
    for word in words(own) {
        let (found, rest) = match (side, Side::of_word(&word)) {
            (Some(side), _) => (Some(side), word.as_str()),
            (None, Some(side)) => (Some(side), ""),
            (None, None) => {
                Side::first_in(&word).map_or((None, word.as_str()), |(side, rest)| (Some(side), rest))
            }
        };
        side = found;
        if !rest.is_empty() {
            kept.push(rest.to_string());
        }
    }
    (kept, side)
}

/// The words of a name, in lower case: split at separators, and where capitals begin (`LeftUpLeg`, `LArm`).
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (k, &letter) in letters.iter().enumerate() {
        let before = k.checked_sub(1).map(|k| letters[k]);
        let after = letters.get(k + 1);
        let begins = letter.is_uppercase()
            && before.is_some_and(|b| !b.is_uppercase() || after.is_some_and(|a| a.is_lowercase()));
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphanumeric(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Names that share fewer letters in order with what was written are not suggested.
const ALIKE: f64 = 0.5;

/// Nor are names that are much less alike than the one that is most like it.
const WORSE: f64 = 0.2;

/// The most names in a suggestion.
const MOST: usize = 3;

/// A word with which at least this part of a rig's names begin is a prefix (`Bip01 Pelvis`, `CC_Base_Hip`): it tells no
/// joint from another.
const PREFIX: f64 = 0.6;

/// The words with which most names of a rig begin.
fn prefix(names: &[Vec<String>]) -> Vec<String> {
    let mut prefix: Vec<String> = Vec::new();
    loop {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        // The last word of a name is no prefix of it.
        let next = |words: &&Vec<String>| words.starts_with(&prefix) && words.len() > prefix.len() + 1;
        names.iter().filter(next).for_each(|words| *counts.entry(&words[prefix.len()]).or_default() += 1);
        let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)));
        match most.filter(|(_, count)| *count > 1 && *count as f64 >= PREFIX * names.len() as f64) {
            Some((word, _)) => prefix.push(word.to_string()),
            None => return prefix,
        }
    }
}

/// How much alike two names are, as they are and without a prefix; 1 if only spelling, prefixes and sides differ.
fn alikeness(a: &[String], b: &[String], prefix: &[String]) -> f64 {
    let bare = |words: &[String]| words.strip_prefix(prefix).unwrap_or(words).concat();
    let whole = strsim::normalized_levenshtein(&a.concat(), &b.concat());
    whole.max(strsim::normalized_levenshtein(&bare(a), &bare(b)))
}

/// The error for a name that no joint has: it lists the joints whose names are most like it, or like one of its other
/// names.
pub fn unknown(names: &[String], name: &str, others: &[String]) -> Error {
    let wanted: Vec<_> = std::iter::once(name).chain(others.iter().map(String::as_str)).map(apart).collect();
    let all: Vec<_> = names.iter().map(|name| apart(name)).collect();
    let prefix = prefix(&all.iter().map(|(words, _)| words.clone()).collect::<Vec<_>>());
    let alike = |(own, side): &(Vec<String>, Option<Side>)| {
        let alike = |(words, wanted): &(Vec<String>, Option<Side>)| {
            let sides = if side == wanted || wanted.is_none() { 0.0 } else { 0.1 };
            alikeness(own, words, &prefix) - sides
        };
        wanted.iter().map(alike).fold(0.0, f64::max)
    };
    let mut near: Vec<(usize, f64)> = all.iter().map(alike).enumerate().collect();
    let best = near.iter().map(|(_, alike)| *alike).fold(0.0, f64::max);
    near.retain(|(_, alike)| *alike >= ALIKE.max(best - WORSE));
    near.sort_by(|a, b| b.1.total_cmp(&a.1));
    near.truncate(MOST);
    let near: Vec<usize> = near.into_iter().map(|(joint, _)| joint).collect();
    let instead = if near.is_empty() { String::new() } else { format!("; it has {}", listed(names, &near)) };
    Error::new(Kind::NotFound, format!("the rig has no joint {name:?}{instead}"))
}

/// Names of joints in a sentence.
pub fn listed(names: &[String], joints: &[usize]) -> String {
    let names: Vec<String> = joints.iter().map(|&joint| format!("{:?}", names[joint])).collect();
    match &names[..] {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(names: &[&str], name: &str, others: &[&str]) -> String {
        let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        unknown(&owned(names), name, &owned(others)).message().to_string()
    }

    /// The same joints under any prefix and separator: what is wanted comes first, although other names share more
    /// letters with one of its other names, and its other side follows.
    #[test]
    fn prefixes_do_not_hide_what_is_alike() {
        let rig = ["Hips", "Spine", "RightLeg", "LeftUpLeg", "RightUpLeg", "RightHand", "RThumb", "Head"];
        let others = ["upperleg01.R", "mixamorig:RightUpLeg", "thigh_r", "Bip01_R_Thigh"];
        for prefix in ["", "Bip01 ", "Bip01_", "bip01-", "CC_Base_", "DEF-", "Armature|hero_"] {
            let names: Vec<String> = rig.iter().map(|name| format!("{prefix}{name}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let expected = format!("it has \"{prefix}RightUpLeg\" or \"{prefix}LeftUpLeg\"");
            let reported = reported(&names, "rightupleg2", &others);
            assert!(reported.contains(&expected), "{reported}");
            let mut turned = names.clone();
            turned.reverse();
            assert!(self::reported(&turned, "rightupleg2", &others).contains(&expected));
        }
    }

    #[test]
    fn a_word_that_tells_joints_apart_is_no_prefix() {
        let reported = reported(&["finger1", "finger2", "finger10", "toe"], "finger_20", &[]);
        assert!(reported.contains("\"finger2\""), "{reported}");
    }
}
