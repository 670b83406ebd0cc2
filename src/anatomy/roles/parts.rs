//! The roles by parts of the body, as hosts list them.

use super::Roles;
use super::role::{Digit, Role};
use sinew_scene::spoken::Side;

/// A part of the body and what can be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name for people.
    pub title: &'static str,
    /// Roles that a joint has, and those that the joints of most rigs have.
    pub roles: Vec<Role>,
}

/// The bones that most rigs give a finger.
const BONES: u8 = 3;

impl Roles {
    /// All parts of the body, from the head to the feet.
    pub fn parts(&self) -> Vec<Part> {
        let found = |kind: &dyn Fn(Role) -> bool| -> Vec<Role> {
            self.all().iter().map(|found| found.role).filter(|role| kind(*role)).collect()
        };
        let trunk = [Role::Head, Role::Neck(1), Role::Spine(1), Role::Pelvis];
        let mut trunk: Vec<Role> = trunk.into_iter().chain(found(&|role| role.side().is_none())).collect();
        trunk.sort_unstable_by(|a, b| b.cmp(a));
        trunk.dedup();
        let mut all = vec![Part { title: "Head and Trunk", roles: trunk }];
        for side in [Side::Left, Side::Right] {
            let titles = match side {
                Side::Left => ["Left Arm", "Left Hand", "Left Leg"],
                Side::Right => ["Right Arm", "Right Hand", "Right Leg"],
            };
            let arm = [Role::Clavicle(side), Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)];
            let fingers = Digit::ALL.into_iter().flat_map(|digit| (1..=BONES).map(move |bone| (digit, bone)));
            let hand: Vec<Role> = fingers.map(|(digit, bone)| Role::Finger(side, digit, bone)).collect();
            let leg = [Role::Thigh(side), Role::Shin(side), Role::Foot(side), Role::Toes(side)];
            let is_arm = |role: Role| arm.contains(&role) || role == Role::Scapula(side);
            let is_hand = |role: Role| matches!(role, Role::Finger(own, ..) if own == side);
            let each = [(arm.to_vec(), found(&is_arm)), (hand, found(&is_hand)), (leg.to_vec(), Vec::new())];
            for (title, (usual, found)) in titles.into_iter().zip(each) {
                let mut roles: Vec<Role> = usual.into_iter().chain(found).collect();
                roles.sort_unstable();
                roles.dedup();
                all.push(Part { title, roles });
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Certainty, Found};
    use super::*;

    #[test]
    fn every_role_is_listed_once() {
        let roles = [
            Role::Pelvis,
            Role::Spine(3),
            Role::Scapula(Side::Left),
            Role::Finger(Side::Right, Digit::Index, 0),
            Role::Toes(Side::Right),
        ];
        let found = roles.iter().enumerate().map(|(joint, &role)| {
            let (certainty, why) = (Certainty::Sure, String::new());
            Found { role, joint, certainty, why, rivals: Vec::new() }
        });
        let parts = Roles { found: found.collect(), ..Roles::default() }.parts();
        let all: Vec<Role> = parts.iter().flat_map(|part| part.roles.iter().copied()).collect();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), all.len());
        assert!(roles.iter().all(|role| once.contains(role)));
        let bare = Roles::default().parts();
        assert_eq!(bare.iter().map(|part| part.roles.len()).collect::<Vec<_>>(), [4, 4, 15, 4, 4, 15, 4]);
        let first: Vec<String> = parts[0].roles.iter().map(|role| role.title()).collect();
        assert_eq!(first, ["Head", "Neck 1", "Spine 3", "Spine 1", "Pelvis"]);
        assert_eq!(Role::Finger(Side::Left, Digit::Thumb, 2).title(), "Thumb 2");
        assert_eq!(Role::Finger(Side::Left, Digit::Index, 0).title(), "Index Metacarpal");
        assert_eq!(Role::UpperArm(Side::Left).title(), "Upper Arm");
    }
}
