//! Little-endian numbers and text in a byte slice.

use crate::error::{Error, Kind, Result};
use crate::math::Real;

/// The unread rest of a byte slice.
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Bytes(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(|| {
            Error::new(
                Kind::Parse,
                format!("{count} bytes are expected in a table that has {} more", self.0.len()),
            )
        })?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn f64(&mut self) -> Result<Real> {
        self.array().map(Real::from_le_bytes)
    }

    /// A number of one, two or four bytes.
    pub fn sized(&mut self, hint: u32) -> Result<u32> {
        match hint {
            0 => Ok(self.u8()?.into()),
            1 => self.array().map(u16::from_le_bytes).map(u32::from),
            2 => self.u32(),
            _ => Err(Error::new(Kind::Parse, "an unknown size code")),
        }
    }

    pub fn text(&mut self, length: u32) -> Result<&'a str> {
        let bytes = self.take(length as usize)?;
        std::str::from_utf8(bytes).map_err(|_| Error::new(Kind::Parse, "a name that is no UTF-8"))
    }
}

pub(super) fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_le_bytes());
}

/// Appends a number in one, two or four bytes.
pub(super) fn put_sized(out: &mut Vec<u8>, value: u32, hint: u32) {
    let bytes = value.to_le_bytes();
    out.extend(&bytes[..1 << hint]);
}
