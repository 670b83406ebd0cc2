//! Muscle sets, and the node `muscle_skin` from outside.

use sinew::control::Control;
use sinew::error::Kind;
use sinew::formats::xml;
use sinew::math::{Mat3, Real, Rotation, Space, UpAxis, Vec3, affine};
use sinew::muscle::{End, Muscle};
use sinew::nodes::{ArrayView, ArrayViewMut, History, Instance, Report};
use sinew::scene::muscles::MuscleSet;
use std::path::Path;

fn set(text: &str) -> MuscleSet {
    xml::parse(text).unwrap()
}

fn joints() -> Vec<String> {
    ["Spine", "LeftArm"].map(String::from).to_vec()
}

const SHEET: &str = r#"<muscle_set><space metres_per_unit="0.01" up="z"/>
<muscle name="pectoral" origin_joint="Spine" origin="0 -10 140" origin_to="0 -10 120" insertion_joint="LeftArm"
 insertion="20 -5 140" count="3" middle="0 -2 0" size="2" up="0 0 1" rings="5" divisions="4">
 <head name="clavicular" origin_joint="Spine" origin="5 -10 150" size="1.5"/>
 <offset ring="2" vertex="1" by="0 1 0"/>
</muscle>
<pad name="belly" joint="Spine" centre="0 -15 100" radius="20"/>
<bone name="humerus" joint="LeftArm" from="20 0 140" to="50 0 140" radius="1.2"/>
</muscle_set>"#;

