//! Rigs in the naming of many programs: wherever they stand and in whatever order their joints are.

mod alone;
mod conventions;
mod made;

use super::*;
use conventions::{conventions, human_ik, lower, mixamo, smpl, unreal, vrm};
use made::{Made, Pose, random, turned};
use sinew_math::{Affine, Mat3, affine};

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
            let drops: Vec<bool> =
                (0..made.names.len()).map(|_| random(&mut seed).is_multiple_of(3)).collect();
            let digits: Vec<bool> = (0..10).map(|_| random(&mut seed).is_multiple_of(3)).collect();
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
        (Certainty::Disputed, &[roles.joint(Role::Hand(Side::Left)).unwrap()][..])
    );
    assert!(roles.warnings.iter().any(|warning| warning.contains("disagree")), "{:?}", roles.warnings);
    assert_eq!(roles.get(Role::Thigh(Side::Left)).unwrap().certainty, Certainty::Sure);
}

/// What a user chooses counts, and helps to find the rest.
#[test]
fn what_is_chosen_counts() {
    let made = mixamo(Pose::T).renamed(|k, _| format!("joint{k}"));
    let rest: Vec<Affine> = made.places.iter().map(|p| affine(&Mat3::identity(), p)).collect();
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
