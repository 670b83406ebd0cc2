//! Writing .usda.

use super::Frames;
use super::content::Content;
use super::prim::{Attribute, Constant, Fixed, Meta, Prim, whole_numbers};
use crate::atomic::AtomicFile;
use rayon::prelude::*;
use sinew_base::error::Result;
use sinew_math::Real;
use std::fmt::Write as _;

/// Writes everything; false if a frame does not fit, and the file is then invalid.
pub(super) fn write(content: &Content, frames: &mut Frames, file: &mut AtomicFile) -> Result<bool> {
    let Some(changes) = survey(content, frames)? else { return Ok(false) };
    let mut changes = changes.into_iter();
    let mut out = Out { file, frames, content, indent: String::new() };
    out.text("#usda 1.0\n(\n")?;
    for (name, value) in &content.metadata {
        out.text(&meta(name, value))?;
    }
    out.text(")\n\n")?;
    for (depth, name) in content.outer.iter().enumerate() {
        let head = if content.over { "over" } else { "def Xform" };
        let about = match content.parted.contains(&depth) {
            true => format!(" (\n{0}{STEP}instanceable = false\n{0})", out.indent),
            false => String::new(),
        };
        out.line(&format!("{head} \"{name}\"{about}\n"))?;
        out.line("{\n")?;
        out.indent.push_str(STEP);
    }
    for prim in &content.prims {
        out.prim(prim, &mut changes)?;
    }
    for _ in &content.outer {
        out.indent.truncate(out.indent.len() - STEP.len());
        out.line("}\n")?;
    }
    Ok(true)
}

const STEP: &str = "    ";

/// One or more lines of the file's metadata.
fn meta(name: &str, value: &Meta) -> String {
    match value {
        // A comment is stored there without its name.
        Meta::Text(text) => format!("{STEP}{text:?}\n"),
        Meta::Token(text) => format!("{STEP}{name} = {text:?}\n"),
        Meta::Number(number) => format!("{STEP}{name} = {number}\n"),
        Meta::Texts(texts) => {
            let line = |(name, text): &(String, String)| format!("{STEP}{STEP}string {name} = {text:?}\n");
            format!("{STEP}{name} = {{\n{}{STEP}}}\n", texts.iter().map(line).collect::<String>())
        }
        Meta::Files(files) => {
            let line = |file: &String| match file.contains('@') {
                true => format!("{STEP}{STEP}@@@{file}@@@\n"),
                false => format!("{STEP}{STEP}@{file}@\n"),
            };
            format!("{STEP}{name} = [\n{}{STEP}]\n", files.iter().map(line).collect::<String>())
        }
    }
}

/// Whether each attribute of each prim is animated; none if a frame does not fit.
fn survey(content: &Content, frames: &mut Frames) -> Result<Option<Vec<bool>>> {
    let attributes: Vec<&Attribute> = content.prims.iter().flat_map(|prim| &prim.attributes).collect();
    let mut first = Vec::new();
    let mut changes = vec![false; attributes.len()];
    for index in 0..frames.numbers.len() {
        let (frame, data) = frames.read(index)?;
        if !content.fits(&data).map_err(|e| e.frame(frame))? {
            return Ok(None);
        }
        for (k, attribute) in attributes.iter().enumerate() {
            let numbers = attribute.numbers(&data).map_err(|e| e.frame(frame))?;
            match index {
                0 => first.push(numbers),
                _ => changes[k] |= numbers != first[k],
            }
        }
    }
    Ok(Some(changes))
}

struct Out<'a, 'b> {
    file: &'a mut AtomicFile,
    frames: &'a mut Frames<'b>,
    content: &'a Content<'a>,
    indent: String,
}

impl Out<'_, '_> {
    fn text(&mut self, text: &str) -> Result<()> {
        self.file.put(text.as_bytes())
    }

    fn line(&mut self, text: &str) -> Result<()> {
        self.file.put(self.indent.as_bytes())?;
        self.text(text)
    }

