//! Joint animation as a table: `frame,joint,m00,m01,m02,m03,m10,...,m23`, one row per joint and frame.
//!
//! The twelve numbers are the upper three rows of the joint's matrix (joint space to world, column vectors). The frame
//! `rest` holds the pose to which the weights belong, and determines the joints and their order.

use super::Format;
use super::contents::{Asked, Contents};
use super::csv::{Cell, Row, read_text, rows};
use super::rate::{exact, shown};
use serde_json::{Value, json};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Real};
use sinew_scene::frames::format_frames;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::Path;

/// Cells of a row.
pub const COLUMNS: usize = 14;

/// The matrices of all joints at rest and in every frame.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct JointAnimation {
    /// The joints' names.
    pub names: Vec<String>,
    /// The parent of each joint; empty where the file has no hierarchy, as tables have none.
    pub parents: Vec<Option<usize>>,
    /// Where each joint is at rest.
    pub rest: Vec<Affine>,
    /// Where each joint is in each frame.
    pub frames: BTreeMap<i64, Vec<Affine>>,
    /// Whether the joints stay as in the first frame before it, and as in the last one after it: USD and glTF say so.
    pub held: bool,
}

/// What a file says about joints.
#[derive(Clone, Debug, PartialEq)]
pub struct JointFile {
    /// The joints and their motion.
    pub animation: JointAnimation,
    /// Frames per second, if the file says so.
    pub fps: Option<Real>,
    /// The frame that keeps its number at any rate: 1 where frames are counted from the file's start, 0 where they are
    /// times.
    pub fixed: i64,
    /// The share by which the rate may be off, because the file prints few digits of it: 0.0333 seconds are 30 a
    /// second.
    pub rounding: Real,
}

/// A rate that may be off by a larger share is taken as it is printed: its digits would fit many rates.
const MOST_ROUNDED: Real = 0.02;

impl JointFile {
    /// The joints in frames of a rate: those of the file that lie on whole ones there. One rate must divide the other.
    pub fn at_rate(self, fps: Real) -> Result<JointAnimation> {
        let Some((every, apart)) = self.steps(fps)? else { return Ok(self.animation) };
        let own = self.fps.unwrap_or(fps);
        let JointAnimation { names, parents, rest, frames, held } = self.animation;
        let read = !frames.is_empty();
        let moved = |frame: i64| {
            let since = frame.checked_sub(self.fixed).filter(|since| since % every == 0)?;
            (since / every).checked_mul(apart)?.checked_add(self.fixed)
        };
        let frames: BTreeMap<i64, Vec<Affine>> =
            frames.into_iter().filter_map(|(frame, pose)| Some((moved(frame)?, pose))).collect();
        match read && frames.is_empty() {
            true => Err(between(own, fps)),
            false => Ok(JointAnimation { names, parents, rest, frames, held }),
        }
    }

    /// That joints are only in some of the frames of a rate, if it is so.
    pub fn sparse(&self, fps: Real) -> Option<String> {
        let (own, (_, apart)) = (self.fps?, self.steps(fps).ok()??);
        let (own, fps) = (shown(own), shown(fps));
        let nth = match apart {
            2 => "2nd".into(),
            3 => "3rd".into(),
            apart => format!("{apart}th"),
        };
        (apart > 1 && self.animation.frames.len() > 1).then(|| {
            format!("the joints have {own} frames per second: at {fps} only every {nth} frame has joints")
        })
    }

    /// Which frames of the file are taken at a rate, every so many, and how far apart they then are; none if all are
    /// taken as they are.
    fn steps(&self, fps: Real) -> Result<Option<(i64, i64)>> {
        let Some(own) = self.fps.filter(|own| *own != exact(fps)) else { return Ok(None) };
        let whole = |ratio: Real| {
            let whole = ratio.round();
            // Digits that fit several whole numbers say nothing.
            let printed = Some(self.rounding).filter(|part| *part <= MOST_ROUNDED && part * whole < 0.5);
            // At least as exact as a rate that a person copies from a message.
            let off = printed.unwrap_or(0.0).max(1e-4) * whole;
            (whole >= 1.0 && (ratio - whole).abs() <= off).then_some(whole as i64)
        };
        match (whole(own / exact(fps)), whole(exact(fps) / own)) {
            (Some(every), _) => Ok(Some((every, 1))),
            (None, Some(apart)) => Ok(Some((1, apart))),
            (None, None) => Err(between(own, fps)),
        }
    }
}

