//! Left and right in names.

/// Words for sides, each with its opposite.
const WORDS: [[&str; 2]; 5] =
    [["left", "right"], ["Left", "Right"], ["LEFT", "RIGHT"], ["L", "R"], ["l", "r"]];

/// The name of the same thing on the other side: left and right are swapped in the notations that `Spoken` knows, as
/// words of the name (`left_arm`, `armLeft`, `LEFT ARM`, `leftarm`) and as letters (`arm_L`, `arm.l`, `ArmL`, `LThumb`,
/// `lShin`). Other names stay.
pub fn other_side(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 1);
    let mut rest = name;
    while let Some(next) = rest.chars().next() {
        let before = name[..name.len() - rest.len()].chars().last();
        let word = WORDS.iter().flat_map(|[a, b]| [(a, b), (b, a)]).find(|(word, _)| {
            let after = rest.strip_prefix(**word);
            after.is_some_and(|after| is_side(before, word, after))
        });
        let length = match word {
            Some((word, other)) => {
                out.push_str(other);
                word.len()
            }
            None => {
                out.push(next);
                next.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

/// Whether a word says a side between what comes before and after it: `Right` does in `armRightUpper`, `right` does not
/// in `bright`, `L` does in `LThumb` but not in `Lower` or `FDPL`.
fn is_side(before: Option<char>, word: &str, after: &str) -> bool {
    let is = |c: Option<char>, kind: fn(char) -> bool| c.is_some_and(kind);
    let (letter, big) = (char::is_alphabetic, char::is_uppercase);
    let mut next = after.chars();
    let (first, second) = (next.next(), next.next());
    let ends = !is(first, char::is_alphanumeric);
    match word {
        "l" | "r" => !is(before, char::is_alphanumeric) && (ends || is(first, big)),
        "L" | "R" => !is(before, big) && (ends || is(first, big) && is(second, char::is_lowercase)),
        "left" | "right" => !is(before, letter),
        // A capital before small letters begins a word.
        "Left" | "Right" => true,
        _ => !is(before, big),
    }
}

#[cfg(test)]
mod tests {
    use super::super::spoken::{Side, Spoken};
    use super::other_side;
    use proptest::prelude::*;

    #[test]
    fn sides_are_swapped_where_they_are_words() {
        for (name, other) in [
            ("arm_L", "arm_R"),
            ("L.arm.001", "R.arm.001"),
            ("arm l", "arm r"),
            ("left_arm", "right_arm"),
            ("armLeft", "armRight"),
            ("RightFoot", "LeftFoot"),
            ("UPPER_RIGHT", "UPPER_LEFT"),
            ("left of left", "right of right"),
            // As rigs of motion capture, Daz and game engines name joints.
            ("LThumb", "RThumb"),
            ("LHipJoint", "RHipJoint"),
            ("hero:RThumb", "hero:LThumb"),
            ("lArm", "rArm"),
            ("rShldrBend", "lShldrBend"),
            ("ArmL", "ArmR"),
            ("arm01R", "arm01L"),
            ("armLUpper", "armRUpper"),
            ("leftarm", "rightarm"),
            ("hero_rightupleg", "hero_leftupleg"),
            ("RIGHTFOOT", "LEFTFOOT"),
            ("Leftfoot", "Rightfoot"),
            ("IKLeftHand", "IKRightHand"),
        ] {
            assert_eq!((other_side(name).as_str(), other_side(other).as_str()), (other, name));
        }
        for name in
            ["bright", "Lower", "FDPL", "cleft", "upright", "UPRIGHT", "world", "L5", "lumbar", "Rx", ""]
        {
            assert_eq!(other_side(name), name);
        }
    }

    proptest! {
        /// A name that says a side to the commands says the other one afterwards, and nothing else of it changes.
        #[test]
        fn every_side_that_is_heard_is_swapped(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "left", "right", "Left", "RIGHT", "L", "R", "l", "r", "Arm", "arm", "IK", "thigh", "1", "_", ".", " ", "É", "ß",
                ]),
                0..6,
            ),
        ) {
            let name = parts.concat();
            let other = other_side(&name);
            prop_assert_eq!(other_side(&other), name.clone());
            let (own, swapped) = (Spoken::new(&name), Spoken::new(&other));
            let opposite = own.side.map(|side| if side == Side::Left { Side::Right } else { Side::Left });
            prop_assert_eq!(swapped.side, opposite, "{} {}", name, other);
        }
    }
}