    fn prim(&mut self, prim: &Prim, changes: &mut impl Iterator<Item = bool>) -> Result<()> {
        let head = if self.content.over { "over".into() } else { format!("def {}", prim.type_name) };
        self.line(&format!("{head} \"{}\"\n", prim.name))?;
        self.line("{\n")?;
        self.indent.push_str(STEP);
        prim.constants.iter().try_for_each(|constant| self.constant(constant))?;
        for (attribute, changes) in prim.attributes.iter().zip(changes) {
            self.attribute(attribute, changes)?;
        }
        self.indent.truncate(self.indent.len() - STEP.len());
        self.line("}\n")
    }

    fn constant(&mut self, constant: &Constant) -> Result<()> {
        let value = match &constant.value {
            Fixed::Text(text) => format!("{text:?}"),
            Fixed::Texts(texts) => format!("{texts:?}"),
            Fixed::Integers(list) => integers(list),
            Fixed::Blocked(_) | Fixed::Unbound => "None".into(),
        };
        let uniform = if constant.value.uniform() { "uniform " } else { "" };
        let kind = constant.value.type_name();
        self.line(&format!("{uniform}{kind} {} = {value}\n", constant.name))
    }

    /// A property: once if it is static, otherwise frame by frame.
    fn attribute(&mut self, attribute: &Attribute, changes: bool) -> Result<()> {
        let about = about(attribute.interpolation, &self.indent);
        let name = format!("{} {}", attribute.type_name, attribute.name);
        let stored = |frames: &mut Frames, index: usize| -> Result<(i64, String)> {
            let (frame, data) = frames.read(index)?;
            let numbers = attribute.numbers(&data).map_err(|e| e.frame(frame))?;
            let text = match attribute.whole() {
                true => integers(&whole_numbers(&numbers)),
                false => value(&numbers, attribute),
            };
            Ok((frame, text))
        };
        if !changes {
            let (_, value) = stored(self.frames, 0)?;
            return self.line(&format!("{name} = {value}{about}\n"));
        }
        if !about.is_empty() {
            self.line(&format!("{name}{about}\n"))?;
        }
        self.line(&format!("{name}.timeSamples = {{\n"))?;
        for index in 0..self.frames.numbers.len() {
            let (frame, value) = stored(self.frames, index)?;
            let time = self.content.time(frame);
            self.line(&format!("{STEP}{time}: {value},\n"))?;
        }
        self.line("}\n")
    }
}

/// The metadata of a property.
fn about(interpolation: &str, indent: &str) -> String {
    match interpolation {
        "" => String::new(),
        place => format!(" (\n{indent}{STEP}interpolation = \"{place}\"\n{indent})"),
    }
}

pub(super) fn integers(list: &[u32]) -> String {
    let list: Vec<String> = list.iter().map(u32::to_string).collect();
    format!("[{}]", list.join(", "))
}

/// A list of values, or one matrix.
fn value(numbers: &[Real], attribute: &Attribute) -> String {
    let (width, double) = (attribute.width, attribute.double());
    if attribute.matrix() {
        let row = |r: &[Real]| format!("({}, {}, {}, {})", r[0], r[1], r[2], r[3]);
        let rows: Vec<String> = numbers.chunks(4).map(row).collect();
        return format!("( {} )", rows.join(", "));
    }
    const PIECE: usize = 4096;
    let piece = |piece: &[Real]| {
        let mut text = String::with_capacity(piece.len() * 12);
        for value in piece.chunks(width) {
            text.push_str(if width > 1 { ", (" } else { ", " });
            for (k, &number) in value.iter().enumerate() {
                text.push_str(if k > 0 { ", " } else { "" });
                put_number(&mut text, number, double);
            }
            text.push_str(if width > 1 { ")" } else { "" });
        }
        text
    };
    let pieces: Vec<String> = numbers.par_chunks(PIECE * width).map(piece).collect();
    let text = pieces.concat();
    format!("[{}]", text.strip_prefix(", ").unwrap_or(""))
}

/// Without an exponent very large and very small numbers would be long rows of zeros.
pub(super) fn put_number(text: &mut String, number: Real, double: bool) {
    let single = number as f32;
    let plain = number == 0.0 || (1e-4..1e9).contains(&single.abs());
    // Writing into a String cannot fail.
    let _ = match (plain, double) {
        (true, false) => write!(text, "{single}"),
        (false, false) => write!(text, "{single:e}"),
        (true, true) => write!(text, "{number}"),
        (false, true) => write!(text, "{number:e}"),
    };
}
