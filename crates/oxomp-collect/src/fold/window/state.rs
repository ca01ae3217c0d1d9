//! Whether a window of events is open, and when the next one is: words of the process.

use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, fence};

use crate::settings::Kept;
use crate::store::Store;

/// Threads record events.
pub(super) const OPEN: u8 = 0;
/// Threads stop recording at the end of their region, or at its next barrier.
pub(super) const CLOSING: u8 = 1;
/// Threads record no events.
const CLOSED: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(OPEN);
/// The number of the window that opened last, or of its part that threads begin anew; 0: the first
/// part of the recording.
static NUMBER: AtomicU16 = AtomicU16::new(0);
static IS_FIRST: AtomicBool = AtomicBool::new(true);
/// The number of chunks handed out at which the window closes, and the number at which events end
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
/// For how long events are kept in a recording of the last seconds, ticks; 0: all are kept.
static KEPT: AtomicU64 = AtomicU64::new(0);
/// When threads are to begin anew next, in such a recording.
static RESTART: AtomicU64 = AtomicU64::new(0);
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
/// A recording of the last seconds has events in this share of the file, in quarters, and threads
/// begin anew when one such part of the time has passed for which events are kept.
const QUARTERS_OF_LAST: u32 = 3;
const RESTART_PART: u64 = 8;

/// How much of the file is used, in chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Used {
    /// Chunks that were handed out, those that were given back each time.
    ever: u32,
    /// Those in use.
    now: u32,
    capacity: u32,
}

impl Used {
    pub(crate) fn of(store: &Store) -> Self {
        let capacity = store.capacity();
        Self { ever: store.taken_ever(), now: store.in_use(), capacity }
    }

    /// How many chunks may be in use while a window is open.
    fn room(self) -> u32 {
        if keeps_last() { self.most_of_last() } else { self.capacity / PART_WITH_WINDOWS }
    }

    /// The same, in the first part of the recording.
    fn room_at_first(self) -> u32 {
        if keeps_last() { self.most_of_last() } else { self.capacity / FIRST_PART }
    }

    fn most_of_last(self) -> u32 {
        self.capacity / 4 * QUARTERS_OF_LAST
    }
}

/// Notes the recording's begin.
pub(in crate::fold) fn prepare(start: u64, ticks_per_second: u64) {
    START.store(start, Relaxed);
    TICKS_PER_CHUNK.store((ticks_per_second / CHUNKS_PER_SECOND).max(1), Relaxed);
    LEAST_DISTANCE.store(ticks_per_second / LEAST_DISTANCE_PART, Relaxed);
}

/// A recording begins into a new file, of which these events are kept, and for so long, in ticks;
/// 0: for ever.
pub(crate) fn begin_anew(kept: Kept, last: u64) {
    KEEPS_ALL.store(kept == Kept::All, Relaxed);
    KEEPS_NONE.store(kept == Kept::None, Relaxed);
    KEPT.store(last, Relaxed);
    RESTART.store(0, Relaxed);
    for number in [&CLOSES_AT, &ENDS_AT] {
        number.store(u32::MAX, Relaxed);
    }
    NUMBER.store(0, Relaxed);
    IS_FIRST.store(true, Relaxed);
    NEXT.store(0, Relaxed);
    STATE.store(if kept == Kept::None { CLOSED } else { OPEN }, Relaxed);
}

/// Whether the recording is of the last seconds.
pub(crate) fn keeps_last() -> bool {
    KEPT.load(Relaxed) != 0
}

/// Closes the window if too many chunks are used at tick `now`.
pub(crate) fn judge(used: Used, now: u64) {
    let is_full = used.now + 1 >= used.room_at_first();
    match STATE.load(Relaxed) {
        OPEN if IS_FIRST.load(Relaxed) => {
            let passed = now.saturating_sub(START.load(Relaxed)) / TICKS_PER_CHUNK.load(Relaxed);
            let allowed = BURST_CHUNKS + passed;
            let too_fast = u64::from(used.ever) > allowed && !KEEPS_ALL.load(Relaxed);
            if too_fast || is_full {
                close(used);
            }
        }
        OPEN if used.ever >= CLOSES_AT.load(Relaxed) || is_full && keeps_last() => close(used),
        CLOSING if used.ever >= ENDS_AT.load(Relaxed) => STATE.store(CLOSED, Relaxed),
        _ => {}
    }
}

fn close(used: Used) {
    let ends = used.ever + OVERRUN.min(used.room().saturating_sub(used.now));
    ENDS_AT.store(ends, Relaxed);
    // The distance of the next window counts from here.
    NEXT.store(0, Relaxed);
    STATE.store(if used.ever < ends { CLOSING } else { CLOSED }, Relaxed);
}

