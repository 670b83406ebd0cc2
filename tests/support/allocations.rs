//! Counts allocations. The allocator counts for the whole process, so tests that use this take turns.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// Waits until no other test counts; held for the whole of a test, since what a test sets up takes memory too.
pub fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The fewest allocations in any of several rounds, on two threads. Those of a step show in every round; those that
/// the thread pool makes now and then, to enlarge its queues, do not.
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