/// The error for joints whose frames lie between those of the rate that was asked for.
fn between(own: Real, fps: Real) -> Error {
    let (own, fps) = (shown(own), shown(fps));
    let message = format!(
        "the joints have {own} frames per second, which do not lie on whole frames at {fps}: use {own} or a rate that \
         divides it, or export the joints at {fps}"
    );
    Error::new(Kind::InvalidArgument, message)
}

/// Reads the joints of a table, of BVH, of a skeleton in a USD file, whose time codes are the frames, or of a skin in a
/// glTF file, at the rate of its keys or the usual one.
pub fn read(path: &Path) -> Result<JointFile> {
    read_at(path, None)
}

/// The same for frames of a rate, which decides where there are no frames but values at all times, as in glTF.
pub fn read_at(path: &Path, fps: impl Into<Option<Real>>) -> Result<JointFile> {
    Format::reader(path, "joints", |read| read.joints)?(path, fps.into()).map_err(|e| e.file(path))
}

/// Reads a file with a table.
pub(super) fn table(path: &Path, _: Option<Real>) -> Result<JointFile> {
    Ok(JointFile { animation: parse(&read_text(path)?)?, fps: None, fixed: 0, rounding: 0.0 })
}

/// The joints of a file and their frames.
pub(super) fn describe(path: &Path, _: &Asked) -> Result<Contents> {
    let file = read(path)?;
    let mut holds = file.animation.summary();
    if let Some(fps) = file.fps {
        holds["frames per second"] = json!(fps);
    }
    Ok(holds.into())
}

/// The value of a frame, or, outside all frames if those are held, that of the first or the last.
pub fn at_frame<T>(frames: &BTreeMap<i64, T>, held: bool, frame: i64) -> Option<&T> {
    let end = || match frames.first_key_value() {
        Some((first, value)) if frame < *first => Some(value),
        _ => frames.last_key_value().filter(|(last, _)| **last < frame).map(|(_, value)| value),
    };
    frames.get(&frame).or_else(|| if held { end() } else { None })
}

impl JointAnimation {
    /// In a few words.
    pub(super) fn summary(&self) -> Value {
        let frames: Vec<i64> = self.frames.keys().copied().collect();
        json!({ "holds": "joints", "joints": self.names, "frames": format_frames(&frames) })
    }
}

/// Refuses a pose with a transform that is not finite.
pub(super) fn check_finite(pose: &[Affine]) -> Result<()> {
    match pose.iter().position(|m| !m.iter().all(|x| x.is_finite())) {
        Some(k) => Err(Error::new(Kind::NotFinite, "the joint's transform is not finite").joint(k)),
        None => Ok(()),
    }
}

/// Reads a text.
pub fn parse(text: &str) -> Result<JointAnimation> {
    let mut animation = JointAnimation::default();
    let mut index = HashMap::new();
    let mut poses: BTreeMap<(i64, usize), Affine> = BTreeMap::new();
    let mut pending = Vec::new();
    for row in rows(text) {
        row.expect(COLUMNS)?;
        if row.cells[0] == "frame" {
            continue;
        }
        let rest = row.cells[0] == "rest";
        let matrix = matrix(&row, rest)?;
        if !rest {
            // Rest rows may come last; the frames wait for the names.
            pending.push((row, matrix));
        } else if index.insert(row.cells[1], animation.names.len()).is_none() {
            animation.names.push(row.cells[1].to_string());
            animation.rest.push(matrix);
        } else {
            let message = format!("joint {:?} has a second rest matrix", row.cells[1]);
            return Err(Error::new(Kind::Parse, message).line(row.line));
        }
    }
    if animation.names.is_empty() {
        return Err(Error::new(Kind::Parse, "no row has the frame \"rest\", so there are no joints"));
    }
    for (row, matrix) in pending {
        let frame = row.number(0, "frame")?;
        let joint = *index.get(row.cells[1]).ok_or_else(|| {
            let message = format!("joint {:?} has no rest matrix", row.cells[1]);
            Error::new(Kind::NotFound, message).line(row.line).frame(frame)
        })?;
        if poses.insert((frame, joint), matrix).is_some() {
            let message = format!("joint {:?} has a second matrix", row.cells[1]);
            return Err(Error::new(Kind::Parse, message).line(row.line).frame(frame));
        }
    }
    animation.frames = whole_poses(poses, &animation.names)?;
    Ok(animation)
}

