//! When one of the threads that wait here was last seen on each processor, and whether it went on.
//!
//! A thread that gets its processor back late asks afterwards for how long threads had it that know
//! nothing of these waits. The threads note when they leave a processor to wait and when they come
//! back, one line per processor, for a second after each long yield that ends a wait: a note takes
//! the time of a look at the clock. A thread that was moved meanwhile reads the notes of the
//! processor to which it was moved.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::kernel::{monotonic_ns, processor};
use crate::line::Line;

/// A thread that is seen on a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// It waits from now on.
    Leaves,
    /// It computes.
    Stays,
}

/// The last thread seen on a processor since some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// No thread was seen.
    Nobody,
    /// The last one left at this time, in nanoseconds.
    LeftAt(u64),
    /// The last one went on. It may have left since without a note, as at the end of its time
    /// slice or for a lock, so that a loss is overlooked.
    Stayed,
}

/// Whether threads note where they are.
#[inline(always)]
pub(crate) fn is_noted() -> bool {
    NOTED_UNTIL.0.load(Relaxed) != 0
}

/// Threads note where they are for a second from `now` on.
pub(crate) fn note_for_a_second(now: u64) {
    NOTED_UNTIL.0.store(now + SECOND_NS, Relaxed);
}

/// Notes that the calling thread is on its processor now. Returns the time.
pub(crate) fn note(sight: Sight) -> u64 {
    let now = monotonic_ns();
    note_at(now, sight);
    now
}

/// Notes that the calling thread is on its processor at the time `now`.
pub(crate) fn note_at(now: u64, sight: Sight) {
    let until = NOTED_UNTIL.0.load(Relaxed);
    if now >= until {
        // Another thread may have set a later time by now, which stays.
        let _ = NOTED_UNTIL.0.compare_exchange(until, 0, Relaxed, Relaxed);
    }
    // Relaxed: a hint, and each note is one word.
    here().store(written(now, sight), Relaxed);
}

/// The last thread that was seen on the calling thread's processor after the time `since`.
pub(crate) fn last_since(since: u64) -> Last {
    read(here().load(Relaxed), since)
}

/// A note as the word of a processor.
fn written(now: u64, sight: Sight) -> u64 {
    now << 1 | u64::from(sight == Sight::Stays)
}

fn read(word: u64, since: u64) -> Last {
    let at = word >> 1;
    if at <= since {
        Last::Nobody
    } else if word & 1 == 1 {
        Last::Stayed
    } else {
        Last::LeftAt(at)
    }
}

/// The word of the calling thread's processor.
fn here() -> &'static AtomicU64 {
    &SEEN[processor() as usize % SEEN.len()].0
}

/// Until when threads note where they are, 0 if they do not.
static NOTED_UNTIL: Line<AtomicU64> = Line(AtomicU64::new(0));

/// The last note of each processor. Two processors whose numbers differ by a multiple of the length
/// write to one word, and the notes of one are taken for those of the other: a loss may be
/// overlooked or exaggerated. All processors write to one word if the kernel does not tell their
/// numbers.
static SEEN: [Line<AtomicU64>; 256] = [const { Line(AtomicU64::new(0)) }; 256];

const SECOND_NS: u64 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use super::{Last, Sight, read, written};

    #[test]
    fn a_note_tells_of_the_time_after_it_only() {
        let [left, stayed] = [Sight::Leaves, Sight::Stays].map(|sight| written(1000, sight));
        assert_eq!(read(left, 999), Last::LeftAt(1000));
        assert_eq!(read(stayed, 999), Last::Stayed);
        assert_eq!(read(left, 1000), Last::Nobody);
        assert_eq!(read(stayed, 2000), Last::Nobody);
    }
}
