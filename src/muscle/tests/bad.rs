//! Parts and joints that make no sense.

use super::super::*;
use super::{arm, model, posed};
use sinew_math::{Affine, Mat3, Real, Vec3, affine, compose};

#[test]
fn bad_parts_are_named() {
    let (parts, rest) = arm();
    let refused = |change: &dyn Fn(&mut Parts)| {
        let mut bad = parts.clone();
        change(&mut bad);
        let error = Model::new(bad, &rest, Frames::Stable).unwrap_err();
        format!("{error}")
    };
    let says =
        |text: String, words: [&str; 2]| words.iter().for_each(|w| assert!(text.contains(w), "{text}"));
    says(refused(&|p| p.muscles[1].insertion.joint = 3), ["muscle triceps", "joint of insertion is 3"]);
    says(refused(&|p| p.muscles[2].middle_joint = Some(3)), ["muscle flexor", "joint of middle is 3"]);
    says(
        refused(&|p| p.muscles[0].insertion.point = p.muscles[0].origin.point),
        ["muscle biceps", "coincide"],
    );
    says(refused(&|p| p.muscles[2].up = Some(Vec3::zeros())), ["muscle flexor", "up-vector"]);
    says(refused(&|p| p.muscles[2].spring.mass = 0.0), ["muscle flexor", "mass is 0"]);
    says(refused(&|p| p.muscles[0].rings = 1), ["muscle biceps", "rings is 1"]);
    says(refused(&|p| p.muscles[0].offsets.truncate(5)), ["muscle biceps", "5 offsets"]);
    says(refused(&|p| p.muscles[0].middle.x = Real::NAN), ["muscle biceps", "middle is not finite"]);
    says(refused(&|p| p.pads[0].radius = -1.0), ["pad fat", "radius must be positive"]);
    says(refused(&|p| p.bones[1].joint = 9), ["bone ulna", "joint of from is 9"]);
    // Each may be as fine as that, but not all of a sheet.
    let sheet = |p: &mut Parts| {
        let muscle = Muscle { rings: 1000, divisions: 1000, offsets: Vec::new(), ..p.muscles[0].clone() };
        p.muscles = vec![muscle; 200];
    };
    says(refused(&sheet), ["200000000 vertices", "fewer rings"]);
    let flat = vec![Affine::zeros(); 3];
    assert!(format!("{}", Model::new(parts.clone(), &flat, Frames::Stable).unwrap_err()).contains("joint 0"));
    // A joint that scales turns muscles by its rotation alone, and is named.
    let mut large = rest.clone();
    large[1] = compose(&large[1], &affine(&(Mat3::identity() * 1.2), &Vec3::zeros()));
    let (_, report) = posed(&model(Frames::Stable), &Settings::default(), &large, &[]);
    assert_eq!(report.warnings, [Warning::Scales { joint: 1 }]);
}
