//! Time: where the motion starts, how frames continue each other, and saved states.

use super::node::{SinewNode, Work, with};
use super::pointers::{flag, null, put, put_bytes};
use super::status::SinewStatus;
use crate::error::{Error, Kind};
use crate::nodes::Order;

/// How a step continued the one before: not applicable, because the node has no state.
pub const SINEW_HISTORY_NONE: i32 = 0;
/// It was the first frame, where the motion starts.
pub const SINEW_HISTORY_STARTED: i32 = 1;
/// It continued from the frame before.
pub const SINEW_HISTORY_CONTINUED: i32 = 2;
/// It continued from an earlier frame than the one before: those between were never computed, so anything that moves
/// with inertia, or snaps, may be elsewhere.
pub const SINEW_HISTORY_SKIPPED: i32 = 3;
/// The same time was recomputed, from the state before it.
pub const SINEW_HISTORY_REPEATED: i32 = 4;
/// There was no state to continue from, so it restarted. The result is not that of playing from the start: do not cache
/// or render it.
pub const SINEW_HISTORY_RESTARTED: i32 = 5;
/// It continued from the frame before, which was on another mesh: the skin was transferred to the nearest points of
/// this one.
pub const SINEW_HISTORY_CARRIED: i32 = 6;

/// `[one call per handle at a time]` Discards the state: the next frame is the first. Inputs, parameters and what was
/// built from them are kept; outputs are cleared.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_reset(node: *mut SinewNode) -> SinewStatus {
    let body = |work: &mut Work| {
        work.forget();
        work.instance.reset();
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Sets when the motion starts: a step at or before `seconds` starts afresh as
/// SINEW_HISTORY_STARTED, and one after it without a state to continue from is SINEW_HISTORY_RESTARTED. With `known` 0,
/// the default, the first step is the start, whenever it is.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_start(node: *mut SinewNode, known: i32, seconds: f64) -> SinewStatus {
    let body = |work: &mut Work| {
        let known = flag(known, "known")?;
        if known && !seconds.is_finite() {
            return Err(Error::new(Kind::NotFinite, format!("the start is {seconds} s; it must be finite")));
        }
        let start = known.then_some(seconds);
        work.instance.set_order(Order { start, ..work.instance.order() });
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Whether a step without a state to continue from restarts (1, the default) or fails
/// with SINEW_OUT_OF_ORDER and leaves the node as it is (0): then the host loads the state of the frame before, or
/// plays from the start.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_restart(node: *mut SinewNode, allowed: i32) -> SinewStatus {
    let body = |work: &mut Work| {
        work.instance.set_order(Order { may_restart: flag(allowed, "allowed")?, ..work.instance.order() });
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Whether every step from now on continues from the contents of a lean state of the
/// step before (1), or from the full state (0, the default). With 1, playing, with or without saving, and continuing
/// from loaded lean states in any order give the same results to the last bit. With 0, saving a lean state changes the
/// last digits of the frames after it, and steps take as little as a third of the time where the body moves little.
/// Since ABI 1.3.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_lean(node: *mut SinewNode, lean: i32) -> SinewStatus {
    let body = |work: &mut Work| {
        work.instance.set_lean(flag(lean, "lean")?);
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` How the last good step continued the one before: a SINEW_HISTORY value. Fails with
/// SINEW_MISSING_INPUT if there was none.
///
/// # Safety
/// `node` is NULL or alive; `history` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_history(node: *mut SinewNode, history: *mut i32) -> SinewStatus {
    let body = |work: &mut Work| {
        let nothing = || Error::new(Kind::MissingInput, "no step has succeeded yet");
        let last = work.instance.history().ok_or_else(nothing)?;
        // SAFETY: the caller's promise above.
        unsafe { put(history, "history", last as i32) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Saves the full state of the node: parameters, last frame, outputs, its internal
/// state; not the inputs. With `buffer` NULL only `needed` is written.
///
/// # Safety
/// `node` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_save_state(
    node: *mut SinewNode,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(&work.instance.save_state(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Restores a saved state, full or lean; on an error the node is unchanged. A lean
/// one leaves the parameters as they are, and there are no outputs until the next step. What was built from the inputs
/// is kept, so loading the state of every frame is cheap; the next step ignores a state of another mesh or scene.
///
/// # Safety
/// `node` is NULL or alive; `bytes` is NULL or readable for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_load_state(
    node: *mut SinewNode,
    bytes: *const u8,
    size: u64,
) -> SinewStatus {
    let body = move |work: &mut Work| {
        let Some(size) = usize::try_from(size).ok().filter(|&s| s <= isize::MAX as usize) else {
            return Err(Error::new(Kind::TooLarge, format!("{size} bytes exceed the address space")));
        };
        if bytes.is_null() {
            return Err(null("bytes"));
        }
        // SAFETY: the caller promises that many readable bytes.
        work.instance.load_state(unsafe { std::slice::from_raw_parts(bytes, size) })?;
        work.forget();
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Saves the minimum that the next frame needs, for hosts that keep a state of every
/// frame: neither parameters nor outputs, and only the essential part of the internal state. The node itself continues
/// from what was saved, so that a node that loads it continues identically, to the last bit; see sinew_node_set_lean.
/// The frame itself cannot be recomputed from it. With `buffer` NULL only `needed` is written, and the node is
/// unchanged.
///
/// # Safety
/// `node` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_save_lean_state(
    node: *mut SinewNode,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let body = |work: &mut Work| {
        if !work.lean_waits {
            work.instance.put_lean(&mut work.lean);
        }
        // SAFETY: the caller's promise above.
        let put = unsafe { put_bytes(&work.lean, buffer, size, needed) };
        work.lean_waits = buffer.is_null() || put.is_err();
        if !work.lean_waits {
            work.instance.make_lean();
        }
        put
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}
