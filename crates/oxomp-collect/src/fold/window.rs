//! When events are recorded: in the first part of the recording, and then in windows spread over
//! the run.
//!
//! The first part ends when a quarter of the file is used, or sooner if events come so fast that
//! recording them would cost too much. Nobody knows how long the run will be, so the distances of
//! the windows grow with its length: each is an eighth of the time that has passed. So a run of any
//! length has windows in all its parts, and their number grows with the logarithm of the length.
//!
//! A window holds whole regions where it can. A thread begins to record with a region, or behind a
//! barrier of an outermost one that has begun before; once the window closes, it ends with the next
//! of them. Where neither comes, events end anywhere as soon as the window has its measure of
//! chunks and a few more; and a region without barriers that goes on for long has no further
//! window.
//!
//! The thread that needs a chunk of the file closes the window, and the helper thread opens the
//! next. Relaxed: a thread that sees a change late records a little more or a little less. The
//! README beside the crate's files has the states, the steps and the argument.

use std::array;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering, fence};

use oxomp_trace::fold::{FoldKind, short, thread};
use oxomp_trace::{EventKind, Record};

use crate::clock;
use crate::log::{Log, record};
use crate::settings::Kept;
use crate::store::{Exhausted, Store};
use crate::team::Team;

/// Threads record events.
const OPEN: u8 = 0;
/// They end with the region, or the part of it up to a barrier, in which they are.
const CLOSING: u8 = 1;
/// They record none.
const CLOSED: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(OPEN);
/// The number of the window that opened last; 0: the first part.
static NUMBER: AtomicU16 = AtomicU16::new(0);
/// The chunks of the file in use with which the window closes, and with which events end anywhere.
static CLOSES_AT: AtomicU32 = AtomicU32::new(0);
static ENDS_AT: AtomicU32 = AtomicU32::new(0);
/// When the next window opens; 0: not known yet.
static NEXT: AtomicU64 = AtomicU64::new(0);
/// When the recording began, and the ticks in which one chunk more may be filled.
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

const RELAXED: Ordering = Ordering::Relaxed;

/// Notes the recording's begin.
pub(super) fn prepare(start: u64, ticks_per_second: u64) {
    START.store(start, RELAXED);
    TICKS_PER_CHUNK.store((ticks_per_second / CHUNKS_PER_SECOND).max(1), RELAXED);
    LEAST_DISTANCE.store(ticks_per_second / LEAST_DISTANCE_PART, RELAXED);
}

/// A recording begins into a new file, of which these events are kept.
pub(crate) fn begin_anew(kept: Kept) {
    KEEPS_ALL.store(kept == Kept::All, RELAXED);
    KEEPS_NONE.store(kept == Kept::None, RELAXED);
    for number in [&CLOSES_AT, &ENDS_AT] {
        number.store(u32::MAX, RELAXED);
    }
    NUMBER.store(0, RELAXED);
    NEXT.store(0, RELAXED);
    STATE.store(if kept == Kept::None { CLOSED } else { OPEN }, RELAXED);
}

/// Closes the window if `taken` chunks of `capacity` are too many at tick `now`.
pub(crate) fn judge(taken: u32, capacity: u32, now: u64) {
    match STATE.load(RELAXED) {
        OPEN if NUMBER.load(RELAXED) == 0 => {
            let passed = now.saturating_sub(START.load(RELAXED)) / TICKS_PER_CHUNK.load(RELAXED);
            let too_fast = u64::from(taken) > BURST_CHUNKS + passed && !KEEPS_ALL.load(RELAXED);
            if too_fast || taken + 1 >= capacity / FIRST_PART {
                close(taken, capacity);
            }
        }
        OPEN if taken >= CLOSES_AT.load(RELAXED) => close(taken, capacity),
        CLOSING if taken >= ENDS_AT.load(RELAXED) => STATE.store(CLOSED, RELAXED),
        _ => {}
    }
}

fn close(taken: u32, capacity: u32) {
    let ends = (taken + OVERRUN).min(room(capacity));
    ENDS_AT.store(ends, RELAXED);
    // The distance of the next window counts from here.
    NEXT.store(0, RELAXED);
    STATE.store(if taken < ends { CLOSING } else { CLOSED }, RELAXED);
}

/// The chunks of the file that may be in use while a window is open.
fn room(capacity: u32) -> u32 {
    capacity / PART_WITH_WINDOWS
}

