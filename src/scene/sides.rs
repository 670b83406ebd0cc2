//! Left and right in names.

/// Words for sides, each with its opposite.
const WORDS: [[&str; 2]; 5] =
    [["left", "right"], ["Left", "Right"], ["LEFT", "RIGHT"], ["L", "R"], ["l", "r"]];

/// The name of the same thing on the other side: left and right as words of the name (`left_arm`, `armLeft`, `LEFT ARM`)
/// are swapped, and so are L and R on their own (`arm_L`, `L.arm`, `arm.l`). Other names stay.
pub fn other_side(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 1);
    let mut rest = name;
    while let Some(next) = rest.chars().next() {
        let word = WORDS.iter().flat_map(|[a, b]| [(a, b), (b, a)]).find(|(word, _)| {
            let after = rest.strip_prefix(**word);
            after.is_some_and(|after| {
                alone(name[..name.len() - rest.len()].chars().last(), word, after.chars().next())
            })
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

/// Whether a word stands alone between the letters before and after it: `Right` does in `armRightUpper`, `right` does not
/// in `bright`, `L` does not in `Lower`.
fn alone(before: Option<char>, word: &str, after: Option<char>) -> bool {
    let is = |c: Option<char>, kind: fn(char) -> bool| c.is_some_and(kind);
    let (letter, small, big) = (char::is_alphabetic, char::is_lowercase, char::is_uppercase);
    match word {
        "L" | "R" | "l" | "r" => !is(before, char::is_alphanumeric) && !is(after, char::is_alphanumeric),
        "left" | "right" => !is(before, letter) && !is(after, small),
        "LEFT" | "RIGHT" => !is(before, big) && !is(after, big),
        _ => !is(before, big) && !is(after, small),
    }
}

#[cfg(test)]
mod tests {
    use super::other_side;

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
        ] {
            assert_eq!((other_side(name).as_str(), other_side(other).as_str()), (other, name));
        }
        for name in ["bright", "Lower", "FDPL", "cleft", "upright", "world", "Leftover", ""] {
            assert_eq!(other_side(name), name);
        }
    }
}
