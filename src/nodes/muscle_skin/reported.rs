//! What the node warns about, in words. Everything is reported once: again after it has been repaired, and after a
//! reset.

use super::layers::{Layers, Reason};
use sinew_math::{Affine, Real};
use sinew_muscle::{Body, Distortion, Idle, Model, Step, Warning};
use sinew_scene::few::{FEW, few};
use std::collections::HashSet;

/// What has been reported.
#[derive(Default)]
pub(super) struct Reported {
    /// About what the host gives, when it was last checked.
    given: HashSet<String>,
    /// About the muscles' and joints' motions.
    moving: HashSet<(Fault, usize)>,
}

/// What may be wrong with a motion.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Fault {
    Distorted(Distortion),
    Short,
    NearUp,
}

/// What the sentences about a frame are made of.
pub(super) struct Shown<'a> {
    pub model: &'a Model,
    pub joints: &'a [Affine],
    /// The names of the joints, as far as they are known.
    pub joint_names: &'a [String],
    /// How much of the jiggle is shown.
    pub jiggle: Real,
}

impl Reported {
    /// Everything is reported again.
    pub fn forget(&mut self) {
        *self = Reported::default();
    }

    /// What is wrong with motions is reported again: the muscles are others.
    pub fn forget_motions(&mut self) {
        self.moving.clear();
    }

    /// Those of the sentences that were not reported when what the host gives was last checked.
    pub fn news(&mut self, sentences: Vec<String>) -> Vec<String> {
        let before = std::mem::replace(&mut self.given, sentences.iter().cloned().collect());
        sentences.into_iter().filter(|sentence| !before.contains(sentence)).collect()
    }

    /// One sentence for each kind of warning, with the first muscles, pads or joints and how many more it concerns.
    /// Flips, and jiggle that reaches its limit where jiggle is shown, are reported in every frame that has them,
    /// everything else once.
    pub fn of_frame(&mut self, report: &Step, shown: &Shown) -> Vec<String> {
        let parts = shown.model.parts();
        let muscle = |muscle: usize| format!("muscle {}", parts.muscles[muscle].name);
        let [mut scaled, mut mirrored, mut flat] = [(); 3].map(|()| Concerned::default());
        let [mut far, mut short, mut near, mut flipped] = [(); 4].map(|()| Concerned::default());
        let mut last_flipped = None;
        for warning in &report.warnings {
            match *warning {
                Warning::Scales { joint } => {
                    let Some(how) = shown.model.distortion(joint, &shown.joints[joint]) else { continue };
                    let list = match how {
                        Distortion::Scaled => &mut scaled,
                        Distortion::Mirrored => &mut mirrored,
                        Distortion::Flat => &mut flat,
                    };
                    if self.moving.insert((Fault::Distorted(how), joint)) {
                        list.push(|| shown.joint(joint));
                    }
                }
                Warning::Far { .. } if shown.jiggle == 0.0 => {}
                Warning::Far { particle } => far.push(|| match particle.checked_sub(parts.muscles.len()) {
                    None => muscle(particle),
                    Some(pad) => format!("pad {}", parts.pads[pad].name),
                }),
                Warning::Short { muscle: short_one } => {
                    if self.moving.insert((Fault::Short, short_one)) {
                        short.push(|| muscle(short_one));
                    }
                }
                Warning::NearUp { muscle: turned, ring } => {
                    if self.moving.insert((Fault::NearUp, turned)) {
                        near.push(|| format!("{} at ring {ring}", muscle(turned)));
                    }
                }
                Warning::Flipped { muscle: turned, .. } => {
                    if last_flipped.replace(turned) != Some(turned) {
                        flipped.push(|| muscle(turned));
                    }
                }
            }
        }
        let reported = [
            scaled.reported("scaling and shearing do not act on muscles, only rotation does"),
            mirrored.reported(
                "mirrored since rest, which no rotation does, so muscles turn as if all three of its axes were \
                 reversed; remove the negative scale, or mirror the rest pose as well",
            ),
            flat.reported(
                "scaled to nothing, so where it points is unknown, and muscles and skin collapse there; give it a \
                 scale other than zero",
            ),
            far.reported("the body moved too fast for the spring, whose deflection is limited"),
            short.reported("the ends nearly coincide; the width is limited"),
            near.reported(
                "it points nearly along its up-vector: rings flip where it passes it; choose another up-vector, or \
                 stable axes",
            ),
            flipped.reported(
                "it has passed its up-vector since the frame before, so its rings have flipped; choose another \
                 up-vector, or stable axes",
            ),
        ];
        reported.into_iter().flatten().collect()
    }
}

