//! Which joint of a rig does what: pelvis, spine, thigh, forearm, the bones of fingers.
//!
//! Roles are found by hierarchy and place: two legs of straight bones on one end of a trunk, two arms on its other end,
//! a head above, in the proportions of humans. Scale, direction, the order of joints and the rest pose do not matter,
//! nor do further joints that twist, roll or control. Names are hints, in the words of many conventions; a rig whose
//! names say nothing will do, and one whose places say nothing if its names do. Where the two disagree, or something
//! else is nearly as likely, the result says so. What stands on four legs gets no roles.
//!
//! Without a hierarchy (tables have none) one is found from places. Of two humans in one rig none is chosen silently,
//! but by a role that the user gives to a joint of one. A hand without a body has roles, too.

mod alone;
mod body;
mod by_name;
mod column;
mod hand;
mod limb;
mod parts;
mod rig;
mod role;
mod several;
mod shape;
mod tree;
mod words;

#[cfg(test)]
mod tests;

pub use parts::Part;
pub use rig::Rig;
pub use role::{Digit, Role};

use several::Choice;
use shape::Shape;
use sinew_math::Vec3;
use sinew_scene::few::few;
use sinew_scene::spoken::{Side, Spoken};
use words::{Hint, Kind, Purpose};

/// How sure a role is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The user chose it.
    Chosen,
    /// Place and name say so, or the place clearly.
    Sure,
    /// One of the two says so, and nothing speaks against it.
    Likely,
    /// Something else is nearly as likely.
    Doubtful,
    /// Its place says so, and its name says otherwise.
    Disputed,
}

impl Certainty {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Certainty::Chosen => "chosen",
            Certainty::Sure => "sure",
            Certainty::Likely => "likely",
            Certainty::Doubtful => "doubtful",
            Certainty::Disputed => "disputed",
        }
    }
}

/// A role that a joint has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The role.
    pub role: Role,
    /// The joint.
    pub joint: usize,
    /// How sure that is.
    pub certainty: Certainty,
    /// Why.
    pub why: String,
    /// Other joints that may have it.
    pub rivals: Vec<usize>,
}

/// The roles of a rig's joints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    found: Vec<Found>,
    /// Joints without a role that follow the one of a role, such as those for twist.
    helpers: Vec<(usize, Role)>,
    /// Whether the joints stand like an animal.
    on_fours: bool,
    /// Whether there are several humans, and none is chosen.
    several: bool,
    /// Whether the spine begins closer to the hips than the pelvis is.
    low_spine: bool,
    /// Why there are no roles, or what is doubtful about all of them, one sentence each.
    pub warnings: Vec<String>,
}

/// The joints of a spine and a neck that plans name, whatever their number.
const LANDMARKS: [&str; 5] = ["hips", "chest", "waist", "back", "neck"];

/// Bodies this unlike a human are none, as far as their places tell.
const STRANGE: f64 = 14.0;

impl Roles {
    /// The roles of a rig.
    pub fn find(rig: &Rig) -> Roles {
        let mut hints: Vec<Hint> = rig.names.iter().map(|name| Hint::new(name)).collect();
        for &(role, joint) in rig.chosen {
            hints[joint] = Hint {
                kinds: vec![role.into()],
                other: false,
                side: role.side(),
                purpose: Purpose::Bone,
                number: None,
            };
        }
        let mut roles = Roles::default();
        match several::in_pieces(rig, &hints) {
            Choice::Only => {}
            Choice::These(joints) => return Roles::within(rig, &joints),
            Choice::Open(what) => {
                roles.leave_open(what);
                return roles;
            }
        }
        let shape = Shape::find(rig, &hints).filter(|_| !alone::are_spoken_of(&hints));
        match shape {
            Some(shape) if shape.body.on_fours => {
                roles.on_fours = true;
                let what = "no human: its limbs stand on the ground like the four legs of an animal";
                roles.warnings.push(what.to_string());
            }
            Some(shape) if shape.body.shape < STRANGE => {
                roles.found = placed(rig, &hints, &shape, &mut roles.warnings);
                match several::choose(rig, &hints, shape.roles(&hints, &mut Vec::new())) {
                    Choice::Only => {}
                    Choice::These(joints) => return Roles::within(rig, &joints),
                    Choice::Open(what) => roles.leave_open(what),
                }
            }
            _ => {
                roles.spoken(rig, &hints);
                if !roles.several {
                    roles.take_hands(rig, &hints);
                }
            }
        }
        for &(role, joint) in rig.chosen {
            roles.found.retain(|found| found.role != role && found.joint != joint);
            let why = "chosen by the user".to_string();
            roles.found.push(Found { role, joint, certainty: Certainty::Chosen, why, rivals: Vec::new() });
        }
        roles.found.sort_by_key(|found| found.role);
        roles.low_spine = roles.is_spine_low(rig);
        roles.helpers = roles.followers(rig, &hints);
        roles
    }

