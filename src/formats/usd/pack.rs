//! How .usdc compresses bytes and integers: LZ4 blocks, and differences between neighbours in as few bytes as possible.
//! Facts from the sources of OpenUSD (`pxr/base/tf/fastCompression.cpp`, `pxr/usd/sdf/integerCoding.cpp`) and from the
//! description of LZ4's blocks (`doc/lz4_Block_format.md` of lz4).

use crate::error::{Error, Kind, Result};
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

/// One LZ4 block: literals and copies of earlier output, alternating.
fn unpack_block(block: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    let mut bytes = block.iter();
    loop {
        let token = bytes.next().ok_or_else(|| damaged("it ends too early"))?;
        let literals = length(usize::from(token >> 4), &mut bytes)?;
        let rest = bytes.as_slice();
        let (copied, after) = rest.split_at_checked(literals).ok_or_else(|| damaged("bytes are missing"))?;
        if out.len() + literals > limit {
            return Err(damaged("more comes out than there should be"));
        }
        out.extend_from_slice(copied);
        bytes = after.iter();
        let Some(&low) = bytes.next() else { return Ok(()) };
        let &high = bytes.next().ok_or_else(|| damaged("it ends inside an offset"))?;
        let distance = usize::from(u16::from_le_bytes([low, high]));
        let count = length(usize::from(token & 15), &mut bytes)? + 4;
        if distance == 0 || distance > out.len() - start {
            return Err(damaged("a copy begins before the data"));
        }
        if out.len() + count > limit {
            return Err(damaged("more comes out than there should be"));
        }
        let from = out.len() - distance;
        (0..count).for_each(|k| out.push(out[from + k]));
    }
}

/// A length: 15 is followed by bytes to add, up to one that is not 255.
fn length(nibble: usize, bytes: &mut std::slice::Iter<u8>) -> Result<usize> {
    let mut total = nibble;
    let mut more = nibble == 15;
    while more {
        let &byte = bytes.next().ok_or_else(|| damaged("it ends inside a length"))?;
        total += usize::from(byte);
        more = byte == 255;
    }
    Ok(total)
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

/// Compresses one LZ4 block: the last position of each four bytes seen is remembered, and the match from there becomes
/// a copy.
fn pack_block(input: &[u8], out: &mut Vec<u8>) {
    // The format requires the last bytes as literals, and no copy that starts among the last twelve.
    const TAIL: usize = 5;
    const LAST_COPY: usize = 12;
    const BITS: u32 = 14;
    let mut places = vec![usize::MAX; 1 << BITS];
    let (mut from, mut at) = (0, 0);
    while at + LAST_COPY < input.len() {
        let four = u32::from_le_bytes([input[at], input[at + 1], input[at + 2], input[at + 3]]);
        let place = &mut places[(four.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize];
        let before = std::mem::replace(place, at);
        if before == usize::MAX || at - before > 0xffff || input[before..before + 4] != input[at..at + 4] {
            at += 1;
            continue;
        }
        let longest = input.len() - TAIL - at;
        let equal = (4..longest).take_while(|&k| input[before + k] == input[at + k]).count() + 4;
        put_literals(&input[from..at], equal - 4, out);
        out.extend(((at - before) as u16).to_le_bytes());
        put_length(equal - 4, out);
        at += equal;
        from = at;
    }
    put_literals(&input[from..], 0, out);
}

/// The token of a sequence and its bytes; the rest of a copy's length follows its offset.
fn put_literals(bytes: &[u8], copied: usize, out: &mut Vec<u8>) {
    out.push((bytes.len().min(15) << 4 | copied.min(15)) as u8);
    put_length(bytes.len(), out);
    out.extend(bytes);
}

/// The part of a length that does not fit into its half of the token.
fn put_length(length: usize, out: &mut Vec<u8>) {
    if let Some(rest) = length.checked_sub(15) {
        out.extend(std::iter::repeat_n(255, rest / 255));
        out.push((rest % 255) as u8);
    }
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
