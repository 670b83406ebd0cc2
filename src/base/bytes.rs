//! Little-endian numbers in bytes, for saved states and binary tables.

use crate::error::{Error, Kind, Result};

/// The unread rest of a byte slice.
pub struct Reader<'a> {
    /// What the bytes are, for errors.
    what: &'static str,
    all: usize,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// All of the bytes; `what` names them in errors.
    pub fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Reader { what, all: bytes.len(), rest: bytes }
    }

    /// What is between a signature and the checksum that [`seal`] appended.
    pub fn sealed(what: &'static str, signature: &[u8; 8], bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(what, bytes);
        if reader.array().ok().as_ref() != Some(signature) {
            return Err(reader.error("has the wrong signature"));
        }
        let (body, sum) = reader.rest.split_last_chunk::<4>().ok_or_else(|| reader.error("is cut off"))?;
        // The checksum comes first: what follows can then be trusted, except against malice.
        if crc32fast::hash(&bytes[..bytes.len() - 4]) != u32::from_le_bytes(*sum) {
            return Err(reader.error("is damaged or truncated (its checksum is wrong)"));
        }
        Ok(Reader { rest: body, all: bytes.len() - 4, ..reader })
    }

    /// An error at the next byte.
    pub fn error(&self, text: &str) -> Error {
        let (what, at) = (self.what, self.all - self.rest.len());
        Error::new(Kind::Parse, format!("{what} {text} (byte {at} of {})", self.all))
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// An error unless everything was read.
    pub fn end(&self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.error("has extra bytes at the end")) }
    }

    /// The next bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.error("is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Everything that is left.
    pub fn take_rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// The next bytes, as many as the array holds.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or_else(|| self.error("is cut off"))?;
        self.rest = rest;
        Ok(*taken)
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8> {
        self.array().map(|[byte]| byte)
    }

    /// A number of two bytes.
    pub fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// A number of four bytes.
    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A number of eight bytes.
    pub fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number of eight bytes with a sign.
    pub fn i64(&mut self) -> Result<i64> {
        self.array().map(i64::from_le_bytes)
    }

    /// A number in single precision, NaN and infinity included.
    pub fn f32(&mut self) -> Result<f32> {
        self.array().map(f32::from_le_bytes)
    }

    /// A number in double precision, NaN and infinity included.
    pub fn f64(&mut self) -> Result<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// A number in double precision that is finite.
    pub fn real(&mut self) -> Result<f64> {
        match self.f64()? {
            value if value.is_finite() => Ok(value),
            value => Err(self.error(&format!("holds {value}, which is not finite"))),
        }
    }

    /// A byte that is 0 or 1.
    pub fn bit(&mut self) -> Result<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.error(&format!("holds {other} where 0 or 1 is expected"))),
        }
    }

    /// The number of items that follow; rejected if that many of `size` bytes cannot follow.
    pub fn count(&mut self, size: usize) -> Result<usize> {
        let count = self.u64()?;
        match count.checked_mul(size as u64) {
            Some(bytes) if bytes <= self.rest.len() as u64 => Ok(count as usize),
            _ => Err(self.error("is cut off")),
        }
    }

    /// Bytes after their count.
    pub fn counted(&mut self) -> Result<&'a [u8]> {
        let count = self.count(1)?;
        self.take(count)
    }

    /// The next bytes as text.
    pub fn text(&mut self, count: usize) -> Result<&'a str> {
        let bytes = self.take(count)?;
        std::str::from_utf8(bytes).map_err(|_| self.error("has a name that is not UTF-8"))
    }
}

/// Appends a count of eight bytes.
pub fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u64).to_le_bytes());
}

/// Appends bytes after their count.
pub fn put_counted(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend(bytes);
}

/// Appends a length, and as many bytes as a function appends.
pub fn put_counted_by(out: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
    let count = out.len();
    put_count(out, 0);
    let first = out.len();
    append(out);
    let length = (out.len() - first) as u64;
    out[count..first].copy_from_slice(&length.to_le_bytes());
}

/// Appends numbers.
pub fn put_reals<'a>(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = &'a f64>) {
    numbers.into_iter().for_each(|x| out.extend(x.to_le_bytes()));
}

/// Appends the checksum that [`Reader::sealed`] expects.
pub fn seal(out: &mut Vec<u8>) {
    out.extend(crc32fast::hash(out).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_read_and_nothing_else() {
        let mut out = b"signed00".to_vec();
        put_counted(&mut out, b"name");
        put_reals(&mut out, &[0.5, -0.0]);
        out.push(1);
        seal(&mut out);
        let mut reader = Reader::sealed("the box", b"signed00", &out).unwrap();
        let length = reader.count(1).unwrap();
        assert_eq!(reader.text(length).unwrap(), "name");
        assert_eq!(reader.real().unwrap(), 0.5);
        assert_eq!(reader.f64().unwrap().to_bits(), (-0.0f64).to_bits());
        assert!(reader.end().unwrap_err().message().contains("the box has extra bytes"));
        assert!(reader.bit().unwrap() && reader.is_empty());
        reader.end().unwrap();
        let error = reader.u8().unwrap_err();
        let body = out.len() - 4;
        assert_eq!(error.message(), format!("the box is cut off (byte {body} of {body})"));
        let sealed = |bytes: &[u8]| Reader::sealed("the box", b"signed00", bytes).map(drop);
        for length in 0..out.len() {
            assert!(sealed(&out[..length]).is_err(), "{length} bytes");
        }
        for k in 0..out.len() {
            let mut other = out.clone();
            other[k] ^= 4;
            assert!(sealed(&other).is_err(), "byte {k}");
        }
    }

    #[test]
    fn counts_that_cannot_be_and_numbers_that_must_not_be_are_refused() {
        let huge = u64::MAX.to_le_bytes();
        assert!(Reader::new("it", &huge).count(8).is_err());
        assert!(Reader::new("it", &huge).counted().is_err());
        let infinite = f64::INFINITY.to_le_bytes();
        assert!(Reader::new("it", &infinite).real().unwrap_err().message().contains("holds inf"));
        assert!(Reader::new("it", &[2]).bit().unwrap_err().message().contains("holds 2"));
        assert!(Reader::new("it", &[0xff, 0xfe]).text(2).is_err());
    }
}
