//! The clock of the records: ticks, and their rate.

use std::fs;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oxomp_arch::{counter, counter_is_steady};

/// Whether ticks come from the processor's counter; otherwise they are nanoseconds of
/// `CLOCK_MONOTONIC`.
static PROCESSOR_TICKS: AtomicBool = AtomicBool::new(true);

/// The rate of the ticks, once it is known.
static TICKS_PER_SECOND: AtomicU64 = AtomicU64::new(u64::MAX);

/// For how long the rate is measured at the start: 200 µs give it to a few parts in 10,000, enough
/// for runs that end before the first later pair.
const MEASURE_NS: u64 = 200_000;

/// Decides which counter to use; before the first [`now`].
pub(crate) fn choose() {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let clock = read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    PROCESSOR_TICKS.store(counter_is_steady(&clock, &read("/proc/cpuinfo")), Ordering::Relaxed);
}

/// Now, in ticks.
#[inline]
pub(crate) fn now() -> u64 {
    if PROCESSOR_TICKS.load(Ordering::Relaxed) { counter() } else { read(libc::CLOCK_MONOTONIC) }
}

/// Notes the rate of the ticks, before any thread converts a length of time.
pub(crate) fn set_rate(ticks_per_second: u64) {
    TICKS_PER_SECOND.store(ticks_per_second.max(1), Ordering::Relaxed);
}

/// Converts `nanoseconds` to ticks.
pub(crate) fn ticks_of(nanoseconds: u64) -> u64 {
    let rate = u128::from(TICKS_PER_SECOND.load(Ordering::Relaxed));
    (u128::from(nanoseconds) * rate / 1_000_000_000) as u64
}

/// Converts `ticks` to ns.
pub(crate) fn nanoseconds_of(ticks: u64) -> u64 {
    let rate = u128::from(TICKS_PER_SECOND.load(Ordering::Relaxed));
    (u128::from(ticks) * 1_000_000_000 / rate) as u64
}

/// A clock of the system, ns; 0 if it cannot be read.
pub(crate) fn read(clock: libc::clockid_t) -> u64 {
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: `time` has room for the answer, and zeros are a valid answer if the call gives none.
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
