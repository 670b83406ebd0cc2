//! How .usdc compresses bytes and integers: LZ4 blocks, and differences between neighbours in as few bytes as possible.
//! Facts from the sources of OpenUSD (`pxr/base/tf/fastCompression.cpp`, `pxr/usd/sdf/integerCoding.cpp`).

use sinew_base::error::{Error, Kind, Result};
use std::collections::HashMap;

fn damaged(what: &str) -> Error {
    Error::new(Kind::Parse, format!("compressed data is damaged: {what}"))
}

/// Decompresses the output of `TfFastCompression`, at most `limit` bytes.
pub(super) fn unpack(input: &[u8], limit: usize) -> Result<Vec<u8>> {
    let (&chunks, mut rest) = input.split_first().ok_or_else(|| damaged("it is empty"))?;
    let mut out = Vec::new();
    if chunks == 0 {
        unpack_block(rest, limit, &mut out)?;
        return Ok(out);
    }
    for _ in 0..chunks {
        let (size, after) = rest.split_first_chunk::<4>().ok_or_else(|| damaged("a chunk is missing"))?;
        let size = usize::try_from(i32::from_le_bytes(*size)).map_err(|_| damaged("a chunk's size"))?;
        let (chunk, after) = after.split_at_checked(size).ok_or_else(|| damaged("a chunk is cut off"))?;
        unpack_block(chunk, limit, &mut out)?;
        rest = after;
    }
    Ok(out)
}

/// LZ4 expands no byte to more than this.
const MOST_OF_A_BYTE: usize = 255;

/// Appends one LZ4 block, so that there are at most `limit` bytes in all.
fn unpack_block(block: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    let most = block.len().saturating_mul(MOST_OF_A_BYTE).min(limit.saturating_sub(start));
    out.resize(start + most, 0);
    let count =
        lz4_flex::block::decompress_into(block, &mut out[start..]).map_err(|e| damaged(&e.to_string()))?;
    out.truncate(start + count);
    Ok(())
}

/// Decompresses `count` integers of 4 (or, if `wide`, 8) bytes; the caller has checked the count.
pub(super) fn unpack_integers(input: &[u8], count: usize, wide: bool) -> Result<Vec<i64>> {
    let size = if wide { 8 } else { 4 };
    let code_bytes = count.div_ceil(4);
    let data = unpack(input, size + code_bytes + count * size)?;
    let cut = || damaged("numbers are missing");
    let (common, rest) = data.split_at_checked(size).ok_or_else(cut)?;
    let (codes, mut rest) = rest.split_at_checked(code_bytes).ok_or_else(cut)?;
    let common = integer(common);
    let mut before = 0i64;
    let mut numbers = Vec::with_capacity(count);
    for k in 0..count {
        let code = codes[k / 4] >> (2 * (k % 4)) & 3;
        let difference = match code {
            0 => common,
            _ => {
                let (bytes, after) =
                    rest.split_at_checked(1usize << (code - 1 + u8::from(wide))).ok_or_else(cut)?;
                rest = after;
                integer(bytes)
            }
        };
        before = before.wrapping_add(difference);
        if !wide {
            before = i64::from(before as i32);
        }
        numbers.push(before);
    }
    Ok(numbers)
}

/// A little-endian signed integer of 1, 2, 4 or 8 bytes.
fn integer(bytes: &[u8]) -> i64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let shift = 64 - 8 * bytes.len() as u32;
    i64::from_le_bytes(wide) << shift >> shift
}

/// The maximum input size of LZ4.
const CHUNK: usize = 0x7e00_0000;

/// Compresses bytes; the inverse of [`unpack`].
pub(super) fn pack(input: &[u8]) -> Vec<u8> {
    pack_chunks(input, CHUNK)
}

fn pack_chunks(input: &[u8], chunk: usize) -> Vec<u8> {
    if input.len() <= chunk {
        let mut out = vec![0];
        pack_block(input, &mut out);
        return out;
    }
    let chunks = input.chunks(chunk);
    let mut out = vec![chunks.len() as u8];
    for chunk in chunks {
        let start = out.len();
        out.extend([0; 4]);
        pack_block(chunk, &mut out);
        let size = (out.len() - start - 4) as i32;
        out[start..start + 4].copy_from_slice(&size.to_le_bytes());
    }
    out
}

fn pack_block(input: &[u8], out: &mut Vec<u8>) {
    out.extend(lz4_flex::block::compress(input));
}

