//! Which locks may have a sleeper. Steps and argument: README.md beside this file.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::Alone;
use crate::shim::{AtomicU32, LOCK_ENTRIES, fence_lightly, fence_of_all_threads, lock_entry};

/// What a sleeper adds to the entry of its lock.
const SLEEPER: u32 = 2;
/// Each release that has not yet read the entry will find that it is not 0 (bit 0 of an entry).
const SEEN: u32 = 1;

/// The entry of a lock's word. Locks share entries: an entry that is not 0 costs the release of
/// another lock a call of the kernel that wakes no thread.
#[inline(always)]
fn entry(word: *const AtomicU32) -> &'static AtomicU32 {
    lock_entry(index(word.addr()))
}

/// The number of the entry for a word at an address. Addresses that are any distance apart get
/// different entries mostly: their products with 2⁶⁴ divided by the golden ratio, modulo 2⁶⁴, are
/// spread over all 64-bit numbers, and the entries have equal parts of these.
#[inline(always)]
fn index(address: usize) -> usize {
    let product = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(product) * LOCK_ENTRIES as u128) >> u64::BITS) as usize
}

/// Whether a thread may sleep on the word at `word`, which the calling thread has made free just
/// now, and which may have been freed as memory since.
#[inline(always)]
pub(super) fn may_sleep_on(word: *const AtomicU32) -> bool {
    fence_lightly();
    // Relaxed: the entry publishes nothing.
    entry(word).load(Relaxed) != 0
}

/// A thread that may sleep on a lock's word, from before its last look at the word until it is
/// dropped.
pub(crate) struct Sleeper<'a>(&'a AtomicU32);

impl<'a> Sleeper<'a> {
    /// Enters the calling thread as one that may sleep on `word`. From now on each release of the
    /// lock either is visible to this thread or sees its entry.
    pub(crate) fn on(word: &'a AtomicU32) -> Self {
        let entry = entry(word);
        // Acquire: pairs with the Release below. Where another sleeper has set `SEEN`, what its
        // fence has made visible is visible here, too.
        if entry.fetch_add(SLEEPER, Acquire) & SEEN == 0 {
            fence_of_all_threads();
            entry.fetch_or(SEEN, Release);
        }
        Sleeper(word)
    }
}

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        // The last sleeper of the entry takes `SEEN` along: the next one makes a fence of its own.
        // Where the entry has no sleeper, this thread has entered in the parent of a fork(2), and a
        // handler of a signal that came meanwhile has made the fork.
        let leave = |entry: u32| match entry.checked_sub(SLEEPER)? {
            0 | SEEN => Some(0),
            left => Some(left),
        };
        // Relaxed: a later sleeper that finds `SEEN` acquires the Release that has set it, and one
        // that does not makes a fence.
        let _ = entry(self.0).fetch_update(Relaxed, Relaxed, leave);
    }
}

/// In the child of a fork(2): no thread sleeps on a lock.
pub fn forget_sleepers(_: &Alone) {
    for index in 0..LOCK_ENTRIES {
        lock_entry(index).store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{LOCK_ENTRIES, index};

    #[test]
    fn words_at_any_distance_have_entries_of_their_own_mostly() {
        for distance in (2..27).map(|bit| 1 << bit).chain([24, 40, 200, 8_388_608 + 4096]) {
            let begin = 0x7f12_3456_7040_usize;
            let found: BTreeSet<_> =
                (0..LOCK_ENTRIES).map(|lock| index(begin + lock * distance)).collect();
            assert!(found.len() > LOCK_ENTRIES / 4, "{distance}: {}", found.len());
        }
    }
}
