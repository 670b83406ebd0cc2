//! One table per element drives everything: reading, writing, validation and the printed reference.
//!
//! `elements!` turns the description of an element into a plain struct and its [`ElementSchema`]. A [`Tree`] is what a
//! file holds before it is typed: names, attributes and lines. How a tree is written as text is not known here.

use super::quantity::{Number, Quantity};
use serde::{Serialize, Serializer};
use sinew_base::error::{Error, Kind, Result};

/// What an element may contain.
#[derive(Debug)]
pub struct ElementSchema {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its attributes, in the order in which they are written.
    pub attributes: &'static [AttributeSchema],
    /// The child elements, in the order in which they are written.
    pub children: fn() -> Vec<ChildSchema>,
}

/// One attribute.
#[derive(Debug)]
pub struct AttributeSchema {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// What values look like.
    pub expected: &'static str,
    /// What kind of value it is.
    pub form: Form,
    /// Where a panel shows it, if it is for one.
    pub panel: Option<Panel>,
    /// Whether it may be left out.
    pub need: Need,
    /// What its numbers measure.
    pub quantity: Quantity,
    /// The elements that it may name, separated by spaces; empty where it names none.
    pub refers: &'static str,
    /// Changes the numbers in a text by `visit`; `None` when the text is not valid.
    pub convert: Convert,
}

/// Changes the numbers in a text by a visitor.
pub type Convert = fn(text: &str, visit: &mut dyn FnMut(Quantity, Number)) -> Option<String>;

impl ElementSchema {
    /// A child element's place in the table.
    pub fn child(&self, name: &str) -> Option<ChildSchema> {
        (self.children)().into_iter().find(|child| child.element.name == name)
    }
}

impl AttributeSchema {
    /// Whether it may name elements of one of some kinds.
    pub fn names_any(&self, kinds: &[&str]) -> bool {
        self.refers.split(' ').any(|kind| kinds.contains(&kind))
    }

    /// Whether it names its own element or another one.
    pub fn is_name(&self) -> bool {
        !self.refers.is_empty() || (self.name == "name" && self.expected == String::EXPECTED)
    }
}

/// What kind of value an attribute has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A text, or something that is written as one.
    Text,
    /// A number.
    Number,
    /// A whole number from 0.
    Whole,
    /// Three numbers.
    Vector,
    /// A rotation.
    Turn,
    /// One of some words, or the two ends of a range.
    Range(&'static [&'static str]),
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Yes or no.
    Flag,
}

impl Form {
    /// Its name in descriptions.
    pub fn word(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Number => "number",
            Form::Whole => "whole",
            Form::Vector => "vector",
            Form::Turn => "turn",
            Form::Range(_) => "range",
            Form::Choice(_) => "choice",
            Form::Flag => "flag",
        }
    }
}

/// Where a panel shows an attribute that it has a field for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Panel {
    /// The heading above it.
    pub heading: &'static str,
    /// The smallest value that makes sense, and where a slider ends.
    pub range: Option<[f64; 2]>,
}

/// Whether an attribute may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must be there.
    Required,
    /// It may be left out.
    Optional,
    /// When left out it has this value.
    Default(&'static str),
}

/// An element inside another one.
#[derive(Clone, Copy, Debug)]
pub struct ChildSchema {
    /// Which.
    pub element: &'static ElementSchema,
    /// How often.
    pub count: Count,
}

/// How often an element may occur in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly once.
    One,
    /// At most once.
    Optional,
    /// Any number of times.
    Many,
}

/// An element as written in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Its name.
    pub name: String,
    /// Its attributes, in their order.
    pub attributes: Vec<(String, String)>,
    /// The elements in it.
    pub children: Vec<Tree>,
    /// Its line, from 1; 0 when it comes from no file.
    pub line: u64,
}

/// The line of an element. All lines compare equal, so that elements compare by content, not by position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line(pub u64);

impl PartialEq for Line {
    fn eq(&self, _: &Line) -> bool {
        true
    }
}

