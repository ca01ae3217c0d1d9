//! Folding: what a thread's events add up to, formed as they come, whether they are recorded
//! besides or not.
//!
//! The definitions are those of the analysis, in a form that needs no look back: a thread adds up a
//! wait when it ends; the primary thread of a region forms the region's sums when it ends; a worker
//! accounts for the time between two regions when the second one begins.
//!
//! Events are recorded besides in a part of the run only ([`window`]). Outside these parts
//! short regions and tasks may be only counted.

mod attempts;
mod counted;
mod counts;
mod mutexes;
mod regions;
mod sinks;
mod split;
mod unreported;
mod waits;
mod window;

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use oxomp_trace::fold::{FoldEntry, FoldKind, thread};

use crate::log::Log;
use crate::store::{Exhausted, Store};
use crate::team::Team;
use crate::wait_class::{INNER_CLASSES, MUTEX};
use crate::{holds, turns};

pub(crate) use attempts::Tested;
pub(crate) use counted::{CountedRegion, MemberCounts};
pub(crate) use sinks::Sinks;
pub(crate) use window::{begin_anew, judge, open_next};

const RELAXED: Ordering = Ordering::Relaxed;

/// One such part of a second is the most that handing out one chunk of a loop is taken to cost, 200
/// ns: runtimes need 10 to 60 ns for a chunk that no other thread asks for, and several times as
/// long for one that other processors ask for, too.
const MOST_DISPATCH_PART: u64 = 5_000_000;
static MOST_DISPATCH_TICKS: AtomicU64 = AtomicU64::new(0);

/// Allocates the table that folding needs and notes the recording's begin, before [`begin`].
pub(crate) fn prepare(start: u64, ticks_per_second: u64) {
    holds::prepare();
    MOST_DISPATCH_TICKS.store(ticks_per_second / MOST_DISPATCH_PART, RELAXED);
    window::prepare(start, ticks_per_second);
    turns::prepare(ticks_per_second);
}

/// The most ticks that handing out one chunk is taken to cost.
pub(crate) fn most_dispatch_ticks() -> u64 {
    MOST_DISPATCH_TICKS.load(RELAXED)
}

/// The meaning of a parallel region's data word.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word {
    /// A region of which nothing is kept: inside one that is only counted, or nested too deeply for
    /// a team.
    Hidden,
    Team(&'static Team),
    /// A region that is only counted.
    Counted(&'static Team),
}

/// Set beside a team's address if the region is only counted.
const COUNTED: u64 = 1;

impl Word {
    pub(crate) fn encode(self) -> u64 {
        match self {
            Self::Hidden => 0,
            Self::Team(team) => address(team),
            Self::Counted(team) => address(team) | COUNTED,
        }
    }

    #[inline]
    pub(crate) fn decode(word: u64) -> Self {
        let place = std::ptr::with_exposed_provenance::<Team>((word & !COUNTED) as usize);
        // SAFETY: other words are 0 or addresses of teams, which are never freed.
        let Some(team) = (unsafe { place.as_ref::<'static>() }) else { return Self::Hidden };
        if word & COUNTED == 0 { Self::Team(team) } else { Self::Counted(team) }
    }
}

fn address(team: &'static Team) -> u64 {
    std::ptr::from_ref(team).expose_provenance() as u64
}

impl Log {
    #[inline(always)]
    fn sum(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        match self.sums.last(kind, sub, key).map(NonNull::from_mut) {
            // SAFETY: borrowed from the sums, which are borrowed for as long as the result.
            Some(mut entry) => Ok(unsafe { entry.as_mut() }),
            None => self.other_sum(store, kind, sub, key),
        }
    }

    #[inline(never)]
    fn other_sum(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        self.sums.entry(store, self.number, kind, sub, key)
    }

    /// Sums that are formed beside the events. `None` if the thread has no table yet and the file
    /// has little room: then the events come first.
    #[inline(always)]
    pub(crate) fn beside(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<&mut [u64; 12]> {
        let mut entry = self.entry_beside(store, kind, sub, key)?;
        // SAFETY: borrowed from the sums, which are borrowed for as long as the result.
        Some(unsafe { &mut entry.as_mut().values })
    }

    /// The entry of the sums that [`Log::beside`] gives.
    #[inline(always)]
    pub(crate) fn entry_beside(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<NonNull<FoldEntry>> {
        match self.sums.last(kind, sub, key).map(NonNull::from_mut) {
            Some(entry) => Some(entry),
            None => self.other_beside(store, kind, sub, key),
        }
    }

    #[inline(never)]
    fn other_beside(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<NonNull<FoldEntry>> {
        if !self.sums.are_open() && store.taken() >= store.capacity() / 2 {
            return None;
        }
        self.other_sum(store, kind, sub, key).ok().map(NonNull::from_mut)
    }

    /// The sums of this thread's time, which are complete up to `until`.
    #[inline(always)]
    fn time(&mut self, store: &Store, until: u64) -> Result<&mut [u64; 12], Exhausted> {
        let key = [self.life, 0];
        let entry = self.sum(store, FoldKind::Thread, 0, key)?;
        entry.values[thread::UNTIL] = until;
        Ok(&mut entry.values)
    }

    /// The sums of this thread's time in regions, short ones or others.
    #[inline(always)]
    fn time_in(&mut self, store: &Store, short: bool) -> Result<&mut [u64; 12], Exhausted> {
        let kind = if short { FoldKind::Short } else { FoldKind::Thread };
        let key = [self.life, 0];
        self.sum(store, kind, 0, key).map(|entry| &mut entry.values)
    }

    /// The tick of an event at `now`, if the recording had not been paused in the innermost region
    /// of the thread: [`RegionFrame::without_pauses`](crate::context::RegionFrame::without_pauses).
    #[inline]
    fn without_pauses(&mut self, now: u64) -> u64 {
        self.context.regions.top().map_or(now, |frame| frame.without_pauses(now))
    }

    /// Adds a wait to the region the thread is in.
    #[inline]
    fn add_wait(&mut self, store: &Store, position: usize, ticks: u64) -> Result<(), Exhausted> {
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
    fn settle_time(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
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
    fn settle_all_time(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
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
