//! Reading BVH.

use super::{Bvh, Channel, Joint};
use crate::csv::read_text;
use crate::joints::JointFile;
use crate::rate::sound;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use std::collections::HashSet;
use std::path::Path;

/// The joints of a file.
pub(crate) fn joint_file(path: &Path, _: Option<Real>) -> Result<JointFile> {
    let (bvh, printed) = parse_printed(&read_text(path)?)?;
    let fps = sound(1.0 / bvh.frame_seconds);
    // A frame time such as 0.04, of a whole rate, has all its digits.
    let rounding = match fps {
        Some(fps) if fps.fract() != 0.0 => printed / bvh.frame_seconds,
        _ => 0.0,
    };
    Ok(JointFile { animation: bvh.to_joints()?, fps, fixed: 1, rounding })
}

/// Frames per second.
pub(crate) fn rate(path: &Path) -> Option<Real> {
    sound(1.0 / parse(&read_text(path).ok()?).ok()?.frame_seconds)
}

/// Words with their lines.
struct Words<'a> {
    rest: std::iter::Peekable<Box<dyn Iterator<Item = (&'a str, u64)> + 'a>>,
    line: u64,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().zip(1..);
        let words: Box<dyn Iterator<Item = _>> =
            Box::new(lines.flat_map(|(line, number)| line.split_whitespace().map(move |w| (w, number))));
        Words { rest: words.peekable(), line: 1 }
    }

    fn next(&mut self) -> Option<&'a str> {
        let (word, line) = self.rest.next()?;
        self.line = line;
        Some(word)
    }

    fn wrong(&self, found: Option<&str>, expected: &str) -> Error {
        let found = found.map_or("the end of the file".into(), |word| {
            format!("{:?}", word.chars().take(40).collect::<String>())
        });
        Error::new(Kind::Parse, format!("{found} where {expected} is expected")).line(self.line)
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        match self.next() {
            Some(found) if found.eq_ignore_ascii_case(word) => Ok(()),
            other => Err(self.wrong(other, word)),
        }
    }

    fn number(&mut self, what: &str) -> Result<Real> {
        let word = self.next();
        let number = word.and_then(|w| w.parse::<Real>().ok()).ok_or_else(|| self.wrong(word, what))?;
        match number.is_finite() {
            true => Ok(number),
            false => Err(Error::new(Kind::NotFinite, format!("{what} is {number}")).line(self.line)),
        }
    }

    fn count(&mut self, what: &str) -> Result<usize> {
        let word = self.next();
        word.and_then(|w| w.parse().ok()).ok_or_else(|| self.wrong(word, what))
    }

    fn point(&mut self) -> Result<Vec3> {
        self.expect("OFFSET")?;
        Ok(Vec3::new(self.number("x")?, self.number("y")?, self.number("z")?))
    }

    /// The words up to the opening brace: a name may contain spaces.
    fn name(&mut self) -> Result<String> {
        let mut name = Vec::new();
        loop {
            match self.next() {
                Some("{") => break,
                Some(word) => name.push(word),
                None => return Err(self.wrong(None, "{")),
            }
        }
        match name.is_empty() {
            true => Err(self.wrong(Some("{"), "a joint's name")),
            false => Ok(name.join(" ")),
        }
    }
}

/// Reads a text.
pub fn parse(text: &str) -> Result<Bvh> {
    parse_printed(text).map(|(bvh, _)| bvh)
}

/// Half a unit of the last digit of a number as it is printed.
fn half_a_digit(word: &str) -> Real {
    let (digits, power) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i64);
    let power = power.parse::<i64>().unwrap_or(0).saturating_sub(decimals);
    format!("0.5e{power}").parse().unwrap_or(0.0)
}

/// Reads a text; with how far the frame time may be off because its digits end.
fn parse_printed(text: &str) -> Result<(Bvh, Real)> {
    let mut words = Words::new(text);
    let joints = hierarchy(&mut words)?;
    words.expect("Frames:")?;
    let frame_count = words.count("the number of frames")?;
    words.expect("Frame")?;
    words.expect("Time:")?;
    let printed = words.rest.peek().map_or(0.0, |(word, _)| half_a_digit(word));
    let frame_seconds = words.number("the seconds of a frame")?;
    if frame_count > 1 && frame_seconds <= 0.0 {
        let message = format!(
            "the Frame Time is {frame_seconds}: the seconds from frame to frame are expected, such as 0.0333333 for \
             30 frames per second"
        );
        return Err(Error::new(Kind::OutOfRange, message).line(words.line));
    }
    let size: usize = joints.iter().map(|j| j.channels.len()).sum();
    let mut values = Vec::new();
    while words.rest.peek().is_some() {
        let channel = values.len() % size.max(1);
        let frame = (values.len() / size.max(1)) as i64 + 1;
        values.push(words.number(&format!("number {}", channel + 1)).map_err(|e| e.frame(frame))?);
    }
    if size.checked_mul(frame_count) != Some(values.len()) {
        let message = format!("{} numbers for {frame_count} frames of {size}", values.len());
        return Err(Error::new(Kind::CountMismatch, message).line(words.line));
    }
    Ok((Bvh { joints, frame_seconds, frame_count, values }, printed))
}