/// The helper thread's part: opens the next window if its time has come. Returns when to look
/// again, in ticks from now; `None`: there is nothing to wait for.
pub(crate) fn open_next(taken: u32, capacity: u32, now: u64) -> Option<u64> {
    if KEEPS_NONE.load(RELAXED) {
        return None;
    }
    let passed = now.saturating_sub(START.load(RELAXED));
    let distance = (passed / DISTANCE_PART).max(LEAST_DISTANCE.load(RELAXED));
    if STATE.load(RELAXED) == OPEN {
        // Sums and samples may have taken what the window had, without a thread that records.
        if NUMBER.load(RELAXED) > 0 && taken >= CLOSES_AT.load(RELAXED) {
            close(taken, capacity);
        }
        return Some(distance);
    }
    let next = match NEXT.load(RELAXED) {
        0 => {
            NEXT.store(now + distance, RELAXED);
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
    CLOSES_AT.store(taken + measure, RELAXED);
    NUMBER.store(NUMBER.load(RELAXED).wrapping_add(1).max(1), RELAXED);
    // Release: a thread that sees the window open sees its number.
    STATE.store(OPEN, Ordering::Release);
    Some(distance)
}

impl Log {
    /// Whether the thread's events are recorded.
    #[inline]
    pub(crate) fn records_events(&self) -> bool {
        !self.context.events_ended
    }

    /// Records an event, if the thread records events.
    #[inline]
    pub(crate) fn record(&mut self, store: &Store, record: Record) -> Result<(), Exhausted> {
        match self.takes_event(store, record.tick)? {
            true => self.push(store, record),
            false => Ok(()),
        }
    }

    /// Whether the thread records an event at `now`.
    #[inline]
    pub(crate) fn takes_event(&mut self, store: &Store, now: u64) -> Result<bool, Exhausted> {
        if self.context.events_ended {
            return Ok(false);
        }
        match STATE.load(RELAXED) {
            // A region that has begun in the window ends in it, and the next one does not begin.
            OPEN | CLOSING => Ok(true),
            _ => self.end_events(store, now).map(|()| false),
        }
    }

    /// Starts or stops recording for an outermost region that begins. Returns whether a window is
    /// open; such a region is always timed.
    #[inline]
    pub(super) fn begins_in_window(&mut self, store: &Store, now: u64) -> Result<bool, Exhausted> {
        let is_open = STATE.load(RELAXED) == OPEN;
        if is_open == self.context.events_ended {
            self.change_window(store, now, is_open)?;
        }
        Ok(is_open)
    }

    /// The thread begins its part in a region of `team`, of which `begin` tells, and is in no
    /// other: it records events if the primary thread does, unless the window has closed meanwhile.
    #[inline]
    pub(super) fn record_part(
        &mut self,
        store: &Store,
        team: &Team,
        begin: Record,
    ) -> Result<(), Exhausted> {
        let ended = self.context.events_ended;
        let state = STATE.load(RELAXED);
        let records = team.is_recorded() && (state == OPEN || state == CLOSING && !ended);
        if records == ended {
            self.change_window(store, begin.tick, records)?;
        }
        if records { self.push(store, begin) } else { Ok(()) }
    }

    #[cold]
    fn change_window(&mut self, store: &Store, now: u64, opens: bool) -> Result<(), Exhausted> {
        match opens {
            true => self.begin_events(store, fold_end(now)),
            false => self.end_events(store, now),
        }
    }

    /// Tells that the thread's events are not recorded any more.
    #[cold]
    pub(super) fn end_events(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        self.context.events_ended = true;
        self.context.time_told = self.times(store)?;
        self.push(store, Record { value: now, ..record(EventKind::FoldBegin, now) })
    }

    /// Tells that the thread's events are recorded again, and what it did meanwhile.
    fn begin_events(&mut self, store: &Store, end: Record) -> Result<(), Exhausted> {
        self.end_unreported(store)?;
        let [time, short] = self.times(store)?;
        let [time_told, short_told] = self.context.time_told;
        let since = |now: [u64; 12], told: [u64; 12]| -> [u64; 12] {
            array::from_fn(|position| now[position].saturating_sub(told[position]))
        };
        let sums = with_counted(since(time, time_told), since(short, short_told), &short);
        for (sub, value) in (0..).zip(sums) {
            if value > 0 {
                self.push(store, Record { sub, value, ..record(EventKind::TimeSum, end.tick) })?;
            }
        }
        self.context.events_ended = false;
        self.push(store, end)
    }

    /// The thread's time so far: in its sums, and in those of short regions.
    fn times(&mut self, store: &Store) -> Result<[[u64; 12]; 2], Exhausted> {
        let key = [self.life, 0];
        let time = self.sum(store, FoldKind::Thread, 0, key)?.values;
        let short = self.sum(store, FoldKind::Short, 0, key)?.values;
        Ok([time, short])
    }

    /// The thread is in a region that is only counted.
    #[inline]
    pub(super) fn leave_window(&mut self, store: &Store) -> Result<(), Exhausted> {
        match self.context.events_ended {
            true => Ok(()),
            false => self.end_events(store, clock::now()),
        }
    }

    /// The thread has left a barrier inside a region.
    #[inline]
    pub(crate) fn pass_barrier(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        if (STATE.load(RELAXED) == OPEN) == self.context.events_ended {
            return self.change_window_inside(store, now);
        }
        Ok(())
    }

    #[cold]
    fn change_window_inside(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        if self.context.regions.depth() != 1 {
            return Ok(());
        }
        if !self.context.events_ended {
            return self.end_events(store, now);
        }
        let waits = self.context.waits.depth();
        let Some(frame) = self.context.regions.top() else { return Ok(()) };
        // No part begins while the thread executes a task in a barrier, has arrived at the region's
        // end, or is a worker of an inner region (whose primary thread records no part).
        let is_inner = frame.outermost != frame.region.begin;
        if waits > usize::from(frame.outside.waits)
            || frame.arrival != 0
            || frame.begin == 0
            || is_inner
        {
            return Ok(());
        }
        let (region, barriers, primary) = (frame.region, frame.barriers, frame.primary);
        let end = Record {
            value: region.id,
            code: region.code,
            aux: barriers,
            sub: u8::from(primary),
            ..fold_end(now)
        };
        self.begin_events(store, end)
    }
}

/// The positions of times in the sums of a thread.
const TIMES: [usize; 10] = [
    thread::USEFUL,
    thread::SERIAL,
    thread::IMBALANCE,
    thread::BARRIER,
    thread::MUTEX,
    thread::TASKWAIT,
    thread::FORK_JOIN,
    thread::SERIAL_IDLE,
    thread::SPARE_IDLE,
    thread::STARVED,
];

/// The same of short regions that were timed.
const SHORT_TIMES: [usize; 8] = [
    thread::USEFUL,
    thread::SERIAL,
    thread::IMBALANCE,
    thread::BARRIER,
    thread::MUTEX,
    thread::TASKWAIT,
    thread::FORK_JOIN,
    thread::STARVED,
];

/// What a thread did in a stretch: `time`, what it did in timed short regions, and, in the
/// proportions of that, the time in counted ones. Without timed ones in the stretch the proportions
/// are those of `all`.
fn with_counted(time: [u64; 12], short: [u64; 12], all: &[u64; 12]) -> [u64; 12] {
    let whole = |sums: &[u64; 12]| SHORT_TIMES.iter().map(|&at| sums[at]).sum::<u64>();
    let like = if whole(&short) > 0 { &short } else { all };
    let whole = whole(like);
    let mut sums = [0; 12];
    for at in TIMES {
        sums[at] = time[at];
    }
    let counted = short[short::COUNTED];
    let mut rest = counted;
    for at in SHORT_TIMES {
        let part = match whole {
            0 => 0,
            whole => (u128::from(counted) * u128::from(like[at]) / u128::from(whole)) as u64,
        };
        let part = part.min(rest);
        rest -= part;
        sums[at] += short[at] + part;
    }
    sums[thread::USEFUL] += rest;
    sums
}

fn fold_end(now: u64) -> Record {
    // Acquire: pairs with the Release in `open_next`, from which the thread has read that the
    // window is open. Another thread's store to the state may have followed that.
    fence(Ordering::Acquire);
    Record { window: NUMBER.load(RELAXED), ..record(EventKind::FoldEnd, now) }
}

#[cfg(test)]
mod tests {
    use super::begin_anew;
    use super::{CLOSED, CLOSING, Kept, NUMBER, OPEN, RELAXED, STATE, judge, open_next, prepare};
    use super::{short, thread, with_counted};

    fn state() -> u8 {
        STATE.load(RELAXED)
    }

    #[test]
    fn counted_regions_are_taken_to_be_like_timed_ones() {
        let mut time = [0; 12];
        (time[thread::USEFUL], time[thread::SERIAL_IDLE], time[thread::UNTIL]) = (50, 7, 99_999);
        let mut short = [0; 12];
        (short[thread::USEFUL], short[thread::BARRIER], short[short::COUNTED]) = (10, 30, 400);
        let sums = with_counted(time, short, &short);
        assert_eq!((sums[thread::USEFUL], sums[thread::BARRIER]), (50 + 10 + 100, 30 + 300));
        assert_eq!((sums[thread::SERIAL_IDLE], sums.iter().sum::<u64>()), (7, 57 + 440));
        let all = short;
        (short[thread::USEFUL], short[thread::BARRIER]) = (0, 0);
        assert_eq!(with_counted(time, short, &all)[thread::BARRIER], 300, "as in earlier ones");
        assert_eq!(with_counted(time, short, &[0; 12])[thread::USEFUL], 50 + 400);
    }

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
        assert_eq!(times.len(), usize::from(NUMBER.load(RELAXED)));
        assert!((40..100).contains(&times.len()), "{}", times.len());
        assert!(taken < CAPACITY / 2);
        let widest = times.windows(2).filter(|pair| pair[0] > 10_000);
        let widest = widest.map(|pair| (pair[1] - pair[0]) as f64 / pair[1] as f64);
        assert!(widest.fold(0.0, f64::max) < 0.15, "no part of the run is without a window");
        assert!(*times.last().unwrap() > 3_000_000);

        // A file in which there is no room for windows.
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
