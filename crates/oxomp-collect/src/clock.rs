//! The clock of the records: ticks, and their rate.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::arch;

/// Whether ticks are those of the processor's counter, or else nanoseconds of `CLOCK_MONOTONIC`.
static PROCESSOR_TICKS: AtomicBool = AtomicBool::new(true);

/// For how long the rate is measured at the start: 200 µs give it to a few parts in 10,000, enough
/// for runs that end before the first later pair.
const MEASURE_NS: u64 = 200_000;

/// Decides which counter to use; before the first [`now`].
pub(crate) fn choose() {
    PROCESSOR_TICKS.store(arch::counter_is_steady(), Ordering::Relaxed);
}

/// Now, in ticks.
#[inline]
pub(crate) fn now() -> u64 {
    if PROCESSOR_TICKS.load(Ordering::Relaxed) {
        arch::counter()
    } else {
        read(libc::CLOCK_MONOTONIC)
    }
}

/// A clock of the system, ns; 0 if it cannot be read.
pub(crate) fn read(clock: libc::clockid_t) -> u64 {
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: `time` has room for the answer, and zeros are a valid one if there is none.
    let time = unsafe {
        libc::clock_gettime(clock, time.as_mut_ptr());
        time.assume_init()
    };
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// Ticks and `CLOCK_MONOTONIC` at the same moment: the closest of a few tries.
pub(crate) fn pair() -> (u64, u64) {
    let attempt = || {
        let before = now();
        let nanoseconds = read(libc::CLOCK_MONOTONIC);
        let after = now();
        let between = after.saturating_sub(before);
        (between, (before + between / 2, nanoseconds))
    };
    (0..5).map(|_| attempt()).min().map_or((0, 0), |(_, pair)| pair)
}

/// A pair and the ticks per second.
pub(crate) fn measure() -> ((u64, u64), u64) {
    let first = pair();
    let mut second = pair();
    while second.1 - first.1 < MEASURE_NS {
        second = pair();
    }
    let ticks = u128::from(second.0.saturating_sub(first.0)) * 1_000_000_000;
    let rate = ticks / u128::from(second.1 - first.1);
    (first, u64::try_from(rate).unwrap_or(1_000_000_000).max(1))
}