impl Shown<'_> {
    fn joint(&self, joint: usize) -> String {
        match self.joint_names.get(joint) {
            Some(name) => format!("joint {name:?}"),
            None => format!("joint {joint}"),
        }
    }
}

/// The muscles along their up-vectors at rest.
pub(super) fn near_up(model: &Model) -> Option<String> {
    let mut concerned = Concerned::default();
    model.near_up().for_each(|muscle| concerned.push(|| format!("muscle {}", muscle.name)));
    concerned.reported(
        "at rest it points along its up-vector, so round-off decides how its rings are turned; give it another \
         up-vector",
    )
}

/// The muscles that carry no skin and the pads that displace none, one sentence for each reason.
pub(super) fn idle(model: &Model, layers: &Layers, body: Option<&Body>) -> Vec<String> {
    let parts = model.parts();
    let why = |(muscle, reason): &(usize, Reason)| match reason {
        Reason::Unpainted => "no weight is painted",
        Reason::Weightless => "the weight is 0",
        Reason::Of(Idle::Far) => {
            "none is within reach; put muscles under the skin, make them larger, or raise reach"
        }
        Reason::Of(Idle::Behind) if body.is_some_and(|body| body.is_inside_out(model, *muscle)) => {
            "the mesh there is inside out, with normals that point inwards; flip them"
        }
        Reason::Of(Idle::Behind) => {
            "what is within reach faces the other way; put muscles under the skin or, if the mesh is inside out, flip \
             its normals"
        }
        Reason::Of(Idle::Taken) => {
            "other muscles are nearer to what is within reach, or muscle_map is 0 there"
        }
    };
    let mut reasons: Vec<(&str, Concerned)> = Vec::new();
    for idle in layers.idle() {
        let why = why(idle);
        let known = reasons.iter().position(|(known, _)| *known == why).unwrap_or(reasons.len());
        if known == reasons.len() {
            reasons.push((why, Concerned::default()));
        }
        reasons[known].1.push(|| format!("muscle {}", parts.muscles[idle.0].name));
    }
    let mut pads = Concerned::default();
    layers.idle_pads().iter().for_each(|pad| pads.push(|| format!("pad {}", parts.pads[*pad].name)));
    let pads = pads.does(["displaces", "displace"], "none is within the radius, or fat_map is 0 there");
    let muscles = reasons.iter().filter_map(|(why, concerned)| concerned.does(["carries", "carry"], why));
    muscles.chain(pads).collect()
}

/// The muscles and the pads outside the body.
pub(super) fn outside(model: &Model, muscles: &[usize], pads: &[usize]) -> Option<String> {
    let mut concerned = Concerned::default();
    let parts = model.parts();
    muscles.iter().for_each(|&muscle| concerned.push(|| format!("muscle {}", parts.muscles[muscle].name)));
    pads.iter().for_each(|&pad| concerned.push(|| format!("pad {}", parts.pads[pad].name)));
    concerned.reported(
        "outside the body at rest; move it under the skin, or make sure that mesh, joints and muscles are those of \
         one rest pose in one unit",
    )
}

/// Whom a warning concerns.
#[derive(Default)]
struct Concerned {
    count: usize,
    /// The names of the first.
    first: Vec<String>,
}

impl Concerned {
    fn push(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < FEW {
            self.first.push(name());
        }
    }

    /// Which parts do nothing to the skin and why, with the verb in its form for one and for many; `None` if none.
    fn does(&self, [one, many]: [&str; 2], why: &str) -> Option<String> {
        let verb = if self.count == 1 { one } else { many };
        (self.count > 0).then(|| format!("{} {verb} no skin: {why}", few(&self.first, self.count)))
    }

    /// The warning, if it concerns any.
    fn reported(&self, what: &str) -> Option<String> {
        (self.count > 0).then(|| format!("{}: {what}", few(&self.first, self.count)))
    }
}