/// Two joints of one name, as two characters in one file have them: the set says which it takes, once, wherever it is
/// used.
#[test]
fn joints_of_one_name_are_reported_once() {
    let set = set(SHEET);
    assert!(set.parts(&joints()).unwrap().same_names.is_empty());
    let names = ["LeftArm", "Spine", "Hips", "LeftArm", "LeftArm", "Hips"].map(String::from);
    let built = set.parts(&names).unwrap();
    assert_eq!(built.same_names, [r#"3 joints are called "LeftArm": the first of them carries muscles"#]);
    assert!(built.left_out.is_empty());
    assert!(built.parts.muscles.iter().all(|muscle| muscle.insertion.joint == 0));
    let mut host = host(&[]);
    host.node.set_param_text("joint_names", "upper,upper").unwrap();
    let report = host.frame(1, 24.0, &Vec3::zeros());
    let those: Vec<&String> =
        report.warnings.iter().filter(|reported| reported.contains("are called")).collect();
    assert_eq!(those, [r#"2 joints are called "upper": the first of them carries muscles"#]);
    let report = host.frame(2, 24.0, &Vec3::zeros());
    assert!(!report.warnings.iter().any(|reported| reported.contains("are called")), "once: {report:?}");
}

/// Centimetres with z up become metres with y up; a sheet fans out; a head shares the insertion.
#[test]
fn sheets_and_heads_become_muscles() {
    let set = set(SHEET);
    let built = set.parts(&joints()).unwrap();
    let near = |a: Vec3, b: [Real; 3]| assert!((a - Vec3::from(b)).norm() < 1e-15, "{a} {b:?}");
    let muscles = &built.parts.muscles;
    assert_eq!(set.muscle_names(), ["pectoral.1", "pectoral.2", "pectoral.3", "clavicular"]);
    assert_eq!(muscles.iter().map(|m| m.name.clone()).collect::<Vec<_>>(), set.muscle_names());
    near(muscles[0].origin.point, [0.0, 1.4, 0.1]);
    near(muscles[1].origin.point, [0.0, 1.3, 0.1]);
    near(muscles[2].origin.point, [0.0, 1.2, 0.1]);
    near(muscles[3].origin.point, [0.05, 1.5, 0.1]);
    for muscle in muscles {
        near(muscle.insertion.point, [0.2, 1.4, 0.05]);
        near(muscle.middle, [0.0, 0.0, 0.02]);
        near(muscle.up.unwrap(), [0.0, 1.0, 0.0]);
        assert_eq!((muscle.origin.joint, muscle.insertion.joint), (0, 1));
    }
    assert_eq!(muscles[0].offsets[9], Vec3::new(0.0, 0.01, 0.0));
    assert!(muscles[3].offsets.is_empty() && (muscles[3].size - 0.015).abs() < 1e-18);
    assert_eq!(built.parts.pads[0].radius, 0.2);
    near(built.parts.bones[0].ends[1], [0.5, 1.4, 0.0]);
    assert!(built.left_out.is_empty() && built.kept == [0, 1, 2, 3]);
}

/// An empty name is none, and of parts of one kind with one name only the first has it: the rest is built, and the
/// items of arrays stay where they were.
#[test]
fn parts_without_a_name_of_their_own_are_left_out() {
    let text = SHEET.replace("clavicular", "pectoral.2").replace(
        "</muscle_set>",
        r#"<pad name="belly" joint="Spine" centre="0 -15 90" radius="10"/>
<pad name="humerus" joint="Spine" centre="0 -15 90" radius="10"/>
<muscle name="" origin_joint="Spine" origin="1 2 3" insertion_joint="Spine" insertion="1 2 4" size="1"/>
<muscle name="b" origin_joint="Spine" origin="1 2 3" insertion_joint="Spine" insertion="1 2 4" size="1"/></muscle_set>"#,
    );
    let built = set(&text).parts(&joints()).unwrap();
    assert_eq!((built.kept.clone(), built.count()), (vec![0, 1, 2, 5], 6));
    assert_eq!(built.parts.muscles[1].rings, 5, "the strip of the sheet, not the head");
    let pads: Vec<&str> = built.parts.pads.iter().map(|pad| pad.name.as_str()).collect();
    assert_eq!((pads, built.parts.bones.len()), (vec!["belly", "humerus"], 1));
    let reported = built.reported(None);
    assert_eq!(reported.len(), 2);
    let same = "muscle pectoral.2 (line 4), pad belly (line 9) are left out: another one has that name";
    assert!(reported[0].starts_with(same), "{reported:?}");
    let unnamed = "muscle without a name (line 11) is left out: its name is empty";
    assert!(reported[1].starts_with(unnamed), "{reported:?}");
}

/// What cannot be built is left out and reported with name, line and reason; the rest is built.
#[test]
fn what_cannot_be_built_is_left_out() {
    let text = SHEET.replace("LeftArm\"\n insertion", "RightArm\"\n insertion").replace(
        "<pad",
        r#"<muscle name="a" origin_joint="Spine" origin="1 2 3" insertion_joint="Spine" insertion="1 2 3" size="1"/>
<muscle name="b" origin_joint="Spine" origin="1 2 3" insertion_joint="Spine" insertion="1 2 4" size="1"/>
<pad"#,
    );
    let built = set(&text).parts(&joints()).unwrap();
    assert_eq!((built.kept.clone(), built.parts.muscles[0].name.as_str()), (vec![5], "b"));
    let reported = built.reported(Some(Path::new("arm.xml")));
    assert_eq!(reported.len(), 2, "{reported:?}");
    let sheet = "muscle pectoral.1 (line 2 of arm.xml), muscle pectoral.2 (line 2), muscle pectoral.3 (line 2) and 1 \
            more are left out: the rig has no joint \"RightArm\"";
    assert!(reported[0].starts_with(sheet), "{reported:?}");
    assert!(
        reported[1].contains("muscle a (line 7 of arm.xml) is left out") && reported[1].contains("coincide")
    );
}

#[test]
fn a_set_is_written_as_it_was_read() {
    let set = set(SHEET);
    assert_eq!(xml::parse::<MuscleSet>(&xml::write(&set)).unwrap(), set);
}

/// An attribute that is left out has the default of a muscle made in code.
#[test]
fn defaults_are_said_once() {
    let text = r#"<muscle_set><muscle name="a" origin_joint="Spine" origin="0 0 0" insertion_joint="LeftArm"
 insertion="1 0 0" size="0.1"/></muscle_set>"#;
    let end = |joint: usize, x: Real| End { joint, point: Vec3::new(x, 0.0, 0.0) };
    let expected = Muscle::new("a".into(), end(0, 0.0), end(1, 1.0), 0.1);
    assert_eq!(set(text).parts(&joints()).unwrap().parts.muscles, [expected]);
}

/// An arm of two joints: a tube of skin along x with a biceps, a triceps and a pad, in metres with y up.
pub(crate) const ARM: &str = r#"<muscle_set>
<muscle name="biceps" origin_joint="upper" origin="0.05 1.02 0.02" insertion_joint="lower" insertion="0.36 1.02 0"
 size="0.03" middle="0 0.01 0"/>
<muscle name="triceps" origin_joint="upper" origin="0.04 0.98 0" insertion_joint="lower" insertion="0.31 0.975 0"
 size="0.025"/>
<pad name="fat" joint="upper" centre="0.15 0.97 0" radius="0.1"/>
<bone name="humerus" joint="upper" from="0 1 0" to="0.3 1 0" radius="0.012"/>
</muscle_set>"#;

pub(crate) const ACROSS: usize = 24;
pub(crate) const ALONG: usize = 60;

/// The vertices of the tube.
pub(crate) fn skin() -> Vec<Vec3> {
    let ring = |i: usize| {
        (0..ACROSS).map(move |k| {
            let angle = std::f64::consts::TAU * k as Real / ACROSS as Real;
            Vec3::new(0.6 * i as Real / ALONG as Real, 1.0 + 0.05 * angle.cos(), 0.05 * angle.sin())
        })
    };
    (0..=ALONG).flat_map(ring).collect()
}

/// A host of the node, in any space.
pub(crate) struct Host {
    pub(crate) node: Instance,
    pub(crate) space: Space,
}

impl Host {
    pub(crate) fn new(set: &str, space: Space, params: &[(&str, &str)]) -> Self {
        let muscles = [("muscles", set), ("joint_names", "upper,lower")];
        Host::of("muscle_skin", space, &[&muscles, params].concat())
    }

    /// Any node that skins the tube.
    pub(crate) fn of(node: &str, space: Space, params: &[(&str, &str)]) -> Self {
        let mut host = Host { node: Instance::new(node).unwrap(), space };
        host.node.set_space(space);
        for (id, text) in params {
            host.node.set_param_text(id, text).unwrap();
        }
        let skin = skin();
        let points: Vec<Real> = skin.iter().flat_map(|p| space.point_out(*p).data.0[0]).collect();
        host.give("points", &points, 3);
        let lower = |p: &Vec3| ((p.x - 0.25) / 0.1).clamp(0.0, 1.0);
        let weights: Vec<Real> = skin.iter().flat_map(|p| [1.0 - lower(p), lower(p)]).collect();
        host.give("influence_weights", &weights, 1);
        let (counts, joints) = (vec![2_u32; skin.len()], [0_u32, 1].repeat(skin.len()));
        host.node.set_array("influence_counts", &ArrayView::from_slice(&counts, 1).unwrap()).unwrap();
        host.node.set_array("influence_joints", &ArrayView::from_slice(&joints, 1).unwrap()).unwrap();
        host.pose("rest_joints", 0.0, &Vec3::zeros());
        host
    }

    pub(crate) fn give(&mut self, port: &str, values: &[Real], components: u32) {
        self.node.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
    }

    /// The elbow bent about z, all of it moved.
    pub(crate) fn pose(&mut self, port: &str, angle: Real, shift: &Vec3) {
        let turn = Rotation::from_axis_angle(&Vec3::z_axis(), angle).to_rotation_matrix().into_inner();
        let upper = affine(&Mat3::identity(), &(Vec3::new(0.0, 1.0, 0.0) + shift));
        let lower = affine(&turn, &(Vec3::new(0.3, 1.0, 0.0) + shift));
        let mut rows = Vec::new();
        for joint in [upper, lower] {
            let joint = self.space.affine_out(&joint);
            rows.extend((0..12).map(|k| joint[(k / 4, k % 4)]));
            rows.extend([0.0, 0.0, 0.0, 1.0]);
        }
        self.give(port, &rows, 16);
    }

    /// Frame `k` of a second of bending and unbending, at a rate.
    pub(crate) fn frame(&mut self, k: i64, rate: Real, shift: &Vec3) -> Report {
        let seconds = k as Real / rate;
        self.pose("joints", 1.8 * (2.0 * seconds).sin().abs(), shift);
        self.node.step(k, seconds, &Control::default()).unwrap()
    }

    /// Points of an output, in metres with y up.
    pub(crate) fn points(&self, port: &str) -> Vec<Vec3> {
        let mut values = vec![0.0; 3 * self.node.output_count(port).unwrap()];
        self.node.read(port, &mut ArrayViewMut::from_slice(&mut values, 3).unwrap()).unwrap();
        values.chunks_exact(3).map(|p| self.space.point_in(Vec3::from_column_slice(p))).collect()
    }
}

pub(crate) fn host(params: &[(&str, &str)]) -> Host {
    Host::new(ARM, Space::default(), params)
}

pub(crate) fn farthest(a: &[Vec3], b: &[Vec3]) -> Real {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max)
}

#[test]
fn the_skin_rests_and_the_muscles_move_it() {
    let mut host = host(&[("push_muscles", "1"), ("push_bones", "1"), ("push_skin", "1")]);
    host.pose("joints", 0.0, &Vec3::zeros());
    host.node.step(0, 0.0, &Control::default()).unwrap();
    assert!(farthest(&host.points("points"), &skin()) < 1e-12);
    host.frame(12, 24.0, &Vec3::zeros());
    let bent = host.points("points");
    host.node.set_param_text("weight_factor", "0").unwrap();
    host.frame(12, 24.0, &Vec3::zeros());
    let by_joints = host.points("points");
    let off = farthest(&bent, &by_joints);
    assert!((0.003..0.1).contains(&off), "{off}");
}

/// Skin over the gap between two muscles is lifted with that over their bellies, wherever they are: those of their
/// vertices that face the skin carry it, not those that face each other.
#[test]
fn skin_between_muscles_is_lifted() {
    const PAIR: &str = r#"<muscle_set>
<muscle name="one" origin_joint="upper" origin="0 0 -0.03" insertion_joint="upper" insertion="0.3 0 -0.03" size="0.025" girth="2"/>
<muscle name="two" origin_joint="upper" origin="0 0 0.03" insertion_joint="upper" insertion="0.3 0 0.03" size="0.025" girth="2"/>
</muscle_set>"#;
    let sheet = sinew::geometry::shapes::grid(0.12, 0.12, 12, 12);
    let lies = |p: &Vec3| Vec3::new(p.x + 0.15, 0.03, p.z);
    let positions: Vec<Vec3> = sheet.positions.iter().map(lies).collect();
    let mesh = sinew::geometry::Mesh { positions, ..sheet };
    let mut node = Instance::new("muscle_skin").unwrap();
    for (id, text) in [("muscles", PAIR), ("joint_names", "upper"), ("reach", "2.5"), ("nearest", "12")] {
        node.set_param_text(id, text).unwrap();
    }
    let count = mesh.positions.len();
    let points: Vec<Real> = mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    let matrix: Vec<Real> = (0..16).map(|k| if k % 5 == 0 { 1.0 } else { 0.0 }).collect();
    node.set_mesh("mesh", mesh.clone()).unwrap();
    for (port, values, components) in [
        ("points", &points, 3),
        ("rest_joints", &matrix, 16),
        ("joints", &matrix, 16),
        ("influence_weights", &vec![1.0; count], 1),
    ] {
        node.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
    }
    let (ones, first) = (vec![1_u32; count], vec![0_u32; count]);
    node.set_array("influence_counts", &ArrayView::from_slice(&ones, 1).unwrap()).unwrap();
    node.set_array("influence_joints", &ArrayView::from_slice(&first, 1).unwrap()).unwrap();
    node.step(1, 0.0, &Control::default()).unwrap();
    let mut moved = vec![0.0; 3 * count];
    node.read("points", &mut ArrayViewMut::from_slice(&mut moved, 3).unwrap()).unwrap();
    let lift = |z: Real| {
        let near =
            |v: &usize| (mesh.positions[*v].z - z).abs() < 6e-3 && (mesh.positions[*v].x - 0.15).abs() < 0.02;
        let lifts: Vec<Real> = (0..count).filter(near).map(|v| moved[3 * v + 1] - 0.03).collect();
        lifts.iter().sum::<Real>() / lifts.len() as Real
    };
    let (gap, bellies) = (lift(0.0), 0.5 * (lift(-0.03) + lift(0.03)));
    assert!(bellies > 0.01 && gap > 0.6 * bellies, "{gap} between {bellies} m");
}

/// Without muscles, and where none reaches, the skin is the node `skinning`'s, bit for bit, with every method.
#[test]
fn without_muscles_it_is_skinning() {
    let methods = ["linear", "dual_quaternion", "blend_map"];
    for (method, set) in methods.iter().flat_map(|method| ["<muscle_set/>", ""].map(|set| (*method, set))) {
        let mut with = Host::new(set, Space::default(), &[("method", method)]);
        let mut plain = Host::of("skinning", Space::default(), &[("method", method)]);
        let blend: Vec<Real> = (0..skin().len()).map(|k| k as Real / skin().len() as Real).collect();
        for node in [&mut with, &mut plain] {
            node.give("blend", &blend, 1);
            node.frame(9, 24.0, &Vec3::zeros());
        }
        assert_eq!(with.points("points"), plain.points("points"), "{method} {set}");
    }
}

/// A host in centimetres with z up, 100 m away, sees the same.
#[test]
fn spaces_and_places_do_not_matter() {
    let centimetres = Space::new(0.01, UpAxis::Z).unwrap();
    let far = Vec3::new(80.0, -40.0, 45.0);
    let (mut here, mut there) = (host(&[]), Host::new(ARM, centimetres, &[]));
    for k in 0..20 {
        here.frame(k, 24.0, &Vec3::zeros());
        there.frame(k, 24.0, &far);
        let back: Vec<Vec3> = there.points("points").iter().map(|p| p - far).collect();
        let off = farthest(&here.points("points"), &back);
        assert!(off < 1e-10, "frame {k}: {off:e}");
    }
}

/// What is sculpted on a muscle lies on the same side in hosts with y or z up, and the rings' matrices say where.
#[test]
fn sculpted_muscles_are_the_same_in_all_spaces() {
    let set =
        ARM.replacen("/>", r#" up="0.2 1 0.1"><offset ring="4" vertex="1" by="0 0.03 0.01"/></muscle>"#, 1);
    assert_ne!(set, ARM);
    for frames in ["stable", "up_vector"] {
        let seen = [UpAxis::Y, UpAxis::Z].map(|up| {
            let space = Space::new(0.01, up).unwrap();
            let mut host = Host::new(&set, space, &[("frames", frames), ("bulge", "0"), ("jiggle", "0")]);
            host.frame(5, 24.0, &Vec3::zeros());
            let mut matrices = vec![0.0; 16 * host.node.output_count("ring_matrices").unwrap()];
            host.node
                .read("ring_matrices", &mut ArrayViewMut::from_slice(&mut matrices, 16).unwrap())
                .unwrap();
            let ring = |vector: [Real; 4]| {
                let row = |k: usize| (0..4).map(|c| matrices[4 * 16 + 4 * k + c] * vector[c]).sum::<Real>();
                space.point_in(Vec3::new(row(0), row(1), row(2)))
            };
            let points = host.points("muscle_points");
            let centre = ring([0.0, 0.0, 0.0, 1.0]);
            // The ring's vertices without what is sculpted are at its centre, with the second one at 45 degrees.
            let [sculpted, opposite] = [1, 5].map(|k| points[4 * 8 + k] - centre);
            let by = ring([0.0, 3.0, 1.0, 0.0]);
            assert!((sculpted + opposite - by).norm() < 1e-12, "{frames} {up:?}: {sculpted} {opposite} {by}");
            points
        });
        assert!(farthest(&seen[0], &seen[1]) < 1e-12, "{frames}");
    }
}

#[test]
fn threads_do_not_matter() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut host = host(&[("push_skin", "1"), ("push_bones", "1")]);
            (0..8).for_each(|k| drop(host.frame(k, 24.0, &Vec3::zeros())));
            host.points("points")
        })
    };
    let one = run(1);
    for threads in [2, 3, 7] {
        assert_eq!(run(threads), one);
    }
}

