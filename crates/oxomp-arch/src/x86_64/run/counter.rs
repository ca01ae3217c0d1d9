//! The processor's counter of time, and prefetches.

use core::arch::asm;
use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch, _rdtsc};

/// Begins to bring the cache line of `place`.
#[inline]
pub fn prefetch<T>(place: *const T) {
    // SAFETY: a prefetch does not fault, and every x86-64 processor has the instruction.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) }
}

/// Begins to bring the cache line of `place` and to take it from the other processors, for a write.
#[inline]
pub fn prefetch_to_write<T>(place: *const T) {
    // SAFETY: a prefetch does not fault. Processors of x86-64 without the instruction execute it as
    // one that does nothing.
    unsafe {
        asm!("prefetchw [{}]", in(reg) place, options(readonly, nostack, preserves_flags));
    }
}

/// Now, in ticks of the time stamp counter.
#[inline]
#[must_use]
pub fn counter() -> u64 {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { _rdtsc() }
}

/// Whether the counter runs at one rate in all states and on all processors: the processor says so
/// in `cpuinfo` (`/proc/cpuinfo`), and the kernel did not find otherwise when it chose its own
/// `clock`, or does not tell.
#[must_use]
pub fn counter_is_steady(clock: &str, cpuinfo: &str) -> bool {
    if matches!(clock.trim(), "hpet" | "acpi_pm" | "jiffies") {
        return false;
    }
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let has = |name| flags.split_whitespace().any(|flag| flag == name);
    has("constant_tsc") && has("nonstop_tsc")
}
