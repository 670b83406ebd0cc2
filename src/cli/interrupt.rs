//! Ctrl-C: the first stops cleanly at the next check, the second at once.

use sinew_base::control::Control;
use std::sync::OnceLock;

static CONTROL: OnceLock<Control> = OnceLock::new();

/// The control that Ctrl-C cancels; the handler is installed by the first call.
pub(super) fn control() -> Control {
    CONTROL
        .get_or_init(|| {
            install();
            Control::default()
        })
        .clone()
}

#[cfg(unix)]
fn install() {
    extern "C" fn on_signal(_: libc::c_int) {
        // Only an atomic store: all that a signal handler may do.
        if let Some(control) = CONTROL.get() {
            control.cancel();
        }
    }
    // SAFETY: a zeroed sigaction is valid; the handler does nothing that is forbidden in one. SA_RESETHAND gives the
    // second Ctrl-C its usual meaning.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as libc::sighandler_t;
        action.sa_flags = libc::SA_RESETHAND | libc::SA_RESTART;
        for signal in [libc::SIGINT, libc::SIGTERM] {
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Elsewhere Ctrl-C ends the program as usual; temporary files may remain, files under their final names are complete.
#[cfg(not(unix))]
fn install() {}
