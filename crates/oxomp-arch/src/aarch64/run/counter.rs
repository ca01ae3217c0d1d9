//! The processor's counter of time, and prefetches.

use core::arch::asm;

/// Begins to bring the cache line of `place`.
#[inline]
pub fn prefetch<T>(place: *const T) {
    // SAFETY: a prefetch does not fault.
    unsafe {
        asm!(
            "prfm pldl1keep, [{}]",
            in(reg) place,
            options(readonly, nostack, preserves_flags),
        );
    }
}

/// Begins to bring the cache line of `place` and to take it from the other processors, for a write.
#[inline]
pub fn prefetch_to_write<T>(place: *const T) {
    // SAFETY: a prefetch does not fault.
    unsafe {
        asm!(
            "prfm pstl1keep, [{}]",
            in(reg) place,
            options(readonly, nostack, preserves_flags),
        );
    }
}

/// Now, in ticks of the generic timer's virtual counter.
#[inline]
#[must_use]
pub fn counter() -> u64 {
    let ticks: u64;
    // SAFETY: Linux lets programs read the virtual counter.
    unsafe { asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
    ticks
}

/// Whether the counter runs at one rate in all states and on all processors: by architecture.
#[must_use]
pub fn counter_is_steady(_clock: &str, _cpuinfo: &str) -> bool {
    true
}
