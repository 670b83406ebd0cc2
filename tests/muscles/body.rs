//! A body's muscles: the plan of a human on real rigs, which must not care how these are placed, scaled or named;
//! motions over the joints' ranges; and the commands.

use crate::human;
use crate::human::Human;
use sinew::anatomy::muscles::{
    Conditions, Fitted, HUMAN, Mirrored, Naming, NewMuscle, Physique, Problem, Range, Rig, copy, create, fit,
    mirror, mirror_on, outside,
};
use sinew::control::Control;
use sinew::formats::xml;
use sinew::geometry::{Mesh, Rays, TriMesh, shapes};
use sinew::math::{Affine, Mat3, Real, Rotation, Vec3, affine, linear, transform_point, translation};
use sinew::muscle::{Frames, Model};
use sinew::scene::muscles::plan::MusclePlan;
use sinew::scene::muscles::{MuscleElement, MuscleSet};
use sinew::scene::sides::other_side;
use std::collections::HashMap;
use std::path::Path;

fn human() -> Human {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(human::FOLDER);
    Human::load(&folder).unwrap().unwrap_or_else(|| panic!("she is missing: run sh tests/human.sh"))
}

/// A rig with its skin.
#[derive(Clone)]
struct Body {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    rest: Vec<Affine>,
    skin: Mesh,
}

impl Body {
    fn human(rig: &str) -> Body {
        let human = human();
        let (names, rest) = match rig {
            "default" => (human.joint_names(), human.rest_joints()),
            other => human.other_rig(other).unwrap(),
        };
        Body { names, parents: human.parents(rig).unwrap(), rest, skin: human.mesh().clone() }
    }

    fn rig(&self) -> Rig<'_> {
        Rig { names: &self.names, rest: &self.rest, parents: &self.parents, chosen: &[] }
    }

    fn fit(&self) -> Fitted {
        fit(&plan(), &self.rig(), &self.skin, 1.0, &Control::default()).unwrap()
    }

    /// Every point through a map; joints keep their directions.
    fn mapped(&self, map: impl Fn(&Vec3) -> Vec3) -> Body {
        let mut mapped = self.clone();
        mapped.skin.positions.iter_mut().for_each(|p| *p = map(p));
        mapped.rest.iter_mut().for_each(|m| *m = affine(&linear(m), &map(&translation(m))));
        mapped
    }

    /// Mirrored, with left and right swapped.
    fn mirrored(&self) -> Body {
        let mut mirrored = self.mapped(|p| Vec3::new(-p.x, p.y, p.z));
        mirrored.names.iter_mut().for_each(|name| *name = other_side(name));
        mirrored.inside_out()
    }

    /// Its faces the other way round, from the same corner, so that quads have the same diagonals.
    fn inside_out(mut self) -> Body {
        for face in 0..self.skin.face_count() {
            let corners = self.skin.corners(face);
            self.skin.corner_vertices[corners.start + 1..corners.end].reverse();
        }
        self
    }

    /// Without the faces that have a vertex somewhere.
    fn without(mut self, gone: impl Fn(&Vec3) -> bool) -> Body {
        let skin = std::mem::take(&mut self.skin);
        self.skin = Mesh { positions: skin.positions.clone(), face_offsets: vec![0], ..Mesh::default() };
        for face in 0..skin.face_count() {
            let corners = skin.face(face);
            if !corners.iter().any(|v| gone(&skin.positions[*v as usize])) {
                self.skin.corner_vertices.extend_from_slice(corners);
                self.skin.face_offsets.push(self.skin.corner_vertices.len() as u32);
            }
        }
        self
    }
}

fn plan() -> MusclePlan {
    xml::parse(HUMAN).unwrap()
}

/// Compares muscle by muscle, by name: the ends, the middle and the size.
fn assert_same(a: &MuscleSet, b: &MuscleSet, scale: Real, tolerance: Real, map: impl Fn(&Vec3) -> Vec3) {
    let others: HashMap<&str, &MuscleElement> = b.muscles.iter().map(|e| (e.name.as_str(), e)).collect();
    assert_eq!(a.muscles.len(), b.muscles.len());
    let middle = |e: &MuscleElement| (e.origin.vec() + e.insertion.vec()) * 0.5 + e.middle.vec();
    for e in &a.muscles {
        let other = others[e.name.as_str()];
        let pairs = [
            (e.origin.vec(), other.origin.vec()),
            (e.insertion.vec(), other.insertion.vec()),
            (middle(e), middle(other)),
        ];
        for (own, other) in pairs {
            let off = (map(&own) - other).norm();
            assert!(off < tolerance, "{}: {off} off", e.name);
        }
        assert!((e.size * scale - other.size).abs() < tolerance, "{}: {} {}", e.name, e.size, other.size);
        assert!((e.taper - other.taper).abs() < 1e-9, "{}: {} {}", e.name, e.taper, other.taper);
    }
}

