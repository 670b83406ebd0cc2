//! Hands without a body, and two humans in one rig.

use super::conventions::{conventions, mixamo, unreal};
use super::made::{Made, Pose, place, turned};
use super::*;

/// Frames of captured hands: which hand it is, names of joints, and their places.
fn captured() -> Vec<(Side, Vec<String>, Vec<Affine>)> {
    let mut lines = include_str!("captured_hands.csv").lines().filter(|line| !line.starts_with('#'));
    let head: Vec<&str> = lines.next().unwrap().split(',').skip(2).collect();
    let names: Vec<String> =
        head.chunks(3).map(|xyz| xyz[0].strip_suffix("_x").unwrap().to_string()).collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let side = if cells[1] == "left" { Side::Left } else { Side::Right };
            let numbers: Vec<f64> = cells[2..].iter().map(|cell| cell.parse().unwrap()).collect();
            let rest = numbers.chunks(3).map(|p| affine(&Mat3::identity(), &Vec3::from_column_slice(p)));
            (side, names.clone(), rest.collect())
        })
        .collect()
}

/// The fingers that a rig of captured names has.
fn digit_of(name: &str) -> Option<Digit> {
    let words = [("thumb", 0), ("index", 1), ("middle", 2), ("ring", 3), ("pinky", 4), ("little", 4)];
    words.iter().find(|(word, _)| name.starts_with(word)).map(|(_, k)| Digit::ALL[*k])
}

#[test]
fn captured_hands_have_fingers_by_name() {
    let mut seen = 0;
    for (side, names, rest) in captured() {
        let roles = Roles::find(&Rig { names: &names, rest: &rest, ..Rig::default() });
        assert_eq!(roles.all().len(), 15, "{:?}", roles.warnings);
        for found in roles.all() {
            let Role::Finger(own, digit, bone) = found.role else { panic!("{found:?}") };
            let name = &names[found.joint];
            assert_eq!(digit_of(name), Some(digit), "{name}");
            let joint = ["mcp", "pip", "dip"][usize::from(bone) - 1];
            assert!(name.ends_with(joint), "{name} is bone {bone}");
            // No name says which hand it is: bent fingers do.
            assert!(own == side || found.certainty == Certainty::Doubtful, "{:?}", roles.warnings);
            assert!(found.certainty >= Certainty::Likely && found.why.contains("no hierarchy"), "{found:?}");
            seen += usize::from(found.certainty == Certainty::Likely);
        }
        assert!(roles.warnings[0].starts_with("no human") && roles.warnings[0].contains("fingers of a hand"));
        assert!(roles.warnings.iter().any(|warning| warning.contains("which hand it is")));
    }
    assert!(seen >= 30, "two of three hands are bent enough");
}

/// Points without names and hierarchy: fingers are right or there are none, and they are never said to be sure.
#[test]
fn mere_points_are_doubtful() {
    let mut some = 0;
    for (_, names, rest) in captured() {
        let plain: Vec<String> = (0..names.len()).map(|k| format!("p{k}")).collect();
        let roles = Roles::find(&Rig { names: &plain, rest: &rest, ..Rig::default() });
        for found in roles.all() {
            assert!(
                found.certainty >= Certainty::Doubtful && found.why.contains("neither names"),
                "{found:?}"
            );
            some += 1;
        }
    }
    assert!(some > 0, "an open hand is one without names");
}

/// The hand of a made rig alone, its fingers bent a little; named by `name`.
fn hand(side: Side, name: impl Fn(Role) -> String) -> Made {
    let (mut made, wrist) = (Made::default(), Role::Hand(Side::Left));
    let mirrored = |p: Vec3| if side == Side::Left { p } else { Vec3::new(-p.x, p.y, p.z) };
    made.add(&name(Role::Hand(side)), "", mirrored(place(wrist, 1)), Some(Role::Hand(side)));
    for digit in Digit::ALL {
        let mut parent = name(Role::Hand(side));
        for bone in 1..=3 {
            let role = Role::Finger(side, digit, bone);
            let begin = place(Role::Finger(Side::Left, digit, 1), 1);
            let at = place(Role::Finger(Side::Left, digit, bone), 1);
            // A palm that looks down bends its fingers down.
            let bent = if bone > 1 && digit != Digit::Thumb {
                turned(at, begin, -Vec3::z(), 12.0 * f64::from(bone))
            } else {
                at
            };
            made.add(&name(role), &parent, mirrored(bent), Some(role));
            parent = name(role);
        }
    }
    made
}

