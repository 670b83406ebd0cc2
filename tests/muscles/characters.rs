//! Muscles on characters: that physiques look different, that skin over muscles has no creases, and that bodies of
//! other shapes, for which nobody tuned the plan, take it.

use crate::human;

use crate::human::{Human, Motion, Region};
use crate::muscle_body::play::{Host, Moment, play};
use crate::soak::sample;
use sinew::anatomy::muscles::{Conditions, Finding, HUMAN, Naming, Physique, Problem, Range, Rig, fit};
use sinew::control::Control;
use sinew::formats::xml;
use sinew::geometry::measure::vertex_normals;
use sinew::geometry::{Rays, TriMesh};
use sinew::math::{Affine, Real, Vec3, affine, linear, translation};
use sinew::muscle::{Body, Frames, Limb, Model};
use sinew::scene::muscles::MuscleSet;
use std::path::Path;

const FPS: Real = 24.0;
/// When the arm is bent, and when she has landed and soft tissue is lowest.
const BENT: Real = 1.3;
const LANDED: Real = 28.0 / FPS;

pub(crate) fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(human::FOLDER)
}

pub(crate) fn her() -> Human {
    Human::load(&folder()).unwrap().unwrap_or_else(|| panic!("she is missing: run sh tests/human.sh"))
}

/// The joints of a rig: their names, parents and matrices.
pub(crate) type Joints = (Vec<String>, Vec<Option<usize>>, Vec<Affine>);

pub(crate) fn joints(human: &Human, rig: &str) -> Joints {
    let (names, rest) = match rig {
        "default" => (human.joint_names(), human.rest_joints()),
        other => human.other_rig(other).unwrap(),
    };
    (names, human.parents(rig).unwrap(), rest)
}

pub(crate) fn rig((names, parents, rest): &Joints) -> Rig<'_> {
    Rig { names, rest, parents, chosen: &[] }
}

/// The plan on a body, and the warnings.
pub(crate) fn fitted(human: &Human) -> (MuscleSet, Vec<String>) {
    let plan = xml::parse(HUMAN).unwrap();
    let fitted = fit(&plan, &rig(&joints(human, "default")), human.mesh(), 1.0, &Control::default()).unwrap();
    (fitted.set, fitted.warnings)
}

/// Bodies from MPFB2's shapes that the plan was not made on.
pub(crate) const OTHERS: [(&str, &[(&str, Real)]); 7] = [
    ("man", &[("caucasian-male-young", 1.0)]),
    ("fat", &[("asian-female-young", 1.0), ("universal-female-young-averagemuscle-maxweight", 1.0)]),
    ("thin", &[("african-female-young", 1.0), ("universal-female-young-minmuscle-minweight", 1.0)]),
    ("strong", &[("caucasian-male-young", 1.0), ("universal-male-young-maxmuscle-averageweight", 1.0)]),
    ("child", &[("asian-female-child", 1.0)]),
    ("old", &[("caucasian-male-old", 1.0)]),
    (
        "tall",
        &[
            ("caucasian-male-young", 1.0),
            ("male-young-averagemuscle-averageweight-maxheight", 0.5),
            ("male-young-averagemuscle-averageweight-uncommonproportions", 1.0),
        ],
    ),
];

/// All muscles, inside the skin; over the range of motion no flip, no shortening, and hardly an intersection: where the
/// man's hip bends, a strip of the gluteus maximus stays in a thinner one of the gluteus medius by 78 % of that one's
/// radius.
#[test]
fn other_bodies_take_the_plan() {
    const DEPTH: Real = 0.8;
    let names = fitted(&her()).0.muscle_names();
    for (body, shapes) in sample(&OTHERS, 3) {
        let human = Human::shaped(&folder(), shapes).unwrap();
        let (joints, _, rest) = joints(&human, "default");
        let (set, warnings) = fitted(&human);
        assert_eq!(names, set.muscle_names(), "{body}: {warnings:?}");
        let parts = set.parts(&joints).unwrap().parts;
        let rays = Rays::new(&TriMesh::from_mesh(human.mesh()).unwrap()).unwrap();
        let model = Model::new(parts, &rest, Frames::Stable).unwrap();
        for (k, muscle) in model.parts().muscles.iter().enumerate() {
            let outside =
                model.vertices_of(k).filter(|&vertex| !rays.inside(&model.points()[vertex])).count();
            assert_eq!(outside, 0, "{body}: vertices of {} that show", muscle.name);
        }
        let skin = Body::new(TriMesh::from_mesh(human.mesh()).unwrap());
        assert_eq!(skin.outside(&model).unwrap(), (vec![], vec![]), "outside of {body}");
        crosses_nothing(&human, "default", DEPTH);
        // Spines and clavicles are others there.
        if ["man", "child"].contains(body) {
            crosses_nothing(&human, "mixamo", DEPTH);
        }
    }
}

