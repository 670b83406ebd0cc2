//! How the frames of a node continue each other.
//!
//! Seconds decide; frame numbers are labels. Later seconds continue from the last good step, however far away; the same
//! seconds, up to round-off, are recomputed from the state before them, whatever the number; earlier ones have nothing
//! to continue from and restart. So does every frame up to the start, if the host says where that is.

use serde::Serialize;
use sinew_base::bytes::{Reader, put_reals};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// Times no farther apart than this are the same moment, in s: hosts arrive at the seconds of a frame in more than one
/// way, and motion between two such times would be infinitely fast.
const SAME: Real = 1e-9;

/// A frame of the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The host's frame number.
    pub number: i64,
    /// The time in seconds.
    pub seconds: Real,
}

impl Frame {
    /// Appends the last frame of a saved state: whether there is one, its number and time.
    pub(super) fn put(last: Option<Frame>, out: &mut Vec<u8>) {
        let frame = last.unwrap_or(Frame { number: 0, seconds: 0.0 });
        out.push(u8::from(last.is_some()));
        out.extend(frame.number.to_le_bytes());
        put_reals(out, &[frame.seconds]);
    }

    /// What [`Frame::put`] appended.
    pub(super) fn read(reader: &mut Reader) -> Result<Option<Frame>> {
        let known = reader.bit()?;
        let frame = Frame { number: reader.i64()?, seconds: reader.real()? };
        Ok(known.then_some(frame))
    }

    fn is_after(&self, seconds: Real) -> bool {
        self.seconds > seconds + SAME
    }

    fn is_same(&self, other: Frame) -> bool {
        !self.is_after(other.seconds) && !other.is_after(self.seconds)
    }
}

/// How a step continues the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Default)]
#[serde(rename_all = "snake_case")]
#[repr(i32)]
pub enum History {
    /// Nothing depends on the past.
    #[default]
    None = 0,
    /// The first frame, where the motion begins.
    Started = 1,
    /// It continued the frame before.
    Continued = 2,
    /// It continued an earlier frame than the one before: those in between were never computed.
    Skipped = 3,
    /// The same moment was recomputed, from the state before it.
    Repeated = 4,
    /// There was nothing to continue from, so it restarted: the result differs from playing from the start.
    Restarted = 5,
    /// It continued the frame before, which was on another mesh.
    Carried = 6,
}

impl History {
    /// Whether the past is forgotten.
    pub fn begins(self) -> bool {
        matches!(self, History::Started | History::Restarted)
    }
}

/// The timing of a step: what it computes, and how that follows what was computed before.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The frame.
    pub frame: Frame,
    /// The last good one, if it is remembered.
    pub last: Option<Frame>,
    /// How it continues that.
    pub history: History,
    /// Whether it may restart where it should continue.
    pub may_restart: bool,
}

/// What a node remembers about time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Past {
    /// Nothing, and needs nothing.
    None,
    /// The last good frame, none at first.
    Last(Option<Frame>),
    /// The last good frame, but not the state before it.
    End(Frame),
}

/// What the host wants when frames come out of order.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// When the motion begins, in seconds.
    pub start: Option<Real>,
    /// Whether a frame that cannot be continued restarts; otherwise it is an error.
    pub may_restart: bool,
}

impl Default for Order {
    fn default() -> Self {
        Order { start: None, may_restart: true }
    }
}

impl Timing {
    /// How a frame continues what a node remembers; an error if it would have to restart but must not.
    pub fn new(frame: Frame, past: Past, order: &Order) -> Result<Self> {
        let (last, repeatable) = match past {
            Past::None => (None, false),
            Past::Last(last) => (last, true),
            Past::End(last) => (Some(last), false),
        };
        let history = match last {
            _ if past == Past::None => History::None,
            _ if order.start.is_some_and(|start| !frame.is_after(start)) => History::Started,
            None if order.start.is_none() => History::Started,
            Some(last) if frame.is_after(last.seconds) && frame.number > last.number.saturating_add(1) => {
                History::Skipped
            }
            Some(last) if frame.is_after(last.seconds) => History::Continued,
            Some(last) if frame.is_same(last) && repeatable => History::Repeated,
            _ => History::Restarted,
        };
        let timing = Timing { frame, last, history, may_restart: order.may_restart };
        match history {
            History::Restarted => timing.restart(&timing.why()),
            _ => Ok(timing),
        }
    }

