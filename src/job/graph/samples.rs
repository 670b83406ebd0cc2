//! The samples of a job: its frames, and for motion blur some between consecutive ones.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// The number of samples per frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Samples(u32);

/// More are a typing error.
const MOST: u32 = 64;

impl Samples {
    /// That many; frames must ascend if there are several.
    pub fn new(count: u32, frames: &[i64]) -> Result<Self> {
        let wrong = |message: String| Err(Error::new(Kind::InvalidArgument, message));
        if !(1..=MOST).contains(&count) {
            return wrong(format!("{count} samples per frame; 1 to {MOST} are allowed"));
        }
        let falling = frames.windows(2).find(|pair| pair[1] <= pair[0]).filter(|_| count > 1);
        if let Some(pair) = falling {
            return wrong(format!(
                "frame {} comes after frame {}; with several samples per frame they must be in ascending order",
                pair[1], pair[0]
            ));
        }
        match frames.iter().all(|frame| frame.checked_mul(i64::from(count)).is_some()) {
            true => Ok(Samples(count)),
            false => wrong("the frame numbers are too large for several samples per frame".into()),
        }
    }

    /// The number of samples per frame.
    pub fn count(self) -> u32 {
        self.0
    }

    /// The fractions of a frame at which there are samples, without the ends.
    pub fn parts(self) -> impl Iterator<Item = Real> {
        (1..self.0).map(move |k| Real::from(k) / Real::from(self.0))
    }

    /// All samples, counted from frame 0.
    pub fn numbers(self, frames: &[i64]) -> Vec<i64> {
        let count = i64::from(self.0);
        let first = frames.first().map(|first| first * count);
        let others = frames.windows(2).flat_map(|pair| {
            let (from, step) = (pair[0] * count, pair[1].wrapping_sub(pair[0]));
            (1..=count).map(move |k| from.wrapping_add(k * step))
        });
        first.into_iter().chain(others).collect()
    }

    /// The index of the frame to which a sample belongs, and its index among the samples before that frame.
    pub fn place(self, index: usize) -> (usize, Option<usize>) {
        let count = self.0 as usize;
        let place = index.div_ceil(count);
        let since = index + count - place * count;
        (place, (index > 0 && since < count).then(|| since - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_lie_evenly_between_frames() {
        let frames = [-1, 0, 2];
        let samples = Samples::new(4, &frames).unwrap();
        assert_eq!(samples.numbers(&frames), [-4, -3, -2, -1, 0, 2, 4, 6, 8]);
        let places: Vec<_> = (0..9).map(|index| samples.place(index)).collect();
        let between = |place| [0, 1, 2].map(|since| (place, Some(since)));
        let expected = [&[(0, None)][..], &between(1), &[(1, None)], &between(2), &[(2, None)]].concat();
        assert_eq!(places, expected);
        assert_eq!(samples.parts().collect::<Vec<_>>(), [0.25, 0.5, 0.75]);
        let plain = Samples::new(1, &[5, 3]).unwrap();
        assert_eq!((plain.numbers(&[5, 3]), plain.parts().count()), (vec![5, 3], 0));
        assert_eq!((plain.place(0), plain.place(1)), ((0, None), (1, None)));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (count, frames) in [(0, &[1][..]), (65, &[1]), (2, &[2, 1]), (2, &[1, 1]), (4, &[i64::MAX / 2])] {
            assert!(Samples::new(count, frames).is_err(), "{count} {frames:?}");
        }
    }
}
