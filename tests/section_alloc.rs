//! Cutting a solid takes no memory once there has been a plane. Alone in its file, because the allocator counts for the
//! whole process.

use sinew::geometry::{LongBone, Section, Solid};
use sinew::math::{Placement, Rotation, Vec2, Vec3, Vec6};
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

#[test]
fn cutting_a_solid_does_not_allocate() {
    let solid = Solid::new(&LongBone::default().mesh().unwrap()).unwrap();
    let across = Rotation::from_scaled_axis(Vec3::y() * std::f64::consts::FRAC_PI_2);
    let middle = Placement::new(across, Vec3::x() * 0.03);
    let mut section = Section::default();
    let mut round = || {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        for k in 0..100 {
            let aside = f64::from(k) * 0.01;
            let plane = middle * Placement::exp(&Vec6::new(aside, 0.3, 0.0, 0.0, 0.0, -0.02 * aside));
            section.update(&solid, &plane).unwrap();
            section.closest(&Vec2::new(0.01, aside)).unwrap();
        }
        ALLOCATIONS.load(Ordering::Relaxed) - before
    };
    // The first round takes what the largest polygon needs. Other threads of the test's harness may take some at any
    // time; what a cut takes is in every round.
    round();
    assert_eq!((0..20).map(|_| round()).min(), Some(0));
}
