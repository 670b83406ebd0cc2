//! Any reader of the table: the one that SINEW_READER names.
#![no_main]

use sinew_fuzz::{TARGETS, Target};
use std::sync::LazyLock;

static READER: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("SINEW_READER").expect("SINEW_READER names a reader");
    let known = TARGETS.iter().find(|(known, _)| *known == name);
    known.unwrap_or_else(|| panic!("{name}: no such reader")).1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| READER(data));