#[test]
fn a_hand_alone_is_known_by_name_and_by_place() {
    for side in [Side::Left, Side::Right] {
        let spoken = hand(side, |role| role.to_string().replace('.', "_"));
        let (roles, _) = spoken.found_with(true);
        assert_eq!(roles.all().len(), 16);
        assert!(roles.all().iter().all(|found| spoken.roles[found.joint] == Some(found.role)));
        assert!(roles.all().iter().all(|found| found.certainty == Certainty::Sure), "{:?}", roles.all());
        for hierarchy in [true, false] {
            let plain = spoken.renamed(|k, _| format!("joint{}", k + 1)).shuffled(5);
            let (roles, _) = plain.found_with(hierarchy);
            for found in roles.all() {
                assert_eq!(plain.roles[found.joint], Some(found.role), "{hierarchy}: {found:?}");
                let least = if hierarchy { Certainty::Likely } else { Certainty::Doubtful };
                assert!(found.certainty >= least, "{found:?}");
            }
            assert!(!hierarchy || roles.all().len() == 16, "{:?} {:?}", roles.all(), roles.warnings);
        }
    }
    // Straight fingers do not say which hand it is.
    let mut straight = hand(Side::Left, |role| format!("b_{role}").replace(".L", ""));
    for (joint, role) in straight.roles.iter().enumerate() {
        if let Some(Role::Finger(_, digit, bone)) = *role {
            let at = place(Role::Finger(Side::Left, digit, 1), 1);
            straight.places[joint] = at + Vec3::x() * 0.02 * f64::from(bone);
        }
    }
    let (roles, _) = straight.found_with(true);
    assert!(roles.all().len() > 14 && roles.all().iter().all(|found| found.certainty == Certainty::Doubtful));
    assert!(roles.warnings.iter().any(|warning| warning.contains("it may be the other one")));
}

/// Two hands with sides in their names are both found; without, in a hierarchy or a list, none is, and both are named.
#[test]
fn two_hands_are_told_apart_by_the_sides_of_names() {
    let left = hand(Side::Left, |role| role.to_string().replace('.', "_"));
    let right = hand(Side::Right, |role| role.to_string().replace('.', "_"));
    let both = pair(&left, &right, Vec3::x(), false);
    for hierarchy in [true, false] {
        let (roles, wrong) = both.found_with(hierarchy);
        assert!(roles.all().len() == 32 && wrong.is_empty(), "{wrong:?} {:?}", roles.warnings);
        let plain = both.renamed(|_, name| name.replace("_L", "").replace("_R", ""));
        let (roles, _) = plain.found_with(hierarchy);
        assert_eq!(roles.all(), [], "{:?}", roles.warnings);
        let twice = roles.warnings.iter().find(|warning| warning.starts_with("two hands")).unwrap();
        assert!(twice.contains("a:thumb") && twice.contains("b:thumb"), "{twice}");
    }
}

/// Two rigs in one, each with a namespace, at that distance; below a common root or not.
fn pair(a: &Made, b: &Made, apart: Vec3, rooted: bool) -> Made {
    let mut both = Made::default();
    if rooted {
        both.add("scene", "", Vec3::zeros(), None);
    }
    for (space, made, by) in [("a", a, Vec3::zeros()), ("b", b, apart)] {
        for (joint, name) in made.names.iter().enumerate() {
            let parent = made.parents[joint].map(|parent| format!("{space}:{}", made.names[parent]));
            let parent = parent.unwrap_or_else(|| if rooted { "scene".into() } else { String::new() });
            both.add(&format!("{space}:{name}"), &parent, made.places[joint] + by, made.roles[joint]);
        }
    }
    both
}

#[test]
fn of_two_humans_none_is_chosen_silently() {
    let (a, b) = (mixamo(Pose::A), unreal(Pose::A, false));
    for (apart, rooted) in [(2.0, true), (2.0, false), (0.0, true), (0.0, false)] {
        for anonymous in [false, true] {
            if anonymous && apart == 0.0 {
                continue;
            }
            let both = pair(&a, &b, Vec3::x() * apart, rooted);
            let both = if anonymous { both.renamed(|k, _| format!("j{k}")) } else { both };
            let rest = both.rest();
            let rig = Rig { names: &both.names, rest: &rest, parents: &both.parents, chosen: &[] };
            let roles = Roles::find(&rig);
            let what =
                format!("{apart} m apart, rooted: {rooted}, anonymous: {anonymous}: {:?}", roles.warnings);
            assert_eq!(roles.all(), [], "{what}");
            let pelves: Vec<usize> =
                (0..both.names.len()).filter(|&joint| both.roles[joint] == Some(Role::Pelvis)).collect();
            for &pelvis in &pelves {
                assert!(
                    roles
                        .warnings
                        .iter()
                        .any(|warning| warning.contains(&format!("{:?}", both.names[pelvis]))),
                    "{what}"
                );
                let chosen = [(Role::Pelvis, pelvis)];
                let roles = Roles::find(&Rig { chosen: &chosen, ..rig });
                assert!(roles.all().len() > 15, "{what}: {:?}", roles.warnings);
                let first = pelvis == pelves[0];
                for found in roles.all() {
                    assert_eq!(both.roles[found.joint], Some(found.role), "{what}: {found:?}");
                    let own = (found.joint < pelves[1]) == first || both.names[found.joint] == "scene";
                    assert!(own, "{what}: {found:?} is the other one's");
                }
            }
        }
    }
}

/// Joints for controls at the places of others make no second human.
#[test]
fn one_human_is_never_two() {
    for (what, made) in conventions(Pose::A) {
        let (roles, _) = made.found_with(true);
        assert!(!roles.warnings.iter().any(|warning| warning.contains("two humans")), "{what}");
    }
}
