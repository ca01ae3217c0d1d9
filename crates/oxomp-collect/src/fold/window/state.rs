//! Whether a window of events is open, and when the next one is: words of the process.

use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, fence};

use crate::settings::Kept;

/// Threads record events.
pub(super) const OPEN: u8 = 0;
/// Threads stop recording at the end of their region, or at its next barrier.
pub(super) const CLOSING: u8 = 1;
/// Threads record no events.
const CLOSED: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(OPEN);
/// The number of the window that opened last; 0: the first part.
static NUMBER: AtomicU16 = AtomicU16::new(0);
/// The number of chunks in use at which the window closes, and the number at which events end
/// anywhere.
static CLOSES_AT: AtomicU32 = AtomicU32::new(0);
static ENDS_AT: AtomicU32 = AtomicU32::new(0);
/// When the next window opens; 0: not known yet.
static NEXT: AtomicU64 = AtomicU64::new(0);
/// When the recording began, and the ticks after which one more chunk may be filled.
static START: AtomicU64 = AtomicU64::new(0);
static TICKS_PER_CHUNK: AtomicU64 = AtomicU64::new(u64::MAX);
/// The least distance of two windows, ticks.
static LEAST_DISTANCE: AtomicU64 = AtomicU64::new(0);
static KEEPS_ALL: AtomicBool = AtomicBool::new(false);
static KEEPS_NONE: AtomicBool = AtomicBool::new(false);

/// The first part ends at the latest when one such part of the file is used.
const FIRST_PART: u32 = 4;
/// Windows end for good when one such part of the file is used: the rest is for sums and samples.
const PART_WITH_WINDOWS: u32 = 2;
/// Chunks that may be filled at any rate: 4 MiB, a timeline of 130,000 events.
const BURST_CHUNKS: u64 = 64;
/// Chunks a second that may be filled besides: 1 MiB, 33,000 events. A chunk costs the helper about
/// 100 µs (its room, its pages, its checksum), on a processor that the program may want.
const CHUNKS_PER_SECOND: u64 = 16;
/// The measure of a window, chunks: 8,000 events, besides those that fit into the chunks that
/// threads have begun. One such part of the room that is left is the most.
const WINDOW_CHUNKS: u32 = 4;
const PART_OF_ROOM: u32 = 16;
/// Chunks beyond the measure with which events end anywhere.
const OVERRUN: u32 = 8;
/// The distance of two windows is one such part of the time that has passed, and at least one such
/// part of a second.
const DISTANCE_PART: u64 = 8;
const LEAST_DISTANCE_PART: u64 = 4;

/// Notes the recording's begin.
pub(in crate::fold) fn prepare(start: u64, ticks_per_second: u64) {
    START.store(start, Relaxed);
    TICKS_PER_CHUNK.store((ticks_per_second / CHUNKS_PER_SECOND).max(1), Relaxed);
    LEAST_DISTANCE.store(ticks_per_second / LEAST_DISTANCE_PART, Relaxed);
}

/// A recording begins into a new file, of which these events are kept.
pub(crate) fn begin_anew(kept: Kept) {
    KEEPS_ALL.store(kept == Kept::All, Relaxed);
    KEEPS_NONE.store(kept == Kept::None, Relaxed);
    for number in [&CLOSES_AT, &ENDS_AT] {
        number.store(u32::MAX, Relaxed);
    }
    NUMBER.store(0, Relaxed);
    NEXT.store(0, Relaxed);
    STATE.store(if kept == Kept::None { CLOSED } else { OPEN }, Relaxed);
}

/// Closes the window if `taken` chunks of `capacity` are too many at tick `now`.
pub(crate) fn judge(taken: u32, capacity: u32, now: u64) {
    match STATE.load(Relaxed) {
        OPEN if NUMBER.load(Relaxed) == 0 => {
            let passed = now.saturating_sub(START.load(Relaxed)) / TICKS_PER_CHUNK.load(Relaxed);
            let too_fast = u64::from(taken) > BURST_CHUNKS + passed && !KEEPS_ALL.load(Relaxed);
            if too_fast || taken + 1 >= capacity / FIRST_PART {
                close(taken, capacity);
            }
        }
        OPEN if taken >= CLOSES_AT.load(Relaxed) => close(taken, capacity),
        CLOSING if taken >= ENDS_AT.load(Relaxed) => STATE.store(CLOSED, Relaxed),
        _ => {}
    }
}