    /// Of several humans none is meant.
    fn leave_open(&mut self, what: String) {
        *self = Roles { several: true, warnings: vec![what], ..Roles::default() };
    }

    /// The roles of some joints alone.
    fn within(rig: &Rig, joints: &[usize]) -> Roles {
        let part = several::Part::new(rig, joints);
        let mut roles = Roles::find(&part.rig());
        let whole = |joint: &mut usize| *joint = joints[*joint];
        for found in &mut roles.found {
            whole(&mut found.joint);
            found.rivals.iter_mut().for_each(whole);
        }
        roles.helpers.iter_mut().for_each(|(joint, _)| whole(joint));
        roles
    }

    /// The roles of hands, where there is no body.
    fn take_hands(&mut self, rig: &Rig, hints: &[Hint]) {
        if !self.found.is_empty() || self.on_fours {
            return;
        }
        self.found = alone::hands(rig, hints, &mut self.warnings);
        if let (Some(no_human), false) = (self.warnings.first_mut(), self.found.is_empty()) {
            no_human.push_str("; but the fingers of a hand were found");
        }
    }

    fn is_spine_low(&self, rig: &Rig) -> bool {
        let place = |role: Role| self.joint(role).map(|joint| rig.position(joint));
        let legs = [Side::Left, Side::Right].map(|side| place(Role::Thigh(side)));
        let (Some(pelvis), Some(spine), [Some(left), Some(right)]) =
            (place(Role::Pelvis), place(Role::Spine(1)), legs)
        else {
            return false;
        };
        let hips = (left + right) * 0.5;
        (spine - hips).norm() < (pelvis - hips).norm()
    }

    /// The roles by names alone.
    fn spoken(&mut self, rig: &Rig, hints: &[Hint]) {
        let named = by_name::assign(hints, &depths(rig));
        self.on_fours = by_name::stands_on_fours(&named, |joint| rig.position(joint));
        let is_body = by_name::is_body(&named) && !self.on_fours;
        if let Some(what) = several::namespaces(rig, hints).filter(|_| is_body) {
            self.leave_open(what);
            return;
        }
        let what = match is_body {
            true => {
                "the joints do not lie as those of a human do: their roles are known from their names alone"
            }
            false => "no human: no two legs and two arms on a trunk were found, neither by place nor by name",
        };
        self.warnings.push(what.to_string());
        self.found =
            named.into_iter().filter(|_| is_body).map(|(role, joint)| by_name_alone(role, joint)).collect();
    }

    /// The roles of a rig; where it is no human, what its names say about parts of one, such as a leg. Animals have
    /// none.
    pub fn of_parts(rig: &Rig) -> Roles {
        let mut roles = Roles::find(rig);
        if !roles.is_body() && !roles.on_fours && !roles.several {
            let hints: Vec<Hint> = rig.names.iter().map(|name| Hint::new(name)).collect();
            let named = by_name::assign(&hints, &depths(rig));
            // Of two characters nobody knows which is meant.
            let spoken: Vec<Spoken> = rig.names.iter().map(|name| Spoken::new(name)).collect();
            let once = |joint: usize| spoken.iter().filter(|other| **other == spoken[joint]).count() == 1;
            let named = named.into_iter().filter(|(_, joint)| once(*joint));
            for (role, joint) in named {
                if roles.get(role).is_none() && roles.of(joint).is_none() {
                    roles.found.push(by_name_alone(role, joint));
                }
            }
            roles.found.sort_by_key(|found| found.role);
            roles.low_spine = roles.is_spine_low(rig);
        }
        roles
    }

    /// Whether they are those of a body, and not of hands or of what the user chose alone.
    fn is_body(&self) -> bool {
        self.found.iter().any(|found| !matches!(found.role, Role::Hand(_) | Role::Finger(..)))
    }

    /// Why there are no roles of a body, if there are none.
    pub fn lack(&self) -> Option<&str> {
        let no_human = || self.warnings.iter().find(|warning| warning.starts_with("no human"));
        self.undecided().or_else(|| no_human().map(String::as_str))
    }

    /// What to say of several humans of which none is chosen.
    pub fn undecided(&self) -> Option<&str> {
        self.warnings.first().filter(|_| self.several).map(String::as_str)
    }

    /// All roles that were found, in order.
    pub fn all(&self) -> &[Found] {
        &self.found
    }

    /// A role.
    pub fn get(&self, role: Role) -> Option<&Found> {
        self.found.iter().find(|found| found.role == role)
    }

    /// The joint of a role.
    pub fn joint(&self, role: Role) -> Option<usize> {
        self.get(role).map(|found| found.joint)
    }

