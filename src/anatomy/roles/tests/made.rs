//! Rigs as they are made for tests, in realistic proportions.

use super::super::*;
use sinew_math::{Affine, Mat3, affine};

/// A rig as it is made for a test.
#[derive(Clone, Debug, Default)]
pub struct Made {
    pub names: Vec<String>,
    pub parents: Vec<Option<usize>>,
    pub places: Vec<Vec3>,
    /// The role that each joint has, if any.
    pub roles: Vec<Option<Role>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pose {
    /// Arms to the sides.
    T,
    /// Arms half lowered.
    A,
    /// Arms half lowered, elbows and knees bent.
    Bent,
}

/// Where the joint of a role is in a T-pose, on the left; feet on the ground, facing z, in metres.
pub fn place(role: Role, spines: u8) -> Vec3 {
    let at = Vec3::new;
    let hand = at(0.71, 1.42, -0.015);
    match role {
        Role::Pelvis => at(0.0, 0.95, 0.0),
        Role::Spine(k) => at(0.0, 0.95, 0.0).lerp(&at(0.0, 1.32, -0.02), f64::from(k) / f64::from(spines)),
        Role::Neck(k) => at(0.0, 1.43 + 0.05 * f64::from(k), -0.01),
        Role::Head => at(0.0, 1.58, 0.01),
        Role::Clavicle(_) => at(0.02, 1.43, 0.0),
        Role::Scapula(_) => at(0.11, 1.44, -0.03),
        Role::UpperArm(_) => at(0.175, 1.42, -0.02),
        Role::Forearm(_) => at(0.455, 1.42, -0.03),
        Role::Hand(_) => hand,
        Role::Thigh(_) => at(0.09, 0.92, 0.0),
        Role::Shin(_) => at(0.1, 0.5, 0.01),
        Role::Foot(_) => at(0.105, 0.085, -0.03),
        Role::Toes(_) => at(0.11, 0.02, 0.1),
        Role::Finger(_, digit, bone) => {
            let (along, side) = match digit {
                Digit::Thumb => ([0.0, 0.025, 0.055, 0.08, 0.105], [0.0, 0.03, 0.055, 0.07, 0.08]),
                Digit::Index => ([0.025, 0.095, 0.135, 0.16, 0.182], [0.02, 0.03, 0.033, 0.035, 0.036]),
                Digit::Middle => ([0.025, 0.097, 0.142, 0.171, 0.195], [0.005, 0.008, 0.009, 0.009, 0.009]),
                Digit::Ring => ([0.023, 0.09, 0.131, 0.158, 0.18], [-0.008, -0.013, -0.014, -0.015, -0.015]),
                Digit::Little => ([0.02, 0.08, 0.11, 0.13, 0.15], [-0.02, -0.032, -0.036, -0.038, -0.04]),
            };
            let down = if digit == Digit::Thumb { -0.008 * f64::from(bone) } else { 0.0 };
            hand + at(along[usize::from(bone)], down, side[usize::from(bone)])
        }
    }
}

pub fn turned(p: Vec3, about: Vec3, axis: Vec3, degrees: f64) -> Vec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let v = p - about;
    about + v * cos + axis.cross(&v) * sin + axis * axis.dot(&v) * (1.0 - cos)
}

impl Pose {
    /// Where a joint of the left side goes from a T-pose: what moves it is the bones above it.
    pub fn place(self, role: Role, p: Vec3) -> Vec3 {
        let left = Side::Left;
        let (arm, forearm) = match role {
            Role::Hand(_) | Role::Finger(..) => (true, true),
            Role::UpperArm(_) | Role::Forearm(_) => (true, false),
            _ => (false, false),
        };
        let shin = matches!(role, Role::Foot(_) | Role::Toes(_));
        let at = |role: Role| place(role, 1);
        let mut p = p;
        if forearm && self == Pose::Bent {
            p = turned(p, at(Role::Forearm(left)), -Vec3::y(), 50.0);
        }
        if arm && self != Pose::T {
            p = turned(p, at(Role::UpperArm(left)), -Vec3::z(), 45.0);
        }
        if shin && self == Pose::Bent {
            p = turned(p, at(Role::Shin(left)), Vec3::x(), 20.0);
        }
        p
    }
}

impl Made {
    pub fn add(&mut self, name: &str, parent: &str, place: Vec3, role: Option<Role>) {
        assert!(!self.names.iter().any(|other| other == name), "{name} is there twice");
        let parent = self.names.iter().position(|other| other == parent);
        self.names.push(name.to_string());
        self.parents.push(parent);
        self.places.push(place);
        self.roles.push(role);
    }

