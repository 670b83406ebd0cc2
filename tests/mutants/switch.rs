//! Which mutant is on: written into the copy of the crate by tests/mutants, no part of the crate itself.
//!
//! The variable `SINEW_MUTATION` holds the number of a mutant, or `record:PATH` of a file with one byte for each
//! mutant, in which those that are reached leave a 1; programs that a test starts inherit it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

const UNREAD: usize = usize::MAX;
const RECORDING: usize = usize::MAX - 1;
const NONE: usize = usize::MAX - 2;

static ACTIVE: AtomicUsize = AtomicUsize::new(UNREAD);
static REACHED: OnceLock<memmap2::MmapRaw> = OnceLock::new();

/// True when mutant `id` is on.
#[inline]
pub fn on(id: usize) -> bool {
    let active = ACTIVE.load(Relaxed);
    active == id || (active >= RECORDING && read_or_record(id, active))
}

#[cold]
fn read_or_record(id: usize, active: usize) -> bool {
    if active == UNREAD {
        ACTIVE.store(read(), Relaxed);
        return on(id);
    }
    let map = REACHED.get().expect("the recorder starts with a file");
    assert!(id < map.len(), "mutant {id} has no place in the record");
    // SAFETY: inside the map, as asserted; the map lives as long as the program and is only written as atomic bytes.
    unsafe { AtomicU8::from_ptr(map.as_mut_ptr().add(id)) }.store(1, Relaxed);
    false
}

fn read() -> usize {
    let Ok(text) = std::env::var("SINEW_MUTATION") else { return NONE };
    if let Some(path) = text.strip_prefix("record:") {
        REACHED.get_or_init(|| {
            let file = std::fs::File::options().read(true).write(true).open(path).expect("the record opens");
            memmap2::MmapRaw::map_raw(&file).expect("the record is mapped")
        });
        return RECORDING;
    }
    text.parse().expect("SINEW_MUTATION is a number or record:PATH")
}
