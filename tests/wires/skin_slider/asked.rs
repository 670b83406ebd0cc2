//! What a host is asked about once.

use super::{sheet, skin};
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec3};

/// The warnings of some frames that contain a text.
fn reported(text: &str, frames: &[Vec<String>]) -> Vec<usize> {
    frames.iter().map(|warnings| warnings.iter().filter(|warning| warning.contains(text)).count()).collect()
}

#[test]
fn a_size_that_no_body_has_is_asked_about_once() {
    for (scale, asked) in [(1.0, 0), (0.3, 0), (40.0, 0), (170.0, 1), (0.05, 1)] {
        let small = sheet([0.1, 0.25], [6, 12]);
        let positions = small.positions.iter().map(|p| (p + Vec3::new(7.0, -1.0, 30.0)) * scale).collect();
        let mesh = Mesh { positions, ..small };
        let mut host = skin(&mesh, &[("gravity", "0")]);
        let frames: Vec<_> = (1..4).map(|frame| host.frame(frame).warnings).collect();
        assert_eq!(reported("is its unit right?", &frames), [asked, 0, 0], "{scale}: {frames:?}");
    }
}

#[test]
fn fibres_that_are_missing_are_named_once_and_again_when_others_are() {
    let mesh = sheet([0.1, 0.25], [6, 12]);
    let count = mesh.positions.len();
    let mut host = skin(&mesh, &[("material", "orthotropic"), ("gravity", "0")]);
    let mut frame = 0;
    let mut two = |host: &mut super::super::host::Host| {
        frame += 2;
        [frame - 1, frame].map(|frame| host.frame(frame).warnings)
    };
    assert_eq!(reported("material Orthotropic has no fibres", &two(&mut host)), [1, 0]);
    let mut fibres: Vec<Real> = (0..count).flat_map(|_| [0.0, 1.0, 0.0]).collect();
    [5, 9].into_iter().for_each(|v| fibres[3 * v + 1] = 0.0);
    host.give("fibres", &fibres);
    let some = two(&mut host);
    assert_eq!(
        reported(&format!("no fibres at 2 of {count} vertices, the first 5"), &some),
        [1, 0],
        "{some:?}"
    );
    host.give("fibres", &[0.0, 1.0, 0.0].repeat(count));
    assert_eq!(reported("fibres", &two(&mut host)), [0, 0]);
    let mut other = skin(&mesh, &[("material", "fung"), ("gravity", "0")]);
    assert_eq!(reported("fibres", &two(&mut other)), [0, 0]);
}