/// Everything up to and including the word MOTION.
fn hierarchy(words: &mut Words) -> Result<Vec<Joint>> {
    words.expect("HIERARCHY")?;
    let mut joints: Vec<Joint> = Vec::new();
    let mut names = HashSet::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        match (words.next(), open.last().copied()) {
            (Some("ROOT"), None) | (Some("JOINT"), Some(_)) => {
                let joint = joint(words, open.last().copied())?;
                if !names.insert(joint.name.clone()) {
                    let message = format!("two joints have the name {:?}", joint.name);
                    return Err(Error::new(Kind::Parse, message).line(words.line));
                }
                open.push(joints.len());
                joints.push(joint);
            }
            (Some("End"), Some(joint)) => {
                words.expect("Site")?;
                words.expect("{")?;
                joints[joint].ends.push(words.point()?);
                words.expect("}")?;
            }
            (Some("}"), Some(_)) => drop(open.pop()),
            (Some("MOTION"), None) if !joints.is_empty() => return Ok(joints),
            (word, None) => return Err(words.wrong(word, "ROOT or MOTION")),
            (word, Some(_)) => return Err(words.wrong(word, "JOINT, End Site or }")),
        }
    }
}

/// A joint from its name to its channels.
fn joint(words: &mut Words, parent: Option<usize>) -> Result<Joint> {
    let name = words.name()?;
    let offset = words.point()?;
    let mut channels = Vec::new();
    if words.rest.peek().is_some_and(|(word, _)| word.eq_ignore_ascii_case("CHANNELS")) {
        words.expect("CHANNELS")?;
        for _ in 0..words.count("the number of channels")? {
            let word = words.next();
            let channel = word.and_then(channel).ok_or_else(|| words.wrong(word, "a channel's name"))?;
            if matches!(channel, Channel::Position(_)) && channels.contains(&channel) {
                return Err(words.wrong(word, "another channel"));
            }
            channels.push(channel);
        }
    }
    Ok(Joint { name, parent, offset, channels, ends: Vec::new() })
}

fn channel(word: &str) -> Option<Channel> {
    let (axis, kind) = word.split_at_checked(1)?;
    let axis = ["x", "y", "z"].iter().position(|name| axis.eq_ignore_ascii_case(name))?;
    match kind.to_ascii_lowercase().as_str() {
        "position" => Some(Channel::Position(axis)),
        "rotation" => Some(Channel::Rotation(axis)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "HIERARCHY\nROOT left leg\n{\nOFFSET 1 2 3\nCHANNELS 2 Zrotation Xposition\n}\nMOTION\n\
        Frames: 2\nFrame Time: .5\n1 2\n3 4\n";

    #[test]
    fn mistakes_are_named_with_their_lines() {
        assert_eq!(parse(ONE).unwrap().joints[0].name, "left leg");
        let broken = |from: &str, to: &str| {
            let error = parse(&ONE.replacen(from, to, 1)).unwrap_err();
            (error.kind(), error.place().line)
        };
        assert_eq!(broken("OFFSET 1", "OFFSET one"), (Kind::Parse, Some(4)));
        assert_eq!(broken("Xposition", "Xscale"), (Kind::Parse, Some(5)));
        assert_eq!(broken("CHANNELS 2", "CHANNELS 99999999999"), (Kind::Parse, Some(6)));
        assert_eq!(broken("Zrotation", "Xposition"), (Kind::Parse, Some(5)));
        assert_eq!(broken("}", "} }"), (Kind::Parse, Some(6)));
        assert_eq!(broken("3 4", "3"), (Kind::CountMismatch, Some(11)));
        assert_eq!(broken("Frames: 2", "Frames: 18446744073709551615"), (Kind::CountMismatch, Some(11)));
        assert_eq!(broken("3 4", "3 nan"), (Kind::NotFinite, Some(11)));
        assert_eq!(broken("Time: .5", "Time: 0"), (Kind::OutOfRange, Some(9)));
        assert_eq!(broken("Time: .5", "Time: -0.1"), (Kind::OutOfRange, Some(9)));
        let still = ONE.replace("Frames: 2", "Frames: 1").replace("Time: .5", "Time: 0").replace("3 4\n", "");
        assert_eq!(parse(&still).unwrap().frame_count, 1, "a pose needs no rate");
        assert_eq!(broken("}", "JOINT left leg { OFFSET 0 0 0 } }"), (Kind::Parse, Some(6)));
    }

    #[test]
    fn every_truncation_is_an_animation_or_an_error() {
        (0..ONE.len()).for_each(|length| drop(parse(&ONE[..length])));
    }
}