/// On three rigs of different naming: all muscles of the plan, no warnings, every vertex of every muscle inside.
#[test]
fn all_muscles_lie_under_the_skin_of_each_rig() {
    for rig in ["default", "cmu_mb", "mixamo"] {
        let body = Body::human(rig);
        let fitted = body.fit();
        assert_eq!(fitted.warnings, [] as [String; 0], "{rig}");
        let built = fitted.set.parts(&body.names).unwrap();
        assert!(built.left_out.is_empty() && built.parts.bones.len() == 8 && built.parts.pads.len() == 5);
        let rays = Rays::new(&TriMesh::from_mesh(&body.skin).unwrap()).unwrap();
        let model = Model::new(built.parts, &body.rest, Frames::Stable).unwrap();
        let muscles = &model.parts().muscles;
        for (k, muscle) in muscles.iter().enumerate() {
            for vertex in model.vertices_of(k) {
                let point = model.points()[vertex];
                assert!(rays.inside(&point), "{rig}: {} shows at {point:?}", muscle.name);
            }
        }
    }
}

/// Mixamo's names without their prefix, and those of 3ds Max's Biped, mean the same joints: the chest is on the third
/// joint of the spine, not on the second, as in rigs with fewer.
#[test]
fn muscles_find_their_joints_under_other_names() {
    const BIPED: [(&str, &str); 10] = [
        ("Hips", "Pelvis"),
        ("Shoulder", "Clavicle"),
        ("ForeArm", "Forearm"),
        ("HandMiddle1", "Finger2"),
        ("UpLeg", "Thigh"),
        ("Leg", "Calf"),
        ("Arm", "UpperArm"),
        ("ToeBase", "Toe0"),
        ("Left", "L"),
        ("Right", "R"),
    ];
    let body = Body::human("mixamo");
    let set = body.fit().set;
    let biped = |name: &str| {
        let side = BIPED[8..].iter().find_map(|(long, short)| Some((*short, name.strip_prefix(long)?)));
        let (side, own) = side.unwrap_or(("", name));
        let own = BIPED[..8].iter().find(|(mixamo, _)| *mixamo == own).map_or(own, |(_, biped)| biped);
        ["Bip01", side, own].join(" ").replace("  ", " ")
    };
    let plain = |name: &str| name.trim_start_matches("mixamorig:").to_string();
    for rename in [&plain as &dyn Fn(&str) -> String, &|name: &str| biped(&plain(name))] {
        let mut other = body.clone();
        other.names.iter_mut().for_each(|name| *name = rename(name));
        let fitted = other.fit();
        assert_eq!(fitted.warnings, [] as [String; 0]);
        assert_same(&set, &fitted.set, 1.0, 1e-12, |p| *p);
        for (own, named) in set.muscles.iter().zip(&fitted.set.muscles) {
            assert_eq!(rename(&own.origin_joint), named.origin_joint, "{}", own.name);
            assert_eq!(rename(&own.insertion_joint), named.insertion_joint, "{}", own.name);
            assert_eq!(own.middle_joint.as_deref().map(rename), named.middle_joint, "{}", own.name);
        }
        let chest = fitted.set.muscles.iter().find(|e| e.name == "left_serratus_anterior.1").unwrap();
        assert!(chest.origin_joint.ends_with("Spine2"), "{}", chest.origin_joint);
    }
}

/// Each side has its 54 muscles, which are where those of the other side are.
#[test]
fn both_sides_are_alike() {
    let set = Body::human("default").fit().set;
    let base = |e: &MuscleElement| e.name.split('.').next().unwrap().to_string();
    let mut names: Vec<String> = set.muscles.iter().map(base).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.iter().filter(|name| name.starts_with("left_")).count() * 2, names.len());
    let mut swapped = set.clone();
    swapped.muscles.iter_mut().for_each(|e| e.name = other_side(&e.name).into());
    // She is symmetric to about a millimetre.
    assert_same(&set, &swapped, 1.0, 0.004, |p| Vec3::new(-p.x, p.y, p.z));
}

