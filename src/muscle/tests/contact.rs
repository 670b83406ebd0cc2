//! Contact varies continuously with the pose, also where a ring passes the axis of a bone or is squeezed.

use super::*;

/// A muscle that sinks through a rod across it and, if there is one, from under another muscle that follows. `aside` is
/// how far the rod is from its middle ring. Everything is turned and away from the origin.
fn sinking(aside: Real, pressed: bool) -> (Model, impl Fn(Real) -> Vec<Affine>) {
    let turn = Rotation::from_axis_angle(&UnitVector3::new_normalize(Vec3::new(0.3, -1.0, 0.4)), 2.1);
    let at = |p: [Real; 3]| turn * Vec3::from(p) + Vec3::new(3.0, -2.0, 7.0);
    let ends = |y: Real, z: Real| [[-0.2, y, z], [0.2, y, z]].map(|end| at(end).into());
    let mut muscles = vec![muscle("sinks", [1, 1], ends(0.06, 0.0))];
    if pressed {
        muscles.push(muscle("presses", [2, 2], ends(0.12, 0.01)));
    }
    muscles.iter_mut().for_each(|muscle| muscle.middle = Vec3::zeros());
    let rod = [[aside, 0.0, -0.3], [aside, 0.0, 0.3]].map(at);
    let bones = vec![Bone { name: "rod".into(), joint: 0, ends: rod, radius: 0.012 }];
    let joints = move |sunk: Real| {
        let lower = |by: Real| affine(&Mat3::identity(), &(turn * Vec3::new(0.0, -by, 0.0)));
        vec![Affine::identity(), lower(sunk), lower(1.2 * sunk)]
    };
    (Model::new(Parts { muscles, bones, ..Parts::default() }, &joints(0.0), Frames::Stable).unwrap(), joints)
}

#[test]
fn rings_go_around_bones_without_jumps() {
    const STEP: Real = 1e-5;
    let middle = 4;
    for pressed in [false, true] {
        for aside in [0.0, 1e-9, 1e-6, -1e-4, 3e-3] {
            let (model, joints) = sinking(aside, pressed);
            let centre = |sunk: Real| posed(&model, &touching(), &joints(sunk), &[]).0.centres[middle];
            let (mut before, mut most) = (centre(0.0), (0.0, 0.0));
            for k in 1..=13_000 {
                let sunk = STEP * Real::from(k);
                let now = centre(sunk);
                let moved = (now - before).norm();
                if moved > most.0 {
                    most = (moved, sunk);
                }
                before = now;
            }
            // Where a ring that has passed the axis is let through it moves fast, but does not change sides at once, by
            // 84 mm.
            assert!(most.0 < 0.01, "pressed {pressed}, {aside} m aside: {:.2e} m at {} m", most.0, most.1);
        }
    }
}

/// A ring on the axis of a bone goes to the side on which it was at rest; one that has passed it completely stays
/// there.
#[test]
fn rings_go_to_the_side_of_the_rest_pose() {
    let (model, joints) = sinking(0.0, false);
    let height = |sunk: Real| {
        let [pushed, free] = [touching(), Settings::default()]
            .map(|settings| posed(&model, &settings, &joints(sunk), &[]).0.centres[4]);
        let up = model.centres[4] - (model.parts.bones[0].ends[0] + model.parts.bones[0].ends[1]) * 0.5;
        (pushed - free).dot(&up.normalize()) + 0.06 - sunk
    };
    let least = 0.042;
    for sunk in [0.03, 0.05, 0.06, 0.065] {
        assert!((height(sunk) - least).abs() < 1e-3, "{sunk}: {}", height(sunk));
    }
    assert!((height(0.11) + 0.05).abs() < 1e-12, "{}", height(0.11));
}

/// The same holds for skin: it passes the axis of a bone without a jump.
#[test]
fn skin_goes_around_bones_without_jumps() {
    const STEP: Real = 1e-6;
    let (model, _) = sinking(0.0, false);
    let axis = model.parts.bones[0].ends;
    let (home, aside) = (model.centres[4] - (axis[0] + axis[1]) * 0.5, (axis[1] - axis[0]).normalize());
    let (home, aside) = (home.normalize(), aside.cross(&home).normalize());
    let middle = (axis[0] + axis[1]) * 0.5;
    let contact = SkinContact::new(&model, &[middle + home * 0.03]);
    let (scratch, _) = posed(&model, &Settings::default(), &[Affine::identity(); 3], &[]);
    for off in [1e-8, 1e-4, 5e-4, 2e-3, 5e-3, 8e-3] {
        let pushed = |height: Real| {
            let mut points: [Real; 3] = (middle + home * height + aside * off).into();
            contact.push(&model, &scratch, 1.0, &mut points).unwrap();
            Vec3::from(points)
        };
        let mut before = pushed(0.03);
        for k in 1..=50_000 {
            let height = 0.03 - STEP * Real::from(k);
            let now = pushed(height);
            let moved = (now - before).norm();
            assert!(moved < 0.005, "{off} m aside: {moved:e} m at {height} m");
            before = now;
        }
        assert!(((pushed(0.0) - middle).norm() - 0.012).abs() < 1e-3, "out of the bone");
    }
}
