//! The number types of samples.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_math::elementary::exp2;

/// A number type; the order is that of the codes in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(super) enum Pod {
    Bool,
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F16,
    F32,
    F64,
    Text,
    WideText,
}

impl Pod {
    const ALL: [Pod; 14] = [
        Pod::Bool,
        Pod::U8,
        Pod::I8,
        Pod::U16,
        Pod::I16,
        Pod::U32,
        Pod::I32,
        Pod::U64,
        Pod::I64,
        Pod::F16,
        Pod::F32,
        Pod::F64,
        Pod::Text,
        Pod::WideText,
    ];

    pub fn from_code(code: u32) -> Result<Pod> {
        let pod = Pod::ALL.get(code as usize).copied();
        pod.ok_or_else(|| Error::new(Kind::Parse, format!("{code} is not a number type")))
    }

    /// Bytes of a number; 0 for text, which has no fixed size.
    pub fn size(self) -> usize {
        match self {
            Pod::Bool | Pod::U8 | Pod::I8 => 1,
            Pod::U16 | Pod::I16 | Pod::F16 => 2,
            Pod::U32 | Pod::I32 | Pod::F32 => 4,
            Pod::U64 | Pod::I64 | Pod::F64 => 8,
            Pod::Text | Pod::WideText => 0,
        }
    }

    /// The bytes as numbers.
    pub fn reals(self, bytes: &[u8]) -> Result<Vec<Real>> {
        fn all<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> Real) -> Vec<Real> {
            let array = |part: &[u8]| {
                let mut bytes = [0; N];
                bytes.copy_from_slice(part);
                number(bytes)
            };
            bytes.chunks_exact(N).map(array).collect()
        }
        Ok(match self {
            Pod::Bool | Pod::U8 => all(bytes, |b| Real::from(u8::from_le_bytes(b))),
            Pod::I8 => all(bytes, |b| Real::from(i8::from_le_bytes(b))),
            Pod::U16 => all(bytes, |b| Real::from(u16::from_le_bytes(b))),
            Pod::I16 => all(bytes, |b| Real::from(i16::from_le_bytes(b))),
            Pod::U32 => all(bytes, |b| Real::from(u32::from_le_bytes(b))),
            Pod::I32 => all(bytes, |b| Real::from(i32::from_le_bytes(b))),
            Pod::U64 => all(bytes, |b| u64::from_le_bytes(b) as Real),
            Pod::I64 => all(bytes, |b| i64::from_le_bytes(b) as Real),
            Pod::F16 => all(bytes, |b| half(u16::from_le_bytes(b))),
            Pod::F32 => all(bytes, |b| Real::from(f32::from_le_bytes(b))),
            Pod::F64 => all(bytes, Real::from_le_bytes),
            Pod::Text | Pod::WideText => {
                return Err(Error::new(Kind::WrongType, "text where numbers are expected"));
            }
        })
    }
}

/// A half-precision number: a sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> Real {
    let fraction = Real::from(bits & 0x3ff) / 1024.0;
    let size = match (bits >> 10) & 0x1f {
        0 => fraction * exp2(-14f64),
        31 if fraction == 0.0 => Real::INFINITY,
        31 => Real::NAN,
        exponent => (1.0 + fraction) * exp2(Real::from(i32::from(exponent) - 15)),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_kind_are_read() {
        for (code, bytes, value) in [
            (0, &[1u8][..], 1.0),
            (2, &[0xff], -1.0),
            (3, &[0xff, 0xff], 65535.0),
            (6, &(-7i32).to_le_bytes(), -7.0),
            (8, &(-9i64).to_le_bytes(), -9.0),
            (9, &[0, 0x3c], 1.0),
            (9, &[0, 0xc0], -2.0),
            (9, &[1, 0], 2f64.powi(-24)),
            (9, &[0xff, 0x7b], 65504.0),
            (10, &0.1f32.to_le_bytes(), 0.1f32 as Real),
            (11, &0.1f64.to_le_bytes(), 0.1),
        ] {
            assert_eq!(Pod::from_code(code).unwrap().reals(bytes).unwrap(), [value]);
        }
        assert!(Pod::from_code(14).is_err() && Pod::Text.reals(b"a").is_err());
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}
