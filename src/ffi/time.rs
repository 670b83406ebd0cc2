//! Time: where frames begin, how they follow on each other, and states to go on from.

use super::node::{SinewNode, Work, with};
use super::status::{SinewStatus, flag, null, put, put_bytes};
use crate::error::{Error, Kind};
use crate::nodes::Order;

/// How a step followed on the one before: the node has no state, so nothing depends on it.
pub const SINEW_HISTORY_NONE: i32 = 0;
/// It was the first frame, where the motion begins.
pub const SINEW_HISTORY_STARTED: i32 = 1;
/// It went on from the frame before.
pub const SINEW_HISTORY_CONTINUED: i32 = 2;
/// It went on from an earlier frame than the one before: those between were never computed, so what moves with inertia, or
/// snaps, may be elsewhere.
pub const SINEW_HISTORY_SKIPPED: i32 = 3;
/// The same moment was computed again, from before it.
pub const SINEW_HISTORY_REPEATED: i32 = 4;
/// There was nothing to go on from, so it began anew. Not what playing from the start gives: do not cache or render it.
pub const SINEW_HISTORY_RESTARTED: i32 = 5;
/// It went on from the frame before, which was on another mesh: the skin was carried over to the nearest places of this one.
pub const SINEW_HISTORY_CARRIED: i32 = 6;

/// `[one call per handle at a time]` Forgets every frame: the next one is the first. Inputs and parameters stay, and what was
/// built from them; outputs are gone.
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

/// `[one call per handle at a time]` Says when the motion begins: a step at or before `seconds` begins anew as
/// SINEW_HISTORY_STARTED, and one after it with nothing to go on from is SINEW_HISTORY_RESTARTED. With `known` 0, as for a
/// new node, the first step is the start, whenever it is.
///
/// # Safety
/// `node` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_node_set_start(node: *mut SinewNode, known: i32, seconds: f64) -> SinewStatus {
    let body = |work: &mut Work| {
        let known = flag(known, "known")?;
        if known && !seconds.is_finite() {
            return Err(Error::new(Kind::NotFinite, format!("the start is at {seconds} s")));
        }
        let start = known.then_some(seconds);
        work.instance.set_order(Order { start, ..work.instance.order() });
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(node, body) }
}

/// `[one call per handle at a time]` Whether a step that has nothing to go on from may begin anew (1, as for a new node), or is
/// refused with SINEW_OUT_OF_ORDER, which leaves the node as it is (0): then the host loads the state of the frame before,
/// or plays from the start.
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

/// `[one call per handle at a time]` Whether every step from now on goes on from what a lean state of the step before holds (1),
/// or from all that the node remembers (0, as for a new node). With 1, playing with or without saving and going on from loaded
/// lean states, in any order, give the same to the last bit. With 0, whether a lean state was saved changes the last digits of
/// the frames after it, and where the body moves little steps take down to a third of the time. Since ABI 1.3.
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

/// `[one call per handle at a time]` How the last good step followed on the one before: a SINEW_HISTORY number;
/// SINEW_MISSING_INPUT when there was none, as with the report.
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

/// `[one call per handle at a time]` Everything that the node remembers: parameters, last frame, outputs, its own
/// memory; not the inputs. With `buffer` NULL only `needed` is written.
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

/// `[one call per handle at a time]` Goes back to a saved state, whole or lean; on an error the node is as it was. From a lean
/// one its parameters stay, and there are no outputs until the next step. What was built from the inputs stays, so loading
/// the state of every frame costs little; a state of another mesh or scene counts as none in the next step.
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
            return Err(Error::new(Kind::TooLarge, format!("{size} bytes are more than the address space")));
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

/// `[one call per handle at a time]` The least that the next frame needs, for hosts that keep it of every frame: neither
/// parameters nor outputs, and of the node's memory what matters. The node itself goes on from what was saved, so that
/// whoever loads it goes on alike, to the last bit; see sinew_node_set_lean. The frame itself cannot be computed again from
/// it. With `buffer` NULL only `needed` is written, and the node stays as it is.
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
        let bytes = work.lean.take().unwrap_or_else(|| work.instance.save_lean());
        // SAFETY: the caller's promise above.
        let put = unsafe { put_bytes(&bytes, buffer, size, needed) };
        match buffer.is_null() || put.is_err() {
            true => work.lean = Some(bytes),
            false => work.instance.make_lean(),
        }
        put
    };
    // SAFETY: as above.
    unsafe { with(node, body) }
}
