//! What is under the skin, and how much: muscles stay inside, and limbs keep their volume.

use crate::characters::{OTHERS, fitted, folder, joints, rig};
use crate::human::Human;
use crate::muscle_body::play::Host;
use crate::soak::sample;
use rayon::prelude::*;
use sinew::anatomy::muscles::{HUMAN, Naming, Range};
use sinew::formats::xml;
use sinew::geometry::{ClosestPoint, Rays, TriMesh};
use sinew::math::{Real, Vec3};
use std::collections::BTreeSet;

/// A limb by its first joint, one of its joints that turns, and how far.
const POSES: [(&str, (&str, &str), Real); 5] = [
    ("upper_arm.L", ("forearm.L", "flex"), 130.0),
    ("upper_arm.L", ("upper_arm.L", "abduct"), 80.0),
    ("upper_arm.L", ("upper_arm.L", "twist"), 45.0),
    ("thigh.L", ("thigh.L", "flex"), 110.0),
    ("thigh.L", ("shin.L", "flex"), -130.0),
];

/// The muscle points that are farther than 2 mm outside of the skin.
fn outside(skin: &TriMesh, muscles: &[Vec3]) -> usize {
    let (rays, closest) = (Rays::new(skin).unwrap(), ClosestPoint::new(skin).unwrap());
    let is_out = |p: &&Vec3| !rays.inside(p) && closest.find(p, Real::INFINITY).unwrap().distance > 0.002;
    muscles.par_iter().filter(is_out).count()
}

/// The volume of the part of a body whose vertices are `own`, closed by a fan at its border.
fn volume(skin: &TriMesh, own: &[bool]) -> Real {
    let triangles: Vec<_> = skin.triangles.iter().filter(|t| t.iter().all(|v| own[*v as usize])).collect();
    let edges: BTreeSet<[u32; 2]> =
        triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
    let border: Vec<u32> =
        edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a])).map(|[a, _]| *a).collect();
    let middle = border.iter().map(|v| skin.positions[*v as usize]).sum::<Vec3>() / border.len() as Real;
    let of = |t: &&[u32; 3]| {
        let [a, b, c] = t.map(|v| skin.positions[v as usize] - middle);
        a.dot(&b.cross(&c)) / 6.0
    };
    triangles.iter().map(of).sum()
}

/// The vertices that mostly go with a joint and those below it.
fn below(human: &Human, joint: usize, parents: &[Option<usize>]) -> Vec<bool> {
    let is_below = |mut k: usize| loop {
        match parents[k] {
            _ if k == joint => return true,
            Some(parent) => k = parent,
            None => return false,
        }
    };
    let own: Vec<bool> = (0..parents.len()).map(is_below).collect();
    let part = |(joints, weights): (&[u32], &[Real])| {
        joints.iter().zip(weights).map(|(k, w)| if own[*k as usize] { *w } else { 0.0 }).sum::<Real>() > 0.5
    };
    human.influences().map(part).collect()
}

/// In these poses, without the press, more than 20 points of a body's muscles are outside; with it none is. The volume
/// of the limb stays within 7 %: linear skinning, which is under it, loses up to as much.
#[test]
fn muscles_stay_inside_and_limbs_keep_their_volume() {
    const KEPT: Real = 0.07;
    for (body, shapes) in sample(&OTHERS, 2) {
        let human = Human::shaped(&folder(), shapes).unwrap();
        let set = fitted(&human).0;
        let joints = joints(&human, "default");
        let rig = rig(&joints);
        let plan = xml::parse(HUMAN).unwrap();
        let (range, naming) = (Range::new(&plan, &rig, None).unwrap(), Naming::new(&plan, &rig));
        let rest = TriMesh::from_mesh(human.mesh()).unwrap();
        let mut host = Host::new(&human, &set).unwrap();
        let mut free = 0;
        for (limb, (role, turn), degrees) in POSES {
            let joint = naming.joint(role).unwrap();
            let sweep = range.sweeps.iter().find(|s| s.joint == joint && s.turn == turn).unwrap();
            let pose = range.pose(sweep, degrees, &rig);
            let [(skin, muscles), (_, unpressed)] = ["1", "0"].map(|under| {
                host.set("under_skin", under).unwrap();
                host.pose(&pose).unwrap();
                host.begin(0).unwrap();
                let skin = TriMesh { positions: host.read("points").unwrap(), ..rest.clone() };
                (skin, host.read("muscle_points").unwrap())
            });
            let own = below(&human, naming.joint(limb).unwrap(), rig.parents);
            let more = volume(&skin, &own) / volume(&rest, &own) - 1.0;
            println!("{body}: {role} {turn} {degrees}: {:+.1} % of the limb's volume", 100.0 * more);
            assert!(more.abs() < KEPT, "{body}, {role}: {more}");
            assert_eq!(outside(&skin, &muscles), 0, "{body}, {role}");
            free += outside(&skin, &unpressed);
        }
        assert!(free > 20, "{body}: {free}");
    }
}
