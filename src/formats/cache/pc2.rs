//! PC2's header: 32 bytes, little-endian.

use super::{Header, Times, read_bytes, whole_number};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::io::Read;

pub(super) const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
const VERSION: i32 = 1;
const SIZE: u64 = 32;

pub(super) fn read_header(input: &mut impl Read, _: u64) -> Result<Header> {
    if &read_bytes::<12>(input)? != MAGIC {
        return Err(Error::new(Kind::Parse, "not a PC2 file: it does not begin with POINTCACHE2").offset(0));
    }
    let version = i32::from_le_bytes(read_bytes(input)?);
    if version != VERSION {
        let message = format!("version {version} of PC2 is not supported; {VERSION} is");
        return Err(Error::new(Kind::WrongVersion, message).offset(12));
    }
    let points = count(i32::from_le_bytes(read_bytes(input)?), "points", 16)?;
    let start = f32::from_le_bytes(read_bytes(input)?);
    let step = f32::from_le_bytes(read_bytes(input)?);
    let samples = count(i32::from_le_bytes(read_bytes(input)?), "samples", 28)?;
    if !(start.is_finite() && step.is_finite()) {
        let message = format!("the first frame is {start} and the step {step}; both must be finite");
        return Err(Error::new(Kind::NotFinite, message).offset(20));
    }
    Ok(Header { points, times: Times::Frames { start, step, count: samples }, data: SIZE })
}

pub(super) fn count(value: i32, what: &str, offset: u64) -> Result<u64> {
    u64::try_from(value)
        .map_err(|_| Error::new(Kind::Parse, format!("the header says {value} {what}")).offset(offset))
}

pub(super) fn header(points: usize, frames: &[i64], samples: Real) -> Result<Vec<u8>> {
    let first = frames.first().copied().unwrap_or(0);
    let step = if frames.len() > 1 { frames[1].saturating_sub(first) } else { 1 };
    if let Some(pair) = frames.windows(2).find(|w| w[1].saturating_sub(w[0]) != step) {
        let message =
            format!("PC2 holds evenly spaced frames; the step from {} to {} is not {step}", pair[0], pair[1]);
        return Err(Error::new(Kind::Unsupported, message).frame(pair[1]));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(whole_number(points, "points")?.to_le_bytes());
    bytes.extend(((first as Real / samples) as f32).to_le_bytes());
    bytes.extend(((step as Real / samples) as f32).to_le_bytes());
    bytes.extend(whole_number(frames.len(), "samples")?.to_le_bytes());
    Ok(bytes)
}
