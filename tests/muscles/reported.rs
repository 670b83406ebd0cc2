//! What the node tells about bad input: named, once, and the rest goes on.

use super::node::{ACROSS, ALONG, ARM, Host, farthest, host, skin};
use sinew::control::Control;
use sinew::geometry::Mesh;
use sinew::math::{Mat3, Real, Rotation, Space, UpAxis, Vec3, affine};
use sinew::nodes::Report;

fn reported(report: &Report, text: &str) -> bool {
    report.warnings.iter().any(|warning| warning.contains(text))
}

/// What arrays make impossible, and what carries no skin, is named, and the rest goes on.
#[test]
fn arrays_leave_out_what_cannot_be_and_the_rest_moves() {
    let mut good = host(&[]);
    good.frame(6, 24.0, &Vec3::zeros());
    for (port, values, components, why) in [
        ("muscle_sizes", vec![0.03, -0.01], 1, "muscle triceps is left out: size must be positive"),
        (
            "muscle_ups",
            vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            3,
            "muscle triceps is left out: the up-vector is zero",
        ),
        ("muscle_masses", vec![0.3, 0.0], 1, "muscle triceps is left out: mass is 0"),
    ] {
        let mut host = host(&[]);
        host.give(port, &values, components);
        let report = host.frame(6, 24.0, &Vec3::zeros());
        assert!(reported(&report, why), "{port}: {report:?}");
        let biceps = 0..72;
        assert!(
            farthest(&host.points("muscle_points"), &good.points("muscle_points")[biceps]) < 1e-12,
            "{port}"
        );
        // Repaired, it comes back.
        host.give(
            port,
            &[values[..components as usize].to_vec(), values[..components as usize].to_vec()].concat(),
            components,
        );
        let report = host.frame(6, 24.0, &Vec3::zeros());
        assert!(
            !reported(&report, "left out") && host.points("muscle_points").len() == 144,
            "{port}: {report:?}"
        );
    }
    let mut host = host(&[]);
    host.give("muscle_origins", &[0.05, 1.02, 0.02, 0.04, 9.0, 0.0], 3);
    host.give("muscle_insertions", &[0.36, 1.02, 0.0, 0.31, 9.0, 0.0], 3);
    let report = host.frame(6, 24.0, &Vec3::zeros());
    assert!(reported(&report, "muscle triceps carries no skin: none is within reach; put"), "{report:?}");
    assert!(!reported(&host.frame(7, 24.0, &Vec3::zeros()), "carries no skin"), "once");
}