    /// The role of a joint.
    pub fn of(&self, joint: usize) -> Option<Role> {
        self.found.iter().find(|found| found.joint == joint).map(|found| found.role)
    }

    /// How sure the role of a joint is.
    pub fn certainty(&self, joint: usize) -> Option<Certainty> {
        self.found.iter().find(|found| found.joint == joint).map(|found| found.certainty)
    }

    /// The role of a joint, or the one that it follows as a helper.
    pub fn followed(&self, joint: usize) -> Option<Role> {
        let helper = || self.helpers.iter().find(|(helper, _)| *helper == joint).map(|(_, role)| *role);
        self.of(joint).or_else(helper)
    }

    /// Joints that have no role but follow that of another, such as those for twist.
    pub fn helpers(&self) -> &[(usize, Role)] {
        &self.helpers
    }

    /// The joint for a name in plans: that of a [`Role`], or one of those that every human has in some joint.
    ///
    /// `hips` is where the trunk begins: the pelvis, or a first joint of the spine that is closer to the legs. `waist`,
    /// `back` and `chest` are the first joint of the spine above it, one half way and the last, which carries the
    /// shoulders; `neck` is the first of the neck; `knuckles.L` is where the middle finger begins. A rig without
    /// shoulder blades or collarbones has what carries them instead.
    pub fn named(&self, name: &str) -> Option<usize> {
        let spine: Vec<usize> = (1..=u8::MAX).map_while(|k| self.joint(Role::Spine(k))).collect();
        let pelvis = self.joint(Role::Pelvis);
        let low = usize::from(self.low_spine);
        let hips = if self.low_spine { spine.first().copied() } else { pelvis };
        let spine = if spine.len() > low { &spine[low..] } else { &spine[..] };
        match name {
            "hips" => hips,
            "waist" | "back" | "chest" if spine.is_empty() => pelvis,
            "waist" => spine.first().copied(),
            "back" => Some(spine[spine.len() / 2]),
            "chest" => spine.last().copied(),
            "neck" => self.joint(Role::Neck(1)).or_else(|| self.joint(Role::Head)),
            "knuckles.L" => self.knuckles(Side::Left),
            "knuckles.R" => self.knuckles(Side::Right),
            _ => match Role::parse(name)? {
                Role::Scapula(side) => {
                    let carriers = [Role::Scapula(side), Role::Clavicle(side)];
                    carriers.into_iter().find_map(|role| self.joint(role)).or_else(|| spine.last().copied())
                }
                Role::Clavicle(side) => self.joint(Role::Clavicle(side)).or_else(|| spine.last().copied()),
                role => self.joint(role),
            },
        }
    }

    /// How many joints the spine and the neck have.
    pub fn spines(&self) -> [u8; 2] {
        [self.count(Role::Spine), self.count(Role::Neck)]
    }

    /// The joint that does what one of another rig does. Spines may have other numbers of joints: where they begin and
    /// end is alike, and between it is the one as far along them. A rig without shoulder blades or collarbones has what
    /// carries them instead, one without toes or fingers the foot or the hand.
    pub fn alike(&self, role: Role, other: &Roles) -> Option<usize> {
        let landmark = |name: &&&str| role.is_counted() && other.named(name) == other.joint(role);
        if let Some(name) = LANDMARKS.iter().find(landmark) {
            return self.named(name);
        }
        let along = |k: u8, kind: fn(u8) -> Role| {
            let [of, own] = [other, self].map(|roles| roles.count(kind));
            let part = f64::from(k) / f64::from(of.max(1));
            self.joint(kind(((part * f64::from(own)).round() as u8).clamp(1, own.max(1))))
        };
        let found = match role {
            Role::Spine(k) => along(k, Role::Spine).or_else(|| self.joint(Role::Pelvis)),
            Role::Neck(k) => along(k, Role::Neck).or_else(|| self.joint(Role::Head)),
            role => self.joint(role),
        };
        found.or_else(|| match role {
            Role::Clavicle(_) | Role::Scapula(_) => self.named(&role.to_string()),
            Role::Toes(side) => self.joint(Role::Foot(side)),
            Role::Finger(side, ..) => self.joint(Role::Hand(side)),
            _ => None,
        })
    }

    /// How many joints the spine or the neck has.
    fn count(&self, kind: fn(u8) -> Role) -> u8 {
        (1..=u8::MAX).take_while(|&k| self.joint(kind(k)).is_some()).count() as u8
    }

    /// Whether a name is one of those that [`named`](Roles::named) knows.
    pub fn is_name(name: &str) -> bool {
        Role::parse(name).is_some() || LANDMARKS.contains(&name) || name.starts_with("knuckles.")
    }

    /// The joint for a name that has a role in some naming, such as `LeftUpLeg`, if it says one without others beside
    /// it.
    pub fn meant(&self, name: &str) -> Option<usize> {
        Roles::of_names(&[name]).first().and_then(|(role, _)| self.joint(*role))
    }

