//! What pulls in a scene, and how strongly.

use super::super::schema::{Line, elements};
use super::StrandScene;
use super::values::EndWord;

elements! {
    /// A muscle: pulls a point along a curve to the curve's end, and also acts as a spring.
    "muscle" => MuscleElement {
        /// Its name.
        "name" name: String;
        /// The point.
        "point" point: String => "point";
        /// The line or circle.
        "curve" curve: String => "line circle";
        /// The force at an activation of 1, in N.
        "strength" strength: f64, Force;
        /// The stiffness of the spring, in N/m.
        "stiffness" stiffness: f64 = "0", Stiffness;
        /// The rest position of the spring, in the scene's unit from the curve's start.
        "rest" rest: f64 = "0", Length;
        /// In N s/m, at any activation.
        "damping" damping: f64 = "0", Damping;
        /// The fraction of the pull lost at a speed of 1 m/s, in s/m: the reciprocal of the speed at which it no longer
        /// pulls.
        "fading" fading: f64 = "0", Slowness;
        /// The activation, 0 to 1; with keys, the initial value.
        "activation" activation: f64 = "0", Fraction;
        children {
            /// How the activation changes.
            keys: Vec<ActivationElement>;
        }
    }

    /// A muscle's activation at a time: linear between keys, constant after the last.
    "activation" => ActivationElement {
        /// In s, from 0; later than the key before.
        "time" time: f64, Time;
        /// 0 to 1.
        "value" value: f64, Fraction;
    }

    /// A muscle that reels a strand in at one end, whose point must be held and whose node must be eulerian. Next to a
    /// cut it holds the strand but does not reel it in.
    "reel" => ReelElement {
        /// Its name; unique among muscles.
        "name" name: String;
        /// The strand.
        "strand" strand: String => "strand";
        /// first or last: the end at which it pulls.
        "end" end: EndWord = "first";
        /// The force at an activation of 1, in N.
        "strength" strength: f64, Force;
        /// The stiffness of its spring, in N/m.
        "stiffness" stiffness: f64 = "0", Stiffness;
        /// The length of strand reeled in when its spring is at rest, in the scene's unit.
        "rest" rest: f64 = "0", Length;
        /// In N s/m, at any activation; more than 0, otherwise the strand would run off while nothing pulls.
        "damping" damping: f64, Damping;
        /// The fraction of the pull lost at a speed of 1 m/s, in s/m: the reciprocal of the speed at which it no longer
        /// pulls.
        "fading" fading: f64 = "0", Slowness;
        /// The activation, 0 to 1; with keys, the initial value.
        "activation" activation: f64 = "0", Fraction;
        children {
            /// How the activation changes.
            keys: Vec<ActivationElement>;
        }
    }

    /// A segment of a strand that is a Hill-type muscle: its pull depends on length and speed. Its nodes carry their
    /// material. In N it is strength (activation active(l) rate(v) + passive(l)), with l the length over the resting
    /// length, optimal / 1.1, and v the speed of shortening over the greatest one, speed times optimal: active(l) = 1 -
    /// 4 (l - 1.1)^2, never below 0; passive(l) = 2.77 (l - 1)^2 for l above 1, else 0; rate(v) = (1 - v) / (1 + 4 v)
    /// while it shortens, 0 for v above 1, and 1 + 0.5 u / (u + 0.1), with u = -v, while it is stretched.
    "hill" => HillElement {
        /// Its name; unique among muscles.
        "name" name: String;
        /// The strand.
        "strand" strand: String => "strand";
        /// Which segment: 0 lies between the first two nodes.
        "segment" segment: u32;
        /// The isometric force at an activation of 1 and optimal length, in N.
        "strength" strength: f64, Force;
        /// The length at which it pulls hardest, in the scene's unit: 1.1 times its resting length, beyond which it
        /// resists passively.
        "optimal" optimal: f64, Length;
        /// The greatest speed of shortening, in optimal lengths per second.
        "speed" speed: f64 = "10";
        /// The activation, 0 to 1; with keys, the initial value.
        "activation" activation: f64 = "0", Fraction;
        children {
            /// How the activation changes.
            keys: Vec<ActivationElement>;
        }
    }
}

impl StrandScene {
    /// The initial activation of a muscle and its later keys, mutable.
    pub fn activation_mut(&mut self, muscle: &str) -> Option<(&mut f64, &mut Vec<ActivationElement>)> {
        macro_rules! of {
            ($list:expr) => {
                $list.iter_mut().map(|m| (&m.name, &mut m.activation, &mut m.keys))
            };
        }
        let mut all = of!(self.muscles).chain(of!(self.reels)).chain(of!(self.hills));
        all.find(|(name, ..)| *name == muscle).map(|(_, activation, keys)| (activation, keys))
    }

    /// The names of the muscles, in the model's order.
    pub fn muscle_names(&self) -> impl Iterator<Item = &str> {
        self.activations().map(|(_, _, name, ..)| name)
    }

    /// The initial activation of each muscle and its later keys, in the order of the model's muscles; the muscle's
    /// name, its element and line.
    pub(super) fn activations(
        &self,
    ) -> impl Iterator<Item = (f64, &[ActivationElement], &str, &'static str, Line)> {
        macro_rules! of {
            ($list:expr, $element:literal) => {
                $list.iter().map(|m| (m.activation, &m.keys[..], m.name.as_str(), $element, m.line))
            };
        }
        of!(self.muscles, "muscle").chain(of!(self.reels, "reel")).chain(of!(self.hills, "hill"))
    }
}