/// The poses of all frames; one that lacks a joint is an error. Memory is allocated for what is there, not for what a
/// frame would need.
fn whole_poses(
    poses: BTreeMap<(i64, usize), Affine>,
    names: &[String],
) -> Result<BTreeMap<i64, Vec<Affine>>> {
    let mut frames: BTreeMap<i64, Vec<Affine>> = BTreeMap::new();
    let no_matrix = |frame: i64, joint: usize| {
        let message = format!("joint {:?} has no matrix", names[joint]);
        Err(Error::new(Kind::CountMismatch, message).frame(frame).joint(joint))
    };
    for ((frame, joint), matrix) in poses {
        let pose = frames.entry(frame).or_default();
        if pose.len() != joint {
            return no_matrix(frame, pose.len());
        }
        pose.push(matrix);
    }
    match frames.iter().find(|(_, pose)| pose.len() < names.len()) {
        Some((&frame, pose)) => no_matrix(frame, pose.len()),
        None => Ok(frames),
    }
}

/// The matrix in a row. At rest it is finite; in a frame it may not be: whoever computes frames says what becomes of
/// that one, and the others are sound.
fn matrix(row: &Row, rest: bool) -> Result<Affine> {
    let mut numbers = [0.0; 12];
    for (k, number) in numbers.iter_mut().enumerate() {
        let name = format!("m{}{}", k / 4, k % 4);
        *number = if rest { row.real(2 + k, &name)? } else { row.number(2 + k, &name)? };
    }
    Ok(Affine::from_row_slice(&numbers))
}

