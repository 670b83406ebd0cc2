//! Numbers as .usdc stores them: many types, some of them inlined into the 32 bits next to their type.

use sinew_math::Real;
use sinew_math::elementary::exp2;

/// The number of values and their storage, by type number.
pub(super) fn numeric(kind: u64) -> Option<(char, usize)> {
    Some(match kind {
        1 | 2 => ('B', 1),
        3 => ('i', 1),
        4 => ('I', 1),
        5 => ('l', 1),
        6 => ('L', 1),
        7 => ('h', 1),
        8 => ('f', 1),
        9 | 56 => ('d', 1),
        13 => ('d', 4),
        14 => ('d', 9),
        15 => ('d', 16),
        16 => ('d', 4),
        17 => ('f', 4),
        18 => ('h', 4),
        19..=30 => (['d', 'f', 'h', 'i'][(kind as usize - 19) % 4], 2 + (kind as usize - 19) / 4),
        _ => return None,
    })
}

/// Bytes of a number.
pub(super) fn size_of(form: char) -> usize {
    match form {
        'B' => 1,
        'h' => 2,
        'i' | 'I' | 'f' => 4,
        _ => 8,
    }
}

fn number(form: char, b: &[u8]) -> Real {
    let mut wide = [0u8; 8];
    wide[..b.len()].copy_from_slice(b);
    let (four, eight) = (u32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]]), u64::from_le_bytes(wide));
    match form {
        'B' => Real::from(b[0]),
        'h' => half(four as u16),
        'i' => Real::from(four as i32),
        'I' => Real::from(four),
        'f' => Real::from(f32::from_bits(four)),
        'l' => eight as i64 as Real,
        'L' => eight as Real,
        _ => Real::from_bits(eight),
    }
}

fn half(bits: u16) -> Real {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), Real::from(bits & 1023));
    let size = match exponent {
        0 => fraction * exp2(-24.0),
        31 if fraction == 0.0 => Real::INFINITY,
        31 => Real::NAN,
        _ => (1024.0 + fraction) * exp2(Real::from(exponent - 25)),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Quaternions are stored with their real part last; the text form, and we, have it first.
pub(super) fn real_first(kind: u64, values: &mut [Real]) {
    if (16..=18).contains(&kind) {
        values.chunks_exact_mut(4).for_each(|q| q.rotate_right(1));
    }
}

/// Consecutive numbers.
pub(super) fn numbers(bytes: &[u8], form: char) -> Vec<Real> {
    match form {
        // Points are numerous: they have a fast path of their own.
        'f' => {
            bytes.chunks_exact(4).map(|b| Real::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect()
        }
        _ => bytes.chunks_exact(size_of(form)).map(|b| number(form, b)).collect(),
    }
}

/// A value inlined in 32 bits: as it is, as a smaller type of the same value, or with a byte per number.
pub(super) fn inline(bits: u32, kind: u64, form: char, width: usize) -> Vec<Real> {
    let bytes = bits.to_le_bytes();
    let small = |k: usize| Real::from(bytes[k] as i8);
    match (kind, width) {
        (13..=15, _) => {
            let rows = kind as usize - 11;
            (0..rows * rows).map(|k| if k % (rows + 1) == 0 { small(k / (rows + 1)) } else { 0.0 }).collect()
        }
        (_, 1) => vec![match form {
            'd' => number('f', &bytes),
            'l' => number('i', &bytes),
            'L' => number('I', &bytes),
            _ => number(form, &bytes[..size_of(form)]),
        }],
        (21, _) => numbers(&bytes, 'h'),
        _ => (0..width).map(small).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_their_values() {
        // One, minus two, the smallest, the largest, and values beyond.
        let bits = [0x3c00, 0xc000, 1, 0x7bff, 0x7c00];
        let values = [1.0, -2.0, Real::exp2(-24.0), 65504.0, Real::INFINITY];
        assert_eq!(bits.map(half), values);
        assert!(half(0x7e00).is_nan());
    }

    #[test]
    fn small_values_are_unfolded() {
        assert_eq!(inline(0x0003_fe01, 24, 'f', 3), [1.0, -2.0, 3.0]);
        assert_eq!(inline(0xff02, 13, 'd', 4), [2.0, 0.0, 0.0, -1.0]);
        assert_eq!(inline(0.1f32.to_bits(), 9, 'd', 1), [Real::from(0.1f32)]);
        assert_eq!(inline(u32::MAX, 5, 'l', 1), [-1.0]);
        assert_eq!(inline(u32::MAX, 6, 'L', 1), [4294967295.0]);
    }
}