fn close(taken: u32, capacity: u32) {
    let ends = (taken + OVERRUN).min(room(capacity));
    ENDS_AT.store(ends, Relaxed);
    // The distance of the next window counts from here.
    NEXT.store(0, Relaxed);
    STATE.store(if taken < ends { CLOSING } else { CLOSED }, Relaxed);
}

/// The number of the file's chunks that may be in use while a window is open.
fn room(capacity: u32) -> u32 {
    capacity / PART_WITH_WINDOWS
}

/// The helper thread's part: opens the next window if its time has come. Returns when to look
/// again, in ticks from now; `None`: there is nothing to wait for.
pub(crate) fn open_next(taken: u32, capacity: u32, now: u64) -> Option<u64> {
    if KEEPS_NONE.load(Relaxed) {
        return None;
    }
    let passed = now.saturating_sub(START.load(Relaxed));
    let distance = (passed / DISTANCE_PART).max(LEAST_DISTANCE.load(Relaxed));
    if STATE.load(Relaxed) == OPEN {
        // Sums and samples may have used up the window's chunks although no thread recorded.
        if NUMBER.load(Relaxed) > 0 && taken >= CLOSES_AT.load(Relaxed) {
            close(taken, capacity);
        }
        return Some(distance);
    }
    let next = match NEXT.load(Relaxed) {
        0 => {
            NEXT.store(now + distance, Relaxed);
            now + distance
        }
        next => next,
    };
    if now < next {
        return Some(next - now);
    }
    let left = room(capacity).saturating_sub(taken);
    let measure = WINDOW_CHUNKS.min(left.div_ceil(PART_OF_ROOM));
    if measure == 0 {
        return None;
    }
    CLOSES_AT.store(taken + measure, Relaxed);
    NUMBER.store(NUMBER.load(Relaxed).wrapping_add(1).max(1), Relaxed);
    // Release: a thread that sees the window open sees its number.
    STATE.store(OPEN, Ordering::Release);
    Some(distance)
}

/// Whether a window is open, closing, or closed.
#[inline]
pub(super) fn state() -> u8 {
    STATE.load(Relaxed)
}

/// The number of the window that the calling thread has seen open.
pub(super) fn number() -> u16 {
    // Acquire: pairs with the Release in `open_next`, from which the thread has read that the
    // window is open. Another thread's store to the state may have followed that.
    fence(Ordering::Acquire);
    NUMBER.load(Relaxed)
}

#[cfg(test)]
mod tests {
    use super::{CLOSED, CLOSING, Kept, NUMBER, OPEN, Relaxed};
    use super::{begin_anew, judge, open_next, prepare, state};

    /// One test, since the state is the process's.
    #[test]
    fn windows_are_spread_over_a_run_of_any_length() {
        const CAPACITY: u32 = 4095;
        prepare(0, 1000);
        begin_anew(Kept::None);
        assert_eq!((state(), open_next(1, CAPACITY, 1_000_000)), (CLOSED, None));

        begin_anew(Kept::Some);
        judge(60, CAPACITY, 0);
        assert_eq!(state(), OPEN);
        judge(65, CAPACITY, 0);
        assert_eq!(state(), CLOSING, "too fast");
        judge(73, CAPACITY, 0);
        assert_eq!(state(), CLOSED);
        // An hour, in which each window is filled as soon as it opens.
        let (mut taken, mut times) = (73, Vec::new());
        for now in (0..3_600_000).step_by(50) {
            if open_next(taken, CAPACITY, now).is_some() && state() == OPEN {
                times.push(now);
                while state() == OPEN {
                    taken += 1;
                    judge(taken, CAPACITY, now);
                }
            }
        }
        assert_eq!(times.len(), usize::from(NUMBER.load(Relaxed)));
        assert!((40..100).contains(&times.len()), "{}", times.len());
        assert!(taken < CAPACITY / 2);
        let widest = times.windows(2).filter(|pair| pair[0] > 10_000);
        let widest = widest.map(|pair| (pair[1] - pair[0]) as f64 / pair[1] as f64);
        assert!(widest.fold(0.0, f64::max) < 0.15, "no part of the run is without a window");
        assert!(*times.last().unwrap() > 3_000_000);

        // A file without room for windows.
        begin_anew(Kept::All);
        judge(3, 15, 5);
        assert_eq!(state(), CLOSING);
        judge(7, 15, 5);
        assert_eq!(state(), CLOSED);
        assert_eq!(open_next(7, 15, 10), Some(250), "the distance");
        assert_eq!(open_next(7, 15, 300), None);
        assert_eq!(state(), CLOSED);
    }
}