    /// From lines `name parent role`, the left side only: `%` stands for the side. A role may be `-`, with a place
    /// given by a joint and another, and how far it is from one to the other: `upper_arm.L>forearm.L*0.5`.
    pub fn new(lines: &str, sides: [&str; 2], spines: u8, pose: Pose) -> Made {
        let mut made = Made::default();
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let [name, parent, role] = fields[..] else { panic!("{line}") };
            let sided = name.contains('%');
            for (side, word) in [Side::Left, Side::Right].into_iter().zip(sides) {
                if !sided && side == Side::Right {
                    continue;
                }
                let at = |text: &str| -> Vec3 {
                    let (base, more) = text.split_once('+').unwrap_or((text, "0 0 0"));
                    let role = Role::parse(base).unwrap_or_else(|| panic!("{base} in {line}"));
                    let more: Vec<f64> = more.split_whitespace().map(|x| x.parse().unwrap()).collect();
                    pose.place(role, place(role, spines) + Vec3::new(more[0], more[1], more[2]))
                };
                let (place, role) = match role.strip_prefix('-') {
                    None => (at(role), Role::parse(role)),
                    Some("ground") => (Vec3::zeros(), None),
                    Some(text) => {
                        let (ends, part) = text.split_once('*').unwrap_or((text, "0"));
                        let (a, b) = ends.split_once('>').unwrap_or((ends, ends));
                        (at(a).lerp(&at(b), part.parse().unwrap()), None)
                    }
                };
                let mirrored = side == Side::Right;
                let place = if mirrored { Vec3::new(-place.x, place.y, place.z) } else { place };
                let role = if mirrored { role.map(Role::opposite) } else { role };
                made.add(&name.replace('%', word), &parent.replace('%', word), place, role);
            }
        }
        made
    }

    pub fn rest(&self) -> Vec<Affine> {
        self.places.iter().map(|p| affine(&Mat3::identity(), p)).collect()
    }

    pub fn found_with(&self, parents: bool) -> (Roles, Vec<String>) {
        let rest = self.rest();
        let parents = if parents { &self.parents[..] } else { &[] };
        let roles = Roles::find(&Rig { names: &self.names, rest: &rest, parents, chosen: &[] });
        // What is found and is not, and what differs.
        let mut wrong = Vec::new();
        for (joint, role) in self.roles.iter().enumerate() {
            if let Some(role) = role.filter(|&role| roles.joint(role) != Some(joint)) {
                let found = roles.joint(role).map(|joint| self.names[joint].as_str());
                wrong.push(format!("{role} is {found:?} and not {}", self.names[joint]));
            }
        }
        for found in roles.all() {
            if !self.roles.contains(&Some(found.role)) {
                wrong.push(format!("{} is {} although there is none", found.role, self.names[found.joint]));
            }
        }
        (roles, wrong)
    }

    pub fn check(&self, what: &str) {
        let (roles, wrong) = self.found_with(true);
        assert_eq!(wrong, [] as [String; 0], "{what}: {:?}", roles.warnings);
    }

    pub fn mapped(&self, map: impl Fn(&Vec3) -> Vec3) -> Made {
        Made { places: self.places.iter().map(map).collect(), ..self.clone() }
    }

    pub fn renamed(&self, name: impl Fn(usize, &str) -> String) -> Made {
        let names = self.names.iter().enumerate().map(|(k, old)| name(k, old)).collect();
        Made { names, ..self.clone() }
    }

    /// The joints in another order.
    pub fn shuffled(&self, seed: u64) -> Made {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let mut state = seed;
        for k in (1..order.len()).rev() {
            order.swap(k, (random(&mut state) % (k as u64 + 1)) as usize);
        }
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, &old)| places[old] = k);
        Made {
            names: order.iter().map(|&k| self.names[k].clone()).collect(),
            parents: order.iter().map(|&k| self.parents[k].map(|p| places[p])).collect(),
            places: order.iter().map(|&k| self.places[k]).collect(),
            roles: order.iter().map(|&k| self.roles[k]).collect(),
        }
    }

    /// Without some joints; what hung on them hangs on their carriers.
    pub fn without(&self, gone: impl Fn(usize) -> bool) -> Made {
        let kept: Vec<usize> = (0..self.names.len()).filter(|&k| !gone(k)).collect();
        let above =
            |k: usize| std::iter::successors(self.parents[k], |&p| self.parents[p]).find(|&p| !gone(p));
        let parent = |k: usize| above(k).map(|p| kept.iter().position(|&other| other == p).unwrap());
        Made {
            names: kept.iter().map(|&k| self.names[k].clone()).collect(),
            parents: kept.iter().map(|&k| parent(k)).collect(),
            places: kept.iter().map(|&k| self.places[k]).collect(),
            roles: kept.iter().map(|&k| self.roles[k]).collect(),
        }
    }

    /// The other way round: what was on the left is on the right.
    pub fn mirrored(&self) -> Made {
        let roles = self.roles.iter().map(|role| role.map(Role::opposite)).collect();
        Made { roles, ..self.mapped(|p| Vec3::new(-p.x, p.y, p.z)) }
    }
}

pub fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}
