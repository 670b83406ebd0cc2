//! MDD's header: the counts and a time per sample, big-endian. There is no magic number: only the file length shows
//! whether it is one.

use super::pc2::count;
use super::{Header, Times, read_bytes, whole_number};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::io::Read;

pub(super) fn read_header(input: &mut impl Read, length: u64) -> Result<Header> {
    let samples = count(i32::from_be_bytes(read_bytes(input)?), "samples", 0)?;
    let points = count(i32::from_be_bytes(read_bytes(input)?), "points", 4)?;
    // Checked before the times are read: the file must have room for them.
    if samples * 4 + 8 > length {
        let message = format!("the header says {samples} samples; the file ends inside their times");
        return Err(Error::new(Kind::Parse, message).offset(0));
    }
    let mut seconds = Vec::with_capacity(samples as usize);
    for k in 0..samples {
        let time = f32::from_be_bytes(read_bytes(input)?);
        if !time.is_finite() {
            let message = format!("the time of sample {k} is {time}");
            return Err(Error::new(Kind::NotFinite, message).offset(8 + 4 * k));
        }
        seconds.push(time);
    }
    Ok(Header { points, times: Times::Seconds(seconds), data: 8 + 4 * samples })
}

pub(super) fn header(points: usize, frames: &[i64], fps: Real) -> Result<Vec<u8>> {
    let mut bytes = whole_number(frames.len(), "samples")?.to_be_bytes().to_vec();
    bytes.extend(whole_number(points, "points")?.to_be_bytes());
    for &frame in frames {
        let seconds = (frame as Real / fps) as f32;
        if !seconds.is_finite() {
            let message = format!("at {fps} frames per second the time of the frame is not finite");
            return Err(Error::new(Kind::InvalidArgument, message).frame(frame));
        }
        bytes.extend(seconds.to_be_bytes());
    }
    Ok(bytes)
}
