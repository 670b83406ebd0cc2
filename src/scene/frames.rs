//! Frame ranges such as `1-48`, `1-48x2`, `1-10,20`.

use super::schema::Attribute;
use serde::{Serialize, Serializer};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// The largest number of frames in one range, eleven hours at 24 frames a second: more is a typing error, and a few
/// characters of a file must not allocate much memory.
const MAX_FRAMES: usize = 1_000_000;

/// Reads a range such as `1-48`, `1-48x2`, `-5--1` or a list of them with commas, in the given order.
pub fn parse_frames(text: &str) -> Result<Vec<i64>> {
    let mut frames = Vec::new();
    for part in text.split(',') {
        let wrong = || {
            let message = format!("{part:?} is not a frame range such as 7, 1-48 or 1-48x2");
            Error::new(Kind::InvalidArgument, message)
        };
        let part = part.trim();
        let (range, step) = match part.split_once('x') {
            Some((range, step)) => (range, step.parse::<usize>().ok().filter(|&s| s > 0).ok_or_else(wrong)?),
            None => (part, 1),
        };
        // The first character may be a minus sign; the dash that separates comes later.
        let dash = range.char_indices().skip(1).find(|&(_, c)| c == '-').map(|(i, _)| i);
        let (first, last) = match dash {
            Some(i) => (&range[..i], &range[i + 1..]),
            None if part.contains('x') => return Err(wrong()),
            None => (range, range),
        };
        let (first, last): (i64, i64) =
            (first.parse().map_err(|_| wrong())?, last.parse().map_err(|_| wrong())?);
        if last < first {
            return Err(Error::new(Kind::OutOfRange, format!("the range {part:?} runs backwards")));
        }
        // The first frame comes on top of these.
        let more = last.abs_diff(first) / step as u64;
        if more >= (MAX_FRAMES - frames.len()) as u64 {
            return Err(Error::new(Kind::TooLarge, format!("{text:?} has more than {MAX_FRAMES} frames")));
        }
        frames.extend((first..=last).step_by(step));
    }
    Ok(frames)
}

/// Writes frames as ranges: `1-48, 50`.
pub fn format_frames(frames: &[i64]) -> String {
    let runs = frames.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let text = runs.map(|run| match run {
        [one] => one.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    text.collect::<Vec<_>>().join(", ")
}

/// The frames of one file must be in ascending order, at a frame rate that is positive.
pub fn check_rising(frames: &[i64], fps: Real) -> Result<()> {
    let wrong = |message: String| Err(Error::new(Kind::InvalidArgument, message));
    if let Some(pair) = frames.windows(2).find(|pair| pair[0] >= pair[1]) {
        return wrong(format!(
            "frame {} comes after frame {}; in one file frames must be in ascending order",
            pair[1], pair[0]
        ));
    }
    match (frames.is_empty(), fps.is_finite() && fps > 0.0) {
        (true, _) => wrong("there are no frames".into()),
        (_, false) => wrong(format!("{fps} frames per second; the rate must be more than 0")),
        _ => Ok(()),
    }
}

/// The frames that are missing between the first and the last of a sorted list.
pub fn gaps(frames: &[i64]) -> Vec<(i64, i64)> {
    let pairs = frames.windows(2).filter(|w| w[1].saturating_sub(w[0]) > 1);
    pairs.map(|w| (w[0] + 1, w[1] - 1)).collect()
}

/// A range as an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameRange(pub Vec<i64>);

impl Attribute for FrameRange {
    const EXPECTED: &'static str = "frames such as 7, 1-48, 1-48x2, or a comma-separated list of them";
    fn parse(text: &str) -> Option<Self> {
        parse_frames(text).ok().map(FrameRange)
    }
    fn text(&self) -> Option<String> {
        Some(format_frames(&self.0).replace(' ', ""))
    }
}

impl Serialize for FrameRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&format_frames(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges_are_read_in_order_and_mistakes_are_refused() {
        assert_eq!(parse_frames("1-3,10,20-26x3").unwrap(), [1, 2, 3, 10, 20, 23, 26]);
        assert_eq!(parse_frames("-5--3").unwrap(), [-5, -4, -3]);
        for wrong in
            ["", "a", "3-1", "1-", "-", "1-5x0", "1x2", "1,,2", "1-99999999999", "1-9223372036854775807"]
        {
            assert!(parse_frames(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_ends_of_the_numbers_do_not_overflow() {
        let all = "-9223372036854775808-9223372036854775807";
        assert_eq!(parse_frames(all).unwrap_err().kind(), Kind::TooLarge);
        assert_eq!(parse_frames(&format!("{all}x9223372036854775808")).unwrap(), [i64::MIN, 0]);
        assert_eq!(gaps(&[i64::MIN, i64::MAX]), [(i64::MIN + 1, i64::MAX - 1)]);
        assert_eq!(parse_frames("1-1000000").unwrap().len(), 1_000_000);
        assert_eq!(parse_frames("1-1000000,7").unwrap_err().kind(), Kind::TooLarge);
    }

    proptest! {
        #[test]
        fn a_printed_list_reads_back(frames in prop::collection::btree_set(-50..50i64, 1..30)) {
            let frames: Vec<i64> = frames.into_iter().collect();
            prop_assert_eq!(parse_frames(&format_frames(&frames)).unwrap(), frames);
        }
    }
}
