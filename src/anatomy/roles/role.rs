//! The roles and their names.

use sinew_scene::spoken::Side;
use std::fmt::{self, Display, Formatter};

/// A digit of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Digit {
    /// The thumb.
    Thumb,
    /// The index finger.
    Index,
    /// The middle finger.
    Middle,
    /// The ring finger.
    Ring,
    /// The little finger.
    Little,
}

impl Digit {
    /// From the thumb to the little finger.
    pub const ALL: [Digit; 5] = [Digit::Thumb, Digit::Index, Digit::Middle, Digit::Ring, Digit::Little];

    fn word(self) -> &'static str {
        match self {
            Digit::Thumb => "thumb",
            Digit::Index => "index",
            Digit::Middle => "middle",
            Digit::Ring => "ring",
            Digit::Little => "little",
        }
    }
}

/// What a joint of a human does: the bone that it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The pelvis, which carries the legs and the spine.
    Pelvis,
    /// A joint of the spine, counted from the pelvis, beginning with 1; the last one carries the shoulders.
    Spine(u8),
    /// A joint of the neck, counted from the chest, beginning with 1.
    Neck(u8),
    /// The head.
    Head,
    /// The collarbone.
    Clavicle(Side),
    /// The shoulder blade, where a rig has a joint between the collarbone and the upper arm.
    Scapula(Side),
    /// The upper arm, which begins at the shoulder.
    UpperArm(Side),
    /// The forearm, which begins at the elbow.
    Forearm(Side),
    /// The hand, which begins at the wrist.
    Hand(Side),
    /// A bone of a finger; 0 is the metacarpal, 1 begins at the knuckle. The thumb's metacarpal is its 1.
    Finger(Side, Digit, u8),
    /// The thigh, which begins at the hip.
    Thigh(Side),
    /// The shin, which begins at the knee.
    Shin(Side),
    /// The foot, which begins at the ankle.
    Foot(Side),
    /// The toes, which begin at the ball of the foot.
    Toes(Side),
}

impl Role {
    /// The same on the other side of the body.
    pub fn opposite(self) -> Self {
        match self {
            Role::Pelvis | Role::Spine(_) | Role::Neck(_) | Role::Head => self,
            Role::Clavicle(side) => Role::Clavicle(side.other()),
            Role::Scapula(side) => Role::Scapula(side.other()),
            Role::UpperArm(side) => Role::UpperArm(side.other()),
            Role::Forearm(side) => Role::Forearm(side.other()),
            Role::Hand(side) => Role::Hand(side.other()),
            Role::Finger(side, digit, bone) => Role::Finger(side.other(), digit, bone),
            Role::Thigh(side) => Role::Thigh(side.other()),
            Role::Shin(side) => Role::Shin(side.other()),
            Role::Foot(side) => Role::Foot(side.other()),
            Role::Toes(side) => Role::Toes(side.other()),
        }
    }

    /// Whether it is one of several, of which rigs have different numbers.
    pub fn is_counted(self) -> bool {
        matches!(self, Role::Spine(_) | Role::Neck(_))
    }

    /// On which side of the body it is; none in the middle.
    pub fn side(self) -> Option<Side> {
        match self {
            Role::Pelvis | Role::Spine(_) | Role::Neck(_) | Role::Head => None,
            Role::Clavicle(side) | Role::Scapula(side) | Role::UpperArm(side) | Role::Forearm(side) => {
                Some(side)
            }
            Role::Hand(side) | Role::Finger(side, ..) | Role::Thigh(side) | Role::Shin(side) => Some(side),
            Role::Foot(side) | Role::Toes(side) => Some(side),
        }
    }

    /// The role of a name as [`Display`] writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let (base, side) = match text.split_once('.') {
            Some((base, "L")) => (base, Some(Side::Left)),
            Some((base, "R")) => (base, Some(Side::Right)),
            Some(_) => return None,
            None => (text, None),
        };
        let word = base.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &base[word.len()..];
        let digit = Digit::ALL.into_iter().find(|digit| digit.word() == word);
        let count = || number.parse::<u8>().ok().filter(|n| n.to_string() == number);
        match (word, side, number) {
            ("pelvis", None, "") => Some(Role::Pelvis),
            ("head", None, "") => Some(Role::Head),
            ("spine", None, _) => count().filter(|n| *n > 0).map(Role::Spine),
            ("neck", None, _) => count().filter(|n| *n > 0).map(Role::Neck),
            (_, Some(side), "") => [
                Role::Clavicle(side),
                Role::Scapula(side),
                Role::UpperArm(side),
                Role::Forearm(side),
                Role::Hand(side),
                Role::Thigh(side),
                Role::Shin(side),
                Role::Foot(side),
                Role::Toes(side),
            ]
            .into_iter()
            .find(|role| role.word() == word),
            (_, Some(side), _) => digit.and_then(|digit| count().map(|n| Role::Finger(side, digit, n))),
            _ => None,
        }
    }

    /// Its name for people, without its side: "Upper Arm".
    pub fn title(self) -> String {
        let mut letters = true;
        let capital = |c: char| {
            let begins = std::mem::replace(&mut letters, c == '_');
            match (c, begins) {
                ('_', _) => ' ',
                (c, true) => c.to_ascii_uppercase(),
                (c, false) => c,
            }
        };
        let word: String = self.word().chars().map(capital).collect();
        match self {
            Role::Finger(_, _, 0) => format!("{word} Metacarpal"),
            Role::Spine(number) | Role::Neck(number) | Role::Finger(_, _, number) => {
                format!("{word} {number}")
            }
            _ => word,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Role::Pelvis => "pelvis",
            Role::Spine(_) => "spine",
            Role::Neck(_) => "neck",
            Role::Head => "head",
            Role::Clavicle(_) => "clavicle",
            Role::Scapula(_) => "scapula",
            Role::UpperArm(_) => "upper_arm",
            Role::Forearm(_) => "forearm",
            Role::Hand(_) => "hand",
            Role::Finger(_, digit, _) => digit.word(),
            Role::Thigh(_) => "thigh",
            Role::Shin(_) => "shin",
            Role::Foot(_) => "foot",
            Role::Toes(_) => "toes",
        }
    }
}

impl Display for Role {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        if let Role::Spine(number) | Role::Neck(number) | Role::Finger(_, _, number) = self {
            number.fmt(f)?;
        }
        match self.side() {
            Some(Side::Left) => f.write_str(".L"),
            Some(Side::Right) => f.write_str(".R"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let mut all = vec![Role::Pelvis, Role::Spine(1), Role::Spine(12), Role::Neck(2), Role::Head];
        for side in [Side::Left, Side::Right] {
            all.extend([
                Role::Clavicle(side),
                Role::Scapula(side),
                Role::UpperArm(side),
                Role::Forearm(side),
            ]);
            all.extend([
                Role::Hand(side),
                Role::Thigh(side),
                Role::Shin(side),
                Role::Foot(side),
                Role::Toes(side),
            ]);
            all.extend(Digit::ALL.into_iter().flat_map(|d| (0..4).map(move |n| Role::Finger(side, d, n))));
        }
        for role in all {
            assert_eq!(Role::parse(&role.to_string()), Some(role), "{role}");
            assert_eq!(Role::parse(&role.opposite().to_string()).map(Role::opposite), Some(role));
        }
        for wrong in [
            "", "pelvis1", "pelvis.L", "spine", "spine0", "spine01", "hand", "hand.l", "hand1.L", "thumb.L",
            "toe.L",
        ] {
            assert_eq!(Role::parse(wrong), None, "{wrong}");
        }
    }
}