/// Writes the table; numbers have the shortest form that reads back as the same bits.
pub fn write(out: &mut impl Write, animation: &JointAnimation) -> io::Result<()> {
    writeln!(out, "frame,joint,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23")?;
    let mut pose = |frame: &str, matrices: &[Affine]| {
        for (name, matrix) in animation.names.iter().zip(matrices) {
            write!(out, "{frame},{name}")?;
            // nalgebra stores columns; the table has rows.
            matrix.transpose().iter().try_for_each(|number: &Real| write!(out, ",{}", Cell(*number)))?;
            writeln!(out)?;
        }
        Ok(())
    };
    pose("rest", &animation.rest)?;
    animation.frames.iter().try_for_each(|(frame, matrices)| pose(&frame.to_string(), matrices))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> JointAnimation {
        let matrix = |x: Real| Affine::new(1.0, 0.0, 0.0, x, 0.0, 0.1, -1.0, 0.3, 0.0, 1.0, 1e-9, -2.5);
        JointAnimation {
            names: vec!["upper arm".into(), "elbow".into()],
            rest: vec![matrix(0.0), matrix(1.0)],
            frames: [(-1, vec![matrix(2.0), matrix(3.0)]), (7, vec![matrix(4.0), matrix(5.0)])].into(),
            ..JointAnimation::default()
        }
    }

    fn text() -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, &sample()).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn frames_lie_at_their_seconds_at_every_rate() {
        let file = |own: Real, fixed: i64, frames: &[i64]| {
            let frames = frames.iter().map(|&frame| (frame, vec![Affine::identity()])).collect();
            let animation = JointAnimation { names: vec!["a".into()], frames, ..JointAnimation::default() };
            JointFile { animation, fps: Some(own), fixed, rounding: 0.0 }
        };
        let at = |own, fixed, frames: &[i64], fps| {
            file(own, fixed, frames).at_rate(fps).map(|joints| joints.frames.into_keys().collect::<Vec<_>>())
        };
        let all: Vec<i64> = (-11..=12).collect();
        assert_eq!(at(120.0, 1, &all, 24.0).unwrap(), [-1, 0, 1, 2, 3]);
        assert_eq!(at(120.0, 0, &all, 24.0).unwrap(), [-2, -1, 0, 1, 2]);
        assert_eq!(at(30.0, 1, &[1, 2, 3], 60.0).unwrap(), [1, 3, 5]);
        assert_eq!(at(30.0, 0, &[-1, 0, 1], 90.0).unwrap(), [-3, 0, 3]);
        let film = 24000.0 / 1001.0;
        assert_eq!(at(film, 0, &[1, 2], 23.976).unwrap(), [1, 2]);
        assert_eq!(at(5.0 * film, 0, &[5, 6, 10], 23.98).unwrap(), [1, 2]);
        // What lies beyond all numbers is nowhere, not somewhere else.
        assert_eq!(at(30.0, 1, &[i64::MIN, 2, i64::MAX], 60.0).unwrap(), [3]);
        for (own, frames, fps) in [(24.0, &[0][..], film), (24.0, &[0], 25.0), (24.0, &[1], 12.0)] {
            assert_eq!(at(own, 0, frames, fps).unwrap_err().kind(), Kind::InvalidArgument, "{own} at {fps}");
        }
        assert_eq!(at(24.0, 0, &[], 12.0).unwrap(), [0; 0], "a pose without motion");
        let table = JointFile { fps: None, ..file(24.0, 0, &[1, 2]) };
        assert_eq!(table.clone().at_rate(12.0).unwrap(), table.animation);
    }

    #[test]
    fn what_is_written_reads_back() {
        assert_eq!(parse(&text()).unwrap(), sample());
        assert_eq!(parse(&text().replace('\n', "\r\n")).unwrap(), sample());
    }

    #[test]
    fn mistakes_are_named() {
        let broken = |from: &str, to: &str| parse(&text().replacen(from, to, 1)).unwrap_err();
        assert_eq!(broken("7,elbow", "7,knee").kind(), Kind::NotFound);
        assert_eq!(broken("7,elbow", "7,upper arm").kind(), Kind::Parse);
        assert_eq!(broken("7,elbow", "8,elbow").kind(), Kind::CountMismatch);
        assert_eq!(broken("rest,elbow", "rest,upper arm").place().line, Some(3));
        assert_eq!(broken("0.3", "nan").kind(), Kind::NotFinite, "at rest");
        let frame =
            parse(&text().replacen("7,elbow,1", "7,elbow,nan", 1)).unwrap().frames.remove(&7).unwrap();
        assert!(frame[0].iter().all(|x| x.is_finite()) && frame[1][(0, 0)].is_nan());
        assert_eq!(broken("0.3", "0,3").kind(), Kind::Parse);
        assert_eq!(parse("").unwrap_err().kind(), Kind::Parse);
    }

    #[test]
    fn many_frames_that_lack_joints_take_no_memory() {
        let row = "1,0,0,0,0,1,0,0,0,0,1,0\n";
        let rows =
            |first: &str| (0..30_000).map(|k| first.replace('k', &k.to_string()) + row).collect::<String>();
        // All matrices of all frames would be 80 GB.
        let error = parse(&(rows("rest,k,") + &rows("k,0,"))).unwrap_err();
        let place = error.place();
        assert_eq!((error.kind(), place.frame, place.joint), (Kind::CountMismatch, Some(0), Some(1)));
    }

    #[test]
    fn every_truncation_is_an_animation_or_an_error() {
        let text = text();
        (0..text.len()).for_each(|length| drop(parse(&text[..length])));
    }
}