/// Where she stands, which way she looks, in which unit, and whether she is mirrored: the muscles go along.
#[test]
fn muscles_go_along_with_the_body() {
    let body = Body::human("default");
    let set = body.fit().set;
    let turn = Rotation::from_euler_angles(0.3, 1.2, -0.4);
    let moved = |p: &Vec3| turn * p + Vec3::new(10.0, -3.0, 5.0);
    assert_same(&set, &body.mapped(moved).fit().set, 1.0, 1e-5, moved);
    let scaled = |p: &Vec3| p * 100.0;
    assert_same(&set, &body.mapped(scaled).fit().set, 100.0, 1e-3, scaled);
    let mut mirrored = body.mirrored().fit().set;
    assert_eq!(mirrored.muscles[0].name, set.muscles[0].name);
    mirrored.muscles.iter_mut().for_each(|e| e.name = other_side(&e.name).into());
    assert_same(&set, &mirrored, 1.0, 1e-5, |p| Vec3::new(-p.x, p.y, p.z));
}

/// A skin that faces inwards is the same skin to all tools, also without a head, and wherever it is.
#[test]
fn skin_may_face_inwards() {
    let whole = Body::human("default");
    let neck = whole.rig().position(whole.rig().find("head").unwrap()).y;
    let turn = Rotation::from_euler_angles(0.3, 1.2, -0.4);
    let moved = |p: &Vec3| turn * p * 0.01 + Vec3::new(1.0, -3.0, 5.0);
    for body in [whole.clone(), whole.clone().without(|p| p.y > neck), whole.mapped(moved)] {
        let (fitted, other) = (body.fit(), body.clone().inside_out().fit());
        assert_eq!(fitted.warnings, other.warnings);
        assert_same(&fitted.set, &other.set, 1.0, 1e-9, |p| *p);
        assert!(fitted.set.muscles.len() > 100, "{}", fitted.set.muscles.len());
        let created = |skin: &Mesh| {
            let mut set: MuscleSet = xml::parse("<muscle_set/>").unwrap();
            let new =
                NewMuscle { name: "m", joints: ["upperleg01.L", "lowerleg01.L"], ..NewMuscle::default() };
            create(&mut set, &new, &body.rig(), Some(skin)).unwrap();
            set.muscles[0].size
        };
        assert_eq!(created(&body.skin), created(&body.clone().inside_out().skin));
        let mut thick = fitted.set.clone();
        thick.muscles.iter_mut().for_each(|e| e.size *= 2.0);
        let out = |skin: &Mesh| outside(&thick, &body.rig(), skin).unwrap();
        let (own, other) = (out(&body.skin), out(&body.clone().inside_out().skin));
        assert!(!own.is_empty() && own.len() == other.len());
        for (a, b) in own.iter().zip(&other) {
            assert!(a.muscle == b.muscle && (a.distance - b.distance).abs() < 1e-9, "{a:?} {b:?}");
        }
    }
}

/// The human's muscles on a rig whose names say nothing, and on one of which a hand has another name: the same.
#[test]
fn muscles_find_their_joints_by_what_these_do() {
    for rig in ["default", "cmu_mb", "mixamo"] {
        let body = Body::human(rig);
        let all = body.fit().set;
        let mut other = body.clone();
        other.names = (0..body.names.len()).map(|k| format!("joint{k}")).collect();
        let fitted = other.fit();
        // A hand with one finger of one bone may as well be a part of it.
        let clear = |warning: &String| rig != "cmu_mb" || !warning.contains("is doubtful");
        assert!(!fitted.warnings.iter().any(clear), "{rig}: {:?}", fitted.warnings);
        assert_same(&all, &fitted.set, 1.0, 1e-12, |p| *p);
        for (own, named) in all.muscles.iter().zip(&fitted.set.muscles) {
            // Without names, a thumb of one bone is a part of the hand, which then carries its muscles.
            let part = |name: &str| name.replace("LThumb", "LeftHand").replace("RThumb", "RightHand");
            let joint = |name: &str| body.names.iter().position(|other| *other == part(name)).unwrap();
            assert_eq!(
                named.origin_joint,
                format!("joint{}", joint(&own.origin_joint)),
                "{rig}: {}",
                own.name
            );
            let insertion = format!("joint{}", joint(&own.insertion_joint));
            assert_eq!(named.insertion_joint, insertion, "{rig}: {}", own.name);
            let middle = own.middle_joint.as_ref().map(|name| format!("joint{}", joint(name)));
            assert_eq!(named.middle_joint, middle, "{rig}: {}", own.name);
        }
    }
}

