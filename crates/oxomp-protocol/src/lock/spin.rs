//! How long a thread spins for a lock that another thread holds, before it sleeps.

use crate::shim::{IS_MODEL, pause};

/// Tries before sleep, with pauses that double up to `LONGEST_PAUSE`: about 10 µs, less than a
/// sleep and its wake-up take (`lock`, `critical_with_work`).
const TRIES: u32 = if IS_MODEL { 1 } else { 60 };
const LONGEST_PAUSE: u32 = 64;

/// Calls `take` for a while until it succeeds. Returns whether it did.
#[inline(always)]
pub(super) fn try_for_a_while(take: impl Fn() -> bool) -> bool {
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