/// Nobody moves at rest, and all of the skin goes along with a motion of all joints: weights add up to 1.
#[test]
fn other_bodies_rest_and_move_as_a_whole() {
    let way = Vec3::new(0.3, -0.7, 1.1);
    for (body, shapes) in OTHERS {
        let human = Human::shaped(&folder(), shapes).unwrap();
        let mut host = Host::new(&human, &fitted(&human).0).unwrap();
        let rest = human.rest_joints();
        let moved: Vec<Affine> = rest.iter().map(|m| affine(&linear(m), &(translation(m) + way))).collect();
        for (joints, way, most) in [(&rest, Vec3::zeros(), 1e-12), (&moved, way, 1e-10)] {
            host.pose(joints).unwrap();
            // Each begins a motion: nothing swings.
            host.begin(0).unwrap();
            let skin = host.read("points").unwrap();
            let off = skin.iter().zip(&human.mesh().positions).map(|(a, b)| (a - b - way).norm());
            let off = off.fold(0.0, Real::max);
            assert!(off < most, "{body}: {off:e} m off after {way:?}");
        }
    }
}

/// Our own set passes its own check.
#[test]
fn no_muscle_crosses_another_over_the_range_of_motion() {
    let human = her();
    let depth = Conditions::default().depth;
    crosses_nothing(&human, "default", depth);
    crosses_nothing(&human, "mixamo", depth);
}

/// No problem over the range of motion, and no intersection deeper than a fraction of the thinner muscle's size.
fn crosses_nothing(human: &Human, name: &str, depth: Real) {
    let joints = joints(human, name);
    let (names, rig) = (&joints.0, rig(&joints));
    let plan = xml::parse(HUMAN).unwrap();
    let parts =
        fit(&plan, &rig, human.mesh(), 1.0, &Control::default()).unwrap().set.parts(names).unwrap().parts;
    let range = Range::new(&plan, &rig, None).unwrap();
    let findings = range
        .test(&parts, &rig, &Conditions { depth, ..Conditions::default() }, &Control::default())
        .unwrap();
    // What is squeezed between two muscles slips past one of them, as the brachialis under a flexed biceps; nothing
    // changes places at once.
    const SLIPS: Real = 0.5;
    let slips =
        |finding: &Finding| matches!(finding.problem, Problem::Jump { distance, .. } if distance < SLIPS);
    let problems = findings.iter().filter(|finding| !slips(finding));
    let reported: Vec<String> = problems.map(|finding| finding.sentence(&range, &parts, &rig)).collect();
    assert_eq!(reported, [] as [String; 0]);
}

fn last(human: &Human, set: &MuscleSet, physique: &Physique, until: (Motion, Real)) -> Moment {
    play(human, set, physique, until, FPS).unwrap().0.pop().unwrap()
}

/// How far the skin lies outside of the body by joints alone, along its normals; the mean of the arms and legs.
fn thickness(human: &Human, moment: &Moment) -> Real {
    let body = TriMesh { positions: moment.skinned.clone(), ..TriMesh::from_mesh(human.mesh()).unwrap() };
    let normals = vertex_normals(&body);
    let bare = [Region::Head, Region::LeftHand, Region::RightHand];
    let limb = |v: &usize| {
        let p = human.mesh().positions[*v];
        let at_hand = bare.iter().any(|region| human.region(*region)[*v]);
        !at_hand && (p.x.abs() > 0.22 || (0.15..0.75).contains(&p.y))
    };
    let chosen: Vec<usize> = (0..normals.len()).filter(limb).collect();
    let out = |v: &usize| (moment.skin[*v] - moment.skinned[*v]).dot(&normals[*v]);
    chosen.iter().map(out).sum::<Real>() / chosen.len() as Real
}

/// Limbs are thicker by 4 mm on average if heavy, thinner by as much if gaunt; soft tissue keeps swinging after a
/// landing.
#[test]
fn physiques_differ_at_a_glance() {
    let human = her();
    let set = fitted(&human).0;
    let named = |name: &str| Physique::named(name).unwrap();
    let at_rest = |physique: &Physique| thickness(&human, &last(&human, &set, physique, (Motion::Walk, 0.0)));
    let [own, heavy, gaunt] = [Physique::default(), named("heavy"), named("gaunt")].map(|p| at_rest(&p));
    assert!(own.abs() < 1e-12, "{own}");
    assert!(heavy > 0.004 && gaunt < -0.004, "{heavy} and {gaunt} m");
    let swung = |physique: &Physique| {
        let moment = last(&human, &set, physique, (Motion::Hop, LANDED));
        let way = |v: usize| (moment.skinned[v] - moment.skin[v]).y;
        let mut ways: Vec<Real> = (0..moment.skin.len()).map(way).collect();
        ways.sort_by(Real::total_cmp);
        // What one vertex in ten exceeds.
        ways[ways.len() * 9 / 10]
    };
    let [jelly, heavy, gaunt] = ["jelly", "heavy", "gaunt"].map(|name| swung(&named(name)));
    assert!(jelly > 0.015 && jelly > 2.0 * heavy && jelly > 3.0 * gaunt, "{jelly}, {heavy}, {gaunt} m");
}