/// Compresses 4-byte integers; the inverse of [`unpack_integers`].
pub(super) fn pack_integers(numbers: impl Iterator<Item = i32> + Clone) -> Vec<u8> {
    let mut before = 0i32;
    let differences = numbers.map(move |n| n.wrapping_sub(std::mem::replace(&mut before, n)));
    let mut counts: HashMap<i32, usize> = HashMap::new();
    differences.clone().for_each(|d| *counts.entry(d).or_default() += 1);
    // In a tie the largest, so that the bytes are deterministic.
    let common = counts.into_iter().max_by_key(|&(d, count)| (count, d)).map_or(0, |(d, _)| d);
    let (mut codes, mut rest) = (Vec::new(), Vec::new());
    for (k, difference) in differences.enumerate() {
        if k % 4 == 0 {
            codes.push(0);
        }
        let code = if difference == common {
            0
        } else if let Ok(small) = i8::try_from(difference) {
            rest.extend(small.to_le_bytes());
            1
        } else if let Ok(medium) = i16::try_from(difference) {
            rest.extend(medium.to_le_bytes());
            2
        } else {
            rest.extend(difference.to_le_bytes());
            3
        };
        codes[k / 4] |= code << (2 * (k % 4));
    }
    pack(&[&common.to_le_bytes()[..], &codes, &rest].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again_and_repeats_take_little() {
        let repeated: Vec<u8> = b"face vertex ".repeat(500);
        let mut state = 1u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(70_000)
        .collect();
        let far = [&noise[..], &noise[..66_000]].concat();
        for input in [&repeated, &noise, &far, &vec![7; 1000]] {
            for length in (0..40).chain([270, 271, 300, input.len()]) {
                let input = &input[..length.min(input.len())];
                assert_eq!(unpack(&pack(input), input.len()).unwrap(), input);
                assert_eq!(unpack(&pack_chunks(input, 1 + input.len() / 3), input.len()).unwrap(), input);
            }
        }
        assert!(pack(&repeated).len() < 100, "{} bytes", pack(&repeated).len());
        assert!(pack(&noise).len() < noise.len() + noise.len() / 200);
    }

    #[test]
    fn whole_numbers_of_any_size_come_out_again() {
        let numbers = [0, 1, 2, 3, 3, 300, -70_000, i32::MAX, i32::MIN, 5, -1, 0];
        for count in 0..=numbers.len() {
            let packed = pack_integers(numbers[..count].iter().copied());
            let expected: Vec<i64> = numbers[..count].iter().copied().map(i64::from).collect();
            assert_eq!(unpack_integers(&packed, count, false).unwrap(), expected);
        }
        let quads = pack_integers(std::iter::repeat_n(4, 100_000));
        assert!(quads.len() < 200, "{} bytes", quads.len());
    }

    #[test]
    fn literals_and_copies_come_out_and_lies_are_refused() {
        let packed = [0, 0x32, b'a', b'b', b'c', 3, 0, 0x10, b'!'];
        assert_eq!(unpack(&packed, 100).unwrap(), b"abcabcabc!");
        assert!(unpack(&packed, 9).is_err());
        (0..packed.len()).for_each(|length| drop(unpack(&packed[..length], 100)));
        assert!(unpack(&[0, 0x10, b'a', 2, 0, 0], 100).is_err(), "a copy from before the data");
        assert!(unpack(&[2, 2, 0, 0, 0, 0x10, b'a'], 100).is_err(), "the second chunk is missing");
        let twice = [2, 2, 0, 0, 0, 0x10, b'a', 2, 0, 0, 0, 0x10, b'b'];
        assert_eq!(unpack(&twice, 100).unwrap(), b"ab");
    }

    #[test]
    fn whole_numbers_are_differences_in_their_own_sizes() {
        // Common 1; codes: common, one byte, two bytes, four bytes.
        let data =
            [&[1, 0, 0, 0, 0b11_10_01_00, 0xfe][..], &(-300i16).to_le_bytes(), &70_000i32.to_le_bytes()];
        let data = data.concat();
        let packed = [&[0, (data.len() as u8) << 4][..], &data].concat();
        assert_eq!(unpack_integers(&packed, 4, false).unwrap(), [1, -1, -301, 69_699]);
        assert!(unpack_integers(&packed, 5, false).is_err());
        // Common 7; codes: two bytes, four bytes, common.
        let data = [&[7, 0, 0, 0, 0, 0, 0, 0, 0b00_10_01][..], &(-2i16).to_le_bytes(), &5i32.to_le_bytes()];
        let data = data.concat();
        let packed = [&[0, 0xf0, data.len() as u8 - 15][..], &data].concat();
        assert_eq!(unpack_integers(&packed, 3, true).unwrap(), [-2, 3, 10]);
    }
}
