//! Finds joints by names as people write them.

use super::Rig;
use crate::roles::{Role, Roles};
use sinew_base::error::{Error, Kind, Result};
use sinew_scene::spoken::{Spoken, listed, unknown};

impl Rig<'_> {
    /// The joint of a name, as somebody may have written it, or of a role (`upper_arm.L`).
    pub fn find_spoken(&self, name: &str) -> Result<usize> {
        let chosen =
            Role::parse(name).and_then(|role| self.chosen.iter().find(|(chosen, _)| *chosen == role));
        if let Some(joint) = chosen.map(|(_, joint)| *joint).or_else(|| self.find(name)) {
            return Ok(joint);
        }
        let wanted = Spoken::new(name);
        let parts: Vec<Spoken> = self.names.iter().map(|name| Spoken::new(name)).collect();
        let those = |fits: &dyn Fn(&Spoken) -> bool| -> Vec<usize> {
            (0..parts.len()).filter(|&joint| fits(&parts[joint])).collect()
        };
        let mut found = those(&|spoken| *spoken == wanted);
        if found.is_empty() && wanted.side.is_none() {
            found = those(&|spoken| spoken.words == wanted.words);
        }
        if found.is_empty() {
            found.extend(Roles::find(self).named(name));
        }
        match found[..] {
            [joint] => Ok(joint),
            [] => Err(unknown(self.names, name, &[])),
            _ => {
                let found = listed(self.names, &found);
                let message = format!("the joint name {name:?} is ambiguous: it matches {found}");
                Err(Error::new(Kind::InvalidArgument, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::Affine;

    fn found(names: &[&str], written: &str) -> std::result::Result<String, String> {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let rest = vec![Affine::identity(); names.len()];
        let joint = Rig { names: &names, rest: &rest, ..Rig::default() }.find_spoken(written);
        joint.map(|joint| names[joint].clone()).map_err(|e| e.message().to_string())
    }

    #[test]
    fn a_name_is_found_however_it_is_written() {
        let cmu = ["LeftUpLeg", "RightUpLeg", "LeftArm", "Spine1", "LThumb"];
        for written in
            ["left_up_leg", "upLeg.L", "LEFT UP LEG", "hero:LeftUpLeg", "Armature|leftUpleg", "l-upleg"]
        {
            assert_eq!(found(&cmu, written).as_deref(), Ok("LeftUpLeg"), "{written}");
        }
        assert_eq!(found(&cmu, "leftupleg").as_deref(), Ok("LeftUpLeg"));
        assert_eq!(found(&["hero:rightfoot", "hero:leftfoot"], "LeftFoot").as_deref(), Ok("hero:leftfoot"));
        assert_eq!(found(&cmu, "thumb left").as_deref(), Ok("LThumb"));
        // Only one side has it.
        assert_eq!(found(&cmu, "arm").as_deref(), Ok("LeftArm"));
        let others = ["mixamorig:RightForeArm", "upperarm01.L", "upperarm01.R", "calf_l"];
        assert_eq!(found(&others, "right fore arm").as_deref(), Ok("mixamorig:RightForeArm"));
        assert_eq!(found(&others, "UpperArm01_R").as_deref(), Ok("upperarm01.R"));
        assert_eq!(found(&others, "Calf.L").as_deref(), Ok("calf_l"));
        // An exact name is never another's.
        assert_eq!(found(&["Arm_L", "arm.l"], "arm.l").as_deref(), Ok("arm.l"));
    }

    #[test]
    fn what_is_not_found_or_not_clear_lists_what_there_is() {
        let names = ["upperarm01.L", "upperarm01.R", "wrist.L", "head"];
        let reported = found(&names, "upperarm01").unwrap_err();
        assert_eq!(
            reported,
            r#"the joint name "upperarm01" is ambiguous: it matches "upperarm01.L" or "upperarm01.R""#
        );
        let reported = found(&names, "UpperArm_R").unwrap_err();
        assert_eq!(reported, r#"the rig has no joint "UpperArm_R"; it has "upperarm01.R" or "upperarm01.L""#);
        assert_eq!(found(&names, "tail").unwrap_err(), r#"the rig has no joint "tail""#);
        assert_eq!(found(&[], "").unwrap_err(), r#"the rig has no joint """#);
    }
}
