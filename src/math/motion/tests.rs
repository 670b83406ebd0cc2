use super::*;
use proptest::prelude::*;
use std::f64::consts::PI;

fn placement(n: [Real; 6]) -> Placement {
    Placement::exp(&Vec6::from(n))
}

fn distance(a: &Placement, b: &Placement) -> Real {
    (a.to_affine() - b.to_affine()).amax()
}

fn six(size: Real) -> impl Strategy<Value = [Real; 6]> {
    prop::array::uniform6(-size..size)
}

/// The series of the matrix exponential of the 4x4 matrix \[\[w\] v; 0 0\], scaled and squared.
fn matrix_exponential(twist: &Vec6) -> Affine {
    let (w, v) = parts(twist);
    let mut matrix = nalgebra::Matrix4::zeros();
    matrix.fixed_view_mut::<3, 4>(0, 0).copy_from(&affine(&cross(&w), &v));
    // Small enough for the series, then squared as often as it was halved; each doubles the rounding.
    let halvings = 3;
    let small: nalgebra::Matrix4<Real> = matrix * 0.5f64.powi(halvings);
    let (mut sum, mut term) = (nalgebra::Matrix4::identity(), nalgebra::Matrix4::identity());
    for k in 1..=30 {
        term = term * small / Real::from(k);
        sum += term;
    }
    (0..halvings).for_each(|_| sum *= sum);
    sum.fixed_rows::<3>(0).into_owned()
}

/// The derivative of `motion` by each of the six twists, by central differences.
fn differences(motion: impl Fn(&Vec6) -> Vec6) -> Mat6 {
    let step = 1e-5;
    let column = |k: usize| {
        let mut by = Vec6::zeros();
        by[k] = step;
        (motion(&by) - motion(&-by)) / (2.0 * step)
    };
    Mat6::from_columns(&[0, 1, 2, 3, 4, 5].map(column))
}

proptest! {
    #[test]
    fn the_exponential_is_the_matrix_series(n in six(3.0), scale in -40..1i32) {
        let twist = Vec6::from(n) * 2f64.powi(scale);
        let found = Placement::exp(&twist).to_affine();
        prop_assert!((found - matrix_exponential(&twist)).amax() < 1e-13);
    }

    #[test]
    fn the_logarithm_undoes_the_exponential(n in six(1.0), angle in 0.0..PI, scale in -60..1i32) {
        let (w, v) = parts(&Vec6::from(n));
        prop_assume!(w.norm() > 1e-3);
        for angle in [angle, angle * 2f64.powi(scale), PI - angle * 2f64.powi(scale)] {
            let twist = twist(&(w.normalize() * angle), &v);
            let found = Placement::exp(&twist).log();
            // Exactly at pi both logarithms are right.
            let back = distance(&Placement::exp(&found), &Placement::exp(&twist));
            prop_assert!(back < 1e-14 * 10.0, "{back}");
            prop_assert!((found - twist).amax() < 1e-14 * 10.0 || angle > PI - 1e-14 * 10.0);
        }
    }

    #[test]
    fn placements_are_a_group(a in six(3.0), b in six(3.0), x in prop::array::uniform3(-5.0..5.0f64)) {
        let (a, b, x) = (placement(a), placement(b), Vec3::from(x));
        prop_assert!(((a * b).point(&x) - a.point(&b.point(&x))).norm() < 1e-13);
        prop_assert!(distance(&(a * a.inverse()), &Placement::default()) < 1e-14);
        prop_assert!((a.inverse().point(&x) - a.point_inside(&x)).norm() < 1e-13);
        prop_assert!((a.direction_inside(&a.direction(&x)) - x).norm() < 1e-13);
        prop_assert!((a.point(&x) - crate::transform_point(&a.to_affine(), &x)).norm() < 1e-13);
        prop_assert!(distance(&Placement::from_affine(&a.to_affine()).unwrap(), &a) < 1e-13);
    }

    #[test]
    fn the_blend_moves_as_its_derivative_says(a in six(2.0), by in six(1.6), weight in 0.0..1.0f64, small: bool) {
        let a = placement(a);
        let b = a * Placement::exp(&(Vec6::from(by) * if small { 1e-9 } else { 1.0 }));
        let blend = a.blend_with_derivative(&b, weight);
        prop_assert!(distance(&blend.placement, &a.blend(&b, weight)) == 0.0);
        let moved = |a: Placement, b: Placement| (blend.placement.inverse() * a.blend(&b, weight)).log();
        let first = differences(|by| moved(a * Placement::exp(by), b));
        let second = differences(|by| moved(a, b * Placement::exp(by)));
        prop_assert!((first - blend.by_first).amax() < 1e-8, "{first} {}", blend.by_first);
        prop_assert!((second - blend.by_second).amax() < 1e-8, "{second} {}", blend.by_second);
    }

    #[test]
    fn the_blend_divides_the_angle_and_the_way(a in six(2.0), by in six(1.7), weight in 0.0..1.0f64) {
        let a = placement(a);
        let b = a * placement(by);
        let mid = a.blend(&b, weight);
        let turned = |from: &Placement, to: &Placement| rotation_vector(&(from.rotation.inverse() * to.rotation));
        prop_assert!((turned(&a, &mid) - turned(&a, &b) * weight).norm() < 1e-13);
        prop_assert!((mid.origin - a.origin.lerp(&b.origin, weight)).norm() < 1e-14 * 10.0);
        prop_assert!(distance(&a.blend(&b, 0.0), &a).max(distance(&a.blend(&b, 1.0), &b)) < 1e-13);
        // At one half it is the quaternions' normalised mean, whichever sign each quaternion has.
        let (p, q) = (a.rotation.quaternion(), b.rotation.quaternion());
        let q = if p.dot(q) < 0.0 { -*q } else { *q };
        let mean = Placement::new(Rotation::new_normalize(p + q), mid.origin);
        let half = a.blend(&Placement::new(Rotation::new_unchecked(-q), b.origin), 0.5);
        prop_assert!((half.axes() - mean.axes()).amax() < 1e-13);
    }
}

