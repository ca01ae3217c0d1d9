//! Short regions that are only counted.
//!
//! Timing a region on all its threads takes about a microsecond: too much of a region of a few. So
//! the primary thread decides at the region's begin, in turns ([`crate::turns`]), whether all
//! members time it or none does. If a region is only counted, the primary thread keeps the time
//! from fork to join, and each member the number of such regions in which it was; the region's data
//! word tells the members. From the timed instances of the same region readers estimate the rest.
//!
//! A series of such regions costs its members no cache line: only the first one has its data word
//! set, which names the team to the members. In the following ones they know the word by its
//! address, and find in the team that the series goes on. A series ends where the primary thread's
//! team may be another one: at another address of the word, or for another number of threads.
//!
//! A worker does not look at the clock in such regions. It learns how long they took from the team,
//! where the primary thread keeps their number and time: when it begins a region that is timed, or
//! its time ends.

mod state;

use oxomp_trace::fold::{FoldKind, counts, instances, short};

use super::word::Word;
use crate::log::Log;
use crate::mode::MODE;
use crate::slow_regions;
use crate::store::{Exhausted, Store};
use crate::team::{Counted, Team};
use crate::turns::REGIONS;

pub(crate) use state::{CountedRegion, MemberCounts};

/// The number of instances of each region that are timed before others are only counted.
const FIRST: u64 = 8;

/// How an instance of a region is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Timed, as all instances of the region are.
    Always,
    /// Timed in its turn, for others that are only counted.
    Timed,
    /// Only counted.
    Counted,
}

impl Log {
    /// Whether a region at `code`, which begins at `now`, is timed. A region in which others begin
    /// is always timed, since the inner ones would be lost otherwise.
    #[inline]
    pub(super) fn turn_of(
        &mut self,
        store: &Store,
        now: u64,
        code: u64,
    ) -> Result<Turn, Exhausted> {
        let values = &self.sum(store, FoldKind::Instances, 0, [code, 0])?.values;
        let ended = values[instances::TIMED] + values[instances::COUNTED];
        let ticks = values[instances::TIMED_WALL] + values[instances::COUNTED_WALL];
        let nests = values[instances::NESTS] != 0;
        if values[instances::TIMED] < FIRST || nests || REGIONS.are_long(ended, ticks) {
            return Ok(Turn::Always);
        }
        let is_timed = self.context.turns.is_timed(&REGIONS, || now);
        Ok(if is_timed { Turn::Timed } else { Turn::Counted })
    }

    /// A region of this thread begins that is only counted.
    #[inline]
    pub(super) fn begin_counted(
        &mut self,
        team: &'static Team,
        series: u64,
        code: u64,
        begin: u64,
        paused: u64,
    ) -> Word {
        let outside = self.outside();
        let is_first = team.open_counted(self.next_region(), code, series);
        self.context.counted = Some(CountedRegion { team, code, begin, paused, outside });
        if is_first { Word::Counted(team) } else { Word::Hidden }
    }

    /// The region of this thread that is only counted has ended.
    #[inline]
    pub(super) fn end_counted(
        &mut self,
        store: &Store,
        region: CountedRegion,
        now: u64,
    ) -> Result<(), Exhausted> {
        let CountedRegion { team, code, begin, paused, .. } = region;
        self.context.since_paused = paused;
        // As if there had been no pause: its time follows the region.
        let now = now.saturating_sub(MODE.paused_until(now).saturating_sub(paused));
        let ticks = now.saturating_sub(begin);
        slow_regions::see(code, ticks, now);
        self.context.counted = None;
        team.count(ticks);
        self.count(store, counts::REGIONS_ENDED);
        let values = &mut self.sum(store, FoldKind::Instances, 0, [code, 0])?.values;
        values[instances::COUNTED] += 1;
        values[instances::COUNTED_WALL] += ticks;
        values[instances::NESTS] |= u64::from(team.has_nested());
        self.add_counted(store, now, ticks)?;
        self.context.since = now;
        self.context.after = code;
        self.context.loose = 0;
        Ok(())
    }

