//! Whether a body has a size that bodies have.

use super::with_commas;
use sinew_math::{Real, Vec3};

/// A body larger or smaller than this is more likely one whose unit is missing, in metres: a person in centimetres is
/// 170, in decimetres 17, and in kilometres a few millimetres; an elephant is 7 long, and a mouse 0.07.
const USUAL: [Real; 2] = [0.03, 12.0];

/// The question about a body of such a size, one sentence; `positions` are in metres.
pub fn odd_size(positions: &[Vec3]) -> Option<String> {
    let low = positions.iter().fold(Vec3::repeat(Real::INFINITY), |low, p| low.inf(p));
    let high = positions.iter().fold(Vec3::repeat(-Real::INFINITY), |high, p| high.sup(p));
    let longest = (high - low).max();
    let odd = longest > 0.0 && longest.is_finite() && !(USUAL[0]..=USUAL[1]).contains(&longest);
    let size = match longest {
        ..1e-3 => format!("{longest:.1e}"),
        ..1e3 => format!("{longest:.3}"),
        _ => with_commas(longest.round() as usize),
    };
    odd.then(|| {
        format!(
            "the body is {size} m long in its longest direction: is its unit right? A person is 1.7 m tall"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;
    use sinew_math::Rotation;

    #[test]
    fn only_sizes_that_no_body_has_are_asked_about() {
        let body = shapes::cylinder(0.2, 1.7, 12, 9).positions;
        let away = Rotation::new(Vec3::new(0.0, 0.4, 1.2));
        let asked = |scale: Real| {
            let moved: Vec<Vec3> =
                body.iter().map(|p| (away * p + Vec3::new(900.0, 3.0, -40.0)) * scale).collect();
            odd_size(&moved)
        };
        for usual in [0.04, 0.5, 1.0, 4.0] {
            assert_eq!(asked(usual), None, "{usual}");
        }
        assert!(asked(100.0).unwrap().contains("is its unit right?"));
        assert!(asked(10.0).is_some() && asked(1e-3).is_some() && asked(1e6).is_some());
        assert!(asked(1e-7).unwrap().contains("e-7 m long"));
        assert_eq!(odd_size(&[]), None);
        assert_eq!(odd_size(&[Vec3::x(); 4]), None);
    }
}