/// A value that an attribute can have.
pub trait Attribute: Sized {
    /// What values look like.
    const EXPECTED: &'static str;
    /// What kind of value it is.
    const FORM: Form = Form::Text;
    /// Whether it may be left out, if it has no default.
    const NEED: Need = Need::Required;
    /// Reads it; `None` when the text is not valid.
    fn parse(text: &str) -> Option<Self>;
    /// The text that [`Attribute::parse`] reads back; `None` when the attribute is left out.
    fn text(&self) -> Option<String>;
    /// The value of an attribute that is left out, when it may be.
    fn absent() -> Option<Self> {
        None
    }
    /// Shows its numbers, to be read or changed.
    fn measure(&mut self, _: Quantity, _: &mut dyn FnMut(Quantity, Number)) {}
}

impl Attribute for String {
    const EXPECTED: &'static str = "text";
    fn parse(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| text.to_string())
    }
    fn text(&self) -> Option<String> {
        Some(self.clone())
    }
}

impl Attribute for f64 {
    const EXPECTED: &'static str = "a number";
    const FORM: Form = Form::Number;
    fn parse(text: &str) -> Option<Self> {
        text.trim().parse().ok().filter(|x: &f64| x.is_finite())
    }
    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }
    fn measure(&mut self, quantity: Quantity, visit: &mut dyn FnMut(Quantity, Number)) {
        visit(quantity, Number::Real(self));
    }
}

impl Attribute for u32 {
    const EXPECTED: &'static str = "a whole number from 0";
    const FORM: Form = Form::Whole;
    fn parse(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }
    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Attribute for bool {
    const EXPECTED: &'static str = "yes or no";
    const FORM: Form = Form::Flag;
    fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        }
    }
    fn text(&self) -> Option<String> {
        Some(if *self { "yes".into() } else { "no".into() })
    }
}

impl<T: Attribute> Attribute for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const FORM: Form = T::FORM;
    const NEED: Need = Need::Optional;
    fn parse(text: &str) -> Option<Self> {
        T::parse(text).map(Some)
    }
    fn text(&self) -> Option<String> {
        self.as_ref().and_then(T::text)
    }
    fn absent() -> Option<Self> {
        Some(None)
    }
    fn measure(&mut self, quantity: Quantity, visit: &mut dyn FnMut(Quantity, Number)) {
        self.iter_mut().for_each(|value| value.measure(quantity, visit));
    }
}

/// A struct made by `elements!`.
pub trait Element: Sized {
    /// Its table.
    fn schema() -> &'static ElementSchema;
    /// Reads it from a tree that [`check`](super::faults::check) accepts.
    fn from_tree(tree: &Tree) -> Result<Self>;
    /// The tree that reads back to it, with its lines.
    fn to_tree(&self) -> Tree;
    /// Shows all its numbers with what they measure, to be read or changed: those of its attributes in their order,
    /// then those of its children.
    fn measure(&mut self, visit: &mut dyn FnMut(Quantity, Number));
}

/// A field that holds elements: one, at most one, or any number.
pub trait Children: Sized {
    /// How often, and which.
    fn schema() -> ChildSchema;
    /// Takes its elements from a parent that [`check`](super::faults::check) accepts.
    fn take(parent: &Tree) -> Result<Self>;
    /// Adds its elements to a parent.
    fn put(&self, parent: &mut Tree);
    /// Shows the numbers of its elements, see [`Element::measure`].
    fn measure(&mut self, visit: &mut dyn FnMut(Quantity, Number));
}

fn named<T: Element>(parent: &Tree) -> impl Iterator<Item = Result<T>> {
    parent.children.iter().filter(|c| c.name == T::schema().name).map(T::from_tree)
}

impl<T: Element> Children for T {
    fn schema() -> ChildSchema {
        ChildSchema { element: T::schema(), count: Count::One }
    }
    fn take(parent: &Tree) -> Result<Self> {
        named(parent).next().unwrap_or_else(|| Err(missing_child(T::schema().name)))
    }
    fn put(&self, parent: &mut Tree) {
        parent.children.push(self.to_tree());
    }
    fn measure(&mut self, visit: &mut dyn FnMut(Quantity, Number)) {
        Element::measure(self, visit);
    }
}

