//! Muscle sets, and the node `muscle_skin` from outside.

use sinew::formats::xml;
use sinew::math::{Real, Vec3};
use sinew::scene::muscles::MuscleSet;

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

/// What cannot be built is left out and told with its name, line and reason; the rest is there.
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
    let told = &built.left_out;
    assert_eq!(told.len(), 5, "{told:?}");
    assert!(told[0].contains("muscle pectoral.1 (line 2)") && told[0].contains("no joint \"RightArm\""));
    assert!(told[4].contains("muscle a (line 7)") && told[4].contains("coincide"), "{told:?}");
    let refused = |text: &str| set(text).parts(&joints()).unwrap_err().to_string();
    assert!(refused(&SHEET.replace("clavicular", "pectoral.2")).contains("duplicate name"));
    assert!(refused(&SHEET.replace("count=\"3\"", "count=\"0\"")).contains("count is 0"));
    assert!(refused(&SHEET.replace("ring=\"2\"", "ring=\"5\"")).contains("no vertex 1 of ring 5"));
}

#[test]
fn a_set_is_written_as_it_was_read() {
    let set = set(SHEET);
    assert_eq!(xml::parse::<MuscleSet>(&xml::write(&set)).unwrap(), set);
}