    /// The joint at which the fingers of a hand begin to be free; that of the palm's bone where there is no other.
    fn knuckles(&self, side: Side) -> Option<usize> {
        let digits = [Digit::Middle, Digit::Index, Digit::Ring, Digit::Little];
        let bones =
            digits.into_iter().flat_map(|digit| [1, 0, 2].map(|bone| Role::Finger(side, digit, bone)));
        bones.into_iter().find_map(|role| self.joint(role))
    }

    /// The roles that joints by the names of a plan stand for.
    pub fn of_names(names: &[&str]) -> Vec<(Role, usize)> {
        let hints: Vec<Hint> = names.iter().map(|name| Hint::new(name)).collect();
        by_name::assign(&hints, &vec![0; hints.len()])
    }

    /// Joints without a role that move with one: by name, or because they lie along its bone.
    fn followers(&self, rig: &Rig, hints: &[Hint]) -> Vec<(usize, Role)> {
        if rig.parents.len() != rig.names.len() {
            return Vec::new();
        }
        let role = |joint: usize| self.of(joint);
        let along = |joint: usize, above: usize| {
            let (from, at) = (rig.position(above), rig.position(joint));
            let carrier = |found: &&Found| up(rig, found.joint).skip(1).find(|&joint| role(joint).is_some());
            let below = self.found.iter().filter(|found| carrier(found) == Some(above));
            let mut ends = below.map(|found| rig.position(found.joint) - from);
            ends.any(|bone: Vec3| {
                let t = bone.dot(&(at - from)) / bone.norm_squared().max(f64::MIN_POSITIVE);
                (0.0..1.0).contains(&t) && (at - from - bone * t).norm() < 0.1 * bone.norm()
            })
        };
        let free = (0..rig.names.len())
            .filter(|&joint| role(joint).is_none() && hints[joint].purpose <= Purpose::Helper);
        let follow = |joint: usize| {
            let above = up(rig, joint).find(|&above| role(above).is_some())?;
            let helps = hints[joint].purpose == Purpose::Helper || along(joint, above);
            helps.then_some((joint, role(above)?))
        };
        free.filter_map(follow).collect()
    }
}

/// A joint and those above it.
fn up<'a>(rig: &'a Rig, joint: usize) -> impl Iterator<Item = usize> + use<'a> {
    let parents = rig.parents;
    std::iter::successors(Some(joint), move |&joint| parents.get(joint).copied().flatten())
        .take(rig.names.len())
}

fn depths(rig: &Rig) -> Vec<usize> {
    (0..rig.names.len()).map(|joint| up(rig, joint).count()).collect()
}

fn by_name_alone(role: Role, joint: usize) -> Found {
    Found { role, joint, certainty: Certainty::Likely, why: "by its name alone".into(), rivals: Vec::new() }
}

/// The roles of a body that was found by place, with what names say about them.
fn placed(rig: &Rig, hints: &[Hint], shape: &Shape, warnings: &mut Vec<String>) -> Vec<Found> {
    let named = shape.named();
    let mut placed = shape.roles(hints, warnings);
    let by_name = |role: Role| named.iter().find(|(other, _)| *other == role).map(|(_, joint)| *joint);
    for found in &mut placed {
        let hint = &hints[found.joint];
        match hint.agrees(Kind::from(found.role), found.role.side()) {
            1.. if found.certainty == Certainty::Doubtful => found.certainty = Certainty::Likely,
            1.. => (found.certainty, found.why) = (Certainty::Sure, "by its place and its name".into()),
            ..0 => {
                found.certainty = Certainty::Disputed;
                found.why = format!("by its place, although its name is {:?}", rig.names[found.joint]);
                let rival = by_name(found.role).filter(|joint| *joint != found.joint);
                found.rivals.extend(rival.filter(|joint| !found.rivals.contains(joint)));
            }
            0 => {}
        }
    }
    let wrong: Vec<String> =
        placed.iter().filter(|f| f.certainty == Certainty::Disputed).map(|f| f.role.to_string()).collect();
    if !wrong.is_empty() {
        warnings.push(format!("places and names of joints disagree: {}", few(&wrong, wrong.len())));
    }
    for (role, joint) in named {
        let known = placed.iter().any(|found| found.joint == joint || found.role == role);
        // What the spine, the neck and a finger count has been counted by place.
        let counted = matches!(role, Role::Spine(_) | Role::Neck(_))
            || matches!(role, Role::Finger(side, digit, _) if placed.iter().any(|f| matches!(f.role, Role::Finger(s, d, _) if (s, d) == (side, digit))));
        if !known && !counted {
            placed.push(by_name_alone(role, joint));
        }
    }
    placed
}