impl<T: Element> Children for Option<T> {
    fn schema() -> ChildSchema {
        ChildSchema { element: T::schema(), count: Count::Optional }
    }
    fn take(parent: &Tree) -> Result<Self> {
        named(parent).next().transpose()
    }
    fn put(&self, parent: &mut Tree) {
        parent.children.extend(self.iter().map(T::to_tree));
    }
    fn measure(&mut self, visit: &mut dyn FnMut(Quantity, Number)) {
        self.iter_mut().for_each(|element| Element::measure(element, visit));
    }
}

impl<T: Element> Children for Vec<T> {
    fn schema() -> ChildSchema {
        ChildSchema { element: T::schema(), count: Count::Many }
    }
    fn take(parent: &Tree) -> Result<Self> {
        named(parent).collect()
    }
    fn put(&self, parent: &mut Tree) {
        parent.children.extend(self.iter().map(T::to_tree));
    }
    fn measure(&mut self, visit: &mut dyn FnMut(Quantity, Number)) {
        self.iter_mut().for_each(|element| Element::measure(element, visit));
    }
}

fn missing_child(name: &str) -> Error {
    Error::new(Kind::Parse, format!("<{name}> is missing"))
}

/// Reads an attribute of an element that [`check`](super::faults::check) accepts; `path` names the element in errors.
#[doc(hidden)]
pub fn attribute<T: Attribute>(tree: &Tree, name: &str, default: Option<&str>) -> Result<T> {
    let text = tree.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str()).or(default);
    let value = match text {
        Some(text) => T::parse(text),
        None => T::absent(),
    };
    value.ok_or_else(|| {
        let short: String = text.unwrap_or_default().chars().take(60).collect();
        let message = format!("{name} is {short:?}; expected {}", T::EXPECTED);
        Error::new(Kind::Parse, message).line(tree.line).element(&tree.name)
    })
}

/// Lines are not serialized.
impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

