//! Frames per second: what files say about them, and which rate applies.
//!
//! If no rate is given, the file's applies, so that the output has the rate of the input. A given rate applies if the
//! file's samples are at whole frames of it (half as many, twice as many); one that is nearly the file's, such as 24
//! for 23.976, is refused: within half a minute sound and picture would drift apart.

use super::Format;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::path::Path;

/// The rate if neither a file nor a person gives one.
pub const USUAL: Real = 24.0;

/// The tolerance for a sample at a whole frame: single-precision accuracy after an hour.
pub(super) const NEAR_WHOLE: Real = 0.01;

/// Frames beyond are no frames: doubles are not fine enough there.
pub(super) const MOST_FRAME: Real = 1e15;

/// The rate that a rounded one stands for: files round times and rates to some digits. 23.976 is 24000/1001.
pub fn exact(rate: Real) -> Real {
    let whole = rate.round();
    if (rate - whole).abs() <= 1e-4 * whole {
        return whole;
    }
    let broadcast = [24.0, 30.0, 48.0, 60.0, 120.0].map(|n| n * 1000.0 / 1001.0);
    broadcast.into_iter().find(|n| (rate - n).abs() <= 2e-4 * n).unwrap_or(rate)
}

/// The rate that a number in a file stands for; none if it is not a rate.
pub(super) fn sound(rate: Real) -> Option<Real> {
    (rate.is_finite() && rate > 0.0).then(|| exact(rate))
}

/// What a file says about its rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// Explicit rates, the most reliable first.
    words: Vec<Real>,
    /// The rate implied by the time between samples, if that is constant.
    step: Option<Real>,
}

impl Said {
    /// The explicit rates of a file, and the times in seconds of its samples.
    pub fn new(words: impl IntoIterator<Item = Option<Real>>, seconds: &[Real]) -> Self {
        let words = words.into_iter().flatten().filter_map(sound).collect();
        let spans = seconds.len().saturating_sub(1) as Real;
        let step = seconds.first().zip(seconds.last()).map(|(a, b)| (b - a) / spans);
        let step = step.filter(|step| {
            // Times in single precision are off in their last digits.
            let slack = 1e-3 * step + 1e-6 * seconds.last().map_or(0.0, |t| t.abs());
            *step > 0.0 && seconds.windows(2).all(|pair| (pair[1] - pair[0] - step).abs() <= slack)
        });
        Said { words, step: step.map(|step| exact(1.0 / step)) }
    }

    /// Of keys of an animation, none of which lies between frames for motion blur: a rate of capture counts, too.
    pub(super) fn sampled(seconds: &[Real]) -> Self {
        let said = Said::new([], seconds);
        let captured = [48.0, 50.0, 60000.0 / 1001.0, 60.0, 100.0, 120000.0 / 1001.0, 120.0];
        let words = said.step.filter(|step| captured.contains(step)).into_iter().collect();
        Said { words, ..said }
    }

    /// The rate that the file certainly has. Samples may lie on every other frame, or between frames for motion blur;
    /// so without an explicit rate only those of film and broadcast are accepted.
    pub fn rate(&self) -> Option<Real> {
        let films = [24000.0 / 1001.0, 24.0, 25.0, 30000.0 / 1001.0, 30.0];
        self.words.first().copied().or(self.step.filter(|rate| films.contains(rate)))
    }

    /// The rate that applies, and what `place` makes of the file at that rate.
    pub(super) fn choose<T>(
        &self,
        given: Option<Real>,
        path: &Path,
        place: impl Fn(Real) -> Result<T>,
    ) -> Result<(Real, T)> {
        let own = self.rate();
        if let Some(given) = given {
            return match own {
                Some(own) if exact(given) == own => place(own).map(|placed| (own, placed)),
                Some(own) if (own - given).abs() < 0.01 * own => Err(differs(given, own).file(path)),
                _ => place(given).map(|placed| (given, placed)).map_err(|e| self.hint(e, path)),
            };
        }
        let mut failed = None;
        for rate in self.words.iter().copied().chain(own).chain([USUAL]).chain(self.step) {
            match place(rate) {
                Ok(placed) => return Ok((rate, placed)),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        Err(failed.unwrap_or_else(|| Error::new(Kind::Internal, "no rate was tried")))
    }

    /// Suggests the file's own rate if no samples are at whole frames.
    fn hint(&self, error: Error, path: &Path) -> Error {
        match (self.rate(), error.kind()) {
            (Some(own), Kind::Unsupported) => {
                let message = format!("{}; the file says {}", error.message(), shown(own));
                Error::new(Kind::Unsupported, message).file(path)
            }
            _ => error,
        }
    }
}

/// A rate in human-readable form.
pub(super) fn shown(rate: Real) -> String {
    ((rate * 1000.0).round() / 1000.0).to_string()
}

fn differs(given: Real, own: Real) -> Error {
    let (given, own) = (shown(given), shown(own));
    let message = format!(
        "the file has {own} frames per second, not {given}: use {own}, or omit the rate to use the file's"
    );
    Error::new(Kind::InvalidArgument, message)
}

/// The rate of a file of any kind; none if its format has no rate, or if it cannot be read: whoever reads it reports
/// the error.
pub fn of_file(path: &Path) -> Option<Real> {
    Format::of(path).ok()?.row().read.rate?(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_rates_are_what_they_mean() {
        let film = 24000.0 / 1001.0;
        for (rounded, meant) in [
            (23.976, film),
            (23.98, film),
            (23.976024, film),
            (29.97, 30000.0 / 1001.0),
            (59.94, 60000.0 / 1001.0),
            (1.0 / 0.0416667, 24.0),
            (1.0 / 0.033333, 30.0),
            (1.0 / 0.041708, film),
            (1.0 / 0.008333, 120.0),
            (24.5, 24.5),
            (23.9, 23.9),
        ] {
            assert_eq!(exact(rounded), meant, "{rounded}");
        }
    }

    #[test]
    fn times_tell_a_rate_only_where_it_is_sure() {
        let at = |rate: Real| (1..5).map(|k| k as Real / rate).collect::<Vec<_>>();
        let rate = |words: [Option<Real>; 1], seconds: &[Real]| Said::new(words, seconds).rate();
        assert_eq!(rate([Some(25.0)], &at(12.5)), Some(25.0));
        assert_eq!(rate([None], &at(25.0)), Some(25.0));
        assert_eq!(rate([None], &at(24000.0 / 1001.0)), Some(24000.0 / 1001.0));
        // On twos, or for motion blur.
        assert_eq!(rate([None], &at(12.0)), None);
        assert_eq!(rate([None], &at(96.0)), None);
        assert_eq!(rate([None], &[0.0, 0.1, 0.4]), None);
        assert_eq!(rate([Some(0.0)], &[1.0]), None);
    }

    #[test]
    fn the_files_rate_holds_unless_a_given_one_fits() {
        let choose = |said: &Said, given| said.choose(given, Path::new("a.abc"), Ok);
        let film = 24000.0 / 1001.0;
        let said = Said::new([Some(23.976)], &[]);
        assert_eq!(choose(&said, None).unwrap().0, film);
        assert_eq!(choose(&said, Some(23.976)).unwrap().0, film);
        assert_eq!(choose(&said, Some(48.0)).unwrap().0, 48.0);
        let error = choose(&said, Some(24.0)).unwrap_err();
        assert!(error.message().contains("23.976 frames per second, not 24"), "{error}");
        assert_eq!(choose(&Said::default(), None).unwrap().0, USUAL);
    }
}
