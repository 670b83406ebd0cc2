//! Whether a JPEG file is all there: its decoder fills what is missing with grey.

use sinew_base::error::{Error, Kind, Result};

const START_OF_SCAN: u8 = 0xda;
const END: u8 = 0xd9;
/// Markers without a segment: TEM, the restarts, the start of the image.
const ALONE: [std::ops::RangeInclusive<u8>; 2] = [0x01..=0x01, 0xd0..=0xd8];

/// Refuses a file that ends before its picture does. Pictures inside segments, such as thumbnails, have ends of their
/// own, so the segments are followed one by one.
pub(super) fn check_jpeg(bytes: &[u8]) -> Result<()> {
    let mut at = 2;
    while let Some((marker, after)) = marker(bytes, at) {
        if marker == END {
            return Ok(());
        }
        at = after;
        if ALONE.iter().any(|alone| alone.contains(&marker)) {
            continue;
        }
        let Some(&[high, low]) = bytes.get(at..at + 2) else { break };
        at += usize::from(u16::from_be_bytes([high, low]));
        if marker == START_OF_SCAN {
            at = after_scan(bytes, at);
        }
    }
    let message = "the picture is incomplete: the file was cut short; copy or save it again";
    Err(Error::new(Kind::Parse, message))
}

/// The next marker and the place after it; none if the file ends before.
fn marker(bytes: &[u8], from: usize) -> Option<(u8, usize)> {
    let mut at = from + bytes.get(from..)?.iter().position(|byte| *byte == 0xff)?;
    // Any number of fill bytes may precede a marker.
    while *bytes.get(at)? == 0xff {
        at += 1;
    }
    match bytes[at] {
        0 => marker(bytes, at + 1),
        found => Some((found, at + 1)),
    }
}

/// The place after compressed data, in which 0xff is followed by 0 or is a restart.
fn after_scan(bytes: &[u8], from: usize) -> usize {
    let data = bytes.get(from..).unwrap_or_default();
    let is_end = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xff | 0xd0..=0xd7);
    data.windows(2).position(is_end).map_or(bytes.len(), |place| from + place)
}
