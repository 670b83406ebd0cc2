//! Finds joints by names as people write them: case, separators, namespaces and the notation for left and right are
//! ignored.

use super::Rig;
use crate::error::{Error, Kind, Result};

/// A name taken apart: its words in lower case without separators, and its side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spoken {
    words: String,
    side: Option<Side>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Side {
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
    pub fn new(name: &str) -> Self {
        // What precedes it is a namespace of Maya or Mixamo, or an object's path.
        let own = name.rsplit([':', '|', '/']).next().unwrap_or(name);
        let mut spoken = Spoken { words: String::new(), side: None };
        for word in words(own) {
            let (side, rest) = match (spoken.side, Side::of_word(&word)) {
                (Some(side), _) => (Some(side), word.as_str()),
                (None, Some(side)) => (Some(side), ""),
                (None, None) => {
                    Side::first_in(&word).map_or((None, word.as_str()), |(side, rest)| (Some(side), rest))
                }
            };
            spoken.side = side;
            spoken.words += rest;
        }
        spoken
    }
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

impl Rig<'_> {
    /// The joint of a name, as somebody may have written it.
    pub fn find_spoken(&self, name: &str) -> Result<usize> {
        if let Some(joint) = self.find(name) {
            return Ok(joint);
        }
        let wanted = Spoken::new(name);
        let parts: Vec<Spoken> = self.names.iter().map(|name| Spoken::new(name)).collect();
        let those = |fits: &dyn Fn(&Spoken) -> bool| -> Vec<usize> {
            (0..parts.len()).filter(|&joint| fits(&parts[joint])).collect()
        };
        let mut found = those(&|spoken| *spoken == wanted);
        if found.is_empty() && wanted.side.is_none() {
            found = those(&|spoken| spoken.words == wanted.words);
        }
        match found[..] {
            [joint] => Ok(joint),
            [] => Err(unknown(self.names, name, &[])),
            _ => {
                let found = listed(self.names, &found);
                let message = format!("the joint name {name:?} is ambiguous: it matches {found}");
                Err(Error::new(Kind::InvalidArgument, message))
            }
        }
    }
}

/// The error for a name that no joint has: it lists the joints whose names are most like it, or like one of its other names.
pub(super) fn unknown(names: &[String], name: &str, others: &[String]) -> Error {
    let wanted: Vec<Spoken> =
        std::iter::once(name).chain(others.iter().map(String::as_str)).map(Spoken::new).collect();
    let alike = |name: &String| {
        let own = Spoken::new(name);
        let alike = |wanted: &Spoken| {
            let sides = if own.side == wanted.side || wanted.side.is_none() { 0.0 } else { 0.1 };
            strsim::normalized_levenshtein(&own.words, &wanted.words) - sides
        };
        wanted.iter().map(alike).fold(0.0, f64::max)
    };
    let mut near: Vec<(usize, f64)> = names.iter().map(alike).enumerate().collect();
    let best = near.iter().map(|(_, alike)| *alike).fold(0.0, f64::max);
    near.retain(|(_, alike)| *alike >= ALIKE.max(best - WORSE));
    near.sort_by(|a, b| b.1.total_cmp(&a.1));
    near.truncate(MOST);
    let near: Vec<usize> = near.into_iter().map(|(joint, _)| joint).collect();
    let instead = if near.is_empty() { String::new() } else { format!("; it has {}", listed(names, &near)) };
    Error::new(Kind::NotFound, format!("the rig has no joint {name:?}{instead}"))
}

/// Names of joints in a sentence.
fn listed(names: &[String], joints: &[usize]) -> String {
    let names: Vec<String> = joints.iter().map(|&joint| format!("{:?}", names[joint])).collect();
    match &names[..] {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Affine;

    fn found(names: &[&str], written: &str) -> std::result::Result<String, String> {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let rest = vec![Affine::identity(); names.len()];
        let joint = Rig { names: &names, rest: &rest }.find_spoken(written);
        joint.map(|joint| names[joint].clone()).map_err(|e| e.message().to_string())
    }

    #[test]
    fn a_name_is_found_however_it_is_written() {
        let cmu = ["LeftUpLeg", "RightUpLeg", "LeftArm", "Spine1", "LThumb"];
        for written in
            ["left_up_leg", "upLeg.L", "LEFT UP LEG", "hero:LeftUpLeg", "Armature|leftUpleg", "l-upleg"]
        {
            assert_eq!(found(&cmu, written).as_deref(), Ok("LeftUpLeg"), "{written}");
        }
        assert_eq!(found(&cmu, "leftupleg").as_deref(), Ok("LeftUpLeg"));
        assert_eq!(found(&["hero:rightfoot", "hero:leftfoot"], "LeftFoot").as_deref(), Ok("hero:leftfoot"));
        assert_eq!(found(&cmu, "thumb left").as_deref(), Ok("LThumb"));
        // Only one side has it.
        assert_eq!(found(&cmu, "arm").as_deref(), Ok("LeftArm"));
        let others = ["mixamorig:RightForeArm", "upperarm01.L", "upperarm01.R", "calf_l"];
        assert_eq!(found(&others, "right fore arm").as_deref(), Ok("mixamorig:RightForeArm"));
        assert_eq!(found(&others, "UpperArm01_R").as_deref(), Ok("upperarm01.R"));
        assert_eq!(found(&others, "Calf.L").as_deref(), Ok("calf_l"));
        // An exact name is never another's.
        assert_eq!(found(&["Arm_L", "arm.l"], "arm.l").as_deref(), Ok("arm.l"));
    }

    #[test]
    fn what_is_not_found_or_not_clear_lists_what_there_is() {
        let names = ["upperarm01.L", "upperarm01.R", "wrist.L", "head"];
        let told = found(&names, "upperarm01").unwrap_err();
        assert_eq!(
            told,
            r#"the joint name "upperarm01" is ambiguous: it matches "upperarm01.L" or "upperarm01.R""#
        );
        let told = found(&names, "UpperArm_R").unwrap_err();
        assert_eq!(told, r#"the rig has no joint "UpperArm_R"; it has "upperarm01.R" or "upperarm01.L""#);
        assert_eq!(found(&names, "tail").unwrap_err(), r#"the rig has no joint "tail""#);
        assert_eq!(found(&[], "").unwrap_err(), r#"the rig has no joint """#);
    }
}
