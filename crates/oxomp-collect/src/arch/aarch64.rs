//! The generic timer's virtual counter.

/// Now, in ticks.
#[inline]
pub(crate) fn counter() -> u64 {
    let ticks: u64;
    // SAFETY: Linux lets programs read the virtual counter.
    unsafe { core::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
    ticks
}

/// Whether the counter runs at one rate in all states and on all processors: by architecture.
pub(crate) fn counter_is_steady() -> bool {
    true
}
