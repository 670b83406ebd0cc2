//! Which frames the samples of a file belong to.

use crate::rate::{MOST_FRAME, NEAR_WHOLE};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::path::Path;

/// The times of samples between whole frames, as in files for motion blur, with their frames.
pub(super) struct Between(Vec<[Real; 2]>);

impl Between {
    pub fn new(times: &[Real], frame: impl Fn(Real) -> Real) -> Self {
        let all = times.iter().map(|&time| [frame(time), time]);
        Between(all.filter(|[frame, _]| (frame - frame.round()).abs() > NEAR_WHOLE).collect())
    }

    /// The time of the sample at that frame.
    pub fn time(&self, frame: Real) -> Option<Real> {
        self.0.iter().find(|[there, _]| (there - frame).abs() <= NEAR_WHOLE).map(|[_, time]| *time)
    }
}

/// Those samples that are at whole frames, and their frames. Files for motion blur have others in between.
pub(super) fn at_whole_frames(
    times: &[Real],
    frame: impl Fn(Real) -> Real,
    fps: Real,
    path: &Path,
) -> Result<(Vec<Real>, Vec<i64>)> {
    let whole: Vec<Real> =
        times.iter().copied().filter(|&t| (frame(t) - frame(t).round()).abs() <= NEAR_WHOLE).collect();
    // If there is none, the error names the first.
    let kept = if whole.is_empty() { times.to_vec() } else { whole };
    let hint = || speed(&times.iter().map(|&t| frame(t)).collect::<Vec<_>>(), fps);
    let frames = whole_frames(kept.iter().map(|&t| frame(t)), fps, path)
        .map_err(|e| Error::new(e.kind(), format!("{}{}", e.message(), hint())).file(path))?;
    // Motion-blur samples lie near every frame; samples at another rate meet a frame only now and then.
    let gaps = frames.windows(2).any(|pair| pair[1] - pair[0] > 1);
    let ends = frames.first().zip(frames.last()).map(|(&first, &last)| [first as Real, last as Real]);
    let near = |t: &Real| ends.is_some_and(|[first, last]| first - 1.0 < frame(*t) && frame(*t) < last + 1.0);
    if kept.len() < times.len() && (gaps || !times.iter().all(near)) {
        let (count, all) = (kept.len(), times.len());
        let message =
            format!("only {count} of {all} samples are at whole frames at {fps} frames per second{}", hint());
        return Err(Error::new(Kind::Unsupported, message).file(path));
    }
    Ok((kept, frames))
}

/// The rate at which evenly spaced samples would be at whole frames, as a question; otherwise nothing.
fn speed(frames: &[Real], fps: Real) -> String {
    let apart: Vec<Real> = frames.windows(2).map(|pair| pair[1] - pair[0]).collect();
    match apart.first() {
        Some(&first) if first > 0.0 && apart.iter().all(|d| (d - first).abs() < NEAR_WHOLE) => {
            format!(": is the file's rate {}?", (fps / first * 1000.0).round() / 1000.0)
        }
        _ => String::new(),
    }
}

/// The whole frame at which a sample is, if it is at one.
pub(super) fn near_whole(frame: Real) -> Option<i64> {
    let whole = frame.round();
    ((frame - whole).abs() <= NEAR_WHOLE && whole.abs() <= MOST_FRAME).then_some(whole as i64)
}

/// Frames that must be whole, to within single-precision accuracy after an hour.
pub(super) fn whole_frames(times: impl Iterator<Item = Real>, fps: Real, path: &Path) -> Result<Vec<i64>> {
    let frames = times.enumerate().map(|(sample, frame)| {
        near_whole(frame).ok_or_else(|| {
            let message = format!(
                "sample {sample} is at frame {frame} at {fps} frames per second, not at a whole frame"
            );
            Error::new(Kind::Unsupported, message).file(path)
        })
    });
    frames.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_speed_are_not_taken_for_motion_blur() {
        let at = |from: Real, step: Real, count: usize, fps: Real| {
            let times: Vec<Real> = (0..count).map(|k| from + step * k as Real).collect();
            let found = at_whole_frames(&times, |t| t * fps, fps, Path::new("a.abc"));
            found.map(|(_, frames)| frames).map_err(|e| e.message().to_string())
        };
        assert_eq!(at(1.0 / 24.0, 1.0 / 24.0, 3, 24.0), Ok(vec![1, 2, 3]));
        assert_eq!(at(1.0 / 24.0, 2.0 / 24.0, 3, 24.0), Ok(vec![1, 3, 5]), "on twos");
        assert_eq!(at(0.75 / 24.0, 0.25 / 24.0, 11, 24.0), Ok(vec![1, 2, 3]), "motion blur");
        assert_eq!(at(0.5 / 24.0, 0.5 / 24.0, 3, 24.0), Ok(vec![1]), "of one frame");
        for fps in [25.0, 30.0, 60.0, 23.976] {
            let stated = at(1.0 / fps, 1.0 / fps, 12, 24.0).unwrap_err();
            assert!(stated.ends_with(&format!("is the file's rate {fps}?")), "{stated}");
        }
    }
}
