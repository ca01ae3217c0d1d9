//! The device's times as `omp_get_wtime` of the host's runtime tells them.
//!
//! A plug-in translates to the host's monotonic clock. oxomp's `omp_get_wtime` is that clock;
//! LLVM's is the time of day, in whole microseconds. The difference is measured once: a constant
//! keeps the translation monotonic, and the system slews both clocks alike.

use once_cell::race::OnceBox;

use crate::host_runtime::HostRuntime;
use crate::plugin::Device;

/// How often the clocks are compared.
const SAMPLES: usize = 64;
/// A clock that runs with the monotonic one differs from it by no more than rounding, in seconds.
const SAME: f64 = 1e-7;
/// The resolution of LLVM's `omp_get_wtime` in seconds.
const MICROSECOND: f64 = 1e-6;

/// The host's monotonic clock in seconds.
fn monotonic() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is this function's own.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    (time.tv_sec * 1_000_000_000 + time.tv_nsec) as f64 * 1e-9
}

/// The difference of the second clock from the first. The second clock is read between two readings
/// of the first, and may show a time that is up to a microsecond old.
fn difference(mut clock: impl FnMut() -> f64, mut other: impl FnMut() -> f64) -> f64 {
    let (mut least, mut most) = (f64::MIN, f64::MAX);
    let mut is_same = true;
    for _ in 0..SAMPLES {
        let before = clock();
        let shown = other();
        let after = clock();
        is_same &= before - SAME <= shown && shown <= after + SAME;
        least = least.max(shown - after);
        most = most.min(shown + MICROSECOND - before);
    }
    match is_same {
        true => 0.0,
        false => least + (most - least) / 2.0,
    }
}

/// The time of a device as `omp_get_wtime` would have told it.
pub(super) fn translate(device: &dyn Device, time: u64) -> f64 {
    static DIFFERENCE: OnceBox<f64> = OnceBox::new();
    let difference = *DIFFERENCE.get_or_init(|| {
        let runtime = HostRuntime::get();
        Box::new(
            runtime
                .wall_time()
                .map_or(0.0, |_| difference(monotonic, || runtime.wall_time().unwrap_or_default())),
        )
    });
    device.to_host_seconds(time) + difference
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::difference;

    #[test]
    fn the_same_clock_has_no_difference() {
        let now = Cell::new(1000.0);
        let tick = || {
            now.set(now.get() + 1e-8);
            now.get()
        };
        assert!(difference(tick, tick).abs() < f64::EPSILON);
    }

    #[test]
    fn a_clock_of_microseconds_is_known_better_than_it_shows() {
        let now = Cell::new(1000.0);
        let tick = || {
            now.set(now.get() + 3.7e-8);
            now.get()
        };
        let of_day = || f64::floor((tick() + 1.7e9) * 1e6) * 1e-6;
        // A double of this size has a resolution of a quarter of a microsecond.
        assert!((difference(tick, of_day) - 1.7e9).abs() < 6e-7);
    }
}