/// Muscles that lack a joint are left out and named; the rest are as before.
#[test]
fn a_missing_joint_takes_only_its_muscles() {
    let mut body = Body::human("default");
    let all = body.fit().set;
    // A part of the face has the name of a hand, and what lies at the wrist that of a forearm.
    let hand = body.names.iter().position(|name| name == "wrist.L").unwrap();
    body.names[hand] = "lowerarm03.L".into();
    let fitted = body.fit();
    assert!(!fitted.warnings.is_empty());
    for warning in &fitted.warnings {
        assert!(
            warning.contains("left_") && warning.contains("the rig has no joint \"hand.L\""),
            "{warning}"
        );
    }
    assert_eq!(fitted.set.muscles.len() + fitted.set.bones.len() + fitted.warnings.len(), {
        all.muscles.len() + all.bones.len()
    });
    let kept = |e: &&MuscleElement| fitted.set.muscles.iter().any(|other| other.name == e.name);
    assert!(all.muscles.iter().filter(kept).eq(&fitted.set.muscles));
}

/// A plan that puts a muscle outside the body: it is reported and pulled in, or left out where even its bone is
/// outside.
#[test]
fn muscles_outside_the_body_are_reported() {
    let text = r#"<muscle_plan><muscle name="out" side="one" origin_bone="LeftUpLeg LeftLeg" origin="0.2 0 0.5"
        insertion_bone="LeftUpLeg LeftLeg" insertion="0.8 0 0.5" middle="0.5 0 1.4" size="0.1"/>
        <muscle name="end" side="one" origin_bone="LeftUpLeg LeftLeg" origin="0.3 0 1.5"
        insertion_bone="LeftUpLeg LeftLeg" insertion="0.8 0 0.5" middle="0.5 0 0.5" size="0.1"/>
        <muscle name="far" side="one" origin_bone="LeftUpLeg LeftLeg" origin="9 0 0.5"
        insertion_bone="LeftUpLeg LeftLeg" insertion="0.8 0 0.5" size="0.1"/></muscle_plan>"#;
    let body = Body::human("cmu_mb");
    let fitted = fit(&xml::parse(text).unwrap(), &body.rig(), &body.skin, 1.0, &Control::default()).unwrap();
    assert_eq!(fitted.set.muscles.len(), 2);
    let reported =
        ["muscle out: it passed outside", "muscle end: its origin lay outside", "muscle far is left out"];
    for (warning, begin) in fitted.warnings.iter().zip(reported) {
        assert!(warning.starts_with(begin), "{warning}");
    }
    assert_eq!(fitted.warnings.len(), reported.len());
}

/// With stable axes no muscle flips anywhere in the range of motion, on any of the rigs.
#[test]
fn nothing_flips_over_the_range_of_motion() {
    let conditions = Conditions { push: 0.0, ..Conditions::default() };
    for rig in ["default", "cmu_mb", "mixamo"] {
        let body = Body::human(rig);
        let parts = body.fit().set.parts(&body.names).unwrap().parts;
        let range = Range::new(&plan(), &body.rig(), None).unwrap();
        assert!(range.sweeps.len() > 30, "{rig}: {} motions", range.sweeps.len());
        assert_eq!(range.loose(&parts), [] as [usize; 0], "{rig}");
        for finding in range.test(&parts, &body.rig(), &conditions, &Control::default()).unwrap() {
            let joint = &body.names[range.sweeps[finding.sweep].joint];
            let reported =
                |muscle: usize| format!("{rig}: {} at {joint}, {finding:?}", parts.muscles[muscle].name);
            match finding.problem {
                Problem::Flip { muscle, .. } | Problem::Short { muscle } => panic!("{}", reported(muscle)),
                Problem::Intersection { .. } | Problem::Jump { .. } => {}
            }
        }
    }
}

