//! A thread's time: what is useful, and its waits.

use oxomp_trace::fold::thread;

use crate::log::Log;
use crate::store::{Exhausted, Store};
use crate::wait_class::{INNER_CLASSES, MUTEX};

impl Log {
    /// The tick of an event at `now`, if the recording had not been paused in the innermost region
    /// of the thread: [`RegionFrame::without_pauses`](crate::context::RegionFrame::without_pauses).
    #[inline]
    pub(super) fn without_pauses(&mut self, now: u64) -> u64 {
        self.context.regions.top().map_or(now, |frame| frame.without_pauses(now))
    }

    /// Adds a wait to the region the thread is in.
    #[inline]
    pub(super) fn add_wait(
        &mut self,
        store: &Store,
        position: usize,
        ticks: u64,
    ) -> Result<(), Exhausted> {
        let context = &mut self.context;
        let mut short = false;
        match context.regions.top() {
            Some(frame) if frame.arrival == 0 => {
                frame.inner[position] += ticks;
                frame.waited += ticks;
                if position == MUTEX {
                    frame.locks += ticks;
                }
                short = frame.short;
            }
            // In a task after the arrival.
            Some(frame) => {
                frame.tail_waits += ticks;
                frame.team.add_tail_wait(position, ticks);
                short = frame.short;
            }
            // Part of a region's time that is estimated as a whole.
            None if context.member_of.is_some() => return Ok(()),
            None => context.loose += ticks,
        }
        self.time_in(store, short)?[INNER_CLASSES[position]] += ticks;
        Ok(())
    }

    /// Adds up the thread's time in its region until `now`, unless it is in a wait: so the sums are
    /// complete if the process is killed.
    #[inline]
    pub(super) fn settle_time(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        let depth = self.context.waits.depth();
        match self.context.regions.top() {
            Some(frame)
                if frame.arrival == 0
                    && frame.begin != 0
                    && depth <= usize::from(frame.outside.waits) => {}
            _ => return Ok(()),
        }
        self.settle_all_time(store, now)
    }

    /// Adds up the thread's time in its region until `now`.
    #[inline]
    pub(super) fn settle_all_time(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        let Some(frame) = self.context.regions.top() else { return Ok(()) };
        let until = frame.without_pauses(now);
        let ticks = until.saturating_sub(frame.mark).saturating_sub(frame.waited);
        (frame.mark, frame.waited) = (until, 0);
        let short = frame.short;
        self.time(store, now)?;
        self.time_in(store, short)?[thread::USEFUL] += ticks;
        Ok(())
    }
}
