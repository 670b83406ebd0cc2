//! The times of a stream's samples.

use sinew_base::bytes::{Reader, put_reals};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// Alembic marks acyclic times by this period.
const UNEVEN: Real = Real::MAX / 32.0;
/// Two times closer than this, relative to their size, are the same.
const SAME: Real = 1e-12;

/// The times of a stream's samples, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeSampling {
    /// One sample per step.
    Uniform {
        /// The first sample's time.
        start: Real,
        /// The time between samples; positive.
        step: Real,
    },
    /// Several samples per period, repeating.
    Cyclic {
        /// Those of the first period, in order.
        times: Vec<Real>,
        /// The length of a period.
        period: Real,
    },
    /// Every sample at its own time, in order.
    Acyclic(Vec<Real>),
}

impl TimeSampling {
    /// Whole frames from `first` at `fps` frames per second.
    pub fn frames(first: Real, fps: Real) -> Self {
        TimeSampling::Uniform { start: first / fps, step: 1.0 / fps }
    }

    /// The times of these frames: a uniform step if they are evenly spaced.
    pub fn of_frames(frames: &[i64], fps: Real) -> Self {
        let first = frames.first().copied().unwrap_or(0);
        let step = frames.get(1).map_or(1, |second| second - first);
        if step > 0 && frames.windows(2).all(|w| w[1] - w[0] == step) {
            return TimeSampling::Uniform { start: first as Real / fps, step: step as Real / fps };
        }
        TimeSampling::Acyclic(frames.iter().map(|&f| f as Real / fps).collect())
    }

    /// The sampling of static streams: Alembic's first.
    pub(super) fn still() -> Self {
        TimeSampling::Uniform { start: 0.0, step: 1.0 }
    }

    /// The time of a sample; beyond the end of an acyclic sampling, the last time.
    pub fn time(&self, sample: usize) -> Real {
        match self {
            TimeSampling::Uniform { start, step } => start + step * sample as Real,
            TimeSampling::Cyclic { times, period } => {
                times[sample % times.len()] + period * (sample / times.len()) as Real
            }
            TimeSampling::Acyclic(times) => times[sample.min(times.len() - 1)],
        }
    }

    /// The samples before and after a time, of `count`, and the position between them.
    pub fn around(&self, time: Real, count: usize) -> (usize, usize, Real) {
        let (mut low, mut high) = (0, count.max(1));
        let slack = SAME * time.abs().max(1.0);
        // The last sample not after the time, or the first.
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.time(middle) <= time + slack { low = middle } else { high = middle }
        }
        let next = (low + 1).min(count.max(1) - 1);
        let span = self.time(next) - self.time(low);
        let part = if span > 0.0 { ((time - self.time(low)) / span).clamp(0.0, 1.0) } else { 0.0 };
        if part <= SAME { (low, low, 0.0) } else { (low, next, part) }
    }

    /// The sample nearest to a time, of `count`; the earlier one in a tie.
    pub fn nearest(&self, time: Real, count: usize) -> usize {
        let (before, after, part) = self.around(time, count);
        if part > 0.5 { after } else { before }
    }

    /// Finite and ascending numbers.
    pub(super) fn check(&self) -> Result<()> {
        let bad = |why: &str| Err(Error::new(Kind::OutOfRange, why));
        match self {
            TimeSampling::Uniform { start, step } => {
                if !start.is_finite() || !step.is_finite() || *step <= 0.0 || *step >= UNEVEN {
                    return bad("the step between samples is not a positive time");
                }
            }
            TimeSampling::Acyclic(times) | TimeSampling::Cyclic { times, .. } => {
                if times.is_empty() || !times.iter().all(|t| t.is_finite()) || !times.is_sorted() {
                    return bad("the times of the samples are not ascending");
                }
            }
        }
        if let TimeSampling::Cyclic { times, period } = self
            && (!period.is_finite() || *period >= UNEVEN || *period < times[times.len() - 1] - times[0])
        {
            return bad("the period is shorter than its samples");
        }
        Ok(())
    }

    pub(super) fn encode(&self, most_samples: u32, out: &mut Vec<u8>) {
        let one;
        let (period, times) = match self {
            TimeSampling::Uniform { start, step } => {
                one = [*start];
                (*step, &one[..])
            }
            TimeSampling::Cyclic { times, period } => (*period, &times[..]),
            TimeSampling::Acyclic(times) => (UNEVEN, &times[..]),
        };
        out.extend(most_samples.to_le_bytes());
        put_reals(out, &[period]);
        out.extend((times.len() as u32).to_le_bytes());
        put_reals(out, times);
    }

    /// The archive's table of samplings.
    pub(super) fn decode_all(data: &[u8]) -> Result<Vec<TimeSampling>> {
        let mut bytes = Reader::new("the table of times", data);
        let mut all = Vec::new();
        while !bytes.is_empty() {
            let _most_samples = bytes.u32()?;
            let period = bytes.f64()?;
            let count = bytes.u32()? as usize;
            let times: Vec<Real> = (0..count).map(|_| bytes.f64()).collect::<Result<_>>()?;
            let sampling = match times[..] {
                _ if period >= UNEVEN => TimeSampling::Acyclic(times),
                [start] => TimeSampling::Uniform { start, step: period },
                _ => TimeSampling::Cyclic { times, period },
            };
            sampling.check()?;
            all.push(sampling);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds() -> [TimeSampling; 3] {
        [
            TimeSampling::frames(1.0, 24.0),
            TimeSampling::Cyclic { times: vec![0.0, 0.3], period: 1.0 },
            TimeSampling::Acyclic(vec![0.1, 0.15, 0.4, 2.0]),
        ]
    }

    #[test]
    fn times_come_back_and_each_finds_its_own_sample() {
        let mut bytes = Vec::new();
        kinds().iter().for_each(|kind| kind.encode(4, &mut bytes));
        assert_eq!(TimeSampling::decode_all(&bytes).unwrap(), kinds());
        for kind in kinds() {
            for k in 0..4 {
                assert_eq!(kind.nearest(kind.time(k), 4), k, "{kind:?}");
                assert_eq!(kind.around(kind.time(k), 4).2, 0.0, "{kind:?}");
            }
            assert_eq!((kind.nearest(-9.0, 4), kind.nearest(99.0, 4)), (0, 3));
            assert_eq!(kind.nearest(99.0, 0), 0);
        }
        let cyclic = &kinds()[1];
        assert_eq!((cyclic.time(3), cyclic.around(1.15, 4)), (1.3, (2, 3, (1.15 - 1.0) / (1.3 - 1.0))));
    }

    #[test]
    fn times_that_are_none_are_refused() {
        let uniform = |start, step| TimeSampling::Uniform { start, step };
        for bad in [
            uniform(0.0, 0.0),
            uniform(Real::NAN, 1.0),
            uniform(0.0, Real::INFINITY),
            TimeSampling::Acyclic(vec![]),
            TimeSampling::Acyclic(vec![1.0, 0.0]),
            TimeSampling::Cyclic { times: vec![0.0, 2.0], period: 1.0 },
        ] {
            assert_eq!(bad.check().unwrap_err().kind(), Kind::OutOfRange, "{bad:?}");
        }
        let mut bytes = Vec::new();
        kinds()[2].encode(4, &mut bytes);
        assert!((1..bytes.len()).all(|n| TimeSampling::decode_all(&bytes[..n]).is_err()));
    }
}
