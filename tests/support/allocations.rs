//! How often memory is taken. A test that uses this is alone in its file, because the allocator counts for the whole
//! process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often memory was taken in the best of some rounds, on two threads. What a step takes shows in every round; what
/// the thread pool takes now and then, to enlarge its queues, does not.
pub fn fewest_allocations(mut round: impl FnMut() + Send) -> usize {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let count = |round: &mut (dyn FnMut() + Send)| {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        round();
        ALLOCATIONS.load(Ordering::Relaxed) - before
    };
    pool.install(|| {
        round();
        (0..5).map(|_| count(&mut round)).min().unwrap_or(0)
    })
}
