//! What the name of a joint says. Names are hints: conventions use one word for different joints (a shoulder is a
//! collarbone in one and an upper arm in another), so a word stands for all roles that it has in any of them.

use super::role::{Digit, Role};
use sinew_scene::spoken::{Side, apart};

/// A kind of joint: a role without side and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Pelvis,
    Spine,
    Neck,
    Head,
    Clavicle,
    Scapula,
    UpperArm,
    Forearm,
    Hand,
    Finger(Digit),
    Thigh,
    Shin,
    Foot,
    Toes,
}

impl From<Role> for Kind {
    fn from(role: Role) -> Self {
        match role {
            Role::Pelvis => Kind::Pelvis,
            Role::Spine(_) => Kind::Spine,
            Role::Neck(_) => Kind::Neck,
            Role::Head => Kind::Head,
            Role::Clavicle(_) => Kind::Clavicle,
            Role::Scapula(_) => Kind::Scapula,
            Role::UpperArm(_) => Kind::UpperArm,
            Role::Forearm(_) => Kind::Forearm,
            Role::Hand(_) => Kind::Hand,
            Role::Finger(_, digit, _) => Kind::Finger(digit),
            Role::Thigh(_) => Kind::Thigh,
            Role::Shin(_) => Kind::Shin,
            Role::Foot(_) => Kind::Foot,
            Role::Toes(_) => Kind::Toes,
        }
    }
}

/// What a joint is for, as far as its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Purpose {
    /// It moves a part of the body.
    Bone,
    /// It shares the motion of a bone: twists, rolls, corrections.
    Helper,
    /// The end of a bone.
    Tip,
    /// A control, or a joint that drives others.
    Control,
}

/// What a name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    /// The kinds that it may mean, none if it says nothing or something else.
    pub kinds: Vec<Kind>,
    /// Whether it names a part of the body that has no role, such as a tail.
    pub other: bool,
    pub side: Option<Side>,
    pub purpose: Purpose,
    /// Its last number.
    pub number: Option<u32>,
}

const ANY_FINGER: &[Kind] = &[
    Kind::Finger(Digit::Thumb),
    Kind::Finger(Digit::Index),
    Kind::Finger(Digit::Middle),
    Kind::Finger(Digit::Ring),
    Kind::Finger(Digit::Little),
];

/// Words of rigs, without digits and sides, and what they mean. The longest that fits counts.
const WORDS: &[(&str, &[Kind])] = &[
    ("pelvis", &[Kind::Pelvis]),
    ("hips", &[Kind::Pelvis]),
    ("hip", &[Kind::Pelvis, Kind::Thigh]),
    ("hipjoint", &[]),
    ("root", &[Kind::Pelvis]),
    // Rigify counts the whole column, from the pelvis to the head.
    ("spine", &[Kind::Spine, Kind::Pelvis, Kind::Neck, Kind::Head]),
    ("chest", &[Kind::Spine]),
    ("torso", &[Kind::Spine, Kind::Pelvis]),
    ("thorax", &[Kind::Spine]),
    ("ribcage", &[Kind::Spine]),
    ("abdomen", &[Kind::Spine]),
    ("waist", &[Kind::Spine]),
    ("lowerback", &[Kind::Spine]),
    ("back", &[Kind::Spine]),
    ("neck", &[Kind::Neck]),
    ("head", &[Kind::Head]),
    ("skull", &[Kind::Head]),
    ("forehead", &[]),
    ("clavicle", &[Kind::Clavicle]),
    ("clav", &[Kind::Clavicle]),
    ("collar", &[Kind::Clavicle]),
    ("collarbone", &[Kind::Clavicle]),
    ("scapula", &[Kind::Scapula, Kind::Clavicle]),
    ("shoulder", &[Kind::Clavicle, Kind::Scapula, Kind::UpperArm]),
    ("shldr", &[Kind::UpperArm, Kind::Clavicle]),
    ("upperarm", &[Kind::UpperArm]),
    ("uparm", &[Kind::UpperArm]),
    ("arm", &[Kind::UpperArm, Kind::Forearm]),
    ("forearm", &[Kind::Forearm]),
    ("lowerarm", &[Kind::Forearm]),
    ("lowarm", &[Kind::Forearm]),
    ("elbow", &[Kind::Forearm]),
    ("hand", &[Kind::Hand]),
    ("wrist", &[Kind::Hand]),
    ("thumb", &[Kind::Finger(Digit::Thumb)]),
    ("index", &[Kind::Finger(Digit::Index)]),
    ("pointer", &[Kind::Finger(Digit::Index)]),
    ("middle", &[Kind::Finger(Digit::Middle)]),
    ("mid", &[Kind::Finger(Digit::Middle)]),
    ("ring", &[Kind::Finger(Digit::Ring)]),
    ("little", &[Kind::Finger(Digit::Little)]),
    ("pinky", &[Kind::Finger(Digit::Little)]),
    ("pinkie", &[Kind::Finger(Digit::Little)]),
    ("finger", ANY_FINGER),
    ("fingerbase", ANY_FINGER),
    ("metacarpal", ANY_FINGER),
    ("palm", ANY_FINGER),
    ("thigh", &[Kind::Thigh]),
    ("upperleg", &[Kind::Thigh]),
    ("upleg", &[Kind::Thigh]),
    ("femur", &[Kind::Thigh]),
    ("leg", &[Kind::Thigh, Kind::Shin]),
    ("lowerleg", &[Kind::Shin]),
    ("lowleg", &[Kind::Shin]),
    ("shin", &[Kind::Shin]),
    ("calf", &[Kind::Shin]),
    ("knee", &[Kind::Shin]),
    ("tibia", &[Kind::Shin]),
    ("foot", &[Kind::Foot, Kind::Toes]),
    ("ankle", &[Kind::Foot]),
    ("ball", &[Kind::Toes]),
    ("toe", &[Kind::Toes]),
    ("toes", &[Kind::Toes]),
    ("toebase", &[Kind::Toes]),
];

