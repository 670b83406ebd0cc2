//! How .usdc packs bytes and whole numbers: LZ4 blocks, and differences between neighbours in as few bytes as they take.
//! Facts from the sources of OpenUSD (`pxr/base/tf/fastCompression.cpp`, `pxr/usd/sdf/integerCoding.cpp`).

use crate::error::{Error, Kind, Result};

fn damaged(what: &str) -> Error {
    Error::new(Kind::Parse, format!("compressed data is damaged: {what}"))
}

/// Unpacks what `TfFastCompression` packed, at most `limit` bytes.
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

/// One LZ4 block: literals and copies of what came before, in turns.
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
        let &high = bytes.next().ok_or_else(|| damaged("it ends inside a distance"))?;
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

/// Unpacks `count` whole numbers of 4 (or, when `wide`, 8) bytes; the caller has checked the count.
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

/// A little-endian whole number with a sign, of 1, 2, 4 or 8 bytes.
fn integer(bytes: &[u8]) -> i64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let shift = 64 - 8 * bytes.len() as u32;
    i64::from_le_bytes(wide) << shift >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

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