/// A rotated joint moves its descendants, and nothing else.
#[test]
fn poses_of_a_sweep_follow_the_hierarchy() {
    let body = Body::human("cmu_mb");
    let naming = Naming::new(&plan(), &body.rig());
    let joint = |name: &str| naming.joint(name).unwrap();
    let range = Range::new(&plan(), &body.rig(), Some(40.0)).unwrap();
    let elbow = range.sweeps.iter().find(|s| s.joint == joint("LeftForeArm") && s.turn == "flex").unwrap();
    assert_eq!(elbow.range, [0.0, 40.0]);
    let [straight, posed] = [0.0, 40.0].map(|degrees| range.pose(elbow, degrees, &body.rig()));
    let way = |name: &str| translation(&posed[joint(name)]) - translation(&straight[joint(name)]);
    assert!(way("LeftHand").norm() > 0.1);
    for name in ["RightHand", "LeftArm"] {
        assert_eq!(posed[joint(name)], body.rest[joint(name)]);
    }
    // A bent elbow brings the hand to the front.
    assert!(way("LeftHand").z > 0.0);
}

/// Elbows and knees bend as far on every rig, however they rest: straight, a little bent, or by a right angle.
#[test]
fn ranges_count_from_straight_limbs() {
    for rig in ["default", "cmu_mb", "mixamo"] {
        for more in [0.0, 1.0] {
            let mut body = Body::human(rig);
            let naming = Naming::new(&plan(), &body.rig());
            let joint = |name: &str| naming.joint(name).unwrap();
            // Forearms turn to the front.
            for (elbow, sign) in [("forearm.L", 1.0), ("forearm.R", -1.0)] {
                let turn = Rotation::from_euler_angles(0.0, -more * sign, 0.0);
                let elbow = joint(elbow);
                for k in 0..body.names.len() {
                    let above = std::iter::successors(body.parents[k], |&k| body.parents[k]);
                    if above.into_iter().any(|above| above == elbow) {
                        let place = translation(&body.rest[elbow])
                            + turn * (translation(&body.rest[k]) - translation(&body.rest[elbow]));
                        body.rest[k] = affine(&linear(&body.rest[k]), &place);
                    }
                }
            }
            let range = Range::new(&plan(), &body.rig(), None).unwrap();
            for (chain, far) in [
                (["upper_arm.L", "forearm.L", "hand.L"], 145.0),
                (["upper_arm.R", "forearm.R", "hand.R"], 145.0),
                (["thigh.L", "shin.L", "foot.L"], -130.0),
            ] {
                let [a, b, c] = chain.map(joint);
                let sweep = range.sweeps.iter().find(|s| s.joint == b && s.turn == "flex").unwrap();
                assert!(sweep.range.contains(&far) && sweep.range.contains(&0.0), "{:?}", sweep.range);
                for degrees in sweep.range {
                    let posed = range.pose(sweep, degrees, &body.rig());
                    let [a, b, c] = [a, b, c].map(|k| translation(&posed[k]));
                    let bend = (b - a).angle(&(c - b)).to_degrees();
                    assert!((bend - degrees.abs()).abs() < 1e-4, "{rig}, {chain:?}: {bend} at {degrees}");
                }
                // A forearm goes to the front, a shin to the back.
                let posed = range.pose(sweep, far * 0.5, &body.rig());
                let ahead =
                    translation(&posed[c]).z - (2.0 * translation(&posed[b]).z - translation(&posed[a]).z);
                assert!(ahead * far > 0.0, "{rig}, {chain:?}: {ahead}");
            }
        }
    }
}

/// A set taken to a body of other proportions keeps its places on the bones; to the same body it stays where it is.
#[test]
fn copies_follow_the_bones() {
    let body = Body::human("cmu_mb");
    let set = body.fit().set;
    let same = copy(&set, &body.rig(), &body.rig(), &Control::default()).unwrap();
    assert!(same.warnings.is_empty());
    assert_same(&set, &same.set, 1.0, 1e-9, |p| *p);
    let turn = Rotation::from_euler_angles(0.1, 0.7, 0.2);
    let grown = |p: &Vec3| turn * p * 1.3 + Vec3::new(1.0, 0.0, 2.0);
    let copied = copy(&set, &body.rig(), &body.mapped(grown).rig(), &Control::default()).unwrap().set;
    assert_same(&set, &copied, 1.3, 1e-9, grown);
    // The left forearm alone a third longer: its muscles' insertions go with the hand.
    let joint = |name: &str| body.names.iter().position(|n| n == name).unwrap();
    let (elbow, wrist) = (body.rest[joint("LeftForeArm")], body.rest[joint("LeftHand")]);
    let longer = (translation(&wrist) - translation(&elbow)) / 3.0;
    let mut other = body.clone();
    for name in ["LeftHand", "LeftFingerBase", "LeftHandFinger1", "LThumb"] {
        let k = joint(name);
        other.rest[k] = affine(&linear(&other.rest[k]), &(translation(&other.rest[k]) + longer));
    }
    let copied = copy(&set, &body.rig(), &other.rig(), &Control::default()).unwrap().set;
    for (before, after) in set.muscles.iter().zip(&copied.muscles) {
        let way = after.insertion.vec() - before.insertion.vec();
        let off = match before.insertion_joint.as_str() {
            "LeftHand" => (way - longer).norm() / longer.norm(),
            "RightHand" | "LeftFoot" => way.norm() / longer.norm(),
            _ => continue,
        };
        assert!(off < 0.3, "{}: {off}", before.name);
    }
}

