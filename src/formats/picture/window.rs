//! Pictures whose file holds only a rectangle, the data window, of the whole, the display window.

use sinew_base::error::{Error, Kind, Result};
use std::ops::Range;

/// A rectangle of pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub x: Range<usize>,
    pub y: Range<usize>,
}

/// A whole picture of up to this size, in bytes, is always accepted if a file holds a part of it.
const LARGE: usize = 32 << 20;
/// A larger one may have this many bytes for each of the file's.
const RATIO: usize = 900;

impl Window {
    /// The smallest rectangle that holds all non-zero pixels; one pixel if there are none.
    pub fn of_all_but_zeros(samples: &[f32], width: usize, channels: usize) -> Self {
        let mut held: Option<Window> = None;
        for (row, texels) in samples.chunks_exact(width * channels).enumerate() {
            let is_held = |texel: &[f32]| texel.iter().any(|number| *number != 0.0);
            let Some(first) = texels.chunks_exact(channels).position(is_held) else { continue };
            let last = texels.chunks_exact(channels).rposition(is_held).unwrap_or(first);
            let Window { x, y } = held.unwrap_or(Window { x: first..last + 1, y: row..row + 1 });
            held = Some(Window { x: x.start.min(first)..x.end.max(last + 1), y: y.start..row + 1 });
        }
        held.unwrap_or(Window { x: 0..1, y: 0..1 })
    }

    /// The width and the height in pixels.
    pub fn size(&self) -> [usize; 2] {
        [self.x.len(), self.y.len()]
    }

    /// The part inside it of a picture of that width.
    pub fn cut(&self, samples: &[f32], width: usize, channels: usize) -> Vec<f32> {
        let row = |y: usize| &samples[(y * width + self.x.start) * channels..][..self.x.len() * channels];
        self.y.clone().flat_map(row).copied().collect()
    }
}

/// Whether a picture of a size may be expanded from a file of that many bytes, before memory is allocated.
pub(super) fn check_whole(size: [usize; 2], channels: usize, bytes: usize) -> Result<()> {
    let most = LARGE.saturating_add(RATIO.saturating_mul(bytes));
    let whole = size[0].saturating_mul(size[1]).saturating_mul(4 * channels);
    if whole <= most {
        return Ok(());
    }
    let message = format!(
        "the picture is {} by {} pixels, far more than the file's {bytes} bytes can hold",
        size[0], size[1]
    );
    Err(Error::new(Kind::TooLarge, message))
}

/// A picture of a size, zero except for a part whose first pixel may lie outside.
pub(super) fn placed(
    part: &[f32],
    part_size: [usize; 2],
    place: [i64; 2],
    size: [usize; 2],
    channels: usize,
) -> Vec<f32> {
    let mut whole = vec![0.0; size[0] * size[1] * channels];
    // The visible part of the part, in its own pixels.
    let inside = [0, 1].map(|k| {
        let end = (size[k] as i64 - place[k]).clamp(0, part_size[k] as i64);
        (-place[k]).clamp(0, end) as usize..end as usize
    });
    for y in inside[1].clone().filter(|_| !inside[0].is_empty()) {
        let from = &part[(y * part_size[0] + inside[0].start) * channels..][..inside[0].len() * channels];
        let [left, top] = [inside[0].start as i64 + place[0], y as i64 + place[1]];
        let to = (top as usize * size[0] + left as usize) * channels;
        whole[to..to + from.len()].copy_from_slice(from);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_goes_back_to_where_it_was_cut() {
        let (size, channels) = ([7, 5], 2);
        let held = |k: usize| (2..6).contains(&(k / 2 % 7)) && (1..3).contains(&(k / 14));
        let whole: Vec<f32> = (0..70).map(|k| if held(k) { k as f32 } else { 0.0 }).collect();
        let window = Window::of_all_but_zeros(&whole, 7, channels);
        assert_eq!(window, Window { x: 2..6, y: 1..3 });
        let part = window.cut(&whole, 7, channels);
        assert_eq!(placed(&part, window.size(), [2, 1], size, channels), whole);
        assert_eq!(Window::of_all_but_zeros(&[0.0; 8], 2, 2), Window { x: 0..1, y: 0..1 });
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let part = [1.0, 2.0, 3.0, 4.0];
        let at = |place| placed(&part, [2, 2], place, [2, 2], 1);
        assert_eq!(at([1, 1]), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(at([-1, -1]), [4.0, 0.0, 0.0, 0.0]);
        assert_eq!(at([-1, 1]), [0.0, 0.0, 2.0, 0.0]);
        for far in [[2, 0], [-2, 0], [0, 2], [i64::from(i32::MIN), 0], [0, i64::from(i32::MAX)]] {
            assert_eq!(at(far), [0.0; 4], "{far:?}");
        }
        assert_eq!(check_whole([1 << 20, 1 << 20], 1, 1 << 20).unwrap_err().kind(), Kind::TooLarge);
        assert_eq!(check_whole([usize::MAX, 2], 4, 1000).unwrap_err().kind(), Kind::TooLarge);
        assert!(check_whole([4096, 4096], 4, 300_000).is_ok() && check_whole([1024, 1024], 4, 500).is_ok());
    }
}