    /// The thread's implicit task begins in the region whose data word has this address: in a
    /// series of regions that are only counted, as far as the thread knows without the word.
    #[inline]
    pub(crate) fn continues_series<'a>(
        &mut self,
        word: usize,
        store: impl FnOnce() -> Option<&'a Store>,
    ) -> bool {
        let context = &mut self.context;
        if let Some(counted) = &context.counted {
            // The primary thread, unless this is a region inside.
            let is_it = context.member_of.is_none() && context.hidden_tasks == 0;
            if is_it {
                context.member_of = Some(counted.team);
            }
            return is_it;
        }
        let counts = &mut context.member_counts;
        match counts.team {
            Some(team) if counts.word == word && counts.series == team.series() => {
                counts.regions += 1;
                context.member_of = Some(team);
                if !context.events_ended
                    && let Some(store) = store()
                {
                    // Without room for the event the next one ends the recording.
                    let _ = self.leave_window(store);
                }
                true
            }
            _ => false,
        }
    }

    /// A worker begins the first region of a series of `team`: its data word has this address.
    #[cold]
    pub(super) fn begin_series(
        &mut self,
        store: &Store,
        team: &'static Team,
        word: usize,
        now: u64,
    ) -> Result<(), Exhausted> {
        self.settle_member_counts(store, now)?;
        self.leave_window(store)?;
        let before = team.counted_so_far();
        let (series, ticks) = (team.series(), self.context.member_counts.ticks);
        self.context.member_counts =
            MemberCounts { team: Some(team), word, series, before, regions: 1, ticks };
        self.context.member_of = Some(team);
        Ok(())
    }

    /// Adds up the time of the counted regions in which the worker was, before a timed one of
    /// `team`.
    #[inline]
    pub(super) fn settle_before_timed(
        &mut self,
        store: &Store,
        team: &'static Team,
        now: u64,
    ) -> Result<(), Exhausted> {
        match self.context.member_counts.team {
            None => Ok(()),
            Some(last) if std::ptr::eq(last, team) => {
                self.settle(store, now, team.counted_before())
            }
            Some(_) => self.settle_member_counts(store, now),
        }
    }

    /// Adds up the time of the counted regions in which the worker was so far.
    #[cold]
    pub(super) fn settle_member_counts(
        &mut self,
        store: &Store,
        now: u64,
    ) -> Result<(), Exhausted> {
        let Some(team) = self.context.member_counts.team else { return Ok(()) };
        self.settle(store, now, team.counted_so_far())?;
        self.context.member_counts.team = None;
        Ok(())
    }

    /// Adds up the time of the counted regions, of which the team has counted `until` so far.
    fn settle(&mut self, store: &Store, now: u64, until: Counted) -> Result<(), Exhausted> {
        let counts = &mut self.context.member_counts;
        let regions = until.regions.saturating_sub(counts.before.regions);
        let ticks = until.ticks.saturating_sub(counts.before.ticks);
        let own = std::mem::take(&mut counts.regions).min(regions);
        counts.before = until;
        if own == 0 {
            return Ok(());
        }
        let ticks = match own == regions {
            true => ticks,
            // The worker stayed out of some.
            false => (u128::from(ticks) * u128::from(own) / u128::from(regions)) as u64,
        };
        let room = now.saturating_sub(self.context.since);
        let ticks = ticks.min(room.saturating_sub(self.context.member_counts.ticks));
        self.context.member_counts.ticks += ticks;
        self.add_counted(store, now, ticks)
    }

    #[inline]
    fn add_counted(&mut self, store: &Store, now: u64, ticks: u64) -> Result<(), Exhausted> {
        self.time(store, now)?;
        let key = [self.life, 0];
        self.sum(store, FoldKind::Short, 0, key)?.values[short::COUNTED] += ticks;
        Ok(())
    }

    /// A region at `code` that is timed has ended after `ticks` ticks; others began in it, if it
    /// `nests`.
    #[inline]
    pub(super) fn end_instance(&mut self, store: &Store, code: u64, ticks: u64, nests: bool) {
        let Some(values) = self.beside(store, FoldKind::Instances, 0, [code, 0]) else { return };
        values[instances::TIMED] += 1;
        values[instances::TIMED_WALL] += ticks;
        values[instances::NESTS] |= u64::from(nests);
    }
}
