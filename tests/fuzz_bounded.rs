//! Every reader over the kept corpus in `tests/fuzz/corpus`: each sample, each of its truncations, and a fixed number
//! of mutations, always the same ones. A reader may not panic, may not take much memory for little input, and what it
//! reads must be sound; see `tests/fuzz/targets.rs`, which also tells how to fuzz for longer.

#[path = "support/memory.rs"]
mod memory;
#[path = "fuzz/samples.rs"]
mod samples;
#[path = "support/soak.rs"]
mod soak;
#[path = "fuzz/targets.rs"]
mod targets;

use memory::most_held;
use rayon::prelude::*;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use targets::{TARGETS, Target};

/// Mutations of each sample.
const MUTATIONS: u64 = 600;
/// The bytes that a reader and the checks may hold at once: this many, plus so many per byte of input.
const MEMORY: usize = 64 << 20;
const MEMORY_PER_BYTE: usize = 1000;
/// Larger samples would make the test slow.
const MAX_SAMPLE: usize = 4096;

/// SplitMix64: the same numbers everywhere and always.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// A piece of the bytes.
    fn piece(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let from = self.below(bytes.len() + 1);
        from..from + self.below((bytes.len() - from).min(64) + 1)
    }
}

/// What readers stumble over: limits of integers, NaN and infinity, odd characters.
const NASTY: &[&[u8]] = &[
    &[0, 0, 0, 0],
    &[0xff, 0xff, 0xff, 0xff],
    &[0x7f, 0xff, 0xff, 0xff],
    &[0xff, 0xff, 0xff, 0x7f],
    &[0, 0, 0xc0, 0x7f],
    &[0x7f, 0xc0, 0, 0],
    &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    b"-1",
    b"0",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"1e999",
    b"nan",
    b"\xef\xbb\xbf",
    b"\r",
    b"\\\n",
    b"#",
    b",",
];

/// Changes a sample in one to four places; `other` is a sample of the same reader.
fn mutate(sample: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(7) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[at] = [0, 0xff, 0x7f, 0x80, 1, b'0', b' '][random.below(7)],
            2 => {
                let nasty = NASTY[random.below(NASTY.len())];
                let end = (at + nasty.len()).min(bytes.len());
                bytes.splice(at..end, nasty.iter().copied());
            }
            3 => {
                let nasty = NASTY[random.below(NASTY.len())];
                bytes.splice(at..at, nasty.iter().copied());
            }
            4 => {
                let copy = bytes[random.piece(&bytes)].to_vec();
                bytes.splice(at..at, copy);
            }
            5 => drop(bytes.drain(random.piece(&bytes))),
            _ => {
                let cut = random.below(bytes.len() + 1);
                bytes.truncate(cut);
                bytes.extend(&other[random.below(other.len() + 1)..]);
            }
        }
    }
    bytes
}

/// Runs a reader on an input; returns what went wrong, if anything.
fn attempt(target: Target, input: &[u8]) -> Result<(), String> {
    let (outcome, taken) = most_held(|| catch_unwind(AssertUnwindSafe(|| target(input))));
    let wrong = match outcome {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_string()
        }
        Ok(()) if taken > MEMORY + MEMORY_PER_BYTE * input.len() => {
            format!("{taken} bytes of memory were taken for {} of input", input.len())
        }
        Ok(()) => return Ok(()),
    };
    let mut message = format!("{wrong}\n{:?}\n", String::from_utf8_lossy(input));
    input.iter().try_for_each(|byte| write!(message, "{byte:02x}")).unwrap();
    Err(message)
}

/// The samples of a reader with their names, in the order of the names.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(Path::new("tests/fuzz/corpus").join(target)).unwrap();
    let mut samples: Vec<_> = entries
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (format!("{target}/{name}"), std::fs::read(entry.path()).unwrap())
        })
        .collect();
    samples.sort();
    samples
}

/// The first failure among a sample's inputs.
fn check_sample(target: Target, samples: &[(String, Vec<u8>)], index: usize) -> Result<(), String> {
    let (name, sample) = &samples[index];
    for length in (0..=sample.len()).rev() {
        attempt(target, &sample[..length]).map_err(|e| format!("{name}, the first {length} bytes: {e}"))?;
    }
    for seed in 0..soak::rounds(MUTATIONS) {
        let hash = u64::from(crc32fast::hash(name.as_bytes()));
        let mut random = Random((hash << 32) | seed);
        let other = &samples[random.below(samples.len())].1;
        let input = mutate(sample, other, &mut random);
        attempt(target, &input).map_err(|e| format!("{name}, mutation {seed}: {e}"))?;
    }
    Ok(())
}

#[test]
fn every_truncation_and_mutation_of_every_sample_is_refused_or_sound() {
    let all: Vec<_> = TARGETS.iter().map(|&(name, target)| (target, corpus(name))).collect();
    let jobs: Vec<_> = all.iter().flat_map(|(t, s)| (0..s.len()).map(move |k| (*t, s, k))).collect();
    let wrong: Vec<String> = jobs
        .into_par_iter()
        .filter_map(|(target, samples, k)| check_sample(target, samples, k).err())
        .collect();
    assert!(wrong.is_empty(), "{} samples:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn every_reader_has_samples_and_no_sample_is_large() {
    for &(name, _) in TARGETS {
        let samples = corpus(name);
        assert!(samples.len() >= 3, "{name} has {} samples", samples.len());
        let large = samples.iter().find(|(_, bytes)| bytes.len() > MAX_SAMPLE);
        assert_eq!(large.map(|(name, _)| name), None);
    }
    assert_eq!(std::fs::read_dir("tests/fuzz/corpus").unwrap().count(), TARGETS.len());
}
