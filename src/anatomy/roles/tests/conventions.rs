//! The joints of many programs' rigs, in their naming.

use super::super::*;
use super::made::{Made, Pose};

/// The bones of fingers: `{d}` is the digit's word, `{n}` the number of the bone.
pub fn fingers(words: [&str; 5], name: &str, hand: &str, bones: std::ops::RangeInclusive<u8>) -> String {
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

pub const ENGLISH: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Pinky"];

pub fn mixamo(pose: Pose) -> Made {
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
pub fn biped(pose: Pose, old: bool) -> Made {
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
pub fn human_ik(pose: Pose) -> Made {
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
pub fn rigify(pose: Pose, prefix: &str) -> Made {
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
pub fn vrm(pose: Pose) -> Made {
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
pub fn smpl(pose: Pose, words: fn(&str) -> String, sides: [&str; 2]) -> Made {
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
pub fn advanced(pose: Pose) -> Made {
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
pub fn unreal(pose: Pose, newer: bool) -> Made {
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
pub fn cmu(pose: Pose) -> Made {
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

pub fn lower(name: &str) -> String {
    name.to_lowercase()
}

pub fn conventions(pose: Pose) -> Vec<(&'static str, Made)> {
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
