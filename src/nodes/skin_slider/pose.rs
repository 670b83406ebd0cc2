//! Whether the mesh at rest can be that of the animation, judged by edge lengths: they are independent of where the
//! body stands, and a pose changes few of them by much.

use sinew_geometry::{Mesh, with_commas};
use sinew_math::elementary::{exp, ln};
use sinew_math::{Real, Vec3};

/// Suspicious if half of the edges change by more than this factor. Between a T-pose and a walk it is 1.01 to 1.05 on
/// characters, 1.2 on one that is squashed for effect; vertices in another order give 2 and more.
const MOST_USUAL: Real = 1.25;
/// A change by more than this factor is large, and at most this share of the edges may have it: skinning stretches
/// elbows and armpits by as much, a few edges in a hundred.
const LARGE: Real = 2.0;
const MOST_LARGE: Real = 0.25;
/// Up to this factor all edges have changed alike, so that the body is scaled rather than a different shape.
const ALIKE: Real = 1.1;

/// The warning about a body in its first frame, one sentence.
pub(super) fn odd_pose(rest: &Mesh, points: &[Vec3]) -> Option<String> {
    let mut changes = Vec::with_capacity(rest.corner_vertices.len());
    for face in 0..rest.face_count() {
        let face = rest.face(face);
        let ends = face.iter().zip(face.iter().cycle().skip(1)).map(|(&a, &b)| [a as usize, b as usize]);
        let lengths = ends
            .map(|[a, b]| [(rest.positions[b] - rest.positions[a]).norm(), (points[b] - points[a]).norm()]);
        let change = |[then, now]: [Real; 2]| ln((now / then).clamp(1e-9, 1e9));
        changes.extend(lengths.filter(|lengths| lengths[0] > 0.0).map(change));
    }
    if changes.is_empty() {
        return None;
    }
    let count = changes.len();
    let factor = median(changes.iter().copied());
    let usual = median(changes.iter().map(|change| change.abs()));
    let large = changes.iter().filter(|change| change.abs() > ln(LARGE)).count() as Real / count as Real;
    if usual <= ln(MOST_USUAL) && large <= MOST_LARGE {
        return None;
    }
    if median(changes.iter().map(|change| (change - factor).abs())) <= ln(ALIKE) {
        let factor = exp(factor);
        return Some(format!(
            "the body is {} times as large as the mesh at rest, edge by edge: is it in another unit, or a different \
             size?",
            if factor < 100.0 { format!("{factor:.3}") } else { with_commas(factor.round() as usize) }
        ));
    }
    Some(format!(
        "the body is far from the mesh at rest: half of its edges are longer or shorter by a factor of {:.2} or more, \
         {:.0} % by more than {LARGE}: is the mesh at rest the bind pose of this animation, with its vertices in the \
         same order?",
        exp(usual),
        100.0 * large
    ))
}

fn median(values: impl Iterator<Item = Real>) -> Real {
    let mut values: Vec<Real> = values.collect();
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, Real::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;

    #[test]
    fn poses_are_usual_and_other_sizes_and_orders_are_not() {
        let mesh = shapes::cylinder(0.1, 1.0, 12, 20);
        let reported = |place: &dyn Fn(usize, Vec3) -> Vec3| {
            let points: Vec<Vec3> = mesh.positions.iter().enumerate().map(|(v, p)| place(v, *p)).collect();
            odd_pose(&mesh, &points)
        };
        let away = nalgebra::Rotation3::new(Vec3::new(1.0, 2.0, 0.5));
        assert_eq!(reported(&|_, p| away * p + Vec3::new(100.0, 0.0, 3.0)), None);
        // Bent like a knee by a right angle.
        let bent = |_: usize, p: Vec3| {
            let angle = 1.57 * ((p.y - 0.45) / 0.1).clamp(0.0, 1.0);
            let (sin, cos) = angle.sin_cos();
            let y = p.y - 0.5;
            Vec3::new(p.x, cos * y - sin * p.z, sin * y + cos * p.z)
        };
        assert_eq!(reported(&bent), None);
        assert_eq!(reported(&|_, p| Vec3::new(0.9 * p.x, 1.25 * p.y, 0.9 * p.z)), None, "squash and stretch");
        let larger = reported(&|_, p| p * 100.0).unwrap();
        assert!(larger.starts_with("the body is 100 times as large"), "{larger}");
        assert!(reported(&|_, p| p * 0.0254).unwrap().contains("0.025 times as large"));
        let count = mesh.positions.len();
        let other = reported(&|v, _| mesh.positions[v * 7 % count]).unwrap();
        assert!(other.contains("far from the mesh at rest"), "{other}");
    }
}