/// Saved and loaded, computed again, or out of order: as `History` says.
#[test]
fn frames_go_on_from_what_was_saved() {
    let mut played = host(&[]);
    let mut all = Vec::new();
    let mut saved = Vec::new();
    for k in 0..12 {
        played.frame(k, 24.0, &Vec3::zeros());
        all.push(played.points("points"));
        saved.push(played.node.save_state());
    }
    let again = played.frame(11, 24.0, &Vec3::zeros());
    assert_eq!((again.history, played.points("points")), (History::Repeated, all[11].clone()));
    let mut resumed = host(&[]);
    resumed.node.load_state(&saved[6]).unwrap();
    let report = resumed.frame(7, 24.0, &Vec3::zeros());
    assert_eq!((report.history, resumed.points("points")), (History::Continued, all[7].clone()));
    assert_eq!(resumed.frame(3, 24.0, &Vec3::zeros()).history, History::Restarted);
    // Dynamics can be keyed without a restart; other muscles cannot.
    played.give("muscle_bulges", &[0.9, 0.5], 1);
    assert_eq!(played.frame(12, 24.0, &Vec3::zeros()).history, History::Continued);
    played.give("muscle_sizes", &[0.04, 0.02], 1);
    assert_eq!(played.frame(13, 24.0, &Vec3::zeros()).history, History::Continued);
    let renamed = ARM.replace("triceps", "anconeus");
    played.node.set_param_text("muscles", &renamed).unwrap();
    let report = played.frame(14, 24.0, &Vec3::zeros());
    assert_eq!(report.history, History::Restarted);
    assert!(report.warnings.iter().any(|w| w.contains("the muscles were changed")), "{report:?}");
    let mut other = Host::new(&renamed, Space::default(), &[]);
    other.node.go_on_from(&saved[6]).unwrap();
    assert_eq!(other.frame(7, 24.0, &Vec3::zeros()).history, History::Restarted);
    for cut in 0..saved[6].len() {
        assert!(other.node.load_state(&saved[6][..cut]).is_err());
    }
}