/// Parts of bodies and costumes that have no role.
const OTHERS: &[&str] = &[
    "tail", "wing", "ear", "eye", "jaw", "hair", "breast", "tongue", "teeth", "brow", "eyelid", "nose",
    "lip", "cheek", "skirt", "cape", "cloth", "weapon", "prop", "camera", "mouth", "horn", "antler", "hoof",
];

/// Words for the end of a bone.
const TIPS: &[&str] = &["nub", "end", "tip", "site", "effector", "eff", "top", "endsite", "topend"];

/// Words for what shares the motion of a bone.
const HELPERS: &[&str] = &[
    "twist",
    "roll",
    "helper",
    "corrective",
    "bulge",
    "muscle",
    "jiggle",
    "part",
    "share",
    "adjust",
    "volume",
    "heel",
];

/// Words for controls, and for what stands between them and the bones.
const CONTROLS: &[&str] = &[
    "ik",
    "fk",
    "ctrl",
    "ctl",
    "control",
    "controller",
    "pole",
    "target",
    "mch",
    "tweak",
    "vis",
    "driver",
    "offset",
    "grp",
    "group",
    "null",
    "locator",
    "socket",
    "attach",
    "parent",
    "master",
    "pivot",
    "rocker",
    "footstep",
    "footsteps",
    "swing",
];

impl Hint {
    pub fn new(name: &str) -> Self {
        let (words, side) = apart(name);
        let number = words.iter().rev().find_map(|word| number(word));
        let words: Vec<&str> = words
            .iter()
            .map(|word| word.trim_matches(|c: char| c.is_ascii_digit()))
            .filter(|w| !w.is_empty())
            .collect();
        let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let within = |list: &[&str]| words.iter().any(|word| list.iter().any(|known| word.contains(known)));
        let purpose = if has(CONTROLS) {
            Purpose::Control
        } else if has(HELPERS) || within(&["twist", "roll", "helper"]) {
            Purpose::Helper
        } else if has(TIPS) || within(&["nub", "endsite"]) {
            Purpose::Tip
        } else {
            Purpose::Bone
        };
        let kinds = kinds(&words).to_vec();
        let other = kinds.is_empty() && has(OTHERS);
        let side = match kinds.as_slice() {
            // The end of a word is no side: HumanIK's `Spine`, but not `armR`.
            [Kind::Head | Kind::Neck | Kind::Spine, ..] => None,
            _ => side,
        };
        // With a side, a hip is where a leg begins.
        let kinds = match (&kinds[..], side) {
            ([Kind::Pelvis, Kind::Thigh], None) => vec![Kind::Pelvis],
            ([Kind::Pelvis, Kind::Thigh], Some(_)) => vec![Kind::Thigh],
            _ => kinds,
        };
        Hint { kinds, other, side, purpose, number }
    }

