//! What attributes of strand scenes hold apart from numbers and names.

use crate::quantity::{Number, Quantity};
use crate::schema::{Attribute, Form, word_attribute};
use serde::{Serialize, Serializer};
use sinew_math::{Real, Vec3};
use sinew_strand::parts::{Axial, End, Mode};

/// Three numbers: a place, a velocity, a size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Triple(pub [f64; 3]);

impl Triple {
    /// As a vector.
    pub fn vec(self) -> Vec3 {
        Vec3::from(self.0)
    }
}

/// The numbers separated by spaces, if there are exactly N and each is finite.
pub(crate) fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut words = text.split_whitespace();
    let mut all = [0.0; N];
    for number in &mut all {
        *number = f64::parse(words.next()?)?;
    }
    words.next().is_none().then_some(all)
}

pub(crate) fn words(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

impl Attribute for Triple {
    const EXPECTED: &'static str = "three numbers";
    const FORM: Form = Form::Vector;
    fn parse(text: &str) -> Option<Self> {
        numbers(text).map(Triple)
    }
    fn text(&self) -> Option<String> {
        Some(words(&self.0))
    }
    fn measure(&mut self, quantity: Quantity, visit: &mut dyn FnMut(Quantity, Number)) {
        visit(quantity, Number::Vector(&mut self.0));
    }
}

/// The range of one motion of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum May {
    /// Anything.
    Free,
    /// Nothing.
    Held,
    /// Anything between two values, in degrees or m.
    Limits([f64; 2]),
}

impl Attribute for May {
    const EXPECTED: &'static str = "free, held, or two numbers";
    const FORM: Form = Form::Range(&["free", "held"]);
    fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "free" => Some(May::Free),
            "held" => Some(May::Held),
            limits => numbers(limits).map(May::Limits),
        }
    }
    fn text(&self) -> Option<String> {
        Some(match self {
            May::Free => "free".into(),
            May::Held => "held".into(),
            May::Limits(limits) => words(limits),
        })
    }
    fn measure(&mut self, quantity: Quantity, visit: &mut dyn FnMut(Quantity, Number)) {
        if let May::Limits(limits) = self {
            visit(quantity, Number::Range(limits));
        }
    }
}

impl Serialize for May {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text().unwrap_or_default())
    }
}

word_attribute! {
    /// How stretch travels along strands.
    AxialWord ("still or dynamic") {
        /// In equilibrium at every moment.
        Still = "still",
        /// In waves.
        Dynamic = "dynamic",
    }
}

word_attribute! {
    /// How a body moves.
    BodyMode ("free, led or held") {
        /// By forces.
        Free = "free",
        /// By its keys.
        Led = "led",
        /// Not at all.
        Held = "held",
    }
}

word_attribute! {
    /// What a node of a strand does with the material.
    NodeKind ("eulerian, lagrangian or constrained") {
        /// It slides through.
        Eulerian = "eulerian",
        /// It is carried along.
        Lagrangian = "lagrangian",
        /// It is carried along by a constraint, so that the force is known.
        Constrained = "constrained",
    }
}

word_attribute! {
    /// How a point relates to a plane.
    Relation ("equal or above") {
        /// In it.
        Equal = "equal",
        /// In it or on the side of its normal.
        Above = "above",
    }
}

word_attribute! {
    /// An end of a strand.
    EndWord ("first or last") {
        /// Its first node.
        First = "first",
        /// Its last one.
        Last = "last",
    }
}

/// The six motions of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisName {
    /// About x.
    TurnX,
    /// About y.
    TurnY,
    /// About z.
    TurnZ,
    /// Along x.
    MoveX,
    /// Along y.
    MoveY,
    /// Along z.
    MoveZ,
}

impl Attribute for AxisName {
    const EXPECTED: &'static str = "turn_x, turn_y, turn_z, move_x, move_y or move_z";
    const FORM: Form = Form::Choice(&Self::WORDS);
    fn parse(text: &str) -> Option<Self> {
        let place = Self::WORDS.iter().position(|word| *word == text.trim())?;
        Some(Self::ALL[place])
    }
    fn text(&self) -> Option<String> {
        Some(Self::WORDS[self.index()].into())
    }
    fn measure(&mut self, quantity: Quantity, visit: &mut dyn FnMut(Quantity, Number)) {
        visit(quantity, Number::Of(self.index()));
    }
}

impl Serialize for AxisName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(Self::WORDS[self.index()])
    }
}

impl AxisName {
    /// All, in their order.
    pub const ALL: [AxisName; 6] = [
        AxisName::TurnX,
        AxisName::TurnY,
        AxisName::TurnZ,
        AxisName::MoveX,
        AxisName::MoveY,
        AxisName::MoveZ,
    ];

    const WORDS: [&str; 6] = ["turn_x", "turn_y", "turn_z", "move_x", "move_y", "move_z"];

    /// Its word.
    pub fn word(self) -> String {
        self.text().unwrap_or_default()
    }

    /// Its index among the six.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The factor from its numbers in a scene to radians or metres.
    pub fn unit(self) -> Real {
        if self.index() < 3 { (1.0 as Real).to_radians() } else { 1.0 }
    }
}

impl From<AxialWord> for Axial {
    fn from(word: AxialWord) -> Axial {
        match word {
            AxialWord::Still => Axial::Still,
            AxialWord::Dynamic => Axial::Dynamic,
        }
    }
}

impl From<EndWord> for End {
    fn from(word: EndWord) -> End {
        match word {
            EndWord::First => End::First,
            EndWord::Last => End::Last,
        }
    }
}

impl From<End> for EndWord {
    fn from(end: End) -> EndWord {
        match end {
            End::First => EndWord::First,
            End::Last => EndWord::Last,
        }
    }
}

impl From<NodeKind> for Mode {
    fn from(kind: NodeKind) -> Mode {
        match kind {
            NodeKind::Eulerian => Mode::Free,
            NodeKind::Lagrangian => Mode::Removed,
            NodeKind::Constrained => Mode::Constrained,
        }
    }
}