    /// The same frame, restarted for a reason; an error if that was not allowed.
    pub fn restart(self, why: &str) -> Result<Self> {
        match self.may_restart {
            true => Ok(Timing { history: History::Restarted, ..self }),
            false => Err(Error::new(Kind::OutOfOrder, format!("{why}, and a restart was not allowed"))),
        }
    }

    /// Whether it recomputes the last good frame.
    pub fn stands_still(&self) -> bool {
        self.last.is_some_and(|last| self.frame.is_same(last))
    }

    /// Why the frame cannot continue what was before.
    pub fn why(&self) -> String {
        let now = self.frame.number;
        match self.last {
            None => format!("frame {now} is after the start, and the frame before it was not computed"),
            Some(last) if self.frame.is_same(last) => {
                format!(
                    "frame {now} cannot be recomputed: the loaded state does not contain the state before it"
                )
            }
            Some(last) => format!("frame {now} comes after frame {}", last.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: Frame = Frame { number: 4, seconds: 0.25 };

    fn history(number: i64, seconds: Real, past: Past, start: Option<Real>) -> History {
        let order = Order { start, may_restart: true };
        Timing::new(Frame { number, seconds }, past, &order).unwrap().history
    }

    #[test]
    fn seconds_decide_how_a_frame_follows() {
        let after = |number, seconds| history(number, seconds, Past::Last(Some(LAST)), None);
        assert_eq!(after(5, 0.3), History::Continued);
        assert_eq!(after(4, 0.26), History::Continued, "between frames");
        assert_eq!(after(-7, 0.3), History::Continued, "numbers are labels");
        assert_eq!(after(6, 0.3), History::Skipped);
        assert_eq!(after(4, 0.25), History::Repeated);
        assert_eq!(after(5, 0.25), History::Repeated, "seconds that stand still");
        assert_eq!(after(4, 0.25_f64.next_up()), History::Repeated, "round-off is no time");
        assert_eq!(after(4, 0.25_f64.next_down()), History::Repeated);
        assert_eq!(after(4, 0.25 + 2e-9), History::Continued);
        assert_eq!(after(4, 0.25 - 2e-9), History::Restarted);
        assert_eq!(after(3, 0.2), History::Restarted);
        assert_eq!(after(5, 0.2), History::Restarted);
        assert_eq!(history(9, 3.0, Past::Last(None), None), History::Started);
        assert_eq!(history(9, 3.0, Past::None, Some(0.0)), History::None);
        let loaded = Past::End(LAST);
        assert_eq!(history(4, 0.25, loaded, None), History::Restarted);
        assert_eq!(history(5, 0.3, loaded, None), History::Continued);
    }

    #[test]
    fn a_start_says_where_beginning_is_right() {
        let start = Some(0.25);
        assert_eq!(history(4, 0.25, Past::Last(None), start), History::Started);
        assert_eq!(history(4, 0.25_f64.next_up(), Past::Last(None), start), History::Started);
        assert_eq!(history(3, 0.2, Past::Last(Some(LAST)), start), History::Started);
        assert_eq!(history(4, 0.25, Past::Last(Some(LAST)), start), History::Started);
        assert_eq!(history(5, 0.3, Past::Last(Some(LAST)), start), History::Continued);
        assert_eq!(history(5, 0.3, Past::Last(None), start), History::Restarted);
    }

    #[test]
    fn what_may_not_restart_says_why() {
        let order = Order { start: Some(0.0), may_restart: false };
        let refused = |number, seconds, past| {
            let error = Timing::new(Frame { number, seconds }, past, &order).unwrap_err();
            assert_eq!(error.kind(), Kind::OutOfOrder);
            error.message().to_string()
        };
        assert!(refused(3, 0.2, Past::Last(Some(LAST))).contains("frame 3 comes after frame 4"));
        assert!(refused(3, 0.2, Past::Last(None)).contains("was not computed"));
        assert!(refused(4, 0.25, Past::End(LAST)).contains("loaded"));
        assert!(Timing::new(Frame { number: 5, seconds: 0.3 }, Past::Last(Some(LAST)), &order).is_ok());
    }
}
