//! What the node warns about, in words. Everything is told once: again after it has been repaired, and after a reset.

use crate::math::{Affine, Real};
use crate::muscle::{Distortion, Model, Step, Warning};
use std::collections::HashSet;

/// What has been told.
#[derive(Default)]
pub(super) struct Told {
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

impl Told {
    /// Everything is told again.
    pub fn forget(&mut self) {
        *self = Told::default();
    }

    /// What is wrong with motions is told again: the muscles are others.
    pub fn forget_motions(&mut self) {
        self.moving.clear();
    }

    /// Those of the sentences that were not told when what the host gives was last checked.
    pub fn news(&mut self, sentences: Vec<String>) -> Vec<String> {
        let before = std::mem::replace(&mut self.given, sentences.iter().cloned().collect());
        sentences.into_iter().filter(|sentence| !before.contains(sentence)).collect()
    }

    /// One sentence for each kind of warning, however many muscles, pads or joints it concerns. What jiggles too much is told
    /// in every frame in which it does, but not where no jiggle is shown; all else is told once.
    pub fn of_frame(&mut self, report: &Step, shown: &Shown) -> Vec<String> {
        let parts = shown.model.parts();
        let muscle = |muscle: usize| format!("muscle {}", parts.muscles[muscle].name);
        let [mut scaled, mut mirrored, mut flat] = [(); 3].map(|()| Concerned::default());
        let [mut far, mut short, mut near] = [(); 3].map(|()| Concerned::default());
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
            }
        }
        let told = [
            scaled.told("scaling and shearing do not act on muscles, only rotation does"),
            mirrored.told(
                "mirrored since rest, which no rotation does, so muscles turn as if all three of its axes were reversed; \
                 remove the negative scale, or mirror the rest pose as well",
            ),
            flat.told(
                "scaled to nothing, so where it points is unknown, and muscles and skin collapse there; give it a scale \
                 other than zero",
            ),
            far.told("the body moved too fast for the spring, whose deflection is limited"),
            short.told("the ends nearly coincide; the width is limited"),
            near.told(
                "it points along its up-vector, or has passed it: rings flip there; choose another up-vector, or stable \
                 axes",
            ),
        ];
        told.into_iter().flatten().collect()
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

/// The muscles and the pads outside the body.
pub(super) fn outside(model: &Model, muscles: &[usize], pads: &[usize]) -> Option<String> {
    let mut concerned = Concerned::default();
    let parts = model.parts();
    muscles.iter().for_each(|&muscle| concerned.push(|| format!("muscle {}", parts.muscles[muscle].name)));
    pads.iter().for_each(|&pad| concerned.push(|| format!("pad {}", parts.pads[pad].name)));
    concerned.told(
        "outside the body at rest; move it under the skin, or make sure that mesh, joints and muscles are those of one rest \
         pose in one unit",
    )
}

/// Whom a warning concerns.
#[derive(Default)]
struct Concerned {
    count: usize,
    /// The names of the first.
    first: Vec<String>,
}

/// More names than this do not help.
const FEW: usize = 3;

impl Concerned {
    fn push(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < FEW {
            self.first.push(name());
        }
    }

    /// The warning, if it concerns any.
    fn told(&self, what: &str) -> Option<String> {
        let first = self.first.join(", ");
        match self.count - self.first.len() {
            0 if self.count == 0 => None,
            0 => Some(format!("{first}: {what}")),
            more => Some(format!("{first} and {more} more: {what}")),
        }
    }
}
