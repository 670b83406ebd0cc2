//! Numbers as compact text: quantized, delta-coded, byte planes, deflate, base64.

/// Integers of 1 to 4 bytes. What is stored is the change of each since the one before (0 if there is none) minus the
/// change of its predecessor in the array, because neighbours move alike. Small differences of either sign become small
/// numbers, and the lowest bytes of all come first, then the next.
pub(super) fn planes(values: &[u32], before: &[u32], width: usize, out: &mut Vec<u8>) {
    let unused = 32 - 8 * width as u32;
    let mut last = 0;
    let folded = values.iter().enumerate().map(|(k, value)| {
        let change = value.wrapping_sub(before.get(k).copied().unwrap_or(0));
        // Modulo the range of that width, so that a difference needs no further bit.
        let more = (change.wrapping_sub(last) << unused) as i32 >> unused;
        last = change;
        ((more << 1) ^ (more >> 31)) as u32
    });
    let folded: Vec<u32> = folded.collect();
    for byte in 0..width {
        out.extend(folded.iter().map(|number| (number >> (8 * byte)) as u8));
    }
}

/// Bytes as a zlib stream in base64.
pub(super) fn deflated(bytes: &[u8]) -> String {
    /// Higher levels take twice the time for one percent less.
    const LEVEL: u8 = 7;
    base64(&miniz_oxide::deflate::compress_to_vec_zlib(bytes, LEVEL))
}

/// The encoding of RFC 4648, section 4.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |k: usize| u32::from(chunk.get(k).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= chunk.len() { letter as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        // The examples of RFC 4648, section 10.
        let pairs = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }

    /// As the page does it.
    fn unpack(bytes: &[u8], before: &[u32], width: usize) -> Vec<u32> {
        let count = bytes.len() / width;
        let mask = u32::MAX >> (32 - 8 * width);
        let mut change = 0u32;
        let value = |k: usize| {
            let folded = (0..width).fold(0, |sum, b| sum | u32::from(bytes[b * count + k]) << (8 * b));
            change = change.wrapping_add(((folded >> 1) as i32 ^ -((folded & 1) as i32)) as u32);
            before.get(k).copied().unwrap_or(0).wrapping_add(change) & mask
        };
        (0..count).map(value).collect()
    }

    proptest! {
        #[test]
        fn planes_come_back(values in prop::collection::vec(any::<(u32, u32)>(), 0..20), width in 1..5usize) {
            let mask = u32::MAX >> (32 - 8 * width);
            let (values, mut before): (Vec<u32>, Vec<u32>) = values.iter().map(|(a, b)| (a & mask, b & mask)).unzip();
            before.truncate(15);
            let mut bytes = Vec::new();
            planes(&values, &before, width, &mut bytes);
            prop_assert_eq!(unpack(&bytes, &before, width), values);
        }
    }
}
