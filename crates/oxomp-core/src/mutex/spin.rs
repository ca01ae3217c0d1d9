//! How long a thread tries for a mutex that another has, before it sleeps.

use crate::sync::pause;

/// Tries before sleep, with pauses that double up to `LONGEST_PAUSE`: about 10 µs, less than a sleep
/// and wake take (`lock`, `critical_with_work`).
#[cfg(not(loom))]
const TRIES: u32 = 60;
#[cfg(loom)]
const TRIES: u32 = 1;
const LONGEST_PAUSE: u32 = 64;

/// Tries to `take` the mutex for a while: whether it has been taken.
#[inline(always)]
pub(crate) fn try_for_a_while(take: impl Fn() -> bool) -> bool {
    let mut pauses = 1;
    for _ in 0..TRIES {
        if take() {
            return true;
        }
        for _ in 0..pauses {
            pause();
        }
        pauses = (2 * pauses).min(LONGEST_PAUSE);
    }
    false
}