#[test]
fn joints_that_scale_are_named() {
    let mut host = host(&[]);
    host.frame(1, 24.0, &Vec3::zeros());
    let scaled = |x: Real| [x, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mut rows = [scaled(1.0), scaled(1.5)].concat();
    rows[16 + 3] = 0.3;
    host.give("joints", &rows, 16);
    let report = host.node.step(2, 2.0 / 24.0, &Control::default()).unwrap();
    assert!(report.warnings.iter().any(|w| w.contains("joint \"lower\": scaling")), "{report:?}");
    let report = host.node.step(3, 3.0 / 24.0, &Control::default()).unwrap();
    assert!(report.warnings.is_empty(), "reported once: {report:?}");
}

/// A jump that throws all muscles and pads to their limits is reported in one line with the first names and how many
/// more there are, in every frame in which that happens, and never where no jiggle is shown.
#[test]
fn what_concerns_many_muscles_is_reported_in_one_line() {
    let extra = |k: usize| {
        format!(
            r#"<muscle name="extra{k}" origin_joint="upper" origin="0.05 1 0.0{k}" insertion_joint="lower"
 insertion="0.36 1 0.0{k}" size="0.01"/>"#
        )
    };
    let many = ARM.replace("<pad", &format!("{}<pad", (1..=4).map(extra).collect::<String>()));
    let jumped = |params: &[(&str, &str)]| {
        let mut host = Host::new(&many, Space::default(), params);
        (0..3).for_each(|k| drop(host.frame(k, 24.0, &Vec3::zeros())));
        let report = host.frame(3, 24.0, &Vec3::new(0.0, 5.0, 0.0));
        let too_fast = |warning: &&String| warning.contains("too fast for the spring");
        report.warnings.iter().filter(too_fast).cloned().collect::<Vec<_>>()
    };
    assert_eq!(
        jumped(&[]),
        [
            "muscle biceps, muscle triceps, muscle extra1 and 4 more: the body moved too fast for the spring, whose \
             deflection is limited"
        ]
    );
    assert!(jumped(&[("jiggle", "0")]).is_empty());
}

/// The tube with its faces, open at both ends.
fn tube() -> Mesh {
    let mut mesh = Mesh { positions: skin(), face_offsets: vec![0], ..Mesh::default() };
    for i in 0..ALONG {
        for k in 0..ACROSS {
            let next = (k + 1) % ACROSS;
            let at = |i: usize, k: usize| (i * ACROSS + k) as u32;
            mesh.corner_vertices.extend([at(i, k), at(i, next), at(i + 1, next), at(i + 1, k)]);
            mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
        }
    }
    mesh
}

fn inside_out(mut mesh: Mesh) -> Mesh {
    (0..mesh.face_count()).for_each(|face| {
        let corners = mesh.corners(face);
        mesh.corner_vertices[corners].reverse();
    });
    mesh
}

/// What is reported in two frames to a host with the tube as its mesh, about what lies outside.
fn outside(set: &str, space: Space, mesh: &Mesh) -> Vec<String> {
    let mut host = Host::new(set, space, &[]);
    let positions = mesh.positions.iter().map(|p| space.point_out(*p)).collect();
    host.node.set_mesh("mesh", Mesh { positions, ..mesh.clone() }).unwrap();
    let foreseen = host.node.foresee().unwrap();
    let warnings = host.frame(1, 24.0, &Vec3::zeros()).warnings;
    assert_eq!(foreseen, warnings);
    assert!(host.frame(2, 24.0, &Vec3::zeros()).warnings.is_empty(), "once");
    warnings.into_iter().filter(|warning| warning.contains("outside")).collect()
}

/// A muscle beside the tube, near enough to carry skin, and a pad: reported, in any unit, whichever way the mesh faces.
/// Those whose ends reach out, whose bellies do, that run along the skin, or that carry none of it are left alone, as
/// is everything if the mesh is a sheet.
#[test]
fn what_lies_outside_the_body_is_reported_once() {
    let muscle = |name: &str, y: [Real; 2], bent: Real| {
        format!(
            r#"<muscle name="{name}" origin_joint="upper" origin="0.1 {} 0" insertion_joint="lower" insertion="0.5 {} 0"
 middle="0 {bent} 0" size="0.03"/>"#,
            y[0], y[1]
        )
    };
    let added = |what: &str| ARM.replace("</muscle_set>", &format!("{what}</muscle_set>"));
    let pad = |y: Real| format!(r#"<pad name="low" joint="upper" centre="0.2 {y} 0" radius="0.06"/>"#);
    let stray = added(&(muscle("stray", [1.06, 1.06], 0.0) + &pad(0.91)));
    let centimetres = Space::new(0.01, UpAxis::Z).unwrap();
    for (space, mesh) in
        [(Space::default(), tube()), (centimetres, tube()), (Space::default(), inside_out(tube()))]
    {
        let reported = outside(&stray, space, &mesh);
        assert_eq!(reported.len(), 1, "{reported:?}");
        assert!(
            reported[0].starts_with("muscle stray, pad low: outside the body at rest; move"),
            "{reported:?}"
        );
    }
    let kind = added(
        &(muscle("ends", [1.06, 1.06], -0.1)
            + &muscle("belly", [1.0, 1.0], 0.12)
            + &muscle("skin", [1.045, 1.045], 0.0)
            + &pad(0.94)),
    );
    for mesh in [tube(), inside_out(tube())] {
        assert_eq!(outside(&kind, Space::default(), &mesh), [] as [String; 0]);
    }
    // Without skin it is no matter of this mesh, which may be a shirt.
    let far = added(&(muscle("far", [1.5, 1.5], 0.0) + &pad(0.5)));
    assert_eq!(outside(&far, Space::default(), &tube()), [] as [String; 0]);
    let mut half = tube();
    half.face_offsets.truncate(ACROSS * ALONG / 12);
    half.corner_vertices.truncate(half.face_offsets.last().copied().unwrap_or_default() as usize);
    assert_eq!(outside(&stray, Space::default(), &half), [] as [String; 0]);
}

/// Sizes that change in every frame, which build the muscles anew, do not repeat what was reported about them.
#[test]
fn what_persists_while_numbers_change_is_reported_once() {
    let mut host = host(&[]);
    host.node.set_mesh("mesh", tube()).unwrap();
    host.give("muscle_origins", &[0.05, 1.02, 0.02, 0.04, 1.06, 0.0], 3);
    host.give("muscle_insertions", &[0.36, 1.02, 0.0, 0.31, 1.06, 0.0], 3);
    let count = |report: Report| report.warnings.len();
    let sized = |host: &mut Host, frame: i64| {
        host.give("muscle_sizes", &[0.03, 0.02 + 1e-4 * frame as Real], 1);
        count(host.frame(frame, 24.0, &Vec3::zeros()))
    };
    assert_eq!((1..5).map(|frame| sized(&mut host, frame)).collect::<Vec<_>>(), [1, 0, 0, 0]);
    host.node.reset();
    assert_eq!(sized(&mut host, 5), 1);
}

/// Vertices without weights, and a muscle along its up-vector, are reported once and again after a reset.
#[test]
fn what_holds_in_every_frame_is_reported_in_the_first() {
    let along = ARM.replace(r#"size="0.025""#, r#"size="0.025" up="1 0 0""#);
    let mut host = Host::new(&along, Space::default(), &[("frames", "up_vector")]);
    let count = skin().len();
    let mut counts = vec![2_u32; count];
    (counts[7], counts[8]) = (0, 4);
    let array = sinew::nodes::ArrayView::from_slice(&counts, 1).unwrap();
    host.node.set_array("influence_counts", &array).unwrap();
    for _ in 0..2 {
        let report = host.frame(0, 24.0, &Vec3::zeros());
        assert!(
            reported(&report, "the first is vertex 7") && reported(&report, "muscle triceps at ring"),
            "{report:?}"
        );
        for frame in 1..4 {
            let report = host.frame(frame, 24.0, &Vec3::zeros());
            // A muscle along its up-vector may flip in any frame, which is reported each time.
            let others = report.warnings.iter().filter(|reported| !reported.contains("have flipped"));
            assert_eq!(others.count(), 0, "{frame}: {report:?}");
        }
        host.node.reset();
    }
}

/// The lower joint's axes changed by a matrix, in the second frame.
fn with_axes(host: &mut Host, axes: &Mat3, shift: &Vec3, turn: &Mat3) -> Report {
    let mut rows = Vec::new();
    for (axes, x) in [(&Mat3::identity(), 0.0), (axes, 0.3)] {
        let joint = affine(&(turn * axes), &(turn * Vec3::new(x, 1.0, 0.0) + shift));
        rows.extend((0..12).map(|k| joint[(k / 4, k % 4)]));
        rows.extend([0.0, 0.0, 0.0, 1.0]);
    }
    host.give("joints", &rows, 16);
    host.node.step(1, 1.0 / 24.0, &Control::default()).unwrap()
}

/// A mirrored joint is reported, by whichever axis and however the body is turned, and its muscles turn along with it:
/// those of a turned body are the turned muscles.
#[test]
fn mirrored_joints_are_reported_and_turn_along() {
    let turn = Rotation::from_euler_angles(0.4, -1.1, 2.0).to_rotation_matrix().into_inner();
    let tilt = Rotation::from_euler_angles(0.2, 0.1, -0.3).to_rotation_matrix().into_inner();
    let shift = Vec3::new(3.0, -2.0, 5.0);
    for scale in [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0; 3], [-0.5, 1.0, 2.0]] {
        let axes = tilt * Mat3::from_diagonal(&Vec3::from(scale));
        let mut still = host(&[]);
        let report = with_axes(&mut still, &axes, &Vec3::zeros(), &Mat3::identity());
        assert!(reported(&report, "joint \"lower\": mirrored since rest"), "{scale:?}: {report:?}");
        let mut turned = host(&[]);
        let report = with_axes(&mut turned, &axes, &shift, &turn);
        assert!(reported(&report, "joint \"lower\": mirrored since rest"), "{scale:?}: {report:?}");
        let there: Vec<Vec3> = still.points("muscle_points").iter().map(|p| turn * p + shift).collect();
        let off = farthest(&there, &turned.points("muscle_points"));
        assert!(off < 1e-9, "{scale:?}: {off}");
    }
}

/// A rest pose that is mirrored itself is a rest pose like others.
#[test]
fn joints_mirrored_at_rest_already_are_sound() {
    let mirror = Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
    let mut host = host(&[]);
    let mut rows = Vec::new();
    for x in [0.0, 0.3] {
        let joint = affine(&mirror, &Vec3::new(x, 1.0, 0.0));
        rows.extend((0..12).map(|k| joint[(k / 4, k % 4)]));
        rows.extend([0.0, 0.0, 0.0, 1.0]);
    }
    host.give("rest_joints", &rows, 16);
    host.give("joints", &rows, 16);
    let report = host.node.step(1, 0.0, &Control::default()).unwrap();
    assert_eq!(report.warnings, [] as [String; 0]);
    assert!(farthest(&host.points("points"), &skin()) < 1e-12);
}

#[test]
fn joints_scaled_to_nothing_say_what_to_do() {
    for scale in [[0.0; 3], [0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1e-9; 3], [1.0, -1e-8, 1.0]] {
        let mut host = host(&[]);
        let axes = Mat3::from_diagonal(&Vec3::from(scale));
        let report = with_axes(&mut host, &axes, &Vec3::zeros(), &Mat3::identity());
        assert_eq!(report.warnings.len(), 1, "{report:?}");
        assert!(
            reported(&report, "joint \"lower\": scaled to nothing") && reported(&report, "give it a scale"),
            "{report:?}"
        );
    }
}

#[test]
fn joints_that_are_not_finite_are_named() {
    let mut host = host(&[]);
    host.frame(0, 24.0, &Vec3::zeros());
    let mut rows: Vec<Real> = (0..32).map(|k| if k % 5 == 0 { 1.0 } else { 0.0 }).collect();
    rows[16 + 2] = Real::NAN;
    let array = sinew::nodes::ArrayView::from_slice(&rows, 16).unwrap();
    let error = host.node.set_array("joints", &array).unwrap_err();
    assert!(error.to_string().contains("joint \"lower\": component 2 is NaN"), "{error}");
    assert_eq!(error.place().joint, Some(1));
}

/// Vertices that no muscle carries have a share of 0, not of -0, which tables would show.
#[test]
fn what_is_not_carried_is_plainly_zero() {
    let mut host = host(&[]);
    host.frame(0, 24.0, &Vec3::zeros());
    let mut carried = vec![0.0; skin().len()];
    host.node.read("carried", &mut sinew::nodes::ArrayViewMut::from_slice(&mut carried, 1).unwrap()).unwrap();
    assert!(carried.contains(&0.0) && carried.iter().all(|part: &Real| part.is_sign_positive()));
}

/// A hundred thin muscles deep in the tube.
fn many(more: &str) -> String {
    let muscle = |k: usize| {
        let y = 1.0 + 1e-4 * k as Real;
        format!(
            r#"<muscle name="m{k}" origin_joint="upper" origin="0.1 {y} 0" insertion_joint="lower" insertion="0.5 {y} 0" size="0.004"/>"#
        )
    };
    format!("<muscle_set>{more}{}</muscle_set>", (0..100).map(muscle).collect::<String>())
}

/// What is reported to a host with a mesh, before and in the first frame.
fn about(set: &str, space: Space, mesh: Option<&Mesh>, params: &[(&str, &str)]) -> Vec<String> {
    let mut host = Host::new(set, space, params);
    if let Some(mesh) = mesh {
        let positions = mesh.positions.iter().map(|p| space.point_out(*p)).collect();
        host.node.set_mesh("mesh", Mesh { positions, ..mesh.clone() }).unwrap();
    }
    let foreseen = host.node.foresee().unwrap();
    let warnings = host.frame(1, 24.0, &Vec3::zeros()).warnings;
    assert_eq!(foreseen, warnings);
    warnings
}

/// A hundred muscles that carry nothing are one line, and where the mesh is inside out that is the reason given, in any
/// unit; a muscle that is too far as well has its own.
#[test]
fn many_muscles_without_skin_are_reported_in_one_line_for_each_reason() {
    let reach = [("reach", "20"), ("nearest", "64"), ("smooth", "0")];
    let far = r#"<muscle name="far" origin_joint="upper" origin="0 9 0" insertion_joint="lower" insertion="1 9 0" size="0.01"/>"#;
    let centimetres = Space::new(0.01, UpAxis::Z).unwrap();
    for space in [Space::default(), centimetres] {
        let reported = about(&many(""), space, Some(&inside_out(tube())), &reach);
        assert_eq!(
            reported,
            [
                "muscle m0, muscle m1, muscle m2 and 97 more carry no skin: the mesh there is inside out, with \
                 normals that point inwards; flip them"
            ]
        );
        let reported = about(&many(far), space, Some(&inside_out(tube())), &reach);
        assert_eq!(reported.len(), 2, "{reported:?}");
        assert!(
            reported[0].starts_with("muscle far carries no skin: none is within reach; put"),
            "{reported:?}"
        );
        let reported = about(&many(far), space, Some(&tube()), &reach);
        assert!(
            !reported.iter().any(|text| text.contains("inside out") || text.contains("normals")),
            "{reported:?}"
        );
        assert!(reported[0].starts_with("muscle far carries no skin: none is within reach"), "{reported:?}");
    }
    // Of what is mostly holes it is not known which side is which.
    let whole = inside_out(tube());
    let mut half = Mesh { corner_vertices: Vec::new(), face_offsets: vec![0], ..whole.clone() };
    for face in (0..whole.face_count()).filter(|face| face % 2 == 0) {
        half.corner_vertices.extend_from_slice(whole.face(face));
        half.face_offsets.push(half.corner_vertices.len() as u32);
    }
    let reported = about(&many(""), Space::default(), Some(&half), &reach);
    assert!(
        reported[0].contains("faces the other way; put muscles under the skin or, if the mesh is inside out"),
        "{reported:?}"
    );
    let short = [("reach", "0.5")];
    let reported = about(&many(""), Space::default(), Some(&inside_out(tube())), &short);
    assert!(
        reported.len() == 1 && reported[0].contains("and 97 more carry no skin: none is within reach"),
        "{reported:?}"
    );
}

/// The other reasons: a weight of 0, others that are nearer everywhere, a map, and painted weights.
#[test]
fn why_a_muscle_carries_no_skin_is_reported() {
    let only = |text: &str, params: &[(&str, &str)]| {
        let reported = about(text, Space::default(), None, params);
        reported.into_iter().filter(|text| text.contains("no skin")).collect::<Vec<_>>()
    };
    let weightless = ARM.replace("size=\"0.025\"", "size=\"0.025\" weight=\"0\"");
    assert_eq!(only(&weightless, &[]), ["muscle triceps carries no skin: the weight is 0"]);
    let mut host = host(&[]);
    host.give("muscle_map", &vec![0.0; skin().len()], 1);
    let report = host.frame(1, 24.0, &Vec3::zeros());
    assert!(
        reported(
            &report,
            "muscle biceps, muscle triceps carry no skin: other muscles are nearer to what is within reach, or \
             muscle_map is 0"
        ),
        "{report:?}"
    );
    host.give("fat_map", &vec![0.0; skin().len()], 1);
    let report = host.frame(2, 24.0, &Vec3::zeros());
    assert!(
        reported(&report, "pad fat displaces no skin: none is within the radius, or fat_map is 0"),
        "{report:?}"
    );
}

/// A set of nothing is reported, and so is, after a frame that failed, what was wrong in it besides.
#[test]
fn an_empty_set_is_reported_and_nothing_is_lost_in_a_frame_that_fails() {
    for nothing in ["<muscle_set/>", ""] {
        assert_eq!(
            about(nothing, Space::default(), None, &[]),
            ["there are no muscles, so joints alone move the skin"]
        );
    }
    let broken = ARM.replace("size=\"0.025\"", "size=\"0.025\" count=\"0\"");
    let mut host = Host::new(&broken, Space::default(), &[]);
    host.pose("joints", 0.0, &Vec3::zeros());
    host.give("activations", &[0.5], 1);
    assert!(host.node.step(1, 0.0, &Control::default()).is_err());
    host.give("activations", &[0.5, 0.5], 1);
    let report = host.frame(2, 24.0, &Vec3::zeros());
    assert!(reported(&report, "muscle triceps (line 4) is left out: count is 0"), "{report:?}");
    assert!(!reported(&host.frame(3, 24.0, &Vec3::zeros()), "left out"), "once");
}
