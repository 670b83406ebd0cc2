//! A step of the skinning kernel takes no memory once it is warm. Alone in its file, because the allocator counts
//! for the whole process.

use sinew::math::{Affine, Mat3, Vec3, affine};
use sinew::skinning::{Method, PerVertex, Pose, Scratch, Skinner, Weights};
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
fn a_warm_step_does_not_allocate() {
    let vertices = 20_000;
    let indices: Vec<u32> = (0..4 * vertices).map(|k| (k % 24) as u32).collect();
    let weights = Weights::new(&vec![4; vertices], &indices, &vec![0.25; 4 * vertices], 24, true).unwrap();
    let rest = vec![affine(&Mat3::identity(), &Vec3::zeros()); 24];
    let joints: Vec<Affine> =
        (0..24).map(|i| affine(&Mat3::from_diagonal_element(1.0 + 0.01 * i as f64), &Vec3::x())).collect();
    let skinner = Skinner::new(weights, &rest).unwrap();
    let points: Vec<f64> = (0..3 * vertices).map(|k| k as f64).collect();
    let mut out = vec![0.0; points.len()];
    let mut scratch = Scratch::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let one = PerVertex::Constant(1.0);
    let pose = Pose {
        joints: &joints,
        method: Method::Blend,
        blend: PerVertex::Constant(0.5),
        envelope_map: one,
        envelope: 1.0,
    };
    let taken = pool.install(|| {
        skinner.step(&mut scratch, &pose, &points, &mut out).unwrap();
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        for method in [Method::Linear, Method::DualQuaternion, Method::Blend] {
            skinner.step(&mut scratch, &Pose { method, ..pose }, &points, &mut out).unwrap();
        }
        ALLOCATIONS.load(Ordering::Relaxed) - before
    });
    assert_eq!(taken, 0);
}
