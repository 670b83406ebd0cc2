//! The memory that a frame of a texture needs: counted at 1024 x 1024; 4096 x 4096 needs sixteen times as much.

use sinew::control::Control;
use sinew::geometry::shapes;
use sinew::texture::{
    Content, Depth, Layout, Picture, Room, Slide, SourceTexture, Texels, Tile, bake, st_map,
};
use std::alloc::{GlobalAlloc, Layout as Size, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Size) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Size) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes at a time while everything that a frame needs is made: the texels, an ST-map, the source of the
/// deepest kind with four channels, and its bake.
#[test]
fn a_frame_of_4096_squared_fits_into_one_and_a_half_gibibytes() {
    let control = Control::default();
    let layout = Layout::new(&shapes::torus(2.0, 0.7, 96, 48)).unwrap();
    let slide = Slide::at_rest(&layout).unwrap();
    for (depth, content, channels) in [
        (Depth::Bits8, Content::Colour, 3),
        (Depth::Bits16, Content::Normal { green_down: false }, 3),
        (Depth::Float, Content::Data, 4),
    ] {
        let before = NOW.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        let texels = Texels::new(&layout, Tile::default(), [1024, 1024], 16, &control).unwrap();
        drop(st_map(&layout, &texels, &slide, &control).unwrap());
        let mut read = |_| Ok(Picture::new([1024, 1024], channels, depth));
        let source =
            SourceTexture::new(&layout, content, &mut read, &mut Room::unbounded(), &control).unwrap();
        drop(bake(&layout, &texels, &slide, &source, &control).unwrap());
        let most = 16.0 * (MOST.load(Ordering::Relaxed) - before) as f64 / (1u64 << 30) as f64;
        println!("{depth:?}, {channels} channels: {most:.2} GiB at 4096 x 4096");
        assert!(most < 1.5, "{most}");
    }
}
