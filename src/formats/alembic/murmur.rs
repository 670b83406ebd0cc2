//! MurmurHash3, the 128-bit variant for 64-bit machines, with seed 0: the key that Alembic stores before each sample.
//! Implemented here because the crates that provide it have been unmaintained for years.

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

fn mix_low(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn mix_high(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn finish(mut k: u64) -> u64 {
    k = (k ^ (k >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    k = (k ^ (k >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ (k >> 33)
}

fn word(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    eight[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(eight)
}

/// The hash of some bytes.
pub(super) fn murmur(bytes: &[u8]) -> [u8; 16] {
    let (mut low, mut high) = (0u64, 0u64);
    let mut blocks = bytes.chunks_exact(16);
    for block in &mut blocks {
        low = (low ^ mix_low(word(&block[..8]))).rotate_left(27).wrapping_add(high);
        low = low.wrapping_mul(5).wrapping_add(0x52dc_e729);
        high = (high ^ mix_high(word(&block[8..]))).rotate_left(31).wrapping_add(low);
        high = high.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let rest = blocks.remainder();
    let (first, second) = rest.split_at(rest.len().min(8));
    high ^= mix_high(word(second));
    low ^= mix_low(word(first));
    let length = bytes.len() as u64;
    (low, high) = (low ^ length, high ^ length);
    low = low.wrapping_add(high);
    high = high.wrapping_add(low);
    (low, high) = (finish(low), finish(high));
    low = low.wrapping_add(high);
    high = high.wrapping_add(low);
    let mut out = [0; 16];
    out[..8].copy_from_slice(&low.to_le_bytes());
    out[8..].copy_from_slice(&high.to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_are_those_that_the_studios_library_writes() {
        let hex = |bytes: &[u8]| murmur(bytes).map(|b| format!("{b:02x}")).concat();
        assert_eq!(hex(&[1]), "16fe7483905cce7a85670e43e4678877");
        assert_eq!(hex(&[0]), "b55cff6ee5ab10468335f878aa2d6251");
        let counts: Vec<u8> = [4i32, 3, 3].iter().flat_map(|k| k.to_le_bytes()).collect();
        assert_eq!(hex(&counts), "64b13d06bfd9961316b162bd9c02e2b7");
        let corners: Vec<u8> =
            [3i32, 2, 1, 0, 5, 4, 1, 2, 5, 1].iter().flat_map(|k| k.to_le_bytes()).collect();
        assert_eq!(hex(&corners), "4a9b46472b1b14e33eccdbfc53b6be33");
    }
}
