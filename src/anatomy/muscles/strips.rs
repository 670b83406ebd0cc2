//! The individual muscles of a plan: the strips of its sheets, and its heads, on one side of the body.

use super::naming::on_side;
use sinew_scene::muscles::plan::{OnBone, Pair, PlanHead, PlanMuscle};

/// A place on a bone, and the joint that carries it if it is not the bone's.
#[derive(Clone, Debug)]
pub(super) struct Attachment<'a> {
    pub bone: &'a Pair,
    pub place: OnBone,
    pub joint: Option<&'a str>,
}

/// One muscle.
#[derive(Clone, Debug)]
pub(super) struct Strip<'a> {
    pub name: String,
    pub mirrored: bool,
    pub plan: &'a PlanMuscle,
    pub origin: Attachment<'a>,
    pub insertion: Attachment<'a>,
    pub middle: Option<Attachment<'a>>,
    pub size: f64,
}

/// The muscles of an element.
pub(super) fn strips(plan: &PlanMuscle, mirrored: bool) -> Vec<Strip<'_>> {
    let side_by_side = (0..plan.count).map(|k| sheet_strip(plan, k, mirrored));
    let heads = plan.heads.iter().map(|head| head_strip(plan, head, mirrored));
    side_by_side.chain(heads).collect()
}

fn sheet_strip(plan: &PlanMuscle, k: u32, mirrored: bool) -> Strip<'_> {
    let t = if plan.count > 1 { f64::from(k) / f64::from(plan.count - 1) } else { 0.0 };
    let between = |from, to: Option<_>| {
        let from = OnBone::from(from);
        to.map_or(from, |to| from.towards(OnBone::from(to), t))
    };
    let number = if plan.count > 1 { format!(".{}", k + 1) } else { String::new() };
    Strip {
        name: on_side(&plan.name, mirrored) + &number,
        mirrored,
        plan,
        origin: Attachment {
            bone: &plan.origin_bone,
            place: between(plan.origin, plan.origin_to),
            joint: plan.origin_joint.as_deref(),
        },
        insertion: Attachment {
            bone: &plan.insertion_bone,
            place: between(plan.insertion, plan.insertion_to),
            joint: plan.insertion_joint.as_deref(),
        },
        middle: plan.middle.map(|middle| Attachment {
            bone: plan.middle_bone.as_ref().unwrap_or(&plan.origin_bone),
            place: between(middle, plan.middle_to),
            joint: None,
        }),
        size: plan.size,
    }
}

fn head_strip<'a>(plan: &'a PlanMuscle, head: &'a PlanHead, mirrored: bool) -> Strip<'a> {
    let first = sheet_strip(plan, 0, mirrored);
    let middle = head.middle.map(|middle| Attachment {
        bone: head.middle_bone.as_ref().or(plan.middle_bone.as_ref()).unwrap_or(&plan.origin_bone),
        place: middle.into(),
        joint: None,
    });
    Strip {
        name: on_side(&head.name, mirrored),
        origin: Attachment {
            bone: &head.origin_bone,
            place: head.origin.into(),
            joint: head.origin_joint.as_deref(),
        },
        insertion: Attachment {
            place: head.insertion.map_or(first.insertion.place, OnBone::from),
            ..first.insertion
        },
        middle: middle.or(first.middle),
        size: head.size.unwrap_or(plan.size),
        ..first
    }
}