/// The spring jiggles after the elbow stopped, and with the jiggle off it does not.
#[test]
fn muscles_jiggle_after_a_stop() {
    let after = |jiggle: &str| {
        let mut host = host(&[("jiggle", jiggle)]);
        let mut seen = Vec::new();
        for k in 0..24_i32 {
            host.pose("joints", 0.2 * Real::from(k.min(6)), &Vec3::zeros());
            host.node.step(i64::from(k), Real::from(k) / 24.0, &Control::default()).unwrap();
            seen.push(host.points("points"));
        }
        farthest(&seen[8], &seen[23])
    };
    assert!(after("1") > 1e-4);
    assert_eq!(after("0"), 0.0);
}

#[test]
fn what_is_wrong_is_named() {
    let mut host = host(&[]);
    let refused = |host: &mut Host| host.node.step(0, 0.0, &Control::default()).unwrap_err();
    host.pose("joints", 0.0, &Vec3::zeros());
    host.node.set_param_text("joint_names", "upper").unwrap();
    let error = refused(&mut host);
    assert!(error.to_string().contains("joint_names has 1 names") && error.to_string().contains("2 joints"));
    host.node.set_param_text("joint_names", "upper, forearm").unwrap();
    let report = host.node.step(0, 0.0, &Control::default()).unwrap();
    let reported = |report: &Report, text: &str| report.warnings.iter().any(|w| w.contains(text));
    assert!(
        reported(
            &report,
            "muscle biceps (line 2), muscle triceps (line 4) are left out: the rig has no joint \"lower\""
        ),
        "{report:?}"
    );
    let report = host.node.step(1, 0.04, &Control::default()).unwrap();
    assert!(!reported(&report, "left out"), "reported once");
    host.node.set_param_text("joint_names", "upper,lower").unwrap();
    host.give("activations", &[0.5], 1);
    let error = refused(&mut host);
    assert_eq!((error.kind(), error.place().port.as_deref()), (Kind::CountMismatch, Some("activations")));
    host.give("activations", &[0.5, 0.5], 1);
    host.node.set_param_text("muscles", "missing.xml").unwrap();
    assert!(refused(&mut host).to_string().contains("missing.xml"));
    host.node.set_param_text("muscles", "<muscle_set><muscle/></muscle_set>").unwrap();
    assert!(refused(&mut host).to_string().contains("2 values for 1 muscle"));
    host.node.clear_input("activations").unwrap();
    let report = host.node.step(2, 0.08, &Control::default()).unwrap();
    assert!(reported(&report, "muscle without a name (line 1) is left out: the attribute name is missing"));
    host.node.set_param_text("muscles", "<muscle_set><muscle></muscle_set>").unwrap();
    assert!(refused(&mut host).to_string().contains("muscle"));
    host.node.set_param_text("muscles", "").unwrap();
    host.give("muscle_sizes", &[0.02, 0.02], 1);
    let error = refused(&mut host);
    assert_eq!(error.place().port.as_deref(), Some("muscle_origin_joints"), "{error}");
    assert!(error.to_string().contains("too little is known of the muscles"), "{error}");
    host.node.clear_input("muscle_sizes").unwrap();
    host.give("muscle_bulges", &[0.5, 0.5], 1);
    assert!(refused(&mut host).to_string().contains("2 values for 0 muscles"));
}