/// Describes elements: each becomes a struct with public fields, a `line`, and its [`ElementSchema`]. An attribute is
/// its name, the field, its type, and as far as it has them `= default`, `=> "elements that it names"`, `, Quantity`,
/// `["heading in panels" smallest to largest]`.
macro_rules! elements {
    ($(
        $( #[doc = $doc:literal] )+
        $name:literal => $type:ident {
            $( $( #[doc = $attribute_doc:literal] )+ $attribute:literal $field:ident : $field_type:ty
                $(= $default:literal)? $(=> $refers:literal)? $(, $quantity:ident)?
                $([$heading:literal $($least:literal to $most:literal)?])?; )*
            $( children { $( $( #[doc = $child_doc:literal] )+ $child:ident : $child_type:ty; )* } )?
        }
    )*) => {$(
        $( #[doc = $doc] )+
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub struct $type {
            $( $( #[doc = $attribute_doc] )+ pub $field: $field_type, )*
            $($( $( #[doc = $child_doc] )+ pub $child: $child_type, )*)?
            /// Its line in the file.
            #[serde(skip)]
            pub line: $crate::schema::Line,
        }

        impl $crate::schema::Element for $type {
            fn schema() -> &'static $crate::schema::ElementSchema {
                use $crate::schema::{AttributeSchema, ElementSchema};
                const ATTRIBUTES: &[AttributeSchema] = &[
                    $( AttributeSchema {
                        name: $attribute,
                        doc: concat!($($attribute_doc),+).trim_ascii(),
                        expected: <$field_type as $crate::schema::Attribute>::EXPECTED,
                        form: <$field_type as $crate::schema::Attribute>::FORM,
                        panel: $crate::schema::elements!(
                            @panel $([$heading $($least to $most)?])?
                        ),
                        need: $crate::schema::elements!(@need $field_type $(= $default)?),
                        quantity: $crate::schema::elements!(@quantity $($quantity)?),
                        refers: $crate::schema::elements!(@refers $($refers)?),
                        convert: |text, visit| {
                            use $crate::schema::Attribute;
                            let mut value = <$field_type as Attribute>::parse(text)?;
                            value.measure($crate::schema::elements!(@quantity $($quantity)?), visit);
                            value.text()
                        },
                    }, )*
                ];
                static SCHEMA: ElementSchema = ElementSchema {
                    name: $name,
                    doc: concat!($($doc),+).trim_ascii(),
                    attributes: ATTRIBUTES,
                    children: || vec![
                        $($( <$child_type as $crate::schema::Children>::schema(), )*)?
                    ],
                };
                &SCHEMA
            }

            fn from_tree(tree: &$crate::schema::Tree) -> sinew_base::error::Result<Self> {
                Ok($type {
                    $( $field: $crate::schema::attribute(
                        tree, $attribute, $crate::schema::elements!(@default $($default)?),
                    )?, )*
                    $($( $child: $crate::schema::Children::take(tree)?, )*)?
                    line: $crate::schema::Line(tree.line),
                })
            }

            fn to_tree(&self) -> $crate::schema::Tree {
                #[allow(unused_mut)]
                let mut tree =
                    $crate::schema::Tree { name: $name.into(), line: self.line.0, ..Default::default() };
                $( if let Some(text) = $crate::schema::Attribute::text(&self.$field) {
                    tree.attributes.push(($attribute.into(), text));
                } )*
                $($( $crate::schema::Children::put(&self.$child, &mut tree); )*)?
                tree
            }

            fn measure(
                &mut self,
                visit: &mut dyn FnMut($crate::quantity::Quantity, $crate::quantity::Number),
            ) {
                $( $crate::schema::Attribute::measure(
                    &mut self.$field, $crate::schema::elements!(@quantity $($quantity)?), visit,
                ); )*
                $($( $crate::schema::Children::measure(&mut self.$child, visit); )*)?
            }
        }
    )*};
    (@need $type:ty) => { <$type as $crate::schema::Attribute>::NEED };
    (@need $type:ty = $default:literal) => { $crate::schema::Need::Default($default) };
    (@quantity) => { $crate::quantity::Quantity::Plain };
    (@quantity $quantity:ident) => { $crate::quantity::Quantity::$quantity };
    (@panel) => { None };
    (@panel [$heading:literal]) => { Some($crate::schema::Panel { heading: $heading, range: None }) };
    (@panel [$heading:literal $least:literal to $most:literal]) => {
        Some($crate::schema::Panel { heading: $heading, range: Some([$least, $most]) })
    };
    (@refers) => { "" };
    (@refers $refers:literal) => { $refers };
    (@default) => { None };
    (@default $default:literal) => { Some($default) };
}
pub(crate) use elements;

/// Makes an enumeration an attribute, with one word for each value.
macro_rules! word_attribute {
    ($(#[doc = $doc:literal])* $type:ident ($expected:literal) {
        $( $( #[doc = $value_doc:literal] )+ $value:ident = $word:literal, )*
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $( $( #[doc = $value_doc] )+ $value, )*
        }
        $crate::schema::words! { $type ($expected) { $( $value = $word, )* } }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(match self { $( $type::$value => $word, )* })
            }
        }
    };
}
pub(crate) use word_attribute;

/// Makes an enumeration an attribute. One that is defined elsewhere has its words in JSON there: a test compares them.
macro_rules! words {
    ($type:ident ($expected:literal) { $( $value:ident = $word:literal, )* }) => {
        impl $crate::schema::Attribute for $type {
            const EXPECTED: &'static str = $expected;
            const FORM: $crate::schema::Form = $crate::schema::Form::Choice(&[$( $word ),*]);
            fn parse(text: &str) -> Option<Self> {
                match text.trim() {
                    $( $word => Some($type::$value), )*
                    _ => None,
                }
            }
            fn text(&self) -> Option<String> {
                Some(match self { $( $type::$value => $word, )* }.into())
            }
        }
    };
}
pub(crate) use words;
