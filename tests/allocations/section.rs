//! Cutting a solid does not allocate after the first plane.

use crate::allocations::{alone, fewest_allocations};
use sinew::geometry::{LongBone, Section, Solid};
use sinew::math::{Placement, Rotation, Vec2, Vec3, Vec6};

#[test]
fn cutting_a_solid_does_not_allocate() {
    let _alone = alone();
    let solid = Solid::new(&LongBone::default().mesh().unwrap()).unwrap();
    let across = Rotation::from_scaled_axis(Vec3::y() * std::f64::consts::FRAC_PI_2);
    let middle = Placement::new(across, Vec3::x() * 0.03);
    let mut section = Section::default();
    let taken = fewest_allocations(|| {
        for k in 0..100 {
            let aside = f64::from(k) * 0.01;
            let plane = middle * Placement::exp(&Vec6::new(aside, 0.3, 0.0, 0.0, 0.0, -0.02 * aside));
            section.update(&solid, &plane).unwrap();
            section.closest(&Vec2::new(0.01, aside)).unwrap();
        }
    });
    assert_eq!(taken, 0);
}
