//! Loops compiled twice: for every processor of the target, and for the wider SIMD vectors that most of them have.
//!
//! The bits of a result do not depend on which version runs. Both do the operations of the source, in the order of the
//! source, lane by lane, each rounded (IEEE 754). Fused multiply-add, which rounds once less, is enabled in neither,
//! although it would be faster: machines of one farm with different processors must agree.

/// Work whose loops gain from wider vectors.
///
/// `run`, and what it calls in its loops, must be `#[inline(always)]`: what is not inlined into [`widest`] is
/// compiled for the narrow vectors.
pub trait Work {
    /// The result.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Runs `work` with the widest vectors that this processor has.
pub fn widest<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor supports the features that the function is compiled for.
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}