/// The helper thread's part: opens the next window if its time has come, or makes threads begin
/// anew in an open one. Returns when to look again, in ticks from now; `None`: there is nothing to
/// wait for.
pub(crate) fn open_next(used: Used, now: u64) -> Option<u64> {
    if KEEPS_NONE.load(Relaxed) {
        return None;
    }
    let passed = now.saturating_sub(START.load(Relaxed));
    let least = LEAST_DISTANCE.load(Relaxed);
    // What is past needs no windows.
    let distance = if keeps_last() { least } else { (passed / DISTANCE_PART).max(least) };
    if STATE.load(Relaxed) == OPEN {
        // Sums and samples may have used up the window's chunks although no thread recorded.
        if !IS_FIRST.load(Relaxed) && used.ever >= CLOSES_AT.load(Relaxed) {
            close(used);
        }
        return Some(restart(now).map_or(distance, |rest| rest.min(distance)));
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
    let left = used.room().saturating_sub(used.now);
    let measure = match left.div_ceil(PART_OF_ROOM) {
        measure if keeps_last() && KEEPS_ALL.load(Relaxed) => measure,
        measure => measure.min(WINDOW_CHUNKS),
    };
    if measure == 0 {
        return keeps_last().then_some(distance);
    }
    CLOSES_AT.store(used.ever + measure, Relaxed);
    IS_FIRST.store(false, Relaxed);
    next_number();
    // Release: a thread that sees the window open sees its number.
    STATE.store(OPEN, Ordering::Release);
    Some(distance)
}

/// Gives what threads record from now on another number.
fn next_number() {
    NUMBER.store(NUMBER.load(Relaxed).wrapping_add(1).max(1), Relaxed);
}

/// In a recording of the last seconds, makes threads begin anew if it is time. Returns the ticks
/// until then.
fn restart(now: u64) -> Option<u64> {
    let pause = KEPT.load(Relaxed).checked_div(RESTART_PART).filter(|pause| *pause > 0)?;
    let due = RESTART.load(Relaxed);
    if now < due {
        return Some(due - now);
    }
    if due != 0 {
        next_number();
    }
    RESTART.store(now + pause, Relaxed);
    Some(pause)
}

/// Whether a thread that has begun to record in window `number` is to begin anew.
#[inline]
pub(super) fn is_to_restart(number: u16) -> bool {
    NUMBER.load(Relaxed) != number && keeps_last()
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
    use super::{CLOSED, CLOSING, Kept, NUMBER, OPEN, Relaxed, Used};
    use super::{begin_anew, is_to_restart, prepare, state};

    fn used(taken: u32, capacity: u32) -> Used {
        Used { ever: taken, now: taken, capacity }
    }

    fn judge(taken: u32, capacity: u32, now: u64) {
        super::judge(used(taken, capacity), now);
    }

    fn open_next(taken: u32, capacity: u32, now: u64) -> Option<u64> {
        super::open_next(used(taken, capacity), now)
    }

    /// One test, since the state is the process's.
    #[test]
    fn windows_are_spread_over_a_run_of_any_length() {
        const CAPACITY: u32 = 4095;
        prepare(0, 1000);
        begin_anew(Kept::None, 0);
        assert_eq!((state(), open_next(1, CAPACITY, 1_000_000)), (CLOSED, None));

        begin_anew(Kept::Some, 0);
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
        begin_anew(Kept::All, 0);
        judge(3, 15, 5);
        assert_eq!(state(), CLOSING);
        judge(7, 15, 5);
        assert_eq!(state(), CLOSED);
        assert_eq!(open_next(7, 15, 10), Some(250), "the distance");
        assert_eq!(open_next(7, 15, 300), None);
        assert_eq!(state(), CLOSED);
        the_last_seconds();
    }

    /// Chunks that are given back make room for others.
    fn the_last_seconds() {
        let used = |ever, now| Used { ever, now, capacity: 400 };
        begin_anew(Kept::All, 8000);
        super::judge(used(200, 200), 5);
        assert_eq!(state(), OPEN, "all of the file is for the last seconds");
        assert_eq!(super::open_next(used(200, 200), 10), Some(250));
        assert!(!is_to_restart(0));
        super::open_next(used(200, 200), 1010);
        assert!(is_to_restart(0) && !is_to_restart(1), "a part of that time has passed");
        super::judge(used(299, 299), 1020);
        assert_eq!(state(), CLOSING, "too fast for it");
        super::judge(used(300, 300), 1020);
        assert_eq!(state(), CLOSED);
        assert_eq!(super::open_next(used(300, 300), 1021), Some(250));
        super::open_next(used(300, 100), 1300);
        assert_eq!((state(), is_to_restart(1)), (OPEN, true));
        super::judge(used(313, 113), 1301);
        assert_eq!(state(), CLOSING, "the window has its measure");

        begin_anew(Kept::Some, 8000);
        super::judge(used(65, 65), 0);
        assert_eq!(state(), CLOSING, "that would cost too much");
    }
}