#[test]
fn a_million_steps_leave_the_rotations_by_no_more_than_round_off() {
    let phi = twist(&Vec3::new(0.3, -0.7, 1.1), &Vec3::new(0.2, 0.1, -0.4));
    let (steps, h) = (1_000_000, 1e-4);
    let mut e = Placement::default();
    let step = Placement::exp(&(phi * h));
    (0..steps).for_each(|_| e = e * step);
    let axes = e.axes();
    assert!((axes.transpose() * axes - Mat3::identity()).amax() < 1e-15 * 2.0);
    // The screw is exact for any step, so the position is too, up to the accumulated round-off of a million steps.
    assert!(distance(&e, &Placement::exp(&(phi * (h * f64::from(steps))))) < 1e-8);
}

#[test]
fn half_turns_have_logarithms_about_every_axis() {
    for axis in [Vec3::x(), -Vec3::y(), Vec3::new(1.0, 1.0, -1.0).normalize()] {
        let half = Placement::exp(&twist(&(axis * PI), &Vec3::new(1.0, 2.0, 3.0)));
        let log = half.log();
        assert!((parts(&log).0.norm() - PI).abs() < 1e-15);
        assert!(distance(&Placement::exp(&log), &half) < 1e-15 * 10.0);
    }
    assert_eq!(Placement::default().log(), Vec6::zeros());
}

#[test]
fn matrices_that_are_not_rigid_are_refused() {
    let kind = |m: Mat3| Placement::from_affine(&affine(&m, &Vec3::x())).map_err(|e| e.kind());
    assert_eq!(kind(Mat3::identity() * 1.1), Err(Kind::Degenerate));
    assert_eq!(kind(Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0))), Err(Kind::Degenerate));
    assert_eq!(kind(Mat3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)), Err(Kind::Degenerate));
    assert_eq!(kind(Mat3::from_element(Real::NAN)), Err(Kind::NotFinite));
    // Round-off of single precision is accepted.
    let turned = placement([1.0, 2.0, 0.5, 0.0, 0.0, 0.0]);
    let single = turned.axes().map(|x| f64::from(x as f32));
    assert!(distance(&Placement::from_affine(&affine(&single, &Vec3::zeros())).unwrap(), &turned) < 1e-6);
}

proptest! {
    #[test]
    fn the_rotation_between_directions_is_the_smallest(n in six(1.0), sizes in [1e-6..1e6f64, 1e-6..1e6f64]) {
        let (a, b) = (Vec3::new(n[0], n[1], n[2]), Vec3::new(n[3], n[4], n[5]));
        prop_assume!(a.norm() > 1e-3 && b.norm() > 1e-3 && (a.normalize() + b.normalize()).norm() > 1e-3);
        let turn = rotation_between(&(a * sizes[0]), &(b * sizes[1])).unwrap();
        prop_assert!((turn * a.normalize() - b.normalize()).norm() < 1e-12);
        // About an axis across both.
        let axis = rotation_vector(&turn);
        prop_assert!(axis.dot(&a).abs() < 1e-12 && axis.dot(&b).abs() < 1e-12);
    }
}

#[test]
fn opposite_directions_have_no_smallest_rotation() {
    for a in [Vec3::x(), Vec3::new(0.3, -2.0, 1e-3), Vec3::new(1e-9, 1e9, 7.0)] {
        for size in [1.0, 1e-7, 3e5] {
            assert_eq!(rotation_between(&a, &(a * -size)), None);
            assert!(rotation_vector(&rotation_between(&a, &(a * size)).unwrap()).norm() < 1e-15);
        }
    }
    assert_eq!(rotation_between(&Vec3::zeros(), &Vec3::x()), Some(Rotation::identity()));
}