#[test]
fn a_copy_says_which_joints_are_missing() {
    let body = Body::human("cmu_mb");
    let set = body.fit().set;
    let mut other = body.clone();
    for name in ["LeftToeBase", "LeftFoot"] {
        let foot = other.names.iter().position(|other| other == name).unwrap();
        other.names.remove(foot);
        other.rest.remove(foot);
        other.parents.remove(foot);
        other.parents.iter_mut().flatten().filter(|parent| **parent > foot).for_each(|parent| *parent -= 1);
    }
    let copied = copy(&set, &body.rig(), &other.rig(), &Control::default()).unwrap();
    assert!(copied.set.muscles.len() < set.muscles.len() && !copied.warnings.is_empty());
    assert!(copied.warnings.iter().all(|reported| reported.ends_with("the rig has no joint \"LeftFoot\"")));
    let stranger =
        Rig { names: &["a".to_string(), "b".to_string()], rest: &body.rest[..2], ..Rig::default() };
    assert!(
        copy(&set, &body.rig(), &stranger, &Control::default())
            .unwrap_err()
            .message()
            .contains("0 joint names in common")
    );
}

/// Between rigs whose joints have other names: what does the same takes the muscles, here on the same body, on which
/// they stay about where they were. A half is mirrored where names do not tell sides.
#[test]
fn copies_go_by_what_joints_do() {
    let [body, other] = ["cmu_mb", "default"].map(Body::human);
    let set = body.fit().set;
    for anonymous in [false, true] {
        let mut other = other.clone();
        if anonymous {
            other.names = (0..other.names.len()).map(|k| format!("joint{k}")).collect();
        }
        let copied = copy(&set, &body.rig(), &other.rig(), &Control::default()).unwrap();
        assert_eq!(copied.warnings, [] as [String; 0]);
        assert_eq!(copied.set.muscle_names(), set.muscle_names());
        let naming = [body.rig(), other.rig()].map(|rig| Naming::new(&plan(), &rig));
        for (before, after) in set.muscles.iter().zip(&copied.set.muscles) {
            let off = (before.origin.vec() - after.origin.vec()).norm();
            assert!(off < 0.02, "{}: {off}", before.name);
            let role = "forearm.L";
            let [own, there] = [&naming[0], &naming[1]].map(|naming| naming.joint(role).unwrap());
            let is_there = after.insertion_joint == other.names[there];
            assert_eq!(before.insertion_joint == body.names[own], is_there, "{}", before.name);
            let carries = |e: &MuscleElement, joint: &String| e.middle_joint.as_ref() == Some(joint);
            let is_there = carries(after, &other.names[there]);
            assert_eq!(carries(before, &body.names[own]), is_there, "{}", before.name);
        }
        let mut half = copied.set.clone();
        half.muscles.retain(|e| !e.name.starts_with("right_"));
        half.pads.clear();
        half.bones.clear();
        let added = mirror_on(&mut half, &other.rig(), &Control::default()).unwrap().added;
        assert_eq!(added * 2, set.muscles.len());
        assert_same(
            &copied.set,
            &MuscleSet { pads: Vec::new(), bones: Vec::new(), ..half },
            1.0,
            0.006,
            |p| *p,
        );
    }
}

