//! When events are recorded: in the first part of the recording, and then in windows spread over
//! the run.
//!
//! The first part ends when a quarter of the file is used, or sooner if events come so fast that
//! recording them would cost too much. Nobody knows how long the run will be, so the distances of
//! the windows grow with its length: each is an eighth of the time that has passed. So a run of any
//! length has windows in all its parts, and their number grows with the logarithm of the length.
//!
//! A window holds whole regions where it can. A thread begins to record where a region begins, or
//! behind a barrier of an outermost region that has begun before; once the window closes, the
//! thread stops at the next such place. If no such place comes, events end anywhere as soon as the
//! window has its measure of chunks and a few more; and a long region without barriers has no
//! further window.
//!
//! The thread that needs a chunk of the file closes the window, and the helper thread opens the
//! next. Relaxed: a thread that sees a change late records a little more or a little less. The
//! README beside the crate's files has the states, the steps and the argument.

mod state;

use std::array;

use oxomp_trace::fold::{CLASSES, FoldKind, short, thread};
use oxomp_trace::{EventKind, Record};

use crate::clock;
use crate::log::{Log, record};
use crate::store::{Exhausted, Store};
use crate::team::Team;
use state::{CLOSING, OPEN, is_to_restart, state};

pub(super) use state::prepare;
pub(crate) use state::{Used, begin_anew, judge, keeps_last, open_next};

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
        match state() {
            // A region that has begun in the window ends in it, and the next one does not begin.
            OPEN | CLOSING => Ok(true),
            _ => self.end_events(store, now).map(|()| false),
        }
    }

    /// Starts or stops recording for an outermost region that begins. Returns whether a window is
    /// open; such a region is always timed.
    #[inline]
    pub(super) fn begins_in_window(&mut self, store: &Store, now: u64) -> Result<bool, Exhausted> {
        let is_open = state() == OPEN;
        if is_open == self.context.events_ended || self.is_to_restart() {
            self.change_window(store, now, is_open)?;
        }
        Ok(is_open)
    }

    /// The thread begins its part in a region of `team`, as the record `begin` tells, and is in no
    /// other region. It records events if the primary thread does, unless the window has closed
    /// meanwhile.
    #[inline]
    pub(super) fn record_part(
        &mut self,
        store: &Store,
        team: &Team,
        begin: Record,
    ) -> Result<(), Exhausted> {
        let ended = self.context.events_ended;
        let state = state();
        let records = team.is_recorded() && (state == OPEN || state == CLOSING && !ended);
        if records == ended || self.is_to_restart() {
            self.change_window(store, begin.tick, records)?;
        }
        if records { self.push(store, begin) } else { Ok(()) }
    }

    /// Whether the thread is to begin anew where a region begins.
    #[inline]
    fn is_to_restart(&self) -> bool {
        self.context.has_turned || is_to_restart(self.context.window)
    }

    /// Begins to record, anew if the thread records, or ends it.
    #[cold]
    fn change_window(&mut self, store: &Store, now: u64, opens: bool) -> Result<(), Exhausted> {
        if !self.context.events_ended {
            self.end_events(store, now)?;
        }
        if opens { self.begin_events(store, fold_end(now)) } else { Ok(()) }
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
        let sums = with_counted(since(time, time_told), since(short, short_told), &short);
        for (sub, value) in (0..).zip(sums) {
            if value > 0 {
                self.push(store, Record { sub, value, ..record(EventKind::TimeSum, end.tick) })?;
            }
        }
        self.context.events_ended = false;
        self.context.window = end.window;
        self.context.has_turned = false;
        self.push(store, end)
    }

    /// Goes on to other sums, by `change`, of which the thread tells as of the same.
    pub(super) fn carry_times(
        &mut self,
        store: &Store,
        change: impl FnOnce(&mut Self),
    ) -> Result<(), Exhausted> {
        if !self.context.events_ended {
            change(self);
            return Ok(());
        }
        let before = self.times(store)?;
        change(self);
        let after = self.times(store)?;
        let told = self.context.time_told;
        // As if the sums had been those that follow, from the begin.
        self.context.time_told = array::from_fn(|kind| {
            array::from_fn(|at| {
                let since = before[kind][at].wrapping_sub(told[kind][at]);
                after[kind][at].wrapping_sub(since)
            })
        });
        Ok(())
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
        let is_open = state() == OPEN;
        if is_open == self.context.events_ended || is_open && is_to_restart(self.context.window) {
            return self.change_window_inside(store, now, is_open);
        }
        Ok(())
    }

    #[cold]
    fn change_window_inside(
        &mut self,
        store: &Store,
        now: u64,
        opens: bool,
    ) -> Result<(), Exhausted> {
        if self.context.regions.depth() != 1 {
            return Ok(());
        }
        if !opens {
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
        if !self.context.events_ended {
            self.end_events(store, now)?;
        }
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

/// The positions of times by class in the sums of short regions that were timed.
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

/// What a thread did in a stretch: the times of `time`, those in timed short regions (`short`), and
/// the time in counted regions, split in the proportions of `short`, or of `all` if the stretch has
/// no timed short region.
fn with_counted(time: [u64; 12], short: [u64; 12], all: &[u64; 12]) -> [u64; 12] {
    let whole = |sums: &[u64; 12]| SHORT_TIMES.iter().map(|&at| sums[at]).sum::<u64>();
    let like = if whole(&short) > 0 { &short } else { all };
    let whole = whole(like);
    let mut sums = [0; 12];
    for at in CLASSES {
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

/// By how much the sums have grown since they were told. What was told may lie below zero.
fn since(now: [u64; 12], told: [u64; 12]) -> [u64; 12] {
    array::from_fn(|at| now[at].wrapping_sub(told[at]).cast_signed().max(0).cast_unsigned())
}

fn fold_end(now: u64) -> Record {
    Record { window: state::number(), ..record(EventKind::FoldEnd, now) }
}

#[cfg(test)]
mod tests {
    use super::{short, thread, with_counted};

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
}
