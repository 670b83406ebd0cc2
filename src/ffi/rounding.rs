//! The floating-point mode of the calling thread. A host may round up, flush subnormal numbers to zero (audio and game
//! engines do), or trap invalid operations; results must depend on none of it.

use std::marker::PhantomData;

/// The mode in which everything inside Sinew computes, until dropped: to nearest, subnormal numbers kept, no traps.
/// Then the host's own again, with the exceptions that it had seen. Threads started meanwhile begin in this mode.
pub(super) struct DefaultMode {
    host: control::Word,
    /// It belongs to this thread.
    thread: PhantomData<*const ()>,
}

impl DefaultMode {
    pub fn enter() -> Self {
        let host = control::get();
        control::set(control::DEFAULT);
        DefaultMode { host, thread: PhantomData }
    }
}

impl Drop for DefaultMode {
    fn drop(&mut self) {
        control::set(self.host);
    }
}

#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    pub type Word = u32;

    /// MXCSR as a process starts: every exception masked.
    pub const DEFAULT: Word = 0x1f80;

    pub fn get() -> Word {
        let mut word: Word = 0;
        // SAFETY: stores the register into the variable.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
        word
    }

    pub fn set(word: Word) {
        // SAFETY: loads the default, or what was read before: no reserved bit is set.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    pub type Word = u64;

    /// FPCR as a process starts.
    pub const DEFAULT: Word = 0;

    pub fn get() -> Word {
        let word: Word;
        // SAFETY: reads the register.
        unsafe { asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }

    pub fn set(word: Word) {
        // SAFETY: writes the default, or what was read before.
        unsafe { asm!("msr fpcr, {}", in(reg) word, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub type Word = ();

    pub const DEFAULT: Word = ();

    pub fn get() -> Word {}

    pub fn set(_: Word) {}
}
