//! Carrying a map takes no memory. Alone in its file, because the allocator counts for the whole process.

use sinew::geometry::{
    Carrier, CarryScratch, ClosestPoint, HalfEdges, SurfacePoint, TriMesh, decimate, shapes,
};
use sinew::math::Vec3;
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
fn carrying_a_map_does_not_allocate() {
    let fine = TriMesh::from_mesh(&shapes::torus(2.0, 0.7, 80, 40)).unwrap();
    let edges = HalfEdges::of_triangles(fine.positions.len(), &fine.triangles);
    let coarse = decimate(&fine, &edges, 500, &vec![false; fine.positions.len()]).unwrap();
    let carrier = Carrier::new(&fine, &edges, &coarse).unwrap();
    let tree = ClosestPoint::new(&coarse.mesh).unwrap();
    // Upside down and aside: some places are far off the surface, so that every kind of search runs.
    let place = |p: &Vec3| tree.find(&Vec3::new(p.x + 0.5, -p.y, p.z), f64::INFINITY).unwrap().on;
    let map: Vec<SurfacePoint> = coarse.mesh.positions.iter().map(place).collect();
    let mut out = vec![map[0]; fine.positions.len()];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let mut scratch = CarryScratch::default();
    let mut round = || {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        carrier.carry(&map, &mut scratch, &mut out).unwrap();
        ALLOCATIONS.load(Ordering::Relaxed) - before
    };
    // The pool itself takes memory once per thread, when that first gets work; what a call takes is in every round.
    let taken = pool.install(|| (0..20).map(|_| round()).min());
    assert_eq!(taken, Some(0));
}