/// The angles between neighbouring faces in radians, in the order of edges.
fn angles(human: &Human, points: &[Vec3]) -> Vec<Real> {
    let mesh = TriMesh::from_mesh(human.mesh()).unwrap();
    let normal = |t: usize| {
        let [a, b, c] = mesh.triangles[t].map(|v| points[v as usize]);
        (b - a).cross(&(c - a))
    };
    let mut edges = std::collections::HashMap::new();
    let mut angles = Vec::new();
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            let Some(other) = edges.insert((a.min(b), a.max(b)), t) else { continue };
            angles.push(normal(t).angle(&normal(other)));
        }
    }
    angles
}

/// The biceps ends without an edge, and neighbouring muscles leave no furrow: raw weights add half as much again to the
/// angle between faces as averaged ones. That is the 99.9th percentile over all edges, so that the few where the skin
/// folds anyway do not count.
#[test]
fn skin_over_muscles_has_no_creases() {
    let human = her();
    let set = fitted(&human).0;
    let with = |smooth: &str| {
        let mut host = Host::new(&human, &set).unwrap();
        host.set("method", "dual_quaternion").unwrap();
        host.set("relax", "0").unwrap();
        host.set("smooth", smooth).unwrap();
        let moment = host.moment(&human, &set, Motion::Flex, BENT).unwrap();
        let (before, after) = (angles(&human, &moment.skinned), angles(&human, &moment.skin));
        let mut creases: Vec<Real> = before.iter().zip(after).map(|(before, after)| after - before).collect();
        creases.sort_by(Real::total_cmp);
        creases[creases.len() * 999 / 1000]
    };
    let (raw, smooth) = (with("0"), with("12"));
    assert!(smooth < 0.35 && smooth < 0.85 * raw, "{smooth} instead of {raw} radians");
}

/// Every muscle of the human belongs to a limb of its side, or to the trunk.
#[test]
fn every_muscle_has_its_limb() {
    let (set, _) = fitted(&her());
    for muscle in &set.muscles {
        let limb = muscle.limb.unwrap_or_else(|| panic!("{}", muscle.name));
        let is_left = muscle.name.starts_with("left_");
        assert!(
            limb == Limb::Trunk || is_left == matches!(limb, Limb::LeftArm | Limb::LeftLeg),
            "{}",
            muscle.name
        );
    }
    for (name, limb) in [
        ("right_biceps_brachii_long", Limb::RightArm),
        ("right_deltoid_acromial", Limb::RightArm),
        ("left_gluteus_medius.1", Limb::LeftLeg),
        ("left_soleus", Limb::LeftLeg),
        ("right_pectoralis_major_sternocostal.2", Limb::Trunk),
    ] {
        let found = set.muscles.iter().find(|muscle| muscle.name.as_str() == name);
        assert_eq!(found.and_then(|muscle| muscle.limb), Some(limb), "{name}");
    }
}

/// Elbow, hip and knee that bend have together a fifth fewer edges that are 40 degrees sharper than at rest than joints
/// alone leave them, linear or by dual quaternions.
#[test]
fn folds_are_rounder_than_by_joints_alone() {
    for (body, shapes) in sample(&OTHERS, 3) {
        let human = Human::shaped(&folder(), shapes).unwrap();
        let set = fitted(&human).0;
        let joints = joints(&human, "default");
        let plan = xml::parse(HUMAN).unwrap();
        let (range, naming) =
            (Range::new(&plan, &rig(&joints), None).unwrap(), Naming::new(&plan, &rig(&joints)));
        let rest = angles(&human, &human.mesh().positions);
        let bare = MuscleSet { muscles: Vec::new(), pads: Vec::new(), bones: Vec::new(), ..set.clone() };
        let mut hosts = [("linear", "0", &bare), ("dual_quaternion", "0", &bare), ("linear", "1", &set)].map(
            |(method, relax, set)| {
                let mut host = Host::new(&human, set).unwrap();
                host.set("method", method).unwrap();
                host.set("relax", relax).unwrap();
                host
            },
        );
        let mut creases = [0; 3];
        for (role, degrees) in [("forearm.L", 130.0), ("thigh.L", 110.0), ("shin.L", -130.0)] {
            let joint = naming.joint(role).unwrap();
            let sweep = range.sweeps.iter().find(|s| s.joint == joint && s.turn == "flex").unwrap();
            let pose = range.pose(sweep, degrees, &rig(&joints));
            for (host, creases) in hosts.iter_mut().zip(&mut creases) {
                host.pose(&pose).unwrap();
                host.begin(0).unwrap();
                let now = angles(&human, &host.read("points").unwrap());
                let sharper = |(now, rest): &(&Real, &Real)| **now - **rest > Real::to_radians(40.0);
                *creases += now.iter().zip(&rest).filter(sharper).count();
            }
        }
        let [linear, dual, muscles] = creases;
        println!("{body}: {linear} creases linear, {dual} by dual quaternions, {muscles} with muscles");
        assert!(5 * muscles < 4 * linear.min(dual), "{body}: {creases:?}");
    }
}
