//! Limbs that turn: how thick they are with muscles, beside joints alone.

use crate::characters::{Joints, OTHERS, fitted, folder, her, joints, rig};
use crate::human::Human;
use crate::muscle_body::play::Host;
use crate::soak::sample;
use sinew::anatomy::muscles::{HUMAN, Naming, Range, Sweep};
use sinew::formats::xml;
use sinew::geometry::{Mesh, Section, Solid};
use sinew::math::{Affine, Placement, Real, Rotation, Vec2, Vec3, translation};
use sinew::scene::muscles::MuscleSet;

/// A limb: the roles of the joints at the ends of its bone, and how much thicker it is at least, on average of both
/// ways to turn, where the bone carries its bellies.
const LIMBS: [(&str, [&str; 2], Real); 2] =
    [("upper arm", ["upper_arm.L", "forearm.L"], 0.01), ("thigh", ["thigh.L", "shin.L"], 0.005)];

/// The length around a body where a plane across `along` through a point cuts it: of the loop around that point.
fn girth(body: &Mesh, at: &Vec3, along: &Vec3) -> Real {
    let solid = Solid::new(body).unwrap();
    let turn = Rotation::rotation_between(&Vec3::z(), along).unwrap_or_default();
    let mut section = Section::default();
    section.update(&solid, &Placement { rotation: turn, origin: *at }).unwrap();
    let sides = |points: &[Vec2]| -> Vec<[Vec2; 2]> {
        (0..points.len()).map(|k| [points[k], points[(k + 1) % points.len()]]).collect()
    };
    let around = |points: &&[Vec2]| {
        let turned = sides(points).iter().map(|[a, b]| a.perp(b).atan2(a.dot(b))).sum::<Real>();
        turned.abs() > 3.0
    };
    let length = |points: &[Vec2]| sides(points).iter().map(|[a, b]| (b - a).norm()).sum();
    section.loops().filter(around).map(length).fold(Real::INFINITY, Real::min)
}

/// A body on the rig, whose skin goes with its joints alone, with muscles of which no joint carries the belly, or with
/// the human's.
struct Limbs {
    human: Human,
    joints: Joints,
    hosts: [Host; 3],
}

impl Limbs {
    fn new(human: Human) -> Self {
        let set = fitted(&human).0;
        let bare = MuscleSet { muscles: Vec::new(), pads: Vec::new(), bones: Vec::new(), ..set.clone() };
        let mut between = set.clone();
        between.muscles.iter_mut().for_each(|e| e.middle_joint = None);
        let hosts = [bare, between, set].map(|set| Host::new(&human, &set).unwrap());
        Limbs { joints: joints(&human, "default"), human, hosts }
    }

    /// The skins in a pose.
    fn skins(&mut self, pose: &[Affine]) -> [Mesh; 3] {
        self.hosts.each_mut().map(|host| {
            host.pose(pose).unwrap();
            host.begin(0).unwrap();
            Mesh { positions: host.read("points").unwrap(), ..self.human.mesh().clone() }
        })
    }

    /// The girth of a limb halfway along its bone, in a pose as a fraction of that at rest.
    fn girths(&mut self, bone: [&str; 2], pose: &[Affine]) -> [Real; 3] {
        let naming = Naming::new(&xml::parse(HUMAN).unwrap(), &rig(&self.joints));
        let ends = bone.map(|role| naming.joint(role).unwrap());
        let across = |joints: &[Affine]| {
            let [from, to] = ends.map(|joint| translation(&joints[joint]));
            ((from + to) * 0.5, (to - from).normalize())
        };
        let (at, along) = across(&self.joints.2);
        let rest = girth(self.human.mesh(), &at, &along);
        let (at, along) = across(pose);
        self.skins(pose).map(|skin| girth(&skin, &at, &along) / rest)
    }
}

/// A limb that turns about its bone, as far as its joint goes, is hardly thinner than joints alone leave it, and the
/// upper arm far less so than where bellies stay between the ends, which turn half as far.
#[test]
fn limbs_that_turn_keep_their_girth() {
    const THINNER: Real = 0.05;
    let plan = xml::parse(HUMAN).unwrap();
    let others = sample(&OTHERS, 3);
    let others = others.map(|(name, shapes)| (name, Human::shaped(&folder(), shapes).unwrap()));
    let mut wrong = Vec::new();
    for (name, human) in others.chain([(&"woman", her())]) {
        let mut limbs = Limbs::new(human);
        let joints = limbs.joints.clone();
        let range = Range::new(&plan, &rig(&joints), None).unwrap();
        let naming = Naming::new(&plan, &rig(&joints));
        for (limb, bone, gain) in LIMBS {
            let own = naming.joint(bone[0]).unwrap();
            let turns = |sweep: &&Sweep| sweep.joint == own && sweep.turn == "twist";
            let sweep = range.sweeps.iter().find(turns).unwrap();
            let mut gained = 0.0;
            for end in sweep.range {
                let pose = range.pose(sweep, end, &rig(&joints));
                let [alone, between, muscles] = limbs.girths(bone, &pose);
                let percent = |girth: Real| 100.0 * (girth - 1.0);
                let text = format!(
                    "{name}: {limb} turned by {end} degrees: joints alone {:.1} %, bellies between the ends {:.1} %, \
                     on the bone {:.1} %",
                    percent(alone),
                    percent(between),
                    percent(muscles)
                );
                println!("{text}");
                if muscles < alone - THINNER {
                    wrong.push(text);
                }
                gained += 0.5 * (muscles - between);
            }
            if gained < gain {
                wrong.push(format!("{name}: {limb} gains {:.1} %", 100.0 * gained));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
