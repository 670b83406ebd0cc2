//! Rigs in the naming of many programs, in realistic proportions: wherever they stand and in whatever order their
//! joints are.

use super::*;
use sinew_math::Affine;

/// A rig as it is made for a test.
#[derive(Clone, Debug, Default)]
struct Made {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    places: Vec<Vec3>,
    /// The role that each joint has, if any.
    roles: Vec<Option<Role>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pose {
    /// Arms to the sides.
    T,
    /// Arms half lowered.
    A,
    /// Arms half lowered, elbows and knees bent.
    Bent,
}

/// Where the joint of a role is in a T-pose, on the left; feet on the ground, facing z, in metres.
fn place(role: Role, spines: u8) -> Vec3 {
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

fn turned(p: Vec3, about: Vec3, axis: Vec3, degrees: f64) -> Vec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let v = p - about;
    about + v * cos + axis.cross(&v) * sin + axis * axis.dot(&v) * (1.0 - cos)
}

impl Pose {
    /// Where a joint of the left side goes from a T-pose: what moves it is the bones above it.
    fn place(self, role: Role, p: Vec3) -> Vec3 {
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
    fn add(&mut self, name: &str, parent: &str, place: Vec3, role: Option<Role>) {
        assert!(!self.names.iter().any(|other| other == name), "{name} is there twice");
        let parent = self.names.iter().position(|other| other == parent);
        self.names.push(name.to_string());
        self.parents.push(parent);
        self.places.push(place);
        self.roles.push(role);
    }

    fn place_of(&self, name: &str) -> Vec3 {
        self.places[self.names.iter().position(|other| other == name).unwrap_or_else(|| panic!("no {name}"))]
    }

    /// From lines `name parent role`, the left side only: `%` stands for the side. A role may be `-`, with a place
    /// given by a joint and another, and how far it is from one to the other: `upper_arm.L>forearm.L*0.5`.
    fn new(lines: &str, sides: [&str; 2], spines: u8, pose: Pose) -> Made {
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

    fn found_with(&self, parents: bool) -> (Roles, Vec<String>) {
        let rest: Vec<Affine> =
            self.places.iter().map(|p| sinew_math::affine(&sinew_math::Mat3::identity(), p)).collect();
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

    fn check(&self, what: &str) {
        let (roles, wrong) = self.found_with(true);
        assert_eq!(wrong, [] as [String; 0], "{what}: {:?}", roles.warnings);
    }

    fn mapped(&self, map: impl Fn(&Vec3) -> Vec3) -> Made {
        Made { places: self.places.iter().map(map).collect(), ..self.clone() }
    }

    fn renamed(&self, name: impl Fn(usize, &str) -> String) -> Made {
        let names = self.names.iter().enumerate().map(|(k, old)| name(k, old)).collect();
        Made { names, ..self.clone() }
    }

    /// The joints in another order.
    fn shuffled(&self, seed: u64) -> Made {
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
    fn without(&self, gone: impl Fn(usize) -> bool) -> Made {
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
    fn mirrored(&self) -> Made {
        let roles = self.roles.iter().map(|role| role.map(Role::opposite)).collect();
        Made { roles, ..self.mapped(|p| Vec3::new(-p.x, p.y, p.z)) }
    }
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// The bones of fingers: `{d}` is the digit's word, `{n}` the number of the bone.
fn fingers(words: [&str; 5], name: &str, hand: &str, bones: std::ops::RangeInclusive<u8>) -> String {
    let mut lines = String::new();
    for (digit, word) in Digit::ALL.into_iter().zip(words) {
        let mut parent = hand.to_string();
        for n in bones.clone() {
            // The thumb has no bone of the palm.
            if n == 0 && digit == Digit::Thumb {
                continue;
            }
            let own =
                name.replace("{d}", word).replace("{0n}", &format!("{n:02}")).replace("{n}", &n.to_string());
            let role = if n < 4 {
                Role::Finger(Side::Left, digit, n).to_string()
            } else {
                format!("-{}", Role::Finger(Side::Left, digit, 4))
            };
            lines += &format!("{own}|{parent}|{role}\n");
            parent = own;
        }
    }
    lines
}

const ENGLISH: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Pinky"];

fn mixamo(pose: Pose) -> Made {
    let body = "mixamorigHips||pelvis
        mixamorigSpine|mixamorigHips|spine1
        mixamorigSpine1|mixamorigSpine|spine2
        mixamorigSpine2|mixamorigSpine1|spine3
        mixamorigNeck|mixamorigSpine2|neck1
        mixamorigHead|mixamorigNeck|head
        mixamorigHeadTop_End|mixamorigHead|-head+0 0.2 0.01
        mixamorig%Shoulder|mixamorigSpine2|clavicle.L
        mixamorig%Arm|mixamorig%Shoulder|upper_arm.L
        mixamorig%ForeArm|mixamorig%Arm|forearm.L
        mixamorig%Hand|mixamorig%ForeArm|hand.L
        mixamorig%UpLeg|mixamorigHips|thigh.L
        mixamorig%Leg|mixamorig%UpLeg|shin.L
        mixamorig%Foot|mixamorig%Leg|foot.L
        mixamorig%ToeBase|mixamorig%Foot|toes.L
        mixamorig%Toe_End|mixamorig%ToeBase|-toes.L+0 -0.01 0.07\n";
    let hand = fingers(ENGLISH, "mixamorig%Hand{d}{n}", "mixamorig%Hand", 1..=4);
    Made::new(&(body.to_string() + &hand), ["Left", "Right"], 3, pose)
}

/// The default of 3ds Max: a centre of mass above the pelvis, collarbones on the neck, and in older files thighs on the
/// spine.
fn biped(pose: Pose, old: bool) -> Made {
    let thigh = if old { "Bip001 Spine" } else { "Bip001 Pelvis" };
    let body = format!(
        "Bip001||-pelvis
        Bip001 Pelvis|Bip001|pelvis
        Bip001 Spine|Bip001 Pelvis|spine1
        Bip001 Spine1|Bip001 Spine|spine2
        Bip001 Spine2|Bip001 Spine1|spine3
        Bip001 Neck|Bip001 Spine2|neck1
        Bip001 Head|Bip001 Neck|head
        Bip001 HeadNub|Bip001 Head|-head+0 0.2 0.01
        Bip001 % Clavicle|Bip001 Neck|clavicle.L
        Bip001 % UpperArm|Bip001 % Clavicle|upper_arm.L
        Bip001 % Forearm|Bip001 % UpperArm|forearm.L
        Bip001 % Hand|Bip001 % Forearm|hand.L
        Bip001 % Thigh|{thigh}|thigh.L
        Bip001 % Calf|Bip001 % Thigh|shin.L
        Bip001 % Foot|Bip001 % Calf|foot.L
        Bip001 % Toe0|Bip001 % Foot|toes.L
        Bip001 % Toe0Nub|Bip001 % Toe0|-toes.L+0 -0.01 0.07\n"
    );
    let mut hand = String::new();
    for (k, digit) in Digit::ALL.into_iter().enumerate() {
        let names = [
            format!("Bip001 % Finger{k}"),
            format!("Bip001 % Finger{k}1"),
            format!("Bip001 % Finger{k}2"),
            format!("Bip001 % Finger{k}Nub"),
        ];
        let mut parent = "Bip001 % Hand".to_string();
        for (name, n) in names.into_iter().zip(1..) {
            let role = Role::Finger(Side::Left, digit, n);
            hand += &format!("{name}|{parent}|{}{role}\n", if n > 3 { "-" } else { "" });
            parent = name;
        }
    }
    Made::new(&(body + &hand), ["L", "R"], 3, pose)
}

/// Maya's HumanIK, below a reference on the ground, with roll bones.
fn human_ik(pose: Pose) -> Made {
    let body = "Character1_Reference||-ground
        Character1_Hips|Character1_Reference|pelvis
        Character1_Spine|Character1_Hips|spine1
        Character1_Spine1|Character1_Spine|spine2
        Character1_Spine2|Character1_Spine1|spine3
        Character1_Spine3|Character1_Spine2|spine4
        Character1_Neck|Character1_Spine3|neck1
        Character1_Head|Character1_Neck|head
        Character1_%Shoulder|Character1_Spine3|clavicle.L
        Character1_%Arm|Character1_%Shoulder|upper_arm.L
        Character1_%ArmRoll|Character1_%Arm|-upper_arm.L>forearm.L*0.5
        Character1_%ForeArm|Character1_%Arm|forearm.L
        Character1_%ForeArmRoll|Character1_%ForeArm|-forearm.L>hand.L*0.5
        Character1_%Hand|Character1_%ForeArm|hand.L
        Character1_%UpLeg|Character1_Hips|thigh.L
        Character1_%UpLegRoll|Character1_%UpLeg|-thigh.L>shin.L*0.5
        Character1_%Leg|Character1_%UpLeg|shin.L
        Character1_%Foot|Character1_%Leg|foot.L
        Character1_%ToeBase|Character1_%Foot|toes.L\n";
    let hand = fingers(ENGLISH, "Character1_%Hand{d}{n}", "Character1_%Hand", 1..=3);
    Made::new(&(body.to_string() + &hand), ["Left", "Right"], 4, pose)
}

/// Rigify's own and its deforming bones, of which each limb has two.
fn rigify(pose: Pose, prefix: &str) -> Made {
    let body = "P-spine||pelvis
        P-spine.001|P-spine|spine1
        P-spine.002|P-spine.001|spine2
        P-spine.003|P-spine.002|spine3
        P-spine.004|P-spine.003|neck1
        P-spine.005|P-spine.004|neck2
        P-spine.006|P-spine.005|head
        P-pelvis.%|P-spine|-pelvis
        P-breast.%|P-spine.003|-spine3+0.1 0.02 0.08
        P-shoulder.%|P-spine.003|clavicle.L
        P-upper_arm.%|P-shoulder.%|upper_arm.L
        P-upper_arm.%.001|P-upper_arm.%|-upper_arm.L>forearm.L*0.5
        P-forearm.%|P-upper_arm.%.001|forearm.L
        P-forearm.%.001|P-forearm.%|-forearm.L>hand.L*0.5
        P-hand.%|P-forearm.%.001|hand.L
        P-thigh.%|P-spine|thigh.L
        P-thigh.%.001|P-thigh.%|-thigh.L>shin.L*0.5
        P-shin.%|P-thigh.%.001|shin.L
        P-shin.%.001|P-shin.%|-shin.L>foot.L*0.5
        P-foot.%|P-shin.%.001|foot.L
        P-heel.02.%|P-foot.%|-foot.L+-0.03 -0.08 -0.04
        P-toe.%|P-foot.%|toes.L\n";
    // The palm's first bone carries the thumb, too.
    let mut hand = String::new();
    for (k, digit) in ["f_index", "f_middle", "f_ring", "f_pinky"].into_iter().enumerate() {
        let role = Digit::ALL[k + 1];
        hand += &format!("P-palm.0{}.%|P-hand.%|{}\n", k + 1, Role::Finger(Side::Left, role, 0));
        let mut parent = format!("P-palm.0{}.%", k + 1);
        for n in 1..4 {
            let own = format!("P-{digit}.0{n}.%");
            hand += &format!("{own}|{parent}|{}\n", Role::Finger(Side::Left, role, n));
            parent = own;
        }
    }
    let mut parent = "P-palm.01.%".to_string();
    for n in 1..4 {
        let own = format!("P-thumb.0{n}.%");
        hand += &format!("{own}|{parent}|thumb{n}.L\n");
        parent = own;
    }
    let lines = (body.to_string() + &hand).replace("P-", prefix);
    Made::new(&lines, ["L", "R"], 3, pose)
}

/// VRM as VRoid writes it, with hair and springs.
fn vrm(pose: Pose) -> Made {
    let body = "Root||-ground
        J_Bip_C_Hips|Root|pelvis
        J_Bip_C_Spine|J_Bip_C_Hips|spine1
        J_Bip_C_Chest|J_Bip_C_Spine|spine2
        J_Bip_C_UpperChest|J_Bip_C_Chest|spine3
        J_Bip_C_Neck|J_Bip_C_UpperChest|neck1
        J_Bip_C_Head|J_Bip_C_Neck|head
        J_Adj_%_FaceEye|J_Bip_C_Head|-head+0.03 0.06 0.05
        J_Sec_Hair1_01|J_Bip_C_Head|-head+0 0.15 -0.08
        J_Sec_Hair2_01|J_Sec_Hair1_01|-head+0 0 -0.12
        J_Sec_Hair3_01|J_Sec_Hair2_01|-head+0 -0.2 -0.15
        J_Sec_Hair4_01|J_Sec_Hair3_01|-head+0 -0.4 -0.17
        J_Sec_%_Bust1|J_Bip_C_UpperChest|-spine3+0.06 0 0.08
        J_Sec_%_Bust2|J_Sec_%_Bust1|-spine3+0.07 -0.01 0.13
        J_Bip_%_Shoulder|J_Bip_C_UpperChest|clavicle.L
        J_Bip_%_UpperArm|J_Bip_%_Shoulder|upper_arm.L
        J_Bip_%_LowerArm|J_Bip_%_UpperArm|forearm.L
        J_Bip_%_Hand|J_Bip_%_LowerArm|hand.L
        J_Bip_%_UpperLeg|J_Bip_C_Hips|thigh.L
        J_Bip_%_LowerLeg|J_Bip_%_UpperLeg|shin.L
        J_Bip_%_Foot|J_Bip_%_LowerLeg|foot.L
        J_Bip_%_ToeBase|J_Bip_%_Foot|toes.L\n";
    let hand =
        fingers(["Thumb", "Index", "Middle", "Ring", "Little"], "J_Bip_%_{d}{n}", "J_Bip_%_Hand", 1..=3);
    Made::new(&(body.to_string() + &hand), ["L", "R"], 3, pose)
}

/// SMPL, in its two spellings: a hip is where the thigh begins, a shoulder the upper arm, a foot the toes.
fn smpl(pose: Pose, words: fn(&str) -> String, sides: [&str; 2]) -> Made {
    let lines = "Pelvis||pelvis
        %_Hip|Pelvis|thigh.L
        Spine1|Pelvis|spine1
        %_Knee|%_Hip|shin.L
        Spine2|Spine1|spine2
        %_Ankle|%_Knee|foot.L
        Spine3|Spine2|spine3
        %_Foot|%_Ankle|toes.L
        Neck|Spine3|neck1
        %_Collar|Spine3|clavicle.L
        Head|Neck|head
        %_Shoulder|%_Collar|upper_arm.L
        %_Elbow|%_Shoulder|forearm.L
        %_Wrist|%_Elbow|hand.L
        %_Hand|%_Wrist|-middle1.L\n";
    Made::new(lines, sides, 3, pose).renamed(|_, name| words(name))
}

/// AdvancedSkeleton: parts along limbs, and a joint in the palm that carries two fingers.
fn advanced(pose: Pose) -> Made {
    let body = "Root_M||pelvis
        Spine1_M|Root_M|spine1
        Chest_M|Spine1_M|spine2
        Neck_M|Chest_M|neck1
        Head_M|Neck_M|head
        HeadEnd_M|Head_M|-head+0 0.2 0
        Scapula_%|Chest_M|clavicle.L
        Shoulder_%|Scapula_%|upper_arm.L
        ShoulderPart1_%|Shoulder_%|-upper_arm.L>forearm.L*0.33
        ShoulderPart2_%|ShoulderPart1_%|-upper_arm.L>forearm.L*0.67
        Elbow_%|ShoulderPart2_%|forearm.L
        ElbowPart1_%|Elbow_%|-forearm.L>hand.L*0.5
        Wrist_%|ElbowPart1_%|hand.L
        Cup_%|Wrist_%|-ring0.L
        Hip_%|Root_M|thigh.L
        HipPart1_%|Hip_%|-thigh.L>shin.L*0.5
        Knee_%|HipPart1_%|shin.L
        Ankle_%|Knee_%|foot.L
        Heel_End_%|Ankle_%|-foot.L+0 -0.08 -0.05
        Toes_%|Ankle_%|toes.L
        ToesEnd_%|Toes_%|-toes.L+0 -0.01 0.07\n";
    let hand = fingers(ENGLISH, "{d}Finger{n}_%", "Wrist_%", 1..=4)
        .replace("RingFinger1_%|Wrist_%", "RingFinger1_%|Cup_%")
        .replace("PinkyFinger1_%|Wrist_%", "PinkyFinger1_%|Cup_%");
    Made::new(&(body.to_string() + &hand), ["L", "R"], 2, pose)
}

/// Unreal's mannequins: the older with three joints of the spine, the newer with five and bones of the palm.
fn unreal(pose: Pose, newer: bool) -> Made {
    let spines = if newer { 5 } else { 3 };
    let mut body = "root||-ground\npelvis|root|pelvis\n".to_string();
    for k in 1..=spines {
        let parent = if k == 1 { "pelvis".to_string() } else { format!("spine_0{}", k - 1) };
        body += &format!("spine_0{k}|{parent}|spine{k}\n");
    }
    body += &"neck_01|CHEST|neck1
        head|neck_01|head
        clavicle_%|CHEST|clavicle.L
        upperarm_%|clavicle_%|upper_arm.L
        upperarm_twist_01_%|upperarm_%|-upper_arm.L>forearm.L*0.4
        lowerarm_%|upperarm_%|forearm.L
        lowerarm_twist_01_%|lowerarm_%|-forearm.L>hand.L*0.6
        hand_%|lowerarm_%|hand.L
        thigh_%|pelvis|thigh.L
        thigh_twist_01_%|thigh_%|-thigh.L>shin.L*0.3
        calf_%|thigh_%|shin.L
        calf_twist_01_%|calf_%|-shin.L>foot.L*0.5
        foot_%|calf_%|foot.L
        ball_%|foot_%|toes.L
        ik_foot_root|root|-ground
        ik_foot_%|ik_foot_root|-foot.L
        ik_hand_root|root|-ground
        ik_hand_gun|ik_hand_root|-pelvis
        ik_hand_%|ik_hand_gun|-hand.L\n"
        .replace("CHEST", &format!("spine_0{spines}"));
    let words = ["thumb", "index", "middle", "ring", "pinky"];
    let first = if newer { 0 } else { 1 };
    body += &fingers(words, "{d}_{0n}_%", "hand_%", first..=3).replace("_00_%", "_metacarpal_%");
    Made::new(&body, ["l", "r"], spines, pose)
}

/// CMU's motion capture: joints at one place, and a thumb of one joint.
fn cmu(pose: Pose) -> Made {
    let lines = "Hips||pelvis
        %HipJoint|Hips|-pelvis
        %UpLeg|%HipJoint|thigh.L
        %Leg|%UpLeg|shin.L
        %Foot|%Leg|foot.L
        %ToeBase|%Foot|toes.L
        LowerBack|Hips|spine1
        Spine|LowerBack|spine2
        Spine1|Spine|spine3
        Neck|Spine1|neck1
        Neck1|Neck|neck2
        Head|Neck1|head
        %Shoulder|Spine1|clavicle.L
        %Arm|%Shoulder|upper_arm.L
        %ForeArm|%Arm|forearm.L
        %Hand|%ForeArm|hand.L\n";
    Made::new(lines, ["Left", "Right"], 3, pose)
}

fn lower(name: &str) -> String {
    name.to_lowercase()
}

fn conventions(pose: Pose) -> Vec<(&'static str, Made)> {
    vec![
        ("mixamorig", mixamo(pose)),
        ("Biped", biped(pose, false)),
        ("older Biped", biped(pose, true)),
        ("HumanIK", human_ik(pose)),
        ("Rigify's deforming bones", rigify(pose, "DEF-")),
        ("Rigify's copies", rigify(pose, "ORG-")),
        ("Rigify's metarig", rigify(pose, "")),
        ("VRM", vrm(pose)),
        ("SMPL", smpl(pose, str::to_string, ["L", "R"])),
        ("SMPL in words", smpl(pose, lower, ["left", "right"])),
        ("AdvancedSkeleton", advanced(pose)),
        ("Unreal 4", unreal(pose, false)),
        ("Unreal 5", unreal(pose, true)),
        ("CMU", cmu(pose)),
    ]
}

#[test]
fn every_naming_in_every_pose_is_understood() {
    for pose in [Pose::T, Pose::A, Pose::Bent] {
        for (what, made) in conventions(pose) {
            made.check(&format!("{what} in {pose:?}"));
        }
    }
}

/// Names that say nothing: places alone tell all roles but for those of the one-jointed, and which of two joints at one
/// place is meant.
#[test]
fn places_alone_will_do() {
    for pose in [Pose::T, Pose::A, Pose::Bent] {
        for (what, made) in conventions(pose) {
            // Whether a neck with the collarbones on it is one, and which joint of the foot is a heel, is said by
            // names.
            made.renamed(|k, _| format!("joint{}", k + 1))
                .check(&format!("{what} in {pose:?} without names"));
        }
    }
}

/// Where the rig stands, how it is turned and scaled, and in which order its joints are, does not matter, nor which way
/// is up.
#[test]
fn what_must_not_matter_does_not() {
    let axis = Vec3::new(0.4, -0.7, 0.59).normalize();
    for (what, made) in conventions(Pose::A) {
        for anonymous in [false, true] {
            let made = if anonymous { made.renamed(|k, _| format!("joint{}", k + 1)) } else { made.clone() };
            let what = format!("{what}, anonymous: {anonymous}");
            made.mapped(|p| turned(*p, Vec3::zeros(), axis, 131.0) * 100.0 + Vec3::new(1e4, -300.0, 77.0))
                .check(&what);
            made.mapped(|p| Vec3::new(p.x, -p.z, p.y) * 0.01).check(&what);
            made.shuffled(7).check(&what);
            made.shuffled(1234).mapped(|p| turned(*p, Vec3::zeros(), axis, -77.0)).check(&what);
        }
        // Without names, what is mirrored has its sides swapped; with them, names count, and that is said.
        made.renamed(|k, _| format!("joint{}", k + 1)).mirrored().check(&format!("{what}, mirrored"));
        let kept = made.mapped(|p| Vec3::new(-p.x, p.y, p.z));
        kept.check(&format!("{what}, with its names on the other side"));
        let (roles, _) = kept.found_with(true);
        assert!(
            roles.warnings.iter().any(|warning| warning.contains("left and right")),
            "{what}: {:?}",
            roles.warnings
        );
    }
}

/// Missing fingers, toes and helpers do not move other roles.
#[test]
fn dropped_joints_do_not_move_others() {
    let mut seed = 42;
    for (what, made) in conventions(Pose::A) {
        for _ in 0..12 {
            let drops: Vec<bool> = (0..made.names.len()).map(|_| random(&mut seed) % 3 == 0).collect();
            let digits: Vec<bool> = (0..10).map(|_| random(&mut seed) % 3 == 0).collect();
            let gone = |k: usize| match made.roles[k] {
                Some(Role::Finger(side, digit, _)) => digits[digit as usize + 5 * side as usize],
                Some(Role::Toes(_)) => drops[0],
                Some(_) => false,
                // Tips and helpers, but not what stands between bones.
                None => drops[k] && !made.parents.contains(&Some(k)),
            };
            let lost = |k: usize| {
                std::iter::successors(Some(k), |&k| made.parents[k])
                    .any(|k| gone(k) && made.roles[k].is_some())
            };
            let less = made.without(|k| gone(k) || lost(k));
            let (roles, wrong) = less.found_with(true);
            let others = wrong.iter().filter(|what| {
                // Which finger is missing is known from names alone.
                !["thumb", "index", "middle", "ring", "little"].iter().any(|digit| what.starts_with(digit))
            });
            // A tip may stand where the toes were.
            let others: Vec<_> = others.filter(|what| !(drops[0] && what.starts_with("toes"))).collect();
            assert!(others.is_empty(), "{what}: {others:?} {:?}", roles.warnings);
            // Biped's fingers have numbers; with one finger left, what carries two is like the palm's bone of that.
            if !what.starts_with("Biped") && !what.starts_with("older") {
                let fingers: Vec<_> =
                    wrong.iter().filter(|what| !what.starts_with("toes") && !what.contains("Cup")).collect();
                assert!(fingers.is_empty(), "{what}: {fingers:?}");
            }
        }
    }
}

/// A table has no hierarchy: it is found from places.
#[test]
fn a_hierarchy_is_found_where_there_is_none() {
    for pose in [Pose::T, Pose::A] {
        for (what, made) in [
            ("mixamorig", mixamo(pose)),
            ("HumanIK", human_ik(pose)),
            ("Unreal 4", unreal(pose, false)),
            ("VRM", vrm(pose)),
        ] {
            let (roles, wrong) = made.found_with(false);
            assert_eq!(wrong, [] as [String; 0], "{what} in {pose:?}: {:?}", roles.warnings);
        }
    }
}

/// Where all joints are at one place, names say what they are, and that is reported.
#[test]
fn names_will_do_where_places_say_nothing() {
    for (what, made) in conventions(Pose::A) {
        let (roles, _) = made.mapped(|_| Vec3::new(1.0, 2.0, 3.0)).found_with(true);
        assert!(
            roles.warnings.iter().any(|warning| warning.contains("names alone")),
            "{what}: {:?}",
            roles.warnings
        );
        for side in [Side::Left, Side::Right] {
            for role in [
                Role::Thigh(side),
                Role::Shin(side),
                Role::Foot(side),
                Role::UpperArm(side),
                Role::Forearm(side),
                Role::Hand(side),
            ] {
                let joint = made.roles.iter().position(|own| *own == Some(role));
                assert_eq!(roles.joint(role), joint, "{what}: {role}");
                assert_eq!(roles.get(role).unwrap().certainty, Certainty::Likely);
            }
        }
    }
}

/// Names that call the bones of arms those of legs: places count, and each contradiction is reported with its rival.
#[test]
fn contradictions_are_reported() {
    let made = mixamo(Pose::T);
    let swapped = made.renamed(|_, name| match name {
        "mixamorigLeftForeArm" => "mixamorigLeftHand".into(),
        "mixamorigLeftHand" => "mixamorigLeftForeArm".into(),
        name => name.to_string(),
    });
    let (roles, wrong) = swapped.found_with(true);
    assert_eq!(wrong, [] as [String; 0]);
    let forearm = roles.get(Role::Forearm(Side::Left)).unwrap();
    assert_eq!(
        (forearm.certainty, &forearm.rivals[..]),
        (Certainty::Doubtful, &[roles.joint(Role::Hand(Side::Left)).unwrap()][..])
    );
    assert!(roles.warnings.iter().any(|warning| warning.contains("disagree")), "{:?}", roles.warnings);
    assert_eq!(roles.get(Role::Thigh(Side::Left)).unwrap().certainty, Certainty::Sure);
}

/// What a user chooses counts, and helps to find the rest.
#[test]
fn what_is_chosen_counts() {
    let made = mixamo(Pose::T).renamed(|k, _| format!("joint{k}"));
    let rest: Vec<Affine> =
        made.places.iter().map(|p| sinew_math::affine(&sinew_math::Mat3::identity(), p)).collect();
    let toe = made.roles.iter().position(|role| *role == Some(Role::Toes(Side::Left))).unwrap();
    let chosen = [(Role::Foot(Side::Left), toe)];
    let roles =
        Roles::find(&Rig { names: &made.names, rest: &rest, parents: &made.parents, chosen: &chosen });
    let foot = roles.get(Role::Foot(Side::Left)).unwrap();
    assert_eq!((foot.joint, foot.certainty), (toe, Certainty::Chosen));
    assert_eq!(roles.joint(Role::Toes(Side::Left)), None);
    assert_eq!(
        roles.joint(Role::Foot(Side::Right)),
        made.roles.iter().position(|r| *r == Some(Role::Foot(Side::Right)))
    );
}

/// A fox in the proportions of one, with the names of a human's bones: it is none, and that is said.
#[test]
fn animals_are_no_humans() {
    let at = Vec3::new;
    let mut fox = Made::default();
    fox.add("b_Root_00", "", at(0.0, 0.0, 0.0), None);
    fox.add("b_Hip_01", "b_Root_00", at(0.0, 0.42, -0.25), None);
    fox.add("b_Spine01_02", "b_Hip_01", at(0.0, 0.44, -0.05), None);
    fox.add("b_Spine02_03", "b_Spine01_02", at(0.0, 0.43, 0.15), None);
    fox.add("b_Neck_04", "b_Spine02_03", at(0.0, 0.5, 0.28), None);
    fox.add("b_Head_05", "b_Neck_04", at(0.0, 0.58, 0.38), None);
    for (side, x) in [("Right", -0.07), ("Left", 0.07)] {
        let name = |text: &str| format!("b_{side}{text}");
        fox.add(&name("UpperArm"), "b_Spine02_03", at(x, 0.38, 0.16), None);
        fox.add(&name("ForeArm"), &name("UpperArm"), at(x, 0.23, 0.11), None);
        fox.add(&name("Hand"), &name("ForeArm"), at(x, 0.06, 0.14), None);
        fox.add(&name("Leg01"), "b_Hip_01", at(x, 0.38, -0.24), None);
        fox.add(&name("Leg02"), &name("Leg01"), at(x, 0.24, -0.2), None);
        fox.add(&name("Foot01"), &name("Leg02"), at(x, 0.14, -0.29), None);
        fox.add(&name("Foot02"), &name("Foot01"), at(x, 0.03, -0.24), None);
    }
    for k in 1..4 {
        let parent = if k == 1 { "b_Hip_01".to_string() } else { format!("b_Tail0{}", k - 1) };
        fox.add(&format!("b_Tail0{k}"), &parent, at(0.0, 0.42, -0.25 - 0.12 * f64::from(k)), None);
    }
    for made in [fox.clone(), fox.renamed(|k, _| format!("joint{k}")), fox.shuffled(3)] {
        let (roles, _) = made.found_with(true);
        assert_eq!(roles.all(), []);
        assert!(roles.warnings[0].contains("no human"), "{:?}", roles.warnings);
    }
    let chain: Vec<usize> = (0..30).collect();
    let mut rope = Made::default();
    chain.iter().for_each(|k| {
        rope.add(
            &format!("rope{k}"),
            &format!("rope{}", k.wrapping_sub(1)),
            at(0.0, f64::from(*k as u32), 0.0),
            None,
        )
    });
    assert_eq!(rope.found_with(true).0.all(), []);
    assert_eq!(Made::default().found_with(true).0.all(), []);
}

/// The names of plans, and what stands in for joints that a rig lacks.
#[test]
fn plans_find_their_joints() {
    let named =
        |made: &Made, name: &str| made.found_with(true).0.named(name).map(|joint| made.names[joint].clone());
    let newer = unreal(Pose::A, true);
    for (name, joint) in [
        ("waist", "spine_01"),
        ("back", "spine_03"),
        ("chest", "spine_05"),
        ("neck", "neck_01"),
        ("scapula.L", "clavicle_l"),
        ("knuckles.R", "middle_01_r"),
        ("forearm.R", "lowerarm_r"),
    ] {
        assert_eq!(named(&newer, name).as_deref(), Some(joint), "{name}");
    }
    assert_eq!(named(&newer, "tail"), None);
    let smpl = smpl(Pose::A, lower, ["left", "right"]);
    assert_eq!(named(&smpl, "knuckles.L"), None);
    let names = ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftUpLeg", "LeftLeg", "Hips"];
    let roles = Roles::of_names(&names);
    let role = |name: &str| roles.iter().find(|(_, k)| names[*k] == name).map(|(role, _)| role.to_string());
    let all: Vec<Option<String>> = names.iter().map(|name| role(name)).collect();
    let expected = ["clavicle.L", "upper_arm.L", "forearm.L", "thigh.L", "shin.L", "pelvis"]
        .map(|s| Some(s.to_string()));
    assert_eq!(all, expected);
}