    /// Whether the name is one for a role: 2 if it says just that, 1 if it may mean others, -2 if it is one for
    /// something else, 0 if it says nothing.
    pub fn agrees(&self, kind: Kind, side: Option<Side>) -> i32 {
        let middle = matches!(kind, Kind::Pelvis | Kind::Spine | Kind::Neck | Kind::Head);
        let elsewhere = self.side.is_some() && (middle || side.is_some() && self.side != side);
        if self.purpose != Purpose::Bone || self.other || elsewhere {
            return -2;
        }
        match self.kinds.contains(&kind) {
            true => 1 + i32::from(self.kinds.len() == 1),
            false => -2 * i32::from(!self.kinds.is_empty()),
        }
    }
}

/// The number at the end of a word.
fn number(word: &str) -> Option<u32> {
    let digits = word.rsplit(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// The kinds of the longest known word that ends where one of the name's words ends, so that it is found behind a
/// prefix (`mixamorighips`) and in two words (`upper arm`), but not in `armature`. Fingers are more than the hand they
/// are on.
fn kinds(words: &[&str]) -> &'static [Kind] {
    let mut found: Option<(bool, usize, &'static [Kind])> = None;
    for end in 1..=words.len() {
        let until = words[..end].concat();
        for (word, kinds) in WORDS {
            let finger = matches!(kinds, [Kind::Finger(_)]);
            let short_of_more = word.len() <= 4 && !["hips", "hand", "foot", "neck", "head"].contains(word);
            // Short words end many others: `chin`, `string`.
            let fits = if short_of_more {
                words[end - 1] == *word
                    || words[..end - 1].last().is_some_and(|w| [w, words[end - 1]].concat() == **word)
            } else {
                until.ends_with(word)
            };
            if fits && found.is_none_or(|(f, length, _)| (finger, word.len()) > (f, length)) {
                found = Some((finger, word.len(), kinds));
            }
        }
    }
    found.map_or(&[], |(_, _, kinds)| kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_rigs_say_what_they_are() {
        let left = Some(Side::Left);
        for (name, kind, side) in [
            ("Bip001 L UpperArm", Kind::UpperArm, left),
            ("Bip001 Pelvis", Kind::Pelvis, None),
            ("Bip001 L Toe0", Kind::Toes, left),
            ("mixamorigHips", Kind::Pelvis, None),
            ("mixamorigLeftHandMiddle1", Kind::Finger(Digit::Middle), left),
            ("Character1_LeftUpLeg", Kind::Thigh, left),
            ("Character1_LeftArm", Kind::UpperArm, left),
            ("DEF-thigh.L.001", Kind::Thigh, left),
            ("ORG-forearm.L", Kind::Forearm, left),
            ("DEF-f_index.01.L", Kind::Finger(Digit::Index), left),
            ("J_Bip_C_Hips", Kind::Pelvis, None),
            ("J_Bip_L_LowerArm", Kind::Forearm, left),
            ("L_Hip", Kind::Thigh, left),
            ("left_knee", Kind::Shin, left),
            ("L_Collar", Kind::Clavicle, left),
            ("Hip_L", Kind::Thigh, left),
            ("Scapula_L", Kind::Clavicle, left),
            ("Root_M", Kind::Pelvis, None),
            ("upperarm_l", Kind::UpperArm, left),
            ("spine_01", Kind::Spine, None),
            ("pinky_metacarpal_l", Kind::Finger(Digit::Little), left),
            ("upperleg01.L", Kind::Thigh, left),
            ("lThighBend", Kind::Thigh, left),
            ("b_LeftForeArm_010", Kind::Forearm, left),
            ("LeftToeBase", Kind::Toes, left),
        ] {
            let hint = Hint::new(name);
            assert!(hint.kinds.contains(&kind) && hint.purpose == Purpose::Bone, "{name}: {hint:?}");
            assert_eq!(hint.side, side, "{name}");
        }
        for (name, purpose) in [
            ("upperarm_twist_01_l", Purpose::Helper),
            ("lForearmTwist", Purpose::Helper),
            ("HipPart1_R", Purpose::Helper),
            ("Bip001 HeadNub", Purpose::Tip),
            ("mixamorig:LeftToe_End", Purpose::Tip),
            ("ik_foot_l", Purpose::Control),
            ("MCH-foot_roll.L", Purpose::Control),
        ] {
            assert_eq!(Hint::new(name).purpose, purpose, "{name}");
        }
        for name in ["joint7", "bone_12", "armature", "chin", "string", "Object", "", "LHipJoint"] {
            assert_eq!(Hint::new(name).kinds, [], "{name}");
        }
    }
}