/// The left half mirrored is the whole again.
#[test]
fn a_mirrored_half_is_a_whole() {
    let whole = Body::human("cmu_mb").fit().set;
    let left = |name: &str| !name.starts_with("right_");
    let mut half = whole.clone();
    half.muscles.retain(|e| left(&e.name));
    half.pads.retain(|e| left(&e.name));
    half.bones.retain(|e| left(&e.name));
    let Mirrored { added, warnings } = mirror(&mut half, 0).unwrap();
    // Those of the trunk.
    assert!(warnings.len() == 1 && warnings[0].contains("whose names have no side"), "{warnings:?}");
    assert_eq!(added, whole.muscles.len() / 2 + 2 + 4);
    assert_same(&whole, &half, 1.0, 0.004, |p| *p);
    assert_eq!(mirror(&mut half, 0).unwrap().added, 0, "both sides are there");
    assert!(mirror(&mut half, 3).is_err());
}

/// Three joints along x.
fn limb() -> (Vec<String>, Vec<Affine>) {
    let at = |x: Real| affine(&Mat3::identity(), &Vec3::new(x, 0.0, 0.0));
    (["Upper", "Lower", "End"].map(String::from).to_vec(), vec![at(0.0), at(1.0), at(2.0)])
}

#[test]
fn a_muscle_between_two_joints_takes_its_size_from_the_skin() {
    let (names, rest) = limb();
    let rig = Rig { names: &names, rest: &rest, ..Rig::default() };
    let skin = shapes::cuboid(&Vec3::new(6.0, 0.6, 0.8));
    let mut set: MuscleSet = xml::parse("<muscle_set/>").unwrap();
    let new = |name, size| NewMuscle { name, joints: ["Upper", "Lower"], size, ..NewMuscle::default() };
    create(&mut set, &new("given", Some(0.2)), &rig, None).unwrap();
    create(&mut set, &new("slender", None), &rig, None).unwrap();
    create(&mut set, &new("fitted", None), &rig, Some(&skin)).unwrap();
    let sizes: Vec<Real> = set.muscles.iter().map(|e| e.size).collect();
    assert_eq!(sizes[..2], [0.2, 0.1]);
    // Nine tenths of the way to the closest side.
    assert!((sizes[2] - 0.27).abs() < 1e-12, "{sizes:?}");
    let outside = skin.positions.iter().map(|p| p + Vec3::y() * 5.0).collect();
    let outside = Mesh { positions: outside, ..skin.clone() };
    let refused = create(&mut set, &new("out", None), &rig, Some(&outside)).unwrap_err();
    assert!(refused.message().contains("leaves the skin"), "{refused}");
    let twice = create(&mut set, &new("given", None), &rig, None).unwrap_err();
    assert!(twice.message().contains("already"));
    let unknown = NewMuscle { name: "x", joints: ["Upper", "Wing"], ..NewMuscle::default() };
    assert!(create(&mut set, &unknown, &rig, None).unwrap_err().message().contains("no joint \"Wing\""));
    let built = set.parts(&names).unwrap().parts;
    assert_eq!(transform_point(&rest[1], &Vec3::zeros()), built.muscles[0].insertion.point);
}

#[test]
fn physiques_are_factors() {
    let mut set: MuscleSet = xml::parse(
        r#"<muscle_set><muscle name="a" origin_joint="U" origin="0 0 0" insertion_joint="U" insertion="1 0 0" size="0.1"/>
        <pad name="p" joint="U" centre="0 0 0" radius="0.2"/></muscle_set>"#,
    )
    .unwrap();
    let before = set.clone();
    Physique { bulge: 2.0, stiffness: 3.0, damping: 0.5, size: 1.5, weight: 0.5 }.apply(&mut set).unwrap();
    let (old, new) = (&before.muscles[0], &set.muscles[0]);
    assert_eq!(set.pads[0].stiffness, before.pads[0].stiffness * 3.0);
    assert_eq!(
        [new.bulge, new.stiffness, new.damping],
        [old.bulge * 2.0, old.stiffness * 3.0, old.damping * 0.5]
    );
    // The skin stays bound to the muscles as they were, and goes along with their girths.
    assert_eq!((new.size, new.girth, set.pads[0].radius), (old.size, 1.5, before.pads[0].radius));
    assert_eq!(new.weight, 0.5 * old.weight);
    for wrong in [-1.0, Real::NAN, 0.0] {
        let refused = Physique { size: wrong, ..Physique::default() }.apply(&mut set).unwrap_err();
        assert!(refused.message().contains("size"), "{refused}");
    }
}
